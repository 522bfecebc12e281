"""`simulate`: the door through which people start a simulation. It checks everything, then runs."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from riskbandits import progress as progress_bars
from riskbandits.checks import flag, whole
from riskbandits.errors import must_be
from riskbandits.policies import names, trial
from riskbandits.policies.contract import check_policies, check_serves
from riskbandits.problem import Problem
from riskbandits.records import canonical
from riskbandits.result import Result
from riskbandits.seeds import check_seed
from riskbandits.simulation.checkpoints import check_checkpoints
from riskbandits.simulation.engines import check_engine
from riskbandits.simulation.jobs import check_memory
from riskbandits.simulation.methods import method_on, resolve_method
from riskbandits.simulation.runner import Job, run_jobs, usable_cores
from riskbandits.simulation.trace import Trace
from riskbandits.store import Store
from riskbandits.version import __version__

MOST_WORKERS = 10_000


def simulate(
    problem: Problem,
    policies: Sequence[Any],
    horizon: int = 30_000,
    runs: int = 500,
    seed: int = 0,
    checkpoints: Sequence[int] | None = None,
    threads: int | None = None,
    progress: bool = True,
    method: str = "auto",
    engine: Any = "threads",
    store: str | os.PathLike[str] | None = None,
    precision: str = "float64",
) -> Result:
    """Run every policy `runs` times for `horizon` steps on the problem.

    The same seed gives the same result, whatever the number of threads (default: the cores this process
    may use), whichever the engine (but for "cuda") and whichever other policies are in the list. `checkpoints` are the
    steps at which results are kept (default: a log-spaced grid; the horizon is always one of them).

    `engine` is where the work runs: "threads"; "processes"; "dask", a running Dask client or an address
    such as "dask://127.0.0.1:8786"; "ray" (the connected cluster or a local one) or "ray://HOST:PORT"; or
    "cuda", an NVIDIA GPU, for thousands of runs. The GPU scores every arm and has random streams of its own: its
    numbers agree with those of the other engines in law, not one by one. `precision` is for it alone: "float32" is
    faster, draws from a coarser grid (2^-24), and loses small differences between large numbers.

    `store` is a folder that keeps every finished chunk of runs. A simulation that was stopped or killed
    goes on where it stopped when it is asked for again, and a larger one (more runs, other policies
    beside these) takes from the store what is there.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=100, runs=4, seed=7, progress=False)
    >>> result.table().query("step == 100")[["policy", "runs"]].values.tolist()
    [['MVTS', 4], ['MVLCB', 4]]
    """
    jobs = plan(problem, policies, horizon, runs, seed, checkpoints, method_on(engine, method, precision))
    traces = run(jobs, "Simulating", threads, progress, engine, store)
    return Result(traces, settings_of(jobs), versions())


def run(
    jobs: Sequence[Job], title: str, threads: Any, progress: bool, engine: Any = "threads", store: Any = None
) -> list[Trace]:
    """Check how jobs are to be run, then run them with one progress bar."""
    workers = usable_cores() if threads is None else whole("The number of threads", threads, most=MOST_WORKERS)
    check_engine(engine)
    flag("progress", progress)
    check_memory(jobs, workers)
    folder = None if store is None else Store(store)
    total = float(sum(job.runs * job.horizon for job in jobs))
    with progress_bars.reporting(title, total, progress) as report:
        return run_jobs(jobs, workers, report, engine, folder)


def plan(
    problem: Any,
    policies: Any,
    horizon: Any,
    runs: Any,
    seed: Any,
    checkpoints: Any = None,
    method: Any = "auto",
) -> list[Job]:
    """Check all input and return one job per policy; nothing has run yet."""
    if not isinstance(problem, Problem):
        raise must_be("The problem", "a Problem(arms, risk)", problem)
    horizon = whole("The horizon", horizon)
    runs = whole("The number of runs", runs)
    seed = check_seed(seed)
    steps = check_checkpoints(checkpoints, horizon)
    records = check_policies(policies)
    trial.try_arms(problem.arms)
    for policy in records:
        check_serves(policy, problem.risk, problem.arms, horizon_known=True)
        trial.try_policy(policy, problem.risk)
    labels = names.labels(records)
    return [
        Job(label, policy, problem, steps, runs, seed, resolve_method(policy, method, problem.risk, problem.arms))
        for label, policy in zip(labels, records, strict=True)
    ]


def settings_of(jobs: Sequence[Job]) -> dict[str, Any]:
    """What was asked for, as plain data: enough to run it again."""
    first = jobs[0]
    return {
        **first.problem.to_data(),
        "policies": [{"label": job.label, "method": job.method, **canonical(job.policy)} for job in jobs],
        "horizon": int(first.checkpoints[-1]),
        "runs": first.runs,
        "seed": first.seed,
        "checkpoints": first.checkpoints.tolist(),
    }


def versions() -> dict[str, str]:
    """The versions on which the numbers may depend."""
    return {
        "riskbandits": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": version("numba"),
    }
