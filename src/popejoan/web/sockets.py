"""The socket of a table: who is there, what is asked, what is sent. A bad frame closes it alone."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from popejoan.web.actors import Actor
from popejoan.web.clients import AT_ONCE, Client, frame
from popejoan.web.hall import Hall
from popejoan.web.limits import Bucket, Limits
from popejoan.web.messages import (
    PROTOCOL,
    Asked,
    AskHint,
    AskSay,
    BadMessage,
    Done,
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
            at_once = socket.scope.get("extensions", {}).get(AT_ONCE, {})
            client = Client(person, at_once.get("write"), says=hello.says)
            talk = _Talk(actor, client, self._hall.limits, self._metrics)
            if "listen" in at_once:
                at_once["listen"](talk.hear)
            await self._sit(socket, send, talk)

    async def _hello(self, socket: WebSocket) -> Hello | None:
        try:
            async with asyncio.timeout(self._hall.limits.hello):
                message = await socket.receive()
            if message["type"] != "websocket.receive":
                return None
            asked = _asked(message)
        except TimeoutError:
            await _close(socket, _POLICY, "say hello first")
            return None
        except _BadFrame as bad:
            await _close(socket, bad.code, bad.says)
            return None
        if not isinstance(asked, Hello):
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

    async def _sit(self, socket: WebSocket, send: Send, talk: _Talk) -> None:
        actor, client = talk.actor, talk.client
        actor.enter(client)
        sending = asyncio.create_task(_send(socket, send, client))
        try:
            await talk.converse(socket)
        finally:
            client.end()
            actor.exit(client)
            if socket.client_state is not WebSocketState.CONNECTED:
                sending.cancel()
            await asyncio.wait([sending], timeout=5)
            sending.cancel()


class _Talk:
    """What one client says, and the answers; but for hints each comes before the next is heard."""

    def __init__(self, actor: Actor, client: Client, limits: Limits, metrics: Metrics) -> None:
        self.actor, self.client = actor, client
        self._metrics = metrics
        self._asks = Bucket(limits.asks_a_second, limits.asks_at_once)
        self._words = Bucket(limits.words_a_second, limits.words_at_once)
        self._answered = asyncio.Event()
        self._answered.set()
        self._hinting: asyncio.Task[None] | None = None

    async def converse(self, socket: WebSocket) -> None:
        """Hear what the client says, until there is no more to hear."""
        client = self.client
        while not client.closing:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                client.end()
                return
            await self._answered.wait()
            try:
                asked = _asked(message)
            except _BadFrame as bad:
                client.goodbye(bad.says, code=bad.code)
                return
            if isinstance(asked, Hello):
                client.goodbye("hello was said already")
            elif not self._asks.take():
                client.goodbye("that was too much at once: come back more slowly", "too-much")
            elif not client.closing:
                self._take(asked)

    def hear(self, text: str) -> bool:
        """Take in a message at once; False for one that ``converse`` has to take."""
        if self.client.closing or not self._answered.is_set():
            return False
        try:
            asked = ask_from(text)
        except BadMessage:
            return False
        if isinstance(asked, Hello) or not self._asks.take():
            return False
        self._take(asked)
        return True

    def _take(self, asked: Asked) -> None:
        client, began = self.client, time.perf_counter()
        if isinstance(asked, Ping):
            client.send(frame(Pong()))
            return
        assert not isinstance(asked, Hello)
        if client.person is None:
            says = "you watch: take a seat to play"
            self._answer(began, Refusal(id=asked.id, says=says, why={"what": "watching"}))
        elif isinstance(asked, AskHint):
            if self._hinting is None or self._hinting.done():
                # It takes a while, and the lead may be made meanwhile.
                self._hinting = asyncio.create_task(self._hint(client.person, asked))
            else:
                says = "one hint at a time"
                self._answer(began, Refusal(id=asked.id, says=says, why={"what": "one-hint"}))
        elif isinstance(asked, AskSay) and not self._words.take():
            says = "that was too many words at once: wait a little"
            self._answer(began, Refusal(id=asked.id, says=says, why={"what": "too-many-words"}))
        else:
            self._answered.clear()
            self.actor.ask(client.person, asked, partial(self._answer, began))

    def _answer(self, began: float, answer: Done | Refusal) -> None:
        self._metrics.took(time.perf_counter() - began)
        self._metrics.count("refused" if isinstance(answer, Refusal) else "done")
        self.client.send(frame(answer))
        self._answered.set()

    async def _hint(self, person: int, asked: AskHint) -> None:
        self.client.send(frame(await self.actor.hint(person, asked)))


class _BadFrame(Exception):
    """A frame that is no message: the reason in English, and the code to close its socket with."""

    def __init__(self, says: str, code: int) -> None:
        super().__init__(says)
        self.says, self.code = says, code


def _asked(message: Message) -> Asked:
    """What a client sent; raises _BadFrame where that is no message."""
    text = message.get("text")
    if text is None:
        raise _BadFrame("frames are text", _UNSUPPORTED)
    try:
        return ask_from(text)
    except BadMessage as error:
        raise _BadFrame(f"that frame is no message: {str(error)[:200]}", _BAD) from None


async def _send(socket: WebSocket, send: Send, client: Client) -> None:
    """Send what waits, until there will be no more."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while frames := await client.next():
            while frames:  # let go of each: it may be long until there are more
                await send({"type": "websocket.send", "text": frames.pop(0).decode()})
        await socket.close(client.code)


async def _close(socket: WebSocket, code: int, says: str, why: str = "") -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.send_text(frame(Goodbye(says=says, why=why)).decode())
        await socket.close(code, says[:100].encode()[:120].decode("utf-8", "ignore"))
