"""The lockstep tier: many deals a step at a time, for any card led at random by up to four seats.

The deals of a block of matches do not hang on each other's results, so all are dealt first, draw
by draw; then all make their first two leads, the next two, and so on; and last the payments are
made (``lockstep_pay``). Within a step there is no branch and no deal waits for another: the
processor works on several at once, where the scalar kernel waits for one card to show which comes
next. Deals that are over leave the queue. The generator, the words drawn and the totals are those
of ``kernel``, to the last bit.

Everything lies in one array, row by row of ``STRIDE`` entries, an entry a deal: deal ``k`` of the
``m``-th match of the block is entry ``k * WIDTH + m`` where a match has eight deals. Seats are
counted from the dealer here: row 0 is the dealer's hand. Indices are unsigned, since Numba lets a
signed one count from the end.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.fast.bits import deposit, lesser, popcount, select
from popejoan.fast.jit import device, small
from popejoan.fast.layout import LENGTHS, PLAYERS
from popejoan.fast.lockstep_pay import add_block, pay_block
from popejoan.fast.rows import (
    BLOCK,
    DEAL_KEY,
    HAND,
    HELD,
    LEAD,
    LEAD2,
    LEAD_KEY,
    LEFT,
    MADE,
    NOBODY,
    ODD,
    PAY_ROWS,
    PAY_STRIDE,
    STOCK,
    STRIDE,
    SUBSET,
    SUBSET2,
    TOP,
    TOP2,
    TURN,
    UPPER,
    WIDTH,
)
from popejoan.fast.stream import GOLDEN, high_word, key_of, low_word, mix, word_block
from popejoan.fast.tables import PACK_LANES

__all__ = ["lockstep_chunk"]

_KEY: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_STRIDE: Final = np.uint64(STRIDE)
_SECOND, _THIRD = np.uint64(2 * STRIDE), np.uint64(3 * STRIDE)
_HELD, _LEAD, _TOP = (np.uint64(row * STRIDE) for row in (HELD, LEAD, TOP))
_LEAD2, _TOP2, _MADE = (np.uint64(row * STRIDE) for row in (LEAD2, TOP2, MADE))
_HAND, _ODD, _UPPER = (np.uint64(row * STRIDE) for row in (HAND, ODD, UPPER))
_LEAD_KEY, _DEAL_KEY = np.uint64(LEAD_KEY * STRIDE), np.uint64(DEAL_KEY * STRIDE)
_LEFT, _SUBSET, _SUBSET2 = (np.uint64(row * STRIDE) for row in (LEFT, SUBSET, SUBSET2))


@device
def open_streams(
    seed_key: Any, begin: Any, matches: Any, deals: Any, width: Any, lanes: Any
) -> None:
    """Write the keys of each deal's two streams, and lay the pack out to be dealt."""
    for m in range(matches):
        of_match = key_of(seed_key, begin + m)
        for number in range(deals):
            lane = np.uint64(number * width + m)
            of_deal = key_of(of_match, number)
            lanes[_DEAL_KEY + lane] = np.int64(key_of(of_deal, 0))
            lanes[_LEAD_KEY + lane] = np.int64(key_of(of_deal, 1))
            lanes[_LEFT + lane] = PACK_LANES
            for row in range(4):
                lanes[np.uint64(row) * _STRIDE + lane] = 0


@device
def choose_two(number: Any, draws: Any, dealer: Any, first: Any, last: Any, lanes: Any) -> None:
    """Which subsets two draws take, the words of one block, for a stretch of deals."""
    row = 2 * number
    count, begins = draws[dealer, row, 0], draws[dealer, row, 1]
    count2, begins2 = draws[dealer, row + 1, 0], draws[dealer, row + 1, 1]
    block_number = np.uint64(number + 1) * GOLDEN
    for n in range(first, last):
        lane = np.uint64(n)
        block = mix(np.uint64(lanes[_DEAL_KEY + lane]) + block_number)
        lanes[_SUBSET + lane] = begins + ((low_word(block) * count) >> 32)
        lanes[_SUBSET2 + lane] = begins2 + ((high_word(block) * count2) >> 32)


@device
def draw_two(
    number: Any, draws: Any, dealer: Any, players: Any, subsets: Any,
    first: Any, last: Any, lanes: Any,
) -> None:  # fmt: skip
    """Two draws for every ``players``-th deal from ``first``; the second may take what is left."""
    row = 2 * number
    into = row_of(draws[dealer, row, 2], dealer, players)
    into2 = row_of(draws[dealer, row + 1, 2], dealer, players)
    rest = draws[dealer, row + 1, 0] == 0
    for n in range(first, last, players):
        lane = np.uint64(n)
        left = lanes[_LEFT + lane]
        cards = deposit(subsets[np.uint64(lanes[_SUBSET + lane])], left)
        left ^= cards
        cards2 = left
        if not rest:
            cards2 = deposit(subsets[np.uint64(lanes[_SUBSET2 + lane])], left)
        lanes[_LEFT + lane] = left ^ cards2
        lanes[into + lane] |= cards
        lanes[into2 + lane] |= cards2


@small
def row_of(part: Any, dealer: Any, players: Any) -> Any:
    """Where the row of a part begins: a seat's from the dealer, the turn-up's or the stock's."""
    row = TURN
    if part == -1:
        row = STOCK
    elif part >= 0:
        row = (part - dealer + players) % players
    return np.uint64(row * STRIDE)


@device
def deal_block(
    draws: Any, subsets: Any, begin: Any, matches: Any, deals: Any, width: Any, players: Any,
    lanes: Any,
) -> None:  # fmt: skip
    """Deal every lane: for each deal of a match and each dealer, draw after draw.

    All dealers draw alike, but for whom.
    """
    pairs = draws.shape[1] // 2
    for number in range(deals):
        base = number * width
        for n in range(base, base + matches):
            lanes[TURN * STRIDE + n] = 0
        for pair in range(pairs):
            choose_two(pair, draws, 0, base, base + matches, lanes)
            for offset in range(lesser(players, matches)):
                dealer = (begin + offset + number) % players
                draw_two(
                    pair, draws, dealer, players, subsets, base + offset, base + matches, lanes
                )
        if draws.shape[1] & 1:
            for offset in range(lesser(players, matches)):
                dealer = (begin + offset + number) % players
                into = row_of(draws[dealer, 2 * pairs, 2], dealer, players)
                for n in range(base + offset, base + matches, players):
                    lanes[into + np.uint64(n)] |= lanes[_LEFT + np.uint64(n)]
        for n in range(base, base + matches):
            lane = np.uint64(n)
            for row in range(players, 4):
                lanes[np.uint64(row) * _STRIDE + lane] = NOBODY << row
            one, two, three = lanes[_STRIDE + lane], lanes[_SECOND + lane], lanes[_THIRD + lane]
            lanes[_HELD + lane] = lanes[lane] | one | two | three
            lanes[_HAND + lane] = one
            lanes[_ODD + lane] = one | three
            lanes[_UPPER + lane] = two | three


@small
def next_hand(held: Any, top: Any, odd: Any, upper: Any) -> Any:
    """The cards still held by the owner of ``top``, where both bits of the owner's number agree."""
    has_odd = -np.int64((odd & top) != 0)
    has_upper = -np.int64((upper & top) != 0)
    return held & ~(odd ^ has_odd) & ~(upper ^ has_upper)


@small
def someone_is_out(held: Any, odd: Any, upper: Any) -> Any:
    """-1 if one of the four hands is empty, else 0: an empty one less one is negative."""
    odds = held & odd
    evens = held & ~odd
    return (
        ((odds & upper) - 1)
        | ((odds & ~upper) - 1)
        | ((evens & upper) - 1)
        | ((evens & ~upper) - 1)
    ) >> 63


@device
def play_block(queue: Any, waiting: Any, lanes: Any) -> None:
    """Play the queued deals out, two leads a pass, the words of one block.

    A deal that is over after the first lead may make a second that counts for nothing:
    ``pay_block`` sees that it was over.
    """
    passes = _KEY
    while waiting:
        passes += _ONE
        going = _KEY
        for n in range(waiting):
            lane = np.uint64(queue[n])
            held, hand = lanes[_HELD + lane], lanes[_HAND + lane]
            odd, upper = lanes[_ODD + lane], lanes[_UPPER + lane]
            block = word_block(np.uint64(lanes[_LEAD_KEY + lane]), passes)
            lead = select(hand, (low_word(block) * popcount(hand)) >> 32)
            carried = held + lead
            top = (carried & ~held) >> 1
            lanes[_LEAD + lane], lanes[_TOP + lane] = lead, top
            held &= carried
            hand = next_hand(held, top, odd, upper)
            lead = select(hand, (high_word(block) * popcount(hand)) >> 32)
            carried = held + lead
            top = (carried & ~held) >> 1
            lanes[_LEAD2 + lane], lanes[_TOP2 + lane] = lead, top
            held &= carried
            lanes[_HELD + lane] = held
            lanes[_HAND + lane] = next_hand(held, top, odd, upper)
            lanes[_MADE + lane] = np.int64(passes + passes)
            queue[going] = np.int64(lane)
            going += np.uint64(1 + someone_is_out(held, odd, upper))
        waiting = np.int64(going)


def lockstep_chunk(
    flags: Any,
    draws: Any,
    dressing: Any,
    subsets: Any,
    seed: Any,
    first: Any,
    matches: Any,
    deals: Any,
    lanes: Any,
    queue: Any,
    pay: Any,
    totals: Any,
    notes: Any,
) -> None:
    """Play matches ``first`` to ``first + matches - 1``, as ``kernel.chunk`` does.

    ``lanes`` has ``ROWS * STRIDE`` entries, ``queue`` ``STRIDE`` and ``pay`` ``PAY_ROWS *
    PAY_STRIDE``. With ``notes`` None only what each seat wins is added to the totals, as a bench
    wants it.
    """
    players = flags[PLAYERS]
    of_seed = key_of(_KEY, seed)
    width = 1 if deals > BLOCK else lesser(WIDTH, BLOCK // deals)
    begin = first
    while begin < first + matches:
        count = lesser(width, first + matches - begin)
        open_streams(of_seed, begin, count, deals, width, lanes)
        deal_block(draws, subsets, begin, count, deals, width, players, lanes)
        waiting = _KEY
        for number in range(deals):
            for m in range(count):
                queue[waiting] = number * width + m
                waiting += _ONE
        play_block(queue, np.int64(waiting), lanes)
        for entry in range(PAY_ROWS * PAY_STRIDE):
            pay[entry] = 0
        for number in range(deals):
            base = number * width
            for m in range(count):
                out = np.uint64(base + m)
                for row in range(MADE + 1):
                    pay[np.uint64(row * PAY_STRIDE + m)] = lanes[np.uint64(row) * _STRIDE + out]
            pay_block(flags, dressing, pay, notes)
            if notes is not None:
                for m in range(count):
                    totals[LENGTHS + pay[MADE * PAY_STRIDE + m]] += 1
        add_block(count, deals, pay, totals, notes)
        begin += count
