"""Every order of the cards is one number's, and a pack is drawn from all of them."""

from __future__ import annotations

import math
import secrets
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popejoan.cards import PACK
from popejoan.web.deals import Pack, in_order

drawn = Pack.drawn
"""As it is: the tests of this folder draw from a seed."""


@pytest.mark.parametrize("size", range(6))
def test_each_number_is_another_order_and_none_is_left_out(size: int) -> None:
    cards = list(islice(PACK, size))
    orders = [tuple(in_order(cards, number)) for number in range(math.factorial(size))]
    assert sorted(orders) == sorted(permutations(cards))


@given(st.integers(0, math.factorial(51) - 1))
def test_a_number_orders_the_whole_pack(number: int) -> None:
    order = in_order(PACK, number)
    assert sorted(order) == list(PACK)
    # The number is found again: how many of the cards that were left lay before each.
    left, found, size = list(PACK), 0, 1
    for card in order:
        found += left.index(card) * size
        size *= len(left)
        left.remove(card)
    assert found == number


def test_a_pack_is_drawn_from_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def randbelow(below: int) -> int:
        asked.append(below)
        return below - 1

    monkeypatch.setattr(secrets, "randbelow", randbelow)
    pack = drawn()
    assert asked == [math.factorial(51)]
    assert list(pack.order) == sorted(PACK, reverse=True)
