"""Robust UCB for heavy tails (Bubeck, Cesa-Bianchi & Lugosi 2013)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from riskbandits.core.records import Limits, Positive
from riskbandits.numerics import history, robust_means
from riskbandits.numerics.history import SIZE
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class RobustUCB(NamedTuple):
    """An upper confidence bound on the mean that is robust to a few extreme rewards.

    Use it for the mean of heavy-tailed rewards: it needs no variance, only a bound on a moment of order 1 + e. With a
    finite variance and mild tails `UCB1` explores less: the constants here are large.

    `truncated()`, the default: the i-th reward counts as 0 if its absolute value exceeds (u i/(2 ln t))^(1/(1+e)); the
    bonus on the mean of all T is 4 u^(1/(1+e)) (2 ln t / T)^(e/(1+e)). It needs E|X|^(1+e) <= u.

    `median_of_means()`: the median of the means of min(1 + 16 ln t, T/2) blocks; the bonus is
    (12 u)^(1/(1+e)) ((2 + 32 ln t)/T)^(e/(1+e)). It needs E|X - mean|^(1+e) <= u.

    `moment` is u > 0 and `order` is e in (0, 1]. Every arm is played once first. Constants are those of the paper, with
    its confidence 1/t^2.

    Reference: Bubeck, Cesa-Bianchi & Lugosi, Bandits with Heavy Tail, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.StudentTArms([0.0, 1.0], [1.0, 1.0], [3.0, 3.0]), rb.Mean())
    >>> rb.simulate(problem, [RobustUCB(moment=3.0)], horizon=50, runs=2, seed=1, progress=False).labels
    ['RobustUCB(moment=3)']
    """

    moment: Positive = 1.0
    order: Annotated[float, Limits(low=0.0, high=1.0, open_low=True)] = 1.0
    uses_median: bool = False

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Update the estimates that are out of date."""
        log = run[LOG_STEP]
        for k in range(state.shape[0]):
            if self.uses_median:
                robust_means.median_of_means(state, k, run, 1.0 + 16.0 * log)
            else:
                robust_means.truncated_mean(state, k, run, 2.0 * log, self.moment, self.order)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The robust mean and its bonus."""
        root = 1.0 / (1.0 + self.order)
        log, pulls = run[LOG_STEP], state[k, SIZE]
        if self.uses_median:
            width, share = (12.0 * self.moment) ** root, (2.0 + 32.0 * log) / pulls
        else:
            width, share = 4.0 * self.moment**root, 2.0 * log / pulls
        return state[k, robust_means.ESTIMATE] + width * share ** (self.order * root)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward in order of arrival."""
        history.append(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        """Rewards in the order in which they came."""
        return 1

    def width(self) -> int:
        return robust_means.WIDTH

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless(self, risk, Mean)

    @classmethod
    def truncated(cls) -> RobustUCB:
        """The truncated mean, for a bound on the second moment."""
        return cls()

    @classmethod
    def median_of_means(cls) -> RobustUCB:
        """The median of means, for a bound on the variance."""
        return cls(uses_median=True)
