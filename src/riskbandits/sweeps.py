"""`sweep`: policies on a family of problems, all of it as one piece of work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from riskbandits import study
from riskbandits.errors import must_be
from riskbandits.problem import Problem
from riskbandits.result import Result
from riskbandits.simulation.methods import method_on
from riskbandits.simulation.runner import Job
from riskbandits.sweep_result import SweepResult


def sweep(
    problem_for_rho: Callable[[Any], Problem],
    rhos: Iterable[Any],
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
    name: str = "rho",
    precision: str = "float64",
) -> SweepResult:
    """Run every policy on the problem of every rho.

    All runs are one job: no core waits for the last run of one rho before the next one begins, and
    there is one progress bar. Each number is the one that `simulate` gives for that problem and policy
    with the same seed, and the two share a store. The other arguments are those of `simulate`.

    `rhos` may be values of any parameter from which `problem_for_rho` makes a problem, called `name`.

    >>> import riskbandits as rb
    >>> result = rb.sweep(rb.problems.zhu_tan_gaussian, [0.1, 10], [rb.MVTS()], horizon=50, runs=2, progress=False)
    >>> result.table().query("step == 50")[["rho", "policy", "runs"]].values.tolist()
    [[0.1, 'MVTS', 2], [10.0, 'MVTS', 2]]
    """
    method = method_on(engine, method, precision)
    values, per_value = plan(problem_for_rho, rhos, policies, horizon, runs, seed, checkpoints, method, name)
    jobs = [job for group in per_value for job in group]
    traces = iter(study.run(jobs, "Sweeping", threads, progress, engine, store))
    versions = study.versions()
    results = [Result([next(traces) for _ in group], study.settings_of(group), versions) for group in per_value]
    return SweepResult(name, values, results)


def plan(
    problem_for_rho: Any,
    rhos: Any,
    policies: Any,
    horizon: Any,
    runs: Any,
    seed: Any,
    checkpoints: Any = None,
    method: Any = "auto",
    name: str = "rho",
) -> tuple[list[Any], list[list[Job]]]:
    """Check all input and return the values with the jobs of each; nothing has run yet."""
    if not callable(problem_for_rho):
        raise must_be("The first argument of sweep", f"a function from {name} to a Problem", problem_for_rho)
    if isinstance(rhos, (str, bytes)) or not isinstance(rhos, Iterable):
        raise must_be(f"The values of {name}", "a list", rhos)
    values = list(rhos)
    if not values:
        raise must_be(f"The list of values of {name}", "non-empty", values)
    for number, value in enumerate(values):
        if value in values[:number]:
            raise must_be(f"The values of {name}", "different from each other", value)
    reserved = ("policy", "step", "runs")
    if not isinstance(name, str) or not name or name in reserved:
        raise must_be("The name of the parameter", f"a word other than {', '.join(reserved)}", name)
    # A generator of policies would be used up by the first problem.
    listed = policies if hasattr(policies, "_fields") else list(policies)
    groups = []
    for value in values:
        problem = problem_for_rho(value)
        if not isinstance(problem, Problem):
            raise must_be(f"What the function gives for {name}={value!r}", "a Problem", problem)
        groups.append(study.plan(problem, listed, horizon, runs, seed, checkpoints, method))
    return values, groups
