"""What is sent arrives, in order and once, whether the socket takes it at once or not."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
import time
from collections.abc import Sequence

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from tests.web.servers import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from popejoan.web.clients import AT_ONCE, Client
from popejoan.web.wires import Wire


@pytest.mark.parametrize("seed", range(5))
def test_frames_keep_their_order_though_a_socket_refuses_some(seed: int) -> None:
    chance, heard = random.Random(seed), list[int]()

    def write(texts: Sequence[bytes]) -> bool:
        if chance.random() < 0.5:
            return False
        heard.extend(map(int, texts))
        return True

    async def main() -> None:
        client = Client(0, write)

        async def drain() -> None:
            while frames := await client.next():
                for text in frames:
                    await asyncio.sleep(0)
                    heard.append(int(text))

        task = asyncio.create_task(drain())
        for number in range(500):
            client.held = number < 499 and chance.random() < 0.2
            client.send(b"%d" % number)
            if chance.random() < 0.5:
                await asyncio.sleep(0)
        client.end()
        await task

    asyncio.run(main())
    assert heard == list(range(500))


def test_frames_of_every_size_arrive_at_one_who_reads_late() -> None:
    sizes = [0, 1, 125, 126, 127, 65535, 65536, 70000]
    texts = [chr(9827) * (size // 3) + "x" * (size % 3) for size in sizes] * 40
    waited = 0

    class Table:
        """Sends all at once, and what the socket does not take then by way of ASGI."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal waited
            await receive()
            await send({"type": "websocket.accept"})
            write = scope["extensions"][AT_ONCE]["write"]
            for text in texts:
                if not write([text.encode()]):
                    waited += 1
                    await send({"type": "websocket.send", "text": text})
            await send({"type": "websocket.close"})

    app = Starlette(routes=[WebSocketRoute("/", Table())])
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, ws=Wire, ws_per_message_deflate=False, log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with connect(f"ws://127.0.0.1:{listening.getsockname()[1]}/", max_size=None) as reader:
            time.sleep(0.3)
            heard = [reader.recv(timeout=PATIENCE) for _ in texts]
    finally:
        server.should_exit = True
        thread.join()
    assert heard == texts
    assert waited, "the socket took everything at once: nothing had to wait"


def test_another_uvicorn_sends_in_its_own_way_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from popejoan.web import wires

    for names, offered in ((wires._ASKED, True), ((*wires._ASKED, "unheard_of"), False)):
        monkeypatch.setattr(wires, "_ASKED", names)
        found = list[bool]()

        async def table(socket_: WebSocket, found: list[bool] = found) -> None:
            found.append(AT_ONCE in socket_.scope["extensions"])
            await socket_.accept()
            await socket_.close()

        config = uvicorn.Config(
            Starlette(routes=[WebSocketRoute("/", table)]), ws=Wire, log_config=None
        )
        server = uvicorn.Server(config)
        listening = socket.create_server(("127.0.0.1", 0))
        runs = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        runs.start()
        where = f"ws://127.0.0.1:{listening.getsockname()[1]}/"
        with connect(where) as client, pytest.raises(ConnectionClosed):
            client.recv(timeout=PATIENCE)
        server.should_exit = True
        runs.join()
        assert found == [offered]
