"""Who owes whom when a match is over: the fewest payments that a simple reckoning finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Debt", "debts"]


class Debt(NamedTuple):
    """One payment between two members."""

    payer: int
    payee: int
    counters: int


def debts(won: Sequence[int]) -> list[Debt]:
    """The payments that even out what each has won; what nobody has won stays on the board.

    >>> debts([5, -3, -2])
    [Debt(payer=1, payee=0, counters=3), Debt(payer=2, payee=0, counters=2)]
    """
    left = list(won)
    found: list[Debt] = []
    while True:
        payee = max(range(len(left)), key=lambda member: (left[member], -member), default=0)
        payer = min(range(len(left)), key=lambda member: (left[member], member), default=0)
        if not left or left[payee] <= 0 or left[payer] >= 0:
            return found
        counters = min(left[payee], -left[payer])
        found.append(Debt(payer, payee, counters))
        left[payee] -= counters
        left[payer] += counters
