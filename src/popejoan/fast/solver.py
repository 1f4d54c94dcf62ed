"""Exact play with all hands open, compiled: what every lead comes to when all play for themselves.

The value of a position is that of *max^n*: whoever leads takes the lead that brings that seat most.
Of leads that bring it the same, the first is taken: suits in the order of the pack, low cards
first. A position is the cards left in hands and the seat on lead; each is worked out once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from popejoan.cards import Card
from popejoan.fast import layout
from popejoan.fast.jit import device, small
from popejoan.fast.kernel import legal_leads
from popejoan.fast.layout import (
    BALANCES,
    BOARD,
    HANDS,
    PEEK,
    PLAYERS,
    POPE_BIT,
    POPE_CARDS,
)
from popejoan.fast.playouts import run_from
from popejoan.fast.settle import all_hands, settle
from popejoan.fast.stream import mix
from popejoan.fast.tables import tables
from popejoan.fast.weighing import kernel
from popejoan.features import card_at, to_lanes
from popejoan.round import Round

__all__ = ["Solution", "TooDeep", "solve"]

MOST_POSITIONS: Final = 5_000_000
"""How many positions are worked out at most, unless more are asked for."""

_TURN, _STOCK, _DEALER, _COUNT, _MOST = range(5)


class TooDeep(ValueError):
    """There are more positions than were to be worked out; the message says how many."""


@small
def key_of_position(held: Any, leader: Any) -> Any:
    """The cards left and the leader in one number: the empty bits of the lanes hold the leader."""
    return held | (leader & 3) << 13 | (leader >> 2) << 29


@small
def find(keys: Any, key: Any) -> Any:
    """Where a key stands, or is to stand."""
    last = keys.shape[0] - 1
    place = np.int64(mix(np.uint64(key)) & np.uint64(last))
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & last
    return place


@device
def after(flags: Any, facts: Any, held: Any, lead: Any, dealt: Any, work: Any, put: Any) -> Any:
    """Play a run and put into ``put`` what it settles; give the cards left, winner and leader."""
    players = flags[PLAYERS]
    left, winner, leader, run = run_from(flags, held, lead, work)
    for seat in range(players):
        put[seat] = 0
    if winner >= 0:
        for place in range(8):
            work[BOARD + place] = facts[8 + place]
        for seat in range(players):
            work[BALANCES + seat] = 0
        settle(flags, facts[_TURN], dealt, left, winner, work, None)
        for seat in range(players):
            put[seat] = work[BALANCES + seat]
    if flags[POPE_CARDS] and run & flags[POPE_BIT]:
        still = held & ~(run & ((flags[POPE_BIT] << 1) - 1))
        owner = 0
        for seat in range(players):
            if work[HANDS + seat] & flags[POPE_BIT]:
                owner = seat
        for seat in range(players):
            cards = (work[HANDS + seat] & still).bit_count()
            if seat != owner:
                put[seat] -= cards
                put[owner] += cards
    return left, winner, leader


@device
def leads_of(flags: Any, facts: Any, held: Any, leader: Any, dealt: Any, work: Any) -> Any:
    """What the seat on lead may lead."""
    gone = (dealt ^ held) | facts[_TURN]
    if flags[PEEK] and leader == facts[_DEALER]:
        gone |= facts[_STOCK]
    return legal_leads(flags, work[HANDS + leader] & held, gone)


@small
def note_best(players: Any, leader: Any, begun: Any, better: Any, best: Any) -> Any:
    """Keep the result of a lead if it is the first, or brings the leader more; give True."""
    if not begun or better[leader] > best[leader]:
        for seat in range(players):
            best[seat] = better[seat]
    return True


@device
def worth(
    flags: Any, facts: Any, held: Any, leader: Any, dealt: Any, work: Any, keys: Any, values: Any,
    path: Any, best: Any, paid: Any,
) -> Any:  # fmt: skip
    """Put the value of a position into ``best[0]``; False when there are too many.

    ``path[depth]`` holds the cards left, the leader, the leads still to try and whether one has
    been tried; ``paid`` what the lead being tried comes to.
    """
    players = flags[PLAYERS]
    place = find(keys, key_of_position(held, leader))
    if keys[place]:
        for seat in range(players):
            best[0, seat] = values[place, seat]
        return True
    depth = 0
    path[0, 0] = held
    path[0, 1] = leader
    path[0, 2] = leads_of(flags, facts, held, leader, dealt, work)
    path[0, 3] = 0
    while True:
        held = path[depth, 0]
        leader = path[depth, 1]
        legal = path[depth, 2]
        if not legal:
            if facts[_COUNT] >= facts[_MOST]:
                return False
            facts[_COUNT] += 1
            key = key_of_position(held, leader)
            place = find(keys, key)
            keys[place] = key
            for seat in range(players):
                values[place, seat] = best[depth, seat]
            if depth == 0:
                return True
            depth -= 1
            for seat in range(players):
                paid[depth, seat] += best[depth + 1, seat]
        else:
            lead = legal & -legal
            path[depth, 2] ^= lead
            left, winner, following = after(flags, facts, held, lead, dealt, work, paid[depth])
            if winner < 0:
                place = find(keys, key_of_position(left, following))
                if not keys[place]:
                    depth += 1
                    path[depth, 0] = left
                    path[depth, 1] = following
                    path[depth, 2] = leads_of(flags, facts, left, following, dealt, work)
                    path[depth, 3] = 0
                    continue
                for seat in range(players):
                    paid[depth, seat] += values[place, seat]
        path[depth, 3] = note_best(
            players, path[depth, 1], path[depth, 3] != 0, paid[depth], best[depth]
        )


@kernel
def worth_of_leads(
    flags: Any, facts: Any, held: Any, leader: Any, hands: Any, keys: Any, values: Any,
    leads: Any, found: Any,
) -> Any:  # fmt: skip
    """For each lead its value by seat in ``found``; how many leads, or -1 for too many positions.

    ``facts`` are the turn-up, the stock, the dealer, the positions counted and allowed, and from
    8 the board; ``leads`` is filled with the legal leads.
    """
    players = flags[PLAYERS]
    work = np.zeros(layout.WORK, dtype=np.int64)
    for seat in range(players):
        work[HANDS + seat] = hands[seat]
    dealt = all_hands(flags, work)
    path = np.zeros((56, 4), dtype=np.int64)
    best = np.zeros((56, players), dtype=np.int64)
    paid = np.zeros((56, players), dtype=np.int64)
    legal = leads_of(flags, facts, held, leader, dealt, work)
    number = 0
    while legal:
        lead = legal & -legal
        legal ^= lead
        left, winner, next_leader = after(flags, facts, held, lead, dealt, work, found[number])
        if winner < 0:
            if not worth(
                flags, facts, left, next_leader, dealt, work, keys, values, path, best, paid
            ):
                return -1
            for seat in range(players):
                found[number, seat] += best[0, seat]
        leads[number] = lead
        number += 1
    return number


@final
@dataclass(frozen=True, slots=True)
class Solution:
    """A round from one lead on, with all hands open."""

    leads: tuple[tuple[Card, tuple[int, ...]], ...]
    """Each legal lead, and what every seat wins from now on after it."""
    line: tuple[Card, ...]
    """The leads to the end when each seat takes the lead that is best for it."""
    positions: int
    """How many positions were worked out."""

    @property
    def best(self) -> Card:
        """The best lead for the seat on lead."""
        return self.line[0]

    @property
    def worth(self) -> tuple[int, ...]:
        """What every seat wins from now on by the best line."""
        return dict(self.leads)[self.best]


def solve(round_: Round, *, most: int = MOST_POSITIONS) -> Solution:
    """The value of each lead of a round at a lead, and the best line.

    Raises TooDeep when more than ``most`` positions would have to be worked out, ValueError when
    no lead is to be made.
    """
    if round_.to_act is None or round_.forced:
        raise ValueError("no lead is to be made, so there is nothing to solve")
    size = 1 << 12
    while True:
        room = min(size * 5 // 8, most)
        found = _solved(round_, size, room)
        if found is not None:
            return found
        if room >= most:
            raise TooDeep(
                f"with {sum(map(len, map(round_.hand, range(round_.players))))} cards in hands "
                f"there are more than {most:,} positions"
            )
        size *= 8


def _solved(round_: Round, size: int, most: int) -> Solution | None:
    high = round_.rules.order.ace_high
    players = round_.players
    flags = tables(round_.rules, players).flags
    facts = np.zeros(16, dtype=np.int64)
    facts[:5] = (
        to_lanes(round_.turn_up.bit, ace_high=high),
        to_lanes(round_.deal.stock.mask, ace_high=high),
        int(round_.dealer),
        0,
        most,
    )
    facts[8:] = round_.board.counters
    hands = np.array([to_lanes(hand.mask, ace_high=high) for hand in round_.deal.hands])
    keys = np.zeros(size, dtype=np.int64)
    values = np.zeros((size, players), dtype=np.int16)

    def leads_at(now: Round) -> list[tuple[Card, tuple[int, ...]]] | None:
        assert now.to_act is not None
        leads = np.zeros(52, dtype=np.int64)
        found = np.zeros((52, players), dtype=np.int64)
        held = to_lanes(sum(now.held), ace_high=high)
        number = worth_of_leads(
            flags, facts, held, int(now.to_act), hands, keys, values, leads, found
        )
        if number < 0:
            return None
        return [
            (card_at(int(lead), ace_high=high), tuple(map(int, row)))
            for lead, row in zip(leads[:number], found[:number], strict=True)
        ]

    first = leads_at(round_)
    if first is None:
        return None
    line: list[Card] = []
    now, options = round_, first
    while True:
        assert now.to_act is not None
        best = max(options, key=lambda each: each[1][now.to_act or 0])[0]
        line.append(best)
        now = now.lead(best)
        if now.over:
            return Solution(tuple(first), tuple(line), int(facts[3]))
        following = leads_at(now)
        if following is None:
            return None
        options = following
