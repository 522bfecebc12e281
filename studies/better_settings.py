"""The problems and policies of the study of policies that beat the paper's, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from riskbandits import BMVTS, IMEDMV, MTS, MVTS, NGTS, VTS, GaussianArms, MeanVariance, Problem, SwitchingAware
from riskbandits.problems import ZHU_TAN_MEANS, ZHU_TAN_RHOS, ZHU_TAN_VARIANCES, zhu_tan_bernoulli, zhu_tan_gaussian

HORIZON = 30_000
DOUBLINGS = tuple(1000 * 2**j for j in range(11))


class Study(NamedTuple):
    """Problems named by one parameter, the policies, and the one that they are held against.

    `checkpoints` are given where each is read as the horizon of a run of its own: for policies that do not know theirs.
    """

    parameter: str
    values: tuple[Any, ...]
    problem: Callable[[Any], Problem]
    policies: tuple[Any, ...]
    reference: Any
    horizon: int = HORIZON
    runs: int = 500
    checkpoints: tuple[int, ...] = ()


def tie(words: str) -> Problem:
    """Two arms at rho = 1 by their distance in mean, the first one's variance and its lead: `tie("1 0.5 0.03")`.

    The first arm has mean 0; it is better by the lead, or worse if that is negative. A fourth number says how many arms
    there are like the first.
    """
    distance, variance, lead, *more = map(float, words.split())
    crowd = int(more[0]) if more else 1
    means, variances = [0.0] * crowd + [distance], [variance] * crowd + [variance + distance + lead]
    return Problem(GaussianArms(means, variances), MeanVariance(1.0))


def scaled(factor: float) -> Problem:
    """The paper's arms at rho = 1 with rewards in another unit; rho has the unit of a reward."""
    means, variances = factor * np.array(ZHU_TAN_MEANS), factor**2 * np.array(ZHU_TAN_VARIANCES)
    return Problem(GaussianArms(means, variances), MeanVariance(factor))


def with_a_wild_arm(ratio: float) -> Problem:
    """Three arms at rho = 0.01, the third with so many times the variance of the first."""
    return Problem(GaussianArms([0.0, 0.1, 0.2], [0.1, 0.3, 0.1 * ratio]), MeanVariance(0.01))


TIES = tuple(
    f"{distance:g} {variance:g} {sign * gap:g}"
    for distance in (0.3, 1.0)
    for variance in (0.05, 0.5, 2.0)
    for gap in (0.003, 0.03, 0.1, 0.3)
    for sign in (1, -1)
    if variance + distance + sign * gap > 0.0
)

GAUSSIAN = (
    MVTS(),
    NGTS(),
    NGTS.paper(),
    NGTS.honda_takemura(),
    IMEDMV(),
    SwitchingAware(),
    SwitchingAware.guessing(),
    SwitchingAware.imed(),
)
BERNOULLI = (
    BMVTS(),
    IMEDMV.bernoulli(),
    SwitchingAware.bernoulli(),
    SwitchingAware(BMVTS(), anytime=True),
    SwitchingAware.imed_bernoulli(),
)
STUDIES = {
    "gaussian": Study("rho", ZHU_TAN_RHOS, zhu_tan_gaussian, GAUSSIAN, MVTS()),
    "bernoulli": Study("ninths", tuple(range(10)), lambda k: zhu_tan_bernoulli(k / 9), BERNOULLI, BMVTS()),
    "scale": Study("scale", (0.01, 1.0, 100.0), scaled, (*GAUSSIAN[:6], MTS(), VTS()), MVTS(), runs=200),
    "wild": Study(
        "ratio",
        (1.0, 10.0, 100.0, 1e3, 1e6),
        with_a_wild_arm,
        (MVTS(), NGTS(), NGTS.honda_takemura(), IMEDMV(), SwitchingAware()),
        MVTS(),
        runs=200,
    ),
    "ties": Study(
        "tie",
        TIES,
        tie,
        (NGTS(), SwitchingAware(), SwitchingAware(power=0.5), SwitchingAware(power=0.0)),
        NGTS(),
        runs=200,
    ),
    "horizons": Study(
        "tie",
        ("1 0.05 0.03", "1 0.05 -0.03", "1 0.05 -0.1", "1 0.05 -0.003", "1 0.5 -0.3", "0.3 0.05 -0.03", "3 0.05 -0.3"),
        tie,
        (MVTS(), MTS(), VTS(), NGTS(anytime=True), SwitchingAware.guessing()),
        MVTS(),
        horizon=DOUBLINGS[-1],
        runs=100,
        checkpoints=DOUBLINGS,
    ),
}


GROWING = (MVTS(), NGTS(), NGTS(anytime=True), NGTS.paper(), SwitchingAware(), SwitchingAware.guessing())
GROWTH_HORIZONS = (100_000, 1_000_000)
