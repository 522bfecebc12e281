"""Explore, then commit (ExpExp of Sani et al. 2012)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT
from riskbandits.policies.cells import HORIZON, SCRATCH

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State

EXPLORED = moments.WIDTH  # a column of the state: how often the arm was chosen to explore it
QUOTA, LEAST_EXPLORED = SCRATCH, SCRATCH + 1  # cells of the run


class ExpExp(NamedTuple):
    """Explore, then commit: play every arm equally often, then only the best of them.

    Use it as the simplest baseline; it needs the horizon. Its regret is of order n^(2/3).

    Exploration: round-robin, ceil((n / divisor)^(2/3)) pulls per arm (Sani et al.: divisor 14). Then the arm with
    the largest sample value, that is rho m - v, from the exploration alone.

    Reference: Sani, Lazaric & Munos, Risk-Aversion in Multi-armed Bandits, NeurIPS 2012.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> pulls = rb.simulate(problem, [ExpExp()], horizon=500, runs=2, seed=1, progress=False).pulls("ExpExp")
    >>> pulls.min()  # ceil((500/14)^(2/3))
    np.int64(11)
    """

    divisor: Positive = 14.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Compute the number of exploration pulls, and how many the least explored arm has had."""
        if run[QUOTA] == 0.0:
            run[QUOTA] = math.ceil((run[HORIZON] / self.divisor) ** (2.0 / 3.0))
        run[LEAST_EXPLORED] = moments.least(state, EXPLORED)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The least explored arm while exploring, the best sample value afterwards."""
        if run[LEAST_EXPLORED] < run[QUOTA]:
            return -state[k, EXPLORED]
        return moments.sample_value(state, k, risk)

    def chosen(self, state: State, k: int, run: Run) -> None:
        """Count when choosing, so that pulls with outstanding rewards are not explored twice."""
        state[k, EXPLORED] += 1.0

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments during exploration; afterwards the choice is fixed."""
        if run[QUOTA] == 0.0 or state[k, COUNT] < run[QUOTA]:
            moments.add(state, k, reward)

    def width(self) -> int:
        return moments.WIDTH + 1

    def needs_horizon(self) -> bool:
        """It determines the length of the exploration."""
        return True
