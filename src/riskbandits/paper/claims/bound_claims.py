"""Statements about the bounds themselves: what they become, and how they compare. Formulas decide them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from riskbandits import problems, theory
from riskbandits.arms import GaussianArms
from riskbandits.inference.claims import Claim, format_effect, format_span
from riskbandits.inference.ratios import computed
from riskbandits.paper.claims.evidence import LEVEL, Judged, Row, at_least, at_most, at_the_end, everywhere, within
from riskbandits.paper.experiments import GAUSSIAN_RHOS, Outcomes
from riskbandits.policies import MVLCB
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

HORIZON = 30_000
ROUNDING = 1e-9


def large_rho_of_theorem_1(outcomes: Outcomes) -> list[Row]:
    """Theorem 1's coefficient per rho beside the known one of the ordinary bandit problem."""
    problem = problems.zhu_tan_gaussian()
    known = theory.remark_3_large_rho(problem).total
    rhos = (1e6, 1e5, 1e4, 1e3, 1e2)
    return [
        within({"rho": rho}, computed(theory.theorem_1(problem, rho=rho).total / rho / known), LEVEL) for rho in rhos
    ]


def mvts_at_extremes(outcomes: Outcomes) -> list[Row]:
    """MVTS's own rate of pulls over Theorem 1's at a huge rho and over Theorem 2's at a tiny one, for the farthest arm.

    Beside it the same ratio of Theorem 3's coefficient of the regret, which is another matter.
    """
    problem = problems.zhu_tan_gaussian()
    rows = []
    for rho, other, name in ((1e6, theory.theorem_1, "beside MTS"), (1e-6, theory.theorem_2, "beside VTS")):
        allowed = other(problem, rho=rho)
        wrong = allowed.pulls > 0.0
        ratios = theory.mvts_rate(problem, rho=rho).pulls[wrong] / allowed.pulls[wrong]
        row = within({"beside": name, "rho": rho}, computed(float(ratios[np.argmax(abs(np.log(ratios)))])), LEVEL)
        rows.append(row._replace(more={"theorem_3": theory.theorem_3(problem, rho=rho).total / allowed.total}))
    return rows


def by_the_theorem(judged: Sequence[Judged]) -> str:
    """What Theorem 3 by itself says, and what the remark leaves open."""
    large, small = (format_effect((one.row.more or {})["theorem_3"]) for one in judged)
    return (
        f"Theorem 3's coefficient does not become theirs: it is {large} and {small} times as large. The remark "
        "takes rho to its limit before n, by an argument of its own; that the limits may be exchanged is not argued."
    )


def hard_instances(outcomes: Outcomes) -> list[Row]:
    """Two arms whose variances come together: Theorem 2's bound on pulls over what every consistent policy needs."""
    rows = []
    for part in (1e-4, 1e-3, 1e-2, 1e-1):
        arms = GaussianArms(means=[0.5, 0.0], variances=[0.25, 0.25 * (1.0 + part)])
        problem = Problem(arms, MeanVariance(part**2))
        allowed, needed = theory.theorem_2(problem), theory.lower_bound(problem)
        row = within({"apart": f"variances apart by {part:g}"}, computed(allowed.pulls[1] / needed.pulls[1]), LEVEL)
        rows.append(row._replace(more={"regret_bound_over_lower_bound": allowed.total / needed.total}))
    return rows


def regret_factor(judged: Sequence[Judged]) -> str:
    """What remains between the two bounds on regret."""
    factor = (judged[0].row.more or {})["regret_bound_over_lower_bound"]
    return f"As a bound on regret it is {format_effect(factor)} times the lower bound. Whether VTS keeps it: theorem-2."


def order(outcomes: Outcomes) -> list[Row]:
    """MVTS's pulls over the least possible: does that factor grow as the gap between two arms shrinks?"""
    rows = []
    for rho, counts in ((1e-6, "variance"), (1e6, "mean")):
        factors = [_optimality_factor(rho, counts, gap) for gap in (1e-1, 1e-2, 1e-3, 1e-4)]
        for gap, factor, before in zip((1e-2, 1e-3, 1e-4), factors[1:], factors[:-1], strict=True):
            row = at_most({"gap": f"{counts}s apart by {gap:g}", "rho": rho}, computed(factor / before), LEVEL)
            rows.append(row._replace(more={"times_lower_bound": factor}))
    return rows


def _optimality_factor(rho: float, counts: str, gap: float) -> float:
    means, variances = ([0.5, 0.5 - gap], [0.25, 0.25]) if counts == "mean" else ([0.5, 0.0], [0.25, 0.25 + gap])
    problem = Problem(GaussianArms(means, variances), MeanVariance(rho))
    return float(theory.mvts_rate(problem).pulls[1] / theory.lower_bound(problem).pulls[1])


def factors_reached(judged: Sequence[Judged]) -> str:
    """The factors themselves."""
    factors = [(one.row.more or {})["times_lower_bound"] for one in judged]
    return f"The factor itself is {format_span(min(factors), max(factors))}, for variances of 0.25."


def vakili_zhao(outcomes: Outcomes) -> list[Row]:
    """The lower bound on regret times Delta^2: does it stay away from 0 as the gap Delta between two arms shrinks?"""
    rows = []
    for apart, words in ((0.5, "means apart by 1/2"), (0.0, "equal means")):
        scaled = [_times_square_of_gap(apart, gap) for gap in (1e-2, 1e-3, 1e-4, 1e-5)]
        for gap, now, before in zip((1e-3, 1e-4, 1e-5), scaled[1:], scaled[:-1], strict=True):
            row = at_least({"means": words, "gap": gap}, computed(now / before), 1.0 / LEVEL)
            rows.append(row._replace(more={"lower_bound_times_square_of_gap": now}))
    return rows


def _times_square_of_gap(apart: float, gap: float) -> float:
    """For two arms with variances about 1/4 of which the second is worth less by `gap`, at a rho as small as it is."""
    arms = GaussianArms([apart, 0.0], [0.25, 0.25 + gap * (1.0 - apart)])
    problem = Problem(arms, MeanVariance(gap))
    return float(theory.lower_bound(problem).total * problem.gaps[1] ** 2)


def beside_lcb(outcomes: Outcomes) -> list[Row]:
    """The coefficient that the usual argument gives MV-LCB, over Theorem 3's.

    With a bonus b sqrt(ln t/T) an arm is not played again once twice the bonus is below its gap: 4 b^2/Delta_i^2 ln n.
    """
    rows = []
    for preset, lcb in (("MVLCB", MVLCB.authors()), ("MVLCB:sani", MVLCB.sani())):
        for rho in GAUSSIAN_RHOS:
            problem = problems.zhu_tan_gaussian(rho)
            bound = theory.theorem_3(problem)
            others = problem.gaps > 0.0
            cost = bound.per_arm[others] / bound.pulls[others]
            pulls = 4.0 * lcb.factor * (lcb.offset + rho) ** 2 / problem.gaps[others] ** 2
            ratio = computed(float((pulls * cost).sum() / bound.total))
            rows.append(at_least({"against": preset, "rho": rho}, ratio, 1.0))
    return rows


def only_by_switching(judged: Sequence[Judged]) -> str:
    """Where the order comes from."""
    return (
        r"The order $1/\Delta^2$ is that of the pulls, each of which costs $\Delta + \Gamma^2$: the regret has it only "
        r"by the switching term, where the means $\Gamma$ apart do not come together. With equal means it is "
        r"$1/\Delta$."
    )


def as_printed(judged: Sequence[Judged]) -> str:
    """What this comparison is worth."""
    return "This compares bounds as they are printed. Whether MVTS keeps its own: theorem-3."


def finite_time(outcomes: Outcomes) -> list[Row]:
    """The share of wrong arms of which each finite-time theorem says anything at the paper's horizon."""
    rows = []
    bounds: tuple[tuple[str, Callable[..., theory.Bound], Problem, Sequence[float]], ...] = (
        ("Theorem S-1 (MVTS)", theory.theorem_s1, problems.zhu_tan_gaussian(), (0.001, 1.0, 1000.0)),
        ("Theorem S-2 (MTS)", theory.theorem_s2, problems.zhu_tan_gaussian(), (0.001, 1.0, 1000.0)),
        ("Theorem S-4 (BMVTS)", theory.theorem_s4, problems.zhu_tan_bernoulli(), (1 / 9, 4 / 9, 8 / 9)),
    )
    for name, theorem, problem, rhos in bounds:
        for rho in rhos:
            bound = theorem(problem, HORIZON, rho=rho)
            finite = (np.isfinite(bound.pulls) & (bound.pulls > 0.0)).sum() / (problem.size - 1)
            rows.append(at_least({"theorem": name, "rho": rho}, computed(float(finite)), 1.0 - ROUNDING))
    return rows


CLAIMS = (
    Claim(
        name="theorem-1-known-limit",
        statement="As rho grows, the bound for MTS becomes the known bound for ordinary Thompson sampling.",
        source="section 4.5",
        measure=r"Theorem 1's coefficient per rho over $\sum_i 2/\Gamma_i$ on the paper's arms: within 10 % at "
        r"$\rho = 10^6$.",
        quantity="bound for MTS over the known one",
        needs=(),
        study=large_rho_of_theorem_1,
        rule=at_the_end,
    ),
    Claim(
        name="bounds-particularise",
        statement="At extreme rho MVTS particularizes to MTS (large rho) or VTS (small rho).",
        source="section 4.5, by the Remark on extreme cases",
        measure=r"Pulls per $\ln n$ by MVTS's own rate over those of Theorem 1 at $\rho = 10^6$ and of Theorem 2 at "
        "$10^{-6}$, on the paper's arms: within 10 % for every arm.",
        quantity="rate of MVTS over the other bound, for the arm where they differ most",
        needs=(),
        study=mvts_at_extremes,
        rule=everywhere,
        note=by_the_theorem,
    ),
    Claim(
        name="vts-bound-optimal",
        statement="Where all variances are close, the bound for VTS is as small as that of any policy can be.",
        source="abstract; section 4.5, order optimality",
        measure="Two arms whose variances come together, rho the square of their relative distance: Theorem 2's bound "
        "on pulls over the lower bound, within 10 % at the smallest distance.",
        quantity="bound on pulls over the lower bound",
        needs=(),
        study=hard_instances,
        rule=at_the_end,
        note=regret_factor,
    ),
    Claim(
        name="mvts-order-optimal",
        statement="At extreme rho, MVTS needs at most a constant times the pulls that every good policy needs.",
        source="section 4.5",
        measure="The rate at which MVTS's draws concentrate (rb.theory.mvts_rate, a heuristic) over the lower bound: "
        "the factor grows by at most 10 % when the gap between two arms becomes ten times smaller.",
        quantity="growth of the factor as the gap shrinks",
        needs=(),
        study=order,
        rule=everywhere,
        note=factors_reached,
    ),
    Claim(
        name="lower-bound-of-vakili-zhao",
        statement=r"The regret of every consistent policy is at least of order $\ln n/\Delta^2$, $\Delta$ the "
        "smallest gap.",
        source="section 4.5, after Vakili & Zhao (2015)",
        measure=r"The lower bound on the regret of two Gaussian arms, times $\Delta^2$: it falls by at most 10 % when "
        r"$\Delta$ becomes ten times smaller.",
        quantity=r"what is left of the lower bound times $\Delta^2$",
        needs=(),
        study=vakili_zhao,
        rule=everywhere,
        note=only_by_switching,
    ),
    Claim(
        name="best-known-bounds",
        statement="The regret bounds are the best known for the problem: that of MVTS is below that of MV-LCB.",
        source="abstract",
        measure=r"Coefficient of ln n from the usual argument for MV-LCB, $4 b^2/\Delta_i^2$ pulls with its constant "
        "b, over that of Theorem 3, on the paper's arms: at least 1.",
        quantity="bound for MV-LCB over that for MVTS",
        needs=(),
        study=beside_lcb,
        rule=everywhere,
        note=as_printed,
    ),
    Claim(
        name="finite-time-bounds",
        statement="The bounds hold after finitely many steps, so that simulations of 30,000 steps can validate them.",
        source="sections 4 and 5; Theorems S-1, S-2, S-4",
        measure=r"Share of the wrong arms for which the bound, with the paper's $\varepsilon$, is finite at "
        "30,000 steps: all.",
        quantity="share of the wrong arms for which the bound says something",
        needs=(),
        study=finite_time,
        rule=everywhere,
    ),
)
