"""Every bound of Zhu & Tan (2020) as numbers with its assumptions checked, and what no policy can beat.

>>> import riskbandits as rb
>>> problem = rb.problems.zhu_tan_gaussian(rho=1)
>>> round(rb.theory.lower_bound(problem).total, 1)  # per ln n: no consistent policy has regret that grows more slowly
92.8
>>> bool(rb.theory.theorem_3(problem).applies)  # the assumptions of its proof fail for these arms
False
>>> rb.theory.lower_bound(problem, rho=[0, 1, 10]).per_arm.shape
(3, 15)
"""

from riskbandits.theory.bound import Assumption, Bound
from riskbandits.theory.consistency import below_lower_bound
from riskbandits.theory.expected_waits import expected_wait
from riskbandits.theory.finite_time import theorem_s1, theorem_s2, theorem_s3, theorem_s4
from riskbandits.theory.limits import lemma_1, remark_3_large_rho, remark_3_small_rho
from riskbandits.theory.locking import lock_share
from riskbandits.theory.lower_bounds import k_inf, lower_bound
from riskbandits.theory.mixtures import Mixture, best_mixture, mixture_value, single_arm_is_best
from riskbandits.theory.mvts_rate import mvts_rate
from riskbandits.theory.theorems import (
    theorem_1,
    theorem_1_counterexample,
    theorem_2,
    theorem_2_counterexample,
    theorem_3,
    theorem_3_counterexample,
    theorem_4,
)

__all__ = [
    "Assumption",
    "Bound",
    "Mixture",
    "below_lower_bound",
    "best_mixture",
    "expected_wait",
    "k_inf",
    "lemma_1",
    "lock_share",
    "lower_bound",
    "mixture_value",
    "mvts_rate",
    "remark_3_large_rho",
    "remark_3_small_rho",
    "single_arm_is_best",
    "theorem_1",
    "theorem_1_counterexample",
    "theorem_2",
    "theorem_2_counterexample",
    "theorem_3",
    "theorem_3_counterexample",
    "theorem_4",
    "theorem_s1",
    "theorem_s2",
    "theorem_s3",
    "theorem_s4",
]
