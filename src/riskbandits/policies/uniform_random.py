"""Choosing at random: the baseline that every policy must beat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.numerics import moments

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State


class UniformRandom(NamedTuple):
    """Every arm with equal probability at every step, whatever the rewards.

    Use it as the baseline of a comparison, or to collect data that favour no arm.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [UniformRandom()], horizon=50, runs=2, seed=1, progress=False).labels
    ['UniformRandom']
    """

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return rng.random()

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments, which nothing here reads."""
        moments.add(state, k, reward)
