"""Does it run at all, does it look right, and do cuts and blocks change nothing?"""

import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
from lanes import lane_of, seconds_of

import riskbandits as rb
from riskbandits.compiling import gpu
from riskbandits.metrics import regrets
from riskbandits.simulation.cuda import launches


def tables(quick: bool) -> dict[str, list[dict[str, Any]]]:
    return {
        "Compiling and playing": _policies(quick),
        "What must change nothing": _invariance(quick),
        "Ctrl-C in the middle": _interrupted(quick),
    }


def _policies(quick: bool) -> list[dict[str, Any]]:
    problem = rb.problems.zhu_tan_gaussian(1)
    runs, horizon = (4, 40) if quick else (2000, 2000)
    rows = []
    for policy in (rb.UniformRandom(), rb.MVLCB(), rb.MVTS()):
        for precision in ("float64", "float32"):
            settings: dict[str, Any] = {"horizon": horizon, "runs": runs, "seed": 7, "progress": False}
            started = time.perf_counter()
            rb.simulate(problem, [policy], horizon=10, runs=1, engine="cuda", precision=precision, progress=False)
            compiling = time.perf_counter() - started
            started = time.perf_counter()
            gpu = rb.simulate(problem, [policy], engine="cuda", precision=precision, **settings)
            elapsed = time.perf_counter() - started
            cpu = rb.simulate(problem, [policy], **settings)
            row = {"policy": type(policy).__name__, "precision": precision, "compiling s": compiling, "GPU s": elapsed}
            for name, result in (("GPU", gpu), ("CPU", cpu)):
                values = regrets.exact_pseudo_regret(result.traces[0])[:, -1]
                row[f"{name} regret"] = float(values.mean())
                row[f"{name} error"] = float(values.std() / np.sqrt(runs))
            lane = lane_of(policy, problem, 10, 1, gpu.traces[0].method)
            lane.launch(0)
            row["registers"] = lane.kernel.registers()
            rows.append(row)
            print(row, flush=True)
    return rows


def _invariance(quick: bool) -> list[dict[str, Any]]:
    problem = rb.problems.zhu_tan_gaussian(1)
    runs, horizon = (3, 30) if quick else (1000, 1000)
    rows = []
    expected = None
    for block, scores in ((32, 10**9), (128, 10**9), (32, 15 * horizon // 7)):
        launches.BLOCK = launches.SMALL_BLOCK = block
        launches.SCORES_OF_FIRST_LAUNCH = scores
        growth, launches.LARGEST_GROWTH = launches.LARGEST_GROWTH, 1.0
        lane = lane_of(rb.MVTS(), problem, horizon, runs)
        seconds = seconds_of(lane)
        launches.LARGEST_GROWTH = growth
        found = gpu.to_host(lane.batch.sums), gpu.to_host(lane.batch.pulls)
        expected = expected or found
        same = all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))
        rows.append({"block": block, "steps of a launch": min(horizon, scores // 15), "seconds": seconds, "same": same})
    return rows


def _interrupted(quick: bool) -> list[dict[str, Any]]:
    """A job of hours, in a process of its own: how long after Ctrl-C is it gone, and what does it say?"""
    job = ["simulate", "--engine", "cuda", "--policies", "mvts", "--horizon", "1000000000", "--runs", "20000"]
    with subprocess.Popen([sys.executable, "-m", "riskbandits", *job], stderr=subprocess.PIPE, text=True) as process:
        time.sleep(10 if quick else 30)
        playing = process.poll() is None
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=120)[1].strip().splitlines()
    row = {"playing before": playing, "seconds": time.perf_counter() - started, "exit": process.returncode}
    print(row, said, flush=True)
    return [{**row, "last words": said[-1] if said else ""}]
