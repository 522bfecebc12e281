"""Deterministic sequencing of exploration and exploitation (MV-DSEE of Vakili & Zhao 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.policies.support import exploration

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class MVDSEE(NamedTuple):
    """Explore in rounds, a number of times that grows with ln t; otherwise play the best sample value.

    Use it when exploration must be scheduled rather than random, with `weight` (> 0) chosen to suit the
    gaps: too small, and it can commit to a wrong arm for a long time; too large, and it never stops exploring.

    At step t: if fewer than K ceil(weight ln t) choices were exploration so far, the next arm of the
    round-robin; otherwise the largest sample value, that is rho m - v. Every arm is played once first,
    which counts as exploration.

    Reference: Vakili & Zhao, Risk-Averse Multi-Armed Bandit Problems Under Mean-Variance Measure, 2016.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> result = rb.simulate(problem, [MVDSEE(weight=2)], horizon=500, runs=2, seed=1, progress=False)
    >>> pulls = result.pulls("MVDSEE(weight=2)")
    >>> pulls.min()  # ceil(2 ln 500)
    np.int64(13)
    """

    weight: Positive = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Decide whether this step explores."""
        exploration.decide(state, run, self.weight)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The least explored arm when exploring, the best sample value otherwise."""
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
