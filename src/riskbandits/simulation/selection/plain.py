"""Every arm is scored at every step: the oracle by which the other choosers are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.policies.support import play
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure


class ScoreAll(NamedTuple):
    """The chooser of the plain method, and of a GPU."""

    @always_inline
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step; the measure is made where it is needed, when arms are scored."""
        play.begin_step(seat.run, step)
        return risk

    @always_inline
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """The arm with the highest score."""
        k = play.choose(policy, seat.state, seat.run, risk, seat.choice_rng, seat.outstanding)
        return k, 1

    @always_inline
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@jitable
def new(size: int, bounds: object, rng: None) -> ScoreAll:
    """The chooser of a run."""
    return ScoreAll()
