"""Claims about policies and rules for Sharpe ratios and for the largest variance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from riskbandits import Problem, suites
from riskbandits.arms import GaussianArms, UniformArms
from riskbandits.identification import Decision, SequentialHalving
from riskbandits.inference.claims import Claim
from riskbandits.inference.ratios import of_means
from riskbandits.policies import SRTS, UCBRSSR, VTS, ModifiedGRAUCB, SharpeUCB
from riskbandits.risk import LargestVariance, Sharpe
from studies.literature.bench import Bench, final, regret_ratio
from studies.literature.evidence import Row, at_least, at_most

RSSR = "Khurshid, Abdulla & Ghatak 2024 (arXiv 2406.06552)"
SHARPE_TS = "Shah, Khurshid & Ghatak 2025 (arXiv 2508.13749)"
WILD = "Variance-Optimal Arm Selection 2025 (arXiv 2505.11985)"
GROWTH = (
    "Factor by which mean regret grows over ten times the horizon: at most 2 (our limit; a logarithm gives 1.2, a "
    "square root 3.2)."
)

SQUARED = Sharpe.squared()
UNIT = UniformArms([0.0, 0.3, 0.1], [1.0, 0.9, 0.8])
GAUSSIAN = GaussianArms([0.2, 0.5, 1.0, 0.8], [0.1, 0.3, 1.0, 0.4])
CALM_TO_WILD = UniformArms([0.0] * 8, [1.0, 1.2, 1.4, 1.6, 1.7, 1.8, 1.85, 2.0])

Study = Callable[[Bench], list[Row]]


class UniformSampling(NamedTuple):
    """The baseline for rules that look for the largest variance: every arm equally often."""

    def choose(self, samples: Any, risk: Any, budget: int, confidence: float | None) -> Decision:
        """The arm with the largest sample variance."""
        pulls = budget // samples.size
        return Decision(int(np.argmax([np.var(samples.first(k, pulls)) for k in range(samples.size)])))


def rssr_against_gra(bench: Bench) -> list[Row]:
    """The authors' own uniform arms."""
    problems = {case.name: case.problem for case in suites.named("sharpe").cases}
    rows = []
    for name in ("uniform-2", "uniform-5"):
        found = bench.simulate(problems[name], [UCBRSSR(), ModifiedGRAUCB()], horizon=10_000, runs=2_000)
        rows.append(at_least(name, regret_ratio(found, "ModifiedGRAUCB", "UCBRSSR"), 1.0))
    return rows


def logarithmic(problem: Problem, policy: Any, runs: int, horizon: int = 10_000) -> Study:
    """A study of whether regret grows logarithmically."""

    def study(bench: Bench) -> list[Row]:
        ends = [
            final(bench.simulate(problem, {"policy": policy}, horizon=steps, runs=runs), "policy")
            for steps in (horizon, 10 * horizon)  # separate runs, so that both ends are independent
        ]
        return [at_most(f"{horizon} to {10 * horizon} steps", of_means(ends[1], ends[0]), 2.0)]

    return study


def srts_against_bounds(bench: Bench) -> list[Row]:
    """Against the published bound for the squared ratio, and against ours for both forms."""
    squared = bench.simulate(Problem(GAUSSIAN, SQUARED), [SRTS(), UCBRSSR(), SharpeUCB()], horizon=10_000, runs=200)
    plain = bench.simulate(Problem(GAUSSIAN, Sharpe()), [SRTS(), SharpeUCB()], horizon=10_000, runs=200)
    return [
        at_least("against UCB-RSSR, squared ratio", regret_ratio(squared, "UCBRSSR", "SRTS"), 1.0),
        at_least("against SharpeUCB, squared ratio", regret_ratio(squared, "SharpeUCB", "SRTS"), 1.0),
        at_least("against SharpeUCB", regret_ratio(plain, "SharpeUCB", "SRTS"), 1.0),
    ]


def halving_against_uniform(runs: dict[int, int]) -> Study:
    """A study of whether sequential halving errs less often than uniform sampling; the runs at each budget."""

    def study(bench: Bench) -> list[Row]:
        problem = Problem(CALM_TO_WILD, LargestVariance())
        rows = []
        for budget, number in runs.items():
            wrong = {}
            for rule in (UniformSampling(), SequentialHalving()):
                found = bench.identify(problem, rule, runs=number, budget=budget)
                wrong[type(rule)] = (found.chosen != problem.best_arm).astype(float)
            ratio = of_means(wrong[UniformSampling], wrong[SequentialHalving])
            rows.append(at_least(f"8 uniform arms, {budget} pulls", ratio, 1.0))
        return rows

    return study


CLAIMS = (
    Claim(
        name="ucb-rssr-beats-gra-ucb",
        statement="For the squared Sharpe ratio, UCB-RSSR has less regret than Modified-GRA-UCB.",
        source=f"{RSSR}, figure 3(a)",
        setting="The first 2 and 5 uniform arms of the authors' set (suite sharpe), L = 1, 10 000 steps.",
        measure="Mean regret of Modified-GRA-UCB relative to UCB-RSSR: at least 1 in both settings; 2 000 runs, since "
        "200 left it open.",
        quantity="regret of Modified-GRA-UCB, relative to UCB-RSSR",
        study=rssr_against_gra,
    ),
    Claim(
        name="ucb-rssr-logarithmic",
        statement="The regret of UCB-RSSR grows like ln n.",
        source=RSSR,
        setting="Three uniform arms in [0, 1], L = 1, 100 000 and 1 000 000 steps.",
        measure=GROWTH,
        quantity="growth of regret over ten times the horizon",
        study=logarithmic(Problem(UNIT, SQUARED), UCBRSSR(), 50, horizon=100_000),
    ),
    Claim(
        name="srts-beats-confidence-bounds",
        statement="Thompson sampling for the Sharpe ratio has less regret than earlier policies.",
        source=SHARPE_TS,
        setting="Four Gaussian arms, L = 1, 10 000 steps; UCB-RSSR, and our SharpeUCB for both forms of the ratio.",
        measure="Mean regret of each competitor relative to SRTS: at least 1.",
        quantity="regret of the competitor, relative to SRTS",
        study=srts_against_bounds,
    ),
    Claim(
        name="srts-logarithmic",
        statement="The regret of SRTS grows like ln n.",
        source=SHARPE_TS,
        setting="Four Gaussian arms, L = 1, 10 000 and 100 000 steps.",
        measure=GROWTH,
        quantity="growth of regret over ten times the horizon",
        study=logarithmic(Problem(GAUSSIAN, Sharpe()), SRTS(), 100),
    ),
    Claim(
        name="vts-finds-the-largest-variance",
        statement="VTS has a small regret when the goal is the largest variance, although no guarantee is known.",
        source=WILD,
        setting="Four Gaussian arms; the goal is the largest variance; 10 000 and 100 000 steps.",
        measure=GROWTH,
        quantity="growth of regret over ten times the horizon",
        study=logarithmic(Problem(GAUSSIAN, LargestVariance()), VTS(), 100),
    ),
    Claim(
        name="shvv-beats-uniform-sampling",
        statement="Sequential halving identifies the arm with the largest variance more reliably than uniform "
        "sampling.",
        source=WILD,
        setting="Eight uniform arms of growing width, budgets of 400 and 1 600.",
        measure="Error probability of uniform sampling relative to sequential halving: at least 1; 20 000 runs at 400 "
        "pulls, since 5 000 left it open.",
        quantity="errors of uniform sampling, relative to sequential halving",
        study=halving_against_uniform({400: 20_000, 1_600: 5_000}),
    ),
)
