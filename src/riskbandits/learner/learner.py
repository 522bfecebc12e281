"""The learner: the policies and steps of a simulation, one at a time, with answers that may be late."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, compiled, seeds
from riskbandits.core.errors import ParameterError, ScoresError, must_be
from riskbandits.core.records import check_classes, checked, classes_of, is_record
from riskbandits.learner import answers, saved, steps, valuing
from riskbandits.learner.book import Book, Name, check_names
from riskbandits.learner.steps import CHOSEN, OUTSTANDING, TOLD
from riskbandits.numerics import history
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.policies.support import contract, naming, play, trial
from riskbandits.risk.contract import RISK_METHODS

if TYPE_CHECKING:
    import pandas as pd

NONE = np.zeros(0, dtype=np.int64), np.zeros(0)  # rows and rewards where one reward is told


class Learner:
    """A policy in use: `ask` which arm to play, `tell` what it paid.

    Several asks may be outstanding before rewards come back; an arm asked for and not yet told counts as
    tried. Rewards may also be told for choices made elsewhere. All methods are safe to call from several threads, and
    a call that is interrupted (by Ctrl-C, or whatever a signal handler raises) has happened wholly or not at all.

    `horizon=None` means that nobody knows how many decisions there will be. The same seed and the same
    sequence of calls give the same choices.

    >>> from riskbandits import MVTS, MeanVariance
    >>> learner = Learner(MVTS(), arms=["bond", "stock"], risk=MeanVariance(rho=1.0), seed=0)
    >>> learner.ask(), learner.ask()
    ('bond', 'stock')
    >>> learner.tell(["bond", "stock"], [0.01, -0.2])
    >>> learner.summary()[["arm", "told", "outstanding", "mean"]].values.tolist()
    [['bond', 1, 0, 0.01], ['stock', 1, 0, -0.2]]
    """

    def __init__(
        self,
        policy: Any,
        arms: Iterable[Name] | int,
        risk: Any,
        horizon: int | None = None,
        seed: int | np.random.Generator = 0,
    ) -> None:
        self.policy = contract.check_policy_record(policy)
        self.risk = checked(risk, "risk measure", RISK_METHODS)
        if horizon is not None:
            horizon = checks.whole("The horizon", horizon)
        contract.check_serves(self.policy, self.risk, None, horizon_known=horizon is not None)
        trial.try_policy(self.policy, self.risk)
        self.horizon = horizon
        self._rng = _generator(seed)
        names_of_arms = check_names(arms)
        self._book = Book(names_of_arms, contract.new_state(self.policy, len(names_of_arms)))
        # A history grows as rewards come: see `tell`.
        self._run = contract.new_run(math.inf if horizon is None else horizon, self.policy)
        self._lock = threading.RLock()
        self._compile()

    def _compile(self) -> None:
        policy_classes = classes_of(self.policy)
        self._first_pulls = contract.first_pulls(self.policy)
        self._entries = contract.history_entries(self.policy)
        self._ask_step = compiled.entry(steps.ask_step, (*policy_classes, *classes_of(self.risk)))
        self._tell_step = compiled.entry(steps.tell_step, policy_classes)
        # Compile now, on a copy of nothing: an error then appears before anything is asked.
        book = Book([0], contract.new_state(self.policy, 1))
        run = contract.new_run(1.0, self.policy, 1, 1)
        with compiled.explaining(f"{naming.label(self.policy)} with {type(self.risk).__name__}"):
            self._decide(book, run, seeds.generator(0), book.all_rows, 1)
            self._book_rewards(book, run, 0, 1.0, *NONE)

    @property
    def arms(self) -> list[Name]:
        """The arms that can be chosen."""
        with self._lock:
            return list(self._book.names)

    @property
    def decisions(self) -> int:
        """How many choices were made, here or elsewhere."""
        return int(self._book.decisions[0])

    @property
    def state(self) -> np.ndarray:
        """A copy of what the policy keeps, a row per arm: for what it says of itself, such as `CVaRTS.feasible`."""
        with self._lock:
            return self._book.state.copy()

    def ask(self, available: Iterable[Name] | None = None) -> Name:
        """The arm to play now. `available` limits the choice to these arms, this time."""
        with self._lock:
            book = self._book
            if not book.names:
                raise ParameterError("There is no arm to choose: all were retired.")
            rows = book.all_rows if available is None else book.rows_of(available)
            row = self._decide(book, self._run, self._rng, rows, self._first_pulls)
            if row == play.NO_CHOICE:
                raise ScoresError.at(naming.label(self.policy), self.decisions + 1)
            return book.names[row]

    def tell(self, arm: Any, reward: Any) -> None:
        """Book a reward of an arm, or several given as two sequences of equal length: all or, on an error, none."""
        with self._lock:
            book = self._book
            if answers.is_one(arm):
                row, number = book.row(arm), answers.checked(self.policy, arm, reward)
                if self._entries:  # made beforehand: it changes nothing
                    self._run = history.with_room(book.state, row, self._run, self._entries + 1)
                self._book_rewards(book, self._run, row, number, *NONE)
            else:
                rows, rewards = answers.many(self.policy, book, arm, reward)
                if self._entries:
                    self._run = history.with_room_for_all(book.state, rows, self._run, self._entries)
                self._book_rewards(book, self._run, play.NO_CHOICE, 0.0, rows, rewards)

    def forget(self, arm: Name) -> None:
        """Give up waiting for one outstanding answer of an arm."""
        with self._lock:
            self._book.forget(self._book.row(arm))

    def add(self, arm: Name) -> None:
        """Take in a new arm."""
        with self._lock:
            self._book = self._book.with_arm(arm)

    def retire(self, arm: Name) -> None:
        """Never choose this arm again; what is outstanding for it is dropped.

        The last 100 arms retired stay in `summary` and in the file, and their names are not given to new arms; of those
        before them only sums are kept.
        """
        with self._lock:
            row = self._book.row(arm)
            self._book = self._book.without_arm(row, self._value_of_history(row))

    def summary(self) -> pd.DataFrame:
        """Per arm: rewards told, answers outstanding, sample mean and variance, risk value, share of choices.

        `valued_as` says what `value` is the value of: "sample" for the rewards told, "Gaussian" for a Gaussian with
        their mean and variance. The latter is all there is where a measure such as `CVaR` needs the rewards themselves
        and the policy does not keep them.
        """
        import pandas as pd

        with self._lock:
            book = self._book
            lines = [
                (name, False, book.counts[k].tolist(), book.moments[k].tolist(), self._value_of_history(k))
                for k, name in enumerate(book.names)
            ]
            lines += [
                (name, True, line["counts"], line["moments"], line.get("value")) for name, line in book.retired.items()
            ]
            return pd.DataFrame([self._summary_row(*line) for line in lines])

    def _summary_row(
        self, name: Name, retired: bool, counts: list[int], row: list[float], of_history: float | None
    ) -> dict[str, Any]:
        told = counts[TOLD]
        mean = row[MEAN] if told else math.nan
        variance = row[SQUARES] / row[COUNT] if told else math.nan
        of_moments = valuing.value_of_moments(self.policy, self.risk, mean, variance) if told else (math.nan, "")
        value, valued_as = of_moments if of_history is None else (of_history, valuing.SAMPLE)
        return {
            "arm": name,
            "told": told,
            "outstanding": counts[OUTSTANDING],
            "mean": mean,
            "variance": variance,
            "value": value,
            "valued_as": valued_as,
            "share": counts[CHOSEN] / self.decisions if self.decisions else math.nan,
            "retired": retired,
        }

    def _value_of_history(self, row: int) -> float | None:
        told, mean = int(self._book.counts[row, TOLD]), float(self._book.moments[row, MEAN])
        return valuing.value_of_history(self.policy, self.risk, self._book.state, row, self._run, told, mean)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a small JSON file, at once or not at all. Outstanding asks are part of it."""
        path = checks.path("The file of a learner", path)
        with self._lock:
            saved.write(path, self)
        return Path(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], policy: Any = None, risk: Any = None) -> Learner:
        """Go on from a saved file: the choices continue exactly as if it had never stopped.

        A policy or risk measure of your own is passed here as a class: a file never makes Python import anything.
        """
        path = checks.path("The file of a learner", path)
        for own in (policy, risk):
            if own is not None and not is_record(own):
                check_classes([own])
        return saved.read(path, cls, policy, risk)

    def _decide(self, book: Book, run: np.ndarray, rng: np.random.Generator, rows: np.ndarray, first_pulls: int) -> int:
        return self._ask_step(
            self.policy, self.risk, rng, book.state, run, book.counts, book.decisions, rows, first_pulls
        )

    def _book_rewards(
        self, book: Book, run: np.ndarray, row: int, reward: float, rows: np.ndarray, rewards: np.ndarray
    ) -> None:
        self._tell_step(
            self.policy, book.state, run, book.counts, book.moments, book.decisions, row, reward, rows, rewards
        )

    def __repr__(self) -> str:
        return f"<Learner: {self.policy} for {self.risk}, {len(self._book.names)} arms, {self.decisions} decisions>"


def _generator(seed: Any) -> np.random.Generator:
    if isinstance(seed, np.random.Generator):
        if not isinstance(seed.bit_generator, np.random.PCG64):
            raise must_be("The seed", "a whole number >= 0 or a Generator on PCG64", seed)
        return seed
    return seeds.generator(seeds.check_seed(seed))
