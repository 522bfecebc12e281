"""What two threads give over one (a table of `run.py`), and the memory and the idle time of large jobs.

python benchmarks/running.py memory       # megabytes at most: 500 runs x 30 000 steps x 1000 arms
python benchmarks/running.py busy         # share of the cores' time that a sweep of unequal parts keeps busy
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from ways import Cell, Row, in_turns, ratio

import riskbandits as rb
from riskbandits.api import parsing
from riskbandits.simulation.engines import usable_cores

THREADED = (rb.MVTS(), rb.MVLCB())


def threads(policy: Any, repeats: int) -> list[Row]:
    """What two threads give over one. No policy: what the machine itself gives to two that share nothing."""
    problem = rb.problems.zhu_tan_gaussian(1)
    settings = {"horizon": 30_000, "runs": 64, "seed": 7, "progress": False}
    if policy is not None:
        rb.simulate(problem, [policy], horizon=10, runs=1, progress=False)  # compiles

    def timed(count: int) -> Callable[[int], float]:
        if policy is None:
            return lambda turn: _seconds(_hash_in_threads, count)
        return lambda turn: _seconds(rb.simulate, problem, [policy], workers=count, **settings)

    # Turns alternate, so that whatever else the machine does hits both.
    times = in_turns({count: (timed(count), repeats) for count in (1, 2)})
    one, two = times[1], times[2] / (2.0 if policy is None else 1.0)  # hashing: twice the work in two threads
    return [
        {
            "what": "control: hashing" if policy is None else type(policy).__name__,
            "turns": repeats,
            "one thread s": round(float(np.median(one)), 3),
            "two threads s": round(float(np.median(two)), 3),
            "one/two": ratio(one, two),
            "best one/best two": round(float(one.min() / two.min()), 2),
        }
    ]


def two_threads(quick: bool) -> list[Cell]:
    """The machine itself, a policy that draws and one that does not."""
    return [
        Cell("control" if policy is None else type(policy).__name__, 5.0, partial(threads, policy, 3 if quick else 7))
        for policy in (None, *THREADED)
    ]


TABLES: dict[str, Callable[[bool], list[Cell]]] = {"Two threads (seconds by the clock)": two_threads}


def _seconds(call: Callable[..., object], *arguments: object, **options: object) -> float:
    started = time.perf_counter()
    call(*arguments, **options)
    return time.perf_counter() - started


def _hash_in_threads(count: int) -> None:
    data = bytes(1 << 26)
    workers = [threading.Thread(target=lambda: [hashlib.sha256(data).digest() for _ in range(6)]) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def memory(policy: str, method: str) -> None:
    rng = np.random.default_rng(1)
    problem = rb.Problem(rb.GaussianArms(rng.random(1000), rng.random(1000)), rb.MeanVariance(1.0))
    started = time.perf_counter()
    result = rb.simulate(problem, [parsing.parse(policy)], horizon=30_000, runs=500, seed=7, method=method)
    result.table()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{result!r}: {most:.0f} MB at most, {time.perf_counter() - started:.0f} s")


def busy() -> None:
    rhos = [0.001, 0.1, 1, 10, 1000]
    policies = [rb.MVTS(), rb.MVLCB(), rb.UniformRandom()]
    rb.sweep(rb.problems.zhu_tan_gaussian, rhos[:1], policies, horizon=10, runs=1, progress=False)  # compiles
    cores = usable_cores()
    wall, used = time.perf_counter(), time.process_time()
    rb.sweep(rb.problems.zhu_tan_gaussian, rhos, policies, horizon=30_000, runs=100, progress=False)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    print(f"{cores} cores: {wall:.2f} s, {used:.2f} s of them computing, {used / (wall * cores):.0%} busy")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["memory", "busy"])
    parser.add_argument("--policy", default="mvts", help="for memory")
    parser.add_argument("--method", default="auto", help="for memory")
    chosen = parser.parse_args()
    if chosen.what == "memory":
        memory(chosen.policy, chosen.method)
    else:
        busy()
