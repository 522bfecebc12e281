"""A learner as JSON, a file, a pickle or a copy, and for another goal.

A checksum says that nothing was changed by accident, no more: whatever a file says is looked at before compiled code
sees it, which would loop for ever or crash on some of it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from riskbandits import risk
from riskbandits.core import checks, files
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError, must_be, shown
from riskbandits.core.known_classes import check_classes, classes_in
from riskbandits.core.records import canonical, cast, checked, classes_of, is_record, rebuilt, same
from riskbandits.learner.decisions import LARGEST_REWARD, NUMBER, REMEMBERED, DecisionLog, OpenDecision, format_id
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.state import CHOSEN, OPEN, OUTSTANDING, TOLD, LearnerState, RetiredArm, check_name
from riskbandits.numerics import bernoulli_counts, history, moments
from riskbandits.policies import cells as run_cells
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.support import contract, trial
from riskbandits.policies.support.naming import public_policies
from riskbandits.risk.contract import RISK_METHODS

if TYPE_CHECKING:
    import threading

    from riskbandits.types import Policy, RiskMeasure

Saved = TypeVar("Saved", bound="Persistence")


class Persistence:
    """The part of a `Learner` that saves and copies it."""

    policy: Any
    risk: Any
    _lock: threading.RLock

    def to_json(self) -> str:
        """Everything as JSON text, from which `from_json` continues exactly, including outstanding rewards."""
        with self._lock:
            return text_of(self)

    @classmethod
    def from_json(cls: type[Saved], text: str, policy: Any = None, risk: RiskMeasure | None = None) -> Saved:
        """Continue from the output of `to_json`. As for `load`, pass your own policy or risk measure as a class."""
        _check_own(policy, risk)
        return from_text(text, "The text of a learner", cls, policy, risk)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a small JSON file, atomically; when it returns, the file is on disk."""
        path = checks.path("The file of a learner", path)
        with self._lock:
            write(path, self)
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
        return read(path, cls, policy, risk)

    def with_risk(self: Saved, risk: Any) -> Saved:
        """Another learner with the same evidence and open decisions, for another goal."""
        goal = checked(risk, "risk measure", RISK_METHODS)
        with self._lock:
            content = content_of(self)
        content["risk"] = canonical(goal)
        for line in content["retired"]:
            line.pop("value", None)  # what it was worth for the old goal
        return make(content, type(self), self.policy, goal)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(), self.policy, self.risk)


def _check_own(*own: Any) -> None:
    for one in own:
        if one is not None and not is_record(one):
            check_classes([one])


FORMAT = "riskbandits-learner"
VERSION = 2


def write(path: str | os.PathLike[str], learner: object) -> None:
    """Write the file, or raise and leave whatever stood there."""
    content = text_of(learner, f"{os.fspath(path)!r} could not be written")
    with files.replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write(content)


def read(path: str | os.PathLike[str], learner_class: Any, policy: Policy, risk_measure: Any) -> Any:
    """Make a learner from the file; `policy` and `risk_measure` are the user's own classes, if any."""
    what = repr(os.fspath(path))
    files.check_readable(path)
    try:
        found = files.read_text(path)
    except OSError as error:
        raise FileError(f"{what} could not be read: {error.strerror or error}.") from None
    except ValueError:
        raise _damaged(what) from None
    return from_text(found, what, learner_class, policy, risk_measure)


def text_of(learner: object, problem: str = "The learner could not be written") -> str:
    """All that a learner is."""
    try:
        # Sorted, as it is read back for the checksum: it is written out once.
        body = json.dumps(content_of(learner), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        what = f"a parameter of the policy or of the risk measure cannot be represented in JSON ({error})"
        raise FileError(f"{problem}: {what}.") from error
    checksum = hashlib.sha256(body.encode()).hexdigest()
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "checksum": "{checksum}",\n"content": {body}}}'


def from_text(found: Any, what: str, learner_class: Any, policy: Policy, risk_measure: Any) -> Any:
    """The learner in a text; `what` is what holds it, in sentences."""
    if not isinstance(found, str):
        raise must_be(what, "a string, as returned by `to_json`", found)
    content = _content(found, what)
    try:
        return make(content, learner_class, policy, risk_measure)
    except ImpossibleError as error:
        raise FileError(f"{what} is damaged: {error}") from None
    except RiskBanditsError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise _damaged(what) from None


def content_of(learner: Any) -> dict[str, Any]:
    """All that a learner is, as plain data."""
    state, log = learner._committed_state(), learner._decision_log
    is_open = _open_by_arm(log, learner.propensity)
    rows = zip(state.names, state.policy_state, state.counts, state.moments, _histories(learner, state), strict=True)
    return {
        "policy": canonical(learner._compiled_policy.policy),
        "risk": canonical(learner.risk),
        "horizon": learner.horizon,
        "decisions": int(state.decisions[NUMBER]),
        "run": _texts(state.run[: run_cells.RUN_CELLS]),
        "rng": state.rng.bit_generator.state,
        "arms": [
            {"name": name, "state": _texts(state), "counts": counts[:OPEN].tolist(), "moments": _texts(row), **past}
            | is_open.get(name, {})
            for name, state, counts, row, past in rows
        ],
        "retired": [{"name": name, **_retired(line), **is_open.get(name, {})} for name, line in state.retired.items()],
        "long_retired": state.long_retired,
        "outstanding": int(state.counts[:, OUTSTANDING].sum()),  # for the person who looks into the file
        "remember": log.remember,
        "settled": packed(log),
        "dropped": log.dropped,
        "propensity": learner.propensity,
        "guard": None if learner._guard is None else _guard(learner._guard, learner._paused),
    }


def _guard(guard: Any, paused: bool) -> dict[str, Any]:
    """Guard rails as plain data; pairs rather than objects, since names may be numbers."""
    shares = {name: [[arm, float(one)] for arm, one in getattr(guard, name).items()] for name in ("least", "most")}
    return {**shares, "baseline": guard.baseline, "paused": paused}


def _open_by_arm(log: DecisionLog, propensity: bool) -> dict[Any, dict[str, list[Any]]]:
    """What each arm's line holds of open decisions, if it has any."""
    found: dict[Any, dict[str, list[Any]]] = {}
    for number, arm, probability in log.open.values():
        line = found.setdefault(arm, {"open": [], "probabilities": []} if propensity else {"open": []})
        line["open"].append(number)
        if propensity:
            line["probabilities"].append(probability)
    return found


def packed(log: DecisionLog) -> dict[str, str]:
    """The settled decisions, thousands of them, as bytes: as numbers in JSON they would take longer than all else."""
    numbers = np.fromiter(log.settled.keys(), dtype="<i8", count=len(log.settled))
    rewards = np.fromiter(log.settled.values(), dtype="<f8", count=len(log.settled))
    return {"numbers": _as_text(numbers), "rewards": _as_text(rewards)}


def _as_text(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


def _retired(line: RetiredArm) -> dict[str, Any]:
    known: dict[str, Any] = {"counts": line.counts[:OPEN], "moments": [_text(one) for one in line.moments]}
    if line.state is not None:
        known["state"] = [_text(one) for one in line.state]
    if line.history is not None:
        known["history"] = line.history
    if line.value is not None:
        known["value"] = _text(line.value)
    return known


def _histories(learner: Any, state: Any) -> list[dict[str, Any]]:
    """What each arm's line holds of a history, if the policy keeps one."""
    if not learner._compiled_policy.history_entries:
        return [{} for _ in state.names]
    return [{"history": entries} for entries in history.entries_of(state.policy_state, state.run)]


def _content(found: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(found)
    except (ValueError, RecursionError):
        raise _damaged(what) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("version"), int):
        raise FileError(f"{what} is damaged or was not written by a Learner.")
    if data["version"] > VERSION:
        raise FileError(
            f"{what} was written by a newer version of riskbandits (format {data['version']}, "
            f"this one reads {VERSION})."
        )
    content = data.get("content")
    try:
        if isinstance(content, dict) and data.get("checksum") == _checksum(content):
            return content
    except RecursionError:
        pass
    raise _damaged(what)


def _damaged(what: str) -> FileError:
    return FileError(f"{what} is damaged: its content does not match its checksum or format.")


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _texts(numbers: np.ndarray) -> list[Any]:
    return [_text(number) for number in numbers.tolist()]


def _text(number: float) -> float | str:
    """A number for JSON, which has no infinity and no NaN."""
    return number if math.isfinite(number) else str(number)


MOST = 2**53  # counts are exact in a float up to here
NEW_COLUMNS = {NGTS: 1}  # since version 0.1
SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}  # JSON has no numbers for these


def make(content: dict[str, Any], learner_class: Any, policy: Policy, risk_measure: Any) -> Any:
    """The learner that the content describes; `policy` and `risk_measure` are the user's own classes, if any.

    What files of version 0.1 do not hold is asked for with `get`.
    """
    own = policy.policy if isinstance(policy, Guarded) else policy
    made_policy = _record(content["policy"], public_policies(), own, "policy")
    made_risk = _record(content["risk"], classes_in(risk), risk_measure, "risk")
    learner = learner_class(made_policy, 1, made_risk, content["horizon"], remember=content.get("remember", REMEMBERED))
    learner.propensity = checks.flag("'propensity'", content.get("propensity", False))
    if content.get("guard") is not None:
        _restore_guard(learner, content["guard"])
    arms, empty = content["arms"], learner._state
    width = empty.policy_state.shape[1]
    _add_new_columns((*arms, *content["retired"]), made_policy, width)
    if any(len(arm["state"]) != width for arm in arms):
        raise FileError(
            f"The state in the file does not fit {type(made_policy).__name__}: rows must have {width} columns."
        )
    names = [check_name(arm["name"]) for arm in arms]
    if len(set(names)) < len(names):
        raise ImpossibleError("The names of the arms", "different", names)
    state = LearnerState(names, np.zeros((len(arms), width)), empty.run, empty.rng)
    for row, arm in enumerate(arms):
        state.policy_state[row] = _state(arm)
        state.counts[row], state.moments[row] = _counts(arm), _moments(arm)
    if content["outstanding"] != state.counts[:, OUTSTANDING].sum():
        raise ImpossibleError("'outstanding'", "the sum of those of the arms", content["outstanding"])
    _restore_retired(state, content, width, bool(learner._compiled_policy.history_entries))
    state.decisions[NUMBER] = _whole("'decisions'", content["decisions"], state.total_count(CHOSEN))
    _restore_run(state.run, content, state)
    if learner._compiled_policy.history_entries:
        state.run = history.restored(state.policy_state, state.run, [_history(arm) for arm in arms])
    if trial.is_ours(made_policy):
        _check_against_book(made_policy, state, [arm.get("history") for arm in arms])
    restore(learner._decision_log, content, int(state.decisions[NUMBER]), learner.propensity)
    state.rng.bit_generator.state = _stream(content["rng"])
    learner._state = state
    return learner


def _restore_guard(learner: Any, guard: Any) -> None:
    shares = [{check_name(arm): _number("A share", share) for arm, share in guard[name]} for name in ("least", "most")]
    baseline = None if guard["baseline"] is None else check_name(guard["baseline"])
    learner._guard = learner.policy = cast(Guarded(learner.policy, shares[0], shares[1], baseline))
    learner._paused = checks.flag("'paused'", guard["paused"])
    if learner._paused and baseline is None:
        raise ImpossibleError("'paused'", "false without a baseline", True)


def _add_new_columns(arms: tuple[Any, ...], policy: Policy, width: int) -> None:
    """Make room in rows of an earlier version for columns that the policy has got since, in which 0 says nothing.

    They are the last ones of the innermost policy, and those of wrappers follow. A file that lacks them does so in all
    rows.
    """
    inner = _innermost(policy)
    missing = NEW_COLUMNS.get(type(inner), 0)
    rows = [arm for arm in arms if "state" in arm]
    if missing and all(isinstance(arm["state"], list) and len(arm["state"]) == width - missing for arm in rows):
        end = contract.width(inner) - missing
        for arm in rows:
            arm["state"] = [*arm["state"][:end], *[0.0] * missing, *arm["state"][end:]]


def _state(arm: Any) -> list[float]:
    return [_number(f"the state of the arm {arm['name']!r}", one) for one in arm["state"]]


def _restore_retired(state: LearnerState, content: dict[str, Any], width: int, keeps_history: bool) -> None:
    lines: dict[Any, RetiredArm] = {}
    for arm in content["retired"]:
        name, counts = check_name(arm["name"]), _counts(arm)
        if name in state.rows or name in lines:
            raise ImpossibleError("'retired'", "other arms, each once", arm)
        row, past, value = None, None, None
        if "state" in arm:
            if len(arm["state"]) != width:
                raise ImpossibleError(f"The state of the arm {name!r}", f"{width} numbers", arm["state"])
            row, past = _state(arm), _history(arm) if keeps_history else None
        elif counts[OUTSTANDING]:
            raise ImpossibleError("'retired'", "given their state where something is outstanding", arm)
        if "value" in arm:  # what its history was worth
            value = _number("the value of a retired arm", arm["value"])
        lines[name] = RetiredArm(counts, _moments(arm), row, past, value)
    sums = content.get("long_retired", state.long_retired)
    state.long_retired = {name: _whole(f"'{name}' of 'long_retired'", sums[name]) for name in state.long_retired}
    state.set_retired(lines)


def _restore_run(context: np.ndarray, content: dict[str, Any], state: LearnerState) -> None:
    cells = [_number("'run'", one) for one in content["run"]]
    if len(cells) != run_cells.RUN_CELLS:
        raise ImpossibleError("'run'", f"a list of {run_cells.RUN_CELLS} numbers", content["run"])
    decisions, told, step = int(state.decisions[NUMBER]), state.total_count(TOLD), cells[run_cells.STEP]
    # A decision that was begun and ended in an error was not counted.
    if step not in (decisions, decisions + 1):
        raise ImpossibleError("The step in 'run'", f"{decisions} or {decisions + 1}", step)
    if not math.isclose(cells[run_cells.LOG_STEP], math.log(step) if step else 0.0, abs_tol=1e-9):
        raise ImpossibleError("The logarithm of the step in 'run'", f"that of {step:g}", cells[run_cells.LOG_STEP])
    if cells[run_cells.HORIZON] != context[run_cells.HORIZON]:
        raise ImpossibleError("The horizon in 'run'", f"{context[run_cells.HORIZON]:g}", cells[run_cells.HORIZON])
    if not abs(cells[run_cells.REWARD_COUNT] - told) <= 1.0 or not math.isfinite(cells[run_cells.REWARD_SUM]):
        got = cells[run_cells.REWARD_COUNT], cells[run_cells.REWARD_SUM]
        raise ImpossibleError("The rewards in 'run'", f"{told}, with a finite sum", got)
    context[: run_cells.RUN_CELLS] = cells


def _check_against_book(policy: Policy, state: LearnerState, histories: list[Any]) -> None:
    """What a policy of the package keeps must fit what the state says was told: draws from anything else may never end.

    Of retired arms too: they may come back.

    A policy may leave rewards out (`ExpExp` does), and one more is allowed: in earlier versions an interrupt could part
    the two.
    """
    alone = _state_after(policy, trial.REWARDS)
    sample = np.zeros((1, moments.WIDTH))
    for reward in trial.REWARDS:
        moments.add(sample, 0, reward)
    keeps_moments = len(alone) >= moments.WIDTH and np.allclose(alone[: moments.WIDTH], sample[0])
    keeps_tallies = contract.width(_innermost(policy)) == bernoulli_counts.WIDTH
    fades = contract.defines(policy, "fade")  # what has faded is less than what was told
    rows = zip(state.names, state.policy_state, state.counts[:, TOLD], state.moments, histories, strict=True)
    lines = [(name, np.array(one.state), one.counts[TOLD], np.array(one.moments), one.history)
             for name, one in state.retired.items() if one.state is not None]  # fmt: skip
    for name, row, told, sample_of, past in (*rows, *lines):
        thing = f"The state of the arm {name!r}"
        if (keeps_moments or keeps_tallies) and not 0.0 <= row[moments.COUNT] <= told + 1:
            raise ImpossibleError(thing, f"that of {told} rewards", row.tolist())
        if keeps_moments and not _like(row[: moments.WIDTH], sample_of):
            raise ImpossibleError(thing, "that of the rewards told", row.tolist())
        if keeps_tallies and not 0.0 <= row[bernoulli_counts.SUCCESSES] <= row[bernoulli_counts.PULLS]:
            raise ImpossibleError(thing, "that of at most as many successes as pulls", row.tolist())
        if past is not None:
            _check_history(f"The history of the arm {name!r}", past, told, alone, fades)


def _like(kept: np.ndarray, told: np.ndarray) -> bool:
    """Whether a policy's moments may be those of the rewards told."""
    if kept[moments.COUNT] == told[moments.COUNT]:
        return np.allclose(kept, told, rtol=1e-6, atol=0.0)
    return math.isfinite(kept[moments.MEAN]) and bool(0.0 <= kept[moments.SQUARES] < math.inf)


def _innermost(policy: Any) -> Any:
    """The policy inside all wrappers."""
    return _innermost(policy.policy) if is_record(getattr(policy, "policy", None)) else policy


def _check_history(thing: str, past: dict[str, Any], told: int, alone: np.ndarray, fades: bool) -> None:
    """`alone` shows which kind of history it is, and what the policy puts into it before the first reward."""
    before = alone[history.TOTAL] - len(trial.REWARDS)
    total = sum(past["counts"])
    excess = total - told - before
    if (excess > 1.0 or (excess < -1.0 and not fades)) and (total, told) != (0, 0):
        raise ImpossibleError(thing, f"that of {told} rewards", total)
    if alone[history.SIZE] < alone[history.TOTAL]:
        if not (np.diff(past["values"]) > 0.0).all():
            raise ImpossibleError(thing, "in ascending order", past["values"])
    elif total != len(past["counts"]):
        raise ImpossibleError(thing, "a list with a count of 1 for every reward", past["counts"])


def _state_after(policy: Policy, rewards: tuple[float, ...]) -> np.ndarray:
    """The state of one arm that was told these rewards, in plain Python: it shows what the policy keeps of them."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, len(rewards))
    for reward in rewards:
        policy.learn(state, 0, run, reward)
    return state[0]


def _number(thing: str, value: object) -> float:
    if isinstance(value, str) and value in SPECIAL:
        return SPECIAL[value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ImpossibleError(thing, "a number", value)
    return float(value)


def _whole(thing: str, value: object, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise ImpossibleError(thing, f"a whole number between {least} and {MOST}", value)
    return value


def _counts(arm: Any) -> list[int]:
    thing = f"Each of the counts of the arm {arm['name']!r}"
    told, outstanding, chosen = (_whole(thing, one) for one in arm["counts"])
    if told + outstanding > chosen:
        raise ImpossibleError(thing, "at most the number of choices", arm["counts"])
    is_open = len(arm.get("open", ()))
    if is_open > outstanding:
        raise ImpossibleError(f"'open' of the arm {arm['name']!r}", "at most what is outstanding", is_open)
    return [told, outstanding, chosen, is_open]


def _moments(arm: Any) -> list[float]:
    thing, told = f"The moments of the arm {arm['name']!r}", arm["counts"][TOLD]
    count, mean, squares = (_number(thing, one) for one in arm["moments"])
    # Larger rewards are refused when they are told; of such moments no interval could be made.
    possible = abs(mean) <= LARGEST_REWARD and 0.0 <= squares <= max(count, 1.0) * LARGEST_REWARD**2
    if not (abs(count - told) <= 1.0 and count >= 0.0 and possible):
        raise ImpossibleError(thing, f"the count {told}, a mean and a sum of squares", arm["moments"])
    return [count, mean, squares]


def _history(arm: Any) -> dict[str, list[float]]:
    thing, past = f"The history of the arm {arm['name']!r}", arm["history"]
    values, counts = [[_number(thing, one) for one in past[part]] for part in ("values", "counts")]
    if len(values) != len(counts) or not all(map(math.isfinite, values)):
        raise ImpossibleError(thing, "finite rewards, each with a count", past)
    if not all(history.LEAST <= count <= MOST for count in counts):
        raise ImpossibleError(thing, f"counted in numbers from {history.LEAST:g} on", past["counts"])
    return {"values": values, "counts": counts}


def _stream(rng: Any) -> dict[str, Any]:
    state, increment = rng["state"]["state"], rng["state"]["inc"]
    words = [(state, 128), (increment, 128), (rng["has_uint32"], 1), (rng["uinteger"], 32)]
    fits = all(isinstance(word, int) and not isinstance(word, bool) and 0 <= word < 2**bits for word, bits in words)
    if rng["bit_generator"] != "PCG64" or not fits or increment % 2 == 0:
        raise ImpossibleError("'rng'", "the state of a PCG64", rng)
    return {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": rng["has_uint32"],
        "uinteger": rng["uinteger"],
    }


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


class ImpossibleError(ValueError):
    """The file says something that no learner writes."""

    def __init__(self, thing: str, what: str, got: object) -> None:
        super().__init__(f"{thing} must be {what}. Got {shown(got)} instead.")


def restore(log: DecisionLog, content: dict[str, Any], made: int, propensity: bool) -> None:
    """Fill the log of a learner that has made so many decisions. Files of version 0.1 hold nothing of it."""
    opened: dict[int, OpenDecision] = {}
    for arm in (*content["arms"], *content["retired"]):
        numbers = arm.get("open", [])
        probabilities = arm.get("probabilities", []) if propensity else [None] * len(numbers)
        for number, probability in zip(numbers, probabilities, strict=True):
            _check_number("'open'", number, made, opened)
            good = type(probability) in (int, float) and 0.0 < probability <= 1.0
            if propensity and not (probability is None or good):
                raise ImpossibleError("A probability of an open decision", "a number in (0, 1]", probability)
            opened[number] = (number, arm["name"], probability)
    log.open = {format_id(number): opened[number] for number in sorted(opened)}
    parts = content.get("settled", {"numbers": "", "rewards": ""})
    numbers, rewards = _array(parts["numbers"], "<i8"), _array(parts["rewards"], "<f8")
    if len(numbers) != len(rewards) or len(numbers) > log.remember:
        raise ImpossibleError("'settled'", f"at most {log.remember} numbers with as many rewards", len(numbers))
    if not all(np.isnan(rewards) | (np.abs(rewards) <= LARGEST_REWARD)):
        raise ImpossibleError("The rewards of 'settled'", "numbers that may be told", "others")
    for number, reward in zip(numbers.tolist(), rewards.tolist(), strict=True):
        _check_number("'settled'", number, made, opened, log.settled)
        log.settled[number] = reward
    dropped = content.get("dropped", 0)
    if type(dropped) is not int or not 0 <= dropped <= made:
        raise ImpossibleError("'dropped'", f"a whole number between 0 and {made}", dropped)
    log.dropped = dropped


def _check_number(thing: str, number: Any, made: int, *taken: dict[int, Any]) -> None:
    if type(number) is not int or not 1 <= number <= made or any(number in one for one in taken):
        raise ImpossibleError(thing, f"numbers of the {made} decisions, each once", number)


def _array(text: Any, kind: str) -> np.ndarray:
    try:
        found = np.frombuffer(base64.b64decode(text, validate=True), dtype=kind)
    except (TypeError, ValueError, binascii.Error):
        raise ImpossibleError("'settled'", "numbers in base64", text) from None
    if base64.b64encode(found.tobytes()).decode("ascii") != text:
        raise ImpossibleError("'settled'", "numbers in base64", text)
    return found
