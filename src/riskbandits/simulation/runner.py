"""Replications over threads. Every replication has its own streams, so threads and chunks change nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from riskbandits import compiled, seeds
from riskbandits.errors import ScoresError
from riskbandits.policies import contract
from riskbandits.problem import Problem
from riskbandits.records import canonical, digest
from riskbandits.simulation import kernel
from riskbandits.simulation.methods import KERNELS
from riskbandits.simulation.trace import Trace

SECONDS_BETWEEN_LOOKS = 0.1
CHUNKS_PER_THREAD = 8


class Job(NamedTuple):
    """Everything that decides the numbers of one policy's runs (and its label)."""

    label: str
    policy: Any
    problem: Problem
    checkpoints: np.ndarray
    runs: int
    seed: int
    method: str


class Chunk(NamedTuple):
    """Replications `first` to `last` - 1 of a job, and where their results go."""

    job: Job
    trace: Trace
    first: int
    last: int
    progress: np.ndarray


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_jobs(jobs: Sequence[Job], threads: int, report: Callable[[float], None] | None = None) -> list[Trace]:
    """Run all jobs; `report` is called with the steps done so far several times per second."""
    kernels = [_compiled_kernel(job) for job in jobs]
    traces = [_empty_trace(job) for job in jobs]
    stop = np.zeros(1, dtype=np.int64)
    chunks = [
        (Chunk(job, trace, first, last, np.zeros(1, dtype=np.int64)), play)
        for job, trace, play in zip(jobs, traces, kernels, strict=True)
        for first, last in _cuts(job.runs, threads)
    ]
    executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="riskbandits")
    try:
        pending = {executor.submit(_run_chunk, chunk, play, stop) for chunk, play in chunks}
        while pending:
            done, pending = wait(pending, timeout=SECONDS_BETWEEN_LOOKS, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
            if report is not None:
                report(float(sum(chunk.progress[0] for chunk, _ in chunks)))
    finally:
        # Reached with work pending only by Ctrl-C or an error: end running kernels, start no others.
        stop[0] = 1
        executor.shutdown(wait=True, cancel_futures=True)
    return traces


def run_in_plain_python(job: Job) -> Trace:
    """The same numbers without compiling anything: the same lines, read by Python. Slow; for tests and for looking."""
    trace = _empty_trace(job)
    zero = np.zeros(1, dtype=np.int64)
    _run_chunk(Chunk(job, trace, 0, job.runs, zero), KERNELS[job.method], zero.copy())
    return trace


def _cuts(runs: int, threads: int) -> list[tuple[int, int]]:
    size = max(1, runs // (threads * CHUNKS_PER_THREAD))
    return [(first, min(first + size, runs)) for first in range(0, runs, size)]


def _empty_trace(job: Job) -> Trace:
    size = job.problem.size
    return Trace(
        label=job.label,
        policy=canonical(job.policy),
        problem=job.problem,
        method=job.method,
        checkpoints=job.checkpoints,
        sums=np.zeros((job.runs, len(job.checkpoints), kernel.SUMS)),
        pulls=np.zeros((job.runs, size), dtype=np.int64),
        reward_sums=np.zeros((job.runs, size)),
    )


def _run_chunk(chunk: Chunk, play: Callable[..., int], stop: np.ndarray) -> None:
    job = chunk.job
    problem = job.problem
    key = digest(job.policy, problem.arms, problem.risk)
    facts = arm_facts(problem)
    for replication in range(chunk.first, chunk.last):
        if stop[0]:
            return
        choice_rng, reward_rng = seeds.keyed_streams(job.seed, key, replication)
        run = contract.new_run(job.checkpoints[-1])
        ending = play(
            job.policy,
            problem.risk,
            problem.arms,
            facts,
            float(problem.means[problem.best_arm]),
            contract.first_pulls(job.policy),
            np.zeros((problem.size, contract.width(job.policy))),
            run,
            job.checkpoints,
            choice_rng,
            reward_rng,
            chunk.trace.sums[replication],
            chunk.trace.pulls[replication],
            chunk.trace.reward_sums[replication],
            np.zeros(problem.size, dtype=np.int64),
            chunk.progress,
            stop,
        )
        if ending == kernel.ALL_SCORES_NAN:
            raise ScoresError.at(job.label, int(run[contract.STEP]))


def arm_facts(problem: Problem) -> np.ndarray:
    """Per arm what the kernel books at checkpoints: gap, mean less the best arm's, whether it is a best arm."""
    best_mean = problem.means[problem.best_arm]
    return np.column_stack([problem.gaps, problem.means - best_mean, problem.gaps == 0.0])


_compile_lock = threading.Lock()


def _compiled_kernel(job: Job) -> Callable[..., int]:
    """The kernel for a job's record classes, compiled now: an error then appears before anything runs."""
    classes = (type(job.policy), type(job.problem.risk), type(job.problem.arms))
    with _compile_lock:
        play = compiled.entry(KERNELS[job.method], classes)
        none = job._replace(checkpoints=np.zeros(1, dtype=np.int64), runs=1)
        names = " and ".join(cls.__name__ for cls in classes[1:])
        with compiled.explaining(f"{job.label} with {names}"):
            zero = np.zeros(1, dtype=np.int64)
            _run_chunk(Chunk(none, _empty_trace(none), 0, 1, zero), play, zero)
    return play
