"""Processes of this machine, by way of joblib's loky: they start clean, and the death of one is noticed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from riskbandits.simulation.engines.base import RemoteEngine

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_KEPT_WARM = 60

# The pool of the last simulation, by number of workers. loky has a shared one, but joblib.Parallel
# takes that for its own and fails on a pool that it did not make.
_warm: dict[int, Any] = {}


class Processes(RemoteEngine):
    """A pool that stays for a while: the next simulation finds its workers warm."""

    name = "processes"

    def __init__(self, workers: int) -> None:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        self.workers = workers
        # No more than loky hands on at once: killing a pool that still has a queue ends in a traceback of its own.
        self.window = 2 * workers
        self.worker_lost = (BrokenProcessPool,)
        self._pool = _warm.pop(workers, None) or self._new_pool()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self._pool.submit(function, *arguments)
        return future

    def restart(self) -> None:
        """A pool that lost a worker is broken as a whole: make another."""
        self._pool.shutdown(wait=True, kill_workers=True)
        self._pool = self._new_pool()

    def worker_ids(self) -> list[int]:
        """The process ids of the workers that were started so far."""
        return list(self._pool._processes)

    def close(self, finished: bool) -> None:
        """Leave the workers to the next simulation, or kill them at once: they cannot see a stop flag."""
        for other in list(_warm.values()) if finished else []:
            other.shutdown(wait=False)
        if finished:
            _warm.clear()
            _warm[self.workers] = self._pool
        else:
            self._pool.shutdown(wait=True, kill_workers=True)

    def _new_pool(self) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        return ProcessPoolExecutor(
            self.workers, timeout=SECONDS_KEPT_WARM, initializer=end_with_parent, initargs=(os.getpid(),)
        )


def end_with_parent(parent: int) -> None:
    """Let a worker end when its parent was killed: it would otherwise wait for work for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="riskbandits-parent").start()
