"""What a simulation found: means with standard errors, from whole totals.

Deals of one match hang together by the stakes carried over, so every error is taken over matches:
``error`` of a mean is the spread of the matches' sums; of a ratio, that of their residuals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any, Final, NamedTuple

from popejoan.board import Compartment
from popejoan.fast import layout
from popejoan.fast.plan import Plan
from popejoan.fast.tables import PLACES

__all__ = ["HOLDINGS", "Estimate", "SimulationResult", "role_name"]

HOLDINGS: Final = (
    "pope", "ace", "king", "queen", "knave", "king and queen", "queen and knave",
)  # fmt: skip
"""What a hand may be dealt whose worth is counted: Pope, or cards of trumps."""


class Estimate(NamedTuple):
    """A number found by simulation."""

    mean: float
    """The number; NaN where nothing was seen that tells it."""
    error: float
    """Its standard error; the truth lies within twice that in 19 of 20 cases. NaN where it is not
    known: one match alone does not tell how far matches differ."""

    def __str__(self) -> str:
        """The number with as many places as its error warrants; ``?`` for what is not known."""
        if isnan(self.mean):
            return "?"
        if isnan(self.error):
            return f"{self.mean:.2f} ± ?"
        places = next((n for n in range(5) if self.error * 10**n >= 1.5), 5) if self.error else 4
        return f"{self.mean:.{places}f} ± {self.error:.{places}f}"


_UNKNOWN: Final = Estimate(nan, nan)


def role_name(role: int) -> str:
    """What the seat so many places left of the dealer is called."""
    names = ("dealer", "eldest", "second", "third")
    return names[role] if role < len(names) else f"{role}th"


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The totals of the matches played, and what they come to a deal.

    A *role* is a seat counted from the dealer's left: 0 deals, 1 is the eldest hand and leads.
    """

    plan: Plan
    """What was asked."""
    totals: tuple[int, ...]
    """The whole totals; ``layout`` names the entries."""
    seconds: float = 0.0
    """How long it took."""
    stopped: str = ""
    """Why not all that was asked has been played; empty where it has."""

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return self.totals[layout.MATCHES]

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.totals[layout.DEALS]

    @property
    def complete(self) -> bool:
        """Whether all that was asked has been played."""
        return self.matches == self.plan.matches

    @property
    def players(self) -> int:
        """How many players."""
        return self.plan.players

    def per_deal(self, quantity: int) -> Estimate:
        """A quantity of ``layout`` a deal."""
        return self._per_deal(self.totals[quantity], self.totals[layout.SQUARES + quantity])

    def _per_deal(self, total: int, square: int) -> Estimate:
        """What has this sum and this sum of squares over the matches, a deal."""
        count, a_match = self.matches, self.plan.deals_a_match
        if not count:
            return _UNKNOWN
        mean = total / (count * a_match)
        if count == 1:
            return Estimate(mean, nan)
        spread = square * count - total * total  # whole, so that nothing is lost in the difference
        return Estimate(mean, sqrt(spread / (count * count * (count - 1))) / a_match)

    def _ratio(self, numerator: int, denominator: int, cross: int) -> Estimate:
        above, below, count = self.totals[numerator], self.totals[denominator], self.matches
        if not below:
            return _UNKNOWN
        above_square = self.totals[layout.SQUARES + numerator]
        below_square = self.totals[layout.SQUARES + denominator]
        if below_square == below * below:  # all of it is from one match
            return Estimate(above / below, nan)
        residuals = (
            above_square * below * below
            - 2 * above * below * self.totals[cross]
            + above * above * below_square
        )
        return Estimate(above / below, sqrt(residuals * count / (count - 1)) / (below * below))

    def balance(self, role: int) -> Estimate:
        """What the role wins a deal, the dressing counted; counters."""
        return self.per_deal(layout.ROLE + role)

    def win_rate(self, role: int) -> Estimate:
        """How often the role takes Game, a turned-up Pope that ends the deal counted."""
        return self.per_deal(layout.WON + role)

    def falls(self, place: Compartment) -> Estimate:
        """How often the stake of a compartment is taken."""
        return self.per_deal(layout.FALLEN + PLACES.index(place))

    def turned(self, place: Compartment) -> Estimate:
        """How often the turn-up gives a compartment to the dealer."""
        return self.per_deal(layout.TURNED + PLACES.index(place))

    def played(self, place: Compartment) -> Estimate:
        """How often a compartment is won by cards played."""
        at = PLACES.index(place)
        fallen, turned = layout.FALLEN + at, layout.TURNED + at
        totals, squares = self.totals, layout.SQUARES
        both = totals[layout.CROSS_TURNED + at]
        return self._per_deal(
            totals[fallen] - totals[turned],
            totals[squares + fallen] - 2 * both + totals[squares + turned],
        )

    def stake(self, place: Compartment) -> Estimate:
        """What a compartment holds when it is taken; counters."""
        at = PLACES.index(place)
        return self._ratio(layout.STAKE + at, layout.FALLEN + at, layout.CROSS + at)

    def carried(self, place: Compartment) -> Estimate:
        """What lies in a compartment after a deal; counters."""
        return self.per_deal(layout.CARRIED + PLACES.index(place))

    def holding(self, name: str) -> Estimate:
        """What a hand dealt with one of HOLDINGS wins a deal; counters."""
        at = HOLDINGS.index(name)
        return self._ratio(layout.HELD_WON + at, layout.HELD + at, layout.CROSS_HELD + at)

    def above_the_mean(self, name: str) -> Estimate:
        """What a hand dealt with one of HOLDINGS wins a deal above ``mean_seat``; counters.

        The error is that of the difference: both are of the same matches.
        """
        at, worth = HOLDINGS.index(name), self.holding(name)
        held = self.totals[layout.HELD + at]
        if not held:
            return worth
        everyone, seats = self.per_deal(layout.ALL), self.deals * self.players
        mean = Estimate(everyone.mean / self.players, everyone.error / self.players)
        with_held, with_won = (
            self.totals[layout.CROSS_ALL + entry] for entry in (at, len(HOLDINGS) + at)
        )
        # HELD_WON less its share of HELD sums to nothing, so that no mean need be taken off it.
        together = (with_won - worth.mean * with_held) / held / seats
        together *= self.matches / max(self.matches - 1, 1)
        squares = worth.error**2 + mean.error**2 - 2 * together
        return Estimate(worth.mean - mean.mean, sqrt(max(squares, 0.0)))

    def dealt(self, name: str) -> Estimate:
        """How often some hand is dealt one of HOLDINGS."""
        return self.per_deal(layout.HELD + HOLDINGS.index(name))

    @property
    def mean_seat(self) -> float:
        """What a seat wins a deal on average: less than nothing by what stays on the board."""
        return self.totals[layout.ALL] / max(self.deals, 1) / self.players

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many deals had 0, 1, 2, ... leads, up to the longest; 0 where Pope ended the deal."""
        found = self.totals[layout.LENGTHS : layout.DEALS]
        return found[: max((n for n, deals in enumerate(found) if deals), default=0) + 1]

    def figures(self) -> Mapping[str, Estimate]:
        """The rest, a deal: leads, choices, cards, card money, the excuse of Pope, Pope turned."""
        return {
            "leads": self.per_deal(layout.LEADS),
            "choices": self.per_deal(layout.CHOICES),
            "cards played": self.per_deal(layout.CARDS),
            "card money": self.per_deal(layout.CARD_MONEY),
            "excused": self.per_deal(layout.EXCUSED),
            "excused cards": self.per_deal(layout.EXCUSED_CARDS),
            "pope turned up": self.per_deal(layout.POPE_UP),
            "ended by the turn-up": self.per_deal(layout.UNPLAYED),
        }

    def rows(self) -> Iterator[tuple[str, str, float | None, float | None]]:
        """Every figure as what, of which, mean, standard error: the columns of CSV and Parquet.

        What is not known is None.
        """
        for what, name, mean, error in self._figures():
            yield what, name, None if isnan(mean) else mean, None if isnan(error) else error

    def _figures(self) -> Iterator[tuple[str, str, float, float]]:
        for role in range(self.players):
            name = role_name(role)
            yield "balance", name, *self.balance(role)
            yield "win rate", name, *self.win_rate(role)
        for place in self.plan.rules.compartments:
            yield "falls", place.value, *self.falls(place)
            yield "turned up", place.value, *self.turned(place)
            yield "won by play", place.value, *self.played(place)
            yield "stake when won", place.value, *self.stake(place)
            yield "carried over", place.value, *self.carried(place)
        for name in HOLDINGS:
            yield "holder wins", name, *self.holding(name)
            yield "dealt to a hand", name, *self.dealt(name)
        for name, estimate in self.figures().items():
            yield "a deal", name, *estimate

    def as_dict(self) -> dict[str, Any]:
        """The plan and every figure as JSON values, with the whole totals; None for the unknown."""
        plan = self.plan
        figures: dict[str, dict[str, dict[str, float | None]]] = {}
        for what, name, mean, error in self.rows():
            figures.setdefault(what, {})[name] = {"mean": mean, "error": error}
        return {
            "rules": plan.rules.text,
            "players": plan.players,
            "leads": plan.policy.name.lower(),
            "seed": plan.seed,
            "deals": self.deals,
            "matches": self.matches,
            "deals_a_match": plan.deals_a_match,
            "complete": self.complete,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
            "figures": figures,
            "lengths": list(self.lengths),
            "totals": list(self.totals),
        }
