"""One job on the GPU without the rest of the package around it: for times of the kernel alone."""

import time
from typing import Any

import numpy as np

from riskbandits.api.simulate import RunOptions, plan
from riskbandits.compiling import gpu
from riskbandits.problem import Problem
from riskbandits.simulation.cuda.batches import grouped
from riskbandits.simulation.cuda.launches import DeviceBatch, run_batches
from riskbandits.simulation.plan import pieces


def lane_of(policy: Any, problem: Problem, horizon: int, runs: int, method: str = "cuda") -> DeviceBatch:
    """The job on the device, nothing played yet."""
    jobs = plan(problem, [policy], RunOptions(horizon, runs, 7, [horizon], method))
    work = pieces(jobs, [np.ones(runs, dtype=bool)], 1, 1)
    [batch] = grouped(jobs, work)
    return DeviceBatch(jobs, batch)


def seconds_of(lane: DeviceBatch) -> float:
    """The time from the first launch to the end of the last."""
    gpu.synchronize()
    started = time.perf_counter()
    run_batches([lane], lambda: False, lambda done: None)
    return time.perf_counter() - started
