"""The scalar kernel on a CUDA card (extra ``cuda``): the same source, a thread for some matches.

Everything a CUDA kernel calls must be put into it (a call asks for the driver), so the modules of
the kernel are imported once more here with ``jit.INLINED`` set; the CPU's are left as they are.
Each thread has its own column of the workspace and of the totals, which lie side by side for the
card to read them at once; the columns are summed on the host, so the totals are the CPU's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

import numpy as np

from popejoan.fast import jit
from popejoan.fast.layout import TOTALS, WORK
from popejoan.fast.plan import Plan
from popejoan.fast.policy import Policy, weights_of
from popejoan.fast.tables import Ints, tables

__all__ = ["kernel_for", "play_on_card", "ptx", "sums"]

_PARTS: Final = ("stream", "settle", "linear", "kernel")
_THREADS_A_BLOCK: Final = 128
_MATCHES_A_THREAD: Final = 64
_MOST_THREADS: Final = 1 << 17


def _cuda() -> Any:
    """Numba's CUDA target; ImportError, with what to install, where it lacks.

    Numba ships a target of its own, which is no longer kept up; numba-cuda stands in its place.
    """
    if find_spec("numba_cuda") is None:
        raise ImportError(_LACKS)
    try:
        return import_module("numba.cuda")
    except ImportError as error:
        raise ImportError(f"{_LACKS} (as installed it says: {error})") from error


_LACKS: Final = "a CUDA card needs numba-cuda: pip install 'popejoan[cuda]'"


@lru_cache(maxsize=1)
def _inlined() -> Any:
    """The kernel of the CPU, as a function that is put into whatever calls it."""
    package = import_module("popejoan.fast")
    kept: dict[str, ModuleType] = {part: import_module(f"popejoan.fast.{part}") for part in _PARTS}
    for part in _PARTS:
        del sys.modules[f"popejoan.fast.{part}"]
    jit.INLINED = True
    try:
        fresh: Any = import_module("popejoan.fast.kernel")
        function = jit.small(fresh.chunk)
    finally:
        jit.INLINED = False
        for part, module in kept.items():
            sys.modules[f"popejoan.fast.{part}"] = module
            setattr(package, part, module)
    return function


@lru_cache(maxsize=2)
def kernel_for(*, linear: bool) -> Any:
    """The CUDA kernel in plain Python, to be compiled; with or without the linear policy.

    Arguments: the four arrays of ``Tables``, the seed, the first match, matches in all, matches a
    thread, deals a match, the policy, [the weights,] the workspace of shape (``WORK``, threads),
    the totals of shape (``TOTALS``, threads).
    """
    cuda = _cuda()
    chunk = _inlined()

    def plain(
        flags: Any, draws: Any, dressing: Any, subsets: Any, seed: Any, first: Any, matches: Any,
        share: Any, deals: Any, policy: Any, work: Any, totals: Any,
    ) -> None:  # fmt: skip
        thread = cuda.grid(1)
        begin = thread * share
        count = min(share, matches - begin)
        if thread < totals.shape[1] and count > 0:
            chunk(
                flags, draws, dressing, subsets, seed, first + begin, count, deals, policy,
                None, work[:, thread], totals[:, thread], None,
            )  # fmt: skip

    def weighted(
        flags: Any, draws: Any, dressing: Any, subsets: Any, seed: Any, first: Any, matches: Any,
        share: Any, deals: Any, policy: Any, weights: Any, work: Any, totals: Any,
    ) -> None:  # fmt: skip
        thread = cuda.grid(1)
        begin = thread * share
        count = min(share, matches - begin)
        if thread < totals.shape[1] and count > 0:
            chunk(
                flags, draws, dressing, subsets, seed, first + begin, count, deals, policy,
                weights, work[:, thread], totals[:, thread], None,
            )  # fmt: skip

    return weighted if linear else plain


def _signature(*, linear: bool) -> tuple[Any, ...]:
    types = import_module("numba.types")
    array = types.Array
    heads = [array(types.int64, dims, "C") for dims in (1, 3, 2, 1)]
    numbers = [types.uint64, *[types.int64] * 5]
    weights = [array(types.int64, 1, "C")] if linear else []
    return (*heads, *numbers, *weights, *[array(types.int64, 2, "C")] * 2)


def ptx(compute_capability: tuple[int, int] = (9, 0), *, linear: bool = False) -> str:
    """The kernel as PTX, for which no card is needed.

    Raises ImportError, with what to install, where the extra ``cuda`` lacks.
    """
    text, _ = _cuda().compile_ptx(
        kernel_for(linear=linear), _signature(linear=linear), cc=compute_capability
    )
    return str(text)


@lru_cache(maxsize=2)
def _compiled(*, linear: bool) -> Any:
    return _cuda().jit(_signature(linear=linear))(kernel_for(linear=linear))


def play_on_card(plan: Plan) -> Iterator[Ints]:
    """The totals of the plan, launch by launch.

    Raises ImportError where the extra ``cuda`` lacks, RuntimeError where no card is found.
    """
    cuda = _cuda()
    if not cuda.is_available():
        raise RuntimeError(
            "no CUDA card is found: it needs an NVIDIA card with its driver; use --device cpu"
        )
    try:
        yield from _launches(cuda, plan)
    except Exception as error:
        raise RuntimeError(f"the CUDA card failed: {type(error).__name__}: {error}") from error


def _launches(cuda: Any, plan: Plan) -> Iterator[Ints]:
    linear = plan.policy is Policy.LINEAR
    kernel = _compiled(linear=linear)
    arrays = [
        cuda.to_device(np.ascontiguousarray(array)) for array in tables(plan.rules, plan.players)
    ]
    weights = [cuda.to_device(np.array(weights_of(plan.weights), dtype=np.int64))] if linear else []
    first = 0
    while first < plan.matches:
        matches = min(plan.matches - first, _MOST_THREADS * _MATCHES_A_THREAD)
        share = max(1, min(_MATCHES_A_THREAD, plan.most_matches, matches // 4096))
        threads = -(-matches // share)
        work = cuda.to_device(np.zeros((WORK, threads), dtype=np.int64))
        totals = cuda.to_device(np.zeros((TOTALS, threads), dtype=np.int64))
        kernel[-(-threads // _THREADS_A_BLOCK), _THREADS_A_BLOCK](
            *arrays, np.uint64(plan.seed % 2**64), first, matches, share, plan.deals_a_match,
            int(plan.policy), *weights, work, totals,
        )  # fmt: skip
        yield sums(totals.copy_to_host())
        first += matches


def sums(totals: Ints) -> Any:
    """What the threads' columns come to, as whole numbers that may pass 64 bits."""
    low = (totals & 0xFFFFFFFF).sum(axis=1)
    return (totals >> 32).sum(axis=1).astype(object) * 2**32 + low
