"""The moves of a learner's game: one decision, one reward or many, late ones of retired arms too, made in a book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core import seeds
from riskbandits.core.errors import ScoresError
from riskbandits.core.records import classes_of
from riskbandits.learner import fading, steps
from riskbandits.learner.book import Book
from riskbandits.learner.decisions import NUMBER
from riskbandits.numerics import history
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract, forgetting, naming, play

NONE = np.zeros(0, dtype=np.int64), np.zeros(0)  # rows and rewards where one reward is told


class Moves:
    """What a policy does for a risk measure, compiled."""

    def __init__(self, policy: Any, risk: Any) -> None:
        self.policy, self.risk = policy, risk
        self.first_pulls = 1  # for the first try: an arm of which nothing is known need not be scored
        self.entries = contract.history_entries(policy)
        self._ask_step = jit.entry(steps.ask_step, (*classes_of(policy), *classes_of(risk)))
        self._tell_step = jit.entry(steps.tell_step, classes_of(policy))
        # Compile now, on a copy of nothing: an error then appears before anything is asked.
        book = Book([0], contract.new_state(policy, 1), contract.new_run(1.0, policy, 1, 1), seeds.generator(0))
        with jit.explaining(f"{naming.label(policy)} with {type(risk).__name__}"):
            self.choose(book, book.all_rows, False)
            self._tell(book, 0, 1.0, *NONE, False)
        self.first_pulls = contract.first_pulls(policy)

    def choose(self, book: Book, rows: np.ndarray, with_id: bool) -> int:
        """The row chosen among these, the choice booked."""
        row = self._ask_step(
            self.policy, self.risk, book.rng, book.state, book.run, book.counts, book.decisions, rows, self.first_pulls,
            with_id,
        )  # fmt: skip
        if row == play.NO_CHOICE:
            raise ScoresError.at(naming.label(self.policy), int(book.decisions[NUMBER]) + 1)
        return row

    def chances(self, book: Book, rows: np.ndarray, draws: int) -> np.ndarray:
        """How often each of these rows is chosen in so many trials of the next decision, of which nothing remains."""
        trial, tally = book.copy(), np.zeros(len(book.names))
        # A function of the learner as it is, the same whenever it is asked; the stream of choices stays where it is.
        trial.rng = seeds.generator(book.rng.bit_generator.state["state"]["state"], seeds.CHANCES)
        # What forgets by itself lets a history fade at every choice; others leave it as it is, however long.
        cells = len(book.run) if forgetting.forgets(self.policy) else run_cells.RUN_CELLS
        for _ in range(draws):
            tally[self.choose(trial, rows, False)] += 1.0
            trial.state[:], trial.counts[:], trial.decisions[:] = book.state, book.counts, book.decisions
            trial.run[:cells] = book.run[:cells]
        return tally[rows] / draws

    def tell(self, book: Book, row: int, reward: float, with_id: bool) -> None:
        """Book a reward."""
        if self.entries:  # made beforehand: it changes nothing
            book.run = history.with_room(book.state, row, book.run, self.entries + 1)
        self._tell(book, row, reward, *NONE, with_id)

    def tell_many(self, book: Book, rows: Sequence[int], rewards: Sequence[float], with_id: bool) -> None:
        """Book rewards in their order, all in one step."""
        places = np.array(rows, dtype=np.int64)
        if self.entries:
            book.run = history.with_room_for_all(book.state, places, book.run, self.entries)
        self._tell(book, play.NO_CHOICE, 0.0, places, np.array(rewards, dtype=np.float64), with_id)

    def told_late(self, book: Book, arms: Sequence[Any], rewards: Sequence[float], with_id: bool) -> Book:
        """The book after these rewards, some of them of retired arms."""
        retired = [arm for arm in dict.fromkeys(arms) if arm not in book.rows]

        def tell(made: Book) -> None:
            self.tell_many(made, [made.rows[arm] for arm in arms], rewards, with_id)

        return self._with_retired(book, retired, tell)

    def faded(self, book: Book, factor: Any) -> Book:
        """The book in which all that is known counts for less, of retired arms too: they may come back."""
        known = [arm for arm, line in book.retired.items() if line.state is not None]
        return self._with_retired(book, known, lambda made: fading.let_fade(self.policy, made.state, made.run, factor))

    def _with_retired(self, book: Book, retired: Sequence[Any], change: Callable[[Book], None]) -> Book:
        """The book after a change for which these retired arms are there for the moment."""
        made = book.copy()
        made.rng = book.rng
        for arm in retired:
            made = made.with_arm(arm)
        change(made)
        lines = dict(book.retired)
        for arm in retired:
            made = made.without_arm(made.rows[arm], bool(self.entries))
            lines[arm] = made.retired[arm]
        made.long_retired = book.long_retired
        made.retire(lines)  # in the order in which they were
        return made

    def _tell(self, book: Book, row: int, reward: float, rows: np.ndarray, rewards: np.ndarray, with_id: bool) -> None:
        self._tell_step(
            self.policy, book.state, book.run, book.counts, book.moments, book.decisions, row, reward, rows, rewards,
            with_id,
        )  # fmt: skip
