"""What people's own methods do wrong, and what is too large, is a sentence at once, with their file and line."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core import memory
from riskbandits.core.errors import ContractError, ParameterError, RefusalError

PROBLEM = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))


class Coins(NamedTuple):
    """Two arms, one of whose methods goes wrong."""

    fault: str = ""

    def draw(self, k, rng):
        return math.nan if self.fault == "nan" and rng.random() < 0.05 else 1.0 * k

    def mean(self, k):
        return 1 / 0 if self.fault == "mean" else 1.0 * k

    def variance(self, k):
        return -1.0 if self.fault == "variance" else 0.0

    def size(self):
        return "two" if self.fault == "size" else 2


class Late(NamedTuple):
    """A policy that fails after the few steps that are tried in plain Python."""

    first: float = 5.0

    def score(self, state, k, run, risk, rng):
        if run[0] > self.first + 20.0:
            raise ValueError("too late")
        return rng.standard_normal()

    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0


class Names(NamedTuple):
    """A rule that names an arm whatever it sees."""

    arm: int

    def choose(self, samples, risk, budget, confidence):
        return self.arm, True


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("mean", r"Coins.mean failed: ZeroDivisionError: division by zero \(.*test_own_methods.py, line \d+\)."),
        ("variance", "Coins.variance must return a number >= 0. Got -1.0"),
        ("size", r"Coins.size\(\) must return a whole number >= 1. Got 'two'"),
    ],
)
def test_a_problem_guards_the_first_call_of_each_method(fault, words):
    with pytest.raises(ContractError, match=words):
        rb.Problem(Coins(fault), rb.Mean())


def in_plain_python(monkeypatch):
    from riskbandits.compiling import jit

    monkeypatch.setattr(jit, "entry", lambda function, *classes, **how: function)


def test_a_rare_nan_among_the_rewards_is_noticed(monkeypatch):
    in_plain_python(monkeypatch)
    problem = rb.Problem(Coins("nan"), rb.Mean())
    words = "Coins paid a reward of (an )?arm .*NaN"
    for run in (
        lambda: rb.simulate(problem, [rb.UniformRandom()], horizon=200, runs=2, progress=False),
        lambda: rb.compare({"own": problem}, [rb.UniformRandom()], horizon=200, runs=4, progress=False),
        lambda: rb.identify(problem, rb.SuccessiveRejects(), budget=200, runs=2, progress=False),
    ):
        with pytest.raises(ContractError, match=words):
            run()


def test_what_a_policy_raises_late_in_compiled_code_names_its_line():
    with pytest.raises(
        ContractError, match=r"A run of Late failed: ValueError: too late \(.*test_own_methods.py, line \d+\)"
    ):
        rb.simulate(PROBLEM, [Late()], horizon=100, runs=1, progress=False)


@pytest.mark.parametrize("arm", [-1, 2, 10**30, 0.0, None, "a"])
def test_a_rule_that_names_no_arm_is_refused(monkeypatch, arm):
    in_plain_python(monkeypatch)
    rule = Names(arm) if isinstance(arm, int) and abs(arm) < 10 else None
    if rule is None:

        class Odd(NamedTuple):
            """It names something else."""

            def choose(self, samples, risk, budget, confidence):
                return arm, True

        rule = Odd()
    with pytest.raises(ContractError, match="The arm that .*choose gives must be a whole number from 0 to 1. Got"):
        rb.identify(PROBLEM, rule, budget=20, runs=1, progress=False)


def test_what_does_not_fit_into_memory_is_refused_with_what_it_would_need():
    words = r"10{12} runs of 100 steps would need [\d.]+ [TP]B of memory; this machine has"
    with pytest.raises(RefusalError, match=words):
        rb.simulate(PROBLEM, [rb.MVTS()], horizon=100, runs=10**12, progress=False)
    assert [memory.words(n) for n in (0, 999, 1500, 10**30)] == ["0 bytes", "999 bytes", "1.5 kB", "10^30 bytes"]
    with pytest.raises(RefusalError, match="of memory"):
        rb.identify(PROBLEM, rb.SuccessiveRejects(), budget=20, runs=10**13, progress=False)
    with pytest.raises(ParameterError, match="arms must be at most"):
        rb.Learner(rb.MVTS(), 10**9, rb.MeanVariance(1.0))


@pytest.mark.parametrize("horizon", [2**53 + 1, 2**63, 10**30])
def test_more_steps_than_can_be_counted_are_refused(horizon):
    with pytest.raises(ParameterError, match="The horizon must be a whole number <= 9007199254740992"):
        rb.simulate(PROBLEM, [rb.MVTS()], horizon=horizon, runs=1, progress=False)


@pytest.mark.parametrize("value", [np.array([1.0]), np.array(1.0), np.timedelta64(1, "s"), "1", True, None])
def test_what_is_no_number_is_no_rho(value):
    with pytest.raises(ParameterError, match="'rho' parameter of MeanVariance must be a number >= 0"):
        PROBLEM.with_risk(rb.MeanVariance(value))


def test_what_is_masked_spans_time_or_is_text_is_no_vector():
    good = np.array([0.0, 1.0])
    for means in (np.ma.masked_array(good, mask=[True, False]), good.astype("timedelta64[s]"), ["0", "1"], [True, 0.5]):
        with pytest.raises(ParameterError, match="'means' parameter of GaussianArms must be a non-empty list"):
            rb.Problem(rb.GaussianArms(means, [1.0, 1.0]), rb.Mean())


def test_a_thing_that_cannot_be_shown_is_still_refused_in_a_sentence():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(ParameterError, match=r"Got .*Silent.* instead\."):
        rb.simulate(PROBLEM, Silent(), horizon=10, runs=1)


@pytest.mark.parametrize("path", [0, 1, None, b"x", "", "a\0b", "\ud800"])
def test_a_file_that_is_open_is_no_path(path):
    for load in (rb.load, rb.Learner.load, rb.DataArms.from_file, rb.suites.read_suite):
        with pytest.raises(ParameterError, match=r"The file.* must be a path"):
            load(path)
