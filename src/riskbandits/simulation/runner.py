"""Jobs from beginning to end: what a store has is taken from it, the rest is cut and run by an engine."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from riskbandits.core.errors import EngineError, FileError
from riskbandits.simulation import plan
from riskbandits.simulation.background import Stopped, StoppedError, never
from riskbandits.simulation.collected import CollectedRuns
from riskbandits.simulation.engines import Engine, open_engine, usable_cores
from riskbandits.simulation.job import Job, Piece, Runs, arm_facts, as_trace, check_finite
from riskbandits.simulation.replications import compiled_kernels, no_signals, play_range
from riskbandits.simulation.store import Store
from riskbandits.simulation.trace import Trace

__all__ = ["Job", "arm_facts", "run_in_plain_python", "run_jobs", "usable_cores"]

SECONDS_BETWEEN_CHECKS = 0.1
LOSSES_IN_A_ROW = 3

Report = Callable[[float], None]


def run_jobs(
    jobs: Sequence[Job],
    workers: int,
    report: Report | None = None,
    engine: object = "threads",
    store: Store | None = None,
    stopped: Stopped = never,
) -> list[Trace]:
    """Run all jobs as one piece of work, and return a trace per job.

    `report` is called with the work done so far (`Job.work_per_run`): once before anything runs, with that of runs
    that were in the store, then several times per second.
    """
    collected = CollectedRuns(jobs, store)
    if not any(missing.any() for missing in collected.missing):
        return collected.traces()
    with open_engine(engine, workers) as opened:  # first: an engine that is not there should be known at once
        plays = compiled_kernels(collected.jobs, report is not None)
        work = plan.pieces(collected.jobs, collected.missing, opened.workers, opened.pieces_per_worker)
        opened.load(collected.jobs, plays, len(work))

        def book(number: int, runs: Runs) -> float:
            collected.add(work[number], runs)
            return collected.work_of(work[number])

        try:
            start = partial(_submit, opened, work)
            collect(opened, len(work), start, book, report, collected.work_found(), stopped)
        except FileError:  # a full disk, say: there is no use in writing more
            raise
        except BaseException:
            collected.save_everything()
            raise
    return collected.traces()


def _submit(engine: Engine, work: Sequence[Piece], number: int) -> Future[Runs]:
    return engine.submit(number, work[number])


def run_in_plain_python(job: Job) -> Trace:
    """The same numbers without compiling anything: the same lines, read by Python. Slow; for tests and for looking."""
    runs = play_range(job, job.played_by.play, 0, job.runs, *no_signals())
    check_finite(job, runs)
    return as_trace(job, runs)


def collect(
    engine: Engine,
    pieces: int,
    start: Callable[[int], Future[Any]],
    book: Callable[[int, Any], float],
    report: Report | None,
    found: float = 0.0,
    stopped: Stopped = never,
) -> None:
    """Have pieces run, and book what comes back; pieces whose worker died are run again.

    `start` starts a piece by its number, and `book` takes its result and says how much work that was, in the unit of
    `report`; `found` is what was there before. Once `stopped()` says so, it ends with a StoppedError.
    """
    finished: queue.SimpleQueue[tuple[int, Future[Any]]] = queue.SimpleQueue()
    waiting, running, lost, losses = deque(range(pieces)), 0, list[int](), 0
    done, last = 0.0, time.monotonic()
    while True:
        if stopped():
            raise StoppedError
        if report is not None:
            report(found + max(done, engine.work_seen()))
        if lost and not running:
            losses += 1
            _restart(engine, losses)
            waiting.extendleft(reversed(lost))
            lost.clear()
        while waiting and not lost and running < engine.window:
            _start(engine, waiting.popleft(), start, finished)
            running += 1
        if not running:
            return
        try:
            number, future = finished.get(timeout=SECONDS_BETWEEN_CHECKS)
        except queue.Empty:
            engine.check(time.monotonic() - last)
            continue
        running, last = running - 1, time.monotonic()
        if future.cancelled():  # not by us: a scheduler that went away, say
            raise EngineError(f"Engine {engine.name!r} dropped its work: is it still running?")
        error = future.exception()
        if error is None:
            done, losses = done + book(number, future.result()), 0
        elif isinstance(error, engine.worker_lost):
            lost.append(number)
        else:
            raise engine.unwrapped(error)


def _start(engine: Engine, number: int, start: Callable[[int], Future[Any]], finished: queue.SimpleQueue[Any]) -> None:
    future: Future[Any]
    try:
        future = start(number)
    except engine.worker_lost as error:
        future = Future()
        future.set_exception(error)
    future.add_done_callback(lambda done: finished.put((number, done)))


def _restart(engine: Engine, losses: int) -> None:
    if losses > LOSSES_IN_A_ROW:
        raise EngineError(
            f"Workers of engine {engine.name!r} died {losses} times without finishing anything: "
            "they may have run out of memory."
        )
    engine.restart()
