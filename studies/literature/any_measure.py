"""Claims about mean-CVaR, Thompson sampling for any risk measure, and mixtures of arms."""

from __future__ import annotations

import numpy as np

from riskbandits import Problem
from riskbandits.arms import GaussianArms, StudentTArms
from riskbandits.identification import TruncatedRejects
from riskbandits.inference.claims import Claim
from riskbandits.inference.ratios import computed, of_means
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.policies import NPTS
from riskbandits.risk import LargestVariance, Mean, MeanVariance
from riskbandits.theory import best_mixture, lower_bound
from studies.literature.bench import Bench
from studies.literature.evidence import Row, Share, at_least, at_most

ROBUST = "Kagrecha, Nair & Jagannathan 2020 (arXiv 2008.13629)"
ANY_RISK = "Chang 2026 (arXiv 2606.09191)"
MIXED = "Tatli, Mukherjee, Prashanth, Shanmugam & Tajer 2025 (arXiv 2503.08896)"


def misspecified(bench: Bench) -> list[Row]:
    """A threshold for the wrong tails, and one that grows."""
    problem = Problem(StudentTArms([5.0, 5.5, 5.0], [1.0, 1.0, 1.0], [2.5, 2.5, 2.5]), Mean())
    rows = []
    for budget in (2_000, 10_000):
        wrong = {}
        for name, rule in (("fixed", TruncatedRejects(0.0, 4.0)), ("growing", TruncatedRejects(0.5, 1.0))):
            found = bench.identify(problem, rule, runs=500, budget=budget)
            wrong[name] = _share(found.chosen != problem.best_arm)
        rows.append(at_least(f"a fixed threshold that is too low, {budget} pulls", wrong["fixed"], 0.5))
        rows.append(at_most(f"a growing threshold, {budget} pulls", wrong["growing"], 0.05))
    return rows


def rate_of_npts(bench: Bench) -> list[Row]:
    """The growth of regret per ln n, relative to the lower bound."""
    rows = []
    for rho in (1.0, 10.0):
        problem = Problem(GaussianArms([0.0, 0.5, 1.0], [0.2, 0.3, 1.2]), MeanVariance(rho))
        found = bench.simulate(problem, [NPTS.anchor_free()], horizon=10_000, runs=300, checkpoints=[1_000, 10_000])
        regrets = exact_pseudo_regret(found.traces[0])
        slopes = (regrets[:, 1] - regrets[:, 0]) / np.log(10.0)
        rows.append(at_most(f"rho = {rho:g}", of_means(slopes, np.full(len(slopes), lower_bound(problem).total)), 2.0))
    return rows


def gains_of_mixtures(bench: Bench) -> list[Row]:
    """The value of the best mixture relative to that of the best arm; computed, not simulated."""
    distant = GaussianArms([0.0, 2.0], [1.0, 1.0])
    wild = best_mixture(Problem(distant, LargestVariance()))
    calm = best_mixture(Problem(distant, MeanVariance(1.0)))
    return [
        at_least("the largest variance", computed(wild.value / (wild.value - wild.gain)), 1.5),
        at_most("mean minus variance", computed(calm.value / (calm.value - calm.gain)), 1.0),
    ]


def _share(marks: np.ndarray) -> Share:
    return Share(int(np.count_nonzero(marks)), len(marks))


CLAIMS = (
    Claim(
        name="fixed-truncation-is-inconsistent",
        statement="A rule that is tuned to known tails keeps failing if the tails are misspecified; truncation that "
        "grows with the sample does not.",
        source=ROBUST,
        setting="Three Student-t arms with 2.5 degrees of freedom, centred at 5, 5.5 and 5; successive rejects with "
        "rewards truncated at 4, and at the square root of the sample size; budgets of 2 000 and 10 000.",
        measure="Error probability: at least one half with the fixed threshold, at most 5 % with the growing one. Our "
        "limits.",
        quantity="error probability",
        study=misspecified,
    ),
    Claim(
        name="npts-sg-at-the-lower-bound",
        statement="The regret of anchor-free nonparametric Thompson sampling (rho-NPTS_SG) matches the "
        "instance-dependent lower bound to leading order in ln n, also on Gaussian arms.",
        source=ANY_RISK,
        setting="Three Gaussian arms, mean-variance at rho = 1 and 10, between 1 000 and 10 000 steps; "
        "NPTS.anchor_free().",
        measure="Growth of mean regret per ln n, relative to the lower bound: at most 2 (our limit), if the horizon "
        "were long enough. A theorem about a limit is not refuted at a finite horizon.",
        quantity="growth of regret per ln n, relative to the lower bound",
        study=rate_of_npts,
    ),
    Claim(
        name="a-mixture-can-be-best",
        statement="For some risk measures a mixture of arms is worth more than every single arm.",
        source=MIXED,
        setting="Two Gaussian arms with means 0 and 2 and variance 1; computed.",
        measure="Value of the best mixture relative to that of the best arm: at least 1.5 for the largest variance, at "
        "most 1 for mean minus variance.",
        quantity="value of the best mixture, relative to the best arm",
        study=gains_of_mixtures,
    ),
)
