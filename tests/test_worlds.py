"""What a seat takes for possible: every world that fits what it has seen, and each as likely.

The worlds are found here the slow way: every spread of the unseen cards is played from the start,
and fits when the table answers with the same events.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan import worlds
from popejoan.cards import Card, CardSet, IllegalPlay
from popejoan.deal import Chance, Deal, Purpose
from popejoan.events import LED, Stop, Stopped
from popejoan.round import Round
from popejoan.rules import Lead, Peek, Rules, Stock
from popejoan.testing import LawBroken, retell
from popejoan.testing import strategies as some
from popejoan.view import View
from popejoan.worlds import STOCK

_World = tuple[int, ...]
"""The masks of what the seats hold, and of the stock."""


def _reached(rules: Rules, players: int, seed: int, plays: int) -> Round:
    """The round of this seed after so many cards, leads chosen by the seed."""
    round = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    chance = Chance(seed, purpose=Purpose.LEAD)
    while len(round.plays) < plays and not round.over:
        round = round.play(chance.pick(round.legal))
    return round


def _key(round: Round) -> _World:
    return (*round.held, round.deal.stock.mask)


def _spreads(cards: tuple[Card, ...], room: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Every way to give each holder as many of the cards as it takes."""
    if not room:
        yield {}
        return
    (holder, size), *rest = room.items()
    for some_cards in combinations(cards, size):
        left = tuple(card for card in cards if card not in some_cards)
        for spread in _spreads(left, dict(rest)):
            yield {holder: CardSet.of(some_cards).mask, **spread}


def _spreads_of(view: View) -> Iterator[dict[int, int]]:
    room = {seat: count for seat, count in enumerate(view.counts) if seat != view.seat and count}
    if view.stock is None:
        room[STOCK] = view.stock_size
    return _spreads(tuple(view.unseen), room)


def _fitting(round: Round, view: View) -> set[_World]:
    """Every world in which all that the seat has seen could have happened."""
    found = set()
    for spread in _spreads_of(view):
        held = [spread.get(seat, 0) for seat in range(view.players)]
        if view.seat is not None:
            held[view.seat] = view.hand.mask
        stock = CardSet(spread[STOCK]) if view.stock is None else view.stock
        hands = tuple(CardSet(mask | view.played_by(seat).mask) for seat, mask in enumerate(held))
        try:
            *_, last = retell(round, Deal(hands, view.turn_up, stock))
        except (IllegalPlay, LawBroken):
            continue
        if View.of(last, view.seat) == view:
            found.add(_key(last))
    return found


def _unlikely(counts: Counter[_World], fitting: set[_World]) -> float:
    """How unlikely so uneven a count would be were each as likely: the p-value of chi-square."""
    expected = sum(counts.values()) / len(fitting)
    square = sum((counts[world] - expected) ** 2 / expected for world in fitting)
    return _chance_of(square, len(fitting) - 1)


def _chance_of(square: float, freedom: int) -> float:
    """The chance of a chi-square as great; as Wilson and Hilferty approach it."""
    spread = 2 / (9 * freedom)
    off = ((square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(off / math.sqrt(2)) / 2


# Which worlds fit


def _admitted(view: View) -> set[_World]:
    """Every world within the limits that ``worlds`` keeps for this view."""
    hidden = view.rules.peek is not Peek.NOBODY and view.seat != view.dealer
    found = worlds.limits(
        view.rules,
        view.events,
        players=view.players,
        turn_up=view.turn_up,
        viewer=view.seat,
        dealer=view.dealer,
        dealer_hidden=hidden,
    )
    dead = found.dead & view.unseen.mask
    admitted = set()
    for spread in _spreads_of(view):
        rest = dict(spread)
        if dead:
            rest[STOCK] &= ~dead
        if dead & ~spread.get(STOCK, 0) or worlds._misfit(view.rules, found, rest):
            continue
        held = [spread.get(seat, 0) for seat in range(view.players)]
        if view.seat is not None:
            held[view.seat] = view.hand.mask
        stock = spread.get(STOCK, 0) if view.stock is None else view.stock.mask
        admitted.add((*held, stock))
    return admitted


def _spread_count(view: View) -> int:
    sizes = [count for seat, count in enumerate(view.counts) if seat != view.seat]
    sizes += [view.stock_size] if view.stock is None else []
    count, left = 1, sum(sizes)
    for size in sizes:
        count *= math.comb(left, size)
        left -= size
    return count


@st.composite
def _late_rounds(draw: st.DrawFn, lead: Lead) -> Round:
    """A round late enough that all its worlds can be tried: there is next to no stock."""
    rules = draw(some.rules(lead=lead, stock=Stock.SIX_TO_EIGHT, purse=48))
    players = draw(st.integers(3, 4))
    hands = players - (rules.peek is Peek.SITS_OUT)
    size = (50 - draw(st.integers(0, 4))) // hands
    if size <= 25:
        rules = replace(rules, hand_size=size)
    seed = draw(some.seeds)
    return _reached(rules, players, seed, draw(st.integers(25, 50)))


@pytest.mark.parametrize("lead", Lead)
def test_the_limits_admit_just_the_worlds_that_fit(lead: Lead) -> None:
    tried = 0

    @given(_late_rounds(lead))
    @settings(max_examples=40)
    def admits(round: Round) -> None:
        nonlocal tried
        for seat in (None, *range(round.players)):
            view = View.of(round, seat)
            if 1 < _spread_count(view) <= 60:
                tried += 1
                assert _admitted(view) == _fitting(round, view)

    admits()
    assert tried > 20


@pytest.mark.parametrize(
    ("text", "seed", "seat"),
    [("HOYLE hand_size=16", 201, 2), ("HOYLE hand_size=15", 39, 2), ("HOYLE hand_size=11", 158, 2)],
)
def test_a_last_card_led_by_the_dealer_says_nothing_of_the_stock(
    text: str, seed: int, seat: int
) -> None:
    rules = Rules.parse(text)
    round = _reached(rules, 50 // (rules.hand_size or 1), seed, 60)
    assert round.plays[-1] == LED[round.dealer][round.plays[-1].card]
    view = View.of(round, seat)
    assert _admitted(view) == _fitting(round, view)


@pytest.mark.parametrize("lead", [Lead.LOWEST, Lead.LOWEST_IN_HAND])
def test_a_lead_that_the_stock_stopped_says_as_much_as_any_other(lead: Lead) -> None:
    """The dealer may look, but where the lowest is led that does not bear on what he leads."""
    rules = Rules(lead=lead)
    stopped = 0
    for seed in range(40):
        round = _reached(rules, 2, seed, 12)
        stopped += any(
            isinstance(event, Stopped) and event.stop is Stop.STOCK and event.seat == 0
            for event in round.events
        )
        *_, again = retell(View.of(round, 1).sample(seed))
        assert again.events == round.events
    assert stopped > 10


# How likely each is


def _by_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "_TRIES", 10**9)


def _by_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "_misfit", lambda *_: 1)


_CASES = {
    "free leads": ("CASSELL hand_size=16", 0, 38, 1),
    "free leads, within a run": ("CASSELL hand_size=16", 1, 34, 0),
    "longest suit": ("HOYLE hand_size=16", 1, 33, 0),
    "two longest suits": ("HOYLE hand_size=16", 2, 27, 0),
    "a dealer who knew the stock": ("HOYLE hand_size=16", 4, 34, 2),
    "all of it, for a spectator": ("HOYLE hand_size=16", 4, 42, None),
    "lowest of a suit": ("PARLETT hand_size=16", 1, 36, 2),
    "lowest in hand": ("HOYLE hand_size=16 lead=lowest-in-hand", 0, 29, 2),
}
_LIKELY = 1e-4


def _view_of(case: str) -> tuple[Round, View]:
    text, seed, plays, seat = _CASES[case]
    round = _reached(Rules.parse(text), 3, seed, plays)
    return round, View.of(round, seat)


def _sampled(view: View, times: int) -> Counter[_World]:
    return Counter(_key(view.sample(seed)) for seed in range(times))


def _found_uneven(case: str, times: int) -> str | None:
    """What a count of samples finds wrong with them; None when they are as they should be."""
    round, view = _view_of(case)
    fitting = _fitting(round, view)
    assert 10 <= len(fitting) <= 500
    counts = _sampled(view, times)
    if not counts.keys() <= fitting:
        return "a world that does not fit"
    return "uneven" if _unlikely(counts, fitting) < _LIKELY else None


_PATHS = {"shuffles": _by_shuffles, "exchanges": _by_exchanges}
_QUICK = [
    ("shuffles", "free leads, within a run", 1500),
    ("shuffles", "longest suit", 1500),
    ("shuffles", "lowest of a suit", 800),
    ("exchanges", "two longest suits", 200),
    ("exchanges", "a dealer who knew the stock", 400),
]
_LONG = [("shuffles", case, 10000) for case in _CASES]
_LONG += [("exchanges", case, 6000) for case in list(_CASES)[2:]]


@pytest.mark.parametrize(("path", "case", "times"), _QUICK)
def test_every_world_is_as_likely(
    path: str, case: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _PATHS[path](monkeypatch)
    assert _found_uneven(case, times) is None


@pytest.mark.slow
@pytest.mark.parametrize(("path", "case", "times"), _LONG)
def test_every_world_is_as_likely_in_many_samples(
    path: str, case: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _PATHS[path](monkeypatch)
    assert _found_uneven(case, times) is None


def test_a_sampler_that_favours_some_worlds_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is fine enough: every other draw is made twice, and the lower world kept."""
    fair = worlds.draw

    def favouring(chance: Chance, *rest: Any) -> dict[int, int]:
        hands = fair(chance, *rest)
        if chance.below(2):
            return hands
        return min(hands, fair(chance, *rest), key=lambda each: sorted(each.items()))

    monkeypatch.setattr("popejoan.view.draw", favouring)
    assert _found_uneven("longest suit", 1500) == "uneven"


def test_a_sampler_that_forgets_a_limit_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    strain = worlds._strain

    def forgetful(rules: Rules, found: worlds.Limits, *rest: Any) -> int:
        return strain(rules, replace(found, longest=[]), *rest)

    monkeypatch.setattr(worlds, "_strain", forgetful)
    assert _found_uneven("two longest suits", 500) == "a world that does not fit"


@pytest.mark.parametrize(
    ("square", "freedom", "chance"),
    [(18.307, 10, 0.05), (43.773, 30, 0.05), (149.449, 100, 0.001), (67.633, 30, 1e-4)],
)
def test_the_chance_of_a_count_agrees_with_the_printed_tables(
    square: float, freedom: int, chance: float
) -> None:
    assert _chance_of(square, freedom) == pytest.approx(chance, rel=0.1)


# What a sample is good for


@given(some.rounds(), some.seeds)
@settings(max_examples=40)
def test_in_a_sample_all_that_the_seat_has_seen_happens_again(round: Round, seed: int) -> None:
    for seat in (None, *range(round.players)):
        view = View.of(round, seat)
        sample = view.sample(seed)
        assert View.of(sample, seat) == view
        assert View.of(sample, None) == View.of(round, None)
        *_, again = retell(sample)
        assert again == sample
        assert again.events == round.events


@pytest.mark.slow
@given(some.rounds(), some.seeds)
@settings(max_examples=3000)
def test_in_many_samples_all_that_the_seat_has_seen_happens_again(round: Round, seed: int) -> None:
    for seat in (None, *range(round.players)):
        sample = View.of(round, seat).sample(seed)
        assert View.of(sample, seat) == View.of(round, seat)
        *_, again = retell(sample)
        assert again == sample


@given(some.rounds(), some.seeds)
def test_a_sample_depends_on_its_seed_alone(round: Round, seed: int) -> None:
    view = View.of(round, 0)
    assert view.sample(seed) == view.sample(seed)


def test_samples_spread_over_many_worlds_at_the_start() -> None:
    view = View.of(Round.start(Rules.HOYLE, Deal.shuffle(3)), 2)
    assert len({_key(view.sample(seed)) for seed in range(50)}) == 50
