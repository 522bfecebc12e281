"""Thousands of bad calls, each in a process of its own: a sentence or a right answer, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interrupting import started

TESTS = Path(__file__).parent

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="children are forked, and watched in /proc"
)


def check(number: int, shares: int) -> None:
    """Run one share of so many."""
    path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "bad_calls", "--json", "--share", f"{number}/{shares}"]
    how = {"env": {**os.environ, "PYTHONPATH": path}, "text": True}
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how) as process:
        out, error = process.communicate(timeout=3600)
    assert out, error[-3000:]
    found = json.loads(out)
    print(f"{found['run']} of {found['calls']} bad calls: {found['counts']}")
    assert found["run"] >= found["calls"] // (2 * shares)
    assert found["bad"] == []
    assert found["counts"]["sentence"] > found["counts"]["harmless"] > 0
    assert sum(found["counts"].values()) == found["run"]


def test_a_tenth_of_them():
    check(0, 10)


@pytest.mark.full
def test_all_of_them_or_a_share(chosen_share):
    check(*chosen_share)


def test_the_harness_tells_all_six_apart(tmp_path, monkeypatch):
    from bad_calls import harness
    from bad_calls.call import Call
    from riskbandits import RiskBanditsError

    def refused():
        raise RiskBanditsError("A thing must be another.")

    def endless():
        while True:
            pass

    monkeypatch.chdir(tmp_path)
    calls = [
        Call("sentence", refused),
        Call("harmless", lambda: [1.0, float("nan")], lambda: [1.0, float("nan")]),
        Call("traceback", lambda: 1 / 0),
        Call("silently wrong", lambda: 1.0, lambda: 2.0),
        Call("hang", endless, seconds=1.0),
        Call("crash", lambda: os.kill(os.getpid(), 9)),
    ]
    assert [one.outcome for one in harness.run(calls, 2)] == [call.name for call in calls]
    more = [
        Call("no right call", lambda: 1.0),
        Call("a file left behind", lambda: Path("left").write_text("x") and refused()),
        Call("a page", lambda: (_ for _ in ()).throw(RiskBanditsError("two\nlines"))),
        Call("all memory", lambda: bytearray(1 << 40)),
    ]
    expected = ["silently wrong", "silently wrong", "traceback", "traceback"]
    assert [one.outcome for one in harness.run(more, 2)] == expected
