"""How a part of a kernel is compiled: to be put into its callers, with no machine code of its own.

Numba makes ready to run every function that it compiles: optimised, as machine code, loaded. A part
is called by kernels alone and is optimised once more there, so none of that is ever used. And Numba
compiles a function anew for every number that stands in a call, where LLVM needs one version to put
each number into. To leave both out takes a hold of Numba's insides, as version 0.68 has them;
``jit`` asks for this there alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import _dynfunc, njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

__all__ = ["part_of"]


class _Unfinished(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other code and never run."""

    def finalize(self) -> None:
        """Link what it calls; leave the rest to the kernel."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalized = True


def _nothing_to_run(library: Any, fndesc: Any, env: Any) -> Any:
    """What stands for the function's address, by which its callers know it."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's own passes, without the machine code."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library, *rest)
        if library is None:
            self.state.library = _Unfinished(self.state.targetctx.codegen(), "part")
            self.state.targetctx.get_executable = _nothing_to_run


def part_of(**how: Any) -> Callable[[Callable[..., object]], object]:
    """As ``numba.njit``, for a part."""

    def made(function: Callable[..., object]) -> object:
        part: Any = njit(pipeline_class=_PartCompiler, **how)(function)
        template = part.get_call_template
        part.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
        return part

    return made
