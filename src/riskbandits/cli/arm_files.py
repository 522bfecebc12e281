"""Arms from files: parameters per arm of any family (JSON, CSV), or recorded rewards (CSV, Parquet)."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

from riskbandits import arms
from riskbandits.arms import DataArms, recorded
from riskbandits.core import files
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError, must_be, shown, unknown_name
from riskbandits.core.records import classes_in
from riskbandits.policies.support import naming

RECORDED = "data:"


def families() -> dict[str, Any]:
    """The classes of arms that a file may name, by their names on the command line."""
    classes = classes_in(arms)
    return {naming.command_line_name(cls): cls for cls in classes if cls is not DataArms}


def singular(field: str) -> str:
    """A field's name as the head of a column.

    >>> singular("variances"), singular("probabilities")
    ('variance', 'probability')
    """
    return field[:-3] + "y" if field.endswith("ies") else field[:-1]


def read_arms(path: Path) -> Any:
    """Arms from a JSON or CSV file with the parameters of each arm, and maybe the name of their family."""
    if not path.is_file():
        raise FileError(f"There is no file {str(path)!r}.")
    is_json = path.suffix.lower() == ".json"
    try:
        columns = _json_columns(files.read_json(path, "arms")) if is_json else _csv_columns(files.read_text(path))
    except RiskBanditsError:
        raise
    except (ValueError, OSError, csv.Error) as error:
        raise FileError(f"{str(path)!r} could not be read as arms: {error}.") from None
    family = columns.pop("family", None)
    if family is not None:
        return _of_family(path, family, columns)
    for arms_class in families().values():
        if set(columns) == set(arms_class._fields):
            return arms_class(**columns)
    known = "; ".join(f"{name}: {', '.join(cls._fields)}" for name, cls in families().items())
    hint = "" if is_json else f" If it holds recorded rewards, a column per arm: data:{path}."
    problem = must_be(
        f"{str(path)!r}", f"a file with the parameters of one family ({known})", sorted(columns) or "nothing"
    )
    raise ParameterError(f"{problem}{hint}")


def read_recorded(text: str) -> DataArms:
    """Arms from `data:FILE` or `data:FILE:BLOCK`, a file with a column of recorded rewards per arm."""
    file, _, block = text.removeprefix(RECORDED).partition(":")
    try:
        length = float(block) if block else 1.0
    except ValueError:
        raise must_be("The block length after data:FILE:", "a number >= 1", block) from None
    table = recorded.read(file)
    for note in recorded.split(table)[1]:
        print(note, file=sys.stderr)
    return DataArms.from_table(table, length)


def _of_family(path: Path, family: Any, columns: dict[str, Any]) -> Any:
    given = family if isinstance(family, list) else [family]
    if not given or not all(isinstance(one, str) for one in given):
        raise must_be(f"The family in {str(path)!r}", "a name, or one per arm", family)
    if any(one != given[0] for one in given):
        raise must_be(f"The family in {str(path)!r}", "the same for all arms", given)
    known = families()
    found = [cls for name, cls in known.items() if naming.plain(name) == naming.plain(given[0])]
    if not found:
        raise unknown_name("family of arms", given[0], known)
    if set(columns) != set(found[0]._fields):
        raise must_be(f"{str(path)!r}", f"a file with {', '.join(found[0]._fields)}", sorted(columns) or "nothing")
    return found[0](**columns)


def _plural(name: str) -> str:
    """The field that a column's head means, in the singular or as it is."""
    for cls in families().values():
        for field in cls._fields:
            if name in (field, singular(field)):
                return str(field)
    return name


def _json_columns(data: Any) -> dict[str, Any]:
    if isinstance(data, list):  # one object per arm
        return _by_column([row if isinstance(row, dict) else {} for row in data])
    if not isinstance(data, dict):
        raise ValueError("it must hold an object or a list of objects")
    _check_heads(list(data))
    return {_plural(name): values for name, values in data.items()}


def _csv_columns(text: str) -> dict[str, Any]:
    lines = csv.reader(line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    heads = [head.strip().lower() for head in next(lines, [])]
    _check_heads(heads)
    rows = []
    for number, row in enumerate(lines, start=1):
        if len(row) != len(heads):
            raise ValueError(f"row {number} has {len(row)} values where there are {len(heads)} columns")
        rows.append(dict(zip(heads, row, strict=True)))
    return _by_column(rows)


def _check_heads(heads: list[str]) -> None:
    """Refuse what would be one column twice: `mean` and `means` are the same."""
    fields = [_plural(head) for head in heads]
    for head, field in zip(heads, fields, strict=True):
        if fields.count(field) > 1:
            raise ValueError(f"the column {shown(head)} is there twice")


def _by_column(rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, start=1):
        if set(row) != set(rows[0]):
            raise ValueError(f"arm {number} has other entries than the first one")
        _check_heads([str(name).strip().lower() for name in row])
        for name, value in row.items():
            columns.setdefault(_plural(str(name).strip().lower()), []).append(_number(value))
    columns.pop("name", None)
    columns.pop("arm", None)
    return columns


def _number(value: Any) -> Any:
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
