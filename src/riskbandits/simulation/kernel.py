"""The one loop: a run of a policy, step by step, with its running sums at the checkpoints.

Which arm is played at a step is left to a chooser (`choosers/`), a record with these methods:

    begin(policy, seat, risk, step) -> risk     before every step: writes what the policy may know of it, and gives the
                                                measure that the step is chosen by
    choose(policy, seat, risk, step) -> k, h    the arm to play (NO_CHOICE: none), and for how many steps, this one
                                                included, that is certain; it may be asked again before they are over
    learnt(policy, seat, risk, k, step)         after every step, when the reward of arm k has been told
    tell(policy, seat, k, reward, step)         the reward of arm k, to be booked now or when it is due (default: now)

A chooser that *leaps* has the methods of `leaps` as well: the rewards of many steps are then drawn at once.

The plain method, the methods that leave out arms, and a thread on a GPU all play by this loop; nowhere else are steps
counted, rewards drawn or sums booked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import draw_next
from riskbandits.compiling.jit import always_inline, jitable, optional_method
from riskbandits.policies.support.play import NO_CHOICE, note_choice, note_reward
from riskbandits.simulation.leaps import added, leap, pauses, reached, steps_between_looks

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Run, State

FINISHED, STOPPED, ALL_SCORES_NAN = 0, 1, 2

# Columns of the running sums. Rewards and means are taken less the best arm's mean: every regret is
# invariant, and sums of raw numbers would lose the switching term when means are large.
REWARD, REWARD_SQUARED, GAP, MEAN, MEAN_SQUARED, BEST_ARM = range(6)
SUMS = 6

# Columns of the facts about each arm.
FACT_GAP, FACT_MEAN, FACT_BEST = range(3)

# How many scores may pass before the loop looks at the stop flag and reports progress.
SCORES_BETWEEN_LOOKS = 100_000


def _tell(chooser: Any, policy: Policy, seat: Any, k: int, reward: float, step: int) -> None:
    note_reward(policy, seat.state, k, seat.run, reward)


tell = optional_method("tell", _tell, inline=True)


class Game(NamedTuple):
    """What all replications of a job have in common. Facts belong to a piece of the run; there may be only one."""

    policy: Any
    risk: Any
    arms: Any
    facts: Any  # (pieces, arms, 3): gap, mean less the best arm's, whether the gap is 0
    best_means: Any  # (pieces,)
    ends: Any  # (pieces,) the last step of each piece
    first_pulls: int
    checkpoints: Any


class Seat(NamedTuple):
    """One replication: all that it remembers from step to step, and the sums that it leaves behind."""

    state: Any
    run: Any
    memory: Any  # (arms, MEMORY_CELLS) what arms remember of the rewards that they paid
    outstanding: Any  # (arms,) zeros where every reward is told at once
    choice_rng: Any
    reward_rng: Any
    sums: Any  # (checkpoints, SUMS)
    pulls: Any  # (arms,)
    booked: Any  # (arms,) those of the pulls that were booked with the facts of earlier pieces
    reward_sums: Any  # (arms,), less the best arm's mean


def runner(new_chooser: Callable[..., Any]) -> Callable[..., int]:
    """The function that plays whole runs with choosers made by `new_chooser(arms, bounds, rng)`.

    The generator is for what a chooser draws for itself; runs in which nothing is drawn have None.

    It is what Python calls compiled, and takes everything one by one: numba would type nested records anew at every
    call, which takes longer than a short run.
    """

    def play_run(
        policy: Policy,
        bounds: object,
        risk: RiskMeasure,
        arms: Arms,
        facts: Any,
        best_means: Any,
        ends: Any,
        first_pulls: int,
        checkpoints: Any,
        state: State,
        run: Run,
        memory: np.ndarray,
        outstanding: Any,
        choice_rng: Any,
        reward_rng: Any,
        chooser_rng: Any,
        sums: Any,
        pulls: Any,
        reward_sums: Any,
        progress: Any,  # out: progress[0] is the number of steps done
        stop: Any,  # stop[0] != 0 asks the run to end
    ) -> int:
        """Play until the last checkpoint; return how it ended."""
        game = Game(policy, risk, arms, facts, best_means, ends, first_pulls, checkpoints)
        booked = np.zeros(pulls.shape[0], dtype=np.int64)
        seat = Seat(state, run, memory, outstanding, choice_rng, reward_rng, sums, pulls, booked, reward_sums)
        chooser = new_chooser(state.shape[0], bounds, chooser_rng)
        horizon = checkpoints[-1]
        look_every = steps_between_looks(chooser, max(1, SCORES_BETWEEN_LOOKS // state.shape[0]))
        step = 0
        while step < horizon:
            end = min(horizon, step + look_every)
            ending = play_part(game, seat, chooser, step, end)
            if ending != FINISHED:
                return ending
            last = reached(chooser, seat, end)
            progress[0] += last - step
            step = last
            if stop[0] != 0:
                return STOPPED
        return FINISHED

    return play_run


@always_inline
def play_part(game: Game, seat: Seat, chooser: Any, step: int, end: int) -> int:
    """Play the steps after `step` up to and with `end`; all that a run remembers between parts is in the records.

    A chooser that leaps may pause before.
    """
    policy = game.policy
    checkpoints = game.checkpoints
    sums = seat.sums
    forced = seat.state.shape[0] * game.first_pulls
    k = 0
    certain = 0  # steps for which arm k will be played
    piece = 0
    for c in range(checkpoints.shape[0]):
        if checkpoints[c] <= step:
            continue
        if c > 0 and checkpoints[c - 1] == step:
            sums[c, REWARD] = sums[c - 1, REWARD]
            sums[c, REWARD_SQUARED] = sums[c - 1, REWARD_SQUARED]
        total = sums[c, REWARD]
        total_squared = sums[c, REWARD_SQUARED]
        while step < min(checkpoints[c], end):
            while game.ends[piece] <= step:
                piece += 1
            best_mean = game.best_means[piece]
            last = min(checkpoints[c], end, game.ends[piece])
            while step < last:
                if pauses(chooser):
                    end = step
                    break
                if step >= forced:
                    count, more, squares = leap(chooser, game, seat, step, last, best_mean)
                    if count > 0:
                        step += count
                        total = added(chooser, total, more, REWARD)
                        total_squared = added(chooser, total_squared, squares, REWARD_SQUARED)
                        continue
                step += 1
                risk = chooser.begin(policy, seat, game.risk, step)
                if step <= forced:
                    k = (step - 1) // game.first_pulls
                elif certain > 0:
                    certain -= 1
                else:
                    k, steps = chooser.choose(policy, seat, risk, step)
                    if k == NO_CHOICE:
                        return ALL_SCORES_NAN
                    certain = steps - 1
                k = max(k, 0)  # it is; LLVM then need not ask at every array whether k counts from its end
                note_choice(policy, seat.state, k, seat.run)
                reward = draw_next(game.arms, k, seat.reward_rng, seat.memory)
                tell(chooser, policy, seat, k, reward, step)
                chooser.learnt(policy, seat, risk, k, step)
                centred = reward - best_mean
                total = added(chooser, total, centred, REWARD)
                total_squared = added(chooser, total_squared, centred * centred, REWARD_SQUARED)
                seat.pulls[k] += 1
                seat.reward_sums[k] += centred
            if step == game.ends[piece] and piece + 1 < game.ends.shape[0]:
                book_pulls(seat, game.facts[piece], c, checkpoints.shape[0])
                for arm in range(seat.pulls.shape[0]):
                    seat.booked[arm] = seat.pulls[arm]
        sums[c, REWARD] = total
        sums[c, REWARD_SQUARED] = total_squared
        if step < checkpoints[c]:
            break
        book_pulls(seat, game.facts[piece], c, c + 1)
        if step == end:
            break
    return FINISHED


@jitable
def book_pulls(seat: Seat, facts: Any, first: int, last: int) -> None:
    """Add what follows from the pulls not yet booked to checkpoints: gaps, means, their squares, best-arm pulls."""
    sums = seat.sums
    for c in range(first, last):
        for k in range(seat.pulls.shape[0]):
            pulls = seat.pulls[k] - seat.booked[k]
            sums[c, GAP] += pulls * facts[k, FACT_GAP]
            sums[c, MEAN] += pulls * facts[k, FACT_MEAN]
            sums[c, MEAN_SQUARED] += pulls * facts[k, FACT_MEAN] * facts[k, FACT_MEAN]
            sums[c, BEST_ARM] += pulls * facts[k, FACT_BEST]
