"""Chapter 4 of RULES.md: what the turn-up pays."""

from __future__ import annotations

import pytest

from popejoan.board import Board
from popejoan.cards import BadRules, Card, IllegalPlay, Seat
from popejoan.deal import Deal
from popejoan.events import Claimed, RoundOver
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules

from .table import FREE, begin, fill, led, payments, plays


def turned(way: str, **more: object) -> Rules:
    return Rules.read({"lead": "any", "pope_turned": way, **more})


@pytest.mark.parametrize(
    ("turn_up", "head"), [("AS", "ace"), ("KH", "king"), ("QC", "queen"), ("JD", "knave")]
)
@pytest.mark.parametrize("preset", Rules.presets())
def test_4_1_the_dealer_takes_the_compartment_of_an_honour_turned_up(
    preset: str, turn_up: str, head: str
) -> None:
    rules = Rules.presets()[preset]
    deal = fill("//", turn_up, rules=rules, dealer=1)
    round = Round.start(rules, deal, dealer=Seat(1))
    assert payments(round) == [f"{head} 1 to 1"]
    assert round.to_act == 2


def test_4_1_with_all_that_was_carried_over() -> None:
    assert payments(begin("3C / 4C / 5C", "KH", board=Board.of(king=4))) == ["king 5 to 2"]


@pytest.mark.parametrize("turn_up", ["2S", "TH", "7D", "3C"])
def test_4_1_another_card_turned_up_brings_nothing(turn_up: str) -> None:
    assert payments(begin("4C / 5C", turn_up)) == []


def test_4_1_the_dealer_need_not_claim_it() -> None:
    assert payments(begin("3C / 4C", "KH", claiming="--")) == ["king 1 to 1"]


@pytest.mark.parametrize(
    ("turn_up", "hand", "leads", "earned"),
    [
        ("AS", "JS QS KS 3C", "JS", "knave queen intrigue king matrimony"),
        ("KS", "JS QS AS 3C", "JS AS", "knave queen intrigue ace"),
        ("QS", "JS KS AS 3C", "JS KS AS", "knave king ace"),
        ("JS", "QS KS AS 3C", "QS AS", "queen king matrimony ace"),
    ],
)
def test_4_1_nobody_earns_that_compartment_or_its_pair_in_that_deal(
    turn_up: str, hand: str, leads: str, earned: str
) -> None:
    round = led(begin(f"{hand} / 4C 5C 6C 7C", turn_up), leads)
    assert sorted(payments(round)[1:]) == sorted(
        f"{name} {2 if name in {'matrimony', 'intrigue'} else 1} to 0" for name in earned.split()
    )


def test_4_1_the_dealer_makes_no_pair_of_the_turn_up_and_a_card_in_hand() -> None:
    round = led(begin("JS 3H 4H / QS 5C 6C", "KS", dealer=1), "JS")
    assert plays(round) == "0:JS 1:QS"
    assert payments(round) == ["king 1 to 1", "knave 1 to 0", "queen 1 to 1"]


def test_4_2_pope_turned_up_gives_the_dealer_pope_and_game_and_a_counter_a_card() -> None:
    round = begin("3C 4C 5C / 6C 7C 8C / 9C TC JC / 3H 4H 5H", "9D", rules=turned("ends"), dealer=1)
    assert payments(round) == ["pope 6 to 1", "game 1 to 1", "2 3 to 1", "3 3 to 1", "0 3 to 1"]
    assert round.board == Board.of(ace=1, king=1, queen=1, knave=1, matrimony=2, intrigue=2)


def test_4_2_the_deal_is_over_and_nothing_is_played() -> None:
    round = begin("3C / 4C", "9D", rules=turned("ends"))
    assert (round.over, round.winner, round.to_act, round.plays) == (True, 1, None, ())
    assert round.events[-1] == RoundOver(Seat(1))
    with pytest.raises(IllegalPlay, match="3C cannot be played: the round is over"):
        round.play(Card.parse("3C"))


def test_4_2_each_pays_for_the_hand_dealt_to_him_when_hands_differ() -> None:
    rules = turned("ends", stock="dealt-round")
    round = Round.start(rules, fill("//", "9D", rules=rules, dealer=1), dealer=Seat(1))
    assert [len(hand) for hand in round.deal.hands] == [13, 12, 13]
    assert payments(round) == ["pope 6 to 1", "game 1 to 1", "2 13 to 1", "0 13 to 1"]
    eldest_deals_last = Round.start(rules, fill("////", "9D", rules=rules), dealer=Seat(0))
    assert payments(eldest_deals_last)[2:] == ["1 9 to 0", "2 9 to 0", "3 8 to 0", "4 8 to 0"]


def test_4_2_it_ends_so_in_a_full_hoyle_deal() -> None:
    round = Round.start(Rules.HOYLE, fill("///", "9D", rules=Rules.HOYLE), dealer=Seat(0))
    assert round.balances == (-15 + 6 + 1 + 33, -11, -11, -11)
    assert round.over


def test_4_2_with_cards_the_dealer_takes_pope_and_card_money_and_play_goes_on() -> None:
    round = begin("3C 4C / 5C 6C / 7C 8C", "9D", rules=turned("cards"))
    assert payments(round) == ["pope 6 to 2", "0 2 to 2", "1 2 to 2"]
    assert (round.over, round.to_act) == (False, 0)
    assert round.board == Board.of(ace=1, king=1, queen=1, knave=1, game=1, matrimony=2, intrigue=2)


def test_4_2_with_head_the_dealer_takes_pope_and_play_goes_on() -> None:
    round = begin("3C 4H / 5C 6C", "9D", rules=turned("head"))
    assert payments(round) == ["pope 6 to 1"]
    assert payments(led(round, "3C 4H"))[1:] == ["game 1 to 0", "1 2 to 0"]


def test_4_2_thrown_in_the_dealer_takes_pope_and_game_and_nobody_pays() -> None:
    round = begin("3C / 4C", "9D", rules=turned("thrown-in"))
    assert payments(round) == ["pope 6 to 1", "game 1 to 1"]
    assert (round.over, round.winner) == (True, 1)


@pytest.mark.parametrize(
    ("preset", "paid"),
    [
        ("HOYLE", ["pope 6 to 0", "game 1 to 0", "1 14 to 0", "2 14 to 0"]),
        ("CASSELL", ["pope 6 to 0", "game 1 to 0", "1 12 to 0", "2 12 to 0"]),
        ("PEEL", ["pope 6 to 0", "1 12 to 0", "2 12 to 0"]),
        ("HOFFMANN", ["pope 6 to 0"]),
        ("PARLETT", ["pope 6 to 0"]),
    ],
)
def test_4_2_by_each_book(preset: str, paid: list[str]) -> None:
    rules = Rules.presets()[preset]
    round = Round.start(rules, fill("//", "9D", rules=rules))
    assert payments(round) == paid
    assert round.over is (preset in {"HOYLE", "CASSELL"})


def test_4_2_no_claim_is_needed() -> None:
    round = begin("3C / 4C", "9D", claiming="--")
    assert [event for event in round.events if isinstance(event, Claimed)] != []
    assert round.due == ()


def test_4_2_after_it_the_deal_passes() -> None:
    match = Match.start(Rules.HOYLE, players=3, first_dealer=0)
    match = match.deal(fill("//", "9D", rules=Rules.HOYLE, dealer=0))
    assert match.between
    assert match.deal(Deal.shuffle(1, players=3)).dealer == 1


@pytest.mark.parametrize("way", ["ends", "cards"])
@pytest.mark.parametrize(("cap", "pays"), [(1, 1), (2, 2), (4, 3), (25, 3)])
def test_4_3_no_player_pays_more_than_the_cap(way: str, cap: int, pays: int) -> None:
    round = begin("3C 4C 5C / 6C 7C 8C / 9C TC JC", "9D", rules=turned(way, pope_cap=cap))
    assert payments(round)[-2:] == [f"0 {pays} to 2", f"1 {pays} to 2"]


def test_4_3_there_is_no_cap_unless_one_is_set() -> None:
    assert FREE.pope_cap is None
    rules = Rules.read({"hand_size": 25})
    round = Round.start(rules, fill("/", "9D", rules=rules))
    assert payments(round)[-1] == "1 25 to 0"


def test_4_3_a_cap_where_nobody_pays_is_refused() -> None:
    for way in ("head", "thrown-in"):
        with pytest.raises(BadRules, match="nobody pays, so nothing is capped"):
            turned(way, pope_cap=4)
    for cap in (0, 26):
        with pytest.raises(BadRules, match=f"a cap is 1 to 25 counters, or none, not {cap}"):
            turned("ends", pope_cap=cap)
