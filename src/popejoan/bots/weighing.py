"""Two bots that weigh the features of each lead: *counter* straight, *sharp* by a small network.

Both remember every card and every stop. What they weigh is in ``popejoan.features``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from popejoan.bots.bot import Bot
from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.cards import Card
from popejoan.deal import Chance, Purpose
from popejoan.features import Situation
from popejoan.view import View

__all__ = ["Counter", "Mixed", "Sharp"]


@final
@dataclass(frozen=True, slots=True)
class Counter:
    """Leads the card whose features, each times a fixed weight, sum to most."""

    def choose(self, view: View) -> Card:
        """The legal card of the greatest sum; of equals the first."""
        if len(view.legal) == 1:
            return view.legal[0]
        return counter_weights(view.rules.lead).best(Situation.of_view(view))


@final
@dataclass(frozen=True, slots=True)
class Sharp:
    """Leads the card that a small network, trained by playing itself, holds to be worth most."""

    def choose(self, view: View) -> Card:
        """The legal card of the greatest worth; of equals the first."""
        if len(view.legal) == 1:
            return view.legal[0]
        return sharp_weights(view.rules.lead).best(Situation.of_view(view))


@final
@dataclass(frozen=True, slots=True)
class Mixed:
    """Plays as the better of two bots so often, else as the other: any strength between."""

    lower: Bot
    """The weaker bot."""
    upper: Bot
    """The better one."""
    share: float
    """How often the better one chooses, from 0 to 1."""
    seed: int = 0
    """What decides which of them chooses; the same view, the same choice."""

    def choose(self, view: View) -> Card:
        """The choice of one of the two."""
        chance = Chance(self.seed, view.dealt.mask, len(view.events), Purpose.SAMPLE)
        better = chance.word() < self.share * 2**32
        return (self.upper if better else self.lower).choose(view)
