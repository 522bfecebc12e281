"""A job, all runs of one policy on one problem, and what comes back from it; pieces are ranges of its runs."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import ContractError
from riskbandits.core.records import canonical, classes_of, digest, nameless
from riskbandits.core.seeds import delay_parts
from riskbandits.policies.support import contract
from riskbandits.problem import Problem
from riskbandits.simulation import kernel
from riskbandits.simulation.common_rewards import ArmsByStream, ArmStreams
from riskbandits.simulation.delayed import Pending
from riskbandits.simulation.kernel import Setup
from riskbandits.simulation.methods import resolved
from riskbandits.simulation.trace import Trace


@dataclasses.dataclass(frozen=True, eq=False)
class Job:
    """Everything that decides the numbers of one policy's runs (and its label), resolved when it is made."""

    label: str
    policy: Any
    problem: Problem
    checkpoints: np.ndarray
    runs: int
    seed: int
    method: str
    common_rewards: bool = False  # whether all policies meet the same rewards on this problem
    checked: bool = False  # whether indices outside arrays are errors; changes no number
    delay: Any = None  # how late rewards are received; None: at once
    played_by: Any = None  # the `Method`, and
    bounds: Any = None  # the bounds that it needs: both follow from the fields above

    def __post_init__(self) -> None:
        if self.played_by is None:
            problem = self.problem
            played_by, bounds = resolved(self.method, self.policy, problem.risk, problem.arms, self.common_rewards)
            object.__setattr__(self, "played_by", played_by)
            object.__setattr__(self, "bounds", bounds)

    def replace(self, **changes: Any) -> Job:
        """A job that differs in some fields."""
        if changes.keys() & {"policy", "problem", "method", "common_rewards"}:
            changes |= {"played_by": None, "bounds": None}
        return dataclasses.replace(self, **changes)

    @property
    def horizon(self) -> int:
        """The steps of one run."""
        return int(self.checkpoints[-1])

    @property
    def work_per_run(self) -> int:
        """The steps that a run counts for in progress: of one played in batches no more than its single steps."""
        return int(min(self.horizon, self.played_by.single_steps))

    @cached_property
    def key(self) -> tuple[int, ...]:
        """What names the random streams, beside the seed."""
        return digest(self.policy, self.problem.arms, self.problem.risk, *delay_parts(self.delay))

    @cached_property
    def first_pulls(self) -> int:
        """How often each arm is played before the policy is asked."""
        return contract.first_pulls(self.policy)

    @cached_property
    def setup(self) -> Setup:
        """What compiled code is told of the job."""
        return setup_of(self)

    @cached_property
    def record_classes(self) -> tuple[type, ...]:
        """The classes whose methods compiled code calls."""
        records = (self.policy, self.bounds, self.problem.risk, self.problem.arms)
        classes = tuple(cls for record in records if record is not None for cls in classes_of(record))
        classes += (ArmsByStream, ArmStreams) if self.common_rewards else ()
        return classes if self.delay is None else (*classes, Pending)


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


def setup_of(job: Job) -> Setup:
    """What all replications of a job have in common. With a delay, first pulls are up to the selector."""
    arms = nameless(job.problem.arms)
    facts, best_means = arm_facts(job.problem)
    return Setup(
        policy=job.policy,
        risk=job.problem.risk,
        arms=ArmsByStream(arms) if job.common_rewards else arms,
        facts=facts,
        best_means=best_means,
        ends=piece_ends(job.problem, job.horizon),
        first_pulls=job.first_pulls if job.delay is None else 0,
        checkpoints=job.checkpoints,
    )


def arm_facts(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Per piece of the run what the kernel books at checkpoints: facts about each arm, and the best arm's mean."""
    pieces = [piece for _, piece in problem.pieces]
    best_means = np.array([piece.means[piece.best_arm] for piece in pieces], dtype=np.float64)
    if problem.has_features:  # gaps are booked decision by decision
        return np.zeros((1, problem.size, 3)), best_means
    facts = [
        np.column_stack([piece.gaps, piece.means - best_mean, piece.gaps == 0.0])
        for piece, best_mean in zip(pieces, best_means, strict=True)
    ]
    return np.stack(facts), best_means


def piece_ends(problem: Problem, horizon: int) -> np.ndarray:
    """The last step of each piece of the run; that of the last one is not before the horizon."""
    starts = [first for first, _ in problem.pieces]
    return np.array([*(first - 1 for first in starts[1:]), max(horizon, starts[-1])], dtype=np.int64)


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
        returns_to_all=contract.returns_to_all(job.policy, job.problem.risk, job.problem.arms),
    )
