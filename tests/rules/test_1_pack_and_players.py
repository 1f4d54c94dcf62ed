"""Chapter 1 of RULES.md: pack and players."""

from __future__ import annotations

import pytest

from popejoan.cards import PACK, POPE, BadCard, BadRules, Card, CardSet, Order
from popejoan.deal import Deal
from popejoan.match import Match
from popejoan.rules import Rules

from .table import begin, payments, plays, stops

HIGH = Rules.read({"ace": "high", "lead": "any"})


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("preset", Rules.presets())
def test_1_1_two_to_ten_play(preset: str, players: int) -> None:
    rules = Rules.presets()[preset]
    round = Match.start(rules, players=players).deal().round
    assert round is not None
    assert round.players == players


@pytest.mark.parametrize("players", [0, 1, 11])
def test_1_1_fewer_and_more_are_refused(players: int) -> None:
    with pytest.raises(BadRules, match=f"2 to 10 can play, not {players}"):
        Match.start(players=players)


def test_1_2_the_pack_is_51_cards_without_the_eight_of_diamonds() -> None:
    assert len(PACK) == 51
    assert [len(PACK.of_suit(card.suit)) for card in CardSet.parse("AC AD AH AS")] == [
        13,
        12,
        13,
        13,
    ]
    with pytest.raises(BadCard, match="8D is not in the pack"):
        Card.parse("8D")


def test_1_2_a_deal_has_each_of_them_in_one_place() -> None:
    deal = Deal.shuffle(3, players=5)
    assert sum(len(hand) for hand in deal.hands) + 1 + len(deal.stock) == 51


def test_1_2_nothing_leads_to_pope() -> None:
    for order in (Order.of(ace_high=False), Order.of(ace_high=True)):
        assert POPE not in order.following
        assert order.following[Card.parse("7D")] == -1


def test_1_3_the_ace_is_low_and_a_suit_runs_up_to_the_king() -> None:
    hands = "AC 3C 5C 7C 9C JC KC AS / 2C 4C 6C 8C TC QC 2S 4S"
    round = begin(hands).lead(Card.parse("AC"))
    assert plays(round) == ("0:AC 1:2C 0:3C 1:4C 0:5C 1:6C 0:7C 1:8C 0:9C 1:TC 0:JC 1:QC 0:KC")
    assert stops(round) == ["0:KC end"]
    assert CardSet(Order.ace_low().fixed_stops) == CardSet.parse("KC KD KH KS 7D")


def test_1_3_with_the_ace_low_nothing_leads_to_an_ace() -> None:
    round = begin("KC 3S / AC 4H").lead(Card.parse("KC"))
    assert plays(round) == "0:KC"
    assert round.to_act == 0


def test_1_3_with_the_ace_high_the_king_is_followed_by_the_ace_which_ends_the_suit() -> None:
    round = begin("QC 3S / KC 4H / AC 2C", rules=HIGH).lead(Card.parse("QC"))
    assert plays(round) == "0:QC 1:KC 2:AC"
    assert stops(round) == ["2:AC end"]
    assert round.to_act == 2


@pytest.mark.parametrize(
    ("card", "stop"), [("7D", "removed"), ("AD", "end"), ("AS", "end"), ("KD", "stock")]
)
def test_1_3_with_the_ace_high_the_aces_and_the_seven_of_diamonds_are_the_fixed_stops(
    card: str, stop: str
) -> None:
    assert CardSet(HIGH.order.fixed_stops) == CardSet.parse("AC AD AH AS 7D")
    hand = "KC KD" if card == "KD" else f"{card} 3C"
    round = begin(f"{hand} / 2C 4C", rules=HIGH).lead(Card.parse(card))
    assert stops(round) == [f"0:{card} {stop}"]


def test_1_3_trumps_beat_nothing() -> None:
    round = begin("3C 5S / 4C KD / TC AD", "QD").lead(Card.parse("3C"))
    assert plays(round) == "0:3C 1:4C"
    assert payments(round) == ["queen 1 to 2"]


def test_1_4_each_player_starts_with_48_counters() -> None:
    assert Match.start(players=3).purses == (48, 48, 48)
    assert begin("3C / 4C").opening.purses == (48, 48)


@pytest.mark.parametrize("purse", [0, 36, 50])
def test_1_4_the_table_may_start_with_another_number(purse: int) -> None:
    rules = Rules.read({"purse": purse})
    assert Match.start(rules, players=2).purses == (purse, purse)
