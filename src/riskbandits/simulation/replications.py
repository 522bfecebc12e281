"""Playing a range of replications. Each has its own streams, so ranges, threads and machines change nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits import compiled, seeds
from riskbandits.arms.contract import new_memory
from riskbandits.errors import ScoresError
from riskbandits.guards import explained
from riskbandits.policies import contract
from riskbandits.problem import Problem
from riskbandits.records import classes_of, digest
from riskbandits.simulation import kernel
from riskbandits.simulation.common_rewards import ArmsByStream, ArmStreams, arm_streams
from riskbandits.simulation.jobs import Job, Runs, empty_runs
from riskbandits.simulation.methods import DEVICE_METHODS, KERNELS

Play = Callable[..., Any]

_compile_lock = threading.Lock()


def play_range(job: Job, play: Play, first: int, last: int, progress: np.ndarray, stop: np.ndarray) -> Runs:
    """Play replications `first` to `last` - 1, adding steps to `progress[0]`; end early once `stop[0]` is not 0."""
    with explained(f"A run of {job.label}"):  # what methods of the policy, the measure or the arms raise
        return _played(job, play, first, last, progress, stop)


def _played(job: Job, play: Play, first: int, last: int, progress: np.ndarray, stop: np.ndarray) -> Runs:
    problem = job.problem
    key = digest(job.policy, problem.arms, problem.risk)
    facts = arm_facts(problem)
    arms = ArmsByStream(problem.arms) if job.common_rewards else problem.arms
    rewards_key = digest(problem.arms, problem.risk)
    runs = empty_runs(job, last - first)
    streams: Any = seeds.keyed_streams(job.seed, key, first)
    for row, replication in enumerate(range(first, last)):
        if stop[0]:
            break
        seeds.restart_streams(streams, job.seed, key, replication)
        choice_rng, rewards = streams
        if job.common_rewards:
            rewards = arm_streams(job.seed, rewards_key, problem.size, replication)
        run = contract.new_run(job.checkpoints[-1], job.policy, problem.size, job.horizon)
        ending = play(
            job.policy,
            problem.risk,
            arms,
            facts,
            float(problem.means[problem.best_arm]),
            contract.first_pulls(job.policy),
            contract.new_state(job.policy, problem.size),
            run,
            job.checkpoints,
            choice_rng,
            rewards,
            runs.sums[row],
            runs.pulls[row],
            runs.reward_sums[row],
            np.zeros(problem.size, dtype=np.int64),
            new_memory(problem.size),
            progress,
            stop,
        )
        if ending == kernel.ALL_SCORES_NAN:
            raise ScoresError.at(job.label, int(run[contract.STEP]))
    return runs


def arm_facts(problem: Problem) -> np.ndarray:
    """Per arm what the kernel books at checkpoints: gap, mean less the best arm's, whether it is a best arm."""
    best_mean = problem.means[problem.best_arm]
    return np.column_stack([problem.gaps, problem.means - best_mean, problem.gaps == 0.0])


def record_classes(job: Job) -> tuple[type, ...]:
    """The classes whose methods a job's kernel calls."""
    classes = (*classes_of(job.policy), *classes_of(job.problem.risk), *classes_of(job.problem.arms))
    return (*classes, ArmsByStream, ArmStreams) if job.common_rewards else classes


def compiled_kernel(job: Job) -> Play:
    """The kernel for a job's record classes, compiled now: an error then appears before anything runs."""
    classes = record_classes(job)
    if job.method in DEVICE_METHODS:
        from riskbandits.simulation.device.launches import compiled_for_device

        return compiled_for_device(job)
    with _compile_lock:
        play = compiled.entry(KERNELS[job.method], classes)
        names = f"{type(job.problem.risk).__name__} and {type(job.problem.arms).__name__}"
        with compiled.explaining(f"{job.label} with {names}"):
            nothing = job._replace(checkpoints=np.zeros(1, dtype=np.int64), runs=1)
            _played(nothing, play, 0, 1, *no_signals())
    return play


def compiled_kernels(jobs: list[Job]) -> list[Play]:
    """One kernel per job; jobs of the same classes share it."""
    found: dict[Any, Play] = {}
    for job in jobs:
        key = (job.method, *record_classes(job))
        if key not in found:
            found[key] = compiled_kernel(job)
    return [found[(job.method, *record_classes(job))] for job in jobs]


def no_signals() -> tuple[np.ndarray, np.ndarray]:
    """A progress cell that nobody reads and a stop flag that nobody sets."""
    return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
