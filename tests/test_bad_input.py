"""Bad input is refused, in one sentence that names the thing, what it must be and what it got."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ContractError, KeywordError, ParameterError, RefusalError, UnknownNameError

GAUSSIAN = rb.GaussianArms([0.0, 1.0], [1.0, 1.0])
PROBLEM = rb.Problem(GAUSSIAN, rb.MeanVariance(1.0))


def simulate(policies=(rb.MVTS(),), **changes):
    settings = {"problem": PROBLEM, "horizon": 10, "runs": 1, "progress": False} | changes
    return rb.simulate(settings.pop("problem"), policies, **settings)


def problem(arms=GAUSSIAN, risk=rb.MeanVariance(1.0)):
    return rb.Problem(arms, risk)


def wait(**changes):
    settings = {"policy": "MTS", "variance": 0.5, "rho": 1.0, "pulls": 2, "epsilon": 0.1} | changes
    return rb.theory.expected_wait(**settings)


def swept(at):
    return rb.sweep(rb.problems.zhu_tan_gaussian, [0.5], [rb.UniformRandom()], horizon=15, runs=2, progress=False).at(
        at
    )


THEORY_AND_INFERENCE = [
    (lambda: wait(policy=["MTS"]), UnknownNameError, r"There is no policy \['MTS'\]"),
    (lambda: wait(pulls=math.inf), ParameterError, "pulls must be a whole number"),
    (lambda: wait(variance=1e308), ParameterError, "variance must be a finite number > 0, at most 10000. Got 1e"),
    (lambda: wait(variance=1e4, steps=10), RefusalError, "would need .* points"),
    (lambda: rb.theory.lock_share("vts", PROBLEM), UnknownNameError, "Did you mean 'VTS'"),
    (lambda: rb.theory.lock_share("VTS", None), ParameterError, "problem must be a Problem"),
    (lambda: rb.theory.best_mixture("abc"), ParameterError, "problem must be a Problem.*Got 'abc'"),
    (lambda: rb.theory.mixture_value([1, 2], [0.5, 0.5]), ParameterError, "problem must be a Problem"),
    (lambda: rb.theory.single_arm_is_best(None), ParameterError, "risk measure must be a record.*Got None"),
    (lambda: rb.theory.single_arm_is_best(rb.MVTS()), ContractError, "MVTS is not a risk measure"),
    (lambda: rb.inference.mean_interval(["a"]), ParameterError, "A sample must be numbers, one per run"),
    (lambda: rb.inference.mean_interval(np.ma.array([1.0, 2.0], mask=[0, 1])), ParameterError, "A sample must be"),
    (lambda: rb.inference.standard_error({}), ParameterError, "A sample must be"),
    (lambda: rb.inference.of_means([1.0], None), ParameterError, "A sample must be.*Got None"),
    (lambda: rb.inference.of_paired([1.0, 2.0], [1.0]), ParameterError, r"as long as the first \(2 runs\)"),
    (lambda: simulate([rb.NGTS(optimism=2.0**63)]), ParameterError, r"optimism.*must be a number in \[0, 1000\]"),
    (lambda: swept(np.ones(2)), UnknownNameError, "no rho in this sweep equal to"),
]


@pytest.mark.parametrize(("call", "error", "words"), THEORY_AND_INFERENCE)
def test_theory_and_inference(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


CASES = [
    (
        lambda: problem(risk=rb.MeanVariance(-1.5)),
        ParameterError,
        "'rho' parameter of MeanVariance must be a number >= 0. Got -1.5",
    ),
    (lambda: problem(risk=rb.MeanVariance(math.nan)), ParameterError, "rho.*Got nan"),
    (lambda: problem(risk=rb.MeanVariance(math.inf)), ParameterError, "rho.*Got inf"),
    (lambda: problem(risk=rb.MeanVariance("1")), ParameterError, "rho.*Got '1'"),
    (lambda: problem(risk=rb.MeanVariance(10**400)), ParameterError, "rho.*must be"),
    (lambda: problem(risk=rb.MeanVariance(True)), ParameterError, "rho.*Got True"),
    (lambda: problem(risk=1.0), ParameterError, "A risk measure must be a record.*Got 1.0"),
    (lambda: problem(risk=rb.MeanVariance), ContractError, r"not a class: write MeanVariance\(...\)"),
    (lambda: problem(risk=rb.MVTS()), ContractError, "MVTS is not a risk measure: it has no method 'value'"),
    (
        lambda: problem(arms=rb.GaussianArms([], [])),
        ParameterError,
        "'means' parameter of GaussianArms must be a non-empty",
    ),
    (lambda: problem(arms=rb.GaussianArms([1, 2], [1])), ParameterError, r"as many variances as means \(2\). Got 1"),
    (lambda: problem(arms=rb.GaussianArms([[1, 2], [1]], [1, 2])), ParameterError, "means.*must be"),
    (lambda: problem(arms=rb.GaussianArms([[1, 2]], [[1, 2]])), ParameterError, "means.*must be"),
    (
        lambda: problem(arms=rb.GaussianArms([1, 2], [1, -2])),
        ParameterError,
        "variances.*arm 1, must be a number >= 0. Got -2.0",
    ),
    (lambda: problem(arms=rb.GaussianArms([1, math.nan], [1, 2])), ParameterError, "means.*arm 1.*Got nan"),
    (lambda: problem(arms=rb.GaussianArms(["a"], [1])), ParameterError, "means.*Got"),
    (
        lambda: problem(arms=rb.BernoulliArms([0.2, 1.2])),
        ParameterError,
        r"arm 1, must be a number in \[0, 1\]. Got 1.2",
    ),
    (lambda: problem(arms=rb.BernoulliArms([-0.1])), ParameterError, "Got -0.1"),
    (lambda: problem(arms=[0.1, 0.2]), ParameterError, "A set of arms must be a record"),
    (lambda: simulate(problem=GAUSSIAN), ParameterError, "The problem must be a Problem"),
    (lambda: simulate(horizon=0), ParameterError, "The horizon must be a whole number >= 1. Got 0"),
    (lambda: simulate(horizon=10.5), ParameterError, "horizon.*Got 10.5"),
    (lambda: simulate(runs=0), ParameterError, "runs must be a whole number >= 1. Got 0"),
    (lambda: simulate(runs=-3), ParameterError, "Got -3"),
    (lambda: simulate(seed=-1), ParameterError, "The seed must be a whole number >= 0. Got -1"),
    (lambda: simulate(seed=None), ParameterError, "seed.*Got None"),
    (lambda: simulate(workers=0), ParameterError, "workers.*Got 0"),
    (lambda: simulate(checkpoints=[5, 11]), ParameterError, r"from 1 to the horizon \(10\). Got 11"),
    (lambda: simulate(checkpoints=[0]), ParameterError, "checkpoint.*Got 0"),
    (lambda: simulate(checkpoints=[2.5]), ParameterError, "checkpoint.*Got 2.5"),
    (lambda: simulate(checkpoints=["a"]), ParameterError, "checkpoint.*Got 'a'"),
    (lambda: simulate(policies=[]), ParameterError, "list of policies must be non-empty"),
    (lambda: simulate(policies=["mvts"]), ParameterError, "A policy must be a record.*Got 'mvts'"),
    (lambda: simulate(policies=[rb.MVTS]), ContractError, r"write MVTS\(...\)"),
    (
        lambda: simulate(policies=[rb.MVTS(shape=-1)]),
        ParameterError,
        "'shape' parameter of MVTS must be a number >= 0. Got -1",
    ),
    (lambda: simulate(policies=[rb.BMVTS(successes_prior=0)]), ParameterError, "must be a number > 0. Got 0"),
    (lambda: simulate(policies=[rb.MVDSEE(weight=0)]), ParameterError, "weight.*Got 0"),
    (lambda: simulate(policies=[rb.MTS(use_printed_form=1)]), ParameterError, "must be True or False. Got 1"),
    (
        lambda: simulate(policies=[rb.BMVTS()]),
        RefusalError,
        "BMVTS needs arms whose rewards are 0 or 1. GaussianArms pay other rewards too",
    ),
    (lambda: simulate(policies=[rb.BernoulliLCB()]), RefusalError, "BernoulliLCB needs arms"),
    (lambda: simulate(policies=["mvts"]), ParameterError, r"write rb.MVTS\(\). Got 'mvts'"),
    (lambda: rb.simulate(PROBLEM, "mv-lcb:sani"), ParameterError, r"write rb.MVLCB.sani\(\)"),
    (lambda: simulate(policies=["mvst"]), ParameterError, r"write rb.MVTS\(\). Got 'mvst'"),
    (lambda: simulate(policies=["what"]), ParameterError, r"such as rb.SwitchingAware\(\)"),
    (
        lambda: rb.simulate(PROBLEM, [rb.MVTS()], 1000, 3),
        KeywordError,
        "problem and policies by name, such as horiz",
    ),
    (
        lambda: rb.replay(rb.MVTS(), {}, PROBLEM.risk, n_runs=3),
        KeywordError,
        "replay named 'n_runs'. Did you mean 'runs'",
    ),
    (lambda: rb.frontier({}, price=True), KeywordError, "frontier named 'price'. Did you mean 'prices'"),
    (lambda: rb.Problem(PROBLEM.arms, "cvar"), ParameterError, r"such as rb.MeanVariance\(rho=1.0\). Got 'cvar'"),
    (lambda: rb.simulate(PROBLEM, [rb.MVTS()], n_runs=3), KeywordError, "simulate named 'n_runs'. Did you mean 'runs'"),
    (lambda: rb.GaussianArms(means=[0.0], stds=[1.0]), KeywordError, r"Did you mean 'variances' \(the squares"),
    (lambda: rb.MeanVariance(gamma=2.0), KeywordError, r"Did you mean 'rho' \(2 / gamma"),
    (lambda: rb.MVTS(rte=1.0), KeywordError, "parameter of MVTS named 'rte'. Did you mean 'rate'"),
    (lambda: rb.SuccessiveRejects(nothing=1), KeywordError, "no parameter of SuccessiveRejects named 'nothing'"),
    (lambda: rb.Learner(rb.NGTS(), arm=["a"]), KeywordError, "Learner named 'arm'. Did you mean 'arms'"),
    (lambda: rb.Problem(PROBLEM.arms, measure=1), KeywordError, "no parameter of Problem named 'measure'"),
    (
        lambda: rb.simulate(PROBLEM.with_risk(rb.CVaR(0.1)), [rb.SwitchingAware()]),
        RefusalError,
        "MeanVariance only. Got CVaR instead. Policies that serve this problem: NGTS",
    ),
    (lambda: simulate(horizon=2.5), ParameterError, "a whole number >= 1. Got 2.5"),
    (lambda: simulate(method="fast"), UnknownNameError, "no simulation method 'fast'"),
    (lambda: simulate().pulls("MTS"), UnknownNameError, "Did you mean 'MVTS'"),
    (lambda: simulate().plot(metric="regrets"), UnknownNameError, "Did you mean 'regret'"),
    (lambda: rb.Learner(rb.MVLCB.sani(), ["a"], rb.MeanVariance(1)), RefusalError, "MVLCB needs to know the horizon"),
    (lambda: rb.Learner(rb.MVTS(), [], rb.MeanVariance(1)), ParameterError, "arms must be"),
    (lambda: rb.Learner(rb.MVTS(), "ab", rb.MeanVariance(1)), ParameterError, "arms must be"),
    (lambda: rb.Learner(rb.MVTS(), ["a", ""], rb.MeanVariance(1)), ParameterError, "name of an arm"),
    (lambda: rb.Learner(rb.MVTS(), ["a", "a"], rb.MeanVariance(1)), ParameterError, "already an arm 'a'"),
    (lambda: rb.Learner(rb.MVTS(), ["a"], rb.MeanVariance(1), horizon=0), ParameterError, "horizon.*Got 0"),
    (lambda: rb.Learner(rb.MVTS(), ["a"], rb.MeanVariance(1), seed="x"), ParameterError, "seed.*Got 'x'"),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_a_sentence(case):
    call, error, words = CASES[case]
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, rb.RiskBanditsError)


def test_a_policy_that_holds_rho_refuses_other_measures():
    from typing import NamedTuple

    class Mean(NamedTuple):
        """The mean."""

        def value(self, mean, variance):
            return mean

    with pytest.raises(RefusalError, match="MVLCB is defined for MeanVariance only. Got Mean instead"):
        simulate([rb.MVLCB()], problem=problem(risk=Mean()))


def test_nothing_runs_when_one_policy_of_several_is_refused(monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    with pytest.raises(RefusalError):
        simulate([rb.MVTS(), rb.BMVTS()])


def test_numpy_numbers_are_numbers():
    result = simulate(
        horizon=np.int64(10), runs=np.int32(2), seed=np.uint8(3), problem=problem(risk=rb.MeanVariance(np.float32(1)))
    )
    assert result.traces[0].runs == 2


def test_all_scores_nan_names_the_policy():
    from typing import NamedTuple

    class Lost(NamedTuple):
        """No score is a number."""

        def score(self, state, k, run, risk, rng):
            return math.nan

        def learn(self, state, k, run, reward):
            pass

    with pytest.raises(rb.errors.ScoresError, match="All scores of Lost were NaN at step 1"):
        simulate([Lost()])


def test_some_scores_nan_never_win():
    from typing import NamedTuple

    class HalfLost(NamedTuple):
        """Only arm 1 has a score."""

        def score(self, state, k, run, risk, rng):
            return -math.inf if k == 1 else math.nan

        def learn(self, state, k, run, reward):
            pass

    assert simulate([HalfLost()]).traces[0].pulls.tolist() == [[0, 10]]


def test_a_count_may_be_written_with_an_exponent():
    small = {"runs": 2.0, "progress": False, "seed": 7}
    found = rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=1e2, **small)
    assert found.settings["horizon"] == 100
    assert type(found.settings["runs"]) is int
    assert found.table().equals(rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=100, **small).table())
