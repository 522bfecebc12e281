"""What a job costs, said before it begins: time and room on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from riskbandits.paper.experiments import Experiment
from riskbandits.simulation.checkpoints import check_checkpoints
from riskbandits.simulation.kernel import SUMS
from riskbandits.simulation.methods import MOST_SINGLE_STEPS

# Measured on the whole paper: a step on one core, drawing on one core, what is left of a number of eight bytes in a
# store, and figures, tables and report together.
SECONDS_PER_STEP = 5e-8
DRAWING_SECONDS = 60.0
BYTES_PER_NUMBER = 4.4
FILES_MEGABYTES = 16.0


class Cost(NamedTuple):
    """Of experiments that nobody has run yet, and of drawing what comes of them."""

    steps: int  # without those that are leapt
    seconds: float  # on so many cores
    stored_megabytes: float


def cost(experiments: Mapping[str, Experiment], cores: int) -> Cost:
    """About what experiments cost."""
    steps, numbers, seconds = 0, 0, DRAWING_SECONDS
    for one in experiments.values():
        runs = len(one.rhos) * len(one.policies) * one.runs
        arms = one.problem_for_rho(one.rhos[0]).size
        walked = runs * min(one.horizon, MOST_SINGLE_STEPS)
        steps += walked
        seconds += walked * SECONDS_PER_STEP if one.seconds is None else runs * one.seconds
        numbers += runs * (len(check_checkpoints(one.checkpoints, one.horizon)) * SUMS + 2 * arms)
    return Cost(steps, seconds / cores, numbers * BYTES_PER_NUMBER / 1e6)
