"""The situations a user may be in, and the problems that represent each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.suites import Case
from riskbandits.suites.families import UNLIKE
from riskbandits.suites.measures import BOUNDED


class Situation(NamedTuple):
    """A description, and whether a problem represents it."""

    words: str
    keep: Callable[[Case], bool]


class Stage(NamedTuple):
    """A range of steps per arm, and what matters most there."""

    least: float
    most: float
    words: str
    reason: str


def _gaussian(case: Case) -> bool:
    return isinstance(case.problem.arms, GaussianArms)


def _of(*families: str) -> Callable[[Case], bool]:
    return lambda case: case.family in families


def _drawn_with(arms: int) -> Callable[[Case], bool]:
    return lambda case: _gaussian(case) and case.draw != "" and case.problem.size == arms


def _paper_rho(low: float, high: float) -> Callable[[Case], bool]:
    return lambda case: case.family == "paper" and low <= case.problem.risk.rho <= high


SITUATIONS = (
    Situation("Rewards are numbers of order 1 and nothing is known about the arms", _of("uniform")),
    Situation("Risk matters most (the paper's arms, rho up to 0.1)", _paper_rho(0.0, 0.1)),
    Situation("Risk and return both matter (the paper's arms, rho from 0.3 to 3)", _paper_rho(0.3, 3.0)),
    Situation("Return matters most (the paper's arms, rho of 10 and more)", _paper_rho(10.0, 1e9)),
    Situation("One arm is likely to have both the largest mean and the smallest variance", _of("dominant")),
    Situation("What pays more also varies more", _of("trade-off")),
    Situation("Two arms are nearly equally good", _of("near-tie")),
    Situation("All arms pay the same on average, and only their risk differs", _of("equal-means")),
    Situation("All arms are equally risky, and only their pay differs", _of("equal-variances")),
    Situation("Arms differ widely in risk, or one is far more or far less risky than the rest", _of(*UNLIKE)),
    Situation("There are two arms", _drawn_with(2)),
    Situation("There are ten arms", _drawn_with(10)),
    Situation("There are fifty arms", _drawn_with(50)),
    Situation("There are three hundred arms", _drawn_with(300)),
    Situation("Rewards come in large numbers (hundreds)", _of("rewards-times-100")),
    Situation("Rewards come in small numbers (hundredths)", _of("rewards-times-0.01")),
    Situation("Rewards are 0 or 1", lambda case: isinstance(case.problem.arms, BernoulliArms)),
)

STAGES = (
    Stage(0.0, 30.0, "Fewer than 30 steps per arm", "the initial pulls of every arm make up most of the regret"),
    Stage(
        30.0,
        300.0,
        "30 to 300 steps per arm",
        "bad arms can be ruled out, but the best arm cannot yet be distinguished from the next best, so settling early "
        "is cheaper than searching on",
    ),
    Stage(
        300.0,
        3000.0,
        "300 to 3000 steps per arm",
        "where arms are close, most of the cost of an exploratory pull is not its gap but the shift in the mean of the "
        "stream",
    ),
    Stage(
        3000.0,
        30_000.0,
        "3000 to 30 000 steps per arm",
        "most searches have ended, and runs that settled on a wrong arm begin to dominate",
    ),
    Stage(
        30_000.0,
        float("inf"),
        "30 000 steps per arm and more",
        "regret grows like ln n for a policy that keeps returning to every arm, and like n for one that may not",
    ),
)

MEASURES = tuple(
    Situation(f"{words}{rewards}", _of(family + ending))
    for family, words in (
        ("mean", "The mean alone (`Mean`)"),
        ("variance", "The variance alone (`Variance`)"),
        ("sharpe", "The mean per unit of risk (`Sharpe`)"),
        ("cvar", "The mean of the worst fifth (`CVaR(0.2)`)"),
        ("value-at-risk", "The 20 % quantile (`ValueAtRisk(0.2)`)"),
        ("entropic", "Exponential utility (`Entropic`)"),
        ("semivariance", "Shortfall below a target (`Semivariance(0.5)`)"),
    )
    for ending, rewards in (("", ", Gaussian rewards"), (BOUNDED, ", rewards in [0, 1]"))
)
