"""Semivariance as an outside user would write it, in a file of one's own: everything works, nothing is edited.

The measure here has another name than the built-in one and uses nothing of it; the built-in one is its oracle.
A policy with a history meets such a measure, and its slow twin, in `test_risk_policies`.
"""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.testing import check_risk

FILE = '''
import math
from typing import Any, NamedTuple


class Shortfall(NamedTuple):
    """Minus the mean squared shortfall below a target."""

    target: float = 0.3

    def value(self, mean: float, variance: float) -> float:
        if variance == 0.0:
            return -max(0.0, self.target - mean) ** 2
        z = (self.target - mean) / math.sqrt(variance)
        below = 0.5 * math.erfc(-z / math.sqrt(2.0))
        density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        return -variance * ((z * z + 1.0) * below + z * density)

    def sample_value(self, values: Any, weights: Any) -> float:
        total = 0.0
        short = 0.0
        for i in range(values.shape[0]):
            total += weights[i]
            short += weights[i] * max(0.0, self.target - values[i]) ** 2
        return -short / total
'''
ARMS = rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.3, 1.5])
SMALL = {"horizon": 60, "runs": 20, "seed": 4, "progress": False}


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "shortfall_of_mine.py"
    path.write_text(FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(importlib.sys.modules, "shortfall_of_mine", raising=False)
    return path


@pytest.fixture
def shortfall(file):
    return importlib.import_module("shortfall_of_mine").Shortfall


def test_the_kit_and_the_values_of_all_families(shortfall):
    check_risk(shortfall())
    families = (
        ARMS,
        rb.BernoulliArms([0.3, 0.6]),
        rb.StudentTArms([0, 0.5], [1, 1], [4, 5]),
        rb.LognormalArms([0, 0.2], [0.5, 0.7]),
        rb.BetaArms([2, 3], [2, 1]),
        rb.UniformArms([0, 0.2], [1, 0.7]),
        rb.ExponentialArms([1, 2]),
        rb.GaussianMixtureArms([[0.9, 0.1]] * 2, [[1, -4], [0.5, 0]], [[0.1, 1], [0.1, 1]]),
        rb.TruncatedGaussianArms([0.3, 0.5], [1, 0.2], [0, 0], [1, 1]),
        rb.PoissonArms([1, 3]),
        rb.DataArms([0.0, 1.0, 0.5, 0.2, 0.3, 0.9], [3, 6]),
    )
    for arms in families:
        own, built_in = rb.Problem(arms, shortfall(0.6)), rb.Problem(arms, rb.Semivariance(0.6))
        np.testing.assert_allclose(own.values, built_in.values, rtol=1e-3, atol=1e-5, err_msg=type(arms).__name__)
        assert own.best_arm == built_in.best_arm


def test_simulate_sweep_compare_learner_and_command_line(file, shortfall, command, tmp_path):
    """One kind of kernel, so that little is compiled: MVTS on Gaussian arms."""
    problem = rb.Problem(ARMS, shortfall(0.3))
    assert problem.gaps == pytest.approx(rb.Problem(ARMS, rb.Semivariance(0.3)).gaps, abs=1e-6)
    alone = rb.simulate(problem, [rb.MVTS()], **SMALL)
    last = alone.table().query("step == 60")["regret_mean"].item()
    assert last == pytest.approx((alone.pulls("MVTS") @ problem.gaps).mean())  # regret in this very measure

    swept = rb.sweep(lambda target: rb.Problem(ARMS, shortfall(target)), [0.1, 0.3], [rb.MVTS()], **SMALL)
    assert swept.name == "target"
    assert swept.at(0.3).table().equals(alone.table())

    compared = rb.compare({"mine": problem}, [rb.MVTS(), rb.MVTS(rate=5.0)], **SMALL)
    assert set(compared.leaderboard()["policy"]) == {"MVTS", "MVTS(rate=5)"}

    learner = rb.Learner(rb.MVTS(), ["a", "b"], shortfall(0.3))
    learner.tell(["a", "b"], [0.2, 0.9])
    learner.save(tmp_path / "learner.json")
    back = rb.Learner.load(tmp_path / "learner.json", risk=shortfall)
    assert [learner.ask() for _ in range(20)] == [back.ask() for _ in range(20)]

    settings = ("--policies", "mvts", "--horizon", "60", "--runs", "20", "--seed", "4", "--json")
    arms = ("--arms", "gaussian(means=[0.1, 0.5, 0.9], variances=[0.05, 0.3, 1.5])")
    code, out, err = command("simulate", *arms, "--risk", f"{file}:Shortfall(target=0.3)", *settings)
    assert code == 0, err
    assert json.loads(out)["table"][-1]["regret_mean"] == last
    code, out, err = command("sweep", *arms, "--risk", f"{file}:Shortfall", "--values", "0.1,0.3", *settings)
    assert code == 0, err
    assert json.loads(out)["settings"]["parameter"] == "target"
    assert json.loads(out)["table"][-1]["regret_mean"] == last


def test_rules_name_the_best_arm_in_it(shortfall):
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), shortfall(0.3))
    assert rb.identify(problem, rb.SuccessiveRejects(), budget=300, runs=20, progress=False).errors == 0
