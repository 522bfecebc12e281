"""The read-only methods of a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks
from riskbandits.learner import beliefs, choosing, summaries
from riskbandits.learner.book import Book, Name
from riskbandits.learner.decisions import NUMBER, Decision, DecisionLog
from riskbandits.learner.moves import Moves
from riskbandits.learner.summaries import Best

if TYPE_CHECKING:
    import threading

    import pandas as pd


class Readings:
    """The read-only part of a `Learner`."""

    policy: Any
    risk: Any
    _book: Book
    _decision_log: DecisionLog
    _moves: Moves
    _guard: Any
    _paused: bool
    _lock: threading.RLock

    @property
    def arms(self) -> list[Name]:
        """The arms that can be chosen."""
        with self._lock:
            return list(self._book.names)

    @property
    def decisions(self) -> int:
        """How many choices were made, here or elsewhere."""
        return int(self._book.decisions[NUMBER])

    @property
    def state(self) -> np.ndarray:
        """A copy of the policy's state, a row per arm: for methods of the policy such as `CVaRTS.feasible`."""
        with self._lock:
            return self._book.state.copy()

    def open_decisions(self) -> list[Decision]:
        """The decisions whose reward is outstanding, in the order they were made, including those of retired arms."""
        with self._lock:
            self._folded()
            return [Decision(id, arm, probability) for id, (_, arm, probability) in self._decision_log.open.items()]

    def summary(self, level: float = 0.95) -> pd.DataFrame:
        """Per arm: rewards told, rewards outstanding, sample mean and variance, risk value, share of choices.

        `valued_as` says how `value` is computed: "sample" from the rewards themselves, "Gaussian" for a Gaussian with
        their mean and variance. The latter is used where a measure such as `CVaR` needs the rewards themselves
        and the policy does not keep them. The true value lies between `low` and `high` with probability `level`
        (see `riskbandits.learner.beliefs`).
        """
        with self._lock:
            return summaries.table(
                self.policy, self.risk, self._book, bool(self._moves.entries), beliefs.check_level(level)
            )

    def best(self, level: float = 0.95) -> Best | None:
        """The arm that is most probably the best: `.arm .value .low .high .probability`.

        `.probability` is that of being the best of all arms that can be chosen; its true value lies between `.low` and
        `.high` with probability `level`. None as long as no arm has two rewards.
        """
        with self._lock:
            return summaries.best(
                self.policy, self.risk, self._book, bool(self._moves.entries), beliefs.check_level(level)
            )

    def probabilities(self, available: Any = None, trials: int = choosing.TRIALS) -> pd.DataFrame:
        """The probability that each arm is chosen next, estimated from this many trials, and its standard error."""
        import pandas as pd

        trials = checks.whole("trials", trials, most=1_000_000)
        with self._lock:
            book = self._book
            rows = choosing.rows_of(book, available, self._guard, self._paused)
            found = np.zeros(len(book.names))
            found[rows] = choosing.probabilities(self._moves, self._guard, book, rows, trials)
            errors = np.sqrt(found * (1.0 - found) / trials)
            return pd.DataFrame({"arm": list(book.names), "probability": found, "se": errors})

    def _folded(self) -> Book:
        """The book, after completing any log entry that an interrupt left unfinished."""
        self._decision_log.fold(self._book)
        return self._book
