"""Chapter 5 of RULES.md: leading."""

from __future__ import annotations

import pytest

from popejoan.cards import BadRules, Card, CardSet, IllegalPlay
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

from .table import FREE, begin, led, plays

BOOK = Rules.HOYLE
NOBODY = Rules.read({"peek": "nobody"})
LOWEST = Rules.read({"lead": "lowest"})
LOWEST_IN_HAND = Rules.read({"lead": "lowest-in-hand"})


def high(rules: Rules) -> Rules:
    return Rules.read({"lead": rules.lead, "ace": "high"})


FIXED_STOPS = CardSet.parse("KC KD KH KS 7D")


def others(size: int) -> str:
    """A hand of the dealer's that nothing runs into: low hearts."""
    return " ".join(f"{rank}H" for rank in "23456789TJ"[:size])


def leads(hand: str, rules: Rules = BOOK, turn_up: str = "2S") -> str:
    """What the eldest hand may lead from these cards."""
    return begin(f"{hand} / {others(len(hand.split()))}", turn_up, rules=rules).legal.text


def refused(round: Round, card: str) -> str:
    with pytest.raises(IllegalPlay) as error:
        round.lead(Card.parse(card))
    why = round.refusal(Card.parse(card))
    assert why is not None
    assert str(error.value) == why
    return why


@pytest.mark.parametrize("dealer", range(4))
def test_5_1_the_player_at_the_dealers_left_leads(dealer: int) -> None:
    round = begin("3C 4H / 4C 5H / 5C 6H / 6C 7H", dealer=dealer)
    assert round.to_act == round.eldest == (dealer + 1) % 4


def test_5_1_nobody_else_may() -> None:
    round = begin("3C 4H / KC 5H")
    assert refused(round, "KC") == "KC is not in the hand of seat 0"


@pytest.mark.parametrize("stop", ["KC", "KD", "KH", "KS", "7D"])
def test_5_2_book_a_fixed_stop_is_led_first(stop: str) -> None:
    hand = f"{stop} 9D AC 3S 4S"
    assert leads(hand) == stop
    round = begin(f"{hand} / {others(5)}", "2S", rules=BOOK)
    assert refused(round, "AC") == f"AC may not be led: a known stop must be led first: {stop}"
    assert refused(round, "9D") == f"9D may not be led: a known stop must be led first: {stop}"


def test_5_2_book_any_stop_of_several() -> None:
    assert leads("KC 7D KS 9S 3C", turn_up="TS") == "KC 7D 9S KS"


def test_5_2_book_with_no_stop_pope_is_led() -> None:
    assert leads("9D AC 3S 4S") == "9D"
    round = begin(f"9D AC 3S 4S / {others(4)}", "2S", rules=BOOK)
    assert refused(round, "AC") == (
        "AC may not be led: with no known stop in hand Pope must be led: 9D"
    )


def test_5_2_book_pope_is_among_the_stops_when_the_ten_of_diamonds_is_gone() -> None:
    assert leads("9D KC 3S 4S", turn_up="TD") == "KC 9D"
    assert leads("9D KC 3S 4S", turn_up="JD") == "KC"
    after = led(begin("TD 3S / 9D 4S / 5H 7H", "2H", rules=FREE), "TD")
    assert Card.parse("9D") in View.of(after, 1).stops


def test_5_2_book_else_the_lowest_card_of_the_longest_suit() -> None:
    assert leads("3C 5C 8C 4S TS QH") == "3C"
    round = begin(f"3C 5C 8C 4S TS QH / {others(6)}", "2S", rules=BOOK)
    for card in ("5C", "4S", "QH"):
        assert refused(round, card) == (
            f"{card} may not be led: the lowest card of the longest suit, or an ace, must be "
            "led: 3C"
        )


def test_5_2_book_of_equally_long_suits_the_leader_chooses() -> None:
    assert leads("3C 5C 4S TS QH") == "3C 4S"
    assert leads("3C 4S QH 6D") == "3C 6D QH 4S"


def test_5_2_book_or_any_ace() -> None:
    assert leads("3C 5C 8C AS TS AH", turn_up="KH") == "3C AH AS"
    assert leads("AC 5C 8C 4S TS") == "AC"
    assert leads("AC AD AH AS", turn_up="KH") == "AC AD AH AS"


def test_5_2_book_an_ace_below_a_two_turned_up_is_a_stop_and_goes_first() -> None:
    assert leads("3C 5C 8C AS TS AH", turn_up="2S") == "AS"


def test_5_2_book_binds_every_lead_not_the_first_alone() -> None:
    round = begin(f"KC 9D 3C 5C 4S / {others(5)}", "2S", rules=BOOK)
    assert round.legal.text == "KC"
    round = round.lead(Card.parse("KC"))
    assert round.legal.text == "9D"
    round = round.lead(Card.parse("9D"))
    assert (round.legal.text, plays(round)) == ("3C", "0:KC 0:9D")


def test_5_2_book_wants_the_ace_low() -> None:
    with pytest.raises(BadRules, match="it wants ace=low"):
        high(BOOK)


def test_5_2_any_card_may_be_led() -> None:
    hand = "KC 9D AC 3S 4S"
    assert CardSet.parse(leads(hand, FREE)) == CardSet.parse(hand)
    assert CardSet.parse(leads(hand, high(FREE))) == CardSet.parse(hand)


def test_5_2_lowest_the_lowest_card_of_a_suit_of_his_choice() -> None:
    assert leads("KC 9C AD 9D 3S 4S", LOWEST) == "9C AD 3S"
    assert leads("KC 9D JD", LOWEST) == "KC 9D"
    round = begin(f"KC 9C AD 9D 3S 4S / {others(6)}", "2S", rules=LOWEST)
    assert refused(round, "9D") == (
        "9D may not be led: only the lowest card of a suit may be led: 9C AD 3S"
    )


def test_5_2_lowest_with_the_ace_high_an_ace_is_the_lowest_only_alone() -> None:
    assert leads("KC 9C AD 9D 3S 4S AH", high(LOWEST)) == "9C 9D AH 3S"


def test_5_2_lowest_in_hand_the_lowest_rank_of_any_suit() -> None:
    assert leads("KC 5C 9D 3S 4S", LOWEST_IN_HAND) == "3S"
    assert leads("KC 3C 9D 3S 4S", LOWEST_IN_HAND) == "3C 3S"
    assert leads("KC AC 9D AS 4S", LOWEST_IN_HAND) == "AC AS"
    round = begin(f"KC 3C 9D 3S 4S / {others(5)}", "2S", rules=LOWEST_IN_HAND)
    assert refused(round, "9D") == (
        "9D may not be led: only the lowest rank in the hand may be led: 3C 3S"
    )


def test_5_2_lowest_in_hand_with_the_ace_high_an_ace_is_the_highest() -> None:
    assert leads("KC AC 9D AS", high(LOWEST_IN_HAND)) == "9D"
    assert leads("AC AS", high(LOWEST_IN_HAND)) == "AC AS"


@pytest.mark.parametrize(
    ("preset", "may"),
    [
        ("HOYLE", "KC"),
        ("CASSELL", "AC KC 9D 3S 4S"),
        ("PEEL", "AC KC 9D 3S 4S"),
        ("HOFFMANN", "AC KC 9D 3S 4S"),
        ("PARLETT", "KC 9D 3S"),
    ],
)
def test_5_2_by_each_book(preset: str, may: str) -> None:
    assert CardSet.parse(leads("AC KC 9D 3S 4S", Rules.presets()[preset])) == CardSet.parse(may)


def test_5_3_the_card_below_the_turn_up_is_a_known_stop() -> None:
    assert leads("9S 3C 5C QH", turn_up="TS") == "9S"
    assert leads("9S 3C 5C QH", turn_up="JS") == "3C"


@pytest.mark.parametrize("turn_up", ["AS", "AD", "9D"])
def test_5_3_an_ace_or_pope_turned_up_has_no_card_below(turn_up: str) -> None:
    rules = Rules.read({"pope_turned": "head"})
    round = begin("3C 4H / 5C 6C", turn_up, rules=rules)
    assert View.of(round, 0).stops == FIXED_STOPS


def test_5_3_a_card_is_a_known_stop_when_the_next_has_been_played() -> None:
    round = led(begin(f"8C 3S 4S 7C / {others(4)}", rules=FREE), "8C")
    assert Card.parse("7C") in View.of(round, 0).stops
    round = led(begin(f"KC QC 3S 4S / {others(4)}", "2S", rules=BOOK), "KC")
    assert round.legal.text == "QC"


@pytest.mark.parametrize(("rules", "may"), [(BOOK, "8S"), (NOBODY, "3S")])
def test_5_3_a_dealer_who_may_look_knows_the_stops_that_the_stock_makes(
    rules: Rules, may: str
) -> None:
    # 0 leads 2C, the dealer follows and leads; 4S is in a hand, 9S in the stock.
    round = led(begin("2C 4S 6H / 3C 3S 8S", "AD", rules=rules), "2C")
    assert plays(round) == "0:2C 1:3C"
    assert (round.to_act, round.legal.text) == (1, may)
    assert (Card.parse("8S") in View.of(round, 1).stops) is (rules is BOOK)


def test_5_3_nobody_else_knows_them() -> None:
    round = begin("2C 4S 6H / 3C 3S 8S", "AD", rules=BOOK)
    assert Card.parse("7H") in round.deal.stock
    assert round.legal.text == "2C 6H 4S"
    assert View.of(round, 0).stops == FIXED_STOPS
    dealer_leads = begin("2C 4S 6H / 3C 3S 8S", "AD", rules=BOOK, dealer=0)
    assert (dealer_leads.to_act, dealer_leads.legal.text) == (1, "3S")


def test_5_3_what_a_player_could_work_out_does_not_bind_him() -> None:
    # He holds 4S and 5S, so nobody else can follow the 4S; the rule does not ask him to lead it.
    assert leads("4S 5S 3C 5C 8C") == "3C"


def test_5_3_with_the_ace_high_the_aces_take_the_place_of_the_kings() -> None:
    round = begin("3C 4H / 5C 6C", "2S", rules=high(FREE))
    assert View.of(round, 0).stops == CardSet.parse("AC AD AH AS 7D")


def test_5_3_a_new_deal_starts_from_the_fixed_stops() -> None:
    round = Match.start(Rules.PEEL, players=4, seed=1).deal().round
    assert round is not None
    below = View.of(round, 0).stops - FIXED_STOPS
    assert [round.rules.order.following[card] for card in below] == [round.turn_up]
