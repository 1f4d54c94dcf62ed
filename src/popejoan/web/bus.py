"""The bus: hints from one server process to the others that a table's log has grown.

A hint may come twice, late or never; the log in the store is the truth, and whoever has a table
open also looks there now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Protocol

__all__ = ["Bus", "Hint", "MemoryBus", "PostgresBus", "RedisBus", "bus_for"]

_CHANNEL: Final = "popejoan"
_LOG = logging.getLogger(__name__)

Hint = dict[str, Any]
"""``table``, ``seq``, and who is ``present`` on the server that sends it."""


class Bus(Protocol):
    """Carries hints."""

    distant: bool
    """Whether there may be other processes."""
    name: str
    """This process's name, in every hint that it sends."""

    async def open(self, heard: Callable[[Hint], None]) -> None:
        """Begin to listen."""

    def tell(self, hint: Hint) -> None:
        """Send a hint, some time soon, if the line is there."""

    async def close(self) -> None:
        """Stop listening."""


class MemoryBus:
    """The bus of one process: there is nobody to tell."""

    distant = False

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)

    async def open(self, heard: Callable[[Hint], None]) -> None:
        """Nothing will be heard."""

    def tell(self, hint: Hint) -> None:
        """Nobody hears it."""

    async def close(self) -> None:
        """Nothing is open."""


class _Distant(ABC):
    """What the buses share: a queue of hints to send, and a line that is made anew when lost."""

    distant = True

    def __init__(self, url: str) -> None:
        self.name = secrets.token_hex(8)
        self._url = url
        self._queue: asyncio.Queue[str] = asyncio.Queue(maxsize=10_000)
        self._task: asyncio.Task[None] | None = None
        self._heard: Callable[[Hint], None] = lambda _hint: None

    async def open(self, heard: Callable[[Hint], None]) -> None:
        """Begin to listen."""
        self._heard = heard
        self._task = asyncio.create_task(self._keep())

    def tell(self, hint: Hint) -> None:
        """Send a hint when the line is there; when too many wait, drop it."""
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(json.dumps({**hint, "from": self.name}))

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        wait = 0.2
        while True:
            try:
                await self._run()
            except Exception as error:  # noqa: BLE001 - a broker may fail in any way
                _LOG.warning("the bus is down: %s", type(error).__name__)
            await asyncio.sleep(wait)
            wait = min(5.0, wait * 2) if wait < 5 else 5.0

    @abstractmethod
    async def _run(self) -> None:
        """Make a line, and send and hear over it until it is lost."""

    def _take(self, text: str | bytes) -> None:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            hint = json.loads(text)
            if hint.get("from") != self.name:
                self._heard(hint)


class RedisBus(_Distant):
    """Hints over the publish and subscribe of Redis or Valkey."""

    async def _run(self) -> None:
        from redis.asyncio import Redis

        client = Redis.from_url(self._url, socket_timeout=None, socket_connect_timeout=5)
        try:
            async with client.pubsub() as channel:
                await channel.subscribe(_CHANNEL)
                sending = asyncio.create_task(self._send(client))
                try:
                    while not sending.done():
                        said = await channel.get_message(
                            ignore_subscribe_messages=True, timeout=1.0
                        )
                        if said is not None:
                            self._take(said["data"])
                    sending.result()
                finally:
                    sending.cancel()
                    await asyncio.gather(sending, return_exceptions=True)
        finally:
            await client.aclose()

    async def _send(self, client: Any) -> None:
        while True:
            await client.publish(_CHANNEL, await self._queue.get())


class PostgresBus(_Distant):
    """Hints over NOTIFY of PostgreSQL."""

    async def _run(self) -> None:
        import asyncpg  # type: ignore[import-untyped]  # it ships no types

        connection = await asyncpg.connect(self._url, timeout=5)
        try:
            await connection.add_listener(_CHANNEL, lambda *said: self._take(said[3]))
            while True:
                try:
                    async with asyncio.timeout(2.0):
                        text = await self._queue.get()
                except TimeoutError:
                    await connection.execute("SELECT 1")
                else:
                    await connection.execute("SELECT pg_notify($1, $2)", _CHANNEL, text)
        finally:
            await connection.close(timeout=2)


def bus_for(url: str | None) -> Bus:
    """The bus that a URL names; the memory of this process when there is none.

    Raises ValueError for a URL that names no bus.
    """
    if not url:
        return MemoryBus()
    if url.startswith(("redis://", "rediss://", "valkey://")):
        return RedisBus(url.replace("valkey://", "redis://"))
    if url.startswith(("postgres://", "postgresql://")):
        return PostgresBus(url)
    raise ValueError(f"{url!r} is no bus: one is redis://..., valkey://... or postgresql://...")
