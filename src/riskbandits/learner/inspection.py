"""The read-only methods of a learner: summary, best arm, values of arms, and the check of the rewards' scale."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, notices
from riskbandits.core.errors import ScaleWarning
from riskbandits.learner import guarded, posterior
from riskbandits.learner.decisions import NUMBER, Decision, DecisionLog
from riskbandits.learner.features import FeatureCoding, believed
from riskbandits.learner.kernels import CompiledPolicy
from riskbandits.learner.posterior import ArmSample, are_binary
from riskbandits.learner.remembered import entries_before_any_reward, unforgotten
from riskbandits.learner.state import CHOSEN, OUTSTANDING, TOLD, ArmData, LearnerState, Name
from riskbandits.numerics import reward_sums
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.policies import hurdle_ts
from riskbandits.policies.cells import FEATURES, REWARD_COUNT
from riskbandits.policies.support import contract, fitting
from riskbandits.risk.contract import TWO_POINT_CELLS, binary_value, is_of_moments, sample_value

if TYPE_CHECKING:
    import threading

    import pandas as pd

    from riskbandits.types import Policy, RiskMeasure

SAMPLE, GAUSSIAN = "sample", "Gaussian"  # `valued_as` of the summary
FIRST_CHECK = 30  # rewards told after which their scale is checked, and again whenever they have doubled
ENOUGH = 10  # rewards of an arm, from which its variance is known


class Best(NamedTuple):
    """The arm that is most probably the best: value so far, interval, probability, whether assured."""

    arm: Name
    value: float
    low: float
    high: float
    probability: float
    assured: bool

    def __repr__(self) -> str:
        numbers = (f"{name}={getattr(self, name):.4g}" for name in self._fields[1:-1])
        return f"Best(arm={self.arm!r}, {', '.join(numbers)}, assured={self.assured})"


class Inspection:
    """The read-only part of a `Learner`."""

    policy: Any
    risk: Any
    _state: LearnerState
    _decision_log: DecisionLog
    _compiled_policy: CompiledPolicy
    _guard: Any
    _coding: FeatureCoding
    _paused: bool
    _lock: threading.RLock
    _committed_state: Callable[[], LearnerState]
    _rows: Callable[[Any], np.ndarray]

    @property
    def arms(self) -> list[Name]:
        """The arms that can be chosen."""
        with self._lock:
            return list(self._state.names)

    @property
    def decisions(self) -> int:
        """How many choices were made, here or elsewhere."""
        return int(self._state.decisions[NUMBER])

    @property
    def state(self) -> np.ndarray:
        """A copy of the policy's state, a row per arm: for methods of the policy such as `CVaRTS.feasible`."""
        with self._lock:
            return self._state.policy_state.copy()

    def open_decisions(self) -> list[Decision]:
        """The decisions whose reward is outstanding, in the order they were made, including those of retired arms."""
        with self._lock:
            self._committed_state()
            return [Decision(id, arm, probability) for id, (_, arm, probability) in self._decision_log.open.items()]

    @property
    def features(self) -> list[dict[str, Any]]:
        """The features of decisions, as records with their name and their scale or levels."""
        return [dict(record) for record in self._coding.records]

    def summary(self, level: float = 0.95, features: Mapping[str, Any] | None = None) -> pd.DataFrame:
        """Per arm: rewards told, rewards outstanding, sample mean and variance, risk value, share of choices.

        `valued_as` says how `value` is computed: "sample" from the rewards themselves, "Gaussian" for a Gaussian with
        their mean and variance. The latter is used where a measure such as `CVaR` needs the rewards themselves
        and the policy does not keep them. The true value lies between `low` and `high` with probability `level`, if
        `assured`: from fewer than 100 rewards, and where they are more skewed than that many can show, the interval
        may hold less often (see `riskbandits.learner.posterior`; how often, on `docs/studies/beliefs.md`). With
        `features`, mean, variance and value are those of a decision with these features, and nothing is assured;
        without, those of the rewards as they came, which all count alike. Where `Discounted`, `Restarting` or `fade`
        have made the policy forget some, `low` and `high` go by what it has not forgotten, and hold both values.
        """
        with self._lock:
            if features is not None:
                return self._summary_for(features, posterior.check_level(level))
            return summary_table(
                self.policy,
                self.risk,
                self._state,
                bool(self._compiled_policy.history_entries),
                posterior.check_level(level),
            )

    def best(self, level: float = 0.95, features: Mapping[str, Any] | None = None) -> Best | None:
        """The arm that is most probably the best: `.arm .value .low .high .probability .assured`.

        `.probability` is that of being the best of all arms that can be chosen; its true value lies between `.low` and
        `.high` with probability `level`, if `.assured` (as in `summary`). What the policy has forgotten does not
        count; nothing is assured of the rest. None as long as no arm has two rewards. A learner with features needs
        those of the decision.
        """
        with self._lock:
            level, given = posterior.check_level(level), self._coding.encode(features)
            if self._coding.records:
                return self._best_for(given, level)
            keeps_history = bool(self._compiled_policy.history_entries)
            return best_arm(self.policy, self.risk, self._state, keeps_history, level)

    def _summary_for(self, features: Any, level: float) -> pd.DataFrame:
        """The summary for a decision with these features."""
        given, table = self._coding.encode(features), self.summary(level)
        records = arm_records(self._state, False)
        estimates, found = self._believed(given, records)
        low = high = np.full(len(records), math.nan)
        if _is_something_known(records):
            low, high = posterior.intervals(found, [value for _, _, value in estimates], level)
        for column, numbers in zip(("mean", "variance", "value"), zip(*estimates, strict=True), strict=True):
            table[column] = numbers
        table["low"], table["high"] = low, high
        table["assured"] = False
        return table

    def _best_for(self, features: np.ndarray, level: float) -> Best | None:
        """The arm that is most probably the best for these features."""
        records = [record for record in arm_records(self._state, False) if not record.retired]
        if not _is_something_known(records):
            return None
        estimates, found = self._believed(features, records)
        chances = posterior.probabilities_of_being_best(found.drawn)
        known = [k for k in range(len(records)) if records[k].told >= 2]
        k = max(known, key=lambda k: (chances[k], estimates[k][2]))
        seen = found._replace(widened=found.widened[:, k : k + 1])
        low, high = posterior.intervals(seen, [estimates[k][2]], level)
        return Best(records[k].name, estimates[k][2], float(low[0]), float(high[0]), float(chances[k]), False)

    def _believed(self, features: np.ndarray, records: list[ArmRecord]) -> Any:
        states = [record.data.state for record in records]
        return believed(self._compiled_policy.policy, self.risk, states, self._state.run, features)

    def probabilities(
        self, available: Any = None, trials: int = guarded.TRIALS, features: Mapping[str, Any] | None = None
    ) -> pd.DataFrame:
        """The probability that each arm is chosen next, estimated from this many trials, and its standard error."""
        import pandas as pd

        trials = checks.whole("trials", trials, most=1_000_000)
        with self._lock:
            state, rows, given = self._state, self._rows(available), self._coding.encode(features)
            state.run[FEATURES : FEATURES + given.shape[1]] = given[0]
            found = np.zeros(len(state.names))
            found[rows] = guarded.choice_probabilities(self._compiled_policy, self._guard, state, rows, trials)
            errors = np.sqrt(found * (1.0 - found) / trials)
            return pd.DataFrame({"arm": list(state.names), "probability": found, "se": errors})


class ArmRecord(NamedTuple):
    """What is known of an arm, with its name."""

    name: Name
    data: ArmData
    retired: bool

    @property
    def told(self) -> int:
        """How many rewards were told."""
        return self.data.counts[TOLD]

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.data.moments[MEAN]

    @property
    def variance(self) -> float:
        """Their variance."""
        return self.data.moments[SQUARES] / self.data.moments[COUNT]


def arm_records(state: LearnerState, keeps_history: bool) -> list[ArmRecord]:
    """A record per arm, in the order in which they came, and then those that were retired."""
    records = [ArmRecord(name, state.arm_data(k, keeps_history), False) for k, name in enumerate(state.names)]
    return [*records, *(ArmRecord(name, data, True) for name, data in state.retired.items())]


def beliefs(policy: Policy, risk: RiskMeasure, records: list[ArmRecord]) -> posterior.Beliefs:
    """What is believed of the arms' values, from the rewards as much as the policy has not forgotten them."""
    knows_amounts = hurdle_ts.hurdle_inside(policy) is not None
    samples = unforgotten(policy, [record.data for record in records]) or []
    for record in records if not samples else ():
        rewards = None
        if record.data.history is not None and record.told:
            rewards = rewards_of_history(policy, record.data.history, record.told, record.mean)
        amount = record.data.state[hurdle_ts.AMOUNT] if knows_amounts else 0.0
        samples.append(ArmSample(record.data.moments, rewards, amount))
    return posterior.beliefs(risk, samples, knows_amounts)


def summary_table(
    policy: Policy, risk: RiskMeasure, state: LearnerState, keeps_history: bool, level: float
) -> pd.DataFrame:
    """The table of `Learner.summary`: a row per arm, with credible intervals."""
    import pandas as pd

    decisions, records = int(state.decisions[NUMBER]), arm_records(state, keeps_history)
    valued = [_value(policy, risk, record) for record in records]
    low = high = [math.nan] * len(records)
    assured = [False] * len(records)
    if _is_something_known(records):
        believed, values = beliefs(policy, risk, records), [value for value, _ in valued]
        low, high = (one.tolist() for one in posterior.intervals(believed, values, level))
        assured = believed.is_assured.tolist()
    rows = []
    for place, record in enumerate(records):
        told = record.told
        value, valued_as = valued[place]
        rows.append(
            {
                "arm": record.name,
                "told": told,
                "outstanding": record.data.counts[OUTSTANDING],
                "mean": record.mean if told else math.nan,
                "variance": record.variance if told else math.nan,
                "value": value,
                "valued_as": valued_as,
                "share": record.data.counts[CHOSEN] / decisions if decisions else math.nan,
                "retired": record.retired,
                "low": low[place],
                "high": high[place],
                "assured": assured[place],
            }
        )
    return pd.DataFrame(rows)


def best_arm(policy: Policy, risk: RiskMeasure, state: LearnerState, keeps_history: bool, level: float) -> Best | None:
    """The arm that is most probably the best of those that can be chosen; None as long as nothing is known of any."""
    records = arm_records(state, keeps_history)
    arms = [record for record in records if not record.retired]
    if not arms or not _is_something_known(arms):
        return None
    believed = beliefs(policy, risk, records)
    chances = posterior.probabilities_of_being_best(believed.drawn[:, : len(arms)])
    # Of two that are equally likely the one that is worth more; one of which next to nothing is known is not named.
    values, known = [_value(policy, risk, record)[0] for record in arms], [record.told >= 2 for record in arms]
    for k, sample in enumerate(unforgotten(policy, [record.data for record in arms]) or ()):
        known[k] = known[k] and sample.sums[COUNT] > 0.0
        values[k] = _value_of_sample(policy, risk, sample) if known[k] else math.nan
    if not any(known):
        return None
    k = max((k for k in range(len(arms)) if known[k]), key=lambda k: (chances[k], values[k]))
    seen = believed._replace(widened=believed.widened[:, k : k + 1])
    low, high = (float(found[0]) for found in posterior.intervals(seen, values[k : k + 1], level))
    # Where rewards are skewed the posterior alone would be too sure.
    chance = min(chances[k], posterior.probabilities_of_being_best(believed.widened[:, : len(arms)])[k])
    return Best(arms[k].name, values[k], low, high, float(chance), bool(believed.is_assured[k]))


def _is_something_known(records: list[ArmRecord]) -> bool:
    """Whether there is an arm with two rewards: from one alone nobody knows how far they spread."""
    return any(record.told >= 2 for record in records)


def _value(policy: Policy, risk: RiskMeasure, record: ArmRecord) -> tuple[float, str]:
    if not record.told:
        return math.nan, ""
    of_history = value_of_history(policy, risk, record.data.history, record.told, record.mean)
    return value_of_moments(policy, risk, record.mean, record.variance) if of_history is None else (of_history, SAMPLE)


def _value_of_sample(policy: Policy, risk: RiskMeasure, sample: ArmSample) -> float:
    if sample.rewards is not None and not is_of_moments(risk):
        return float(sample_value(risk, *sample.rewards))
    return value_of_moments(policy, risk, sample.sums[MEAN], sample.sums[SQUARES] / sample.sums[COUNT])[0]


def value_of_moments(policy: Policy, risk: RiskMeasure, mean: float, variance: float) -> tuple[float, str]:
    """The value computed from mean and variance, and what it is the value of.

    It is that of the sample if the measure asks for nothing else, or if rewards can only be 0 or 1; otherwise that of a
    Gaussian with these moments.
    """
    if is_of_moments(risk):
        return float(risk.value(mean, variance)), SAMPLE
    if _takes_binary_only(policy):
        return float(binary_value(risk, mean, np.zeros(TWO_POINT_CELLS))), SAMPLE
    return float(risk.value(mean, variance)), GAUSSIAN


def value_of_history(
    policy: Policy, risk: RiskMeasure, past: dict[str, list[float]] | None, told: int, mean: float
) -> float | None:
    """The value of the rewards in an arm's history, if the policy keeps them as they were told."""
    if past is None or told == 0 or is_of_moments(risk):
        return None
    found = rewards_of_history(policy, past, told, mean)
    return None if found is None else float(sample_value(risk, *found))


def rewards_of_history(
    policy: Policy, past: dict[str, list[float]], told: int, mean: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """The rewards told, ascending, with counts; None if the history of a policy of one's own holds something else."""
    kept = Counter(_entries(past))
    kept.subtract(entries_before_any_reward(policy))
    rewards = sorted(reward for reward, count in kept.items() if count)
    counts = [float(kept[reward]) for reward in rewards]
    values = np.array(rewards)
    if not rewards or min(counts) < 0.0 or sum(counts) != told:
        return None
    if not math.isclose(float(np.average(values, weights=counts)), mean, rel_tol=1e-6, abs_tol=1e-9):
        return None
    return values, np.array(counts)


def _entries(past: dict[str, list[float]]) -> dict[float, int]:
    found: Counter[float] = Counter()
    for value, count in zip(past["values"], past["counts"], strict=True):
        found[value] += int(count)
    return found


def _takes_binary_only(policy: Policy) -> bool:
    taken = [contract.reward_complaint(policy, reward) is None for reward in (-1.0, 0.0, 0.5, 1.0, 2.0)]
    return taken == [False, True, False, True, False]


class ScaleMonitor:
    """A check, after some numbers of rewards, that the policy is made for them and their features; warns once of each.

    How often an arm paid 0 is part of its sums. How often it paid any other number is counted here, from when the
    learner was made or loaded.
    """

    def __init__(self, policy: Policy, coding: FeatureCoding) -> None:
        self.policy, self._coding = policy, coding
        self._said_of_features = False
        self._counts_repeated = fitting.is_for_spread_rewards(policy)
        self._knows_amounts = hurdle_ts.hurdle_inside(policy) is not None
        is_needed = fitting.has_unit_scale(policy) or self._counts_repeated
        self.next_check: float = FIRST_CHECK if is_needed else math.inf  # rewards told
        # Per arm: a reward, its lead over others (Boyer & Moore's vote), how often it came since it took the lead, and
        # all rewards. One that at least half of the rewards are ends up in the lead.
        self._repeated: dict[Name, list[float]] = {}
        self.other_amount: str | None = None

    def note(self, state: LearnerState, arm: Name, reward: float, level: int) -> None:
        """Count a reward that is about to be recorded; of a known amount, warn once when a sale pays another."""
        if self._counts_repeated:
            line = self._repeated.setdefault(arm, [reward, 0.0, 0.0, 0.0])
            if line[1] == 0.0 and line[0] != reward:
                line[0], line[2] = reward, 0.0
            same = line[0] == reward
            line[1] += 1.0 if same else -1.0
            line[2] += same
            line[3] += 1.0
        if self._knows_amounts and reward != 0.0 and self.other_amount is None and arm in state.rows:
            amount = float(state.policy_state[state.rows[arm], hurdle_ts.AMOUNT])
            if amount != 0.0 and not math.isclose(reward, amount):
                self.other_amount = _other_amount(arm, f"{reward:g}", amount)
                if level:
                    notices.warn(self.other_amount, ScaleWarning, level + 1)

    def repeated_reward(self, state: LearnerState) -> float | None:
        """A number that at least half of an arm's rewards are, ten or more; other than 0, not all: it is a constant."""
        count, paid = state.moments[:, COUNT], state.moments[:, reward_sums.PAID]
        if ((count - paid >= ENOUGH) & (count - paid >= paid)).any():
            return 0.0
        often = (reward for reward, _, same, told in self._repeated.values() if max(ENOUGH, 0.5 * told) <= same < told)
        return min(often, key=abs, default=None)

    def check(self, state: LearnerState, level: int) -> None:
        """Check, if it is time."""
        told = state.run[REWARD_COUNT]
        if told < self.next_check:
            return
        self.next_check = 2.0 * told
        if (words := self._about_rewards(state)) is not None:
            self.next_check = math.inf
        elif not self._said_of_features:
            words = self._coding.complaint(self.policy, state.policy_state)
            self._said_of_features = words is not None
        if words is not None:
            notices.warn(words, ScaleWarning, level + 1)

    def warning(self, state: LearnerState) -> str | None:
        """The warning about the rewards told so far, or their features, if any."""
        if self.other_amount is None and self._knows_amounts:
            for name, row in zip(state.names, state.policy_state, strict=True):
                if hurdle_ts.pays_otherwise(row):  # of a learner that was loaded
                    self.other_amount = _other_amount(name, "something else", row[hurdle_ts.AMOUNT])
                    break
        found = self.other_amount or self._about_rewards(state)
        return found or self._coding.complaint(self.policy, state.policy_state)

    def _about_rewards(self, state: LearnerState) -> str | None:
        sums = state.moments
        # While all arms pay nothing rewards may yet be 0 and 1, and arms that all pay constants are none of this.
        repeated = self.repeated_reward(state) if sums[:, SQUARES].any() else None
        known = sums[sums[:, COUNT] >= max(2.0, min(ENOUGH, sums[:, COUNT].max(initial=0.0)))]
        variances = known[:, SQUARES] / (known[:, COUNT] - 1.0)
        return fitting.complaint(self.policy, variances, are_binary(sums), repeated)


def _other_amount(arm: Name, paid: str, amount: float) -> str:
    return (
        f"A sale of the arm {arm!r} paid {paid}, not the known amount {amount:g}: it is recorded, and {amount:g} now "
        "counts as the mean of amounts that vary. If it is not, give the arm a new name, with another amount or none."
    )
