"""The paper's claims about its Bernoulli arms: Figure 7 and the supplement's Figures S-1 to S-3."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from riskbandits.inference.claims import Claim
from riskbandits.paper.claims import gaussian_claims
from riskbandits.paper.claims.evidence import Row, everywhere
from riskbandits.paper.claims.gaussian_claims import COMPARED
from riskbandits.paper.experiments import BERNOULLI_RHOS, Outcomes
from riskbandits.simulation.checkpoints import PAPER

PRESETS = ("BernoulliLCB", "BernoulliLCB:sani", "BernoulliLCB:tight")
INSIDE = tuple(rho for rho in BERNOULLI_RHOS if 0.0 < rho < 1.0)
QUANTITY = "regret of the LCB policy over that of BMVTS"


def beats(
    outcomes: Outcomes,
    rivals: Sequence[str] = PRESETS,
    rhos: Sequence[float] = INSIDE,
    steps: Sequence[int | None] = (None,),
) -> list[Row]:
    """One row per rival, rho and step: whether BMVTS has less regret."""
    return gaussian_claims.beats(outcomes, "BMVTS", rivals, rhos, steps=steps, experiment="bernoulli")


def over_time(figure: str, ninths: int) -> Claim:
    """The claim that one of the supplement's figures makes."""
    rho = BERNOULLI_RHOS[ninths]
    return Claim(
        name=f"bmvts-over-time-{ninths}-9",
        statement=f"On Bernoulli arms with rho = {ninths}/9, BMVTS's regret is below that of LCB all along the curve.",
        source=f"supplement, {figure}",
        measure="Mean exact pseudo-regret, LCB as plotted over BMVTS, above 1 at each step the authors plot.",
        quantity=QUANTITY,
        needs=("bernoulli",),
        study=partial(beats, rivals=("BernoulliLCB",), rhos=(rho,), steps=PAPER),
        rule=everywhere,
    )


CLAIMS = (
    Claim(
        name="bmvts-beats-lcb",
        statement="On Bernoulli arms, BMVTS has less regret than LCB policies at every rho between 0 and 1.",
        source="abstract; sections 5 and 6; Figure 7",
        measure=COMPARED + " Decided for the authors' constants, Sani's, and the tightest that can be justified.",
        quantity=QUANTITY,
        needs=("bernoulli",),
        study=beats,
        rule=everywhere,
    ),
    over_time("Figure S-1", 1),
    over_time("Figure S-2", 4),
    over_time("Figure S-3", 8),
)
