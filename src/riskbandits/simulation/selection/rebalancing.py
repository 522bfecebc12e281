"""Who sleeps and who leads. Nothing here affects the distribution of a run: these decisions depend only on the past."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.bounds.contract import sleep_mass
from riskbandits.compiling.jit import jitable
from riskbandits.numerics.variates import geometric
from riskbandits.simulation.selection.alarms import (
    ALARMS,
    ASLEEP,
    AWAKE,
    AWAKE_LIST,
    BLOCK,
    COUNTS,
    DEPTH,
    DIP_ALARM,
    DIP_RATE,
    DIPS,
    DUE,
    DUE_LIST,
    FAR,
    FLOOR,
    HIGHEST,
    LEADER,
    NEXT_ALARM,
    NEXT_REVIEW,
    RATE,
    REVIEWS,
    RINGS,
    SETTLED,
    THRESHOLD,
    WATCHED,
    Clocks,
    set_alarm,
)

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, State

# How deep the floor lies, in the leader's deviations, follows the work that each side causes: a deep floor makes the
# others ring and stay awake, a shallow one makes the leader dip.
LEAST_DEPTH = -1.0  # above the leader's centre: where many arms are close, the best score nearly always is
MOST_DEPTH = 3.5
DEEPER = 0.1
DIP_SHARE = 0.42  # of the others' work: the floor is deepened when dips cause more
WATCH_MASS = 0.05  # a leader that would dip more often than this is not watched but drawn at every step
SHORT_WINDOW, LONG_WINDOW = 1.0 / 32.0, 1.0 / 16.0  # of the steps so far: how long a floor stands
FEW_AWAKE = 4
FAR_DEPTH = 1.0  # arms far behind sleep so much deeper, and need no new clock when the floor falls a little
FAR_MASS = 0.001  # an arm that would ring more often than this is not far behind


@jitable
def set_clock(k: int, clocks: Clocks, now: float, rng: Rng) -> None:
    """A new clock for an arm asleep."""
    clocks.rows[k, ASLEEP] = 1.0
    set_alarm(clocks, k, now + geometric(rng, clocks.rows[k, RATE]))
    clocks.times[NEXT_ALARM] = min(clocks.times[NEXT_ALARM], clocks.times[ALARMS + k])
    clocks.times[HIGHEST] = max(clocks.times[HIGHEST], clocks.rows[k, THRESHOLD])


@jitable
def settle(bounds: Any, state: State, k: int, risk: RiskMeasure, clocks: Clocks, now: float, rng: Rng) -> None:
    """Send arm k to sleep with a new clock if it seldom reaches the leader's floor, or wake it."""
    times = clocks.times
    threshold = times[FAR]
    mass = 1.0
    # An arm that was not far behind at the last review is not asked again.
    if threshold > -math.inf and clocks.rows[k, SETTLED] != clocks.lists[COUNTS, REVIEWS]:
        mass = bounds.tail(state, k, threshold, risk, clocks.rows)
    if not mass <= FAR_MASS and times[FLOOR] > -math.inf:
        threshold = times[FLOOR]
        mass = bounds.tail(state, k, threshold, risk, clocks.rows)
        clocks.rows[k, SETTLED] = clocks.lists[COUNTS, REVIEWS]
    if mass <= sleep_mass(bounds, state):
        clocks.rows[k, THRESHOLD] = threshold
        clocks.rows[k, RATE] = -math.log1p(-mass)
        set_clock(k, clocks, now, rng)
        return
    clocks.rows[k, THRESHOLD] = -math.inf
    set_alarm(clocks, k, math.inf)
    if clocks.rows[k, ASLEEP] == 1.0:
        clocks.rows[k, ASLEEP] = 0.0
        clocks.lists[AWAKE_LIST, clocks.lists[COUNTS, AWAKE]] = k
        clocks.lists[COUNTS, AWAKE] += 1


@jitable
def renew(bounds: object, state: State, k: int, risk: RiskMeasure, clocks: Clocks, now: float, rng: Rng) -> None:
    """After arm k was played: new clocks for those that rang, and for the arm if it slept."""
    for i in range(clocks.lists[COUNTS, DUE]):
        j = clocks.lists[DUE_LIST, i]
        if j != k and clocks.rows[j, SETTLED] == clocks.lists[COUNTS, REVIEWS]:
            clocks.rows[j, THRESHOLD] = clocks.times[FLOOR]
            set_clock(j, clocks, now, rng)
        elif j != k:
            settle(bounds, state, j, risk, clocks, now, rng)
    clocks.lists[COUNTS, DUE] = 0
    if clocks.rows[k, ASLEEP] == 1.0:
        settle(bounds, state, k, risk, clocks, now, rng)


@jitable
def review(bounds: Any, state: State, risk: RiskMeasure, clocks: Clocks, now: float, rng: Rng) -> None:
    """Choose the leader among the arms awake, its floor and its clock; let the others try to sleep."""
    times = clocks.times
    if times[DIPS] > DIP_SHARE * times[RINGS]:
        times[DEPTH] = min(times[DEPTH] + DEEPER, MOST_DEPTH)
    else:
        times[DEPTH] = max(times[DEPTH] - DEEPER, LEAST_DEPTH)
    times[DIPS] *= 0.5
    times[RINGS] *= 0.5
    leader = highest_floor(bounds, state, risk, clocks, times[DEPTH])
    far, mass = bounds.watch(state, leader, risk, times[DEPTH] + FAR_DEPTH, clocks.rows)
    floor, mass = bounds.watch(state, leader, risk, times[DEPTH], clocks.rows)
    begin_anew(clocks, leader, floor, far, mass, now, rng)
    settle_all(bounds, state, risk, clocks, now, rng)
    # Where many arms are awake, or many may ring, a floor that is out of date costs more than a review.
    many = clocks.lists[COUNTS, AWAKE] > FEW_AWAKE or state.shape[0] > BLOCK
    window = SHORT_WINDOW if many else LONG_WINDOW
    times[NEXT_REVIEW] = now + 16.0 + math.floor(window * now)


@jitable
def highest_floor(bounds: Any, state: State, risk: RiskMeasure, clocks: Clocks, depth: float) -> int:
    """The arm that seldom falls below the highest level, among the leader and the arms awake."""
    lists = clocks.lists
    leader = lists[COUNTS, LEADER]
    highest, _ = bounds.watch(state, leader, risk, depth, clocks.rows)
    for i in range(lists[COUNTS, AWAKE]):
        floor, _ = bounds.watch(state, lists[AWAKE_LIST, i], risk, depth, clocks.rows)
        if floor > highest:
            highest = floor
            leader = lists[AWAKE_LIST, i]
    return leader


@jitable
def begin_anew(clocks: Clocks, leader: int, floor: float, far: float, mass: float, now: float, rng: Rng) -> None:
    """A leader, its floor, and a clock for its dips below it, which have that mass."""
    lists = clocks.lists
    times = clocks.times
    watched = mass <= WATCH_MASS
    lists[COUNTS, LEADER] = leader
    lists[COUNTS, REVIEWS] += 1
    lists[COUNTS, WATCHED] = 1 if watched else 0
    times[FLOOR] = floor
    times[FAR] = min(far, floor)
    times[DIP_RATE] = -math.log1p(-mass) if watched else 0.0
    times[DIP_ALARM] = now + geometric(rng, times[DIP_RATE]) if watched else math.inf


@jitable
def forget_bounds(clocks: Clocks, now: float) -> None:
    """After a change of all rows: a review before the next choice, in which no sleeper sleeps on."""
    clocks.times[NEXT_REVIEW] = now
    for k in range(clocks.rows.shape[0]):
        if clocks.rows[k, ASLEEP] == 1.0:
            clocks.rows[k, THRESHOLD] = math.inf


@jitable
def settle_all(bounds: object, state: State, risk: RiskMeasure, clocks: Clocks, now: float, rng: Rng) -> None:
    """After a change of floor: sleepers at or below it sleep on, the others and the arms awake are settled anew."""
    times = clocks.times
    times[NEXT_ALARM] = times[DIP_ALARM]
    times[HIGHEST] = -math.inf
    clocks.lists[COUNTS, AWAKE] = 0
    for k in range(state.shape[0]):
        if k == clocks.lists[COUNTS, LEADER]:
            clocks.rows[k, ASLEEP] = 0.0
            clocks.rows[k, THRESHOLD] = -math.inf
            set_alarm(clocks, k, math.inf)
        elif clocks.rows[k, ASLEEP] == 1.0 and clocks.rows[k, THRESHOLD] <= times[FLOOR]:
            times[NEXT_ALARM] = min(times[NEXT_ALARM], clocks.times[ALARMS + k])
            times[HIGHEST] = max(times[HIGHEST], clocks.rows[k, THRESHOLD])
        else:
            clocks.rows[k, ASLEEP] = 1.0
            settle(bounds, state, k, risk, clocks, now, rng)
