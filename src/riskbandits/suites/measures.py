"""Problems in the other risk measures: arms of order 1 whose rewards are Gaussian, or stay between 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.arms import BetaArms
from riskbandits.core import seeds
from riskbandits.core.records import digest
from riskbandits.problem import Problem
from riskbandits.risk import CVaR, Entropic, Mean, Semivariance, Sharpe, ValueAtRisk, Variance
from riskbandits.suites.families import SEED, draw
from riskbandits.suites.suite import Case

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure

ARMS = 5
PROBLEMS = 4
BOUNDED = "-bounded"  # ends the name of a family whose rewards lie between 0 and 1
# Levels and weights at which both the mean and the risk of arms of order 1 matter.
MEASURES: dict[str, RiskMeasure] = {
    "mean": Mean(),
    "variance": Variance(),
    "sharpe": Sharpe(),
    "cvar": CVaR(level=0.2),
    "value-at-risk": ValueAtRisk(level=0.2),
    "entropic": Entropic(aversion=1.0),
    "semivariance": Semivariance(target=0.5),
}
GAUSSIAN_SOURCE = "drawn at random: Gaussian arms of the family uniform"
BETA_SOURCE = "drawn at random: Beta arms, both parameters uniform on [0.5, 5]"


def cases() -> list[Case]:
    """Per measure, random problems with Gaussian rewards and others with rewards between 0 and 1."""
    found = []
    for name, measure in MEASURES.items():
        for number in range(PROBLEMS):
            problem = Problem(draw("uniform", ARMS, number).arms, measure)
            found.append(Case(f"{name}-{number}", name, problem, GAUSSIAN_SOURCE, name))
        family = name + BOUNDED
        for number in range(PROBLEMS):
            found.append(Case(f"{family}-{number}", family, Problem(_beta(number), measure), BETA_SOURCE, family))
    return found


def _beta(number: int) -> BetaArms:
    rng = seeds.generator(SEED, *digest("beta", ARMS, number))
    alphas, betas = ([0.5 + 4.5 * rng.random() for _ in range(ARMS)] for _ in range(2))
    return BetaArms(alphas, betas)
