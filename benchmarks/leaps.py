"""What runs cost that leap: up to 10^12 steps, beside walks."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from measure import NANOSECONDS, one_run
from tables import BERNOULLI_RHOS, RHOS
from ways import Cell, Row, in_turns, ratio

import riskbandits as rb
from riskbandits.policies.cells import SCRATCH, SCRATCH_CELLS
from riskbandits.policies.support.contract import bounds_of, learn_many
from riskbandits.policies.support.naming import label
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.simulation.job import Job, empty_runs
from riskbandits.simulation.replications import arguments_of, compiled_kernel, no_signals

POLICIES = (rb.MVTS(), rb.MTS(), rb.VTS(), rb.NGTS(), rb.SwitchingAware())
FOR_BERNOULLI = (rb.BMVTS(), rb.SwitchingAware.bernoulli())
HORIZONS = (10**6, 10**9, 10**12)
LEAPT = SCRATCH + SCRATCH_CELLS - 1  # a cell of the run that no policy uses
SHARES_AT = (30_000, 10**6)
RUNS = 10
PAPERS_STEPS = 30_000


@wrapper
class Counting(NamedTuple):
    """A policy that counts the steps that are leapt."""

    policy: Any

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """As the policy does."""
        self.policy.learn(state, k, run, reward)

    def learn_many(self, state: Any, k: int, run: Any, count: float, mean: float, squares: float) -> None:
        """As the policy does, and count."""
        run[LEAPT] += count
        learn_many(self.policy, state, k, run, count, mean, squares)

    def bounds(self, risk: Any) -> Any:
        """Those of the policy."""
        return bounds_of(self.policy, risk)


def share_leapt(policy: Any, problem: rb.Problem, horizon: int) -> float:
    """Of all steps."""
    job = Job("", Counting(policy), problem, np.array([horizon]), RUNS, 1, "lazy")
    play, arguments = compiled_kernel(job), arguments_of(job, empty_runs(job, RUNS))
    leapt = 0.0
    for replication in range(RUNS):
        run, given = arguments(replication, replication)
        play(*given, *no_signals())
        leapt += run[LEAPT]
    return leapt / (RUNS * horizon)


def measured(policy: Any, problem: rb.Problem, name: str, turns: int) -> list[Row]:
    """One row: all horizons take turns."""
    timers = {horizon: (one_run(policy, problem, "lazy", horizon), turns) for horizon in HORIZONS}
    times = {n: taken * n / NANOSECONDS * 1e3 for n, taken in in_turns(timers).items()}
    row: Row = {"policy": name, "rho": round(problem.risk.rho, 3)}
    row |= {f"{n:.0e} ms": round(float(np.median(taken)), 2) for n, taken in times.items()}
    row["1e12/1e6"] = ratio(times[HORIZONS[-1]], times[HORIZONS[0]])
    row |= {f"leapt at {n:.0e}": f"{share_leapt(policy, problem, n):.0%}" for n in SHARES_AT}
    return [row]


def beside_walks(policy: Any, problem: rb.Problem, name: str, turns: int) -> list[Row]:
    """One row: nanoseconds per step of runs that leap where that pays and of runs that never do."""
    timers = {method: (one_run(policy, problem, method, PAPERS_STEPS), turns) for method in ("walk", "lazy")}
    times = in_turns(timers)
    row: Row = {"policy": name, "rho": round(problem.risk.rho, 3)}
    row |= {f"{method} ns": round(float(taken.mean()), 1) for method, taken in times.items()}
    # Of sums: runs differ more from each other than the methods do.
    return [row | {"lazy/walk": round(float(times["lazy"].sum() / times["walk"].sum()), 2)}]


def papers_cells(measure: Callable[..., list[Row]], turns: int) -> list[Cell]:
    """Every policy on the paper's arms."""
    cells = []
    kinds = (
        (POLICIES, RHOS, rb.problems.zhu_tan_gaussian),
        (FOR_BERNOULLI, BERNOULLI_RHOS, rb.problems.zhu_tan_bernoulli),
    )
    for policies, rhos, problem in kinds:
        for policy in policies:
            for rho in rhos:
                name = label(policy)
                cells.append(Cell(f"{name}, rho {rho:.3g}", 3.0, partial(measure, policy, problem(rho), name, turns)))
    return cells


def long_runs(quick: bool) -> list[Cell]:
    """Horizons up to 10^12."""
    return papers_cells(measured, 3 if quick else 9)


def short_runs(quick: bool) -> list[Cell]:
    """The paper's horizon, where leaps hardly begin."""
    return papers_cells(beside_walks, 40 if quick else 200)


TABLES: dict[str, Callable[[bool], list[Cell]]] = {
    "Leaping beside walking": short_runs,
    "Long runs": long_runs,
}
