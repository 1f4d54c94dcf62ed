"""Chapter 7 of RULES.md: earning the stakes, and claiming them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popejoan.board import Board, Compartment
from popejoan.cards import Card, IllegalClaim, Seat
from popejoan.deal import Deal
from popejoan.events import Claimed, ClaimsSwitched, Earned, Lapsed, Switched
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Ending, Rules

from .table import FREE, begin, fill, led, payments, played_out, plays, stakes

SPLIT = Rules.read({"lead": "any", "pairs": "split"})
AT_ONCE = Rules.read({"lead": "any", "claims": "at-once"})
CARDS = Rules.read({"lead": "any", "pope_played": "head-and-cards"})
KING, POPE = Compartment.KING, Compartment.POPE


@pytest.mark.parametrize(
    ("card", "head"), [("AS", "ace"), ("KS", "king"), ("QS", "queen"), ("JS", "knave")]
)
def test_7_1_an_honour_of_trumps_earns_its_compartment(card: str, head: str) -> None:
    assert payments(led(begin(f"{card} 3H / 4C 5C", "5S"), card)) == [f"{head} 1 to 0"]


@pytest.mark.parametrize("card", ["AS", "KS", "QS", "JS"])
def test_7_1_an_honour_of_another_suit_earns_nothing(card: str) -> None:
    assert payments(led(begin(f"{card} 3H / 4C 5C", "5H"), card)) == []


@pytest.mark.parametrize("turn_up", ["5S", "5H", "5D", "5C"])
def test_7_1_pope_earns_whatever_is_trumps(turn_up: str) -> None:
    assert payments(led(begin("9D 3H / 4C 6C", turn_up), "9D")) == ["pope 6 to 0"]


def test_7_1_whoever_follows_with_the_card_earns_it() -> None:
    round = led(begin("TS 3H / JS 4C / QS 5C", "5S"), "TS")
    assert payments(round) == ["knave 1 to 1", "queen 1 to 2"]


def test_7_1_the_whole_stake_is_earned() -> None:
    round = led(begin("KS 3H / 4C 5C", "5S", board=Board.of(king=8)), "KS")
    assert payments(round) == ["king 9 to 0"]


@pytest.mark.parametrize(
    ("leads", "earned"),
    [
        ("QS", ["queen 1 to 0", "king 1 to 0", "matrimony 2 to 0"]),
        ("KS QS", ["king 1 to 0", "queen 1 to 0", "matrimony 2 to 0"]),
        ("KS 3H QS", ["king 1 to 0", "queen 1 to 0", "matrimony 2 to 0"]),
    ],
)
def test_7_2_matrimony_in_either_order(leads: str, earned: list[str]) -> None:
    assert payments(led(begin("KS QS 3H 6H / 4C 5C 7C 8C", "5S"), leads)) == earned


@pytest.mark.parametrize(
    ("leads", "earned"),
    [
        ("JS", ["knave 1 to 0", "queen 1 to 0", "intrigue 2 to 0"]),
        ("QS JS", ["queen 1 to 0", "knave 1 to 0", "intrigue 2 to 0"]),
        ("QS 3H JS", ["queen 1 to 0", "knave 1 to 0", "intrigue 2 to 0"]),
    ],
)
def test_7_2_intrigue_in_either_order(leads: str, earned: list[str]) -> None:
    assert payments(led(begin("QS JS 3H 6H / 4C 5C 7C 8C", "5S"), leads)) == earned


def test_7_2_knave_queen_king_and_ace_take_six_of_the_eight() -> None:
    high = Rules.read({"preset": "PARLETT"})
    round = led(begin("JS QS KS AS 3H / 4C 5C 6C 7C 8C", "5S", rules=high), "JS")
    assert plays(round) == "0:JS 0:QS 0:KS 0:AS"
    assert payments(round) == [
        "knave 1 to 0",
        "queen 1 to 0",
        "intrigue 2 to 0",
        "king 1 to 0",
        "matrimony 2 to 0",
        "ace 1 to 0",
    ]
    assert round.board == Board.of(game=1, pope=6)


def test_7_2_a_pair_of_another_suit_earns_nothing() -> None:
    assert payments(led(begin("JS QS KS 3H / 4C 5C 6C 7C", "5H"), "JS")) == []


def test_7_2_a_pair_in_two_hands_is_earned_by_nobody() -> None:
    round = led(begin("JS KS 3H / QS 4C 5C", "5S"), "JS")
    assert plays(round) == "0:JS 1:QS 0:KS"
    assert payments(round) == ["knave 1 to 0", "queen 1 to 1", "king 1 to 0"]
    assert stakes(round.board, "matrimony intrigue") == [2, 2]


def test_7_2_split_a_pair_in_two_hands_is_shared() -> None:
    round = led(begin("JS KS 3H / QS 4C 5C", "5S", rules=SPLIT), "JS")
    assert payments(round) == [
        "knave 1 to 0",
        "queen 1 to 1",
        "intrigue 1 to 0",
        "intrigue 1 to 1",
        "king 1 to 0",
        "matrimony 1 to 1",
        "matrimony 1 to 0",
    ]


def test_7_2_split_in_either_order() -> None:
    round = led(begin("KS TS 3H / JS QS 5C", "5S", rules=SPLIT), "KS TS")
    assert payments(round) == [
        "king 1 to 0",
        "knave 1 to 1",
        "queen 1 to 1",
        "matrimony 1 to 0",
        "matrimony 1 to 1",
        "intrigue 2 to 1",
    ]


def test_7_2_split_the_queen_shares_both_pairs_among_three() -> None:
    round = led(begin("JS 3H / QS 4C / KS 5C", "5S", rules=SPLIT), "JS")
    assert payments(round) == [
        "knave 1 to 0",
        "queen 1 to 1",
        "intrigue 1 to 0",
        "intrigue 1 to 1",
        "king 1 to 2",
        "matrimony 1 to 1",
        "matrimony 1 to 2",
    ]


def test_7_2_split_an_odd_counter_stays() -> None:
    board = Board.of(intrigue=3)
    round = led(begin("JS 3H / QS 4C", "5S", rules=SPLIT, board=board), "JS")
    assert payments(round)[2:] == ["intrigue 2 to 0", "intrigue 2 to 1"]
    assert round.board[Compartment.INTRIGUE] == 1


def test_7_2_split_a_stake_of_one_stays_whole() -> None:
    one = Rules.read({**SPLIT.as_dict(), "stakes": {**SPLIT.stakes.as_dict(), "intrigue": 1}})
    round = led(begin("JS 3H / QS 4C", "5S", rules=one), "JS")
    assert payments(round) == ["knave 1 to 0", "queen 1 to 1"]
    assert round.board[Compartment.INTRIGUE] == 1


def test_7_2_split_leaves_a_pair_in_one_hand_whole() -> None:
    round = led(begin("QS KS 3H / 4C 5C 6C", "5S", rules=SPLIT), "QS")
    assert payments(round) == ["queen 1 to 0", "king 1 to 0", "matrimony 2 to 0"]


@pytest.mark.parametrize("rules", [FREE, SPLIT])
def test_7_2_a_pair_with_a_card_in_the_stock_is_earned_by_nobody(rules: Rules) -> None:
    assert payments(led(begin("KS 3H / 4C 5C", "5S", rules=rules), "KS")) == ["king 1 to 0"]


def test_7_3_a_card_earns_nothing_unless_it_is_played() -> None:
    round = led(begin("3C 5H / 4C KS", "5S"), "3C")
    assert payments(round) == []
    round = led(round, "KS")
    assert payments(round) == ["king 1 to 1", "game 1 to 1", "0 1 to 1"]


def test_7_3_what_is_in_hand_at_the_end_has_earned_nothing() -> None:
    round = led(begin("3C / KS", "5S"), "3C")
    assert payments(round) == ["game 1 to 0", "1 1 to 0"]
    assert round.board[KING] == 1


def test_7_4_with_the_switch_on_a_claim_is_made_as_the_stake_is_earned() -> None:
    round = led(begin("KS 3H / 4C 5C", "5S"), "KS")
    assert round.events[-3:-1] == (Earned(Seat(0), KING, 1), Claimed(Seat(0), KING, 1))
    assert (round.due, round.board[KING], round.balances) == ((), 0, (1, -15))


def test_7_4_with_the_switch_off_the_stake_waits_until_it_is_claimed() -> None:
    round = led(begin("KS 3H / 4C 5C", "5S", claiming="-+"), "KS")
    assert round.due == ((0, KING, 1),)
    assert (round.board[KING], round.balances) == (1, (0, -15))
    claimed = round.claim(Seat(0), KING)
    assert (claimed.due, claimed.board[KING], claimed.balances) == ((), 0, (1, -15))
    assert claimed.events[-1] == Claimed(Seat(0), KING, 1)


def test_7_4_a_claim_may_be_made_after_the_round_is_over() -> None:
    round = led(begin("KS / 4C", "5S", claiming="-+"), "KS")
    assert round.over
    assert payments(round) == ["game 1 to 0", "1 1 to 0"]
    assert payments(round.claim(Seat(0), KING))[2:] == ["king 1 to 0"]


def test_7_4_only_what_has_been_earned_may_be_claimed_and_once() -> None:
    round = led(begin("KS 3H / 4C 5C", "5S", claiming="-+"), "KS")
    with pytest.raises(IllegalClaim, match="seat 1 has no claim on king: due to it is nothing"):
        round.claim(Seat(1), KING)
    with pytest.raises(IllegalClaim, match="seat 0 has no claim on pope: due to it is king"):
        round.claim(Seat(0), POPE)
    with pytest.raises(IllegalClaim, match="seat 0 has no claim on king: due to it is nothing"):
        round.claim(Seat(0), KING).claim(Seat(0), KING)


def test_7_4_the_switch_turned_on_claims_all_that_is_due() -> None:
    round = led(begin("QS KS 3H / 4C 5C 6C", "5S", claiming="-+"), "QS")
    assert [item.compartment for item in round.due] == ["queen", "king", "matrimony"]
    on = round.claim_for(Seat(0), on=True)
    assert payments(on) == ["queen 1 to 0", "king 1 to 0", "matrimony 2 to 0"]
    assert Switched(Seat(0), on=True) in on.events
    assert on.claim_for(Seat(0), on=True) == on


def test_7_4_each_switch_is_its_own_seats() -> None:
    round = led(begin("QS 3H / KS 4C / 6H 8H", "5S", claiming="--+"), "QS")
    assert [(item.seat, item.compartment) for item in round.due] == [(0, "queen"), (1, "king")]
    on = round.claim_for(Seat(1), on=True)
    assert on.claiming == (False, True, True)
    assert payments(on) == ["king 1 to 1"]
    assert [item.seat for item in on.due] == [0]


def test_7_4_the_switch_turned_off_leaves_later_claims_to_the_player() -> None:
    round = begin("KS 3H / 4C 5C", "5S").claim_for(Seat(0), on=False)
    assert led(round, "KS").due == ((0, KING, 1),)


def test_7_4_what_is_due_is_what_lay_there_when_it_was_earned() -> None:
    rules = Rules.read({"lead": "any", "card_money": "board"})
    hands = "KS / 4C / 6C / 8C"  # three counters of card money: Game, then the ace, then the king
    round = led(begin(hands, "5S", rules=rules, claiming="-+++"), "KS")
    assert stakes(round.board, "game ace king") == [1, 2, 2]
    after = round.claim(Seat(0), KING)
    assert payments(after)[-1] == "king 1 to 0"
    assert after.board[KING] == 1


def test_7_4_an_unclaimed_stake_stays_and_the_claim_lapses_at_the_next_dressing() -> None:
    rules = Rules.read({"hand_size": 1})
    deal = begin("KS / 4C", "5S").deal
    match = Match.start(rules, players=2, first_dealer=1).claim_for(0, on=False)
    match = match.deal(deal).lead(Card.parse("KS"))
    assert match.claim(Seat(0), KING).purses == (48 + 1 + 1 + 1, 48 - 15 - 1)
    after = match.deal(Deal.shuffle(1, players=2, rules=rules))
    assert after.events == (ClaimsSwitched(0, on=False), Lapsed(0, KING, 1))
    assert after.round is not None
    assert after.round.opening.board[KING] == 1
    assert after.round.due == ()
    with pytest.raises(IllegalClaim):
        after.claim(Seat(1), KING)


def test_7_4_a_member_keeps_the_switch_from_deal_to_deal() -> None:
    match = played_out(Match.start(players=3, seed=4).claim_for(2, on=False).deal()).deal()
    assert match.round is not None
    assert match.round.claiming == (True, True, False)


def test_7_4_a_member_may_turn_the_switch_during_a_deal() -> None:
    deal = begin("KS 3H / 4C 5C", "5S").deal
    match = Match.start(Rules.read({"hand_size": 2}), players=2, first_dealer=1).deal(deal)
    match = match.claim_for(0, on=False).lead(Card.parse("KS"))
    assert match.board[KING] == 1
    match = match.claim_for(0, on=True)
    assert match.board[KING] == 0
    assert match.claiming == (True, True)


def test_7_4_the_switch_of_one_who_sits_in_no_deal_waits_for_the_next() -> None:
    match = played_out(Match.start(players=2, seed=4).deal()).join().claim_for(2, on=False)
    assert match.claiming == (True, True, False)
    assert match.round is not None
    assert match.round.claiming == (True, True)


def test_7_4_claims_lapse_when_the_stakes_are_divided() -> None:
    rules = Rules.read({"hand_size": 1})
    match = Match.start(rules, players=2, first_dealer=1, deals=1).claim_for(0, on=False)
    match = match.deal(begin("KS / 4C", "5S").deal).lead(Card.parse("KS")).divide()
    assert Lapsed(0, KING, 1) in match.events
    assert match.board.total == 0


def test_7_4_when_the_stakes_stay_a_claim_may_still_be_made() -> None:
    rules = replace(Rules.HOYLE, hand_size=1, ending=Ending.STAYS)
    match = Match.start(rules, players=2, first_dealer=1, deals=1).claim_for(0, on=False)
    match = match.deal(begin("KS / 4C", "5S").deal).lead(Card.parse("KS"))
    assert match.over
    assert match.claim(Seat(0), KING).board[KING] == 0


def test_7_4_at_once_a_stake_is_taken_whatever_the_switch_says() -> None:
    round = led(begin("KS 3H / 4C 5C", "5S", rules=AT_ONCE, claiming="--"), "KS")
    assert payments(round) == ["king 1 to 0"]
    assert round.due == ()
    assert [event for event in round.events if isinstance(event, Earned)] == []


@pytest.mark.parametrize(
    ("preset", "called"),
    [("HOYLE", 1), ("CASSELL", 1), ("PEEL", 0), ("HOFFMANN", 0), ("PARLETT", 0)],
)
def test_7_4_by_each_book(preset: str, called: int) -> None:
    rules = Rules.presets()[preset]
    round = led(begin("9D / 4C", "5S", rules=rules, claiming="-+"), "9D")
    assert len(round.due) == called


def test_7_5_playing_pope_earns_its_compartment_and_no_more() -> None:
    assert payments(led(begin("9D 3H / 4C 6C / 7C 8C", "5S"), "9D")) == ["pope 6 to 0"]


def test_7_5_with_cards_the_others_pay_for_the_cards_they_then_hold() -> None:
    round = led(begin("7C 9D 3H / 4C 6C 8H / 5C TC QH", "5S", rules=CARDS, dealer=0), "4C")
    assert plays(round) == "1:4C 2:5C 1:6C 0:7C"
    assert payments(led(round, "9D")) == ["pope 6 to 0", "1 1 to 0", "2 2 to 0"]


def test_7_5_with_cards_one_who_goes_out_with_pope_is_paid_twice() -> None:
    round = led(begin("9D / 4C / 5C", "5S", rules=CARDS), "9D")
    pope, game = ["pope 6 to 0"], ["game 1 to 0"]
    cards = ["1 1 to 0", "2 1 to 0"]
    assert payments(round) == [*pope, *cards, *game, *cards]


def test_7_5_with_cards_the_money_is_paid_even_while_pope_is_not_claimed() -> None:
    round = led(begin("9D 3H / 4C 6C", "5S", rules=CARDS, claiming="-+"), "9D")
    assert payments(round) == ["1 2 to 0"]
    assert round.due == ((0, POPE, 6),)


def test_7_5_in_a_full_deal_of_peel() -> None:
    deal = fill("/9D //", "5S", rules=Rules.PEEL, dealer=0)
    round = Round.start(Rules.PEEL, deal, dealer=Seat(0)).play(Card.parse("9D"))
    assert payments(round) == ["pope 6 to 1", "2 10 to 1", "3 10 to 1", "0 10 to 1"]
