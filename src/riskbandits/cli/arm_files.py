"""Arms from files: parameters per arm of any family (JSON, CSV), or recorded rewards (CSV, Parquet)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from riskbandits import arms
from riskbandits.api import parsing
from riskbandits.arms import DataArms, LinearArms, PiecewiseArms
from riskbandits.cli.output import print_notes
from riskbandits.core import files
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError, must_be, shown, unknown_name
from riskbandits.core.records import classes_in
from riskbandits.data import Sheet, columns, read_sheet
from riskbandits.data.numbers import is_number, parse_numbers
from riskbandits.data.options import DEFAULTS, OF_TEXT, ReadOptions, refuse_options
from riskbandits.data.read import from_file
from riskbandits.policies.support import naming

RECORDED = "data:"
NAMES = ("name", "names", "arm", "arms")  # heads of the column that says what the arms are called
PIECES, FIRST = "pieces", "first"  # in a file with arms that change


def families() -> dict[str, Any]:
    """The classes of arms that a file may name, by their names on the command line."""
    classes = classes_in(arms)
    return {naming.command_line_name(cls): cls for cls in classes if cls not in (DataArms, LinearArms, PiecewiseArms)}


def singular(field: str) -> str:
    """A field's name as the head of a column.

    >>> singular("variances"), singular("probabilities")
    ('variance', 'probability')
    """
    return field[:-3] + "y" if field.endswith("ies") else field[:-1]


def read_arms(path: Path, options: ReadOptions = DEFAULTS) -> Any:
    """Arms from a JSON or CSV file with the parameters of each arm and optionally the name of their family."""
    files.check_readable(path)
    if path.suffix.lower() != ".json":
        return arms_from_sheet(path, read_sheet(path, options), options)
    try:
        data = files.read_json(path, "arms")
        if isinstance(data, dict) and set(data) == {PIECES}:
            return _in_pieces(path, data[PIECES])
        columns = _json_columns(data)
    except RiskBanditsError:
        raise
    except (ValueError, OSError) as error:
        raise FileError(f"{str(path)!r} could not be read as arms: {error}.") from None
    return _from_columns(path, columns, True)


def arms_from_sheet(path: Path, sheet: Sheet, options: ReadOptions) -> Any:
    """Arms from the cells of a CSV file with a row per arm."""
    of_rewards = [name for name in ReadOptions._fields if name not in (*OF_TEXT, "decimal", "thousands")]
    try:
        columns = _csv_columns(sheet, options)
    except ValueError as error:
        raise FileError(f"{str(path)!r} could not be read as arms: {error}.{_hint(path, False)}") from None
    refuse_options(options, of_rewards, f"recorded rewards: write {RECORDED}{path} if it contains them")
    return _from_columns(path, columns, False)


def _hint(path: Path, is_json: bool) -> str:
    return "" if is_json else f" If it contains recorded rewards, one column per arm, write data:{path}."


def _in_pieces(path: Path, pieces: Any) -> PiecewiseArms:
    """Arms that change: a list of objects, each with its first step and the arms from then on."""
    what = f'a list of objects such as {{"{FIRST}": 1, "means": [0, 1], "variances": [1, 2]}}'
    if not isinstance(pieces, list) or not all(isinstance(one, dict) and FIRST in one for one in pieces):
        raise must_be(f"{PIECES!r} in {str(path)!r}", what, pieces)
    found = []
    for one in pieces:
        parts = {name: value for name, value in one.items() if name != FIRST}
        first = int(one[FIRST]) if isinstance(one[FIRST], float) and one[FIRST].is_integer() else one[FIRST]
        found.append((first, _from_columns(path, _json_columns(parts), True)))
    return PiecewiseArms(found)


def _from_columns(path: Path, columns: dict[str, Any], is_json: bool) -> Any:
    family = columns.pop("family", None)
    names_given = _names(path, columns)
    if family is not None:
        found = _of_family(path, family, columns)
        return found._replace(names=names_given) if "names" in found._fields else found
    for arms_class in families().values():
        if set(columns) == set(parameters(arms_class)):
            return arms_class(**columns, names=names_given)
    known = "; ".join(f"{name}: {', '.join(parameters(cls))}" for name, cls in families().items())
    problem = must_be(
        f"{str(path)!r}", f"a file with the parameters of one family ({known})", sorted(columns) or "nothing"
    )
    raise ParameterError(f"{problem}{_hint(path, is_json)}")


def holds_parameters(sheet: Sheet) -> bool:
    """Whether a file's header has the parameters of a family, rather than the names of arms."""
    kept = sheet.heads[1:] if _counts_rows(sheet) else sheet.heads
    heads = {_plural(head.lower()) for head in kept} - {*NAMES, "family"}
    return any(heads == set(parameters(cls)) for cls in families().values())


def parameters(arms_class: Any) -> list[str]:
    """The fields of a family that determine its rewards: all except the names."""
    return [field for field in arms_class._fields if field != "names"]


def _names(path: Path, columns: dict[str, Any]) -> list[str]:
    """The names of the arms, removed from the columns."""
    given = [head for head in NAMES if head in columns]
    if len(given) > 1:
        raise FileError(f"{str(path)!r} names its arms in two columns, {' and '.join(map(repr, given))}.")
    found = columns.pop(given[0]) if given else []
    if not isinstance(found, list):
        raise must_be(f"The names of arms in {str(path)!r}", "a list, one per arm", found)
    odd = next((one for one in found if isinstance(one, bool) or not isinstance(one, (str, int, float))), "")
    if odd != "":
        raise must_be(f"The name of an arm in {str(path)!r}", "a text or a number", odd)
    return [str(int(one)) if isinstance(one, float) and one.is_integer() else str(one) for one in found]


def read_recorded(text: str, options: ReadOptions) -> DataArms:
    """Arms from `data:FILE` or `data:FILE:BLOCK`, a file with a column of recorded rewards per arm."""
    file, block = text.removeprefix(RECORDED), ""
    if ":" in file and not Path(file).exists():
        file, _, block = file.rpartition(":")
    try:
        length = float(block) if block else 1.0
    except ValueError:
        if not Path(file).exists():  # a drive of Windows, say
            files.check_readable(text.removeprefix(RECORDED))
        raise must_be("The block length after data:FILE:", "a number >= 1", block) from None
    rewards = from_file(file, options)
    print_notes(rewards)
    return DataArms.from_rewards(rewards, length)


def _of_family(path: Path, family: Any, columns: dict[str, Any]) -> Any:
    given = family if isinstance(family, list) else [family]
    if not given or not all(isinstance(one, str) for one in given):
        raise must_be(f"The family in {str(path)!r}", "a name, or one per arm", family)
    if any(one != given[0] for one in given):
        raise must_be(f"The family in {str(path)!r}", "the same for all arms", given)
    known = families()
    found = [cls for name, cls in known.items() if parsing.plain(name) == parsing.plain(given[0])]
    if not found:
        raise unknown_name("family of arms", given[0], known)
    if set(columns) != set(parameters(found[0])):
        raise must_be(f"{str(path)!r}", f"a file with {', '.join(parameters(found[0]))}", sorted(columns) or "nothing")
    return found[0](**columns)


def _plural(name: str) -> str:
    """The field that a column's head means, in the singular or as it is."""
    for cls in families().values():
        for field in parameters(cls):
            if name in (field, singular(field)):
                return str(field)
    return name


def _json_columns(data: object) -> dict[str, Any]:
    if isinstance(data, list):  # one object per arm
        return _by_column([row if isinstance(row, dict) else {} for row in data])
    if not isinstance(data, dict):
        raise ValueError("it must hold an object or a list of objects")
    _check_heads(list(data))
    return {_plural(name): values for name, values in data.items()}


def _csv_columns(sheet: Sheet, options: ReadOptions) -> dict[str, Any]:
    heads = [head.lower() for head in sheet.heads]
    _check_heads(heads)
    by_head = {head: sheet.column(place) for place, head in enumerate(heads)}
    if _counts_rows(sheet):
        del by_head[heads[0]]
        print("The first column counts the rows: it is not a parameter.", file=sys.stderr)
    words = {head: column for head, column in by_head.items() if head in (*NAMES, "family")}
    cells = {head: column for head, column in by_head.items() if head not in words}
    for head, column in cells.items():
        odd = next((cell for cell in column if not is_number(cell)), None)
        if odd is not None:
            raise ValueError(f"column {shown(head)} must be numbers: {shown(odd)} is not a number")
    found = parse_numbers(cells, sheet.separator, options).columns
    return {_plural(head): column for head, column in {**words, **found}.items()}


def _counts_rows(sheet: Sheet) -> bool:
    """Whether the first column counts the arms, as pandas writes it."""
    return len(sheet.heads) > 1 and columns.is_counter(0, sheet.heads[0], sheet.column(0))


def _check_heads(heads: list[str]) -> None:
    """Refuse duplicate columns: `mean` and `means` are the same."""
    fields = [_plural(head) for head in heads]
    for head, field in zip(heads, fields, strict=True):
        if fields.count(field) > 1:
            raise ValueError(f"the column {shown(head)} appears twice")


def _by_column(rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, start=1):
        if set(row) != set(rows[0]):
            raise ValueError(f"arm {number} has different entries from the first one")
        _check_heads([str(name).strip().lower() for name in row])
        for name, value in row.items():
            columns.setdefault(_plural(str(name).strip().lower()), []).append(value)
    return columns
