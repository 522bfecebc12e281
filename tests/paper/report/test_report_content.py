"""The numbers of the page are those of the runs and of theory."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from paper.report import made_up
from riskbandits import theory
from riskbandits.paper import claims
from riskbandits.paper.claims import SYMBOLS, VERDICTS
from riskbandits.paper.experiments import BERNOULLI_RHOS, EXPERIMENTS, GAUSSIAN_RHOS
from riskbandits.paper.report import comparison_tables, differences, findings, verdicts
from riskbandits.problems import zhu_tan_bernoulli, zhu_tan_gaussian


def slow_regret(trace):
    """The exact pseudo-regret at the end of every run, by its definition."""
    problem, n = trace.problem, trace.horizon
    values = []
    for pulls in trace.pulls:
        switching = sum(
            pulls[i] * pulls[j] * (problem.means[i] - problem.means[j]) ** 2
            for i in range(problem.size)
            for j in range(problem.size)
        )
        values.append(float(pulls @ problem.gaps) + switching / (2 * n))
    return np.array(values)


def test_the_comparison_is_what_the_pulls_say():
    outcome = made_up.outcome("gaussian", {"MTS": 0.3, "VTS": 0.95}, rhos=(0.001, 1.0))
    rows = comparison_tables.standings(outcome)
    assert [row.rho for row in rows] == [0.001] * 6 + [1.0] * 6
    for row in rows:
        trace = outcome.at(row.rho).trace(row.policy)
        values = slow_regret(trace)
        assert row.mean == pytest.approx(values.mean())
        assert row.half == pytest.approx(1.959964 * values.std(ddof=1) / math.sqrt(6))
        least = min(slow_regret(other).mean() for other in outcome.at(row.rho).traces)
        assert row.ratio == pytest.approx(values.mean() / least)
        assert row.best_arm == pytest.approx(trace.pulls[:, trace.problem.best_arm].mean() / 1_000)
        assert (row.settled, row.exploring) == (0.0, 1.0 if row.policy == "MTS" else 0.0)
    assert rows[0].policy == "VTS"
    assert rows[5].policy == "MTS"


def test_locked_runs_and_what_they_cost():
    good = made_up.outcome("gaussian", {"VTS": 0.9}, rhos=(1.0,)).results[0].trace("VTS")
    bad = made_up.trace("VTS", rb.VTS(), good.problem, 6, 0.0, np.random.default_rng(2), wrong=3)
    mixed = good._replace(
        sums=np.concatenate([good.sums, bad.sums[:2]]), pulls=np.concatenate([good.pulls, bad.pulls[:2]])
    )
    outcome = made_up.outcome("gaussian", rhos=(1.0,))
    outcome.results[0].traces[1] = mixed
    [row] = [row for row in comparison_tables.standings(outcome) if row.policy == "VTS"]
    assert (row.settled, row.exploring) == (pytest.approx(2 / 8), 0.0)
    assert row.excess == pytest.approx(slow_regret(bad)[:2].mean() / slow_regret(good).mean())


def test_intervals_of_policies_that_lock_count_what_the_runs_cannot_exclude():
    """No run of VTS settled on a wrong arm, and 30 runs do not exclude that one in nine does."""
    outcome = made_up.outcome("gaussian", runs=30, rhos=(1.0,))
    rows = {row.policy: row for row in comparison_tables.standings(outcome)}
    worst = 1_000 * outcome.results[0].problem.gaps.max()
    assert rows["MVTS"].rise == 0.0
    assert rows["VTS"].rise == pytest.approx((1.0 - 0.025 ** (1 / 30)) * worst, rel=0.2)
    cells = {
        cells[1].text: cells[2].text for cells in comparison_tables.table("x", "X", list(rows.values()), 1_000, 30).rows
    }
    assert "±" in cells["MVTS"]
    assert cells["VTS"].count(", +") == 1
    _, high = cells["VTS"].rstrip(")").split(", +")
    assert float(high.replace(",", "")) == pytest.approx(rows["VTS"].half + rows["VTS"].rise, rel=0.01)


def test_bold_is_the_smallest_number_of_a_row_whoever_has_it():
    paper = made_up.outcome("gaussian", {"MVTS": 0.999}, rhos=(1.0,))
    first = paper.results[0].traces[0]
    for share, column in ((0.9999, 1), (0.5, 2)):
        mine = made_up.trace("NGTS", rb.NGTS(), first.problem, 6, share, np.random.default_rng(3))
        ours = rb.SweepResult("rho", [1.0], [rb.Result([mine], {"seed": 1}, {})])
        [table] = comparison_tables.better_tables({"gaussian": paper, "better-gaussian": ours})
        [row] = table.rows
        assert [place for place, cell in enumerate(row) if cell.style == "best"] == [column]
        assert row[column].order == min(row[1].order, row[2].order)


def test_a_single_run_has_no_interval_and_breaks_nothing(built):
    content = built(runs=1)
    assert "±" not in content.comparisons[0].rows[0][2].text


def test_only_some_outcomes(built):
    content = built({"gaussian": made_up.outcome("gaussian", rhos=(1.0,))})
    assert len(content.comparisons) == 1
    assert "Bernoulli" not in content.extent
    assert built({}).extent == "Nothing was simulated."


@pytest.mark.parametrize(
    ("shares", "first", "best"),
    [
        ({"MVTS": 0.99}, "less regret for MVTS at 13 of 13", "MVTS 13"),
        ({"MVTS": 0.10}, "less regret for MVTS at 0 of 13", " MTS 4"),
    ],
)
def test_findings_follow_the_runs(built, shares, first, best):
    texts = [finding.text for finding in built(shares=shares, runs=40).findings]
    assert first in texts[0]
    assert best in texts[1]
    assert len(texts) == 3


def test_the_finding_on_theorem_3_is_computed():
    finding = findings.main_theorem()
    problem = zhu_tan_gaussian(0.3)
    printed, least = theory.theorem_3(problem), theory.lower_bound(problem)
    worst = int(np.argmax(least.pulls / np.maximum(printed.pulls, 1e-300) * (printed.pulls > 0)))
    assert f"arm {worst}, counted from 0" in finding.text
    assert f"{printed.pulls[worst]:.0f} ln n" in finding.text
    assert f"{least.pulls[worst]:,.0f} ln n" in finding.text


def test_the_claims_named_here_exist():
    assert findings.MAIN_CLAIM in claims.CLAIMS
    assert set(findings.PRESETS) <= set(made_up.outcome("gaussian", rhos=(1.0,)).labels)
    assert set(verdicts.SHORT) == set(verdicts.COUNTED) == set(verdicts.STYLES) == set(VERDICTS)


def test_every_claim_is_counted_once(content):
    assert len(content.claims) == len(claims.CLAIMS)
    assert sum(verdict.number for verdict in content.verdicts) == len(claims.CLAIMS)
    for verdict, symbol in zip(content.verdicts, [SYMBOLS[name] for name in VERDICTS], strict=True):
        assert verdict.symbol == symbol
        assert verdict.number == sum(claim.verdict.symbol == symbol for claim in content.claims)


def test_evidence_is_that_of_the_decisions():
    outcomes = made_up.outcomes()
    decision = next(one for one in claims.decide(outcomes) if one.claim.name == findings.MAIN_CLAIM)
    table = verdicts.claim(decision).evidence
    effects = [column.title for column in table.columns].index("effect")
    assert [row[effects].order for row in table.rows] == [row["effect"] for row in decision.evidence]


def test_bounds_below_the_lower_bound_are_explained(content):
    text = " ".join(content.bounds_notes)
    assert "the same on these arms at every rho" in text
    assert "Theorem 3 (MVTS) allows fewer pulls of some arms than the lower bound, arms for which" in text
    assert "at rho = 0.3, 1, 3, 10." in text
    assert text.count("MTS and MVTS are not consistent on all Gaussian problems") == 1
    assert text.count("VTS is not consistent on all Gaussian problems") == 1


def test_bounds_are_those_of_theory(content):
    gaussian, bernoulli = content.bounds
    problem = zhu_tan_gaussian()
    expected = [theory.lower_bound, theory.mvts_rate, theory.theorem_1, theory.theorem_2, theory.theorem_3]
    for column, bound in enumerate(expected, start=2):
        assert [row[column].order for row in gaussian.rows] == bound(problem, rho=GAUSSIAN_RHOS).total.tolist()
    assert [("✓" in row[4].text) for row in gaussian.rows] == theory.theorem_1(
        problem, rho=GAUSSIAN_RHOS
    ).applies.tolist()
    fourth = theory.theorem_4(zhu_tan_bernoulli(), rho=BERNOULLI_RHOS)
    assert [row[3].order for row in bernoulli.rows] == fourth.total.tolist()


def test_amounts_of_the_differences_come_from_the_runs():
    def amount(subject, outcomes):
        return next(one.amount for one in differences.differences(outcomes) if one.subject == subject)

    alike, unlike = made_up.outcomes(), made_up.outcomes(shares={"MVLCB:sani": 0.2})
    assert amount("constants of MV-LCB", alike) != amount("constants of MV-LCB", unlike)
    assert amount("constants of MV-LCB", {}) == ""
    trace = alike["gaussian"].at(1.0).trace("MVTS")
    fixed = {"gaussian": made_up.outcome("gaussian", rhos=(1.0,))}
    fixed["gaussian"].results[0].traces[:] = [trace]
    variance = trace.sums[:, -1, 1] / 1_000 - (trace.sums[:, -1, 0] / 1_000) ** 2
    text = amount("variance of the rewards", fixed)
    assert f"{variance.mean() * 1_000 / 999:.3g}" in text
    ratio = (2 * slow_regret(trace) - trace.pulls @ trace.problem.gaps).mean() / slow_regret(trace).mean()
    assert f"{ratio:.3g} times the exact one" in amount("pseudo-regret", fixed)


def test_what_was_run_is_listed(content):
    names = [row[0].text for row in content.experiments.rows]
    assert names == [experiment.title for experiment in EXPERIMENTS.values()]
    assert "6 policies at 13 values of rho on 15 Gaussian arms, 6 runs of 1,000 steps each" in content.extent
    assert ("seed", "1") in content.facts
    assert "horizon" not in dict(content.facts)
