"""Remarks and lemmas that arithmetic decides without any simulation."""

from __future__ import annotations

import numpy as np

from riskbandits import problems
from riskbandits.inference.claims import Claim
from riskbandits.inference.ratios import computed
from riskbandits.paper.claims.evidence import (
    Row,
    at_least,
    at_most,
    cases_not_refuted,
    everywhere,
    unless_refuted,
    without_exception,
)
from riskbandits.paper.experiments import BERNOULLI_RHOS, Outcomes
from riskbandits.paper.lemmas import probability_bounds

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
        margin = probability_bounds.gamma_lower_tail_margin(shapes=(0.5 + 0.5 * pulls,))
        rows.append(at_least({"pulls": pulls}, computed(margin), -ROUNDING))
    return rows


def gamma_upper(outcomes: Outcomes) -> list[Row]:
    """Lemma 5 for several shapes."""
    rows = []
    for shape in (2.0, 3.0, 5.0, 10.0, 30.0, 100.0):
        margin = probability_bounds.gamma_upper_tail_margin(shapes=(shape,))
        rows.append(at_least({"shape": shape}, computed(margin), -ROUNDING))
    return rows


CLAIMS = (
    Claim(
        name="extreme-rhos",
        statement="At rho = 0.001 the problem is to minimise the variance, at rho = 1000 to maximise the mean.",
        source="section 5",
        measure="Share of an arm's gap that comes from the mean (rho = 0.001) or variance (rho = 1000): at most 5 %.",
        quantity="largest share of a gap that comes from the other",
        needs=(),
        study=extreme_rhos,
        rule=everywhere,
    ),
    Claim(
        name="bernoulli-rho-above-1",
        statement="For Bernoulli arms and rho of 1 or more, the arm with the largest mean is the best one.",
        source="Remark on rho, after Theorem 4",
        measure=r"Growth of $\rho p$ - p(1 - p) with p: never negative.",
        quantity="least growth of the value per growth of p",
        needs=(),
        study=bernoulli_above_one,
        rule=without_exception,
    ),
    Claim(
        name="lemma-4",
        statement="A tail bound for Gamma variables, which the proofs use after any number of pulls, is true.",
        source="Lemma 4, used in (S-10)",
        measure="Logarithm of the tail less that of the bound, at the posterior's shape: not below 0.",
        quantity="least margin (in logarithms)",
        needs=(),
        study=gamma_lower,
        rule=cases_not_refuted,
    ),
    Claim(
        name="lemma-5",
        statement="The second tail bound for Gamma variables is true.",
        source="Lemma 5",
        measure="Logarithm of the bound less that of the tail, over shapes and points: never negative.",
        quantity="least margin (in logarithms)",
        needs=(),
        study=gamma_upper,
        rule=unless_refuted,
    ),
)
