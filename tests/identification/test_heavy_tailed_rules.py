"""The rules for heavy tails with a bounded moment: slow twins, and how often they err on Student's t and Pareto."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from identification import twins
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.core.records import PositiveNumbers
from riskbandits.identification import truncated_elimination
from riskbandits.identification.samples import fill, run_samples
from riskbandits.identification.truncated_elimination import radius, truncated_mean, truncated_means
from riskbandits.testing import check_rule


class ParetoArms(NamedTuple):
    """Arm k pays scales[k] u^(-1/shapes[k]), u uniform on (0, 1)."""

    scales: PositiveNumbers
    shapes: PositiveNumbers

    def draw(self, k, rng):
        return self.scales[k] * (1.0 - rng.random()) ** (-1.0 / self.shapes[k])

    def mean(self, k):
        return self.scales[k] * self.shapes[k] / (self.shapes[k] - 1.0)

    def variance(self, k):
        shape = self.shapes[k]
        return self.scales[k] ** 2 * shape / ((shape - 1.0) ** 2 * (shape - 2.0)) if shape > 2.0 else math.inf

    def size(self):
        return len(self.scales)


STUDENT = rb.Problem(rb.StudentTArms([-1.5, 1.5], [1.0, 1.0], [2.5, 2.5]), rb.Mean())  # E X^2 = 5 + 1.5^2
PARETO = rb.Problem(ParetoArms([0.2, 1.0], [2.5, 2.5]), rb.Mean())  # E X^2 = 2.5/(2.5 - 2)
INFINITE = rb.Problem(ParetoArms([0.1, 1.0], [2.0, 2.0]), rb.Mean())  # E X^1.7 = 2/(2 - 1.7)
CASES = {
    "student-t": (STUDENT, 2.0, 7.25),
    "pareto": (PARETO, 2.0, 5.0),
    "infinite variance": (INFINITE, 1.7, 2.0 / 0.3),
}


@pytest.mark.parametrize(("order", "bound"), [(2.0, 0.02), (1.6, 0.05), (2.0, 0.1)])
def test_elimination_against_a_slow_twin(order, bound):
    """The arm, whether for sure, and all pulls, on the same rewards; bounds too small, so that much is truncated."""
    problem = rb.Problem(rb.StudentTArms([0.0, 0.5, -0.3], [0.4, 0.4, 0.4], [2.5, 2.5, 2.5]), rb.Mean())
    enough = 10**6
    for budget in (enough, -1, -30, 3):  # enough, or so many less than it took
        samples = run_samples(problem, fill, 8, (2,), 0)
        allowed = budget if budget > 0 else enough + budget
        found = rb.TruncatedElimination(order, bound).choose(samples, problem.risk, allowed, 0.9)
        rewards = [samples.ahead(k, 3000).tolist() for k in range(3)]
        arm, sure, pulls = twins.truncated_elimination(rewards, order, bound, 0.1, allowed)
        assert found == (arm, sure)
        assert samples.used.tolist() == [pulls[k] for k in range(3)]
        assert sure == (allowed == 10**6)
        enough = sum(pulls.values()) if sure else enough


@pytest.mark.parametrize(("order", "bound"), [(2.0, 5.0), (1.5, 0.4)])
def test_truncated_means_are_those_of_the_definition(order, bound):
    x = np.random.default_rng(3).standard_t(2.5, size=300)
    x[7] = 0.0
    log = math.log(math.pi**2 * 2 / (3 * 0.05))
    d = [3 * 0.05 / (math.pi**2 * 2 * t**2) for t in range(1, 301)]
    slow = [twins.truncated_mean(x[:t].tolist(), order, bound, d[t - 1]) for t in range(1, 301)]
    np.testing.assert_allclose(truncated_means(x, order, bound, log), slow, atol=1e-12)
    assert not np.allclose(slow, np.cumsum(x) / np.arange(1, 301))  # something is truncated
    left_out = [abs(one) > (bound * i / math.log(1 / d[-1])) ** (1 / order) for i, one in enumerate(x, start=1)]
    came = [abs(one) <= (bound * i / math.log(1 / d[i - 1])) ** (1 / order) for i, one in enumerate(x, start=1)]
    assert (np.array(left_out) & np.array(came)).any()  # and something counts at first and not at last
    assert truncated_mean(x, order, bound, math.log(1 / d[-1])) == pytest.approx(slow[-1], abs=1e-12)
    widths = radius(np.arange(1, 301), order, bound, log)
    assert widths[99] == pytest.approx(4 * bound ** (1 / order) * (math.log(1 / d[99]) / 100) ** (1 - 1 / order))


def test_by_hand():
    # ln(1/d) = 1 and B = 1: the thresholds are 1, sqrt(2), sqrt(3).
    assert truncated_mean(np.array([2.0, 1.4, -1.8]), 2.0, 1.0, 1.0) == pytest.approx(1.4 / 3)
    assert truncated_mean(np.array([1.0, 1.5, -1.7]), 2.0, 1.0, 1.0) == pytest.approx(-0.7 / 3)
    # d = 3 delta/(pi^2 K T^2): the errors of K arms and two sides add up to delta.
    total = sum(2 * 5 * math.exp(-(math.log(math.pi**2 * 5 / (3 * 0.1)) + 2 * math.log(t))) for t in range(1, 20_000))
    assert total == pytest.approx(0.1, abs=1e-4)


@pytest.mark.parametrize("case", CASES)
def test_estimates_are_off_as_rarely_as_promised(case):
    """Lemma 1 of Bubeck et al.: off by more than the width with probability at most 2 d."""
    problem, order, bound = CASES[case]
    rng, d, runs = np.random.default_rng(5), 0.2, 2000
    for size in (3, 40, 400):
        width = 4 * bound ** (1 / order) * (math.log(1 / d) / size) ** (1 - 1 / order)
        off = [
            truncated_mean(np.array([problem.arms.draw(1, rng) for _ in range(size)]), order, bound, math.log(1 / d))
            - problem.means[1]
            for _ in range(runs if size < 400 else runs // 10)
        ]
        assert (np.abs(off) > width).mean() <= 2 * d
        # The width is not idle: a twentieth of it would not do.
        assert (np.abs(off) > 0.05 * width).mean() > 2 * d


def errors(case, runs, confidence=0.9):
    problem, order, bound = CASES[case]
    rule = rb.TruncatedElimination(order, bound)
    return rb.identify(problem, rule, confidence=confidence, runs=runs, seed=3, progress=False)


@pytest.mark.parametrize("case", ["student-t", "pareto"])
def test_elimination_errs_as_rarely_as_promised(case):
    found = errors(case, 200)
    assert found.finished.all()
    assert found.interval[1] <= 0.1


@pytest.mark.full
@pytest.mark.parametrize(("case", "runs"), [("student-t", 10_000), ("pareto", 10_000), ("infinite variance", 200)])
def test_elimination_errs_as_rarely_as_promised_over_many_runs(case, runs):
    found = errors(case, runs)
    assert found.finished.all()
    assert found.interval[1] <= 0.1


def test_an_elimination_with_too_small_a_width_is_caught(monkeypatch):
    """The same check on arms that are close."""
    problem = rb.Problem(rb.StudentTArms([-0.05, 0.05], [1.0, 1.0], [2.5, 2.5]), rb.Mean())
    monkeypatch.setattr(truncated_elimination, "radius", lambda *given: 0.03 * radius(*given))
    found = rb.identify(problem, rb.TruncatedElimination(2.0, 5.01), confidence=0.9, runs=100, progress=False)
    assert found.interval[0] > 0.1


def test_rejects_against_a_slow_twin():
    """The same arms on the same rewards, and others without truncation."""
    problem = rb.Problem(rb.StudentTArms([0.0, 1.0, 1.6, 1.9], [1.0, 1.0, 1.5, 1.0], [2.5] * 4), rb.Mean())
    logs, untruncated = 1 / 2 + 1 / 2 + 1 / 3 + 1 / 4, 0
    for run in range(100):
        samples = run_samples(problem, fill, 8, (3,), run)
        named = rb.MomentRejects(1.7, 3.0).choose(samples, problem.risk, 60, None).arm
        assert samples.total <= 60
        for bound in (3.0, 1e9):
            alive = [0, 1, 2, 3]
            for k in (1, 2, 3):
                pulls = math.ceil((60 - 4) / (logs * (4 + 1 - k)))
                x = {arm: samples.ahead(arm, pulls).tolist() for arm in alive}
                alive.remove(min(alive, key=lambda arm: twins.truncated_mean(x[arm], 1.7, bound, 1 / 60)))
            if bound == 3.0:
                assert [named] == alive
            else:
                untruncated += named in alive
    assert untruncated < 80  # the thresholds decide here


@pytest.mark.parametrize("rule", [rb.TruncatedElimination(), rb.MomentRejects()])
def test_the_conformance_kit(rule):
    check_rule(rule)


def test_refusals_and_bad_input():
    with pytest.raises(RefusalError, match="TruncatedElimination is defined for Mean only. Got CVaR"):
        rb.identify(STUDENT.with_risk(rb.CVaR()), rb.TruncatedElimination(), confidence=0.9, runs=1, progress=False)
    with pytest.raises(RefusalError, match="MomentRejects is defined for Mean only. Got CVaR"):
        rb.identify(STUDENT.with_risk(rb.CVaR()), rb.MomentRejects(), budget=90, runs=1, progress=False)
    with pytest.raises(ParameterError, match="at least one reward per arm. Got 1 "):
        rb.identify(STUDENT, rb.TruncatedElimination(), confidence=0.9, budget=1, runs=1, progress=False)
    for made in (rb.TruncatedElimination, rb.MomentRejects):
        for bad in (made(1.0), made(2.5), made(2.0, 0.0), made(math.nan), made(2.0, math.inf)):
            goal = {"confidence": 0.9} if made is rb.TruncatedElimination else {"budget": 90}
            with pytest.raises(ParameterError, match=rf"'moment_(order|bound)' parameter of {made.__name__} must be"):
                rb.identify(STUDENT, bad, runs=1, progress=False, **goal)


def test_equal_arms_end_with_the_budget():
    equal = rb.Problem(rb.StudentTArms([0.0, 0.0], [1.0, 1.0], [2.5, 2.5]), rb.Mean())
    found = rb.identify(equal, rb.TruncatedElimination(2.0, 5.0), confidence=0.9, budget=999, runs=5, progress=False)
    assert not found.finished.any()
    assert (found.cost == 998).all()
