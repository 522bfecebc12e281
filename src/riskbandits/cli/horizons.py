"""Comparisons at several horizons: who plays at each, and all of them as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from riskbandits import suites
from riskbandits.core.errors import must_be
from riskbandits.policies.support import naming
from riskbandits.policies.support.contract import refusal
from riskbandits.problem import Problem
from riskbandits.results.comparison import Comparison
from riskbandits.simulation.methods import BATCHED
from riskbandits.suites import Case, Suite

LEAPS_FROM = 100_000  # steps: policies that must be asked at each of them would take hours from here on


def is_long(horizon: int) -> bool:
    """Whether only runs that leap end in reasonable time."""
    return horizon >= LEAPS_FROM


def leaping(policies: Any, suite: object) -> dict[str, Any]:
    """Those of the policies, by label, whose runs leap on every problem of the suite that they serve."""
    problems = [case.problem for case in suites.find(suite).cases]
    return {label: policy for label, policy in naming.labelled(policies).items() if _leaps(policy, problems)}


def _leaps(policy: Any, problems: Sequence[Problem]) -> bool:
    served = [one for one in problems if refusal(policy, one.risk, one.arms) is None]
    return bool(served) and all(BATCHED.refusal(policy, one.risk, one.arms) is None for one in served)


def runs_per_horizon(horizons: Sequence[int], runs: Sequence[int]) -> list[int]:
    """One number of runs for each horizon; a single one is for all of them."""
    if len(runs) not in (1, len(horizons)):
        raise must_be("--runs", "one number, or as many as there are horizons", list(runs))
    return list(runs) * len(horizons) if len(runs) == 1 else list(runs)


def merged(results: Sequence[Comparison]) -> Comparison:
    """Comparisons at several horizons as one: a problem at another horizon is another problem."""
    if len(results) == 1:
        return results[0]
    cases, outcomes = [], []
    for result in results:
        steps = result.settings["horizon"]
        for case in result.suite.cases:
            place = f"{case.draw}@{steps}" if case.draw else ""
            cases.append(case._replace(name=f"{case.name}@{steps}", draw=place))
        outcomes += result.kept
    labels = list(dict.fromkeys(label for result in results for label in result.labels))
    first = results[0]
    suite = Suite(first.suite.name, first.suite.about, tuple(cases))
    return Comparison(suite, labels, outcomes, first.settings, first.versions, first.notes, first.costs)


def within(results: Sequence[Comparison], least: float, most: float) -> Comparison | None:
    """The problems of which each arm has at least `least` and less than `most` steps, or None."""
    parts = []
    for result in results:
        steps = result.settings["horizon"]
        sizes = {case.problem.size for case in result.suite.cases if least <= steps / case.problem.size < most}
        if sizes:
            parts.append(result.only(partial(_has_size, sizes)))
    return merged(parts) if parts else None


def _has_size(sizes: set[int], case: Case) -> bool:
    return case.problem.size in sizes
