"""A fork while other threads use a learner: the child has a whole learner, which it can use and whose ids are new."""

from __future__ import annotations

import os
import signal
import threading

import pytest

import riskbandits as rb
from interrupting import in_a_child
from riskbandits.core.errors import UnknownNameError
from riskbandits.learner.state import CHOSEN, TOLD
from riskbandits.policies.cells import REWARD_COUNT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")


@pytest.mark.parametrize("policy", [rb.MVTS(), rb.NPTS()], ids=["moments", "history"])
def test_a_child_forked_while_threads_use_the_learner(policy):
    learner = rb.Learner(policy, 5, rb.MeanVariance(1.0))
    stop, hear, talk = threading.Event(), *os.pipe()

    def use():
        while not stop.is_set():
            learner.answer(learner.decide().id, 0.5)
            learner.to_json()

    def work():
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)  # a hang is a death
        state = learner._state
        assert learner.decisions == state.total_count(CHOSEN)
        assert state.run[REWARD_COUNT] == state.total_count(TOLD) == state.moments[:, 0].sum()
        decision = learner.decide()
        assert learner.answer(decision, 0.5)
        os.write(talk, decision.id.encode() + b"\n")

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert [in_a_child(work) for _ in range(8)] == [0] * 8
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    os.close(talk)
    with os.fdopen(hear) as pipe:
        ids = pipe.read().split()
    assert len({id.split("-")[2] for id in [learner.decide().id, *ids]}) == 9
    with pytest.raises(UnknownNameError, match="or by another learner"):
        learner.answer(ids[0], 0.5)


def test_ids_from_before_the_fork_are_known_to_both():
    learner = rb.Learner(rb.MVTS(), 3, rb.MeanVariance(1.0))
    decision = learner.decide()

    def work():
        new = learner.decide()
        text = learner.to_json()
        assert rb.Learner.from_json(text).answer([decision, new], [0.5, 0.25]) == [True, True]

    assert in_a_child(work) == 0
    assert learner.answer(decision, 0.5)
