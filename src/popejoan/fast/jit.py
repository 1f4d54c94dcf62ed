"""How functions are compiled: what a kernel is made of, and what is called from Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, from_dtype, njit, types

from popejoan.fast.parts import PartCompiler

__all__ = ["assembled", "compiled", "device", "object_code", "small"]

F = TypeVar("F", bound=Callable[..., object])

INLINE = "never"
"""How parts enter a kernel: "never" leaves it to LLVM; "always" is what CUDA needs (``cuda``)."""


def device(function: F) -> F:
    """A part of a kernel."""
    return _part(function, inline=INLINE)


def small(function: F) -> F:
    """A part so small that it always stands where it is called."""
    return _part(function, forceinline=True)


def _part(function: F, **how: Any) -> F:
    if INLINE == "always":
        return cast(F, njit(inline="always")(function))
    wrapped = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return cast(F, njit(pipeline_class=PartCompiler, **wrapped, **how)(function))


def compiled(function: F, *, counts: bool = True) -> F:
    """A kernel for the CPU: compiled at its first call, kept on disk, run without the lock.

    One that makes no arrays needs no counts of who holds which, and is quicker without where it
    takes rows out of an array: each would be counted, and let go, by locked instructions.
    """
    kernel = njit(cache=True, nogil=True, _nrt=counts)(function)
    if not config.DISABLE_JIT:
        _follow_all_sources(kernel)
    return cast(F, kernel)


def _follow_all_sources(kernel: object) -> None:
    """Let what is kept on disk be stale as soon as any file of this folder changes.

    Numba asks only after the file in which the kernel stands, and its parts stand in others.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    stamp = tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sources)
    files: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if hasattr(files, "_source_stamp"):
        files._source_stamp = (files._source_stamp, stamp, os.environ.get("NUMBA_OPT", ""))


def assembled(function: Callable[..., None], kinds: Sequence[str]) -> Any:
    """A kernel that makes no arrays, compiled; what its arguments are says ``kept.Kinds``."""
    signature = types.void(*map(_type_of, kinds))
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    kernel: Any = njit(error_model="numpy", **options)(function)
    kernel.compile(signature)
    return kernel.overloads[signature.args]


def object_code(function: Callable[..., None], kinds: Sequence[str], words: int) -> bytes:
    """The object file of a kernel that takes so many words, its symbol and a newline first."""
    made = assembled(function, kinds)
    symbol: str = made.fndesc.mangled_name
    taken = sum(1 for _ in made.library.get_function(symbol).arguments)
    if taken != words + 2:  # where the result goes, and the fault
        raise NotImplementedError(f"this Numba calls {symbol} with {taken} words, not {words + 2}")
    code: bytes = made.library._get_compiled_object()
    return symbol.encode() + b"\n" + code


def _type_of(kind: str) -> Any:
    if " x " in kind:
        entries, _, dimensions = kind.partition(" x ")
        return types.Array(from_dtype(np.dtype(entries)), int(dimensions), "C")
    return {"int": types.int64, "uint": types.uint64, "None": types.none}[kind]
