"""Arms that depend on each other: what they pay together, and what becomes of the regret (docs/dependent-arms.md)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.testing import check_arms

MEANS = np.array([0.3, 0.0, 0.5])
COVARIANCE = np.array([[0.5, 0.3, -0.2], [0.3, 1.0, 0.1], [-0.2, 0.1, 2.0]])
ARMS = rb.CorrelatedGaussianArms(MEANS, COVARIANCE, names=["a", "b", "c"])


def test_a_table_has_the_moments_that_were_asked_for():
    n = 40_000
    table = ARMS.table(n, seed=3)
    assert table.columns.tolist() == ["a", "b", "c"]
    x = table.to_numpy()
    np.testing.assert_allclose(x.mean(axis=0), MEANS, atol=4 * math.sqrt(2.0 / n))
    # The standard error of a covariance of Gaussians is sqrt((s_i^2 s_j^2 + c_ij^2)/n).
    variances = np.diag(COVARIANCE)
    errors = np.sqrt((np.outer(variances, variances) + COVARIANCE**2) / n)
    assert (np.abs(np.cov(x.T) - COVARIANCE) < 4.5 * errors).all()
    steps = x - MEANS
    assert np.abs((steps[1:] * steps[:-1]).mean(axis=0)).max() < 4.5 * 2.0 / math.sqrt(n)  # from step to step: none


def test_the_same_seed_gives_the_same_table_and_more_steps_begin_alike():
    assert np.array_equal(ARMS.table(20, seed=1), ARMS.table(20, seed=1))
    assert not np.array_equal(ARMS.table(20, seed=1), ARMS.table(20, seed=2))
    assert np.allclose(ARMS.table(50, seed=1)[:20], ARMS.table(20, seed=1), rtol=0, atol=1e-12)


def test_an_arm_and_its_double():
    """A covariance may be singular."""
    twice = rb.CorrelatedGaussianArms([0.0, 1.0], [[1.0, 2.0], [2.0, 4.0]])
    x = twice.table(200).to_numpy()
    assert np.allclose(x[:, 1], 1.0 + 2.0 * x[:, 0], atol=1e-6)


@pytest.mark.parametrize(
    ("covariance", "words"),
    [
        ([[1.0, 2.0], [2.0, 1.0]], "no mixture of arms has a negative variance"),
        ([[1.0, 0.5], [0.4, 1.0]], "symmetric. Got '0.5 and 0.4 for arms 0 and 1'"),
        ([[-1.0, 0.0], [0.0, 1.0]], "variances >= 0 on its diagonal. Got '-1 for arm 0'"),
        ([[1.0, 0.0]], "a table of 2 rows and 2 columns"),
        ([1.0, 1.0], "an equally long list"),
    ],
)
def test_what_is_no_covariance_is_refused_in_a_sentence(covariance, words):
    arms = rb.CorrelatedGaussianArms([0.0, 1.0], covariance)
    for call in (lambda: rb.Problem(arms, rb.Mean()), lambda: arms.table(5), lambda: arms.draw_all(None)):
        with pytest.raises(ParameterError, match=words):
            call()


def test_bad_numbers_of_steps():
    for steps in (0, 1.5, None):
        with pytest.raises(ParameterError, match="The number of steps must be"):
            ARMS.table(steps)


def test_each_arm_by_itself_keeps_the_contract():
    check_arms(ARMS)


def test_leaps_and_theory_are_those_of_independent_arms():
    twins = ARMS.independent()
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    for k in range(3):
        assert ARMS.draw_many(k, 40.0, rng) == twins.draw_many(k, 40.0, other)
        assert ARMS.draw(k, rng) == twins.draw(k, other)
        assert ARMS.mean_exponent(k, 0.1, 1.0) == twins.mean_exponent(k, 0.1, 1.0)
        assert ARMS.square_exponent(k, 3.0) == twins.square_exponent(k, 3.0)
    assert rb.Problem(twins, rb.MeanVariance(1.0)).gaps.tolist() == rb.Problem(ARMS, rb.MeanVariance(1.0)).gaps.tolist()


# Exact expectations, by enumeration of everything that can happen in four steps of two arms that pay 0 or 1. The three
# couplings have the same marginals: P(X_0 = 1) = 1/2, P(X_1 = 1) = 1/3.
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
COUPLINGS = {
    "independent": {(a, b): (HALF if a else 1 - HALF) * (THIRD if b else 1 - THIRD) for a in (0, 1) for b in (0, 1)},
    "together": {(1, 1): THIRD, (1, 0): HALF - THIRD, (0, 1): Fraction(0), (0, 0): 1 - HALF},
    "against": {(1, 1): Fraction(0), (1, 0): HALF, (0, 1): THIRD, (0, 0): 1 - HALF - THIRD},
}
RHO, STEPS = Fraction(1, 2), 4


def expected(coupling, choose):
    """E of the regret by its definition; of sum T_i Delta_i + switching cost; and of the three terms between them."""
    mean, variance = (HALF, THIRD), (HALF * (1 - HALF), THIRD * (1 - THIRD))
    value = [RHO * m - v for m, v in zip(mean, variance, strict=True)]
    regret = pseudo = noise = cross = Fraction(0)
    for path in itertools.product(coupling, repeat=STEPS):
        probability = math.prod(coupling[step] for step in path)
        if not probability:
            continue
        played = []
        for t in range(STEPS):
            played.append(choose(t, played, path[:t]))
        rewards = [path[t][k] for t, k in enumerate(played)]
        average = Fraction(sum(rewards), STEPS)
        spread = sum((x - average) ** 2 for x in rewards) / STEPS
        regret += probability * STEPS * (max(value) - (RHO * average - spread))
        means = [mean[k] for k in played]
        switching = sum(m * m for m in means) - sum(means) ** 2 / STEPS
        pseudo += probability * (sum(max(value) - value[k] for k in played) + switching)
        noise += probability * sum(variance[k] for k in played) / STEPS
        cross += probability * 2 * sum(means) * sum(x - m for x, m in zip(rewards, means, strict=True)) / STEPS
    return regret, pseudo, noise, cross


def of_what_was_played(t, played, seen):
    """Try both arms, then the one whose own rewards were larger: one reward per step is seen."""
    if t < 2:
        return t
    sums = [sum(seen[s][k] for s, one in enumerate(played) if one == k) for k in (0, 1)]
    counts = [played.count(k) for k in (0, 1)]
    return 0 if sums[0] * counts[1] >= sums[1] * counts[0] else 1


def of_everything(t, played, seen):
    """The arm with the larger sum of all its past rewards, played or not."""
    return 0 if sum(step[0] for step in seen) > sum(step[1] for step in seen) else 1


def test_with_one_reward_seen_per_step_dependence_changes_no_expected_regret():
    found = {expected(coupling, of_what_was_played) for coupling in COUPLINGS.values()}
    assert len(found) == 1


def test_with_all_rewards_seen_it_does():
    assert len({expected(coupling, of_everything)[0] for coupling in COUPLINGS.values()}) == 3


@pytest.mark.parametrize("choose", [of_what_was_played, of_everything])
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_the_expected_regret_is_the_pseudo_regret_less_two_terms(choose, coupling):
    regret, pseudo, noise, cross = expected(COUPLINGS[coupling], choose)
    assert regret == pseudo - noise - cross
    assert cross != 0  # later choices know earlier noise


def test_regret_against_what_the_best_arm_paid():
    """Arm 0 is played, arm 1 is the best: mean and variance over tables, against the formulas of the page."""
    rho, n, runs = 0.7, 30, 5_000
    rng = np.random.default_rng(5)
    for c in (-0.6, 0.0, 0.6):
        arms = rb.CorrelatedGaussianArms([0.0, 1.0], [[1.0, c], [c, 0.5]])
        x = arms.draw_all(rng, n * runs).reshape(runs, n, 2)
        value = rho * x.mean(axis=1) - x.var(axis=1)
        regret = n * (value[:, 1] - value[:, 0])
        truth = n * ((rho - 0.5) - (0.0 - 1.0))
        mean = truth - 1.0 + 0.5  # E R = n Delta - s_0^2, and the column's own + s_1^2
        variance = n * rho**2 * (1.0 + 0.5 - 2.0 * c) + 2.0 * (n - 1) * (1.0 + 0.25 - 2.0 * c * c)
        assert abs(regret.mean() - mean) < 4.5 * math.sqrt(variance / runs)
        assert regret.var(ddof=1) == pytest.approx(variance, rel=5.0 * math.sqrt(2.5 / runs))


def test_holding_a_mixture_is_calmer_than_playing_it_in_turn():
    """1/2 sum w_i w_j E (X_i - X_j)^2, of which the part of the means is the paper's switching cost."""
    w = np.array([0.2, 0.5, 0.3])
    x = ARMS.draw_all(np.random.default_rng(2), 200_000)
    held = (x @ w).var()
    played = x[np.arange(len(x)), np.random.default_rng(3).choice(3, size=len(x), p=w)].var()
    apart = np.subtract.outer(MEANS, MEANS) ** 2
    differences = apart + np.add.outer(np.diag(COVARIANCE), np.diag(COVARIANCE)) - 2.0 * COVARIANCE
    assert played - held == pytest.approx(0.5 * w @ differences @ w, abs=0.02)
    assert held == pytest.approx(w @ COVARIANCE @ w, abs=0.01)
    assert 0.5 * w @ apart @ w == pytest.approx(w @ MEANS**2 - (w @ MEANS) ** 2)


@pytest.mark.full
def test_simulated_as_by_joint_draws():
    """Regrets of MTS: from simulations, which draw one reward per step, and from draws of all arms at every step."""
    import naive

    def joint(rng, choice):
        return ARMS.draw_all(rng, len(choice))[np.arange(len(choice)), choice]

    problem = rb.Problem(ARMS, rb.MeanVariance(2.0))
    horizon, runs = 150, 1500
    twin = naive.Twin(joint, problem.means, problem.variances, 2.0, horizon, runs, 3).play(naive.mts, 1)
    slow = twin.regret(horizon)
    for method in ("plain", "lazy"):
        result = rb.simulate(problem, [rb.MTS()], horizon=horizon, runs=runs, seed=4, method=method, progress=False)
        fast = result.runs()["regret"].to_numpy()
        error = math.sqrt((fast.var() + slow.var()) / runs)
        assert abs(fast.mean() - slow.mean()) < 4.5 * error
        assert fast.std() == pytest.approx(slow.std(), rel=0.15)


def test_policies_choose_among_what_all_arms_paid():
    found = rb.replay(rb.MVTS(), ARMS.table(60, seed=2), rb.MeanVariance(2.0), runs=2, seed=1)
    assert found.rewards.shape == (2, 60)
    rows = ARMS.table(60, seed=2).to_numpy()
    assert np.array_equal(found.rewards[0], rows[np.arange(60), found.chosen[0]])


def test_a_gpu_refuses_the_table_in_a_sentence_and_takes_the_independent_arms():
    from riskbandits.simulation.cuda.record_columns import fields_of

    with pytest.raises(RefusalError, match=r"CorrelatedGaussianArms.covariance is a table, which neither a GPU nor"):
        fields_of(rb.MTS(), rb.Problem(ARMS, rb.Mean()).arms)
    assert fields_of(rb.MTS(), ARMS.independent()).lengths == (3, 3)


def test_the_page_runs(capsys):
    page = (Path(__file__).parents[2] / "docs" / "dependent-arms.md").read_text()
    code = page.split("```python")[1].split("```")[0]
    exec(compile(code, "dependent-arms.md", "exec"), {})
    assert capsys.readouterr().out.startswith(("bond [", "stock ["))


def test_on_the_command_line(command, tmp_path):
    from riskbandits.cli.parsing import read_problem

    (tmp_path / "arms.json").write_text('{"means": [0, 1], "covariance": [[1, 0.5], [0.5, 2]], "names": ["x", "y"]}')
    for arms in (str(tmp_path / "arms.json"), "correlated-gaussian(means=[0, 1], covariance=[[1, 0.5], [0.5, 2]])"):
        found = read_problem(arms, None, "mean").arms
        assert isinstance(found, rb.CorrelatedGaussianArms)
        assert found.covariance.tolist() == [[1.0, 0.5], [0.5, 2.0]]
    code, _, err = command("simulate", "--arms", "correlated-gaussian(means=[0, 1], covariance=[[1, 3], [3, 2]])")
    assert code == 2
    assert "no mixture of arms has a negative variance" in err
