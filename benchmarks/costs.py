"""What a step of each policy costs when every arm is scored, beside the paper's own: MVTS, or BMVTS for 0 and 1.

And by default, by the fastest method that serves the policy.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from measure import one_run
from ways import Cell, Row, in_turns, ratio

import riskbandits as rb
from riskbandits.policies.support.naming import label
from riskbandits.simulation.methods import resolve_method

STEPS = 30_000
RHOS = (0.01, 1.0)
GAUSSIAN = (
    rb.NGTS(),
    rb.SwitchingAware(),
    rb.IMEDMV(),
    rb.KLUCBMV(),
    rb.SwitchingAware.imed(),
    rb.MTS(),
    rb.VTS(),
    rb.MVLCB(),
)
BERNOULLI = (
    rb.SwitchingAware.bernoulli(),
    rb.IMEDMV.bernoulli(),
    rb.KLUCBMV.bernoulli(),
    rb.SwitchingAware.imed_bernoulli(),
    rb.BernoulliLCB(),
)


def beside(policy: Any, reference: Any, problem: rb.Problem, turns: int) -> list[Row]:
    """One row: both in turns, every arm scored at every step, and the policy by default."""
    default = resolve_method(policy, "auto", problem.risk)
    ways = ((policy, "plain"), (reference, "plain"), (policy, default))
    times = in_turns({i: (one_run(record, problem, way, STEPS), turns) for i, (record, way) in enumerate(ways)})
    return [
        {
            "policy": label(policy),
            "arms": problem.size,
            "rho": problem.risk.rho,
            "turns": turns,
            "ns": round(float(np.median(times[0])), 1),
            "beside": label(reference),
            "its ns": round(float(np.median(times[1])), 1),
            "times": ratio(times[0], times[1]),
            "default": default,
            "default ns": round(float(np.median(times[2])), 1),
        }
    ]


def costs(quick: bool) -> list[Cell]:
    """Every policy at two rho."""
    cells = []
    for reference, policies, make in (
        (rb.MVTS(), GAUSSIAN, rb.problems.zhu_tan_gaussian),
        (rb.BMVTS(), BERNOULLI, rb.problems.zhu_tan_bernoulli),
    ):
        for policy in policies:
            for rho in RHOS[-1:] if quick else RHOS:
                measure = partial(beside, policy, reference, make(rho), 5 if quick else 15)
                cells.append(Cell(f"{label(policy)}, rho {rho:g}", 3.0, measure))
    return cells


TABLES: dict[str, Callable[[bool], list[Cell]]] = {"Policies beside MVTS and BMVTS": costs}
