"""Any policy, which forgets an arm when its rewards have changed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from riskbandits.compiling.jit import always_inline
from riskbandits.core.records import Limits, NonNegative
from riskbandits.numerics import change_points
from riskbandits.policies.cells import STEP
from riskbandits.policies.support import contract, forgetting
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.policies.switching_aware import SwitchingAware

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

# Columns of the state, from its end: those of the policy inside come first, those of the change-point test last.
DETECTOR_WIDTH = change_points.WIDTH
COUNT_SINCE_RESET = DETECTOR_WIDTH + 1  # rewards since the arm was reset, discounted as they are
RETRY_STEP = DETECTOR_WIDTH + 2  # the step of a trial whose reward is pending; else 0
LAST_STEP = DETECTOR_WIDTH + 3  # the step at which it was last chosen
EXTRA_WIDTH = DETECTOR_WIDTH + 3
RETRY_AFTER = 1000.0  # steps after which an arm whose reward is still pending is tried again


@wrapper
class Restarting(NamedTuple):
    """Any policy that can forget, extended to forget an arm once its rewards indicate a change.

    Use it when arms change rarely and abruptly, and you do not know how often: where nothing changes it costs little.
    For 0/1 rewards use `Restarting.bernoulli()`. Where arms drift, which of `Restarting` and `Discounted` is better
    depends on how fast (`docs/studies/drift.md`).

    The rewards of each arm are tested for a change of mean or variance by a generalised likelihood ratio: two Gaussians
    (`binary`: success probabilities), one before and one after some reward, against one for all. Where the logarithm of
    the ratio is more than ln(3 n^(3/2)/alarm) after n rewards, the arm is forgotten (with `together`, all arms) and
    played as at the start. `alarm` bounds the probability that an arm which never changes is ever forgotten, if its
    rewards are Gaussian; heavy tails raise more alarms, and where most rewards are 0 nearly every other one raises
    one (use `Discounted`). Change points are tested every 8 rewards (`riskbandits.numerics.change_points`).

    A change of an arm that is not played cannot be detected: each arm is played at least once in `every` steps (0:
    never). Where such an arm becomes the best, this is no help in time: 0.97 [0.95, 0.99] times the regret of
    `SwitchingAware`, and `Discounted(half_life=1000)` has 0.10 times (`python -m studies.advice`).

    Reference: Besson, Kaufmann, Maillard & Seznec, Efficient Change-Point Detection for Tackling Piecewise-Stationary
    Bandits, 2022 (for means of bounded rewards, with `together` as "global" restarts).

    >>> import riskbandits as rb
    >>> arms = [rb.GaussianArms([0, 1], [0.1, 0.1]), rb.GaussianArms([1, 0], [0.1, 0.1])]
    >>> problem = rb.Problem(rb.PiecewiseArms([(1, arms[0]), (101, arms[1])]), rb.MeanVariance(1))
    >>> policies = [rb.NGTS(), Restarting(rb.NGTS())]
    >>> rb.simulate(problem, policies, horizon=200, runs=2, progress=False).final()["policy"].tolist()
    ['Restarting(NGTS)', 'NGTS']
    """

    policy: Any = SwitchingAware()
    alarm: Annotated[float, Limits(low=0.0, high=1.0, open_low=True)] = 0.05
    every: NonNegative = 2000.0
    together: bool = False
    binary: bool = False

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The policy's own for a known arm; an arm that was forgotten, or not played for long, comes first."""
        if state[k, -COUNT_SINCE_RESET] < contract.needed(self.policy):
            waits = state[k, -RETRY_STEP] > 0.0 and run[STEP] - state[k, -RETRY_STEP] < RETRY_AFTER
            return -math.inf if waits else math.inf
        if self.every > 0.0 and run[STEP] - state[k, -LAST_STEP] >= self.every:
            return math.inf
        return self.policy.score(state, k, run, risk, rng)

    def chosen(self, state: State, k: int, run: Run) -> None:
        """Note when the arm was played, and whether an unknown arm is being tried."""
        if state[k, -COUNT_SINCE_RESET] < contract.needed(self.policy):
            state[k, -RETRY_STEP] = run[STEP]
        state[k, -LAST_STEP] = run[STEP]
        contract.chosen(self.policy, state, k, run)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward and test for a change."""
        self.policy.learn(state, k, run, reward)
        state[k, -COUNT_SINCE_RESET] += 1.0
        state[k, -RETRY_STEP] = 0.0
        base = state.shape[1] - DETECTOR_WIDTH
        if change_points.add(state, k, base, reward):
            log_ratio, count = change_points.evidence(state, k, base, self.binary)
            if log_ratio > math.log(3.0 / self.alarm) + 1.5 * math.log(count):
                for j in range(state.shape[0]):
                    if self.together or j == k:
                        self.fade(state, j, run, 0.0)

    @always_inline
    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """Fade what the policy knows; 0 forgets the arm and restarts the test."""
        contract.fade(self.policy, state, k, run, factor)
        state[k, -COUNT_SINCE_RESET] *= factor
        if factor == 0.0:
            change_points.clear(state, k, state.shape[1] - DETECTOR_WIDTH)

    def evidence(self, state: State, k: int) -> float:
        """Infinite: no arm counts as one with too few rewards, since `score` tries arms without any again."""
        return math.inf

    def width(self) -> int:
        """Columns of the policy and of the change-point test."""
        return contract.width(self.policy) + EXTRA_WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Why the problem is not supported, or None: features, trials that leave no steps, or what the policy refuses.

        An arm that is chosen by features pays other rewards when other decisions come, and to learn for whom it is
        chosen changes them too: the test would take that for a change of the arm.
        """
        if contract.uses_features(self.policy):
            name = type(self.policy).__name__
            return f"Restarting takes other features for a change of the arms: use {name}() or Discounted({name}())."
        if self.binary and (refusal := contract.refuse_unless_binary(self, arms)):
            return refusal
        return forgetting.refuse_short_interval(arms, self.every) or contract.refusal(self.policy, risk, arms)

    def rejects(self, reward: float) -> str | None:
        """What is wrong with a reward, or None: the binary test needs 0 and 1; then what the policy rejects."""
        if self.binary and (complaint := contract.reject_unless_binary(reward)):
            return complaint
        return contract.reward_complaint(self.policy, reward)

    def invalid(self) -> tuple[str, str, object] | str | None:
        """What is wrapped must be a policy that can forget, and does not do so by itself."""
        return forgetting.complaint(self)

    # Acceleration: none, as forgetting changes the scores of arms that are not played.

    def all_changed(self, run: Run) -> bool:
        return True

    def rises(self) -> bool:
        """False: the score of an arm that is not played falls when the arm is forgotten."""
        return False

    @classmethod
    def gaussian(cls, alarm: float = 0.05) -> Restarting:
        """For Gaussian-like rewards."""
        return cls(alarm=alarm)

    @classmethod
    def bernoulli(cls, alarm: float = 0.05) -> Restarting:
        """For rewards that are 0 or 1."""
        return cls(SwitchingAware.bernoulli(), alarm=alarm, binary=True)
