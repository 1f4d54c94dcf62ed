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
from popejoan.fast.bits import popcount
from popejoan.fast.jit import compiled, device, small
from popejoan.fast.kernel import legal_leads
from popejoan.fast.layout import (
    ACE,
    AT_GAME,
    AT_MATRIMONY,
    AT_POPE,
    BALANCES,
    BOARD,
    HANDS,
    PEEK,
    PLAYERS,
    POPE_BIT,
    POPE_CARDS,
    SPLIT,
    TO_BOARD,
)
from popejoan.fast.playouts import run_from
from popejoan.fast.settle import all_hands, earn, going_out, pay_for_pope
from popejoan.fast.stream import mix
from popejoan.fast.tables import LANE, Ints, tables
from popejoan.features import card_at, to_lanes
from popejoan.round import Round

__all__ = ["Solution", "TooDeep", "solve"]

MOST_POSITIONS: Final = 5_000_000
"""How many positions are worked out at most, unless more are asked for."""

MOST_COUNTERS: Final = 30_000
"""How many counters may lie on the board: values are kept in sixteen bits."""

_TURN, _STOCK, _DEALER, _COUNT, _MOST, _EARNING = range(6)
_HONOURS: Final = 16
_FIRST: Final = 1 << 12
"""Rows of the first table."""
_GROWTH: Final = 4
"""How many times as large the next table is, once five eighths of one are filled."""


class TooDeep(ValueError):
    """There are more positions than were to be worked out; the message says how many."""


@small
def key_of_position(held: Any, leader: Any) -> Any:
    """The cards left and the leader in one number: the empty bits of the lanes hold the leader."""
    return held | (leader & 3) << 13 | (leader >> 2) << 29


@small
def find(table: Any, key: Any) -> Any:
    """The row of a table in which a key stands, or is to stand."""
    last = np.uint64(table.shape[0] - 1)
    place = mix(np.uint64(key)) & last
    while table[place, 0] != 0 and table[place, 0] != key:
        place = (place + np.uint64(1)) & last
    return place


@small
def recall(players: Any, row: Any, worth: Any) -> Any:
    """Add to ``worth`` what a row of the table holds: four seats a word, sixteen bits each."""
    for seat in range(players):
        worth[seat] += (row[1 + (seat >> 2)] << (48 - 16 * (seat & 3))) >> 48


@small
def note(players: Any, key: Any, worth: Any, row: Any) -> Any:
    """Write a position and its value into a row of the table."""
    row[0] = key
    for seat in range(players):
        row[1 + (seat >> 2)] |= (worth[seat] & 0xFFFF) << (16 * (seat & 3))


@compiled
def rehash(old: Any, new: Any) -> None:
    """Move all positions from a table to a larger one, which is empty."""
    for place in range(old.shape[0]):
        if old[place, 0] != 0:
            row = find(new, old[place, 0])
            for word in range(old.shape[1]):
                new[row, word] = old[place, word]


@device
def pay_run(
    flags: Any, facts: Any, held: Any, left: Any, winner: Any, dealt: Any, work: Any, put: Any
) -> None:
    """Put into ``put`` what cards that are played settle: stakes, Pope's pay, going out."""
    players = flags[PLAYERS]
    run = held ^ left
    earning = run & facts[_EARNING]
    for seat in range(players):
        put[seat] = 0
    if not earning and winner < 0:
        return
    for seat in range(players):
        work[BALANCES + seat] = 0
    if earning:
        for place in range(8):
            work[BOARD + place] = facts[8 + place]
        earn(flags, facts[_TURN], dealt ^ left, run, work, None)
        if flags[POPE_CARDS] and run & flags[POPE_BIT]:
            still = held & ~(run & ((flags[POPE_BIT] << 1) - 1))
            pay_for_pope(flags, still, work, None)
    if winner >= 0:
        work[BOARD + AT_GAME] = facts[8 + AT_GAME]
        going_out(flags, left, winner, work, None)
    for seat in range(players):
        put[seat] = work[BALANCES + seat]


@device
def after(flags: Any, facts: Any, held: Any, lead: Any, dealt: Any, work: Any, put: Any) -> Any:
    """Play a run and put into ``put`` what it settles; give the cards left, winner and leader.

    When none of the next leader's cards is followed by a card of another seat, whatever it leads
    it leads again, and the others play no more: all that is played at once. Not where Pope's pay
    would hang on what is left in hands when it is played.
    """
    left, winner, leader, _ = run_from(flags, held, lead, work)
    if winner < 0 and not (flags[POPE_CARDS] and held & flags[POPE_BIT]):
        own = work[HANDS + leader] & left
        if not (own << 1) & left & ~own:
            winner = leader
            left ^= own
    pay_run(flags, facts, held, left, winner, dealt, work, put)
    return left, winner, leader


@device
def leads_of(flags: Any, facts: Any, held: Any, leader: Any, dealt: Any, work: Any) -> Any:
    """What the seat on lead may lead."""
    gone = (dealt ^ held) | facts[_TURN]
    if flags[PEEK] and leader == facts[_DEALER]:
        gone |= facts[_STOCK]
    return legal_leads(flags, work[HANDS + leader] & held, gone)


@small
def stakes_in(flags: Any, facts: Any, own: Any, mine: Any) -> Any:
    """The stakes that cards in hand can still earn their seat, to which ``mine`` were dealt."""
    stakes = 0
    for honour in range(4):
        if own & facts[_HONOURS + honour]:
            stakes += facts[8 + honour]
    if own & flags[POPE_BIT]:
        stakes += facts[8 + AT_POPE]
    for pair in range(2):
        both = facts[_HONOURS + 1 + pair] | facts[_HONOURS + 2 + pair]
        if own & both and mine & both == both:
            stakes += facts[8 + AT_MATRIMONY + pair]
    return stakes


@device
def most_for(flags: Any, facts: Any, held: Any, leader: Any, work: Any) -> Any:
    """Counters that the seat on lead cannot win more than, where stakes and cards are all it wins.

    To go out it plays all its cards, and with them go the cards of others that lie above one of
    them in an unbroken row, but for those next above its very last card, where the run ends. The
    others pay for the rest.
    """
    mine = work[HANDS + leader]
    own = mine & held
    others = held & ~own
    above = own
    through = held
    for step in (1, 2, 4, 8):
        above |= through & (above << step)
        through &= through << step
    forced = above & others
    ends = forced
    longest = 0
    while ends:
        rest = ends & (ends + (ends & -ends))
        longest = max(longest, popcount(ends ^ rest))
        ends = rest
    cards = popcount(others) - popcount(forced) + longest
    most = facts[8 + AT_GAME] + cards
    if own & facts[_EARNING]:
        most += stakes_in(flags, facts, own, mine)
    return most


@small
def open_position(
    flags: Any, facts: Any, held: Any, leader: Any, dealt: Any, work: Any, at: Any
) -> None:
    """Write a position whose leads are to be tried into a row of the path."""
    at[0] = held
    at[1] = leader
    at[2] = leads_of(flags, facts, held, leader, dealt, work)
    at[3] = 0
    at[4] = 1 << 40
    if not (flags[SPLIT] or flags[POPE_CARDS] or flags[TO_BOARD]):
        at[4] = most_for(flags, facts, held, leader, work)


@small
def note_best(players: Any, at: Any, paid: Any, best: Any) -> None:
    """Keep what a lead comes to if it brings the leader more than those tried before it.

    When nothing can bring more, no other is tried.
    """
    leader = at[1]
    if not at[3] or paid[leader] > best[leader]:
        at[3] = 1
        for seat in range(players):
            best[seat] = paid[seat]
    if best[leader] >= at[4]:
        at[2] = 0


@device
def worth(
    flags: Any, facts: Any, held: Any, leader: Any, dealt: Any, work: Any, table: Any,
    path: Any, best: Any, paid: Any,
) -> Any:  # fmt: skip
    """Put the value of a position into ``best[0]``; False when the table is full.

    ``path[depth]`` holds the cards left, the leader, the leads still to try, whether one has been
    tried, and the most that any could bring; ``paid`` what the lead being tried comes to.
    """
    players = flags[PLAYERS]
    place = find(table, key_of_position(held, leader))
    if table[place, 0]:
        for seat in range(players):
            best[0, seat] = 0
        recall(players, table[place], best[0])
        return True
    depth = 0
    open_position(flags, facts, held, leader, dealt, work, path[0])
    while True:
        held = path[depth, 0]
        leader = path[depth, 1]
        legal = path[depth, 2]
        if not legal:
            if facts[_COUNT] >= facts[_MOST]:
                return False
            facts[_COUNT] += 1
            key = key_of_position(held, leader)
            note(players, key, best[depth], table[find(table, key)])
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
                place = find(table, key_of_position(left, following))
                if not table[place, 0]:
                    depth += 1
                    open_position(flags, facts, left, following, dealt, work, path[depth])
                    continue
                recall(players, table[place], paid[depth])
        note_best(players, path[depth], paid[depth], best[depth])


@compiled
def worth_of_leads(
    flags: Any, facts: Any, held: Any, leader: Any, hands: Any, table: Any, leads: Any, found: Any,
) -> Any:  # fmt: skip
    """For each lead its value by seat in ``found``; how many leads, or -1 when the table is full.

    ``facts`` are the turn-up, the stock, the dealer, the positions counted and allowed, the cards
    that may earn something, from 8 the board, and from 16 the honours, which are found here as the
    earning cards are; ``leads`` is filled with the legal leads.
    """
    players = flags[PLAYERS]
    work = np.zeros(layout.WORK, dtype=np.int64)
    for seat in range(players):
        work[HANDS + seat] = hands[seat]
    dealt = all_hands(flags, work)
    path = np.zeros((56, 5), dtype=np.int64)
    best = np.zeros((56, players), dtype=np.int64)
    paid = np.zeros((56, players), dtype=np.int64)
    lane = 0
    while not (LANE << lane) & facts[_TURN]:
        lane += 16
    facts[_EARNING] = flags[POPE_BIT]
    for honour in range(4):
        facts[_HONOURS + honour] = 1 << (lane + flags[ACE + honour])
        facts[_EARNING] |= facts[_HONOURS + honour]
    legal = leads_of(flags, facts, held, leader, dealt, work)
    number = 0
    while legal:
        lead = legal & -legal
        legal ^= lead
        left, winner, next_leader = after(flags, facts, held, lead, dealt, work, found[number])
        if winner < 0:
            if not worth(flags, facts, left, next_leader, dealt, work, table, path, best, paid):
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
    no lead is to be made, or so many counters lie on the board that a value may not fit.
    """
    if round_.to_act is None or round_.forced:
        raise ValueError("no lead is to be made, so there is nothing to solve")
    if round_.board.total > MOST_COUNTERS:
        raise ValueError(
            f"there are {round_.board.total:,} counters on the board; a deal with up to "
            f"{MOST_COUNTERS:,} can be solved"
        )
    deal = _Opened(round_, most)
    first = options = deal.leads_at(round_)
    line: list[Card] = []
    now = round_
    while True:
        seat = now.to_act or 0
        best = max(options, key=lambda each: each[1][seat])[0]
        line.append(best)
        now = now.lead(best)
        if now.over:
            return Solution(first, tuple(line), int(deal.facts[_COUNT]))
        options = deal.leads_at(now)


class _Opened:
    """A deal with all hands open, and the positions worked out so far."""

    def __init__(self, round_: Round, most: int) -> None:
        self.high = high = round_.rules.order.ace_high
        self.players = round_.players
        self.most = most
        self.flags = tables(round_.rules, round_.players).flags
        self.facts = np.zeros(20, dtype=np.int64)
        self.facts[:3] = (
            to_lanes(round_.turn_up.bit, ace_high=high),
            to_lanes(round_.deal.stock.mask, ace_high=high),
            int(round_.dealer),
        )
        self.facts[8:16] = round_.board.counters
        self.hands = np.array([to_lanes(hand.mask, ace_high=high) for hand in round_.deal.hands])
        self.table = self._table(_FIRST)

    def _table(self, rows: int) -> Ints:
        self.facts[_MOST] = min(rows * 5 // 8, self.most)
        return np.zeros((rows, 1 + -(-self.players // 4)), dtype=np.int64)

    def leads_at(self, now: Round) -> tuple[tuple[Card, tuple[int, ...]], ...]:
        """Each legal lead of the round at a lead, and what every seat wins after it."""
        held = to_lanes(sum(now.held), ace_high=self.high)
        leader = int(now.to_act or 0)
        leads = np.zeros(52, dtype=np.int64)
        found = np.zeros((52, self.players), dtype=np.int64)
        while True:
            number = worth_of_leads(
                self.flags, self.facts, held, leader, self.hands, self.table, leads, found
            )
            if number >= 0:
                break
            if self.facts[_MOST] >= self.most:
                raise TooDeep(
                    f"with {held.bit_count()} cards in hands there are more than {self.most:,} "
                    "positions"
                )
            # What is worked out is kept, so that the search is soon where it was.
            larger = self._table(_GROWTH * len(self.table))
            rehash(self.table, larger)
            self.table = larger
        return tuple(
            (card_at(int(lead), ace_high=self.high), tuple(map(int, row)))
            for lead, row in zip(leads[:number], found[:number], strict=True)
        )
