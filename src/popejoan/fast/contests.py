"""Duels between bots that the kernel can play itself: the same deals with one seat changed."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np

from popejoan.fast.layout import BOOK, RANDOM
from popejoan.fast.playouts import contest
from popejoan.fast.tables import tables
from popejoan.fast.weighing import packed
from popejoan.features import Scorer
from popejoan.rules import Rules

__all__ = ["Plays", "gains"]

Plays: TypeAlias = Scorer | Literal["book", "random"]
"""How a seat leads: by a scorer, in the book's order, or any legal card."""

_NAMED: Final = {"book": BOOK, "random": RANDOM}


def gains(
    rules: Rules, players: int, seed: int, match: int, deals: int, one: Plays, field: Plays
) -> list[float]:
    """For each deal of a match what ``one`` wins more than ``field`` in the same seat.

    It is the mean over the seats, everyone else playing as the field, on the field's boards.
    """
    scorers: list[Scorer] = []
    numbers = []
    for each in (one, field):
        if isinstance(each, Scorer):
            numbers.append(len(scorers))
            scorers.append(each)
        else:
            numbers.append(_NAMED[each])
    seatings = np.full((players + 1, players), numbers[1], dtype=np.int64)
    for seat in range(players):
        seatings[seat + 1, seat] = numbers[0]
    results = np.zeros((deals, players + 1, players), dtype=np.int64)
    boards = np.zeros((deals, 8), dtype=np.int64)
    nets = packed(scorers or [Scorer(())])
    contest(*tables(rules, players), np.uint64(seed), match, deals, nets, seatings, results, boards)
    seats = np.arange(players)
    gain = (results[:, seats + 1, seats] - results[:, 0, :]).mean(axis=1)
    return [float(each) for each in gain]
