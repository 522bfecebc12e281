"""`riskbandits warmup`: compile policies ahead of their first use."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import sys
import warnings
from typing import Annotated, Any

import typer

from riskbandits.cli.parsing import ARMS_HELP, POLICIES_HELP, read_policy, read_problem, read_risk
from riskbandits.core import calls, progress
from riskbandits.core.errors import RiskBanditsError, ScaleWarning

# The recommended and the paper's policies, by the arms that they are made for.
GAUSSIAN = "switching-aware,ngts,hurdle-ts,mvts,mts,vts,mv-lcb"
BERNOULLI = "switching-aware:bernoulli,bmvts,bernoulli-lcb"
DEFAULTS = {"zhu-tan-gaussian": GAUSSIAN, "zhu-tan-bernoulli": BERNOULLI}


def warmup(
    policies: Annotated[
        str | None, typer.Option(help=f"{POLICIES_HELP} Default: the recommended ones and the paper's.")
    ] = None,
    arms: Annotated[str | None, typer.Option(help=ARMS_HELP)] = None,
    risk: Annotated[str, typer.Option(help="The risk measure, such as mean-variance:1 or cvar:0.2.")] = (
        "mean-variance:1"
    ),
    processes: Annotated[int | None, typer.Option(min=1, help="Default: one per core.")] = None,
) -> None:
    """Compile policies now, for simulations and learners, so that their first use need not wait.

    Compiled code is kept on disk: run it once after an installation, or while an image is built.

    **Example:** `riskbandits warmup --policies ngts,mine.py:Mine --arms "gaussian(means=[0, 1], variances=[1, 2])"`
    """
    wanted = [
        (policy, family, risk)
        for family, names in (DEFAULTS if arms is None else {arms: GAUSSIAN}).items()
        for policy in calls.split_list(policies or names)
    ]
    for policy, family, _ in wanted:  # a mistyped name is refused before anything is compiled
        read_policy(policy)
        read_problem(family, None, risk)
    refused = _compile_all(wanted, processes)
    for sentence in refused:
        print(sentence, file=sys.stderr)
    print(f"Compiled: {len(wanted) - len(refused)} of {len(wanted)}.")
    if refused:
        raise typer.Exit(1)


def _compile_all(wanted: list[tuple[str, str, str]], processes: int | None) -> list[str]:
    """Compile each in one of several processes; the sentences of those that could not be."""
    from riskbandits.simulation.engines.opening import usable_cores

    refused = []
    with (
        concurrent.futures.ProcessPoolExecutor(
            min(processes or usable_cores(), len(wanted)), multiprocessing.get_context("spawn")
        ) as pool,
        progress.reporting("Compiling", len(wanted), True) as report,
    ):
        tasks = [pool.submit(compile_policy, *one) for one in wanted]
        for done, task in enumerate(concurrent.futures.as_completed(tasks), 1):
            try:
                task.result()
            except RiskBanditsError as error:
                refused.append(str(error))
            if report is not None:
                report(done)
    return refused


def compile_policy(policy: str, arms: str, risk: str) -> None:
    """Compile what simulations and learners run of a policy."""
    from riskbandits import Learner, simulate

    problem, record = read_problem(arms, None, risk), read_policy(policy)
    options: dict[str, Any] = {"horizon": 20_000, "runs": 1, "progress": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)  # nobody looks at the numbers
        simulate(problem, [record], method="auto", **options)
        simulate(problem, [record], method="plain", **{**options, "horizon": 2 * problem.size})
    Learner(record, list(range(problem.size)), read_risk(risk), horizon=1000)
