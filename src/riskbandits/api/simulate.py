"""`simulate`: the entry point for simulations. It checks everything, then runs."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.api import python_objects
from riskbandits.api.execution import RunOptions
from riskbandits.arms.contract import feature_count, is_binary, repeated_reward
from riskbandits.core import notices
from riskbandits.core.checks import whole
from riskbandits.core.errors import ParameterError, ScaleWarning
from riskbandits.core.keywords import known_keywords
from riskbandits.core.notices import say_once
from riskbandits.core.records import canonical
from riskbandits.core.seeds import check_seed
from riskbandits.core.version import __version__
from riskbandits.policies.support import fitting, naming, trial
from riskbandits.policies.support.contract import check_serves, with_features
from riskbandits.problem import Problem, check_problem
from riskbandits.results.result import Result
from riskbandits.simulation.checkpoints import check_checkpoints
from riskbandits.simulation.delay import Delay, check_delay
from riskbandits.simulation.methods import PYTHON, resolve_method
from riskbandits.simulation.runner import Job

if TYPE_CHECKING:
    from riskbandits.types import Policy

LARGEST_REGRET = 1e150  # of many runs the squares are added up
FAR = 8.0  # standard deviations within which rewards lie, for all one can see


@known_keywords
def simulate(
    problem: Problem,
    policies: Sequence[Policy] | Mapping[str, Policy],
    *,
    horizon: int = 30_000,
    runs: int = 500,
    seed: int = 0,
    checkpoints: Sequence[int] | None = None,
    workers: int | None = None,
    progress: bool = True,
    method: str = "auto",
    engine: object = "threads",
    store: str | os.PathLike[str] | None = None,
    precision: str = "float64",
    check: bool = False,
    delay: Delay | None = None,
) -> Result:
    """Run every policy `runs` times for `horizon` steps on the problem.

    `policies` is a list, or a mapping of labels of your own to policies. In a list, a policy is labelled with its class
    and its preset or the parameters that differ from the default: `MVLCB:sani`, `MVTS(rate=5)`.

    The same seed gives the same result, whatever the number of workers (default: the cores this process
    may use), whichever the engine (except "cuda") and whatever other policies are in the list. `checkpoints` are the
    steps at which results are kept (default: a log-spaced grid; the horizon is always one of them).

    `engine` is where the work runs: "threads"; "processes"; "dask", a running Dask client or an address
    such as "dask://127.0.0.1:8786"; "ray" (the connected cluster or a local one) or "ray://HOST:PORT"; or
    "cuda", an NVIDIA GPU, for thousands of runs. The GPU scores every arm and has its own random streams: its
    numbers have the same distribution as those of the other engines, but are not identical. `precision` applies only
    to it: "float32" is faster, draws from a coarser grid (2^-24), and loses small differences between large numbers.

    `method` is how a run is simulated: "plain" scores every arm at every step; "lazy" draws only what can matter and,
    where arms and policy allow, the rewards of many steps at once, with exactly the same distribution as "plain";
    "walk" is "lazy" without that, and "leap" raises an error where it is not possible. "auto" is the fastest method
    that supports the policy. The cost of runs that leap grows with their regret, not with the horizon, which may be
    up to 2^53 steps.

    `store` is a folder that keeps every finished chunk of runs. It makes simulations resumable: one that was
    stopped or killed continues where it stopped when you call it again, and a larger one (more runs, additional
    policies) reuses what is in the store.

    `method` may also be "rising" (confidence bounds, computed only for arms that can win) or "python": the plain
    method without compiling, for policies that use lists, SciPy or anything else that cannot be compiled, and for
    objects with `select() -> arm` and `update(arm, reward)`; it is about a hundred times slower.

    `check` detects records of your own that index outside their arrays, which compiled code does silently: it then
    raises an error that says where. It is slower; the numbers are the same.

    `delay` delays the rewards, as in `rb.Delay.fixed(100)` or `rb.Delay.geometric(mean=100)`; see `Delay`. Rewards
    count in all regrets from the step at which their arm was played.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> result = rb.simulate(problem, [rb.SwitchingAware(), rb.MVTS()], horizon=100, runs=4, seed=7, progress=False)
    >>> result.table().query("step == 100")[["policy", "runs"]].values.tolist()
    [['SwitchingAware', 4], ['MVTS', 4]]
    """
    options = RunOptions(
        horizon, runs, seed, checkpoints, method, delay, engine, workers, precision, store, progress, check
    )
    execution = options.execution()
    if method == PYTHON:
        say_once("method='python' runs every step in Python, about a hundred times slower than compiled code.")
    planned = plan(problem, policies, options._replace(method=execution.method))
    repeated = repeated_reward(problem.arms)
    binary = is_binary(problem.arms)
    complaints = (fitting.complaint(job.policy, problem.variances, binary, repeated) for job in planned)
    for words in dict.fromkeys(filter(None, complaints)):  # each once
        notices.warn(words, ScaleWarning, 3)  # beyond the check of keywords
    jobs = [job.replace(checked=execution.checked) for job in planned]
    return Result(execution.run(jobs, "Simulating"), settings_of(jobs), versions())


def plan(problem: Problem, policies: object, options: RunOptions) -> list[Job]:
    """Check all input and return one job per policy; nothing has run yet."""
    check_problem(problem)
    horizon = whole("The horizon", options.horizon)
    runs = whole("The number of runs", options.runs)
    seed = check_seed(options.seed)
    steps = check_checkpoints(options.checkpoints, horizon)
    delay, method = check_delay(options.delay, horizon), options.method
    for _, piece in problem.pieces:
        check_regrets(piece, horizon)
    if isinstance(method, str) and method == PYTHON:
        policies = python_objects.wrapped(policies)
    python_objects.refuse_objects(policies)
    chosen = naming.labelled(policies)
    trial.try_arms(problem.arms)
    features = feature_count(problem.arms)
    chosen = {label: with_features(policy, features) for label, policy in chosen.items()}
    for policy in chosen.values():
        check_serves(policy, problem.risk, problem.arms, horizon_known=True)
        trial.try_policy(policy, problem.risk)
    methods = {
        label: resolve_method(policy, method, problem.risk, problem.arms, delay, horizon)
        for label, policy in chosen.items()
    }
    return [
        Job(label, policy, problem, steps, runs, seed, methods[label], delay=delay) for label, policy in chosen.items()
    ]


def check_regrets(problem: Problem, horizon: int) -> None:
    """Raise if the variance of the regrets would overflow, as for a rho of 1e308."""
    with np.errstate(all="ignore"):
        sizes = [np.abs(problem.gaps)]
        if problem.charges_switching:
            away = np.abs(problem.mean_gaps) + FAR * np.sqrt(problem.variances)
            ends = [
                (float(sign * far), float(v))
                for far, v in zip(away, problem.variances, strict=True)
                for sign in (1, -1)
            ]
            sizes += [away**2, np.abs([problem.risk.value(*end) for end in ends])]
        largest = horizon * float(np.concatenate(sizes).max())
    if largest < LARGEST_REGRET or not np.isfinite(problem.variances).all():
        return
    raise ParameterError(
        f"Regrets in {type(problem.risk).__name__} over {horizon} steps must be small enough to be squared, below "
        f"{LARGEST_REGRET:g}. Got about {largest:.3g} instead."
    )


def settings_of(jobs: Sequence[Job]) -> dict[str, Any]:
    """The arguments as plain data: enough to run it again."""
    first = jobs[0]
    return {
        **first.problem.to_data(),
        "policies": [{"label": job.label, "method": job.method, **canonical(job.policy)} for job in jobs],
        "horizon": int(first.checkpoints[-1]),
        "runs": first.runs,
        "seed": first.seed,
        "checkpoints": first.checkpoints.tolist(),
        **({} if first.delay is None else {"delay": canonical(first.delay)}),
    }


def versions() -> dict[str, str]:
    """The versions on which the numbers may depend."""
    return {
        "riskbandits": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": version("numba"),
    }
