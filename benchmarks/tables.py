"""Plays many tables at one server over loopback, and says how fast and how big it is.

    python benchmarks/tables.py --tables 200 --seconds 10
    python benchmarks/tables.py --tables 200 --seconds 10 --rate 400

Every table has four clients in this process; the server is a process of its own. A card on the
table is a lead, or one that had to follow. Times are from sending a lead to each of the four
clients having its news.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect


def post(base: str, path: str, body: Any) -> dict[str, Any]:
    """Ask the server, and wait."""
    request = urllib.request.Request(base + path, json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return dict(json.load(answer))


def memory(pid: int) -> int:
    """Resident KB of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


class Load:
    """What all tables together have done."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.leads = self.cards = 0
        self.times: list[float] = []
        self.on = False


class Table:
    """Four clients at one table; only the legal cards that each is told are played."""

    def __init__(self, load: Load, sockets: list[ClientConnection]) -> None:
        self.load, self.sockets = load, sockets
        self.deal = 0
        self.seen = 0
        self.began = 0.0
        self.heard = 0
        self.asks = 0

    async def listen(self, me: int) -> None:
        """Hear what happens, and play."""
        phase, to_act = "lobby", None
        async for text in self.sockets[me]:
            message = json.loads(text)
            if message["kind"] == "refused":
                raise RuntimeError(message["says"])
            if message["kind"] not in ("news", "welcome"):
                continue
            table = message.get("table", {})
            phase, to_act = table.get("phase", phase), table.get("to_act", to_act)
            self.deal = table.get("deal", self.deal)
            told = message.get("more") or message.get("view")
            if told:
                seen = told.get("since", 0) + len(told["events"])
                if message.get("more") and self.began:
                    self.heard += 1
                    if self.load.on:
                        self.load.times.append(time.perf_counter() - self.began)
                if me == 0 and message.get("more") and self.load.on:
                    self.load.leads += 1
                    self.load.cards += sum(
                        each["event"] in ("led", "followed") for each in told["events"]
                    )
                if phase == "playing" and to_act == me and told["table"]["legal"]:
                    asyncio.get_running_loop().create_task(
                        self.lead(me, seen, told["table"]["legal"])
                    )
            if phase == "between" and self.deal and me not in table.get("ready", ()) and told:
                await self.ask(me, "ready", deal=self.deal)

    async def lead(self, me: int, seen: int, legal: list[str]) -> None:
        """Lead one of the legal cards."""
        if self.load.rate:
            await asyncio.sleep(random.expovariate(self.load.rate))
        self.began = time.perf_counter()
        await self.ask(me, "lead", deal=self.deal, seen=seen, card=random.choice(legal))

    async def ask(self, me: int, kind: str, **more: Any) -> None:
        """Ask for something."""
        self.asks += 1
        message = {"kind": kind, "id": f"{me}-{self.asks}", **more}
        await self.sockets[me].send(json.dumps(message))


async def run(tables: int, seconds: float, rate: float) -> None:
    """Set the tables, let them play, and say how it went."""
    folder = tempfile.mkdtemp()
    limits = ["tables_an_hour", "seats_an_hour", "tables", "sockets", "sockets_an_address"]
    limits += ["asks_a_second", "asks_at_once"]
    options = [part for name in limits for part in ("--limit", f"{name}=1000000")]
    server = subprocess.Popen(
        [sys.executable, "-m", "popejoan", "serve", "--host", "127.0.0.1", "--port", "8765",
         "--store", f"sqlite:///{folder}/tables.db", "--limit", "pace=0", *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    base = server.stdout.readline().strip()
    load = Load(rate * 1.0 / tables if rate else 0.0)
    try:
        empty = memory(server.pid)
        all_sockets: list[ClientConnection] = []
        made: list[Table] = []
        for _ in range(tables):
            seats = [post(base, "api/tables", {"name": "A", "settings": {"seats": 4}})]
            code = seats[0]["code"]
            seats += [post(base, f"api/tables/{code}/seats", {"name": n}) for n in "BCD"]
            sockets = []
            for seat in seats:
                address = f"ws{base[4:]}api/tables/{code}/socket"
                socket = await connect(address, proxy=None, compression=None)
                hello = {"kind": "hello", "protocol": 1, "token": seat["token"]}
                await socket.send(json.dumps(hello))
                sockets.append(socket)
            all_sockets += sockets
            made.append(Table(load, sockets))
        full = memory(server.pid)
        tasks = [asyncio.create_task(t.listen(me)) for t in made for me in range(4)]
        await asyncio.gather(*(t.ask(0, "start") for t in made))
        await asyncio.sleep(3)
        load.on = True
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        load.on = False
        took = time.perf_counter() - began
        for task in tasks:
            task.cancel()
        times = sorted(load.times) or [0.0]
        print(f"{tables} tables of 4, {took:.1f} s")
        print(f"leads a second   {load.leads / took:,.0f}")
        print(f"cards a second   {load.cards / took:,.0f}")
        print(
            f"to every client  p50 {statistics.median(times) * 1000:.1f} ms, "
            f"p99 {times[int(len(times) * 0.99)] * 1000:.1f} ms"
        )
        print(
            f"memory           {(full - empty) / tables:.0f} KB a table with its 4 sockets, "
            f"{(full - empty) / tables / 4:.0f} KB a socket; {memory(server.pid)} KB in all"
        )
    finally:
        server.kill()


def main() -> None:
    """Read the command line and run."""
    asking = argparse.ArgumentParser(description="Load a server with many tables.")
    asking.add_argument("--tables", type=int, default=200)
    asking.add_argument("--seconds", type=float, default=10)
    asking.add_argument("--rate", type=float, default=0, help="leads a second; 0 for all it can")
    given = asking.parse_args()
    asyncio.run(run(given.tables, given.seconds, given.rate))


if __name__ == "__main__":
    main()
