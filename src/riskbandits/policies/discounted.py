"""Any policy, with evidence that fades."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.core.records import Positive
from riskbandits.policies.cells import LOG_STEP, REWARD_COUNT, REWARD_SUM, STEP
from riskbandits.policies.support import contract, forgetting
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.policies.switching_aware import SwitchingAware

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

# Columns of the state, counted from its end: those of the policy inside come first.
SEEN = -1  # the step up to which the row has faded
WEIGHT, TOTAL = -2, -3  # rewards of the arm and their sum, as much as they count
RETRY_STEP = -4  # the step of a trial whose reward is pending; else 0
# In the first row that a policy is shown: the run as the policy inside sees it.
NOW, LOG_NOW, TOLD_NOW, SUM_NOW = -5, -6, -7, -8
COLUMNS = 8
LN2 = math.log(2.0)


@wrapper
class Discounted(NamedTuple):
    """Any policy that can forget, with evidence that fades: after `half_life` steps it counts for half.

    Use it when rewards drift, as in `Discounted(rb.NGTS(), half_life=500)`: about a quarter of the time between changes
    is a good half-life. Where nothing drifts it costs regret, and the shorter the half-life, the more
    (`docs/studies/drift.md`).

    At every step the weight of each reward is multiplied by 2^(-1/half_life), so the evidence on an arm
    that is not played decays. When its rewards weigh less than the first pulls the policy requires, it is tried again.
    The wrapped policy sees a run as long as its evidence: t, the number of rewards and their sum are those of the faded
    rewards, so that `SwitchingAware` charges for changing the mean of recent rewards, not of all. An infinite half-life
    would change nothing.

    References: Garivier & Moulines, On Upper-Confidence Bound Policies for Switching Bandit Problems, 2011; Qi, Wang &
    Zhu, Discounted Thompson Sampling for Non-Stationary Bandit Problems, 2023.

    >>> import riskbandits as rb
    >>> arms = [rb.GaussianArms([0, 1], [0.1, 0.1]), rb.GaussianArms([1, 0], [0.1, 0.1])]
    >>> problem = rb.Problem(rb.PiecewiseArms([(1, arms[0]), (101, arms[1])]), rb.MeanVariance(1))
    >>> policies = [rb.NGTS(), Discounted(rb.NGTS(), half_life=30)]
    >>> rb.simulate(problem, policies, horizon=200, runs=2, progress=False).final()["policy"].tolist()
    ['Discounted(NGTS, half_life=30)', 'NGTS']
    """

    policy: Any = SwitchingAware()
    half_life: Positive = 500.0

    @always_inline
    def measure(self, state: State, run: Run, risk: RiskMeasure) -> Any:
        """The policy's own, for the faded run."""
        renew(self, state, run)
        step, log_step, told, total = enter(state, run)
        found = contract.measure(self.policy, state, run, risk)
        leave(run, step, log_step, told, total)
        return found

    @always_inline
    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """The policy's own, in the faded run."""
        renew(self, state, run)
        step, log_step, told, total = enter(state, run)
        contract.prepare(self.policy, state, run, risk, rng)
        leave(run, step, log_step, told, total)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The policy's own for an arm with evidence; an arm without is tried again, once, until its reward arrives."""
        if lacks_evidence(self, state, k):
            waits = state[k, RETRY_STEP] > 0.0 and run[STEP] - state[k, RETRY_STEP] < self.half_life
            return -math.inf if waits else math.inf
        step, log_step, told, total = enter(state, run)
        found = self.policy.score(state, k, run, risk, rng)
        leave(run, step, log_step, told, total)
        return found

    def chosen(self, state: State, k: int, run: Run) -> None:
        """Note that an arm without evidence is being tried."""
        if lacks_evidence(self, state, k):
            state[k, RETRY_STEP] = run[STEP]
        contract.chosen(self.policy, state, k, run)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward after fading the earlier evidence."""
        kept = math.exp(-LN2 / self.half_life)
        fade_until(self, state, k, run, kept)
        state[k, WEIGHT] += 1.0
        state[k, TOTAL] += reward
        state[k, RETRY_STEP] = 0.0
        told, total = run[REWARD_COUNT], run[REWARD_SUM]
        run[REWARD_COUNT] = 0.0
        run[REWARD_SUM] = 0.0
        for j in range(state.shape[0]):
            factor = kept_after(kept, run[STEP] - state[j, SEEN])
            run[REWARD_COUNT] += factor * state[j, WEIGHT]
            run[REWARD_SUM] += factor * state[j, TOTAL]
        self.policy.learn(state, k, run, reward)
        run[REWARD_COUNT], run[REWARD_SUM] = told, total

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """In addition to what fades by itself."""
        state[k, WEIGHT] *= factor
        state[k, TOTAL] *= factor
        contract.fade(self.policy, state, k, run, factor)

    def evidence(self, state: State, k: int) -> float:
        """However little there is: arms without any are tried again."""
        return math.inf

    def width(self) -> int:
        """Those of the policy, and what fades."""
        return contract.width(self.policy) + COLUMNS

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """A half-life so short that all arms would constantly be retried; and what the policy refuses."""
        return forgetting.refuse_haste(self.policy, arms, self.half_life) or contract.refusal(self.policy, risk, arms)

    def invalid(self) -> tuple[str, str, object] | str | None:
        """What is wrapped must be a policy that can forget, and does not do so by itself."""
        return forgetting.complaint(self)

    # Acceleration: none, as forgetting changes the scores of arms that are not played.

    def all_changed(self, run: Run) -> bool:
        return True

    def rises(self) -> bool:
        """Scores fall as well."""
        return False

    @classmethod
    def gaussian(cls, half_life: float = 500.0) -> Discounted:
        """For Gaussian-like rewards."""
        return cls(SwitchingAware(), half_life)

    @classmethod
    def bernoulli(cls, half_life: float = 500.0) -> Discounted:
        """For rewards that are 0 or 1."""
        return cls(SwitchingAware.bernoulli(), half_life)


@always_inline
def lacks_evidence(policy: Any, state: State, k: int) -> bool:
    """Whether arm k has to be tried again. A history may have dropped what still counts for something here."""
    return state[k, WEIGHT] < contract.needed(policy.policy) or contract.evidence(policy.policy, state, k) == 0.0


@always_inline
def kept_after(kept: float, steps: float) -> float:
    """What is left of a weight after so many steps."""
    if steps == 1.0:
        return kept
    return kept**steps if steps > 0.0 else 1.0


@always_inline
def fade_until(policy: Any, state: State, k: int, run: Run, kept: float) -> None:
    """Let the row of arm k fade up to the present step."""
    if state[k, WEIGHT] > 0.0 and run[STEP] > state[k, SEEN]:
        factor = kept_after(kept, run[STEP] - state[k, SEEN])
        state[k, WEIGHT] *= factor
        state[k, TOTAL] *= factor
        contract.fade(policy.policy, state, k, run, factor)
    state[k, SEEN] = run[STEP]


@jitable
def renew(policy: Any, state: State, run: Run) -> None:
    """Let all rows fade, and write the run as the policy inside sees it."""
    rate = LN2 / policy.half_life
    kept = math.exp(-rate)
    told = 0.0
    total = 0.0
    for k in range(state.shape[0]):
        fade_until(policy, state, k, run, kept)
        told += state[k, WEIGHT]
        total += state[k, TOTAL]
    # 1 + q + ... + q^(t - 1): the decisions so far, with this one.
    now = math.expm1(-rate * run[STEP]) / math.expm1(-rate)
    state[0, NOW] = now
    state[0, LOG_NOW] = math.log(now)
    state[0, TOLD_NOW] = told
    state[0, SUM_NOW] = total


@always_inline
def enter(state: State, run: Run) -> tuple[float, float, float, float]:
    """Show the policy inside the faded run; give what has to be put back."""
    real = (run[STEP], run[LOG_STEP], run[REWARD_COUNT], run[REWARD_SUM])
    run[STEP] = state[0, NOW]
    run[LOG_STEP] = state[0, LOG_NOW]
    run[REWARD_COUNT] = state[0, TOLD_NOW]
    run[REWARD_SUM] = state[0, SUM_NOW]
    return real


@always_inline
def leave(run: Run, step: float, log_step: float, told: float, total: float) -> None:
    """Put the run back as it is."""
    run[STEP] = step
    run[LOG_STEP] = log_step
    run[REWARD_COUNT] = told
    run[REWARD_SUM] = total
