"""Questions that numba asks thousands of times while it compiles, answered once.

Nothing here changes what compiled code computes. All holds only while a function that Python calls is being compiled,
with numba's lock held: afterwards numba is as it was.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import base, event, ir, types, utils
from numba.core.base import BaseContext
from numba.core.typed_passes import NativeLowering
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import _OverloadFunctionTemplate

from riskbandits.compiling.lowering import lean, sure_calls

NUMBAS_OWN = "numba."
# What numba's registries hold.
IMPLEMENTED = ("functions", "getattrs", "setattrs", "casts", "constants")
TYPED = ("functions", "attributes", "globals")
SIMPLE = (types.Number, types.Boolean, types.Array, types.UniTuple)

_call_types: dict[Any, tuple[Any, Any]] = {}
_sizes: dict[Any, int] = {}
_packers: dict[Any, Any] = {}
_get_call_type = types.BaseFunction.get_call_type
_get_abi_sizeof = BaseContext.get_abi_sizeof
_refresh = BaseContext.refresh
_refresh_types = TypingContext.refresh
_rec_list_vars = ir.Inst._rec_list_vars
_get_arg_packer = BaseContext.get_arg_packer
_get_jit_decorator = _OverloadFunctionTemplate._get_jit_decorator


def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """The types of a call; the known ones where numba need not compile anything: sums, comparisons, indices."""
    if kws:
        return _get_call_type(self, context, args, kws)
    key = (self, context, args)
    if key in _call_types:
        signature, impl = _call_types[key]
        self._impl_keys[signature.args] = impl
        return signature
    signature = _get_call_type(self, context, args, kws)
    if signature is not None and all(isinstance(one, SIMPLE) for one in args):
        impl = self._impl_keys[signature.args]
        if impl is self.typing_key:
            _call_types[key] = signature, impl
    return signature


def get_abi_sizeof(self: Any, kind: Any) -> int:
    """How many bytes a type of LLVM's takes; numba has a module parsed to find out."""
    key = (str(kind), self.codegen())
    if key not in _sizes or isinstance(kind, llvm_ir.IdentifiedStructType):  # the latter may yet change
        _sizes[key] = _get_abi_sizeof(self, kind)
    return _sizes[key]


def only_for_news(refresh: Callable[[Any], None], names: tuple[str, ...], after: Callable[[Any], None]) -> Any:
    """A context's refresh that looks first whether anything was registered with numba since the last one."""
    seen: dict[int, list[int]] = {}

    def sizes(context: Any) -> list[int]:
        return [len(getattr(registry, name)) for registry in context._registries for name in names]

    def refreshed(context: Any) -> None:
        key = id(context._registries)  # one for all copies of a context
        if seen.get(key) == sizes(context):
            after(context)
            return
        refresh(context)
        seen[key] = sizes(context)

    return refreshed


def listed_vars(self: Any, value: Any) -> list[Any]:
    """The variables in a part of an instruction: mostly a dictionary or a list of them, of names and of places."""
    kind = type(value)
    if kind is dict or kind is list or kind is tuple:
        found = []
        for one in value.values() if kind is dict else value:
            of_one = type(one)
            if of_one is ir.Var:
                found.append(one)
            elif not (of_one is str or of_one is ir.Loc or one is None):
                found += listed_vars(self, one)
        return found
    return [value] if kind is ir.Var else _rec_list_vars(self, value)


def get_arg_packer(self: Any, kinds: Any) -> Any:
    """How arguments of these types are handed over."""
    key = (tuple(kinds), id(self.data_model_manager))
    if key not in _packers:
        _packers[key] = _get_arg_packer(self, kinds)
    return _packers[key]


def hash_of_record(self: Any) -> int:
    """That of a record's type, which numba makes of all its fields and theirs."""
    known = vars(self)
    if "_hash_of_record" not in known:
        known["_hash_of_record"] = types.Type.__hash__(self)
    return int(known["_hash_of_record"])


@contextmanager
def taken(draft_options: dict[str, Any]) -> Iterator[None]:
    """In the block numba takes the shortcuts, and its own functions are compiled with these options more."""

    def get_jit_decorator(self: Any) -> Any:
        jit = _get_jit_decorator(self)
        if not (self._overload_func.__module__ or "").startswith(NUMBAS_OWN):
            return jit
        return lambda **options: jit(**{**options, **draft_options})

    replaced = [
        (types.BaseFunction, "get_call_type", get_call_type),
        (BaseContext, "get_abi_sizeof", get_abi_sizeof),
        (BaseContext, "refresh", only_for_news(_refresh, IMPLEMENTED, lambda one: one.typing_context.refresh())),
        (TypingContext, "refresh", only_for_news(_refresh_types, TYPED, lambda one: None)),
        (BaseContext, "get_arg_packer", get_arg_packer),
        (ir.Inst, "_rec_list_vars", listed_vars),
        (types.BaseNamedTuple, "__hash__", hash_of_record),
        (utils, "pysignature", functools.cache(inspect.signature)),
        (event, "install_timer", lambda kind, callback: nullcontext()),
        (_OverloadFunctionTemplate, "_get_jit_decorator", get_jit_decorator),
        (BaseContext, "call_internal", sure_calls.call_internal),
        (base, "user_function", sure_calls.user_function),
        (NativeLowering, "lowering_class", lean.LeanLowering.lowering_class),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    try:  # an interrupt may come between two of them
        for owner, name, one in replaced:
            setattr(owner, name, one)
        yield
    finally:
        for owner, name, one in before:
            setattr(owner, name, one)
