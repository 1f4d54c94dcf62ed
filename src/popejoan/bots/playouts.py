"""Play-outs: what a lead comes to in worlds that fit a view, and how the engine makes them.

A search asks for play-outs through ``Playouts`` and does not know who makes them.
``EnginePlayouts`` is the plain way, by the game's own ``Round``: it needs nothing, runs in a
browser, and is slow. The compiled way is in ``fast`` and is handed in by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, final

from popejoan.bots.weights import counter_weights
from popejoan.cards import Card
from popejoan.deal import Chance, Purpose
from popejoan.features import Scorer, Situation
from popejoan.round import Round
from popejoan.rules import Lead
from popejoan.view import View

__all__ = ["EnginePlayouts", "Plan", "Playouts", "Results", "Worlds", "finished"]

Plan: TypeAlias = tuple[Card, ...]
"""Leads of one seat one after another: each but the last is sure to keep the lead. With none, the
first is chosen by whoever is to lead."""

Results = Sequence[Sequence[Sequence[int]]]
"""Counters won from now to the end of the deal: for each plan and world, by seat."""


class Worlds(Protocol):
    """Some worlds that fit a view, equally likely by what has been seen."""

    @property
    def share(self) -> float:
        """How many of the worlds count as different, of one."""
        ...

    def __len__(self) -> int:
        """How many worlds."""
        ...

    def play(self, plans: Sequence[Plan], begin: int, end: int) -> Results:
        """Play each plan out in worlds ``begin`` to ``end - 1``, the same for every plan."""
        ...


class Playouts(Protocol):
    """Whoever makes play-outs."""

    @property
    def usual(self) -> int:
        """How many worlds to look at where nothing else is said."""
        ...

    @property
    def deep(self) -> bool:
        """Whether there is time to play out plans of two leads for a hint or a review."""
        ...

    def worlds(self, view: View, number: int, seed: int) -> Worlds:
        """So many worlds that fit the view of a seat on lead, or of a spectator at a lead."""
        ...


@final
@dataclass(frozen=True, slots=True)
class EnginePlayouts:
    """Play-outs by ``Round``, every seat leading by the weights of *counter*."""

    weights: Callable[[Lead], Scorer] = counter_weights
    """The weights by which every seat leads, for a rule of leads."""
    usual: int = 24
    deep: bool = False

    def worlds(self, view: View, number: int, seed: int) -> _Rounds:
        """So many samples of the view; each is as likely as another."""
        chance = Chance(seed, view.dealt.mask, len(view.events), Purpose.SAMPLE)
        rounds = tuple(view.sample(chance.word() << 32 | chance.word()) for _ in range(number))
        return _Rounds(rounds, self.weights(view.rules.lead))


@final
@dataclass(frozen=True, slots=True)
class _Rounds:
    """Worlds as rounds."""

    rounds: tuple[Round, ...]
    scorer: Scorer
    share: float = 1.0

    def __len__(self) -> int:
        return len(self.rounds)

    def play(self, plans: Sequence[Plan], begin: int, end: int) -> Results:
        return [
            [finished(round_, plan, self.scorer) for round_ in self.rounds[begin:end]]
            for plan in plans
        ]


def finished(round_: Round, plan: Plan, scorer: Scorer) -> tuple[int, ...]:
    """What each seat wins from now to the end, when all lead by a scorer after these leads."""
    now = round_
    for lead in plan:
        now = now.lead(lead)
    while not now.over:
        now = now.lead(scorer.best(Situation.of_round(now)))
    won = [after - before for after, before in zip(now.purses, round_.purses)]
    for item in now.due:
        won[item.seat] += item.counters
    return tuple(won)
