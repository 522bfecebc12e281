"""The chooser that samples only the arms that can matter: the distribution of a run is that of `ScoreAll`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds.contract import steady
from riskbandits.compiling.jit import allocating, always_inline
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.contract import all_changed, measure
from riskbandits.simulation.kernel import Seat
from riskbandits.simulation.selection.alarms import (
    AWAKE,
    COUNTS,
    DUE,
    LEADER,
    NEXT_ALARM,
    NEXT_REVIEW,
    WATCHED,
    Clocks,
    new_clocks,
)
from riskbandits.simulation.selection.lazy_choice import choose
from riskbandits.simulation.selection.rebalancing import forget_bounds, renew, review

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure


class Lazy(NamedTuple):
    """Arms sleep until their clocks ring, and the leader is played unless it might dip."""

    clocks: Clocks
    bounds: Any  # the policy's own, for this risk measure

    @always_inline
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step, and make the measure that all bounds of this step are for."""
        seat.run[STEP] = step
        return measure(policy, seat.state, seat.run, risk)

    @always_inline
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """The leader, unless something may have happened."""
        clocks = self.clocks
        if step > clocks.times[NEXT_REVIEW]:
            review(self.bounds, seat.state, risk, clocks, step - 1.0, seat.choice_rng)
        k = clocks.lists[COUNTS, LEADER]
        if clocks.lists[COUNTS, WATCHED] == 0 or clocks.lists[COUNTS, AWAKE] > 0 or step >= clocks.times[NEXT_ALARM]:
            k = choose(policy, self.bounds, seat.state, float(step), seat.run, risk, clocks, seat.choice_rng)
        return k, 1

    @always_inline
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """New clocks for those that rang or were played; a review before the next choice where bounds may not hold."""
        clocks = self.clocks
        if clocks.lists[COUNTS, DUE] > 0 or k != clocks.lists[COUNTS, LEADER]:
            renew(self.bounds, seat.state, k, risk, clocks, float(step), seat.choice_rng)
        if (
            k == clocks.lists[COUNTS, LEADER]
            and clocks.lists[COUNTS, WATCHED] == 1
            and not steady(self.bounds, seat.state, k, risk, clocks.rows)
        ):
            clocks.times[NEXT_REVIEW] = step
        if all_changed(policy, seat.run):
            forget_bounds(clocks, float(step))


@allocating
def new(size: int, bounds: object, rng: None) -> Lazy:
    """The chooser of a run."""
    return Lazy(new_clocks(size), bounds)
