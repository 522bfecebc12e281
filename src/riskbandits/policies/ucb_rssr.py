"""UCB-RSSR: an upper confidence bound on the squared Sharpe ratio (Khurshid, Abdulla & Ghatak 2024)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.compiling.jit import jitable
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import HORIZON, LOG_STEP
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Sharpe

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Rng, Run, State


@jitable
def explores(pulls: float, least: float, horizon: float) -> bool:
    """Whether an arm with so many pulls has fewer than 8 ln n / L^2, which come first."""
    return math.sqrt(pulls) * least < math.sqrt(8.0 * math.log(horizon))


class UCBRSSR(NamedTuple):
    """The squared Sharpe ratio of the sample plus a bound on its error, after a long exploration.

    Use it to reproduce its authors' figures, or as a deterministic competitor of `SRTS`, for rewards between 0 and 1;
    it needs the horizon. Its measure is `Sharpe.squared()`, mu^2/(L + s^2), and the smaller L is, the longer it
    explores: 8 ln n / L^2 pulls of every arm, one arm after the other. `SharpeUCB` has no such phase.

    Index: m^2/(L + v) + e (x + v + 2 e + L)/((L + v)(L + v - 3 e)), where e = sqrt(2 ln t / T) and x is the mean of the
    squared rewards. Where L + v <= 3 e the bound says nothing and the arm is played; the authors' scripts let the
    index turn negative there, which shuts the arm out for good.

    Reference: Khurshid, Abdulla & Ghatak, Optimizing Sharpe Ratio: Risk-Adjusted Decision-Making in Multi-Armed
    Bandits, 2024 (arXiv 2406.06552). Index and exploration are those of the authors' published scripts
    (github.com/sabrina-201/ucb_rssr), where t is the previous step.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.2], [1.0, 0.9]), rb.Sharpe.squared())
    >>> rb.simulate(problem, [UCBRSSR()], horizon=200, runs=2, seed=1, progress=False).labels
    ['UCBRSSR']
    """

    def score(self, state: State, k: int, run: Run, risk: Sharpe, rng: Rng) -> float:
        """The bound; infinite where there is none yet."""
        least = risk.regularisation
        pulls, mean = state[k, COUNT], state[k, MEAN]
        if explores(pulls, least, run[HORIZON]):
            return math.inf
        variance = moments.variance(state, k)
        radius = math.sqrt(2.0 * run[LOG_STEP] / pulls)
        calm = least + variance
        if calm <= 3.0 * radius:
            return math.inf
        squares = mean * mean + variance
        bonus = radius / calm * ((squares + calm + 2.0 * radius) / (calm - 3.0 * radius))
        return risk.value(mean, variance) + bonus

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        return 1

    def needs_horizon(self) -> bool:
        """The length of the exploration is set by it."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The bound is one on the squared ratio, with the variance as it is."""
        return refuse_but_squared(self, risk) or refuse_unless(self, risk, Sharpe)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The bound of an arm that is not played grows with ln t."""
        return True


def refuse_but_squared(policy: Policy, risk: RiskMeasure) -> str | None:
    """The refusal of policies whose formula is made for mu^2/(L + s^2), of other Sharpe ratios."""
    if not isinstance(risk, Sharpe) or (risk.squares_mean and risk.weight == 1.0):
        return None
    name = type(policy).__name__
    return f"{name} is defined for Sharpe.squared() with weight 1 only: SharpeUCB serves every Sharpe."
