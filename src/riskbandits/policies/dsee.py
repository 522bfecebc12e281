"""Deterministic sequencing of exploration and exploitation for the mean (Vakili, Liu & Zhao 2013)."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.policies.contract import refuse_unless
from riskbandits.policies.mv_dsee import MVDSEE
from riskbandits.records import Positive
from riskbandits.risk import Mean


class DSEE(NamedTuple):
    """Explore in rounds, a number of times that grows with ln t; otherwise play the best sample mean.

    Use it as the baseline for the mean when exploration must be scheduled. It is `MVDSEE` judged by `Mean`, and
    `weight` (> 0) has to fit the gaps in the same way: the theory asks for a large one without saying how large.

    Reference: Vakili, Liu & Zhao, Deterministic Sequencing of Exploration and Exploitation for Multi-Armed Bandit
    Problems, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.2, 0.7], [1, 1]), rb.Mean())
    >>> rb.simulate(problem, [DSEE(weight=2)], horizon=500, runs=2, seed=1, progress=False).pulls("DSEE").min()
    np.int64(13)
    """

    weight: Positive = 1.0

    prepare = MVDSEE.prepare
    score = MVDSEE.score
    chosen = MVDSEE.chosen
    learn = MVDSEE.learn
    first_pulls = MVDSEE.first_pulls
    width = MVDSEE.width

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """It sees the mean alone."""
        return refuse_unless(self, risk, Mean)
