"""What rewards told late cost: whole runs with a delay beside whole runs of the plain method, delays drawn included."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from measure import NANOSECONDS
from tables import spread
from ways import Cell, Row, in_turns, ratio

import riskbandits as rb
from riskbandits.policies.support.naming import label
from riskbandits.simulation.job import Job
from riskbandits.simulation.replications import compiled_kernel, no_signals, play_range

LONG = 10_000_000  # scores of a run, of which a few turns are enough
HORIZONS = {30_000: 6, 100_000: 2, 1_000_000: 1}  # steps of a run, and runs per turn
POLICIES = (rb.MVLCB(), rb.MVTS(), rb.SwitchingAware())  # no step of any policy is cheaper than one of MVLCB
ARMS = (2, 15)
SEEN = [0, 3, 20, 100, 377]
DELAYS = tuple(
    delay
    for in_order in (False, True)
    for delay in (
        rb.Delay.fixed(100, in_order),
        rb.Delay.geometric(100, in_order),
        rb.Delay.recorded(SEEN, in_order),
        rb.Delay.fixed(10_000, in_order),
        rb.Delay.geometric(10_000, in_order),
    )
)


def whole_runs(policy: Any, problem: rb.Problem, delay: rb.Delay | None, steps: int) -> Callable[[int], float]:
    """A function that plays a few replications; nanoseconds per step of this thread, with all that a run needs made."""
    method = "plain" if delay is None else "delayed"
    runs = HORIZONS[steps]
    job = Job("", policy, problem, np.array([steps]), runs, 1, method, delay=delay)
    play = compiled_kernel(job)

    def go(turn: int) -> float:
        start = time.thread_time()
        play_range(job, play, turn * runs, (turn + 1) * runs, *no_signals())
        return (time.thread_time() - start) / (runs * steps) * NANOSECONDS

    go(0)
    return go


def told_late(policy: Any, problem: rb.Problem, steps: int, turns: int) -> list[Row]:
    """One row per delay, all in turns with the plain method."""
    times = in_turns({repr(delay): (whole_runs(policy, problem, delay, steps), turns) for delay in (None, *DELAYS)})
    plain = times[repr(None)]
    return [
        {
            "policy": label(policy),
            "arms": problem.size,
            "steps": steps,
            "delay": repr(delay),
            "turns": turns,
            "plain ns": round(float(np.median(plain)), 1),
            "late ns": round(float(np.median(times[repr(delay)])), 1),
            "late/plain": ratio(times[repr(delay)], plain),
            "best late/best plain": round(float(times[repr(delay)].min() / plain.min()), 2),
        }
        for delay in DELAYS
    ]


def delays(quick: bool) -> list[Cell]:
    """Every policy with few arms and with those of the paper's size, over short runs and long ones."""
    return [
        Cell(
            f"{label(policy)}, {size} arms, {steps} steps",
            5.0,
            partial(told_late, policy, spread(policy, size, 1.0), steps, 5 if quick or size * steps > LONG else 20),
        )
        for policy in POLICIES
        for size in ARMS
        for steps in HORIZONS
        if steps == min(HORIZONS) or not (quick or policy == rb.SwitchingAware())  # whose steps take 900 ns
    ]


TABLES: dict[str, Callable[[bool], list[Cell]]] = {"Rewards told late": delays}
