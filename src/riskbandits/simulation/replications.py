"""Replications of a job, played one after the other. Each has its own streams, so ranges and threads change nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.arms.contract import feature_count, new_memory
from riskbandits.compiling import jit
from riskbandits.core import seeds
from riskbandits.core.errors import ContractError, ScoresError
from riskbandits.core.progress import notice
from riskbandits.core.records import digest, is_record
from riskbandits.core.user_calls import explained
from riskbandits.numerics import history
from riskbandits.policies.cells import STEP
from riskbandits.policies.support import contract
from riskbandits.simulation import kernel
from riskbandits.simulation.common_rewards import arm_streams
from riskbandits.simulation.delayed import new_pending
from riskbandits.simulation.job import Job, Runs, empty_runs
from riskbandits.simulation.kernel import RunArrays

Play = Callable[..., Any]

SECONDS_TO_COMPILE, SECONDS_WITH_BOUNDS = 3, 8  # a kernel, on an ordinary machine
SCORES_TO_REPEAT = 2_000_000  # some seconds of plain Python

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
            raise _index_error(job, replication, int(run[STEP]), error) from error
        if ending == kernel.ALL_SCORES_NAN:
            raise ScoresError.at(job.label, int(run[STEP]))
    return runs


def arguments_of(job: Job, runs: Runs) -> Callable[[int, int], tuple[np.ndarray, tuple[Any, ...]]]:
    """What a job's kernel is called with, but for progress and stop: a function of a replication and its row of `runs`.

    It gives the cells of the run, in which a policy that ends in NaN leaves the step, and the arguments in their order.
    """
    size, features = job.problem.size, feature_count(job.problem.arms)
    rewards_key = digest(job.problem.arms, job.problem.risk) if job.common_rewards else ()
    # Policies are asked once about what they need, not at every run.
    blank = contract.new_state(job.policy, size)
    start = contract.new_run(job.horizon, job.policy, size, job.horizon)
    written = start[: history.FREE + 1]
    ends = (seeds.CHOICES, seeds.REWARDS) if job.delay is None else (seeds.CHOICES, seeds.REWARDS, seeds.DELAYS)
    pending = (
        None
        if job.delay is None
        else new_pending(job.delay, job.horizon, size, job.first_pulls, contract.number_of_features(job.policy))
    )

    def arguments(replication: int, row: int) -> tuple[np.ndarray, tuple[Any, ...]]:
        reward_rng: Any
        choice_rng, reward_rng, *others = seeds.generators(job.seed, job.key, replication, ends)
        if job.common_rewards:
            reward_rng = arm_streams(job.seed, rewards_key, size + (features > 0), replication)
        run = np.zeros(len(start))  # not a copy: most of a long history is never touched
        run[: len(written)] = written
        memory = new_memory(size, features)
        arrays = RunArrays(blank.copy(), run, memory, runs.sums[row], runs.pulls[row], runs.reward_sums[row])
        delay_rng = others[0] if others else None
        return run, (job.setup, job.bounds, pending, arrays, choice_rng, reward_rng, delay_rng)

    return arguments


def compiled_kernel(job: Job) -> Play:
    """The kernel for a job's record classes, compiled now: an error then appears before anything runs."""
    if job.played_by.precision is not None:
        from riskbandits.simulation.cuda.launches import compiled_for_device

        return compiled_for_device(job)
    if not job.played_by.is_compiled:
        return job.played_by.play
    with _compile_lock:
        play = jit.entry(job.played_by.play, job.record_classes, job.checked)
        names = f"{type(job.problem.risk).__name__} and {type(job.problem.arms).__name__}"
        hint = " method='python' (or --method python) runs it, slowly."
        with jit.explaining(f"{job.label} with {names}", hint, job.record_classes):
            nothing = job.replace(checkpoints=np.zeros(1, dtype=np.int64), runs=1)
            _played(nothing, play, 0, 1, *no_signals())
    return play


def compiled_kernels(jobs: list[Job], show: bool = False) -> list[Play]:
    """One kernel per job; jobs of the same classes share it. `show`: say on standard error what is being compiled."""
    found: dict[Any, Play] = {}
    keys = [(job.played_by.play, job.checked, *job.record_classes) for job in jobs]
    for job, key in zip(jobs, keys, strict=True):
        if key not in found:
            seconds = SECONDS_WITH_BOUNDS if job.played_by.uses_bounds else SECONDS_TO_COMPILE
            with notice(f"Compiling {job.label} (first use only, about {seconds} s) ...", show):
                found[key] = compiled_kernel(job)
    return [found[key] for key in keys]


def no_signals() -> tuple[np.ndarray, np.ndarray]:
    """A progress cell that nobody reads and a stop flag that nobody sets."""
    return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)


def _index_error(job: Job, replication: int, step: int, error: IndexError) -> Exception:
    """The error for a record that reached outside an array.

    Compiled code cannot say where it was; the same run in plain Python can, if it is short.
    """
    place = _place(error)
    if place is None and job.horizon * job.problem.size <= SCORES_TO_REPEAT:
        try:
            with np.errstate(all="ignore"):
                play_range(job, job.played_by.play, replication, replication + 1, *no_signals())
        except ContractError as told:
            return told
        except Exception:  # something else stopped it first
            pass
    who, where = place or (job.label, "")
    return ContractError(f"{who} reached outside an array in step {step} of run {replication}: {error}{where}.")


def _place(error: BaseException) -> tuple[str, str] | None:
    """The innermost method of a record that was at work, and the line that it had come to."""
    found, seen = None, error.__traceback__
    while seen is not None:
        frame = seen.tb_frame
        owner = frame.f_locals.get("self")
        if is_record(owner):
            found = (
                f"{type(owner).__name__}.{frame.f_code.co_name}",
                f" ({frame.f_code.co_filename}, line {seen.tb_lineno})",
            )
        seen = seen.tb_next
    return found
