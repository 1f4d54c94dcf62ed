"""Plays many tables at one server over loopback, and says how fast and how big it is.

    python benchmarks/tables.py                       as many plays as the server can take
    python benchmarks/tables.py --rate 400            so many leads a second
    python benchmarks/tables.py --abandon 10000       memory while so many tables come and go

Every table has four clients in this process; the server is a process of its own, on a processor of
its own. A play is a card that the server accepted: one that was led, or one that had to follow it.
Times are from sending a lead to each of the four clients having its news.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

CARDS = ("led", "followed")
WATCHERS = 500


class Event(msgspec.Struct):
    """What is wanted of an event."""

    event: str


class Own(msgspec.Struct):
    """What is wanted of a view's table."""

    legal: list[str] = []


class Told(msgspec.Struct):
    """What is wanted of a view, or of what is new in one."""

    events: list[Event]
    table: Own
    since: int = 0


class Sections(msgspec.Struct):
    """What is wanted of the public table."""

    phase: str | None = None
    to_act: int | msgspec.UnsetType | None = msgspec.UNSET
    deal: int | None = None


class Frame(msgspec.Struct):
    """What is wanted of a frame."""

    kind: str
    table: Sections | None = None
    view: Told | None = None
    more: Told | None = None
    says: Any = None


_DECODER = msgspec.json.Decoder(Frame)


async def post(base: str, path: str, body: Any) -> dict[str, Any]:
    """Ask the server, and wait."""
    request = urllib.request.Request(base + path, msgspec.json.encode(body))

    def answer() -> dict[str, Any]:
        with urllib.request.urlopen(request) as answered:
            return dict(msgspec.json.decode(answered.read()))

    return await asyncio.to_thread(answer)


def memory(pid: int) -> int:
    """Resident KB of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def processor(pid: int) -> float:
    """Seconds of processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    """What all tables together have done."""

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.leads = self.cards = self.entries = 0
        self.times: list[float] = []
        self.on = False


class Table:
    """Four seats; only legal cards that its seats are told of are led."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.seats: list[Seat] = []
        self.began: dict[int, float] = {}
        """When the lead was sent that was chosen after so many events of the deal."""


class Seat(asyncio.Protocol):
    """A client with just as much of the WebSocket protocol as the server's frames need."""

    def __init__(self, table: Table, me: int, token: str, path: str) -> None:
        self.table, self.me, self.token, self.path = table, me, token, path
        self.phase, self.to_act, self.deal, self.asks = "lobby", None, 0, 0
        self.open = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.upgraded = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take in whole frames."""
        self.buffer += data
        if not self.upgraded:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.upgraded, self.buffer = True, rest
            self.send({"kind": "hello", "protocol": 1, "token": self.token, "says": False})
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            size, head_size = buffer[at + 1], 2
            if size == 126:
                size, head_size = int.from_bytes(buffer[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head_size = int.from_bytes(buffer[at + 2 : at + 10], "big"), 10
            if len(buffer) - at < head_size + size:
                break
            payload = buffer[at + head_size : at + head_size + size]
            if buffer[at] & 15 == 1:
                self.hear(_DECODER.decode(payload))
            elif buffer[at] & 15 == 9:
                self.write(10, payload)
            at += head_size + size
        self.buffer = buffer[at:]

    def write(self, opcode: int, payload: bytes) -> None:
        """Send a frame, with a mask of zeros."""
        size = len(payload)
        head = bytes([128 | opcode, 128 | size]) if size < 126 else bytes([128 | opcode, 254])
        if size >= 126:
            head += size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.write(1, msgspec.json.encode(message))

    def ask(self, kind: str, **more: Any) -> None:
        """Ask for something."""
        self.asks += 1
        self.send({"kind": kind, "id": f"{self.me}-{self.asks}", **more})

    def hear(self, frame: Frame) -> None:
        """Hear what happens, and play."""
        if frame.kind in {"refused", "goodbye"}:
            raise RuntimeError(frame.says)
        if frame.kind not in ("news", "welcome"):
            return
        if not self.open.done():
            self.open.set_result(None)
        if self.me >= 4:
            return  # one who only watches
        load, table = self.table.load, frame.table
        if table is not None:
            self.phase = table.phase or self.phase
            self.deal = table.deal or self.deal
            if table.to_act is not msgspec.UNSET:
                self.to_act = table.to_act
        told = frame.more or frame.view
        if load.on and self.me == 0:
            load.entries += frame.kind == "news"
        if told is None:
            return
        if load.on and frame.more is not None and told.since in self.table.began:
            load.times.append(time.perf_counter() - self.table.began[told.since])
            if self.me == 0:
                load.leads += 1
                load.cards += sum(each.event in CARDS for each in told.events)
        if self.phase == "playing" and self.to_act == self.me and told.table.legal:
            seen = told.since + len(told.events)
            if load.pause:
                wait = random.expovariate(1 / load.pause)
                asyncio.get_running_loop().call_later(wait, self.lead, seen, told.table.legal)
            else:
                self.lead(seen, told.table.legal)
        elif self.phase == "between" and self.deal:
            self.ask("ready", deal=self.deal)

    def lead(self, seen: int, legal: list[str]) -> None:
        """Lead one of the legal cards."""
        self.table.began[seen] = time.perf_counter()
        self.ask("lead", deal=self.deal, seen=seen, card=random.choice(legal))


@contextlib.contextmanager
def server(*more: str) -> Iterator[tuple[str, int]]:
    """A server with the limits out of the way: its address, and its process."""
    folder = tempfile.mkdtemp()
    limits = ["tables_an_hour", "seats_an_hour", "tables", "sockets", "sockets_an_address"]
    limits += ["asks_a_second", "asks_at_once"]
    options = [part for name in limits for part in ("--limit", f"{name}=1000000")]
    process = subprocess.Popen(
        [sys.executable, "-m", "popejoan", "serve", "--host", "127.0.0.1", "--port", "0",
         "--store", f"sqlite:///{folder}/tables.db", "--limit", "pace=0", *options, *more],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(process.pid, processors[:1])
        os.sched_setaffinity(0, processors[1:] or processors)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.kill()
        process.wait()


async def sit(base: str, load: Load, seats: int = 4) -> Table:
    """A table with its seats taken and connected."""
    table = Table(load)
    settings = {"seats": seats}
    given = [await post(base, "api/tables", {"name": "A", "settings": settings})]
    code = given[0]["code"]
    path = f"api/tables/{code}/seats"
    given += [await post(base, path, {"name": name}) for name in "BCD"[: seats - 1]]
    for me, seat in enumerate(given):
        table.seats.append(await connect(base, code, table, me, seat["token"]))
    return table


async def connect(base: str, code: str, table: Table, me: int, token: str) -> Seat:
    """A socket, once it is welcome."""
    port = int(base.rpartition(":")[2].strip("/"))
    path = f"/api/tables/{code}/socket"
    _, seat = await asyncio.get_running_loop().create_connection(
        lambda: Seat(table, me, token, path), "127.0.0.1", port
    )
    await seat.open
    return seat


async def play(tables: int, seconds: float, rate: float) -> None:
    """Set the tables, let them play, and say how it went."""
    load = Load(tables / rate if rate else 0.0)
    with server() as (base, pid):
        made = await asyncio.gather(*(sit(base, load) for _ in range(tables // 10 or 1)))
        first = memory(pid)
        made += await asyncio.gather(*(sit(base, load) for _ in range(tables - len(made))))
        grown = (memory(pid) - first) / (tables - (tables // 10 or 1))
        before, resting = memory(pid), (await post(base, "api/tables", {"name": "A"}))["code"]
        held = [await connect(base, resting, Table(load), 9, "") for _ in range(WATCHERS)]
        a_socket = (memory(pid) - before) / WATCHERS
        for table in made:
            table.seats[0].ask("start")
        await asyncio.sleep(3)
        used = processor(pid)
        load.on, began = True, time.perf_counter()
        await asyncio.sleep(seconds)
        load.on, took = False, time.perf_counter() - began
        used = processor(pid) - used
        times = sorted(load.times) or [0.0]
        print(f"{tables} tables of 4, {took:.1f} s, on {os.cpu_count()} processors")
        print(f"plays a second   {load.cards / took:,.0f} ({load.leads / took:,.0f} led)")
        print(
            f"the server had   {used / took:.0%} of a processor; "
            f"{load.cards / used:,.0f} plays for each second of it"
        )
        print(f"entries a second {load.entries / took:,.0f}")
        print(
            f"to every client  p50 {statistics.median(times) * 1000:.1f} ms, "
            f"p99 {times[int(len(times) * 0.99)] * 1000:.1f} ms"
        )
        print(
            f"memory           {grown:.0f} KB a table with its 4 sockets, {a_socket:.0f} KB a "
            f"socket more; {memory(pid):,} KB in all"
        )
        for seat in [*held, *(seat for table in made for seat in table.seats)]:
            seat.transport.abort()


async def abandon(tables: int) -> None:
    """Let so many tables come, begin, be left and be removed, and say how the memory does."""
    load = Load(1e9)
    with server("--limit", "idle=1", "--limit", "kept=2", "--limit", "lobby=2") as (base, pid):
        for number in range(10):
            for _ in range(tables // 100):
                made = await asyncio.gather(*(sit(base, load, 2) for _ in range(10)))
                for table in made:
                    table.seats[0].ask("start")
                await asyncio.sleep(0.01)
                for table in made:
                    for seat in table.seats:
                        seat.transport.abort()
            print(f"{(number + 1) * tables // 10:7,} tables  {memory(pid):,} KB", flush=True)


def main() -> None:
    """Read the command line and run."""
    asking = argparse.ArgumentParser(description="Load a server with many tables.")
    asking.add_argument("--tables", type=int, default=200)
    asking.add_argument("--seconds", type=float, default=10)
    asking.add_argument("--rate", type=float, default=0, help="leads a second; 0 for all it can")
    asking.add_argument("--abandon", type=int, default=0, help="so many tables come and go")
    given = asking.parse_args()
    if given.abandon:
        asyncio.run(abandon(given.abandon))
    else:
        asyncio.run(play(given.tables, given.seconds, given.rate))


if __name__ == "__main__":
    main()
