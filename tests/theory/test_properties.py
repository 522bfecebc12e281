"""What must hold for all problems: positivity, continuity, symmetry, and how bounds change with the unit of reward."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import riskbandits as rb
from riskbandits.theory import k_inf, lower_bound, mvts_rate, theorem_1, theorem_2, theorem_3, theorem_4

rhos = st.one_of(st.just(0.0), st.floats(1e-4, 1e4))
SIZES = st.integers(2, 5)


@st.composite
def gaussian_problems(draw, largest_variance=1.0):
    size = draw(SIZES)
    means = draw(st.lists(st.floats(-2, 2), min_size=size, max_size=size))
    variances = draw(st.lists(st.floats(0.01, largest_variance), min_size=size, max_size=size))
    return rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(draw(rhos)))


@st.composite
def bernoulli_problems(draw):
    size = draw(SIZES)
    probabilities = draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))
    return rb.Problem(rb.BernoulliArms(probabilities), rb.MeanVariance(draw(st.floats(0, 2))))


def clear(problem, least=1e-6):
    """Whether no arm is all but tied with the best: rounding of the gap would be most of it."""
    gaps = problem.gaps[problem.gaps > 0.0]
    scale = 1.0 + problem.risk.rho * np.abs(problem.means).max()
    return (gaps > least * scale).all()


@given(st.one_of(gaussian_problems(), bernoulli_problems()))
def test_k_is_positive_for_arms_that_are_worse_and_zero_for_others(problem):
    found = k_inf(problem)
    assert ((found > 0.0) == (problem.gaps > 0.0)).all()


@given(st.one_of(gaussian_problems(), bernoulli_problems()))
def test_bounds_are_numbers_or_infinite_and_never_negative(problem):
    bound = lower_bound(problem)
    assert (bound.per_arm >= 0.0).all()
    assert bound.per_arm[problem.best_arm] == bound.pulls[problem.best_arm] == 0.0
    assert bound.total == bound.per_arm.sum()


@given(gaussian_problems())
def test_k_is_continuous_as_rho_vanishes(problem):
    ordered = np.sort(problem.variances)
    assume(ordered[1] - ordered[0] > 1e-3)
    at_zero = k_inf(problem, rho=0.0)
    for rho in (1e-7, 1e-9, 1e-12):
        np.testing.assert_allclose(k_inf(problem, rho=rho), at_zero, rtol=1e5 * rho + 1e-12)


@given(gaussian_problems(), st.randoms(use_true_random=False))
@pytest.mark.parametrize("bound", [lower_bound, mvts_rate, theorem_1, theorem_2, theorem_3])
def test_the_order_of_the_arms_does_not_matter(bound, problem, random):
    assume((problem.gaps > 0.0).sum() == problem.size - 1)  # with ties "the best arm" is the first of them
    order = list(range(problem.size))
    random.shuffle(order)
    arms = rb.GaussianArms(problem.means[order], problem.variances[order])
    assert bound(rb.Problem(arms, problem.risk)).per_arm == pytest.approx(bound(problem).per_arm[order], rel=1e-9)


@given(gaussian_problems(), st.floats(-5, 5))
@pytest.mark.parametrize("bound", [lower_bound, mvts_rate])
def test_adding_a_constant_to_all_rewards_changes_nothing(bound, problem, shift):
    assume(clear(problem))
    moved = rb.Problem(rb.GaussianArms(problem.means + shift, problem.variances), problem.risk)
    assume(moved.best_arm == problem.best_arm)
    assert bound(moved).pulls == pytest.approx(bound(problem).pulls, rel=1e-4)


def rescaled(problem, a):
    """Rewards in another unit: x -> a x turns mu into a mu and s^2 into a^2 s^2; rho -> a rho keeps the preferences."""
    arms = rb.GaussianArms(a * problem.means, a**2 * problem.variances)
    return rb.Problem(arms, rb.MeanVariance(a * problem.risk.rho))


# MV -> a^2 MV, so Delta -> a^2 Delta; Gamma -> a Gamma; divergences do not depend on the unit. With powers of 2
# nothing is rounded, so the laws hold to the last digits.
scales = st.sampled_from([0.125, 0.5, 2.0, 8.0])


@given(gaussian_problems(), scales)
def test_lower_bound_and_theorem_2_scale_like_the_regret(problem, a):
    # K is invariant, so pulls are, and regret terms are multiplied by a^2.
    for bound in (lower_bound, theorem_2):
        before, after = bound(problem), bound(rescaled(problem, a))
        assert after.pulls == pytest.approx(before.pulls, rel=1e-10)
        assert after.per_arm == pytest.approx(a**2 * before.per_arm, rel=1e-10)


@given(gaussian_problems(), scales)
def test_theorem_1_does_not_scale_like_the_regret(problem, a):
    # rho^2/(rho Gamma - s^2)^2 -> a^2 rho^2/(a^2 (...))^2: pulls fall by a^2 and regret terms stay.
    # The regret itself is multiplied by a^2: MTS draws with the fixed spread 1/sqrt(T), not in the unit of the rewards.
    before, after = theorem_1(problem), theorem_1(rescaled(problem, a))
    assert after.pulls == pytest.approx(before.pulls / a**2, rel=1e-10)
    assert after.per_arm == pytest.approx(before.per_arm, rel=1e-10)


@given(gaussian_problems(), st.sampled_from([2.0, 8.0]))
def test_larger_units_make_mvts_explore_less(problem, a):
    # In K = min (th - mu)^2/2 + h the first term grows by a^2 and the second stays: K <= K(a) <= a^2 K.
    # The same goes for Theorem 3's max{2/Gamma^2, 1/h}.
    for bound in (mvts_rate, theorem_3):
        before, after = bound(problem).pulls, bound(rescaled(problem, a)).pulls
        assert (after <= before * (1.0 + 1e-9)).all()
        assert (before / a**2 <= after * (1.0 + 1e-9)).all()  # divided: arms next to equal need 1e308 pulls


@given(gaussian_problems())
def test_mvts_cannot_beat_the_lower_bound_where_the_nearest_rival_has_variance_at_most_1(problem):
    # v* <= s_i^2 exactly when Delta_i <= 2 s_i^2, and all variances here are at most 1.
    covered = problem.gaps <= 2.0 * problem.variances
    low, reached = lower_bound(problem).pulls, mvts_rate(problem).pulls
    assert (low[covered] <= reached[covered] * (1.0 + 1e-9)).all()


@given(gaussian_problems())
def test_theorem_3_allows_what_mvts_does_where_its_proof_holds(problem):
    printed, reached = theorem_3(problem), mvts_rate(problem)
    covered = printed.holds
    assert (printed.pulls[covered] >= reached.pulls[covered] * (1.0 - 1e-9)).all()


@given(bernoulli_problems())
def test_theorem_4_is_never_below_the_lower_bound(problem):
    # Pinsker: d(p, q) >= 2 (p - q)^2 for each of the two roots.
    assume(clear(problem, 1e-9))
    assert (theorem_4(problem).pulls >= lower_bound(problem).pulls * (1.0 - 1e-6)).all()
