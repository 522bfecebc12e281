"""The paper's claims about its Gaussian arms: Figures 3 to 6 and the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from riskbandits import theory
from riskbandits.inference.claims import YES, Claim, format_effect
from riskbandits.inference.ratios import of_medians, of_spread
from riskbandits.metrics import regret
from riskbandits.paper.claims.evidence import (
    LEVEL,
    SIMILAR,
    Judged,
    Row,
    at_least,
    at_most,
    at_the_end,
    better,
    everywhere,
    within,
)
from riskbandits.paper.claims.measurements import (
    final,
    gaussian,
    measured,
    most_runs,
    outcome,
    regret_difference,
    regret_ratio,
)
from riskbandits.paper.experiments import BERNOULLI_RHOS, GAUSSIAN_RHOS, Outcomes
from riskbandits.simulation.checkpoints import PAPER

PRESETS = ("MVLCB", "MVLCB:sani", "MVLCB:vakili")  # as plotted by the authors; Sani et al. 2012; Vakili & Zhao 2016
OURS = ("MTS", "VTS", "MVTS")
AT_RHO_1 = ("gaussian-rho-1", "gaussian-rho-1-mts")  # with more runs of two of them

COMPARED = "Mean exact pseudo-regret at the horizon, the rival's over one's own, above 1 (within 10 % of 1: level)."
EVERY_STEP = (
    "Mean exact pseudo-regret, the rival's over one's own, above 1 at each step the authors plot. MV-LCB as plotted."
)
EACH_PRESET = " Decided for each published set of constants of MV-LCB."


def beats(
    outcomes: Outcomes,
    own: str,
    rivals: Sequence[str],
    rhos: Sequence[float],
    who: bool = False,
    steps: Sequence[int | None] = (None,),
    experiment: str = "gaussian",
) -> list[Row]:
    """One row per rival, rho and step: whether a policy has less regret."""
    rows = []
    for rival in rivals:
        for rho in rhos:
            pair = most_runs(outcomes, experiment, rho, rival), most_runs(outcomes, experiment, rho, own)
            for step in steps:
                where: dict[str, Any] = ({"policy": own} if who else {}) | {"against": rival, "rho": rho}
                where |= {} if step is None else {"step": step}
                rows.append(better(where, regret_ratio(*pair, step), regret_difference(*pair, step)))
    return rows


def similar(outcomes: Outcomes) -> list[Row]:
    """Two rows per pair of the three policies at rho = 1: runs on average, and what a usual run looks like."""
    rows = []
    for one, other in combinations(OURS, 2):
        pair = gaussian(outcomes, 1.0, one), gaussian(outcomes, 1.0, other)
        ends = [final(source) for source in pair]
        levels = {
            source.label: (float(values.mean()), float(np.median(values)), float(np.quantile(values, 0.95)))
            for source, values in zip(pair, ends, strict=True)
        }
        more = {label: ", ".join(map(format_effect, numbers)) for label, numbers in levels.items()}
        for by, ratio in (("by the mean", regret_ratio(*pair)), ("by the median", of_medians(*ends))):
            where = {"pair": f"{one} and {other}", "by": by, "rho": 1.0}
            rows.append(within(where, ratio, SIMILAR)._replace(more=more))
    return rows


def quantiles_of_runs(judged: Sequence[Judged]) -> str:
    """The numbers themselves."""
    levels = {label: numbers for one in judged for label, numbers in (one.row.more or {}).items()}
    spread = "; ".join(f"{label} {numbers}" for label, numbers in levels.items())
    return f"Mean, median and 95 % quantile of the regret over runs: {spread}."


def coincide(outcomes: Outcomes, one: str, other: str, rhos: Sequence[float]) -> list[Row]:
    """One row per rho, the extreme one first: whether two policies have the same regret."""
    pairs = [(gaussian(outcomes, rho, one), gaussian(outcomes, rho, other)) for rho in rhos]
    return [within({"rho": rho}, regret_ratio(*pair), LEVEL) for rho, pair in zip(rhos, pairs, strict=True)]


def range_of_agreement(judged: Sequence[Judged]) -> str:
    """Up to which rho two policies coincide, counted from the extreme."""
    last = None
    for one in judged:
        if one.says != YES:
            break
        last = one.row.where["rho"]
    extreme = format_effect(judged[0].row.where["rho"])
    if last is None:
        return f"Already at rho = {extreme} this is not so, or not certain."
    if last == judged[0].row.where["rho"]:
        return f"It is so at rho = {extreme}; at the next value it is not, or not certain."
    if last == judged[-1].row.where["rho"]:
        return f"It is so at every rho from {extreme} to {format_effect(last)}."
    return f"It is so from rho = {extreme} to {format_effect(last)}; at the next value it is not, or not certain."


def below(own: str, rho: float) -> Callable[[Outcomes], list[Row]]:
    """One row per other policy of the figure and step."""
    rivals = (*(one for one in OURS if one != own), "MVLCB")
    return lambda outcomes: beats(outcomes, own, rivals, (rho,), steps=PAPER)


def three_below(outcomes: Outcomes) -> list[Row]:
    """One row per policy of the paper and step, beside MV-LCB at rho = 1."""
    return [row for own in OURS for row in beats(outcomes, own, ("MVLCB",), (1.0,), who=True, steps=PAPER)]


FIGURE_CLAIMS = (
    Claim(
        name="vts-best-small-rho",
        statement="Where almost only the variance counts (rho = 0.001), VTS has less regret than all other policies.",
        source="section 5, Figure 3",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of the rival over that of VTS",
        needs=("gaussian", "gaussian-small-rho"),
        study=lambda outcomes: beats(outcomes, "VTS", ("MTS", "MVTS", *PRESETS), (0.001,)),
        rule=everywhere,
    ),
    Claim(
        name="mts-best-large-rho",
        statement="Where almost only the mean counts (rho = 1000), MTS has less regret than all other policies.",
        source="section 5, Figure 5",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of the rival over that of MTS",
        needs=("gaussian", "gaussian-large-rho"),
        study=lambda outcomes: beats(outcomes, "MTS", ("VTS", "MVTS", *PRESETS), (1000.0,)),
        rule=everywhere,
    ),
    Claim(
        name="three-similar",
        statement="Where mean and variance both count (rho = 1), MTS, VTS and MVTS perform alike.",
        source="section 5, Figure 4",
        measure="Exact pseudo-regrets at the horizon, shown to lie within 25 % for every pair: by their means, which a "
        "few disastrous runs may decide, and by their medians, which say what a usual run looks like.",
        quantity="regret of the first over that of the second",
        needs=("gaussian", *AT_RHO_1),
        study=similar,
        rule=everywhere,
        note=quantiles_of_runs,
    ),
    Claim(
        name="three-beat-mv-lcb",
        statement="At rho = 1, MTS, VTS and MVTS all have less regret than MV-LCB.",
        source="section 5, Figure 4",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian", *AT_RHO_1),
        study=lambda outcomes: [row for own in OURS for row in beats(outcomes, own, PRESETS, (1.0,), who=True)],
        rule=everywhere,
    ),
    Claim(
        name="mvts-is-vts-small-rho",
        statement="MVTS, which draws a mean and a variance, has the regret of VTS, which draws only the variance, "
        "when rho is small.",
        source="sections 3.2 and 5, Figure 6",
        measure="Ratio of mean exact pseudo-regrets at the horizon, shown to lie within 10 % at the smallest rho.",
        quantity="regret of MVTS over that of VTS",
        needs=("gaussian", "gaussian-small-rho"),
        study=lambda outcomes: coincide(outcomes, "MVTS", "VTS", [rho for rho in GAUSSIAN_RHOS if rho < 1.0]),
        rule=at_the_end,
        note=range_of_agreement,
    ),
    Claim(
        name="mvts-is-mts-large-rho",
        statement="MVTS has the regret of MTS, which draws only the mean, when rho is large.",
        source="sections 3.2 and 5, Figure 6",
        measure="Ratio of mean exact pseudo-regrets at the horizon, shown to lie within 10 % at the largest rho.",
        quantity="regret of MVTS over that of MTS",
        needs=("gaussian", "gaussian-large-rho"),
        study=lambda outcomes: coincide(outcomes, "MVTS", "MTS", [rho for rho in GAUSSIAN_RHOS[::-1] if rho > 1.0]),
        rule=at_the_end,
        note=range_of_agreement,
    ),
    Claim(
        name="mvts-beats-mv-lcb",
        statement="MVTS has less regret than MV-LCB at every risk tolerance rho.",
        source="abstract; sections 1.2, 5 and 6; Figure 6",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of MV-LCB over that of MVTS",
        needs=("gaussian", "gaussian-large-rho"),
        study=lambda outcomes: beats(outcomes, "MVTS", PRESETS, GAUSSIAN_RHOS),
        rule=everywhere,
    ),
    Claim(
        name="figure-3-every-step",
        statement="At rho = 0.001 the curve of VTS lies below those of all other policies from beginning to end.",
        source="section 5, Figure 3",
        measure=EVERY_STEP,
        quantity="regret of the rival over that of VTS",
        needs=("gaussian", "gaussian-small-rho"),
        study=below("VTS", 0.001),
        rule=everywhere,
    ),
    Claim(
        name="figure-4-every-step",
        statement="At rho = 1 the curves of MTS, VTS and MVTS all lie below that of MV-LCB from beginning to end.",
        source="section 5, Figure 4",
        measure=EVERY_STEP,
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian", *AT_RHO_1),
        study=three_below,
        rule=everywhere,
    ),
    Claim(
        name="figure-5-every-step",
        statement="At rho = 1000 the curve of MTS lies below those of all other policies from beginning to end.",
        source="section 5, Figure 5",
        measure=EVERY_STEP,
        quantity="regret of the rival over that of MTS",
        needs=("gaussian",),
        study=below("MTS", 1000.0),
        rule=everywhere,
    ),
)


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


TEXT_CLAIMS = (
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

CLAIMS = FIGURE_CLAIMS + TEXT_CLAIMS
