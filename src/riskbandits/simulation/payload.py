"""Jobs as bytes for workers in other processes and on other machines, and how a worker plays them."""

from __future__ import annotations

import functools
import pickle
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from riskbandits.core.errors import EngineError
from riskbandits.core.records import cast
from riskbandits.problem import Problem
from riskbandits.simulation.job import Job, Runs
from riskbandits.simulation.replications import Play, compiled_kernel, no_signals, play_range

_load_lock = threading.Lock()


def payload_of(job: Job) -> bytes:
    """A job as bytes."""
    # Arms and risk rather than the problem: what it has computed is computed again, from arrays that are cast.
    numbers = (job.checkpoints, job.runs, job.seed, job.method, job.common_rewards, job.checked, job.delay)
    parts = (job.label, job.policy, job.problem.arms, job.problem.risk, numbers)
    return serialized(job.label, parts, job.record_classes)


def serialized(label: str, parts: tuple[Any, ...], classes: tuple[type, ...]) -> bytes:
    """Records as bytes. Classes that a worker could not import by name travel with their code."""
    import cloudpickle

    try:
        with _by_value(cloudpickle, classes):
            return bytes(cloudpickle.dumps(parts))
    except Exception as error:  # whatever a user's module holds may refuse to be pickled, in its own way
        raise EngineError(
            f"{label} cannot be sent to other processes: {error}. Put its class into an installed module, "
            "or use engine='threads'."
        ) from error


def deserialized(payload: bytes) -> Any:
    """The parts that were packed, in a worker."""
    try:
        return pickle.loads(payload)
    except Exception as error:
        raise EngineError(
            f"A worker could not load what it was sent: {type(error).__name__}: {error}. "
            "Install the modules of your own classes, and riskbandits in the same version, where the workers run."
        ) from None


def play_payload(payload: bytes, first: int, last: int) -> Runs:
    """What a worker runs: replications `first` to `last` - 1 of a packed job."""
    with _load_lock:  # a worker may have several threads
        job, play = _loaded(payload)
    return play_range(job, play, first, last, *no_signals())


@functools.lru_cache(maxsize=256)
def _loaded(payload: bytes) -> tuple[Job, Play]:
    label, policy, arms, risk, numbers = deserialized(payload)
    # Pickled arrays come back writeable, which to numba is another type: cast makes them read-only again.
    job = Job(label, cast(policy), Problem(arms, risk), *numbers)
    return job, compiled_kernel(job)


@contextmanager
def _by_value(cloudpickle: Any, classes: tuple[type, ...]) -> Iterator[None]:
    """Let cloudpickle send the code of modules that are not installed, such as a file named on the command line."""
    registered: list[ModuleType] = []
    try:
        for name in {cls.__module__ for cls in classes}:
            module = sys.modules.get(name)
            if module is not None and name != "__main__" and not _is_installed(module):
                cloudpickle.register_pickle_by_value(module)
                registered.append(module)
        yield
    finally:
        for module in registered:
            cloudpickle.unregister_pickle_by_value(module)


def _is_installed(module: ModuleType) -> bool:
    if module.__name__.partition(".")[0] == "riskbandits":
        return True
    file = getattr(module, "__file__", None)
    if file is None:
        return True
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib")}
    return any(Path(file).is_relative_to(folder) for folder in folders)
