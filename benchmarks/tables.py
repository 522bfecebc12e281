"""What is measured: which policies, problems, numbers of arms and horizons."""

from collections.abc import Callable
from typing import Any

import numpy as np
from measure import floor, one_run
from vectorised import Rival

import riskbandits as rb
from riskbandits.simulation.methods import resolve_method

RHOS = (0.001, 1.0, 1000.0)
BERNOULLI_RHOS = (0.001, 4 / 9, 8 / 9)
POLICIES = (rb.MVTS(), rb.VTS(), rb.MTS(), rb.BMVTS(), rb.MVLCB())
RIVAL_CELLS = 7500  # runs x arms of the rival: 500 runs of 15 arms
LEAST_RIVAL_RUNS = 50

Row = dict[str, Any]


def compared(policy: Any, problem: rb.Problem, horizon: int, repeats: int, rival: bool = False) -> Row:
    """One row: nanoseconds per run and step of each way, and how often the fast one goes into the others.

    Ways take turns, so that what slows the machine down slows all of them. Ours are medians over whole runs; the
    rival's is the mean over one whole run of all its runs, a slice of it per turn.
    """
    fast = resolve_method(policy, "auto", problem.risk)
    timers = {method: one_run(policy, problem, method, horizon) for method in {"plain": 0, fast: 0}}
    timers["reward"] = floor(problem, min(horizon, 100_000))
    rival_runs = max(LEAST_RIVAL_RUNS, RIVAL_CELLS // problem.size)
    if rival:
        field = Rival(type(policy).__name__, problem, rival_runs)
        timers["numpy"] = lambda turn: field.advance(horizon // repeats)
    times = {name: np.array([]) for name in timers}
    for turn in range(repeats):
        for name, timer in timers.items():
            times[name] = np.append(times[name], timer(turn))
    spent = {name: float(np.median(values)) for name, values in times.items() if name != "numpy"}
    row: Row = {
        "policy": type(policy).__name__,
        "arms": problem.size,
        "rho": round(problem.risk.rho, 3),
        "horizon": horizon,
        "plain ns": round(spent["plain"], 1),
        "lazy ns": round(spent[fast], 1),
        "reward ns": round(spent["reward"], 1),
        "plain/lazy": round(float(np.median(times["plain"] / times[fast])), 2),
    }
    if rival:
        row |= {
            "numpy ns": round(float(times["numpy"].mean()), 1),
            "numpy/lazy": round(float(times["numpy"].mean()) / spent[fast], 2),
            "numpy runs": rival_runs,
        }
    return row


def papers_problem(policy: Any, which: int) -> rb.Problem:
    """The paper's fifteen arms for a policy, at the first, second or third rho."""
    if isinstance(policy, rb.BMVTS):
        return rb.problems.zhu_tan_bernoulli(BERNOULLI_RHOS[which])
    return rb.problems.zhu_tan_gaussian(RHOS[which])


def spread(policy: Any, size: int, rho: float) -> rb.Problem:
    """Arms spread evenly: the more, the closer."""
    means = np.linspace(0.1, 0.9, size)
    if isinstance(policy, rb.BMVTS):
        return rb.Problem(rb.BernoulliArms(means), rb.MeanVariance(rho))
    return rb.Problem(rb.GaussianArms(means, np.full(size, 0.3)), rb.MeanVariance(rho))


def one_clear_best(size: int) -> rb.Problem:
    """One arm well above the others, which differ among themselves."""
    means = np.r_[1.0, np.linspace(0.0, 0.3, size - 1)]
    return rb.Problem(rb.GaussianArms(means=means, variances=np.full(size, 0.1)), rb.MeanVariance(1.0))


def headline(quick: bool) -> list[Row]:
    """The paper's arms at the paper's horizon."""
    repeats = 10 if quick else 20
    return [
        compared(policy, papers_problem(policy, which), 30_000, repeats, rival=not quick or isinstance(policy, rb.MVTS))
        for policy in POLICIES
        for which in range(3)
    ]


def arms(quick: bool) -> list[Row]:
    """More arms, and so closer ones."""
    rows = []
    for size, horizon in ((2, 30_000), (100, 30_000), (1000, 10_000)):
        if quick and size == 1000:
            continue
        repeats = 2 if size == 1000 else 4
        for policy in POLICIES:
            rows.append(compared(policy, spread(policy, size, 1.0), horizon, repeats, rival=not quick))
        for rho in (0.001, 1000.0):
            rows.append(compared(rb.MVTS(), spread(rb.MVTS(), size, rho), horizon, repeats, rival=False))
    return rows


def clear_best(quick: bool) -> list[Row]:
    """One clear best arm and a long horizon."""
    sizes = (15, 100) if quick else (15, 100, 1000)
    return [compared(rb.MVTS(), one_clear_best(size), 300_000, 2 if size == 1000 else 3) for size in sizes]


def horizons(quick: bool) -> list[Row]:
    """Longer runs of the paper's arms."""
    lengths = (3_000, 300_000) if quick else (3_000, 30_000, 300_000, 3_000_000)
    rows = []
    for policy in POLICIES:
        for which in range(3) if isinstance(policy, rb.MVTS) else (1,):
            for horizon in lengths:
                repeats = 10 if horizon <= 30_000 else 3
                rows.append(compared(policy, papers_problem(policy, which), horizon, repeats))
    return rows


TABLES: dict[str, Callable[[bool], list[Row]]] = {
    "The paper's arms": headline,
    "One clear best arm": clear_best,
    "Longer runs of the paper's arms": horizons,
    "Arms spread evenly": arms,
}
