"""A long evening at one table: people drop, the server is killed, plays are sent twice."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.web.servers import Server
from websockets.exceptions import ConnectionClosed

from popejoan.notation import Record
from popejoan.web import admin

PEOPLE = ("Anna", "Ben", "Cleo")
SEATS = 6
STUCK = 180.0
"""For how many seconds nothing may happen."""


class Player:
    """Someone at the table: plays on, drops, comes back, and sends things twice."""

    def __init__(self, server: Server, given: dict[str, Any], chance: random.Random) -> None:
        self.chance, self.counts = chance, Counter[str]()
        self.done: list[str] = []
        self.asks = 0
        self.waiting: dict[str, Any] | None = None
        self.client = server.client(given)

    def move(self) -> None:
        """Do what there is to do; whatever was not answered is asked again."""
        client = self.client
        try:
            client.drain(0.0)
            assert not client.bye, client.bye
            if self.waiting is not None:
                self.ask()
            elif client.my_lead:
                self.waiting = {
                    "kind": "lead", "deal": client.table["deal"], "seen": client.seen,
                    "card": client.choice(),
                }  # fmt: skip
                self.ask()
            elif client.wants_to_go_on:
                self.waiting = {"kind": "ready", "deal": client.table["deal"]}
                self.ask()
        except (ConnectionClosed, OSError):
            self.counts["lines broken"] += 1
            self.come_back()

    def ask(self) -> None:
        """Send the ask that waits, now and then twice, and take its answer."""
        assert self.waiting is not None
        if "id" not in self.waiting:
            self.asks += 1
            self.waiting["id"] = f"{self.client.you}-{self.asks}"
        name, text = self.waiting["id"], json.dumps(self.waiting)
        self.client.send(text)
        if self.chance.random() < 0.1:
            self.counts["sent twice"] += 1
            self.client.send(text)
        if self.waiting["kind"] == "lead" and self.chance.random() < 0.1:
            self.counts["sent again under another name"] += 1
            self.client.send(json.dumps({**self.waiting, "id": f"{name}-again"}))
        self.client.until(lambda: name in self.client.answers)
        answer = self.client.answers.pop(name)
        self.counts[f"{self.waiting['kind']} {answer['kind']}"] += 1
        if answer["kind"] == "done":
            self.done.append(f"{self.client.you}:{name}")
        self.waiting = None
        if self.chance.random() < 0.02:
            self.counts["drops"] += 1
            self.come_back()

    def come_back(self) -> None:
        """Break the line, if it is not broken, and come back when the server is there."""
        with contextlib.suppress(ConnectionClosed, OSError):
            self.client.close()
        until = time.monotonic() + STUCK
        while True:
            self.client.answers.clear()
            self.client.table = {}
            try:
                self.client.open()
            except (ConnectionClosed, OSError):
                assert time.monotonic() < until, "the server does not come back"
                time.sleep(0.1)
            else:
                return


def soak(folder: Path, deals: int, seed: int = 11) -> Counter[str]:
    """Play so many deals; what happened on the way."""
    chance = random.Random(seed)
    server = Server(folder, limits="entries=1000000 people=60").start()
    counts: Counter[str] = Counter()
    try:
        first = server.table(PEOPLE[0], seats=SEATS, deals=deals, grace=1)
        given = [first, *(server.sit(first["code"], name) for name in PEOPLE[1:])]
        players = [Player(server, each, chance) for each in given]
        host = players[0].client
        host.does("start")
        seen, moved = 0, time.monotonic()
        while not all(each.client.table["phase"] == "over" for each in players):
            for player in players:
                player.move()
                table = player.client.table
                counters = sum(table["purses"]) + sum(table["board"].values())
                assert counters == 48 * len(table["purses"]), "a counter was lost"
            assert time.monotonic() - moved < STUCK, ("stuck", host.table, host.says[-5:])
            if host.seq == seen:
                continue
            fourth = host.table["deal"] == 4 and not counts["servers killed"]
            seen, moved = host.seq, time.monotonic()
            if fourth or chance.random() < 0.004:
                counts["servers killed"] += 1
                server.kill()
                server.start()
        for player in players:
            counts.update(player.counts)
            player.client.close()
        server.stop()
        log = admin.exported(server.store, first["code"], log=True).splitlines()
        entries = [json.loads(line) for line in log]
        asked = Counter(entry["ask"] for entry in entries if entry.get("ask"))
        done = [name for player in players for name in player.done]
        counts["doubled"] = sum(many - 1 for many in asked.values())
        counts["lost"] = sum(name not in asked for name in done)
        counts["accepted"] = len(done)
        counts["entries"] = len(entries)
        counts["leads"] = sum(entry["entry"] == "led" for entry in entries)
        record = Record.read(admin.exported(server.store, first["code"]))
        assert len(record.rounds) == deals
        counts["deals"] = len(record.rounds)
        counts["cards"] = sum(len(round_.plays) for round_ in record.rounds)
        assert sum(record.match.purses) + record.match.board.total == 48 * SEATS
    finally:
        server.kill()
    return counts


def summary(counts: Counter[str]) -> str:
    """What happened, in one line."""
    refused = counts["lead refused"] + counts["ready refused"]
    twice = counts["sent twice"] + counts["sent again under another name"]
    return (
        f"{counts['deals']} deals, {counts['leads']} leads, {counts['cards']} cards played; "
        f"{counts['accepted']} asks of people accepted, {refused} refused; "
        f"{counts['drops']} drops, {counts['servers killed']} servers killed "
        f"({counts['lines broken']} lines broken), {twice} duplicate sends; "
        f"lost {counts['lost']}, doubled {counts['doubled']}"
    )


def test_a_short_evening_loses_nothing(tmp_path: Path, record_property: Any) -> None:
    counts = soak(tmp_path, 6)
    record_property("soak", summary(counts))
    assert counts["deals"] == 6
    assert (counts["lost"], counts["doubled"]) == (0, 0)


@pytest.mark.slow
def test_five_hundred_deals_lose_nothing(tmp_path: Path, record_property: Any) -> None:
    counts = soak(tmp_path, 500)
    record_property("soak", summary(counts))
    assert counts["deals"] == 500
    assert (counts["lost"], counts["doubled"]) == (0, 0)
    assert min(counts["drops"], counts["servers killed"], counts["sent twice"]) > 3
