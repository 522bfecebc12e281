"""What a policy is: a record with `score` and `learn`, and the optional methods whose defaults are defined here.

    score(state, k, context, risk, rng) -> float   the higher, the better; the arm with the highest is played
    learn(state, k, context, reward)               record a reward of arm k

`state` has one row per arm, `width()` columns wide; `context` is what any policy may know of the run, in
the cells named below; `risk` is the risk measure; `rng` gives `standard_normal()` and `random()`.
Methods that the simulation calls at every step are compiled: they may use `math`, the record's own
fields, the two arrays and the helpers of `riskbandits.numerics`, and must not allocate.

A policy that needs more than sums of the rewards keeps a history of them: its `history() -> int` says how many entries
every arm's history has before its first reward (at least 1), `learn` books rewards with `history.add`, and
`riskbandits.numerics.history` says how they are read. It lies in the tail of `context`; learners save it.

A policy whose scores are to value something else than the risk measure does, such as less of what the run has already,
makes a measure of its own at every step: `measure(state, context, risk)` gives what `prepare` and `score` see instead.

A policy whose evidence can fade has `fade(state, k, context, factor)`, which makes what is known of arm k count for so
much less: the sample moments keep their values and lose weight. 0 forgets the arm. `Discounted`, `Restarting` and
`Learner.fade` live on it; policies that follow a plan of their own do not have it. How many rewards of arm k are left
stands in the first column of its row, or is what `evidence(state, k)` gives.

Faster simulation is opted in to. It needs scores that depend on the arm's own row of `state` alone, and no `prepare`.

A policy with random scores can be simulated lazily, with exactly the same distribution as a plain run, if
`bounds(risk)` returns a record that bounds how rarely scores reach a threshold (`riskbandits.bounds.contract`), and
None for risk measures that it does not support.

If now and then a reward changes the rows of all arms, `all_changed(context) -> bool` says that the last one did: all
bounds are then recomputed.

Lazy runs *leap* where they can: many rewards of the arm that leads are drawn at once and told by

    learn_many(state, k, context, count, mean, squares)   book so many rewards of arm k with that mean and that sum of
                                                      squared deviations from it: what `learn` makes of each of them

It must change nothing but row k, and needs `region` of the bounds. If `all_changed` is defined,
`unchanged_for(context)` must say for how many rewards from now on it will be False. A policy with `chosen` or a history
does not leap.

A policy that draws nothing, and whose scores never fall with STEP and LOG_STEP while the arm is not played, says so by
`rises() -> bool`: arms that cannot win are then not scored. Choices stay the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import is_binary, reward_range
from riskbandits.bounds.contract import BOUNDS_METHODS
from riskbandits.compiling.jit import optional_method
from riskbandits.core.checks import is_whole, listed
from riskbandits.core.errors import ContractError, RefusalError, must_be, shown
from riskbandits.core.guards import answer, name_of, sentence, truth
from riskbandits.core.records import checked, is_record
from riskbandits.numerics import history, moments
from riskbandits.risk import MeanVariance, Variance

if TYPE_CHECKING:
    from riskbandits.types import Arms, Context, Policy, RiskMeasure, Rng, State

# The cells of `context`.
STEP = 0  # number of the decision being made, from 1 (t in the formulas)
LOG_STEP = 1  # ln t, computed once per step rather than once per arm
HORIZON = 2  # n, infinite when unknown
TOLD = 3  # rewards seen so far
REWARD_SUM = 4  # their sum
SCRATCH = 5  # the first of the cells that are the policy's own
RUN_CELLS = history.FREE  # what follows is the history of a policy that asks for one

MOST = 2**20  # columns, first pulls, or entries of a history: more of them is a mistake

POLICY_METHODS = ("score", "learn")


def new_context(horizon: float, policy: Any = None, arms: int = 0, rewards: int = 0) -> np.ndarray:
    """The context before the first step, with room for a history of so many rewards if the policy keeps one."""
    entries = history_entries(policy)
    room = 0 if entries == 0 else 1 + history.cells(arms, entries, rewards)
    context = np.zeros(RUN_CELLS + room)
    context[HORIZON] = horizon
    if entries:
        context[history.FREE] = RUN_CELLS + 1
    return context


def new_state(policy: Policy, arms: int) -> np.ndarray:
    """The state before the first reward."""
    return np.zeros((arms, width(policy)))


def _measure(policy: Policy, state: State, context: Context, risk: RiskMeasure) -> Any:
    return risk


def _prepare(policy: Policy, state: State, context: Context, risk: RiskMeasure, rng: Rng) -> None:
    pass


def _chosen(policy: Policy, state: State, k: int, context: Context) -> None:
    pass


def _fade(policy: Policy, state: State, k: int, context: Context, factor: float) -> None:
    pass


def _evidence(policy: Policy, state: State, k: int) -> float:
    return state[k, moments.COUNT]


def _no_first_pulls(policy: Policy) -> int:
    return 0


_own_first_pulls = optional_method("first_pulls", _no_first_pulls)


def _needed(policy: Policy) -> int:
    return _own_first_pulls(policy)


def _all_changed(policy: Policy, context: Context) -> bool:
    return False


def _learn_many(
    policy: Policy, state: State, k: int, context: Context, count: float, mean: float, squares: float
) -> None:
    pass


def _unchanged_for(policy: Policy, context: Context) -> float:
    return math.inf


measure = optional_method("measure", _measure)  # what the scores of a step are to value
prepare = optional_method("prepare", _prepare)  # once per step, before scoring
chosen = optional_method("chosen", _chosen)  # when arm k is chosen, before its reward is known
fade = optional_method("fade", _fade)  # what is known of arm k counts for less
evidence = optional_method("evidence", _evidence)  # how many rewards of arm k are left: moments and tallies begin so
needed = optional_method("needed", _needed)  # rewards of an arm below which it is tried again where evidence fades
all_changed = optional_method("all_changed", _all_changed)  # whether the last reward changed the rows of all arms
learn_many = optional_method("learn_many", _learn_many)  # many rewards at once
unchanged_for = optional_method("unchanged_for", _unchanged_for)  # rewards for which `all_changed` will be False


def defines(policy: Any, name: str) -> bool:
    """Whether the policy has a method of its own by that name; one that only hands it on asks the policy inside."""
    method = getattr(type(policy), name, None)
    return defines(policy.policy, name) if getattr(method, "__handed_on__", False) else method is not None


def bounds_of(policy: Any, risk: RiskMeasure) -> Any:
    """The bounds on the policy's scores under this risk measure, or None if it has none."""
    found = answer(policy, "bounds", None, risk)
    return found if found is None else checked(found, "bounds", BOUNDS_METHODS)


def rises(policy: Any) -> bool:
    """Whether the policy draws nothing and its scores never fall while their arm is not played (default no)."""
    # With a measure of its own a score changes otherwise than by STEP alone.
    return truth(policy, "rises") and not defines(policy, "measure")


def leaps(policy: Policy) -> bool:
    """Whether many rewards can be told at once, by a method that is of the same class as `learn`."""
    own = next(cls for cls in type(policy).__mro__ if "learn" in vars(cls))
    if "learn_many" not in vars(own) or not defines(policy, "learn_many"):
        return False
    if defines(policy, "all_changed") and not defines(policy, "unchanged_for"):
        return False
    return not defines(policy, "chosen") and not history_entries(policy)


def first_pulls(policy: Policy) -> int:
    """How often each arm is played before `score` is asked (default 0)."""
    return _whole_number(policy, "first_pulls", 0, 0)


def width(policy: Policy) -> int:
    """The number of columns of the state (default: those of the sample moments)."""
    return _whole_number(policy, "width", moments.WIDTH, 1)


def history_entries(policy: Policy) -> int:
    """How many entries an arm's history has before its first reward, and at least 1; 0: the policy keeps no history."""
    return _whole_number(policy, "history", 0, 0)


def needs_horizon(policy: Any) -> bool:
    """Whether the policy must know the number of steps beforehand (default no)."""
    return truth(policy, "needs_horizon")


def reward_complaint(policy: Any, reward: float) -> str | None:
    """What a reward must be, if this one is invalid (default: any finite number is valid)."""
    return sentence(policy, "rejects", reward)


def check_policies(policies: Any) -> list[Any]:
    """The policies of a list, or a single one, with their fields cast and checked."""
    given = [policies] if is_record(policies) else listed("The policies", "a list of policies", policies)
    if not given:
        raise must_be("The list of policies", "non-empty", given)
    return [check_policy_record(policy) for policy in given]


def check_policy_record(policy: Any) -> Any:
    """Return the policy with its fields cast and checked."""
    policy = checked(policy, "policy", POLICY_METHODS)
    first_pulls(policy)
    if history_entries(policy) and width(policy) < history.WIDTH:
        raise ContractError(
            f"{type(policy).__name__} keeps a history: its width() must be at least {history.WIDTH}, "
            f"the columns of riskbandits.numerics.history. Got {width(policy)} instead."
        )
    return policy


def returns_to_all(policy: Any, risk: RiskMeasure, arms: Arms) -> bool:
    """Whether the policy returns to every arm again and again, however long the run (default no).

    It decides no number of a run, only how runs are described: one of such a policy has not settled on a wrong arm,
    even if its next return lies beyond the horizon.
    """
    return truth(policy, "returns_to_all", risk, arms)


def refusal(policy: Any, risk: RiskMeasure, arms: Arms) -> str | None:
    """Why the policy does not support this risk measure or these arms (None: unknown), if so."""
    return sentence(policy, "refuses", risk, arms)


def check_serves(policy: Policy, risk: RiskMeasure, arms: Any, horizon_known: bool) -> None:
    """Raise if the policy does not support this risk measure, these arms (None: unknown) or an unknown horizon."""
    if words := refusal(policy, risk, arms):
        raise RefusalError(words)
    if arms is not None:
        returns_to_all(policy, risk, arms)  # asked after the runs: too late for a complaint
    if needs_horizon(policy) and not horizon_known:
        raise RefusalError(f"{type(policy).__name__} needs to know the horizon: give horizon=N, the number of steps.")


def refuse_unless(policy: Any, risk: RiskMeasure, measure: type) -> str | None:
    """The refusal of policies that support only one risk measure."""
    if isinstance(risk, measure):
        return None
    hint = " It is MeanVariance(rho=0)." if isinstance(risk, Variance) and measure is MeanVariance else ""
    return f"{type(policy).__name__} is defined for {measure.__name__} only. Got {type(risk).__name__} instead.{hint}"


def refuse_unless_mean_variance(policy: Any, risk: RiskMeasure) -> str | None:
    """The refusal of policies whose formula contains rho."""
    return refuse_unless(policy, risk, MeanVariance)


def refuse_outside(policy: Any, arms: Arms, low: float, high: float) -> str | None:
    """The refusal of policies for rewards in a range. Arms of unknown kind pass; their rewards are checked."""
    if arms is None:
        return None
    lowest, highest = reward_range(arms)
    if low <= lowest and highest <= high:
        return None
    return (
        f"{type(policy).__name__} needs arms whose rewards lie between {low:g} and {high:g}; those of "
        f"{type(arms).__name__} lie between {lowest:g} and {highest:g}."
    )


def refuse_unless_binary(policy: Policy, arms: Arms) -> str | None:
    """The refusal of policies for rewards that are 0 or 1. Arms of unknown kind pass; their rewards are checked."""
    if arms is None or is_binary(arms):
        return None
    return f"{type(policy).__name__} needs arms whose rewards are 0 or 1. {type(arms).__name__} pay other rewards too."


def reject_unless_binary(reward: float) -> str | None:
    """The complaint of policies for rewards that are 0 or 1."""
    return None if reward in (0.0, 1.0) else "0 or 1"


def _whole_number(policy: Any, name: str, default: int, least: int) -> int:
    value = answer(policy, name, default)
    if not is_whole(value) or not least <= value <= MOST:
        wanted = f"a whole number >= {least}" + (f" and <= {MOST}" if is_whole(value) and value > MOST else "")
        raise ContractError(f"{name_of(policy, name)}() must return {wanted}. Got {shown(value)} instead.")
    return int(value)
