"""Exact identities: R = R1 + R2 path by path, and the expectation identity term by term."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics
from riskbandits.core.errors import RefusalError
from riskbandits.simulation.kernel import REWARD_SQUARED

PROBLEMS = {
    "gaussian": (rb.problems.zhu_tan_gaussian(1.0), [rb.MTS(), rb.MVTS(), rb.UniformRandom()]),
    "large rho": (rb.problems.zhu_tan_gaussian(100.0), [rb.MVTS()]),
    "bernoulli": (rb.problems.zhu_tan_bernoulli(0.5), [rb.BMVTS(), rb.UniformRandom()]),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def traces(request):
    problem, policies = PROBLEMS[request.param]
    return rb.simulate(problem, policies, horizon=400, runs=600, seed=11, progress=False).traces


def test_the_terms_of_the_expectation_add_up(traces):
    for trace in traces:
        terms = metrics.expectation_identity(trace)
        assert terms.adds_up(4.0)
        right = terms.exact_pseudo_regret - terms.variance_of_mean - terms.covariance
        np.testing.assert_allclose(terms.regret - right, terms.residual, atol=1e-8 * np.abs(terms.regret).max())


def test_the_expected_regret_with_little_noise(traces):
    for trace in traces:
        quiet, loud = metrics.low_noise_regret(trace), metrics.regret(trace)
        error = (quiet - loud).std(axis=0, ddof=1) / np.sqrt(trace.runs)
        assert (np.abs(quiet.mean(axis=0) - loud.mean(axis=0)) <= 4.0 * error + 1e-9).all()
        if trace.label != "UniformRandom":  # whose pseudo-regret varies as much as its luck
            assert quiet[:, -1].std() < loud[:, -1].std()


def test_leaving_a_term_out_is_noticed():
    # Two arms, all noise in the mean: the pseudo-regret alone misses the regret by the variance term.
    problem = rb.Problem(rb.GaussianArms([0.0, 0.0], [4.0, 4.0]), rb.MeanVariance(0.0))
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=3, runs=3_000, seed=1, progress=False).traces[0]
    terms = metrics.expectation_identity(trace)
    assert terms.adds_up(4.0)
    np.testing.assert_allclose(terms.variance_of_mean, 4.0)
    assert not terms._replace(residual=terms.residual + terms.variance_of_mean).adds_up(4.0)


def test_the_covariance_matters_for_a_policy_that_follows_its_luck(traces):
    terms = [metrics.expectation_identity(trace).covariance for trace in traces]
    assert max(np.abs(one).max() for one in terms) > 0.0


def test_regret_is_r1_plus_r2_on_every_path(traces):
    for trace in traces:
        problem, pulls = trace.problem, trace.pulls
        rho, best = problem.risk.rho, problem.best_arm
        means = trace.reward_sums / np.maximum(pulls, 1)  # less mu_best
        # R1 = sum_i rho T_i (mu_1 - m_i) + T_i (v_i - s_1^2), and sum_i T_i v_i follows from the sums.
        within = trace.sums[:, -1, REWARD_SQUARED] - (pulls * means**2).sum(axis=1)
        r1 = -rho * trace.reward_sums.sum(axis=1) + within - trace.horizon * problem.variances[best]
        stream_mean = trace.reward_sums.sum(axis=1, keepdims=True) / trace.horizon
        r2 = (pulls * (means - stream_mean) ** 2).sum(axis=1)
        found = metrics.decomposition(trace)
        np.testing.assert_allclose(r1 + r2, metrics.regret(trace)[:, -1], rtol=1e-9, atol=1e-7)
        np.testing.assert_allclose(found, (r1, r2), rtol=1e-8, atol=1e-7)


class MeanOnly(NamedTuple):
    def value(self, mean, variance):
        return mean + 0.0 * variance


def test_refusals():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), MeanOnly())
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=5, runs=2, progress=False).traces[0]
    with pytest.raises(RefusalError, match="Got MeanOnly instead"):
        metrics.expectation_identity(trace)
    single = rb.simulate(PROBLEMS["gaussian"][0], [rb.MVTS()], horizon=20, runs=1, progress=False).traces[0]
    with pytest.raises(RefusalError, match="two runs or more"):
        metrics.expectation_identity(single)
