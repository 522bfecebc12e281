"""Regrets against their definitions, on runs replayed step by step."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics
from riskbandits.core.seeds import streams

HORIZON = 400


def replay(policy, problem, seed, replication):
    """The arms and rewards of one replication, from the learner."""
    choices, rewards = streams(seed, policy, problem, replication)
    learner = rb.Learner(policy, problem.size, problem.risk, horizon=HORIZON, seed=choices)
    arms, paid = [], []
    for _ in range(HORIZON):
        arms.append(learner.ask())
        paid.append(problem.arms.draw(arms[-1], rewards))
        learner.tell(arms[-1], paid[-1])
    return np.array(arms), np.array(paid)


@pytest.mark.parametrize("rho", [0.0, 0.5, 100.0])
def test_every_regret_at_every_checkpoint_follows_from_its_definition(rho):
    problem = rb.problems.zhu_tan_gaussian(rho)
    result = rb.simulate(problem, [rb.MVTS()], horizon=HORIZON, runs=2, seed=6, progress=False, method="plain")
    trace = result.traces[0]
    values = rho * problem.means - problem.variances
    gaps = values.max() - values
    for replication in range(2):
        arms, rewards = replay(rb.MVTS(), problem, 6, replication)
        for c, t in enumerate(trace.checkpoints):
            x, a = rewards[:t], arms[:t]
            pulls = np.bincount(a, minlength=problem.size)
            square = (problem.means[:, None] - problem.means) ** 2
            twice = pulls @ square @ pulls / t
            expected = {
                "regret": t * (values.max() - (rho * x.mean() - x.var())),
                "pseudo_regret": pulls @ gaps + twice,
                "exact_pseudo_regret": pulls @ gaps + twice / 2,
                "best_arm_share": pulls[gaps == 0].sum() / t,
            }
            for name, value in expected.items():
                got = getattr(metrics, name)(trace)[replication, c]
                assert got == pytest.approx(value, rel=1e-9, abs=1e-9 * max(1.0, rho)), (name, t)


def test_decomposition_is_exact_path_by_path():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    trace = rb.simulate(problem, [rb.MVTS()], horizon=HORIZON, runs=3, seed=6, progress=False, method="plain").traces[0]
    r1, r2 = metrics.decomposition(trace)
    np.testing.assert_allclose(r1 + r2, metrics.regret(trace)[:, -1], rtol=1e-12)
    for replication in range(3):
        arms, rewards = replay(rb.MVTS(), problem, 6, replication)
        samples = [rewards[arms == k] for k in range(problem.size)]
        first = sum(len(x) * (problem.values.max() - (x.mean() - x.var())) for x in samples)
        second = sum(len(x) * (x.mean() - rewards.mean()) ** 2 for x in samples)
        assert r1[replication] == pytest.approx(first, rel=1e-9)
        assert r2[replication] == pytest.approx(second, rel=1e-9)


def test_large_means_lose_no_digits():
    """With raw sums a mean of 1e8 turns a switching term of 74 into 0."""
    arms = rb.GaussianArms(means=[1e8, 1e8 + 0.7], variances=[0.1, 0.5])
    problem = rb.Problem(arms, rb.MeanVariance(rho=1.0))
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=600, runs=3, seed=1, progress=False).traces[0]
    pulls = trace.pulls
    gap = float(arms.means[1] - arms.means[0])
    expected = pulls[:, 0] * (gap - 0.4) + pulls[:, 0] * pulls[:, 1] / 600 * gap**2
    np.testing.assert_allclose(metrics.exact_pseudo_regret(trace)[:, -1], expected, rtol=1e-6)
    assert (metrics.exact_pseudo_regret(trace)[:, -1] > 70).all()
    assert np.abs(metrics.regret(trace)[:, -1] - expected).max() < 150  # noise, not rounding


def test_a_risk_measure_that_does_not_charge_switching_has_one_regret():
    from typing import NamedTuple

    class Mean(NamedTuple):
        """The mean."""

        def value(self, mean, variance):
            return mean

    problem = rb.problems.zhu_tan_gaussian(1.0).with_risk(Mean())
    trace = rb.simulate(problem, [rb.MVTS()], horizon=100, runs=3, progress=False).traces[0]
    expected = trace.pulls @ (problem.means.max() - problem.means)
    for metric in (metrics.regret, metrics.pseudo_regret, metrics.exact_pseudo_regret):
        np.testing.assert_allclose(metric(trace)[:, -1], expected)


def test_summary_columns_by_hand():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    result = rb.simulate(problem, [rb.MVTS()], horizon=50, runs=40, seed=2, progress=False)
    values = metrics.regret(result.traces[0])[:, -1]
    row = result.table().iloc[-1]
    assert row.regret_mean == pytest.approx(np.mean(values))
    assert row.regret_se == pytest.approx(np.std(values, ddof=1) / np.sqrt(40))
    assert [row.regret_q05, row.regret_q50, row.regret_q95] == pytest.approx(np.quantile(values, [0.05, 0.5, 0.95]))
    assert list(result.table().columns[:3]) == ["policy", "step", "runs"]


def test_one_run_has_no_standard_error():
    table = rb.simulate(rb.problems.zhu_tan_gaussian(1.0), [rb.MVTS()], horizon=20, runs=1, progress=False).table()
    assert table.regret_se.isna().all()
    assert table.regret_mean.notna().all()
