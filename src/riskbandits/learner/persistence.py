"""Saving: a learner as JSON, a file, a pickle or a copy, and for another goal. The format is that of `file_schema`.

A checksum says that nothing was changed by accident, no more: whatever a file says is checked before compiled code sees
it, which would loop for ever or crash on some of it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import itertools
import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from riskbandits import risk
from riskbandits.core import checks, files
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError, must_be
from riskbandits.core.records import (
    canonical,
    cast,
    check_classes,
    checked,
    classes_in,
    classes_of,
    is_record,
    rebuilt,
    same,
)
from riskbandits.learner import file_schema, remembered
from riskbandits.learner.decisions import LARGEST_REWARD, NUMBER, DecisionIds, DecisionLog, OpenDecision, RewardCheck
from riskbandits.learner.file_schema import FORMAT, OLDEST_VERSION, VERSION, InvalidContentError
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.state import CHOSEN, OPEN, OUTSTANDING, TOLD, ArmData, LearnerState, check_name
from riskbandits.numerics import bernoulli_counts, history, moments, reward_sums
from riskbandits.numerics.reward_sums import AMOUNT, AMOUNT_SQUARES, FOURTH, PAID, SIXTH
from riskbandits.policies import hurdle_ts
from riskbandits.policies.cells import FEATURE_COUNT, HORIZON, LOG_STEP, REWARD_COUNT, REWARD_SUM, RUN_CELLS, STEP
from riskbandits.policies.support import contract, trial
from riskbandits.policies.support.naming import public_policies
from riskbandits.risk.contract import RISK_METHODS

if TYPE_CHECKING:
    import threading

    from riskbandits.types import Policy, RiskMeasure

Saved = TypeVar("Saved", bound="Persistence")
Loads = list[list[Any]]  # first number and token of each


class Persistence:
    """The part of a `Learner` that saves and copies it."""

    policy: Any
    risk: Any
    _lock: threading.RLock

    def to_json(self) -> str:
        """Everything as JSON text, from which `from_json` continues exactly, including outstanding rewards."""
        with self._lock:
            return dump(self)

    @classmethod
    def from_json(cls: type[Saved], text: str, policy: Any = None, risk: RiskMeasure | None = None) -> Saved:
        """Continue from the output of `to_json`. As for `load`, pass your own policy or risk measure as a class."""
        _check_own(policy, risk)
        return parse(text, "The text of a learner", cls, policy, risk)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a small JSON file, atomically; when it returns, the file is on disk."""
        path = checks.path("The file of a learner", path)
        with self._lock:
            text = dump(self, f"{path!r} could not be written")
            with files.replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
        return Path(path)

    @classmethod
    def load(
        cls: type[Saved], path: str | os.PathLike[str], policy: Any = None, risk: RiskMeasure | None = None
    ) -> Saved:
        """Continue from a saved file: the choices continue exactly as if it had never stopped.

        Pass your own policy or risk measure as a class: a file never makes Python import anything.
        """
        path = checks.path("The file of a learner", path)
        _check_own(policy, risk)
        files.check_readable(path)
        try:
            text = files.read_text(path)
        except OSError as error:
            raise FileError(f"{path!r} could not be read: {error.strerror or error}.") from None
        except ValueError:
            raise _damaged(repr(path)) from None
        return parse(text, repr(path), cls, policy, risk)

    def with_risk(self: Saved, risk: Any) -> Saved:
        """Another learner with the same evidence and open decisions, for another goal."""
        goal = checked(risk, "risk measure", RISK_METHODS)
        with self._lock:
            content, loads = content_of(self), loads_of(self)
        content["risk"] = canonical(goal)
        return restore(content, loads, type(self), self.policy, goal)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(), self.policy, self.risk)


def _check_own(*own: Any) -> None:
    for one in own:
        if one is not None and not is_record(one):
            check_classes([one])


# From a learner to JSON.


def dump(learner: object, problem: str = "The learner could not be written") -> str:
    """A learner as JSON text."""
    try:
        # Sorted, as it is read back for the checksum: it is written out once.
        content = json.dumps(content_of(learner), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        what = f"a parameter of the policy or of the risk measure cannot be represented in JSON ({error})"
        raise FileError(f"{problem}: {what}.") from error
    loads = json.dumps(loads_of(learner))
    head = f'"format": "{FORMAT}", "version": {VERSION}, "checksum": "{_sha256(loads, content)}", "loads": {loads}'
    return f'{{{head},\n"content": {content}}}'


def content_of(learner: Any) -> dict[str, Any]:
    """The state of a learner as plain data. What it says is in `file_schema`."""
    state, log = learner._committed_state(), learner._decision_log
    open_by_arm = _open_by_arm(log, learner.propensity)
    keeps_history = bool(learner._compiled_policy.history_entries)
    return {
        "policy": canonical(learner._compiled_policy.policy),
        "risk": canonical(learner.risk),
        "horizon": learner.horizon,
        "decisions": int(state.decisions[NUMBER]),
        "run": _cells(state.run[:RUN_CELLS].tolist()),
        "rng": state.rng.bit_generator.state,
        "arms": [_arm(name, state.arm_data(row, keeps_history), open_by_arm) for row, name in enumerate(state.names)],
        "retired": [_arm(name, arm, open_by_arm) for name, arm in state.retired.items()],
        "long_retired": state.long_retired,
        "outstanding": int(state.counts[:, OUTSTANDING].sum()),
        "remember": log.remember,
        "settled": {
            "numbers": _base64(np.fromiter(log.settled.keys(), dtype="<i8", count=len(log.settled))),
            "rewards": _base64(np.fromiter(log.settled.values(), dtype="<f8", count=len(log.settled))),
        },
        "dropped": log.dropped,
        "propensity": learner.propensity,
        "guard": None if learner._guard is None else _guard(learner._guard, learner._paused),
        **({"features": learner.features} if learner._coding.records else {}),
    }


def loads_of(learner: Any) -> Loads:
    """First number and token of the loads in which the open and remembered decisions were made."""
    log = learner._decision_log
    numbers = itertools.chain((number for number, _, _ in log.open.values()), log.settled)
    return log.ids.loads_of(np.fromiter(numbers, dtype=np.int64, count=len(log.open) + len(log.settled)))


def _arm(name: Any, arm: ArmData, open_by_arm: dict[Any, dict[str, list[Any]]]) -> dict[str, Any]:
    """What the file says of an arm, retired or not."""
    state = list(arm.state)
    known, sums = arm.moments[: moments.WIDTH], arm.moments[moments.WIDTH :]
    found: dict[str, Any] = {"name": name, "counts": arm.counts[:OPEN], "moments": _cells(known)}
    if not math.isnan(arm.moments[PAID]):  # as they are for an arm from a file that had none
        found["sums"] = _cells(sums)
    if arm.history is not None:
        found["history"] = arm.history
        state[history.START] = state[history.CAPACITY] = 0.0  # its place in memory
    return {**found, "state": _cells(state), **open_by_arm.get(name, {})}


def _open_by_arm(log: DecisionLog, propensity: bool) -> dict[Any, dict[str, list[Any]]]:
    """What the file says of each arm's open decisions, if it has any."""
    found: dict[Any, dict[str, list[Any]]] = {}
    for number, arm, probability in log.open.values():
        line = found.setdefault(arm, {"open": [], "probabilities": []} if propensity else {"open": []})
        line["open"].append(number)
        if number in log.features:
            line.setdefault("features", []).append(log.features[number][0].tolist())
        if propensity:
            line["probabilities"].append(probability)
    return found


def _guard(guard: Guarded, paused: bool) -> dict[str, Any]:
    """Guard rails as plain data; pairs rather than objects, since names may be numbers."""
    shares = {name: [[arm, float(one)] for arm, one in getattr(guard, name).items()] for name in ("least", "most")}
    return {**shares, "baseline": guard.baseline, "paused": paused}


def _base64(array: np.ndarray) -> str:
    """Thousands of numbers as bytes: as numbers in JSON they would take longer than all else."""
    return base64.b64encode(array.tobytes()).decode("ascii")


def _cells(numbers: list[float]) -> list[Any]:
    """Numbers for JSON, which has no infinity and no NaN."""
    return [number if math.isfinite(number) else str(number) for number in numbers]


def _sha256(loads: str | None, content: str) -> str:
    return hashlib.sha256((content if loads is None else f"{loads}\n{content}").encode()).hexdigest()


# From JSON to a learner.


def parse(text: Any, what: str, learner_class: Any, policy: Any, risk_measure: Any) -> Any:
    """The learner in a text; `what` is what holds it, in sentences."""
    if not isinstance(text, str):
        raise must_be(what, "a string, as returned by `to_json`", text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged(what) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or type(data.get("version")) is not int:
        raise FileError(f"{what} is damaged or was not written by a Learner.")
    if not OLDEST_VERSION <= data["version"] <= VERSION:
        age = "a newer" if data["version"] > VERSION else "an older"
        raise FileError(
            f"{what} was written by {age} version of riskbandits (format {data['version']}, "
            f"this one reads {OLDEST_VERSION} and {VERSION})."
        )
    try:
        if data.get("checksum") != checksum(data):
            raise _damaged(what)
        file_schema.check(data)
        return restore(data["content"], data.get("loads", []), learner_class, policy, risk_measure)
    except InvalidContentError as error:
        raise FileError(f"{what} is damaged: {error}") from None
    except RiskBanditsError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise _damaged(what) from None


def checksum(data: dict[str, Any]) -> str:
    """The checksum of a file, over what it says."""
    loads = json.dumps(data["loads"]) if data["version"] >= VERSION else None
    return _sha256(loads, json.dumps(data["content"], sort_keys=True))


def _damaged(what: str) -> FileError:
    return FileError(f"{what} is damaged: its content does not match its checksum or format.")


def restore(content: dict[str, Any], loads: Loads, learner_class: Any, policy: Any, risk_measure: Any) -> Any:
    """The learner of a content that fits the schema; `policy` and `risk_measure` are the user's own, if any."""
    own = policy.policy if isinstance(policy, Guarded) else policy
    made_policy = _record(content["policy"], public_policies(), own, "policy")
    made_risk = _record(content["risk"], classes_in(risk), risk_measure, "risk")
    options = {"features": content["features"]} if "features" in content else {}
    learner = learner_class(made_policy, 1, made_risk, content["horizon"], remember=content["remember"], **options)
    learner.propensity = content["propensity"]
    if content["guard"] is not None:
        _restore_guard(learner, content["guard"])
    learner._state = _state(learner, content, made_policy)
    _restore_log(learner._decision_log, content, loads, learner.decisions)
    return learner


def _record(data: Any, known: list[Any], own: Any, kind: str) -> Any:
    """The record described in the file, of a class of the package or of the one passed to `load`."""
    own_classes = classes_of(own) if is_record(own) else [own] if own is not None else []
    classes = [*known, *own_classes]
    if data["class"] not in {cls.__name__ for cls in classes}:
        raise ParameterError(
            f"The file holds the {kind} {data['class']!r}, which riskbandits does not have: "
            f"pass its class, Learner.load(path, {kind}={data['class']})."
        )
    made = rebuilt(data, classes, kind)
    if is_record(own) and not same(made, own):
        raise ParameterError(f"The file holds the {kind} {made}, not {own}.")
    return made


def _restore_guard(learner: Any, guard: dict[str, Any]) -> None:
    shares = [{check_name(arm): float(share) for arm, share in guard[name]} for name in ("least", "most")]
    baseline = None if guard["baseline"] is None else check_name(guard["baseline"])
    learner._guard = learner.policy = cast(Guarded(learner.policy, shares[0], shares[1], baseline))
    learner._check_reward = RewardCheck(learner.policy)
    learner._paused = guard["paused"]
    if learner._paused and baseline is None:
        raise InvalidContentError("'paused'", "false without a baseline", True)


def _state(learner: Any, content: dict[str, Any], policy: Any) -> LearnerState:
    empty, keeps_history = learner._state, bool(learner._compiled_policy.history_entries)
    width = empty.policy_state.shape[1]
    arms, retired = (
        [(check_name(arm["name"]), _restored_arm(arm, keeps_history, width, policy)) for arm in content[kind]]
        for kind in ("arms", "retired")
    )
    names = [name for name, _ in (*arms, *retired)]
    if len(set(names)) < len(names):
        raise InvalidContentError("The names of the arms", "different", names)
    state = LearnerState(names[: len(arms)], np.zeros((len(arms), width)), empty.run, empty.rng)
    for row, (_, arm) in enumerate(arms):
        state.policy_state[row], state.counts[row], state.moments[row] = arm.state, arm.counts, arm.moments
    if content["outstanding"] != state.counts[:, OUTSTANDING].sum():
        raise InvalidContentError("'outstanding'", "the sum of those of the arms", content["outstanding"])
    state.long_retired = {name: content["long_retired"][name] for name in state.long_retired}
    state.set_retired(dict(retired))
    state.decisions[NUMBER] = content["decisions"]
    if content["decisions"] < state.total_count(CHOSEN):
        raise InvalidContentError("'decisions'", "at least the number of choices", content["decisions"])
    _restore_run(state.run, [float(one) for one in content["run"]], state)
    if keeps_history:
        totals = state.policy_state[:, history.TOTAL].copy()
        state.run = history.restored(state.policy_state, state.run, [arm.history for _, arm in arms])  # type: ignore[misc]
        _restore_totals(state.policy_state, totals)
    if trial.is_ours(policy):
        _check_policy_state(policy, [*arms, *retired])
    if content["rng"]["state"]["inc"] % 2 == 0:
        raise InvalidContentError("'rng'", "the state of a PCG64", content["rng"])
    state.rng.bit_generator.state = content["rng"]
    return state


def _restored_arm(arm: dict[str, Any], keeps_history: bool, width: int, policy: Policy) -> ArmData:
    name, (told, outstanding, chosen) = arm["name"], arm["counts"]
    if told + outstanding > chosen:
        raise InvalidContentError(f"The counts of the arm {name!r}", "at most its choices", arm["counts"])
    is_open = len(arm.get("open", ()))
    if is_open > outstanding:
        raise InvalidContentError(f"'open' of the arm {name!r}", "at most what is outstanding", is_open)
    count, _, squares = arm["moments"]
    # Larger rewards are refused when they are told; of such moments no interval could be made.
    if abs(count - told) > 1.0 or squares > max(count, 1.0) * LARGEST_REWARD**2:
        raise InvalidContentError(f"The moments of the arm {name!r}", f"those of {told} rewards", arm["moments"])
    if len(arm["state"]) != width:
        raise FileError(f"The state in the file does not fit {type(policy).__name__}: rows must have {width} columns.")
    past = None
    if keeps_history:
        past = {part: [float(one) for one in arm["history"][part]] for part in ("values", "counts")}
        if len(past["values"]) != len(past["counts"]):
            raise InvalidContentError(f"The history of the arm {name!r}", "rewards, each with a count", arm["history"])
    numbers = [float(one) for one in arm["state"]]
    unknown = [math.nan if told else 0.0] * (reward_sums.WIDTH - moments.WIDTH)
    known = [float(one) for one in (*arm["moments"], *arm.get("sums", unknown))]
    if "sums" in arm and not _are_sums(known):
        raise InvalidContentError(f"The sums of the arm {name!r}", f"those of {told} rewards", arm["sums"])
    return ArmData([told, outstanding, chosen, is_open], known, numbers, past)


def _are_sums(row: list[float]) -> bool:
    """Whether a row of `reward_sums` may be one."""
    even = all(row[column] >= 0.0 or math.isnan(row[column]) for column in (FOURTH, SIXTH))
    paid = 0.0 <= row[PAID] <= row[moments.COUNT] and row[PAID].is_integer()
    amounts = abs(row[AMOUNT]) <= LARGEST_REWARD and 0.0 <= row[AMOUNT_SQUARES] < math.inf
    return even and paid and amounts and math.inf not in map(abs, row)


def _restore_run(run: np.ndarray, cells: list[float], state: LearnerState) -> None:
    decisions, told, step = int(state.decisions[NUMBER]), state.total_count(TOLD), cells[STEP]
    # A decision that was begun and ended in an error was not counted.
    if step not in (decisions, decisions + 1):
        raise InvalidContentError("The step in 'run'", f"{decisions} or {decisions + 1}", step)
    if not math.isclose(cells[LOG_STEP], math.log(step) if step else 0.0, abs_tol=1e-9):
        raise InvalidContentError("The logarithm of the step in 'run'", f"that of {step:g}", cells[LOG_STEP])
    if cells[FEATURE_COUNT] != run[FEATURE_COUNT]:
        raise InvalidContentError("The features in 'run'", f"{run[FEATURE_COUNT]:g}", cells[FEATURE_COUNT])
    if cells[HORIZON] != run[HORIZON]:
        raise InvalidContentError("The horizon in 'run'", f"{run[HORIZON]:g}", cells[HORIZON])
    if not abs(cells[REWARD_COUNT] - told) <= 1.0 or not math.isfinite(cells[REWARD_SUM]):
        got = cells[REWARD_COUNT], cells[REWARD_SUM]
        raise InvalidContentError("The rewards in 'run'", f"{told}, with a finite sum", got)
    run[:RUN_CELLS] = cells


def _restore_totals(policy_state: np.ndarray, totals: np.ndarray) -> None:
    """Faded counts were added up in another order: take the sums of the file, where they are sums of its counts."""
    found, sizes = policy_state[:, history.TOTAL], policy_state[:, history.SIZE]
    fits = np.isclose(found, totals, rtol=1e-8) & ((found == sizes) == (totals == sizes))
    found[fits] = totals[fits]


def _check_policy_state(policy: Policy, arms: list[tuple[Any, ArmData]]) -> None:
    """What a policy of the package keeps must fit the rewards told: draws from anything else may never end.

    Of retired arms too: they may come back. A policy may leave rewards out (`ExpExp` does).
    """
    alone = remembered.state_after_trial(policy)
    keeps_moments, keeps_tallies = remembered.keeps_moments(alone), remembered.keeps_tallies(policy)
    fades = contract.defines(policy, "fade")  # what has faded is less than what was told
    for name, arm in arms:
        thing, told, row = f"The state of the arm {name!r}", arm.counts[TOLD], np.array(arm.state)
        if (keeps_moments or keeps_tallies) and not 0.0 <= row[moments.COUNT] <= told + 1:
            raise InvalidContentError(thing, f"that of {told} rewards", arm.state)
        if keeps_moments and not _is_alike(row[: moments.WIDTH], np.array(arm.moments[: moments.WIDTH])):
            raise InvalidContentError(thing, "that of the rewards told", arm.state)
        if keeps_tallies and not 0.0 <= row[bernoulli_counts.SUCCESSES] <= row[bernoulli_counts.PULLS]:
            raise InvalidContentError(thing, "that of at most as many successes as pulls", arm.state)
        if isinstance(remembered.innermost(policy), hurdle_ts.HurdleTS):
            _check_hurdle(thing, row, told)
        if arm.history is not None:
            _check_history(f"The history of the arm {name!r}", arm.history, told, alone, fades)


def _check_hurdle(thing: str, row: np.ndarray, told: int) -> None:
    pulls, sales, squares = row[hurdle_ts.PULLS], row[hurdle_ts.SALES], row[hurdle_ts.SQUARES]
    finite = bool(np.isfinite(row[: hurdle_ts.WIDTH]).all())
    if not finite or not 0.0 <= sales <= pulls <= told + 1 or not squares >= 0.0:
        raise InvalidContentError(thing, f"that of {told} rewards", row[: hurdle_ts.WIDTH].tolist())


def _is_alike(kept: np.ndarray, told: np.ndarray) -> bool:
    """Whether a policy's moments may be those of the rewards told."""
    if kept[moments.COUNT] == told[moments.COUNT]:
        return np.allclose(kept, told, rtol=1e-6, atol=0.0)
    return math.isfinite(kept[moments.MEAN]) and bool(0.0 <= kept[moments.SQUARES] < math.inf)


def _check_history(thing: str, past: dict[str, list[float]], told: int, alone: np.ndarray, fades: bool) -> None:
    """`alone` shows which kind of history it is, and what the policy puts into it before the first reward."""
    before = alone[history.TOTAL] - len(trial.REWARDS)
    total = sum(past["counts"])
    excess = total - told - before
    if (excess > 1.0 or (excess < -1.0 and not fades)) and (total, told) != (0, 0):
        raise InvalidContentError(thing, f"that of {told} rewards", total)
    if alone[history.SIZE] < alone[history.TOTAL]:
        if not (np.diff(past["values"]) > 0.0).all():
            raise InvalidContentError(thing, "in ascending order", past["values"])
    elif total != len(past["counts"]):
        raise InvalidContentError(thing, "a list with a count of 1 for every reward", past["counts"])


def _restore_log(log: DecisionLog, content: dict[str, Any], loads: Loads, made: int) -> None:
    """Fill the log of a learner that has made so many decisions."""
    firsts = [first for first, _ in loads]
    if any(one >= after for one, after in itertools.pairwise([*firsts, made + 1])):
        raise InvalidContentError("'loads'", f"in ascending order, of the {made} decisions", firsts)
    log.ids = DecisionIds(log.ids.with_tokens, loads, made)
    opened: dict[int, OpenDecision] = {}
    for arm in (*content["arms"], *content["retired"]):
        numbers = arm.get("open", [])
        probabilities = arm.get("probabilities", []) if content["propensity"] else [None] * len(numbers)
        for number, probability in zip(numbers, probabilities, strict=True):
            _check_number("'open'", number, made, opened)
            opened[number] = (number, arm["name"], probability)
        if "features" in content:
            rows = [_features(row, content["run"][FEATURE_COUNT]) for row in arm.get("features", [])]
            log.features |= dict(zip(numbers, rows, strict=True))
    log.open = {log.ids.format(number): opened[number] for number in sorted(opened)}
    settled = content["settled"]
    numbers, rewards = _array(settled["numbers"], "<i8"), _array(settled["rewards"], "<f8")
    if len(numbers) != len(rewards) or len(numbers) > log.remember:
        raise InvalidContentError("'settled'", f"at most {log.remember} numbers with as many rewards", len(numbers))
    if not all(np.isnan(rewards) | (np.abs(rewards) <= LARGEST_REWARD)):
        raise InvalidContentError("The rewards of 'settled'", "numbers that may be told", "others")
    for number, reward in zip(numbers.tolist(), rewards.tolist(), strict=True):
        _check_number("'settled'", number, made, opened, log.settled)
        log.settled[number] = reward
    if content["dropped"] > made:
        raise InvalidContentError("'dropped'", f"a whole number between 0 and {made}", content["dropped"])
    log.dropped = content["dropped"]


def _features(row: list[float], count: float) -> np.ndarray:
    if len(row) != count:
        raise InvalidContentError("'features'", f"{count:g} numbers per open decision", len(row))
    return np.array([row], dtype=np.float64)


def _check_number(thing: str, number: int, made: int, *taken: dict[int, Any]) -> None:
    if not 1 <= number <= made or any(number in one for one in taken):
        raise InvalidContentError(thing, f"numbers of the {made} decisions, each once", number)


def _array(text: str, kind: str) -> np.ndarray:
    try:
        found = np.frombuffer(base64.b64decode(text, validate=True), dtype=kind)
    except (ValueError, binascii.Error):
        raise InvalidContentError("'settled'", "numbers in base64", text) from None
    if _base64(found) != text:
        raise InvalidContentError("'settled'", "numbers in base64", text)
    return found
