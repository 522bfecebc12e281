"""What the paper says of its definitions: Lemma 1, the two parts of the regret, and the unit of rewards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from riskbandits.inference.claims import HOLDS_ONLY, NO, UNDECIDED, YES, Claim
from riskbandits.inference.ratios import computed, of_mean, of_paired
from riskbandits.metrics import decomposition, gap_sum, low_noise_regret, pseudo_regret, switching_cost
from riskbandits.paper.claims.evidence import (
    LEVEL,
    SIMILAR,
    Finding,
    Judged,
    Row,
    at_most,
    everywhere,
    unless_refuted,
    within,
    without_exception,
)
from riskbandits.paper.claims.measurements import final, most_runs, outcome, regret_ratio, trace
from riskbandits.paper.experiments import Outcomes
from riskbandits.simulation.checkpoints import PAPER
from riskbandits.simulation.trace import Trace
from riskbandits.theory import lemma_1

EXACTLY = 1.001  # "exactly": within a thousandth
PAPERS = ("gaussian", "bernoulli")
UNBIASED = {"MVTS": (0.001, 1.0, 1000.0), "MVLCB": (0.001, 1.0, 1000.0), "VTS": (0.001,), "MTS": (1000.0,)}


def traces(outcomes: Outcomes, experiment: str) -> Iterator[tuple[dict[str, object], Trace]]:
    """Every policy at every rho of an experiment, with the setting."""
    found = outcome(outcomes, experiment)
    for rho, result in zip(found.values, found.results, strict=True):
        for one in result.traces:
            yield {"policy": one.label, "rho": rho}, one


def lemma_1_rows(outcomes: Outcomes) -> list[Row]:
    """One row per policy and rho: the share of the lemma's constant that is used, at the worst plotted step."""
    rows = []
    for experiment in PAPERS:
        for where, one in traces(outcomes, experiment):
            plotted = np.isin(one.checkpoints, (*PAPER, one.horizon))
            excess = (low_noise_regret(one) - pseudo_regret(one))[:, plotted]
            step = int(np.argmax(excess.mean(axis=0)))
            row = at_most(where, of_mean(excess[:, step], lemma_1(one.problem)), 1.0)
            rows.append(row._replace(more={"step": int(one.checkpoints[plotted][step])}))
    return rows


def first_part(outcomes: Outcomes) -> list[Row]:
    """One row per policy and rho: E[R1] over the first term of the pseudo-regret."""
    rows = []
    for where, one in traces(outcomes, "gaussian"):
        switching = decomposition(one)[1]
        rows.append(within(where, of_paired(final(one, low_noise_regret) - switching, final(one, gap_sum)), EXACTLY))
    return rows


def second_part(outcomes: Outcomes) -> list[Row]:
    """One row per policy and rho: E[R2] over the second term of the pseudo-regret, which counts switching twice.

    And one for the first K steps of any policy that begins with each arm once, where both are known exactly.
    """
    rows = []
    for where, one in traces(outcomes, "gaussian"):
        rows.append(at_most(where, of_paired(decomposition(one)[1], 2.0 * final(one, switching_cost)), 1.0))
    problem = outcome(outcomes, "gaussian").results[0].problem
    switching = problem.size * float(problem.means.var())
    expected = switching + (1.0 - 1.0 / problem.size) * float(problem.variances.sum())
    where = {"policy": "each arm once", "rho": outcome(outcomes, "gaussian").values[0]}
    return [*rows, at_most(where, computed(expected / (2.0 * switching)), 1.0)]


def but_for_the_first_steps(judged: Sequence[Judged]) -> Finding:
    """As `without_exception` over the horizons; where only the last row, that of n = K, is against it, it is named."""
    *horizons, start = judged
    answers = [one.says for one in horizons]
    if start.says != NO or NO in answers or YES not in answers:
        return without_exception(judged)
    unsure = f" ({answers.count(UNDECIDED)} of {len(judged)} comparisons undecided)" if UNDECIDED in answers else ""
    return Finding(HOLDS_ONLY, f"beyond n = K{unsure}", start)


def units(outcomes: Outcomes) -> list[Row]:
    """One row per policy and unit: regret in that unit over the regret in the paper's, after conversion."""
    rows = []
    found = outcome(outcomes, "units")
    for label in found.labels:
        for rho in found.values:
            if rho != 1.0:
                ratio = regret_ratio(trace(outcomes, "units", rho, label), trace(outcomes, "units", 1.0, label))
                where = {"policy": label, "rewards": f"with rewards x {rho:g}"}
                rows.append(within(where, ratio.scaled(rho**-2.0), LEVEL))
    return rows


def unbiased(outcomes: Outcomes) -> list[Row]:
    """One row per policy and rho: regret with the unbiased sample variance over that with the biased one."""
    rows = []
    for label, rhos in UNBIASED.items():
        for rho in rhos:
            experiment = "unbiased-small-rho" if rho < 1.0 else "unbiased"
            ours = trace(outcomes, experiment, rho, f"{label}(unbiased=True)")
            biased = most_runs(outcomes, "gaussian", rho, label)
            ratio = regret_ratio(ours, biased, ours.horizon)
            rows.append(within({"policy": label, "rho": rho}, ratio, SIMILAR))
    return rows


CLAIMS = (
    Claim(
        name="lemma-1",
        statement="The expected regret is at most the pseudo-regret plus three times the sum of the variances.",
        source="Lemma 1",
        measure="Expected regret less pseudo-regret, over that sum, at the worst step of each policy and rho: at most "
        "1. The expected regret is estimated with little noise (riskbandits.metrics.low_noise_regret).",
        quantity="share of the lemma's constant that is used",
        needs=PAPERS,
        study=lemma_1_rows,
        rule=unless_refuted,
    ),
    Claim(
        name="first-part-of-regret",
        statement="The part of the regret that comes from choosing wrong arms has exactly the expectation "
        r"$\sum_i E[T_i] \Delta_i$, $T_i$ the pulls of arm i and $\Delta_i$ its gap.",
        source="section 2, after Definition 3",
        measure=r"$E[R_1]$ over that sum at the horizon, within 0.1 % for every policy and rho.",
        quantity=r"$E[R_1]$ over $\sum_i E[T_i] \Delta_i$",
        needs=("gaussian",),
        study=first_part,
        rule=without_exception,
    ),
    Claim(
        name="second-part-of-regret",
        statement="The part of the regret that comes from switching between arms is, in expectation, "
        "at most the pseudo-regret's switching term.",
        source="section 2, after Definition 3",
        measure=r"$E[R_2]$ over that term, at most 1: for each policy and rho at the horizon, and after each arm once.",
        quantity=r"$E[R_2]$ over the switching term",
        needs=("gaussian",),
        study=second_part,
        rule=but_for_the_first_steps,
    ),
    Claim(
        name="unbiased-variance",
        statement="Dividing by T - 1 instead of T in the sample variance does not change the conclusions.",
        source="section 2",
        measure="The policies with the unbiased variance on the paper's arms, each of the specialists at its own end "
        "of rho: mean exact pseudo-regret after 10,000 steps, shown to lie within 25 % of that with the biased one.",
        quantity="regret with the unbiased variance over that with the biased one",
        needs=("gaussian", "gaussian-small-rho", "unbiased", "unbiased-small-rho"),
        study=unbiased,
        rule=everywhere,
    ),
    Claim(
        name="scale-invariance",
        statement="The unit of the rewards does not matter, so that variances may be assumed to be at most 1.",
        source="Remark on scale invariance, after Theorem 2",
        measure="The paper's arms at rho = 1 with rewards multiplied by 0.1 and by 10 (and rho likewise): mean exact "
        "pseudo-regret after 10,000 steps, converted back, shown to lie within 10 % of that in the paper's unit.",
        quantity="regret in the other unit over that in the paper's",
        needs=("units",),
        study=units,
        rule=everywhere,
    ),
)
