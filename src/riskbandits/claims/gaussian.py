"""The paper's claims about its Gaussian arms: figures 2 to 5 and what the text says of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from riskbandits import theory
from riskbandits.claims.claim import Claim, at_the_end, everywhere
from riskbandits.claims.estimates import of_spread
from riskbandits.claims.evidence import LEVEL, SIMILAR, YES, Judged, Row, at_most, better, within
from riskbandits.claims.reading import final, outcome, regret_difference, regret_ratio, trace
from riskbandits.claims.wording import shown
from riskbandits.experiments.experiment import Outcomes
from riskbandits.experiments.zhu_tan import GAUSSIAN_RHOS
from riskbandits.metrics import regret

PRESETS = ("MVLCB", "MVLCB:sani", "MVLCB:vakili")  # as plotted by the authors; Sani et al. 2012; Vakili & Zhao 2016
OURS = ("MTS", "VTS", "MVTS")
FIGURE_RHOS = (0.001, 1.0, 1000.0)
SMALL = 0.25  # a standard deviation of at most a quarter of the mean counts as small

COMPARED = "Mean exact pseudo-regret at the horizon, the rival's over one's own, above 1 (within 10 % of 1: level)."
EACH_PRESET = " Decided for each published set of constants of MV-LCB."


def beats(outcomes: Outcomes, own: str, rivals: Sequence[str], rhos: Sequence[float], who: bool = False) -> list[Row]:
    """One row per rival and rho: whether a policy has less regret."""
    rows = []
    for rival in rivals:
        for rho in rhos:
            pair = trace(outcomes, "gaussian", rho, rival), trace(outcomes, "gaussian", rho, own)
            where: dict[str, Any] = ({"policy": own} if who else {}) | {"against": f"against {rival}", "rho": rho}
            rows.append(better(where, regret_ratio(*pair), regret_difference(*pair)))
    return rows


def similar(outcomes: Outcomes) -> list[Row]:
    """One row per pair of the three policies at rho = 1."""
    rows = []
    for one, other in combinations(OURS, 2):
        pair = trace(outcomes, "gaussian", 1.0, one), trace(outcomes, "gaussian", 1.0, other)
        rows.append(within({"pair": f"{one} and {other}", "rho": 1.0}, regret_ratio(*pair), SIMILAR))
    return rows


def coincide(outcomes: Outcomes, one: str, other: str, rhos: Sequence[float]) -> list[Row]:
    """One row per rho, the extreme one first: whether two policies have the same regret."""
    pairs = [(trace(outcomes, "gaussian", rho, one), trace(outcomes, "gaussian", rho, other)) for rho in rhos]
    return [within({"rho": rho}, regret_ratio(*pair), LEVEL) for rho, pair in zip(rhos, pairs, strict=True)]


def how_far(judged: Sequence[Judged]) -> str:
    """Up to which rho two policies coincide, counted from the extreme."""
    last = None
    for one in judged:
        if one.says != YES:
            break
        last = one.row.where["rho"]
    extreme = shown(judged[0].row.where["rho"])
    if last is None:
        return f"Already at rho = {extreme} this is not so, or not certain."
    return f"It is so from rho = {extreme} to {shown(last)}; at the next value it is not, or not certain."


def near_the_better(outcomes: Outcomes) -> list[Row]:
    """One row per rho: MVTS beside the better of the two specialists."""
    rows = []
    for rho in GAUSSIAN_RHOS:
        specialists = [trace(outcomes, "gaussian", rho, label) for label in ("MTS", "VTS")]
        best = min(specialists, key=lambda one: float(final(one).mean()))
        ratio = regret_ratio(trace(outcomes, "gaussian", rho, "MVTS"), best)
        rows.append(at_most({"rho": rho}, ratio, SIMILAR)._replace(more={"better_specialist": best.label}))
    return rows


def mts_without_condition(outcomes: Outcomes) -> list[Row]:
    """MTS against MV-LCB as plotted, where Theorem 1's condition on rho fails."""
    problem = outcome(outcomes, "gaussian").at(1.0).problem
    rhos = [rho for rho in GAUSSIAN_RHOS if not theory.theorem_1(problem, rho=rho).applies]
    return beats(outcomes, "MTS", ("MVLCB",), rhos)


def spreads(outcomes: Outcomes) -> list[Row]:
    """One row per policy and figure: standard deviation of the regret over its mean."""
    rows = []
    for label in (*OURS, "MVLCB"):
        for rho in FIGURE_RHOS:
            ratio = of_spread(final(trace(outcomes, "gaussian", rho, label), regret))
            rows.append(at_most({"policy": label, "rho": rho}, ratio, SMALL))
    return rows


CLAIMS = (
    Claim(
        name="vts-best-small-rho",
        statement="Where almost only the variance counts (rho = 0.001), VTS has less regret than all other policies.",
        place="section 5, Figure 2",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of the rival over that of VTS",
        needs=("gaussian",),
        rows=lambda outcomes: beats(outcomes, "VTS", ("MTS", "MVTS", *PRESETS), (0.001,)),
        rule=everywhere,
    ),
    Claim(
        name="mts-best-large-rho",
        statement="Where almost only the mean counts (rho = 1000), MTS has less regret than all other policies.",
        place="section 5, Figure 4",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of the rival over that of MTS",
        needs=("gaussian",),
        rows=lambda outcomes: beats(outcomes, "MTS", ("VTS", "MVTS", *PRESETS), (1000.0,)),
        rule=everywhere,
    ),
    Claim(
        name="three-similar",
        statement="Where mean and variance both count (rho = 1), MTS, VTS and MVTS perform alike.",
        place="section 5, Figure 3",
        measure="Ratio of mean exact pseudo-regrets at the horizon, shown to lie within 25 % for every pair.",
        quantity="regret of the first over that of the second",
        needs=("gaussian",),
        rows=similar,
        rule=everywhere,
    ),
    Claim(
        name="three-beat-mv-lcb",
        statement="At rho = 1, MTS, VTS and MVTS all have less regret than MV-LCB.",
        place="section 5, Figure 3",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian",),
        rows=lambda outcomes: [row for own in OURS for row in beats(outcomes, own, PRESETS, (1.0,), who=True)],
        rule=everywhere,
    ),
    Claim(
        name="mvts-is-vts-small-rho",
        statement="MVTS, which draws a mean and a variance, has the regret of VTS, which draws only the variance, "
        "when rho is small.",
        place="sections 3.2 and 5, Remark 3, Figure 5",
        measure="Ratio of mean exact pseudo-regrets at the horizon, shown to lie within 10 % at the smallest rho.",
        quantity="regret of MVTS over that of VTS",
        needs=("gaussian",),
        rows=lambda outcomes: coincide(outcomes, "MVTS", "VTS", [rho for rho in GAUSSIAN_RHOS if rho < 1.0]),
        rule=at_the_end,
        note=how_far,
    ),
    Claim(
        name="mvts-is-mts-large-rho",
        statement="MVTS has the regret of MTS, which draws only the mean, when rho is large.",
        place="sections 3.2 and 5, Remark 3, Figure 5",
        measure="Ratio of mean exact pseudo-regrets at the horizon, shown to lie within 10 % at the largest rho.",
        quantity="regret of MVTS over that of MTS",
        needs=("gaussian",),
        rows=lambda outcomes: coincide(outcomes, "MVTS", "MTS", [rho for rho in GAUSSIAN_RHOS[::-1] if rho > 1.0]),
        rule=at_the_end,
        note=how_far,
    ),
    Claim(
        name="mvts-well-everywhere",
        statement="MVTS performs well at every rho: nobody needs to know whether MTS or VTS is the better choice.",
        place="section 3.2",
        measure="Mean exact pseudo-regret of MVTS at most 25 % above that of the better of MTS and VTS.",
        quantity="regret of MVTS over that of the better of MTS and VTS",
        needs=("gaussian",),
        rows=near_the_better,
        rule=everywhere,
    ),
    Claim(
        name="mvts-beats-mv-lcb",
        statement="MVTS has less regret than MV-LCB at every risk tolerance rho.",
        place="abstract; sections 1.2, 5 and 6; Figure 5",
        measure=COMPARED + EACH_PRESET,
        quantity="regret of MV-LCB over that of MVTS",
        needs=("gaussian",),
        rows=lambda outcomes: beats(outcomes, "MVTS", PRESETS, GAUSSIAN_RHOS),
        rule=everywhere,
    ),
    Claim(
        name="all-beat-mv-lcb",
        statement="All Gaussian algorithms of the paper, MTS and VTS too, have less regret than MV-LCB at every rho.",
        place="abstract",
        measure=COMPARED + " MV-LCB with the constants behind the paper's figures.",
        quantity="regret of MV-LCB over that of the policy",
        needs=("gaussian",),
        rows=lambda outcomes: [row for own in OURS for row in beats(outcomes, own, ("MVLCB",), GAUSSIAN_RHOS, True)],
        rule=everywhere,
    ),
    Claim(
        name="mts-without-its-condition",
        statement="MTS performs well also where rho is too small for the condition under which its bound is stated.",
        place="Remark 1, Figure 3",
        measure=COMPARED + " At every rho at which Theorem 1's condition fails; MV-LCB as plotted by the authors.",
        quantity="regret of MV-LCB over that of MTS",
        needs=("gaussian",),
        rows=mts_without_condition,
        rule=everywhere,
    ),
    Claim(
        name="small-deviations",
        statement="The standard deviation of the regret from run to run is small beside its average.",
        place="section 5, on Figures 2 to 4",
        measure="Standard deviation of the realised regret over its mean, at the horizon: at most a quarter.",
        quantity="standard deviation over mean",
        needs=("gaussian",),
        rows=spreads,
        rule=everywhere,
    ),
)
