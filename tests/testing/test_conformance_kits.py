"""The kits accept what is right and say in a sentence what is wrong."""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import ContractError
from riskbandits.core.records import Numbers
from riskbandits.identification.contract import Decision
from riskbandits.policies.cells import RUN_CELLS
from riskbandits.testing import check_arms, check_policy, check_risk, check_rule


def test_everything_public_conforms():
    check_risk(rb.MeanVariance(2.0))
    check_risk(rb.CVaR(0.2))  # the others: tests/risk
    check_arms(rb.GaussianArms([0.0, -3.0, 1e6], [1.0, 0.0, 4.0]))
    check_arms(rb.BernoulliArms([0.0, 0.3, 1.0]))
    # Other families: tests/arms. Policies: tests/test_one_definition.py.


class NoLearn(NamedTuple):
    """It cannot learn."""

    def score(self, state, k, run, risk, rng):
        return 0.0


class NoDocstring(NamedTuple):
    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class Misspelt(NamedTuple):
    """A name that does not exist."""

    def score(self, state, k, run, risk, rng):
        return maths.sqrt(2.0)  # noqa: F821

    def learn(self, state, k, run, reward):
        pass


class TooWide(NamedTuple):
    """A column that the state does not have."""

    def score(self, state, k, run, risk, rng):
        return state[k, 7]

    def learn(self, state, k, run, reward):
        pass


class NoNumber(NamedTuple):
    """A score that is no number."""

    def score(self, state, k, run, risk, rng):
        return "high"

    def learn(self, state, k, run, reward):
        pass


class Meddling(NamedTuple):
    """Scoring changes the state."""

    def score(self, state, k, run, risk, rng):
        state[k, 0] += 1.0
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class Spilling(NamedTuple):
    """Learning touches other arms."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        state[0, 0] += 1.0


class OtherRandomness(NamedTuple):
    """Random numbers from elsewhere."""

    def score(self, state, k, run, risk, rng):
        return random.random()

    def learn(self, state, k, run, reward):
        pass


class NotCompiled(NamedTuple):
    """Python that numba does not know."""

    def score(self, state, k, run, risk, rng):
        return float(sorted({str(k): 1.0}.items(), key=repr)[0][1])

    def learn(self, state, k, run, reward):
        pass


class Allocating(NamedTuple):
    """A list at every step."""

    def score(self, state, k, run, risk, rng):
        return [0.0, 1.0][k % 2]

    def learn(self, state, k, run, reward):
        pass


class CountField(NamedTuple):
    """A field that hides a method of tuples."""

    count: float = 1.0

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class NarrowHistory(NamedTuple):
    """A history without columns for it."""

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass

    def history(self):
        return 1


class BadFirstPulls(NamedTuple):
    """A negative number of first pulls."""

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass

    def first_pulls(self):
        return -1


WRONG = [
    (NoLearn(), "NoLearn is not a policy: it has no method 'learn'"),
    (NoDocstring(), "NoDocstring has no docstring"),
    (Misspelt(), "Misspelt.score failed: NameError: name 'maths' is not defined .*line"),
    (TooWide(), "TooWide.score failed: IndexError"),
    (NoNumber(), "NoNumber.score must return a number. Got 'high'"),
    (Meddling(), "Meddling.score changes the state"),
    (Spilling(), "Spilling.learn changes rows of arms other than"),
    (OtherRandomness(), "draw only from `rng`"),
    (NotCompiled(), "NotCompiled with MeanVariance and GaussianArms could not be compiled"),
    (Allocating(), "could not be compiled: it creates an array, a list or similar.*line"),
    (CountField(), "CountField has a field 'count'"),
    (NarrowHistory(), r"NarrowHistory keeps a history: its width\(\) must be at least 7.*Got 3"),
    (BadFirstPulls(), r"BadFirstPulls.first_pulls\(\) must return a whole number >= 0. Got -1"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=lambda x: type(x).__name__)
def test_policies(wrong, words):
    with pytest.raises(ContractError, match=words) as caught:
        check_policy(wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [Misspelt(), TooWide(), NoNumber(), NotCompiled(), NoLearn()], ids=lambda x: type(x).__name__
)
def test_every_function_says_it_too(wrong):
    problem = rb.problems.zhu_tan_gaussian(1)
    for call in (
        lambda: rb.simulate(problem, [wrong], horizon=20, runs=1, progress=False),
        lambda: rb.Learner(wrong, ["a", "b"], problem.risk),
    ):
        with pytest.raises(ContractError, match=type(wrong).__name__) as caught:
            call()
        assert "\n" not in str(caught.value)


class NanRisk(NamedTuple):
    """No value at variance 0."""

    def value(self, mean, variance):
        return mean / variance if variance > 0 else math.nan


class TextRisk(NamedTuple):
    """A value that is no number."""

    def value(self, mean, variance):
        return "much"


class NotDivided(NamedTuple):
    """A sum where a mean is meant."""

    def value(self, mean, variance):
        return mean

    def sample_value(self, values, weights):
        total = 0.0
        for i in range(values.shape[0]):
            total += weights[i] * values[i]
        return total


class TwoMinds(NamedTuple):
    """Another value for samples than for Gaussians."""

    def value(self, mean, variance):
        return mean - variance

    def sample_value(self, values, weights):
        return values[0]


class ModestConstant(NamedTuple):
    """The mean plus the lower tail, with a constant for the tail alone."""

    constant: float = 1.0 / 0.2

    def value(self, mean, variance):
        return mean + rb.CVaR(0.2).value(mean, variance)

    def sample_value(self, values, weights):
        return rb.MeanCVaR(1.0, 1.0, 0.2).sample_value(values, weights)

    def lipschitz_constant(self):
        return self.constant


def test_risk_measures():
    check_risk(rb.MeanVariance(0.0))
    for risk in (rb.CVaR(0.05), rb.MeanSemideviation(), rb.Expectile(0.05)):
        check_risk(risk)
    check_risk(ModestConstant(1.0 + 1.0 / 0.2))
    with pytest.raises(ContractError, match=r"ModestConstant.lipschitz_constant\(\) is 5, but two samples at distance"):
        check_risk(ModestConstant())
    with pytest.raises(ContractError, match="NotDivided.sample_value changes when all weights are tripled"):
        check_risk(NotDivided())
    with pytest.raises(ContractError, match="TwoMinds: a sample of .* is worth .* but value"):
        check_risk(TwoMinds())
    with pytest.raises(ContractError, match=r"NanRisk.value\(-1.0, 0.0\) is NaN"):
        check_risk(NanRisk())
    with pytest.raises(ContractError, match="TextRisk.value must return a number. Got 'much'"):
        check_risk(TextRisk())


class WrongVariance(NamedTuple):
    """Says 1, draws 2."""

    def draw(self, k, rng):
        return math.sqrt(2.0) * rng.standard_normal()

    def mean(self, k):
        return 0.0

    def variance(self, k):
        return 1.0

    def size(self):
        return 2


class WrongMean(NamedTuple):
    """Says 0, draws 0.1."""

    def draw(self, k, rng):
        return 0.1 + rng.standard_normal()

    def mean(self, k):
        return 0.0

    def variance(self, k):
        return 1.0

    def size(self):
        return 1


def test_arms():
    with pytest.raises(ContractError, match="rewards of arm 0 have variance 1.98"):
        check_arms(WrongVariance())
    with pytest.raises(ContractError, match="rewards of arm 0 average 0.10"):
        check_arms(WrongMean())
    with pytest.raises(ContractError, match="no method 'draw'"):
        check_arms(rb.MeanVariance())


class ReachesBehind(NamedTuple):
    """A row that is not there, after some steps."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        row = k if run[3] < 100.0 else k + 1000
        state[row, 0] += 1.0


class ReachesBefore(NamedTuple):
    """A negative index beyond the first row, in a helper."""

    def score(self, state, k, run, risk, rng):
        return rng.random() + peek(state, -1 - int(run[0]))

    def learn(self, state, k, run, reward):
        pass


@jit.jitable
def peek(state, row):
    return 0.0 * state[row, 0] if row < -100 else 0.0


class WritesTheStep(NamedTuple):
    """A cell of the run that is not its own."""

    def score(self, state, k, run, risk, rng):
        run[0] = 7.0
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class WritesTheLastCell(NamedTuple):
    """A cell that is SwitchingAware's."""

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        run[RUN_CELLS - 1] += 1.0


class WideEnvelope(NamedTuple):
    """Bounds that need more cells than there are."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        pass

    def bounds(self, risk):
        return self

    def watch(self, state, k, risk, deviations, envelope):
        return 0.5, 1.0

    def tail(self, state, k, threshold, risk, envelope):
        envelope[k, 16] = 1.0
        return 0.5

    def draw_above(self, state, k, threshold, risk, envelope, rng):
        return threshold + rng.random()


class DrawsBelow(NamedTuple):
    """A draw above the threshold that is below it."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        pass

    def bounds(self, risk):
        return self

    def watch(self, state, k, risk, deviations, envelope):
        return 0.5, 1.0

    def tail(self, state, k, threshold, risk, envelope):
        return 0.5

    def draw_above(self, state, k, threshold, risk, envelope, rng):
        return threshold - 1.0


OUTSIDE = [
    (
        ReachesBehind(),
        r"ReachesBehind.learn reached outside an array in step 100 of run 0.*kits.py, line",
    ),
    (ReachesBefore(), r"ReachesBefore.score reached outside an array in step 100 of run 0.*line"),
    (WritesTheStep(), r"WritesTheStep.score writes into cell 0 of the run: a policy's own are 5 to"),
    (WritesTheLastCell(), r"WritesTheLastCell.learn writes into cell .* of the run"),
    (WideEnvelope(), r"WideEnvelope.tail (failed|reached outside an array).*"),
    (DrawsBelow(), r"DrawsBelow.draw_above must return a score >= the threshold"),
]


@pytest.mark.parametrize(("wrong", "words"), OUTSIDE, ids=lambda x: type(x).__name__)
def test_policies_that_reach_outside_what_is_theirs(wrong, words):
    with pytest.raises(ContractError, match=words) as caught:
        check_policy(wrong)
    assert "\n" not in str(caught.value)


class AllRows(NamedTuple):
    """A reward changes what is thought of all arms, and it says so."""

    def score(self, state, k, run, risk, rng):
        return state[k, 0] + rng.random()

    def learn(self, state, k, run, reward):
        for row in range(state.shape[0]):
            state[row, 0] = 0.5 * (state[row, 0] + reward)

    def all_changed(self, run):
        return True


def test_a_policy_that_says_that_it_changes_all_rows_conforms():
    check_policy(AllRows())


def test_a_job_under_checks_ends_with_a_sentence_and_corrupts_nothing():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    for engine in ("threads", "processes"):
        with pytest.raises(ContractError, match="ReachesBehind.learn reached outside an array in step 100 of run 0"):
            rb.simulate(
                problem, [ReachesBehind()], horizon=200, runs=1, progress=False, check=True, engine=engine, workers=1
            )


def test_checks_change_no_number(tmp_path):
    problem = rb.problems.zhu_tan_gaussian(1)
    plain, checked = (
        rb.simulate(problem, [rb.MVTS()], horizon=200, runs=3, seed=5, progress=False, check=check, store=tmp_path)
        for check in (False, True)
    )
    assert plain.table().equals(checked.table())
    with pytest.raises(rb.errors.ParameterError, match="check must be True or False. Got 1"):
        rb.simulate(problem, [rb.MVTS()], check=1)
    with pytest.raises(rb.errors.RefusalError, match="engine='cuda' cannot look"):
        rb.simulate(problem, [rb.MVTS()], check=True, engine="cuda")


class ArmsOutside(NamedTuple):
    """A table that is shorter than the arms."""

    table: Numbers = (0.0, 1.0)  # type: ignore[assignment]

    def draw(self, k, rng):
        return self.table[k]

    def mean(self, k):
        return float(k)

    def variance(self, k):
        return 0.0

    def size(self):
        return 3


class ForgetfulArms(NamedTuple):
    """More memory than there is."""

    def draw(self, k, rng):
        return 0.0

    def draw_next(self, k, rng, memory):
        memory[k, 2] += 1.0
        return 0.0

    def mean(self, k):
        return 0.0

    def variance(self, k):
        return 0.0

    def size(self):
        return 2


class BadRule(NamedTuple):
    """It names an arm that is none, or looks too often, as told."""

    arm: Any = 0
    looks: int = 5

    def choose(self, samples, risk, budget, confidence):
        for k in range(samples.size):
            samples.first(k, self.looks)
        return Decision(self.arm)


def test_arms_and_rules_that_reach_outside():
    with pytest.raises(ContractError, match="ArmsOutside.draw failed: IndexError.*line"):
        check_arms(ArmsOutside())
    with pytest.raises(ContractError, match="ForgetfulArms.draw_next failed: IndexError.*line"):
        check_arms(ForgetfulArms())
    check_rule(BadRule())
    for rule in rb.identification.RULES:
        check_rule(rule())
    with pytest.raises(ContractError, match="BadRule.choose must name an arm, 0 to 3. Got -1"):
        check_rule(BadRule(arm=-1))
    with pytest.raises(ContractError, match="BadRule.choose must name an arm, 0 to 3. Got None"):
        check_rule(BadRule(arm=None))
    with pytest.raises(ContractError, match="BadRule.choose must use at most 400 rewards"):
        check_rule(BadRule(looks=101))


class OtherDraws(NamedTuple):
    """It draws what a GPU or a web page does not have."""

    name: int = 0

    def score(self, state, k, run, risk, rng):
        return rng.normal(0.0, 1.0) if self.name == 0 else rng.standard_normal(3)[0]

    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0


def test_draws_that_not_every_target_has_are_refused_before_anything_is_compiled(monkeypatch):
    monkeypatch.setattr(jit, "entry", None)
    with pytest.raises(
        ContractError, match=r"OtherDraws.score failed: .*rng.normal does not exist on every target"
    ) as told:
        check_policy(OtherDraws())
    assert "use rng.standard_normal() or rng.random()" in str(told.value)
    assert "test_conformance_kits.py, line" in str(told.value)
    with pytest.raises(ContractError, match="OtherDraws.score failed: .*standard_normal"):
        check_policy(OtherDraws(1))


class NearlyNamed(NamedTuple):
    """A policy whose optional methods would never be found, and one of its own that resembles none."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        pass

    def first_pull(self):
        return 1

    def learnMany(self, state, k, run, count, mean, squares):
        pass

    def helper(self):
        pass


def test_methods_that_resemble_those_of_the_contract_are_named():
    with pytest.raises(ContractError) as caught:
        check_policy(NearlyNamed())
    for name, meant in (("first_pull", "first_pulls"), ("learnMany", "learn_many")):
        assert f"NearlyNamed.{name} is not a method of a policy" in str(caught.value)
        assert repr(meant) in str(caught.value)
    assert "helper" not in str(caught.value)
