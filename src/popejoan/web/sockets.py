"""The socket of a table: who is there, what is asked, what is sent. A bad frame closes it alone."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from popejoan.web.actors import Actor
from popejoan.web.clients import AT_ONCE, Client, Write, frame
from popejoan.web.hall import Hall
from popejoan.web.limits import Bucket
from popejoan.web.messages import (
    PROTOCOL,
    AskHint,
    AskSay,
    Goodbye,
    Hello,
    Ping,
    Pong,
    Refusal,
    ask_from,
)
from popejoan.web.metrics import Metrics

__all__ = ["Sockets", "cookie_name"]

_BAD: Final = 1007
_UNSUPPORTED: Final = 1003
_POLICY: Final = 1008
_GONE: Final = 4404
_REFUSED: Final = 4403
_RESTART: Final = 1012


def cookie_name(code: str) -> str:
    """The cookie that holds the token of a table."""
    return f"popejoan-{code}"


class Sockets:
    """The sockets of one server."""

    def __init__(self, hall: Hall, metrics: Metrics, origins: frozenset[str]) -> None:
        self._hall, self._metrics, self._origins = hall, metrics, origins
        self._from: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its opening to its end, as an ASGI application."""
        socket = WebSocket(scope, receive, send)
        address = socket.client.host if socket.client else ""
        limits = self._hall.limits
        full = self._metrics.sockets >= limits.sockets
        if not self._origin_fits(socket) or full:
            await socket.close(_POLICY)
            return
        if self._from.get(address, 0) >= limits.sockets_an_address:
            await socket.close(_POLICY)
            return
        self._metrics.sockets += 1
        self._from[address] = self._from.get(address, 0) + 1
        try:
            await socket.accept()
            await self._serve(socket, send)
        finally:
            self._metrics.sockets -= 1
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    def _origin_fits(self, socket: WebSocket) -> bool:
        """Whether the page that opens this socket is this server's own, or there is none."""
        origin = socket.headers.get("origin")
        if origin is None:
            return True
        if origin in self._origins:
            return True
        with contextlib.suppress(ValueError):
            parts = urlsplit(origin)
            return parts.scheme in ("http", "https") and parts.netloc == socket.headers.get("host")
        return False

    async def _serve(self, socket: WebSocket, send: Send) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            hello = await self._hello(socket)
            if hello is None:
                return
            actor = await self._hall.find(socket.path_params["code"])
            if actor is None:
                await _close(socket, _GONE, "there is no such table, or it is no more", "no-table")
                return
            token = hello.token
            if not token and "origin" in socket.headers:
                token = socket.cookies.get(cookie_name(actor.code), "")
            person = self._hall.person_with(actor.table, token) if token else None
            if token and person is None:
                await _close(socket, _REFUSED, "this is not a token of this table", "token")
                return
            if person is None and not actor.table.settings.watch:
                await _close(socket, _REFUSED, "nobody may watch at this table", "no-watching")
                return
            await self._sit(
                socket, send, actor, Client(person, _write(socket.scope), says=hello.says)
            )

    async def _hello(self, socket: WebSocket) -> Hello | None:
        try:
            async with asyncio.timeout(self._hall.limits.hello):
                asked = await _read(socket)
        except TimeoutError:
            await _close(socket, _POLICY, "say hello first")
            return None
        if not isinstance(asked, Hello):
            if asked is not None:
                await _close(socket, _POLICY, "say hello first")
            return None
        if asked.protocol != PROTOCOL:
            await _close(
                socket,
                _POLICY,
                f"this server speaks version {PROTOCOL} of the protocol: load the page anew",
                "protocol",
            )
            return None
        return asked

    async def _sit(self, socket: WebSocket, send: Send, actor: Actor, client: Client) -> None:
        actor.enter(client)
        sending = asyncio.create_task(_send(socket, send, client))
        try:
            # In a task of its own: to wake one that a dozen calls await takes as long as its work.
            await asyncio.create_task(self._listen(socket, actor, client))
        finally:
            client.end()
            actor.exit(client)
            if socket.client_state is not WebSocketState.CONNECTED:
                sending.cancel()
            await asyncio.wait([sending], timeout=5)
            sending.cancel()

    async def _listen(self, socket: WebSocket, actor: Actor, client: Client) -> None:
        limits = self._hall.limits
        asks = Bucket(limits.asks_a_second, limits.asks_at_once)
        words = Bucket(limits.words_a_second, limits.words_at_once)
        hinting: asyncio.Task[None] | None = None
        while not client.closing:
            asked = await _read(socket)
            if asked is None:
                client.end()
                return
            if not asks.take():
                client.goodbye("that was too much at once: come back more slowly", "too-much")
                return
            if isinstance(asked, Ping):
                client.send(frame(Pong()))
                continue
            if isinstance(asked, Hello):
                client.goodbye("hello was said already")
                return
            began = time.perf_counter()
            if client.person is None:
                answer: Any = Refusal(
                    id=asked.id, says="you watch: take a seat to play", why={"what": "watching"}
                )
            elif isinstance(asked, AskHint):
                if hinting is None or hinting.done():
                    # It takes a while, and the lead may be made meanwhile.
                    hinting = asyncio.create_task(_hint(actor, client, client.person, asked))
                    continue
                answer = Refusal(id=asked.id, says="one hint at a time", why={"what": "one-hint"})
            elif isinstance(asked, AskSay) and not words.take():
                answer = Refusal(
                    id=asked.id,
                    says="that was too many words at once: wait a little",
                    why={"what": "too-many-words"},
                )
            else:
                # News of what was asked leaves with the answer: a call of the system less.
                client.held = True
                try:
                    answer = await actor.ask(client.person, asked)
                finally:
                    client.held = False
            self._metrics.took(time.perf_counter() - began)
            self._metrics.count("refused" if isinstance(answer, Refusal) else "done")
            client.send(frame(answer))


async def _read(socket: WebSocket) -> Any:
    """The next message; None when the socket is closed, by them or for what they sent."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        return None
    text = message.get("text")
    if text is None:
        await _close(socket, _UNSUPPORTED, "frames are text")
        return None
    try:
        return ask_from(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError) as error:
        says = str(error) if isinstance(error, msgspec.ValidationError) else "this is no JSON"
        await _close(socket, _BAD, f"that frame is no message: {says[:200]}")
        return None


def _write(scope: Scope) -> Write | None:
    """How to send at once on the socket of this scope; None where its server cannot."""
    found: Write | None = scope.get("extensions", {}).get(AT_ONCE, {}).get("write")
    return found


async def _hint(actor: Actor, client: Client, person: int, asked: AskHint) -> None:
    client.send(frame(await actor.hint(person, asked)))


async def _send(socket: WebSocket, send: Send, client: Client) -> None:
    """Send what waits, until there will be no more."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while frames := await client.next():
            while frames:  # let go of each: it may be long until there are more
                await send({"type": "websocket.send", "text": frames.pop(0).decode()})
        await socket.close(_RESTART)


async def _close(socket: WebSocket, code: int, says: str, why: str = "") -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.send_text(frame(Goodbye(says=says, why=why)).decode())
        await socket.close(code, says[:100].encode()[:120].decode("utf-8", "ignore"))
