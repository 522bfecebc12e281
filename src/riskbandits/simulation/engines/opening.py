"""From what a person writes for `engine` to an engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from riskbandits.core.errors import must_be, unknown_name
from riskbandits.simulation.engines.base import Engine, OutsideEngine
from riskbandits.simulation.engines.threads import Threads

ENGINES = ("threads", "processes", "dask", "ray", "cuda")
ENGINE_METHODS = ("load", "submit", "close")
DASK_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")  # as a Dask scheduler prints its own address


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_engine(engine: object) -> None:
    """Raise unless `engine` names an engine; nothing is started or imported."""
    if isinstance(engine, str):
        if engine not in ENGINES and engine.partition("://")[0] not in ("dask", "ray", *DASK_SCHEMES):
            raise unknown_name("engine", engine, ENGINES)
    elif isinstance(engine, type) or not (_is_dask_client(engine) or _is_engine(engine)):
        own = f"an object with the methods {', '.join(ENGINE_METHODS)}"
        raise must_be("The engine", f"one of {', '.join(ENGINES)}, an address, a Dask client, or {own}", engine)


@contextmanager
def open_engine(engine: object, workers: int) -> Iterator[Engine]:
    """Start an engine; if the block raises, its work is stopped at once."""
    opened = _open(engine, workers)
    finished = False
    try:
        yield opened
        finished = True
    finally:
        opened.close(finished)


def _open(engine: object, workers: int) -> Engine:
    check_engine(engine)
    if not isinstance(engine, str) and _is_engine(engine):
        return engine if isinstance(engine, Engine) else OutsideEngine(engine)
    if engine == "threads":
        return Threads(workers)
    if engine == "processes":
        from riskbandits.simulation.engines.processes import Processes

        return Processes(workers)
    if engine == "cuda":
        from riskbandits.simulation.engines.cuda import Cuda

        return Cuda()
    if isinstance(engine, str) and engine.startswith("ray"):
        from riskbandits.simulation.engines.ray import Ray

        return Ray(workers, None if engine == "ray" else engine)
    from riskbandits.simulation.engines.dask import Dask

    if engine == "dask":
        return Dask()
    if isinstance(engine, str):
        return Dask(engine.replace("dask://", "tcp://", 1))
    return Dask(client=engine)


def _is_engine(thing: object) -> bool:
    return all(callable(getattr(thing, name, None)) for name in ENGINE_METHODS)


def _is_dask_client(thing: object) -> bool:
    return type(thing).__module__.partition(".")[0] == "distributed" and hasattr(thing, "get_executor")
