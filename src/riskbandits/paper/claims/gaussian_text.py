"""What the text says of the Gaussian arms beyond its reading of single figures."""

from __future__ import annotations

from collections.abc import Sequence

from riskbandits import theory
from riskbandits.inference.claims import Claim
from riskbandits.inference.ratios import of_spread
from riskbandits.metrics import regret
from riskbandits.paper.claims.evidence import SIMILAR, Row, at_least, at_most
from riskbandits.paper.claims.gaussian_figures import AT_RHO_1, COMPARED, OURS, beats
from riskbandits.paper.claims.measurements import final, gaussian, measured, most_runs, outcome, regret_ratio
from riskbandits.paper.claims.verdict_rules import everywhere
from riskbandits.paper.experiments import BERNOULLI_RHOS, GAUSSIAN_RHOS, Outcomes

FIGURE_RHOS = (0.001, 1.0, 1000.0)
SHOWN = (*OURS, "MVLCB")
MORE_RUNS = ("gaussian-small-rho", "gaussian-some-rho", *AT_RHO_1)
SMALL = 0.25  # a standard deviation of at most a quarter of the mean counts as small


def near_the_better(outcomes: Outcomes) -> list[Row]:
    """One row per rho: MVTS beside the better of the two specialists."""
    rows = []
    for rho in GAUSSIAN_RHOS:
        specialists = [gaussian(outcomes, rho, label) for label in ("MTS", "VTS")]
        best = min(specialists, key=lambda one: float(final(one).mean()))
        ratio = regret_ratio(gaussian(outcomes, rho, "MVTS"), best)
        rows.append(at_most({"rho": rho}, ratio, SIMILAR)._replace(more={"better_specialist": best.label}))
    return rows


def mts_without_condition(outcomes: Outcomes) -> list[Row]:
    """MTS where Theorem 1's condition on rho fails: against MV-LCB as plotted, beside the paper's other policies."""
    problem = outcome(outcomes, "gaussian").at(1.0).problem
    rhos = [rho for rho in GAUSSIAN_RHOS if not theory.theorem_1(problem, rho=rho).applies]
    rows = beats(outcomes, "MTS", ("MVLCB",), rhos)
    for rho in rhos:
        others = [gaussian(outcomes, rho, label) for label in ("VTS", "MVTS")]
        best = min(others, key=lambda one: float(final(one).mean()))
        ratio = regret_ratio(best, gaussian(outcomes, rho, "MTS"))
        row = at_least({"against": "the better of VTS and MVTS", "rho": rho}, ratio, 1.0 / SIMILAR)
        rows.append(row._replace(more={"better_policy": best.label}))
    return rows


def spreads(
    outcomes: Outcomes, experiment: str = "gaussian", labels: Sequence[str] = SHOWN, rhos: Sequence[float] = FIGURE_RHOS
) -> list[Row]:
    """One row per policy and rho: standard deviation of the regret over its mean."""
    rows = []
    for label in labels:
        for rho in rhos:
            values, rare = measured(most_runs(outcomes, experiment, rho, label), regret)
            rows.append(at_most({"policy": label, "rho": rho}, of_spread(values, rare), SMALL))
    return rows


def spreads_of_all(outcomes: Outcomes) -> list[Row]:
    """The same for every policy and rho of Figures 6 and 7, of which the supplement's figures are parts."""
    rows = spreads(outcomes, rhos=GAUSSIAN_RHOS)
    return [*rows, *spreads(outcomes, "bernoulli", ("BMVTS", "BernoulliLCB"), BERNOULLI_RHOS)]


CLAIMS = (
    Claim(
        name="mvts-well-everywhere",
        statement="MVTS performs well at every rho: nobody needs to know whether MTS or VTS is the better choice.",
        source="section 3.2",
        measure="Mean exact pseudo-regret of MVTS at most 25 % above that of the better of MTS and VTS.",
        quantity="regret of MVTS over that of the better of MTS and VTS",
        needs=("gaussian", *MORE_RUNS),
        study=near_the_better,
        rule=everywhere,
    ),
    Claim(
        name="all-beat-mv-lcb",
        statement="All Gaussian algorithms of the paper, MTS and VTS too, have less regret than MV-LCB at every rho.",
        source="abstract",
        measure=COMPARED + " MV-LCB with the constants behind the paper's figures.",
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian", *MORE_RUNS),
        study=lambda outcomes: [row for own in OURS for row in beats(outcomes, own, ("MVLCB",), GAUSSIAN_RHOS, True)],
        rule=everywhere,
    ),
    Claim(
        name="mts-without-its-condition",
        statement="MTS performs well also where rho is too small for the condition under which its bound is stated.",
        source="Remark after Theorem 1, Figure 4",
        measure="At every rho at which Theorem 1's condition fails: mean exact pseudo-regret at the horizon below that "
        "of MV-LCB as plotted by the authors, and at most 25 % above that of the better of VTS and MVTS.",
        quantity="regret of the other policy over that of MTS",
        needs=("gaussian", *MORE_RUNS),
        study=mts_without_condition,
        rule=everywhere,
    ),
    Claim(
        name="small-deviations",
        statement="The standard deviation of the regret from run to run is small beside its average.",
        source="section 5, on Figures 3 to 5",
        measure="Standard deviation of the realised regret over its mean, at the horizon: at most a quarter.",
        quantity="standard deviation over mean",
        needs=("gaussian",),
        study=spreads,
        rule=everywhere,
    ),
    Claim(
        name="small-deviations-all-figures",
        statement="Standard deviations are small in all other figures too, so that they can be omitted from all plots.",
        source="section 5, on all plots: Figures 6, 7 and S-1 to S-3",
        measure="Standard deviation of the realised regret over its mean, at the horizon, for each policy at each rho: "
        "at most a quarter.",
        quantity="standard deviation over mean",
        needs=("gaussian", "bernoulli"),
        study=spreads_of_all,
        rule=everywhere,
    ),
)
