"""How a seat weighs its leads, compiled: the features of ``popejoan.features`` and the scorers.

The features are that module's own source, compiled. A scorer's whole numbers are kept in floats
that hold them exactly, so that sums come out the same in any order and on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import config, njit, types
from numba.extending import overload_method, register_jitable
from numpy.typing import NDArray

from popejoan import features
from popejoan.fast.bits import popcount
from popejoan.fast.jit import device
from popejoan.fast.kernel import book_lead, legal_leads
from popejoan.fast.layout import (
    ACE,
    ACE_HIGH,
    BOARD,
    BOOK,
    HANDS,
    KING,
    KNAVE,
    PEEK,
    PLAYERS,
    POPE_BIT,
    QUEEN,
)
from popejoan.fast.tables import LANE, LANE_BITS, PACK_HIGH, PACK_LANES, TOPS
from popejoan.features import FEATURES, OF_SITUATION, Scorer

__all__ = ["WIDTH", "Floats", "chance_of_lead", "choose_lead", "packed"]

F = TypeVar("F", bound=Callable[..., object])
Floats = NDArray[np.float64]

COUNT: Final = len(FEATURES)
WIDTH: Final = 32
"""The most hidden units of a scorer."""

_LINEAR, _BIAS, _OUT, _HIDDEN = 0, 1, 2, 3
_UNITS: Final = WIDTH - 1
_SUMS: Final = COUNT
_BASE: Final = COUNT + WIDTH

SCRATCH: Final = COUNT + 2 * WIDTH
"""How many floats the work on a lead takes."""


def _exact(function: F) -> F:
    """A part whose sums are exact in any order, so that they may be taken in any."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(F, njit(fastmath={"reassoc", "contract", "nsz"}, **options)(function))


if not config.DISABLE_JIT:

    @overload_method(types.Integer, "bit_count")
    def _bit_count(mask):  # type: ignore[no-untyped-def]  # noqa: ARG001 - Numba asks by name
        return lambda mask: popcount(mask)  # noqa: PLW0108 - an intrinsic is no overload

    register_jitable(features.describe)
    register_jitable(features.measure)


def packed(scorers: Sequence[Scorer]) -> Floats:
    """Scorers as an array of shape (scorers, 3 + features, WIDTH).

    Row 0 has the straight weights and, last, how many hidden units there are; then come the biases,
    the weights of the units, and a row for each feature.
    """
    rows = np.zeros((len(scorers), _HIDDEN + COUNT, WIDTH))
    for row, scorer in zip(rows, scorers, strict=True):
        units = len(scorer.out)
        row[_LINEAR, : len(scorer.linear)] = scorer.linear
        row[_LINEAR, _UNITS] = units
        row[_BIAS, :units] = scorer.bias
        row[_OUT, :units] = scorer.out
        if units:
            row[_HIDDEN:, :units] = np.array(scorer.hidden, dtype=np.float64).T
    return rows


@device
def survey(
    flags: Any, seat: Any, dealer: Any, turn: Any, stock: Any, dealt: Any, held: Any, work: Any,
    now: Any, out: Any,
) -> None:  # fmt: skip
    """Describe what a seat on lead knows, in ``now`` and ``out``."""
    hand = work[HANDS + seat] & held
    played = dealt ^ held
    live = PACK_HIGH if flags[ACE_HIGH] else PACK_LANES
    live &= ~(hand | played | turn | (played << 1))
    if flags[PEEK] and seat == dealer:
        live &= ~stock
    shortest = 99
    seats = 1
    for other in range(flags[PLAYERS]):
        if other != seat:
            cards = popcount(work[HANDS + other] & held)
            if cards:
                seats += 1
                shortest = min(shortest, cards)
    now[features.HAND] = hand
    now[features.MINE] = work[HANDS + seat] & ~hand
    now[features.LIVE] = live
    now[features.SHORTEST] = 0 if seats == 1 else shortest
    now[features.OTHERS] = popcount(held) - popcount(hand)
    now[features.SEATS] = seats
    lane = 0
    while not (LANE << lane) & turn:
        lane += LANE_BITS
    now[features.ACE] = 1 << (lane + flags[ACE])
    now[features.KING] = 1 << (lane + flags[KING])
    now[features.QUEEN] = 1 << (lane + flags[QUEEN])
    now[features.KNAVE] = 1 << (lane + flags[KNAVE])
    now[features.POPE_AT] = flags[POPE_BIT]
    for place in range(8):
        now[features.STAKES + place] = work[BOARD + place]
    features.describe(now, out)


@_exact
def begin_scores(net: Any, out: Any) -> Any:
    """Weigh the features of the situation; give their straight sum."""
    total = 0.0
    units = int(net[_LINEAR, _UNITS])
    for at in range(OF_SITUATION, COUNT):
        total += out[at] * net[_LINEAR, at]
    if units:
        for unit in range(WIDTH):
            out[_BASE + unit] = net[_BIAS, unit]
        for at in range(OF_SITUATION, COUNT):
            value = out[at]
            if value != 0.0:
                for unit in range(WIDTH):
                    out[_BASE + unit] += value * net[_HIDDEN + at, unit]
    return total


@_exact
def score(net: Any, base: Any, out: Any) -> Any:
    """The score of the lead whose features are in ``out``."""
    total = base
    units = int(net[_LINEAR, _UNITS])
    for at in range(OF_SITUATION):
        total += out[at] * net[_LINEAR, at]
    if units:
        for unit in range(WIDTH):
            out[_SUMS + unit] = out[_BASE + unit]
        for at in range(OF_SITUATION):
            value = out[at]
            if value != 0.0:
                for unit in range(WIDTH):
                    out[_SUMS + unit] += value * net[_HIDDEN + at, unit]
        for unit in range(WIDTH):
            total += max(out[_SUMS + unit], 0.0) * net[_OUT, unit]
    return total


@device
def first_of_equals(flags: Any, bit: Any, found: Any) -> Any:
    """Whether a card above ``found`` in its lane has the lower number: an ace that is high."""
    if not flags[ACE_HIGH]:
        return False
    lane = LANE
    while not lane & bit:
        lane <<= LANE_BITS
    return (bit & TOPS) != 0 and (lane & found) != 0


@device
def choose_lead(
    flags: Any, seat: Any, dealer: Any, turn: Any, stock: Any, dealt: Any, held: Any,
    nets: Any, policy: Any, work: Any, now: Any, out: Any,
) -> Any:  # fmt: skip
    """The lead of a seat by a scorer, or by the book's order; of equals the lowest number."""
    hand = work[HANDS + seat] & held
    gone = (dealt ^ held) | turn
    if flags[PEEK] and seat == dealer:
        gone |= stock
    legal = legal_leads(flags, hand, gone)
    if not legal & (legal - 1):
        return legal
    if policy == BOOK:
        return book_lead(flags, hand, gone, legal)
    survey(flags, seat, dealer, turn, stock, dealt, held, work, now, out)
    net = nets[policy]
    base = begin_scores(net, out)
    best = 0.0
    found = 0
    while legal:
        bit = legal & -legal
        legal ^= bit
        features.measure(now, bit, out)
        value = score(net, base, out)
        if found == 0 or value > best or (value == best and first_of_equals(flags, bit, found)):
            best = value
            found = bit
    return found


@device
def chance_of_lead(
    flags: Any, seat: Any, dealer: Any, turn: Any, stock: Any, dealt: Any, held: Any,
    nets: Any, policy: Any, heat: Any, slip: Any, lead: Any, work: Any, now: Any, out: Any,
) -> Any:  # fmt: skip
    """How likely a seat makes a lead; 0 for one that is not legal.

    It goes by the scores over ``heat`` counters, or with the chance ``slip`` by none.
    """
    hand = work[HANDS + seat] & held
    gone = (dealt ^ held) | turn
    if flags[PEEK] and seat == dealer:
        gone |= stock
    legal = legal_leads(flags, hand, gone)
    if not legal & lead:
        return 0.0
    number = popcount(legal)
    if number == 1:
        return 1.0
    survey(flags, seat, dealer, turn, stock, dealt, held, work, now, out)
    net = nets[policy]
    base = begin_scores(net, out)
    total = 0.0
    mine = 0.0
    first = 0.0
    begun = False
    while legal:
        bit = legal & -legal
        legal ^= bit
        features.measure(now, bit, out)
        value = score(net, base, out) * 2.0**-30
        if not begun:
            first = value
            begun = True
        odds = np.exp(min(max((value - first) / heat, -50.0), 50.0))
        total += odds
        if bit == lead:
            mine = odds
    return (1.0 - slip) * mine / total + slip / number
