"""`compare`: policies on the problems of a suite, as one job."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits import suites
from riskbandits.api import simulate
from riskbandits.api.execution import RunOptions
from riskbandits.arms.contract import feature_count, refuse_drift
from riskbandits.core.checks import flag, whole
from riskbandits.core.errors import RefusalError, must_be
from riskbandits.core.keywords import known_keywords
from riskbandits.core.records import canonical
from riskbandits.policies import MVTS
from riskbandits.policies.support import naming
from riskbandits.policies.support.contract import policies_for, refusal, with_features
from riskbandits.problem import Problem
from riskbandits.results.comparison import Comparison
from riskbandits.results.run_samples import sample_runs
from riskbandits.simulation.methods import resolve_method
from riskbandits.simulation.runner import Job
from riskbandits.simulation.timing import paces
from riskbandits.suites import Case, Suite

if TYPE_CHECKING:
    from riskbandits.types import Policy

LEAST_RUNS = 4  # both halves of the runs need a spread


@known_keywords
def compare(
    suite: object,
    policies: Sequence[Policy] | Mapping[str, Policy],
    *,
    horizon: int = 10_000,
    runs: int = 100,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = True,
    method: str = "auto",
    engine: object = "threads",
    store: str | os.PathLike[str] | None = None,
    common_rewards: bool = True,
    costs: bool = False,
    precision: str = "float64",
) -> Comparison:
    """Run every policy on every problem of a suite, to see which one to use when.

    `suite` is a name (`riskbandits list suites`), a `Suite`, a .json file, or a list of problems or a mapping of
    names to problems of your own. A policy that does not support a problem is left out there, with a note.

    With `common_rewards` the j-th reward of an arm in run r is the same for all policies, so that differences between
    them are estimated more precisely; each policy by itself has the same distribution as in `simulate`. `costs`
    measures the time per step of each policy, alternating with `MVTS`. The other arguments are those of `simulate`.

    >>> import riskbandits as rb
    >>> result = rb.compare("paper", [rb.SwitchingAware(), rb.UniformRandom()], horizon=200, runs=4, progress=False)
    >>> result.leaderboard()["policy"].tolist()
    ['SwitchingAware', 'UniformRandom']
    """
    flag("costs", costs)
    options = RunOptions(horizon, runs, seed, None, method, None, engine, workers, precision, store, progress)
    execution = options.execution()
    if flag("common_rewards", common_rewards):
        execution.check_common_rewards()
    planned = plan(suite, policies, options._replace(method=execution.method), common_rewards)
    jobs = [job for group in planned.groups for job in group]
    traces = iter(execution.run(jobs, "Comparing"))
    kept = [sample_runs([next(traces) for _ in group], common_rewards) for group in planned.groups]
    settings = settings_of(planned, options, bool(common_rewards))
    measured = measure_costs(planned.groups) if costs else None
    return Comparison(planned.suite, planned.labels, kept, settings, simulate.versions(), planned.notes, measured)


class ComparisonPlan(NamedTuple):
    """What a comparison would run."""

    suite: Suite
    labels: list[str]
    policies: list[Any]
    groups: list[list[Job]]  # the jobs of each problem
    notes: list[str]


def plan(suite: object, policies: object, options: RunOptions, common_rewards: Any = True) -> ComparisonPlan:
    """Check all input and return the jobs of each problem; nothing has run yet."""
    common_rewards = flag("common_rewards", common_rewards)
    horizon = whole("The horizon", options.horizon)
    if horizon < 2:
        raise must_be("The horizon of a comparison", "2 or more: growth is measured over its second half", horizon)
    if whole("The number of runs", options.runs) < LEAST_RUNS:
        raise must_be("The number of runs of a comparison", f"{LEAST_RUNS} or more", options.runs)
    options = options._replace(checkpoints=[horizon // 2, horizon])
    found = suites.find(suite)
    chosen = naming.labelled(policies)
    labels, records = list(chosen), list(chosen.values())
    refusals: dict[str, dict[str, int]] = {label: {} for label in labels}
    groups, cases = [], []
    for case in found.cases:
        if not case.problem.has_features:
            refuse_drift(case.problem.arms, "compare")
        serving = _serving(labels, records, case.problem, refusals)
        if not serving:
            continue
        jobs = simulate.plan(case.problem, serving, options)
        groups.append([job.replace(common_rewards=common_rewards) for job in jobs])
        cases.append(case)
    _refuse_idle(refusals, found.cases)
    notes = [
        f"{label} is left out of {number} of {len(found.cases)} problems: {sentence}"
        for label, reasons in refusals.items()
        for sentence, number in reasons.items()
    ]
    return ComparisonPlan(found._replace(cases=tuple(cases)), labels, records, groups, notes)


def _serving(
    labels: Sequence[str], records: Sequence[Any], problem: Problem, refusals: Mapping[str, dict[str, int]]
) -> dict[str, Any]:
    """The policies that support a problem, by label; the reasons of the others are counted."""
    serving = {}
    for label, policy in zip(labels, records, strict=True):
        try:
            filled = with_features(policy, feature_count(problem.arms))
            reason = refusal(filled, problem.risk, problem.arms)
        except RefusalError as error:
            reason = str(error)
        if reason is None:
            serving[label] = policy
        else:
            refusals[label][reason] = refusals[label].get(reason, 0) + 1
    return serving


def policies_serving(policies: Sequence[Any], suite: object) -> list[Any]:
    """The policies that support at least one problem of the suite."""
    problems = [case.problem for case in suites.find(suite).cases]
    return [one for one in policies if any(_serving(["one"], [one], problem, {"one": {}}) for problem in problems)]


def _refuse_idle(refusals: Mapping[str, Mapping[str, int]], cases: Sequence[Case]) -> None:
    first = cases[0].problem
    for label, reasons in refusals.items():
        if sum(reasons.values()) == len(cases):
            others = policies_for(first.risk, first.arms)
            raise RefusalError(f"{label} supports no problem of the suite: {next(iter(reasons))}{others}")


def settings_of(planned: ComparisonPlan, options: RunOptions, common_rewards: bool) -> dict[str, Any]:
    """The arguments as plain data: enough to run it again."""
    return {
        "suite": planned.suite.name,
        "policies": [
            {"label": label, **canonical(policy)}
            for label, policy in zip(planned.labels, planned.policies, strict=True)
        ],
        "horizon": int(options.horizon),
        "runs": int(options.runs),
        "seed": int(options.seed),
        "common_rewards": common_rewards,
        "problems": len(planned.groups),
    }


def measure_costs(groups: Sequence[Sequence[Job]]) -> dict[str, dict[str, Any]]:
    """Per policy, nanoseconds per step and their ratio to those of MVTS, on the first problem that it serves."""
    costs: dict[str, dict[str, Any]] = {}
    for group in groups:
        fresh = [job for job in group if job.label not in costs]
        if not fresh or not _serving(["MVTS"], [MVTS()], fresh[0].problem, {"MVTS": {}}):
            continue
        first = fresh[0]
        problem = first.problem
        method = resolve_method(MVTS(), "auto", problem.risk, problem.arms, horizon=first.horizon)
        reference = first.replace(label="MVTS", policy=MVTS(), method=method, common_rewards=False)
        # Rewards as in a plain simulation: what they cost is no matter of the policy.
        measured = paces([reference, *(job.replace(common_rewards=False) for job in fresh)])
        for column, job in enumerate(fresh, start=1):
            costs[job.label] = {
                "cost_ns": float(np.median(measured[:, column])),
                "cost_ratio": float(np.median(measured[:, column] / measured[:, 0])),
                "cost_problem": repr(job.problem),
            }
    return costs
