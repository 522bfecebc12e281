"""The lazy selector that plays batches: until the next alarm the leader is played, so its rewards are drawn at once.

A batch ends before the next alarm, at the next rebalancing, or where the kernel wants it to. In between nobody looks at
the leader's moments: they are known to stay where its floor holds (`bounds.regions`). Everything else is as in
`LazySelector`, and single steps are played while arms are close and alarms are frequent.

The times of alarms are known ahead. So nothing may be decided by them but how long a batch is: an alarm that is set
anew because it is about to fire would fire too seldom. Rebalancing comes at steps that were chosen without a look at
any alarm, and as in `lazy` it touches only how fast a run goes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.arms.contract import draw_many
from riskbandits.bounds.contract import lasting, region, stays, steady
from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.contract import all_changed, measure, unchanged_for
from riskbandits.policies.support.play import note_rewards
from riskbandits.simulation.kernel import RunState, Setup
from riskbandits.simulation.selection.lazy import (
    ASLEEP,
    ATTEMPT_INTERVAL,
    AWAKE,
    BATCHING,
    COUNTS,
    FAR_DEPTH,
    FIRED,
    GUARDED,
    LAST_PLAYED,
    LEADER,
    LOW_DRAW_RATE,
    NEXT_ALARM,
    NEXT_ATTEMPT,
    NEXT_REBALANCE,
    RATE,
    ROUNDING,
    THRESHOLD,
    WORK_SINCE_CHECK,
    Alarms,
    choose,
    highest_floor,
    invalidate_all,
    new_alarms,
    rebalance,
    reset_fired,
    set_leader,
    set_sleep_of_all,
)

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Rng, Run, State

# The floor is so deep that low draws of the leader are this share of all alarms: it must deepen as alarms become rare,
# or they would make the cost of a run linear in its length again.
LOW_DRAW_SHARE = 0.05
LEAST_DEPTH = 2.5
MOST_DEPTH = 12.0
MOST_RATE = 0.05  # alarms per step, with which batches are as long as it takes to pay for them
FIRST_ATTEMPT_INTERVAL = 64.0  # steps until batches are tried again after they did not pay; doubled every time
WINDOW = 0.125  # of the steps so far: how long a floor stands
# Steps after which a run is so long that attempts may cost something: they do not wait for a rebalancing, and are made
# though alarms are frequent if single steps do not count all that batches count.
LONG_RUN = 20_000.0

SMALLEST_BATCH = 4  # steps: fewer are played one by one
WORK_BETWEEN_CHECKS = 20_000  # batches and single steps
NEVER = 2**62
LARGE = 1e8  # a sum that loses more than 1e-8 by an addition; below it keeping that would only cost time


@jitable
def draw_batch(setup: Setup, own: RunState, k: int, count: int, step: int, best_mean: float) -> tuple[float, float]:
    """Draw that many rewards of arm k and tell the policy; the sums of what they exceed `best_mean` by and its squares.

    `step` is the last of the steps.
    """
    mean, squares = draw_many(setup.arms, k, float(count), own.reward_rng)
    own.run[STEP] = step
    note_rewards(setup.policy, own.state, k, own.run, count, mean, squares)
    centred = mean - best_mean
    more = count * centred
    own.pulls[k] += count
    own.reward_sums[k] += more
    return more, squares + more * centred


@jitable
def rebalance_for_batches(
    policy: Policy,
    bounds: object,
    state: State,
    run: Run,
    risk: RiskMeasure,
    arms: Arms,
    alarms: Alarms,
    now: float,
    rng: Rng,
) -> None:
    """Play batches until the next rebalancing if that pays, and otherwise single steps for a while."""
    lists = alarms.lists
    times = alarms.times
    run[STEP] = now + 1.0
    risk_now = measure(policy, state, run, risk)
    if now >= times[NEXT_ATTEMPT]:
        if batching_pays(bounds, state, run, risk_now, arms, alarms, now, rng):
            times[ATTEMPT_INTERVAL] = max(FIRST_ATTEMPT_INTERVAL, 0.5 * times[ATTEMPT_INTERVAL])
            return
        times[NEXT_ATTEMPT] = now + times[ATTEMPT_INTERVAL]
        times[ATTEMPT_INTERVAL] = min(2.0 * times[ATTEMPT_INTERVAL], FIRST_ATTEMPT_INTERVAL + WINDOW * now)
    if lists[COUNTS, BATCHING] == 1:
        invalidate_all(alarms, now)  # thresholds are lower than single steps need them
        lists[COUNTS, BATCHING] = 0
    rebalance(bounds, state, risk_now, alarms, now, rng)
    if now > LONG_RUN:  # before, an attempt waits for the next rebalancing, which is not far
        times[NEXT_REBALANCE] = min(times[NEXT_REBALANCE], times[NEXT_ATTEMPT])


@jitable
def batching_pays(
    bounds: Any, state: State, run: Run, risk: RiskMeasure, arms: Arms, alarms: Alarms, now: float, rng: Rng
) -> bool:
    """Whether with floors for batches all arms but the leader sleep, and long enough. If so, all is set for them."""
    lists = alarms.lists
    times = alarms.times
    starting = lists[COUNTS, BATCHING] == 0
    comparable = lasting(bounds) or now < LONG_RUN
    if starting and comparable and (lists[COUNTS, AWAKE] > 0 or total_rate(alarms) > MOST_RATE):
        return False  # the floor would be lower, and alarms even more frequent
    rate = max(total_rate(alarms), 1e-17)
    depth = min(max(LEAST_DEPTH, math.sqrt(max(0.0, -2.0 * math.log(LOW_DRAW_SHARE * rate)))), MOST_DEPTH)
    if lasting(bounds):
        leader = highest_floor(bounds, state, risk, alarms, depth)
    else:  # floors do not see what only batches count: an arm that this keeps away may have the highest one
        leader = lists[COUNTS, LAST_PLAYED] if starting else lists[COUNTS, LEADER]
    until = now + 16.0 + math.floor(WINDOW * now)
    far, mass = region(bounds, state, leader, risk, depth + FAR_DEPTH, alarms.rows, arms, run, until)
    floor, mass = region(bounds, state, leader, risk, depth, alarms.rows, arms, run, until)
    if not mass <= MOST_RATE:
        return False
    if starting and comparable and one_fires_often(bounds, state, floor, risk, alarms):
        return False
    set_leader(alarms, leader, floor, far, mass, now, rng)
    if not lasting(bounds):
        invalidate_all(alarms, now)
    times[NEXT_REBALANCE] = until
    set_sleep_of_all(bounds, state, risk, alarms, now, rng)
    lists[COUNTS, BATCHING] = 1
    return lists[COUNTS, AWAKE] == 0 and total_rate(alarms) <= MOST_RATE


@jitable
def one_fires_often(bounds: Any, state: State, floor: float, risk: RiskMeasure, alarms: Alarms) -> bool:
    """Whether the arm that fires most would fire too often with this floor: then the others need not be asked.

    What bounds know of the arm is overwritten, so it must be set anew.
    """
    likeliest = -1
    for k in range(alarms.rows.shape[0]):
        if alarms.rows[k, ASLEEP] == 1.0 and (likeliest < 0 or alarms.rows[k, RATE] > alarms.rows[likeliest, RATE]):
            likeliest = k
    if likeliest < 0:
        return False
    alarms.rows[likeliest, THRESHOLD] = math.inf
    return not bounds.tail(state, likeliest, floor, risk, alarms.rows) <= MOST_RATE


@jitable
def total_rate(alarms: Alarms) -> float:
    """How many fires there are per step."""
    total = alarms.times[LOW_DRAW_RATE]
    for k in range(alarms.rows.shape[0]):
        if alarms.rows[k, ASLEEP] == 1.0:
            total += alarms.rows[k, RATE]
    return total


class BatchedSelector(NamedTuple):
    """Arms sleep until their alarms fire, and until then the leader is played at once."""

    alarms: Alarms
    bounds: Any  # the policy's own, for this risk measure

    @always_inline
    def play_batch(
        self, setup: Setup, own: RunState, step: int, last: int, best_mean: float
    ) -> tuple[int, float, float]:
        """Up to the step before the next alarm."""
        lists = self.alarms.lists
        times = self.alarms.times
        lists[COUNTS, WORK_SINCE_CHECK] += 1
        if step >= times[NEXT_REBALANCE]:
            rebalance_for_batches(
                setup.policy,
                self.bounds,
                own.state,
                own.run,
                setup.risk,
                setup.arms,
                self.alarms,
                float(step),
                own.choice_rng,
            )
        if lists[COUNTS, BATCHING] == 0 or lists[COUNTS, AWAKE] > 0:
            return 0, 0.0, 0.0
        ahead = min(times[NEXT_ALARM] - 1.0, times[NEXT_REBALANCE], float(last)) - step
        if ahead < SMALLEST_BATCH:
            return 0, 0.0, 0.0
        ahead = min(ahead, unchanged_for(setup.policy, own.run))
        if ahead < SMALLEST_BATCH:
            return 0, 0.0, 0.0
        count = int(ahead)
        more, squares = draw_batch(setup, own, lists[COUNTS, LEADER], count, step + count, best_mean)
        return count, more, squares

    @always_inline
    def should_yield(self) -> bool:
        """When enough has been done since the last check."""
        if self.alarms.lists[COUNTS, WORK_SINCE_CHECK] < WORK_BETWEEN_CHECKS:
            return False
        self.alarms.lists[COUNTS, WORK_SINCE_CHECK] = 0
        return True

    def steps_between_checks(self, usual: int) -> int:
        """Any number: it yields by itself."""
        return NEVER

    def last_step(self, own: RunState, end: int) -> int:
        """What the run itself says."""
        return int(own.run[STEP])

    @always_inline
    def add(self, total: float, number: float, which: int) -> float:
        """With what rounding takes kept for the next time (Neumaier 1974), once that is anything."""
        if abs(total) < LARGE:
            return total + number
        rounding = self.alarms.times
        raw = total + number
        back = raw - total
        lost = (total - (raw - back)) + (number - back) + rounding[ROUNDING + which]
        found = raw + lost
        rounding[ROUNDING + which] = lost - (found - raw)
        return found

    @always_inline
    def begin_step(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> Any:
        """Write the step, and make the measure that all bounds of this step are for."""
        own.run[STEP] = step
        return measure(policy, own.state, own.run, risk)

    @always_inline
    def select(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> int:
        """The leader, unless something may have happened."""
        alarms = self.alarms
        k = alarms.lists[COUNTS, LEADER]
        if alarms.lists[COUNTS, GUARDED] == 0 or alarms.lists[COUNTS, AWAKE] > 0 or step >= alarms.times[NEXT_ALARM]:
            k = choose(policy, self.bounds, own.state, float(step), own.run, risk, alarms, own.choice_rng)
        return k

    @always_inline
    def update(self, policy: Policy, own: RunState, risk: RiskMeasure, k: int, step: int) -> None:
        """New alarms for arms that fired or were played; rebalancing before the next choice if bounds may not hold."""
        alarms = self.alarms
        alarms.lists[COUNTS, LAST_PLAYED] = k
        if alarms.lists[COUNTS, FIRED] > 0 or k != alarms.lists[COUNTS, LEADER]:
            reset_fired(self.bounds, own.state, k, risk, alarms, float(step), own.choice_rng)
            leader = alarms.lists[COUNTS, LEADER]
            if alarms.lists[COUNTS, BATCHING] == 1 and alarms.lists[COUNTS, AWAKE] > 0:
                alarms.times[NEXT_REBALANCE] = min(alarms.times[NEXT_REBALANCE], step + alarms.times[ATTEMPT_INTERVAL])
            if alarms.lists[COUNTS, BATCHING] == 1 and not stays(self.bounds, own.state, leader, own.run, alarms.rows):
                alarms.times[NEXT_REBALANCE] = step
        if (
            k == alarms.lists[COUNTS, LEADER]
            and alarms.lists[COUNTS, GUARDED] == 1
            and not steady(self.bounds, own.state, k, risk, alarms.rows)
        ):
            alarms.times[NEXT_REBALANCE] = step
        if all_changed(policy, own.run):
            invalidate_all(alarms, float(step))


@allocating
def new(size: int, bounds: object, pending: None, delay_rng: None) -> BatchedSelector:
    """The selector of a run."""
    alarms = new_alarms(size)
    alarms.times[ATTEMPT_INTERVAL] = FIRST_ATTEMPT_INTERVAL
    return BatchedSelector(alarms, bounds)
