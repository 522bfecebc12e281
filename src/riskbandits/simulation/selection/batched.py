"""The lazy chooser that leaps: as long as no clock rings the leader is played, so its rewards are drawn at once.

A leap ends before the next ring, at the next review, or where the kernel wants it to. In between nobody looks at the
leader's moments: they are known to stay where its clock holds (`envelopes.regions`). Everything else is as in `Lazy`,
which walks, and so does this chooser while arms are close and rings are frequent.

The times of rings are known ahead. So nothing may be decided by them but how far to leap: a clock that is set anew
because it is about to ring would ring too seldom. Reviews come at steps that were chosen without looking at any clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds.contract import stays, steady
from riskbandits.compiling.jit import allocating, always_inline
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.contract import all_changed, measure, unchanged_for
from riskbandits.simulation.kernel import Game, Seat
from riskbandits.simulation.leaps import draw_leap
from riskbandits.simulation.selection.alarms import (
    AWAKE,
    COUNTS,
    DUE,
    LEADER,
    LEAPS,
    NEXT_ALARM,
    NEXT_REVIEW,
    PATIENCE,
    PLAYED,
    RESTS,
    WATCHED,
    WORK,
    Clocks,
    new_clocks,
)
from riskbandits.simulation.selection.batch_schedule import FIRST_PATIENCE, review_for_leaps
from riskbandits.simulation.selection.lazy_choice import choose
from riskbandits.simulation.selection.rebalancing import forget_bounds, renew

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

LEAST_LEAP = 4  # steps: fewer are walked
WORK_BETWEEN_LOOKS = 20_000  # leaps and steps walked
NEVER = 2**62
LARGE = 1e8  # a sum that loses more than 1e-8 by an addition; below it keeping that would only cost time


class Leaping(NamedTuple):
    """Arms sleep until their clocks ring, and until then the leader is played at once."""

    clocks: Clocks
    bounds: Any  # the policy's own, for this risk measure

    @always_inline
    def leap(self, game: Game, seat: Seat, step: int, last: int, best_mean: float) -> tuple[int, float, float]:
        """Up to the step before the next ring."""
        lists = self.clocks.lists
        times = self.clocks.times
        lists[COUNTS, WORK] += 1
        if step >= times[NEXT_REVIEW]:
            review_for_leaps(
                game.policy,
                self.bounds,
                seat.state,
                seat.run,
                game.risk,
                game.arms,
                self.clocks,
                float(step),
                seat.choice_rng,
            )
        if lists[COUNTS, LEAPS] == 0 or lists[COUNTS, AWAKE] > 0:
            return 0, 0.0, 0.0
        ahead = min(times[NEXT_ALARM] - 1.0, times[NEXT_REVIEW], float(last)) - step
        if ahead < LEAST_LEAP:
            return 0, 0.0, 0.0
        ahead = min(ahead, unchanged_for(game.policy, seat.run))
        if ahead < LEAST_LEAP:
            return 0, 0.0, 0.0
        count = int(ahead)
        more, squares = draw_leap(game, seat, lists[COUNTS, LEADER], count, step + count, best_mean)
        return count, more, squares

    @always_inline
    def pauses(self) -> bool:
        """When enough has been done since the last look."""
        if self.clocks.lists[COUNTS, WORK] < WORK_BETWEEN_LOOKS:
            return False
        self.clocks.lists[COUNTS, WORK] = 0
        return True

    def steps_between_looks(self, walking: int) -> int:
        """Any number: it pauses by itself."""
        return NEVER

    def reached(self, seat: Seat, end: int) -> int:
        """What the run itself says."""
        return int(seat.run[STEP])

    @always_inline
    def added(self, total: float, number: float, which: int) -> float:
        """With what rounding takes kept for the next time (Neumaier 1974), once that is anything."""
        if abs(total) < LARGE:
            return total + number
        rests = self.clocks.times
        raw = total + number
        back = raw - total
        rest = (total - (raw - back)) + (number - back) + rests[RESTS + which]
        found = raw + rest
        rests[RESTS + which] = rest - (found - raw)
        return found

    @always_inline
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step, and make the measure that all bounds of this step are for."""
        seat.run[STEP] = step
        return measure(policy, seat.state, seat.run, risk)

    @always_inline
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """The leader, unless something may have happened."""
        clocks = self.clocks
        k = clocks.lists[COUNTS, LEADER]
        if clocks.lists[COUNTS, WATCHED] == 0 or clocks.lists[COUNTS, AWAKE] > 0 or step >= clocks.times[NEXT_ALARM]:
            k = choose(policy, self.bounds, seat.state, float(step), seat.run, risk, clocks, seat.choice_rng)
        return k, 1

    @always_inline
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """New clocks for those that rang or were played; a review before the next choice where bounds may not hold."""
        clocks = self.clocks
        clocks.lists[COUNTS, PLAYED] = k
        if clocks.lists[COUNTS, DUE] > 0 or k != clocks.lists[COUNTS, LEADER]:
            renew(self.bounds, seat.state, k, risk, clocks, float(step), seat.choice_rng)
            leader = clocks.lists[COUNTS, LEADER]
            if clocks.lists[COUNTS, LEAPS] == 1 and clocks.lists[COUNTS, AWAKE] > 0:
                clocks.times[NEXT_REVIEW] = min(clocks.times[NEXT_REVIEW], step + clocks.times[PATIENCE])
            if clocks.lists[COUNTS, LEAPS] == 1 and not stays(self.bounds, seat.state, leader, seat.run, clocks.rows):
                clocks.times[NEXT_REVIEW] = step
        if (
            k == clocks.lists[COUNTS, LEADER]
            and clocks.lists[COUNTS, WATCHED] == 1
            and not steady(self.bounds, seat.state, k, risk, clocks.rows)
        ):
            clocks.times[NEXT_REVIEW] = step
        if all_changed(policy, seat.run):
            forget_bounds(clocks, float(step))


@allocating
def new(size: int, bounds: object, rng: None) -> Leaping:
    """The chooser of a run."""
    clocks = new_clocks(size)
    clocks.times[PATIENCE] = FIRST_PATIENCE
    return Leaping(clocks, bounds)
