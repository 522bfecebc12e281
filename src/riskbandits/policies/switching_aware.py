"""Any policy, with the cost of changing the mean of the reward stream taken into account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds.charged_bounds import ChargedBounds, SwitchingAwareBounds, can_be_charged
from riskbandits.compiling.jit import always_inline
from riskbandits.core.records import NonNegative, is_record
from riskbandits.policies.bmvts import BMVTS
from riskbandits.policies.cells import HORIZON, REWARD_COUNT, REWARD_SUM, STEP, WRAPPER
from riskbandits.policies.imed_mv import IMEDMV
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.support import contract
from riskbandits.policies.support.wrapper import handed_on, wrapper
from riskbandits.risk import MeanVariance
from riskbandits.risk.charged import ChargedMeanVariance, weight_at

if TYPE_CHECKING:
    from riskbandits.types import Rng, Run, State

# Cells of the run, counted from its end: the first ones belong to the policy inside. The charge passes through them so
# that it has the precision of the run: on a GPU that may be single, and then values are compared that must be equal.
WEIGHT = WRAPPER  # t/n
STREAM = WRAPPER + 1  # the mean of the rewards so far


@wrapper
class SwitchingAware(NamedTuple):
    """The recommended policy: Thompson sampling that accounts for the cost of changing the mean of the reward stream.

    Use it by default: `SwitchingAware()` for Gaussian-like rewards of any scale, `SwitchingAware.bernoulli()` for
    rewards 0 and 1. It can wrap any other `policy` of the package that asks the risk measure for the value of a mean
    and a variance, such as `SwitchingAware(rb.MVTS())`.

    *When not to use it.* It trades the quality of single pulls for less variance of the whole stream: where every pull
    matters in its own right (patients, customers), use `NGTS`.

    *Where others are better.* Rewards that are mostly 0: `HurdleTS`. 0/1 rewards: `bernoulli()`, which shuts the best
    arm out in fewer runs; if all probabilities are small (0.001 to 0.3) their regrets cannot be told apart, 0.94
    [0.70, 1.19] times that of the default. Two arms, the better one with a far larger variance:
    `SwitchingAware(NGTS(optimism=320))` has 0.82 [0.72, 0.93] times the regret, and `KLUCBMV`, which is slow to give
    up on an arm, 0.48 [0.28, 0.79] times, though more than the default on half of the problems. With rare large losses
    `KLUCBMV` has 1.34 [1.08, 1.64] times (`python -m studies.advice` prints all of these). Two nearly equal arms over a
    few hundred steps: no exploration pays off, and `VTS`, whose regret is linear in the long run, wastes less on it.
    Where gaps are small compared with the squared distances between means, more of its runs settle on the second-best
    arm than those of `IMEDMV`, because staying is cheaper than switching late.

    *Why.* The regret compares the mean and the variance of the whole stream of rewards, and the variance grows when
    arms with different means are mixed, however good they are. With T_i plays of arm i it is
    sum_i T_i Δ_i + sum_i T_i (μ_i - M)^2, where M is the average of μ over all plays. After t of n plays whose
    mean is x, giving the other n - t to arm i adds (n - t) Δ_i + t (n - t)/n (μ_i - x)^2, which is, per
    remaining play, Δ_i + (t/n) (μ_i - x)^2. So the quantity to maximise at step t is

        ρ μ - σ² - (t/n) (μ - x)²,

    the mean-variance itself at first, and later one that prefers arms whose mean is where the stream already is.
    Arms of nearly equal value and different means are no longer played alternately: the policy settles on one.
    The wrapped policy receives this value in place of the risk measure's. (`IMEDMV` and `KLUCBMV` charge an arm for
    its sample mean.)

    *Unknown horizon.* Without a horizon (in a `Learner` without one) and always with `anytime`, n is assumed to be
    4 t sqrt(t/K), K the number of arms: the charge is sqrt(K/t)/4, which decreases. So an arm that is better
    by Δ and whose mean is D away is adopted by the time t = K (D²/(4 Δ))², however the run began. That is
    of the order of the time needed to distinguish the two, which no policy can avoid. If the given horizon was too
    short, the charge falls from 1 as n/t after it, until it meets that one. `guessing()` hides the horizon from
    the wrapped policy too.

    The charge is t/n to the `power`. `power` 0 charges in full from the start and locks onto whichever arm came first;
    1/2 saves more in the closest ties and loses where gaps are a little wider. Both are meant for study.

    | preset | policy | |
    |---|---|---|
    | `gaussian()` (default) | `NGTS()` | scale-free prior; explores early, and more with few arms |
    | `bernoulli()` | `BMVTS()` | rewards 0 and 1 |
    | `guessing()` | `NGTS(anytime=True)` | `anytime`: as if the horizon were unknown |
    | `imed()`, `imed_bernoulli()` | `IMEDMV` | deterministic |

    What it gains and where it does not: `docs/studies/better-than-mvts.md`.

    >>> import riskbandits as rb
    >>> learner = rb.Learner(SwitchingAware(), arms=["bond", "stock"], risk=rb.MeanVariance(rho=1.0), horizon=1000)
    >>> learner.ask()
    'bond'
    """

    policy: Any = NGTS()
    anytime: bool = False
    power: NonNegative = 1.0

    @handed_on
    def score(self, state: State, k: int, run: Run, risk: ChargedMeanVariance, rng: Rng) -> float:
        """That of the wrapped policy, for the charged measure."""
        return float(self.policy.score(state, k, run, risk, rng))

    @handed_on
    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """As the wrapped policy."""
        self.policy.learn(state, k, run, reward)

    @always_inline
    def measure(self, state: State, run: Run, risk: MeanVariance) -> ChargedMeanVariance:
        """The current charge: where the stream is, and how much of it has passed."""
        run[WEIGHT] = 0.0
        run[STREAM] = 0.0
        if run[REWARD_COUNT] > 0.0:
            run[WEIGHT] = weight_at(run[STEP], run[HORIZON], state.shape[0], self.anytime, self.power)
            run[STREAM] = run[REWARD_SUM] / run[REWARD_COUNT]
        return ChargedMeanVariance(risk.rho, run[WEIGHT], run[STREAM])

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """Only the regret of the mean-variance charges for switching; and what the policy refuses."""
        if refusal := contract.refuse_unless_mean_variance(self, risk):
            return refusal
        return contract.refusal(self.policy, risk, arms)

    def invalid(self) -> tuple[str, str, object] | str | None:
        """What is wrapped must be a policy."""
        methods = all(callable(getattr(self.policy, name, None)) for name in contract.POLICY_METHODS)
        if is_record(self.policy) and methods and contract.uses_features(self.policy):
            inside = type(self.policy).__name__
            return (
                f"SwitchingAware charges for changing the mean, and features change it anyway: use {inside}() itself."
            )
        if is_record(self.policy) and methods and not isinstance(self.policy, SwitchingAware):
            return None
        return ("The 'policy' parameter of SwitchingAware", "a policy such as NGTS()", self.policy)

    # Acceleration. When the formula of a score or of learning changes, bounds/charged_bounds.py and the charged
    # methods of the policy's bounds must be derived again as well; until then let `bounds` return None, which is
    # always right.

    def bounds(self, risk: MeanVariance) -> SwitchingAwareBounds | ChargedBounds | None:
        """Those of the policy, if they support the charged measure."""
        if not isinstance(risk, MeanVariance):
            return None
        inner = contract.bounds_of(self.policy, ChargedMeanVariance(risk.rho, 0.0, 0.0))
        if inner is None:
            return None
        return ChargedBounds(inner, self.anytime, self.power) if can_be_charged(inner) else SwitchingAwareBounds(inner)

    @classmethod
    def gaussian(cls) -> SwitchingAware:
        """For Gaussian-like rewards."""
        return cls()

    @classmethod
    def bernoulli(cls) -> SwitchingAware:
        """For rewards that are 0 or 1."""
        return cls(BMVTS())

    @classmethod
    def guessing(cls) -> SwitchingAware:
        """For Gaussian-like rewards, with a guessed horizon whether or not it is known."""
        return cls(NGTS(anytime=True), anytime=True)

    @classmethod
    def imed(cls) -> SwitchingAware:
        """Without draws, for Gaussian-like rewards."""
        return cls(IMEDMV())

    @classmethod
    def imed_bernoulli(cls) -> SwitchingAware:
        """Without draws, for rewards that are 0 or 1."""
        return cls(IMEDMV.bernoulli())
