"""Conformance checks for best-arm identification rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms import GaussianArms, UniformArms
from riskbandits.core.errors import ContractError, shown
from riskbandits.core.records import digest
from riskbandits.core.user_calls import guarded_method
from riskbandits.identification.contract import RULE_METHODS, fixed_confidence, names_an_arm, refusal
from riskbandits.identification.samples import fill, run_samples
from riskbandits.problem import Problem
from riskbandits.risk import CVaR, Mean, MeanVariance, ValueAtRisk, VarianceConstrained
from riskbandits.testing.risk_and_arms import check_record

if TYPE_CHECKING:
    from riskbandits.types import Rule

ARMS = GaussianArms(means=[0.2, 0.5, 1.5, 0.9], variances=[0.05, 0.2, 0.2, 1.0])
BOUNDED = UniformArms(lows=[0.0, 0.4, 0.2], highs=[1.0, 0.6, 0.9])
RISKS = (MeanVariance(1.0), CVaR(0.3), Mean(), ValueAtRisk(0.3), VarianceConstrained(0.05))
BUDGET, CONFIDENCE = 400, 0.9


def check_rule(rule: Any, problem: Problem | None = None, seed: int = 0) -> None:
    """Raise a ContractError that says what is wrong with a rule for `identify`, if anything.

    >>> import riskbandits as rb
    >>> check_rule(rb.SuccessiveRejects())
    """
    rule = check_record(rule, "rule", RULE_METHODS)
    name = type(rule).__name__
    problem = problem or _fitting_problem(rule)
    confidence = CONFIDENCE if fixed_confidence(rule) else None
    found = []
    for run in (0, 1, 0):
        samples = run_samples(problem, fill, seed, digest(rule, problem.arms, problem.risk), run)
        decision = guarded_method(rule, "choose", rule.choose, samples, problem.risk, BUDGET, confidence)
        if not isinstance(decision, tuple) or len(decision) != 2:
            raise ContractError(f"{name}.choose must return a Decision(arm, finished). Got {shown(decision)} instead.")
        arm, finished = decision
        if not names_an_arm(arm, problem.risk, problem.size):
            raise ContractError(f"{name}.choose must name an arm, 0 to {problem.size - 1}. Got {shown(arm)} instead.")
        if not isinstance(finished, (bool, np.bool_)):
            raise ContractError(
                f"{name}.choose must say whether it is finished, True or False. Got {shown(finished)} instead."
            )
        if samples.total > BUDGET:
            raise ContractError(f"{name}.choose must use at most {BUDGET} rewards, its budget. Got {samples.total}.")
        found.append((arm if arm is None else int(arm), bool(finished), samples.used.tolist()))
    if found[0] != found[2]:
        raise ContractError(f"{name} decides differently when run again with the same seed.")


def _fitting_problem(rule: Rule) -> Problem:
    sentence = None
    for problem in [Problem(arms, risk) for arms in (ARMS, BOUNDED) for risk in RISKS]:
        sentence = refusal(rule, problem.risk, problem.arms)
        if not sentence:
            return problem
    raise ContractError(f"{type(rule).__name__} supports none of the test problems: pass one. ({sentence})")
