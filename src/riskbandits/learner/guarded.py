"""Guard rails: limits on the share of choices that each arm may get, and decisions with known probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import ParameterError
from riskbandits.core.records import classes_of, is_record
from riskbandits.learner.kernels import CompiledPolicy
from riskbandits.learner.state import LearnerState
from riskbandits.policies.support import contract
from riskbandits.policies.support.wrapper import wrapper

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure

NO_SHARES: Mapping[Any, float] = {}
TRIALS = 1000  # of the next decision, by which its probabilities are found
SLACK = 1e-9  # shares such as three thirds need not add up to the last digit


@wrapper
class Guarded(NamedTuple):
    """A `Learner`'s policy within limits: lower and upper bounds on the probability of choosing each arm.

    Use it where an arm must keep being tried (`least`), or must not exceed a share whatever its rewards
    (`most`; 0 for never). The probability that the limits take from some arms goes to the `baseline` if there is one,
    as far as its own limit allows, and otherwise to the arms that the policy would choose without them. Between
    `learner.pause()` and `learner.resume()` only the baseline is chosen.

    Each decision is drawn with known probabilities: those of the policy, estimated by simulating its next choice and
    moved into the limits by the smallest possible change. With `propensity=True`, `Decision.probability` reports them.
    Limits hold for the probability of each single decision, so observed shares fluctuate around them. If the
    `available` arms cannot satisfy their limits at all, the limits are relaxed as far as necessary.

    >>> import riskbandits as rb
    >>> policy = Guarded(rb.NGTS(), least={"bond": 0.05}, most={"stock": 0.3}, baseline="bond")
    >>> learner = rb.Learner(policy, arms=["bond", "stock"], risk=rb.MeanVariance(rho=1.0))
    >>> learner.tell(["bond", "stock"] * 3, [0.0, 1.0, 0.1, 1.1, 0.0, 0.9])
    >>> learner.probabilities()["probability"].round(6).tolist()  # the policy would take the stock, but for its limit
    [0.7, 0.3]
    """

    policy: Any
    least: Any = NO_SHARES
    most: Any = NO_SHARES
    baseline: Any = None

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """It needs arms with names."""
        if arms is not None:
            return "Guarded is for a Learner, whose arms have names: simulate the policy inside it instead."
        return contract.refusal(self.policy, risk, arms)

    def invalid(self) -> tuple[str, str, object] | None:
        """The limits must be shares that can all be satisfied together."""
        methods = all(callable(getattr(self.policy, name, None)) for name in contract.POLICY_METHODS)
        if not (is_record(self.policy) and methods) or isinstance(self.policy, Guarded):
            return ("The 'policy' parameter of Guarded", "a policy such as NGTS()", self.policy)
        for name in ("least", "most"):
            shares = getattr(self, name)
            thing = f"The {name!r} parameter of Guarded"
            if not isinstance(shares, Mapping):
                return (thing, "a dictionary from arms to shares, such as {'bond': 0.05}", shares)
            for arm, share in shares.items():
                number = as_number(share)
                if number is None or not 0.0 <= number <= 1.0:
                    return (f"{thing}, arm {arm!r},", "a number in [0, 1]", share)
        if sum(map(float, self.least.values())) > 1.0 + SLACK:
            return ("The 'least' parameter of Guarded", "shares that add up to at most 1", dict(self.least))
        for arm, share in self.least.items():
            if share > self.most.get(arm, 1.0):
                return (f"The 'least' parameter of Guarded, arm {arm!r},", "at most the 'most' of the arm", share)
        return None

    def names(self) -> list[Any]:
        """All arms it refers to."""
        return [*self.least, *self.most, *([] if self.baseline is None else [self.baseline])]


def find_guard(policy: Any) -> Guarded | None:
    """The `Guarded` around a policy, or None; it must be the outermost wrapper."""
    if isinstance(policy, Guarded):
        return policy
    if Guarded in classes_of(policy):
        name = type(policy).__name__
        raise ParameterError(
            f"Guarded goes around other policies: write Guarded({name}(...), ...), not {name}(Guarded(...))."
        )
    return None


def share_limits(guard: Guarded, state: LearnerState, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The limits of these rows, relaxed so that they can all be satisfied together."""
    arms = [state.names[row] for row in rows]
    least = np.array([float(guard.least.get(arm, 0.0)) for arm in arms])
    most = np.array([float(guard.most.get(arm, 1.0)) for arm in arms])
    if most.sum() < 1.0:  # not all arms are available
        if guard.baseline in arms:
            place = arms.index(guard.baseline)
            most[place] += 1.0 - most.sum()
        else:
            most = most / most.sum() if most.sum() > 0.0 else np.full(len(arms), 1.0 / len(arms))
    return np.minimum(least, most), most


def within_limits(
    chances: np.ndarray, least: np.ndarray, most: np.ndarray, baseline: int | None, otherwise: np.ndarray
) -> np.ndarray:
    """Probabilities within the limits. Any missing mass goes to the baseline, then according to `otherwise`.

    >>> chances, least, most = np.array([0.9, 0.1, 0.0]), np.array([0.0, 0.0, 0.1]), np.array([0.5, 1.0, 1.0])
    >>> within_limits(chances, least, most, None, np.array([0.0, 1.0, 0.0])).tolist()
    [0.5, 0.4, 0.1]
    """
    found = np.clip(chances, least, most)
    excess = found.sum() - 1.0
    if excess > 0.0:
        return found - excess * (found - least) / (found - least).sum()
    if baseline is not None:
        found[baseline] += min(-excess, most[baseline] - found[baseline])
    for wanted in (otherwise, most):  # the second fills whatever has room
        for _ in range(len(found)):
            missing, room = 1.0 - found.sum(), most - found
            wishes = np.where(room > 0.0, wanted, 0.0)
            if missing <= 0.0 or wishes.sum() <= 0.0:
                break
            found = found + np.minimum(room, missing * wishes / wishes.sum())
    return found / found.sum()


def eligible_rows(guard: Guarded, state: LearnerState, rows: np.ndarray, paused: bool) -> np.ndarray:
    """The available rows that may be chosen: none with a limit of 0, and when paused only the baseline."""
    if paused:
        baseline = state.row(guard.baseline)
        if baseline not in rows:
            raise ParameterError(f"The learner is paused, and its baseline {guard.baseline!r} is not available.")
        return np.array([baseline], dtype=np.int64)
    kept = [row for row in rows.tolist() if guard.most.get(state.names[row], 1.0) > 0.0]
    return np.array(kept, dtype=np.int64) if kept else rows


def choice_probabilities(
    compiled: CompiledPolicy, guard: Guarded | None, state: LearnerState, rows: np.ndarray, trials: int
) -> np.ndarray:
    """The probabilities with which these rows are chosen next."""
    chances = compiled.choice_frequencies(state, rows, trials)
    if guard is None:
        return chances
    least, most = share_limits(guard, state, rows)
    baseline = state.rows.get(guard.baseline)
    place = None if baseline is None or baseline not in rows else rows.tolist().index(baseline)
    otherwise, capped = chances, chances > most
    if place is None and capped.any() and not capped.all():  # what the policy would choose without those at their limit
        otherwise = np.zeros(len(rows))
        otherwise[~capped] = compiled.choice_frequencies(state, rows[~capped], trials)
    return within_limits(chances, least, most, place, otherwise)


def choose_by_probability(
    compiled: CompiledPolicy, guard: Guarded | None, state: LearnerState, rows: np.ndarray, with_id: bool
) -> tuple[int, float]:
    """Draw a row by the probabilities of the next choice, and record the choice: the row and its probability."""
    chances = choice_probabilities(compiled, guard, state, rows, TRIALS)
    place = min(int(np.searchsorted(np.cumsum(chances), state.rng.random(), side="right")), len(rows) - 1)
    while chances[place] == 0.0:  # the sum of all may be a little less than 1
        place -= 1
    return compiled.choose(state, rows[place : place + 1], with_id), float(chances[place])
