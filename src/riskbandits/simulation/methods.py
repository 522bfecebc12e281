"""The methods of simulating a run, one record each: other paths, the same distribution; and which serves a policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.arms.contract import draws_many, drifts, has_features, size_of
from riskbandits.bounds.contract import REGION_METHODS
from riskbandits.core.errors import RefusalError, must_be, unknown_name
from riskbandits.policies.support.contract import (
    bounds_of,
    defines,
    history_entries,
    rises,
    takes_batches,
    uses_features,
)
from riskbandits.simulation import delayed, kernel
from riskbandits.simulation.selection import batched, lazy, monotone, plain

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure

# A block is half a second of work or so: little is lost when a job is killed, and files stay few.
SCORES_PER_BLOCK = 20_000_000
LARGEST_BLOCK = 4096
LARGEST_DEVICE_BLOCK = 16_384  # on a GPU the runs of a block go on, and end, all together
# Making generators and arrays for a run costs about as much as this many scores.
SCORES_TO_START_A_RUN = 1000
ALL_ARMS = ALL_STEPS = 2**62
MOST_SINGLE_STEPS = 200_000  # of a run that plays batches, or so: what it costs hardly grows any more
# A run of so few scores takes half a millisecond, and the method that scores all arms is compiled in half the time.
FEW_SCORES = 15_000
FEW_ARMS = 5  # to keep so few in order costs more than to score all
PYTHON = "python"


class Method(NamedTuple):
    """How runs are played: with which selector, for whom, and where."""

    name: str
    play: Callable[..., int]  # of `kernel.runner`, or what a GPU's thread plays
    refusal: Callable[[Any, Any, Any], str | None]  # (policy, risk, arms): why it cannot serve them, if it cannot
    arms_scored: int = ALL_ARMS  # per step, however many there are
    single_steps: int = ALL_STEPS  # of a run, however long it is: the others are played in batches
    uses_bounds: bool = False  # whether it needs bounds on the policy's scores
    precision: str | None = None  # of the numbers on a GPU; None: runs are played by this machine
    is_compiled: bool = True
    delayed: bool = False  # whether rewards are received late: for runs with a delay, and for no others

    def scores_per_run(self, arms: int, horizon: int) -> int:
        """A rough measure of the work in one run."""
        return SCORES_TO_START_A_RUN + min(horizon, self.single_steps) * min(arms, self.arms_scored)

    def block_size(self, arms: int, horizon: int) -> int:
        """Replications per block, a power of two.

        It follows from what is simulated alone, never from the number of runs, of workers or of other
        jobs, so that all of these may change between a job and the one that resumes it.
        """
        if self.precision is not None:
            return LARGEST_DEVICE_BLOCK
        fitting = min(LARGEST_BLOCK, max(1, SCORES_PER_BLOCK // self.scores_per_run(arms, horizon)))
        return int(2 ** (fitting.bit_length() - 1))


def _refuse_lazy(policy: Policy, risk: RiskMeasure, arms: Arms) -> str | None:
    if defines(policy, "prepare") or bounds_of(policy, risk) is None:
        return _no_shortcut(policy, risk, "lazy")
    return None


def _refuse_batches(policy: Policy, risk: RiskMeasure, arms: Arms) -> str | None:
    return _refuse_lazy(policy, risk, arms) or _no_batches(policy, risk, arms, bounds_of(policy, risk))


def _no_batches(policy: Policy, risk: RiskMeasure, arms: Arms, bounds: Any) -> str | None:
    """Why a policy with these bounds is played in single steps only, if so; arms of unknown kind pass."""
    name = type(policy).__name__
    if not takes_batches(policy) or not any(hasattr(bounds, method) for method in REGION_METHODS):
        return f"{name} cannot be told many rewards at once for {type(risk).__name__}: use method='walk'."
    if arms is not None and not draws_many(arms):
        return f"{type(arms).__name__} pay rewards one by one only, so that no run of {name} leaps: use method='walk'."
    return None


def _refuse_rising(policy: Policy, risk: RiskMeasure, arms: Arms) -> str | None:
    if defines(policy, "prepare") or not rises(policy):
        return _no_shortcut(policy, risk, "rising")
    return None


def _no_shortcut(policy: Policy, risk: RiskMeasure, method: str) -> str:
    if uses_features(policy):
        return (
            f"{type(policy).__name__} scores every arm at every step, since features change: method={method!r} leaves "
            "out arms. Use method='auto' or method='plain'."
        )
    return (
        f"{type(policy).__name__} cannot be simulated with method={method!r} for {type(risk).__name__}: "
        "use method='auto' or method='plain'."
    )


def _refuse_nothing(policy: Policy, risk: RiskMeasure, arms: Arms) -> None:
    return None


def _refuse_on_gpu(policy: Policy, risk: RiskMeasure, arms: Arms) -> str | None:
    """What needs memory that grows with the run: a thread on a GPU has a fixed share."""
    if history_entries(policy):
        return f"{type(policy).__name__} keeps a history of rewards, which a GPU has no room for: use another engine."
    if uses_features(policy) or has_features(arms):
        name = type(policy if uses_features(policy) else arms).__name__
        return f"{name} has features of decisions, which a GPU has no room for: use another engine."
    if drifts(arms):
        return f"{type(arms).__name__} change as time goes on, which a GPU cannot do: use another engine."
    if hasattr(arms, "draw_next"):
        return f"{type(arms).__name__} remember earlier rewards, which a GPU has no room for: use another engine."
    return None


SINGLE_STEPS = kernel.runner(lazy.new)
# By name, the fastest first.
METHODS = {
    method.name: method
    for method in (
        Method("lazy", SINGLE_STEPS, _refuse_lazy, 5, uses_bounds=True),  # scores what can matter; in batches if it can
        Method("rising", kernel.runner(monotone.new), _refuse_rising),  # scores arms that can win; the path of "plain"
        Method("plain", kernel.runner(plain.new), _refuse_nothing),  # scores every arm at every step: the oracle
        Method("walk", SINGLE_STEPS, _refuse_lazy, 5, uses_bounds=True),  # as "lazy", and never in batches
        # The same, read by Python itself: for policies that cannot be compiled.
        Method("python", kernel.runner(plain.new), _refuse_nothing, is_compiled=False),
        Method("delayed", kernel.runner(delayed.new), _refuse_nothing, delayed=True),  # "plain", with delayed rewards
        # The plain method on a GPU, with streams of its own.
        Method("cuda", kernel.play_part, _refuse_on_gpu, precision="float64"),
        Method("cuda-float32", kernel.play_part, _refuse_on_gpu, precision="float32"),
    )
}
LEAP = "leap"  # asks for "lazy", and for batches or a refusal
BATCHED = Method("lazy", kernel.runner(batched.new), _refuse_batches, 5, MOST_SINGLE_STEPS, uses_bounds=True)
HERE = [name for name, method in METHODS.items() if method.precision is None and not method.delayed]
DELAYED = next(name for name, method in METHODS.items() if method.delayed)


def resolve_method(
    policy: Policy,
    name: object,
    risk: RiskMeasure,
    arms: Arms | None = None,
    delay: Any = None,
    horizon: int | None = None,
) -> str:
    """The method that `simulate(..., method=...)` means for a policy; "auto" is the fastest that serves it.

    "lazy" means either of the two that leave out arms: a policy that draws nothing has one of its own. It plays batches
    where it can (`resolved`), which "leap" insists on. With a delay there is one method only.

    Short runs, and those of five arms or fewer whose scores draw nothing, "auto" plays by "plain" (`plain_pays`).
    """
    if not isinstance(name, str) or name not in ("auto", LEAP, *METHODS) or name == DELAYED:
        raise unknown_name("simulation method", name, ["auto", *HERE])
    if delay is not None:
        if METHODS.get(name, METHODS["plain"]).precision is not None:
            raise RefusalError("engine='cuda' tells every reward at once: use another engine with a delay.")
        if name not in ("auto", "plain"):
            raise RefusalError(
                f"With a delay every arm is scored at every step: method={name!r} is for rewards told at once."
            )
        return DELAYED
    fastest = next(one for one in HERE if METHODS[one].refusal(policy, risk, arms) is None)
    if name == "auto" and arms is not None and plain_pays(fastest, size_of(arms), horizon):
        return "plain"
    if name == "auto" or (name == "lazy" and fastest != "plain"):
        return fastest
    if sentence := (BATCHED if name == LEAP else METHODS[name]).refusal(policy, risk, arms):
        raise RefusalError(sentence)
    return "lazy" if name == LEAP else str(name)


def plain_pays(fastest: str, size: int, horizon: int | None) -> bool:
    """Whether scoring every arm is over sooner, or so soon that compiling another method would take longer.

    It follows from policy, measure, arms and horizon alone: paths must not depend on how many runs there are, on other
    policies, or on what is compiled already.
    """
    if horizon is not None and horizon * size <= FEW_SCORES:
        return True
    return fastest == "rising" and size <= FEW_ARMS


def resolved(name: str, policy: Policy, risk: RiskMeasure, arms: Arms, common_rewards: bool) -> tuple[Method, Any]:
    """The method that plays runs by that name, and the bounds on the policy's scores if it needs them.

    "lazy" plays batches where policy, measure and arms can, but not under common rewards: many rewards drawn at once
    are not those that another policy meets one by one.
    """
    method = METHODS[name]
    bounds = bounds_of(policy, risk) if method.uses_bounds else None
    if name != "lazy" or common_rewards or _no_batches(policy, risk, arms, bounds):
        return method, bounds
    return BATCHED, bounds


def method_on(engine: object, method: object, precision: Any) -> Any:
    """The method by which an engine simulates: a GPU has its own, elsewhere the one that was asked for."""
    on_gpu = {one.precision: name for name, one in METHODS.items() if one.precision is not None}
    if not isinstance(method, str):
        raise unknown_name("simulation method", method, ["auto", *HERE])
    if not isinstance(precision, str) or precision not in on_gpu:
        raise unknown_name("precision", precision, on_gpu)
    if not (isinstance(engine, str) and engine == "cuda"):
        if precision != next(iter(on_gpu)):
            raise RefusalError(f"precision={precision!r} is for engine='cuda' only: elsewhere all numbers are float64.")
        if method == PYTHON and engine != "threads":
            raise RefusalError("method='python' plays runs in this process: use engine='threads'.")
        if method in on_gpu.values():
            raise RefusalError(f"method={method!r} is what engine='cuda' does: ask for the engine instead.")
        return method
    if method not in ("auto", "plain"):
        raise RefusalError(f"engine='cuda' scores every arm at every step: method={method!r} is for other engines.")
    return on_gpu[precision]


def checked_on(engine: object, check: Any) -> bool:
    """Whether an engine is to look for indices outside arrays."""
    if not isinstance(check, bool):
        raise must_be("check", "True or False", check)
    if check and isinstance(engine, str) and engine == "cuda":
        raise RefusalError("engine='cuda' cannot look for indices outside arrays: use check=True with another engine.")
    return check
