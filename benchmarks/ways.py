"""One policy on one problem: every way to simulate it takes its turn, at each horizon."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from measure import floor, one_run
from vectorised import Rival

from riskbandits.problem import Problem
from riskbandits.simulation.methods import resolve_method

RIVAL_CELLS = 7500  # runs x arms of the rival: 500 runs of 15 arms
LEAST_RIVAL_RUNS = 20
RIVAL_STEPS = 3_000
PLAIN_SCORES = 50_000_000  # a plain run that scores more is measured over its first steps
REWARDS = 100_000

Row = dict[str, Any]
Timer = Callable[[int], float]


class Cell(NamedTuple):
    """One measurement: what it is called, about how many seconds it takes, and how to make its rows."""

    name: str
    seconds: float
    measure: Callable[[], list[Row]]


def in_turns(timers: Mapping[Any, tuple[Timer, int]]) -> dict[Any, np.ndarray]:
    """Times of each timer, which is called so many times: in turns, so that a busy machine slows all of them."""
    times: dict[Any, list[float]] = {name: [] for name in timers}
    for turn in range(max(turns for _, turns in timers.values())):
        for name, (timer, turns) in timers.items():
            if turn < turns:
                times[name].append(timer(turn + 1))
    return {name: np.array(values) for name, values in times.items()}


def ratio(above: np.ndarray, below: np.ndarray) -> float:
    """The median over the turns that both had."""
    both = min(len(above), len(below))
    return round(float(np.median(above[:both] / below[:both])), 2)


def plain_steps(problem: Problem, horizon: int) -> int:
    """The steps over which plain is measured: all, or the first 3 x 10^i whose scores are not too many."""
    steps = horizon
    while steps * problem.size > PLAIN_SCORES:
        steps //= 10
    return steps


def compared(policy: Any, problem: Problem, turns: Mapping[int, int], rival_steps: int = RIVAL_STEPS) -> list[Row]:
    """One row per horizon, each with its number of turns; no NumPy where it has no steps."""
    fast = resolve_method(policy, "auto", problem.risk, problem.arms)
    timers: dict[Any, tuple[Timer, int]] = {}
    for horizon, times in turns.items():
        timers["lazy", horizon] = one_run(policy, problem, fast, horizon), times
    for horizon, times in turns.items():
        steps = plain_steps(problem, horizon)
        timers.setdefault(("plain", steps), (one_run(policy, problem, "plain", steps), times))
    most = max(turns.values())
    timers["reward"] = floor(problem, REWARDS), most
    if rival_steps:
        rival = Rival(type(policy).__name__, problem, max(LEAST_RIVAL_RUNS, RIVAL_CELLS // problem.size))
        first = rival.advance(rival.world.forced)
        timers["numpy"] = (lambda turn: rival.advance(rival_steps // most)), most
    times = in_turns(timers)
    rows = []
    for horizon in turns:
        steps = plain_steps(problem, horizon)
        lazy, plain = times["lazy", horizon], times["plain", steps]
        row = {
            "policy": type(policy).__name__,
            "arms": problem.size,
            "rho": round(problem.risk.rho, 3),
            "horizon": horizon,
            "turns": turns[horizon],
            "plain ns": round(float(np.median(plain)), 1),
            "plain steps": steps,
            "lazy ns": round(float(np.median(lazy)), 1),
            "reward ns": round(float(np.median(times["reward"])), 1),
            "plain/lazy": ratio(plain, lazy),
        }
        if rival_steps:
            # The first pulls are no work, and a large part of a short run with many arms.
            share = rival.world.forced / horizon
            numpy = share * first + (1.0 - share) * times["numpy"]
            row |= {
                "numpy ns": round(float(np.median(numpy)), 1),
                "numpy/lazy": ratio(numpy, lazy),
                "numpy runs": rival.runs,
                "numpy steps": rival.step,
            }
        rows.append(row)
    return rows
