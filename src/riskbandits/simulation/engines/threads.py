"""Threads of this process: kernels run without the interpreter's lock, so this is as fast as processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from riskbandits.simulation.engines.base import Engine
from riskbandits.simulation.job import Job, Piece, Runs
from riskbandits.simulation.replications import Play, play_range


class Threads(Engine):
    """A pool of threads that share a stop flag, and cells in which kernels count their steps."""

    name = "threads"

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._stop = np.zeros(1, dtype=np.int64)
        self._progress = np.zeros((1, 1), dtype=np.int64)
        self._per_step = np.ones(1)  # how much a step counts, of each piece
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="riskbandits")

    def load(self, jobs: Sequence[Job], plays: Sequence[Play], pieces: int) -> None:
        self._jobs, self._plays = jobs, plays
        self._progress = np.zeros((pieces, 1), dtype=np.int64)
        self._per_step = np.ones(pieces)

    def submit(self, number: int, piece: Piece) -> Future[Runs]:
        job, play = self._jobs[piece.job], self._plays[piece.job]
        self._per_step[number] = job.work_per_run / job.horizon
        return self._pool.submit(play_range, job, play, piece.first, piece.last, self._progress[number], self._stop)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._pool.submit(function, *arguments)

    def work_seen(self) -> float:
        return float(self._progress[:, 0] @ self._per_step)

    def close(self, finished: bool) -> None:
        """End running kernels at their next look at the flag, and start no others."""
        self._stop[0] = 1
        self._pool.shutdown(wait=True, cancel_futures=True)
