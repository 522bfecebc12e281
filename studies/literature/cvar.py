"""Claims about policies for CVaR."""

from __future__ import annotations

from riskbandits import Problem
from riskbandits.arms import TruncatedGaussianMixtureArms
from riskbandits.inference.claims import Claim
from riskbandits.policies import BCVTS, UUCB, CVaRUCB
from riskbandits.risk import CVaR
from studies.literature.bench import Bench, regret_ratio
from studies.literature.evidence import Row, at_least

BAUDRY = "Baudry, Gautron, Kaufmann & Maillard 2021 (arXiv 2012.05754)"
LEVELS = (0.1, 0.5, 0.9)

# Two modes each: a steady arm, one that fails occasionally, and one with better good years that fails more often.
HARVESTS = TruncatedGaussianMixtureArms(
    weights=[[0.5, 0.5], [0.1, 0.9], [0.25, 0.75]],
    locations=[[0.45, 0.55], [0.2, 0.65], [0.15, 0.85]],
    scales=[[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]],
    lows=[0.0, 0.0, 0.0],
    highs=[1.0, 1.0, 1.0],
)


def bcvts_against_bounds(bench: Bench) -> list[Row]:
    """One row per level and rival."""
    rows = []
    for level in LEVELS:
        found = bench.simulate(Problem(HARVESTS, CVaR(level)), [BCVTS(), CVaRUCB(), UUCB()], horizon=5_000, runs=200)
        for rival in ("CVaRUCB", "UUCB"):
            rows.append(at_least(f"against {rival} at level {level:g}", regret_ratio(found, rival, "BCVTS"), 1.0))
    return rows


CLAIMS = (
    Claim(
        name="bcvts-beats-confidence-bounds",
        statement="For the CVaR of bounded rewards, Thompson sampling (B-CVTS) has less regret than UCB algorithms.",
        source=f"{BAUDRY}, abstract",
        setting="Three arms in [0, 1], each a mixture of two truncated Gaussians (our numbers, their family); CVaR at "
        "levels 0.1, 0.5 and 0.9; 5 000 steps.",
        measure="Mean regret of CVaR-UCB and of U-UCB at the horizon, relative to B-CVTS: at least 1 in every setting.",
        quantity="regret of the UCB algorithms, relative to B-CVTS",
        study=bcvts_against_bounds,
    ),
)
