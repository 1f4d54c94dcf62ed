"""The examples that the books print: each is a record under ``tests/records`` and happens so.

Numbered as in the collection of sources; E9 (the wild Pope) is a game that is not played here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from popejoan.board import Compartment
from popejoan.cards import Card, CardSet, Seat
from popejoan.events import Claimed, Excused, Led, Stop, Stopped
from popejoan.leads import known_stops
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

RECORDS = Path(__file__).parent / "records"


def example(name: str) -> Round:
    """The one round of a printed example."""
    (round_,) = Record.read((RECORDS / f"{name}.txt").read_text(encoding="utf-8")).rounds
    return round_


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def stops(round_: Round) -> dict[str, Stop]:
    """Each card that stopped a run, and why."""
    return {repr(event.card): event.stop for event in round_.events if isinstance(event, Stopped)}


def runs(round_: Round) -> list[str]:
    """Each run, its cards in letters, with a mark between different players."""
    found: list[list[str]] = []
    for play in round_.plays:
        if isinstance(play, Led):
            found.append([])
        found[-1].append(f"{play.seat}:{play.card!r}")
    return [" ".join(run) for run in found]


def takings(round_: Round, seat: int) -> list[Compartment]:
    return [
        event.compartment
        for event in round_.events
        if isinstance(event, Claimed) and event.seat == seat
    ]


def test_e1_the_card_below_the_turn_up_is_a_stop() -> None:
    """The ten of spades is turned up: the nine is a stop, clause 5.3."""
    round_ = example("E1")
    assert repr(round_.turn_up) == "TS"
    assert stops(round_)["9S"] is Stop.TURN_UP
    assert "0:9S" in runs(round_)


def test_e2_a_run_ends_below_a_card_that_has_been_led() -> None:
    """The eight of clubs was led earlier; a run from below ends at the seven."""
    round_ = example("E2")
    played = [repr(play.card) for play in round_.plays]
    assert Card.parse("8C") in round_.leads
    assert Card.parse("7C") not in round_.leads
    assert played.index("8C") < played.index("7C")
    assert stops(round_)["7C"] is Stop.PLAYED


def test_e2_the_seven_may_also_be_led_alone() -> None:
    round_ = example("E2")
    leads = round_.leads[: 1 + round_.leads.index(Card.parse("8C"))]
    after = Round.replay(round_.rules, round_.deal, leads)
    holder = next(seat for seat in range(4) if Card.parse("7C") in after.hand(seat))
    assert Card.parse("7C") in View.of(after, holder).stops
    assert known_stops(round_.rules.order, after.played.mask) & Card.parse("7C").bit


def test_e3_the_player_of_the_seven_of_diamonds_leads_and_the_two_is_a_new_stop() -> None:
    round_ = example("E3")
    assert runs(round_)[0] == "1:3D 2:4D 3:5D 2:6D 3:7D"
    assert stops(round_)["7D"] is Stop.REMOVED
    after = Round.replay(round_.rules, round_.deal, "3D")
    assert after.leader == 3
    for seat in range(4):
        before = View.of(Round.start(round_.rules, round_.deal), seat)
        assert Card.parse("2D") not in before.stops
        assert Card.parse("2D") in View.of(after, seat).stops
    assert stops(round_)["2D"] is Stop.PLAYED


def test_e4_the_extra_hand_makes_seven_stops_besides_the_five_that_always_are() -> None:
    round_ = example("E4")
    assert round_.deal.stock == CardSet.parse("2S 5S 9S 6H 10H JD KC")
    extra, always = cards("AS 4S 8S 5H 9H 10D QC"), cards("KS KH KD KC 7D")
    known = CardSet(known_stops(round_.rules.order, round_.dead.mask))
    assert known == CardSet.of(extra + always)
    for card in extra:
        assert stops(round_)[repr(card)] is Stop.STOCK
    assert stops(round_)["7D"] is Stop.REMOVED
    assert [stops(round_)[king] for king in ("KS", "KH", "KD")] == [Stop.END] * 3


def test_e5_nothing_leads_to_the_card_above_a_dead_one() -> None:
    round_ = example("E5")
    assert Card.parse("TH") in round_.dead
    assert stops(round_)["9H"] is Stop.STOCK
    assert Card.parse("JH") in round_.leads


def test_e6_six_cards_can_only_be_led_at_the_start() -> None:
    """The aces, Pope, and the card above the turn-up; the card below the turn-up is a stop."""
    round_ = example("E6")
    assert repr(round_.turn_up) == "5S"
    assert set(cards("AS AH AD AC 9D 6S")) <= set(round_.leads)
    assert stops(round_)["4S"] is Stop.TURN_UP
    reached = {round_.rules.order.following[card] for hand in round_.deal.hands for card in hand}
    assert not reached & set(cards("AS AH AD AC 9D"))
    assert round_.rules.order.following[Card.parse("5S")] == Card.parse("6S")


def test_e7_the_imaginary_deal_of_five_goes_as_told() -> None:
    """Every step of Peel's deal: eldest is seat 1, the taker of matrimony seat 3."""
    round_ = example("E7")
    assert round_.rules == Rules.PEEL
    assert round_.players == 5
    assert [len(hand) for hand in round_.deal.hands] == [8] * 5
    assert len(round_.deal.stock) == 10
    assert repr(round_.turn_up) == "7H"
    assert round_.eldest == 1
    assert round_.deal.hands[1] == CardSet.parse("5D 7D 4H JH JS KS AC QC")
    assert {*cards("4C KC")} <= {*round_.deal.stock}
    assert runs(round_) == [
        "1:JS 4:QS 1:KS",  # eldest leads the knave; another's queen lets the king follow
        "1:5D 2:6D 1:7D",
        "1:AC 2:2C 3:3C",  # the four lies in the spare hand
        "3:QH 3:KH",
        "3:7S 0:8S 4:9S 3:TS",  # a stop, as knave, queen and king are gone
        "3:9C 0:TC 2:JC 1:QC",  # the king lies in the spare hand
        "1:JH",  # a stop since the queen was played
        "1:4H",
    ]
    assert stops(round_) == {
        "KS": Stop.END,
        "7D": Stop.REMOVED,
        "3C": Stop.STOCK,
        "KH": Stop.END,
        "TS": Stop.PLAYED,
        "QC": Stop.STOCK,
        "JH": Stop.PLAYED,
    }
    assert takings(round_, 3) == [
        Compartment.QUEEN,
        Compartment.KING,
        Compartment.MATRIMONY,
    ]
    assert takings(round_, 1) == [Compartment.KNAVE, Compartment.GAME]


def test_e7_eldest_knows_two_stops_and_then_finds_more() -> None:
    round_ = example("E7")
    start = Round.start(round_.rules, round_.deal)
    assert View.of(start, 1).stops & start.hand(1) == CardSet.parse("7D KS")
    later = Round.replay(round_.rules, round_.deal, "JS 5D AC QH")
    assert Card.parse("TS") in View.of(later, 3).stops & later.hand(3)
    last = Round.replay(round_.rules, round_.deal, "JS 5D AC QH 7S 9C")
    assert last.hand(1) == CardSet.parse("4H JH")
    assert Card.parse("JH") in View.of(last, 1).stops


def test_e7_eldest_goes_out_and_the_holder_of_pope_pays_nothing() -> None:
    round_ = example("E7")
    assert round_.winner == 1
    assert Excused(Seat(4), 6) in round_.events
    # The dealer laid 6 and each other 3; 6, 5 and 2 cards were left beside the holder of Pope's.
    assert round_.balances == (-6 - 6, -3 + 1 + 4 + 6 + 5 + 2, -3 - 5, -3 + 4 - 2, -3)


@pytest.mark.parametrize(("name", "players", "hand"), [("E8-five", 5, 8), ("E8-eight", 8, 5)])
def test_e8_the_spare_hand_takes_what_is_over(name: str, players: int, hand: int) -> None:
    """Two are over with five players, five with eight; the spare hand has ten."""
    round_ = example(name)
    assert round_.rules == Rules.PEEL
    assert [len(dealt) for dealt in round_.deal.hands] == [hand] * players
    assert len(round_.deal.stock) == 10


def test_e10_knave_to_ace_of_trumps_in_one_hand_take_six_of_the_eight() -> None:
    round_ = example("E10")
    assert round_.rules == Rules.PARLETT
    assert any(run.endswith("1:JC 1:QC 1:KC 1:AC") for run in runs(round_))
    assert takings(round_, 1)[:6] == [
        Compartment.KNAVE,
        Compartment.QUEEN,
        Compartment.INTRIGUE,
        Compartment.KING,
        Compartment.MATRIMONY,
        Compartment.ACE,
    ]
    assert stops(round_)["AC"] is Stop.END


def test_e11_a_run_goes_on_until_a_stop() -> None:
    round_ = example("E11")
    assert runs(round_)[0] == "1:2D 2:3D 3:4D"
    assert stops(round_)["4D"] is Stop.STOCK
    assert Round.replay(round_.rules, round_.deal, "2D").leader == 3
