"""The study of tails: what its numbers are, by a policy whose regret is known."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from studies import regret_tails as tails


def test_numbers_of_a_policy_that_plays_by_lot():
    setting = tails.SETTINGS["Gaussian"]._replace(policies=(rb.UniformRandom(),))
    (row,) = tails.tails(tails.play(setting, runs=20, method="python", progress=False)).to_dict("records")
    # Every second step costs 1.
    assert row["mean"] == pytest.approx(tails.HORIZON / 2, abs=4 * np.sqrt(tails.HORIZON / 4 / 20))
    assert row["median"] == pytest.approx(row["mean"], abs=20)
    assert row["99.9 %"] > row["median"]
    assert row["above 100"] == 1.0
    assert 0.1 < row["locked"] < 0.9  # half of the runs played the best arm less than half of the time


def test_every_policy_serves_its_problem_and_labels_differ():
    for setting in tails.SETTINGS.values():
        assert setting.problem.best_arm == 0
        names = [
            rb.simulate(setting.problem, [one], horizon=4, runs=1, progress=False, method="python").labels[0]
            for one in setting.policies
        ]
        assert len(set(names)) == len(setting.policies)
