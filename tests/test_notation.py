"""The record: a match as text and back, written in many ways, and damaged in many ways."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.playthroughs import RECORDS

from popejoan.board import Board
from popejoan.cards import BadRecord, CardSet, PopeJoanError, Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.events import Switched, WentOut
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Ending, Peek, Rules
from popejoan.testing import strategies

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.txt"))}
E3 = TEXTS["E3"]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


# Laws


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(strategies.matches())
def test_a_match_is_read_back_as_it_was(match: Match) -> None:
    record = Record.of(match)
    again = Record.read(record.text)
    assert again == record
    assert again.match == match
    assert again.text == record.text


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(strategies.rounds())
def test_a_round_is_read_back_as_it_was(round_: Round) -> None:
    record = Record.of(round_)
    assert record.rounds == (round_,)
    assert Record.read(record.text).rounds == (round_,)


@st.composite
def sittings(draw: st.DrawFn) -> Match:
    """A match in which people come and go as they like and the table changes its rules."""
    chance = Chance(draw(strategies.seeds), purpose=Purpose.LEAD)
    number = draw(st.integers(2, 10))
    match = Match.start(
        players=number,
        seed=draw(st.integers(-3, 3)),
        deals=draw(st.sampled_from([None, 1, 2, number])),
        first_dealer=draw(st.none() | st.integers(0, number - 1)),
        board=Board.of(pope=draw(st.integers(0, 3))),
        purses=draw(st.none() | st.lists(st.integers(-9, 9), min_size=number, max_size=number)),
    )
    for _ in range(draw(st.integers(0, 50))):
        try:
            match = _something(match, chance)
        except PopeJoanError:
            continue
    return match


def _something(match: Match, chance: Chance) -> Match:
    what, member = chance.below(16), chance.below(len(match.members))
    rules = list(Rules.presets().values())[chance.below(5)]
    rules = replace(rules, equal_deals=what == 1, ending=list(Ending)[chance.below(2)])
    if what < 7:
        if match.round is None or match.round.over:
            return match.deal()
        if what < 2:
            return match.play(chance.pick(match.round.legal))
        return replace(match, round=match.round.playout(chance.pick))
    if what < 9 and match.round is not None and match.round.due:
        due = match.round.due[0]
        return match.claim(due.seat, due.compartment)
    if what == 9:
        return match.claim_for(member, on=not match.claiming[member])
    if what == 10:
        return match.join(purse=chance.below(9))
    if what == 11:
        return match.join(member)
    if what < 14:
        return match.leave(member)
    if what == 14:
        return match.change_rules(rules)
    return match.divide() if match.over else match.end()


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(sittings())
def test_whoever_comes_and_goes_the_match_is_read_back(match: Match) -> None:
    assert Record.read(Record.of(match).text).match == match


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=4))
def test_a_name_is_any_line_of_text_or_refused(names: list[str]) -> None:
    match = Match.start(players=4)
    try:
        record = Record.of(match, names)
    except BadRecord:
        assert any(not name.isprintable() or name != name.strip() for name in names)
    else:
        assert Record.read(record.text) == record


@pytest.mark.parametrize(
    "name", ["Ann: #1", '"Ben"', "# Cat", "Ж", "夏", "👩‍👧", "name 1: x", "\\n", "a  b", "𝄞", "é"]
)
def test_a_name_may_hold_what_a_record_uses(name: str) -> None:
    record = Record.of(Match.start(players=2), ["", name])
    assert Record.read(record.text).names == ("", name)
    assert Record.read(record.text.encode()) == record


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\nb", r"holds '\n', which"),
        ("a\x00", r"holds '\x00'"),
        ("\u2028", r"holds '\u2028'"),
        ("\ud800", r"holds '\ud800'"),
        (" a", "begins or ends with a space"),
        ("a\xa0", "begins or ends with a space"),
        ("x" * 50 + "\t", "the name 'xxxxx"),
    ],
)
def test_a_name_that_cannot_stand_in_a_line_is_refused(name: str, why: str) -> None:
    with pytest.raises(BadRecord, match="the name") as caught:
        Record.of(Match.start(players=2), [name])
    assert why in caught.value.reason
    assert caught.value.line == 0


def test_more_names_than_members_are_refused() -> None:
    with pytest.raises(BadRecord, match="3 names are given to 2 members"):
        Record.of(Match.start(players=2), ["a", "b", "c"])
    assert Record.of(Match.start(players=2), ["a", "", "", ""]).names == ("a",)


# What a record tells


def test_a_match_goes_on_from_its_record_in_the_middle_of_a_run() -> None:
    match = Match.start(players=3, seed=2, rules=Rules.CASSELL).deal()
    while not match._round().forced:
        match = match.play(min(match._round().legal))
    match = match.claim_for(1, on=False).play(min(match._round().legal))
    again = Record.read(Record.of(match).text).match
    assert again == match
    while not match._round().over:
        match, again = (each.play(min(each._round().legal)) for each in (match, again))
    assert again == match


def test_a_record_can_be_copied_and_pickled() -> None:
    record = Record.read(E3)
    for twin in (copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert twin == record
        assert hash(twin) == hash(record)
    assert str(record) == record.text


def test_a_record_shows_its_rounds_in_order() -> None:
    record = Record.read(TEXTS["HOYLE-4"])
    assert [round_.players for round_ in record.rounds] == [4, 5, 5]
    assert all(round_.over for round_ in record.rounds)
    assert Record.of(Match.start()).rounds == ()


def test_a_match_to_which_no_play_leads_has_no_record() -> None:
    match = replace(Match.start(players=2), since_change=7)
    with pytest.raises(BadRecord, match="no play by the rules leads to this match"):
        _ = Record.of(match).text
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(1))
    with pytest.raises(BadRecord, match="no play by the rules leads to this match"):
        _ = Record.of(round_._replace(events=(*round_.events, WentOut(Seat(0))))).text
    with pytest.raises(BadRecord, match="this match: deal 1 is missing"):
        _ = Record.of(replace(Match.start(players=2), dealt=1)).text
    match = Match.start().deal()
    assert match.round is not None
    twice = match.round._replace(events=(*match.round.events, Switched(Seat(0), on=True)))
    with pytest.raises(BadRecord, match="changes nothing"):
        _ = Record.of(replace(match, round=twice)).text


def test_a_member_without_a_name_is_called_by_number() -> None:
    record = Record.of(Match.start(players=3, seed=1), ["Anne", "", ""])
    assert [record.called(member) for member in range(3)] == ["Anne", "Player 1", "Player 2"]


def test_rules_of_the_first_deal_may_have_come_after_people_left() -> None:
    match = Match.start(Rules.CASSELL, players=10, deals=9)
    for member in range(9, 2, -1):
        match = match.leave(member)
    match = match.change_rules(Rules(hand_size=12, equal_deals=True)).deal()
    assert Record.read(Record.of(match).text).match == match


def test_rules_that_held_only_between_deals_are_told_too() -> None:
    eleven = replace(Rules.CASSELL, hand_size=11, equal_deals=True)
    match = Match.start(eleven, players=4).deal()
    match = replace(match, round=match.round.playout(min)) if match.round else match
    match = match.change_rules(Rules.PEEL).join().leave(0)
    match = match.change_rules(replace(eleven, ending=Ending.STAYS, equal_deals=False)).end()
    text = Record.of(match).text
    assert text.count("new rules: ") == 2
    assert Record.read(text).match == match


def test_the_first_dealer_may_have_left_with_all_who_began() -> None:
    match = Match.start(players=3, first_dealer=1).join().join()
    for member in range(3):
        match = match.leave(member)
    match = match.deal()
    assert match.seats == (3, 4)
    assert Record.read(Record.of(match).text).match == match


def test_stakes_may_be_divided_before_any_deal() -> None:
    match = Match.start(players=2, board=Board.of(pope=3, game=1), seed=5).end().divide()
    assert Record.read(Record.of(match).text).match == match


# How a record may be written

SHORT = """pope joan RECORD 1

# a deal of three, written at the table
players: 3
name 1: Ben   # this belongs to the name
Rules: CASSELL   # this does not
deal
hand 0: 5♣ 6♦ 9♦ k♦ a♥ 2♥ 9♥ 4♠ 6♠ 7♠ 8♠ q♠
hand 1: 10♣ J♣ k♣ 7♦ 10♦ Q♦ 3♥ 7♥ 10♥ 2♠ 5♠ j♠
hand 2: 2c,3c,4c,7c,8c,9c,ad,3d,4d,5d,jd,6h
turn-up: 4h
"""


def short(leads: str = "", text: str = SHORT) -> Record:
    return Record.read(text + leads)


def test_a_record_needs_little_and_the_rest_is_the_usual() -> None:
    record = short()
    assert record.names == ("", "Ben   # this belongs to the name")
    (round_,) = record.rounds
    assert round_.rules == Rules.CASSELL
    assert round_.dealer == 0
    assert round_.opening.purses == (48, 48, 48)
    assert round_.deal.stock == CardSet.parse("AC 6C QC 2D 5H 8H JH QH KH AS 3S 9S 10S KS")
    assert record.match.deals is None


@pytest.mark.parametrize(
    "leads",
    [
        "lead 1: 10C JC\nlead 1: KC\n",
        "lead: 10♣\nlead: K♣",
        "10c, J♣\nkc",
        "T♣ jc  # a comment\n\n\t# another\nLEAD 1 : KC",
        "lead 1: TC ...\nfollow: JC\nlead: KC",
        "lead 1: TC …\nfollow:\nlead: KC",
    ],
)
def test_a_run_is_its_lead_and_what_follows_may_be_given(leads: str) -> None:
    assert short(leads) == short("lead 1: TC JC\nlead 1: KC")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way_and_a_mark_may_stand_before_them(newline: str) -> None:
    text = newline.join(["\ufeff" + SHORT.replace("\n", newline), "TC", "KC"])
    assert Record.read(text) == Record.read(text.encode()) == short("TC\nKC")


def test_the_heading_of_a_deal_is_checked_where_it_is_given() -> None:
    more = "seats: 0 1 2\ndealer: 0\npurses: 48, 48, 48\nboard: bare\n"
    assert short(more) == short()
    more = "stock: AC 6C QC 2D 5H 8H JH QH KH AS 3S 9S 10S KS\n"
    assert short(more) == short()


def test_the_board_may_be_written_as_one_pleases() -> None:
    texts = ["board: pope 6, game 1\n", "board: Game=1, POPE=6\n", "board: pope:6,game: 1\n"]
    texts = [SHORT.replace("players", line + "players") for line in texts]
    assert len({Record.read(text) for text in texts}) == 1
    assert Record.read(texts[0]).rounds[0].opening.board == Board.of(pope=6, game=1)


def test_the_dealer_may_stand_in_the_head() -> None:
    record = Record.read(SHORT.replace("players", "dealer: 2\nplayers"))
    assert record.rounds[0].dealer == 2


def test_a_dealer_who_sits_out_has_an_empty_hand() -> None:
    rules = Rules(peek=Peek.SITS_OUT)
    round_ = Round.start(rules, Deal.shuffle(3, players=4, rules=rules, dealer=2), dealer=Seat(2))
    text = Record.of(round_).text
    assert "hand 2: -\n" in text
    assert Record.read(text).rounds == (round_,)
