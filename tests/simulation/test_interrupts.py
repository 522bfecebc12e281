"""Whatever a signal handler raises, and whenever: nothing dies, and a call happened wholly or not at all."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest

import riskbandits as rb
from interrupting import SIGNALS, Interrupts, in_a_child
from riskbandits.api import identify as outcome
from riskbandits.learner import guarded, persistence
from riskbandits.learner.state import CHOSEN, OUTSTANDING, TOLD

RISK = rb.MeanVariance(1.0)
ARMS = [f"arm {k}" for k in range(6)]
# A tenth of what `make test-full` does.
SHARES = pytest.mark.parametrize(
    "share", [pytest.param(0.1, id="tenth"), pytest.param(1.0, id="whole", marks=pytest.mark.full)]
)


def content(learner) -> str:
    return json.dumps(persistence.content_of(learner), sort_keys=True)


def made(policy) -> rb.Learner:
    """A learner in the midst of its life, its code compiled."""
    risk = rb.CVaR(0.3) if isinstance(policy, rb.UUCB) else RISK
    learner = rb.Learner(policy, ARMS, risk, seed=3)
    rewards = np.random.default_rng(1).random(60)
    for reward in rewards[:40]:
        learner.tell(learner.ask(), reward)
    learner.tell(ARMS, rewards[:6])
    return learner


def asking(learner, turn):
    learner.ask()


def asking_among_some(learner, turn):
    learner.ask(available=[ARMS[1], ARMS[turn % 6], ARMS[4]])


def telling(learner, turn):
    learner.tell(ARMS[turn % 6], 1.0 / (1 + turn % 7))


def telling_many(learner, turn):
    """Some of them for choices made elsewhere, and more than the room of a history holds."""
    arms = [ARMS[(turn + i * i) % 6] for i in range(40)]
    learner.tell(arms, [1.0 / (1.0 + turn + i) for i in range(40)])


def coming_and_going(learner, turn):
    names = [name for name in learner.arms if name not in ARMS]
    if names and turn % 2:
        learner.retire(names[0])
    else:
        learner.add(f"new {turn}")


def deciding(learner, turn):
    learner.decide()


def deciding_many(learner, turn):
    learner.decide(count=3, available=[ARMS[1], ARMS[turn % 6], ARMS[4]])


def oldest(learner, count):
    return [one.id for one in learner.open_decisions()[:count]]


def answering(learner, turn):
    learner.answer(oldest(learner, 1)[0], 1.0 / (1 + turn % 7))


def answering_many(learner, turn):
    """One of them twice."""
    ids = oldest(learner, 12)
    learner.answer([*ids, ids[0]], [1.0 / (1.0 + turn + i % 12) for i in range(13)])


def forgetting(learner, turn):
    learner.forget(oldest(learner, 1)[0])


def owed_by_retired(learner):
    return [one.id for one in learner.open_decisions() if one.arm not in learner.arms]


def answering_late(learner, turn):
    learner.answer(owed_by_retired(learner)[0], 1.0 / (1 + turn % 7))


def prepared(learner, kind):
    """What is there before the call, which is the one that is interrupted: decisions to answer."""
    if kind == "answer late" and not owed_by_retired(learner):
        learner.add("late")
        learner.decide(count=5, available=["late"])
        learner.retire("late")
    elif kind in ("answer", "answer many", "forget") and len(learner.open_decisions()) < 12:
        learner.decide(count=12)


CALLS = {
    "decide": deciding,
    "decide many": deciding_many,
    "answer": answering,
    "answer many": answering_many,
    "forget": forgetting,
    "answer late": answering_late,
    "ask": asking,
    "ask among some": asking_among_some,
    "tell": telling,
    "tell many": telling_many,
    "arms come and go": coming_and_going,
}
HITS = 500  # of each call


def interrupted_calls(learner, twin, kind, interrupts, hits):
    """Interrupt the call so often; afterwards the learner is what the twin was before the call or is after it."""
    turn, call = 0, CALLS[kind]
    while interrupts.hits < hits:
        turn += 1
        assert turn < 200 * hits, f"{interrupts.hits} interrupts in {turn} calls"
        prepared(learner, kind)
        prepared(twin, kind)
        before = content(learner)
        was_interrupted = interrupts.during(lambda turn=turn: call(learner, turn))
        after = content(learner)
        call(twin, turn)
        if after == before and was_interrupted:
            call(learner, turn)
            after = content(learner)
        assert after == content(twin)


@SHARES
@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("policy", [rb.MVTS(), rb.UUCB()], ids=["moments", "history"])
def test_an_interrupted_call_happened_wholly_or_not_at_all(policy, kind, share):
    learner, twin = made(policy), made(policy)
    assert content(learner) == content(twin)

    def work():
        interrupted_calls(learner, twin, kind, Interrupts(len(kind)), HITS * share)

    assert in_a_child(work, SIGNALS) == 0


@SHARES
def test_an_interrupted_choice_within_limits_happened_wholly_or_not_at_all(share, monkeypatch):
    """It simulates the next choice and draws from what it found: nothing of that remains."""
    monkeypatch.setattr(guarded, "TRIALS", 5)
    learner, twin = (
        rb.Learner(rb.Guarded(rb.MVTS(), most={ARMS[0]: 0.2}), ARMS, RISK, seed=3, propensity=True) for _ in range(2)
    )

    def work():
        interrupts = Interrupts(8)
        interrupted_calls(learner, twin, "ask", interrupts, HITS * share)
        interrupted_calls(learner, twin, "decide", interrupts, 2 * HITS * share)

    assert in_a_child(work, SIGNALS) == 0


@SHARES
def test_an_interrupted_save_leaves_the_old_file_or_the_new(share, tmp_path):
    learner = made(rb.MVTS())
    path = learner.save(tmp_path / "learner.json")

    def work():
        interrupts, old = Interrupts(5), path.read_bytes()
        while interrupts.hits < HITS * share:
            learner.tell(learner.ask(), 0.5)
            before = content(learner)
            interrupts.during(lambda: learner.save(path))
            assert content(learner) == before
            written = path.read_bytes()
            assert written == old or json.loads(written)["content"] == json.loads(before)
            old = written

    assert in_a_child(work, SIGNALS) == 0
    assert rb.Learner.load(path).decisions >= learner.decisions


@SHARES
def test_an_interrupted_identification_can_be_made_again(share):
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0, 0.5], [1.0, 1.0, 2.0]), RISK)

    def found():
        return rb.identify(problem, rb.SuccessiveRejects(), budget=90, runs=4, seed=2, progress=False)

    pulls, chosen = found().pulls, found().chosen

    def work():
        interrupts = Interrupts(7)
        while interrupts.hits < HITS * share:
            if interrupts.during(found):
                again = found()
                assert np.array_equal(again.pulls, pulls)
                assert np.array_equal(again.chosen, chosen)

    assert in_a_child(work, SIGNALS) == 0


@SHARES
@pytest.mark.parametrize("kind", ["simulate", "sweep"])
@pytest.mark.parametrize("stored", [False, True], ids=["without a store", "with a store"])
def test_an_interrupted_simulation_can_be_made_again(kind, stored, share, tmp_path):
    """What a store kept of it is taken, and the numbers are those of a simulation that nobody interrupted."""
    how = {"horizon": 60, "runs": 12, "seed": 5, "progress": False, "workers": 2}

    def found(store):
        if kind == "simulate":
            return rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS(), rb.MVLCB()], store=store, **how).table()
        return rb.sweep(rb.problems.zhu_tan_gaussian, [0.1, 10], [rb.MVTS()], store=store, **how).table()

    expected = found(None)

    def work():
        interrupts, turn = Interrupts(11), 0
        while interrupts.hits < 100 * share:
            turn += 1
            store = tmp_path / str(turn) if stored else None
            interrupts.during(lambda store=store: found(store))
            assert found(store).equals(expected)

    assert in_a_child(work, SIGNALS) == 0


@SHARES
def test_signals_while_other_threads_ask(share):
    """Handlers run in the main thread, wherever the signal arrives; the others go on, and everything adds up."""
    learner = made(rb.MVTS())

    def work():
        interrupts, over = Interrupts(9), threading.Event()

        def others():
            while not over.is_set():
                learner.tell(learner.ask(), 0.25)

        threads = [threading.Thread(target=others) for _ in range(2)]
        for thread in threads:
            thread.start()
        while interrupts.hits < HITS * share:
            for number in SIGNALS:
                signal.pthread_kill(threads[0].ident, number)
            interrupts.during(lambda: learner.tell(learner.ask(), 0.75))
        over.set()
        for thread in threads:
            thread.join()
        book = learner._state
        assert learner.decisions == book.total_count(CHOSEN)
        assert learner._state.run[3] == book.total_count(TOLD)
        assert book.counts[:, OUTSTANDING].sum() <= interrupts.hits
        assert np.array_equal(book.policy_state[:, :3], book.moments[:, :3])

    assert in_a_child(work, SIGNALS) == 0


def test_a_signal_that_another_thread_receives_stops_a_simulation():
    """Nothing wakes the main thread then: it must look by itself."""
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0, 2.0], [1.0, 1.0, 1.0]), RISK)

    def found(runs):
        return rb.identify(problem, rb.SuccessiveRejects(), budget=300, runs=runs, seed=1, progress=False)

    found(2)  # compiles

    def work():
        def receiver():
            time.sleep(0.3)
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)

        thread = threading.Thread(target=receiver)
        thread.start()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            found(1_000_000)  # minutes
        assert time.monotonic() - started < 20.0
        thread.join()

    assert in_a_child(work) == 0


@SHARES
def test_one_interrupt_ends_the_command_line_with_130(share, command, monkeypatch):
    arguments = ("identify", "--arms", "gaussian(means=[0,1,2],variances=[1,1,1])", "--budget", "300", "--runs")
    assert command(*arguments, "2")[0] == 0  # imports and compiles
    moments, run_samples = np.random.default_rng(4), outcome.run_samples

    def interrupted_soon(*args):
        monkeypatch.setattr(outcome, "run_samples", run_samples)
        parent = os.getpid()
        if os.fork() == 0:  # a thread would send it between two steps of this one, never within
            time.sleep(delay)
            if os.getppid() == parent:
                os.kill(parent, signal.SIGINT)
            os._exit(0)
        return run_samples(*args)

    for _ in range(int(100 * share)):
        delay = moments.uniform(0.0, 0.1)
        monkeypatch.setattr(outcome, "run_samples", interrupted_soon)
        assert in_a_child(lambda: sys.exit(command(*arguments, "1000000")[0])) == 130
