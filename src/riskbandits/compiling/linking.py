"""Helpers and methods as drafts: what numba makes of them is neither optimised nor made machine code by itself.

Numba treats every function that compiled code calls like one that Python calls: it links in all that the function
calls in turn, optimises the whole, and makes machine code of it, which nobody ever runs. A helper was so optimised as
many times as there are functions above it, and two thirds of the time to the first result went there. A draft holds its
own lines alone; the function that Python calls links in all drafts that it reaches, each once, and is optimised as
a whole.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, Flags

from riskbandits.compiling import shortcuts
from riskbandits.compiling.passes import Passes

OWN = "riskbandits."
# How machine code is made of drafts, part of its name on disk: change one with the other.
FORM = "drafts are private, those of numba too, some apart, in few words, optimised once"

_apart: set[str] = set()  # how the names of functions begin that are never inlined


def keep_apart(fn: Callable[..., Any]) -> None:
    """Let LLVM call a function, and not make it part of its only caller: the larger that is, the longer it takes."""
    parts = [*fn.__module__.split("."), *fn.__qualname__.split(".")]
    _apart.add("_ZN" + "".join(f"{len(part)}{part}" for part in parts) + "B")


class Settled(Flags):
    """Numba's options for a function. It looks functions up by them: all that are alike are one object here."""

    _known: dict[str, Settled] = {}  # noqa: RUF012

    def __hash__(self) -> int:
        # Computed once: numba asks thousands of times, and reads all options every time.
        if not hasattr(self, "_hash"):
            self._hash = Flags.__hash__(self)
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (not isinstance(other, Settled) and bool(Flags.__eq__(self, other)))

    def copy(self) -> Settled:
        """Not a copy: nobody changes what is settled."""
        return self

    @classmethod
    def like(cls, flags: Flags) -> Settled:
        """The one that is like these."""
        return cls._known.setdefault(repr(flags), cls(flags))


class Draft(JITCodeLibrary):
    """One function as LLVM's language has it, and the libraries of those that it calls."""

    def finalize(self) -> None:
        """Nothing is linked yet: that is left to what Python calls."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """With all that it reaches, each function once."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in self.reached():
                other = library.own_module() if isinstance(library, Draft) else library._get_module_for_linking()
                module.link_in(other, preserve=True)
            self._shared_module = _shareable(module)
        return self._shared_module

    def own_module(self) -> Any:
        """The function alone, as others may link it in."""
        return _shareable(self._final_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def reached(self) -> list[Any]:
        """The libraries that this one calls, directly or not, without itself."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library is not self and library not in found:
                found[library] = None
                self._reload_init.update(library._reload_init)
                if isinstance(library, Draft):
                    waiting.extend(library._linking_libraries)
        return list(found)

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        return 0


def _shareable(module: Any) -> Any:
    """A module whose functions may be linked in several times."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == "external":
            function.linkage = "linkonce_odr"
    return module


class DraftCompiler(Compiler):
    """How numba compiles what only compiled code calls."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As numba does, into a draft; a web page's code is one already."""
        codegen = self.state.targetctx.codegen()
        if not isinstance(codegen, JITCPUCodegen) or self.state.library is not None:
            return super().compile_extra(func)
        self.state.library = Draft(codegen, func.__qualname__)
        self.state.flags.no_compile = True
        self.state.flags = Settled.like(self.state.flags)
        result = super().compile_extra(func)
        # Numba knows what it has compiled by a builtin function that Python could call. Any does, if it is another one
        # every time: that of a new object.
        made = object().__reduce__
        self.state.targetctx.insert_user_function(made, result.fndesc, [result.library])
        return result._replace(entry_point=made)

    def define_pipelines(self) -> Any:
        """Numba's, but for helpers of this package, which have no use for most of them."""
        ours = self.state.func_id.modname.startswith(OWN)
        return [Passes()] if ours else super().define_pipelines()


class Whole(JITCodeLibrary):
    """A function that Python calls, with all drafts that it reaches."""

    def _optimize_final_module(self) -> None:
        """Nobody else calls the drafts in here, so LLVM inlines those that are called in one place.

        Once: numba has LLVM look through a module twice, the first time to see more of what counts references.
        """
        apart = tuple(_apart)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
                if function.name.startswith(apart):
                    function.add_function_attribute("noinline")
                    function.add_function_attribute("optsize")
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@contextmanager
def older_objects_left_alone() -> Iterator[None]:
    """In the block the garbage collector looks only at what is made there.

    Compiling makes so many objects that all of numba's own were looked through again and again: a tenth of the time.
    """
    if gc.get_freeze_count() > 0:  # whoever froze them wants them to stay so
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


# For numba's own functions that drafts call.
DRAFTED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": DraftCompiler}


class EntryCompiler(Compiler):
    """How numba compiles what Python calls: with what drafts may ask of their environments in place."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As numba does."""
        codegen = self.state.targetctx.codegen()
        if isinstance(codegen, JITCPUCodegen) and self.state.library is None:
            self.state.library = Whole(codegen, func.__qualname__)
            self.state.library.enable_object_caching()
        with older_objects_left_alone(), shortcuts.taken(DRAFTED):
            result = super().compile_extra(func)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)
        return result
