"""Which kernel serves which policy, and that shortcuts change no choice."""

import ast
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import RefusalError, UnknownNameError
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.simulation import kernel
from riskbandits.simulation.job import Job, empty_runs
from riskbandits.simulation.methods import METHODS, resolve_method
from riskbandits.simulation.replications import arguments_of, no_signals
from riskbandits.simulation.runner import run_in_plain_python

MEAN_VARIANCE = rb.MeanVariance(1.0)


class Sharpe(NamedTuple):
    floor: float = 1.0

    def value(self, mean, variance):
        return mean / (self.floor + variance)


def test_auto_plays_short_runs_and_confidence_bounds_of_few_arms_by_plain():
    two, fifteen = (rb.GaussianArms([0.1] * size, [0.2] * size) for size in (2, 15))
    chosen = [
        resolve_method(policy, "auto", MEAN_VARIANCE, arms, horizon=horizon)
        for policy in (rb.MVTS(), rb.MVLCB())
        for arms in (two, fifteen)
        for horizon in (1_000, 7_500, 7_501, 1_000_000)
    ]
    assert chosen == [
        *("plain", "plain", "lazy", "lazy"),
        *("plain", "lazy", "lazy", "lazy"),
        *("plain", "plain", "plain", "plain"),
        *("plain", "rising", "rising", "rising"),
    ]
    # Asked for by name they are what they were.
    assert resolve_method(rb.MVLCB(), "lazy", MEAN_VARIANCE, two, horizon=10) == "rising"
    assert resolve_method(rb.MVTS(), "lazy", MEAN_VARIANCE, two, horizon=10) == "lazy"


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


@wrapper
class Prepared(NamedTuple):
    """A policy with bounds, and with scores that a preparation changes at every step."""

    policy: rb.NGTS = rb.NGTS()

    def prepare(self, state, run, risk, rng):
        run[run_cells.SCRATCH] = 1.0

    def bounds(self, risk):
        return self.policy.bounds(risk)


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


SCORED = []


class Counted(NamedTuple):
    """An LCB that notes which arms it scores; read by Python, not compiled."""

    inner: rb.MVLCB

    def score(self, state, k, run, risk, rng):
        SCORED.append(k)
        return self.inner.score(state, k, run, risk, rng)

    def learn(self, state, k, run, reward):
        self.inner.learn(state, k, run, reward)

    def first_pulls(self):
        return 1

    def rises(self):
        return True


@pytest.mark.parametrize("policy", [rb.MVLCB(), rb.MVLCB.sani()])
def test_few_arms_are_scored(policy):
    problem = rb.problems.zhu_tan_gaussian(1.0)
    plain = python_pulls(Counted(policy), problem, 2000, seed=5, method="plain")
    assert len(SCORED) == 15 * (2000 - 15)
    SCORED.clear()
    assert np.array_equal(plain, python_pulls(Counted(policy), problem, 2000, seed=5, method="rising"))
    assert 2 * 2000 < len(SCORED) < 5 * 2000
    SCORED.clear()


@pytest.mark.parametrize("threads", [1, 2])
def test_lazy_runs_depend_on_the_seed_alone(threads):
    problem = rb.problems.zhu_tan_gaussian(1.0)
    first = rb.simulate(problem, [rb.MVTS()], horizon=500, runs=6, seed=3, workers=1, progress=False)
    other = rb.simulate(problem, [rb.VTS(), rb.MVTS()], horizon=500, runs=6, seed=3, workers=threads, progress=False)
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
    job = Job("", policy, problem, np.array([horizon]), 1, seed, method)
    return run_in_plain_python(job).pulls[0]


def test_rewards_are_drawn_and_sums_booked_in_one_place():
    """Steps, rewards and sums belong to the one loop; a second loop would show here."""
    drawing, booking = [], []
    for path in Path(rb.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                drawing += [path.name] * (node.func.id == "draw_next" and "simulation" in path.parts)
                booking += [path.name] * (node.func.id == "book_pulls")
    assert sorted(drawing) == ["common_rewards.py", "kernel.py"]  # the latter hands on to the arms inside
    assert set(booking) == {"kernel.py"}


def test_facts_may_belong_to_a_piece_of_the_run():
    """A run in two pieces, by hand: what was pulled in a piece is booked with the facts of that piece."""
    problem = rb.problems.zhu_tan_gaussian(1.0)
    job = Job("", rb.MVTS(), problem, np.array([40, 100, 150]), 1, 3, "plain")
    runs, whole = empty_runs(job, 1), run_in_plain_python(job)
    _, arguments = arguments_of(job, runs)(0, 0)
    at_60 = pulls_until(job, 60)
    setup, *others = arguments
    facts, other = setup.facts, setup.facts * np.array([2.0, 3.0, 0.0])
    pieces = {"facts": np.concatenate([facts, other]), "best_means": setup.best_means.repeat(2)}
    METHODS["plain"].play(setup._replace(**pieces, ends=np.array([60, 150])), *others, *no_signals())
    assert np.array_equal(runs.pulls, whole.pulls)
    for c, step in enumerate((40, 100, 150)):
        first = pulls_until(job, min(step, 60))
        second = pulls_until(job, step) - at_60 if step > 60 else 0 * at_60
        expected = first @ facts[0] + second @ other[0]
        np.testing.assert_allclose(runs.sums[0, c, [kernel.GAP, kernel.MEAN, kernel.BEST_ARM]], expected)
    assert np.array_equal(runs.sums[:, :, kernel.REWARD], whole.sums[:, :, kernel.REWARD])


def pulls_until(job, step):
    return run_in_plain_python(job.replace(checkpoints=np.array([step]))).pulls[0]
