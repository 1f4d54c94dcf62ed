"""What a simulation is asked, and how its matches are cut into chunks that anyone may play.

A chunk is a range of matches; its totals are whole numbers that depend on the range alone, so the
sum over chunks is the same to the last bit however they are cut, in any order, on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from threading import local
from typing import Final, NamedTuple

import numpy as np

from popejoan.cards import BadRules
from popejoan.fast import layout, rows
from popejoan.fast.kept import Kernel
from popejoan.fast.policy import Policy, weights_of
from popejoan.fast.tables import PLACES, Ints, tables
from popejoan.rules import Ace, CardMoney, Lead, Pairs, Peek, PopePlayed, Rules

__all__ = ["CHUNK", "LOCKSTEP", "MATCHES_A_CHUNK", "Chunk", "Plan", "no_totals", "play"]

CHUNK: Final = Kernel("kernel", "chunk")
"""The scalar kernel, which plays by every rule."""
LOCKSTEP: Final = Kernel("lockstep", "lockstep_chunk")
"""The lockstep tier."""

MATCHES_A_CHUNK: Final = 8192
"""Matches in a chunk: some ten milliseconds of the fastest kernel, half a second of the slowest."""
_DEALS_A_CHUNK: Final = 8 * MATCHES_A_CHUNK
_PACK: Final = 52
"""No seat pays more than a counter a card at a time."""


class Chunk(NamedTuple):
    """A range of matches."""

    first: int
    """The number of the first match."""
    matches: int
    """How many matches."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated; made of plain values, so that it travels to other processes."""

    rules: Rules = Rules.HOYLE
    """The rules; all seats play by them."""
    players: int = 4
    """How many players."""
    policy: Policy = Policy.RANDOM
    """How every seat leads."""
    weights: tuple[int, ...] | None = None
    """The weights of the linear policy; the default ones where None."""
    seed: int = 0
    """What the deals are drawn from, modulo 2**64."""
    matches: int = 1
    """How many matches, numbered from 0; match ``m`` is first dealt by seat ``m % players``."""
    deals_a_match: int = 8
    """How many deals a match has; the stakes left over are carried from each to the next."""
    tier: str = "auto"
    """Which kernel plays: ``scalar``, ``lockstep``, or ``auto`` for the fastest that can."""

    def __post_init__(self) -> None:
        """Raise BadRules or ValueError, with the reason, for what cannot be simulated."""
        tables(self.rules, self.players)
        if self.matches < 1 or self.deals_a_match < 1:
            raise ValueError("a simulation has one match of one deal or more")
        if self.deals_a_match > 1000:
            raise ValueError(f"a match has 1 to 1000 deals, not {self.deals_a_match}")
        if self.rules.equal_deals and self.deals_a_match % self.players:
            says = f"{self.deals_a_match} deals do not come round to {self.players} players equally"
            raise BadRules([("equal_deals", says)])
        if self.policy is Policy.LINEAR or self.weights is not None:
            weights_of(self.weights)
        if self.tier not in ("auto", "scalar", "lockstep"):
            raise ValueError(f"{self.tier!r} is no tier: they are auto, scalar, lockstep")
        if self.tier == "lockstep" and not self.lockstep:
            raise ValueError("the lockstep tier cannot play this: use auto")

    @property
    def lockstep(self) -> bool:
        """Whether the lockstep tier can play this."""
        return _can_lockstep(self.rules, self.players, self.policy)

    @property
    def cold(self) -> bool:
        """Whether a kernel must be compiled first, which takes some seconds, once."""
        kernel, arguments = _call(self, Chunk(0, 1), no_totals(), notes=True)
        return kernel.is_cold(*arguments)

    @property
    def deals(self) -> int:
        """How many deals in all."""
        return self.matches * self.deals_a_match

    @property
    def most_matches(self) -> int:
        """How many matches may be added up in 64 bits, whatever happens in them; 1 or more."""
        dressing = tables(self.rules, self.players).dressing
        laid = [int(dressing[dressing[:, 1] == place, 2].sum()) for place in range(len(PLACES))]
        deals = self.deals_a_match
        # Nothing is won but what was laid, by the dressing and by card money, or what is paid: for
        # Pope turned up, for Pope played, for cards. A stake may lie to the end of the match.
        won = deals * (sum(laid) + _PACK + 3 * _PACK * self.players)
        carried = deals * (deals + 1) // 2 * (max(laid) + _PACK)
        return (2**63 - 1) // max(won, carried) ** 2

    def chunks(self, size: int = MATCHES_A_CHUNK) -> Iterator[Chunk]:
        """The ranges of matches, one after another, of so many or fewer."""
        size = min(size, max(_DEALS_A_CHUNK // self.deals_a_match, rows.WIDTH), self.most_matches)
        for first in range(0, self.matches, size):
            yield Chunk(first, min(size, self.matches - first))


def no_totals() -> Ints:
    """Totals of nothing; shape (``layout.TOTALS``,)."""
    return np.zeros(layout.TOTALS, dtype=np.int64)


def _can_lockstep(rules: Rules, players: int, policy: Policy) -> bool:
    """Whether the lockstep tier can play so: all dealers must draw alike, but for whom."""
    plain = (
        policy is Policy.RANDOM
        and players <= 4
        and rules.lead is Lead.ANY
        and rules.ace is Ace.LOW
        and rules.peek is not Peek.SITS_OUT
        and rules.pope_played is PopePlayed.HEAD
        and rules.pairs is Pairs.SAME_SEAT
        and rules.card_money is CardMoney.WINNER
    )
    if not plain:
        return False
    draws = tables(rules, players).draws[:, :, :2]
    return bool((draws == draws[:1]).all())


class _Room(local):
    """Where the lockstep tier works; each thread keeps its own, since fresh pages cost time."""

    def __init__(self) -> None:
        sizes = (
            rows.ROWS * rows.STRIDE,
            rows.STRIDE,
            rows.PAY_ROWS * rows.PAY_STRIDE,
        )
        self.arrays = tuple(np.zeros(size, dtype=np.int64) for size in sizes)


_room: Final = _Room()


def play(plan: Plan, chunk: Chunk, *, notes: bool = True) -> Ints:
    """The totals of a chunk; see ``layout`` for the entries.

    Without ``notes`` the lockstep tier adds up what each seat wins and no more.
    """
    totals = no_totals()
    kernel, arguments = _call(plan, chunk, totals, notes=notes)
    kernel(*arguments)
    return totals


def _call(
    plan: Plan, chunk: Chunk, totals: Ints, *, notes: bool
) -> tuple[Kernel, tuple[int | np.uint64 | Ints | None, ...]]:
    """The kernel that plays a chunk, and what it is called with."""
    seed = np.uint64(plan.seed % 2**64)
    head = (*tables(plan.rules, plan.players), seed, *chunk, plan.deals_a_match)
    if plan.tier != "scalar" and plan.lockstep:
        return LOCKSTEP, (*head, *_room.arrays, totals, 1 if notes else None)
    weights = None
    if plan.policy is Policy.LINEAR:
        weights = np.array(weights_of(plan.weights), dtype=np.int64)
    work = np.zeros(layout.WORK, dtype=np.int64)
    return CHUNK, (*head, int(plan.policy), weights, work, totals, None)
