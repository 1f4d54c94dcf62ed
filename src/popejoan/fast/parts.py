"""How a part of a kernel is compiled: to be put into its callers, with no machine code of its own.

Numba makes ready to run every function that it compiles: optimised, as machine code, loaded. A part
is called by kernels alone and is optimised once more there, so none of that is ever used. And Numba
compiles a function anew for every number that stands in a call, where LLVM needs one version to put
each number into; and it searches anew, thousands of times, for what ``&`` of two numbers gives. To
leave this out takes a hold of Numba's insides, as version 0.68 has them; ``jit`` asks for this
there alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite.binding import create_new_function_pass_manager
from numba import _dynfunc, njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing import Context

__all__ = ["part_of"]


class _Unfinished(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other code and never run."""

    def _optimize_functions(self, module: Any) -> None:
        """Turn variables in memory into values, without which LLVM finds no vectors later."""
        module.data_layout = self._codegen._data_layout
        builder = self._codegen._pass_builder()
        for function in module.functions:
            if not function.is_declaration:
                passes = create_new_function_pass_manager()
                passes.add_sroa_pass()
                passes.run(function, builder)

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


class _Types:
    """What Numba knows of types; what an operator gives for numbers is remembered."""

    _found: Final[dict[Any, Any]] = {}

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        numbers = all(isinstance(each, types.Integer | types.Boolean) for each in args)
        if kws or not numbers or not isinstance(function, types.Function):
            return self._context.resolve_function_type(function, args, kws)
        if (function, args) not in self._found:
            found = self._context.resolve_function_type(function, args, kws)
            self._found[function, args] = found
        return self._found[function, args]


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's own passes, without the machine code."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(_Types(typingctx), targetctx, library, *rest)
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
