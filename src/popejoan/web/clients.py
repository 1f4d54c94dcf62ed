"""One open socket: the frames that wait to be sent to it, and who is behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from popejoan.cards import Seat
from popejoan.web.messages import Goodbye, Sent

__all__ = ["AT_ONCE", "Client", "Write", "frame"]

Write: TypeAlias = Callable[[Sequence[bytes]], bool]
"""Sends frames together, or says that they have to wait: nothing is sent then."""
AT_ONCE: Final = "popejoan.at-once"
"""The extension of ASGI in which a server gives a ``Write`` as ``write``, and ``listen``.

What is given to ``listen`` gets each text as it comes, and says whether it took it.
"""

_WAITING: Final = 256
_RESTART: Final = 1012
_ENCODER = msgspec.json.Encoder()


def frame(message: Sent) -> bytes:
    """The message as it travels, as a text in UTF-8."""
    return _ENCODER.encode(message)


def _none_at_once(_texts: Sequence[bytes]) -> bool:
    return False


class Client:
    """A client that is shown a table.

    ``write`` sends frames at once, or says that they have to wait.
    """

    __slots__ = ("_frames", "_sender", "_write", "closing", "code", "person", "says", "seat")

    def __init__(
        self, person: int | None, write: Write | None = None, *, says: bool = True
    ) -> None:
        self.person = person
        self.says = says
        """Whether it wants to hear in sentences what happens."""
        self.seat: Seat | None = None
        """The seat of its person in the deal, of which it sees the hand."""
        self._write: Write = write or _none_at_once
        self.closing = False
        self.code = _RESTART
        """With which code its socket is closed."""
        self._frames: list[bytes] = []
        self._sender: asyncio.Future[None] | None = None

    def send(self, text: bytes) -> None:
        """Send this frame, and those that wait."""
        self.put(text)
        self.flush()

    def put(self, text: bytes) -> None:
        """Let this frame wait, to leave with others; a client that takes too few is let go."""
        if self.closing:
            return
        if len(self._frames) >= _WAITING:
            self.flush()
        if len(self._frames) >= _WAITING:
            self._frames.clear()
            self.goodbye("you have fallen too far behind: come back for the whole table", "behind")
            return
        self._frames.append(text)

    def flush(self) -> None:
        """Send the frames that wait."""
        # At once if the socket can, and nothing that was sent before is on its way.
        if self._frames and self._idle():
            try:
                sent = self._write(self._frames)
            except (OSError, RuntimeError):
                sent = False  # whoever takes the frames will find out
            if sent:
                self._frames.clear()
            else:
                self._wake()

    def goodbye(self, says: str, why: str = "", code: int = _RESTART) -> None:
        """Send the reason, and then no more; the socket is closed with this code."""
        if not self.closing:
            self.code = code
            self._frames.append(frame(Goodbye(says=says, why=why)))
            self.end()

    def end(self) -> None:
        """Send no more."""
        self.closing = True
        self._wake()

    def _idle(self) -> bool:
        """Whether whoever takes the frames has sent them all, and waits for more."""
        return self._sender is not None and not self._sender.done()

    def _wake(self) -> None:
        if self._idle():
            assert self._sender is not None
            self._sender.set_result(None)

    async def next(self) -> list[bytes]:
        """The frames that wait to be sent; none when there will be no more."""
        if not self._frames and not self.closing:
            self._sender = asyncio.get_running_loop().create_future()
            await self._sender
        frames, self._frames = self._frames, []
        return frames
