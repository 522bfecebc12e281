"""Numba's CUDA target, and the only file that knows it: the same functions and record methods, compiled for a GPU.

The CUDA target shares nothing with the one in `jit`: helpers and methods are told to it here, from
the same Python functions. In single precision it compiles copies whose literals are float32; a literal such
as 0.5 would otherwise make every product double.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types as python_types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from riskbandits.compiling import gpu

PRECISIONS = {"float64": np.float64, "float32": np.float32}
# Inlined, arrays and records of one thread become registers; called out of line they would be memory.
DEVICE_OPTIONS: Any = {"device": True, "forceinline": True}
KERNEL_OPTIONS: dict[str, Any] = {}

_compile_lock = threading.Lock()


cuda: Any = None  # numba's module once a kernel is made; a global, because the simulator changes it under kernels


class Kernel:
    """A kernel whose thread number i calls `body(i, a, b, c, batch, start, end)`.

    Here `a` and `b` are private arrays of `words` 64-bit words, and `c` one of `cells` numbers: registers, mostly.
    """

    def __init__(self, body: Callable[..., None], precision: str, words: int, cells: int) -> None:
        self.target = target(precision)
        self._kernel = _thread_kernel(body, self.target, words, cells)

    def launch(self, threads: int, block: int, stream: Any, *arguments: Any) -> None:
        """Start threads, `block` of them together; compiles at the first call."""
        with _compile_lock, _without_occupancy_warnings():
            Target.current = self.target
            self._kernel[-(-threads // block), block, stream](threads, *arguments)

    def registers(self) -> int:
        """The registers of a thread."""
        return 0 if gpu.simulated() else max(self._kernel.get_regs_per_thread().values())


@contextmanager
def _without_occupancy_warnings() -> Iterator[None]:
    """Keep numba from warning about small launches: whoever asks for ten runs wants ten runs."""
    config = None if gpu.simulated() else gpu.part("core.config")
    before = getattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 0)
    if config is not None:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    try:
        yield
    finally:
        if config is not None:
            config.CUDA_LOW_OCCUPANCY_WARNINGS = before


def _thread_kernel(body: Callable[..., None], compiler: Target, words: int, cells: int) -> Any:
    global cuda
    cuda = gpu.load()
    number = PRECISIONS[compiler.precision]
    play = body if gpu.simulated() else compiler.dispatcher(body)

    def kernel(threads, batch, start, end):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < threads:
            first = cuda.local.array(words, np.uint64)
            second = cuda.local.array(words, np.uint64)
            third = cuda.local.array(cells, number)
            play(i, first, second, third, batch, start, end)

    return cuda.jit(kernel) if gpu.simulated() else cuda.jit(kernel, **KERNEL_OPTIONS)


@functools.cache
def target(precision: str) -> Target:
    """The compiler for one precision."""
    return Target(precision)


class Target:
    """Functions for the device in one precision, each compiled once."""

    current: Target  # the one at work: a record without number fields has the same type in all of them

    def __init__(self, precision: str) -> None:
        self.precision = precision
        self._single = precision == "float32"
        self._dispatchers: dict[Any, Any] = {}
        self._chosen: dict[Any, Any] = {}
        _register_methods()

    def dispatcher(self, fn: Callable[..., Any]) -> Any:
        """A function of this package, or of a user's file, as a device function."""
        if fn not in self._dispatchers:
            self._dispatchers[fn] = gpu.load().jit(self._copy(fn), **DEVICE_OPTIONS)
        return self._dispatchers[fn]

    def _copy(self, fn: Callable[..., Any]) -> Any:
        """The function with everything that it reaches meant for the device."""
        names = fn.__code__.co_names
        reached = {name: self._for_device(value, names) for name, value in fn.__globals__.items() if name in names}
        cells = tuple(
            python_types.CellType(self._for_device(cell.cell_contents, names)) for cell in fn.__closure__ or ()
        )
        code = fn.__code__
        if self._single:
            code = code.replace(co_consts=tuple(self._for_device(constant, names) for constant in code.co_consts))
        copied = python_types.FunctionType(
            code,
            {"__builtins__": fn.__globals__["__builtins__"], **reached},
            fn.__name__,
            fn.__defaults__,
            cells or None,
        )
        copied.__module__ = fn.__module__
        return copied

    def _for_device(self, value: object, names: tuple[str, ...]) -> Any:
        if isinstance(value, python_types.FunctionType):
            if hasattr(value, "__chosen_by_class__"):
                return self._chosen_by_class(value)
            return self.dispatcher(value) if hasattr(value, "__compiled_as__") else value
        if isinstance(value, python_types.ModuleType):
            return self._module(value, names)
        return np.float32(value) if self._single and type(value) is float else value

    def _module(self, module: Any, names: tuple[str, ...]) -> Any:
        top = module.__name__.partition(".")[0]
        if top in sys.stdlib_module_names or top in ("numpy", "numba"):
            return module
        stand_in = python_types.ModuleType(module.__name__)
        for name in names:
            if hasattr(module, name) and getattr(module, name) is not module:
                setattr(stand_in, name, self._for_device(getattr(module, name), names))
        return stand_in

    def _chosen_by_class(self, call: Any) -> Any:
        """As `jit.optional_method`, for the device: the record's class decides before anything runs."""
        if call not in self._chosen:
            overload = gpu.part("extending").overload
            on_host = call.__chosen_by_class__

            def stand_in(record: tuple[Any, ...], *args: Any) -> Any:
                raise NotImplementedError

            def choose(record: tuple[Any, ...], *args: Any) -> Any:
                return self._copy(on_host(record))

            choose.__signature__ = inspect.signature(on_host)  # type: ignore[attr-defined]
            overload(stand_in, strict=False, jit_options={"forceinline": True})(choose)
            self._chosen[call] = stand_in
        return self._chosen[call]


@functools.cache
def _register_methods() -> None:
    """Tell the CUDA target how to find `record.method`: as `jit.RecordMethods`, with its own types."""
    types, extending, templates = gpu.part("types"), gpu.part("extending"), gpu.part("typing.templates")
    attribute_template: Any = templates.AttributeTemplate
    function_template: Any = templates.AbstractTemplate
    lowered = set()

    def lower(key: Any, dispatcher: Any) -> None:
        @extending.lower_builtin(key, types.BaseNamedTuple, types.VarArg(types.Any))
        def call_method(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            call = context.get_function(types.Dispatcher(dispatcher), signature)
            context.add_linking_libs(getattr(call, "libs", ()))
            if len(args) < len(signature.args):  # a record without fields is left out
                args = [context.get_constant_undef(signature.args[0]), *args]
            return call(builder, args)

    @extending.infer_getattr
    class DeviceRecordMethods(attribute_template):
        key = types.BaseNamedTuple

        def generic_resolve(self, record_type: Any, name: str) -> Any:
            record_class = getattr(record_type, "instance_class", None)
            method = vars(record_class).get(name) if record_class is not None else None
            if not isinstance(method, python_types.FunctionType):
                return None
            dispatcher = Target.current.dispatcher(method)
            dispatcher_type: Any = types.Dispatcher(dispatcher)
            typing_context = self.context
            method_key = (record_class, name, Target.current.precision)
            if method_key not in lowered:
                lower(method_key, dispatcher)
                lowered.add(method_key)

            class Method(function_template):
                key = method_key

                def generic(self, args: Any, kws: Any) -> Any:
                    return dispatcher_type.get_call_type(typing_context, (record_type, *args), kws).as_method()

            return types.BoundFunction(Method, record_type)
