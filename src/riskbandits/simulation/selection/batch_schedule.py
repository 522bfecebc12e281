"""Who sleeps and who leads, for runs that leap: whether to leap at all, below which floor, and until when.

Like `reviews` this touches only how fast a run goes, as long as the past alone decides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.bounds.contract import lasting, region
from riskbandits.compiling.jit import jitable
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.contract import measure
from riskbandits.simulation.selection.alarms import (
    ASLEEP,
    AWAKE,
    COUNTS,
    DIP_RATE,
    LEADER,
    LEAPS,
    NEXT_REVIEW,
    NEXT_TRY,
    PATIENCE,
    PLAYED,
    RATE,
    THRESHOLD,
    Clocks,
)
from riskbandits.simulation.selection.rebalancing import (
    FAR_DEPTH,
    begin_anew,
    forget_bounds,
    highest_floor,
    review,
    settle_all,
)

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Rng, Run, State

# The floor is so deep that the leader dips for a share of all rings: it must deepen as rings become rare, or dips would
# make the cost of a run linear in its length again.
DIP_SHARE = 0.05
LEAST_DEPTH = 2.5
MOST_DEPTH = 12.0
MOST_RATE = 0.05  # rings per step, with which leaps are as long as it takes to pay for them
FIRST_PATIENCE = 64.0  # steps until leaps are tried again after they did not pay; doubled every time
WINDOW = 0.125  # of the steps so far: how long a floor stands
# Steps after which a walk is so long that tries may cost something: they do not wait for a review, and are made though
# rings are frequent if a walk does not count all that leaps count.
LONG_WALK = 20_000.0


@jitable
def review_for_leaps(
    policy: Policy,
    bounds: object,
    state: State,
    run: Run,
    risk: RiskMeasure,
    arms: Arms,
    clocks: Clocks,
    now: float,
    rng: Rng,
) -> None:
    """Leap until the next review if that pays, and otherwise walk for a while."""
    lists = clocks.lists
    times = clocks.times
    run[STEP] = now + 1.0
    risk_now = measure(policy, state, run, risk)
    if now >= times[NEXT_TRY]:
        if leaps_pay(bounds, state, run, risk_now, arms, clocks, now, rng):
            times[PATIENCE] = max(FIRST_PATIENCE, 0.5 * times[PATIENCE])
            return
        times[NEXT_TRY] = now + times[PATIENCE]
        times[PATIENCE] = min(2.0 * times[PATIENCE], FIRST_PATIENCE + WINDOW * now)
    if lists[COUNTS, LEAPS] == 1:
        forget_bounds(clocks, now)  # thresholds are lower than a walk needs them
        lists[COUNTS, LEAPS] = 0
    review(bounds, state, risk_now, clocks, now, rng)
    if now > LONG_WALK:  # before, a try waits for the next review, which is not far
        times[NEXT_REVIEW] = min(times[NEXT_REVIEW], times[NEXT_TRY])


@jitable
def leaps_pay(
    bounds: Any, state: State, run: Run, risk: RiskMeasure, arms: Arms, clocks: Clocks, now: float, rng: Rng
) -> bool:
    """Whether with floors for leaps all arms but the leader sleep, and long enough. If so, all is set for leaps."""
    lists = clocks.lists
    times = clocks.times
    begins = lists[COUNTS, LEAPS] == 0
    tells = lasting(bounds) or now < LONG_WALK
    if begins and tells and (lists[COUNTS, AWAKE] > 0 or total_rate(clocks) > MOST_RATE):
        return False  # the floor would be lower, and rings even more frequent
    rate = max(total_rate(clocks), 1e-17)
    depth = min(max(LEAST_DEPTH, math.sqrt(max(0.0, -2.0 * math.log(DIP_SHARE * rate)))), MOST_DEPTH)
    if lasting(bounds):
        leader = highest_floor(bounds, state, risk, clocks, depth)
    else:  # floors do not see what only leaps count: an arm that this keeps away may have the highest one
        leader = lists[COUNTS, PLAYED] if begins else lists[COUNTS, LEADER]
    until = now + 16.0 + math.floor(WINDOW * now)
    far, mass = region(bounds, state, leader, risk, depth + FAR_DEPTH, clocks.rows, arms, run, until)
    floor, mass = region(bounds, state, leader, risk, depth, clocks.rows, arms, run, until)
    if not mass <= MOST_RATE:
        return False
    if begins and tells and one_rings_often(bounds, state, floor, risk, clocks):
        return False
    begin_anew(clocks, leader, floor, far, mass, now, rng)
    if not lasting(bounds):
        forget_bounds(clocks, now)
    times[NEXT_REVIEW] = until
    settle_all(bounds, state, risk, clocks, now, rng)
    lists[COUNTS, LEAPS] = 1
    return lists[COUNTS, AWAKE] == 0 and total_rate(clocks) <= MOST_RATE


@jitable
def one_rings_often(bounds: Any, state: State, floor: float, risk: RiskMeasure, clocks: Clocks) -> bool:
    """Whether the arm that rings most would ring too often with this floor: then the others need not be asked.

    What bounds know of the arm is overwritten, so it must be settled anew.
    """
    often = -1
    for k in range(clocks.rows.shape[0]):
        if clocks.rows[k, ASLEEP] == 1.0 and (often < 0 or clocks.rows[k, RATE] > clocks.rows[often, RATE]):
            often = k
    if often < 0:
        return False
    clocks.rows[often, THRESHOLD] = math.inf
    return not bounds.tail(state, often, floor, risk, clocks.rows) <= MOST_RATE


@jitable
def total_rate(clocks: Clocks) -> float:
    """How many rings there are per step."""
    total = clocks.times[DIP_RATE]
    for k in range(clocks.rows.shape[0]):
        if clocks.rows[k, ASLEEP] == 1.0:
            total += clocks.rows[k, RATE]
    return total
