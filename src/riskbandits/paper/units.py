"""One problem in different units of reward: the arms of Zhu & Tan (2020) at rho = 1, multiplied."""

from __future__ import annotations

from riskbandits import problems
from riskbandits.arms import GaussianArms
from riskbandits.paper.experiment import Experiment
from riskbandits.policies import MTS, MVTS, VTS
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance


def in_units(rho: float) -> Problem:
    """The paper's arms with rewards multiplied by rho, at that rho: every regret is rho^2 times that at rho = 1.

    >>> in_units(10.0).best_arm == in_units(1.0).best_arm
    True
    >>> (in_units(10.0).gaps / in_units(1.0).gaps.clip(1e-9)).round(6).max()
    np.float64(100.0)
    """
    arms = problems.zhu_tan_gaussian(1.0).arms
    means = [rho * mean for mean in arms.means]
    return Problem(GaussianArms(means, [rho * rho * variance for variance in arms.variances]), MeanVariance(rho))


EXPERIMENTS = {
    "units": Experiment(
        title="Gaussian arms in other units",
        problem_for_rho=in_units,
        rhos=(0.1, 1.0, 10.0),
        policies=(MTS(), VTS(), MVTS()),
        horizon=10_000,
    ),
}
