"""Figures 3 to 5 as curves: what the paper reads from them, at every step that its authors plot."""

from __future__ import annotations

from collections.abc import Callable

from riskbandits.inference.claims import Claim
from riskbandits.paper.claims.evidence import Row
from riskbandits.paper.claims.gaussian_figures import AT_RHO_1, OURS, beats
from riskbandits.paper.claims.verdict_rules import everywhere
from riskbandits.paper.experiments import Outcomes
from riskbandits.simulation.checkpoints import PAPER

MEASURE = (
    "Mean exact pseudo-regret, the rival's over one's own, above 1 at each step the authors plot. MV-LCB as plotted."
)


def below(own: str, rho: float) -> Callable[[Outcomes], list[Row]]:
    """One row per other policy of the figure and step."""
    rivals = (*(one for one in OURS if one != own), "MVLCB")
    return lambda outcomes: beats(outcomes, own, rivals, (rho,), steps=PAPER)


def three_below(outcomes: Outcomes) -> list[Row]:
    """One row per policy of the paper and step, beside MV-LCB at rho = 1."""
    return [row for own in OURS for row in beats(outcomes, own, ("MVLCB",), (1.0,), who=True, steps=PAPER)]


CLAIMS = (
    Claim(
        name="figure-3-every-step",
        statement="At rho = 0.001 the curve of VTS lies below those of all other policies from beginning to end.",
        source="section 5, Figure 3",
        measure=MEASURE,
        quantity="regret of the rival over that of VTS",
        needs=("gaussian", "gaussian-small-rho"),
        study=below("VTS", 0.001),
        rule=everywhere,
    ),
    Claim(
        name="figure-4-every-step",
        statement="At rho = 1 the curves of MTS, VTS and MVTS all lie below that of MV-LCB from beginning to end.",
        source="section 5, Figure 4",
        measure=MEASURE,
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian", *AT_RHO_1),
        study=three_below,
        rule=everywhere,
    ),
    Claim(
        name="figure-5-every-step",
        statement="At rho = 1000 the curve of MTS lies below those of all other policies from beginning to end.",
        source="section 5, Figure 5",
        measure=MEASURE,
        quantity="regret of the rival over that of MTS",
        needs=("gaussian",),
        study=below("MTS", 1000.0),
        rule=everywhere,
    ),
)
