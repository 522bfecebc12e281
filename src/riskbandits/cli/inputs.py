"""From what a person types to records: arms from names and files, policies, risk measures, and files of one's own."""

from __future__ import annotations

import csv
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from riskbandits import problems, risk
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.errors import FileError, ParameterError, must_be, unknown_name
from riskbandits.policies import names
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

ARMS_HELP = (
    'A named problem (see `riskbandits list arms`), a .json file such as {"means": [0, 1], "variances": [1, 2]} '
    'or {"probabilities": [0.2, 0.5]}, or a .csv file with columns mean,variance or probability.'
)
# What a file's columns may be called, and the arms they make.
FORMS: tuple[tuple[tuple[str, ...], Any], ...] = (
    (("means", "variances"), GaussianArms),
    (("probabilities",), BernoulliArms),
)
PLURALS = {"mean": "means", "variance": "variances", "probability": "probabilities"}


def read_problem(arms: str, rho: float | None, risk_text: str | None) -> Problem:
    """The problem that `--arms` with `--rho` or `--risk` means."""
    if rho is not None and risk_text is not None:
        raise ParameterError("--rho and --risk both say what is maximised: give one of them.")
    measure = read_risk(risk_text) if risk_text is not None else MeanVariance(1.0 if rho is None else rho)
    if ".py:" in arms:
        return Problem(own_record(arms, "set of arms"), measure)
    if Path(arms).suffix.lower() in (".json", ".csv"):
        return Problem(read_arms(Path(arms)), measure)
    return problems.named(arms).with_risk(measure)


def read_arms(path: Path) -> Any:
    """Arms from a JSON or CSV file."""
    if not path.is_file():
        raise FileError(f"There is no file {str(path)!r}.")
    try:
        text = path.read_text(encoding="utf-8")
        columns = _json_columns(text) if path.suffix.lower() == ".json" else _csv_columns(text)
    except (ValueError, OSError) as error:
        if isinstance(error, ParameterError):
            raise
        raise FileError(f"{str(path)!r} could not be read as arms: {error}.") from None
    for fields, arms_class in FORMS:
        if set(columns) == set(fields):
            return arms_class(**columns)
    raise must_be(
        f"{str(path)!r}", "a file with means and variances, or with probabilities", sorted(columns) or "nothing"
    )


def _json_columns(text: str) -> dict[str, Any]:
    data = json.loads(text)
    if isinstance(data, list):  # one object per arm
        return _by_column([row if isinstance(row, dict) else {} for row in data])
    if not isinstance(data, dict):
        raise ValueError("it must hold an object or a list of objects")
    return {PLURALS.get(str(name), str(name)): values for name, values in data.items()}


def _csv_columns(text: str) -> dict[str, Any]:
    rows = list(csv.DictReader(line for line in text.splitlines() if line.strip() and not line.startswith("#")))
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise ValueError(f"row {number} has not as many values as there are columns")
    return _by_column(rows)


def _by_column(rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, start=1):
        if set(row) != set(rows[0]):
            raise ValueError(f"arm {number} has other entries than the first one")
        for name, value in row.items():
            key = str(name).strip().lower()
            columns.setdefault(PLURALS.get(key, key), []).append(_number(value))
    columns.pop("name", None)
    columns.pop("arm", None)
    return columns


def _number(value: Any) -> Any:
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def read_policies(text: str) -> list[Any]:
    """The policies of a comma-separated list: names, presets as `name:preset`, or `file.py:Class`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise must_be("--policies", "a comma-separated list of policies", text)
    return [own_record(part, "policy") if ".py:" in part else names.parse(part) for part in parts]


def read_risk(text: str) -> Any:
    """A risk measure from `name:parameter` such as `mean-variance:1`, or `file.py:Class`."""
    if ".py:" in text:
        return own_record(text, "risk measure")
    name, _, parameters = text.partition(":")
    known = {cls: getattr(risk, cls) for cls in risk.__all__}
    matches = [cls for cls in known.values() if names.plain(cls.__name__) == names.plain(name)]
    if not matches:
        raise unknown_name("risk measure", name, [names.command_line_name(cls) for cls in known.values()])
    try:
        values = [float(value) for value in parameters.split(",") if value]
    except ValueError:
        raise must_be(f"The parameters of {name}", "numbers", parameters) from None
    if len(values) > len(matches[0]._fields):
        raise must_be(f"The parameters of {name}", f"at most {len(matches[0]._fields)} numbers", parameters)
    return matches[0](*values)


def own_record(text: str, kind: str) -> Any:
    """A record of the user's own: `path/to/file.py:Class`, or `path/to/file.py:Class:preset`."""
    file, _, rest = text.partition(".py:")
    path = Path(file + ".py")
    if not path.is_file():
        raise FileError(f"There is no file {str(path)!r}.")
    module = _import_file(path)
    class_name, _, preset = rest.partition(":")
    cls = getattr(module, class_name, None)
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        found = [name for name, thing in vars(module).items() if isinstance(thing, type) and hasattr(thing, "_fields")]
        raise unknown_name(f"{kind} in {str(path)!r} called", class_name, found)
    if preset:
        return names.parse(f"{class_name}:{preset}", [cls])
    try:
        return cls()
    except TypeError:
        raise ParameterError(f"{class_name} has parameters without a default; name a preset: {text}:PRESET.") from None


def _import_file(path: Path) -> Any:
    """Import a file the user named, under its own name, so that compiled code for it can be kept on disk."""
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    if loaded is not None:
        name = f"{name}_from_command_line"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FileError(f"{str(path)!r} could not be imported: {type(error).__name__}: {error}") from error
    return module
