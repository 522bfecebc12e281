"""Decorators for functions that are compiled, record methods in compiled code, and entries: what Python calls of it.

Everything outside `compiling` is plain Python that runs as it stands. This file says how numba compiles the same
functions and methods, and when compiled code on disk may be used again.
"""

from __future__ import annotations

import functools
import inspect
import types as python_types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numba
from numba.core import config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, builtin_registry, infer_getattr
from numba.extending import lower_builtin, overload, register_jitable

from riskbandits.compiling import compiled_sets, errors, generators
from riskbandits.compiling.cache import CompileCache, importable
from riskbandits.compiling.errors import explaining as explaining
from riskbandits.compiling.fingerprints import UnreadableError, code_fingerprint
from riskbandits.core import notices

Function = TypeVar("Function", bound=Callable[..., Any])

# Under numba's default error model one division inside a record's method, reached through a
# wrapper, cost 620 ns instead of 20 for 15 arms; with "numpy" it gives inf or NaN, which the
# simulation looks for.
JIT_OPTIONS: Any = {"error_model": "numpy"}
# Functions that own nothing need not count references: a count is an atomic operation, and whether inlining
# removed them depended on what the process had compiled before (docs/decisions/0021).
# Nobody but compiled code calls a helper or a method: they need no way in from Python. What is not said here a function
# takes over from the one that happened to call it first, forced inlining included.
CALLED_BY_COMPILED: Any = {
    **JIT_OPTIONS,
    "forceinline": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
BORROWING: Any = {**CALLED_BY_COMPILED, "_nrt": False}
COUNTING: Any = {**CALLED_BY_COMPILED, "_nrt": True}
INLINED: Any = {**BORROWING, "forceinline": True}

# Called for every arm or step: out of line, handing over arrays costs more than what they do.
HOT_METHODS = ("score", "learn", "draw", "value")

# Settings of numba's that decide what code it makes.
SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")

_entries: dict[tuple[Any, ...], Callable[..., Any]] = {}

# How helpers are linked is built on parts of numba that it does not document: without them numba's own way is taken.
LINKED: dict[str, Any] = {}
FORM = "numba's own way"
try:
    from riskbandits.compiling import linking

    LINKED["pipeline_class"], FORM = linking.EntryCompiler, linking.FORM
except (ImportError, AttributeError):
    errors.say_unlinked()
errors.say_if_untried()


def jitable(fn: Function) -> Function:
    """Mark a helper that record methods may call: plain Python when called from Python, compiled from compiled code."""
    register_jitable(**BORROWING)(fn)
    _note_helper(fn)
    fn.__compiled_as__ = "jitable"  # type: ignore[attr-defined]
    return fn


def always_inline(fn: Function) -> Function:
    """As `jitable`, for helpers of the hot loop: called out of line, their array arguments cost more than they do.

    A record's method may be marked so too: one that only hands on to another record's.
    """
    register_jitable(**INLINED)(fn)
    _note_helper(fn)
    fn.__compiled_as__ = "always_inline"  # type: ignore[attr-defined]
    return fn


def allocating(fn: Function) -> Function:
    """As `jitable`, for the few helpers that make arrays or return parts of them, and for what calls the latter."""
    register_jitable(**COUNTING)(fn)
    _note_helper(fn)
    fn.__compiled_as__ = "allocating"  # type: ignore[attr-defined]
    return fn


def _note_helper(fn: Callable[..., Any]) -> None:
    """Tell `compiled_sets` of the template that numba has just made for a function."""
    helper, kind = builtin_registry.globals[-1]
    assert helper is fn
    compiled_sets.add_helper(fn, kind.templates[0])


def optional_method(name: str, default: Function, inline: bool = False) -> Function:
    """Return a function that calls a record's method `name`, or `default` for a record without one.

    The choice is made by the record's class, before anything runs: compiled code for a record
    without the method holds nothing but the default. `inline` is for the hot loop, as in `always_inline`.
    """

    def call(record: tuple[Any, ...], *args: Any) -> Any:
        method = getattr(record, name, None)
        return default(record, *args) if method is None else method(*args)

    def choose(record: Any, *args: Any) -> Any:
        return getattr(record.instance_class, name, default)

    return _chosen_by_class(call, choose, name, default, inline)


def by_method(name: str, with_it: Function, without_it: Function) -> Function:
    """Return a function that is `with_it` for records that have a method `name`, and `without_it` for the others."""

    def call(record: tuple[Any, ...], *args: Any) -> Any:
        return (with_it if hasattr(record, name) else without_it)(record, *args)

    def choose(record: Any, *args: Any) -> Any:
        return with_it if hasattr(record.instance_class, name) else without_it

    return _chosen_by_class(call, choose, with_it.__name__, with_it)


def _chosen_by_class(call: Any, choose: Any, name: str, signature_of: Function, inline: bool = False) -> Function:
    choose.__signature__ = inspect.signature(signature_of)
    overload(call, jit_options=INLINED if inline else BORROWING, strict=False)(choose)
    _note_helper(call)
    call.__name__ = call.__qualname__ = name
    call.__chosen_by_class__ = choose
    return call


@infer_getattr
class RecordMethods(AttributeTemplate):
    """How compiled code finds `record.method`: the record class's own function, compiled for the types of the call.

    numba's `overload_method` would need one signature per method name for all classes, or a wrapper
    with `*args`, which made a step of MVTS 1.6 times as slow.
    """

    key = types.BaseNamedTuple

    def generic_resolve(self, record_type: Any, name: str) -> Any:  # type: ignore[override]
        """The method as something that can be called, or None if the record has no such method."""
        record_class = getattr(record_type, "instance_class", None)
        method = vars(record_class).get(name) if record_class is not None else None
        if not isinstance(method, python_types.FunctionType):
            return None
        token = compiled_sets.current().token
        _register_methods(record_class, token)  # records that methods make, or hold in their fields, are met here first
        dispatcher_type: Any = types.Dispatcher(_compiled_method(method, _keeps_views(record_class)))
        typing_context = self.context

        class Method(AbstractTemplate):
            key = (record_class, name, token)

            def generic(self, args: Any, kws: Any) -> Any:
                return dispatcher_type.get_call_type(typing_context, (record_type, *args), kws).as_method()

        return types.BoundFunction(Method, record_type)


def _compiled_method(method: Callable[..., Any], keeps_views: bool) -> Any:
    compiled, key = compiled_sets.current(), (method, keeps_views)
    if key not in compiled.methods:
        inline = method.__name__ in HOT_METHODS or getattr(method, "__compiled_as__", "") == "always_inline"
        options = {**(COUNTING if keeps_views else BORROWING), **compiled.options, "forceinline": inline}
        compiled.methods[key] = numba.njit(method, **options)
    return compiled.methods[key]


def _keeps_views(record_class: Any) -> bool:
    """Whether methods may hold what `allocating` helpers return: those of a policy with a history."""
    method = getattr(record_class, "history", None)
    return method is not None and not getattr(method, "__handed_on__", False)


@functools.cache
def _register_methods(record_class: type, token: Any) -> None:
    """Let compiled code of a set call the methods of a record class."""
    for name, method in vars(record_class).items():
        if isinstance(method, python_types.FunctionType) and not name.startswith("__"):
            _lower(record_class, name, token, method)


def _lower(record_class: type, name: str, token: Any, method: Callable[..., Any]) -> None:
    @lower_builtin((record_class, name, token), types.BaseNamedTuple, types.VarArg(types.Any))
    def call_method(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        call = context.get_function(types.Dispatcher(_compiled_method(method, _keeps_views(record_class))), signature)
        context.add_linking_libs(getattr(call, "libs", ()))
        if len(args) < len(signature.args):
            # numba leaves out a receiver that is an empty tuple: a record without fields.
            args = [context.get_constant_undef(signature.args[0]), *args]
        return call(builder, args)


def entry(fn: Callable[..., Any], record_classes: Iterable[type], checked: bool = False) -> Callable[..., Any]:
    """Compile `fn`, a function that Python calls with records of these classes, or load it from disk.

    Numba's disk cache looks at the file of `fn` alone and would answer an edited policy with the
    old one's code. So the cache file is named after the fingerprint of everything `fn` can reach.

    `checked`: an index outside an array is an IndexError, instead of a read or a write wherever that may be.
    """
    classes = tuple(record_classes)
    code = fingerprint(fn, *classes, checked)
    key = (fn, *classes, code)
    if code is None or key not in _entries:
        made = _compiled_entry(fn, classes, code, checked)
        if code is None:  # of what cannot be read nobody can say that it is still the same
            return made
        _entries[key] = made
    return _entries[key]


def _compiled_entry(
    fn: Callable[..., Any], classes: tuple[type, ...], code: str | None, checked: bool
) -> Callable[..., Any]:
    clone = python_types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    clone.__module__ = fn.__module__
    options = {**JIT_OPTIONS, "boundscheck": True} if checked else JIT_OPTIONS
    outer = {**options, "nogil": True, "no_cfunc_wrapper": True, **LINKED}
    dispatcher = numba.njit(generators.with_addresses(clone, **options), **outer)
    if isinstance(dispatcher, python_types.FunctionType):  # NUMBA_DISABLE_JIT
        return fn
    kept = code if all(importable(c) for c in classes) else None
    name = "-".join([fn.__module__.rpartition(".")[2], fn.__name__, *(c.__name__ for c in classes)])
    dispatcher._cache = CompileCache(
        fn.__code__.co_filename,
        name,
        kept,
        lambda: compiled_sets.current().invalidate_if_changed(fingerprint),
        lambda: compiled_sets.current().record(fingerprint),
    )
    return generators.CalledWithGenerators(_compiled_with_checks(dispatcher) if checked else dispatcher)


def _compiled_with_checks(dispatcher: Any) -> Callable[..., Any]:
    """A function that numba compiles at its first call, with bounds checks."""

    @functools.wraps(dispatcher.py_func)
    def call(*args: Any) -> Any:
        kinds = tuple(dispatcher.typeof_pyval(one) for one in args)
        if kinds not in dispatcher.overloads:
            with global_compiler_lock, compiled_sets.with_bounds_checks():
                dispatcher.compile(kinds)
        return dispatcher(*args)

    return call


def fingerprint(*roots: Any) -> str | None:
    """Digest of the code that functions and classes run, and of what compiles it.

    None for code that reaches something which cannot be read: it must count as changed whenever it is looked at.
    """
    chosen = [getattr(config, name, None) for name in SETTINGS]
    try:
        how = f"{numba.__version__} {BORROWING} {chosen} {generators.ADDRESS_FORM} {FORM}"
        return code_fingerprint(how, *roots)
    except UnreadableError as error:
        notices.say_once(
            f"Code to be compiled reaches {error}, which cannot be checked for changes: it is recompiled "
            "every time, and its results are not kept in a store."
        )
        return None
