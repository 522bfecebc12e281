"""Numba's code for WebAssembly: the same functions and record methods, compiled for a web page.

A page has no processor that numba knows. But what numba makes of a function is LLVM's language, and LLVM can write
WebAssembly. So numba is given a code generator that neither optimises for this machine nor loads anything into it: what
it has made is then optimised, and written, for a machine with 32-bit pointers.

Numba keeps what it has compiled for as long as the process lives. A process that compiles for pages therefore does
nothing else (`riskbandits.playground.compiling`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from riskbandits.compiling.jit import BORROWING
from riskbandits.core.errors import ContractError

TRIPLE = "wasm32-unknown-unknown"
# What every browser of the last years has; vectors of two numbers gain nothing where every score is one number.
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"
SPEED = 3
KINDS = {"f8": types.float64, "i8": types.int64, "u8": types.uint64}
KIND_BYTES = 8
# What LLVM may call of C's library and the linker finds: the functions in the playground's `maths.zig`, and Zig's own.
MATHS = {
    *("log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "pow", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *(
        "asin",
        "acos",
        "atan",
        "atan2",
        "asinh",
        "acosh",
        "atanh",
        "hypot",
        "cbrt",
        "lgamma",
        "numba_gamma",
        "fmod",
        "erf",
        "erfc",
    ),
    *("floor", "ceil", "round", "trunc", "sqrt", "fabs", "memcpy", "memmove", "memset"),
}


class Array(NamedTuple):
    """An array that a page hands over by its address."""

    name: str
    kind: str  # of KINDS
    shape: tuple[str, ...]  # names of the numbers, or digits


class Export(NamedTuple):
    """A function that a page calls: with addresses of arrays, their sizes, and other whole numbers."""

    name: str
    body: Callable[..., Any]  # called with the arrays, then with the numbers; gives a whole number
    arrays: Sequence[Array]
    sizes: Sequence[str]
    numbers: Sequence[str]


def jitted(function: Callable[..., Any]) -> Any:
    """A function that the body of an export may call, if it is not one of the package's helpers."""
    return numba.njit(function, **BORROWING)


def compiled(export: Export) -> bytes:
    """An export as an object file, with all that it calls but the functions of mathematics."""
    _compile_for_pages()
    dispatcher = jitted(_taking_addresses(export))
    addresses = [types.CPointer(KINDS[array.kind]) for array in export.arrays]
    dispatcher.compile((*addresses, *[types.intp] * len([*export.sizes, *export.numbers])))
    (result,) = dispatcher.overloads.values()
    module = result.library._final_module.clone()
    module.link_in(llvm.parse_assembly(_export_wrapper(result.fndesc, export)))
    _keep_only(module, export.name)
    _optimise(module)
    missing = sorted({function.name for function in module.functions if _is_unknown(function)})
    if missing:
        raise ContractError(
            f"it calls {', '.join(missing)}, which a web page does not have: it has arithmetic, `math` and the draws "
            "of `rng`"
        )
    return bytes(_machine().emit_object(module))


def _taking_addresses(export: Export) -> Callable[..., Any]:
    """The body with addresses in place of arrays."""
    addresses = [f"at_{array.name}" for array in export.arrays]
    views = [f"viewed(at_{array.name}, ({', '.join(array.shape)},))" for array in export.arrays]
    scope: dict[str, Any] = {"viewed": viewed, "body": jitted(export.body)}
    head, call = ", ".join([*addresses, *export.sizes, *export.numbers]), ", ".join([*views, *export.numbers])
    exec(f"def exported({head}):\n    return body({call})", scope)
    exported: Callable[..., Any] = scope["exported"]
    return exported


@intrinsic
def viewed(typing_context: Any, address: Any, shape: Any) -> Any:
    """The array of that shape at an address, in C's order. It owns nothing, so nobody counts references to it."""
    array = types.Array(address.dtype, len(shape), "C")

    def view(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = context.make_array(array)(context, builder)
        lengths = [builder.extract_value(args[1], place) for place in range(len(shape))]
        itemsize = context.get_constant(types.intp, KIND_BYTES)
        strides = [itemsize]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(made, args[0], lengths, strides, itemsize, meminfo=None)
        return made._getvalue()

    return array(address, types.UniTuple(types.intp, len(shape))), view


def _export_wrapper(description: Any, export: Export) -> str:
    """A function as pages can call it, with 32-bit numbers: numba's own returns two things, and takes 64-bit ones.

    It gives -1 where Python would have raised.
    """
    context = cpu_target.target_context
    module = context.create_module("export")
    inner_type = context.call_conv.get_function_type(description.restype, description.argtypes)
    inner = ir.Function(module, inner_type, description.llvm_func_name)
    short = ir.IntType(32)
    wanted = [context.get_value_type(kind) for kind in description.argtypes]
    outer_type = ir.FunctionType(short, [one if isinstance(one, ir.PointerType) else short for one in wanted])
    outer = ir.Function(module, outer_type, export.name)
    builder = ir.IRBuilder(outer.append_basic_block())
    given = [
        one if isinstance(kind, ir.PointerType) else builder.sext(one, kind)
        for one, kind in zip(outer.args, wanted, strict=True)
    ]
    status, found = context.call_conv.call_function(builder, inner, description.restype, description.argtypes, given)
    builder.ret(builder.select(status.is_error, short(-1), builder.trunc(found, short)))
    return cgutils.normalize_ir_text(str(module))


def _keep_only(module: Any, name: str) -> None:
    """Let the optimiser drop what the function does not reach: numba makes ways into Python for each helper."""
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name != name:
            one.linkage = "internal"


def _optimise(module: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=SPEED)
    passes = llvm.create_pass_builder(_machine(), options)
    passes.getModulePassManager().run(module, passes)


def _is_unknown(function: Any) -> bool:
    return function.is_declaration and not function.name.startswith("llvm.") and function.name not in MATHS


@functools.cache
def _machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=SPEED, features=FEATURES)


@functools.cache
def _compile_for_pages() -> None:
    """From here on this process compiles for pages, and can call nothing of it."""
    cpu_target.target_context._internal_codegen = PageCodegen("page")


class PageLibrary(CPUCodeLibrary):
    """What numba makes of one function and of all that it calls, as it stands before any optimisation.

    An optimiser may take the sizes of pointers for granted.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No address of this machine: nobody calls it here."""
        self._ensure_finalized()  # linked with all that it calls
        return 1


class PageCodegen(CPUCodegen):
    """The code generator of numba's CPU target, for pages."""

    _library_class = PageLibrary

    def _init(self, llvm_module: Any) -> None:
        self._tm = _machine()
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module

    def _add_module(self, module: Any) -> None:
        pass

    def set_env(self, env_name: str, env: Any) -> None:
        """Functions reach no Python objects."""
