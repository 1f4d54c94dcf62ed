"""Claims about the solver: it agrees with brute force by the engine, and with what follows."""

from __future__ import annotations

import random

import pytest

from popejoan import POPE, Board, Card, Deal, Round, Rules
from popejoan.rules import Ace, Lead, Pairs, PopePlayed

pytest.importorskip("numba")

from popejoan.fast.solver import TooDeep, solve

MIXES = {
    **Rules.presets(),
    "ace high": Rules(lead=Lead.ANY, ace=Ace.HIGH),
    "split": Rules(lead=Lead.LOWEST_IN_HAND, pairs=Pairs.SPLIT, pope_played=PopePlayed.CARDS),
    "Pope by cards": Rules(lead=Lead.ANY, pope_played=PopePlayed.CARDS),
    "split by cards": Rules(lead=Lead.ANY, pairs=Pairs.SPLIT, pope_played=PopePlayed.CARDS),
}


def late(rules: Rules, players: int, seed: int, cards: int) -> Round | None:
    """A round with so few cards left in hands, or None when it ended before.

    Pope, whose pay hangs on what is left in hands, is kept back.
    """
    chance = random.Random(seed)
    round_ = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    while not round_.over and sum(map(int.bit_count, round_.held)) > cards:
        legal = [card for card in round_.legal if card != POPE] or list(round_.legal)
        round_ = round_.lead(chance.choice(legal))
    return None if round_.over else round_


def in_order(round_: Round) -> list[Card]:
    return sorted(round_.legal, key=lambda card: (card.suit, round_.rules.order.height(card)))


def brute(round_: Round) -> tuple[int, ...]:
    """What each seat ends with when every seat leads what is best for it; of equals the first."""
    if round_.to_act is None:
        return round_.purses
    ends = [brute(round_.lead(card)) for card in in_order(round_)]
    return max(ends, key=lambda purses: purses[round_.to_act or 0])


@pytest.mark.parametrize("name", MIXES)
@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_every_lead_is_worth_what_brute_force_finds(name: str, players: int) -> None:
    for seed in range(12):
        round_ = late(MIXES[name], players, seed, 8)
        if round_ is None:
            continue
        found = solve(round_)
        assert [card for card, _ in found.leads] == in_order(round_)
        for card, worth in found.leads:
            ends = brute(round_.lead(card))
            assert worth == tuple(end - now for end, now in zip(ends, round_.purses))


@pytest.mark.parametrize("preset", ["HOYLE", "PARLETT"])
def test_the_best_line_comes_to_what_it_is_worth(preset: str) -> None:
    rules = Rules.presets()[preset]
    for seed in range(5):
        round_ = Round.start(rules, Deal.shuffle(seed, rules=rules))
        if round_.over:
            continue
        found = solve(round_)
        end = Round.replay(rules, round_.deal, found.line)
        assert end.over
        assert tuple(a - b for a, b in zip(end.purses, round_.purses)) == found.worth


def test_a_deal_too_deep_is_refused_with_the_number() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(1, rules=Rules.CASSELL))
    with pytest.raises(TooDeep, match="more than 1,000 positions"):
        solve(round_, most=1000)


def test_more_counters_than_a_value_can_hold_are_refused() -> None:
    deal = Deal.shuffle(56, rules=Rules.HOYLE)
    with pytest.raises(ValueError, match="counters on the board; a deal with up to 30,000"):
        solve(Round.start(Rules.HOYLE, deal, board=Board.of(pope=39_985)))


def test_there_is_nothing_to_solve_when_no_lead_is_to_be_made() -> None:
    round_ = late(Rules.HOYLE, 4, 3, 20)
    assert round_ is not None
    while not round_.over:
        round_ = round_.lead(round_.legal[0])
    with pytest.raises(ValueError, match="nothing to solve"):
        solve(round_)
