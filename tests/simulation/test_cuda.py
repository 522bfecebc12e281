"""The GPU engine, on numba's CUDA simulator: the same loop, the same records, in threads of Python."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import riskbandits as rb
from comparing import complaints
from riskbandits.api.simulate import RunOptions, plan
from riskbandits.compiling import gpu
from riskbandits.core.errors import EngineError, RefusalError, UnknownNameError
from riskbandits.metrics import regrets
from riskbandits.simulation.cuda.batches import Part, bytes_per_run, fitting_groups, grouped
from riskbandits.simulation.cuda.record_columns import columns, fields_of, rebuilder
from riskbandits.simulation.job import Piece
from riskbandits.testing.policy import fitting_problem

needs_numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed"
)

PROBLEM = rb.Problem(rb.GaussianArms([0.0, 0.4, 0.1], [0.1, 0.5, 0.3]), rb.MeanVariance(1.0))
BINARY = rb.Problem(rb.BernoulliArms([0.2, 0.6, 0.9]), rb.MeanVariance(0.5))
STEPS, RUNS = 40, 300

# What the simulator runs in a process of its own, because numba decides at import. Results come back as JSON.
START = """
import json, math, tempfile
from typing import NamedTuple
import numpy as np
from riskbandits.compiling.jit import jitable
from riskbandits.core.records import Numbers
from riskbandits.numerics import moments
import riskbandits as rb
from riskbandits.metrics import regrets
from riskbandits.simulation.cuda import batches, launches
from riskbandits.simulation.engines import cuda
PROBLEM = rb.Problem(rb.GaussianArms([0.0, 0.4, 0.1], [0.1, 0.5, 0.3]), rb.MeanVariance(1.0))
BINARY = rb.Problem(rb.BernoulliArms([0.2, 0.6, 0.9]), rb.MeanVariance(0.5))
FIXED = rb.Problem(rb.GaussianArms([0.0, 0.4, 0.1], [0.0, 0.0, 0.0]), rb.MeanVariance(1.0))
def play(problem, policies, **other):
    settings = {"horizon": 40, "runs": 5, "seed": 3, "engine": "cuda", "progress": False, **other}
    return rb.simulate(problem, policies, **settings)
def same(a, b):
    return all(np.array_equal(x.sums, y.sums) and np.array_equal(x.pulls, y.pulls) and
               np.array_equal(x.reward_sums, y.reward_sums) for x, y in zip(a, b, strict=True))
found = {}
"""


@pytest.fixture(scope="module")
def on_simulator():
    def run(code: str):
        done = subprocess.run(
            [sys.executable, "-c", START + code + "\nprint(json.dumps(found))"],
            env={**os.environ, gpu.SIMULATOR: "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run


# The same runs as `LAW`, with rewards and draws that spread 10 % more: a comparison that passes these shows nothing.
MUTANT = """
from riskbandits.simulation.cuda.random_streams import Stream
normal = Stream.standard_normal
Stream.standard_normal = lambda self: 1.1 * normal(self)
"""

LAW = """
from riskbandits.testing.policy import fitting_problem
for policy in POLICIES:
    trace = play(fitting_problem(policy), [policy], runs=300).traces[0]
    found[trace.label] = [regrets.regret(trace)[:, -1].tolist(), trace.pulls.tolist(), trace.sums[:, -1].tolist()]
"""


def differences(found):
    """What differs between runs of the simulator and ten times as many of the CPU."""
    said = []
    for name, (regret, pulls, sums) in found.items():
        policy = getattr(rb, name)()
        problem = fitting_problem(policy)
        trace = rb.simulate(
            problem, [policy], horizon=STEPS, runs=10 * RUNS, seed=4, method="plain", progress=False
        ).traces[0]
        said += complaints(f"{name}, regret", np.array(regret), regrets.regret(trace)[:, -1])
        for arm in range(problem.size):
            said += complaints(f"{name}, pulls of {arm}", np.array(pulls)[:, arm] * 1.0, trace.pulls[:, arm] * 1.0)
        for column in range(trace.sums.shape[2]):
            said += complaints(f"{name}, sum {column}", np.array(sums)[:, column], trace.sums[:, -1, column])
    return said


@needs_numba_cuda
def test_a_gpu_has_the_law_of_the_cpu(on_simulator):
    assert differences(on_simulator("POLICIES = [rb.MVTS()]" + LAW)) == []
    assert differences(on_simulator("POLICIES = [rb.MVTS()]" + MUTANT + LAW)) != []


def keeps_more(policy):
    """What a GPU has no room for: a history, or features."""
    return hasattr(policy, "history") or policy is rb.LinearNGTS


@needs_numba_cuda
@pytest.mark.full
def test_every_policy_has_the_law_of_the_cpu(on_simulator):
    without_history = [name for name in rb.policies.__all__ if not keeps_more(getattr(rb, name))]
    found = on_simulator(f"POLICIES = [getattr(rb, name)() for name in {without_history}]" + LAW)
    assert list(found) == without_history
    assert differences(found) == []


SMALL = """
# Without noise every number is that of the plain kernel, read by Python.
from riskbandits.api.simulate import RunOptions, plan
from riskbandits.simulation.runner import run_in_plain_python
for policy in (rb.MVLCB(), rb.MVLCB.sani(), rb.KLUCBMV(), rb.MVDSEE(), rb.ExpExp()):
    [job] = plan(FIXED, [policy], RunOptions(40, 5, 3, None, "plain"))
    found[f"fixed, {job.label}"] = same(play(FIXED, [policy]).traces, [run_in_plain_python(job)])

policies = [rb.MVTS(), rb.MVLCB(), rb.MVLCB.sani(), rb.UniformRandom()]
expected = play(PROBLEM, policies).traces
found["method"] = expected[0].method, play(FIXED, [rb.MVLCB()], precision="float32").traces[0].method
found["other seed"] = same(play(PROBLEM, policies, seed=4).traces, expected)
found["alone"] = same(play(PROBLEM, policies[:1]).traces, expected[:1])
with tempfile.TemporaryDirectory() as store:
    play(PROBLEM, policies[:1], runs=2, store=store)
    found["resumed"] = same(play(PROBLEM, policies, store=store).traces, expected)
risky = lambda rho: PROBLEM.with_risk(rb.MeanVariance(rho))
swept = rb.sweep(risky, [2.0, 1.0], policies, horizon=40, runs=5, seed=3, engine="cuda", progress=False)
found["swept"] = same(swept.results[1].traces, expected)
launches.BLOCK = launches.SMALL_BLOCK = 2
found["blocks"] = same(play(PROBLEM, policies).traces, expected)
launches.SCORES_OF_FIRST_LAUNCH, launches.LARGEST_GROWTH = 20, 1.0
found["launches"] = same(play(PROBLEM, policies).traces, expected)
launched = []
launch = launches.DeviceBatch.launch
launches.DeviceBatch.launch = lambda self, steps: (launched.append(steps), launch(self, steps))
cuda.gpu.free_bytes = lambda: 8000
found["little memory"] = same(play(PROBLEM, policies).traces, expected)
found["launched"] = len(launched)

[job] = plan(PROBLEM, [rb.MVTS()], RunOptions(40, 5, 3, None, "cuda"))
lane = launches.DeviceBatch([job], batches.grouped([job], [batches.Piece(0, 0, 5)])[0])
answers = iter([False, False, True])
found["stopped"] = launches.run_batches([lane], lambda: next(answers), lambda done: None), lane.step

class Lost(NamedTuple):
    def score(self, state, k, run, risk, rng):
        return math.nan if run[0] > 7 else 1.0
    def learn(self, state, k, run, reward):
        pass

class Worded(NamedTuple):
    word: object = "left"
    def score(self, state, k, run, risk, rng):
        return 1.0
    def learn(self, state, k, run, reward):
        pass

for policy in (Lost(), Worded()):
    try:
        play(PROBLEM, [policy])
    except rb.errors.RiskBanditsError as error:
        found[type(policy).__name__] = str(error)

@jitable
def bonus(weights, k):
    return weights[k]

class Own(NamedTuple):
    weights: Numbers
    inner: rb.MeanVariance = rb.MeanVariance(0.0)
    def prepare(self, state, run, risk, rng):
        run[5] = rng.random()
    def score(self, state, k, run, risk, rng):
        if run[5] < 0.1:
            return rng.random()
        value = risk.value(state[k, moments.MEAN], moments.variance(state, k))
        return bonus(self.weights, k) + self.inner.value(0.0, 0.0) + value
    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)
    def first_pulls(self):
        return 1

found["own"] = play(PROBLEM, [Own([0.0, 9.0, 0.0])], runs=20).traces[0].pulls.mean(axis=0).tolist()
"""


@pytest.fixture(scope="module")
def small(on_simulator):
    """Many small things in one process: starting it takes longer than they do."""
    return on_simulator(SMALL)


@needs_numba_cuda
def test_without_noise_every_number_is_that_of_the_cpu(small):
    fixed = {name: same for name, same in small.items() if name.startswith("fixed")}
    assert len(fixed) == 5
    assert all(fixed.values()), fixed


@needs_numba_cuda
@pytest.mark.parametrize("how", ["alone", "resumed", "swept", "blocks", "launches", "little memory"])
def test_how_the_job_is_cut_changes_nothing(small, how):
    assert small[how]
    assert not small["other seed"]
    assert small["launched"] > 40


@needs_numba_cuda
def test_the_method_says_where_the_numbers_are_from(small):
    assert small["method"] == ["cuda", "cuda-float32"]


@needs_numba_cuda
def test_it_stops_between_launches(small):
    assert small["stopped"] == [False, 12]


@needs_numba_cuda
def test_what_goes_wrong_is_a_sentence(small):
    assert small["Lost"].startswith("All scores of Lost were NaN at step 8")
    assert small["Worded"].startswith("Worded.word is a str, which neither a GPU nor a web page can hold")


@needs_numba_cuda
def test_a_policy_of_ones_own(small):
    assert sum(small["own"]) == pytest.approx(40.0)
    assert small["own"][1] > 30


NO_GPU = """
import riskbandits as rb
try:
    rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=10, runs=1, engine="cuda")
except rb.errors.EngineError as error:
    print(error)
"""


@needs_numba_cuda
def test_without_a_gpu_a_sentence_says_so(run_python):
    said = run_python(NO_GPU, CUDA_VISIBLE_DEVICES="-1").strip()
    assert said.startswith("engine='cuda' needs an NVIDIA GPU and its driver, and found none: ")
    assert "\n" not in said


def test_without_numba_cuda_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(gpu, "cuda", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"pip install 'riskbandits\[cuda\]'"):
        rb.simulate(PROBLEM, [rb.MVTS()], horizon=10, runs=1, engine="cuda", progress=False)


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"engine": "cuda", "method": "lazy"}, RefusalError, "scores every arm at every step"),
        ({"precision": "float32"}, RefusalError, "is for engine='cuda' only"),
        ({"engine": "cuda", "precision": "float16"}, UnknownNameError, "Did you mean 'float64'|float32"),
        ({"method": "cuda"}, RefusalError, "ask for the engine instead"),
    ],
)
def test_settings_that_do_not_go_together(settings, error, said):
    with pytest.raises(error, match=said):
        rb.simulate(PROBLEM, [rb.MVTS()], horizon=10, runs=1, progress=False, **settings)
    with pytest.raises(error, match=said):
        rb.sweep(rb.problems.zhu_tan_gaussian, [1], [rb.MVTS()], horizon=10, runs=1, progress=False, **settings)


def test_a_history_has_no_room_on_a_gpu():
    problem = rb.Problem(rb.BernoulliArms([0.2, 0.6]), rb.CVaR(0.5))
    with pytest.raises(RefusalError, match="BCVTS keeps a history of rewards, which a GPU has no room for"):
        rb.simulate(problem, [rb.BCVTS()], horizon=10, runs=1, engine="cuda", progress=False)


@pytest.mark.parametrize("what", ["simulate", "sweep"])
def test_a_dry_run_does_not_guess(command, what):
    code, _, error = command(what, "--engine", "cuda", "--dry-run")
    assert code != 0
    assert "cannot estimate the cost of --engine cuda" in error


def test_importing_the_package_imports_nothing_for_gpus(run_python):
    said = run_python(
        "import sys, riskbandits; print([m for m in sys.modules if 'cuda' in m and 'redirector' not in m])"
    )
    assert said.strip() == "[]"


def test_records_come_back_from_their_columns():
    records = [
        (rb.NGTS(shape=0.25, plays_first=2), rb.MeanVariance(rho), rb.GaussianArms([0.0, rho], [1.0, 2.0]))
        for rho in (0.5, 3.0)
    ]
    jobs = [plan(rb.Problem(arms, risk), [policy], RunOptions(10, 1, 0))[0] for policy, risk, arms in records]
    fields = [fields_of(job.policy, job.problem.risk, job.problem.arms) for job in jobs]
    rebuilt = rebuilder(fields[0].source, fields[0].classes)
    arrays = columns(fields, np.float64)
    for row, job in enumerate(jobs):
        policy, risk, arms = rebuilt(row, **arrays)
        assert (policy, risk) == (job.policy, job.problem.risk)
        assert arms.means.tolist() == job.problem.arms.means.tolist()
        assert arms.variances.tolist() == job.problem.arms.variances.tolist()


def test_one_launch_for_all_presets_and_rhos():
    jobs = [
        job
        for rho in (0.1, 1.0, 10.0)
        for job in plan(
            rb.problems.zhu_tan_gaussian(rho),
            [rb.MVTS(), rb.MVLCB(), rb.MVLCB.sani()],
            RunOptions(50, 4, 0, method="cuda"),
        )
    ]
    plans = grouped(jobs, [Piece(number, 0, 4) for number in range(len(jobs))])
    assert sorted(one.runs for one in plans) == [12, 24]


@pytest.mark.parametrize("room", [1, 3, 7, 8, 100])
def test_groups_hold_every_run_once_and_fit(room):
    jobs = plan(PROBLEM, [rb.MVTS(), rb.MVLCB()], RunOptions(50, 9, 0, method="cuda"))
    pieces = [Piece(0, 0, 4), Piece(1, 0, 9), Piece(0, 4, 9)]
    size = bytes_per_run(jobs[0])
    found = fitting_groups(jobs, grouped(jobs, pieces), size * room / 0.8 + 1)
    runs = [
        (part.number, r)
        for wave in found
        for one in wave
        for part in one.parts
        for r in range(part.piece.first, part.piece.last)
    ]
    assert sorted(runs) == [(0, r) for r in range(4)] + [(1, r) for r in range(9)] + [(2, r) for r in range(4, 9)]
    assert all(sum(one.runs for one in wave) <= room for wave in found)
    assert all(isinstance(part, Part) for wave in found for one in wave for part in one.parts)
    with pytest.raises(EngineError, match="needs more memory than the GPU has left"):
        fitting_groups(jobs, grouped(jobs, pieces), size * 0.5)
