"""A deal that is over: seen again, played on from any lead, and the deal of the day."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.servers import Client, Server, play_on

from popejoan.deal import Deal
from popejoan.events import Led
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.web import entries
from popejoan.web.people import Refused
from popejoan.web.replay import pack_order, replay_of, up_to_lead
from popejoan.web.store import Store

RECORDS = Path(__file__).parent.parent / "records"


def played(rules: Rules, seed: int, players: int) -> Round:
    deal = Deal.shuffle(seed, players=players, rules=rules)
    return Round.start(rules, deal).playout(lambda legal: int(min(legal)))


@given(
    rules=st.sampled_from(list(Rules.presets().values())),
    seed=st.integers(0, 10_000),
    players=st.integers(2, 7),
)
def test_the_events_of_a_replay_are_those_of_the_deal(
    rules: Rules, seed: int, players: int
) -> None:
    round_ = played(rules, seed, players)
    text = Record.of(round_, [f"P{seat}" for seat in range(players)]).text
    (found,) = replay_of(text)
    assert found["names"] == [f"P{seat}" for seat in range(players)]
    assert len(found["events"]) == len(round_.events)
    assert found["won"] == [a - b for a, b in zip(round_.purses, round_.opening.purses)]
    assert replay_of(found["record"])[0]["events"] == found["events"]
    every = [card for hand in found["hands"] for card in hand]
    every += [*found["stock"], found["turn_up"]]
    assert len(set(every)) >= 51


@given(seed=st.integers(0, 10_000), leads=st.integers(0, 30))
def test_a_deal_stands_where_so_many_leads_were_made(seed: int, leads: int) -> None:
    round_ = played(Rules.CASSELL, seed, 4)
    made = [event for event in round_.events if isinstance(event, Led)]
    text = Record.of(round_).text
    if leads >= len(made):
        with pytest.raises(Refused):
            up_to_lead(text, leads)
        return
    now = Record.read(up_to_lead(text, leads)).match.round
    assert now is not None
    assert now.to_act == made[leads].seat
    assert now.events == round_.events[: round_.events.index(made[leads])]
    assert pack_order(now.deal).split()[0] == repr(next(iter(now.deal.hands[0])))


def test_a_match_of_many_deals_is_replayed_deal_by_deal() -> None:
    match = Match.start(Rules.PARLETT, players=3, seed=3, deals=4)
    while not match.over:
        match = match.deal()
        while not match.between:
            assert match.round is not None
            match = match.lead(min(match.round.legal))
    found = replay_of(Record.of(match, ["A", "B", "C"]).text)
    assert len(found) == 4
    for one, after in pairwise(found):
        assert after["opening"]["purses"] == [
            had + won for had, won in zip(one["opening"]["purses"], one["won"])
        ]


def lead_on(client: Client) -> None:
    """Lead by the book to the end of the deal, and be ready for nothing."""
    client.until(lambda: bool(client.table["deal"]))
    while client.table["phase"] == "playing":
        if client.my_lead:
            client.lead()
        else:
            client.hear(0.05)


def finished(server: Server, **settings: Any) -> tuple[dict[str, Any], Any, Any]:
    given = server.table("Anna", seats=3, bots="book", deals=2, **settings)
    anna = server.client(given)
    anna.does("start")
    lead_on(anna)
    bearer = {"authorization": f"Bearer {given['token']}"}
    status, deal = server.http(f"api/tables/{given['code']}/deals/1", **bearer)
    assert status == 200, deal
    return given, anna, deal


def test_a_deal_is_shown_to_those_at_the_table_once_it_is_over(server: Server) -> None:
    given, anna, deal = finished(server)
    assert [event["event"] for event in deal["events"]] == [
        event["event"] for event in anna.view["events"]
    ]
    assert server.http(f"api/tables/{given['code']}/deals/1")[0] == 401
    bearer = {"authorization": f"Bearer {given['token']}"}
    assert server.http(f"api/tables/{given['code']}/deals/2", **bearer)[0] == 409
    anna.does("ready", deal=1)
    anna.until_playing()
    assert server.http(f"api/tables/{given['code']}/deals/1", **bearer)[0] == 200
    status, answer = server.http(f"api/tables/{given['code']}/deals/2", **bearer)
    assert status == 409
    assert answer["why"] == {"what": "playing"}
    anna.close()


def test_any_lead_of_a_deal_can_be_made_anew_against_bots(server: Server) -> None:
    _, anna, deal = finished(server)
    seat = deal["names"].index("Anna")
    leads = [event for event in deal["events"] if event["event"] == "led"]
    mine = next((n for n, event in enumerate(leads) if event["seat"] == seat), 0)
    wish = {"name": "Anna", "record": deal["record"], "seat": leads[mine]["seat"], "leads": mine}
    status, given = server.http("api/again", wish)
    assert status == 201, given
    again = server.client(given)
    assert again.view is not None
    assert again.my_lead
    before = deal["events"].index(leads[mine])
    assert again.view["events"] == deal["events"][:before]
    assert again.table["laid"] == {"day": "", "seat": leads[mine]["seat"], "then": deal["won"]}
    play_on([again], lambda: again.table["phase"] == "over")
    total = sum(deal["opening"]["purses"]) + sum(deal["opening"]["board"].values())
    assert sum(again.table["purses"]) + sum(again.table["board"].values()) == total
    # At a deal laid out nobody else sees the cards.
    assert server.http(f"api/tables/{given['code']}")[1]["watch"] is False
    again.close()
    anna.close()


@pytest.mark.parametrize(
    "wish",
    [
        {"record": "nonsense", "seat": 0},
        {"record": (RECORDS / "E1.txt").read_text(encoding="utf-8"), "seat": 7},
        {"record": (RECORDS / "E1.txt").read_text(encoding="utf-8"), "seat": 0, "leads": 60},
        {"record": (RECORDS / "E1.txt").read_text(encoding="utf-8"), "seat": 0, "bot": "nobody"},
    ],
    ids=["no record", "no seat", "no lead", "no bot"],
)
def test_what_cannot_be_laid_out_is_refused_with_the_reason(
    server: Server, wish: dict[str, Any]
) -> None:
    status, answer = server.http("api/again", {"name": "Anna", **wish})
    assert status == 422, answer
    assert answer["says"]


def test_the_deal_of_the_day_is_the_same_for_everyone_and_played_once(server: Server) -> None:
    hands, results = [], []
    for name in ("Anna", "Ben"):
        who = f"{name}-{'x' * 20}"
        assert (
            server.http("api/daily", authorization=f"Bearer {who}")[1]["days"][0]["begun"] is False
        )
        status, given = server.http("api/daily", {"name": name, "who": who})
        assert status == 201, given
        client = server.client(given)
        assert client.view is not None
        hands.append(client.view["dealt"])
        bearer = {"authorization": f"Bearer {given['token']}"}
        lead_on(client)
        status, answer = server.http("api/daily", {"name": name, "who": who})
        assert (status, answer["why"]) == (409, {"what": "played-today"})
        # Whoever has not played it yet is not to see it.
        status, answer = server.http(f"api/tables/{given['code']}/deals/1", {}, **bearer)
        assert (status, answer["why"]) == (409, {"what": "today"})
        won = client.table["purses"][0] - client.table["brought"][0]
        results.append([name, won])
        client.close()
    assert hands[0] == hands[1]
    day = server.http("api/daily", authorization=f"Bearer Anna-{'x' * 20}")[1]["days"][0]
    assert sorted([name, won] for _, name, won in day["results"]) == sorted(results)
    assert day["yours"][1] == results[0][1]
    assert day["results"][0][0] == 1


def test_the_deal_of_a_day_is_drawn_once_and_kept(tmp_path: Path) -> None:
    async def keep() -> None:
        store = Store(f"sqlite:///{tmp_path / 'days.db'}")
        await store.open()
        assert await store.day("2026-05-31", "one") == "one"
        assert await store.day("2026-05-31", "two") == "one"
        assert await store.begin_day("2026-05-31", "who", "Anna", "code")
        assert not await store.begin_day("2026-05-31", "who", "Anna", "other")
        opened = entries.Opened(entries.Settings(), at=1.0)
        await store.append("code", 1, opened, entries.Noted("it is over", at=2.0), won=5)
        assert await store.results("2026-05-31") == [("who", "Anna", 5)]
        await store.forget_days("2026-06-01")
        assert await store.results("2026-05-31") == []
        await store.close()

    asyncio.run(keep())
