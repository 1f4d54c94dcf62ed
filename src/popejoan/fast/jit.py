"""How functions are compiled: what a kernel is made of, and what is called from Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit

__all__ = ["compiled", "device", "is_cold", "small"]

F = TypeVar("F", bound=Callable[..., object])

INLINE = "never"
"""How parts enter a kernel: "never" leaves it to LLVM; "always" is what CUDA needs (``cuda``)."""


def device(function: F) -> F:
    """A part of a kernel."""
    options = {"inline": INLINE, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(F, njit(**options)(function))


def small(function: F) -> F:
    """A part so small that it always stands where it is called."""
    return cast(F, njit(inline="always")(function))


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


def is_cold(kernel: object) -> bool:
    """Whether a kernel must be compiled at its first call: nothing fitting is kept on disk."""
    files = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    return files is not None and not files._load_index()
