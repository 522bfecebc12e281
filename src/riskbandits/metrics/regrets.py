"""Regrets of every run at every checkpoint. At checkpoint t all quantities are those of a run of length t.

Each function takes a trace and returns an array (runs, checkpoints). For a risk measure that does not
charge for switching, the three regrets are one: the sum of the gaps of the arms played. Where arms change over
time, there is no single best arm to compare the whole stream of rewards with, so only the dynamic regret is defined.
"""

from __future__ import annotations

import numpy as np

from riskbandits.arms.contract import refuse_drift
from riskbandits.core.user_calls import explained, name_of
from riskbandits.simulation.kernel import BEST_ARM, GAP, MEAN, MEAN_SQUARED, REWARD, REWARD_SQUARED
from riskbandits.simulation.trace import Trace, check_trace


def regret(trace: Trace) -> np.ndarray:
    """R_t = t (MV_best - MV of the t rewards), their biased variance included (Definition 2). It can be negative."""
    problem = check_trace(trace).problem
    refuse_drift(problem.arms, "This regret")
    if not problem.charges_switching:
        return gap_sum(trace)
    steps = trace.checkpoints
    mean = trace.sums[:, :, REWARD] / steps
    variance = trace.sums[:, :, REWARD_SQUARED] / steps - mean**2
    # Rewards are less the best arm's mean, so its own mean is 0 here.
    with explained(name_of(problem.risk, "value")):
        best = problem.risk.value(0.0, problem.variances[problem.best_arm])
        return steps * (best - problem.risk.value(mean, variance))


def exact_pseudo_regret(trace: Trace) -> np.ndarray:
    """sum_i T_i Delta_i + (1/2t) sum_ij T_i T_j Gamma_ij^2: the low-variance estimator of the expected regret."""
    return gap_sum(trace) + switching_cost(trace)


def pseudo_regret(trace: Trace) -> np.ndarray:
    """sum_i T_i Delta_i + (1/t) sum_i sum_{j != i} T_i T_j Gamma_ij^2, as printed (Definition 3).

    The printed form counts the switching cost twice.
    """
    return gap_sum(trace) + 2.0 * switching_cost(trace)


def dynamic_regret(trace: Trace) -> np.ndarray:
    """Sum over steps s of max_i V_i(s) - V_a(s), a the arm played: the loss of each pull to the best arm of its step.

    There is no switching term. For arms that do not change it is the sum of the gaps.
    """
    return gap_sum(trace)


def contextual_regret(trace: Trace) -> np.ndarray:
    """Sum over decisions of max_i V_i(x) - V_a(x), a the arm played and x the features of the decision.

    There is no switching term: means differ from decision to decision anyway. For arms without features it is the sum
    of the gaps.
    """
    return gap_sum(trace)


def gap_sum(trace: Trace) -> np.ndarray:
    """sum_i T_i Delta_i."""
    return check_trace(trace).sums[:, :, GAP].copy()


def switching_cost(trace: Trace) -> np.ndarray:
    """(1/2t) sum_ij T_i T_j Gamma_ij^2 = P2 - P1^2/t, with P1 and P2 the sums of means and squared means played."""
    refuse_drift(check_trace(trace).problem.arms, "The cost of switching")
    if not trace.problem.charges_switching:
        return np.zeros(trace.sums.shape[:2])
    cost = trace.sums[:, :, MEAN_SQUARED] - trace.sums[:, :, MEAN] ** 2 / trace.checkpoints
    return np.maximum(cost, 0.0)  # a variance: negative only by rounding


def best_arm_share(trace: Trace) -> np.ndarray:
    """The share of steps at which an arm with gap 0 (at that step) was played."""
    return check_trace(trace).sums[:, :, BEST_ARM] / trace.checkpoints


def decomposition(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """R1 and R2 per run at the horizon, R = R1 + R2, with R2 = sum_i T_i (m_i - xbar)^2 the cost of switching."""
    total = regret(trace)[:, -1]
    if not trace.problem.charges_switching:
        return total, np.zeros_like(total)
    pulls = trace.pulls
    means = trace.reward_sums / np.maximum(pulls, 1)
    mean = trace.reward_sums.sum(axis=1, keepdims=True) / trace.horizon
    between = (pulls * (means - mean) ** 2).sum(axis=1)
    return total - between, between
