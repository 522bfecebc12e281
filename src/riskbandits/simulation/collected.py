"""The runs of jobs collected so far: found in a store, or come in since. Finished blocks go to the store at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core.records import canonical
from riskbandits.simulation.job import Job, Piece, Runs, as_trace, check_finite, empty_runs, setup_of
from riskbandits.simulation.plan import block_size, ranges
from riskbandits.simulation.replications import play_range
from riskbandits.simulation.store import Store, content_key
from riskbandits.simulation.trace import Trace


class CollectedRuns:
    """The results of jobs as they come in, and which are missing."""

    def __init__(self, jobs: Sequence[Job], store: Store | None) -> None:
        self.jobs = list(jobs)
        self.missing = [np.ones(job.runs, dtype=bool) for job in self.jobs]
        self._unsaved = [np.zeros(job.runs, dtype=bool) for job in self.jobs]
        self._runs = [empty_runs(job, job.runs) for job in self.jobs]
        self._store = store
        codes: dict[Any, str | None] = {}
        self._descriptions = [description(job, codes) if store is not None else {} for job in self.jobs]
        # Code that cannot be read may have changed since: what is stored could be another algorithm's.
        self._readable = [about.get("code") is not None for about in self._descriptions]
        self._keys = [content_key(about) for about in self._descriptions]
        if store is not None:
            for number in range(len(self.jobs)):
                if self._readable[number]:
                    self._read_from(store, number)

    def add(self, piece: Piece, runs: Runs) -> None:
        """Take in the results of a piece, and store the blocks that it completes."""
        check_finite(self.jobs[piece.job], runs)
        self._fill(piece.job, piece.first, piece.last, runs._asdict(), piece.first)
        if self._store is None:
            return
        self._unsaved[piece.job][piece.first : piece.last] = True
        size = block_size(self.jobs[piece.job])
        for first in range(piece.first - piece.first % size, piece.last, size):
            if not self.missing[piece.job][first : first + size].any():
                self._save(piece.job, first, first + size)

    def work_of(self, piece: Piece) -> int:
        """The work of a piece."""
        return (piece.last - piece.first) * self.jobs[piece.job].work_per_run

    def work_found(self) -> float:
        """The work of all runs that are there."""
        pairs = zip(self.jobs, self.missing, strict=True)
        return float(sum(int((~missing).sum()) * job.work_per_run for job, missing in pairs))

    def save_everything(self) -> None:
        """Store what is there of unfinished blocks too: for the end of a job that did not reach its end."""
        for number in range(len(self.jobs)):
            self._save(number, 0, self.jobs[number].runs)

    def traces(self) -> list[Trace]:
        """The result, one trace per job."""
        return [as_trace(job, runs) for job, runs in zip(self.jobs, self._runs, strict=True)]

    def _read_from(self, store: Store, number: int) -> None:
        key, missing = self._keys[number], self.missing[number]
        for first, last in store.ranges(key):
            # A chunk may reach past the runs asked for, or overlap another of a job with other runs.
            wanted = slice(first, min(last, len(missing)))
            if missing[wanted].any() and (arrays := store.read(key, first, last)) is not None:
                self._fill(number, first, wanted.stop, arrays, first)

    def _fill(self, number: int, first: int, last: int, arrays: Mapping[str, np.ndarray], origin: int) -> None:
        for name, target in self._runs[number]._asdict().items():
            target[first:last] = arrays[name][first - origin : last - origin]
        self.missing[number][first:last] = False

    def _save(self, number: int, start: int, end: int) -> None:
        if self._store is None or not self._readable[number]:
            return
        unsaved = self._unsaved[number]
        for first, last in ranges(unsaved[start:end]):
            rows = slice(start + first, start + last)
            arrays = {name: array[rows] for name, array in self._runs[number]._asdict().items()}
            self._store.write(self._keys[number], self._descriptions[number], rows.start, rows.stop, arrays)
            unsaved[rows] = False


def code_of(job: Job) -> tuple[Any, ...]:
    """The functions and classes that decide the numbers of a job's method, besides the job's own."""
    play, precision = job.played_by.play, job.played_by.precision
    if precision is None:
        return play, play_range, setup_of
    from riskbandits.simulation.cuda import random_streams, thread

    return play, setup_of, thread.thread_body, random_streams.initial_words, thread.STREAM_OF[precision]


def description(job: Job, codes: dict[Any, str | None]) -> dict[str, Any]:
    """Everything that decides the numbers of a job's replications, as plain data. The number of runs does not.

    `codes` keeps fingerprints from one job to the next: jobs share most of their code.
    """
    shared = (job.method, job.played_by.play, job.checked, *job.record_classes)
    if shared not in codes:
        codes[shared] = jit.fingerprint(*code_of(job), *job.record_classes, job.checked)
    return {
        "policy": canonical(job.policy),
        **job.problem.to_data(keyed=True),
        "checkpoints": job.checkpoints.tolist(),
        "seed": job.seed,
        "method": job.method,
        "common_rewards": job.common_rewards,
        "code": codes[shared],
        "facts": jit.fingerprint(job.setup.facts, job.setup.best_means),
        **({} if job.delay is None else {"delay": canonical(job.delay)}),
    }
