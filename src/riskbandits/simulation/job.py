"""What is to be run: a job per policy and problem, cut into pieces; and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import ContractError
from riskbandits.core.memory import refuse_beyond
from riskbandits.core.records import canonical, digest
from riskbandits.core.seeds import delay_parts
from riskbandits.numerics import history
from riskbandits.policies.support.contract import history_entries, returns_to_all
from riskbandits.problem import Problem
from riskbandits.simulation import kernel
from riskbandits.simulation.delayed.pending import places_of
from riskbandits.simulation.trace import Trace


class Job(NamedTuple):
    """Everything that decides the numbers of one policy's runs (and its label)."""

    label: str
    policy: Any
    problem: Problem
    checkpoints: np.ndarray
    runs: int
    seed: int
    method: str
    common_rewards: bool = False  # whether all policies meet the same rewards on this problem
    checked: bool = False  # whether an index outside an array is looked for; changes no number
    delay: Any = None  # how late rewards are told; None: at once

    @property
    def horizon(self) -> int:
        """The steps of one run."""
        return int(self.checkpoints[-1])


class Piece(NamedTuple):
    """Replications `first` to `last` - 1 of the job with that number: the unit of work, integers only."""

    job: int
    first: int
    last: int


class Runs(NamedTuple):
    """The numbers of some replications, in their order: the arrays of a `Trace`."""

    sums: np.ndarray
    pulls: np.ndarray
    reward_sums: np.ndarray


def check_memory(jobs: Sequence[Job], workers: int) -> None:
    """Raise if the jobs' results, and the histories of the runs in progress, are more than this machine holds."""
    kept = sum(8 * job.runs * (len(job.checkpoints) * kernel.SUMS + 2 * job.problem.size) for job in jobs)
    histories = [min(workers, job.runs) * 8 * (history_cells(job) + post_cells(job)) for job in jobs]
    runs, horizon = max(job.runs for job in jobs), max(job.horizon for job in jobs)
    advice = "ask for fewer runs or checkpoints" if kept > max(histories) else "ask for fewer steps or threads"
    refuse_beyond(kept + max(histories), f"{runs} runs of {horizon} steps", advice)


def history_cells(job: Job) -> int:
    """What a run in progress keeps of its rewards, if the policy wants them all."""
    entries = history_entries(job.policy)
    return history.cells(job.problem.size, entries, job.horizon) if entries else 0


def post_cells(job: Job) -> int:
    """What a run in progress keeps of answers on their way."""
    return 2 * places_of(job.delay, job.horizon) if job.delay is not None else 0


def key_of(job: Job) -> tuple[int, ...]:
    """What names the random streams of a job, beside its seed."""
    return digest(job.policy, job.problem.arms, job.problem.risk, *delay_parts(job.delay))


def check_finite(job: Job, runs: Runs) -> None:
    """Raise if a reward was no finite number, or so large that sums of its square are none.

    The sums of a run tell: NaN and infinity stay in them. A policy would have gone on with such a reward, and tables
    would be full of NaN.
    """
    if np.isfinite(runs.sums).all() and np.isfinite(runs.reward_sums).all():
        return
    bad = np.argwhere(~np.isfinite(runs.reward_sums))
    which = f"arm {int(bad[0, 1])}" if len(bad) else "an arm"
    raise ContractError(
        f"{type(job.problem.arms).__name__} paid a reward of {which} that is NaN, infinite or too large to be squared, "
        f"in a run of {job.label}."
    )


def empty_runs(job: Job, runs: int) -> Runs:
    """Room for a number of replications of a job."""
    size = job.problem.size
    return Runs(
        sums=np.zeros((runs, len(job.checkpoints), kernel.SUMS)),
        pulls=np.zeros((runs, size), dtype=np.int64),
        reward_sums=np.zeros((runs, size)),
    )


def as_trace(job: Job, runs: Runs) -> Trace:
    """The record that a job leaves behind."""
    return Trace(
        label=job.label,
        policy=canonical(job.policy),
        problem=job.problem,
        method=job.method,
        checkpoints=job.checkpoints,
        **runs._asdict(),
        returns_to_all=returns_to_all(job.policy, job.problem.risk, job.problem.arms),
    )
