"""What a seat may know: nothing in its view hangs on a card that it has not seen."""

from __future__ import annotations

import json
from itertools import zip_longest

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from popejoan.board import Board
from popejoan.cards import PACK, Card, CardSet, IllegalPlay, Seat
from popejoan.deal import Chance, Deal
from popejoan.events import Stop, Stopped
from popejoan.round import Round
from popejoan.rules import Lead, Peek, Rules
from popejoan.testing import LawBroken, retell
from popejoan.testing import strategies as some
from popejoan.view import View
from popejoan.wire import to_wire


def _seats(round: Round) -> list[Seat | None]:
    return [None, *map(Seat, range(round.players))]


def _looks_the_same(one: Round, other: Round, seat: int | None) -> None:
    """Assert that the seat can tell nothing of which of the two rounds it sits in."""
    mine, theirs = View.of(one, seat), View.of(other, seat)
    assert mine == theirs
    assert json.dumps(to_wire(mine)) == json.dumps(to_wire(theirs))
    assert mine.legal == theirs.legal
    tried = one.legal | other.legal | mine.hand
    assert [mine.refusal(card) for card in tried] == [theirs.refusal(card) for card in tried]


def _told_the_same(one: Round, other: Round, seat: int | None) -> None:
    """Assert it of every state that the two rounds came through."""
    for before, after in zip_longest(retell(one), retell(other)):
        _looks_the_same(before, after, seat)


def _going_on_the_same(one: Round, other: Round, seat: int | None, seed: int) -> int:
    """Assert it of the states to come while the same happens in both; how many those were."""
    chance, alike = Chance(seed), 0
    while not one.over and one.to_act == other.to_act and (both := one.legal & other.legal):
        card = chance.pick(both)
        one, other = one.play(card), other.play(card)
        if one.events != other.events:
            break
        _looks_the_same(one, other, seat)
        alike += 1
    return alike


@given(some.rounds(), some.seeds)
@settings(max_examples=20)
def test_a_seat_sees_nothing_of_which_sampled_world_it_is_in(round: Round, seed: int) -> None:
    seats = _seats(round)
    for seat in (None, round.dealer, seats[seed % len(seats)]):
        other = View.of(round, seat).sample(seed)
        _told_the_same(round, other, seat)
        _going_on_the_same(round, other, seat, seed)


def _swapped(deal: Deal, one: Card, other: Card) -> Deal:
    """The deal with these two cards in each other's place."""
    swap = one.bit | other.bit

    def exchanged(cards: CardSet) -> CardSet:
        return CardSet(cards.mask ^ swap) if len(cards & CardSet(swap)) == 1 else cards

    return Deal(tuple(map(exchanged, deal.hands)), deal.turn_up, exchanged(deal.stock))


@given(st.data(), some.rounds(), some.seeds)
@settings(max_examples=25)
def test_a_seat_sees_nothing_of_an_exchange_of_two_cards_it_has_not_seen(
    data: st.DataObject, round: Round, seed: int
) -> None:
    seat = data.draw(st.sampled_from(_seats(round)))
    unseen = sorted(View.of(round, seat).unseen)
    assume(len(unseen) > 1)
    one, other = data.draw(st.permutations(unseen))[:2]
    try:
        *_, exchanged = retell(round, _swapped(round.deal, one, other))
    except (IllegalPlay, LawBroken):
        assume(False)  # what has happened already tells where one of the two lies
    _told_the_same(round, exchanged, seat)
    _going_on_the_same(round, exchanged, seat, seed)


@pytest.mark.parametrize("name", Rules.presets())
def test_exchanges_of_unseen_cards_leave_many_states_alike(name: str) -> None:
    """The claim above is not empty: most exchanges at the start are noticed only much later."""
    rules, alike = Rules.presets()[name], 0
    for seed in range(12):
        deal = Deal.shuffle(seed, rules=rules)
        one, other = min(deal.hands[2]), max(deal.hands[3])
        here, there = (Round.start(rules, each) for each in (deal, _swapped(deal, one, other)))
        for seat in (None, 1):
            alike += _going_on_the_same(here, there, seat, seed)
    assert alike > 100


def test_the_dealer_alone_sees_the_stock_and_only_where_he_may_look() -> None:
    for peek in Peek:
        rules = Rules(peek=peek, lead=Lead.ANY)
        round = Round.start(rules, Deal.shuffle(4, rules=rules, dealer=1), dealer=Seat(1))
        seen = {seat: View.of(round, seat).stock for seat in _seats(round)}
        looks = peek is not Peek.NOBODY
        assert seen == {
            None: None,
            0: None,
            1: round.deal.stock if looks else None,
            2: None,
            3: None,
        }


def test_what_the_dealer_sees_hangs_on_the_stock_and_what_another_sees_does_not() -> None:
    deal = Deal.shuffle(5)
    other = _swapped(deal, min(deal.stock), max(deal.hands[2]))
    here, there = (Round.start(Rules.HOYLE, each) for each in (deal, other))
    assert View.of(here, 0) != View.of(there, 0)
    for seat in (1, 3, None):
        _looks_the_same(here, there, seat)


def test_a_seat_that_is_not_to_act_may_play_nothing() -> None:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1))
    assert View.of(round, 1).legal == round.legal
    for seat in (0, 2, 3, None):
        view = View.of(round, seat)
        assert not view.legal
        assert all(view.refusal(card) for card in PACK)


def test_who_holds_the_next_card_of_a_run_is_known_to_its_holder_alone() -> None:
    round = Round.start(Rules.CASSELL, Deal.shuffle(1, rules=Rules.CASSELL))
    while not round.forced:
        round = round.play(min(round.legal))
    for seat in _seats(round):
        view = View.of(round, seat)
        assert view.to_act == (seat if seat == round.to_act else None)
        assert view.follows == Card(round.pending)
        assert view.leader == round.leader


def test_a_seat_that_is_not_at_the_table_has_no_view() -> None:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1))
    for seat in (-1, 4):
        with pytest.raises(ValueError, match=f"there is no seat {seat}: they are 0 to 3"):
            View.of(round, seat)


def test_a_refusal_tells_the_seat_why() -> None:
    deal = Deal.read(
        "2C 4C 7D 9D / AC 3C KC 5S / 5C 6C 7C 8C | TS | 9C TC JC QC AD 2D 3D 4D 5D 6D TD JD QD KD "
        "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 6S 7S 8S 9S JS QS KS"
    )
    round = Round.start(Rules(hand_size=4), deal, dealer=Seat(2))

    def why(round: Round, seat: int | None, card: str) -> str | None:
        return View.of(round, seat).refusal(Card.parse(card))

    assert why(round, 0, "7D") is None
    assert why(round, 0, "2C") == "2C may not be led: a known stop must be led first: 7D"
    assert why(round, 0, "AC") == "AC is not in your hand"
    assert why(round, 1, "AC") == "AC cannot be played: it is not your play"
    assert why(round, None, "AC") == "AC cannot be played: a spectator has no hand"
    round = round.lead(Card.parse("7D"))
    assert (
        why(round, 0, "2C") == "2C may not be led: with no known stop in hand Pope must be led: 9D"
    )
    round = round.lead(Card.parse("9D")).play(Card.parse("2C"))
    assert why(round, 1, "AC") == "AC is not the run's next card, 3C"
    round = round.run_on()
    while not round.over:
        round = round.lead(min(round.legal))
    assert why(round, 0, "AC") == "AC cannot be played: the round is over"


def test_a_seat_knows_why_a_card_is_a_stop() -> None:
    deal = Deal.read(
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC 2H 3H 4H 5H / "
        "AC KC AD 2D 3D 4D 5D 6D 7D 9D TD JD QD KD AH / "
        "6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S | KS | 8S 9S TS JS QS"
    )
    round = Round.start(Rules(hand_size=15), deal, dealer=Seat(2))
    dealer, other = View.of(round, 2), View.of(round, 1)
    reasons = {"7S": Stop.STOCK, "QS": Stop.TURN_UP, "7D": Stop.REMOVED, "KH": Stop.END, "6S": None}
    assert {card: dealer.stop(Card.parse(card)) for card in reasons} == reasons
    assert other.stop(Card.parse("7S")) is None


@given(some.rounds())
def test_why_a_run_stopped_is_known_to_every_seat(round: Round) -> None:
    for seat in _seats(round):
        view = View.of(round, seat)
        known = {card: stop for card in PACK if (stop := view.stop(card)) is not None}
        assert CardSet.of(known) - view.played - view.dead == view.stops
        for event in round.events:
            if isinstance(event, Stopped):
                assert known[event.card] is event.stop


def test_a_stop_shows_that_the_next_card_lies_in_the_stock_and_what_stops_for_it() -> None:
    for seed in range(30):
        round = Round.start(Rules.CASSELL, Deal.shuffle(seed, rules=Rules.CASSELL))
        while not round.over and not (
            isinstance(round.events[-1], Stopped) and round.events[-1].stop is Stop.STOCK
        ):
            round = round.play(max(round.legal))
        if round.over:
            continue
        shown = Card(round.rules.order.following[round.plays[-1].card])
        for seat in _seats(round):
            view = View.of(round, seat)
            assert shown in view.dead
            assert shown in round.deal.stock
            assert not view.stops & view.played
        return
    raise AssertionError("no run was stopped by the stock")


def test_a_view_holds_no_board_but_what_lies_there() -> None:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1), board=Board.of(ace=3))
    view = View.of(round, 2)
    assert view.board == round.board
    assert view.trump == round.trump
    assert view.purses == round.purses


@pytest.mark.slow
@given(some.rounds(), some.seeds)
@settings(max_examples=1500)
def test_a_seat_sees_nothing_of_which_of_many_worlds_it_is_in(round: Round, seed: int) -> None:
    for seat in _seats(round):
        other = View.of(round, seat).sample(seed)
        _told_the_same(round, other, seat)
        _going_on_the_same(round, other, seat, seed)
