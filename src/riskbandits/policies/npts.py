"""Nonparametric Thompson sampling for any continuous risk measure (rho-NPTS)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.contract import highest_reward
from riskbandits.core.records import Finite
from riskbandits.numerics import history
from riskbandits.numerics.history import SIZE, TOTAL
from riskbandits.policies.support import reweighting

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class NPTS(NamedTuple):
    """Nonparametric Thompson sampling: each step draws random weights over every arm's history.

    Use it when no parametric family fits the rewards, with any risk measure. It keeps all rewards, and a step takes
    longer the longer the histories are.

    Each step, for each arm: weights w ~ Dirichlet(1, ..., 1) over its history; play the largest value of the weighted
    history. The history starts with one reward `anchor`, the largest possible one, which keeps an arm with a bad
    start from being abandoned; rewards must not exceed it. `NPTS.anchor_free()` is the form without, for
    rewards without an upper bound; every arm is then played twice first, and an arm whose first two rewards are both
    bad may never be played again. There are no constants to tune.

    The sampling is exact: choices have the same distribution as if every weight were drawn at every step. Equal rewards
    share one draw; for long histories only as much is drawn as the choice needs
    (`riskbandits.policies.support.reweighting`), which needs `sample_bounds` of the risk measure: a measure without it
    costs a draw per reward and step.

    References: Chang & Tan, A Unifying Theory of Thompson Sampling for Continuous Risk-Averse Bandits, AAAI 2022; for
    bounded means Riou & Honda, ALT 2020. The form without an anchor fits what the abstract of Chang, 2026 (arXiv
    2606.09191), says about rho-NPTS_SG, but cannot be all of it: see `docs/systems.md`.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BetaArms([2, 5], [2, 3]), rb.CVaR(0.2))
    >>> rb.simulate(problem, [NPTS(), NPTS.anchor_free()], horizon=50, runs=2, seed=1, progress=False).labels
    ['NPTS', 'NPTS:anchor_free']
    """

    anchor: Finite = 1.0
    use_anchor: bool = True

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Draw the weights that determine the choice."""
        reweighting.draw_scores(state, run, risk, rng)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return state[k, reweighting.SCORE]

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward, after the anchor if it is the first."""
        if self.use_anchor and state[k, SIZE] == 0.0:
            history.add(state, k, run, self.anchor)
        history.add(state, k, run, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """Rewards fade, the anchor does not."""
        before = state[k, SIZE]
        history.discount(state, k, run, factor)
        if self.use_anchor and before > 0.0:
            history.weigh(state, k, run, self.anchor, 1.0 - factor)

    def evidence(self, state: State, k: int) -> float:
        """What rewards count for, without the anchor."""
        return state[k, TOTAL] - 1.0 if self.use_anchor else state[k, TOTAL]

    def first_pulls(self) -> int:
        """With an anchor an arm not yet tried would have the largest value there is."""
        return 1 if self.use_anchor else 2

    def history(self) -> int:
        """The anchor comes before the first reward."""
        return 1

    def width(self) -> int:
        return reweighting.WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The anchor must be at least as good as every reward."""
        if not self.use_anchor or arms is None or highest_reward(arms) <= self.anchor:
            return None
        return (
            f"NPTS needs rewards up to its anchor, {self.anchor:g}, and those of {type(arms).__name__} reach "
            f"{highest_reward(arms):g}: raise anchor, or use NPTS.anchor_free()."
        )

    def rejects(self, reward: float) -> str | None:
        """The anchor must be at least as good as every reward."""
        return f"at most {self.anchor:g}" if self.use_anchor and reward > self.anchor else None

    @classmethod
    def anchored(cls) -> NPTS:
        """With the anchor 1, for rewards between 0 and 1."""
        return cls()

    @classmethod
    def anchor_free(cls) -> NPTS:
        """Without an anchor, for rewards without an upper bound."""
        return cls(use_anchor=False)
