"""What is true of every round and match, under every book and under random rules."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan.board import Board, Compartment
from popejoan.cards import (
    POPE,
    BadCard,
    BadRecord,
    Card,
    CardSet,
    IllegalClaim,
    IllegalPlay,
    PopeJoanError,
    Seat,
)
from popejoan.deal import Chance, Deal, Purpose
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Claims, Rules
from popejoan.testing import LawBroken, check_round, check_state, retell
from popejoan.testing import strategies as some
from popejoan.view import View
from popejoan.wire import from_wire

SOURCE = Path(__file__).parent.parent / "src"
_NAMES = {
    "Board": Board,
    "Card": Card,
    "CardSet": CardSet,
    "Compartment": Compartment,
    "Deal": Deal,
    "Round": Round,
    "Rules": Rules,
}

by_preset = pytest.mark.parametrize("name", Rules.presets())


@by_preset
@pytest.mark.parametrize("players", range(2, 11))
def test_every_state_of_a_round_keeps_the_laws(name: str, players: int) -> None:
    states: list[Round] = []
    rules = Rules.presets()[name]
    last = check_round(rules, players, states.append, players=players, dealer=players - 1)
    assert states[-1] is last
    assert last.over
    assert not states[0].plays


@given(st.data(), some.seeds)
@settings(max_examples=12)
def test_every_state_keeps_the_laws_under_any_rules(data: st.DataObject, seed: int) -> None:
    rules = data.draw(some.rules())
    players = data.draw(some.players(rules))
    dealer = data.draw(st.integers(0, players - 1))
    board = data.draw(some.boards(rules))
    assert check_round(rules, seed, players=players, dealer=dealer, board=board).over


@given(some.rounds())
@settings(max_examples=60)
def test_a_round_with_claims_made_and_switched_keeps_the_laws(round: Round) -> None:
    check_state(round)


@given(some.rounds())
def test_a_round_told_again_by_its_events_is_the_same_round(round: Round) -> None:
    *_, again = retell(round)
    assert again == round
    assert hash(again) == hash(round)


@given(some.rounds(over=False), some.seeds)
def test_playing_card_by_card_by_runs_and_to_the_end_come_to_the_same(
    round: Round, seed: int
) -> None:
    by_cards = round
    chance = Chance(seed, purpose=Purpose.LEAD)
    while not by_cards.over:
        by_cards = by_cards.play(
            min(by_cards.legal) if by_cards.forced else chance.pick(by_cards.legal)
        )
    chance = Chance(seed, purpose=Purpose.LEAD)
    by_runs = round.run_on()
    while not by_runs.over:
        by_runs = by_runs.lead(chance.pick(by_runs.legal))
    chance = Chance(seed, purpose=Purpose.LEAD)
    assert by_cards == by_runs == round.playout(chance.pick)


@given(some.rounds(over=False), some.cards())
def test_a_refused_card_changes_nothing_and_the_refusal_says_why(round: Round, card: Card) -> None:
    why = round.refusal(card)
    if why is None:
        assert round.play(card).played == round.played | card.alone
    else:
        with pytest.raises(IllegalPlay) as refused:
            round.play(card)
        assert str(refused.value) == refused.value.reason == why
        assert repr(card) in why
        assert refused.value.record == repr(round)
        assert refused.value.__notes__ == [f"in {round!r}"]


@given(some.rounds(over=False), some.cards())
def test_the_reason_of_a_refusal_shows_no_hand_of_another_seat(round: Round, card: Card) -> None:
    if card not in round.legal:
        with pytest.raises(IllegalPlay) as refused:
            round.lead(card)
        told = CardSet.of(map(Card.parse, re.findall(r"\b[A2-9TJQK][CDHS]\b", str(refused.value))))
        assert told <= round.legal | card.alone


@given(some.rounds(some.presets()))
def test_the_text_of_a_value_rebuilds_it(round: Round) -> None:
    for value in (round.deal, round.deal.stock, round.board):
        assert eval(repr(value), dict(_NAMES)) == value
    assert eval(repr(round), dict(_NAMES)) == round


@given(some.rounds(some.rules(claims=Claims.CALLED)))
def test_the_text_of_a_round_with_claims_and_switches_rebuilds_it(round: Round) -> None:
    assert eval(repr(round), dict(_NAMES)) == round


def test_the_text_of_a_round_makes_runs_by_their_leads_where_it_can() -> None:
    deal = Deal.shuffle(7, players=3)
    round = Round.start(Rules.HOYLE, deal, claiming=[False] * 3).run_on()
    while not round.due:
        round = round.lead(max(round.legal))
    earned = round.leads
    round = round.claim(*round.due[0][:2]).claim_for(Seat(2), on=True).lead(max(round.legal))
    text = repr(round)
    assert eval(text, dict(_NAMES)) == round
    assert f"'{' '.join(map(repr, earned))}', dealer=0" in text
    assert text.count(".lead(") == 1
    assert ".play(" not in text


@given(some.rounds(some.rules(claims=Claims.CALLED)))
def test_a_round_begins_with_its_switches_as_they_were_then(round: Round) -> None:
    states = [*round.states()]
    first = states[0]
    assert first == round.begun
    assert states[-1] == round
    assert not first.plays
    *before, stands = round.choices()
    assert stands == round.run_on()
    assert len(before) == len(round.leads)
    for now, card in zip(before, round.leads):
        assert card in now.legal
        assert now.events == round.events[: len(now.events)]


@given(some.matches())
@settings(max_examples=40)
def test_the_counters_of_a_match_are_conserved_whoever_joins_and_leaves(match: Match) -> None:
    assert match.total == match.rules.purse * len(match.members)
    assert len(match.purses) == len(match.claiming) == len(match.members)
    for seats, round in match.past:
        check_state(round)
        assert len(seats) == round.players


@given(some.matches())
@settings(max_examples=40)
def test_each_deal_takes_up_the_board_that_the_last_one_left(match: Match) -> None:
    rounds = [*match.past, *([(match.seats, match.round)] if match.round else [])]
    for (before, one), (after, other) in pairwise(rounds):
        assert one.over
        assert other.opening.board == one.board
        for member in set(before) & set(after):
            assert other.opening.purses[after.index(member)] == one.purses[before.index(member)]


@given(some.matches(), some.seeds)
@settings(max_examples=30)
def test_a_match_copied_or_pickled_goes_on_alike(match: Match, seed: int) -> None:
    for twin in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert twin == match
        assert hash(twin) == hash(match)
        if match.round is not None and not match.round.over:
            card = Chance(seed).pick(match.round.legal)
            assert twin.play(card) == match.play(card)
        elif not match.over:
            assert twin.deal() == match.deal()


@by_preset
def test_a_long_match_carries_its_stakes_and_passes_the_deal(name: str) -> None:
    match = Match.start(Rules.presets()[name], players=5, seed=9, deals=20)
    dealers = []
    while not match.over:
        match = match.deal()
        dealers.append(match.dealer)
        match = replace(match, round=match._round().playout(min))
        assert match.total == 5 * match.rules.purse
    assert len(dealers) == 20
    assert all((after - before) % 5 == 1 for before, after in pairwise(dealers))
    divided = match.divide() if match.board.total else match
    assert divided.total == match.total
    assert divided.board.total == 0


@given(some.rounds(), some.cards())
@settings(max_examples=20)
def test_a_value_cannot_be_changed(round: Round, card: Card) -> None:
    match = Match.start(seed=1)
    view = View.of(round, 0)
    values: tuple[Any, ...] = (
        card, round, round.deal, round.rules, round.board, round.ledger, view, view.dealt, match,
        *round.events, *match.events,
    )  # fmt: skip
    for value in values:
        names = [each for each in dir(value) if not each.startswith("_")]
        for name in [*names, "anything"]:
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, None)
            if name != "anything":
                with pytest.raises((AttributeError, TypeError)):
                    delattr(value, name)


_PLAYED = """
import json
from popejoan.deal import Chance, Deal
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.wire import to_wire

for rules in Rules.presets().values():
    for players in (2, 5):
        deal = Deal.shuffle(players, rules=rules, players=players)
        round = Round.start(rules, deal).playout(Chance(players).pick)
        print(repr(round), round.ledger, round.due, json.dumps(to_wire(View.of(round, 1))))
        print(repr(View.of(round, 1).sample(4)))
"""


def test_nothing_depends_on_how_strings_are_hashed() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _PLAYED],
            env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(told) == 1
    assert len(told.pop()) > 10_000


def _refusals() -> Iterator[PopeJoanError]:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1))
    for refused in (
        lambda: Card.parse("8D"),
        lambda: Deal.of([[]], POPE, []),
        lambda: Rules(purse=-1, hand_size=99),
        lambda: from_wire(None),
        lambda: round.play(min(round.hand(0))),
        lambda: round.claim(Seat(0), Compartment.POPE),
        lambda: Match.start().divide(),
    ):
        try:
            refused()
        except PopeJoanError as error:
            yield error


def _kinds(error: type[PopeJoanError]) -> Iterator[type[PopeJoanError]]:
    """The errors of the game's tree that are raised: those with none below them."""
    below = [kind for kind in error.__subclasses__() if kind.__module__ == "popejoan.errors"]
    for kind in below:
        yield from _kinds(kind)
    if not below:
        yield error


def test_every_refusal_can_be_sent_to_another_process_whole() -> None:
    errors = [*_refusals(), BadRecord("line 3: nothing"), IllegalPlay("the deal is over")]
    assert {type(error) for error in errors} == set(_kinds(PopeJoanError))
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
        assert str(error)


def test_a_choice_of_a_card_that_may_not_be_led_is_refused_wherever_it_is_made() -> None:
    round = Round.start(Rules.CASSELL, Deal.shuffle(1, rules=Rules.CASSELL))
    wrong = min(round.hand(0))
    with pytest.raises(IllegalPlay, match=f"{wrong!r} is not in the hand of seat 1"):
        round.playout(lambda _: wrong)
    for wrong_at in range(1, 4):
        left = [wrong_at]

        def choose(legal: CardSet, left: list[int] = left) -> Card:
            left[0] -= 1
            return max(legal) if left[0] >= 0 else round.turn_up

        with pytest.raises(IllegalPlay, match=f"{round.turn_up!r} is not in the hand of seat"):
            round.playout(choose)
    for number in (-1, 20, 52):
        numbers = iter([int(max(round.legal)), number])
        with pytest.raises(BadCard):
            round.playout(lambda _, numbers=numbers: next(numbers))  # type: ignore[misc]


def test_a_law_that_is_broken_is_named_with_the_round() -> None:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1))
    short = round._replace(held=(0, *round.held[1:]))
    with pytest.raises(LawBroken, match=r"each card is in one place: broken in Round\.replay"):
        check_state(short)


def test_another_deal_in_which_the_told_events_cannot_happen_is_refused() -> None:
    round = check_round(Rules.HOYLE, 1)
    with pytest.raises((LawBroken, IllegalPlay)):
        list(retell(round, Deal.shuffle(2)))
    forged = round._replace(events=round.events[:-1])
    with pytest.raises(LawBroken):
        list(retell(forged))


@pytest.mark.slow
@given(st.data(), some.rules(), some.seeds)
@settings(max_examples=2000)
def test_the_laws_hold_under_many_more_rules(data: st.DataObject, rules: Rules, seed: int) -> None:
    check_round(rules, seed, players=data.draw(some.players(rules)))


@given(some.rules(), st.data())
@settings(max_examples=30)
def test_a_deal_of_any_cards_keeps_the_laws(rules: Rules, data: st.DataObject) -> None:
    players = data.draw(some.players(rules))
    round = Round.start(rules, data.draw(some.deals(rules, players)))
    check_state(round)
    check_state(round.playout(max))


@given(some.rounds(some.rules(claims=Claims.CALLED)))
def test_a_claim_that_is_not_due_is_refused(round: Round) -> None:
    for seat in range(round.players):
        for compartment in Compartment:
            due = [item for item in round.due if item[:2] == (seat, compartment)]
            if due:
                claimed = round.claim(Seat(seat), compartment)
                assert claimed.purses[seat] == round.purses[seat] + due[0].counters
                assert set(round.due) - set(claimed.due) == set(due)
            else:
                with pytest.raises(IllegalClaim, match=f"seat {seat} has no claim"):
                    round.claim(Seat(seat), compartment)
