"""The tables of a comparison against numbers computed by hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.core.errors import RefusalError, UnknownNameError
from riskbandits.results.leaderboard import LeaderboardData
from riskbandits.results.run_samples import RunSamples, sample_runs
from riskbandits.simulation.kernel import BEST_ARM, GAP, SUMS
from riskbandits.simulation.trace import Trace
from riskbandits.suites import Case

PROBLEM = rb.problems.zhu_tan_gaussian(1.0)
BOUND = rb.theory.lower_bound(PROBLEM).total


class Own(NamedTuple):
    """A risk measure about which theory says nothing."""

    def value(self, mean, variance):
        return mean - variance**0.5


def made(labels, rows, locked=None):
    final = np.array(rows, dtype=float)
    marks = np.zeros(final.shape, dtype=bool) if locked is None else np.array(locked, dtype=bool)
    return RunSamples(tuple(labels), 0.75 * final, final, marks, (50, 100), True, np.zeros_like(marks))


# On problem 1 A is the best throughout and B sqrt(8/3 * 3/1) times worse; on problem 2 B is 2 times better.
FIRST = made("AB", [[1, 3, 1, 3], [2, 8, 4, 8]], [[0, 0, 0, 0], [1, 0, 0, 0]])
SECOND = made("AB", [[4, 4, 4, 4], [2, 2, 2, 2]])
THIRD = made("BC", [[5, 5, 5, 5], [5, 5, 5, 5]])


def board():
    cases = [Case("one", "left", PROBLEM), Case("two", "left", PROBLEM), Case("three", "right", PROBLEM)]
    return LeaderboardData(cases, [FIRST, SECOND, THIRD], list("ABC"))


def test_leaderboard_by_hand():
    table = board().leaderboard().set_index("policy")
    assert table.index.tolist() == ["B", "C", "A"]  # B alone serves all problems
    assert table["problems"].to_dict() == {"C": 1, "A": 2, "B": 3}
    expected = {"A": np.sqrt(1 * 2), "B": (np.sqrt(8) * 1 * 1) ** (1 / 3), "C": 1.0}
    assert table["relative"].to_dict() == pytest.approx(expected)
    assert table["worst"].to_dict() == pytest.approx({"A": 2.0, "B": np.sqrt(8), "C": 1.0})
    assert table["worst_problem"].to_dict() == {"A": "two", "B": "one", "C": "three"}
    assert table["locked"].to_dict() == pytest.approx({"A": 0.0, "B": 1 / 12, "C": 0.0})
    assert table.loc["A", "locked_high"] == pytest.approx(1 - 0.025 ** (1 / 8))
    slope = 0.25 / np.log(2) / BOUND
    medians = {"A": slope * np.median([2, 4]), "B": slope * np.median([5.5, 2, 5]), "C": slope * 5}
    assert table["slope_over_bound"].to_dict() == pytest.approx(medians)
    problems = board().by_problem().query("policy == 'B'")
    assert table.loc["B", "worst_low"] == problems["relative_low"].max()
    assert table.loc["B", "worst_high"] == problems["relative_high"].max()
    for name in ("relative", "worst", "locked", "slope_over_bound"):
        assert (table[f"{name}_low"] <= table[name]).all()
        assert (table[name] <= table[f"{name}_high"]).all()


def test_families_and_problems_by_hand():
    families = board().by_family()
    assert families[["family", "policy"]].values.tolist() == [
        ["left", "A"], ["left", "B"], ["right", "B"], ["right", "C"],
    ]  # fmt: skip
    assert families["relative"].tolist() == pytest.approx([np.sqrt(2), 8**0.25, 1.0, 1.0])
    problems = board().by_problem()
    assert problems[["problem", "policy"]].values.tolist() == [
        ["one", "A"], ["one", "B"], ["two", "A"], ["two", "B"], ["three", "B"], ["three", "C"],
    ]  # fmt: skip
    assert problems["regret"].tolist() == pytest.approx([2, 5.5, 4, 2, 5, 5])
    assert problems["relative"].tolist() == pytest.approx([1, np.sqrt(8), 2, 1, 1, 1])
    assert problems["locked"].tolist() == [0, 0.25, 0, 0, 0, 0]
    assert problems["lower_bound_slope"].tolist() == pytest.approx([BOUND] * 6)
    assert problems["slope"].tolist() == pytest.approx([0.25 / np.log(2) * r for r in (2, 5.5, 4, 2, 5, 5)])


def test_pairs_by_hand():
    table = board().paired("B", "A")
    assert table["problem"].tolist() == ["one", "two", "all (geometric mean)"]
    assert table["difference"].tolist()[:2] == pytest.approx([3.5, -2.0])
    assert table["ratio"].tolist() == pytest.approx([5.5 / 2, 0.5, np.sqrt(5.5 / 2 * 0.5)])
    assert table["correlation"].iloc[0] == pytest.approx(np.corrcoef(FIRST.final)[0, 1])
    assert np.isnan(table["correlation"].iloc[1])  # no spread
    back = board().paired("A", "B")
    np.testing.assert_allclose(back["ratio_low"], 1 / table["ratio_high"])
    with pytest.raises(UnknownNameError, match="no policy in this comparison called 'D'"):
        board().paired("A", "D")
    with pytest.raises(RefusalError, match="no problem in this comparison that both A and C support"):
        board().paired("A", "C")


def test_tables_are_the_same_whenever_they_are_made_and_a_problem_is_not_changed_by_others():
    pd.testing.assert_frame_equal(board().leaderboard(), board().leaderboard(), check_exact=True)
    alone = LeaderboardData([Case("one", "left", PROBLEM)], [FIRST], ["A", "B"]).by_problem()
    pd.testing.assert_frame_equal(alone, board().by_problem().iloc[:2], check_exact=True)


def test_where_theory_says_nothing():
    problem = PROBLEM.with_risk(Own())
    table = LeaderboardData([Case("one", "f", problem)], [FIRST], ["A", "B"]).leaderboard()
    assert table["slope_over_bound"].isna().all()
    assert table["relative"].tolist() == pytest.approx([1.0, np.sqrt(8)])


def test_an_outcome_from_traces():
    problem = rb.Problem(rb.GaussianArms([0.5, 0.5], [1.0, 2.0]), rb.MeanVariance(1.0))
    sums = np.zeros((2, 2, SUMS))
    sums[:, :, GAP] = [[3.0, 4.0], [1.0, 9.0]]
    sums[:, :, BEST_ARM] = [[2.0, 6.0], [4.0, 5.0]]
    empty = np.zeros((2, 2))
    trace = Trace("A", {}, problem, "plain", np.array([5, 10]), sums, empty, empty)
    found = sample_runs([trace, trace._replace(label="B")], paired=True)
    assert found.labels == ("A", "B")
    assert found.middle.tolist() == [[3.0, 1.0]] * 2
    assert found.final.tolist() == [[4.0, 9.0]] * 2
    assert found.locked.tolist() == [[False, True]] * 2
    np.testing.assert_allclose(found.growth[0], np.array([1.0, 8.0]) / np.log(2))
