"""Deterministic sequencing of exploration and exploitation for the mean (Vakili, Liu & Zhao 2013)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.policies.support import exploration
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class DSEE(NamedTuple):
    """Explore in rounds, a number of times that grows with ln t; otherwise play the best sample mean.

    Use it as the baseline for the mean when exploration must be scheduled. It is `MVDSEE` judged by `Mean`, and
    `weight` (> 0) has to suit the gaps in the same way: the theory requires a large constant without saying how large,
    and the default of 1 is ours.

    Reference: Vakili, Liu & Zhao, Deterministic Sequencing of Exploration and Exploitation for Multi-Armed Bandit
    Problems, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.2, 0.7], [1, 1]), rb.Mean())
    >>> result = rb.simulate(problem, [DSEE(weight=2)], horizon=500, runs=2, seed=1, progress=False)
    >>> result.pulls("DSEE(weight=2)").min()
    np.int64(13)
    """

    weight: Positive = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Decide whether this step explores."""
        exploration.decide(state, run, self.weight)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The least explored arm when exploring, the best sample mean otherwise."""
        return exploration.score(state, k, run, risk)

    def chosen(self, state: State, k: int, run: Run) -> None:
        exploration.note_choice(state, k, run)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments, also when exploiting."""
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        return 1

    def width(self) -> int:
        return exploration.WIDTH

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """It explores all arms by schedule."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless(self, risk, Mean)
