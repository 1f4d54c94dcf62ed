"""The deal is fair: chi-square tests over ten million deals; ``docs/speed.md`` has the p-values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from popejoan.fast.jit import compiled
from popejoan.fast.kernel import deal_cards
from popejoan.fast.layout import HANDS, WORK
from popejoan.fast.stream import key_of
from popejoan.fast.tables import tables
from popejoan.rules import Rules

pytestmark = pytest.mark.slow
DEALS = 10_000_000
_KEY = np.uint64(0)


@compiled
def _count(
    flags: Any, draws: Any, subsets: Any, deals: Any, work: Any, places: Any, pairs: Any
) -> None:
    """Count each card in each place (four hands, turn-up, stock), and each pair in one hand."""
    of_seed = key_of(_KEY, np.uint64(20))
    cards = np.zeros(16, dtype=np.int64)
    for number in range(deals):
        of_deal = key_of(key_of(of_seed, number >> 3), number & 7)
        turn, stock = deal_cards(flags, draws, subsets, number & 3, of_deal, work, None)
        for place in range(6):
            mask = stock
            if place < 4:
                mask = work[HANDS + place]
            elif place == 4:
                mask = turn
            count = 0
            for bit in range(64):
                if mask >> bit & 1:
                    cards[count] = bit
                    places[bit, place] += 1
                    count += 1
            if place < 4:
                for one in range(count):
                    for other in range(one):
                        pairs[cards[one], cards[other]] += 1


def p_value(chi_square: float, freedom: int) -> float:
    """How often chance alone gives as much or more (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    z = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(z / math.sqrt(2))


def test_each_card_falls_to_each_place_alike_and_each_pair_into_one_hand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arrays = tables(Rules.HOYLE, 4)
    places = np.zeros((64, 6), dtype=np.int64)
    pairs = np.zeros((64, 64), dtype=np.int64)
    work = np.zeros(WORK, dtype=np.int64)
    _count(arrays.flags, arrays.draws, arrays.subsets, DEALS, work, places, pairs)
    seen = places[places.sum(axis=1) > 0]
    assert seen.shape == (51, 6)
    found = {}
    # Both margins are fixed, so that 50/51 of the sum is chi-square with 50 * 5 degrees.
    sizes = np.array([11, 11, 11, 11, 1, 6])
    expected = DEALS * sizes / 51
    found["card against seat, turn-up and stock"] = p_value(
        float(((seen - expected) ** 2 / expected).sum()) * 50 / 51, 250
    )
    for name, column in (("turn-up", 4), ("stock", 5)):
        chance = sizes[column] / 51
        spread = DEALS * chance * (1 - chance)
        chi_square = float(((seen[:, column] - DEALS * chance) ** 2).sum() / spread) * 50 / 51
        found[name] = p_value(chi_square, 50)
    counts = pairs[pairs > 0]
    assert counts.shape == (1275,)
    chance = 4 * (11 * 10) / (51 * 50)
    z = (counts - DEALS * chance) / math.sqrt(DEALS * chance * (1 - chance))
    found["pair in one hand, the furthest"] = math.erfc(float(abs(z).max()) / math.sqrt(2)) * 1275
    with capsys.disabled():
        print()
        for name, p in found.items():
            print(f"  {name}: p = {min(p, 1):.3f}")
        print(f"  pairs: spread of z {z.std():.3f}, furthest {abs(z).max():.2f}")
    assert min(found.values()) > 0.001
    assert 0.93 < z.std() < 1.07
