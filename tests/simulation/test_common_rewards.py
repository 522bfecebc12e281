"""Common rewards: the j-th reward of an arm is the same for all policies, and has the arm's distribution."""

from __future__ import annotations

import numpy as np
from scipy.stats import kstest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.core.records import digest
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.simulation import runner
from riskbandits.simulation.common_rewards import ArmsByStream, arm_streams
from riskbandits.simulation.kernel import REWARD

ARMS = rb.GaussianArms([0.0, 1.0, 5.0], [1.0, 0.25, 4.0])


def streams(replication=0, seed=0, arms=ARMS):
    return arm_streams(seed, digest(arms, rb.MeanVariance(1.0)), 3, replication)


def draws(rng, order, arms=ARMS):
    by_stream = ArmsByStream(arms)
    return [by_stream.draw(k, rng) for k in order]


def jobs(problem, policies, horizon, runs, common=True):
    planned = simulate.plan(problem, policies, simulate.RunOptions(horizon, runs, seed=1, checkpoints=[horizon]))
    return [job.replace(common_rewards=common) for job in planned]


def test_an_arm_pays_the_same_sequence_whatever_else_is_played():
    alone = draws(streams(), [1] * 20)
    mixed = draws(streams(), [0, 1, 2, 1, 0, 0] * 10)
    assert [x for x, k in zip(mixed, [0, 1, 2, 1, 0, 0] * 10, strict=True) if k == 1] == alone


def test_other_replications_seeds_and_problems_have_other_rewards():
    first = draws(streams(), [1, 2])
    assert first == draws(streams(), [1, 2])
    shifted = rb.GaussianArms([0.0, 1.0, 6.0], [1.0, 0.25, 4.0])
    for other in (streams(replication=1), streams(seed=1), streams(arms=shifted)):
        assert not set(first) & set(draws(other, [1, 2]))


def test_the_law_of_the_rewards_is_the_arms_own():
    rewards = np.array(draws(streams(), [2] * 4000))
    assert kstest((rewards - 5.0) / 2.0, "norm").pvalue > 0.001
    coins = draws(streams(), [1] * 4000, rb.BernoulliArms([0.1, 0.3, 0.9]))
    assert set(coins) == {0.0, 1.0}
    assert abs(np.mean(coins) - 0.3) < 4 * np.sqrt(0.21 / 4000)


def test_policies_that_must_play_alike_meet_the_same_rewards():
    problem = rb.Problem(rb.GaussianArms([0.3], [2.0]), rb.MeanVariance(1.0))
    for common in (True, False):
        one, other = (
            runner.run_in_plain_python(job) for job in jobs(problem, [rb.MVLCB(), rb.UniformRandom()], 30, 2, common)
        )
        same = one.sums[:, :, REWARD] == other.sums[:, :, REWARD]
        assert same.all() if common else not same.any()
        assert one.sums[0, 0, REWARD] != one.sums[1, 0, REWARD]


def test_compiled_and_plain_python_agree():
    [job] = jobs(rb.problems.zhu_tan_gaussian(1), [rb.MVLCB()], 60, 3)
    compiled = runner.run_jobs([job], 1)[0]
    np.testing.assert_array_equal(compiled.sums, runner.run_in_plain_python(job).sums)


def test_regrets_of_two_policies_go_together():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    policies = [rb.MVLCB(), rb.MVLCB.vakili()]
    correlations = {}
    for common in (True, False):
        traces = runner.run_jobs(jobs(problem, policies, 1000, 200, common), 1)
        regrets = [exact_pseudo_regret(trace)[:, -1] for trace in traces]
        correlations[common] = np.corrcoef(regrets)[0, 1]
    assert correlations[True] > 0.3
    assert abs(correlations[False]) < 4 / np.sqrt(200)


def test_a_store_keeps_the_two_kinds_apart(tmp_path):
    from riskbandits.simulation.collected import description
    from riskbandits.simulation.store import content_key

    problem = rb.problems.zhu_tan_gaussian(1)
    keys = {content_key(description(jobs(problem, [rb.MVLCB()], 20, 2, common)[0], {})) for common in (True, False)}
    assert len(keys) == 2


def test_the_flag_travels_to_other_processes():
    from riskbandits.simulation import payload

    [job] = jobs(rb.problems.zhu_tan_gaussian(1), [rb.MVLCB()], 60, 3)
    runs = payload.play_payload(payload.payload_of(job), 0, 3)
    np.testing.assert_array_equal(runs.sums, runner.run_jobs([job], 1)[0].sums)
