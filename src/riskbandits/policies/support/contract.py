"""The contract of a policy: a record with `score` and `learn`, and optional methods whose defaults are defined here.

    score(state, k, run, risk, rng) -> float   the higher, the better; the arm with the highest is played
    learn(state, k, run, reward)               record a reward of arm k

`state` has one row per arm, `width()` columns wide. `run` is what any policy may know of its run, in the cells that
`riskbandits.policies.cells` names. `risk` is the risk measure. `rng` gives `standard_normal()` and `random()`. Methods
that are called at every step are compiled: they may use `math`, the record's own fields, the two arrays and the helpers
of `riskbandits.numerics`, and must not allocate. Methods are found by their names: `testing.check_policy` names those
that look like one of these and are not.

Optional methods, all of them:

    | method | default | what it is |
    |---|---|---|
    | first_pulls() -> int | 0 | pulls of every arm before `score` is asked |
    | width() -> int | moments.WIDTH | columns of the state |
    | history() -> int | 0 | entries of every arm's history of rewards before its first reward; 0: it keeps none |
    | feature_count() -> int | 0 | the features of a decision that it uses: its field `features`, see below |
    | prepare(state, run, risk, rng) | nothing | once per step, before the arms are scored; rules out lazy simulation |
    | measure(state, run, risk) -> measure | risk | the measure that `prepare` and `score` are given at this step |
    | chosen(state, k, run) | nothing | arm k was chosen, its reward is not known yet |
    | fade(state, k, run, factor) | cannot forget | evidence on arm k counts for `factor` of what it did; 0 forgets it |
    | evidence(state, k) -> float | column 0 | the rewards of arm k that still count |
    | needed() -> int | first_pulls() | an arm with fewer rewards is tried again where evidence fades |
    | needs_horizon() -> bool | False | whether the number of steps must be known beforehand |
    | refuses(risk, arms) -> str or None | None | why this measure or these arms (None: unknown) are not supported |
    | rejects(reward) -> str or None | None | what a reward must be, if this one is invalid |
    | returns_to_all(risk, arms) -> bool | False | whether every arm is played again and again, however long the run |
    | invalid() | None | what is wrong with the fields together: a sentence, or (what, must be, value) |
    | called_before() -> str | class name | the name that a renamed class keeps in the keys of its random streams |

A policy with `feature_count` has a field `features: int`, 0 by default: learners and simulations fill in how many there
are. Those of the decision are in run[FEATURES : FEATURES + d] when it is scored, and again when its reward is learned;
the d + 1 cells after them are free to work in. It keeps no history.

Acceleration, which changes no distribution. It needs scores that depend on the arm's own row of `state` alone, and no
`prepare`. When the formula of `score` or `learn` changes, these must be derived again; leaving them out, and `bounds`
returning None, is always right.

    | method | default | what it is |
    |---|---|---|
    | bounds(risk) -> record or None | None | how rarely scores reach a threshold (`bounds.contract`): lazy runs |
    | learn_many(state, k, run, count, mean, squares) | no batches | book `count` rewards of arm k with that mean and \
                                       that sum of squared deviations, as `learn` does each; changes row k alone |
    | all_changed(run) -> bool | False | whether the last reward changed the rows of all arms: bounds are set anew |
    | unchanged_for(run) -> float | inf | for how many rewards from now on `all_changed` will be False |
    | rises() -> bool | False | scores draw nothing and never fall with STEP and LOG_STEP while the arm is not played: \
                                arms that cannot win are not scored |

Rewards are booked in batches (`learn_many`) if bounds have a `region`, and neither `chosen` nor a history is defined.
A history lies in the tail of `run`; `learn` books rewards with `history.add`, learners save it.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import is_binary, reward_range
from riskbandits.bounds.contract import BOUNDS_METHODS
from riskbandits.compiling.jit import optional_method
from riskbandits.core.checks import is_whole, listed
from riskbandits.core.display import counted
from riskbandits.core.errors import ContractError, RefusalError, must_be, shown
from riskbandits.core.records import checked, classes_in, is_record
from riskbandits.core.user_calls import answer, name_of, sentence, truth
from riskbandits.numerics import history, moments
from riskbandits.policies.cells import FEATURE_COUNT, HORIZON, RUN_CELLS
from riskbandits.risk import MeanVariance, Variance

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Rng, Run, State

# What to use instead of a policy that is refused, as docs/choosing.md recommends it, the best first.
RECOMMENDED = ("SwitchingAware", "NGTS", "NPTS:anchor_free", "KLUCBMV")
RECOMMENDED_BINARY = ("SwitchingAware:bernoulli", "BernoulliTS", *RECOMMENDED)
MOST_NAMED = 3
MOST = 2**20  # columns, first pulls, or entries of a history: more of them is a mistake

POLICY_METHODS = ("score", "learn")
OPTIONAL_METHODS = [
    "first_pulls",
    "width",
    "history",
    "feature_count",
    "prepare",
    "measure",
    "chosen",
    "fade",
    "evidence",
    "needed",
    "needs_horizon",
    "refuses",
    "rejects",
    "returns_to_all",
    "invalid",
    "called_before",
    "bounds",
    "learn_many",
    "all_changed",
    "unchanged_for",
    "rises",
]


def new_run(horizon: float, policy: Any = None, arms: int = 0, rewards: int = 0) -> np.ndarray:
    """The cells of a run before its first step, with room for a history of so many rewards if the policy keeps one."""
    entries = history_entries(policy)
    room = 0 if entries == 0 else 1 + history.cells(arms, entries, rewards)
    if uses_features(policy):
        room = 2 * number_of_features(policy) + 1  # and as many to work in
    run = np.zeros(RUN_CELLS + room)
    run[HORIZON] = horizon
    run[FEATURE_COUNT] = number_of_features(policy)
    if entries:
        run[history.FREE] = history.FREE + 1
    return run


def new_state(policy: Policy, arms: int) -> np.ndarray:
    """The state before the first reward."""
    return np.zeros((arms, width(policy)))


def _measure(policy: Policy, state: State, run: Run, risk: RiskMeasure) -> Any:
    return risk


def _prepare(policy: Policy, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
    pass


def _chosen(policy: Policy, state: State, k: int, run: Run) -> None:
    pass


def _fade(policy: Policy, state: State, k: int, run: Run, factor: float) -> None:
    pass


def _evidence(policy: Policy, state: State, k: int) -> float:
    return state[k, moments.COUNT]


def _no_first_pulls(policy: Policy) -> int:
    return 0


_own_first_pulls = optional_method("first_pulls", _no_first_pulls)


def _needed(policy: Policy) -> int:
    return _own_first_pulls(policy)


def _no_features(policy: Policy) -> int:
    return 0


def _all_changed(policy: Policy, run: Run) -> bool:
    return False


def _learn_many(policy: Policy, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
    pass


def _unchanged_for(policy: Policy, run: Run) -> float:
    return math.inf


measure = optional_method("measure", _measure)  # what the scores of a step are to value
prepare = optional_method("prepare", _prepare)  # once per step, before scoring
chosen = optional_method("chosen", _chosen)  # when arm k is chosen, before its reward is known
fade = optional_method("fade", _fade)  # what is known of arm k counts for less
evidence = optional_method("evidence", _evidence)  # how many rewards of arm k still count
needed = optional_method("needed", _needed)  # rewards of an arm below which it is tried again where evidence fades
feature_count = optional_method("feature_count", _no_features)  # features of a decision that the policy uses
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


def takes_batches(policy: Policy) -> bool:
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


def number_of_features(policy: Any) -> int:
    """How many features of a decision the policy uses, beside the constant (default 0)."""
    return _whole_number(policy, "feature_count", 0, 0)


def uses_features(policy: Any) -> bool:
    """Whether the policy's choice depends on features of the decision, however many there are."""
    return defines(policy, "feature_count")


def with_features(policy: Any, count: int) -> Any:
    """The policy with its number of features filled in; one that was given another number is refused.

    A policy that uses none is returned as it is.
    """
    if not uses_features(policy):
        return policy
    if "features" not in policy._fields:  # it wraps another one
        return policy._replace(policy=with_features(policy.policy, count))
    if policy.features not in (0, count):
        raise RefusalError(
            f"{type(policy).__name__}(features={policy.features}) was given decisions with {counted(count, 'feature')}"
            ": leave 'features' out, and it is filled in."
        )
    return check_policy_record(policy._replace(features=count))


def needs_horizon(policy: Any) -> bool:
    """Whether the policy must know the number of steps beforehand (default no)."""
    return truth(policy, "needs_horizon")


def reward_complaint(policy: Any, reward: float) -> str | None:
    """What a reward must be, if this one is invalid (default: any finite number is valid)."""
    return sentence(policy, "rejects", reward)


def check_policies(policies: Any) -> list[Any]:
    """The policies of a list, or a single one, with their fields cast and checked."""
    given = (
        [policies]
        if is_record(policies) or isinstance(policies, str)
        else listed("The policies", "a list of policies", policies)
    )
    if not given:
        raise must_be("The list of policies", "non-empty", given)
    return [check_policy_record(policy) for policy in given]


def check_policy_record(policy: Any) -> Any:
    """Return the policy with its fields cast and checked."""
    if isinstance(policy, str):
        raise must_be("A policy", f"a record{_as_record(policy)}", policy)
    policy = checked(policy, "policy", POLICY_METHODS)
    first_pulls(policy)
    if history_entries(policy) and uses_features(policy):
        raise ContractError(f"{type(policy).__name__} uses features and keeps a history: a policy can have one alone.")
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
        raise RefusalError(words if uses_features(policy) else f"{words}{policies_for(risk, arms)}")
    if arms is not None:
        returns_to_all(policy, risk, arms)  # asked after the runs: too late for a complaint
    if needs_horizon(policy) and not horizon_known:
        raise RefusalError(f"{type(policy).__name__} needs to know the horizon: give horizon=N, the number of steps.")


def _as_record(text: str) -> str:
    """How a policy that was given by its name is written in Python."""
    from riskbandits import policies

    name, _, preset = "".join(sign for sign in text.lower() if sign.isalnum() or sign == ":").partition(":")
    known = {cls.__name__.lower(): cls for cls in classes_in(policies)}
    meant = get_close_matches(name, known, n=1)  # the same, if there is one
    if not meant:
        return ", such as rb.SwitchingAware()"
    cls = known[meant[0]]
    made = next((f".{one}" for one in vars(cls) if preset and one.replace("_", "") == preset), "")
    return f": write rb.{cls.__name__}{made}()"


def policies_for(risk: RiskMeasure, arms: Any) -> str:
    """The recommended policies that support a risk measure and these arms, in words."""
    from riskbandits import policies

    found = []
    for label in RECOMMENDED_BINARY if arms is not None and is_binary(arms) else RECOMMENDED:
        name, _, preset = label.partition(":")
        cls = getattr(policies, name)
        if refusal(getattr(cls, preset)() if preset else cls(), risk, arms) is None:
            found.append(label)
    return f" Policies that serve this problem: {', '.join(found[:MOST_NAMED])}." if found else ""


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
