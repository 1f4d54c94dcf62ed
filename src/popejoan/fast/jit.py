"""How functions are compiled: what a kernel is made of, and what is called from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import config, from_dtype, njit, types, version_info

from popejoan.fast.kept import circumstances

__all__ = ["assembled", "compiled", "device", "object_code", "small", "written_in"]

F = TypeVar("F", bound=Callable[..., object])

INLINED = False
"""Whether Numba is to put parts into a kernel, as CUDA needs it (``cuda``), and not LLVM."""


if version_info.short == (0, 68) and not config.DISABLE_JIT:
    from popejoan.fast.parts import part_of
else:
    # What it makes gives the same results, in some seconds more.
    part_of = njit

_FOUND_ANYWHERE: Final = {"memcpy", "memmove", "memset"}


def device(function: F) -> F:
    """A part of a kernel."""
    return _part(function)


def small(function: F) -> F:
    """A part so small that it always stands where it is called."""
    return _part(function, forceinline=True)


def written_in(function: F) -> F:
    """A small part that Numba itself writes into its callers, so that loops in them are vectors."""
    return cast(F, njit(inline="always")(function))


def _part(function: F, **how: Any) -> F:
    if INLINED:
        return cast(F, njit(inline="always")(function))
    wrapped = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return cast(F, part_of(**wrapped, **how)(function))


def compiled(function: F, *, counts: bool = True) -> F:
    """A kernel for the CPU: compiled at its first call, kept on disk, run without the lock.

    One that makes no arrays needs no counts of who holds which, and is quicker without where it
    takes rows out of an array: each would be counted, and let go, by locked instructions. Nothing
    is divided by nought, and nobody asks whether it is: asking takes a fifth of the time.
    """
    kernel = njit(cache=True, nogil=True, error_model="numpy", _nrt=counts)(function)
    if not config.DISABLE_JIT:
        _follow_all_sources(kernel)
    return cast(F, kernel)


def _follow_all_sources(kernel: object) -> None:
    """Let what is kept on disk be stale as soon as anything changes that the code hangs on.

    Numba asks only after the file in which the kernel stands, and its parts stand in others.
    """
    files: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if hasattr(files, "_source_stamp"):
        files._source_stamp = (files._source_stamp, circumstances())


def assembled(function: Callable[..., None], kinds: Sequence[str]) -> Any:
    """A kernel that makes no arrays, compiled; what its arguments are says ``kept.Kinds``."""
    signature = types.void(*map(_type_of, kinds))
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    kernel: Any = njit(error_model="numpy", **options)(function)
    kernel.compile(signature)
    return kernel.overloads[signature.args]


def object_code(function: Callable[..., None], kinds: Sequence[str], words: int) -> bytes:
    """The object file of a kernel that takes so many words, its symbol and a newline first.

    Raises NotImplementedError where the code could not be run without Numba: it is called in
    another way than ``kept`` knows, or calls what Numba alone provides.
    """
    made = assembled(function, kinds)
    symbol: str = made.fndesc.mangled_name
    taken = sum(1 for _ in made.library.get_function(symbol).arguments)
    if taken != words + 2:  # where the result goes, and the fault
        raise NotImplementedError(f"this Numba calls {symbol} with {taken} words, not {words + 2}")
    # Anything else that it calls is known to Numba alone, which will not be there.
    called = {each.name for each in made.library._final_module.functions if each.is_declaration}
    if unknown := {name for name in called - _FOUND_ANYWHERE if not name.startswith("llvm.")}:
        raise NotImplementedError(f"{symbol} calls {', '.join(sorted(unknown))}")
    code: bytes = made.library._get_compiled_object()
    return symbol.encode() + b"\n" + code


def _type_of(kind: str) -> Any:
    if " x " in kind:
        entries, _, dimensions = kind.partition(" x ")
        return types.Array(from_dtype(np.dtype(entries)), int(dimensions), "C")
    return {"int": types.int64, "uint": types.uint64, "None": types.none}[kind]
