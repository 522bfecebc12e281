"""Playing a range of replications. Each has its own streams, so ranges, threads and machines change nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.arms.contract import new_memory
from riskbandits.compiling import jit
from riskbandits.core import seeds
from riskbandits.core.errors import ScoresError
from riskbandits.core.records import classes_of, digest, nameless
from riskbandits.core.user_calls import explained
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract
from riskbandits.problem import Problem
from riskbandits.simulation import kernel
from riskbandits.simulation.common_rewards import ArmsByStream, ArmStreams, arm_streams
from riskbandits.simulation.delayed.pending import Post, new_post
from riskbandits.simulation.job import Job, Runs, empty_runs, key_of
from riskbandits.simulation.methods import METHODS, played_by
from riskbandits.simulation.outside import outside_arrays

Play = Callable[..., Any]

_compile_lock = threading.Lock()


def play_range(job: Job, play: Play, first: int, last: int, progress: np.ndarray, stop: np.ndarray) -> Runs:
    """Play replications `first` to `last` - 1, adding steps to `progress[0]`; end early once `stop[0]` is not 0."""
    with explained(f"A run of {job.label}"):  # what methods of the policy, the measure or the arms raise
        return _played(job, play, first, last, progress, stop)


def _played(job: Job, play: Play, first: int, last: int, progress: np.ndarray, stop: np.ndarray) -> Runs:
    runs = empty_runs(job, last - first)
    arguments = arguments_of(job, runs)
    for row, replication in enumerate(range(first, last)):
        if stop[0]:
            break
        run, given = arguments(replication, row)
        try:
            ending = play(*given, progress, stop)
        except IndexError as error:
            raise outside_arrays(job, replication, int(run[run_cells.STEP]), error, play_range) from error
        if ending == kernel.ALL_SCORES_NAN:
            raise ScoresError.at(job.label, int(run[run_cells.STEP]))
    return runs


def arguments_of(job: Job, runs: Runs) -> Callable[[int, int], tuple[np.ndarray, tuple[Any, ...]]]:
    """What a job's kernel is called with, but for progress and stop: a function of a replication and its row of `runs`.

    It gives the run, in which a policy that ends in NaN leaves the step, and the arguments in their order.
    """
    problem = job.problem
    key = key_of(job)
    rewards_key = digest(problem.arms, problem.risk)
    arms = nameless(problem.arms)
    arms = ArmsByStream(arms) if job.common_rewards else arms
    facts, best_means = arm_facts(problem)
    game = (job.policy, bounds_for(job), problem.risk, arms, facts, best_means, piece_ends(problem, job.horizon))
    first_pulls = contract.first_pulls(job.policy)
    shared = (*game, first_pulls, job.checkpoints)
    outstanding = np.zeros(problem.size, dtype=np.int64)
    # Policies are asked once about what they need, not at every run.
    blank = contract.new_state(job.policy, problem.size)
    start = contract.new_run(job.horizon, job.policy, problem.size, job.horizon)
    written = start[: run_cells.RUN_CELLS + 1]
    ends = (seeds.CHOICES, seeds.REWARDS) if job.delay is None else (seeds.CHOICES, seeds.REWARDS, seeds.DELAYS)
    if job.delay is not None:
        post = new_post(job.delay, job.horizon, problem.size, first_pulls)
        # The post knows when first pulls are due: they too are answered late.
        shared = (job.policy, post, *game[2:], 0, job.checkpoints)

    def arguments(replication: int, row: int) -> tuple[np.ndarray, tuple[Any, ...]]:
        rewards: Any
        choice_rng, rewards, *delay_rng = seeds.generators(job.seed, key, replication, ends)
        if job.common_rewards:
            rewards = arm_streams(job.seed, rewards_key, problem.size, replication)
        run = np.zeros(len(start))  # not a copy: most of a long history is never touched
        run[: len(written)] = written
        if job.delay is not None:
            outstanding.fill(0)
        memory = (blank.copy(), run, new_memory(problem.size), outstanding)
        results = (runs.sums[row], runs.pulls[row], runs.reward_sums[row])
        delays = delay_rng[0] if delay_rng else None
        return run, (*shared, *memory, choice_rng, rewards, delays, *results)

    return arguments


def arm_facts(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Per piece of the run what the kernel books at checkpoints: facts about each arm, and the best arm's mean."""
    pieces = [piece for _, piece in problem.pieces]
    best_means = np.array([piece.means[piece.best_arm] for piece in pieces], dtype=np.float64)
    facts = [
        np.column_stack([piece.gaps, piece.means - best_mean, piece.gaps == 0.0])
        for piece, best_mean in zip(pieces, best_means, strict=True)
    ]
    return np.stack(facts), best_means


def piece_ends(problem: Problem, horizon: int) -> np.ndarray:
    """The last step of each piece of the run; that of the last one is not before the horizon."""
    starts = [first for first, _ in problem.pieces]
    return np.array([*(first - 1 for first in starts[1:]), max(horizon, starts[-1])], dtype=np.int64)


def bounds_for(job: Job) -> Any:
    """The bounds on the policy's scores, if the job's method lives on them."""
    return contract.bounds_of(job.policy, job.problem.risk) if METHODS[job.method].uses_bounds else None


def record_classes(job: Job) -> tuple[type, ...]:
    """The classes whose methods a job's kernel calls."""
    records = (job.policy, bounds_for(job), job.problem.risk, job.problem.arms)
    classes = tuple(cls for record in records if record is not None for cls in classes_of(record))
    classes += (ArmsByStream, ArmStreams) if job.common_rewards else ()
    return classes if job.delay is None else (*classes, Post)


def compiled_kernel(job: Job) -> Play:
    """The kernel for a job's record classes, compiled now: an error then appears before anything runs."""
    classes = record_classes(job)
    method = played_by(job)
    if method.precision is not None:
        from riskbandits.simulation.cuda.launches import compiled_for_device

        return compiled_for_device(job)
    if not method.is_compiled:
        return method.play
    with _compile_lock:
        play = jit.entry(method.play, classes, job.checked)
        names = f"{type(job.problem.risk).__name__} and {type(job.problem.arms).__name__}"
        hint = " method='python' (or --method python) runs it, slowly."
        with jit.explaining(f"{job.label} with {names}", hint, classes):
            nothing = job._replace(checkpoints=np.zeros(1, dtype=np.int64), runs=1)
            _played(nothing, play, 0, 1, *no_signals())
    return play


def compiled_kernels(jobs: list[Job]) -> list[Play]:
    """One kernel per job; jobs of the same classes share it."""
    found: dict[Any, Play] = {}
    keys = [(played_by(job).play, job.checked, *record_classes(job)) for job in jobs]
    for job, key in zip(jobs, keys, strict=True):
        if key not in found:
            found[key] = compiled_kernel(job)
    return [found[key] for key in keys]


def no_signals() -> tuple[np.ndarray, np.ndarray]:
    """A progress cell that nobody reads and a stop flag that nobody sets."""
    return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
