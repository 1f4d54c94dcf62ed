"""The bot *master*: it plays every lead out in worlds that fit what it has seen.

How play-outs are made is not its business: it is handed a ``Playouts``. Every lead is played in the
same worlds, so that luck cancels; a lead that is clearly worse is looked at no further.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from popejoan.bots.plans import plans_of
from popejoan.bots.playouts import EnginePlayouts, Plan, Playouts, Results, Worlds
from popejoan.bots.weights import sharp_weights
from popejoan.cards import Card
from popejoan.deal import Chance, Purpose
from popejoan.features import Scorer, Situation
from popejoan.rules import Lead
from popejoan.view import View

__all__ = ["Master", "Quick", "Worth", "weigh_leads"]

_BLOCK = 32
_GROWTH = 12
"""A block has at least this part of the worlds played before it: to compare takes as long."""
_MARGIN = 2
"""How much longer than the longest before it a block may take, with the reckoning at the end."""
_CLEARLY = 2.7
_COUNTER = 2**30


@final
@dataclass(frozen=True, slots=True)
class Worth:
    """What one lead is expected to be worth."""

    lead: Card
    """The lead."""
    mean: float
    """Counters that the leader is expected to win from now to the end of the deal."""
    behind: float
    """How many counters it is worth less than the best lead; 0 for the best."""
    error: float
    """The standard error of ``behind``."""
    worlds: int
    """In how many worlds it was played out."""


class _Draws:
    """The worlds of a search, drawn some at a time; the last to be drawn can be played out."""

    def __init__(self, playouts: Playouts, view: View, seed: int) -> None:
        self._playouts, self._view = playouts, view
        self._chance = Chance(seed, view.dealt.mask, len(view.events), Purpose.SAMPLE)
        self._different = 0.0
        self._last: Worlds | None = None
        self.number = 0

    def draw(self, number: int) -> None:
        seed = self._chance.word() << 32 | self._chance.word()
        self._last = self._playouts.worlds(self._view, number, seed)
        self._different += number * self._last.share
        self.number += number

    @property
    def share(self) -> float:
        return self._different / self.number

    def play(self, plans: Sequence[Plan], begin: int, end: int) -> Results:
        assert self._last is not None
        first = self.number - len(self._last)
        return self._last.play(plans, begin - first, end - first)


def weigh_leads(
    view: View,
    playouts: Playouts,
    *,
    worlds: int,
    seed: int = 0,
    prior: Callable[[Lead], Scorer] | None = None,
    trust: float = 0,
    drop: bool = False,
    deep: bool = False,
    seconds: float | None = None,
) -> tuple[Worth, ...]:
    """What each legal lead is worth, the best first; of equals the lowest number first.

    ``prior`` scores leads at sight; its word counts as much as ``trust`` worlds. With ``drop`` a
    lead that is clearly worse is given up on the way. With ``deep`` a lead that surely keeps the
    lead is worth what the best lead after it is, not what the play-outs lead after it. With
    ``seconds`` worlds are drawn a few at a time, and no block of them is begun that would not be
    done in that time if it took as long as the longest before it; the first is always played.
    """
    began = time.perf_counter()
    leads = tuple(view.legal)
    assert view.seat is not None
    seat = view.seat
    draws = _Draws(playouts, view, seed)
    together = worlds if seconds is None else min(worlds, playouts.usual)
    done = 0
    at_sight = dict.fromkeys(leads, 0.0)
    if prior is not None and trust:
        scores = [
            score / _COUNTER for score in prior(view.rules.lead).scores(Situation.of_view(view))
        ]
        middle = sum(scores) / len(scores)
        at_sight = {lead: score - middle for lead, score in zip(leads, scores)}
    plans = plans_of(view) if deep else tuple((lead,) for lead in leads)
    won: list[list[int]] = [[] for _ in plans]
    alive = list(range(len(plans)))
    longest = 0.0

    def worth(nth: int) -> float:
        there = won[nth]
        return sum(there) / len(there) + trust * at_sight[plans[nth][0]] / (len(there) or 1)

    while done < worlds and (not drop or len({plans[nth][0] for nth in alive}) > 1):
        block = time.perf_counter()
        if done == draws.number:
            draws.draw(min(together, worlds - done))
        whole = not drop and seconds is None
        size = draws.number if whole else max(_BLOCK, done // _GROWTH)
        end = min(draws.number, done + size)
        for nth, rows in zip(alive, draws.play([plans[nth] for nth in alive], done, end)):
            won[nth] += [row[seat] for row in rows]
        done = end
        best = max(alive, key=worth)
        if drop and done >= 2 * _BLOCK:
            alive = [
                nth
                for nth in alive
                if nth == best
                or not _worse(won[best], won[nth], worth(best) - worth(nth), draws.share)
            ]
        now = time.perf_counter()
        longest = max(longest, now - block)
        if seconds is not None and now - began + _MARGIN * longest > seconds:
            break
    best = max(alive, key=worth)
    result = []
    for lead in leads:
        # What a lead is worth is what its best plan is; one looked at longer is known better.
        nth = max(
            (nth for nth, plan in enumerate(plans) if plan[0] == lead),
            key=lambda nth: (nth == best, len(won[nth]), worth(nth)),
        )
        shared = len(won[nth])
        mean, error = _difference(won[best][:shared], won[nth], draws.share)
        result.append(Worth(lead, sum(won[nth]) / shared, mean, error, shared))
    first = plans[best][0]
    order = sorted(range(len(leads)), key=lambda n: (leads[n] != first, result[n].behind, n))
    return tuple(result[nth] for nth in order)


def _difference(one: list[int], other: list[int], share: float) -> tuple[float, float]:
    """The mean by which one is greater world by world, and its standard error."""
    number = len(one)
    apart = [a - b for a, b in zip(one, other)]
    mean = sum(apart) / number
    if number < 2:
        return mean, math.inf
    spread = sum(each * each for each in apart) - number * mean * mean
    return mean, math.sqrt(max(spread, 0.0) / (number - 1) / number / share)


def _worse(best: list[int], other: list[int], behind: float, share: float) -> bool:
    _, error = _difference(best, other, share)
    return behind > _CLEARLY * error + 0.02


@final
@dataclass(frozen=True, slots=True)
class Master:
    """Leads what turns out best in worlds that fit all it has seen."""

    playouts: Playouts = EnginePlayouts()
    """What makes the play-outs; without the compiled kernel the engine does, in fewer worlds."""
    number: int | None = None
    """How many worlds to look at; None for as many as suits the play-outs."""
    seed: int = 0
    """What the worlds are drawn from: the same view, the same choice."""
    seconds: float | None = None
    """In what time to choose; None to look at all worlds, so that nothing hangs on the clock."""
    trust: float = 8
    """How many worlds the word of *sharp* is worth."""

    def choose(self, view: View) -> Card:
        """The legal card of the greatest worth."""
        if len(view.legal) == 1:
            return view.legal[0]
        return weigh_leads(
            view,
            self.playouts,
            worlds=self.playouts.usual if self.number is None else self.number,
            seed=self.seed,
            prior=sharp_weights,
            trust=self.trust,
            drop=True,
            seconds=self.seconds,
        )[0].lead


@final
@dataclass(frozen=True, slots=True)
class Quick:
    """*Sharp* with a second look: worlds by the thousand, in which all lead at a glance.

    A glance is too coarse to be trusted alone, so the word of *sharp* counts as much.
    """

    glances: Callable[[View, int, int], Sequence[float]]
    """What each legal lead of a view brings in so many worlds, drawn from a seed; means."""
    number: int = 1000
    """How many worlds to look at."""
    seed: int = 0
    """What the worlds are drawn from: the same view, the same choice."""

    def choose(self, view: View) -> Card:
        """The legal card of the greatest worth by both."""
        if len(view.legal) == 1:
            return view.legal[0]
        chance = Chance(self.seed, view.dealt.mask, len(view.events), Purpose.SAMPLE)
        means = self.glances(view, self.number, chance.word() << 32 | chance.word())
        scores = sharp_weights(view.rules.lead).scores(Situation.of_view(view))
        worths = [mean + score / _COUNTER for mean, score in zip(means, scores)]
        return view.legal[worths.index(max(worths))]
