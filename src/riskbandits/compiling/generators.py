"""How random generators reach compiled code: by the address of what NumPy draws from, never as Python objects.

numba takes a `Generator` apart through a dozen Python calls, during which signal handlers may run, and goes on when one
of them raises: a Ctrl-C at that moment was a segmentation fault. It also takes several microseconds per call.
Here Python hands over one number, and compiled code makes numba's own Generator of it, with all its methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numpy.random import Generator

# Part of the fingerprint of compiled code: the lines below are not code that a fingerprint can read.
ADDRESS_FORM = "generators by address 1"

# The first words of NumPy's `bitgen_t` (numpy/random/bitgen.h), by the names that they have in numba's model.
WORDS_OF_BITGEN = ("state", "fnptr_next_uint64", "fnptr_next_uint32", "fnptr_next_double")

# An address travels as a tuple of one number, which no other argument of an entry is (records have types of their own).
ADDRESS = types.UniTuple(types.int64, 1)


class CalledWithGenerators:
    """A compiled function as Python calls it: generators among the arguments are handed over as addresses.

    The tuple of arguments keeps them alive until the call is over. All else is asked of numba's own object.
    """

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher

    def __call__(self, *args: Any) -> Any:
        """What the compiled function gives."""
        return self.dispatcher(*[_address(one) if isinstance(one, Generator) else one for one in args])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.dispatcher, name)


def _address(rng: Generator) -> tuple[int]:
    return (rng.bit_generator.ctypes.bit_generator.value,)


def with_addresses(fn: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """`fn` with addresses in place of generators among its parameters.

    `fn` becomes part of it before anything is compiled; it has to be a clone made for this.
    """
    names = [f"argument{place}" for place in range(fn.__code__.co_argcount)]
    source = (
        f"def wrapper({', '.join(names)}):\n return inner({', '.join(f'compiled_value({name})' for name in names)})"
    )
    fn.__qualname__ = fn.__name__  # numba makes names of variables from it
    scope: dict[str, Any] = {
        "inner": numba.njit(fn, inline="always", **options),
        "compiled_value": compiled_value,
        "__name__": fn.__module__,
    }
    exec(compile(source, fn.__code__.co_filename, "exec"), scope)
    wrapper: Callable[..., Any] = scope["wrapper"]
    return wrapper


@intrinsic
def compiled_value(typing_context: Any, argument: Any) -> Any:
    """An argument as compiled code works with it: a Generator for an address, all others as they are."""
    if isinstance(argument, types.NumPyRandomGeneratorType):
        raise TypingError("a Generator reached compiled code as a Python object")
    if argument == ADDRESS:
        return types.npy_rng(argument), _generator_at
    return argument(argument), _same


def _same(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return impl_ret_borrowed(context, builder, signature.return_type, args[0])


def _generator_at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """A Generator of numba's for a `bitgen_t` at an address. It owns nothing: the caller keeps the object alive."""
    generator = cgutils.create_struct_proxy(types.npy_rng)(context, builder)  # all zero: no parent, no references
    bits = cgutils.create_struct_proxy(types.NumPyRandomBitGeneratorType("bit_generator"))(context, builder)
    address = builder.extract_value(args[0], 0)
    start = builder.inttoptr(address, ir.PointerType(context.get_value_type(types.uintp)))
    for place, name in enumerate(WORDS_OF_BITGEN):
        setattr(bits, name, builder.load(cgutils.gep_inbounds(builder, start, place)))
    bits.state_address = bits.state
    bits.bit_generator = address
    generator.bit_generator = bits._getvalue()
    return generator._getvalue()
