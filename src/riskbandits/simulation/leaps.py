"""Leaps: the rewards of many steps at which one arm is certain to be played, drawn at once.

A chooser that leaps has these methods beside those that `kernel` names; for others nothing of this is compiled.

    leap(game, seat, step, last, best_mean) -> h, sum, squares   asked before every step but the forced ones: plays the
                                                 arm that is certain to be played at the h steps after `step`, of which
                                                 none is after `last`, and gives the sums of what its rewards exceed
                                                 `best_mean` by and of the squares; h = 0: the next step is walked
    pauses() -> bool                             whether to look at the stop flag now: steps are no measure of time
                                                 where a million of them take as long as one
    steps_between_looks(walking) -> int          how many steps may pass otherwise
    reached(seat, end) -> int                    the last step that was played, where that is not `end`
    added(total, number, which) -> total         a sum of rewards, or of their squares, with a number added
"""

from __future__ import annotations

from typing import Any

from riskbandits.arms.contract import draw_many
from riskbandits.compiling.jit import jitable, optional_method
from riskbandits.policies.cells import STEP
from riskbandits.policies.support.play import note_rewards


def _leap(chooser: Any, game: Any, seat: Any, step: int, last: int, best_mean: float) -> tuple[int, float, float]:
    return 0, 0.0, 0.0


def _pauses(chooser: Any) -> bool:
    return False


def _steps_between_looks(chooser: Any, walking: int) -> int:
    return walking


def _reached(chooser: Any, seat: Any, end: int) -> int:
    return end


def _added(chooser: Any, total: float, number: float, which: int) -> float:
    return total + number


leap = optional_method("leap", _leap, inline=True)
pauses = optional_method("pauses", _pauses, inline=True)
steps_between_looks = optional_method("steps_between_looks", _steps_between_looks)
reached = optional_method("reached", _reached)
added = optional_method("added", _added, inline=True)


@jitable
def draw_leap(game: Any, seat: Any, k: int, count: int, step: int, best_mean: float) -> tuple[float, float]:
    """Draw that many rewards of arm k and tell the policy; the sums of what they exceed `best_mean` by and its squares.

    `step` is the last of the steps.
    """
    mean, squares = draw_many(game.arms, k, float(count), seat.reward_rng)
    seat.run[STEP] = step
    note_rewards(game.policy, seat.state, k, seat.run, count, mean, squares)
    centred = mean - best_mean
    more = count * centred
    seat.pulls[k] += count
    seat.reward_sums[k] += more
    return more, squares + more * centred
