"""What is measured of the ways to simulate: which policies, problems, numbers of arms and horizons."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from ways import Cell, compared

import riskbandits as rb

HEADLINE = "The paper's arms"
RHOS = (0.001, 1.0, 1000.0)
BERNOULLI_RHOS = (0.001, 4 / 9, 8 / 9)  # the paper's rewards 0 and 1 are for rho < 1
POLICIES = (rb.MVTS(), rb.VTS(), rb.MTS(), rb.BMVTS(), rb.MVLCB())
ARMS = (2, 15, 100, 1000)
HORIZONS = (3_000, 30_000, 300_000, 3_000_000)
# How often a run of each horizon is measured, by arms: the longer it is, the more its steps are an average themselves.
TURNS = {2: (5, 5, 3, 3), 15: (5, 5, 3, 3), 100: (5, 5, 3, 2), 1000: (5, 5, 2, 1)}
GRID_SECONDS = {2: 4.0, 15: 9.0, 100: 7.0, 1000: 20.0}


def papers_problem(policy: Any, rho: float) -> rb.Problem:
    """The paper's fifteen arms of the kind that a policy is for."""
    return rb.problems.zhu_tan_bernoulli(rho) if isinstance(policy, rb.BMVTS) else rb.problems.zhu_tan_gaussian(rho)


def spread(policy: Any, size: int, rho: float) -> rb.Problem:
    """Arms spread evenly: the more, the closer."""
    means = np.linspace(0.1, 0.9, size)
    if isinstance(policy, rb.BMVTS):
        return rb.Problem(rb.BernoulliArms(means), rb.MeanVariance(rho))
    return rb.Problem(rb.GaussianArms(means, np.full(size, 0.3)), rb.MeanVariance(rho))


def one_clear_best(size: int) -> rb.Problem:
    """One arm well above the others, which differ among themselves."""
    means = np.r_[1.0, np.linspace(0.0, 0.3, size - 1)]
    return rb.Problem(rb.GaussianArms(means=means, variances=np.full(size, 0.1)), rb.MeanVariance(1.0))


def turns_of(size: int) -> dict[int, int]:
    """Horizons, and how often each is measured."""
    return dict(zip(HORIZONS, TURNS[size], strict=True))


def headline(quick: bool) -> list[Cell]:
    """The paper's arms at the paper's horizon."""
    cells = []
    for policy in POLICIES:
        for rho in BERNOULLI_RHOS if isinstance(policy, rb.BMVTS) else RHOS:
            steps = 3_000 if quick else 10_000
            measure = partial(compared, policy, papers_problem(policy, rho), {30_000: 10 if quick else 20}, steps)
            cells.append(Cell(f"{type(policy).__name__}, rho {rho:.3g}", 6.0, measure))
    return cells


def grid(quick: bool) -> list[Cell]:
    """Every policy, number of arms, rho and horizon."""
    cells = []
    for size in ARMS[:3] if quick else ARMS:
        for policy in POLICIES:
            for rho in RHOS:
                problem = papers_problem(policy, rho) if size == 15 else spread(policy, size, rho)
                turns = dict(zip(HORIZONS[:2], (2, 2), strict=True)) if quick else turns_of(size)
                name = f"{type(policy).__name__}, {size} arms, rho {rho:g}"
                cells.append(Cell(name, GRID_SECONDS[size], partial(compared, policy, problem, turns)))
    return cells


def clear_best(quick: bool) -> list[Cell]:
    """One clear best arm and a long horizon."""
    return [
        Cell(
            f"{size} arms",
            4.0,
            partial(compared, rb.MVTS(), one_clear_best(size), {300_000: 3, 1_000_000: 3}, rival_steps=0),
        )
        for size in ARMS[1:]
        if not (quick and size == 1000)
    ]


TABLES: dict[str, Callable[[bool], list[Cell]]] = {
    HEADLINE: headline,
    "One clear best arm": clear_best,
    "Policies, arms, rho and horizons": grid,
}
