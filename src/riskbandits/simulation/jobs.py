"""What is to be run: a job per policy and problem, cut into pieces; and what comes back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.problem import Problem
from riskbandits.records import canonical
from riskbandits.simulation import kernel
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
    )
