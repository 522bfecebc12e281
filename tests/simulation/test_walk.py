"""The walk of `simulate` to its table: which files it enters, in which order. `pytest -s` prints it."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

import riskbandits as rb

PACKAGE = Path(rb.__file__).parent
# One direction: what is planned is a job, jobs are run as replications, their results are measured.
STAGES = [
    "api/simulate.py",
    "simulation/methods.py",
    "simulation/job.py",
    "simulation/runner.py",
    "simulation/collected.py",
    "simulation/engines/threads.py",
    "simulation/replications.py",
    "results/result.py",
    "metrics/summary.py",
]


PROBLEM = rb.problems.zhu_tan_gaussian(rho=1.0)


def table():
    return rb.simulate(PROBLEM, [rb.MVTS()], horizon=2000, runs=4, workers=1, progress=False).table()


@pytest.fixture(scope="module")
def entered():
    """Every change of file, and the function that was called, while a table is made, compiled code aside."""
    found = []

    def note(frame, event, argument):
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(PACKAGE):
            name = file.relative_to(PACKAGE).as_posix()
            if not found or found[-1][0] != name:
                found.append((name, frame.f_code.co_name))

    def traced():
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            table()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    table()  # compiles, imports
    thread = threading.Thread(target=traced)  # the main thread would only wait for one that is not traced
    thread.start()
    thread.join()
    return found


def test_the_walk_goes_in_one_direction(entered):
    files = list(dict.fromkeys(file for file, _ in entered))
    print(f"\n{len(files)} files, {len(entered)} changes of file:", *files, sep="\n  ")
    assert [file for file in files if file in STAGES] == STAGES


def test_what_plays_a_job_is_not_asked_again(entered):
    running = entered.index(("simulation/runner.py", "run_jobs"))
    asked = {function for file, function in entered[running:] if file == "simulation/methods.py"}
    assert asked <= {"scores_per_run", "block_size"}
    assert not any(function == "bounds_of" for _, function in entered[running:])
