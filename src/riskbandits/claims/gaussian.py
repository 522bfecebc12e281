"""The paper's claims about Gaussian arms: figures 2 to 5 and what the text says of them."""

from __future__ import annotations

from collections.abc import Sequence

from riskbandits.claims.claim import Claim, everywhere
from riskbandits.claims.evidence import Row, better
from riskbandits.claims.reading import regret_difference, regret_ratio, trace
from riskbandits.experiments.experiment import Outcomes
from riskbandits.experiments.zhu_tan import GAUSSIAN_RHOS

PRESETS = ("MVLCB", "MVLCB:sani", "MVLCB:vakili")
RIVAL = "regret of the rival over that of {} at the horizon"
COMPARED = "Mean exact pseudo-regret at the horizon, rival over own: above 1, by Welch's test, Holm over all rows."


def beats(outcomes: Outcomes, own: str, rivals: Sequence[str], rhos: Sequence[float]) -> list[Row]:
    """One row per rival and rho: whether a policy has less regret."""
    rows = []
    for rival in rivals:
        for rho in rhos:
            pair = trace(outcomes, "gaussian", rho, rival), trace(outcomes, "gaussian", rho, own)
            rows.append(better({"against": rival, "rho": rho}, regret_ratio(*pair), regret_difference(*pair)))
    return rows


CLAIMS = (
    Claim(
        name="vts-best-small-rho",
        statement="Where nearly only the variance counts (rho = 0.001), VTS has the smallest regret of all policies.",
        place="Section 5, Figure 2 (fig2)",
        measure=COMPARED,
        quantity=RIVAL.format("VTS"),
        needs=("gaussian",),
        rows=lambda outcomes: beats(outcomes, "VTS", ("MTS", "MVTS", *PRESETS), (0.001,)),
        rule=everywhere,
    ),
    Claim(
        name="mvts-beats-mv-lcb",
        statement="MVTS has less regret than MV-LCB at every risk tolerance rho.",
        place="Abstract; sections 1.2, 5 and 6; Figure 5 (fig5)",
        measure=COMPARED + " Decided for each published set of constants of MV-LCB.",
        quantity=RIVAL.format("MVTS"),
        needs=("gaussian",),
        rows=lambda outcomes: beats(outcomes, "MVTS", PRESETS, GAUSSIAN_RHOS),
        rule=everywhere,
    ),
)
