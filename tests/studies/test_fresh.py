"""Fresh problems: drawn from a seed, measured, and summed up."""

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from studies import fresh


def test_problems_follow_from_seed_and_number():
    for number in range(16):
        one, again, other = fresh.draw(0, number), fresh.draw(0, number), fresh.draw(1, number)
        assert one.family == again.family == other.family
        assert np.array_equal(one.problem.means, again.problem.means)
        assert np.array_equal(one.problem.variances, again.problem.variances)
        assert not np.array_equal(one.problem.means, other.problem.means)
        assert one.problem.size * one.horizon <= fresh.MOST_SCORES


def test_families_are_what_their_names_say():
    drawn = [fresh.draw(2, number) for number in range(80)]
    assert {one.family for one in drawn} == set(fresh.FAMILIES)
    for family, problem, _ in drawn:
        if family == "wild best":
            assert problem.best_arm == problem.variances.argmax()
        if family == "three decades":
            assert problem.variances.max() / problem.variances.min() == pytest.approx(1000.0)
        if family == "two ahead":  # unless a variance below 0.01 would be needed
            ahead = np.argsort(problem.gaps)[:2]
            assert problem.size == 2 or set(ahead) & set(np.argsort(problem.means)[-2:])


def test_a_problem_is_measured_for_every_policy():
    policies = {"IMEDMV": rb.IMEDMV(), "MVTS": rb.MVTS()}
    rows = fresh.measure(0, 0, 4, policies)
    assert [row["policy"] for row in rows] == list(policies)
    assert all(row["regret"] > 0.0 and row["bound"] > 0.0 and row["settled"] <= row["locked"] for row in rows)


def measured():
    """Two problems: on the second VTS is ten times better than all others, and twice as many default runs are lost."""
    rows = []
    for problem in (0, 1):
        for place, policy in enumerate(fresh.POLICIES):
            regret = 1.0 if problem and policy == "VTS" else 10.0 + 10.0 * place
            lost = 0.04 if policy == fresh.DEFAULT and problem else 0.0
            row = {"problem": problem, "family": "free", "arms": 2, "horizon": 300, "bound": 5.0, "policy": policy}
            rows.append(row | {"regret": regret, "locked": lost, "settled": 0.0})
    return pd.DataFrame(rows)


def test_the_summary_is_relative_to_the_four_and_to_all():
    found = fresh.compared(measured()).set_index("policy")
    ours = found.loc[fresh.DEFAULT]
    assert ours["of the four"] == pytest.approx(0.5)  # 10 against 20, on both
    assert ours["of all"] == pytest.approx(np.sqrt(1.0 * 10.0))
    assert (ours["above 2 of the four"], ours["above 5 of all"]) == (0, 1)
    assert (ours["more locked"], ours["more settled"]) == (1, 0)
    assert ours["regret there"] == pytest.approx(0.5)
    assert np.isnan(found.loc["MVTS", "regret there"])
    assert found.loc["KLUCBMV", "largest of the four"] == pytest.approx(2.5)


def test_problems_far_off_name_the_best_policy_and_the_bound():
    found = fresh.far_off(measured())
    assert found[["problem", "policy"]].values.tolist() == [[1, "VTS"]]
    assert found.loc[0, "ratio"] == pytest.approx(10.0)
    assert found.loc[0, "bound / best"] == pytest.approx(5.0)
