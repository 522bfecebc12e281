"""A policy around another one hands on the whole contract: all wrappers, all policies, all methods."""

from __future__ import annotations

import ast
import inspect
from typing import Any, NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import RefusalError
from riskbandits.policies.support import contract, naming, play
from riskbandits.policies.support.wrapper import HANDED_ON, wrapper
from riskbandits.testing.policy import fitting_problem


@wrapper
class Through(NamedTuple):
    """Changes nothing."""

    policy: Any


class Busy(NamedTuple):
    """A policy with every optional method, each unlike its default."""

    def score(self, state, k, run, risk, rng):
        return run[6] * k + risk.value(0.0, 1.0)

    def learn(self, state, k, run, reward):
        state[k, 0] += reward

    def measure(self, state, run, risk):
        return rb.MeanVariance(7.0)

    def prepare(self, state, run, risk, rng):
        run[6] = 2.0

    def chosen(self, state, k, run):
        state[k, 1] += 1.0

    def all_changed(self, run):
        return True

    def learn_many(self, state, k, run, count, mean, squares):
        state[k, 0] += count * mean

    def unchanged_for(self, run):
        return 3.0

    def fade(self, state, k, run, factor):
        state[k, 0] *= factor

    def needed(self):
        return 5

    def evidence(self, state, k):
        return state[k, 1]

    def rises(self):
        return True

    def first_pulls(self):
        return 5

    def width(self):
        return 9

    def history(self):
        return 3

    def needs_horizon(self):
        return True

    def refuses(self, risk, arms):
        return f"Busy refuses {type(risk).__name__}."

    def returns_to_all(self, risk, arms):
        return True

    def rejects(self, reward):
        return "smaller" if reward > 1 else None

    def feature_count(self):
        return 0

    def bounds(self, risk):
        return None


# The ways in which the contract asks a policy for a method.
ASKING = ("getattr", "hasattr", "_whole_number", "answer", "truth", "sentence")
FORMS = [form for cls in naming.public_policies() for form in ({"": cls()} | naming.presets(cls)).values()]
WRAPPABLE = [form for form in FORMS if not isinstance(form, (rb.SwitchingAware, rb.LinearNGTS))]


def facts(policy, risk):
    """All that is asked of a policy in Python."""
    return {
        "first_pulls": contract.first_pulls(policy),
        "width": contract.width(policy),
        "history": contract.history_entries(policy),
        "features": contract.number_of_features(policy),
        "needs_horizon": contract.needs_horizon(policy),
        "rejects": [contract.reward_complaint(policy, reward) for reward in (-3.0, 0.0, 0.5, 1.0, 2.0)],
        "refuses": contract.refusal(policy, risk, None),
        "returns_to_all": contract.returns_to_all(
            policy, rb.MeanVariance(1.0), rb.GaussianArms([0.0, 1.0], [1.0, 1.0])
        ),
        "rises": contract.rises(policy),
        **{name: contract.defines(policy, name) for name in ("prepare", "measure", "chosen", "all_changed", "fade")},
    }


def test_the_wrapper_knows_the_whole_contract():
    """Every optional method that the contract asks for is handed on, or named here with the reason why not."""
    asked = set(contract.POLICY_METHODS)
    for node in ast.walk(ast.parse(inspect.getsource(contract))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id == "optional_method":
                asked.add(node.args[0].value)
            of_policy = isinstance(node.args[0], ast.Name) and node.args[0].id == "policy"
            if node.func.id in ASKING and of_policy:
                asked |= {one.value for one in node.args[1:2] if isinstance(one, ast.Constant)}
    asked -= {"bounds"}  # true of the policy's own scores
    assert asked == set(HANDED_ON)
    assert {name for name in vars(Busy) if name in HANDED_ON} == set(HANDED_ON)


@pytest.mark.parametrize("policy", [*FORMS, Busy()], ids=lambda policy: naming.label(policy))
def test_what_is_said_in_python_is_handed_on(policy):
    for risk in (rb.MeanVariance(1.0), rb.CVaR(0.2), rb.Mean()):
        assert facts(Through(policy), risk) == facts(policy, risk)
        assert facts(Through(Through(policy)), risk) == facts(policy, risk)


@pytest.mark.parametrize("policy", [*WRAPPABLE, Busy()], ids=lambda policy: naming.label(policy))
def test_switching_aware_hands_on_what_it_does_not_change(policy):
    risk = rb.MeanVariance(1.0)
    assert facts(rb.SwitchingAware(policy), risk) == {**facts(policy, risk), "rises": False, "measure": True}


def choices(policy, problem, steps=60):
    """Arms chosen in plain Python; rewards depend on the arm and the step alone."""
    state = contract.new_state(policy, problem.size)
    run = contract.new_run(steps, policy, problem.size, steps)
    rng, rewards, outstanding = np.random.default_rng(1), np.random.default_rng(2), np.zeros(problem.size, int)
    first, found = contract.first_pulls(policy), []
    for step in range(1, steps + 1):
        play.begin_step(run, step)
        k = (step - 1) // first if step <= first * problem.size else None
        k = play.choose(policy, state, run, problem.risk, rng, outstanding) if k is None else k
        play.note_choice(policy, state, k, run)
        play.note_reward(policy, state, k, run, problem.arms.draw(k, rewards))
        found.append((k, contract.all_changed(policy, run)))
    return found


@pytest.mark.parametrize("policy", FORMS, ids=lambda policy: naming.label(policy))
def test_what_is_done_at_every_step_is_handed_on(policy):
    problem = fitting_problem(policy)
    assert choices(Through(policy), problem) == choices(policy, problem)


def test_busy_is_handed_on():
    inside, state, run = Busy(), np.zeros((2, 9)), np.zeros(20)
    for policy in (inside, Through(inside)):
        state[:], run[:] = 0.0, 0.0
        risk = contract.measure(policy, state, run, rb.MeanVariance(1.0))
        contract.prepare(policy, state, run, risk, None)
        contract.chosen(policy, state, 1, run)
        policy.learn(state, 1, run, 4.0)
        assert (risk.rho, run[6], state[1, 0], state[1, 1]) == (7.0, 2.0, 4.0, 1.0)
        assert policy.score(state, 1, run, risk, None) == 1.0
        assert contract.all_changed(policy, run)


def test_a_history_inside_switching_aware():
    """It used to end in a bare IndexError: the history was not handed on."""
    problem = rb.Problem(rb.GaussianArms([0.1, 0.9], [0.1, 1.0]), rb.MeanVariance(1.0))
    policy = rb.SwitchingAware(rb.NPTS.anchor_free())
    result = rb.simulate(problem, [policy], horizon=60, runs=2, seed=1, progress=False)
    assert (result.pulls(result.labels[0]).sum(axis=1) == 60).all()
    learner = rb.Learner(policy, ["a", "b"], problem.risk)
    for reward in (0.1, 0.9, 0.2, 0.8, 0.3):
        learner.tell(learner.ask(), reward)
    with pytest.raises(RefusalError, match="keeps a history"):
        rb.simulate(problem, [policy], horizon=60, runs=2, engine="cuda", progress=False)
