"""The WebSockets of the server, which also hear and send at once, without a task running for it.

Most of a server's work is telling all at a table what one of them did. A frame that ASGI sends
passes through a task of its own, two wrappers and an object that is built for it; here a client is
handed ``write`` in the scope, in an extension of ASGI that other servers do not have.

What an ask comes in is nearly always one short frame, for which somebody waits. It is read here,
and given to whoever said ``listen`` in the same extension; everything else is read by uvicorn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request
from websockets.protocol import OPEN

from popejoan.web.clients import AT_ONCE

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was installed without a compiler
    from websockets.utils import apply_mask

__all__ = ["Wire"]

_ASKED: Final = ("handshake_complete", "close_sent", "disconnected", "writable", "transport")
"""What ``write`` asks of uvicorn's class; a version that has it not sends in its own way alone."""

_SHORT: Final = 125
"""How many bytes a text may have to be a short one."""


class _Inbox:
    """What came and waits for its one reader: as much of a queue as uvicorn uses."""

    __slots__ = ("_held", "_reader")

    def __init__(self) -> None:
        self._held: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    @property
    def awaited(self) -> bool:
        """Whether the reader has had everything, and waits for more."""
        return not self._held and self._reader is not None

    def empty(self) -> bool:
        return not self._held

    def put_nowait(self, message: Any) -> None:
        self._held.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._held:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._held.popleft()


def _short_text(data: bytes) -> str | None:
    """The text that one whole frame of a client brings; None for anything else that came."""
    # A whole text, its size with the bit of a mask, and the mask (RFC 6455, section 5.2).
    if len(data) < 6 or data[0] != 0x81 or not len(data) == data[1] - 0x80 + 6 <= _SHORT + 6:
        return None
    try:
        return apply_mask(data[6:], data[2:6]).decode()
    except UnicodeDecodeError:
        return None


def _head(size: int) -> bytes:
    """What stands before a whole text of so many bytes (RFC 6455, section 5.2)."""
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big")
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class Wire(WebSocketsSansIOProtocol):
    """One WebSocket; its frames are not compressed."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        reads = all(hasattr(self, name) for name in ("queue", "frames"))
        self._reads = reads and hasattr(self.conn, "reader") and config.ws_max_size >= _SHORT
        if self._reads:
            self.queue: Any = _Inbox()
        self._hear: Callable[[str], bool] | None = None

    def data_received(self, data: bytes) -> None:
        """Take in what came."""
        waits = self._reads and self.queue.awaited and self.conn.state is OPEN
        # Nothing before it may be there in part: neither of a frame nor of a text.
        if waits and not self.conn.reader.buffer and not self.frames:
            text = _short_text(data)
            if text is not None:
                if self._hear is not None and self._hear(text):
                    return
                self.queue.put_nowait({"type": "websocket.receive", "text": text})
                return
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        """Begin the scope, with the ways to hear and to send at once."""
        super().handle_connect(event)
        if all(hasattr(self, name) for name in _ASKED) and not self.close_sent:
            self.scope["extensions"][AT_ONCE] = {"write": self.write, "listen": self.listen}

    def connection_lost(self, exc: Exception | None) -> None:
        """Take these ways back, or the socket and its scope would hold each other."""
        super().connection_lost(exc)
        self._hear = None
        if hasattr(self, "scope"):
            self.scope["extensions"].clear()

    def listen(self, hear: Callable[[str], bool]) -> None:
        """From now on give this what comes; what it does not take is received as ever."""
        self._hear = hear

    def write(self, texts: Sequence[bytes]) -> bool:
        """Send texts at once; False when the socket is not open, or takes no more for now."""
        ready = self.handshake_complete and not self.close_sent and not self.disconnected
        if not ready or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(b"".join([_head(len(text)) + text for text in texts]))
        return True
