"""`sweep`: policies on a family of problems, as one job."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.api import simulate
from riskbandits.api.execution import RunOptions
from riskbandits.core.checks import listed, text
from riskbandits.core.errors import must_be, shown
from riskbandits.core.keywords import known_keywords
from riskbandits.core.user_calls import guarded
from riskbandits.policies.support import naming
from riskbandits.problem import Problem
from riskbandits.results.result import Result
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.delay import Delay
from riskbandits.simulation.runner import Job
from riskbandits.simulation.trace import Trace

if TYPE_CHECKING:
    from riskbandits.types import Policy

MOST_VALUES = 10_000  # planning them takes seconds, and no table or figure shows as many


@known_keywords
def sweep(
    make_problem: Callable[[Any], Problem],
    values: Iterable[Any],
    policies: Sequence[Policy] | Mapping[str, Policy],
    *,
    horizon: int = 30_000,
    runs: int = 500,
    seed: int = 0,
    checkpoints: Sequence[int] | None = None,
    workers: int | None = None,
    progress: bool = True,
    method: str = "auto",
    engine: Any = "threads",
    store: str | os.PathLike[str] | None = None,
    name: str | None = None,
    precision: str = "float64",
    delay: Delay | None = None,
) -> SweepResult:
    """Run every policy on the problem of every value.

    All runs are one job: no core waits for the last run of one value before the next one begins, and
    there is one progress bar. The numbers are those of `simulate` for that problem and policy with
    the same seed, and the two can share a store. The other arguments are those of `simulate`.

    `values` are those of the parameter from which `make_problem` makes a problem, called `name`: often rho. The default
    name is that of the risk measure's parameter with these values, such as `level` for `CVaR`.

    >>> import riskbandits as rb
    >>> rhos, policies = [0.1, 10], [rb.SwitchingAware()]
    >>> result = rb.sweep(rb.problems.zhu_tan_gaussian, rhos, policies, horizon=50, runs=2, progress=False)
    >>> result.table().query("step == 50")[["rho", "policy", "runs"]].values.tolist()
    [[0.1, 'SwitchingAware', 2], [10.0, 'SwitchingAware', 2]]
    >>> arms = rb.problems.zhu_tan_gaussian(1).arms
    >>> at_level = lambda level: rb.Problem(arms, rb.CVaR(level))
    >>> rb.sweep(at_level, [0.1, 0.5], [rb.UniformRandom()], horizon=50, runs=2, progress=False).name
    'level'
    """
    options = RunOptions(horizon, runs, seed, checkpoints, method, delay, engine, workers, precision, store, progress)
    execution = options.execution()
    planned = plan(make_problem, values, policies, options._replace(method=execution.method), name)
    return merge_results(planned, iter(execution.run(planned.jobs, "Sweeping")))


class SweepPlan(NamedTuple):
    """What a sweep would run."""

    name: str  # of the parameter
    values: list[Any]
    groups: list[list[Job]]  # the jobs of each value

    @property
    def jobs(self) -> list[Job]:
        """All of them, in order."""
        return [job for group in self.groups for job in group]


def merge_results(planned: SweepPlan, traces: Iterator[Trace]) -> SweepResult:
    """The result, from the traces of the planned jobs in their order."""
    versions = simulate.versions()
    results = [Result([next(traces) for _ in group], simulate.settings_of(group), versions) for group in planned.groups]
    return SweepResult(planned.name, planned.values, results)


def plan(
    make_problem: Any,
    values: object,
    policies: object,
    options: RunOptions,
    name: str | None = None,
) -> SweepPlan:
    """Check all input and return the values with the jobs of each; nothing has run yet."""
    word = "the parameter" if name is None else text("The name of the parameter", name)
    if not callable(make_problem):
        raise must_be("The first argument of sweep", f"a function from {word} to a Problem", make_problem)
    values = _distinct(word, values)
    reserved = ("policy", "step", "runs")
    if name in reserved:
        raise must_be("The name of the parameter", f"a word other than {', '.join(reserved)}", name)
    # A generator of policies would be used up by the first problem.
    chosen = naming.labelled(policies)
    groups = []
    for value in values:
        problem = guarded(f"The function from {word} to a Problem", make_problem, value)
        if not isinstance(problem, Problem):
            raise must_be(f"What the function returns for {word} = {shown(value)}", "a Problem", problem)
        groups.append(simulate.plan(problem, chosen, options))
    problems = [group[0].problem for group in groups]
    return SweepPlan(name_of(problems, values) if name is None else name, values, groups)


def check_number(word: str, number: int) -> None:
    """Raise if there are too many values to be read, drawn, or planned in a reasonable time."""
    if number > MOST_VALUES:
        raise must_be(f"The number of values of {word}", f"at most {MOST_VALUES:,}", number)


def _distinct(word: str, values: object) -> list[Any]:
    """The values as a list, if there are some, not too many, and all different."""
    if isinstance(values, Iterator):  # may never end
        values = list(itertools.islice(values, MOST_VALUES + 1))
    with contextlib.suppress(TypeError):  # what has no length, as an array without dimensions
        check_number(word, len(values))  # type: ignore[arg-type]
    found = listed(f"The values of {word}", "a list", values)
    if not found:
        raise must_be(f"The list of values of {word}", "non-empty", found)
    numbers = [value for value in found if isinstance(value, (int, float))]
    if len(numbers) == len(set(numbers)) == len(found):
        return found
    for number, value in enumerate(found):
        if any(_alike(value, other) for other in found[:number]):
            raise must_be(f"The values of {word}", "different from each other", value)
    return found


def _alike(a: Any, b: Any) -> bool:
    """Whether two values are the same; things that cannot be compared are not."""
    try:
        return bool(a == b)
    except Exception:
        return a is b


def name_of(problems: Sequence[Problem], values: Sequence[Any]) -> str:
    """The parameter of the risk measure that takes these values, or just "value" if there is none."""
    for field in problems[0].risk._fields:
        if all(_alike(getattr(one.risk, field, None), value) for one, value in zip(problems, values, strict=True)):
            return str(field)
    return "value"
