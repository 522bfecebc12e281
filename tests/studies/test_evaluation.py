"""The study of intervals: its truths, and a small run."""

from __future__ import annotations

import numpy as np
import pytest

from studies import evaluation


def test_rewards_have_mean_0_and_variance_1():
    for name, draw in evaluation.KINDS.items():
        rewards = draw(np.random.default_rng(1), 400_000)
        assert rewards.mean() == pytest.approx(0.0, abs=0.01), name
        assert rewards.var() == pytest.approx(1.0, abs=0.1), name


def test_logged_probabilities_are_those_of_the_choices():
    for policy in evaluation.POLICIES:
        made = evaluation.logs(policy, evaluation.KINDS["normal"], 400, 60, True, np.random.default_rng(2))
        weights = 1.0 / made.probabilities  # each arm's weights sum to the number of decisions, on average
        for arm in (0, 1):
            sums = (weights * (made.arms == arm)).sum(axis=1)
            assert abs(sums.mean() - 60) < 5.0 * sums.std() / np.sqrt(400) + 1e-9, (policy, arm)


def test_a_small_study_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr(evaluation, "KINDS", {"normal": evaluation.KINDS["normal"]})
    monkeypatch.setattr(evaluation, "TRUTH", 50_000)
    evaluation.main(["--runs", "25", "--rows", "400"])
    printed = capsys.readouterr().out
    assert "| by arm | policy | mean | mean-variance | CVaR(0.2) |" in printed
    assert printed.count("| normal |") == 9
