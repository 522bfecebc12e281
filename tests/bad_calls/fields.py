"""Every parameter of every family of arms, risk measure and policy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import NOTHING, Function, Value
from riskbandits.api import simulate
from riskbandits.core.records import Limits, Table, Vector, _annotations
from riskbandits.policies.support import naming
from riskbandits.simulation.runner import run_in_plain_python

FAMILIES: list[Any] = [
    rb.GaussianArms([0.0, 0.5], [1.0, 2.0]),
    rb.CorrelatedGaussianArms([0.0, 0.5], [[1.0, 0.5], [0.5, 2.0]]),
    rb.BernoulliArms([0.25, 0.5]),
    rb.BetaArms([1.0, 2.0], [2.0, 3.0]),
    rb.ExponentialArms([1.0, 2.0]),
    rb.LognormalArms([0.0, 0.5], [0.5, 1.0]),
    rb.PoissonArms([1.0, 2.0]),
    rb.StudentTArms([0.0, 0.5], [1.0, 2.0], [3.0, 4.0]),
    rb.UniformArms([0.0, 0.25], [1.0, 2.0]),
    rb.TruncatedGaussianArms([0.0, 0.5], [1.0, 2.0], [-1.0, 0.0], [1.0, 2.0]),
    rb.GaussianMixtureArms([[0.5, 0.5], [0.25, 0.75]], [[0.0, 1.0], [0.5, 2.0]], [[1.0, 1.0], [0.5, 1.0]]),
    rb.TruncatedGaussianMixtureArms(
        [[0.5, 0.5], [0.25, 0.75]], [[0.0, 1.0], [0.5, 0.5]], [[1.0, 1.0], [0.5, 1.0]], [-1.0, 0.0], [1.0, 2.0]
    ),
    rb.DataArms([0.0, 1.0, 0.5, 2.0], [2.0, 4.0], 1.0),
    rb.LinearArms([[0.0, 1.0], [0.5, 2.0]], [1.0, 2.0], rb.NormalFeatures([0.0, 1.0], [1.0, 1.0]), [0.0, 1.0]),
    rb.WalkingArms([[0.0, 1.0], [0.5, 2.0]], [[1.0, 2.0], [0.5, 1.0]], 5),
    rb.PiecewiseArms(starts=[1.0, 6.0], arms=rb.GaussianArms([0.0, 0.5, 1.0, 0.25], [1.0, 2.0, 0.5, 1.0])),
]
RISKS: list[Any] = [
    rb.MeanVariance(1.0),
    rb.CVaR(0.25),
    rb.MeanCVaR(1.0, 1.0, 0.25),
    rb.Entropic(1.0),
    rb.Semivariance(0.5),
    rb.Sharpe(),
    rb.ValueAtRisk(0.25),
    rb.VarianceConstrained(10.0),
    rb.MeanSemideviation(0.5),
    rb.Expectile(0.25),
]
SCALES = (1e200, -1e200, 1e150, 1e-200, 1e-320, 1e16)


def judged(arms: Any, risk: Any) -> Any:
    """The problem and some steps on it: all numbers must be finite, all variances at least 0."""
    problem = rb.Problem(arms, risk)
    assert np.isfinite([problem.values, problem.gaps, problem.mean_gaps, problem.means]).all(), "numbers that are none"
    assert (problem.variances >= 0.0).all(), "a negative variance"
    trace = run_in_plain_python(
        simulate.plan(problem, [rb.UniformRandom()], simulate.RunOptions(12, 2, 0, None, "plain"))[0]
    )
    assert np.isfinite(trace.sums).all(), "sums that are no numbers"
    return [problem, rb.Result([trace], {}, {}).table()]


def played(policy: Any) -> Any:
    """Some steps of a policy on a problem that it serves."""
    for arms in (
        rb.GaussianArms([0.0, 0.5], [1.0, 0.5]),
        rb.BernoulliArms([0.25, 0.5]),
        rb.UniformArms([0, 0.25], [1, 0.5]),
    ):
        for risk in [*RISKS, rb.Mean()]:
            try:
                jobs = simulate.plan(rb.Problem(arms, risk), [policy], simulate.RunOptions(12, 2, 0, None, "plain"))
            except rb.errors.RefusalError:
                continue
            trace = run_in_plain_python(jobs[0])
            assert np.isfinite(trace.sums).all(), "sums that are no numbers"
            return [trace.pulls, trace.sums]
    raise rb.errors.RefusalError("It serves nothing.")


def remade(record: Any, **changes: Any) -> Any:
    return record._replace(**changes)


def arm_functions() -> Iterator[Function]:
    for number, arms in enumerate(FAMILIES):
        for risk in (rb.MeanVariance(1.0), rb.CVaR(0.25)):
            call = functools.partial(lambda arms, risk, **changes: judged(remade(arms, **changes), risk), arms, risk)
            slots: dict[str, list[Value]] = {}
            alone = sum(isinstance(right, list) for right in arms) == 1
            for place, field in enumerate(arms._fields):
                right = getattr(arms, field)
                if not isinstance(right, list):
                    continue
                flat = not isinstance(right[0], list)
                pool = of.vectors(right, lambda x: True) if flat else tables(right)
                if alone:  # there is nothing that its length must fit
                    pool = [one for one in pool if one.name not in ("too short", "too long")]
                slots[field] = of.only(pool, 5, (number + place) % 5)
                slots[field] += [scaled(right, factor) for factor in SCALES[place % 2 :: 2]]
            yield Function(f"{type(arms).__name__} in {type(risk).__name__}", call, {}, slots)


def tables(right: list[list[float]]) -> list[Value]:
    """For a list of lists."""
    rows = [of._fixed(f"row {one.name}", [right[0], one.make()], NOTHING) for one in of.fails()]
    cells = [
        of._fixed(f"cell {x!r}"[:30], [right[0], [right[1][0], x]], NOTHING)
        for x in (None, "a", 1j, [1.0], np.nan, np.inf, 10**400, True)
    ]
    same = [
        of._fixed("right array", np.array(right), right),
        of._fixed("right tuples", tuple(map(tuple, right)), right),
    ]
    return [*of.fails(), *rows, *cells, *same, of._fixed("ragged rows", [right[0], right[1][:1]])]


def scaled(right: Any, factor: float) -> Value:
    big = (np.array(right, dtype=float) * factor).tolist()
    return of._fixed(f"times {factor:g}", big, big)


def record_functions() -> Iterator[Function]:
    """Numbers and flags of risk measures and policies."""
    policies = [cls() for cls in naming.public_policies()]
    for number, record in enumerate([*RISKS, *policies]):
        risk = number < len(RISKS)
        act: Callable[..., Any] = functools.partial(judged, FAMILIES[0]) if risk else played
        call = functools.partial(lambda act, record, **changes: act(remade(record, **changes)), act, record)
        slots = {}
        for place, (field, hint) in enumerate(_annotations(type(record)).items()):
            pool = of.only(pool_for(hint), 3 if risk else 5, (number + place) % 3)
            slots[field] = pool + (extremes(hint) if not risk else [])
        if slots:
            yield Function(type(record).__name__, call, {}, slots)


def pool_for(hint: Any) -> list[Value]:
    marks = getattr(hint, "__metadata__", ())
    base = hint.__origin__ if marks else hint
    if any(isinstance(mark, (Vector, Table)) for mark in marks):
        return of.vectors([0.0, 1.0], lambda x: True)
    if base is bool:
        return of.flags()
    if base is int:
        return of.wholes(lambda n: True)
    if base is float:
        limits = next((mark for mark in marks if isinstance(mark, Limits)), Limits())
        return of.numbers(limits.holds)
    return of.records(rb.MVTS, rb.MeanVariance(1.0), rb.SwitchingAware())


def extremes(hint: Any) -> list[Value]:
    marks = getattr(hint, "__metadata__", ())
    limits = next((mark for mark in marks if isinstance(mark, Limits)), None)
    if limits is None:
        return []
    numbers = [x for x in (1e308, 1e200, 1e-320, 1e-200, -1e308) if limits.holds(x)]
    return [of._fixed(f"extreme {x:g}", x, x) for x in numbers]


def functions() -> Iterator[Function]:
    """All of them."""
    for some in (arm_functions(), record_functions()):
        yield from some
