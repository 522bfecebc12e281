"""Wrappers of records for a page: arms of several families in one, and policies that show their draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.arms import BernoulliArms, GaussianArms, HurdleArms
from riskbandits.compiling.jit import always_inline
from riskbandits.policies.support import contract
from riskbandits.policies.support.wrapper import wrapper

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import RiskMeasure, Rng, Run, State

# Columns of what is seen of an arm at a step.
SCORE, DRAWN_MEAN, DRAWN_VARIANCE = range(3)
SEEN = 3


FAMILIES = ("gaussian", "bernoulli", "hurdle")  # by the number that a page gives


class PageArms(NamedTuple):
    """Arms of one of the families, so that one compiled function serves all."""

    gaussian: GaussianArms
    bernoulli: BernoulliArms
    hurdle: HurdleArms
    family: int

    def draw(self, k: int, rng: Rng) -> float:
        """One reward of arm k."""
        if self.family == 0:
            return self.gaussian.draw(k, rng)
        return self.bernoulli.draw(k, rng) if self.family == 1 else self.hurdle.draw(k, rng)


class WatchedRisk(NamedTuple):
    """A measure that notes the mean and variance that it was last asked to value."""

    rho: float
    measure: Any
    last: Any  # two cells

    @always_inline
    def value(self, mean: float, variance: float) -> float:
        """The value in the measure that is watched."""
        self.last[0] = mean
        self.last[1] = variance
        return self.measure.value(mean, variance)


@wrapper
class Watched(NamedTuple):
    """A policy whose scores, and the means and variances behind them, are noted in a row per arm."""

    policy: Any
    seen: Any  # (arms, SEEN)
    last: Any  # two cells

    @always_inline
    def measure(self, state: State, run: Run, risk: MeanVariance) -> WatchedRisk:
        """What the scores of the step are to value, watched."""
        return WatchedRisk(risk.rho, contract.measure(self.policy, state, run, risk), self.last)

    @always_inline
    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The policy's own."""
        found = self.policy.score(state, k, run, risk, rng)
        self.seen[k, SCORE] = found
        self.seen[k, DRAWN_MEAN] = self.last[0]
        self.seen[k, DRAWN_VARIANCE] = self.last[1]
        return found
