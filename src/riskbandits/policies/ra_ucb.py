"""RA-UCB: a risk-averse upper confidence bound for the entropic measure (Maillard 2013)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import NonNegative
from riskbandits.numerics import history
from riskbandits.numerics.confidence import bernoulli_lower_end
from riskbandits.numerics.history import SIZE
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support.contract import refuse_outside, refuse_unless
from riskbandits.risk import Entropic

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

LOSS_SUM, BOOKED = history.WIDTH, history.WIDTH + 1  # columns of the state: sum of Y, and how many rewards are in it


class RAUCB(NamedTuple):
    """An upper confidence bound on the entropic value (exponential utility) of rewards between 0 and 1.

    Use it for `Entropic` when rewards are bounded and decisions must be deterministic.

    With l the measure's aversion, Y = (exp(-l X) - exp(-l))/(1 - exp(-l)) lies in [0, 1]; q is the smallest value with
    T d(mean of Y, q) <= max(0, ln t + weight ln ln t), and the index is -(1/l) ln(q (1 - exp(-l)) + exp(-l)). Every arm
    is played once first. The bound on Y is that of KL-UCB, `weight` = 3 included; the published RA-UCB is stated with
    the divergence of the rewards themselves, so the constants are ours.

    Reference: Maillard, Robust Risk-Averse Stochastic Multi-Armed Bandits, 2013; Garivier & Cappe, The KL-UCB
    Algorithm for Bounded Stochastic Bandits and Beyond, 2011.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.3], [1.0, 0.6]), rb.Entropic(2.0))
    >>> rb.simulate(problem, [RAUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['RAUCB']
    """

    weight: NonNegative = 3.0

    def prepare(self, state: State, run: Run, risk: Any, rng: Rng) -> None:
        """Sum up Y, which depends on the measure's aversion and is not known when a reward is recorded."""
        least = math.exp(-risk.aversion)
        for k in range(state.shape[0]):
            rewards = history.values(state, k, run)
            for i in range(max(0, int(state[k, BOOKED])), rewards.shape[0]):
                state[k, LOSS_SUM] += (math.exp(-risk.aversion * rewards[i]) - least) / -math.expm1(-risk.aversion)
            state[k, BOOKED] = state[k, SIZE]

    def score(self, state: State, k: int, run: Run, risk: Any, rng: Rng) -> float:
        """The upper bound of the value."""
        pulls = state[k, SIZE]
        level = run[LOG_STEP]
        if level > 0.0:
            level = max(0.0, level + self.weight * math.log(level))
        q = bernoulli_lower_end(min(1.0, state[k, LOSS_SUM] / pulls), level / pulls)
        return -math.log(math.exp(-risk.aversion) - q * math.expm1(-risk.aversion)) / risk.aversion

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Keep the reward until the aversion is known."""
        history.append(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        """Rewards in the order in which they came."""
        return 1

    def width(self) -> int:
        return history.WIDTH + 2

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The index is a bound on an entropic value, of rewards between 0 and 1."""
        return refuse_unless(self, risk, Entropic) or refuse_outside(self, arms, 0.0, 1.0)

    def rejects(self, reward: float) -> str | None:
        """Y lies in [0, 1] only if the reward does."""
        return None if 0.0 <= reward <= 1.0 else "between 0 and 1"
