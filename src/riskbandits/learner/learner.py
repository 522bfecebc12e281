"""The learner: the policies and steps of a simulation, one decision at a time, with rewards that may be late."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from riskbandits.core import checks, seeds
from riskbandits.core.display import counted
from riskbandits.core.errors import ParameterError, must_be
from riskbandits.core.keywords import known_keywords
from riskbandits.core.records import checked
from riskbandits.learner import forking, guarded, warm_start
from riskbandits.learner.decisions import (
    FORGOTTEN,
    NUMBER,
    REMEMBERED,
    Decision,
    DecisionIds,
    DecisionLog,
    RewardCheck,
    as_id,
    is_id,
    is_single,
)
from riskbandits.learner.features import FeatureCoding
from riskbandits.learner.guarded import Guarded, find_guard
from riskbandits.learner.inspection import Inspection, ScaleMonitor
from riskbandits.learner.kernels import NO_FEATURES, CompiledPolicy
from riskbandits.learner.persistence import Persistence
from riskbandits.learner.state import LearnerState, Name, check_names
from riskbandits.policies import hurdle_ts
from riskbandits.policies.cells import FEATURES, REWARD_COUNT
from riskbandits.policies.support import contract, trial
from riskbandits.risk.contract import RISK_METHODS

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

MOST_AT_ONCE = 100_000  # decisions


class Learner(Inspection, Persistence):
    """A policy in live use: `ask` which arm to play and `tell` its reward; or `decide`, and `answer` by decision id.

    Several rewards may be outstanding at a time; an arm that was chosen counts as tried before its reward is known.
    You can also report rewards of choices made elsewhere. All methods are thread-safe, a fork waits for calls of other
    threads, and a call that is interrupted (by Ctrl-C, or by an exception in a signal handler) takes full effect or
    none.

    With ids nothing counts twice: repeating an answer changes nothing, and a different reward for the same decision is
    an error. The last `remember` settled decisions are remembered for that; an answer to an older one is refused. An id
    carries a random token, new for every learner and every load: after a crash and a restart from an older file no id
    is given twice, and an answer to a decision of the lost time is refused.

    `horizon=None` means that the number of decisions is unknown. The same seed and the same sequence of calls give the
    same choices; `seed=None` draws a random seed.

    `data` are previously recorded rewards, treated as choices made elsewhere: a table with a column per arm, one with
    the columns "arm" and "reward", or a dictionary from arms to lists. With `propensity=True` every `Decision` carries
    the probability with which its arm was chosen, for off-policy estimates from logs; a decision then takes a few
    milliseconds. `Guarded(policy, ...)` in place of a policy keeps the shares of arms within limits. `amounts` says
    what a sale of an arm pays, where that is known: for `HurdleTS`.

    `features` are numbers and categories known before each decision, for a policy that uses them (`LinearNGTS`): names,
    or records with a scale or levels, as in `[{"name": "basket", "scale": 10}, {"name": "country", "levels": ["DE",
    "FR"]}]`. Then `decide(features={"basket": 12, "country": "DE"})`, and `best` and `summary` for given features. A
    number is divided by its scale: declared, or taken from `data`, otherwise 1, and never changed later (`.features`).

    >>> from riskbandits import SwitchingAware, MeanVariance
    >>> learner = Learner(SwitchingAware(), arms=["bond", "stock"], risk=MeanVariance(rho=1.0), seed=0)
    >>> decision = learner.decide()
    >>> decision.arm, decision.id.rpartition("-")[0]  # the rest of the id is random
    ('bond', 'decision-1')
    >>> learner.answer(decision.id, 0.01), learner.answer(decision.id, 0.01)  # a delivery that a queue repeats
    (True, False)
    >>> learner.tell(["bond", "stock", "stock"], [0.02, -0.5, 0.25])
    >>> learner.summary()[["arm", "told", "outstanding", "mean"]].values.tolist()
    [['bond', 2, 0, 0.015], ['stock', 2, 0, -0.125]]
    """

    ids_with_tokens = True  # False where somebody else gives out ids, as the service does: then `decision-<number>`

    @known_keywords
    def __init__(
        self,
        policy: Policy | Guarded,
        arms: Iterable[Name] | int,
        risk: RiskMeasure,
        horizon: int | None = None,
        seed: int | np.random.Generator | None = 0,
        *,
        remember: int = REMEMBERED,
        propensity: bool = False,
        data: Any = None,
        amounts: Mapping[Name, float] | None = None,
        features: Any = None,
    ) -> None:
        self._coding = FeatureCoding(features, data)
        self.policy: Any = self._coding.fill_in(contract.check_policy_record(policy))
        names = check_names(arms)
        self.policy, known = hurdle_ts.known_amounts(self.policy, names, amounts)
        self._guard = find_guard(self.policy)
        self.risk: Any = checked(risk, "risk measure", RISK_METHODS)
        if horizon is not None:
            horizon = checks.whole("The horizon", horizon)
        contract.check_serves(self.policy, self.risk, None, horizon_known=horizon is not None)
        trial.try_policy(self.policy, self.risk)
        self.horizon = horizon
        self.propensity = checks.flag("propensity", propensity)
        self._check_reward = RewardCheck(self.policy)
        remember = checks.whole("remember", remember, least=0)
        self._decision_log = DecisionLog(remember, DecisionIds(self.ids_with_tokens))
        rng = _generator(seed)
        # A history grows as rewards come.
        run = contract.new_run(math.inf if horizon is None else horizon, self.policy)
        self._state = LearnerState(names, contract.new_state(self.policy, len(names)), run, rng)
        for name, amount in known.items():
            self._state.policy_state[self._state.rows[name], hurdle_ts.AMOUNT] = amount
        self._lock = threading.RLock()
        self._paused = False
        for name in [] if self._guard is None else self._guard.names():
            self._state.row(name)
        self._compiled_policy = self._compile(self.policy if self._guard is None else self._guard.policy)
        self._scale_monitor = ScaleMonitor(self.policy, self._coding)
        forking.register(self)
        if data is not None:
            self.tell(*warm_start.rewards_from_data(data), warm_start.features_from_data(data, self._coding.names))

    def _compile(self, policy: Policy) -> CompiledPolicy:
        """The compiled steps of a policy, which the service shares among its learners."""
        return CompiledPolicy(policy, self.risk)

    def _show(self, state: LearnerState, features: np.ndarray) -> None:
        """Write the features of a decision where the policy finds them."""
        state.run[FEATURES : FEATURES + features.shape[1]] = features[0]

    def ask(self, available: Iterable[Name] | None = None, features: Mapping[str, Any] | None = None) -> Name:
        """The arm to play now. `available` restricts this choice to these arms; `features` are those of this choice."""
        with self._lock:
            given = self._coding.encode(features)
            state, rows = self._state, self._rows(available)
            self._show(state, given)
            if self._guard is None:
                return state.names[self._compiled_policy.choose(state, rows, False)]
            changed = self._committed_state().copy()
            row, _ = guarded.choose_by_probability(self._compiled_policy, self._guard, changed, rows, False)
            self._state = changed
            return state.names[row]

    def tell(self, arm: Any, reward: Any, features: Any = None) -> None:
        """Record a reward of an arm, or several given as two sequences of equal length: all or, on an error, none.

        A late reward of a retired arm is recorded as well. `features` are those of the choice, or a list of them.
        """
        with self._lock:
            state = self._state
            if not is_single(arm):
                arms, rewards = self._check_reward.of_arms(state, arm, reward)
                given = self._coding.encode_many(features, len(arms))
                self._record_many(state, arms, rewards, with_id=False, features=given)
                return
            given = self._coding.encode(features)
            row, number = state.find_row(arm), self._check_reward.of_arm(arm, reward)
            if state.run[REWARD_COUNT] >= self._scale_monitor.next_check:
                self._scale_monitor.check(state, 2)
            self._scale_monitor.note(state, arm, number, 2)
            if row is not None:
                self._compiled_policy.record(state, row, number, False, given)
            else:
                state.check_outstanding(arm)
                self._state = self._compiled_policy.record_late(state, [arm], [number], False, given)

    @overload
    def decide(
        self,
        count: None = None,
        available: Iterable[Name] | None = None,
        features: Mapping[str, Any] | None = None,
    ) -> Decision: ...

    @overload
    def decide(
        self, count: int, available: Iterable[Name] | None = None, features: Mapping[str, Any] | None = None
    ) -> list[Decision]: ...

    def decide(
        self,
        count: int | None = None,
        available: Iterable[Name] | None = None,
        features: Mapping[str, Any] | None = None,
    ) -> Decision | list[Decision]:
        """The next decision, with an id for its reward; with `count` a list of that many, made at once.

        `available` restricts this choice to these arms. `features` are kept with the decision until its reward comes.
        """
        with self._lock:
            given = self._coding.encode(features)
            state, log = self._committed_state(), self._decision_log
            rows = self._rows(available)
            self._show(state, given)
            if count is None and not self.propensity and self._guard is None:
                number = int(state.decisions[NUMBER]) + 1
                id = log.ids.format(number)
                if given.shape[1]:
                    log.features[number] = given
                log.begin_open(id, number, state.names)
                row = self._compiled_policy.choose(state, rows, True)
                log.commit_pending(state)
                return Decision(id, state.names[row], None)
            made = self._decide_many(
                state, rows, 1 if count is None else checks.whole("count", count, most=MOST_AT_ONCE), given
            )
            return made[0] if count is None else made

    def _decide_many(self, state: LearnerState, rows: np.ndarray, count: int, features: np.ndarray) -> list[Decision]:
        changed, log, made = state.copy(), self._decision_log, []
        for _ in range(count):
            probability = None
            if self.propensity or self._guard is not None:
                row, probability = guarded.choose_by_probability(
                    self._compiled_policy, self._guard, changed, rows, True
                )
            else:
                row = self._compiled_policy.choose(changed, rows, True)
            number = int(changed.decisions[NUMBER])
            made.append((number, state.names[row], probability if self.propensity else None))
            if features.shape[1]:
                log.features[number] = features
        log.begin_many(made, [])
        self._state = changed
        log.commit_pending(changed)
        return [Decision(log.ids.format(number), arm, probability) for number, arm, probability in made]

    def _committed_state(self) -> LearnerState:
        """The state, after completing any entry of the decision log that an interrupt left unfinished."""
        if self._decision_log.pending is not None:
            self._decision_log.commit_pending(self._state)
        return self._state

    def _rows(self, available: Iterable[Name] | None) -> np.ndarray:
        """The rows of the arms that may be chosen now."""
        rows = self._state.rows_of(available)
        return rows if self._guard is None else guarded.eligible_rows(self._guard, self._state, rows, self._paused)

    def answer(self, id: Any, reward: Any) -> Any:
        """Record the reward of a decision: True, or False if the same reward is already recorded.

        A different reward is an error. Several may be given as two sequences of equal length, which returns a list:
        all are recorded or, on an error, none. Rewards of retired arms are recorded as well.
        """
        with self._lock:
            state, log = self._committed_state(), self._decision_log
            if type(id) is not str and not is_single(id := as_id(id)):
                new, recorded = self._check_reward.of_decisions(log, state, id, reward)
                if new:
                    log.begin_many([], [(number, one) for number, _, one in new])
                    given = self._features_of([number for number, _, _ in new])
                    arms, rewards = [arm for _, arm, _ in new], [one for _, _, one in new]
                    self._record_many(state, arms, rewards, with_id=True, features=given)
                return recorded
            found = self._check_reward.of_decision(log, state, id, reward)
            if found is None:
                return False
            if state.run[REWARD_COUNT] >= self._scale_monitor.next_check:
                self._scale_monitor.check(state, 2)
            self._scale_monitor.note(state, found[1], found[2], 2)
            self._record_answer(state, id, *found)
            return True

    def _record_answer(self, state: LearnerState, id: str, number: int, arm: Name, reward: float) -> None:
        """Record a reward that was checked."""
        self._decision_log.begin_settle(id, number, reward)
        row, given = state.rows.get(arm), self._features_of([number])
        if row is not None:
            self._compiled_policy.record(state, row, reward, True, given)
        else:
            self._state = state = self._compiled_policy.record_late(state, [arm], [reward], True, given)
        self._decision_log.commit_pending(state)

    def _features_of(self, numbers: list[int]) -> np.ndarray:
        """The features of open decisions, a row each."""
        if not self._coding.records:
            return NO_FEATURES
        return np.vstack([self._decision_log.features[number] for number in numbers])

    def _record_many(
        self, state: LearnerState, arms: list[Name], rewards: list[float], with_id: bool, features: np.ndarray
    ) -> None:
        for arm, reward in zip(arms, rewards, strict=True):
            self._scale_monitor.note(state, arm, reward, 3)
        if all(arm in state.rows for arm in arms):
            self._compiled_policy.record_many(state, [state.rows[arm] for arm in arms], rewards, with_id, features)
        else:
            self._state = self._compiled_policy.record_late(state, arms, rewards, with_id, features)
        self._decision_log.commit_pending(self._state)
        self._scale_monitor.check(self._state, 3)

    def forget(self, id: Any = None, *, arm: object = None) -> None:
        """Stop waiting for the reward of a decision; repeating the call changes nothing.

        `forget(arm="bond")` gives up one outstanding reward of an arm that was chosen by `ask`, without an id.
        """
        with self._lock:
            state, log = self._committed_state(), self._decision_log
            if (id is None) == (arm is None) or (arm is None and not is_single(as_id(id))):
                raise ParameterError("forget needs the id of a decision, or arm=, the name of an arm.")
            if arm is not None or not is_id(id := as_id(id)):
                changed = state.after_forgetting(id if arm is None else arm, with_id=False)
                if arm is None:
                    warnings.warn(
                        "forget(arm) is now forget(arm=...): a positional argument is an id.", DeprecationWarning, 2
                    )
                self._state = changed
            elif id in log.open:
                number, forgotten, _ = log.open[id]
                changed = state.after_forgetting(forgotten, with_id=True)
                log.begin_settle(id, number, FORGOTTEN)
                self._state = changed
                log.commit_pending(changed)
            else:
                log.check_forgotten(id, state)

    def fade(self, factor: float) -> None:
        """Discount the evidence on all arms, retired ones too: `fade(0.5)` halves its weight.

        Means and variances stay the same. For rewards that drift over time, whether or not decisions are made;
        `Discounted` fades with every decision. An arm keeps at least the weight of the first pulls the policy
        requires. `best` goes by what still counts; mean, variance and value of `summary` by all rewards.
        """
        with self._lock:
            self._state = self._compiled_policy.discounted(self._committed_state(), factor)

    def add(self, arm: Name, *, amount: float | None = None) -> None:
        """Add a new arm, or bring back a retired one with everything known about it.

        `amount` is what a sale of the arm pays, if that is known: for `HurdleTS`.
        """
        with self._lock:
            made = self._committed_state().with_arm(arm)
            if amount is not None:
                _, known = hurdle_ts.known_amounts(self.policy, made.names, {made.names[-1]: amount})
                before, amount = made.policy_state[-1, hurdle_ts.AMOUNT], known[made.names[-1]]
                if made.names[-1] in self._state.retired and before != amount:
                    words = f"{before:g}" if before else "not known"
                    raise ParameterError(
                        f"The amount of the arm {arm!r}, which was retired, must be as it was: {words}."
                    )
                made.policy_state[-1, hurdle_ts.AMOUNT] = amount
            self._state = made

    def retire(self, arm: Name) -> None:
        """Stop choosing this arm, unless `add` brings it back; outstanding rewards may still arrive.

        The last 100 retired arms stay in `summary` and in the file, as do those with open decisions; of older
        ones only sums are kept.
        """
        with self._lock:
            state = self._committed_state()
            self._state = state.without_arm(state.row(arm), bool(self._compiled_policy.history_entries))

    def pause(self) -> None:
        """Choose only the baseline of a `Guarded` policy, until `resume`. Rewards still count."""
        if self._guard is None or self._guard.baseline is None:
            raise ParameterError("Only a learner with a baseline can pause: Guarded(policy, baseline=...).")
        self._paused = True

    def resume(self) -> None:
        """Let the policy choose again."""
        self._paused = False

    def __repr__(self) -> str:
        arms, made = counted(len(self._state.names), "arm"), counted(self.decisions, "decision")
        return f"<Learner: {self.policy} for {self.risk}, {arms}, {made}>"


def _generator(seed: object) -> np.random.Generator:
    if isinstance(seed, np.random.Generator):
        if not isinstance(seed.bit_generator, np.random.PCG64):
            raise must_be("The seed", "a whole number >= 0 or a Generator on PCG64", seed)
        return seed
    return np.random.default_rng() if seed is None else seeds.generator(seeds.check_seed(seed))
