"""The state of a learner: per arm what was chosen, told and is outstanding, and what the policy keeps of it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.checks import is_whole, listed
from riskbandits.core.errors import ParameterError, must_be, unknown_name
from riskbandits.learner.decisions import UNCOMMITTED, is_id
from riskbandits.numerics import history, reward_sums

Name = str | int

# Columns of `counts`; of those outstanding, OPEN are decisions with ids.
TOLD, OUTSTANDING, CHOSEN, OPEN = range(4)
COUNTS = 4
MOST_ARMS = 1_000_000  # a learner scores them all at every ask
# Retired arms that are known by name. What was told of those retired before them is kept as sums, so that a learner
# whose arms come and go for years does not grow. An arm with decisions open stays until they are settled.
RETIRED_KEPT = 100


class ArmData(NamedTuple):
    """All that is known of an arm: what it takes to bring it back after it was retired, or to save it."""

    counts: list[int]
    moments: list[float]
    state: list[float]
    history: dict[str, list[float]] | None = None  # of a policy that keeps one


class LearnerState:
    """Everything that a learner's choices depend on: counts, sample moments and the policy's state per arm; the run.

    A row per arm, in the order of `names`; `run` is what all arms have in common, `rng` the stream of random numbers.

    Its arms never change: a learner with one arm more or less gets another state, made beforehand, in one assignment.
    So an interrupt finds the one or the other and nothing between.
    """

    def __init__(self, names: Sequence[Name], state: np.ndarray, run: np.ndarray, rng: np.random.Generator) -> None:
        self._index_arms(names)
        self.policy_state = state  # (arms, columns of the policy)
        self.run = run
        self.rng = rng
        self.counts = np.zeros((len(self.names), COUNTS), dtype=np.int64)
        self.moments = np.zeros((len(self.names), reward_sums.WIDTH))
        self.decisions = np.zeros(3, dtype=np.int64)  # NUMBER, UNCOMMITTED, LAST_ROW
        self.retired: dict[Name, ArmData] = {}  # in the order in which they were retired
        self.long_retired = {"arms": 0, "told": 0, "chosen": 0}  # sums over those no longer known by name

    def _index_arms(self, names: Sequence[Name]) -> None:
        """Set what follows from the names."""
        self.names = list(names)
        self.rows: dict[Name, int] = {name: row for row, name in enumerate(self.names)}
        self.all_rows = np.arange(len(self.names), dtype=np.int64)

    def copy(self) -> LearnerState:
        """A copy, to be changed and then put in the place of this one."""
        made = copy.copy(self)
        for name in ("policy_state", "run", "counts", "moments", "decisions"):
            setattr(made, name, getattr(self, name).copy())
        made.rng = copy.deepcopy(self.rng)
        return made

    def with_arm(self, name: object) -> LearnerState:
        """The state with a row for a new arm, or for one that was retired, with all that is known of it."""
        name = check_new_name(name)
        if name in self.rows:
            raise ParameterError(f"There is already an arm {name!r}.")
        made = self.copy()
        made.rng = self.rng
        made._index_arms([*self.names, name])
        new = ArmData([0] * COUNTS, [0.0] * reward_sums.WIDTH, [0.0] * self.policy_state.shape[1])
        arm = self.retired.get(name, new)
        made.retired = {one: kept for one, kept in self.retired.items() if one != name}
        made.policy_state = np.vstack([self.policy_state, [arm.state]])
        made.counts = np.vstack([self.counts, [arm.counts]])
        made.moments = np.vstack([self.moments, [arm.moments]])
        if arm.history is not None:
            made.policy_state[-1, history.START : history.WIDTH] = 0.0
            made.run = history.placed(made.policy_state, len(self.names), made.run, arm.history)
        return made

    def arm_data(self, row: int, keeps_history: bool) -> ArmData:
        """All that is known of the arm in this row."""
        past = history.entry_of(self.policy_state, row, self.run) if keeps_history else None
        return ArmData(self.counts[row].tolist(), self.moments[row].tolist(), self.policy_state[row].tolist(), past)

    def without_arm(self, row: int, keeps_history: bool) -> LearnerState:
        """The state without an arm's row; what is known of it, and what is outstanding, is kept apart."""
        name, made = self.names[row], self.copy()
        made.rng = self.rng
        made._index_arms([one for one in self.names if one != name])
        made.policy_state, made.counts = np.delete(self.policy_state, row, axis=0), np.delete(self.counts, row, axis=0)
        made.moments = np.delete(self.moments, row, axis=0)
        if keeps_history:  # those of the others are packed anew: what comes and goes leaves no gaps
            others = [k for k in range(len(self.names)) if k != row]
            made.run = np.zeros(history.FREE + 1)
            made.run[: history.FREE] = self.run[: history.FREE]
            made.run[history.FREE] = history.FREE + 1
            entries = [history.entry_of(self.policy_state, k, self.run) for k in others]
            made.run = history.restored(made.policy_state, made.run, entries)
        made.set_retired({**self.retired, name: self.arm_data(row, keeps_history)})
        return made

    def set_retired(self, arms: dict[Name, ArmData]) -> None:
        """Keep the arms retired last and those with decisions open, and of the others their sums."""
        old = [name for name in list(arms)[: max(0, len(arms) - RETIRED_KEPT)] if not arms[name].counts[OPEN]]
        self._sum_up([arms[name] for name in old])
        self.retired = {name: arm for name, arm in arms.items() if name not in old}

    def _sum_up(self, arms: Iterable[ArmData]) -> None:
        """Add these retired arms to the sums, which is all that is kept of them."""
        sums = dict(self.long_retired)
        for arm in arms:
            sums["arms"] += 1
            sums["told"] += arm.counts[TOLD]
            sums["chosen"] += arm.counts[CHOSEN]
        self.long_retired = sums

    def total_count(self, column: int) -> int:
        """The total of a column of `counts`, TOLD or CHOSEN, over all arms there ever were."""
        before = self.long_retired["told" if column == TOLD else "chosen"]
        return int(self.counts[:, column].sum()) + sum(one.counts[column] for one in self.retired.values()) + before

    def row(self, name: object) -> int:
        """The row of an arm that can be chosen; raises for other names. Equal numbers name the same arm."""
        row = self.find_row(name)
        if row is None:
            raise ParameterError(f"The arm {name!r} was retired.")
        return row

    def find_row(self, name: Any) -> int | None:
        """As `row`, and None for a retired arm."""
        try:
            row = self.rows.get(name)
            if not isinstance(name, (bool, np.bool_)) and (row is not None or name in self.retired):
                return row
        except Exception:  # a thing that cannot be looked up is no name
            pass
        raise unknown_name("arm", name, self.names)

    def rows_of(self, names: Iterable[Any] | None) -> np.ndarray:
        """The rows of several arms, in order, each once; of all arms for None."""
        if not self.names:
            raise ParameterError("There is no arm to choose: all are retired.")
        if names is None:
            return self.all_rows
        if getattr(names, "ndim", 1) != 1:
            raise must_be("available", "a list of arms", names)
        rows = sorted({self.row(name) for name in listed("available", "a list of arms", names)})
        if not rows:
            raise must_be("available", "a list with at least one arm", [])
        return np.array(rows, dtype=np.int64)

    def counts_of(self, name: Any) -> Any:
        """The counts of an arm, retired or not."""
        row = self.find_row(name)
        return self.retired[name].counts if row is None else self.counts[row].tolist()

    def check_outstanding(self, name: Any, times: int = 1) -> None:
        """Raise unless this many rewards without ids are outstanding for a retired arm."""
        counts = self.retired[name].counts
        if counts[OUTSTANDING] - counts[OPEN] < times:
            raise ParameterError(f"The arm {name!r} was retired and has no outstanding rewards: `add` brings it back.")

    def after_forgetting(self, name: Any, with_id: bool) -> LearnerState:
        """The state after giving up one outstanding reward of the arm, of a decision with an id or without."""
        told, outstanding, chosen, is_open = self.counts_of(name)
        if not with_id and outstanding == is_open:
            ids = "" if not is_open else " except decisions with ids: forget those by id"
            raise ParameterError(f"Nothing is outstanding for the arm {name!r}{ids}.")
        counts = [told, outstanding - 1, chosen, is_open - with_id]
        made = copy.copy(self)
        made.decisions, made.counts = self.decisions.copy(), self.counts.copy()
        made.decisions[UNCOMMITTED] = with_id
        if name in self.rows:
            made.counts[self.rows[name]] = counts
        else:
            made.retired = {**self.retired, name: self.retired[name]._replace(counts=counts)}
        return made


def check_name(name: Any) -> Name:
    """Return an arm's name as text or number, or raise."""
    if isinstance(name, str) and name:
        if not name.isascii() and any("\ud800" <= sign <= "\udfff" for sign in name):
            raise must_be("The name of an arm", "a text without lone surrogates", name)
        return str(name)
    if is_whole(name):
        return int(name)
    raise must_be("The name of an arm", "a non-empty string or a whole number", name)


def check_new_name(name: object) -> Name:
    """As `check_name`, for a new arm, whose name may not have the form of a decision's id."""
    name = check_name(name)
    if is_id(name):
        raise must_be("The name of an arm", "different from ids of decisions", name)
    return name


def check_names(arms: Any) -> list[Name]:
    """The names of a learner's first arms: a list of names, or a number of arms."""
    if is_whole(arms):
        if arms > MOST_ARMS:
            raise must_be("arms", f"at most {MOST_ARMS}", arms)
        arms = range(int(arms))
    names = [check_new_name(name) for name in listed("arms", "a list of names or a number of arms", arms, ordered=True)]
    if not names:
        raise must_be("arms", "a list with at least one name", names)
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ParameterError(f"There is already an arm {twice!r}.")
    return names
