"""`evaluate`: what other choices would have paid, and how risky they would have been, from a log of decisions."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core import checks, notices, seeds, user_calls
from riskbandits.core.display import Grid, counted, format_number
from riskbandits.core.errors import ContractError, IntervalWarning, ParameterError, must_be, shown, unknown_name
from riskbandits.core.records import checked, classes_of
from riskbandits.data import LoggedDecisions, TableOptions, read_log
from riskbandits.inference import bootstrap
from riskbandits.inference.intervals import sum_interval
from riskbandits.learner import Learner
from riskbandits.policies.support import naming
from riskbandits.risk.contract import RISK_METHODS, sample_value

if TYPE_CHECKING:
    from typing import Unpack

    import pandas as pd
    from matplotlib.axes import Axes

    from riskbandits.types import Cells, RiskMeasure

LEAST_SIZE = 30  # effective rewards of an arm: of fewer no interval is worth anything
ASSURED_SIZE = 100
ASSURED_TAIL = 5  # effective rewards in the share of the lowest that decides: of two the interval holds in 70 %
ASSURED_SKEWNESS = (0.4, 0.9)  # of the estimate; where it grows in proportion to rewards. One reward alone: 1
MEAN_WEIGHTS = (0.8, 1.25)  # around 1, which it is on average if the probabilities are right
EXPECTED_SHARE = 0.5  # of the effective size, which weights that never came would have left of it
IMPOSSIBLE = (0.01, 0.05)  # shares of decisions that a log could not make: more than these are warned of, and refused
MOST_RESAMPLES = 100_000
TRIALS = 10_000  # of a learner's next decision
TRIALS_BY_FEATURES = 500  # and for every row with other features
LONGEST_NAME = 60  # that is made of shares
ROUNDING = 1e-12  # of a risk, relative to the rewards
ARM_TYPES = (str, int, float, np.number, np.bool_)
SLACK = 1e-6  # shares such as three thirds need not add up to the last digit
EVALUATE_KEY = (0x6576616C,)


class Target(NamedTuple):
    """The weighted sample of rewards that stands for a target, ascending, and what is estimated from it."""

    name: str
    rewards: np.ndarray
    weights: np.ndarray
    value: float
    low: float
    high: float
    mean: float
    risk: float
    effective_size: float


class Evaluation:
    """What other choices would have paid, with intervals of 95 %.

    `warnings` say where the intervals may hold the true value less often; `notes` how the log was read.
    """

    def __init__(self, risk: Any, rows: int, targets: list[Target], warnings: list[str], notes: list[str]) -> None:
        self.risk, self.rows, self.warnings, self.notes = risk, rows, warnings, notes
        self._targets = {one.name: one for one in targets}

    @property
    def targets(self) -> list[str]:
        """The names of the targets."""
        return list(self._targets)

    def table(self) -> pd.DataFrame:
        """One row per target: its value with a 95 % interval, its mean, its risk, and the size of its sample.

        `risk` is what rewards around a mean of 0 would be worth, with its sign changed: the variance for mean-variance,
        the mean less the CVaR for CVaR. `effective_size` is the number of equally weighted rewards that would tell as
        much.
        """
        import pandas as pd

        names = ("value", "low", "high", "mean", "risk", "effective_size")
        rows = [{"target": one.name, **{name: getattr(one, name) for name in names}} for one in self._targets.values()]
        return pd.DataFrame(rows)

    def distribution(self, target: Any) -> pd.DataFrame:
        """The estimated distribution of a target's rewards: each reward, and the probability of one up to it."""
        import pandas as pd

        name = _name(target)
        if name not in self._targets:
            raise unknown_name("target called", name, self._targets)
        found = self._targets[name]
        rewards, first = np.unique(found.rewards, return_index=True)
        reached = np.cumsum(np.add.reduceat(found.weights, first))
        return pd.DataFrame({"reward": rewards, "cdf": reached / reached[-1]})

    def plot(self, ax: Axes | None = None) -> Axes:
        """The value of each target, with its interval."""
        from riskbandits.plotting import plot_evaluation

        return plot_evaluation(self.table(), str(self.risk), ax)

    def grid(self) -> Grid:
        """What is printed, and what a notebook shows."""
        rows = []
        for row in self.table().to_dict(orient="records"):
            value, low, high, mean, risk = (
                format_number(row[name], 4) for name in ("value", "low", "high", "mean", "risk")
            )
            rows.append([row["target"], value, f"[{low}, {high}]", mean, risk, f"{row['effective_size']:,.0f}"])
        heads = ["target", "value", "95 % interval", "mean", "risk", "effective size"]
        notes = [*self.notes, *(f"Warning: {one}" for one in self.warnings)]
        return Grid(f"{self.risk}, from {counted(self.rows, 'logged reward')}", heads, rows, notes)

    def __repr__(self) -> str:
        return self.grid().text()

    def _repr_html_(self) -> str:
        return self.grid().html()


def evaluate(
    log: Any,
    targets: Any,
    risk: RiskMeasure,
    *,
    features: Any = None,
    resamples: int = 1000,
    seed: int = 0,
    **options: Unpack[TableOptions],
) -> Evaluation:
    """What other choices would have paid, and how risky they would have been, from a log of decisions.

    `log` is a pandas table or a file (.csv, .parquet) with the columns "arm" and "reward", and perhaps "probability"
    (with which the arm was chosen) and features; or the service's log (.ndjson, or its events as a list). All other
    columns are features, except dates and row numbers; `features` names them instead, `[]` for none.

    `targets` is one of these, a list of them, or a dictionary from names to them: an arm; shares such as
    `{"a": 0.7, "b": 0.3}`; a `Learner`, or the `pathlib.Path` of one that was saved, for the probabilities of its next
    decision; a function that is given a dictionary of features and returns an arm or shares.

    Without features each arm's own rewards are weighted by its share of the target, and probabilities are not needed.
    With features each reward's weight is the target's probability of its arm, divided by the logged one. Intervals
    follow the skewness of rewards; measures without an influence function, such as `ValueAtRisk`, are resampled
    `resamples` times. `options` say how a text file is read (`riskbandits.data.TableOptions`).

    >>> import pandas as pd, riskbandits as rb
    >>> log = pd.DataFrame({"arm": ["a", "b"] * 100, "reward": [0.1, 1.0, 0.2, -0.5] * 50})
    >>> found = rb.evaluate(log, ["a", "b", {"a": 0.7, "b": 0.3}], rb.MeanVariance(rho=1.0))
    >>> found.table()[["target", "value", "mean", "risk"]].round(3).values.tolist()
    [['a', 0.148, 0.15, 0.003], ['b', -0.312, 0.25, 0.562], ['0.7 a + 0.3 b', 0.007, 0.18, 0.173]]
    """
    measure: Any = checked(risk, "risk measure", RISK_METHODS)
    number = checks.whole("resamples", resamples, least=100, most=MOST_RESAMPLES)
    rng = seeds.generator(seeds.check_seed(seed), *EVALUATE_KEY)
    logged = read_log(log, features, **options)
    order = np.argsort(logged.rewards, kind="stable")
    found, warnings = [], []
    for name, target in _named(targets).items():
        if isinstance(target, os.PathLike):
            target = Learner.load(os.fspath(target))
        sample = _weighted(logged, name, target) if logged.features else _by_arm(logged, name, target)
        one, said = _evaluated(name, sample.sorted(order), measure, number, rng)
        found.append(one)
        warnings += [*sample.warnings, *said]
    for sentence in warnings:
        notices.warn(sentence, IntervalWarning, 2)
    return Evaluation(measure, len(logged.rewards), found, warnings, logged.notes)


class Sample(NamedTuple):
    """The rewards of a log with the weights that a target gives them."""

    rewards: np.ndarray
    weights: np.ndarray
    strata: np.ndarray | None  # the arm of each, where each arm has a fixed share; None where weights are random
    size: float  # the smallest effective size of an arm of the target
    smallest: str  # that arm
    warnings: list[str]

    def sorted(self, order: np.ndarray) -> Sample:
        """In ascending order, without rewards that weigh nothing."""
        kept = order[self.weights[order] > 0.0]
        strata = None if self.strata is None else self.strata[kept]
        return self._replace(rewards=self.rewards[kept], weights=self.weights[kept], strata=strata)


def _by_arm(log: LoggedDecisions, name: str, target: Any) -> Sample:
    """Each arm's own rewards, weighted by its share."""
    if _needs_features(target):
        raise ParameterError(" ".join((f"The target {name!r} decides by features, and the log has none.", *log.notes)))
    shares = _place_shares(log, name, _shares(name, target))
    counts = np.bincount(log.arms, minlength=len(log.names))
    smallest = _smallest(log, name, shares > 0.0, counts)
    weights = (shares / counts)[log.arms]
    return Sample(log.rewards, weights, log.arms, float(counts[smallest]), log.names[smallest], [])


def _weighted(log: LoggedDecisions, name: str, target: Any) -> Sample:
    """Each reward, weighted by how much more often the target would have chosen its arm."""
    if log.probabilities is None:
        raise ParameterError(
            f"A log with features ({', '.join(map(repr, log.features))}) must have the probability of each choice, "
            "because arms may have been chosen by features. If they were not, say features=[]."
        )
    unknown = int(np.isnan(log.probabilities).sum())
    if unknown:
        raise must_be("The probabilities of a log with features", "known in every row", f"{unknown} missing")
    chances = _chances(log, name, target)
    weights = chances.chosen / log.probabilities
    sums = np.bincount(log.arms, weights, minlength=len(log.names))
    squares = np.bincount(log.arms, weights * weights, minlength=len(log.names))
    sizes = np.divide(sums * sums, squares, out=np.zeros(len(sums)), where=squares > 0.0)
    warnings = _missed(log, name, chances)
    smallest = _smallest(log, name, chances.used, sizes)
    mean = float(weights.mean())
    if not MEAN_WEIGHTS[0] <= mean <= MEAN_WEIGHTS[1]:
        warnings.append(
            f"{name}: the mean weight is {mean:.3g} in place of 1. The probabilities are wrong, or the log was made by "
            "a policy that learned, or never chose some arm where the target would: the estimate may be far off."
        )
    effective, expected = _effective_sizes(log, chances, weights)
    if expected < EXPECTED_SHARE * effective:
        warnings.append(
            f"{name}: the log hardly ever had a chance to choose what the target would. By its probabilities the "
            f"effective size should be {expected:.2g}, not {effective:.0f}: the estimate may be far off."
        )
    return Sample(log.rewards, weights, None, float(sizes[smallest]), log.names[smallest], warnings)


def _missed(log: LoggedDecisions, name: str, chances: Chances) -> list[str]:
    """Refuse a target whose decisions the log could not make, since another arm was certain; warn of a few."""
    missed = chances.impossible / len(log.rewards)
    share, arm = float(missed.sum()), log.names[int(missed.argmax())]
    if share <= IMPOSSIBLE[0]:
        return []
    said = f"in {share:.1%} of the log's decisions another arm was chosen with probability 1 where it would choose"
    if share > IMPOSSIBLE[1]:
        raise ParameterError(f"The target {name!r} cannot be evaluated: {said} the arm {arm!r}.")
    return [f"{name}: {said} {arm!r}; the estimate is that of the others."]


def _effective_sizes(log: LoggedDecisions, chances: Chances, weights: np.ndarray) -> tuple[float, float]:
    """The effective size, and one at least as large as that which weights with these probabilities have on average.

    They differ where a policy that learned gave up what the target would choose: the large weights never came. Only
    the probability of the chosen arm is known, so the others count as if they shared the rest as the target does.
    """
    assert log.probabilities is not None
    others, room = np.maximum(1.0 - chances.chosen, 0.0), 1.0 - log.probabilities
    possible = (room > 0.0) & (others > 0.0)
    squares = chances.chosen * weights
    squares[possible] += np.square(others[possible]) / room[possible]
    size = float(len(weights))
    return float(weights.sum()) ** 2 / float(np.square(weights).sum()), size * size / float(squares.sum())


def _smallest(log: LoggedDecisions, name: str, used: np.ndarray, sizes: np.ndarray) -> int:
    """The arm of the target with the smallest effective size; refused if it is too small."""
    place = int(np.where(used, sizes, math.inf).argmin())
    if sizes[place] < LEAST_SIZE:
        raise ParameterError(
            f"The target {name!r} cannot be evaluated: the arm {log.names[place]!r} must have an effective size of "
            f"at least {LEAST_SIZE} rewards in the log. Got {sizes[place]:.3g} instead."
        )
    return place


def _evaluated(
    name: str, sample: Sample, risk: Any, resamples: int, rng: np.random.Generator
) -> tuple[Target, list[str]]:
    """The estimates of a target, and what to be warned of."""
    rewards, weights = sample.rewards, sample.weights
    compiled = jit.entry(_value_of_sample, classes_of(risk))

    def worth(rewards: np.ndarray, weights: np.ndarray) -> float:
        what = f"The value of a sample by {type(risk).__name__}"
        with jit.explaining(what):
            found = compiled(risk, rewards, weights)
        return user_calls.real(what, found)

    total = float(weights.sum())
    effective, largest = total * total / float(np.square(weights).sum()), float(np.abs(rewards).max())
    value, mean = worth(rewards, weights), float(np.average(rewards, weights=weights))
    if hasattr(risk, "influence"):
        low, high, skewness = sum_interval(value, *_parts(sample, _influence(risk, rewards, weights)))
    else:
        drawn = np.array([value, *(worth(rewards, weights * counts) for counts in _resampled(sample, resamples, rng))])
        exponent = int(np.frexp(np.abs(drawn).max())[1])  # squares of large values would be infinite
        ends = bootstrap.interval(np.ldexp(drawn, -exponent), int(effective))[1:]
        low, high = map(float, np.ldexp(ends, exponent))
        skewness = 0.0
    # Where the value grows with the rewards in proportion, as CVaR does, skewness is corrected for well enough; where
    # it grows with their squares, rewards that are rarer than the log is long decide.
    proportional = math.isclose(worth(2.0 * rewards, weights), 2.0 * value, rel_tol=1e-9)
    name_of_share = user_calls.name_of(risk, "tail_share")
    share = min(1.0, user_calls.real(name_of_share, user_calls.answer(risk, "tail_share", 1.0), least=0.0))
    lowest = weights[: int(np.searchsorted(np.cumsum(weights), share * total)) + 1]
    in_tail = float(lowest.sum()) ** 2 / float(np.square(lowest).sum())
    reason = ""
    if sample.size < ASSURED_SIZE:
        reason = f"the arm {sample.smallest!r} has an effective size of {sample.size:.0f}"
    elif in_tail < ASSURED_TAIL:
        reason = f"the lowest {share:.3g} of its rewards, which decide, have an effective size of {in_tail:.1f}"
    elif high - low <= ROUNDING * largest and _may_differ(rewards, weights, share, effective):
        reason = "all rewards that decide are equal, and others may be rare"
    elif abs(skewness) > ASSURED_SKEWNESS[proportional]:
        reason = "skewed rewards"
    unsure = "the interval may hold the true value in clearly less than 95 % of cases"
    said = [f"{name}: {reason}; {unsure}."] if reason else []
    risky = -worth(rewards - mean, weights)
    if abs(risky) <= ROUNDING * largest:
        risky = 0.0
    return Target(name, rewards, weights, value, low, high, mean, risky, effective), said


def _influence(risk: Any, rewards: np.ndarray, weights: np.ndarray) -> np.ndarray:
    found = np.asarray(user_calls.guarded_method(risk, "influence", risk.influence, rewards, weights))
    if found.shape != rewards.shape or found.dtype.kind not in "iuf" or not np.isfinite(found).all():
        name = user_calls.name_of(risk, "influence")
        raise ContractError(f"{name} must return a finite number for each value. Got {shown(found)} instead.")
    return found


def _may_differ(rewards: np.ndarray, weights: np.ndarray, share: float, effective: float) -> bool:
    """Whether the lowest share of rewards, all equal in the log, may have others: all are, or hardly more than it."""
    equal = float(np.average(rewards == rewards[0], weights=weights))
    return equal >= 1.0 or equal <= share + 2.0 * math.sqrt(share * (1.0 - share) / effective)


def _value_of_sample(risk: RiskMeasure, values: np.ndarray, weights: Cells) -> float:
    return sample_value(risk, values, weights)


def _parts(sample: Sample, influence: np.ndarray) -> tuple[np.ndarray, float]:
    """What each reward contributes to the error of the value, and the degrees of freedom of its variance."""
    weights = sample.weights / sample.weights.sum()
    if sample.strata is None:
        effective = 1.0 / float(np.square(weights).sum())
        return weights * influence * np.sqrt(effective / (effective - 1.0)), effective - 1.0
    # The share of an arm is fixed: what differs between arms is no error. Degrees of freedom after Welch, 1947.
    counts = np.bincount(sample.strata)
    there = counts > 0
    means = np.divide(np.bincount(sample.strata, influence), counts, where=there, out=np.zeros(len(counts)))
    scale = np.sqrt(np.divide(counts, counts - 1.0, where=there, out=np.zeros(len(counts))))
    parts = weights * (influence - means[sample.strata]) * scale[sample.strata]
    variances = np.bincount(sample.strata, np.square(parts / max(float(np.abs(parts).max()), 1e-300)))[there]
    fourth = float((np.square(variances) / (counts[there] - 1.0)).sum())
    return parts, float(variances.sum()) ** 2 / fourth if fourth > 0.0 else float(counts.sum())


def _resampled(sample: Sample, resamples: int, rng: np.random.Generator) -> Any:
    """How often each reward is drawn: each arm's as many as there are, or any of all."""
    size = len(sample.rewards)
    places = [np.arange(size)]
    if sample.strata is not None:
        places = [np.flatnonzero(sample.strata == arm) for arm in np.unique(sample.strata)]
    for _ in range(resamples):
        counts = np.zeros(size)
        for own in places:
            counts[own] = np.bincount(rng.integers(len(own), size=len(own)), minlength=len(own))
        yield counts


def _named(targets: Any) -> dict[str, Any]:
    """The targets by name."""
    if isinstance(targets, Mapping) and targets and not _are_shares(targets):
        return {str(name): target for name, target in targets.items()}
    single = isinstance(targets, (*ARM_TYPES, Mapping, Learner, os.PathLike)) or callable(targets)
    single = single or hasattr(targets, "_fields")  # a policy, refused below; as a tuple it would be a list of numbers
    what = "arms, shares, learners or functions, at least one"
    listed = [targets] if single else checks.listed("targets", what, targets, ordered=True)
    if not listed:
        raise must_be("targets", what, targets)
    found: dict[str, Any] = {}
    for target in listed:
        name = _name(target)
        if name in found:
            raise must_be("The names of targets", "different from each other: give a dictionary", name)
        found[name] = target
    return found


def _are_shares(target: Mapping[Any, Any]) -> bool:
    return all(checks.as_number(share) is not None for share in target.values())


def _name(target: Any) -> str:
    if isinstance(target, Mapping):
        parts = ((share if checks.as_number(share) is None else f"{share:g}", arm) for arm, share in target.items())
        text = " + ".join(f"{share} {arm}" for share, arm in parts)
        return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."
    if isinstance(target, Learner):
        return naming.label(target.policy)
    if isinstance(target, os.PathLike):
        return os.path.basename(os.fspath(target))
    return str(getattr(target, "__name__", target))


def _shares(name: str, target: Any) -> dict[str, float]:
    """The shares of arms of a target that does not look at features."""
    if isinstance(target, Learner):
        return _of_learner(target, TRIALS)
    if isinstance(target, Mapping):
        return _checked_shares(f"The shares of the target {name!r}", target)
    if not isinstance(target, ARM_TYPES):
        raise must_be(f"The target {name!r}", "an arm, shares of arms, a learner or a function", target)
    return {_arm(target): 1.0}


def _of_learner(learner: Learner, trials: int, features: dict[str, Any] | None = None) -> dict[str, float]:
    """The probabilities of its next decision."""
    table = learner.probabilities(trials=trials, features=features)
    return {_arm(arm): float(share) for arm, share in zip(table["arm"], table["probability"], strict=True) if share}


def _arm(name: Any) -> str:
    """The name of an arm as in a log: whole numbers without a point."""
    if isinstance(name, (float, np.floating)) and float(name).is_integer():
        return str(int(name))
    return str(name).strip()


def _checked_shares(thing: str, shares: Mapping[Any, Any]) -> dict[str, float]:
    found = {_arm(arm): checks.as_number(share) for arm, share in shares.items()}
    if any(share is None or not 0.0 <= share <= 1.0 for share in found.values()):
        raise must_be(thing, "numbers in [0, 1]", dict(shares))
    known = {arm: float(share) for arm, share in found.items() if share}
    if abs(sum(known.values()) - 1.0) > SLACK:
        raise must_be(thing, "1 in sum", dict(shares))
    return known


def _place_shares(log: LoggedDecisions, name: str, shares: Mapping[str, float]) -> np.ndarray:
    """The shares of the log's arms."""
    for arm in shares:
        if arm not in log.names:
            raise _never_tried(log, name, arm)
    return np.array([shares.get(arm, 0.0) for arm in log.names])


def _never_tried(log: LoggedDecisions, name: str, arm: str) -> ParameterError:
    tried = ", ".join(map(repr, log.names[:10])) + (", ..." if len(log.names) > 10 else "")
    return ParameterError(
        f"The target {name!r} cannot be evaluated: the arm {arm!r} has no reward in the log, whose arms are {tried}."
    )


class Chances(NamedTuple):
    """What a target would have chosen, in the rows of a log."""

    chosen: np.ndarray  # per row, its probability of the arm that was chosen
    used: np.ndarray  # per arm, whether it would choose it anywhere
    impossible: np.ndarray  # per arm, how often it would have chosen it where another was chosen with probability 1


def _chances(log: LoggedDecisions, name: str, target: Any) -> Chances:
    """What a target would have chosen, by features or not."""
    assert log.probabilities is not None
    certain = log.probabilities >= 1.0
    if not _needs_features(target):
        shares = _place_shares(log, name, _shares(name, target))
        elsewhere = certain.sum() - np.bincount(log.arms[certain], minlength=len(shares))
        return Chances(shares[log.arms], shares > 0.0, shares * elsewhere)
    call = _preferences(log, name, target) if isinstance(target, Learner) else target
    places = {arm: place for place, arm in enumerate(log.names)}
    chosen, used, impossible = np.zeros(len(log.rewards)), np.zeros(len(places), dtype=bool), np.zeros(len(places))
    rows = zip(log.rows(), log.arms.tolist(), certain.tolist(), strict=True)
    with user_calls.explained(f"The target {name!r}", target):
        for row, (features, arm, alone) in enumerate(rows):
            for one, share in _given_shares(name, call(features)).items():
                if one not in places:
                    raise _never_tried(log, name, one)
                place = places[one]
                used[place] = True
                if place == arm:
                    chosen[row] = share
                elif alone:
                    impossible[place] += share
    return Chances(chosen, used, impossible)


def _given_shares(name: str, given: Any) -> dict[str, float]:
    """What a function of features returned, as shares."""
    if isinstance(given, ARM_TYPES):
        return {_arm(given): 1.0}
    if isinstance(given, Mapping):
        return _checked_shares(f"What the target {name!r} returns", given)
    raise must_be(f"What the target {name!r} returns", "an arm or shares of arms", given)


def _needs_features(target: Any) -> bool:
    return bool(target.features) if isinstance(target, Learner) else callable(target)


def _preferences(log: LoggedDecisions, name: str, learner: Learner) -> Callable[[dict[str, Any]], dict[str, float]]:
    """The probabilities of a learner's next decision, as a function of the features of the log."""
    needed = [record["name"] for record in learner.features]
    for one in needed:
        if one not in log.features:
            raise ParameterError(f"The target {name!r} decides by {one!r}, which is no feature of the log.")
    known: dict[tuple[Any, ...], dict[str, float]] = {}

    def preferences(features: dict[str, Any]) -> dict[str, float]:
        values = tuple(features[one] for one in needed)
        if values not in known:
            known[values] = _of_learner(learner, TRIALS_BY_FEATURES, dict(zip(needed, values, strict=True)))
        return known[values]

    return preferences
