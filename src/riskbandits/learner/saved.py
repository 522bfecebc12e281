"""A learner as a small, versioned JSON file."""

from __future__ import annotations

import hashlib
import json
import math
import os
from typing import Any

import numpy as np

from riskbandits import files, risk
from riskbandits.errors import FileError, ParameterError, RiskBanditsError
from riskbandits.learner.book import OUTSTANDING, Book
from riskbandits.policies.contract import RUN_CELLS
from riskbandits.policies.names import public_policies
from riskbandits.records import canonical, classes_of, is_record, rebuilt, same
from riskbandits.statistics import history

FORMAT = "riskbandits-learner"
VERSION = 1


def write(path: str | os.PathLike[str], learner: Any) -> None:
    """Write the file, or raise and leave whatever stood there."""
    content = _content(learner)
    data = {"format": FORMAT, "version": VERSION, "checksum": _checksum(content), "content": content}
    text = json.dumps(data, indent=1, allow_nan=False)
    with files.replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write(text)


def read(path: str | os.PathLike[str], learner_class: Any, policy: Any, risk_measure: Any) -> Any:
    """Make a learner from the file; `policy` and `risk_measure` are the user's own classes, if any."""
    content = _read_content(path)
    try:
        return _make(content, learner_class, policy, risk_measure)
    except RiskBanditsError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _damaged(path) from None


def _make(content: dict[str, Any], learner_class: Any, policy: Any, risk_measure: Any) -> Any:
    made_policy = _record(content["policy"], public_policies(), policy, "policy")
    made_risk = _record(content["risk"], [getattr(risk, n) for n in risk.__all__], risk_measure, "risk")
    arms = content["arms"]
    # All arms may have been retired, but a learner begins with one.
    learner = learner_class(made_policy, [arm["name"] for arm in arms] or 1, made_risk, content["horizon"])
    if not arms:
        learner._book, learner._state = Book([]), learner._state[:0]
    width = learner._state.shape[1]
    if any(len(arm["state"]) != width for arm in arms):
        raise FileError(
            f"The file holds another state than {type(made_policy).__name__} keeps now: rows must have {width} columns."
        )
    _fill(learner._state, [_floats(arm["state"]) for arm in arms])
    _fill(learner._run[:RUN_CELLS], _floats(content["run"]))
    if learner._entries:
        learner._run = history.restored(learner._state, learner._run, [arm["history"] for arm in arms])
    _fill(learner._book.counts, [arm["counts"] for arm in arms])
    _fill(learner._book.moments, [_floats(arm["moments"]) for arm in arms])
    learner._decisions = int(content["decisions"])
    learner._rng.bit_generator.state = content["rng"]
    learner._book.retired = {
        arm["name"]: {"counts": arm["counts"], "moments": arm["moments"], **_kept_value(arm)}
        for arm in content["retired"]
    }
    return learner


def _kept_value(arm: dict[str, Any]) -> dict[str, float]:
    """What a retired arm's history was worth, where there was one; files of older versions do not have it."""
    return {"value": float(arm["value"])} if "value" in arm else {}


def _fill(target: np.ndarray, values: Any) -> None:
    source = np.array(values, dtype=target.dtype) if len(values) else np.empty_like(target[:0])
    if source.shape != target.shape:  # assignment alone would stretch a short list
        raise ValueError(f"{source.shape} instead of {target.shape}")
    target[:] = source


def _content(learner: Any) -> dict[str, Any]:
    book = learner._book
    rows = zip(book.names, learner._state, book.counts, book.moments, _histories(learner), strict=True)
    return {
        "policy": canonical(learner.policy),
        "risk": canonical(learner.risk),
        "horizon": learner.horizon,
        "decisions": learner._decisions,
        "run": _texts(learner._run[:RUN_CELLS]),
        "rng": learner._rng.bit_generator.state,
        "arms": [
            {"name": name, "state": _texts(state), "counts": counts.tolist(), "moments": _texts(row), **past}
            for name, state, counts, row, past in rows
        ],
        "retired": [{"name": name, **line} for name, line in book.retired.items()],
        "outstanding": int(book.counts[:, OUTSTANDING].sum()),  # for the person who looks into the file
    }


def _histories(learner: Any) -> list[dict[str, Any]]:
    """What each arm's line holds of a history, if the policy keeps one."""
    if not learner._entries:
        return [{} for _ in learner._book.names]
    return [{"history": entries} for entries in history.entries_of(learner._state, learner._run)]


def _read_content(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise FileError(f"There is no file {os.fspath(path)!r}.") from None
    except OSError as error:
        raise FileError(f"{os.fspath(path)!r} could not be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("version"), int):
        raise FileError(f"{os.fspath(path)!r} is damaged or was not written by Learner.save.")
    if data["version"] > VERSION:
        raise FileError(
            f"{os.fspath(path)!r} was written by a newer version of riskbandits (format {data['version']}, "
            f"this one reads {VERSION})."
        )
    content = data.get("content")
    if not isinstance(content, dict) or data.get("checksum") != _checksum(content):
        raise _damaged(path)
    return content


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


def _damaged(path: str | os.PathLike[str]) -> FileError:
    return FileError(f"{os.fspath(path)!r} is damaged: its content does not fit its checksum or form.")


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _texts(numbers: np.ndarray) -> list[Any]:
    """Numbers for JSON, which has no infinity and no NaN."""
    return [number if math.isfinite(number) else str(number) for number in numbers.tolist()]


def _floats(texts: list[Any]) -> list[float]:
    return [float(text) for text in texts]
