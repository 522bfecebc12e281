"""`identify`: how often a rule identifies the best arm, and at what cost."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.api.execution import RunOptions
from riskbandits.arms import CorrelatedGaussianArms, GaussianArms
from riskbandits.arms.contract import refuse_drift, reward_range
from riskbandits.core.checks import as_number, number, whole
from riskbandits.core.errors import RefusalError
from riskbandits.core.keywords import known_keywords
from riskbandits.core.memory import refuse_beyond
from riskbandits.core.records import cast, checked, classes_of, digest
from riskbandits.core.seeds import check_seed
from riskbandits.identification import (
    VALUCB,
    MeanVarianceElimination,
    MeanVarianceLUCB,
    QuantileElimination,
    SuccessiveRejects,
)
from riskbandits.identification.contract import RULE_METHODS, decide, fixed_confidence, refusal
from riskbandits.identification.samples import compiled_fill, run_samples
from riskbandits.policies.support import trial
from riskbandits.problem import Problem, check_problem
from riskbandits.results.identification import NO_ARM, Identification
from riskbandits.simulation.payload import deserialized

if TYPE_CHECKING:
    from riskbandits.types import Rule

# A rule that stops by itself may find arms that no sample will ever tell apart.
DEFAULT_LIMIT = 1_000_000
BYTES_PER_RUN = 10


class Question(NamedTuple):
    """What a rule is asked, run after run."""

    arms: Any
    risk: Any
    rule: Any
    limit: int
    confidence: float | None
    seed: int


@known_keywords
def identify(
    problem: Problem,
    rule: Rule | None = None,
    *,
    budget: int | None = None,
    confidence: float | None = None,
    runs: int = 500,
    seed: int = 0,
    progress: bool = True,
    workers: int | None = None,
    engine: object = "threads",
) -> Identification:
    """Best-arm identification: run a rule on the problem many times.

    Without a rule, one that suits the goal is used (`fitting_rule`): `SuccessiveRejects` for a budget, and for a
    confidence one whose guarantee holds for these arms and this risk measure, if there is any.

    A rule with a fixed budget (`SuccessiveRejects`) needs `budget`, the number of rewards per run. A rule that stops
    when it is confident needs `confidence`, the required probability of naming a best arm; `budget` is then a limit
    (default 1 000 000), and a run that reaches it names the arm that looks best and counts as unfinished.

    `workers` and `engine` are those of `simulate`; rules are plain Python, so only "processes" runs several in
    parallel.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms(means=[0, 1, 0.2], variances=[1, 1, 1]), rb.CVaR(level=0.2))
    >>> found = rb.identify(problem, rb.SuccessiveRejects(), budget=300, runs=50, seed=1, progress=False)
    >>> found.table().columns.tolist()[:5]
    ['rule', 'runs', 'error_probability', 'error_low', 'error_high']
    >>> rb.identify(problem.with_risk(rb.MeanVariance(1)), confidence=0.95, runs=20, seed=1, progress=False)
    <Identification: MeanVarianceElimination, 20 runs, 0.0 % wrong>
    """
    check_problem(problem)
    refuse_drift(problem.arms, "identify")
    record: Any = checked(fitting_rule(problem, confidence) if rule is None else rule, "rule", RULE_METHODS)
    runs, seed = whole("The number of runs", runs), check_seed(seed)
    limit = _check_goal(record, budget, confidence)
    confidence = as_number(confidence)
    if sentence := refusal(record, problem.risk, problem.arms):
        raise RefusalError(sentence)
    trial.try_arms(problem.arms)
    execution = RunOptions(engine=engine, workers=workers, progress=progress).execution()
    refuse_beyond(BYTES_PER_RUN * runs + 8 * runs * problem.size, f"{runs} runs", "request fewer")
    question = Question(problem.arms, problem.risk, record, limit, confidence, seed)
    classes = tuple(cls for one in (record, problem.risk, problem.arms) for cls in classes_of(one))
    parts = execution.map(answers, _prepared(question), question, classes, runs, "Identifying")
    chosen, finished, pulls = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Identification(type(record).__name__, chosen, _right(problem, chosen), finished, pulls, problem)


def fitting_rule(problem: Problem, confidence: object = None) -> Any:
    """The rule that serves a goal where none is named: its promise must hold for the problem's arms.

    >>> import riskbandits as rb
    >>> fitting_rule(rb.Problem(rb.UniformArms([0, -1], [1, 2]), rb.MeanVariance(1)), 0.9)
    MeanVarianceLUCB(within=0.0, low=-1.0, high=2.0)
    """
    if confidence is None:
        return SuccessiveRejects()
    low, high = reward_range(problem.arms)
    bounded = math.isfinite(low) and math.isfinite(high) and low < high
    rules: list[Any] = [QuantileElimination()]
    rules += [MeanVarianceElimination()] if isinstance(problem.arms, (GaussianArms, CorrelatedGaussianArms)) else []
    rules += [MeanVarianceLUCB(low=low, high=high), VALUCB(low, high)] if bounded else []
    found = next((rule for rule in rules if not refusal(rule, problem.risk, problem.arms)), None)
    if found is None:
        goal = f"{type(problem.risk).__name__} of {type(problem.arms).__name__}"
        raise RefusalError(f"No rule guarantees a confidence for {goal}: give a budget, or name a rule.")
    return found


def _right(problem: Problem, chosen: np.ndarray) -> np.ndarray:
    """Whether a best arm was named that meets the measure's condition, or none where there is none."""
    best = (problem.gaps == 0.0) & problem.admissible
    return np.where(chosen == NO_ARM, not problem.admissible.any(), best[chosen])


class Prepared(NamedTuple):
    """A question with all that its runs have in common."""

    question: Question
    problem: Problem
    fill: Callable[..., None]
    key: tuple[int, ...]


def _prepared(question: Question) -> Prepared:
    problem = Problem(question.arms, question.risk)
    key = digest(question.rule, problem.arms, problem.risk)
    return Prepared(question, problem, compiled_fill(problem), key)


@functools.lru_cache(maxsize=16)
def _opened(parcel: bytes) -> Prepared:
    question = deserialized(parcel)
    return _prepared(question._replace(rule=cast(question.rule)))


def answers(asked: Prepared | bytes, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the rule names in runs `first` to `last` - 1, whether it was sure, and the rewards that it looked at."""
    question, problem, fill, key = _opened(asked) if isinstance(asked, bytes) else asked
    chosen, finished = np.empty(last - first, dtype=np.int64), np.empty(last - first, dtype=bool)
    pulls = np.empty((last - first, problem.size), dtype=np.int64)
    for row, run in enumerate(range(first, last)):
        samples = run_samples(problem, fill, question.seed, key, run)
        arm, finished[row] = decide(question.rule, samples, problem.risk, question.limit, question.confidence)
        chosen[row] = NO_ARM if arm is None else arm
        pulls[row] = samples.used
    return chosen, finished, pulls


def _check_goal(rule: Rule, budget: Any, confidence: Any) -> int:
    name = type(rule).__name__
    if not fixed_confidence(rule):
        if confidence is not None or budget is None:
            raise RefusalError(
                f"{name} has a fixed budget: give budget=N (--budget N), the number of rewards per run, and no "
                "confidence."
            )
        return whole("The budget", budget)
    if confidence is None:
        raise RefusalError(f"{name} stops when it is confident: give confidence=P (--confidence P), for instance 0.95.")
    number("The confidence", confidence, "a number between 0 and 1", lambda p: 0.0 < p < 1.0)
    return DEFAULT_LIMIT if budget is None else whole("The budget", budget)
