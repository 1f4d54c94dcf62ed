"""What a seat is shown as numbers, compiled: ``popejoan.envs.encoding`` restated on a row.

A row is that of ``stepping``. The 52 cards of a mask become ones and zeros in one vector operation;
with the compiler off a plain twin stands in.
"""

# What Numba hands an intrinsic has fixed names, used or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from popejoan.fast.bits import close_up, popcount
from popejoan.fast.jit import device, small
from popejoan.fast.layout import (
    ACE_HIGH,
    BALANCES,
    BOARD,
    HANDS,
    PEEK,
    PLAYERS,
    PURSES,
    WORK,
)
from popejoan.fast.tables import TOPS

__all__ = ["BEYOND", "blank", "card_order", "put_mask", "show"]

BEYOND: Final = 64
"""How many entries, at most, ``put_mask`` writes beyond those meant: zeros, so what follows is to
be written after, and an array to end in so many more."""

# As in ``stepping``, which imports this module.
_HELD, _DEALT, _TURN, _STOCK, _SHOWN, _DEALER, _LEADER = range(WORK, WORK + 7)


def _put(typingctx: Any, cells: Any, at: Any, mask: Any) -> Any:
    floats = isinstance(cells.dtype, types.Float)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        bits = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
        if floats:
            wide = builder.uitofp(bits, ir.VectorType(ir.FloatType(), 64))
        else:
            wide = builder.zext(bits, ir.VectorType(ir.IntType(8), 64))
        to = builder.gep(array.data, [args[1]])
        builder.store(wide, builder.bitcast(to, wide.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(cells, types.int64, types.int64), build


def _plain_put(cells: NDArray[Any], at: int, mask: int) -> None:
    cells[at : at + 64] = [int(mask) >> bit & 1 for bit in range(64)]


put_mask: Callable[[Any, Any, Any], None]
"""``put_mask(cells, at, mask)``: a mask in card order as ones and zeros from ``at`` on.

``cells`` is flat, of bytes or of single floats, and has 64 entries from there.
"""

put_mask = _plain_put if config.DISABLE_JIT else intrinsic(_put)


@small
def card_order(flags: Any, lanes: Any) -> Any:
    """A mask in card order, suit by suit of thirteen bits, from lanes."""
    if flags[ACE_HIGH]:
        lanes = ((lanes & ~TOPS) << 1) | ((lanes & TOPS) >> 12)
    return close_up(lanes)


@device
def show(flags: Any, row: Any, seat: Any, purse: Any, seen: Any, i: Any) -> None:
    """Write what a seat sees into row ``i`` of ``seen``, which is flat; it spills into the next."""
    players = flags[PLAYERS]
    at = i * ((players + 4) * 52 + 4 * players + 8)
    gone = row[_DEALT] ^ row[_HELD]
    dead = row[_TURN] | row[_SHOWN]
    if flags[PEEK] and seat == row[_DEALER]:
        dead |= row[_STOCK]
    put_mask(seen, at, card_order(flags, row[HANDS + seat] & row[_HELD]))
    at += 52
    for step in range(players):
        other = seat + step
        if other >= players:
            other -= players
        put_mask(seen, at, card_order(flags, row[HANDS + other] & gone))
        at += 52
    put_mask(seen, at, 0)
    put_mask(seen, at + 52, card_order(flags, dead))
    put_mask(seen, at + 104, card_order(flags, row[_TURN]))
    at += 156
    dealer = row[_DEALER] - seat
    if dealer < 0:
        dealer += players
    marks = 1 << dealer
    if row[_LEADER] >= 0:
        leader = row[_LEADER] - seat
        if leader < 0:
            leader += players
        marks |= 1 << (players + leader)
    put_mask(seen, at, marks)
    at += 2 * players
    counts = seen[at : at + 8 + 2 * players]
    for place in range(8):
        counts[place] = held_to(row[BOARD + place], seen)
    for other in range(players):
        step = other - seat
        if step < 0:
            step += players
        counters = purse + row[PURSES + other] + row[BALANCES + other]
        counts[8 + step] = held_to(counters, seen)
        counts[8 + players + step] = popcount(row[HANDS + other] & row[_HELD])


@device
def blank(seen: Any, i: Any, size: Any) -> None:
    """Write zeros into row ``i`` of ``seen``, which is flat; it spills into the next."""
    for cell in range(0, size, 64):
        put_mask(seen, i * size + cell, 0)


@small
def held_to(number: Any, seen: Any) -> Any:
    """A number, held to what a byte can hold where bytes are written."""
    if seen.itemsize == 1:
        return max(-128, min(127, number))
    return number
