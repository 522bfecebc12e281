"""Regret up to 10^12 steps: what is simulated, and the numbers made of it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits import theory
from riskbandits.paper import asymptotics, experiments, reproduction
from riskbandits.paper.experiments import estimate_cost
from riskbandits.paper.report import growth_tables
from riskbandits.simulation.methods import BATCHED


@pytest.fixture(scope="module")
def outcomes():
    """Few runs of one policy, and of one that knows its horizon at two of them."""
    chosen = ("growth", "growth-1e+04", "growth-1e+06")
    small = {
        f"{asymptotics.NAME}-{name}": asymptotics.EXPERIMENTS[f"{asymptotics.NAME}-{name}"]._replace(runs=4)
        for name in chosen
    }
    small[f"{asymptotics.NAME}-growth"] = small[f"{asymptotics.NAME}-growth"]._replace(policies=(rb.MVTS(),))
    return experiments.run(small, seed=3, progress=False)


def test_every_experiment_is_leapt_and_named_after_its_family():
    for name, one in asymptotics.EXPERIMENTS.items():
        assert name.startswith(f"{asymptotics.NAME}-")
        planned = experiments._plan(one._replace(runs=2), 0, "auto")
        # Short runs of a policy that knows its horizon may be played by the plain method.
        assert all(job.horizon <= 10_000 or job.played_by is BATCHED for job in planned.jobs), name
    assert {one.horizon for one in asymptotics.FAMILIES.values()} == {10**7, 10**12}


def test_slopes_are_growth_per_ln_n_run_by_run_or_between_horizons(outcomes):
    table = asymptotics.table(outcomes)
    trace = outcomes["asymptotics-growth"].results[0].trace("MVTS")
    regret = rb.metrics.exact_pseudo_regret(trace)
    place = trace.checkpoints.tolist().index
    rows = table[(table["policy"] == "MVTS") & (table["step"] == 10**12)]
    growth = (regret[:, place(10**12)] - regret[:, place(10**11)]) / math.log(10.0)
    assert rows["slope"].item() == pytest.approx(growth.mean())
    assert rows["slope_se"].item() == pytest.approx(growth.std(ddof=1) / 2.0)
    assert rows["per_ln_n"].item() == pytest.approx(regret[:, -1].mean() / math.log(10**12))
    assert rows["lower_bound"].item() == pytest.approx(theory.lower_bound(trace.problem).total)
    ends = [
        rb.metrics.exact_pseudo_regret(outcomes[f"asymptotics-growth-1e+0{power}"].results[0].trace("SwitchingAware"))[
            :, -1
        ]
        for power in (4, 6)
    ]
    (aware,) = table[(table["policy"] == "SwitchingAware") & (table["from_step"] == 10**4)].to_dict("records")
    assert aware["slope"] == pytest.approx((ends[1].mean() - ends[0].mean()) / math.log(100.0))
    errors = [end.std(ddof=1) / 2.0 for end in ends]
    assert aware["slope_se"] == pytest.approx(np.hypot(*errors) / math.log(100.0))


@pytest.mark.parametrize(
    ("label", "worst", "marked"), [("MVTS", 2.0, False), ("MVTS", 900.0, True), ("VTS", 2.0, True)]
)
def test_slopes_that_rare_disasters_may_outweigh_are_marked(label, worst, marked):
    """One run that carries most of the variance, or a policy that can settle on a wrong arm for good."""
    earlier = np.arange(20.0)
    later = earlier + np.append(np.linspace(1.0, 2.0, 19), worst)
    problem = asymptotics.FAMILIES["gaussian"].problem_for_rho(1.0)
    curve = asymptotics.Curve("gaussian", label, problem, True, {1000: earlier, 10_000: later}, 5.0)
    part = pd.DataFrame(asymptotics._rows(curve))
    assert part["rare_disasters"].tolist() == [False, marked]
    assert growth_tables._slope(part, 10_000).text.endswith("†") == marked


def test_only_powers_of_ten_are_shown_and_the_page_says_how_far(outcomes):
    ratios, slopes = growth_tables.tables(outcomes)
    assert [column.title for column in ratios.columns][-1] == "$10^{12}$"
    assert [column.title for column in slopes.columns][-2:] == ["steps", "changes of arm, at most"]
    assert not any("3,162" in column.title for column in (*ratios.columns, *slopes.columns))
    by_policy = {row[1].text: row for row in slopes.rows}
    assert by_policy["MVTS"][-2].order == 10**12
    assert by_policy["SwitchingAware"][-2].order == 10**6
    assert growth_tables.tables({}) == ()


def test_changes_of_arm_are_at_most_two_for_each_pull_of_another_arm(outcomes):
    trace = outcomes["asymptotics-growth"].results[0].trace("MVTS")
    most = 2 * (10**12 - trace.pulls.max(axis=1)).mean()
    table = asymptotics.table(outcomes)
    assert table[table["policy"] == "MVTS"]["changes_at_most"].unique() == pytest.approx([most])


def test_steps_that_are_leapt_are_no_part_of_the_cost():
    expected = estimate_cost(asymptotics.EXPERIMENTS, cores=2)
    assert expected.seconds < 3600.0


def test_it_is_asked_for_by_name(tmp_path, monkeypatch):
    family = asymptotics.EXPERIMENTS["asymptotics-growth"]
    monkeypatch.setattr(asymptotics, "EXPERIMENTS", {"asymptotics-growth": family._replace(policies=(rb.MVTS(),))})
    done = reproduction.reproduce(tmp_path, ["asymptotics"], runs=1, progress=False, horizon=10**6)
    assert sorted(path.name for path in done.made) == ["asymptotics.csv", "asymptotics.parquet"]
    assert dict(done.figures) == {}
    assert done.outcomes["asymptotics-growth"].results[0].traces[0].horizon == 10**6
