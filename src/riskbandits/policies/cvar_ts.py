"""Risk-constrained Thompson sampling: the best mean among the arms whose CVaR is good enough."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Finite, Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.normal import gaussian_lower_mean
from riskbandits.numerics.posteriors import drawn_mean, drawn_variance
from riskbandits.policies.cells import SCRATCH
from riskbandits.risk.cvar import Level

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State

DRAWN_MEAN, DRAWN_CVAR = moments.WIDTH, moments.WIDTH + 1  # columns of the state
ANY_FEASIBLE = SCRATCH  # a cell of the run


class CVaRTS(NamedTuple):
    """The best mean among arms whose CVaR is acceptable; if none seems to be, the arm with the best CVaR.

    Use it when risk is a constraint rather than a price: rewards should be large on average, *provided that* the mean
    of the worst share `level` of them is at least `threshold`. The constraint belongs to the policy; the problem's risk
    measure only evaluates it, so choose `Mean` or `CVaR` for that. For Gaussian rewards.

    Each step, for each arm: theta and tau as `MVTS` draws them, which give a CVaR of theta - phi(z)/(a sqrt(tau)),
    a = `level`, z = Phi^-1(a). Among arms whose drawn CVaR reaches the threshold play the largest theta; if there is
    none, the largest drawn CVaR. Every arm is played once first. `feasible(state)` is the corresponding flag:
    whether any arm meets the constraint according to the sample moments. There are no constants to choose except the
    prior, which is that of `MVTS`.

    Reference: Chang, Zhu & Tan, Risk-Constrained Thompson Sampling for CVaR Bandits, 2020 (which states it for losses).

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.5, 2.0], [0.1, 9.0]), rb.Mean())
    >>> rb.simulate(problem, [CVaRTS(threshold=-1.0)], horizon=500, runs=2, seed=1, progress=False).labels
    ['CVaRTS(threshold=-1)']
    >>> learner = rb.Learner(CVaRTS(threshold=-1.0), arms=["bond", "stock"], risk=rb.Mean())
    >>> learner.tell(["bond", "bond", "stock", "stock"], [0.3, 0.5, -4.0, 6.0])
    >>> learner.policy.feasible(learner.state)
    True
    """

    threshold: Finite = 0.0
    level: Level = 0.05
    shape: Positive = 0.5
    rate: Positive = 0.5

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Draw for all arms: the score of a draw depends on whether any other is feasible."""
        run[ANY_FEASIBLE] = 0.0
        for k in range(state.shape[0]):
            mean = drawn_mean(state, k, rng)
            variance = drawn_variance(state, k, self.shape, self.rate, rng)
            state[k, DRAWN_MEAN] = mean
            state[k, DRAWN_CVAR] = gaussian_lower_mean(mean, variance, self.level)
            if state[k, DRAWN_CVAR] >= self.threshold:
                run[ANY_FEASIBLE] = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The drawn mean of a feasible arm, or the drawn CVaR if there is none."""
        if run[ANY_FEASIBLE] == 0.0:
            return state[k, DRAWN_CVAR]
        return state[k, DRAWN_MEAN] if state[k, DRAWN_CVAR] >= self.threshold else -math.inf

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 1

    def width(self) -> int:
        return moments.WIDTH + 2

    def feasible(self, state: State) -> bool:
        """The feasibility flag: whether the sample CVaR (of a Gaussian) of any arm reaches the threshold."""
        pulled = [k for k in range(len(state)) if state[k, COUNT] > 0.0]
        tails = [gaussian_lower_mean(state[k, MEAN], moments.variance(state, k), self.level) for k in pulled]
        return any(tail >= self.threshold for tail in tails)
