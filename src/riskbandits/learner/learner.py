"""The learner: the policies and steps of a simulation, one at a time, with answers that may be late."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import checks, compiled, seeds
from riskbandits.checks import as_number
from riskbandits.errors import ParameterError, ScoresError, must_be, shown
from riskbandits.learner import saved, valuing
from riskbandits.learner.book import CHOSEN, OUTSTANDING, TOLD, Book, Name, check_names
from riskbandits.policies import contract, names, play, trial
from riskbandits.records import check_classes, checked, classes_of, is_record
from riskbandits.risk.contract import RISK_METHODS
from riskbandits.statistics import history
from riskbandits.statistics.moments import COUNT, MEAN, SQUARES

if TYPE_CHECKING:
    import pandas as pd


class Learner:
    """A policy in use: `ask` which arm to play, `tell` what it paid.

    Several asks may be outstanding before rewards come back; an arm asked for and not yet told counts as
    tried. Rewards may also be told for choices made elsewhere. All methods are safe to call from several threads.

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
        self._book = Book(check_names(arms))
        self._state = contract.new_state(self.policy, len(self._book.names))
        # A history grows as rewards come: see `_tell`.
        self._run = contract.new_run(math.inf if horizon is None else horizon, self.policy)
        self._decisions = 0
        self._lock = threading.RLock()
        self._compile()

    def _compile(self) -> None:
        policy_classes = classes_of(self.policy)
        self._first_pulls = contract.first_pulls(self.policy)
        self._entries = contract.history_entries(self.policy)
        self._ask_step = compiled.entry(_ask_step, (*policy_classes, *classes_of(self.risk)))
        self._tell_step = compiled.entry(_tell_step, policy_classes)
        # Compile now, on a copy of nothing: an error then appears before anything is asked.
        state, rng = np.zeros_like(self._state), seeds.generator(0)
        run = contract.new_run(1.0, self.policy, len(state), 1)
        outstanding = np.zeros(len(state), dtype=np.int64)
        with compiled.explaining(f"{names.label(self.policy)} with {type(self.risk).__name__}"):
            self._ask_step(self.policy, state, run, self.risk, rng, outstanding, 1, 0)
            self._tell_step(self.policy, state, 0, run, 1.0)

    @property
    def arms(self) -> list[Name]:
        """The arms that can be chosen."""
        with self._lock:
            return list(self._book.names)

    @property
    def decisions(self) -> int:
        """How many choices were made, here or elsewhere."""
        return self._decisions

    @property
    def state(self) -> np.ndarray:
        """A copy of what the policy keeps, a row per arm: for what it says of itself, such as `CVaRTS.feasible`."""
        with self._lock:
            return self._state.copy()

    def ask(self, available: Iterable[Name] | None = None) -> Name:
        """The arm to play now. `available` limits the choice to these arms, this time."""
        with self._lock:
            if not self._book.names:
                raise ParameterError("There is no arm to choose: all were retired.")
            rows = np.arange(len(self._book.names)) if available is None else self._book.rows_of(available)
            row = self._choose(rows)
            self._decisions += 1
            self._book.note_choice(row)
            return self._book.names[row]

    def tell(self, arm: Any, reward: Any) -> None:
        """Book a reward of an arm, or several given as two sequences of equal length: all or, on an error, none."""
        with self._lock:
            for row, number in self._check_rewards(arm, reward):
                if self._book.counts[row, OUTSTANDING] == 0:
                    self._note_choice_made_elsewhere(row)
                self._book.note_reward(row, number)
                self._tell(row, number)

    def forget(self, arm: Name) -> None:
        """Give up waiting for one outstanding answer of an arm."""
        with self._lock:
            self._book.note_forgotten(self._book.row(arm))

    def add(self, arm: Name) -> None:
        """Take in a new arm."""
        with self._lock:
            self._book.add(arm)
            self._state = np.vstack([self._state, np.zeros((1, self._state.shape[1]))])

    def retire(self, arm: Name) -> None:
        """Never choose this arm again; what is outstanding for it is dropped."""
        with self._lock:
            value = self._value_of_history(self._book.row(arm))
            self._state = np.delete(self._state, self._book.retire(arm), axis=0)
            if value is not None:  # the history is gone
                self._book.retired[arm]["value"] = value

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
            "share": counts[CHOSEN] / self._decisions if self._decisions else math.nan,
            "retired": retired,
        }

    def _value_of_history(self, row: int) -> float | None:
        told, mean = int(self._book.counts[row, TOLD]), float(self._book.moments[row, MEAN])
        return valuing.value_of_history(self.policy, self.risk, self._state, row, self._run, told, mean)

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

    def _choose(self, rows: np.ndarray) -> int:
        """Choose among these rows: arms due for a first pull, then the policy, among arms it can judge."""
        tried = self._book.counts[rows, TOLD] + self._book.counts[rows, OUTSTANDING]
        due = rows[tried < self._first_pulls]
        if len(due):
            return self._step(np.array(due[:1]), forced=True)
        judged = rows[self._book.counts[rows, TOLD] >= self._first_pulls]
        if len(judged):
            return self._step(judged, forced=False)
        # All first answers are still outstanding: go round.
        return self._step(np.array([rows[int(np.argmin(tried))]]), forced=True)

    def _step(self, rows: np.ndarray, forced: bool) -> int:
        """One step of the policy that sees these rows only, so that arms which cannot be chosen do not count."""
        everything = len(rows) == len(self._state) and not forced
        state = self._state if everything or forced else np.ascontiguousarray(self._state[rows])
        outstanding = np.ascontiguousarray(self._book.counts[rows, OUTSTANDING])
        step = self._decisions + 1
        row = int(rows[0]) if forced else play.NO_CHOICE
        k = self._ask_step(self.policy, state, self._run, self.risk, self._rng, outstanding, step, row)
        if k == play.NO_CHOICE:
            raise ScoresError.at(names.label(self.policy), step)
        if state is not self._state:
            self._state[rows] = state
        return k if forced else int(rows[k])

    def _tell(self, row: int, reward: float) -> None:
        if self._entries:
            self._run = history.with_room(self._state, row, self._run, self._entries + 1)
        self._tell_step(self.policy, self._state, row, self._run, reward)

    def _note_choice_made_elsewhere(self, row: int) -> None:
        self._step(np.array([row]), forced=True)
        self._decisions += 1
        self._book.note_choice(row)

    def _check_rewards(self, arm: Any, reward: Any) -> list[tuple[int, float]]:
        if isinstance(arm, (str, int, np.integer)):
            return [(self._book.row(arm), self._check_reward(arm, reward))]
        if not isinstance(arm, Iterable):
            return [(self._book.row(arm), 0.0)]  # raises: no such arm
        names_told = checks.listed("The arms told", "an arm or a sequence of them", arm, ordered=True)
        wanted = f"a sequence as long as the sequence of arms ({len(names_told)})"
        rewards = checks.listed("rewards", wanted, reward, ordered=True)
        if len(rewards) != len(names_told):
            raise must_be("rewards", wanted, reward)
        pairs = zip(names_told, rewards, strict=True)
        return [(self._book.row(name), self._check_reward(name, value)) for name, value in pairs]

    def _check_reward(self, arm: Any, reward: Any) -> float:
        number = float(reward) if isinstance(reward, (bool, np.bool_)) else as_number(reward)
        if number is None or not math.isfinite(number):
            raise must_be(f"The reward of the arm {shown(arm)}", "a finite number", reward)
        if not math.isfinite(number * number):
            raise must_be(f"The reward of the arm {shown(arm)}", "a number that can be squared", reward)
        complaint = contract.reward_complaint(self.policy, number)
        if complaint:
            raise must_be(f"The reward of the arm {arm!r}", f"{complaint} for {type(self.policy).__name__}", reward)
        return number

    def __repr__(self) -> str:
        return f"<Learner: {self.policy} for {self.risk}, {len(self._book.names)} arms, {self._decisions} decisions>"


def _ask_step(
    policy: Any, state: Any, run: Any, risk: Any, rng: Any, outstanding: Any, step: int, forced_row: int
) -> int:
    """One decision: the policy's, or one that is already made (`forced_row`)."""
    play.begin_step(run, step)
    k = forced_row
    if k == play.NO_CHOICE:
        k = play.choose(policy, state, run, risk, rng, outstanding)
    if k != play.NO_CHOICE:
        play.note_choice(policy, state, k, run)
    return k


def _tell_step(policy: Any, state: Any, k: int, run: Any, reward: float) -> None:
    play.note_reward(policy, state, k, run, reward)


def _generator(seed: Any) -> np.random.Generator:
    if isinstance(seed, np.random.Generator):
        if not isinstance(seed.bit_generator, np.random.PCG64):
            raise must_be("The seed", "a whole number >= 0 or a Generator on PCG64", seed)
        return seed
    return seeds.generator(seeds.check_seed(seed))
