"""A GPU: all pieces of a simulation as a few launches, one thread per run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future

from riskbandits.compiling import gpu
from riskbandits.simulation.cuda.batches import Part, fitting_groups, grouped
from riskbandits.simulation.cuda.launches import DeviceBatch, run_batches
from riskbandits.simulation.engines.base import Engine
from riskbandits.simulation.job import Job, Piece, Runs, empty_runs
from riskbandits.simulation.replications import Play


class Cuda(Engine):
    """Pieces are gathered until all are there, then played together by a thread that leaves this one free."""

    name = "cuda"
    pieces_per_worker = 1

    def __init__(self) -> None:
        gpu.check_device()
        self._pieces: list[Piece] = []
        self._futures: list[Future[Runs]] = []
        self._begun: dict[int, Runs] = {}
        self._steps = self._steps_before = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def load(self, jobs: Sequence[Job], plays: Sequence[Play], pieces: int) -> None:
        """Remember what to play, and how many pieces there will be."""
        self._jobs, self._expected = jobs, pieces

    def submit(self, number: int, piece: Piece) -> Future[Runs]:
        """Take a piece; the last one sets everything going."""
        future: Future[Runs] = Future()
        self._pieces.append(piece)
        self._futures.append(future)
        if len(self._pieces) == self._expected:
            self._thread = threading.Thread(target=self._play, name="riskbandits-cuda")
            self._thread.start()
        return future

    def work_seen(self) -> float:
        """The steps of all launches so far."""
        return self._steps

    def close(self, finished: bool) -> None:
        """Start no further launch, and wait for the one that is running."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _play(self) -> None:
        try:
            self._play_groups()
        except BaseException as error:  # whatever it is, the one who waits for the pieces must hear of it
            for future in self._futures:
                if not future.done():
                    future.set_exception(error)

    def _play_groups(self) -> None:
        plans = grouped(self._jobs, self._pieces)
        for group in fitting_groups(self._jobs, plans, gpu.free_bytes()):
            batches = [DeviceBatch(self._jobs, plan) for plan in group]
            if not run_batches(batches, self._stop.is_set, self._see):
                return
            self._steps_before += sum(batch.steps_done for batch in batches)
            for batch in batches:
                for part, runs in batch.results():
                    self._book(part, runs)

    def _book(self, part: Part, runs: Runs) -> None:
        """Put a part of a piece where it belongs; a piece is finished with its last part."""
        piece = self._pieces[part.number]
        if part.piece == piece:
            self._futures[part.number].set_result(runs)
            return
        if part.number not in self._begun:
            self._begun[part.number] = empty_runs(self._jobs[piece.job], piece.last - piece.first)
        rows = slice(part.piece.first - piece.first, part.piece.last - piece.first)
        for whole, some in zip(self._begun[part.number], runs, strict=True):
            whole[rows] = some
        if part.piece.last == piece.last:  # parts come in order
            self._futures[part.number].set_result(self._begun.pop(part.number))

    def _see(self, steps: int) -> None:
        self._steps = self._steps_before + steps
