"""Bots at a table, and hints: they think in processes of their own, and never hold up the server.

A bot is handed the view of its seat and nothing else. One that fails, leads what it may not, or
takes too long is replaced by a play by the book, and the table is told. Each process has one
thought at a time: a slow bot is ended with its process, and no other is.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, TypeVar

from popejoan.advice.hints import hint
from popejoan.advice.opponents import compiled, decide, warm
from popejoan.bots import LADDER, bot_names
from popejoan.bots.playouts import EnginePlayouts
from popejoan.cards import Card
from popejoan.deal import Deal
from popejoan.fast.stopping import serve_parent
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.web.backing import Thought, instead
from popejoan.web.people import Refused

__all__ = ["Thinker", "Thought"]

_SIMPLE: Final = frozenset(LADDER) - {"master"}
"""Bots that choose at once; others may have to compile something first."""
_WARMING: Final = 60.0
"""For how many seconds a process may get ready for those."""
_SETTLED: Final = 5.0
"""How many seconds after its start a server compiles ahead what searching needs."""
_COMPILING: Final = 900.0
"""For how many seconds it may, since it has only the time that nobody else wants."""
_QUEUE: Final = 4
"""For how many times the longest thought one waits for a process."""
_T = TypeVar("_T")


def _begin(nice: int) -> None:
    """Leave the keyboard's interrupt to the server, the processor to it first, and end with it."""
    serve_parent()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(nice)


def _get_ready() -> None:
    """Compile what searching needs, or read it from its cache: one lead, and one hint."""
    warm()
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(1, rules=Rules.HOYLE))
    while len(round_.legal) == 1:
        round_ = round_.lead(round_.legal[0])
    hint(View.of(round_, round_.to_act))


def _choose(name: str, seed: int, view: View) -> int:
    return int(decide(name, seed, view))


def _hint(view: View, seed: int) -> dict[str, Any]:
    found = hint(view, seed=seed)
    return {**found.as_dict(), "text": found.text()}


def _hint_on_the_engine(view: View, seed: int) -> dict[str, Any]:
    """A hint from fewer worlds, for which nothing has to be compiled."""
    found = hint(view, seed=seed, made_by=EnginePlayouts())
    return {**found.as_dict(), "text": found.text()}


class _Mind:
    """A process, started when it is first needed, and anew after it was ended."""

    def __init__(self, nice: int = 5) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.warm = False
        self._nice = nice

    async def run(self, longest: float, work: Callable[..., _T], *given: Any) -> _T:
        """What the work gives in the process; TimeoutError when it takes too long."""
        if self.pool is None:
            spawn = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(1, spawn, initializer=_begin, initargs=(self._nice,))
            # To start is no thought yet.
            await self.run(_WARMING, bot_names)
        try:
            async with asyncio.timeout(longest):
                return await asyncio.get_running_loop().run_in_executor(self.pool, work, *given)
        except (TimeoutError, BrokenProcessPool, asyncio.CancelledError):
            self.end()
            raise

    def end(self) -> None:
        """End the process, whatever it is at."""
        pool, self.pool, self.warm = self.pool, None, False
        if pool is not None:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with contextlib.suppress(ProcessLookupError, ValueError):
                    process.kill()


class Thinker:
    """A few processes in which bots think."""

    def __init__(self, *, processes: int = 2, longest: float = 5.0) -> None:
        self._longest = longest
        self._minds = [_Mind() for _ in range(processes)]
        # The one used last is taken first, so that a quiet server keeps to one process.
        self._idle: asyncio.LifoQueue[_Mind] = asyncio.LifoQueue()
        for mind in reversed(self._minds):
            self._idle.put_nowait(mind)
        self._compiler = _Mind(nice=19)
        self._compiled = not compiled()

    async def warm(self) -> None:
        """Start a process ahead of the first thought; then compile what searching needs.

        What is compiled is kept on disk, where every process finds it. It is done in a process that
        has only the time nobody else wants, and ends afterwards, so that its memory is free again.
        """
        with contextlib.suppress(Exception):
            await self._run(bot_names, searching=False)
        if self._compiled:
            return
        await asyncio.sleep(_SETTLED)
        try:
            with contextlib.suppress(Exception):
                await self._compiler.run(_COMPILING, _get_ready)
        finally:
            self._compiler.end()
            self._compiled = True

    async def lead(self, name: str, seed: int, view: View) -> Thought:
        """The card that this bot leads."""
        try:
            number = await self._run(_choose, name, seed, view, searching=name not in _SIMPLE)
            card = Card(number)
        except TimeoutError:
            return instead(view, f"thought for more than {self._longest:g} seconds")
        except Exception as error:  # noqa: BLE001 - a bot of someone else's may raise anything
            return instead(view, f"failed ({type(error).__name__})")
        if card not in view.legal:
            return instead(view, f"chose {card!r}, which it may not lead")
        return Thought(card)

    async def hint(self, view: View, seed: int = 0) -> dict[str, Any]:
        """Advice on a lead, as JSON values; Refused when it cannot be had in time.

        Until what searching needs is compiled, the engine looks at fewer worlds.
        """
        try:
            if not self._compiled:
                return await self._run(_hint_on_the_engine, view, seed, searching=False)
            return await self._run(_hint, view, seed, searching=True)
        except (TimeoutError, BrokenProcessPool):
            raise Refused("no hint could be found in time", "no-hint") from None

    async def _run(self, work: Callable[..., _T], *given: Any, searching: bool) -> _T:
        async with asyncio.timeout(_QUEUE * self._longest):
            mind = await self._idle.get()
        try:
            if searching and not mind.warm:
                await mind.run(_WARMING, _get_ready)
                mind.warm = True
            return await mind.run(self._longest, work, *given)
        finally:
            self._idle.put_nowait(mind)

    def close(self) -> None:
        """End the processes."""
        for mind in (*self._minds, self._compiler):
            mind.end()
