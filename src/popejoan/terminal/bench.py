"""The measure of the command ``bench``: rounds a second beside a spinning loop.

The loop does nothing but arithmetic, so that the ratio of the two says how fast the game is and
not how fast, or how busy, the machine is.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from popejoan.cards import Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.round import Round
from popejoan.rules import Lead, Rules

__all__ = ["Bench", "bench"]

_SPINS: Final = 200_000
_RULES: Final = Rules(lead=Lead.ANY)


class Bench(NamedTuple):
    """What a bench found."""

    rounds: float
    """Rounds a second: 4 players, any card led at random, dealt beforehand."""
    spins: float
    """Turns of the spinning loop a second."""

    @property
    def ratio(self) -> float:
        """Rounds for each million turns of the loop."""
        return self.rounds / self.spins * 1_000_000


def bench(seconds: float = 2.0) -> Bench:
    """Play and spin in turns for about so long, and take the middle of each."""
    deals = [Deal.shuffle(seed) for seed in range(500)]
    _play(deals[:50])
    rounds: list[float] = []
    spins: list[float] = []
    start = perf_counter()
    while len(rounds) < 3 or perf_counter() - start < seconds:
        spins.append(_SPINS / _spin())
        rounds.append(len(deals) / _play(deals))
    return Bench(median(rounds), median(spins))


def _play(deals: list[Deal]) -> float:
    """Seconds taken to play these deals out by random leads."""
    chance = Chance(1, purpose=Purpose.LEAD)
    start = perf_counter()
    for deal in deals:
        round_ = Round.start(_RULES, deal, dealer=Seat(0)).playout(chance.pick)
        assert round_.over
    return perf_counter() - start


def _spin() -> float:
    """Seconds taken by a fixed amount of plain Python."""
    start = perf_counter()
    number = 1
    for _ in range(_SPINS):
        number = number * 1103515245 + 12345 & 0x7FFFFFFF
    assert number
    return perf_counter() - start
