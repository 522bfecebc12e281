"""The contract of bounds: a record that bounds how rarely a policy's scores reach a threshold, for one risk measure.

A policy whose scores are random gives them by `bounds(risk)`, or None for a measure that they do not serve; it can then
be simulated lazily, with exactly the distribution of a plain run. *What a bound must satisfy:*

- The scores depend on the arm's own row of `state` alone.
- A mass is an upper bound on the probability that it names, never an estimate of it.
- A draw is thinned: called with probability `mass`, it gives each score with exactly its own probability, and NaN for
  the rest (`riskbandits.numerics.tails` has such proposals). A loose bound costs time and changes no distribution.
- What one method tells another about arm k is written into row k of `cells`, which has BOUND_CELLS cells.

Required:

    watch(state, k, risk, deviations, cells) -> floor, mass
        a floor so many `deviations` below the centre of the score (above it, if negative), and the mass of scores below
        it; 1.0 means "not known": the leader is then drawn at every step
    tail(state, k, threshold, risk, cells) -> mass
        the mass of scores >= threshold; 1.0 means "not small": the arm is then drawn at every step
    draw_above(state, k, threshold, risk, cells, rng) -> score or NaN
        a thinned draw of a score >= threshold

Where `watch` gives masses below 1: its bound must hold while the leader is played and learns, for as long as

    steady(state, k, risk, cells) -> bool
        says so (default False), and
    draw_dip(state, k, risk, cells, rng) -> score or NaN
        is a thinned draw of a score below the floor, for the state of the moment

Where a score takes long to draw:

    sure_level(state, k, risk) -> level
        which the score of this step is certain to reach (default minus infinity): a leader above all others is not
        drawn
    sleep_mass(state) -> mass
        up to which an arm's alarms cost less than drawing it at every step (default SLEEP_MASS)

For batches, in which many rewards of the leader are drawn at once, one of

    region(state, k, risk, deviations, cells, arms, run, until) -> floor, mass
        as `watch`, with a floor and a mass that hold up to the step `until` whatever the arm pays, but with a chance of
        1e-18 (`riskbandits.bounds.regions`); `steady` and `draw_dip` then serve this floor
    lasting_region(state, k, risk, deviations, cells, arms) -> floor, mass
        the same, where they hold for ever and depend on nothing else of the run

Bounds for a policy with a `measure` of its own are given the measure of the step: `tail` must bound the scores of later
steps too, and `watch` gives mass 1. They have two more methods: `lasting() -> bool` (default True), whether tails hold
beyond `until`, and `stays(state, k, run, cells) -> bool` (default True), whether a region of arm k still holds after
another arm was played.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import optional_method

if TYPE_CHECKING:
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, Run, State

BOUNDS_METHODS = ("watch", "tail", "draw_above")

REGION_METHODS = ("region", "lasting_region")  # one of them is enough for batches

SLEEP_MASS = 0.25  # of one draw: an arm whose alarm would fire more often stays awake

BOUND_CELLS = 16  # per arm, for what `draw_above` needs of `tail`; the last eight are for a wrapper's bounds


def _steady(bounds: object, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
    return False


def _lasting_region(
    bounds: object, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells, arms: Arms
) -> tuple[float, float]:
    return -math.inf, 1.0


def _region(
    bounds: object,
    state: State,
    k: int,
    risk: RiskMeasure,
    deviations: float,
    cells: Cells,
    arms: Arms,
    run: Run,
    until: float,
) -> tuple[float, float]:
    return lasting_region(bounds, state, k, risk, deviations, cells, arms)


def _stays(bounds: object, state: State, k: int, run: Run, cells: Cells) -> bool:
    return True


def _lasting(bounds: object) -> bool:
    return True


def _sure_level(bounds: object, state: State, k: int, risk: RiskMeasure) -> float:
    return -math.inf


def _sleep_mass(bounds: object, state: State) -> float:
    return SLEEP_MASS


def _draw_dip(bounds: object, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
    return math.nan


steady = optional_method("steady", _steady)  # whether the bound below a leader still holds
draw_dip = optional_method("draw_dip", _draw_dip)  # a score of the leader below its floor, or NaN
sure_level = optional_method("sure_level", _sure_level)
sleep_mass = optional_method("sleep_mass", _sleep_mass)
lasting_region = optional_method("lasting_region", _lasting_region)
region = optional_method("region", _region)  # a floor that holds over batches
stays = optional_method("stays", _stays)  # whether that holds after another arm was played
lasting = optional_method("lasting", _lasting)  # whether tails hold for ever
