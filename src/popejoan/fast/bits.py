"""Operations that Numba lacks or is slow to compile, each one instruction where the machine has it.

The same names compile for x86 with BMI2 (``pdep``), for any other CPU and for CUDA (a binary
search): ``deposit`` and ``select`` ask the target that they are compiled for. With the compiler
off (``NUMBA_DISABLE_JIT=1``) plain Python twins stand in for them.
"""

# What Numba hands an intrinsic has fixed names, used or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import llvmlite.binding as llvm
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

__all__ = ["close_up", "deposit", "has_pdep", "lesser", "lowest_place", "popcount", "select"]

_I64: Final = ir.IntType(64)
_LANE: Final = 0x1FFF
_CARDS: Final = sum(_LANE << 16 * suit for suit in range(4))
_WITH_BMI2: Final = frozenset(
    ("haswell", "broadwell", "skylake", "skylake-avx512", "icelake-server", "sapphirerapids",
     "znver3", "znver4", "znver5", "x86-64-v3", "x86-64-v4")
)  # fmt: skip


def has_pdep() -> bool:
    """Whether the CPU that Numba compiles for has ``pdep``."""
    if config.CPU_NAME in (None, "", "host"):
        return bool(llvm.get_host_cpu_features().get("bmi2", False))
    return config.CPU_NAME in _WITH_BMI2


def _on_cuda(context: Any) -> bool:
    return "cuda" in type(context).__module__


def _unary(name: str) -> Callable[..., Any]:
    """An intrinsic for an LLVM function of one 64-bit integer."""

    def typed(typingctx: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(args[0])
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), build

    return typed


def _nth(builder: Any, mask: Any, n: Any) -> Any:
    """LLVM code for the n-th set bit of a mask, as a mask: halve the word six times."""
    place = ir.Constant(_I64, 0)
    rest = mask
    for width in (32, 16, 8, 4, 2, 1):
        low = builder.and_(rest, ir.Constant(_I64, (1 << width) - 1))
        count = builder.ctpop(low)
        above = builder.icmp_signed(">=", n, count)
        n = builder.select(above, builder.sub(n, count), n)
        rest = builder.select(above, builder.lshr(rest, ir.Constant(_I64, width)), low)
        place = builder.select(above, builder.add(place, ir.Constant(_I64, width)), place)
    return builder.shl(ir.Constant(_I64, 1), place)


def _bmi(builder: Any, what: str, source: Any, mask: Any) -> Any:
    kind = ir.FunctionType(_I64, [_I64, _I64])
    name = f"llvm.x86.bmi.{what}.64"
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, [source, mask])


def _deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, mask = args
        if not _on_cuda(context) and has_pdep():
            return _bmi(builder, "pdep", source, mask)
        zero, one = ir.Constant(_I64, 0), ir.Constant(_I64, 1)
        whole = zero
        for _ in range(3):
            place = builder.cttz(source, ir.Constant(ir.IntType(1), 0))
            bit = _nth(builder, mask, place)
            empty = builder.icmp_signed("==", source, zero)
            whole = builder.or_(whole, builder.select(empty, zero, bit))
            source = builder.and_(source, builder.sub(source, one))
        return whole

    return types.int64(types.int64, types.int64), build


def _select(typingctx: Any, mask: Any, n: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask, n = args
        if not _on_cuda(context) and has_pdep():
            return _bmi(builder, "pdep", builder.shl(ir.Constant(_I64, 1), n), mask)
        return _nth(builder, mask, n)

    return types.int64(types.int64, types.int64), build


def _close_up(typingctx: Any, lanes: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not _on_cuda(context) and has_pdep():
            return _bmi(builder, "pext", args[0], ir.Constant(_I64, _CARDS))
        whole = builder.and_(args[0], ir.Constant(_I64, _LANE))
        for suit in range(1, 4):
            moved = builder.lshr(args[0], ir.Constant(_I64, 3 * suit))
            cards = builder.and_(moved, ir.Constant(_I64, _LANE << 13 * suit))
            whole = builder.or_(whole, cards)
        return whole

    return types.int64(types.int64), build


def _lesser(typingctx: Any, one: Any, other: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.icmp_signed("<", *args), *args)

    return types.int64(types.int64, types.int64), build


def _plain_popcount(mask: int) -> int:
    return int(mask).bit_count()


def _plain_lowest_place(mask: int) -> int:
    return (int(mask) & -int(mask)).bit_length() - 1


def _plain_deposit(source: int, mask: int) -> int:
    whole, source, mask = 0, int(source), int(mask)
    while source:
        low = mask & -mask
        whole |= low if source & 1 else 0
        mask ^= low
        source >>= 1
    return whole


def _plain_close_up(lanes: int) -> int:
    return sum((int(lanes) >> 16 * suit & _LANE) << 13 * suit for suit in range(4))


def _plain_select(mask: int, n: int) -> int:
    return _plain_deposit(1 << int(n), mask)


popcount: Callable[[int], int]
"""How many bits of a mask are set."""
lowest_place: Callable[[int], int]
"""The place of the lowest set bit of a mask that is not empty."""
deposit: Callable[[int, int], int]
"""``deposit(source, mask)``: the set bits of a mask whose places among themselves are the set bits
of ``source``, which has three bits or fewer."""
select: Callable[[int, int], int]
"""``select(mask, n)``: the n-th set bit of a mask, from 0, as a mask."""
close_up: Callable[[int], int]
"""Four lanes of sixteen bits, thirteen of them cards, without the gaps: 52 bits."""
lesser: Callable[[int, int], int]
"""The lesser of two numbers: as ``min``, which Numba compiles as a function of its own."""

if config.DISABLE_JIT:
    popcount, lowest_place = _plain_popcount, _plain_lowest_place
    deposit, select, close_up = _plain_deposit, _plain_select, _plain_close_up
    lesser = min
else:
    popcount, lowest_place = intrinsic(_unary("ctpop")), intrinsic(_unary("cttz"))
    deposit, select, close_up = intrinsic(_deposit), intrinsic(_select), intrinsic(_close_up)
    lesser = intrinsic(_lesser)
