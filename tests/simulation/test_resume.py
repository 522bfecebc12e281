"""A simulation with a store: resumed, grown, damaged, killed; always the table that it would have had at once."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import NamedTuple

import pandas as pd
import pytest

import riskbandits as rb
from interrupting import interrupt, started
from riskbandits.api.simulate import RunOptions, plan
from riskbandits.simulation import methods
from riskbandits.simulation.collected import description
from riskbandits.simulation.engines import threads as engine
from riskbandits.simulation.store import content_key

POLICIES = [rb.MVTS(), rb.MVLCB()]
SCORES_PER_BLOCK = 100_000
BLOCK = 8  # runs of 600 steps on fifteen arms, at that size
SMALL = {"horizon": 600, "seed": 7, "progress": False, "checkpoints": [100, 600], "method": "plain"}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(methods, "SCORES_PER_BLOCK", SCORES_PER_BLOCK)


@pytest.fixture
def played(monkeypatch):
    """The replications that were really simulated, as (label, replication)."""
    found = []
    original = engine.play_range

    def spy(job, play, first, last, *signals):
        found.extend((job.label, replication) for replication in range(first, last))
        return original(job, play, first, last, *signals)

    monkeypatch.setattr(engine, "play_range", spy)
    return found


def simulate(store=None, runs=40, policies=POLICIES, rho=1.0, **other):
    return rb.simulate(rb.problems.zhu_tan_gaussian(rho), policies, runs=runs, store=store, **{**SMALL, **other})


def assert_same(result, expected):
    pd.testing.assert_frame_equal(result.table(), expected.table(), check_exact=True)
    for label in expected.labels:
        assert (result.pulls(label) == expected.pulls(label)).all()


def test_the_second_time_nothing_is_simulated(tmp_path, played):
    expected = simulate()
    played.clear()
    assert_same(simulate(tmp_path), expected)
    assert len(played) == 80
    played.clear()
    assert_same(simulate(tmp_path), expected)
    assert_same(simulate(tmp_path, workers=1), expected)
    assert played == []


@pytest.mark.parametrize("runs", [70, 25])
def test_a_job_of_another_size_simulates_only_what_is_new(tmp_path, played, runs):
    simulate(tmp_path)
    expected = simulate(runs=runs)
    played.clear()
    assert_same(simulate(tmp_path, runs=runs), expected)
    assert sorted(played) == [(label, r) for label in ("MVLCB", "MVTS") for r in range(40, runs)]
    played.clear()
    assert_same(simulate(tmp_path, runs=runs), expected)
    assert played == []


def test_other_policies_beside_those_that_are_there(tmp_path, played):
    simulate(tmp_path, policies=[rb.MVTS()])
    played.clear()
    assert_same(simulate(tmp_path, policies=[rb.MTS(), rb.MVTS()]), simulate(policies=[rb.MTS(), rb.MVTS()]))
    assert sorted(one for one in played if one[0] == "MVTS") == [("MVTS", r) for r in range(40)]  # of the comparison
    played.clear()


OTHER = [{"seed": 8}, {"horizon": 599, "checkpoints": [100]}, {"checkpoints": [200]}, {"rho": 2.0}]


@pytest.mark.parametrize("other", [*OTHER, {"policies": [rb.MVTS(rate=1.0)]}])
def test_whatever_decides_the_numbers_is_in_the_key(tmp_path, played, other):
    simulate(tmp_path, policies=[rb.MVTS()], runs=5)
    played.clear()
    other = {"policies": [rb.MVTS()], **other}
    found = simulate(tmp_path, runs=5, **other)
    assert len(played) == 5
    assert_same(found, simulate(runs=5, **other))


def test_code_is_in_the_key():
    def key_of_a_policy_that_likes(arm):
        class Mine(NamedTuple):
            """Likes one arm."""

            def score(self, state, k, run, risk, rng):
                return 1.0 if k == arm else 0.0

            def learn(self, state, k, run, reward):
                pass

        job = plan(rb.problems.zhu_tan_gaussian(1), [Mine()], RunOptions(20, 2, 0))[0]
        return content_key(description(job, {}))

    # The same name and fields: what differs is the code.
    assert key_of_a_policy_that_likes(3) != key_of_a_policy_that_likes(5)
    assert key_of_a_policy_that_likes(3) == key_of_a_policy_that_likes(3)


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"runs": 0}, {"horizon": 0}, {"checkpoints": [0]}, {"policies": []}])
def test_bad_input_makes_no_store(tmp_path, wrong):
    with pytest.raises(rb.RiskBanditsError):
        simulate(tmp_path / "store", **wrong)
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty"])
def test_a_damaged_chunk_is_reported_and_simulated_again(tmp_path, played, capsys, damage):
    expected = simulate()
    simulate(tmp_path)
    path = sorted(tmp_path.rglob("*.chunk"))[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 64
    path.write_bytes({"truncate": data[: len(data) // 2], "flip": data, "empty": b""}[damage])
    played.clear()
    capsys.readouterr()
    assert_same(simulate(tmp_path), expected)
    assert len(played) == BLOCK
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(path) in said.err
    assert_same(simulate(tmp_path), expected)
    assert capsys.readouterr().err == ""


JOB = """
import sys, riskbandits as rb
from riskbandits.simulation import methods
methods.SCORES_PER_BLOCK = 100_000
LIMITS
try:
    rb.simulate(rb.problems.zhu_tan_gaussian(1.0), [rb.MVTS(), rb.MVLCB()], runs=RUNS, store=sys.argv[1],
                horizon=600, seed=7, progress=False, checkpoints=[100, 600], method="plain")
except rb.RiskBanditsError as error:
    print(type(error).__name__, error)
"""
NO_MORE_THAN_2000_BYTES = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write past the limit is then an error, as on a full disk
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""


def start(store, runs: int, limits: str = "", before: tuple[str, ...] = ()):
    code = JOB.replace("RUNS", str(runs)).replace("LIMITS", limits)
    command = [*before, sys.executable, "-c", code, str(store)]
    return started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_chunks(store, process, count: int) -> None:
    while len(list(store.rglob("*.chunk"))) < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


def test_kill_9(tmp_path, played):
    with start(tmp_path, 400) as process:
        wait_for_chunks(tmp_path, process, 3)
        process.kill()
        process.communicate()
    assert len(list(tmp_path.rglob("*.chunk"))) < 100
    found = simulate(tmp_path, runs=400)
    assert len(played) <= 800 - 3 * BLOCK
    assert_same(found, simulate(runs=400))


def test_ctrl_c_keeps_what_is_finished(tmp_path, played):
    with start(tmp_path, 20_000) as process:
        wait_for_chunks(tmp_path, process, 2)
        _, error = interrupt(process)
    assert "KeyboardInterrupt" in error
    kept = [range(*map(int, path.stem.split("-"))) for path in tmp_path.rglob("*.chunk")]  # in any order
    runs = max(one.stop for one in kept)
    simulate(tmp_path, runs=runs)
    assert len(played) == 2 * runs - sum(map(len, kept))


def stored(store) -> dict:
    return {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}


def test_a_disk_that_takes_no_more_is_a_sentence_and_what_is_stored_stays(tmp_path):
    simulate(tmp_path)
    before = stored(tmp_path)
    with start(tmp_path, 100, limits=NO_MORE_THAN_2000_BYTES) as process:
        out, _ = process.communicate(timeout=120)
    assert out.startswith("FileError ")
    assert "could not be written: File too large." in out
    after = stored(tmp_path)
    assert all(after[path] == data for path, data in before.items())
    assert not [path for path in after if path.name.startswith(".")]
    assert_same(simulate(tmp_path, runs=100), simulate(runs=100))


def test_a_file_system_that_is_full(tmp_path):
    inside = ("unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=64k,mode=700 tmpfs {tmp_path} && exec "$@"', "sh")
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not permitted here")
    with start(tmp_path, 400, before=inside) as process:
        out, error = process.communicate(timeout=120)
    assert out.startswith("FileError "), error
    assert "could not be written: No space left on device." in out
    assert out.count("\n") == 1
