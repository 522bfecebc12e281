"""Linking of helpers: functions that only compiled code calls become machine code once, as part of what Python calls.

Numba optimises every function by itself, with all that it calls linked in, and makes machine code of each, which for
helpers nobody runs. Here, while a function that Python calls (an entry) is compiled, numba's code generator makes
libraries that only keep LLVM's text; the entry links each of them once and is optimised as a whole. Compiling takes
half as long, and lazy runs are a quarter faster, since LLVM sees all of a kernel.

What this uses of numba is not documented. Where it fails, numba's own way is taken: the same numbers, more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from riskbandits.compiling import compiled_sets
from riskbandits.compiling.errors import say_unlinked

# How machine code is made, part of its name on disk: change one with the other.
FORM = "helpers are linked once, as private functions"
# Names of functions as Python calls them begin so; those of numba's own, which no person can call, like the second.
WRAPPER, NUMBAS_WRAPPER = "_ZN7cpython", "_ZN7cpython5numba"
NOT_CALLABLE = 1  # as an address: numba asks for one, and nobody calls it

_failed = False  # in this process: numba's own way is taken from then on


class HelperLibrary(JITCodeLibrary):
    """One function as LLVM's text, and the libraries of those that it calls."""

    def finalize(self) -> None:
        """Close the library; linking is left to the entry."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _get_module_for_linking(self) -> Any:
        """The function with all that it reaches, each once."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in self._reached():
                own = _shareable(library._final_module) if isinstance(library, HelperLibrary) else None
                module.link_in(own or library._get_module_for_linking(), preserve=True)
            self._shared_module = _shareable(module)
        return self._shared_module

    def _reached(self) -> list[Any]:
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library is not self and library not in found:
                found[library] = None
                self._reload_init.update(library._reload_init)
                if isinstance(library, HelperLibrary):
                    waiting.extend(library._linking_libraries)
        return list(found)

    def get_pointer_to_function(self, name: str) -> int:
        """The address of machine code where a person may call the function: one that is `@njit` by itself."""
        if not name.startswith(WRAPPER) or name.startswith(NUMBAS_WRAPPER) or not self._defines(name):
            return NOT_CALLABLE
        whole = JITCodeLibrary(self._codegen, self.name)
        module = self._get_module_for_linking().clone()
        for function in self._final_module.functions:
            if not function.is_declaration:
                module.get_function(function.name).linkage = "external"
        whole.add_llvm_module(module)
        whole.finalize()
        self._machine_code = whole  # kept as long as this is
        return int(whole.get_pointer_to_function(name))

    def _defines(self, name: str) -> bool:
        return any(one.name == name and not one.is_declaration for one in self._final_module.functions)


def _shareable(module: Any) -> Any:
    """A module whose functions may be linked in several times."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == "external":
            function.linkage = "linkonce_odr"
    return module


class EntryLibrary(JITCodeLibrary):
    """A function that Python calls, with all helpers that it reaches."""

    def _optimize_final_module(self) -> None:
        """Nobody else calls the helpers in here: LLVM may inline them, and change how the others are called.

        Private, and not internal: the loader would find an internal function by its name, and let code that links the
        same helper for itself call the changed one.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "private"
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@contextmanager
def _helpers_as_text(codegen: Any) -> Iterator[None]:
    """In the block a code generator makes libraries of text; a function's environment is set if it is machine code."""
    set_env = codegen.set_env

    def set_env_if_loaded(name: str, environment: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(name, environment)

    codegen._library_class, codegen.set_env = HelperLibrary, set_env_if_loaded
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env


class EntryCompiler(Compiler):
    """How numba compiles what Python calls."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As numba does; what the function calls stays text until it is linked."""
        global _failed
        state = self.state
        given = (state.typingctx, state.targetctx, state.library, state.args, state.return_type)
        flags, variables = state.flags.copy(), state.locals
        if not _failed and state.library is None:
            try:
                return self._linked(func)
            except Exception:  # in the function, or in this file: numba's own way tells
                compiled_sets.current().drop()
                result = Compiler(*given, flags, variables).compile_extra(func)
                _failed = True
                say_unlinked()
                return result
        return super().compile_extra(func)

    def _linked(self, func: Callable[..., Any]) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = EntryLibrary(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        with _helpers_as_text(codegen):
            result = super().compile_extra(func)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)
        return result
