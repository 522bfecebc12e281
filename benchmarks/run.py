"""Lazy against plain against NumPy vectorised over runs: ratios measured in one process, interleaved, as medians.

    python benchmarks/run.py [--quick] [--out DIR]

prints Markdown tables and writes them with the numbers as JSON.
"""

import argparse
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import floor, one_run
from vectorised import batch

import riskbandits as rb
from riskbandits.simulation.methods import resolve_method

RUNS_SIDE_BY_SIDE = 500  # of the NumPy rival
RIVAL_STEPS = 40
RHOS = (0.001, 1.0, 1000.0)
BERNOULLI_RHOS = (0.001, 4 / 9, 8 / 9)


def interleaved(timers: dict[str, Callable[[int], float]], repeats: int) -> dict[str, np.ndarray]:
    """Every timer in turn, `repeats` times: what slows the machine down slows all of them."""
    rounds = [{name: timer(repeat) for name, timer in timers.items()} for repeat in range(repeats)]
    return {name: np.array([one[name] for one in rounds]) for name in timers}


def compared(policy: Any, problem: rb.Problem, horizon: int, repeats: int, rival: bool = True) -> dict[str, Any]:
    """One row: nanoseconds per run and step of each way, and the ratios of the fast one to the others."""
    fast = resolve_method(policy, "auto", problem.risk)
    timers = {"plain": one_run(policy, problem, "plain", horizon)}
    if fast != "plain":
        timers["lazy"] = one_run(policy, problem, fast, horizon)
    if rival:
        timers["numpy"] = batch(type(policy).__name__, problem, RUNS_SIDE_BY_SIDE, RIVAL_STEPS)
    timers["reward"] = floor(problem, horizon)
    times = interleaved(timers, repeats)
    ours = times.get("lazy", times["plain"])
    row: dict[str, Any] = {
        "policy": type(policy).__name__,
        "arms": problem.size,
        "rho": round(problem.risk.rho, 3),
        "horizon": horizon,
        **{f"{name} ns": round(float(np.median(values)), 1) for name, values in times.items()},
        "plain/lazy": round(float(np.median(times["plain"] / ours)), 2),
    }
    if rival:
        row["numpy/lazy"] = round(float(np.median(times["numpy"] / ours)), 2)
    return row


def one_clear_best(size: int) -> rb.Problem:
    """One arm well above the others, which differ among themselves."""
    means = np.r_[1.0, np.linspace(0.0, 0.3, size - 1)]
    return rb.Problem(rb.GaussianArms(means=means, variances=np.full(size, 0.1)), rb.MeanVariance(1.0))


def headline(repeats: int) -> list[dict[str, Any]]:
    """The paper's arms at the paper's horizon."""
    rows = [
        compared(policy, rb.problems.zhu_tan_gaussian(rho), 30_000, repeats)
        for policy in (rb.MVTS(), rb.VTS(), rb.MTS(), rb.MVLCB())
        for rho in RHOS
    ]
    return rows + [compared(rb.BMVTS(), rb.problems.zhu_tan_bernoulli(rho), 30_000, repeats) for rho in BERNOULLI_RHOS]


def scaling(repeats: int, sizes: tuple[int, ...], horizons: tuple[int, ...]) -> list[dict[str, Any]]:
    """One clear best arm: more arms, longer horizons."""
    rows = [compared(rb.MVTS(), one_clear_best(size), 300_000, repeats, rival=False) for size in sizes]
    return rows + [compared(rb.MVTS(), one_clear_best(15), horizon, repeats, rival=False) for horizon in horizons]


def markdown(title: str, rows: list[dict[str, Any]]) -> str:
    """A table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [f"## {title}", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(str(row.get(name, "")) for name in columns) + " |" for row in rows]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, no long horizons")
    parser.add_argument("--out", type=Path, default=Path("results/bench"))
    options = parser.parse_args()
    repeats, few = (5, 2) if options.quick else (15, 3)
    sizes = (2, 15, 100) if options.quick else (2, 15, 100, 1000)
    horizons = (3_000, 30_000, 300_000) if options.quick else (3_000, 30_000, 300_000, 3_000_000)
    tables = {
        "The paper's arms, one thread, ns per run and step": headline(repeats),
        "One clear best arm, one thread, ns per run and step": scaling(few, sizes, horizons),
    }
    versions = {"python": platform.python_version(), "numpy": np.__version__, "riskbandits": rb.__version__}
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "bench.json").write_text(json.dumps({"versions": versions, "tables": tables}, indent=1))
    text = "\n".join(markdown(title, rows) for title, rows in tables.items())
    (options.out / "bench.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
