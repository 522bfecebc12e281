"""What bounds are: a record that says how seldom the scores of a policy reach a threshold, under one risk measure.

A policy that draws its scores gives them by `bounds(risk)`, or None for a risk measure that they do not serve; it can
then be simulated lazily, with exactly the distribution of a plain run. The scores must depend on the arm's own row of
`state` alone. `cells` is an array whose row k has ENVELOPE_CELLS cells for what the methods tell each other about arm
k.

    watch(state, k, risk, deviations, cells) -> floor, mass
        a floor so many `deviations` below the centre of the score (above it, if negative), and a bound on how often
        the score falls below it;
        a mass of 1.0 means "not known": the leader is then drawn at every step
    tail(state, k, threshold, risk, cells) -> mass
        a bound on P(score >= threshold); 1.0 means "not small": the arm is then drawn at every step
    draw_above(state, k, threshold, risk, cells, rng) -> score or NaN
        called with probability `mass`; must return scores >= threshold with exactly their probability and distribution,
        so NaN whenever a proposal from the bound is not kept (`riskbandits.numerics.tails` has such proposals)

If `watch` gives masses below 1, two more: the bound must hold while the leader is played and learns, for as long as

    steady(state, k, risk, cells) -> bool
        says so, and
    draw_dip(state, k, risk, cells, rng) -> score or NaN
        gives scores below the floor in the way of `draw_above`, for the state of the moment

Where a score takes long to draw, two methods may save draws:

    sure_level(state, k, risk) -> level
        which the score of this step is certain to reach (default minus infinity): a leader above all others is not
        drawn
    sleep_mass(state) -> mass
        up to which rings cost less than drawing the arm at every step (default SLEEP_MASS)

A leader can be leapt over, many of its rewards drawn at once, if its bounds have one method more:

    region(state, k, risk, deviations, cells, arms, run, until) -> floor, mass
        as `watch`, with a floor and a mass that hold up to the step `until` whatever the arm pays, but with a chance of
        1e-18 (`riskbandits.bounds.regions`); `steady` and `draw_dip` then serve this floor

or, where they hold for ever and depend on nothing else of the run,

    lasting_region(state, k, risk, deviations, cells, arms) -> floor, mass

Bounds that follow the policy's own measure say so by two more methods: `lasting() -> bool` (default True) whether tails
hold beyond `until`, and `stays(state, k, run, cells) -> bool` (default True) whether a region of arm k still holds
after another arm was played.

They are handed the measure of the step. Where the policy makes a measure of its own, `tail` must bound the scores at
later steps too, and `watch` gives mass 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import optional_method

if TYPE_CHECKING:
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, Run, State

BOUNDS_METHODS = ("watch", "tail", "draw_above")

REGION_METHODS = ("region", "lasting_region")  # one of them is enough for leaps

SLEEP_MASS = 0.25  # of one draw: an arm that would ring more often stays awake, a draw costs less than its alarms

ENVELOPE_CELLS = 16  # per arm, for what `draw_above` needs of `tail`; the last eight are for a wrapper's bounds


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


steady = optional_method("steady", _steady)  # whether a watched leader's bound still holds
draw_dip = optional_method("draw_dip", _draw_dip)  # a score of the leader below its floor, or NaN
sure_level = optional_method("sure_level", _sure_level)
sleep_mass = optional_method("sleep_mass", _sleep_mass)
lasting_region = optional_method("lasting_region", _lasting_region)
region = optional_method("region", _region)  # a floor that holds over leaps
stays = optional_method("stays", _stays)  # whether that holds after another arm was played
lasting = optional_method("lasting", _lasting)  # whether tails hold for ever
