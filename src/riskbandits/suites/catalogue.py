"""The suites that ship with the package, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from riskbandits import problems
from riskbandits.arms import GaussianArms, UniformArms
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance, Sharpe
from riskbandits.suites import measures as other_measures
from riskbandits.suites.families import FAMILIES, SHOP, SKEWED, UNLIKE, cases
from riskbandits.suites.suite import Case, Suite, check_suite, read_suite

PAPER = "Zhu & Tan (2020), section 6"
UNIFORM_ARMS = "Khurshid, Abdulla & Ghatak (2024, arXiv 2406.06552), by their scripts"
# The authors' set 2 of uniform arms, rounded to two places.
SHARPE_LOWS = (0.87, 0.53, 0.40, 0.32, 0.34, 0.41, 0.28, 0.16, 0.07, 0.07)
SHARPE_HIGHS = (7.10, 9.16, 9.71, 8.50, 7.80, 6.24, 7.30, 9.03, 6.58, 6.20)
ARMS = (2, 10, 50)
MANY_ARMS = 300
FACTORS = {"rewards-times-1": 1.0, "rewards-times-100": 100.0, "rewards-times-0.01": 0.01}


def paper() -> Suite:
    """The paper's Gaussian arms at the 13 values of rho of its figure."""
    return Suite("paper", "Zhu & Tan's Gaussian arms, 13 values of rho", tuple(_gaussian(problems.ZHU_TAN_RHOS)))


def paper_bernoulli() -> Suite:
    """The paper's Bernoulli arms at rho = k/9, k = 0..9."""
    return Suite("paper-bernoulli", "Zhu & Tan's Bernoulli arms, rho = 0, 1/9, .., 1", tuple(_bernoulli()))


def random() -> Suite:
    """Random problems: 7 families, 2, 10 and 50 arms, 4 problems each."""
    drawn = [case for family in FAMILIES for arms in ARMS for case in cases(family, arms, range(4))]
    return Suite("random", "7 families of random problems, 2, 10 and 50 arms, 4 problems each", tuple(drawn))


def many_arms() -> Suite:
    """Random problems with 300 arms, one per family."""
    drawn = [case for family in FAMILIES for case in cases(family, MANY_ARMS, range(1))]
    return Suite("many-arms", "7 families of random problems, 300 arms", tuple(drawn))


def unlike() -> Suite:
    """Random problems whose arms differ widely in variance: 7 families, 2 and 10 arms, 2 problems each."""
    drawn = [case for family in UNLIKE for arms in (2, 10) for case in cases(family, arms, range(2))]
    return Suite("unlike", "7 families of arms with variances far apart, 2 and 10 arms, 2 problems each", tuple(drawn))


def shop() -> Suite:
    """Sales: prices, baskets and refunds, most of whose rewards are 0; 2 and 6 arms, 4 problems each."""
    drawn = [case for family in SHOP for arms in (2, 6) for case in cases(family, arms, range(4))]
    about = "conversions, baskets and refunds: rewards mostly 0; 2 and 6 arms, 4 problems each"
    return Suite("shop", about, tuple(drawn))


def skewed() -> Suite:
    """Skewed rewards: lognormal, exponential, and rare large losses; 2 and 10 arms, 4 problems each."""
    drawn = [case for family in SKEWED for arms in (2, 10) for case in cases(family, arms, range(4))]
    about = "lognormal and exponential rewards, rare large losses; 2 and 10 arms, 4 problems each"
    return Suite("skewed", about, tuple(drawn))


def scale() -> Suite:
    """The same random problems with rewards in other units: times 1, 100 and 0.01, with rho to match."""
    # No draws here: the question is what units do to these very problems.
    scaled = [
        Case(f"{case.name}-times-{factor:g}", family, rescaled(case.problem, factor), f"{case.source}; rescaled")
        for family, factor in FACTORS.items()
        for case in cases("uniform", 10, range(4))
    ]
    return Suite("scale", "4 random problems with rewards times 1, 100 and 0.01", tuple(scaled))


def quick() -> Suite:
    """A small suite for a first look: three of the paper's problems, one random problem of each family."""
    drawn = [case for family in FAMILIES for case in cases(family, 10, range(1))]
    about = "3 of the paper's problems, 7 random ones with 10 arms"
    return Suite("quick", about, (*_gaussian((0.01, 1.0, 100.0)), *drawn))


def sharpe() -> Suite:
    """The uniform arms of Khurshid et al. (2024), judged by the squared Sharpe ratio."""
    close = UniformArms([0.5, 0.6], [13.5, 13.55])
    cases = [
        Case(f"close-L-{least:g}", "close", Problem(close, Sharpe(least, squares_mean=True)), UNIFORM_ARMS)
        for least in (0.5, 1.0, 15.0, 20.0)
    ]
    for size in (2, 5, 10):
        arms = UniformArms(list(SHARPE_LOWS[:size]), list(SHARPE_HIGHS[:size]))
        cases.append(Case(f"uniform-{size}", "uniform", Problem(arms, Sharpe.squared()), UNIFORM_ARMS))
    return Suite("sharpe", "uniform arms judged by the squared Sharpe ratio, 7 problems", tuple(cases))


def measures() -> Suite:
    """Random problems in the risk measures beside the mean-variance, with Gaussian rewards and with bounded ones."""
    about = "7 other risk measures, 5 arms, Gaussian rewards or rewards in [0, 1], 4 problems each"
    return Suite("measures", about, tuple(other_measures.cases()))


def full() -> Suite:
    """All suites of mean-variance problems except the small one."""
    parts = (paper(), paper_bernoulli(), random(), unlike(), scale(), many_arms())
    return Suite(
        "full", "all suites of the mean-variance together", tuple(case for part in parts for case in part.cases)
    )


SUITES: dict[str, Callable[[], Suite]] = {
    "quick": quick,
    "paper": paper,
    "paper-bernoulli": paper_bernoulli,
    "random": random,
    "unlike": unlike,
    "shop": shop,
    "skewed": skewed,
    "scale": scale,
    "many-arms": many_arms,
    "measures": measures,
    "full": full,
    "sharpe": sharpe,
}


def named(name: str) -> Suite:
    """The suite by that name; case, `-` and `_` do not matter.

    >>> named("paper")
    <Suite paper: 13 problems>
    """
    wanted = name.lower().replace("_", "-") if isinstance(name, str) else None
    if wanted is None or wanted not in SUITES:
        raise unknown_name("suite", name, SUITES)
    return check_suite(SUITES[wanted]())


def find(suite: object) -> Suite:
    """The suite given by a suite, a name, a .json file, or a list or mapping of problems."""
    if isinstance(suite, Suite):
        return check_suite(suite)
    if isinstance(suite, Path) or (isinstance(suite, str) and suite.lower().endswith(".json")):
        return read_suite(suite)
    if isinstance(suite, str):
        return named(suite)
    if isinstance(suite, Problem) or not hasattr(suite, "__iter__"):
        raise must_be("The suite", "a name, a Suite, a .json file or a list of problems", suite)
    return Suite.of(suite)


def rescaled(problem: Problem, factor: float) -> Problem:
    """The same Gaussian problem with rewards times a factor: all values are then times its square."""
    arms = GaussianArms(factor * problem.means, factor * factor * problem.variances)
    return Problem(arms, MeanVariance(factor * problem.risk.rho))


def _gaussian(rhos: tuple[float, ...]) -> list[Case]:
    return [Case(f"paper-rho-{rho:g}", "paper", problems.zhu_tan_gaussian(rho), PAPER) for rho in rhos]


def _bernoulli() -> list[Case]:
    return [
        Case(f"paper-bernoulli-rho-{k}/9", "paper-bernoulli", problems.zhu_tan_bernoulli(rho), PAPER)
        for k, rho in enumerate(problems.ZHU_TAN_BERNOULLI_RHOS)
    ]
