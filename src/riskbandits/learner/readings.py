"""What can be read of a learner: nothing here changes it."""

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
    """The part of a `Learner` that answers questions."""

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
        """A copy of what the policy keeps, a row per arm: for what it says of itself, such as `CVaRTS.feasible`."""
        with self._lock:
            return self._book.state.copy()

    def open_decisions(self) -> list[Decision]:
        """The decisions that are owed an answer, in the order in which they were made, those of retired arms too."""
        with self._lock:
            self._folded()
            return [Decision(id, arm, probability) for id, (_, arm, probability) in self._decision_log.open.items()]

    def summary(self, level: float = 0.95) -> pd.DataFrame:
        """Per arm: rewards told, answers outstanding, sample mean and variance, risk value, share of choices.

        `valued_as` says what `value` is the value of: "sample" for the rewards told, "Gaussian" for a Gaussian with
        their mean and variance. The latter is all there is where a measure such as `CVaR` needs the rewards themselves
        and the policy does not keep them. Between `low` and `high` the true value lies with the probability `level`
        (`riskbandits.learner.beliefs` says how that is known).
        """
        with self._lock:
            return summaries.table(
                self.policy, self.risk, self._book, bool(self._moves.entries), beliefs.check_level(level)
            )

    def best(self, level: float = 0.95) -> Best | None:
        """The arm that is most probably the best: `.arm .value .low .high .probability`.

        `.probability` is that of being the best of all arms that can be chosen; between `.low` and `.high` its true
        value lies with the probability `level`. None as long as no arm was told two rewards.
        """
        with self._lock:
            return summaries.best(
                self.policy, self.risk, self._book, bool(self._moves.entries), beliefs.check_level(level)
            )

    def probabilities(self, available: Any = None, trials: int = choosing.TRIALS) -> pd.DataFrame:
        """With which probability each arm is chosen next, found in so many trials, and its standard error."""
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
        """The book, with all that was done also written in the log: an interrupt may have come between."""
        self._decision_log.fold(self._book)
        return self._book
