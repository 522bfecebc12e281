"""Which kernel serves which policy, and that shortcuts change no choice."""

from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import seeds
from riskbandits.arms.contract import new_memory
from riskbandits.errors import RefusalError, UnknownNameError
from riskbandits.policies import contract
from riskbandits.simulation import kernel, runner
from riskbandits.simulation.methods import KERNELS, resolve_method

MEAN_VARIANCE = rb.MeanVariance(1.0)


class Sharpe(NamedTuple):
    floor: float = 1.0

    def value(self, mean, variance):
        return mean / (self.floor + variance)


def test_what_auto_means():
    assert resolve_method(rb.MVTS(), "auto", MEAN_VARIANCE) == "lazy"
    assert resolve_method(rb.MVTS(), "plain", MEAN_VARIANCE) == "plain"
    assert resolve_method(rb.MVTS(), "auto", Sharpe()) == "plain"
    assert resolve_method(rb.MTS.printed(), "auto", MEAN_VARIANCE) == "plain"
    assert resolve_method(rb.MVLCB(), "auto", MEAN_VARIANCE) == "rising"
    assert resolve_method(rb.MVLCB(), "lazy", MEAN_VARIANCE) == "rising"
    assert resolve_method(rb.ExpExp(), "auto", MEAN_VARIANCE) == "plain"


def test_refusals():
    with pytest.raises(RefusalError, match="ExpExp cannot be simulated with method='lazy'"):
        resolve_method(rb.ExpExp(), "lazy", MEAN_VARIANCE)
    with pytest.raises(RefusalError, match="Sharpe"):
        resolve_method(rb.MVTS(), "lazy", Sharpe())
    with pytest.raises(UnknownNameError, match="lazy"):
        resolve_method(rb.MVTS(), "lazzy", MEAN_VARIANCE)


class Prepared(NamedTuple):
    """A policy with bounds that says whom they serve, and with scores that a preparation changes at every step."""

    inner: rb.NGTS = rb.NGTS()

    def prepare(self, state, run, risk, rng):
        run[contract.SCRATCH] = 1.0

    def score(self, state, k, run, risk, rng):
        return self.inner.score(state, k, run, risk, rng)

    def learn(self, state, k, run, reward):
        self.inner.learn(state, k, run, reward)

    def watch(self, state, k, risk, deviations, envelope):
        return self.inner.watch(state, k, risk, deviations, envelope)

    def tail(self, state, k, threshold, risk, envelope):
        return self.inner.tail(state, k, threshold, risk, envelope)

    def draw_above(self, state, k, threshold, risk, envelope, rng):
        return self.inner.draw_above(state, k, threshold, risk, envelope, rng)

    def lazy_for(self, risk):
        return True


def test_what_is_prepared_at_every_step_is_scored_at_every_step():
    assert resolve_method(Prepared(), "auto", MEAN_VARIANCE) == "plain"
    assert resolve_method(rb.SwitchingAware(Prepared()), "auto", MEAN_VARIANCE) == "plain"
    assert resolve_method(rb.SwitchingAware.imed(), "auto", MEAN_VARIANCE) == "plain"
    assert resolve_method(rb.SwitchingAware(rb.MVTS()), "auto", MEAN_VARIANCE) == "plain"  # bounds without the charge
    assert resolve_method(rb.SwitchingAware(), "auto", MEAN_VARIANCE) == "lazy"
    assert resolve_method(rb.SwitchingAware.bernoulli(), "auto", MEAN_VARIANCE) == "lazy"


def gaussian(size, rho, seed=1):
    rng = np.random.default_rng(seed)
    arms = rb.GaussianArms(means=rng.random(size), variances=rng.random(size) * (np.arange(size) % 3 > 0))
    return rb.Problem(arms, rb.MeanVariance(rho))


@pytest.mark.parametrize("policy", [rb.MVLCB(), rb.MVLCB.sani(), rb.MVLCB(offset=0.0, factor=0.1), rb.KLUCBMV()])
@pytest.mark.parametrize(("size", "rho"), [(1, 1.0), (2, 0.0), (15, 0.001), (15, 1.0), (15, 1e9), (120, 3.0)])
def test_confidence_bounds_take_the_plain_path(policy, size, rho):
    same_path(gaussian(size, rho), policy)


@pytest.mark.parametrize("policy", [rb.BernoulliLCB(), rb.BernoulliLCB.tight(), rb.KLUCBMV.bernoulli()])
@pytest.mark.parametrize("rho", [0.0, 0.5, 1e6])
def test_bernoulli_bounds_take_the_plain_path(policy, rho):
    arms = rb.BernoulliArms(probabilities=[0.0, 0.2, 0.2, 0.5, 0.9, 1.0, 1.0])
    same_path(rb.Problem(arms, rb.MeanVariance(rho)), policy)


def same_path(problem, policy):
    plain, short = (
        rb.simulate(problem, [policy], horizon=3000, runs=4, seed=3, method=method, progress=False).traces[0]
        for method in ("plain", "rising")
    )
    assert np.array_equal(plain.pulls, short.pulls)
    assert np.array_equal(plain.sums, short.sums)


class Counted(NamedTuple):
    """An LCB that notes which arms it scores; read by Python, not compiled."""

    inner: rb.MVLCB
    scored: list

    def score(self, state, k, run, risk, rng):
        self.scored.append(k)
        return self.inner.score(state, k, run, risk, rng)

    def learn(self, state, k, run, reward):
        self.inner.learn(state, k, run, reward)

    def first_pulls(self):
        return 1


@pytest.mark.parametrize("policy", [rb.MVLCB(), rb.MVLCB.sani()])
def test_few_arms_are_scored(policy):
    problem, scored = rb.problems.zhu_tan_gaussian(1.0), []
    _, reward_rng = seeds.streams(5, policy, problem, 0)
    pulls = play_in_python(Counted(policy, scored), problem, 2000, (None, reward_rng), "rising")
    assert np.array_equal(pulls, python_pulls(policy, problem, 2000, seed=5, method="plain"))
    assert 2 * 2000 < len(scored) < 5 * 2000  # plain scores 15 arms at each step


@pytest.mark.parametrize("threads", [1, 2])
def test_lazy_runs_depend_on_the_seed_alone(threads):
    problem = rb.problems.zhu_tan_gaussian(1.0)
    first = rb.simulate(problem, [rb.MVTS()], horizon=500, runs=6, seed=3, threads=1, progress=False)
    other = rb.simulate(problem, [rb.VTS(), rb.MVTS()], horizon=500, runs=6, seed=3, threads=threads, progress=False)
    assert np.array_equal(first.pulls("MVTS"), other.pulls("MVTS"))


@pytest.mark.parametrize("policy", [rb.MVTS(shape=0.0, rate=0.0), rb.VTS(rate=0.0), rb.MVTS(shape=0.1)])
def test_atoms_and_improper_priors_run(policy):
    problem = rb.Problem(rb.GaussianArms(means=[0.5, 0.5, 0.4], variances=[0.0, 0.0, 0.2]), rb.MeanVariance(1.0))
    pulls = rb.simulate(problem, [policy], horizon=400, runs=3, seed=3, progress=False, method="lazy").traces[0].pulls
    assert (pulls.sum(axis=1) == 400).all()


@pytest.mark.parametrize("method", ["lazy", "rising"])
def test_compiled_and_plain_python_agree(method):
    policies = [rb.MVTS(), rb.VTS(), rb.MTS(), rb.BMVTS()] if method == "lazy" else [rb.MVLCB()]
    for policy in policies:
        binary = isinstance(policy, rb.BMVTS)
        problem = rb.problems.zhu_tan_bernoulli(4 / 9) if binary else rb.problems.zhu_tan_gaussian(1.0)
        compiled_pulls = (
            rb.simulate(problem, [policy], horizon=300, runs=1, seed=5, method=method, progress=False)
            .traces[0]
            .pulls[0]
        )
        assert np.array_equal(compiled_pulls, python_pulls(policy, problem, 300, seed=5, method=method))


def python_pulls(policy, problem, horizon, seed, method):
    return play_in_python(policy, problem, horizon, seeds.streams(seed, policy, problem, 0), method)


def play_in_python(policy, problem, horizon, streams, method):
    pulls = np.zeros(problem.size, dtype=np.int64)
    choice_rng, reward_rng = streams
    KERNELS[method](
        policy,
        problem.risk,
        problem.arms,
        runner.arm_facts(problem),
        0.0,
        contract.first_pulls(policy),
        np.zeros((problem.size, contract.width(policy))),
        contract.new_run(horizon),
        np.array([horizon]),
        choice_rng,
        reward_rng,
        np.zeros((1, kernel.SUMS)),
        pulls,
        np.zeros(problem.size),
        np.zeros(problem.size, dtype=np.int64),
        new_memory(problem.size),
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    return pulls
