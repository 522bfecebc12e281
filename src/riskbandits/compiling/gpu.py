"""The GPU as numba sees it: whether there is one, its memory, and copies to and from it."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

import numpy as np

from riskbandits.core.errors import EngineError

INSTALL = "engine='cuda' needs numba-cuda: pip install 'riskbandits[cuda]'."
NO_DEVICE = "engine='cuda' needs an NVIDIA GPU and its driver, and found none: {reason}."
SIMULATOR = "NUMBA_ENABLE_CUDASIM"

cuda: Any = None  # numba's module once it is loaded


def load() -> Any:
    """Numba's CUDA module, if it is installed."""
    global cuda
    if cuda is None:
        if importlib.util.find_spec("numba_cuda") is None:
            raise EngineError(INSTALL)
        # numba-cuda 0.30 overloads numpy.row_stack, which NumPy 2.5 no longer has.
        missing = not hasattr(np, "row_stack")
        if missing:
            vars(np)["row_stack"] = np.vstack
        try:
            import _numba_cuda_redirector  # noqa: F401  (puts numba-cuda in the place of what comes with numba)
            import numba.cuda

            if not simulated():
                part("np.arrayobj")  # where that is; loaded with the first kernel otherwise
        except ImportError as error:
            raise EngineError(f"numba-cuda could not be imported: {error}.") from error
        finally:
            if missing:
                del vars(np)["row_stack"]
        cuda = numba.cuda
    return cuda


def check_device() -> None:
    """Raise a sentence unless kernels can be run."""
    load()
    if simulated():
        return
    try:
        cuda.current_context()
    except Exception as error:  # whatever is wrong with a driver comes as an exception of its own
        lines = [line.strip(" .:") for line in str(error).splitlines() if line.strip(" .:")] or [type(error).__name__]
        raise EngineError(NO_DEVICE.format(reason=": ".join(lines[:2]))) from error


def simulated() -> bool:
    """Whether numba's CUDA simulator stands in for a GPU: for tests on machines without one."""
    return os.environ.get(SIMULATOR, "0") == "1"


def device_name() -> str:
    """What the GPU calls itself."""
    if simulated():
        return "CUDA simulator"
    name = load().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def free_bytes() -> int:
    """The memory that is left on the GPU."""
    return 1 << 30 if simulated() else int(load().current_context().get_memory_info().free)


def to_device(array: np.ndarray) -> Any:
    """A copy of an array on the GPU. The simulator's threads work on the array itself."""
    return array.copy() if simulated() else load().to_device(np.ascontiguousarray(array))


def zeros(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of zeros on the GPU."""
    if simulated():
        return np.zeros(shape, dtype=kind)
    array = load().device_array(shape, dtype=kind)
    array.gpu_data.memset(0)
    return array


def to_host(array: Any) -> np.ndarray:
    """A copy of an array from the GPU."""
    found: np.ndarray = array.copy() if simulated() else array.copy_to_host()
    return found


def synchronize() -> None:
    """Wait until everything launched so far is done."""
    load().synchronize()


def stream() -> Any:
    """A queue of launches of its own: batches in different ones run side by side."""
    return load().stream()


def part(name: str) -> Any:
    """A module of the CUDA target; what numba itself ships under these names may lack what is asked for."""
    return importlib.import_module(f"numba.cuda.{name}")
