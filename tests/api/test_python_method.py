"""Policies that cannot be compiled: played in plain Python, slowly, and said so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.api import simulate as study
from riskbandits.core import notices
from riskbandits.core.errors import ContractError, ParameterError, RefusalError, RiskBanditsError
from riskbandits.testing import check_policy

PROBLEM = rb.Problem(rb.GaussianArms([0.0, 1.0, 0.5], [1.0, 1.0, 1.0]), rb.Mean())


class Greedy:
    """An object with lists in it."""

    def __init__(self, epsilon: float = 0.1) -> None:
        self.epsilon = epsilon

    def reset(self, arms: int, horizon: float, rng: Any) -> None:
        self.counts, self.sums, self.rng = [0] * arms, [0.0] * arms, rng

    def select(self) -> int:
        if 0 in self.counts:
            return self.counts.index(0)
        if self.rng.random() < self.epsilon:
            return int(self.rng.random() * len(self.counts))
        return max(range(len(self.counts)), key=lambda k: self.sums[k] / self.counts[k])

    def update(self, arm: int, reward: float) -> None:
        self.counts[arm] += 1
        self.sums[arm] += reward


class Sorting(NamedTuple):
    """Sorts a list at every step."""

    share: float = 0.5

    def score(self, state, k, run, risk, rng):
        from scipy.special import ndtr

        return sorted([float(ndtr(state[k, 1])), self.share * rng.random()])[-1]

    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0
        state[k, 1] += (reward - state[k, 1]) / state[k, 0]


def simulate(policies, **more):
    return rb.simulate(PROBLEM, policies, **{"horizon": 60, "runs": 3, "progress": False, "method": "python", **more})


def test_objects_and_records_that_cannot_be_compiled_run_and_repeat_themselves(capsys):
    notices._said.clear()
    first = simulate([Greedy(), Sorting()])
    assert "about a hundred times slower" in capsys.readouterr().err
    assert first.labels == ["Greedy", "Sorting"]
    assert (first.pulls("Greedy").sum(axis=1) == 60).all()
    assert len(np.unique(first.pulls("Greedy"), axis=0)) > 1  # runs differ
    again = simulate([Sorting(), Greedy()], workers=2)
    for label in first.labels:
        np.testing.assert_array_equal(first.pulls(label), again.pulls(label))
    assert first.settings["policies"][0]["fields"] == {"chooser": "Greedy(epsilon=0.1)"}


def test_the_object_that_was_given_is_untouched():
    mine = Greedy()
    simulate([mine], runs=1)
    assert vars(mine) == {"epsilon": 0.1}


def test_labels_of_objects():
    found = simulate({"bold": Greedy(0.5), "calm": Greedy(0.0)}, runs=1)
    assert found.labels == ["bold", "calm"]
    with pytest.raises(ParameterError, match="give them labels"):
        simulate([Greedy(0.5), Greedy(0.0)])


def test_records_have_the_numbers_of_the_plain_method():
    plain = study.plan(PROBLEM, [rb.MVTS()], study.RunOptions(60, 3, 0, method="plain"))
    from riskbandits.simulation.runner import run_in_plain_python

    np.testing.assert_array_equal(simulate([rb.MVTS()]).pulls("MVTS"), run_in_plain_python(plain[0]).pulls)


class Wrong(Greedy):
    def select(self) -> int:
        return 7


class Failing(Greedy):
    def update(self, arm: int, reward: float) -> None:
        raise KeyError("nothing")


@pytest.mark.parametrize(
    ("policies", "more", "kind", "words"),
    [
        ([Greedy()], {"method": "auto"}, ContractError, r"method='python' \(or --method python\)"),
        ({"x": Greedy()}, {"method": "plain"}, ContractError, "cannot be compiled"),
        ([Greedy()], {"engine": "processes"}, RefusalError, "use engine='threads'"),
        ([Wrong()], {}, ContractError, "the number of an arm, 0 to 2. Got 7"),
        ([Failing()], {}, ContractError, "Failing|PythonObject.learn failed: KeyError"),
        ([Greedy], {}, RiskBanditsError, "A policy must be"),
        ([3], {}, RiskBanditsError, "A policy must be"),
    ],
)
def test_sentences(policies, more, kind, words):
    with pytest.raises(kind, match=words):
        simulate(policies, **more)


class Both(NamedTuple):
    fault: float = 1.0

    def score(self, state, k, run, risk, rng):
        return misspelt  # noqa: F821

    def learn(self, state, k, run, reward):
        state[99, 0] += 1.0


class Writing(NamedTuple):
    fault: float = 1.0

    def score(self, state, k, run, risk, rng):
        state[k, 1] += 1.0
        run[0] = 5.0
        return 1.0

    def learn(self, state, k, run, reward):
        state[:, 0] += 1.0


class Empty(NamedTuple):
    fault: float = 1.0


def test_all_complaints_at_once_with_ones_own_lines():
    with pytest.raises(ContractError) as caught:
        rb.testing.check_policy(Both())
    line = Both.score.__code__.co_firstlineno
    for words in (
        "3 faults",
        "no docstring",
        f"'misspelt' is not defined ({__file__}, line {line + 1})",
        f"line {line + 4})",
    ):
        assert words in str(caught.value)
    with pytest.raises(ContractError) as caught:
        rb.testing.check_policy(Writing())
    for words in ("4 faults", "writes into cell 0", "score changes the state", "rows of arms other than", __file__):
        assert words in str(caught.value)
    with pytest.raises(ContractError, match=r"no method 'score'.*no method 'learn'"):
        rb.testing.check_policy(Empty())


def test_a_result_is_written_as_what_its_name_says(tmp_path):
    result = simulate([Greedy()])
    result.save(tmp_path / "r.csv")
    assert pd.read_csv(tmp_path / "r.csv")["policy"].unique().tolist() == ["Greedy"]
    result.save(tmp_path / "r.parquet")
    assert rb.load(tmp_path / "r.parquet").labels == ["Greedy"]
    for name in ("r.json", "r", "r.csv.gz"):
        with pytest.raises(ParameterError, match=r"ends in \.parquet or \.csv"):
            result.save(tmp_path / name)
        assert not (tmp_path / name).exists()


OBJECT = """
class Turns:
    def __init__(self, first=0):
        if first < 0:
            raise ValueError("first is negative")
        self.first = first

    def reset(self, arms):
        self.arms, self.step = arms, self.first

    def select(self):
        self.step += 1
        return (self.step - 1) % self.arms

    def update(self, arm, reward):
        pass
"""


def test_an_object_in_a_file_runs_from_the_command_line(command, tmp_path):
    (tmp_path / "turning.py").write_text(OBJECT)
    own = f"{tmp_path}/turning.py:Turns"
    small = ["--arms", "gaussian(means=[0, 1], variances=[1, 1])", "--horizon", "10", "--runs", "2", "--json"]
    asked = f"{own},late={own}(first=1)"
    code, out, err = command("simulate", "--policies", asked, *small, "--method", "python")
    assert code == 0, err
    assert json.loads(out)["pulls"] == {"Turns": [5.0, 5.0], "late": [5.0, 5.0]}
    for policies, more, words in (
        (own, (), "method='python'"),
        (f"{own}(last=1)", ("--method", "python"), "no parameter of Turns named 'last'"),
        (f"{own}(first=-1)", ("--method", "python"), "first is negative"),
        (f"{own}s", ("--method", "python"), "Did you mean 'Turns'"),
    ):
        code, out, err = command("simulate", "--policies", policies, *small, *more)
        assert (code, out) == (2, ""), err
        assert words in err
        assert err.count("\n") == 1


class TwoTooFew(NamedTuple):
    """Methods that lack arguments."""

    bonus: float = 1.0

    def score(self, state, k, run, risk):
        return 0.0

    def learn(self, state, k):
        pass


class Undocumented(NamedTuple):
    bonus: float = 1.0

    def score(self, state, k, run, risk, rng):
        kept = [self.bonus, rng.random()]
        kept.append(float(state[k, 0]))
        return {"best": max(kept)}["best"]

    def learn(self, state, k, run, reward):
        state[k, 0] += reward


class ChoosesOddly:
    """An object whose `select` wants more than there is."""

    def select(self, arms, rng):
        return 0

    def update(self, arm, reward):
        pass


def line_of(method):
    return f"{__file__}, line {method.__code__.co_firstlineno}"


def test_wrong_numbers_of_arguments_point_at_the_definition():
    with pytest.raises(ContractError) as caught:
        check_policy(TwoTooFew())
    assert "has 2 faults" in str(caught.value)
    assert line_of(TwoTooFew.score) in str(caught.value)
    assert line_of(TwoTooFew.learn) in str(caught.value)
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    with pytest.raises(ContractError) as caught:
        rb.simulate(problem, [ChoosesOddly()], horizon=5, runs=1, method="python", progress=False)
    assert "ChoosesOddly.select failed" in str(caught.value)
    assert line_of(ChoosesOddly.select) in str(caught.value)


def test_what_cannot_be_compiled_is_reported_beside_other_complaints_with_the_users_line():
    with pytest.raises(ContractError) as caught:
        check_policy(Undocumented())
    words = str(caught.value)
    assert "has 2 faults" in words
    assert "has no docstring" in words
    assert "could not be compiled" in words
    first = Undocumented.score.__code__.co_firstlineno
    lines = {int(number) for number in re.findall(rf"{re.escape(Path(__file__).name)}\D+(\d+)", words)}
    assert lines
    assert lines <= set(range(first, first + 4))
    assert "kernel.py" not in words
