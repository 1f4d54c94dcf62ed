"""Chapter 3 of RULES.md: the deal."""

from __future__ import annotations

import pytest

from popejoan.board import Compartment
from popejoan.cards import BadDeal, BadRules, Card, CardSet, IllegalPlay, Rank, Seat
from popejoan.deal import Deal, first_knave, hand_sizes
from popejoan.events import DealerFound, Dealt, TurnedUp
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

from .table import begin, fill, in_stock, led, payments, played_out, plays, stops

PLAYERS = range(2, 11)
ROUND = Rules.read({"stock": "dealt-round"})
SPARE = Rules.read({"stock": "spare-hand"})
SITS_OUT = Rules.read({"peek": "dealer-sits-out", "lead": "any"})


def sizes_and_stocks(rules: Rules) -> tuple[list[int], list[int]]:
    """For 2 to 10 players the size of the hands, and of the stock beside the turn-up."""
    deals = [Deal.shuffle(1, players=players, rules=rules) for players in PLAYERS]
    assert all(len(set(map(len, deal.hands))) == 1 for deal in deals)
    return [len(deal.hands[0]) for deal in deals], [len(deal.stock) for deal in deals]


@pytest.mark.parametrize("seed", range(20))
def test_3_1_the_first_knave_dealt_round_finds_the_first_dealer(seed: int) -> None:
    cards = first_knave(seed)
    assert [card.rank is Rank.KNAVE for card in cards] == [False] * (len(cards) - 1) + [True]
    assert len(set(cards)) == len(cards)
    match = Match.start(players=3, seed=seed)
    assert match.events == (DealerFound((len(cards) - 1) % 3, cards),)
    assert match.next_dealer == match.deal().dealer == (len(cards) - 1) % 3


def test_3_1_the_table_may_name_the_first_dealer() -> None:
    match = Match.start(players=4, first_dealer=2)
    assert match.events == ()
    assert match.deal().dealer == 2
    with pytest.raises(ValueError, match="dealer 4 is no seat: they are 0 to 3"):
        Match.start(players=4, first_dealer=4)


def test_3_2_the_table_of_equal_hands_and_stocks() -> None:
    assert sizes_and_stocks(Rules.HOYLE) == (
        [21, 14, 11, 9, 7, 6, 5, 5, 4],
        [8, 8, 6, 5, 8, 8, 10, 5, 10],
    )


def test_3_2_a_spare_hand_has_the_surplus() -> None:
    assert sizes_and_stocks(SPARE) == (
        [16, 12, 10, 8, 7, 6, 5, 5, 4],
        [18, 14, 10, 10, 8, 8, 10, 5, 10],
    )


@pytest.mark.parametrize(
    ("players", "base", "longer"),
    [
        (2, 16, 2),
        (3, 12, 2),
        (4, 10, 0),
        (5, 8, 2),
        (6, 7, 1),
        (7, 6, 2),
        (8, 5, 5),
        (9, 5, 0),
        (10, 4, 6),
    ],
)
@pytest.mark.parametrize("dealer", [0, 1])
def test_3_2_dealt_round_the_hands_first_dealt_to_may_have_one_card_more(
    players: int, base: int, longer: int, dealer: int
) -> None:
    deal = Deal.shuffle(2, players=players, rules=ROUND, dealer=dealer)
    from_the_left = [len(deal.hands[(dealer + step) % players]) for step in range(1, players + 1)]
    assert from_the_left == [base + 1] * longer + [base] * (players - longer)
    assert len(deal.stock) == base


def test_3_2_dealt_round_equal_hands_beside_a_larger_extra_hand_are_accepted_too() -> None:
    assert hand_sizes(ROUND, 5, 3) == ((9, 8, 8, 8, 9), (8, 8, 8, 8, 8))
    deal = Deal.shuffle(4, players=5, rules=SPARE)
    assert Round.start(ROUND, deal, dealer=Seat(3)).to_act == 4


def test_3_2_uneven_hands_in_the_wrong_seats_are_refused() -> None:
    deal = Deal.shuffle(2, players=5, rules=ROUND, dealer=0)
    with pytest.raises(BadDeal, match="hands have 8, 9, 9, 8, 8 cards, where 5 players are dealt"):
        Round.start(ROUND, deal, dealer=Seat(1))


def test_3_2_a_spare_hand_may_count_the_turn_up_or_not() -> None:
    assert hand_sizes(SPARE, 2, 0) == ((16, 16), (17, 17))
    assert hand_sizes(in_stock(SPARE), 2, 0) == ((17, 17), (16, 16))


def test_3_2_the_deal_says_what_each_was_dealt() -> None:
    assert Dealt(Seat(1), (2, 2), 46) in begin("3C 4C / 5C 6C").events


def test_3_3_the_table_may_fix_the_hand() -> None:
    rules = Rules.read({"hand_size": 6})
    deal = Deal.shuffle(1, players=5, rules=rules)
    assert [len(hand) for hand in deal.hands] == [6] * 5
    assert len(deal.stock) == 20


def test_3_3_otherwise_hands_of_another_size_are_refused_and_told_how() -> None:
    deal = Deal.shuffle(1, players=4, rules=Rules.read({"hand_size": 10}))
    with pytest.raises(BadDeal, match=r"hands have 10, .*to play hands of 10 set hand_size to 10"):
        Round.start(Rules.HOYLE, deal)


def test_3_3_more_hands_than_cards_are_refused() -> None:
    with pytest.raises(BadRules, match="6 hands of 9 are more than the 50 cards beside the turn"):
        Match.start(Rules.read({"hand_size": 9}), players=6)
    assert len(Deal.shuffle(1, players=5, rules=Rules.read({"hand_size": 10})).stock) == 0


@pytest.mark.parametrize("hand_size", [0, 26])
def test_3_3_no_hand_is_of_no_cards_or_more_than_half_the_pack(hand_size: int) -> None:
    with pytest.raises(BadRules, match=f"a hand has 1 to 25 cards, not {hand_size}"):
        Rules.read({"hand_size": hand_size})


def test_3_4_the_turn_up_makes_trumps_and_takes_no_part() -> None:
    round = begin("9S 3C / JS 4H", "TS")
    assert TurnedUp(Card.parse("TS")) in round.events
    assert round.trump == Card.parse("TS").suit
    assert round.refusal(Card.parse("TS")) == "TS is not in the hand of seat 0"
    assert stops(round.lead(Card.parse("9S"))) == ["0:9S turn-up"]


def test_3_4_apart_the_turn_up_is_no_card_of_the_stock() -> None:
    deal = Deal.shuffle(1, players=4)
    assert len(deal.stock) == 6
    assert deal.turn_up not in deal.stock


def test_3_4_in_the_stock_the_turn_up_counts_as_one_of_its_six_to_eight() -> None:
    assert sizes_and_stocks(in_stock(Rules.HOYLE)) == (
        [22, 15, 11, 9, 7, 6, 5, 5, 4],
        [size - 1 for size in (7, 6, 7, 6, 9, 9, 11, 6, 11)],
    )


def test_3_4_in_the_stock_the_turn_up_counts_as_one_of_the_spare_hand() -> None:
    assert sizes_and_stocks(in_stock(SPARE)) == (
        [17, 12, 10, 8, 7, 6, 5, 5, 4],
        [size - 1 for size in (17, 15, 11, 11, 9, 9, 11, 6, 11)],
    )
    assert in_stock(SPARE).turn_up is Rules.PARLETT.turn_up


def test_3_4_in_the_stock_it_takes_as_little_part() -> None:
    round = begin("9S 3C / JS 4H", "TS", rules=in_stock(SPARE)).lead(Card.parse("9S"))
    assert stops(round) == ["0:9S turn-up"]
    assert Card.parse("TS") in round.dead
    assert Card.parse("TS") not in round.deal.stock


def test_3_5_the_dealer_alone_looks_at_the_stock() -> None:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1), dealer=Seat(2))
    assert View.of(round, 2).stock == round.deal.stock
    assert [View.of(round, seat).stock for seat in (0, 1, 3, None)] == [None] * 4


def test_3_5_nobody_looks_at_the_stock() -> None:
    round = Round.start(Rules.PEEL, Deal.shuffle(1, rules=Rules.PEEL), dealer=Seat(2))
    assert [View.of(round, seat).stock for seat in range(4)] == [None] * 4


def test_3_5_a_dealer_who_sits_out_looks_and_has_no_hand() -> None:
    round = Round.start(SITS_OUT, Deal.shuffle(1, rules=SITS_OUT, dealer=2), dealer=Seat(2))
    assert [len(hand) for hand in round.deal.hands] == [14, 14, 0, 14]
    assert View.of(round, 2).stock == round.deal.stock
    assert View.of(round, 3).stock is None
    assert round.to_act == 3


def test_3_5_a_dealer_who_sits_out_is_never_out_and_pays_nothing_for_cards() -> None:
    round = led(begin("3C 5H / 4C 9C / ", "2D", rules=SITS_OUT), "3C 9C")
    assert plays(round) == "0:3C 1:4C 1:9C"
    assert (round.over, round.winner) == (True, 1)
    assert payments(round) == ["game 1 to 1", "0 1 to 1"]
    assert round.balances == (-1, 2, -15)


def test_3_5_a_dealer_who_sits_out_takes_what_the_turn_up_brings() -> None:
    round = begin("3C 5H / 4C 6C / ", "9D", rules=SITS_OUT)
    assert payments(round) == ["pope 6 to 2", "game 1 to 2", "0 2 to 2", "1 2 to 2"]


@pytest.mark.parametrize("preset", Rules.presets())
def test_3_5_a_dealer_sits_out_under_every_preset(preset: str) -> None:
    rules = Rules.read({"preset": preset, "peek": "dealer-sits-out"})
    match = Match.start(rules, players=3, first_dealer=0)
    for dealer in range(3):
        match = match.deal()
        assert match.round is not None
        assert not match.round.deal.hands[dealer]
        match = played_out(match)
        assert match.round is not None
        assert match.round.turn_up == Card.parse("9D") or match.round.winner != dealer


def test_3_5_a_dealer_cannot_sit_out_of_two() -> None:
    with pytest.raises(BadRules, match="a dealer who sits out leaves too few: 3 or more"):
        Match.start(SITS_OUT, players=2)
    deal = Deal.shuffle(1, players=4, rules=SITS_OUT, dealer=3)
    with pytest.raises(BadDeal, match="hands have 14, 14, 14, 0 cards"):
        Round.start(SITS_OUT, deal, dealer=Seat(0))


def test_3_5_what_the_dealer_sees_in_the_stock_changes_what_the_dealer_must_lead() -> None:
    deal = fill("5H KS / 4H 9S / 3C 4C", "2C", rules=Rules.HOYLE, dealer=0, stock="6H")
    round = Round.start(Rules.HOYLE, deal, dealer=Seat(0))
    assert Card.parse("5H") in View.of(round, 0).stops
    assert Card.parse("5H") not in View.of(round, 1).stops
    with pytest.raises(IllegalPlay):
        round.lead(Card.parse("5H"))
    assert round.board[Compartment.POPE] == 6
    assert CardSet.parse("6H") <= deal.stock
