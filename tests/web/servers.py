"""A real server in a process of its own, and clients that speak to it over real sockets."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from popejoan.bots import ByTheBook
from popejoan.wire import from_wire

PATIENCE = 30.0


def free_port() -> int:
    """A port that is free, below those that the system gives to whoever connects."""
    while True:
        port = secrets.randbelow(12_000) + 20_000
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


SEEDED = Path(__file__).with_name("seeded.py")


class Server:
    """``popejoan serve`` with packs from a seed; it can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        *,
        store: str | None = None,
        limits: str = "",
        more: str = "",
        seed: int = 1,
        path: Path | None = None,
        greets: str = "",
    ):
        """``path`` is a folder of modules that the server can import besides its own, ``greets``
        the address that it prints, where that is not ``base``."""
        self.seed = seed
        self._path = "" if path is None else str(path)
        self.port = free_port()
        self.greets = greets or self.base
        self.store = store or f"sqlite:///{folder / 'tables.db'}"
        self.log = folder / f"server-{self.port}.log"
        self._told = 0
        self._more = more.split()
        self._limits = ["pace=0", "tables_an_hour=100000", "seats_an_hour=100000", *limits.split()]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> Server:
        limits = [part for each in self._limits for part in ("--limit", each)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable, str(SEEDED), str(self.seed), "serve",
                    "--host", "127.0.0.1", "--port", str(self.port), "--store", self.store,
                    *limits, *self._more,
                ],
                stdout=log,
                stderr=log,
                # Compiled files may be kept, so that each start after the first is quick.
                env={
                    **os.environ,
                    "PYTHONWARNINGS": "",
                    "PYTHONDONTWRITEBYTECODE": "",
                    "PYTHONPATH": os.pathsep.join([self._path, os.environ.get("PYTHONPATH", "")]),
                },
                start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert self.process.poll() is None, self.log.read_text()
            told = self.log.read_text().splitlines()
            if self.greets in told[self._told :]:
                self._told = len(told)
                return self
            # Had another program the port, the server would take the next.
            assert not any(line.startswith("http:") for line in told[self._told :]), told
            time.sleep(0.03)
        raise AssertionError(f"the server does not start: {self.log.read_text()}")

    def kill(self) -> None:
        """Kill it at once, as a power cut would."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)

    def stop(self) -> None:
        """Ask it to stop, as a service manager does."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def http(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read().decode()
                status = answer.status
        except urllib.error.HTTPError as error:
            with error:
                text, status = error.read().decode(), error.code
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def table(self, who: str = "Anna", **settings: Any) -> dict[str, Any]:
        status, given = self.http("api/tables", {"name": who, "settings": settings})
        assert status == 201, given
        return dict(given)

    def sit(self, code: str, name: str, *, watching: bool = False) -> dict[str, Any]:
        status, given = self.http(f"api/tables/{code}/seats", {"name": name, "watching": watching})
        assert status == 201, given
        return dict(given)

    def until_gone(self, code: str) -> None:
        """Wait until a table is removed."""
        until = time.monotonic() + PATIENCE
        while self.http(f"api/tables/{code}")[0] == 200:
            assert time.monotonic() < until
            time.sleep(0.1)

    def client(self, given: dict[str, Any]) -> Client:
        return Client(self, given["code"], given.get("token", ""))


class Client:
    """One socket, and the table as it was told."""

    counting = itertools.count()
    hello: ClassVar[dict[str, Any]] = {}
    """What it says in its first frame, besides who it is."""

    def __init__(self, server: Server, code: str, token: str, **headers: str) -> None:
        self.server, self.code, self.token, self.headers = server, code, token, headers
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self.you: int | None = None
        self.seq = 0
        self.says: list[str] = []
        self.lines: list[list[Any]] = []
        self.frames: list[str] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.bye = ""
        self.socket: ClientConnection
        self.open()

    def open(self) -> Client:
        address = f"ws{self.server.base[4:]}api/tables/{self.code}/socket"
        self._held = contextlib.ExitStack()
        self.socket = self._held.enter_context(
            connect(
                address,
                additional_headers=self.headers,
                max_size=None,
                proxy=None,
                close_timeout=0.5,  # one that has left frames unread is not told of the end
            )
        )
        self.send({"kind": "hello", "protocol": 1, "token": self.token, **self.hello})
        self.until(lambda: bool(self.table) or bool(self.bye))
        return self

    def close(self) -> None:
        self._held.close()

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, timeout: float = 0.05) -> bool:
        """Take in one frame, if one comes in time."""
        try:
            text = self.socket.recv(timeout)
        except TimeoutError:
            return False
        assert isinstance(text, str)
        self.frames.append(text)
        message = json.loads(text)
        kind = message["kind"]
        if kind in ("welcome", "news"):
            assert kind == "welcome" or message["seq"] in (self.seq, self.seq + 1), "an entry lost"
            self.seq = message["seq"]
            self.table = {**self.table, **message.get("table", {})}
            self.says += message.get("says", [])
            if kind == "welcome":
                self.you, self.view = message["you"], message["view"]
                self.lines = message["lines"]
            elif message.get("line"):
                self.lines.append(message["line"])
            if message.get("view"):
                self.view = message["view"]
            if self.view is not None and (more := message.get("more")):
                self.view["events"][more["since"] :] = more["events"]
                self.view["claiming"], self.view["table"] = more["claiming"], more["table"]
                from_wire(self.view)
        elif kind in ("done", "refused", "hint"):
            self.answers[message["id"]] = message
        elif kind == "goodbye":
            self.bye = message["says"]
        return True

    def drain(self, seconds: float = 0.2) -> None:
        while self.hear(seconds):
            pass

    def until(self, true: Callable[[], bool], patience: float = PATIENCE) -> None:
        end = time.monotonic() + patience
        while not true():
            assert time.monotonic() < end, (self.table.get("phase"), self.says[-5:], self.bye)
            self.hear(0.2)

    def until_playing(self) -> None:
        self.until(lambda: self.table["phase"] == "playing")

    def closed_with(self) -> int:
        """The code with which the server closes this socket."""
        with pytest.raises(ConnectionClosed) as closed:
            self.hear_to_the_end()
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    def hear_to_the_end(self) -> None:
        """Take in all frames; raises ConnectionClosed."""
        while True:
            self.hear(10)

    def ask(self, kind: str, *, name: str | None = None, **more: Any) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        name = name or f"t{next(self.counting)}"
        self.send({"kind": kind, "id": name, **more})
        self.until(lambda: name in self.answers)
        return self.answers.pop(name)

    def does(self, kind: str, **more: Any) -> None:
        answer = self.ask(kind, **more)
        assert answer["kind"] == "done", answer

    def refused(self, kind: str, **more: Any) -> str:
        answer = self.ask(kind, **more)
        assert answer["kind"] == "refused", answer
        return str(answer["says"])

    # Play

    @property
    def seen(self) -> int:
        return len(self.view["events"]) if self.view else 0

    @property
    def my_lead(self) -> bool:
        return bool(self.table["phase"] == "playing" and self.table["to_act"] == self.you)

    @property
    def seated(self) -> bool:
        return self.view is not None and self.view["seat"] is not None

    @property
    def legal(self) -> list[str]:
        """What may be led now."""
        return list(self.view["table"]["legal"]) if self.view and self.my_lead else []

    @property
    def wants_to_go_on(self) -> bool:
        between = self.table["phase"] == "between" and self.table["deal"]
        return bool(between and self.you not in self.table["ready"])

    def choice(self) -> str:
        return repr(ByTheBook().choose(from_wire(self.view)))

    def lead(self, card: str | None = None) -> dict[str, Any]:
        return self.ask("lead", deal=self.table["deal"], seen=self.seen, card=card or self.choice())

    def move(self) -> bool:
        """Do what there is to do for this seat; whether there was something."""
        self.drain(0.0)
        if self.my_lead:
            self.lead()
            return True
        if self.wants_to_go_on:
            self.ask("ready", deal=self.table["deal"])
            return True
        return False


def play_on(clients: list[Client], true: Callable[[], bool], patience: float = 60.0) -> None:
    """Let these clients play until something holds."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, clients[0].says[-5:]
        moved = [client.move() for client in clients]
        if not any(moved):
            for client in clients:
                client.hear(0.02)
