"""Play-outs abreast: hundreds of worlds a lead at a time, every seat leading at a glance.

What ``playouts`` does world by world is done here for a block of worlds at once, a lead in all of
them before the next, without a branch, so that the processor works on several worlds in one
instruction. Worlds that are over leave the block. At the end one seat is paid in all of them.

Everything lies in one array of rows of ``STRIDE`` entries, an entry a world. A world whose next run
ends the deal stands still with the cards held before that run, until it leaves.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.fast.bits import popcount
from popejoan.fast.glance import glance, legal_of_book, lowest_of_lanes, lowest_rank
from popejoan.fast.jit import compiled, device, written_in
from popejoan.fast.layout import (
    ACE,
    ACE_HIGH,
    AT_GAME,
    AT_INTRIGUE,
    AT_MATRIMONY,
    AT_POPE,
    EXEMPT,
    FIXED,
    HAS,
    LEAD,
    LEAD_ANY,
    LEAD_BOOK,
    LEAD_LOWEST,
    PEEK,
    PLAYERS,
    POPE_BIT,
    POPE_CARDS,
    SPLIT,
    TO_BOARD,
)
from popejoan.fast.tables import BOTTOMS, LANE, PACK_HIGH, PACK_LANES

__all__ = ["BLOCK", "play_abreast"]

BLOCK: Final = 256
"""Worlds in a block at most."""
STRIDE: Final = BLOCK + 8
"""Entries a row; not a power of two, or the rows would fight for the same lines of the cache."""
_PASSES: Final = 3
"""Leads between two looks for worlds that are over."""

_ROWS: Final = 15 + 2 * 10
(
    _HELD, _LEAD, _DEALT, _LEFT, _TOP, _HAND, _OUT, _KNOWN, _STOCK, _PLACE, _EXTRA, _SEAT,
    _LEGAL, _GAIN, _WHOLE,
) = (np.uint64(row * STRIDE) for row in range(15))  # fmt: skip
# The cards in all hands, the lead, and the cards dealt; what is left after the run, its last card,
# the cards of who leads next, all ones where a seat is out; what the leader knows of the stock, the
# stock; where the world stands in the block, what Pope has brought; one seat's hand, the legal
# leads, what is won; and the cards dealt in all the worlds.
_MOVING: Final = 15
"""Rows from here hold the hands of the worlds still played, 10; those of all worlds follow."""
_DEALT_HANDS: Final = 25
_ONE, _TWO, _THREE, _FOUR = (np.uint64((_MOVING + seat) * STRIDE) for seat in range(4))
_NOBODY: Final = 3 << 14 | 3 << 30
"""Bits that no carry reaches: the hand of a seat, of four, that nobody has."""


@written_in
def smear(cards: Any) -> Any:
    """The cards and all below them in their lanes."""
    cards |= (cards >> 1) & (0x7FFF * BOTTOMS)
    cards |= (cards >> 2) & (0x3FFF * BOTTOMS)
    cards |= (cards >> 4) & (0x0FFF * BOTTOMS)
    return cards | ((cards >> 8) & (0x00FF * BOTTOMS))


@device
def run_all(going: Any, lanes: Any) -> None:
    """Where each run ends."""
    for n in range(going):
        lane = np.uint64(n)
        held = lanes[_HELD + lane]
        carried = held + lanes[_LEAD + lane]
        lanes[_LEFT + lane] = held & carried
        lanes[_TOP + lane] = (carried & ~held) >> 1
        lanes[_HAND + lane] = 0
        lanes[_OUT + lane] = 0
        lanes[_KNOWN + lane] = 0


@device
def ask_seat(seat: Any, going: Any, looks: Any, lanes: Any) -> None:
    """Whether a seat is out, and whether it is the one to lead next; ``looks``: at the stock."""
    row = np.uint64((_MOVING + seat) * STRIDE)
    for n in range(going):
        lane = np.uint64(n)
        lanes[_SEAT + lane] = lanes[row + lane]
    for n in range(going):
        lane = np.uint64(n)
        hand = lanes[_SEAT + lane]
        mine = hand & lanes[_LEFT + lane]
        lanes[_OUT + lane] |= (mine - 1) >> 63
        leads = hand & lanes[_TOP + lane]
        lanes[_HAND + lane] |= mine if leads else 0
        lanes[_KNOWN + lane] |= looks & lanes[_STOCK + lane] if leads else 0


@device
def ask_four(dealer: Any, going: Any, lanes: Any) -> None:
    """``run_all`` and ``ask_seat`` for four seats in one pass; ``dealer``: who knows the stock."""
    for n in range(going):
        lane = np.uint64(n)
        held = lanes[_HELD + lane]
        carried = held + lanes[_LEAD + lane]
        left = held & carried
        top = (carried & ~held) >> 1
        one, two = lanes[_ONE + lane], lanes[_TWO + lane]
        three, four = lanes[_THREE + lane], lanes[_FOUR + lane]
        first, second, third, fourth = one & left, two & left, three & left, four & left
        hand = first if one & top else 0
        hand |= second if two & top else 0
        hand |= third if three & top else 0
        hand |= fourth if four & top else 0
        lanes[_LEFT + lane] = left
        lanes[_HAND + lane] = hand
        lanes[_OUT + lane] = ((first - 1) | (second - 1) | (third - 1) | (fourth - 1)) >> 63
    if dealer >= 0:
        looker = np.uint64((_MOVING + dealer) * STRIDE)
        for n in range(going):
            lane = np.uint64(n)
            lanes[_SEAT + lane] = lanes[looker + lane]
        for n in range(going):
            lane = np.uint64(n)
            looks = lanes[_SEAT + lane] & lanes[_HAND + lane]
            lanes[_KNOWN + lane] = lanes[_STOCK + lane] if looks else 0


@device
def allow_all(flags: Any, turn: Any, going: Any, lanes: Any) -> None:
    """What may be led, where not any card may."""
    rule = flags[LEAD]
    if rule == LEAD_BOOK:
        fixed, pope = flags[FIXED], flags[POPE_BIT]
        for n in range(going):
            lane = np.uint64(n)
            gone = lanes[_DEALT + lane] & ~lanes[_LEFT + lane] | turn | lanes[_KNOWN + lane]
            lanes[_LEGAL + lane] = legal_of_book(lanes[_HAND + lane], gone, fixed, pope)
    elif rule == LEAD_LOWEST:
        for n in range(going):
            lane = np.uint64(n)
            lanes[_LEGAL + lane] = lowest_of_lanes(lanes[_HAND + lane])
    else:
        for n in range(going):
            lane = np.uint64(n)
            lanes[_LEGAL + lane] = lowest_rank(lanes[_HAND + lane])


@device
def lead_all(pack: Any, turn: Any, earning: Any, any_card: Any, going: Any, lanes: Any) -> None:
    """The next lead of each world that is not over."""
    for n in range(going):
        lane = np.uint64(n)
        hand, left = lanes[_HAND + lane], lanes[_LEFT + lane]
        played = lanes[_DEALT + lane] & ~left
        gone = hand | played | (played << 1) | turn | lanes[_KNOWN + lane]
        legal = hand if any_card else lanes[_LEGAL + lane]
        lead = glance(hand, pack & ~gone, earning, legal)
        out = lanes[_OUT + lane]
        lanes[_HELD + lane] = lanes[_HELD + lane] if out else left
        lanes[_LEAD + lane] = lanes[_LEAD + lane] if out else lead


@device
def pope_all(pope: Any, seat: Any, going: Any, lanes: Any) -> None:
    """What the cards in hand bring or cost the seat where Pope is led now (clause 7.5)."""
    mine_at = np.uint64((_MOVING + seat) * STRIDE)
    for n in range(going):
        lane = np.uint64(n)
        held, lead = lanes[_HELD + lane], lanes[_LEAD + lane]
        mine = lanes[mine_at + lane]
        bring = popcount(held & ~mine & ~_NOBODY) if mine & pope else -popcount(held & mine)
        fresh = lead == pope and lanes[_OUT + lane] == 0
        lanes[_EXTRA + lane] += bring if fresh else 0


@device
def retire(players: Any, going: Any, lanes: Any, ends: Any) -> Any:
    """Take the worlds that are over out of the block; give how many are left."""
    kept = np.uint64(0)
    for n in range(going):
        lane = np.uint64(n)
        if lanes[_OUT + lane]:
            place = np.uint64(lanes[_PLACE + lane])
            ends[place] = lanes[_HELD + lane]
            ends[np.uint64(STRIDE) + place] = lanes[_LEAD + lane]
            ends[np.uint64(2 * STRIDE) + place] = lanes[_EXTRA + lane]
        else:
            if kept != lane:
                lanes[_HELD + kept] = lanes[_HELD + lane]
                lanes[_LEAD + kept] = lanes[_LEAD + lane]
                lanes[_DEALT + kept] = lanes[_DEALT + lane]
                lanes[_STOCK + kept] = lanes[_STOCK + lane]
                lanes[_PLACE + kept] = lanes[_PLACE + lane]
                lanes[_EXTRA + kept] = lanes[_EXTRA + lane]
                for seat in range(players):
                    row = np.uint64((_MOVING + seat) * STRIDE)
                    lanes[row + kept] = lanes[row + lane]
            kept += np.uint64(1)
    return np.int64(kept)


@device
def finish_all(players: Any, count: Any, lanes: Any, ends: Any) -> None:
    """Play the last run of each world: what is left in LEFT, the winner's last card in TOP."""
    for n in range(count):
        lane = np.uint64(n)
        held, lead = ends[lane], ends[np.uint64(STRIDE) + lane]
        carried = held + lead
        lanes[_HELD + lane] = held & ~carried
        lanes[_LEFT + lane] = held & carried
        lanes[_TOP + lane] = (carried & ~held) >> 1
    for seat in range(players):
        row = np.uint64((_DEALT_HANDS + seat) * STRIDE)
        for n in range(count):
            lane = np.uint64(n)
            lanes[_SEAT + lane] = lanes[row + lane]
        for n in range(count):
            lane = np.uint64(n)
            hand = lanes[_SEAT + lane]
            mine = hand & lanes[_HELD + lane]
            below = smear(mine)
            last = below & ~(below >> 1)
            top = lanes[_TOP + lane]
            is_out = mine != 0 and hand & lanes[_LEFT + lane] == 0 and last < top
            lanes[_TOP + lane] = last if is_out else top
    for n in range(count):
        lane = np.uint64(n)
        run = lanes[_HELD + lane] & ((lanes[_TOP + lane] << 1) - 1)
        lanes[_LEFT + lane] = ends[lane] & ~run
        lanes[_KNOWN + lane] = 0


@device
def count_cards(flags: Any, seat: Any, count: Any, lanes: Any) -> None:
    """Add to KNOWN the cards that a seat pays for."""
    row = np.uint64((_DEALT_HANDS + seat) * STRIDE)
    pope = flags[POPE_BIT] if flags[EXEMPT] else 0
    for n in range(count):
        lane = np.uint64(n)
        lanes[_SEAT + lane] = lanes[row + lane] & lanes[_LEFT + lane]
    for n in range(count):
        lane = np.uint64(n)
        left = lanes[_SEAT + lane]
        lanes[_KNOWN + lane] += 0 if left & pope else popcount(left)


@written_in
def lane_of(bit: Any) -> Any:
    """Where the lane of a card begins."""
    lane = 0
    while not (LANE << lane) & bit:
        lane += 16
    return lane


@device
def pay_all(
    flags: Any, seat: Any, turn: Any, board: Any, count: Any, lanes: Any, ends: Any
) -> None:
    """What a seat wins from now on, in GAIN."""
    mine_at = np.uint64((_DEALT_HANDS + seat) * STRIDE)
    for n in range(count):
        lane = np.uint64(n)
        mine = lanes[mine_at + lane]
        lanes[_SEAT + lane] = mine
        won = mine & lanes[_TOP + lane]
        cards = -popcount(mine & lanes[_LEFT + lane])
        if flags[EXEMPT]:
            cards = 0 if mine & lanes[_LEFT + lane] & flags[POPE_BIT] else cards
        others = board[AT_GAME] + (0 if flags[TO_BOARD] else lanes[_KNOWN + lane])
        lanes[_GAIN + lane] = (others if won else cards) + ends[np.uint64(2 * STRIDE) + lane]
    suit = lane_of(turn)
    for nth in range(5):
        place = nth if nth < 4 else AT_POPE
        bit = 1 << (suit + flags[ACE + nth]) if nth < 4 else flags[POPE_BIT]
        if flags[HAS] >> place & 1:
            stake = board[place]
            for n in range(count):
                lane = np.uint64(n)
                played = lanes[_SEAT + lane] & ~lanes[_LEFT + lane]
                lanes[_GAIN + lane] += stake if played & bit else 0
    for place in range(AT_MATRIMONY, AT_INTRIGUE + 1):
        high = 1 << (suit + flags[ACE + 1 + place - AT_MATRIMONY])
        low = 1 << (suit + flags[ACE + 2 + place - AT_MATRIMONY])
        if flags[HAS] >> place & 1:
            whole = board[place]
            half = whole // 2 if flags[SPLIT] else 0
            both = high | low
            for n in range(count):
                lane = np.uint64(n)
                fallen = lanes[_WHOLE + lane] & ~lanes[_LEFT + lane] & both
                own = lanes[_SEAT + lane] & both
                part = whole if own == both else (half if own else 0)
                lanes[_GAIN + lane] += part if fallen == both else 0


@device
def begin_all(
    players: Any, lead: Any, played: Any, stocks: Any, begin: Any, count: Any, lanes: Any
) -> None:
    """Lay out a block of worlds before a lead."""
    for n in range(count):
        lane = np.uint64(n)
        lanes[_DEALT + lane] = lanes[_WHOLE + lane]
        lanes[_HELD + lane] = lanes[_WHOLE + lane] & ~played
        lanes[_LEAD + lane] = lead
        lanes[_PLACE + lane] = n
        lanes[_EXTRA + lane] = 0
        lanes[_OUT + lane] = 0
        lanes[_KNOWN + lane] = 0
    for n in range(count):
        lanes[_STOCK + np.uint64(n)] = stocks[begin + n]
    for seat in range(max(players, 4)):
        for n in range(count):
            lanes[(_MOVING + seat) * STRIDE + n] = lanes[(_DEALT_HANDS + seat) * STRIDE + n]


@compiled
def play_abreast(
    flags: Any, seat: Any, dealer: Any, turn: Any, played: Any, hands: Any, stocks: Any,
    board: Any, leads: Any, gains: Any,
) -> None:  # fmt: skip
    """Play each lead out in each world; ``gains[lead, world]`` are a seat's counters from now.

    ``hands[seat, world]`` are the hands as dealt, ``played`` what has been played of them.
    """
    players = flags[PLAYERS]
    worlds = hands.shape[1]
    lanes = np.zeros(_ROWS * STRIDE, dtype=np.int64)
    ends = np.zeros(3 * STRIDE, dtype=np.int64)
    pack = PACK_HIGH if flags[ACE_HIGH] else PACK_LANES
    suit = lane_of(turn)
    earning = flags[POPE_BIT] if board[AT_POPE] else 0
    for nth in range(4):
        if flags[HAS] >> nth & 1 and board[nth]:
            earning |= 1 << (suit + flags[ACE + nth])
    any_card = flags[LEAD] == LEAD_ANY
    for begin in range(0, worlds, BLOCK):
        count = min(BLOCK, worlds - begin)
        for other in range(players, 4):
            for n in range(count):
                lanes[(_DEALT_HANDS + other) * STRIDE + n] = _NOBODY
        for n in range(count):
            dealt = 0
            for other in range(players):
                hand = hands[other, begin + n] if hands[other, 0] else _NOBODY
                dealt |= hand
                lanes[(_DEALT_HANDS + other) * STRIDE + n] = hand
            if players < 4:
                dealt |= _NOBODY
            lanes[_WHOLE + np.uint64(n)] = dealt
        for nth in range(leads.shape[0]):
            begin_all(players, leads[nth], played, stocks, begin, count, lanes)
            going = count
            if flags[POPE_CARDS]:
                pope_all(flags[POPE_BIT], seat, going, lanes)
            while going:
                for _ in range(_PASSES):
                    if players <= 4:
                        ask_four(dealer if flags[PEEK] else -1, going, lanes)
                    else:
                        run_all(going, lanes)
                        for other in range(players):
                            if hands[other, 0]:
                                looks = -1 if flags[PEEK] and other == dealer else 0
                                ask_seat(other, going, looks, lanes)
                    if not any_card:
                        allow_all(flags, turn, going, lanes)
                    lead_all(pack, turn, earning, any_card, going, lanes)
                    if flags[POPE_CARDS]:
                        pope_all(flags[POPE_BIT], seat, going, lanes)
                going = retire(players, going, lanes, ends)
            finish_all(players, count, lanes, ends)
            for other in range(players):
                if other != seat and hands[other, 0]:
                    count_cards(flags, other, count, lanes)
            pay_all(flags, seat, turn, board, count, lanes, ends)
            for n in range(count):
                gains[nth, begin + n] = lanes[_GAIN + np.uint64(n)]
