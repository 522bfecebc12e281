"""A learner as a small, versioned JSON file."""

from __future__ import annotations

import hashlib
import json
import math
import os
from typing import Any

import numpy as np

from riskbandits.core import files
from riskbandits.core.errors import FileError, RiskBanditsError, must_be
from riskbandits.core.records import canonical
from riskbandits.learner import restoring
from riskbandits.learner.steps import OUTSTANDING
from riskbandits.numerics import history
from riskbandits.policies.support.contract import RUN_CELLS

FORMAT = "riskbandits-learner"
VERSION = 1


def write(path: str | os.PathLike[str], learner: Any) -> None:
    """Write the file, or raise and leave whatever stood there."""
    content = content_of(learner)
    try:
        data = {"format": FORMAT, "version": VERSION, "checksum": _checksum(content), "content": content}
        text = json.dumps(data, indent=1, allow_nan=False)
    except (TypeError, ValueError) as error:
        what = f"a parameter of the policy or of the risk measure does not fit into JSON ({error})"
        raise FileError(f"{os.fspath(path)!r} could not be written: {what}.") from error
    with files.replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write(text)


def read(path: str | os.PathLike[str], learner_class: Any, policy: Any, risk_measure: Any) -> Any:
    """Make a learner from the file; `policy` and `risk_measure` are the user's own classes, if any."""
    if not isinstance(path, (str, os.PathLike)):
        raise must_be("The path", "the name of a file", path)
    content = _read_content(path)
    try:
        return restoring.make(content, learner_class, policy, risk_measure)
    except restoring.ImpossibleError as error:
        raise FileError(f"{os.fspath(path)!r} is damaged: {error}") from None
    except RiskBanditsError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise _damaged(path) from None


def content_of(learner: Any) -> dict[str, Any]:
    """All that a learner is, as plain data."""
    book = learner._book
    rows = zip(book.names, book.state, book.counts, book.moments, _histories(learner), strict=True)
    return {
        "policy": canonical(learner.policy),
        "risk": canonical(learner.risk),
        "horizon": learner.horizon,
        "decisions": learner.decisions,
        "run": _texts(learner._run[:RUN_CELLS]),
        "rng": learner._rng.bit_generator.state,
        "arms": [
            {"name": name, "state": _texts(state), "counts": counts.tolist(), "moments": _texts(row), **past}
            for name, state, counts, row, past in rows
        ],
        "retired": [{"name": name, **_retired_line(line)} for name, line in book.retired.items()],
        "long_retired": book.long_retired,
        "outstanding": int(book.counts[:, OUTSTANDING].sum()),  # for the person who looks into the file
    }


def _retired_line(line: dict[str, Any]) -> dict[str, Any]:
    value = {"value": _text(line["value"])} if "value" in line else {}
    return {"counts": line["counts"], "moments": [_text(one) for one in line["moments"]], **value}


def _histories(learner: Any) -> list[dict[str, Any]]:
    """What each arm's line holds of a history, if the policy keeps one."""
    if not learner._entries:
        return [{} for _ in learner._book.names]
    return [{"history": entries} for entries in history.entries_of(learner._book.state, learner._run)]


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
    try:
        if isinstance(content, dict) and data.get("checksum") == _checksum(content):
            return content
    except RecursionError:
        pass
    raise _damaged(path)


def _damaged(path: str | os.PathLike[str]) -> FileError:
    return FileError(f"{os.fspath(path)!r} is damaged: its content does not fit its checksum or form.")


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _texts(numbers: np.ndarray) -> list[Any]:
    return [_text(number) for number in numbers.tolist()]


def _text(number: float) -> float | str:
    """A number for JSON, which has no infinity and no NaN."""
    return number if math.isfinite(number) else str(number)
