"""One open socket: the frames that wait to be sent to it, and who is behind it."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from popejoan.web.messages import Goodbye, Sent

__all__ = ["Client", "frame"]

_WAITING: Final = 256
_ENCODER = msgspec.json.Encoder()


def frame(message: Sent) -> str:
    """The message as it travels."""
    return _ENCODER.encode(message).decode()


class Client:
    """A client that is shown a table."""

    __slots__ = ("_frames", "closing", "person")

    def __init__(self, person: int | None) -> None:
        self.person = person
        self.closing = False
        self._frames: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)

    def send(self, text: str) -> None:
        """Let this frame wait its turn; a client that takes none is let go."""
        if self.closing:
            return
        try:
            self._frames.put_nowait(text)
        except asyncio.QueueFull:
            while not self._frames.empty():
                self._frames.get_nowait()
            self.goodbye("you have fallen too far behind: come back for the whole table", "behind")

    def goodbye(self, says: str, why: str = "") -> None:
        """Send the reason, and then no more."""
        if not self.closing:
            if self._frames.qsize() > _WAITING - 2:
                self._frames.get_nowait()
            self._frames.put_nowait(frame(Goodbye(says=says, why=why)))
            self.end()

    def end(self) -> None:
        """Send no more."""
        if not self.closing:
            self.closing = True
            if self._frames.full():
                self._frames.get_nowait()
            self._frames.put_nowait(None)

    async def next(self) -> str | None:
        """The next frame to send; None when there will be no more."""
        return await self._frames.get()
