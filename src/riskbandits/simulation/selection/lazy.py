"""The lazy selector: only arms that can matter are scored, with exactly the distribution of `PlainSelector`.

While an arm is not played its scores at successive steps are independent and identically distributed. So an arm that
seldom matters sleeps: it has a threshold c, and an alarm that fires after a geometric number of steps, with a
probability q >= P(score >= c) per step. When it fires, the policy's bounds propose a score from an envelope of mass q,
thinned to the true distribution: the arm's score reaches c exactly as often as it should. As long as the best other
score reaches c, an arm asleep whose alarm did not fire cannot win and is not drawn. When it does not, its score is
drawn given that it stays below c: drawn until it does.

The leader is guarded in the same way from below: it has a floor, and an alarm that fires with a probability
p >= P(score < floor), also while it learns, as long as its bounds are `steady`. If that does not fire, its score is at
least the floor, and if no other score reaches the floor, nothing is drawn at all.

Thresholds, floors and alarms may be renewed at any time chosen from the past alone (`rebalance`). So only `choose` and
what it calls affect the distribution of a run; the rest decides how fast it goes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.bounds.contract import BOUND_CELLS, draw_dip, sleep_mass, steady, sure_level
from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.numerics.variates import geometric
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.contract import all_changed, measure
from riskbandits.policies.support.play import NO_CHOICE
from riskbandits.simulation.kernel import RunState

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

# Columns of `rows`, after the cells that are the policy's own.
THRESHOLD = BOUND_CELLS  # minus infinity for arms awake
RATE = BOUND_CELLS + 1  # of the alarm: -ln(1 - the probability with which it fires)
ASLEEP = BOUND_CELLS + 2  # 1 or 0
SET_AT = BOUND_CELLS + 3  # the rebalancing since which threshold and rate stand
COLUMNS = BOUND_CELLS + 4

FIRST_DEPTH = 2.5  # of the floor, in deviations; `rebalance` adapts it

COUNTS, AWAKE_LIST, FIRED_LIST = range(3)  # rows of `lists`: whole numbers; arms awake but the leader; arms that fired
# Whole numbers; AWAKE and FIRED are the lengths of lists, the last three are for `batched`: whether the run
# plays batches now, the work since the last check, the arm played last.
LEADER, GUARDED, AWAKE, FIRED, REBALANCES, BATCHING, WORK_SINCE_CHECK, LAST_PLAYED = range(8)

# Cells of `times`.
FLOOR, DEEP_FLOOR, HIGHEST_THRESHOLD = 0, 1, 2  # the leader's floor, a deeper level, the highest threshold asleep
NEXT_ALARM, NEXT_REBALANCE = 3, 4
LOW_DRAW_RATE, LOW_DRAW_ALARM = 5, 6  # the leader's own alarm
DEPTH, FIRING_WORK, LOW_DRAW_WORK = 7, 8, 9  # of the floor; the work caused by the others and by low draws
NEXT_ATTEMPT, ATTEMPT_INTERVAL = 10, 11  # when batches are tried next, and how long to wait where they do not pay
ROUNDING = 12  # what rounding has taken from the sums of rewards and of their squares, where batches are played
# From here on, per arm, the step at which its alarm fires: infinite for arms awake; and behind them, per block of arms,
# the soonest. Where one arm of a thousand fires at every other step, the others need not be checked. One block is
# checked anyway, and its soonest is not kept.
ALARM_TIMES = 14
BLOCK = 32

FIRING_COST = 3.0  # what an alarm costs, in draws
LOW_DRAW_COST = 3.0
MOST_TRIES = 10_000  # of draws above or below a threshold; each succeeds with a probability of at least 1/20

# How deep the floor lies, in the leader's deviations, follows the work that each side causes: a deep floor makes the
# others fire and stay awake, a shallow one makes the leader draw below it.
LEAST_DEPTH = -1.0  # above the leader's centre: where many arms are close, the best score nearly always is
MOST_DEPTH = 3.5
DEEPER = 0.1
LOW_DRAW_SHARE = 0.42  # of the others' work: the floor is deepened when low draws cause more
GUARD_MASS = 0.05  # a leader that would draw low more often than this is not guarded but drawn at every step
SHORT_WINDOW, LONG_WINDOW = 1.0 / 32.0, 1.0 / 16.0  # of the steps so far: how long a floor stands
FEW_AWAKE = 4
FAR_DEPTH = 1.0  # arms far behind sleep so much deeper, and need no new alarm when the floor falls a little
FAR_MASS = 0.001  # an arm that would fire more often than this is not far behind


class Alarms(NamedTuple):
    """Who sleeps, until when, and below which threshold."""

    # Few arrays: each one costs time at every call of a compiled function that is handed them.
    rows: Any  # (arms, COLUMNS)
    lists: Any  # (3, arms or more) whole numbers
    times: Any  # (ALARM_TIMES + arms + blocks,) numbers


@allocating
def new_alarms(size: int) -> Alarms:
    """All arms awake, and a rebalancing due."""
    # Loops: what numba makes of NumPy's one-liners takes a second to compile.
    blocks = (size + BLOCK - 1) // BLOCK
    times = np.empty(ALARM_TIMES + size + blocks)
    for cell in range(ALARM_TIMES):
        times[cell] = -math.inf
    times[NEXT_ALARM] = math.inf
    times[DEPTH] = FIRST_DEPTH
    times[ROUNDING] = 0.0
    times[ROUNDING + 1] = 0.0
    times[FIRING_WORK] = 0.0
    times[LOW_DRAW_WORK] = 0.0
    lists = np.empty((3, size + LAST_PLAYED + 1), dtype=np.int64)
    for place in range(size + LAST_PLAYED + 1):
        lists[COUNTS, place] = 0
        lists[AWAKE_LIST, place] = place + 1  # all but arm 0, which leads
        lists[FIRED_LIST, place] = 0
    lists[COUNTS, AWAKE] = size - 1
    for cell in range(ALARM_TIMES, ALARM_TIMES + size + blocks):
        times[cell] = math.inf
    rows = np.empty((size, COLUMNS))
    for k in range(size):
        for cell in range(COLUMNS):
            rows[k, cell] = 0.0
        rows[k, THRESHOLD] = -math.inf
    return Alarms(rows, lists, times)


@jitable
def set_alarm(alarms: Alarms, k: int, when: float) -> None:
    """Let the alarm of arm k fire at that step."""
    times = alarms.times
    before = times[ALARM_TIMES + k]
    times[ALARM_TIMES + k] = when
    if alarms.rows.shape[0] <= BLOCK:
        return
    soonest = ALARM_TIMES + alarms.rows.shape[0] + k // BLOCK
    if when <= times[soonest]:
        times[soonest] = when
    elif before == times[soonest]:
        first = k - k % BLOCK
        times[soonest] = earliest(times, ALARM_TIMES + first, ALARM_TIMES + min(first + BLOCK, alarms.rows.shape[0]))


@jitable
def earliest(times: Any, first: int, last: int) -> float:
    """The smallest of the cells from `first` up to `last`, which is not one of them."""
    even = math.inf
    odd = math.inf
    for cell in range(first, last - 1, 2):  # two minima at a time: each waits for the one before
        even = min(even, times[cell])
        odd = min(odd, times[cell + 1])
    return min(even, odd, times[last - 1])


@always_inline
def better(score: float, k: int, best_score: float, best: int) -> bool:
    """Whether a score beats the best so far; equal scores go to the lower index, as in `play.choose`."""
    return score > best_score or (score == best_score and (best == NO_CHOICE or k < best))


@always_inline
def choose(
    policy: Policy,
    bounds: object,
    state: State,
    step: float,
    run: Run,
    risk: RiskMeasure,
    alarms: Alarms,
    rng: Rng,
) -> int:
    """The arm with the highest score at this step."""
    lists = alarms.lists
    times = alarms.times
    best = NO_CHOICE
    best_score = -math.inf
    times[FIRING_WORK] += lists[COUNTS, AWAKE]
    for i in range(lists[COUNTS, AWAKE]):
        k = alarms.lists[AWAKE_LIST, i]
        score = policy.score(state, k, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    if step >= times[NEXT_ALARM]:
        best, best_score = fire(bounds, state, step, risk, alarms, best, best_score, rng)
    leader = lists[COUNTS, LEADER]
    if lists[COUNTS, GUARDED] == 0:
        level = sure_level(bounds, state, leader, risk)
        if level > best_score and level >= times[HIGHEST_THRESHOLD]:
            return leader
        score = policy.score(state, leader, run, risk, rng)
        times[LOW_DRAW_WORK] += 1.0
    else:
        score = math.nan
        if step >= times[LOW_DRAW_ALARM]:
            times[LOW_DRAW_WORK] += LOW_DRAW_COST
            score = draw_dip(bounds, state, leader, risk, alarms.rows, rng)
            times[LOW_DRAW_ALARM] = step + geometric(rng, times[LOW_DRAW_RATE])
            times[NEXT_ALARM] = min(times[NEXT_ALARM], times[LOW_DRAW_ALARM])
        if score != score:  # not low: the leader reaches its floor
            if best_score < times[FLOOR]:
                return leader
            times[FIRING_WORK] += 1.0
            score = draw_beyond(policy, state, leader, times[FLOOR], 1.0, run, risk, rng)
    if better(score, leader, best_score, best):
        best = leader
        best_score = score
    if best_score < times[HIGHEST_THRESHOLD]:
        best = draw_asleep(policy, state, run, risk, alarms, best, best_score, rng)
    return best


@jitable
def fire(
    bounds: Any, state: State, step: float, risk: RiskMeasure, alarms: Alarms, best: int, best_score: float, rng: Rng
) -> tuple[int, float]:
    """Draw the arms asleep whose alarms fire at this step; they need new alarms after it."""
    size = state.shape[0]
    times = alarms.times
    lists = alarms.lists
    soonest = times[LOW_DRAW_ALARM]
    fired = lists[COUNTS, FIRED]
    for first in range(0, size, BLOCK):
        block = ALARM_TIMES + size + first // BLOCK
        if size > BLOCK and times[block] > step:
            soonest = min(soonest, times[block])
            continue
        last = min(first + BLOCK, size)
        # Who fires is not known ahead: a branch for each arm would be guessed wrongly once per fire.
        known = fired
        next_in_block = math.inf
        for k in range(first, last):
            alarm = times[ALARM_TIMES + k]
            fires = alarm <= step
            lists[FIRED_LIST, fired] = k
            fired += 1 if fires else 0
            next_in_block = min(next_in_block, math.inf if fires else alarm)
        for i in range(known, fired):
            k = lists[FIRED_LIST, i]
            times[ALARM_TIMES + k] = math.inf
            times[FIRING_WORK] += FIRING_COST
            score = bounds.draw_above(state, k, alarms.rows[k, THRESHOLD], risk, alarms.rows, rng)
            if score == score:  # kept; otherwise the arm stays below its threshold like those that did not fire
                alarms.rows[k, THRESHOLD] = -math.inf
                if better(score, k, best_score, best):
                    best = k
                    best_score = score
        times[block] = next_in_block
        soonest = min(soonest, next_in_block)
    lists[COUNTS, FIRED] = fired
    times[NEXT_ALARM] = soonest
    return best, best_score


@jitable
def draw_beyond(
    policy: Policy, state: State, k: int, threshold: float, side: float, run: Run, risk: RiskMeasure, rng: Rng
) -> float:
    """A score at or above the threshold (side 1), or below it (side -1), where most scores are."""
    score = policy.score(state, k, run, risk, rng)
    tries = 1
    while (score < threshold if side > 0.0 else score >= threshold) and tries < MOST_TRIES:
        score = policy.score(state, k, run, risk, rng)
        tries += 1
    return score


@jitable
def draw_asleep(
    policy: Policy,
    state: State,
    run: Run,
    risk: RiskMeasure,
    alarms: Alarms,
    best: int,
    best_score: float,
    rng: Rng,
) -> int:
    """Draw the arms asleep whose thresholds the best score does not reach, given that they stay below."""
    highest = -math.inf
    for k in range(state.shape[0]):
        threshold = alarms.rows[k, THRESHOLD]
        highest = max(highest, threshold)
        if not threshold > best_score:
            continue
        alarms.times[LOW_DRAW_WORK] += 1.0
        score = draw_beyond(policy, state, k, threshold, -1.0, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    alarms.times[HIGHEST_THRESHOLD] = highest
    return best


@jitable
def draw_alarm(k: int, alarms: Alarms, now: float, rng: Rng) -> None:
    """A new alarm for an arm asleep."""
    alarms.rows[k, ASLEEP] = 1.0
    set_alarm(alarms, k, now + geometric(rng, alarms.rows[k, RATE]))
    alarms.times[NEXT_ALARM] = min(alarms.times[NEXT_ALARM], alarms.times[ALARM_TIMES + k])
    alarms.times[HIGHEST_THRESHOLD] = max(alarms.times[HIGHEST_THRESHOLD], alarms.rows[k, THRESHOLD])


@jitable
def set_sleep(bounds: Any, state: State, k: int, risk: RiskMeasure, alarms: Alarms, now: float, rng: Rng) -> None:
    """Send arm k to sleep with a new alarm if it seldom reaches the leader's floor, or wake it."""
    times = alarms.times
    threshold = times[DEEP_FLOOR]
    mass = 1.0
    # An arm that was not far behind at the last rebalancing is not asked again.
    if threshold > -math.inf and alarms.rows[k, SET_AT] != alarms.lists[COUNTS, REBALANCES]:
        mass = bounds.tail(state, k, threshold, risk, alarms.rows)
    if not mass <= FAR_MASS and times[FLOOR] > -math.inf:
        threshold = times[FLOOR]
        mass = bounds.tail(state, k, threshold, risk, alarms.rows)
        alarms.rows[k, SET_AT] = alarms.lists[COUNTS, REBALANCES]
    if mass <= sleep_mass(bounds, state):
        alarms.rows[k, THRESHOLD] = threshold
        alarms.rows[k, RATE] = -math.log1p(-mass)
        draw_alarm(k, alarms, now, rng)
        return
    alarms.rows[k, THRESHOLD] = -math.inf
    set_alarm(alarms, k, math.inf)
    if alarms.rows[k, ASLEEP] == 1.0:
        alarms.rows[k, ASLEEP] = 0.0
        alarms.lists[AWAKE_LIST, alarms.lists[COUNTS, AWAKE]] = k
        alarms.lists[COUNTS, AWAKE] += 1


@jitable
def reset_fired(bounds: object, state: State, k: int, risk: RiskMeasure, alarms: Alarms, now: float, rng: Rng) -> None:
    """After arm k was played: new alarms for those that fired, and for the arm if it slept."""
    for i in range(alarms.lists[COUNTS, FIRED]):
        j = alarms.lists[FIRED_LIST, i]
        if j != k and alarms.rows[j, SET_AT] == alarms.lists[COUNTS, REBALANCES]:
            alarms.rows[j, THRESHOLD] = alarms.times[FLOOR]
            draw_alarm(j, alarms, now, rng)
        elif j != k:
            set_sleep(bounds, state, j, risk, alarms, now, rng)
    alarms.lists[COUNTS, FIRED] = 0
    if alarms.rows[k, ASLEEP] == 1.0:
        set_sleep(bounds, state, k, risk, alarms, now, rng)


@jitable
def rebalance(bounds: Any, state: State, risk: RiskMeasure, alarms: Alarms, now: float, rng: Rng) -> None:
    """Choose the leader among the arms awake, its floor and its alarm; let the others try to sleep."""
    times = alarms.times
    if times[LOW_DRAW_WORK] > LOW_DRAW_SHARE * times[FIRING_WORK]:
        times[DEPTH] = min(times[DEPTH] + DEEPER, MOST_DEPTH)
    else:
        times[DEPTH] = max(times[DEPTH] - DEEPER, LEAST_DEPTH)
    times[LOW_DRAW_WORK] *= 0.5
    times[FIRING_WORK] *= 0.5
    leader = highest_floor(bounds, state, risk, alarms, times[DEPTH])
    far, mass = bounds.watch(state, leader, risk, times[DEPTH] + FAR_DEPTH, alarms.rows)
    floor, mass = bounds.watch(state, leader, risk, times[DEPTH], alarms.rows)
    set_leader(alarms, leader, floor, far, mass, now, rng)
    set_sleep_of_all(bounds, state, risk, alarms, now, rng)
    # Where many arms are awake, or many may fire, a floor that is out of date costs more than a rebalancing.
    many = alarms.lists[COUNTS, AWAKE] > FEW_AWAKE or state.shape[0] > BLOCK
    window = SHORT_WINDOW if many else LONG_WINDOW
    times[NEXT_REBALANCE] = now + 16.0 + math.floor(window * now)


@jitable
def highest_floor(bounds: Any, state: State, risk: RiskMeasure, alarms: Alarms, depth: float) -> int:
    """The arm that seldom falls below the highest level, among the leader and the arms awake."""
    lists = alarms.lists
    leader = lists[COUNTS, LEADER]
    highest, _ = bounds.watch(state, leader, risk, depth, alarms.rows)
    for i in range(lists[COUNTS, AWAKE]):
        floor, _ = bounds.watch(state, lists[AWAKE_LIST, i], risk, depth, alarms.rows)
        if floor > highest:
            highest = floor
            leader = lists[AWAKE_LIST, i]
    return leader


@jitable
def set_leader(alarms: Alarms, leader: int, floor: float, far: float, mass: float, now: float, rng: Rng) -> None:
    """A leader, its floor, and a alarm for draws below it, which have that mass."""
    lists = alarms.lists
    times = alarms.times
    guarded = mass <= GUARD_MASS
    lists[COUNTS, LEADER] = leader
    lists[COUNTS, REBALANCES] += 1
    lists[COUNTS, GUARDED] = 1 if guarded else 0
    times[FLOOR] = floor
    times[DEEP_FLOOR] = min(far, floor)
    times[LOW_DRAW_RATE] = -math.log1p(-mass) if guarded else 0.0
    times[LOW_DRAW_ALARM] = now + geometric(rng, times[LOW_DRAW_RATE]) if guarded else math.inf


@jitable
def invalidate_all(alarms: Alarms, now: float) -> None:
    """After a change of all rows: a rebalancing before the next choice, after which no arm sleeps on."""
    alarms.times[NEXT_REBALANCE] = now
    for k in range(alarms.rows.shape[0]):
        if alarms.rows[k, ASLEEP] == 1.0:
            alarms.rows[k, THRESHOLD] = math.inf


@jitable
def set_sleep_of_all(bounds: object, state: State, risk: RiskMeasure, alarms: Alarms, now: float, rng: Rng) -> None:
    """After a change of floor: arms asleep at or below it sleep on, the others and the arms awake are set anew."""
    times = alarms.times
    times[NEXT_ALARM] = times[LOW_DRAW_ALARM]
    times[HIGHEST_THRESHOLD] = -math.inf
    alarms.lists[COUNTS, AWAKE] = 0
    for k in range(state.shape[0]):
        if k == alarms.lists[COUNTS, LEADER]:
            alarms.rows[k, ASLEEP] = 0.0
            alarms.rows[k, THRESHOLD] = -math.inf
            set_alarm(alarms, k, math.inf)
        elif alarms.rows[k, ASLEEP] == 1.0 and alarms.rows[k, THRESHOLD] <= times[FLOOR]:
            times[NEXT_ALARM] = min(times[NEXT_ALARM], alarms.times[ALARM_TIMES + k])
            times[HIGHEST_THRESHOLD] = max(times[HIGHEST_THRESHOLD], alarms.rows[k, THRESHOLD])
        else:
            alarms.rows[k, ASLEEP] = 1.0
            set_sleep(bounds, state, k, risk, alarms, now, rng)


class LazySelector(NamedTuple):
    """Arms sleep until their alarms fire, and the leader is played unless it might draw low."""

    alarms: Alarms
    bounds: Any  # the policy's own, for this risk measure

    @always_inline
    def begin_step(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> Any:
        """Write the step, and make the measure that all bounds of this step are for."""
        own.run[STEP] = step
        return measure(policy, own.state, own.run, risk)

    @always_inline
    def select(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> int:
        """The leader, unless something may have happened."""
        alarms = self.alarms
        if step > alarms.times[NEXT_REBALANCE]:
            rebalance(self.bounds, own.state, risk, alarms, step - 1.0, own.choice_rng)
        k = alarms.lists[COUNTS, LEADER]
        if alarms.lists[COUNTS, GUARDED] == 0 or alarms.lists[COUNTS, AWAKE] > 0 or step >= alarms.times[NEXT_ALARM]:
            k = choose(policy, self.bounds, own.state, float(step), own.run, risk, alarms, own.choice_rng)
        return k

    @always_inline
    def update(self, policy: Policy, own: RunState, risk: RiskMeasure, k: int, step: int) -> None:
        """New alarms for arms that fired or were played; rebalancing before the next choice if bounds may not hold."""
        alarms = self.alarms
        if alarms.lists[COUNTS, FIRED] > 0 or k != alarms.lists[COUNTS, LEADER]:
            reset_fired(self.bounds, own.state, k, risk, alarms, float(step), own.choice_rng)
        if (
            k == alarms.lists[COUNTS, LEADER]
            and alarms.lists[COUNTS, GUARDED] == 1
            and not steady(self.bounds, own.state, k, risk, alarms.rows)
        ):
            alarms.times[NEXT_REBALANCE] = step
        if all_changed(policy, own.run):
            invalidate_all(alarms, float(step))


@allocating
def new(size: int, bounds: object, pending: None, delay_rng: None) -> LazySelector:
    """The selector of a run."""
    return LazySelector(new_alarms(size), bounds)
