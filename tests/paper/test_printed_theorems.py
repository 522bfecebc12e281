"""The study of the printed theorems: small in the default suite, at full size on request."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

from riskbandits import theory
from riskbandits.core.errors import UnknownNameError
from riskbandits.metrics import wrong_pulls
from riskbandits.paper import printed_theorems


@pytest.mark.parametrize("name", printed_theorems.CASES)
def test_each_case_runs_and_draws(name):
    result = printed_theorems.run(name, horizon=3_162, runs=4)
    table = printed_theorems.slopes(name, result)
    lines = printed_theorems.case(name).lines(result.problem)
    assert set(lines) <= set(table.columns)
    ax = printed_theorems.draw(name, result)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any(label.startswith("lower bound: ") for label in labels)
    plt.close("all")


def test_the_lines_of_theorem_3_are_those_of_theorem_and_lower_bound():
    lines = printed_theorems.case("theorem-3").lines(theory.theorem_3_counterexample())
    assert lines == {"Theorem 3 (MVTS)": pytest.approx(0.5), "lower bound": pytest.approx(380.87, abs=0.01)}


def test_an_unknown_case_is_suggested():
    with pytest.raises(UnknownNameError, match="Did you mean 'theorem-3'"):
        printed_theorems.run("theorem3")


def test_the_table_per_arm():
    table = printed_theorems.per_arm_table()
    assert len(table) == 15 * len(printed_theorems.RHO_GRID)
    counts = table.groupby("rho")["contradicted"].sum()
    assert counts[counts > 0].to_dict() == {0.3: 3, 1.0: 2, 3.0: 2, 10.0: 1}
    assert not (table["contradicted"] & table["proof_covers"]).any()


def slope(table, policy, start):
    row = table[(table["policy"] == policy) & (table["from_step"] == start)].iloc[0]
    return row["slope"], row["slope_se"]


@pytest.mark.full
def test_theorem_1_is_exceeded_by_more_each_decade():
    table = printed_theorems.slopes("theorem-1", printed_theorems.run("theorem-1"), (1_000, 10_000, 100_000))
    print(table.to_string())
    measured, error = slope(table, "MTS", 10_000)
    assert measured - 4.0 * error > 100.0 * table["Theorem 1 (MTS)"].iloc[0]
    slopes = table["slope"].to_numpy()
    assert slopes[1] > 4.0 * slopes[0]  # a power of n, no logarithm


@pytest.mark.full
def test_theorem_2_is_exceeded_by_ten_times_as_much_each_decade():
    table = printed_theorems.slopes("theorem-2", printed_theorems.run("theorem-2"), (1_000, 10_000, 100_000))
    print(table.to_string())
    measured, error = slope(table, "VTS", 10_000)
    assert measured - 4.0 * error > 20.0 * table["Theorem 2 (VTS)"].iloc[0]
    slopes = table["slope"].to_numpy()
    assert slopes[1] / slopes[0] == pytest.approx(10.0, rel=0.1)


@pytest.mark.full
def test_theorem_3_against_ten_million_steps():
    result = printed_theorems.run("theorem-3")
    table = printed_theorems.slopes("theorem-3", result, (100_000, 1_000_000, 10_000_000))
    print(table.to_string())
    for start in (100_000, 1_000_000):
        measured, error = slope(table, "MVTS", start)
        assert measured - 4.0 * error > 200.0 * 0.5
    # Near the lower bound and MVTS's own rate in the last decade.
    assert measured == pytest.approx(table["lower bound"].iloc[0], rel=0.15, abs=4.0 * error)


@pytest.mark.full
def test_growth_of_the_papers_policies_where_the_asymptotics_have_set_in():
    result = printed_theorems.run("growth")
    table = printed_theorems.slopes("growth", result, (1_000, 10_000, 100_000, 1_000_000))
    print(table.to_string())
    assert result.traces[0].runs >= 2000
    low, reached = table["lower bound"].iloc[0], table["MVTS rate"].iloc[0]
    slopes = np.array([slope(table, "MVTS", start) for start in (1_000, 10_000, 100_000)])
    # How we know that the asymptotics have set in: the slope changes little from decade to decade, rises towards
    # the rate, and what is missing is what a normal tail's 1/sqrt(T) takes away, a share of about 1/(2 K T).
    assert slopes[2, 0] > low + 4.0 * slopes[2, 1]
    assert slopes[0, 0] < slopes[1, 0] < slopes[2, 0] < reached
    share = 1.0 / (1.0 + 0.5 / (np.log(316_228) - 0.5 * np.log(4.0 * np.pi * np.log(316_228))))
    assert slopes[2, 0] == pytest.approx(share * reached, abs=4.0 * slopes[2, 1])
    # VTS is not consistent: nearly all its runs grow slower than any consistent policy can, and a few lock
    # onto the wrong arm and pay for all.
    wrong = wrong_pulls(result.trace("VTS"))
    assert np.median(wrong[:, -1] - wrong[:, 0]) == 0.0
    assert 0 < (wrong[:, -1] > 500_000).sum() < 20
