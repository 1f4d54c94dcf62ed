"""Bots that fail are replaced and the table is told; whoever has to lead may ask what to lead."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest
from tests.web.servers import Client, Server, play_on

from popejoan.advice.opponents import playouts
from popejoan.bots.playouts import EnginePlayouts
from popejoan.deal import Deal
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.web import thinking

BOTS = """
import os, time
class Bot:
    def __init__(self, seed): pass
class Raises(Bot):
    def choose(self, view): raise RuntimeError(repr(view.hand))
class Slow(Bot):
    def choose(self, view): time.sleep(60)
class Cheats(Bot):
    def choose(self, view): return view.turn_up
class Dies(Bot):
    def choose(self, view): os._exit(1)
class Silent(Bot):
    def choose(self, view): return None
def broken(seed): raise ImportError("not here")
"""
NAMES = {
    "raises": "failed (RuntimeError)", "slow": "thought for more than 2 seconds",
    "cheats": "which it may not lead", "dies": "failed (BrokenProcessPool)",
    "silent": "failed (TypeError)", "broken": "failed (ImportError)",
}  # fmt: skip


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where a package of bots is installed that cannot play."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "bad_bots.py").write_text(BOTS)
    info = folder / "bad_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-bots\nVersion: 1\n")
    points = [f"{name} = bad_bots:{name.title()}" for name in NAMES if name != "broken"]
    (info / "entry_points.txt").write_text(
        "\n".join(["[popejoan.bots]", *points, "broken = bad_bots:broken", ""])
    )
    made = Server(folder, limits="thinking=2", path=folder).start()
    yield made
    made.stop()


def alone(server: Server, **settings: object) -> Client:
    client = server.client(server.table("Anna", **settings))
    client.does("start")
    client.until_playing()
    return client


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_that_fails_is_replaced_by_a_legal_play_and_the_table_is_told(
    bad: Server, name: str
) -> None:
    anna = alone(bad, seats=2, bots=name, deals=1)

    def told() -> list[str]:
        return [said for said in anna.says if said.startswith(f"The bot {name} ")]

    play_on([anna], lambda: len(told()) > 2 or anna.table["phase"] == "over", patience=120)
    assert told()
    assert any(NAMES[name] in said for said in told()), told()
    assert all("leads by the book" in said for said in told())
    anna.close()


def test_a_slow_bot_holds_up_no_other_table(bad: Server) -> None:
    slow = alone(bad, seats=4, bots="slow", deals=None)
    anna = alone(bad, seats=4, bots="book", deals=3)
    play_on([slow, anna], lambda: anna.table["phase"] == "over")
    assert not [said for said in anna.says if said.startswith("The bot")]
    anna.close()
    slow.close()


def test_a_hint_is_a_lead_that_is_allowed_with_its_reasons(server: Server) -> None:
    anna = alone(server, seats=3, deals=None)
    play_on([anna], lambda: len(anna.legal) > 1)
    assert anna.view is not None
    before = anna.seq
    answer = anna.ask("hint", deal=anna.table["deal"], seen=anna.seen)
    assert answer["kind"] == "hint", answer
    hint = answer["hint"]
    assert hint["lead"] in anna.view["table"]["legal"]
    assert {each["lead"] for each in hint["leads"]} == set(anna.view["table"]["legal"])
    assert hint["text"].startswith("Lead ")
    assert anna.seq == before, "a hint is no entry of the log"
    assert anna.lead(hint["lead"])["kind"] == "done"
    anna.close()


def test_a_hint_is_for_whoever_has_to_lead_and_where_the_host_allows_it(server: Server) -> None:
    anna = alone(server, seats=3, deals=None)
    ben = server.client(server.sit(anna.code, "Ben"))
    watcher = Client(server, anna.code, "")
    play_on([anna], lambda: anna.my_lead)
    now = {"deal": anna.table["deal"], "seen": anna.seen}
    assert "no seat" in ben.refused("hint", **now)
    assert "watch" in watcher.refused("hint", **now)
    assert "look again" in anna.refused("hint", deal=now["deal"], seen=now["seen"] - 1)
    assert "deal 9" in anna.refused("hint", deal=9, seen=anna.seen)
    anna.does("plan", settings={**anna.table["settings"], "hints": False})
    deal = anna.table["deal"]
    play_on([anna, ben], lambda: anna.table["deal"] > deal and anna.my_lead)
    said = anna.refused("hint", deal=anna.table["deal"], seen=anna.seen)
    assert said == "no hints are given at this table"
    for client in (anna, ben, watcher):
        client.close()


def test_a_lead_may_be_made_while_a_hint_is_thought_over(server: Server) -> None:
    anna = alone(server, seats=2, deals=None)
    play_on([anna], lambda: anna.my_lead)
    for name in ("one", "two"):
        anna.send({"kind": "hint", "id": name, "deal": anna.table["deal"], "seen": anna.seen})
    began = time.monotonic()
    assert anna.lead()["kind"] == "done"
    assert time.monotonic() - began < 20
    anna.until(lambda: {"one", "two"} <= set(anna.answers))
    assert anna.answers["one"]["kind"] == "hint"
    assert anna.answers["two"]["says"] == "one hint at a time"
    anna.close()


def test_hints_are_had_at_once_and_look_further_when_all_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinking, "_SETTLED", 0.0)
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(1, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    assert len(view.legal) > 1

    async def both() -> tuple[int, int]:
        thinker = thinking.Thinker(longest=60)
        try:
            first = await thinker.hint(view)
            await thinker.warm()
            return first["worlds"], (await thinker.hint(view))["worlds"]
        finally:
            thinker.close()

    assert asyncio.run(both()) == (EnginePlayouts().usual, playouts().usual)
