"""A learner as a small, versioned JSON text, and as a file that holds it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import files
from riskbandits.core.errors import FileError, RiskBanditsError, must_be
from riskbandits.core.records import canonical
from riskbandits.learner import restoring
from riskbandits.learner.book import Retired
from riskbandits.learner.decisions import NUMBER, DecisionLog
from riskbandits.learner.reopening import ImpossibleError
from riskbandits.learner.steps import OPEN, OUTSTANDING
from riskbandits.numerics import history
from riskbandits.policies.cells import RUN_CELLS

if TYPE_CHECKING:
    from riskbandits.types import Policy

FORMAT = "riskbandits-learner"
VERSION = 2


def write(path: str | os.PathLike[str], learner: object) -> None:
    """Write the file, or raise and leave whatever stood there."""
    content = text(learner, f"{os.fspath(path)!r} could not be written")
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


def text(learner: object, problem: str = "The learner could not be written") -> str:
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
        return restoring.make(content, learner_class, policy, risk_measure)
    except ImpossibleError as error:
        raise FileError(f"{what} is damaged: {error}") from None
    except RiskBanditsError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise _damaged(what) from None


def content_of(learner: Any) -> dict[str, Any]:
    """All that a learner is, as plain data."""
    book, log = learner._folded(), learner._decision_log
    is_open = _open_by_arm(log, learner.propensity)
    rows = zip(book.names, book.state, book.counts, book.moments, _histories(learner, book), strict=True)
    return {
        "policy": canonical(learner._moves.policy),
        "risk": canonical(learner.risk),
        "horizon": learner.horizon,
        "decisions": int(book.decisions[NUMBER]),
        "run": _texts(book.run[:RUN_CELLS]),
        "rng": book.rng.bit_generator.state,
        "arms": [
            {"name": name, "state": _texts(state), "counts": counts[:OPEN].tolist(), "moments": _texts(row), **past}
            | is_open.get(name, {})
            for name, state, counts, row, past in rows
        ],
        "retired": [{"name": name, **_retired(line), **is_open.get(name, {})} for name, line in book.retired.items()],
        "long_retired": book.long_retired,
        "outstanding": int(book.counts[:, OUTSTANDING].sum()),  # for the person who looks into the file
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


def _retired(line: Retired) -> dict[str, Any]:
    known: dict[str, Any] = {"counts": line.counts[:OPEN], "moments": [_text(one) for one in line.moments]}
    if line.state is not None:
        known["state"] = [_text(one) for one in line.state]
    if line.history is not None:
        known["history"] = line.history
    if line.value is not None:
        known["value"] = _text(line.value)
    return known


def _histories(learner: Any, book: Any) -> list[dict[str, Any]]:
    """What each arm's line holds of a history, if the policy keeps one."""
    if not learner._moves.entries:
        return [{} for _ in book.names]
    return [{"history": entries} for entries in history.entries_of(book.state, book.run)]


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
