"""What two threads give over one, and the memory of a large job.

python benchmarks/running.py threads      # seconds per number of threads, best of five, in one process
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

import numpy as np

import riskbandits as rb
from riskbandits.policies import names


def threads(repeats: int) -> None:
    # What the machine itself gives two threads that share nothing: on a busy one the figures below mean little.
    alone, both = (min(_seconds(_hash_in_threads, count) for _ in range(repeats)) for count in (1, 2))
    print(f"control (hashing, no shared lock): two threads do {2 * alone / both:.2f} times the work of one")
    problem = rb.problems.zhu_tan_gaussian(1)
    settings = {"horizon": 30_000, "runs": 64, "seed": 7, "progress": False}
    for policy in (rb.MVTS(), rb.MVLCB()):
        rb.simulate(problem, [policy], 10, 1, progress=False)  # compiles
        # Turns alternate, so that whatever else the machine does hits both.
        best, used = {1: np.inf, 2: np.inf}, {1: np.inf, 2: np.inf}
        for _ in range(repeats):
            for count in best:
                before = time.process_time()
                best[count] = min(best[count], _seconds(rb.simulate, problem, [policy], threads=count, **settings))
                used[count] = min(used[count], time.process_time() - before)
        print(
            f"{type(policy).__name__}: 1 thread {best[1]:.3f} s, 2 threads {best[2]:.3f} s, "
            f"{best[1] / best[2]:.2f} times as fast; computing took {used[2] / used[1]:.2f} times as long"
        )


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
    result = rb.simulate(problem, [names.parse(policy)], horizon=30_000, runs=500, seed=7, method=method)
    result.table()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{result!r}: {most:.0f} MB at most, {time.perf_counter() - started:.0f} s")


def busy() -> None:
    rhos = [0.001, 0.1, 1, 10, 1000]
    policies = [rb.MVTS(), rb.MVLCB(), rb.UniformRandom()]
    rb.sweep(rb.problems.zhu_tan_gaussian, rhos[:1], policies, 10, 1, progress=False)  # compiles
    cores = rb.study.usable_cores()
    wall, used = time.perf_counter(), time.process_time()
    rb.sweep(rb.problems.zhu_tan_gaussian, rhos, policies, 30_000, 100, progress=False)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    print(f"{cores} cores: {wall:.2f} s, {used:.2f} s of them computing, {used / (wall * cores):.0%} busy")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["threads", "memory", "busy"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--policy", default="mvts", help="for memory")
    parser.add_argument("--method", default="auto", help="for memory")
    chosen = parser.parse_args()
    if chosen.what == "threads":
        threads(chosen.repeats)
    elif chosen.what == "memory":
        memory(chosen.policy, chosen.method)
    else:
        busy()
