"""Sequential halving and truncated rejects against slow twins that share no line with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.identification.sequential_halving import rounds
from riskbandits.identification.truncated_rejects import truncated_value
from riskbandits.testing import check_rule

TWINS = 3000


def test_rounds_by_hand():
    # 5 arms: 3 rounds with 5, 3 and 2 arms; a third of 100 each, 33.3, is 6, 11 and 16 pulls of each.
    assert rounds(5, 100) == [6, 11, 16]
    assert rounds(2, 7) == [3]
    assert rounds(1, 1) == []
    with pytest.raises(ParameterError, match="sequential halving must be at least 15 for 5 arms. Got 14"):
        rounds(5, 14)


@pytest.mark.parametrize(("arms", "budget"), [(2, 2), (3, 7), (5, 15), (64, 10_000), (100, 701)])
def test_rounds_never_exceed_the_budget(arms, budget):
    left, spent = arms, 0
    for pulls in rounds(arms, budget):
        assert pulls >= 1
        spent += left * pulls
        left = math.ceil(left / 2)
    assert left == 1
    assert spent <= budget


def same_names(found, named):
    """Whether the package and its twin name the arms equally often."""
    counts = np.bincount(found.chosen, minlength=len(named))
    return stats.chi2_contingency(np.array([counts, named])[:, counts + named > 0]).pvalue > 1e-3


def halved(value, draw, arms, budget, rng):
    """The textbook: as many rounds as halvings, a new sample in each."""
    alive, times = list(range(arms)), math.ceil(math.log2(arms))
    while len(alive) > 1:
        pulls = budget // (len(alive) * times)
        values = {k: value(draw(k, pulls, rng)) for k in alive}
        alive = sorted(alive, key=values.get, reverse=True)[: -(-len(alive) // 2)]
    return alive[0]


@pytest.mark.parametrize(
    ("risk", "value"),
    [(rb.Sharpe.squared(), lambda x: x.mean() ** 2 / (1 + x.var())), (rb.LargestVariance(), lambda x: x.var())],
    ids=["SHSR", "SHVV"],
)
def test_sequential_halving_against_a_textbook_twin(risk, value):
    highs = [1.0, 1.2, 1.5, 1.7, 1.8]
    problem = rb.Problem(rb.UniformArms([0.0] * 5, highs), risk)
    found = rb.identify(problem, rb.SequentialHalving(), budget=90, runs=400, seed=4, progress=False)
    rng = np.random.default_rng(11)
    named = np.zeros(5)
    for _ in range(TWINS):
        named[halved(value, lambda k, pulls, rng: rng.uniform(0.0, highs[k], pulls), 5, 90, rng)] += 1
    assert same_names(found, named)
    assert 0.1 < found.error_probability < 0.8  # neither an oracle nor a coin
    assert (found.cost <= 90).all()


def test_truncated_values_by_hand():
    x = np.array([-50.0, -1.0, 2.0, 3.0, 400.0])
    assert truncated_value(rb.Mean(), x, 10.0) == pytest.approx((-1 + 2 + 3) / 5)  # what is beyond counts as 0
    assert truncated_value(rb.CVaR(0.4), x, 10.0) == pytest.approx((-10 - 1) / 2)  # what is beyond is clipped
    both = truncated_value(rb.MeanCVaR(2.0, 3.0, 0.4), x, 10.0)
    assert both == pytest.approx(2 * 0.8 + 3 * -5.5)
    assert truncated_value(rb.Mean(), x, 1e6) == pytest.approx(x.mean())


def cut(x, border, level):
    """Mean plus CVaR of truncated rewards, spelt out."""
    mean = sum(one for one in x if abs(one) <= border) / len(x)
    clipped = sorted(min(max(one, -border), border) for one in x)
    share = level * len(x)
    whole = int(share)
    return mean + (sum(clipped[:whole]) + (share - whole) * clipped[whole]) / share


def test_truncated_rejects_against_a_textbook_twin():
    locations = (0.0, 1.5, 3.0, 3.5)
    arms = rb.StudentTArms(locations, [1.0, 1.0, 1.5, 1.0], [1.5, 1.5, 2.5, 1.5])
    problem = rb.Problem(arms, rb.MeanCVaR(1.0, 1.0, 0.3))
    found = rb.identify(problem, rb.TruncatedRejects(0.4, 0.8), budget=60, runs=300, seed=4, progress=False)
    rng = np.random.default_rng(12)
    logs = 1 / 2 + 1 / 2 + 1 / 3 + 1 / 4
    named, untruncated = np.zeros(4), np.zeros(4)
    for _ in range(1500):
        x = np.array(locations)[:, None] + np.array([1.0, 1.0, 1.5, 1.0])[:, None] * np.array(
            [rng.standard_t(freedom, 60) for freedom in (1.5, 1.5, 2.5, 1.5)]
        )
        for counts, growth in ((named, 0.4), (untruncated, 40.0)):
            alive = [0, 1, 2, 3]
            for k in (1, 2, 3):
                pulls = math.ceil((60 - 4) / (logs * (4 + 1 - k)))
                values = {arm: cut(x[arm, :pulls], 0.8 * pulls**growth, 0.3) for arm in alive}
                alive.remove(min(alive, key=values.get))
            counts[alive[0]] += 1
    assert same_names(found, named)
    assert not same_names(found, untruncated)  # the border decides here: the test would notice


@pytest.mark.parametrize("rule", [rb.SequentialHalving(), rb.TruncatedRejects()])
def test_the_conformance_kit(rule):
    check_rule(rule)


def test_refusals():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    with pytest.raises(RefusalError, match="Mean, CVaR and MeanCVaR only. Got MeanVariance"):
        rb.identify(problem, rb.TruncatedRejects(), budget=100, runs=1, progress=False)
    for bad in (rb.TruncatedRejects(growth=-0.1), rb.TruncatedRejects(growth=1.1), rb.TruncatedRejects(scale=0.0)):
        with pytest.raises(ParameterError, match=r"'(growth|scale)' parameter of TruncatedRejects must be"):
            rb.identify(problem.with_risk(rb.Mean()), bad, budget=100, runs=1, progress=False)
