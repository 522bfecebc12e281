"""Conformance checks for policies."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms import BernoulliArms, GaussianArms, LinearArms
from riskbandits.arms.contract import draw_features, draw_next, feature_count, new_memory
from riskbandits.core.checks import whole
from riskbandits.core.errors import ContractError, RefusalError
from riskbandits.core.records import checked, classes_of, is_record
from riskbandits.core.seeds import check_seed, streams
from riskbandits.learner import Learner
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract, play, trial
from riskbandits.policies.support.naming import label
from riskbandits.policies.switching_aware import SwitchingAware
from riskbandits.problem import Problem, check_problem
from riskbandits.risk import CVaR, Entropic, Mean, MeanVariance, Sharpe
from riskbandits.simulation.runner import Job, run_in_plain_python, run_jobs
from riskbandits.testing.checked_steps import check_array_access
from riskbandits.testing.risk_and_arms import complaints_about_record

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Run

SIMILAR = 0.84  # of two names, by `difflib`: "first_pull" and "first_pulls", not "draws" and "draw"

ARMS = (
    GaussianArms(means=[0.2, 0.5, 0.5, 0.9], variances=[0.05, 0.2, 0.2, 1.0]),
    BernoulliArms(probabilities=[0.2, 0.5, 0.5, 0.9]),
)
ARMS_BY_FEATURES = (LinearArms(coefficients=[[0.5, -0.2], [-0.4, 0.3], [0.1, 0.8]], variances=[0.1, 0.5, 1.5]),)

# The last for policies that explore the longer the less the ratio is regularised: with so much they soon choose.
RISKS = (MeanVariance(1.0), CVaR(0.3), Mean(), Sharpe(), Entropic(1.0), Sharpe(10.0, squares_mean=True))


def check_policy(policy: Any, problem: Problem | None = None, horizon: int = 60, seed: int = 0) -> None:
    """Raise a ContractError that lists everything wrong with a policy, and where, if anything.

    It tries a few steps in plain Python, where `rng` has only the two draws that exist on every target
    (`rng.standard_normal()` and `rng.random()`), looks for side effects, and compares the three ways to run a
    policy (compiled simulation, learner, plain Python), which must choose the same arms from the same seed.
    Some hundred compiled steps of a policy of your own are played with bounds checks.
    Without a problem of your own it takes four Gaussian or Bernoulli arms, as the policy allows; for one that uses
    features three `LinearArms`.

    >>> import riskbandits as rb
    >>> check_policy(rb.MVTS())
    """
    found = Complaints(type(policy).__name__)
    if is_record(policy):
        for method in contract.POLICY_METHODS:
            if not callable(getattr(type(policy), method, None)):
                found.add(f"{type(policy).__name__} is not a policy: it has no method {method!r}.")
        found.end()
    policy = contract.check_policy_record(checked(policy, "policy", contract.POLICY_METHODS))
    for complaint in [*complaints_about_record(policy, "policy"), *_nearly_named(policy)]:
        found.add(complaint)
    problem = fitting_problem(policy) if problem is None else problem
    check_problem(problem)
    policy = contract.with_features(policy, feature_count(problem.arms))
    horizon, seed = whole("The horizon", horizon), check_seed(seed)
    contract.check_serves(policy, problem.risk, problem.arms, horizon_known=True)
    about_record = len(found.sentences)
    if found.of(trial.play_few_steps, policy, problem.risk, trial.PortableRng(0)) is None:
        trial.try_each_method(policy, problem.risk, found.of)
        found.end()
    _check_side_effects(policy, problem.risk, found)
    if len(found.sentences) > about_record:
        found.end()  # before it runs without checks
    if not (trial.is_ours(policy) and trial.is_ours(problem.risk) and trial.is_ours(problem.arms)):
        found.of(check_array_access, policy, problem, seed)
    if len(found.sentences) == about_record:
        found.of(check_one_definition, policy, problem, horizon, seed)
    found.end()


class Complaints:
    """What is wrong with a policy, all of it: raised together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sentences: list[str] = []

    def add(self, sentence: str) -> None:
        """One more, unless it was said."""
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    def of(self, call: Callable[..., Any], *args: Any) -> Any:
        """What a call gives; None, and a complaint more, if it raises one."""
        try:
            return call(*args)
        except ContractError as error:
            self.add(str(error))
            return None

    def end(self) -> None:
        """Raise what there is."""
        if len(self.sentences) == 1:
            raise ContractError(self.sentences[0])
        if self.sentences:
            listed = " ".join(f"({number}) {one}" for number, one in enumerate(self.sentences, start=1))
            raise ContractError(f"{self.name} has {len(self.sentences)} faults: {listed}")


def _nearly_named(policy: Policy) -> list[str]:
    """Complaints about public methods whose names resemble one of the contract's: they would never be called."""
    known = [*contract.POLICY_METHODS, *contract.OPTIONAL_METHODS]
    found = []
    for name, member in vars(type(policy)).items():
        if name.startswith("_") or name in known or not isinstance(member, FunctionType):
            continue
        meant = get_close_matches(name.lower(), known, n=1, cutoff=SIMILAR)
        if meant:
            found.append(
                f"{type(policy).__name__}.{name} is not a method of a policy and is never called: is it meant to be "
                f"{meant[0]!r}? If not, begin its name with an underscore."
            )
    return found


def check_one_definition(policy: Policy, problem: Problem, horizon: int, seed: int) -> np.ndarray:
    """Raise unless the three ways to run a policy choose the same arms; return the pulls per run and arm."""
    name, policy = type(policy).__name__, contract.with_features(policy, feature_count(problem.arms))
    job = Job(label(policy), policy, problem, np.array([horizon]), 2, seed, "plain")
    plain = run_in_plain_python(job).pulls
    if not np.array_equal(plain, run_in_plain_python(job).pulls):
        raise ContractError(f"{name} makes different choices when run again with the same seed: draw only from `rng`.")
    bulk = run_jobs([job], workers=1)[0].pulls
    if not np.array_equal(plain, bulk):
        raise ContractError(f"{name} makes different choices compiled than in plain Python with the same seed.")
    for replication in range(job.runs):
        told = _pulls_of_learner(policy, problem, horizon, seed, replication)
        if not np.array_equal(told, bulk[replication]):
            raise ContractError(f"{name} makes different choices in a Learner than in a simulation with the same seed.")
    return bulk


def _pulls_of_learner(policy: Policy, problem: Problem, horizon: int, seed: int, replication: int) -> np.ndarray:
    choices, rewards = streams(seed, policy, problem, replication)
    count = feature_count(problem.arms)
    names = [str(j) for j in range(count)] if contract.uses_features(policy) else []
    learner = Learner(policy, arms=problem.size, risk=problem.risk, horizon=horizon, seed=choices, features=names)
    pulls = np.zeros(problem.size, dtype=np.int64)
    memory, run = new_memory(problem.size, count), np.zeros(run_cells.FEATURES + count)
    for _ in range(horizon):
        draw_features(problem.arms, rewards, memory, run, count)
        given = dict(zip(names, run[run_cells.FEATURES :].tolist(), strict=True)) if names else None
        arm = int(learner.ask(features=given))
        learner.tell(arm, draw_next(problem.arms, arm, rewards, memory), given)
        pulls[arm] += 1
    return pulls


def fitting_problem(policy: Policy) -> Problem:
    """The first problem of the kit that the policy serves: Gaussian, Bernoulli or linear arms, and a risk measure."""
    refusal, known = None, ARMS_BY_FEATURES if contract.uses_features(policy) else ARMS
    for problem in [Problem(arms, risk) for risk in RISKS for arms in known]:
        try:
            contract.check_serves(policy, problem.risk, problem.arms, horizon_known=True)
        except RefusalError as error:
            refusal = error
        else:
            return problem
    raise ContractError(
        f"{type(policy).__name__} supports neither Gaussian nor Bernoulli arms: pass a problem. ({refusal})"
    )


def _check_side_effects(policy: Policy, risk: RiskMeasure, found: Complaints) -> None:
    """Scoring must leave the state as it is, learning must touch only its own arm's row, and nothing foreign cells."""
    name = type(policy).__name__
    rng = trial.PortableRng(0)
    state, run = trial.play_few_steps(policy, risk, rng)
    # Numbers that no policy would write by chance: one that has written the same every time is seen too.
    play.begin_step(run, int(run[run_cells.STEP]) + 1)
    run[run_cells.HORIZON] = 137.0
    run[run_cells.WRAPPER : run_cells.RUN_CELLS] = 0.125
    risk_now = _minding_cells(found, policy, "measure", run, contract.measure, policy, state, run, risk)
    _minding_cells(found, policy, "prepare", run, contract.prepare, policy, state, run, risk_now, rng)
    before = state.copy()
    for k in range(len(state)):
        _minding_cells(found, policy, "score", run, policy.score, state, k, run, risk_now, rng)
    if not np.array_equal(before, state, equal_nan=True):
        found.add(f"{name}.score changes the state: move that to learn, chosen or prepare{_line_of(policy, 'score')}.")
    _minding_cells(found, policy, "chosen", run, contract.chosen, policy, state, 1, run)
    before = state.copy()
    _minding_cells(found, policy, "learn", run, policy.learn, state, 1, run, 1.0)
    others = [k for k in range(len(state)) if k != 1]
    if not np.array_equal(before[others], state[others], equal_nan=True) and not contract.all_changed(policy, run):
        found.add(f"{name}.learn changes rows of arms other than the one rewarded{_line_of(policy, 'learn')}.")


def _minding_cells(found: Complaints, policy: Any, method: str, run: Run, call: Callable[..., Any], *args: Any) -> Any:
    """What a method gives, unless it writes into cells of the run that are not the policy's own."""
    own = {*range(run_cells.SCRATCH, run_cells.SCRATCH + run_cells.SCRATCH_CELLS)}
    if SwitchingAware in classes_of(policy) and method == "measure":
        own |= {*range(run_cells.WRAPPER, run_cells.RUN_CELLS)}
    foreign = [cell for cell in range(run_cells.RUN_CELLS) if cell not in own]
    before = run[foreign]
    result = call(*args)
    changed = [
        cell for cell, old in zip(foreign, before, strict=True) if not np.array_equal(run[cell], old, equal_nan=True)
    ]
    if changed:
        run[foreign] = before
        found.add(
            f"{type(policy).__name__}.{method} writes into cell {changed[0]} of the run: a policy's own are "
            f"{run_cells.SCRATCH} to {run_cells.SCRATCH + run_cells.SCRATCH_CELLS - 1}{_line_of(policy, method)}."
        )
    return result


def _line_of(policy: Policy, method: str) -> str:
    """Where a method of the policy begins."""
    code = getattr(getattr(type(policy), method, None), "__code__", None)
    return "" if code is None else f" ({code.co_filename}, line {code.co_firstlineno})"
