"""What a seat is shown is what the wire says of its view, at every moment of every kind of deal."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from popejoan.board import Compartment
from popejoan.deal import Deal
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.web import entries
from popejoan.web.asks import next_entry
from popejoan.web.deals import Pack
from popejoan.web.happening import happened, table_of
from popejoan.web.limits import DEFAULT
from popejoan.web.showing import Showing
from popejoan.web.table import Table
from popejoan.web.telling import changed, sections
from popejoan.wire import to_wire


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def wired(round_: Round, seat: int | None) -> Any:
    return plain(to_wire(View.of(round_, seat)))


@pytest.mark.parametrize("rules", [*Rules.presets(), "HOYLE peek=nobody", "CASSELL peek=dealer"])
@pytest.mark.parametrize("players", [2, 5, 10])
def test_a_view_kept_up_by_what_is_new_is_the_view(rules: str, players: int) -> None:
    chance = random.Random(players)
    made = Rules.parse(rules)
    for seed in range(3):
        deal = Deal.shuffle(seed, players=players, rules=made)
        round_ = Round.start(made, deal, claiming=[chance.random() < 0.5 for _ in range(players)])
        seats = [None, *range(players)]
        showing = Showing(round_)
        views = {seat: json.loads(showing.whole(seat)) for seat in seats}
        assert views == {seat: wired(round_, seat) for seat in seats}
        while not round_.over:
            since = len(round_.events)
            round_ = after(round_, chance)
            assert showing.take(round_)
            for seat, new in showing.more(since, seats).items():
                more = json.loads(new)
                view = views[seat]
                view["events"][more["since"] :] = more["events"]
                view["claiming"], view["table"] = more["claiming"], more["table"]
                assert view == wired(round_, seat)
            assert json.loads(showing.whole(0)) == views[0]


def after(round_: Round, chance: random.Random) -> Round:
    """The round after something that may happen."""
    if round_.due and chance.random() < 0.5:
        item = round_.due[0]
        return round_.claim(item.seat, Compartment(item.compartment))
    if chance.random() < 0.1:
        seat = chance.choice(list(range(round_.players)))
        return round_.claim_for(type(round_.dealer)(seat), on=not round_.claiming[seat])
    return round_.lead(chance.choice(list(round_.legal)))


def test_what_was_taken_back_is_not_gone_on_from() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, players=3, rules=Rules.CASSELL))
    later = round_.lead(round_.legal[0])
    showing = Showing(later)
    assert not showing.take(round_)
    assert not showing.take(Round.start(Rules.CASSELL, Deal.shuffle(4, rules=Rules.CASSELL)))


def test_the_sections_said_to_change_are_all_that_do() -> None:
    chance = random.Random(7)
    table = table_of([entries.Opened(entries.Settings(seats=3, deals=3), at=1.0)])
    known = sections(table)
    first: list[entries.Entry] = [
        entries.Came("Anna", "x" * 64, at=1.0), entries.Said(0, "hello", at=1.0),
        entries.Came("Ben", "y" * 64, True, at=1.0), entries.Started(Pack.drawn(), Pack.drawn()),
    ]  # fmt: skip
    while not table.closed:
        entry = first.pop(0) if first else to_come(table, chance)
        before, table = table, happened(table, entry)
        known = {**known, **changed(before, table, known, entry)}
        assert known == sections(table), entry


def to_come(table: Table, chance: random.Random) -> entries.Entry:
    if table.phase == "between":
        if table.deal and not table.ready:
            return entries.Ready(0)
        return next_entry(table, DEFAULT, 2.0)
    dice = chance.random()
    if dice < 0.1:
        return entries.Noted("noted")
    if dice < 0.2:
        return entries.Paused(not table.paused)
    if dice < 0.3:
        return entries.Planned(entries.Settings(seats=3, deals=3, name=str(dice)))
    if table.back is not None and table.back.round is not None and dice < 0.6:
        who = table.seats[table.back.round.to_act or 0].number
        return entries.TakenBack(who)
    assert table.round is not None
    assert table.to_act is not None
    return entries.Led(table.to_act.number, repr(chance.choice(list(table.round.legal))))
