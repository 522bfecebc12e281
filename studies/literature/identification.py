"""Claims about best-arm identification."""

from __future__ import annotations

import math

import numpy as np

from riskbandits import Problem
from riskbandits.arms import BernoulliArms
from riskbandits.identification import VALUCB
from riskbandits.inference.claims import Claim, unless_refuted
from riskbandits.inference.ratios import of_means
from riskbandits.risk import VarianceConstrained
from studies.literature.bench import Bench
from studies.literature.evidence import Row, Share, at_most

HOU = "Hou, Tan & Zhong 2022 (arXiv 2201.10142)"
DELTA, RUNS = 0.05, 200
# Bernoulli arms with mean p have variance p (1 - p).
INSTANCES = {
    "one safe arm is best": ([0.05, 0.15, 0.5], 0.19),
    "the best mean varies too much": ([0.1, 0.3, 0.5], 0.16),
    "no arm is safe": ([0.3, 0.5], 0.12),
}
EASY, HARD = ([0.05, 0.2, 0.5], 0.2), ([0.05, 0.09, 0.5], 0.2)  # the means of the two feasible arms move close together
SLACK = 1.25


def va_lucb_errors(bench: Bench) -> list[Row]:
    """One row per instance: how often the answer is wrong."""
    rows = []
    for where, (means, limit) in INSTANCES.items():
        problem = Problem(BernoulliArms(means), VarianceConstrained(limit))
        found = bench.identify(problem, VALUCB(), RUNS, confidence=1.0 - DELTA)
        rows.append(at_most(where, Share(found.errors, found.runs), DELTA))
    return rows


def hardness(problem: Problem, limit: float) -> float:
    """H_VA as in the authors' program, for a problem whose best arm satisfies the limit.

    >>> problem = Problem(BernoulliArms([0.1, 0.3]), VarianceConstrained(0.25))
    >>> round(hardness(problem, 0.25), 1)  # 1/0.04^2 + 1/0.1^2
    725.0
    """
    best = problem.best_arm
    gaps = problem.means[best] - problem.means
    apart = np.abs(problem.variances - limit)
    terms = []
    for k in range(problem.size):
        below, safe = gaps[k] > 0.0, problem.variances[k] <= limit
        if k == best:
            nearest = gaps[gaps > 0.0].min(initial=math.inf)
            terms.append(min(nearest / 2.0, apart[k]))
        elif safe:
            terms.append(gaps[k] / 2.0)
        else:
            terms.append(max(gaps[k] / 2.0, apart[k]) if below else apart[k])
    return float(sum(term**-2.0 for term in terms))


def va_lucb_samples(bench: Bench) -> list[Row]:
    """How many samples a hard instance needs relative to an easy one, in units of H ln(H/delta)."""
    costs = []
    for means, limit in (EASY, HARD):
        problem = Problem(BernoulliArms(means), VarianceConstrained(limit))
        found = bench.identify(problem, VALUCB(), RUNS // 4, confidence=1.0 - DELTA)
        h = hardness(problem, limit)
        costs.append(found.cost / (h * math.log(h / DELTA)))
    return [at_most("a gap of 0.04 over one of 0.15", of_means(costs[1], costs[0]), SLACK)]


CLAIMS = (
    Claim(
        name="va-lucb-keeps-its-promise",
        statement="VA-LUCB identifies the arm with the best mean among those whose variance is small enough, or "
        "reports that there is none, and errs with probability at most delta.",
        source=f"{HOU}, abstract",
        setting="Two or three Bernoulli arms, three instances, one of them without a feasible arm; delta = 0.05.",
        measure="The share of runs that end with a wrong answer: at most 0.05 in every instance.",
        quantity="probability of a wrong answer",
        study=va_lucb_errors,
        rule=unless_refuted,
    ),
    Claim(
        name="va-lucb-samples",
        statement="VA-LUCB needs on the order of H ln(H/delta) samples, where H is the hardness of the instance.",
        source=f"{HOU}, abstract",
        setting="Three Bernoulli arms, variance at most 0.2, delta = 0.05; the gap between the means of the two "
        "feasible arms is 0.15 and then 0.04.",
        measure="Mean number of samples divided by H ln(H/delta): grows by at most a quarter (our limit) from the "
        "first instance to the second.",
        quantity="samples per H ln(H/delta), hard relative to easy",
        study=va_lucb_samples,
    ),
)
