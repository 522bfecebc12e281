"""The expected regret, term by term, estimated from a trace; and the slack of Lemma 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riskbandits.core.errors import RefusalError
from riskbandits.inference.intervals import standard_error
from riskbandits.metrics.regrets import exact_pseudo_regret, pseudo_regret, regret
from riskbandits.simulation.kernel import GAP, MEAN, REWARD
from riskbandits.simulation.trace import Trace, check_trace, check_traces


class ExpectationIdentity(NamedTuple):
    """Estimates, per checkpoint t, of the terms of E[R] = E[pseudo] - (1/t) sum_i s_i^2 E[T_i] - (2/t) Cov(M, D).

    M = sum_t (x_t - mu_(a_t)) is the accumulated noise, D = sum_t mu_(a_t) the sum of the means played.
    `residual` is the left side less the right side: an estimate of 0 with standard error `residual_se`.
    """

    checkpoints: np.ndarray
    regret: np.ndarray
    exact_pseudo_regret: np.ndarray
    variance_of_mean: np.ndarray  # (1/t) sum_i s_i^2 E[T_i]
    covariance: np.ndarray  # (2/t) Cov(M, D)
    residual: np.ndarray
    residual_se: np.ndarray

    def adds_up(self, standard_errors: float = 4.0) -> bool:
        """Whether the two sides agree at every checkpoint, within this many standard errors."""
        return bool((np.abs(self.residual) <= standard_errors * self.residual_se + 1e-9).all())


def expectation_identity(trace: Trace) -> ExpectationIdentity:
    """Estimate each term of the identity from the runs of a trace (two runs at least).

    It holds for every policy, and shows what the printed pseudo-regret leaves out.
    """
    weighted, products = _corrections(trace)
    left, exact = regret(trace), exact_pseudo_regret(trace)
    differences = left - (exact - weighted - products)
    return ExpectationIdentity(
        checkpoints=trace.checkpoints,
        regret=left.mean(axis=0),
        exact_pseudo_regret=exact.mean(axis=0),
        variance_of_mean=weighted.mean(axis=0),
        covariance=products.mean(axis=0),
        residual=differences.mean(axis=0),
        residual_se=standard_error(differences),
    )


def low_noise_regret(trace: Trace) -> np.ndarray:
    """Values per run and checkpoint whose mean estimates E[R], as that of the regret does, but that vary far less.

    They are the right side of the identity: the exact pseudo-regret with its two corrections.
    """
    weighted, products = _corrections(trace)
    return exact_pseudo_regret(trace) - weighted - products


def _corrections(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """(1/t) sum_i s_i^2 T_i, and the products whose mean is (2/t) Cov(M, D), per run and checkpoint."""
    problem, steps = check_trace(trace).problem, trace.checkpoints
    if not problem.charges_switching:
        raise RefusalError(
            f"The identity is one of the mean-variance regret. Got {type(problem.risk).__name__} instead."
        )
    if trace.runs < 2:
        raise RefusalError("The covariance in the identity needs two runs or more. Got 1 instead.")
    played = trace.sums[:, :, MEAN]
    noise = trace.sums[:, :, REWARD] - played
    # Delta_i = rho Gamma_i + s_i^2 - s_best^2, so sum_i s_i^2 T_i needs no pulls per arm.
    best_variance = problem.variances[problem.best_arm]
    rho = problem.risk.value(1.0, 0.0) - problem.risk.value(0.0, 0.0)
    variance_pulls = trace.sums[:, :, GAP] + rho * played + steps * best_variance
    correction = trace.runs / (trace.runs - 1.0)  # the two means are estimated
    products = correction * (noise - noise.mean(axis=0)) * (played - played.mean(axis=0))
    return variance_pulls / steps, 2.0 * products / steps


def lemma_1_margin(traces: Sequence[Trace]) -> float:
    """The least slack of Lemma 1, E[printed pseudo-regret] + 3 sum_i s_i^2 - E[R], over traces and checkpoints.

    E[R] less the pseudo-regret is taken from the identity, whose terms vary far less than the regret itself.
    """
    margins = []
    for trace in check_traces(traces):
        expected = low_noise_regret(trace).mean(axis=0)
        printed = pseudo_regret(trace).mean(axis=0)
        margins.append(float(np.min(printed + 3.0 * trace.problem.variances.sum() - expected)))
    return min(margins)
