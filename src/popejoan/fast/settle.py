"""The payments of a deal, and what is noted of it: integers and arrays only.

Each function is a part of the kernel; arrays and their entries are named in ``layout``, masks are
lanes. The order of payments within a deal never matters to the counters, so they are made once,
from who held what and what was played; a trace puts them back in their order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.fast.bits import lesser, lowest_place, popcount
from popejoan.fast.jit import device, small
from popejoan.fast.layout import (
    ACE,
    ALL,
    AT_GAME,
    AT_POPE,
    BALANCES,
    BOARD,
    CARD_MONEY,
    CARDS,
    CARRIED,
    CROSS,
    CROSS_ALL,
    CROSS_HELD,
    CROSS_TURNED,
    DEALS,
    EXCUSED,
    EXCUSED_CARDS,
    EXEMPT,
    FALLEN,
    HANDS,
    HAS,
    HELD,
    HELD_WON,
    KING,
    KNAVE,
    LENGTHS,
    MATCHES,
    PLAYERS,
    POPE_BIT,
    POPE_CAP,
    POPE_UP,
    PURSES,
    QUANTITIES,
    QUEEN,
    ROLE,
    ROW_DRESSED,
    ROW_EXCUSED,
    ROW_OUT,
    ROW_OVER,
    ROW_PAID,
    ROW_STAKE,
    ROW_TO_BOARD,
    SINGLE,
    SPLIT,
    SQUARES,
    STAKE,
    TO_BOARD,
    TURNED,
    TURNED_CARDS,
    TURNED_ENDS,
    TURNED_THROWN_IN,
    UNPLAYED,
    WON,
)
from popejoan.fast.layout import POPE_TURNED as POPE_TURNED_FLAG
from popejoan.fast.tables import LANE_BITS

__all__ = [
    "add_match",
    "all_hands",
    "dress",
    "earn",
    "factors",
    "going_out",
    "note_deal",
    "pay_for_pope",
    "put",
    "settle",
    "turned_up",
]

# Numbers handed to a part of the kernel, typed: for a bare one Numba compiles the part anew.
_NO_CARD: Final = np.int64(-1)
_FOR_TURN_UP, _FOR_POPE, _FOR_CARDS = np.int64(0), np.int64(1), np.int64(2)
_GAME: Final = np.int64(AT_GAME)
_SEAT_0: Final = np.int64(0)


@small
def put(trace: Any, kind: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    """Write a row of the trace; asked for only where one is kept, as it is costly to compile."""
    row = trace[0, 0] + 1
    trace[0, 0] = row
    trace[row, 0] = kind
    trace[row, 1] = a
    trace[row, 2] = b
    trace[row, 3] = c
    trace[row, 4] = d
    trace[row, 5] = e


@device
def lay(work: Any, trace: Any, seat: Any, place: Any, counters: Any) -> None:
    """A seat lays counters in a compartment to dress it."""
    work[BOARD + place] += counters
    work[BALANCES + seat] -= counters
    if trace is not None:
        put(trace, ROW_DRESSED, seat, place, counters, 0, 0)


@device
def dress(flags: Any, dressing: Any, dealer: Any, work: Any, trace: Any) -> None:
    """Dress the board for the deal (clause 2.2)."""
    players = flags[PLAYERS]
    rows = dressing.shape[0]
    laid = 0
    for row in range(rows):
        place = dressing[row, 1]
        if not flags[SINGLE] or work[BOARD + place] == 0:
            lay(work, trace, (dealer + dressing[row, 0]) % players, place, dressing[row, 2])
            laid += 1
    if laid == 0:
        lay(work, trace, dealer, _GAME, np.int64(1))


@device
def take(work: Any, trace: Any, seat: Any, place: Any, counters: Any, own: Any, other: Any) -> None:
    """A seat takes counters from a compartment; ``own`` and ``other`` are the bits that earn it."""
    work[BOARD + place] -= counters
    work[BALANCES + seat] += counters
    work[STAKE + place] += counters
    work[FALLEN + place] += 1
    if trace is not None:
        put(trace, ROW_STAKE, place, seat, counters, own, other)


@device
def pay(work: Any, trace: Any, payer: Any, payee: Any, counters: Any, reason: Any) -> None:
    """A seat pays another."""
    work[BALANCES + payer] -= counters
    work[BALANCES + payee] += counters
    if trace is not None:
        put(trace, ROW_PAID, payer, payee, counters, reason, 0)


@device
def turned_up(flags: Any, dealer: Any, turn: Any, work: Any, trace: Any) -> Any:
    """What the turn-up brings the dealer (clauses 4.1 to 4.3); the dealer if that ends the deal."""
    winner = -1
    place = -1
    bit = lowest_place(turn)
    height = bit % LANE_BITS
    for nth in range(4):
        if height == flags[ACE + nth]:
            place = nth
    if turn == flags[POPE_BIT]:
        place = AT_POPE
        work[POPE_UP] += 1
    if place >= 0 and flags[HAS] >> place & 1:
        take(work, trace, dealer, place, work[BOARD + place], _NO_CARD, _NO_CARD)
        work[TURNED + place] += 1
        if place == AT_POPE:
            how = flags[POPE_TURNED_FLAG]
            if how in (TURNED_ENDS, TURNED_THROWN_IN):
                take(work, trace, dealer, _GAME, work[BOARD + AT_GAME], _NO_CARD, _NO_CARD)
                work[TURNED + AT_GAME] += 1
                winner = dealer
                work[UNPLAYED] += 1
            if how in (TURNED_ENDS, TURNED_CARDS):
                for step in range(1, flags[PLAYERS]):
                    seat = (dealer + step) % flags[PLAYERS]
                    cards = popcount(work[HANDS + seat])
                    cards = lesser(cards, flags[POPE_CAP])
                    if cards:
                        pay(work, trace, seat, dealer, cards, _FOR_TURN_UP)
            if trace is not None and winner >= 0:
                put(trace, ROW_OVER, winner, 0, 0, 0, 0)
    return winner


@small
def owner_of(flags: Any, bit: Any, work: Any) -> Any:
    """The seat that was dealt a card, given as a mask; the dealer's own seat 0 when nobody was."""
    owner: Any = _SEAT_0
    for seat in range(flags[PLAYERS]):
        if work[HANDS + seat] & bit:
            owner = seat
    return owner


@device
def all_hands(flags: Any, work: Any) -> Any:
    """The cards dealt to the seats."""
    cards = 0
    for seat in range(flags[PLAYERS]):
        cards |= work[HANDS + seat]
    return cards


@device
def pay_for_pope(flags: Any, still: Any, work: Any, trace: Any) -> None:
    """Each other seat pays the player of Pope for the cards ``still`` in hand (clause 7.5)."""
    players = flags[PLAYERS]
    owner = owner_of(flags, flags[POPE_BIT], work)
    for step in range(1, players):
        seat = (owner + step) % players
        cards = popcount(work[HANDS + seat] & still)
        if cards:
            pay(work, trace, seat, owner, cards, _FOR_POPE)


@device
def settle(
    flags: Any, turn: Any, dealt: Any, held: Any, winner: Any, work: Any, trace: Any
) -> None:
    """Pay what was earned by cards played, Game, and the cards left (clauses 7 and 8)."""
    played = dealt ^ held
    earn(flags, turn, played, played, work, trace)
    going_out(flags, held, winner, work, trace)


@device
def earn(flags: Any, turn: Any, played: Any, fresh: Any, work: Any, trace: Any) -> None:
    """Pay the stakes earned by ``fresh`` cards, which are among those ``played`` (clause 7)."""
    pope = flags[POPE_BIT]
    lane = lowest_place(turn) // LANE_BITS * LANE_BITS
    for nth in range(7):
        place = nth  # the ace, the king, the queen, the knave
        first = 1 << (lane + flags[ACE + nth % 4])
        second = first
        if nth == 4:
            place = AT_POPE
            first = second = pope
        elif nth > 4:
            place = nth  # matrimony, intrigue
            first, second = (
                1 << (lane + flags[KING + nth - 5]),
                1 << (lane + flags[QUEEN + nth - 5]),
            )
        if (
            fresh & (first | second)
            and played & first
            and played & second
            and flags[HAS] >> place & 1
        ):
            one = owner_of(flags, first, work)
            two = owner_of(flags, second, work)
            stake = work[BOARD + place]
            if one == two:
                take(work, trace, one, place, stake, lowest_place(first), lowest_place(second))
            elif flags[SPLIT] and stake > 1:
                half = stake // 2
                take(work, trace, one, place, half, lowest_place(first), lowest_place(second))
                take(work, trace, two, place, half, lowest_place(second), lowest_place(first))
                work[FALLEN + place] -= 1


@device
def going_out(flags: Any, held: Any, winner: Any, work: Any, trace: Any) -> None:
    """Pay Game and the cards left ``held`` to the seat that is out (clause 8)."""
    players = flags[PLAYERS]
    pope = flags[POPE_BIT]
    if trace is not None:
        put(trace, ROW_OUT, winner, 0, 0, 0, 0)
    take(work, trace, winner, _GAME, work[BOARD + AT_GAME], _NO_CARD, _NO_CARD)
    for step in range(1, players):
        seat = (winner + step) % players
        hand = work[HANDS + seat] & held
        cards = popcount(hand)
        if cards:
            if flags[EXEMPT] and hand & pope:
                work[EXCUSED] += 1
                work[EXCUSED_CARDS] += cards
                if trace is not None:
                    put(trace, ROW_EXCUSED, seat, cards, 0, 0, 0)
            else:
                work[CARD_MONEY] += cards
                if flags[TO_BOARD]:
                    lay_cards(flags, seat, cards, work, trace)
                else:
                    pay(work, trace, seat, winner, cards, _FOR_CARDS)
    if trace is not None:
        put(trace, ROW_OVER, winner, 0, 0, 0, 0)


@device
def lay_cards(flags: Any, seat: Any, cards: Any, work: Any, trace: Any) -> None:
    """One counter a card, each to the compartment that then holds least (clause 8.4)."""
    for _ in range(cards):
        least = -1
        for place in range(8):
            if flags[HAS] >> place & 1 and (least < 0 or work[BOARD + place] < work[BOARD + least]):
                least = place
        work[BOARD + least] += 1
        if trace is not None:
            put(trace, ROW_TO_BOARD, seat, least, 1, 0, 0)
    work[BALANCES + seat] -= cards


@device
def note_deal(flags: Any, dealer: Any, turn: Any, winner: Any, played: Any, work: Any) -> None:
    """Add the deal's results to the quantities of the match, and to the purses."""
    players = flags[PLAYERS]
    work[CARDS] += popcount(played)
    for seat in range(players):
        role = seat - dealer
        if role < 0:
            role += players
        work[ROLE + role] += work[BALANCES + seat]
        work[PURSES + seat] += work[BALANCES + seat]
        if seat == winner:
            work[WON + role] += 1
    for place in range(8):
        work[CARRIED + place] += work[BOARD + place]
    lane = lowest_place(turn) // LANE_BITS * LANE_BITS
    for nth in range(7):
        cards = flags[POPE_BIT]
        if nth > 4:
            cards = 3 << (lane + flags[QUEEN if nth == 5 else KNAVE])
        elif nth > 0:
            cards = 1 << (lane + flags[ACE + nth - 1])
        for seat in range(players):
            if work[HANDS + seat] & cards == cards:
                work[HELD + nth] += 1
                work[HELD_WON + nth] += work[BALANCES + seat]
    for seat in range(players):
        work[BALANCES + seat] = 0


@small
def factors(entry: Any) -> Any:
    """The two quantities whose product an entry of the totals, from CROSS on, sums."""
    one, other = STAKE - CROSS + entry, FALLEN - CROSS + entry
    if entry >= CROSS_ALL:
        one, other = ALL, HELD - CROSS_ALL + entry
    elif entry >= CROSS_TURNED:
        one, other = FALLEN - CROSS_TURNED + entry, TURNED - CROSS_TURNED + entry
    elif entry >= CROSS_HELD:
        one, other = HELD_WON - CROSS_HELD + entry, HELD - CROSS_HELD + entry
    return one, other


@device
def add_match(deals: Any, work: Any, totals: Any) -> None:
    """Add a match to the totals: each quantity, its square, and the products for ratios."""
    for role in range(10):
        work[ALL] += work[ROLE + role]
    for quantity in range(QUANTITIES):
        value = work[quantity]
        totals[quantity] += value
        totals[SQUARES + quantity] += value * value
    for entry in range(CROSS, LENGTHS):
        one, other = factors(entry)
        totals[entry] += work[one] * work[other]
    totals[DEALS] += deals
    totals[MATCHES] += 1
