"""Kernels as object code: compiled once, kept on disk, and run afterwards without the compiler.

Numba keeps what it compiles as well, but must itself be imported to run it, which takes longer than
a million deals. What is kept here is the object file that it makes. llvmlite loads it, and it is
called by its address, which frees the lock that Python's threads share.

A file is named by a digest of all that its code hangs on: the sources, the compiler with its
settings, the processor. One that is damaged counts as absent. Files are written whole and then
renamed, so that others may write and read meanwhile; where none can be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

__all__ = ["Kernel", "Kinds", "circumstances", "compiler_is_off"]

Kinds: TypeAlias = tuple[str, ...]
"""What each argument of a kernel is: ``int``, ``uint``, ``None``, or for an array the type of its
entries and its dimensions, as in ``int64 x 3``."""

_DIGEST: Final = 32
"""Bytes of the digest before what is kept."""
_FILES: Final = 32
"""Files of one kernel that are kept in a folder; those not used for longest go."""

if find_spec("numba") is None:
    raise ModuleNotFoundError("No module named 'numba'", name="numba")


def compiler_is_off() -> bool:
    """Whether kernels are to run as plain Python (``NUMBA_DISABLE_JIT=1``)."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


class Kernel:
    """A function of a module of this folder, to be called with whole numbers, arrays and None.

    Arrays lie row by row. What the function finds, it writes into them; it gives nothing.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._ready: dict[Kinds, Callable[..., int]] = {}
        self._lock = Lock()

    @property
    def kinds(self) -> tuple[Kinds, ...]:
        """With what it was called so far."""
        return tuple(self._ready)

    @property
    def function(self) -> Callable[..., None]:
        """The source; this imports the compiler."""
        function: Callable[..., None] = getattr(
            import_module(f"popejoan.fast.{self._module}"), self._name
        )
        return function

    def __call__(self, *arguments: int | np.uint64 | NDArray[Any] | None) -> None:
        """Run; RuntimeError if the code itself reports a fault, TypeError for other arguments."""
        if compiler_is_off():
            self.function(*arguments)
            return
        kinds = tuple(map(_kind, arguments))
        run = self._ready.get(kinds) or self._made_ready(kinds)
        given: list[int] = []
        for argument in arguments:
            given += _words(argument)
        result, fault = ctypes.c_void_p(), ctypes.c_void_p()
        if run(ctypes.addressof(result), ctypes.addressof(fault), *given):
            raise RuntimeError(f"the kernel {self._name!r} broke off")

    def is_cold(self, *arguments: int | np.uint64 | NDArray[Any] | None) -> bool:
        """Whether a call with these must compile first, which takes some seconds, once."""
        kinds = tuple(map(_kind, arguments))
        return not (compiler_is_off() or kinds in self._ready or self._kept(kinds))

    def _made_ready(self, kinds: Kinds) -> Callable[..., int]:
        with self._lock:
            if kinds not in self._ready:
                words = sum(map(_number_of_words, kinds))
                code = self._kept(kinds)
                if code is None:
                    from popejoan.fast.jit import object_code

                    code = object_code(self.function, kinds, words)
                    _keep(self._file(kinds), code)
                self._ready[kinds] = _loaded(code, words)
            return self._ready[kinds]

    def _file(self, kinds: Kinds) -> str:
        digest = blake2b(f"{circumstances()}\n{kinds}".encode(), digest_size=12).hexdigest()
        return f"{self._module}.{self._name}-{digest}.object"

    def _kept(self, kinds: Kinds) -> bytes | None:
        """The code that is kept, its symbol first; None where there is none, or it is damaged."""
        name = self._file(kinds)
        for folder in _folders():
            with contextlib.suppress(OSError):
                found = (folder / name).read_bytes()
                code = found[_DIGEST:]
                if code and blake2b(code, digest_size=_DIGEST).digest() == found[:_DIGEST]:
                    with contextlib.suppress(OSError):
                        os.utime(folder / name)
                    return code
        return None


def _kind(argument: object) -> str:
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise TypeError("an array for a kernel lies row by row")
        return f"{argument.dtype} x {argument.ndim}"
    if argument is None:
        return "None"
    if isinstance(argument, np.uint64):
        return "uint"
    if isinstance(argument, int | np.integer):
        if not -(2**63) <= argument < 2**63:
            raise OverflowError(f"{argument} is beyond the 64 bits of a kernel's number")
        return "int"
    raise TypeError(f"a kernel takes whole numbers, arrays and None, not {argument!r}")


def _number_of_words(kind: str) -> int:
    return 5 + 2 * int(kind.rpartition(" x ")[2]) if " x " in kind else 1


def _words(argument: Any) -> tuple[int, ...]:
    """An argument in words: Numba takes an array as its owner, size, address, shape and strides."""
    if isinstance(argument, np.ndarray):
        address = argument.ctypes.data
        return (
            0, 0, argument.size, argument.itemsize, address, *argument.shape, *argument.strides
        )  # fmt: skip
    return (0 if argument is None else int(argument),)


@lru_cache(maxsize=1)
def circumstances() -> str:
    """All that compiled code hangs on, but for the kernel and the kinds of its arguments."""
    here = Path(__file__).parent
    numba = Path(find_spec("numba").origin or "")  # type: ignore[union-attr]
    sources = blake2b(digest_size=16)
    for path in (
        *sorted(here.glob("*.py")),
        *sorted(here.parent.glob("*.py")),
        numba.parent / "_version.py",
    ):
        sources.update(path.name.encode() + b"\0" + path.read_bytes())
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    versions = (sys.version, llvmlite.__version__, np.__version__)
    processor = (llvm.get_process_triple(), llvm.get_host_cpu_name())
    features = llvm.get_host_cpu_features().flatten()
    return "\n".join((sources.hexdigest(), *versions, *processor, features, repr(settings)))


def _folders() -> Iterator[Path]:
    """Where code is looked for, and kept in the first that can be written to."""
    if asked := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(asked)
        return
    yield Path(__file__).parent / "__pycache__"
    if sys.platform == "win32":
        cache = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        cache = "~/Library/Caches"
    else:
        cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    with contextlib.suppress(RuntimeError):  # nobody's home
        yield Path(cache).expanduser() / "popejoan"


def _keep(name: str, code: bytes) -> None:
    """Write a file whole, in the first folder that allows it."""
    for folder in _folders():
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as aside:
                whole = Path(aside) / name
                whole.write_bytes(blake2b(code, digest_size=_DIGEST).digest() + code)
                whole.replace(folder / name)
            _tidy(folder, name.partition("-")[0])
            return


def _tidy(folder: Path, kernel: str) -> None:
    """Leave the files of a kernel used last: each change of its circumstances makes one more."""
    with contextlib.suppress(OSError):
        files = sorted(folder.glob(f"{kernel}-*.object"), key=lambda path: path.stat().st_mtime)
        for path in files[:-_FILES]:
            path.unlink()


_engines: Final[list[Any]] = []
"""What the loaded code lies in, for as long as it may be called."""


def _loaded(code: bytes, words: int) -> Callable[..., int]:
    """The function of an object file, ready to be called."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    symbol, _, content = code.partition(b"\n")
    engine.add_object_file(llvm.ObjectFileRef.from_data(content))
    engine.finalize_object()
    _engines.append(engine)
    types = [ctypes.c_void_p] * 2 + [ctypes.c_uint64] * words
    function: Any = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(
        engine.get_function_address(symbol.decode())
    )
    return function  # type: ignore[no-any-return]
