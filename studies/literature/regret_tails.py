"""Claims about the tails of regret."""

from __future__ import annotations

import numpy as np

from riskbandits import Problem
from riskbandits.arms import GaussianArms
from riskbandits.inference.claims import Claim
from riskbandits.policies import GaussianTS, HorizonUCB
from riskbandits.risk import Mean
from studies.literature.bench import Bench, final, regret_ratio
from studies.literature.evidence import Row, Share, at_least, at_most

TAILS = "Salomon & Audibert 2011 (Deviations of Stochastic Bandit Regret)"
FRAGILE = "Fan & Glynn 2025 (The Fragility of Optimized Bandit Algorithms, arXiv 2109.13595)"
TWO_ARMS = Problem(GaussianArms([1.0, 0.0], [1.0, 1.0]), Mean())
LARGE, RARE = 100.0, 0.0003


def large_regrets(bench: Bench) -> list[Row]:
    """How often regret is large."""
    found = bench.simulate(TWO_ARMS, [GaussianTS(), HorizonUCB()], horizon=2_000, runs=50_000)
    shares = {label: _share(final(found, label) > LARGE) for label in ("GaussianTS", "HorizonUCB")}
    return [
        at_least("Thompson sampling, which does not know the horizon", shares["GaussianTS"], RARE),
        at_most("HorizonUCB, which knows it", shares["HorizonUCB"], RARE),
        at_most(
            "mean regret of the second, relative to the first", regret_ratio(found, "HorizonUCB", "GaussianTS"), 1.5
        ),
    ]


def heavy_tail(bench: Bench) -> list[Row]:
    """Among the runs with a regret above x, the share above 2 x."""
    regrets = final(bench.simulate(TWO_ARMS, [GaussianTS()], horizon=2_000, runs=100_000), "GaussianTS")
    shares = {x: _share(regrets[regrets > x] > 2.0 * x) for x in (50.0, 100.0)}
    return [at_least(f"above {2 * x:g} given above {x:g}", share, 0.1) for x, share in shares.items()]


def _share(marks: np.ndarray) -> Share:
    return Share(int(np.count_nonzero(marks)), len(marks))


CLAIMS = (
    Claim(
        name="anytime-policies-have-heavy-tails",
        statement="A policy that does not know the horizon cannot have both a small mean regret and light tails; a "
        "policy that knows it can.",
        source=f"{TAILS}; Audibert, Munos & Szepesvari 2009",
        setting="Two Gaussian arms with means 1 and 0 and variance 1, 2 000 steps; Thompson sampling, and UCB1 with "
        "ln n in its bonus (HorizonUCB). The statement is about all policies; this is one example.",
        measure=f"The share of runs with a regret above {LARGE:g}: at least {RARE:g} for the first, at most that for "
        "the second, whose mean regret is at most one and a half times as large. Our limits, chosen after a first "
        "look.",
        quantity="share of runs with a large regret",
        study=large_regrets,
    ),
    Claim(
        name="optimised-policies-have-heavy-tails",
        statement="The regret of a policy that is asymptotically optimal in the mean exceeds x with a probability "
        "that falls like a power of x, in the limit like 1/x.",
        source=FRAGILE,
        setting="Two Gaussian arms with means 1 and 0 and variance 1; Thompson sampling (GaussianTS), 2 000 steps.",
        measure="Of the runs with a regret above x, the share above 2 x: at least a tenth (our limit) for x = 50 and "
        "100. It tends to one half; for a light tail it would shrink as x grows.",
        quantity="share of the runs above x that are above 2 x",
        study=heavy_tail,
    ),
)
