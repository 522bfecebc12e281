"""The compiled functions of a learner: one makes a decision, one records rewards.

A signal handler may raise between any two steps of Python, but never inside compiled code. So whatever belongs
together, the policy's state and the counts, is changed in one call: it happened wholly or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling import jit
from riskbandits.compiling.jit import jitable
from riskbandits.core import seeds
from riskbandits.core.errors import ScoresError
from riskbandits.core.records import classes_of
from riskbandits.learner import discounting
from riskbandits.learner.decisions import LAST_ROW, NUMBER, UNCOMMITTED
from riskbandits.learner.state import CHOSEN, OPEN, OUTSTANDING, TOLD, LearnerState
from riskbandits.numerics import history, reward_sums
from riskbandits.policies.cells import FEATURES, RUN_CELLS
from riskbandits.policies.support import contract, forgetting, naming, play
from riskbandits.policies.support.play import NO_CHOICE

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State


def choose_kernel(
    policy: Policy,
    risk: RiskMeasure,
    rng: Rng,
    state: State,
    run: Run,
    counts: np.ndarray,  # (arms, COUNTS)
    decisions: np.ndarray,  # the cells named in `decisions`
    rows: np.ndarray,  # the arms that may be chosen, in ascending order
    first_pulls: int,
    with_id: bool,
) -> int:
    """Make a decision among these rows: an arm due for a first pull, else the policy's choice of those it can judge."""
    step = decisions[NUMBER] + 1
    play.begin_step(run, step)
    row = play.due_for_first_pull(counts[:, TOLD], counts[:, OUTSTANDING], rows, first_pulls)
    if row != NO_CHOICE:
        play.note_choice(policy, state, row, run)
    else:
        judged = rows[counts[rows, TOLD] >= first_pulls]
        # The policy sees the rows that it may choose from alone: arms which cannot be chosen do not count.
        partly = judged.shape[0] < state.shape[0]
        seen = state
        if partly:
            seen = state[judged]
        k = play.choose(policy, seen, run, risk, rng, counts[judged, OUTSTANDING])
        if k == NO_CHOICE:
            return NO_CHOICE
        play.note_choice(policy, seen, k, run)
        if partly:
            for place in range(judged.shape[0]):
                state[judged[place]] = seen[place]
        row = judged[k]
    count_choice(counts, decisions, row)
    if with_id:
        counts[row, OPEN] += 1
        decisions[LAST_ROW] = row
        decisions[UNCOMMITTED] = 1
    return row


def record_kernel(
    policy: Policy,
    state: State,
    run: Run,
    counts: np.ndarray,
    sample_moments: Any,
    decisions: np.ndarray,
    row: int,  # of one reward, or NO_CHOICE
    reward: float,
    rows: np.ndarray,  # of many
    rewards: Any,
    features: np.ndarray,  # (rewards, features) of their decisions
    with_id: bool,  # they answer decisions with ids
) -> None:
    """Record one reward or many; an arm with nothing outstanding was chosen elsewhere, which is recorded first."""
    for place in range(rows.shape[0] if row == NO_CHOICE else 1):
        k, x = row, reward
        if row == NO_CHOICE:
            k, x = rows[place], rewards[place]
        if with_id:
            counts[k, OPEN] -= 1
        elif counts[k, OUTSTANDING] == counts[k, OPEN]:
            play.begin_step(run, decisions[NUMBER] + 1)
            play.note_choice(policy, state, k, run)
            count_choice(counts, decisions, k)
        counts[k, OUTSTANDING] -= 1
        counts[k, TOLD] += 1
        reward_sums.add(sample_moments, k, x)
        for j in range(features.shape[1]):
            run[FEATURES + j] = features[place, j]
        play.note_reward(policy, state, k, run, x)
    if with_id:
        decisions[UNCOMMITTED] = 1


@jitable
def count_choice(counts: np.ndarray, decisions: np.ndarray, row: int) -> None:
    """Count the choice of an arm, whose reward is then outstanding."""
    decisions[NUMBER] += 1
    counts[row, CHOSEN] += 1
    counts[row, OUTSTANDING] += 1


NONE = np.zeros(0, dtype=np.int64), np.zeros(0)  # rows and rewards where a single reward is recorded
NO_FEATURES = np.zeros((1, 0))


class CompiledPolicy:
    """A policy and a risk measure with the functions compiled for them, which change a `LearnerState`."""

    def __init__(self, policy: Any, risk: Any) -> None:
        self.policy, self.risk = policy, risk
        self.first_pulls = 1  # for the first try: an arm of which nothing is known need not be scored
        self.history_entries = contract.history_entries(policy)
        self._choose = jit.entry(choose_kernel, (*classes_of(policy), *classes_of(risk)))
        self._record = jit.entry(record_kernel, classes_of(policy))
        # Compile now, on a copy of nothing: an error then appears before anything is asked.
        state = LearnerState(
            [0], contract.new_state(policy, 1), contract.new_run(1.0, policy, 1, 1), seeds.generator(0)
        )
        with jit.explaining(f"{naming.label(policy)} with {type(risk).__name__}"):
            self.choose(state, state.all_rows, False)
            self._call_record(state, 0, 1.0, *NONE, NO_FEATURES, False)
        self.first_pulls = contract.first_pulls(policy)

    def choose(self, state: LearnerState, rows: np.ndarray, with_id: bool) -> int:
        """Make a decision among these rows, and return its row."""
        row = self._choose(
            self.policy, self.risk, state.rng, state.policy_state, state.run, state.counts, state.decisions, rows,
            self.first_pulls, with_id,
        )  # fmt: skip
        if row == NO_CHOICE:
            raise ScoresError.at(naming.label(self.policy), int(state.decisions[NUMBER]) + 1)
        return row

    def choice_frequencies(self, state: LearnerState, rows: np.ndarray, draws: int) -> np.ndarray:
        """How often each of these rows is chosen in so many simulations of the next decision."""
        trial, tally = state.copy(), np.zeros(len(state.names))
        # A function of the learner as it is, the same whenever it is asked; the stream of choices stays where it is.
        trial.rng = seeds.generator(state.rng.bit_generator.state["state"]["state"], seeds.CHANCES)
        # What forgets by itself lets a history fade at every choice; others leave it as it is, however long.
        cells = len(state.run) if forgetting.forgets(self.policy) else RUN_CELLS
        for _ in range(draws):
            tally[self.choose(trial, rows, False)] += 1.0
            trial.policy_state[:], trial.counts[:] = state.policy_state, state.counts
            trial.decisions[:] = state.decisions
            trial.run[:cells] = state.run[:cells]
        return tally[rows] / draws

    def record(
        self, state: LearnerState, row: int, reward: float, with_id: bool, features: np.ndarray = NO_FEATURES
    ) -> None:
        """Record a reward."""
        if self.history_entries:  # made beforehand: it changes nothing
            state.run = history.with_room(state.policy_state, row, state.run, self.history_entries + 1)
        self._call_record(state, row, reward, *NONE, features, with_id)

    def record_many(
        self,
        state: LearnerState,
        rows: Sequence[int],
        rewards: Sequence[float],
        with_id: bool,
        features: np.ndarray = NO_FEATURES,
    ) -> None:
        """Record rewards in their order, in one compiled call."""
        places = np.array(rows, dtype=np.int64)
        if self.history_entries:
            state.run = history.with_room_for_all(state.policy_state, places, state.run, self.history_entries)
        self._call_record(state, NO_CHOICE, 0.0, places, np.array(rewards, dtype=np.float64), features, with_id)

    def record_late(
        self,
        state: LearnerState,
        arms: Sequence[Any],
        rewards: Sequence[float],
        with_id: bool,
        features: np.ndarray = NO_FEATURES,
    ) -> LearnerState:
        """The state after these rewards, some of them of retired arms."""
        retired = [arm for arm in dict.fromkeys(arms) if arm not in state.rows]

        def tell(made: LearnerState) -> None:
            self.record_many(made, [made.rows[arm] for arm in arms], rewards, with_id, features)

        return self._with_retired(state, retired, tell)

    def discounted(self, state: LearnerState, factor: Any) -> LearnerState:
        """The state with the evidence on all arms discounted, on retired ones too: they may come back."""
        return self._with_retired(
            state,
            list(state.retired),
            lambda made: discounting.discount(self.policy, made.policy_state, made.run, factor),
        )

    def _with_retired(
        self, state: LearnerState, retired: Sequence[Any], change: Callable[[LearnerState], None]
    ) -> LearnerState:
        """The state after a change that needs these retired arms as rows for the moment."""
        made = state.copy()
        made.rng = state.rng
        for arm in retired:
            made = made.with_arm(arm)
        change(made)
        kept = dict(state.retired)
        for arm in retired:
            made = made.without_arm(made.rows[arm], bool(self.history_entries))
            kept[arm] = made.retired[arm]
        made.long_retired = state.long_retired
        made.set_retired(kept)  # in the order in which they were
        return made

    def _call_record(
        self,
        state: LearnerState,
        row: int,
        reward: float,
        rows: np.ndarray,
        rewards: np.ndarray,
        features: np.ndarray,
        with_id: bool,
    ) -> None:
        self._record(
            self.policy, state.policy_state, state.run, state.counts, state.moments, state.decisions, row, reward, rows,
            rewards, features, with_id,
        )  # fmt: skip
