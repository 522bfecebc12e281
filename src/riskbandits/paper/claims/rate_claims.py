"""Theorems 1 to 4 and what follows from them, against measured growth: pseudo-regret per unit of ln n.

Growth between two steps is compared, never a ratio to ln n (`riskbandits.metrics.growth`). Simulations cannot prove
an asymptotic bound; they can exceed one, by more the longer they run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from riskbandits import theory
from riskbandits.inference.claims import Claim
from riskbandits.inference.rare import Rare
from riskbandits.inference.ratios import Ratio, of_mean, of_paired
from riskbandits.metrics import pseudo_regret
from riskbandits.paper.claims.evidence import Row, at_most, unless_refuted
from riskbandits.paper.claims.measurements import at_step, most_runs, outcome, rare_disasters
from riskbandits.paper.experiments import Outcomes
from riskbandits.problem import Problem
from riskbandits.simulation.trace import Trace

PAPERS, EASY = "the paper's arms", "two easy arms"
AGAINST = "Theorem {}'s counterexample"
DOUBLING = 2.0  # growth per ln n that more than doubles from decade to decade is no logarithm

Theorem = Callable[[Problem], theory.Bound]


def growth(source: Trace, first: int, last: int) -> tuple[np.ndarray, Rare | None]:
    """Growth of every run's printed pseudo-regret per unit of ln n between two checkpoints; the guard of its mean."""
    values = pseudo_regret(source)
    decades = np.log(last / first)
    slopes = (at_step(values, source, last) - at_step(values, source, first)) / decades
    return slopes, rare_disasters(source, slopes, (last - first) / decades)


def over(source: Trace, allowed: float) -> Ratio:
    """Growth over the last decade, over what is allowed."""
    slopes, rare = growth(source, source.horizon // 10, source.horizon)
    return of_mean(slopes, allowed, rare)


def below(theorem: Theorem, label: str, experiments: dict[str, str]) -> Callable[[Outcomes], list[Row]]:
    """One row per problem on which a theorem applies as stated: measured growth over what it allows."""

    def rows(outcomes: Outcomes) -> list[Row]:
        found = []
        for experiment, arms in experiments.items():
            tried = outcome(outcomes, experiment)
            for rho, result in zip(tried.values, tried.results, strict=True):
                bound = theorem(result.problem)
                if as_stated(bound) and np.isfinite(bound.total):
                    ratio = over(most_runs(outcomes, experiment, rho, label), bound.total)
                    found.append(at_most({"arms": arms, "rho": rho}, ratio, 1.0))
        return found

    return rows


def as_stated(bound: theory.Bound) -> bool:
    """Whether what the theorem itself asks for holds; what only its proof uses is not asked for."""
    stated = [one for one in bound.assumptions.values() if "not stated" not in one.words]
    return all(bool(np.all(one.holds)) for one in stated)


def logarithmic(label: str, places: Sequence[tuple[str, str, int]]) -> Callable[[Outcomes], list[Row]]:
    """One row per experiment: growth per ln n in the last decade over that in the decade before."""

    def rows(outcomes: Outcomes) -> list[Row]:
        found = []
        for experiment, arms, last in places:
            rho = outcome(outcomes, experiment).values[0]
            source = most_runs(outcomes, experiment, rho, label)
            (above, rare), (below, rare_below) = (growth(source, end // 10, end) for end in (last, last // 10))
            ratio = of_paired(above, below, rare, rare_below)
            found.append(at_most({"arms": arms, "rho": rho}, ratio, DOUBLING))
        return found

    return rows


def limit(bound_of: Theorem, rhos: Sequence[float], per_rho: bool) -> Callable[[Outcomes], list[Row]]:
    """One row per extreme rho: MVTS's growth over what a limit of the remark on extreme cases allows."""

    def rows(outcomes: Outcomes) -> list[Row]:
        found = []
        for rho in rhos:
            result = outcome(outcomes, "gaussian").at(rho)
            unit = bound_of(result.problem).total * (rho if per_rho else 1.0)
            found.append(at_most({"rho": rho}, over(result.trace("MVTS"), unit), 1.0))
        return found

    return rows


MEASURED = "Growth of the mean pseudo-regret (as the paper defines it) per ln n over the last decade, over the bound: "
ALLOWED = "growth over what the theorem allows"
DECADES = "Growth of the mean pseudo-regret per ln n in the last decade over that in the one before: at most 2."


def theorem_claim(
    number: int, policy: str, statement: str, theorem: Theorem, experiments: dict[str, str], more: tuple[str, ...] = ()
) -> Claim:
    """The claim that a theorem makes, wherever what it asks for holds; `more` are experiments with further runs."""
    return Claim(
        name=f"theorem-{number}",
        statement=statement,
        source=f"Theorem {number}",
        measure=MEASURED + "at most 1 wherever the theorem applies as stated. "
        "Simulations can refute a bound for many steps; they cannot prove it.",
        quantity=ALLOWED,
        needs=(*experiments, *more),
        study=below(theorem, policy, experiments),
        rule=unless_refuted,
    )


def logarithmic_claim(policy: str, place: str, places: Sequence[tuple[str, str, int]]) -> Claim:
    """The claim that a policy's regret is logarithmic, whatever the constant."""
    return Claim(
        name=f"{policy.lower()}-logarithmic",
        statement=f"The regret of {policy} grows no faster than the logarithm of the number of steps.",
        source=place,
        measure=DECADES,
        quantity="growth per ln n from one decade to the next",
        needs=tuple(place[0] for place in places),
        study=logarithmic(policy, places),
        rule=unless_refuted,
    )


CLAIMS = (
    theorem_claim(
        1,
        "MTS",
        "When rho is large enough, the regret of MTS grows at most like a given multiple of ln n.",
        theory.theorem_1,
        {"gaussian": PAPERS, "growth": EASY, "theorem-1": AGAINST.format(1)},
    ),
    theorem_claim(
        2,
        "VTS",
        "When rho is small enough, the regret of VTS grows at most like a given multiple of ln n.",
        theory.theorem_2,
        {"gaussian": PAPERS, "growth": EASY, "theorem-2": AGAINST.format(2)},
        more=("growth-vts",),
    ),
    theorem_claim(
        3,
        "MVTS",
        "At every rho, the regret of MVTS grows at most like a given multiple of ln n.",
        theory.theorem_3,
        {"gaussian": PAPERS, "growth": EASY, "theorem-3": AGAINST.format(3)},
    ),
    theorem_claim(
        4,
        "BMVTS",
        "For Bernoulli arms and rho between 0 and 1, the regret of BMVTS grows at most like a given multiple of ln n.",
        theory.theorem_4,
        {"bernoulli": PAPERS},
    ),
    logarithmic_claim("MTS", "Theorem 1", (("growth", EASY, 100_000), ("theorem-1", AGAINST.format(1), 100_000))),
    logarithmic_claim("VTS", "Remark after Theorem 2", (("theorem-2", AGAINST.format(2), 100_000),)),
    logarithmic_claim("MVTS", "Theorem 3", (("growth", EASY, 100_000), ("theorem-3", AGAINST.format(3), 1_000_000))),
    Claim(
        name="limit-large-rho",
        statement="As rho grows, the regret of MVTS per rho is bounded like that of the ordinary bandit problem: "
        r"by $\sum_i 2/\Gamma_i$ per ln n, $\Gamma_i$ the gap between the means.",
        source="Remark on extreme cases, after Theorem 3",
        measure=MEASURED + "at most 1 at the two largest rho.",
        quantity="growth over the limit of the bound",
        needs=("gaussian",),
        study=limit(theory.remark_3_large_rho, (300.0, 1000.0), True),
        rule=unless_refuted,
    ),
    Claim(
        name="limit-small-rho",
        statement="As rho vanishes, the regret of MVTS is bounded as if only the variances had to be learned.",
        source="Remark on extreme cases, after Theorem 3",
        measure=MEASURED + "at most 1 at the two smallest rho.",
        quantity="growth over the limit of the bound",
        needs=("gaussian",),
        study=limit(theory.remark_3_small_rho, (0.001, 0.003), False),
        rule=unless_refuted,
    ),
)
