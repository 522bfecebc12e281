"""Calls of functions that never raise: numba asks after every call whether there was an exception, and of what kind.

That is a fifth of what it writes for a helper, and hardly any helper can raise.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions
from numba.core import imputils
from numba.core.base import BaseContext

_never_raise: set[str] = set()  # by the names that LLVM knows them by
_call_internal = BaseContext.call_internal


def note(function: Any) -> None:
    """Remember a function, as llvmlite has it, if all that it returns is success."""
    ends = [block.terminator for block in function.blocks]
    if all(_is_success(one.operands[0]) for one in ends if isinstance(one, instructions.Ret)):
        _never_raise.add(function.name)


def _is_success(code: Any) -> bool:
    return isinstance(code, ir.Constant) and code.constant == 0


def memory(builder: Any, kind: Any) -> Any:
    """Room for one value, which has none yet."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


def call_internal(self: Any, builder: Any, fndesc: Any, sig: Any, args: Any) -> Any:
    """A call of numba's own; functions that never raise are not asked whether they did."""
    if fndesc.mangled_name in _never_raise:
        return _call(self, builder, fndesc, args)
    return _call_internal(self, builder, fndesc, sig, args)


def user_function(fndesc: Any, libs: Any) -> Any:
    """What writes calls of a function, likewise."""
    asking = imputils.user_function(fndesc, libs)

    def write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if fndesc.mangled_name in _never_raise:
            return _call(context, builder, fndesc, args)
        return asking(context, builder, sig, args)

    write.signature, write.libs = asking.signature, asking.libs  # type: ignore[attr-defined]
    return write


def _call(context: Any, builder: Any, fndesc: Any, args: Any) -> Any:
    convention = context.call_conv
    called = builder.module.globals.get(fndesc.mangled_name)
    if called is None:  # declared in short: names of its hundred arguments would help nobody
        kind = convention.get_function_type(fndesc.restype, fndesc.argtypes)
        called = ir.Function(builder.module, kind, fndesc.mangled_name)
        context.apply_target_attributes(called, fndesc.argtypes, fndesc.restype)
    result = memory(builder, convention.get_return_type(fndesc.restype).pointee)
    no_exception = called.args[1].type(None)
    given = convention._get_arg_packer(fndesc.argtypes).as_arguments(builder, args)
    builder.call(called, [result, no_exception, *given])
    return context.get_returned_value(builder, fndesc.restype, builder.load(result))
