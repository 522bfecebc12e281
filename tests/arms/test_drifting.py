"""Arms that change: what is drawn when, and regret against the best arm of the step."""

from __future__ import annotations

import json
import pickle
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics
from riskbandits.arms.contract import draw_next, new_memory, pieces_of
from riskbandits.compiling import jit
from riskbandits.core.errors import ContractError, ParameterError, RefusalError
from riskbandits.core.records import canonical, cast, rebuilt, same
from riskbandits.simulation.runner import Job, run_in_plain_python
from riskbandits.testing import check_arms

G = rb.GaussianArms
CONSTANTS = [G([1.0, 2.0], [0.0, 0.0]), G([5.0, 3.0], [0.0, 0.0]), G([7.0, 8.0], [0.0, 0.0])]
PIECEWISE = cast(rb.PiecewiseArms([(1, CONSTANTS[0]), (4, CONSTANTS[1]), (6, CONSTANTS[2])]))
WALKING = cast(rb.WalkingArms([[1.0, 5.0, 7.0], [2.0, 3.0, 8.0]], np.zeros((2, 3)), every=3))
SMALL = {"progress": False, "seed": 3}


def drawn(arms, choices):
    rng, memory = np.random.default_rng(1), new_memory(arms.size())
    return [draw_next(arms, k, rng, memory) for k in choices]


def test_rewards_are_those_of_the_step():
    """Constant arms: the reward tells the piece."""
    assert drawn(PIECEWISE, [0, 1, 0, 0, 1, 1, 0]) == [1.0, 2.0, 1.0, 5.0, 3.0, 8.0, 7.0]
    assert drawn(WALKING, [0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0]) == [1.0, 2.0, 1.0, 5.0, 3.0, 5.0, 7.0, 8.0, 7.0, 8.0, 7.0]
    assert [(first, piece.mean(1)) for first, piece in pieces_of(WALKING)] == [(1, 2.0), (4, 3.0), (7, 8.0)]
    for arms in (PIECEWISE, WALKING):
        check_arms(arms)
        assert same(rebuilt(canonical(arms), (type(arms), G), "arms"), arms)
        assert same(cast(pickle.loads(pickle.dumps(arms))), arms)


@pytest.mark.parametrize("arms", [PIECEWISE, WALKING], ids=["piecewise", "walking"])
def test_the_dynamic_regret_by_hand(arms):
    """Rewards, gaps and shares of the best arm at every step, from the choices in the rewards."""
    risk, horizon = rb.MeanVariance(2.0), 12
    problem = rb.Problem(arms, risk)
    job = Job("", rb.UniformRandom(), problem, np.arange(1, horizon + 1), 20, 3, "plain")
    steps = {"checkpoints": range(1, 13), "method": "plain", **SMALL}
    slow = run_in_plain_python(job)
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=horizon, runs=20, **steps).traces[0]
    assert np.array_equal(slow.sums, trace.sums)
    starts = [first for first, _ in problem.pieces]
    piece = np.searchsorted(starts, np.arange(1, horizon + 1), side="right") - 1
    values = np.array([one.means for _, one in problem.pieces])
    best = values.max(axis=1)[piece]
    # Rewards are booked less the mean of the best arm: with constant arms that is minus the lost reward.
    lost = -np.diff(trace.sums[:, :, 0], axis=1, prepend=0.0)
    np.testing.assert_allclose(metrics.dynamic_regret(trace), np.cumsum(2.0 * lost, axis=1))
    assert set(np.round(lost, 9).ravel()) <= set(np.round((best[None] - values[piece].T).ravel(), 9))
    shares = np.cumsum(lost == 0.0, axis=1) / np.arange(1, horizon + 1)
    np.testing.assert_allclose(metrics.best_arm_share(trace), shares)


def test_tables_have_the_dynamic_regret_and_no_other(tmp_path):
    problem = rb.Problem(PIECEWISE, rb.MeanVariance(1.0))
    policies = {"lot": rb.UniformRandom(), "fixed": rb.MVTS()}
    result = rb.simulate(problem, policies, horizon=10, runs=30, **SMALL)
    parts = ("mean", "se", "q05", "q50", "q95")
    expected = [f"{name}_{part}" for name in ("dynamic_regret", "best_arm_share") for part in parts]
    assert result.table().columns.tolist() == ["policy", "step", "runs", *expected]
    assert result.runs().columns.tolist() == ["policy", "run", "step", "dynamic_regret", "best_arm_share"]
    final = result.final()
    assert final["dynamic_regret_mean"].is_monotonic_increasing
    assert final["rank"].tolist() == [1, 2]
    loaded = rb.load(result.save(tmp_path / "result.parquet"))
    assert loaded.problem == problem
    assert loaded.table().equals(result.table())
    for refused in (metrics.regret, metrics.pseudo_regret, metrics.exact_pseudo_regret, metrics.decomposition):
        with pytest.raises(RefusalError, match="for arms that do not change. Got PiecewiseArms"):
            refused(result.traces[0])
    import matplotlib

    matplotlib.use("Agg")
    assert result.plot().get_ylabel() == "dynamic regret"
    still = rb.simulate(
        rb.Problem(CONSTANTS[0], rb.MeanVariance(1.0)), [rb.UniformRandom()], horizon=10, runs=3, **SMALL
    )
    assert "dynamic_regret_mean" not in still.table()
    assert np.array_equal(metrics.dynamic_regret(still.traces[0]), metrics.gap_sum(still.traces[0]))


def test_all_rewards_count_for_who_may_be_used():
    """The largest reward of any piece; arms that pay 0 and 1 in all of them."""
    beta = rb.PiecewiseArms([(1, rb.UniformArms([0.0], [1.0])), (9, rb.UniformArms([0.0], [3.0]))])
    with pytest.raises(RefusalError, match="NPTS needs rewards up to its anchor"):
        rb.simulate(rb.Problem(beta, rb.MeanVariance(1.0)), [rb.NPTS()], horizon=20, runs=1, **SMALL)
    coins = rb.PiecewiseArms([(1, rb.BernoulliArms([0.1, 0.9])), (9, rb.BernoulliArms([0.9, 0.1]))])
    assert rb.BMVTS().refuses(rb.MeanVariance(1.0), coins) is None


@pytest.mark.parametrize("method", ["compare", "identify", "cuda"])
def test_who_refuses_arms_that_change(method):
    problem = rb.Problem(PIECEWISE, rb.MeanVariance(1.0))
    with pytest.raises(RefusalError, match="do not change|change as time goes on"):
        if method == "compare":
            rb.compare({"one": problem}, [rb.MVTS()], horizon=20, runs=4, progress=False)
        elif method == "identify":
            rb.identify(problem, rb.SuccessiveRejects(), budget=50, runs=2, progress=False)
        else:
            rb.simulate(problem, [rb.MVTS()], horizon=20, runs=4, engine="cuda", progress=False)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (None, "list of pairs"),
        ([], "list of pairs"),
        ("arms", "list of pairs"),
        ({1: CONSTANTS[0]}, "list of pairs"),
        ([CONSTANTS[0]], "a set of arms must be|A piece of PiecewiseArms|A set of arms"),
        ([(1, 3)], "A set of arms must be a record"),
        ([(1.5, CONSTANTS[0])], "a pair"),
        ([(True, CONSTANTS[0])], "a pair"),
        ([(2, CONSTANTS[0])], "rise from 1"),
        ([(1, CONSTANTS[0]), (1, CONSTANTS[1])], "rise from 1"),
        ([(1, CONSTANTS[0]), (5, CONSTANTS[1]), (4, CONSTANTS[2])], "rise from 1"),
        ([(1, CONSTANTS[0]), (5, G([0.0], [1.0]))], "as many in every piece"),
        ([(1, CONSTANTS[0]), (5, rb.BernoulliArms([0.1, 0.2]))], "of one family"),
        ([(1, G([0.0, 1.0], [1.0]))], "as many variances as means"),
        ([(1, G([0.0], [-1.0]))], "a number >= 0"),
        ([(1, PIECEWISE)], "cannot be a piece"),
        ([(1, rb.DataArms([1.0, 2.0], [1, 2], 5.0))], "cannot be a piece"),
    ],
)
def test_pieces_that_are_none(pieces, words):
    with pytest.raises((ParameterError, ContractError), match=words):
        rb.PiecewiseArms(pieces)


@pytest.mark.parametrize(
    ("arms", "words"),
    [
        (rb.WalkingArms([[1.0, 2.0]], [[1.0]], 5), "as many variances as means"),
        (rb.WalkingArms([[1.0]], [[-1.0]], 5), "a number >= 0"),
        (rb.WalkingArms([[1.0]], [[1.0]], 0), "a whole number >= 1"),
        (rb.WalkingArms([1.0], [[1.0]], 3), "'means' parameter of WalkingArms"),
        (rb.PiecewiseArms(starts=[1, 3], arms=G([0, 1, 2], [1, 1, 1])), "as many arms for each of its 2 pieces"),
        (rb.PiecewiseArms(starts=[3, 1], arms=G([0, 1], [1, 1])), "rise from 1"),
    ],
)
def test_records_that_do_not_fit(arms, words):
    with pytest.raises(rb.RiskBanditsError, match=words):
        rb.Problem(arms, rb.MeanVariance(1.0))


def test_random_walks():
    arms = rb.WalkingArms.random([0.0, 1.0], [1.0, 2.0], steps=100_000, every=50, mean_step=0.2, variance_step=0.3)
    assert arms.means.shape == (2, 2000)
    assert (arms.mean(1), arms.variance(1)) == (1.0, 2.0)
    np.testing.assert_allclose(np.diff(arms.means).std(), 0.2, rtol=0.06)
    np.testing.assert_allclose(np.diff(np.log(arms.variances)).std(), 0.3, rtol=0.06)
    assert same(arms, rb.WalkingArms.random([0, 1], [1, 2], 100_000, 50, 0.2, 0.3, seed=0))
    for wrong in ({"every": 0}, {"steps": 2.5}, {"mean_step": -1}, {"seed": -1}, {"variances": [1.0]}):
        with pytest.raises(ParameterError):
            rb.WalkingArms.random(**{"means": [0.0, 1.0], "variances": [1.0, 1.0], **wrong})


class Swapping(NamedTuple):
    """Arms of one's own that change places at step 5."""

    high: float = 3.0

    def draw(self, k, rng):
        return self.high * k

    def draw_next(self, k, rng, memory):
        memory[memory.shape[0] - 1, 0] += 1.0
        return self.high * (k if memory[memory.shape[0] - 1, 0] < 5 else 1 - k)

    def mean(self, k):
        return self.high * k

    def variance(self, k):
        return 0.0

    def size(self):
        return 2

    def pieces(self):
        return [(1, G([0.0, self.high], [0.0, 0.0])), (5, G([self.high, 0.0], [0.0, 0.0]))]


class Backwards(Swapping):
    def pieces(self):
        return [(5, CONSTANTS[0]), (1, CONSTANTS[1])]


def test_arms_of_ones_own_may_change():
    problem = rb.Problem(Swapping(), rb.MeanVariance(1.0))
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=12, runs=5, checkpoints=range(1, 13), **SMALL).traces[0]
    np.testing.assert_allclose(metrics.dynamic_regret(trace), -trace.sums[:, :, 0])
    with pytest.raises(ContractError, match="Backwards.pieces.. must return pairs whose first steps rise from 1"):
        rb.Problem(Backwards(), rb.MeanVariance(1.0))


def test_on_the_command_line(command, tmp_path):
    file = tmp_path / "arms.json"
    pieces = [{"first": 1, "means": [0, 1], "variances": [1, 1]}, {"first": 6, "mean": [1, 0], "variance": [1, 1]}]
    small = ["--horizon", "10", "--runs", "3", "--policies", "uniform-random", "--arms"]
    file.write_text(json.dumps({"pieces": pieces}))
    code, out, err = command("simulate", *small, str(file))
    assert code == 0, err
    assert "dynamic regret" in out
    code, out, err = command("sweep", *small, str(file), "--rhos", "1,2")
    assert code == 0, err
    assert "Dynamic regret at 10 steps, 3 runs" in " ".join(out.split())
    file.write_text(
        json.dumps({"family": "walking", "means": [[0, 1], [1, 0]], "variances": [[1, 1], [1, 1]], "every": 5})
    )
    code, out, err = command("simulate", *small, str(file), "--json")
    assert code == 0, err
    assert json.loads(out)["settings"]["arms"]["class"] == "WalkingArms"
    for wrong in ([], [3], [{"means": [1], "variances": [1]}], [{"first": 2, "means": [1], "variances": [1]}], "x"):
        file.write_text(json.dumps({"pieces": wrong}))
        code, _, err = command("simulate", *small, str(file))
        assert (code, err.count("\n")) == (2, 1), err


def test_a_ticking_memory_is_the_same_compiled():
    def take(arms, choices, rng, memory, out):
        for place in range(len(choices)):
            out[place] = draw_next(arms, choices[place], rng, memory)

    choices, out = np.array([0, 1, 1, 0, 1, 0, 0, 1]), np.zeros(8)
    run = jit.entry(take, (rb.PiecewiseArms, G))
    run(PIECEWISE, choices, np.random.default_rng(1), new_memory(2), out)
    assert out.tolist() == drawn(PIECEWISE, choices)
