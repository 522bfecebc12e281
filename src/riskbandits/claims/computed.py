"""Statements about the bounds themselves, which formulas decide without any simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from riskbandits import problems, theory
from riskbandits.arms import GaussianArms
from riskbandits.claims.claim import Claim, at_the_end, everywhere, without_exception
from riskbandits.claims.estimates import computed
from riskbandits.claims.evidence import LEVEL, Judged, Row, at_least, at_most, within
from riskbandits.claims.wording import shown
from riskbandits.experiments.experiment import Outcomes
from riskbandits.experiments.zhu_tan import BERNOULLI_RHOS, GAUSSIAN_RHOS
from riskbandits.policies import MVLCB
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.theory import lemmas

HORIZON = 30_000
ROUNDING = 1e-9
ALMOST_ONLY = 0.05  # "almost only" one of mean and variance: the other makes up at most this share of every gap


def extreme_rhos(outcomes: Outcomes) -> list[Row]:
    """How much of each gap at the paper's extreme rho comes from what should not count there; the largest share."""
    rows = []
    for rho, counts in ((0.001, "variance"), (1000.0, "mean")):
        problem = problems.zhu_tan_gaussian(rho)
        others = problem.gaps > 0.0
        from_mean = np.abs(rho * problem.mean_gaps[others]) / problem.gaps[others]
        variances = problem.variances[others] - problem.variances[problem.best_arm]
        foreign = from_mean if counts == "variance" else np.abs(variances) / problem.gaps[others]
        rows.append(at_most({"rho": rho}, computed(float(foreign.max())), ALMOST_ONLY))
    return rows


def large_rho_of_theorem_1(outcomes: Outcomes) -> list[Row]:
    """Theorem 1's coefficient per rho beside the known one of the ordinary bandit problem."""
    problem = problems.zhu_tan_gaussian()
    known = theory.remark_3_large_rho(problem).total
    rhos = (1e6, 1e5, 1e4, 1e3, 1e2)
    return [
        within({"rho": rho}, computed(theory.theorem_1(problem, rho=rho).total / rho / known), LEVEL) for rho in rhos
    ]


def theorem_3_at_extremes(outcomes: Outcomes) -> list[Row]:
    """Theorem 3's coefficient over Theorem 1's at a huge rho, and over Theorem 2's at a tiny one."""
    problem = problems.zhu_tan_gaussian()
    rows = []
    for rho, other, name in ((1e6, theory.theorem_1, "that of MTS"), (1e-6, theory.theorem_2, "that of VTS")):
        ratio = theory.theorem_3(problem, rho=rho).total / other(problem, rho=rho).total
        rows.append(within({"beside": name, "rho": rho}, computed(ratio), LEVEL))
    return rows


def hard_instances(outcomes: Outcomes) -> list[Row]:
    """Two arms whose variances come together: Theorem 2's bound on pulls over what every consistent policy needs."""
    rows = []
    for part in (1e-4, 1e-3, 1e-2, 1e-1):
        arms = GaussianArms(means=[0.5, 0.0], variances=[0.25, 0.25 * (1.0 + part)])
        problem = Problem(arms, MeanVariance(part**2))
        allowed, needed = theory.theorem_2(problem), theory.lower_bound(problem)
        row = within({"apart": f"variances apart by {part:g}"}, computed(allowed.pulls[1] / needed.pulls[1]), LEVEL)
        rows.append(row._replace(more={"regret_bound_over_lower_bound": allowed.total / needed.total}))
    return rows


def regret_factor(judged: Sequence[Judged]) -> str:
    """What remains between the two bounds on regret."""
    factor = judged[0].row.more["regret_bound_over_lower_bound"]
    return f"As a bound on regret it is {shown(factor)} times the lower bound. VTS itself exceeds it: see theorem-2."


def finite_time(outcomes: Outcomes) -> list[Row]:
    """The share of wrong arms of which each finite-time theorem says anything at the paper's horizon."""
    rows = []
    bounds: tuple[tuple[str, Callable[..., theory.Bound], Problem, Sequence[float]], ...] = (
        ("Theorem S-1 (MVTS)", theory.theorem_s1, problems.zhu_tan_gaussian(), (0.001, 1.0, 1000.0)),
        ("Theorem S-2 (MTS)", theory.theorem_s2, problems.zhu_tan_gaussian(), (0.001, 1.0, 1000.0)),
        ("Theorem S-4 (BMVTS)", theory.theorem_s4, problems.zhu_tan_bernoulli(), (1 / 9, 4 / 9, 8 / 9)),
    )
    for name, theorem, problem, rhos in bounds:
        for rho in rhos:
            bound = theorem(problem, HORIZON, rho=rho)
            finite = (np.isfinite(bound.pulls) & (bound.pulls > 0.0)).sum() / (problem.size - 1)
            rows.append(at_least({"theorem": name, "rho": rho}, computed(float(finite)), 1.0 - ROUNDING))
    return rows


def beside_lcb(outcomes: Outcomes) -> list[Row]:
    """The coefficient that the usual argument gives MV-LCB as plotted, over Theorem 3's.

    With a bonus b sqrt(ln t/T) an arm is not played again once twice the bonus is below its gap: 4 b^2/Delta_i^2 ln n.
    """
    rows = []
    lcb = MVLCB.authors()
    for rho in GAUSSIAN_RHOS:
        bound = theory.theorem_3(problems.zhu_tan_gaussian(rho))
        problem = problems.zhu_tan_gaussian(rho)
        others = problem.gaps > 0.0
        cost = bound.per_arm[others] / bound.pulls[others]
        pulls = 4.0 * lcb.factor * (lcb.offset + rho) ** 2 / problem.gaps[others] ** 2
        rows.append(at_least({"rho": rho}, computed(float((pulls * cost).sum() / bound.total)), 1.0))
    return rows


def bernoulli_above_one(outcomes: Outcomes) -> list[Row]:
    """The least growth of the mean-variance with the success probability, per unit of it."""
    p = np.linspace(0.0, 1.0, 1001)
    rows = []
    for rho in (*BERNOULLI_RHOS[1:], 1.5, 2.0, 10.0):
        if rho >= 1.0:
            values = rho * p - p * (1.0 - p)
            rows.append(at_least({"rho": rho}, computed(float(np.diff(values).min() / p[1])), 0.0))
    return rows


def gamma_lower(outcomes: Outcomes) -> list[Row]:
    """Lemma 4 for each number of pulls: the posterior's shape is (1 + pulls)/2."""
    rows = []
    for pulls in (1, 2, 3, 4, 5, 10, 30, 100):
        margin = lemmas.gamma_lower_tail_margin(shapes=(0.5 + 0.5 * pulls,))
        rows.append(at_least({"pulls": pulls}, computed(margin), -ROUNDING))
    return rows


def gamma_upper(outcomes: Outcomes) -> list[Row]:
    """Lemma 5 for several shapes."""
    rows = []
    for shape in (2.0, 3.0, 5.0, 10.0, 30.0, 100.0):
        margin = lemmas.gamma_upper_tail_margin(shapes=(shape,))
        rows.append(at_least({"shape": shape}, computed(margin), -ROUNDING))
    return rows


CLAIMS = (
    Claim(
        name="extreme-rhos",
        statement="At rho = 0.001 the problem is to minimise the variance, at rho = 1000 to maximise the mean.",
        place="section 5",
        measure="Share of an arm's gap that comes from the mean (rho = 0.001) or the variance (rho = 1000): at most 5 %.",
        quantity="largest share of a gap that comes from the other",
        needs=(),
        rows=extreme_rhos,
        rule=everywhere,
    ),
    Claim(
        name="theorem-1-known-limit",
        statement="As rho grows, the bound for MTS becomes the known bound for ordinary Thompson sampling.",
        place="section 4.5, equation (15)",
        measure="Theorem 1's coefficient per rho over sum_i 2/Gamma_i on the paper's arms: within 10 % at rho = 10^6.",
        quantity="bound for MTS over the known one",
        needs=(),
        rows=large_rho_of_theorem_1,
        rule=at_the_end,
    ),
    Claim(
        name="bounds-particularise",
        statement="At extreme rho the bound for MVTS becomes that for MTS (large rho) or VTS (small rho).",
        place="Remark 3 and section 4.5",
        measure="Theorem 3's coefficient over Theorem 1's at rho = 10^6 and over Theorem 2's at 10^-6, on the paper's "
        "arms: within 10 %.",
        quantity="bound for MVTS over the other",
        needs=(),
        rows=theorem_3_at_extremes,
        rule=everywhere,
    ),
    Claim(
        name="vts-bound-optimal",
        statement="Where all variances are close, the bound for VTS is as small as that of any policy can be.",
        place="abstract; section 4.5, order optimality",
        measure="Two arms whose variances come together, rho the square of their relative distance: Theorem 2's bound "
        "on pulls over the lower bound, within 10 % at the smallest distance.",
        quantity="bound on pulls over the lower bound",
        needs=(),
        rows=hard_instances,
        rule=at_the_end,
        note=regret_factor,
    ),
    Claim(
        name="best-known-bounds",
        statement="The regret bounds are the best known for the problem: that of MVTS is below that of MV-LCB.",
        place="abstract",
        measure="Coefficient of ln n from the usual argument for MV-LCB as plotted, 4 b^2/Delta_i^2 pulls with its "
        "constant b, over that of Theorem 3, on the paper's arms: at least 1.",
        quantity="bound for MV-LCB over that for MVTS",
        needs=(),
        rows=beside_lcb,
        rule=everywhere,
    ),
    Claim(
        name="finite-time-bounds",
        statement="The bounds come from finite-time bounds, which the simulations are to validate.",
        place="sections 4 and 5; Theorems S-1, S-2, S-4",
        measure="Share of the wrong arms for which the bound, with the paper's epsilon, is finite at n = 30 000: all.",
        quantity="share of the wrong arms for which the bound says something",
        needs=(),
        rows=finite_time,
        rule=everywhere,
    ),
    Claim(
        name="bernoulli-rho-above-1",
        statement="For Bernoulli arms and rho of 1 or more, the arm with the largest mean is the best one.",
        place="Remark on rho, after Theorem 4",
        measure="Growth of rho p - p(1 - p) with p: never negative.",
        quantity="least growth of the value per growth of p",
        needs=(),
        rows=bernoulli_above_one,
        rule=without_exception,
    ),
    Claim(
        name="lemma-4",
        statement="A tail bound for Gamma variables, which the proofs use after any number of pulls, is true.",
        place="Lemma 4, used in (S-10)",
        measure="Logarithm of the tail less that of the bound, at the posterior's shape after so many pulls: never below 0.",
        quantity="least margin (in logarithms)",
        needs=(),
        rows=gamma_lower,
        rule=everywhere,
    ),
    Claim(
        name="lemma-5",
        statement="The second tail bound for Gamma variables is true.",
        place="Lemma 5",
        measure="Logarithm of the bound less that of the tail, over shapes and points: never negative.",
        quantity="least margin (in logarithms)",
        needs=(),
        rows=gamma_upper,
        rule=without_exception,
    ),
)
