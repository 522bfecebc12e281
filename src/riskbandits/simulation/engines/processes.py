"""Processes of this machine, by way of joblib's loky: they start clean and outlive a worker's death."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from riskbandits.simulation.engines.base import RemoteEngine
from riskbandits.simulation.jobs import Piece, Runs
from riskbandits.simulation.parcel import play_parcel


class Processes(RemoteEngine):
    """The pool that joblib keeps for this process: the second simulation finds its workers warm."""

    name = "processes"

    def __init__(self, workers: int) -> None:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        self.workers = workers
        self.worker_lost = (BrokenProcessPool,)
        self.restart()

    def submit(self, number: int, piece: Piece) -> Future[Runs]:
        """Queue a piece."""
        future: Future[Runs] = self._pool.submit(play_parcel, self.parcels[piece.job], piece.first, piece.last)
        return future

    def restart(self) -> None:
        """A pool that lost a worker is broken as a whole; joblib replaces it."""
        from joblib.externals.loky import get_reusable_executor

        self._pool: Any = get_reusable_executor(max_workers=self.workers)

    def close(self, finished: bool) -> None:
        """Leave the workers to the next simulation, or kill them at once: they cannot see a stop flag."""
        if not finished:
            self._pool.shutdown(wait=True, kill_workers=True)
