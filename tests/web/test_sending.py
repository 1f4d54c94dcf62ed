"""What is sent arrives, in order and once, whether the socket takes it at once or not; so does what
comes, however it is cut and packed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from tests.web.servers import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from popejoan.web.clients import AT_ONCE, Client
from popejoan.web.solo import Solo
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
            if number < 499 and chance.random() < 0.2:
                client.put(b"%d" % number)
            else:
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


@contextlib.contextmanager
def _listening(*, at_once: bool = False) -> Iterator[int]:
    """A server at this port that sends back every text it hears, one after the other, slowly; with
    ``at_once`` some of those at once that it can hear so."""

    async def table(found: WebSocket) -> None:
        await found.accept()
        if at_once:
            offered = found.scope["extensions"][AT_ONCE]
            offered["listen"](lambda text: len(text) % 4 < 3 and offered["write"]([text.encode()]))
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                text = await found.receive_text()
                await asyncio.sleep(0.001 * (len(text) % 3))
                await found.send_text(text)

    app = Starlette(routes=[WebSocketRoute("/", table)])
    config = uvicorn.Config(app, ws=Wire, ws_per_message_deflate=False, log_config=None)
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def _frame(opcode: int, payload: bytes, mask: bytes, *, last: bool = True) -> bytes:
    """A frame as a client sends it (RFC 6455, section 5.2)."""
    size = len(payload)
    head = bytes([0x80 * last | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    else:
        head += b"\xfe" + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def _open(port: int) -> socket.socket:
    """A socket whose handshake is done."""
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.sendall(
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert head.startswith(b"HTTP/1.1 101")
    return line


def _heard(line: socket.socket) -> Iterator[tuple[int, bytes]]:
    """What the server sends: opcode and payload of each frame, until it closes."""
    with line.makefile("rb") as reader:
        while head := reader.read(2):
            size = head[1] if head[1] < 126 else int.from_bytes(reader.read(2), "big")
            yield head[0] & 15, reader.read(size)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_texts_are_heard_in_order_however_they_are_cut_and_packed(seed: int, at_once: bool) -> None:
    chance = random.Random(seed)
    texts = [
        f"{number} " + "♣é x"[chance.randrange(4)] * chance.choice([0, 1, 30, 60, 122, 400])
        for number in range(200)
    ]
    stream: list[bytes] = []
    for text in texts:
        payload, mask = text.encode(), chance.randbytes(4)
        if chance.random() < 0.2:
            stream.append(_frame(9, b"still there?", chance.randbytes(4)))
        if chance.random() < 0.2:  # in parts, with a ping between them
            cut = chance.randrange(len(payload) + 1)
            stream += [
                _frame(1, payload[:cut], mask, last=False),
                _frame(9, b"", mask),
                _frame(0, payload[cut:], mask),
            ]
        else:
            stream.append(_frame(1, payload, mask))
    sent = b"".join(stream)
    with _listening(at_once=at_once) as port, _open(port) as line:

        def send() -> None:
            at, ends = 0, list(accumulate(map(len, stream)))
            while at < len(sent):
                # To the end of a frame, or any piece of one or of some.
                end = next(end for end in ends if end > at)
                if chance.random() < 0.2:
                    end = min(len(sent), at + chance.randrange(1, 300))
                line.sendall(sent[at:end])
                at = end
                if chance.random() < 0.8:
                    time.sleep(0.004)

        sends = threading.Thread(target=send)
        sends.start()
        answers = (payload.decode() for opcode, payload in _heard(line) if opcode == 1)
        heard = [next(answers) for _ in texts]
        sends.join()
    assert heard == texts


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([_frame(1, b"\xff\xfe", b"mask")], 1007),  # no UTF-8
        ([b"\x81\x02hi"], 1002),  # without a mask
        ([b"\xc1\x82mask.."], 1002),  # compressed, which was not agreed
        ([_frame(0, b"more of nothing", b"mask")], 1002),
        ([_frame(1, b"half", b"mask", last=False), _frame(1, b"another", b"mask")], 1002),
    ],
)
def test_a_faulty_frame_closes_its_socket(frames: list[bytes], code: int) -> None:
    with _listening() as port, _open(port) as line, _open(port) as other:
        for each in (line, other):
            each.sendall(_frame(1, b"first", b"\0\0\0\0"))
            assert next(_heard(each)) == (1, b"first")
        time.sleep(0.02)
        for frame in frames:
            line.sendall(frame)
            time.sleep(0.02)
        opcode, payload = next(_heard(line))
        assert (opcode, int.from_bytes(payload[:2], "big")) == (8, code)
        other.sendall(_frame(1, b"second", b"mask"))
        assert next(_heard(other)) == (1, b"second")


def test_the_rest_of_a_frame_is_no_frame_though_it_looks_like_one() -> None:
    mask = b"\x80" * 4
    inner = _frame(1, b"not sent", mask)
    text = b"begins " + bytes(byte ^ 0x80 for byte in inner)
    whole = _frame(1, text, mask)
    assert whole.endswith(inner)
    with _listening() as port, _open(port) as line:
        line.sendall(whole[: -len(inner)])
        time.sleep(0.05)
        line.sendall(inner)
        assert next(_heard(line)) == (1, text)


def test_an_ask_is_answered_before_a_bad_frame_closes_where_nothing_is_sent_at_once() -> None:
    heard: list[tuple[str, str]] = []

    async def main() -> None:
        solo = Solo(lambda *_: None)
        await solo.open()
        body = json.dumps({"name": "Anna", "settings": {}})
        headers = json.dumps({"content-type": "application/json"})
        answer = json.loads(await solo.request("POST", "api/tables", headers, body))
        given = json.loads(answer["text"])
        tell = solo.connect(f"api/tables/{given['code']}/socket", lambda *it: heard.append(it))
        tell(json.dumps({"kind": "hello", "protocol": 1, "token": given["token"]}))
        for number in range(3):
            tell(json.dumps({"kind": "say", "id": f"{number}", "text": "hear me"}))
        tell("no message")
        for _ in range(200):
            await asyncio.sleep(0)

    asyncio.run(main())
    kinds = [json.loads(text)["kind"] for what, text in heard if what == "frame"]
    assert kinds == ["welcome", *["news", "done"] * 3, "goodbye"]
    assert heard[-1] == ("close", "1007")
