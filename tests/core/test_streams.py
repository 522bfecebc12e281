"""A result is a function of the seed and of what is simulated: not of threads, order, or company."""

from __future__ import annotations

import numpy as np

import riskbandits as rb
from riskbandits.core import records, seeds

PROBLEM = rb.problems.zhu_tan_gaussian(rho=1)
SETTINGS = {"horizon": 200, "runs": 9, "progress": False}


def sums(label, policies, **changes):
    return rb.simulate(PROBLEM, policies, **{**SETTINGS, "seed": 5, **changes}).trace(label).sums


def test_same_seed_same_result_twice_and_on_any_number_of_threads():
    first = sums("MVTS", [rb.MVTS()], workers=1)
    for threads in (1, 2, 5):
        np.testing.assert_array_equal(first, sums("MVTS", [rb.MVTS()], workers=threads))


def test_other_policies_and_their_order_change_nothing():
    alone = sums("MVTS", [rb.MVTS()])
    np.testing.assert_array_equal(alone, sums("MVTS", [rb.MTS(), rb.MVLCB(), rb.MVTS()]))
    np.testing.assert_array_equal(alone, sums("MVTS", [rb.MVTS(), rb.MTS()]))


def test_more_runs_extend_fewer():
    np.testing.assert_array_equal(sums("MVTS", [rb.MVTS()], runs=4), sums("MVTS", [rb.MVTS()])[:4])


def test_seed_policy_parameters_and_problem_each_change_the_stream():
    policy, other = rb.MVTS(), rb.MVTS(shape=1.0)
    first = seeds.streams(0, policy, PROBLEM, 0)[0].random()
    assert first != seeds.streams(1, policy, PROBLEM, 0)[0].random()
    assert first != seeds.streams(0, other, PROBLEM, 0)[0].random()
    assert first != seeds.streams(0, policy, rb.problems.zhu_tan_gaussian(2), 0)[0].random()
    assert first != seeds.streams(0, policy, PROBLEM, 1)[0].random()
    assert first != seeds.streams(0, policy, PROBLEM, 0)[1].random()
    assert first == seeds.streams(0, policy, PROBLEM, 0)[0].random()


def test_marks_of_fields_with_the_same_limits_are_not_equal():
    """Python 3.11.2 would check a list of lists as if it were a list of numbers."""
    assert records.Vector(records.Limits(low=0.0)) != records.Table(records.Limits(low=0.0))
    assert records.NonNegativeTable.__metadata__[0] == records.Table(records.Limits(low=0.0))


def test_records_of_other_classes_with_equal_fields_are_not_the_same():
    assert rb.MVTS() == rb.VTS()  # as tuples
    assert seeds.streams(0, rb.MVTS(), PROBLEM, 0)[0].random() != seeds.streams(0, rb.VTS(), PROBLEM, 0)[0].random()


def test_whole_and_real_parameters_are_the_same():
    problem = rb.Problem(PROBLEM.arms, rb.MeanVariance(rho=1))
    assert problem == PROBLEM
    first = rb.simulate(problem, [rb.MVTS(shape=1)], seed=5, **SETTINGS)
    second = rb.simulate(PROBLEM, [rb.MVTS(shape=1.0)], seed=5, **SETTINGS)
    np.testing.assert_array_equal(first.traces[0].sums, second.traces[0].sums)


def test_replications_are_independent():
    means = sums("UniformRandom", [rb.UniformRandom()], runs=400)[:, -1, 0]
    neighbours = np.corrcoef(means[:-1], means[1:])[0, 1]
    assert abs(neighbours) < 4 / np.sqrt(400)


def test_any_whole_number_is_a_seed():
    results = [sums("MVTS", [rb.MVTS()], seed=seed, runs=1) for seed in (0, 1, 2**32, 2**32 + 1, 2**100)]
    assert len({result[0, -1, 0] for result in results}) == len(results)
