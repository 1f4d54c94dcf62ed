"""Bots at a table: they think in processes of their own, and never hold up the server.

A bot is handed the view of its seat and nothing else. One that fails, leads what it may not, or
takes too long is replaced by a play by the book, and the table is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from popejoan.bots import ByTheBook, bot, bot_names
from popejoan.cards import Card
from popejoan.view import View

__all__ = ["Thinker", "Thought"]


class Thought(NamedTuple):
    """What a bot leads, and what went wrong on the way."""

    card: Card
    fault: str | None = None


def _begin() -> None:
    """Leave the keyboard's interrupt to the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _choose(name: str, seed: int, view: View) -> int:
    return int(bot(name, seed).choose(view))


class Thinker:
    """A few processes in which bots think."""

    def __init__(self, *, processes: int = 1, longest: float = 5.0) -> None:
        self._processes = processes
        self._longest = longest
        self._pool: ProcessPoolExecutor | None = None

    async def warm(self) -> None:
        """Start a process ahead of the first thought."""
        with contextlib.suppress(Exception):
            await asyncio.get_running_loop().run_in_executor(self._ready(), bot_names)

    async def lead(self, name: str, seed: int, view: View) -> Thought:
        """The card that this bot leads."""
        if self._pool is None:
            await self.warm()
        try:
            async with asyncio.timeout(self._longest):
                number = await asyncio.get_running_loop().run_in_executor(
                    self._ready(), _choose, name, seed, view
                )
            card = Card(number)
        except TimeoutError:
            self._kill()
            return self._instead(view, f"thought for more than {self._longest:g} seconds")
        except Exception as error:  # noqa: BLE001 - a bot of someone else's may raise anything
            if isinstance(error, RuntimeError):
                self._kill()
            return self._instead(view, f"failed ({type(error).__name__})")
        if card not in view.legal:
            return self._instead(view, f"chose {card!r}, which it may not lead")
        return Thought(card)

    def _instead(self, view: View, fault: str) -> Thought:
        return Thought(ByTheBook().choose(view), fault)

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, multiprocessing.get_context("spawn"), initializer=_begin
            )
        return self._pool

    def _kill(self) -> None:
        """Let go of the processes, whatever they are at; new ones start when needed."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with contextlib.suppress(ProcessLookupError, ValueError):
                    process.kill()

    def close(self) -> None:
        """End the processes."""
        self._kill()
