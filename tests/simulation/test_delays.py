"""Rewards told late: as a learner that is fed the same way, bit for bit; refused where it cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.core import seeds
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.core.records import cast, digest
from riskbandits.simulation import kernel, payload
from riskbandits.simulation.collected import description
from riskbandits.simulation.delay import check_delay
from riskbandits.simulation.delayed import new_pending
from riskbandits.simulation.job import empty_runs
from riskbandits.simulation.plan import pending_bytes
from riskbandits.simulation.replications import arguments_of, compiled_kernel, no_signals, play_range
from riskbandits.simulation.runner import run_in_plain_python

GAUSSIAN = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.45], [0.05, 0.3, 0.2]), rb.MeanVariance(1.0))
BERNOULLI = rb.Problem(rb.BernoulliArms([0.1, 0.5, 0.45]), rb.MeanVariance(1.0))
DELAYS = [
    rb.Delay.fixed(0),
    rb.Delay.fixed(7),
    rb.Delay.geometric(mean=20),
    rb.Delay.geometric(mean=20, in_order=True),
    rb.Delay.recorded([0, 3, 90, 10**12]),
    rb.Delay.recorded([0, 3, 90], in_order=True),
]
LONG = rb.Delay.recorded([0, 600])
SPAN = 128  # steps
SMALL = {"runs": 2, "seed": 5, "progress": False}


def fed(policy, problem, delay, horizon, replication, seed=5):
    """Arms that a learner chooses which is told what is due when it is due."""
    choices, rewards = seeds.streams(seed, policy, problem, replication, delay)
    due = seeds.arrivals(seed, policy, problem, replication, delay, horizon)
    learner = rb.Learner(policy, problem.size, problem.risk, horizon, choices)
    waiting, chosen = {}, []
    for step in range(1, horizon + 1):
        chosen.append(learner.ask())
        waiting.setdefault(int(due[step - 1]), []).append((chosen[-1], problem.arms.draw(chosen[-1], rewards)))
        for arm, reward in waiting.pop(step, []):
            learner.tell(arm, reward)
    return chosen


@pytest.mark.parametrize("delay", DELAYS, ids=repr)
@pytest.mark.parametrize(
    ("policy", "problem"),
    [(rb.MVTS(), GAUSSIAN), (rb.BMVTS(), BERNOULLI)],
    ids=["mvts", "bmvts"],
)
def test_a_learner_fed_the_same_way_makes_the_same_choices(policy, problem, delay):
    """Pulls at every step: checkpoints would hide two choices that changed places."""
    horizon = 150
    steps = range(1, horizon + 1)
    result = rb.simulate(problem, [policy], horizon=horizon, checkpoints=list(steps), delay=delay, **SMALL)
    gaps = result.traces[0].sums[:, :, 2]
    for replication in range(2):
        chosen = fed(policy, problem, delay, horizon, replication)
        np.testing.assert_allclose(gaps[replication], np.cumsum(problem.gaps[chosen]), atol=1e-9)
        assert np.bincount(chosen, minlength=3).tolist() == result.pulls(result.labels[0])[replication].tolist()


@pytest.mark.full
@pytest.mark.parametrize("policy", [rb.SwitchingAware(), rb.NPTS.anchor_free(), rb.MVDSEE(), rb.IMEDMV(), rb.CVaRTS()])
def test_policies_of_every_kind_while_answers_are_outstanding(policy):
    for delay in DELAYS:
        result = rb.simulate(GAUSSIAN, [policy], horizon=200, delay=delay, **SMALL)
        for replication in range(2):
            pulls = np.bincount(fed(policy, GAUSSIAN, delay, 200, replication), minlength=3)
            assert pulls.tolist() == result.pulls(result.labels[0])[replication].tolist()


def test_it_is_the_same_in_plain_python_and_elsewhere():
    (job,) = simulate.plan(GAUSSIAN, [rb.MVTS()], simulate.RunOptions(80, 2, 5, delay=rb.Delay.geometric(mean=9)))
    here = rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=80, delay=rb.Delay.geometric(mean=9), **SMALL).traces[0]
    assert np.array_equal(run_in_plain_python(job).pulls, here.pulls)
    assert np.array_equal(payload.play_payload(payload.payload_of(job), 0, 2).sums, here.sums)
    assert here.method == "delayed"


def test_without_a_delay_nothing_is_named_otherwise():
    """The keys of streams and stores are what they were; with one they are others."""
    policy, problem = rb.MVTS(), GAUSSIAN
    first = seeds.streams(3, policy, problem, 0)[0].random(4)
    old = seeds.generator(3, *digest(policy, problem.arms, problem.risk), 0, seeds.CHOICES).random(4)
    assert np.array_equal(first, old)
    assert not np.array_equal(first, seeds.streams(3, policy, problem, 0, rb.Delay.fixed(0))[0].random(4))
    (plain,) = simulate.plan(problem, [policy], simulate.RunOptions(80, 2, 5))
    (late,) = simulate.plan(problem, [policy], simulate.RunOptions(80, 2, 5, delay=rb.Delay.fixed(3)))
    assert "delay" not in description(plain, {})
    assert description(late, {})["delay"] != description(late.replace(delay=rb.Delay.fixed(4)), {})["delay"]
    assert "delay" not in simulate.settings_of([plain])
    assert simulate.settings_of([late])["delay"]["fields"]["steps"] == [3.0]


def test_a_store_keeps_delays_apart(tmp_path):
    late, later, again = (
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=80, store=tmp_path, delay=rb.Delay.fixed(steps), **SMALL)
        .traces[0]
        .sums
        for steps in (7, 9, 7)
    )
    assert np.array_equal(late, again)
    assert not np.array_equal(late, later)


def test_a_store_knows_runs_again_in_spite_of_all_that_runs_leave_in_memory(tmp_path):
    """Runs played meanwhile are not part of the code that decides numbers."""
    (job,) = simulate.plan(GAUSSIAN, [rb.MVTS()], simulate.RunOptions(80, 2, 5, delay=rb.Delay.geometric(9)))
    before = description(job, {})
    assert before["code"] is not None
    rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=4321, delay=rb.Delay.geometric(9), store=tmp_path, **SMALL)
    assert list(tmp_path.rglob("*.chunk"))
    assert description(job, {}) == before


def test_a_delay_costs_what_was_not_yet_known():
    """With answers 200 steps late, three arms are played in turn until the first comes."""
    result = rb.simulate(
        GAUSSIAN, [rb.MVTS()], horizon=201, checkpoints=[200], delay=rb.Delay.fixed(200), runs=20, progress=False
    )
    assert np.allclose(result.traces[0].sums[:, 0, 5], 66)  # the best arm is arm 2: 66 of 200
    sweep = rb.sweep(
        GAUSSIAN.with_risk, [rb.MeanVariance(1)], [rb.MVTS()], horizon=201, delay=rb.Delay.fixed(200), **SMALL
    )
    assert sweep.settings["delay"]["fields"]["kind"] == "fixed"


def test_delays_have_the_law_they_say():
    rng = np.random.default_rng(1)
    steps = np.arange(1, 200_001)
    waits = rb.Delay.geometric(mean=20).arrivals(200_000, rng) - steps
    assert waits.min() == 0
    assert abs(waits.mean() - 20) < 5 * np.sqrt(20 * 21 / 200_000)
    for wait in (0, 1, 10, 50):  # P(D >= d) = (20/21)^d
        share = (20 / 21) ** wait
        assert abs((waits >= wait).mean() - share) <= 5 * np.sqrt(share * (1 - share) / 200_000)
    seen = rb.Delay.recorded([0, 3, 3, 10]).arrivals(200_000, rng) - steps
    assert [round((seen == wait).mean(), 2) for wait in (0, 3, 10)] == [0.25, 0.5, 0.25]
    in_order = rb.Delay.geometric(mean=20, in_order=True).arrivals(1000, rng)
    assert (np.diff(in_order) >= 0).all()
    assert (rb.Delay.fixed(4).arrivals(3, rng) == [5, 6, 7]).all()


@pytest.mark.parametrize(
    "delay",
    [
        rb.Delay.fixed(SPAN + 22),
        rb.Delay.geometric(mean=0.8 * SPAN),
        rb.Delay.geometric(mean=0.8 * SPAN, in_order=True),
        rb.Delay.recorded([0, 1, SPAN - 1, SPAN, SPAN + 1, 2 * SPAN, 5 * SPAN]),
        rb.Delay.recorded([0, 1, SPAN - 1, SPAN, SPAN + 1, 2 * SPAN, 5 * SPAN], in_order=True),
    ],
    ids=repr,
)
@pytest.mark.parametrize("horizon", [2 * SPAN, 2 * SPAN + 1, 3 * SPAN - 1])
def test_long_delays(delay, horizon):
    """Rewards due late, at the last step or never."""
    pulls = rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=horizon, delay=delay, **SMALL).pulls("MVTS")
    assert np.bincount(fed(rb.MVTS(), GAUSSIAN, delay, horizon, 1), minlength=3).tolist() == pulls[1].tolist()


def test_runs_of_other_delays_leave_nothing_behind():
    first, _, again = (
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=700, workers=1, delay=delay, **SMALL).traces[0].sums
        for delay in (rb.Delay.geometric(30), rb.Delay.recorded([0, 300]), rb.Delay.geometric(30))
    )
    assert np.array_equal(first, again)


def test_a_run_that_was_stopped_leaves_nothing_behind():
    """Pending rewards are gone."""
    (job,) = simulate.plan(GAUSSIAN, [rb.MVTS()], simulate.RunOptions(200_000, 1, 5, delay=rb.Delay.recorded([0, 900])))
    play, expected = (
        compiled_kernel(job),
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=700, delay=LONG, **SMALL).traces[0],
    )
    progress, stop = no_signals()
    stop[0] = 1  # looked at after the first part
    runs = empty_runs(job, 1)
    assert play(*arguments_of(job, runs)(0, 0)[1], progress, stop) == kernel.STOPPED
    assert 0 < progress[0] < 200_000
    short = job.replace(checkpoints=np.array([700]), runs=2, delay=cast(LONG))
    assert np.array_equal(play_range(short, play, 0, 2, *no_signals()).pulls, expected.pulls)


def test_what_waits_takes_memory_and_not_what_was_told():
    kept = [new_pending(cast(rb.Delay.fixed(100)), steps, 3, 1).rewards.nbytes for steps in (10**4, 10**7, 10**12)]
    assert kept == [8 * 128] * 3
    (job,) = simulate.plan(GAUSSIAN, [rb.MVTS()], simulate.RunOptions(10**7, 2, 5, delay=rb.Delay.geometric(mean=100)))
    assert pending_bytes(job) < 200_000
    with pytest.raises(ParameterError, match="Delays within the horizon must be at most 268435456 decisions"):
        check_delay(rb.Delay.recorded([3, 2**29]), 2**30)
    assert check_delay(rb.Delay.recorded([3, 2**29]), 2**29).longest(2**29) == 3


def test_no_exponential_delay_is_longer_than_the_longest():
    """NumPy's longest: where the last layer of its ziggurat begins, and the logarithm of the smallest chance."""
    longest = 7.69711747013104972 - np.log1p(-(1.0 - 2.0**-53))
    for mean in (0.5, 100.0, 12345.6):
        delay = cast(rb.Delay.geometric(mean))
        assert int(longest * delay.drawn_from()[1]) <= delay.longest(10**9) < delay.places(10**9)


BAD = [
    (lambda: rb.Delay.fixed(-1), "whole number >= 0"),
    (lambda: rb.Delay.fixed(2.5), "whole number >= 0"),
    (lambda: rb.Delay.fixed(float("nan")), "whole number >= 0"),
    (lambda: rb.Delay.fixed(2**60), "whole number <="),
    (lambda: rb.Delay.geometric(0), "a number > 0"),
    (lambda: rb.Delay.geometric(float("inf")), "a number > 0"),
    (lambda: rb.Delay.geometric("10"), "a number > 0"),
    (lambda: rb.Delay.recorded([]), "non-empty list of whole numbers"),
    (lambda: rb.Delay.recorded([1, 0.5]), "non-empty list of whole numbers"),
    (lambda: rb.Delay.recorded([1, -2]), "non-empty list of whole numbers"),
    (lambda: rb.Delay.recorded(None), "non-empty list of whole numbers"),
    (lambda: rb.Delay.fixed(3, in_order="no"), "True or False"),
]


@pytest.mark.parametrize(("make", "words"), BAD)
def test_delays_that_are_none(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


@pytest.mark.parametrize(
    ("delay", "words"),
    [
        (100, "delay must be a Delay such as rb.Delay.fixed"),
        ("fixed", "delay must be a Delay such as"),
        (rb.Delay("weekly", [3.0]), "'kind' parameter of Delay must be one of fixed"),
        (rb.Delay("fixed", [3.0, 4.0]), "one number where it is fixed"),
        (rb.Delay("fixed", [0.5]), "whole numbers of steps"),
        (rb.Delay("fixed", [-3.0]), "'steps' parameter of Delay"),
        (rb.Delay("geometric", [0.0]), "a mean > 0"),
        (rb.Delay.fixed(50), "shortest delay must be shorter than the horizon, 50 steps"),
        (rb.Delay.recorded([70, 50]), "shortest delay must be shorter than the horizon, 50 steps"),
        (rb.Delay.geometric(50), "mean delay must be shorter than the horizon, 50 steps"),
    ],
)
def test_delays_that_cannot_be_simulated(delay, words, tmp_path):
    with pytest.raises(ParameterError, match=words):
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=50, delay=delay, store=tmp_path / "store", **SMALL)
    assert not (tmp_path / "store").exists()


def test_methods_that_tell_at_once_are_refused():
    for method in ("lazy", "rising"):
        with pytest.raises(RefusalError, match=f"With a delay every arm is scored at every step: method='{method}'"):
            rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=50, delay=rb.Delay.fixed(5), method=method, **SMALL)
    with pytest.raises(RefusalError, match="engine='cuda' tells every reward at once"):
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=50, delay=rb.Delay.fixed(5), engine="cuda", **SMALL)
    with pytest.raises(rb.RiskBanditsError, match="no simulation method 'delayed'"):
        rb.simulate(GAUSSIAN, [rb.MVTS()], horizon=50, method="delayed", **SMALL)


def test_on_the_command_line(command, tmp_path):
    small = ["--horizon", "50", "--runs", "2", "--policies", "mvts", "--threads", "1"]
    code, out, err = command("simulate", *small, "--delay", "geometric(mean=4, in_order=true)", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["settings"]["delay"]["fields"] == {"kind": "geometric", "steps": [4.0], "in_order": True}
    problem = rb.problems.zhu_tan_gaussian(1)
    same = rb.simulate(
        problem, [rb.MVTS()], horizon=50, runs=2, progress=False, delay=rb.Delay.geometric(4, in_order=True)
    )
    assert found["pulls"]["MVTS"] == same.pulls("MVTS").mean(axis=0).tolist()
    code, out, err = command("sweep", *small, "--rhos", "1,2", "--delay", "5", "--json")
    assert code == 0, err
    assert json.loads(out)["settings"]["delay"]["fields"]["steps"] == [5.0]
    assert command("simulate", *small, "--delay", "5", "--dry-run")[0] == 0
    for wrong in ("50", "-3", "soon", "geometric:0", "fixed:1,2,3"):
        code, _, err = command("simulate", *small, f"--delay={wrong}", "--store", str(tmp_path / "none"))
        assert code == 2, wrong
        assert "Error" in err
    assert not Path(tmp_path / "none").exists()
