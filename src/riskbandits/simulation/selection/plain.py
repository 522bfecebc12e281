"""The plain selector: every arm is scored at every step. The oracle by which the other selectors are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.policies.support import play
from riskbandits.simulation.kernel import RunState

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure


class PlainSelector(NamedTuple):
    """The selector of the plain method, and of a GPU."""

    @always_inline
    def begin_step(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> Any:
        """Write the step; the measure is made where it is needed, when arms are scored."""
        play.begin_step(own.run, step)
        return risk

    @always_inline
    def select(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> int:
        """The arm with the highest score."""
        return play.choose(policy, own.state, own.run, risk, own.choice_rng, own.outstanding)

    @always_inline
    def update(self, policy: Policy, own: RunState, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@jitable
def new(size: int, bounds: None, pending: None, delay_rng: None) -> PlainSelector:
    """The selector of a run."""
    return PlainSelector()
