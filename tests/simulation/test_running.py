"""Threads, memory, interruption."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

import riskbandits as rb
from interrupting import interrupt, started

MEMORY = """
import re, riskbandits as rb
result = rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.UniformRandom()], horizon=HORIZON, runs=500, progress=False)
result.table()
# Not ru_maxrss, which a child process inherits from its parent.
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024)
"""


@pytest.mark.full
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_memory_does_not_grow_with_the_horizon(run_python):
    run_python(MEMORY.replace("HORIZON", "10"))  # compiles, once
    short = float(run_python(MEMORY.replace("HORIZON", "100")))
    long = float(run_python(MEMORY.replace("HORIZON", "30_000")))
    assert long - short < 50
    assert long < 400


LONG = """
import riskbandits as rb, numpy as np, sys
problem = rb.Problem(rb.GaussianArms(np.zeros(1000), np.ones(1000)), rb.MeanVariance(1))
rb.simulate(problem, [rb.MVTS()], horizon=10, runs=1, progress=False)
print("ready", flush=True)
rb.simulate(problem, [rb.MVTS()], horizon=10_000_000, runs=1, progress=False)
"""


def test_ctrl_c_ends_one_long_run_at_once():
    command = [sys.executable, "-c", LONG]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        _, error = interrupt(process)
    assert "KeyboardInterrupt" in error


def test_an_error_in_a_worker_reaches_the_caller_and_stops_the_others():
    from typing import NamedTuple

    class LostLater(NamedTuple):
        """Scores are NaN from step 100 on."""

        def score(self, state, k, run, risk, rng):
            return float("nan") if run[0] >= 100 else rng.random()

        def learn(self, state, k, run, reward):
            pass

    with pytest.raises(rb.errors.ScoresError, match="LostLater were NaN at step 100"):
        rb.simulate(rb.problems.zhu_tan_gaussian(1), [LostLater()], horizon=10**7, runs=50, progress=False)


def test_progress_is_reported_and_ends_at_the_total():
    from riskbandits.api.simulate import RunOptions, plan
    from riskbandits.simulation.runner import run_jobs

    jobs = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS(), rb.MTS()], RunOptions(3000, 20, 0))
    seen = []
    run_jobs(jobs, 2, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 2 * 20 * 3000


def test_steps_that_are_leapt_are_little_work():
    """Counted as steps, one run of 10^12 would make all others vanish: minutes were announced as decades."""
    from riskbandits.api.simulate import RunOptions, plan
    from riskbandits.simulation.runner import run_jobs

    problem, seen = rb.problems.zhu_tan_gaussian(1), []
    run_jobs([plan(problem, [rb.MVTS()], RunOptions(horizon, 2, 0))[0] for horizon in (10**12, 3000)], 2, seen.append)
    assert seen == sorted(seen)
    assert 2 * 3000 < seen[-1] < 10**6
