"""A process that dies while it saves: the file is the old one or the new one, and holds all that was acknowledged."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

import riskbandits as rb


def lives_on(path, talk):
    """Decide, answer, save, and say how many decisions are on the disk, for ever."""
    learner = rb.Learner.load(path)
    while True:
        learner.answer(learner.decide().id, 0.5)
        learner.decide()
        learner.save(path)
        os.write(talk, learner.decisions.to_bytes(8, "little"))


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.full)])
def test_a_killed_save_loses_nothing_that_was_acknowledged(kills, tmp_path):
    path = rb.Learner(rb.MVTS(), 15, rb.MeanVariance(1.0)).save(tmp_path / "learner.json")
    moments, grown = random.Random(3), 0
    for _ in range(kills):
        hear, talk = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                lives_on(path, talk)
            finally:
                os._exit(1)
        os.close(talk)
        os.read(hear, 8)  # it is at work
        time.sleep(moments.uniform(0.0, 0.02))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        heard = b""
        while more := os.read(hear, 65536):
            heard += more
        os.close(hear)
        learner = rb.Learner.load(path)
        acknowledged = int.from_bytes(heard[-8:], "little") if heard else grown
        assert learner.decisions >= max(acknowledged, grown)
        assert len(learner.open_decisions()) == learner.decisions // 2
        assert learner.summary().told.sum() == learner.decisions // 2
        grown = learner.decisions
    assert grown >= 2 * kills  # each had acknowledged something
    learner.save(path)  # whoever saves next takes away what a killed one left
    assert [one.name for one in tmp_path.iterdir()] == ["learner.json"]


def test_a_save_is_synced_before_it_takes_the_name(tmp_path, monkeypatch):
    """The content, then the name, then the folder that holds the name."""
    done = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("sync"), sync(handle))[1])
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("replace"), replace(*names))[1])
    rb.Learner(rb.MVTS(), 2, rb.MeanVariance(1.0)).save(tmp_path / "learner.json")
    assert done == ["sync", "replace", "sync"]


@pytest.mark.parametrize("decisions", [8_000, pytest.param(200_000, marks=pytest.mark.full)])
def test_memory_stays_flat(decisions):
    """One decision in a hundred is never answered, and then forgotten."""
    import tracemalloc

    learner = rb.Learner(rb.MVTS(), 15, rb.MeanVariance(1.0), remember=1000)
    waiting, sizes = [], []
    tracemalloc.start()
    try:
        for turn in range(decisions):
            decision = learner.decide()
            if turn % 100 == 0:
                waiting.append(decision.id)
            else:
                learner.answer(decision.id, 0.001 * (turn % 1000))
            if len(waiting) > 20:
                learner.forget(waiting.pop(0))
            if turn % (decisions // 10) == decisions // 10 - 1:
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert len(learner._decision_log.settled) == 1000
    assert len(learner._decision_log.open) <= 21
    assert max(sizes[2:]) - min(sizes[2:]) < 60_000, sizes
