"""The right calls that bad ones are made from: problems, runs, learners, and what is none of them."""

from __future__ import annotations

from typing import Any

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Value
from riskbandits.identification import SuccessiveRejects

GAUSSIAN = rb.GaussianArms([0.0, 0.5, 1.0], [1.0, 0.5, 2.0])
PROBLEM = rb.Problem(GAUSSIAN, rb.MeanVariance(1.0))
RUN = {"problem": PROBLEM, "policies": [rb.MVTS()], "horizon": 12, "runs": 4, "progress": False}
LIVE = {"policy": rb.MVTS(), "arms": ["a", "b"], "risk": rb.MeanVariance(1.0), "horizon": 100, "seed": 0}
SUITE = {"one": PROBLEM, "two": PROBLEM.with_risk(rb.MeanVariance(2.0))}
MIXED = [rb.MVTS, rb.MeanVariance(1.0), rb.GaussianArms, GAUSSIAN, PROBLEM]
MADE = ("None", "'abc'", "'1'", "'nan'", "'a\\nb'", "folder", "'no/such/folder/x'")  # folders that a store may be
NOT_POLICIES = [rb.MVTS, rb.MeanVariance(1.0), GAUSSIAN, PROBLEM, SuccessiveRejects()]
NOT_RISKS = [rb.MeanVariance, rb.MVTS(), GAUSSIAN, PROBLEM]
NOT_ARMS = [rb.GaussianArms, rb.MVTS(), rb.MeanVariance(1.0), PROBLEM]


def value(name: str, thing: Any, plain: Any = of.NOTHING) -> Value:
    return Value(name, lambda: thing, plain)


def without_long(values: list[Value]) -> list[Value]:
    """Without a number of steps that could be meant, and takes its time."""
    return [one for one in values if not one.name.startswith("2.15e+09")]
