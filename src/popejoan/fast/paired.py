"""What a change of rules is worth on the same deals: the difference, taken match beside match.

Most of what a match comes to hangs on its cards, and the same cards are dealt either way; so the
difference is known far better than either mean.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan, sqrt
from typing import Final

from popejoan.fast.plan import Plan, play
from popejoan.fast.result import Estimate

__all__ = ["difference"]

_STRETCHES: Final = 1000
"""How many stretches of matches the error is taken over at most; enough to know it to 3 %."""


def difference(
    one: Plan, other: Plan, quantity: int, *, progress: Callable[[int], None] | None = None
) -> Estimate:
    """A quantity of ``layout`` a deal by one plan, less that by the other.

    The error is taken over stretches of matches, each stretch played both ways: over single matches
    where they are few, and NaN of one. ``progress`` is told the deals done, both ways counted.
    Raises ValueError unless both plans deal the same matches.
    """
    dealt = {(plan.seed, plan.players, plan.matches, plan.deals_a_match) for plan in (one, other)}
    if len(dealt) > 1:
        raise ValueError("only two plans of the same matches are taken side by side")
    whole, found = 0, []
    for chunk in one.chunks(-(-one.matches // _STRETCHES)):
        gain = int(play(one, chunk)[quantity]) - int(play(other, chunk)[quantity])
        found.append((gain, chunk.matches))
        whole += gain
        if progress is not None:
            progress(2 * (chunk.first + chunk.matches) * one.deals_a_match)
    a_match = whole / one.matches
    squares = sum((gain - matches * a_match) ** 2 for gain, matches in found)
    error = nan
    if len(found) > 1:
        error = sqrt(squares * len(found) / (len(found) - 1)) / one.matches
    return Estimate(a_match / one.deals_a_match, error / one.deals_a_match)
