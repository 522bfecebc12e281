"""Delayed rewards: how many decisions are made between a choice and its reward."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.core.checks import array, flag, number, whole
from riskbandits.core.errors import ParameterError, must_be, shown
from riskbandits.core.records import Limits, Vector, cast

FIXED, GEOMETRIC, RECORDED = KINDS = ("fixed", "geometric", "recorded")
LONGEST_EXPONENTIAL = 45.0  # NumPy draws no longer one: the last layer of its ziggurat begins at 7.7, and 53 ln 2 < 37
MOST_WAITING = 2**28  # decisions
LONGEST = 2**53  # decisions; whole numbers up to here are exact in a float

Steps = Annotated[Any, Vector(Limits(low=0.0, high=float(LONGEST)))]


class Delay(NamedTuple):
    """The delay of rewards, in decisions: with a delay of 3, three more decisions are made before the reward arrives.

    Made by one of

        Delay.fixed(100)             always the same
        Delay.geometric(mean=100)    at each step the reward arrives with probability 1/(1 + mean)
        Delay.recorded([0, 3, 250])  resampled from observed delays

    A delay of 0 means that the reward arrives before the next decision, as without delays. A reward due after the last
    step never arrives. Rewards due at the same time are delivered in the order of their decisions. With `in_order`
    rewards are delivered first in, first out: each waits for all earlier ones; otherwise upon arrival.

    Outstanding rewards count as in a `Learner`: among equal scores the arm with fewer outstanding rewards is played,
    and arms without any reward yet are tried in turn until one arrives.

    >>> Delay.geometric(mean=100), Delay.fixed(3).mean
    (Delay.geometric(100), 3.0)
    >>> Delay.fixed(3).arrivals(4, np.random.default_rng(1)).tolist()
    [4, 5, 6, 7]
    """

    kind: str
    steps: Steps
    in_order: bool = False

    @classmethod
    def fixed(cls, steps: int, in_order: bool = False) -> Delay:
        """Every reward arrives this many decisions late."""
        late = whole("The steps of Delay.fixed", steps, least=0, most=LONGEST)
        return cls(FIXED, np.array([float(late)]), flag("in_order", in_order))

    @classmethod
    def geometric(cls, mean: float, in_order: bool = False) -> Delay:
        """A geometric number of decisions, 0 included, with that mean."""
        late = number(
            "The mean of Delay.geometric", mean, f"a number > 0 and <= {LONGEST}", lambda m: 0.0 < m <= LONGEST
        )
        return cls(GEOMETRIC, np.array([late]), flag("in_order", in_order))

    @classmethod
    def recorded(cls, steps: Iterable[int], in_order: bool = False) -> Delay:
        """Observed delays, from which the delay of each decision is drawn at random."""
        what = f"a non-empty list of whole numbers from 0 to {LONGEST}"
        seen = array("The steps of Delay.recorded", what, steps, (1,))
        if len(seen) == 0 or not all(0.0 <= one <= LONGEST and one == np.floor(one) for one in seen.tolist()):
            raise must_be("The steps of Delay.recorded", what, steps)
        return cls(RECORDED, seen, flag("in_order", in_order))

    @property
    def mean(self) -> float:
        """The mean delay."""
        return float(np.mean(self.steps))

    def arrivals(self, decisions: int, rng: np.random.Generator) -> np.ndarray:
        """Per decision, the number of the decision after which its reward is delivered."""
        waits = np.empty(decisions)
        draw_waits(waits, decisions, *self.drawn_from(), rng)
        due: np.ndarray = np.arange(1, decisions + 1) + waits.astype(np.int64)
        return np.maximum.accumulate(due, out=due) if self.in_order else due

    def drawn_from(self) -> tuple[np.ndarray, float]:
        """What `draw_wait` takes: the delays to choose from, and the scale of exponential ones (0: they are not)."""
        # The whole part of an exponential number is geometric.
        return self.steps, float(1.0 / np.log1p(1.0 / self.steps[0])) if self.kind == GEOMETRIC else 0.0

    def longest(self, decisions: int) -> int:
        """No reward that is delivered in a run of so many decisions has a longer delay."""
        if self.kind == GEOMETRIC:
            return int(min(decisions - 1, LONGEST_EXPONENTIAL * self.drawn_from()[1]))
        return int(max((one for one in self.steps.tolist() if one < decisions), default=0))

    def places(self, decisions: int) -> int:
        """How many pending rewards such a run must have room for: a power of two, more than the longest delay."""
        return 1 << self.longest(decisions).bit_length()

    def invalid(self) -> tuple[str, str, object] | None:
        """The fields of a delay constructed directly must be consistent."""
        if self.kind not in KINDS:
            return ("The 'kind' parameter of Delay", f"one of {', '.join(KINDS)}", self.kind)
        if self.kind != RECORDED and len(self.steps) != 1:
            return ("The 'steps' parameter of Delay", f"one number where it is {self.kind}", self.steps.tolist())
        if self.kind != GEOMETRIC and not (self.steps == np.floor(self.steps)).all():
            return ("The 'steps' parameter of Delay", "whole numbers of steps", self.steps.tolist())
        if self.kind == GEOMETRIC and self.steps[0] == 0.0:
            return ("The 'steps' parameter of Delay", "a mean > 0 where it is geometric", 0.0)
        return None

    def __repr__(self) -> str:
        numbers = [f"{one:g}" if one < 1e6 else repr(one) for one in np.asarray(self.steps).tolist()]
        steps = numbers[0] if self.kind != RECORDED else f"[{', '.join(numbers)}]"
        return f"Delay.{self.kind}({steps}{', in_order=True' if self.in_order else ''})"


@always_inline
def draw_wait(steps: Any, scale: float, rng: Any) -> float:
    """Draw a delay, of which only the whole part counts."""
    if scale > 0.0:
        return scale * rng.standard_exponential()
    if steps.shape[0] == 1:
        return steps[0]
    return steps[min(int(steps.shape[0] * rng.random()), steps.shape[0] - 1)]  # the product may be rounded up


@jitable
def draw_waits(waits: Any, count: int, steps: Any, scale: float, rng: Any) -> None:
    """Draw so many."""
    for place in range(count):
        waits[place] = draw_wait(steps, scale, rng)


def check_delay(delay: Any, horizon: int) -> Delay | None:
    """Return a delay, cast and checked against the number of steps, or raise."""
    if delay is None:
        return None
    if not isinstance(delay, Delay):
        raise must_be("delay", "a Delay such as rb.Delay.fixed(100), or None", delay)
    delay = cast(delay)
    least = float(np.min(delay.steps))  # of those seen, or the mean
    if least >= horizon:
        what = "mean delay" if delay.kind == GEOMETRIC else "shortest delay"
        raise ParameterError(
            f"The {what} must be shorter than the horizon, {horizon} steps, or nothing would be learned. "
            f"Got {shown(delay)} instead."
        )
    if delay.longest(horizon) > MOST_WAITING:
        raise ParameterError(
            f"Delays within the horizon must be at most {MOST_WAITING} decisions, or their rewards would not fit "
            f"into memory. Got {shown(delay)} instead."
        )
    return delay
