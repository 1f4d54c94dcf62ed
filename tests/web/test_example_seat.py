"""The program of the examples that sits down at a table plays, whatever happens to the line."""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import importlib.util
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from tests.web.servers import Server, play_on
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

SEAT = Path(__file__).parents[2] / "examples" / "seat.py"


def seat(link: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SEAT), link, "--name", "Robot"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_it_comes_back_when_the_server_does_and_plays_to_the_end(tmp_path: Path, end: str) -> None:
    server = Server(tmp_path).start()
    robot = None
    try:
        given = server.table(seats=2, deals=2)
        anna = server.client(given)
        robot = seat(f"{server.base}#{given['code']}")
        anna.until(lambda: "Robot" in [person[1] for person in anna.table["people"]])
        anna.does("start")
        anna.until_playing()
        anna.close()
        getattr(server, end)()
        server.start()
        anna = server.client(given)
        play_on([anna], lambda: anna.table["phase"] == "over")
        anna.close()
        told = robot.communicate(timeout=30)[0].splitlines()
        assert "The line is lost." in told
        assert "'won'" in told[-1]
        assert robot.returncode == 0
    finally:
        if robot is not None:
            robot.kill()
            robot.wait()
        server.stop()


def test_it_says_in_a_word_why_it_has_no_seat(server: Server) -> None:
    robot = seat(f"{server.base}#nosuchtable")
    assert robot.communicate(timeout=30)[0].startswith("No seat: ")
    assert robot.returncode == 1


def test_ctrl_c_ends_it_in_a_sentence(server: Server) -> None:
    given = server.table(seats=2, deals=1)
    robot = seat(f"{server.base}#{given['code']}")
    with contextlib.closing(server.client(given)) as anna:
        anna.until(lambda: "Robot" in [person[1] for person in anna.table["people"]])
        robot.send_signal(signal.SIGINT)
        told = robot.communicate(timeout=30)[0]
    assert told.startswith("Stopped: ")
    assert "Traceback" not in told
    assert robot.returncode == 1


@contextlib.contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """A server that answers everything so; its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{proxy.server_port}/"
        proxy.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (502, b"<html>Bad gateway</html>", "No seat: HTTP Error 502: Bad Gateway"),
        (403, b'{"kind": "no"}', "No seat: HTTP Error 403: Forbidden"),
        (403, b'["no"]', "No seat: HTTP Error 403: Forbidden"),
        (200, b"<html>Please log in</html>", "No seat: {base} is not the address of this game."),
        (200, b'["no"]', "No seat: {base} is not the address of this game."),
    ],
)
def test_an_answer_that_is_not_of_the_game_is_told_in_a_word(
    status: int, body: bytes, says: str
) -> None:
    with answering(status, body) as base:
        robot = seat(f"{base}#CODE")
        told = robot.communicate(timeout=30)[0]
    assert told.strip() == says.format(base=base)
    assert robot.returncode == 1


@pytest.mark.parametrize("link", ["127.0.0.1:8008/#CODE", "http://[/#CODE", "http://a:b/#CODE"])
def test_a_link_that_is_none_is_told_in_a_word(link: str) -> None:
    robot = seat(link)
    told = robot.communicate(timeout=30)[0]
    assert "Traceback" not in told
    assert robot.returncode in (1, 2)


def play(base: str) -> str:
    """The word with which the example ends."""
    found = importlib.util.spec_from_file_location("seat", SEAT)
    assert found
    assert found.loader
    example = importlib.util.module_from_spec(found)
    found.loader.exec_module(example)

    async def ended() -> str:
        try:
            return f"played: {await example.play(base, 'CODE', 'token', 'book')}"
        except SystemExit as word:
            return str(word)

    return asyncio.run(asyncio.wait_for(ended(), 30))


@contextlib.contextmanager
def sockets(*does: int) -> Iterator[tuple[str, list[int]]]:
    """A server whose sockets close with these, one after another; below 1000 it refuses so.

    Its address, and what has yet to come.
    """
    left = list(does)

    def refuse(socket: ServerConnection, _: Request) -> Response | None:
        return socket.respond(HTTPStatus(left.pop(0)), "no\n") if left[0] < 1000 else None

    def close(socket: ServerConnection) -> None:
        socket.recv()
        socket.close(left.pop(0))

    with serve(close, "127.0.0.1", 0, process_request=refuse) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}/", left
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ([1000], "The line is closed: 1000 "),
        ([4404], "The line is closed: 4404 "),
        ([1012, 1001, 503, 1000], "The line is closed: 1000 "),
        ([403], "No line to ws://"),
        ([200], "No line to ws://"),
    ],
    ids=str,
)
def test_it_comes_back_only_when_the_server_will(does: list[int], says: str) -> None:
    with sockets(*does) as (base, left):
        ended = play(base)
    assert ended.startswith(says)
    assert left == []


def test_an_address_that_is_none_is_not_tried_for_ever() -> None:
    assert play("http:///").startswith("No line to ws:///")
