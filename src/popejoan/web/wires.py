"""The WebSockets of the server, which also send at once, without a task having to run for it.

Most of a server's work is telling all at a table what one of them did. A frame that ASGI sends
passes through a task of its own, two wrappers and an object that is built for it; here a client is
handed ``write`` in the scope, in an extension of ASGI that other servers do not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from popejoan.web.clients import AT_ONCE

__all__ = ["Wire"]


def _head(size: int) -> bytes:
    """What stands before a whole text of so many bytes (RFC 6455, section 5.2)."""
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big")
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class Wire(WebSocketsSansIOProtocol):
    """One WebSocket; its frames are not compressed."""

    def handle_connect(self, event: Request) -> None:
        """Begin the scope, with the way to send at once."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][AT_ONCE] = {"write": self.write}

    def connection_lost(self, exc: Exception | None) -> None:
        """Take the way to send back, or the socket and its scope would hold each other."""
        super().connection_lost(exc)
        if hasattr(self, "scope"):
            self.scope["extensions"].clear()

    def write(self, texts: Sequence[bytes]) -> bool:
        """Send texts at once; False when the socket is not open, or takes no more for now."""
        ready = self.handshake_complete and not self.close_sent and not self.disconnected
        if not ready or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(b"".join([_head(len(text)) + text for text in texts]))
        return True
