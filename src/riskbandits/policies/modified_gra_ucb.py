"""Modified-GRA-UCB: the rival of UCB-RSSR in its authors' scripts (Khurshid, Abdulla & Ghatak 2024)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, NamedTuple

from riskbandits.core.records import Limits
from riskbandits.numerics import moments
from riskbandits.numerics.chi_square import chi_square_quantile
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import HORIZON, STEP
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.policies.ucb_rssr import explores, refuse_but_squared
from riskbandits.risk import Sharpe

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

# Columns of the state: the step of the last reward, and a quantile of chi-square.
PLAYED, QUANTILE = moments.WIDTH, moments.WIDTH + 1


class ModifiedGRAUCB(NamedTuple):
    """A squared Sharpe ratio with a bonus on the mean and a lower confidence bound for the variance.

    Use it to reproduce the figures of UCB-RSSR, where it is the competitor; otherwise use `SRTS`. Its bonus does not
    grow while an arm is not played, so an abandoned arm comes back only if the others get worse. It needs the horizon.

    Index: (m^2 + sqrt(ln t / T))/(L + v (T - 1)/q), where t is the step at which the arm was last played (T itself, for
    an arm that has not been played since the exploration) and q the quantile of the chi-square distribution with T - 1
    degrees of freedom at 1 - `error`. As for `UCBRSSR`, 8 ln n / L^2 pulls of every arm come first.

    GRA-UCB itself is due to Liu et al. (Risk-Aware Multi-Armed Bandits With Refined Upper Confidence Bounds, 2020),
    for the mean-variance; its formula could not be obtained.

    Reference: Khurshid, Abdulla & Ghatak, Optimizing Sharpe Ratio, 2024 (arXiv 2406.06552), whose published scripts
    (github.com/sabrina-201/ucb_rssr) have this modification for the squared Sharpe ratio, with `error` 0.05.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.2], [1.0, 0.9]), rb.Sharpe.squared())
    >>> rb.simulate(problem, [ModifiedGRAUCB()], horizon=200, runs=2, seed=1, progress=False).labels
    ['ModifiedGRAUCB']
    """

    error: Annotated[float, Limits(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.05

    def score(self, state: State, k: int, run: Run, risk: Sharpe, rng: Rng) -> float:
        """The index; infinite during the exploration."""
        pulls, least = state[k, COUNT], risk.regularisation
        if explores(pulls, least, run[HORIZON]):
            return math.inf
        step = pulls if explores(pulls - 1.0, least, run[HORIZON]) else state[k, PLAYED]
        calmest = moments.variance(state, k) * (pulls - 1.0) / state[k, QUANTILE]
        reward = state[k, MEAN] * state[k, MEAN] + math.sqrt(math.log(step) / pulls)
        return reward / (least + calmest)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments, and what the bonus is made of."""
        moments.add(state, k, reward)
        state[k, PLAYED] = max(1.0, run[STEP])  # a learner may be told recorded rewards before its first step
        # After a single reward the variance is 0, whatever it is divided by.
        state[k, QUANTILE] = chi_square_quantile(1.0 - self.error, max(1.0, state[k, COUNT] - 1.0))

    def first_pulls(self) -> int:
        return 1

    def width(self) -> int:
        """The moments, the step of the last reward and the quantile."""
        return moments.WIDTH + 2

    def needs_horizon(self) -> bool:
        """The length of the exploration is set by it."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_but_squared(self, risk) or refuse_unless(self, risk, Sharpe)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The score of an arm that is not played stays what it is."""
        return True
