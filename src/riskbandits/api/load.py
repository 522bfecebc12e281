"""`load`: read any saved file; the file knows what it contains."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.core import checks, files, parquet
from riskbandits.core.display import counted
from riskbandits.core.errors import FileError
from riskbandits.core.keywords import known_keywords
from riskbandits.core.notices import say_once
from riskbandits.core.records import check_classes
from riskbandits.learner import Learner
from riskbandits.learner.file_schema import FORMAT as LEARNER
from riskbandits.results import comparison, result, sweep_result
from riskbandits.suites import read_suite
from riskbandits.suites.suite import CHECKED
from riskbandits.suites.suite import FORMAT as SUITE

if TYPE_CHECKING:
    import pandas as pd

Read = Callable[[str, Sequence[type]], Any]

PARQUET = b"PAR1"
# The columns by which a table is known, the most telling first.
KNOWN_TABLES = {
    ("figure", "rho", "policy", "rank"): "the ranking of policies in the paper's figures",
    ("experiment", "policy", "per_ln_n"): "regret up to 10^12 steps, beside the bounds",
    ("policy", "problems", "relative"): "the leaderboard of a comparison",
    ("policy", "problem", "relative"): "the table of a comparison by problem",
    ("arm", "rho_from", "rho_to"): "a frontier: the best arm by rho",
    ("target", "value", "effective_size"): "the table of an evaluation",
    ("rule", "error_probability"): "the table of an identification",
    ("policy", "value_mean", "best_value"): "the table of a replay",
    ("rho", "policy", "run"): "the single runs of a figure",
    ("rho", "p", "value"): "the numbers of Figure 1",
    ("policy", "step", "runs"): "a table with a row per policy and checkpoint, of a result, a sweep or a figure",
}
PLAIN = {"pandas", "ARROW:schema"}  # what stands beside any table of pandas
MAIN = ("table", "leaderboard", "replays", "rows")  # the entry of a JSON object that a table is made of
# What else we write, and how it is used.
OTHERS = {
    b"riskbandits-chunk": "a part of a store: pass the store's folder as `store=`",
    b"\x89PNG": "a picture",
    b"%PDF": "a picture",
    b"<?xml": "a picture",
    b"<!DOCTYPE": "a page: open it in a browser",
    b"<!doctype": "a page: open it in a browser",
}


def _learner(path: str, classes: Sequence[type]) -> Learner:
    policy = next((one for one in classes if hasattr(one, "score")), None)
    return Learner.load(path, policy, next((one for one in classes if hasattr(one, "value")), None))


TABLES: dict[str, Read] = {
    result.FORMAT: result.Result.load,
    sweep_result.FORMAT: sweep_result.SweepResult.load,
    comparison.FORMAT: comparison.Comparison.load,
}
TEXTS: dict[str, Read] = {LEARNER: _learner, SUITE: read_suite, CHECKED: read_suite}


@known_keywords
def load(path: str | os.PathLike[str], classes: Sequence[type] = ()) -> Any:
    """Read a file that riskbandits wrote, and return what it holds.

    That is a result, sweep, comparison, learner or suite, as it was saved; or, where a file contains only a table (CSV,
    JSON, the numbers of the paper's figures), a pandas table, and a note says of what. Pass your own
    classes (policies, risk measures, arms) that the file uses as `classes`.

    >>> import tempfile, riskbandits as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = folder + "/careful.json"
    ...     path = rb.Learner(rb.MVTS(), arms=["bond", "stock"], risk=rb.MeanVariance(1.0)).save(file)
    ...     rb.load(file).arms
    ['bond', 'stock']
    """
    path = checks.path("The file", path)
    own = check_classes(classes)
    try:
        check_kind(path)
        read = _reader(path)
    except OSError as error:  # a disk that fails
        raise FileError(f"{path!r} could not be read: {error.strerror or error}.") from None
    if read is not None:
        return read(path, own)
    table = table_in(path)
    if table is None:
        kinds = "a result, a sweep, a comparison, a learner, a suite or a table of one of these"
        raise FileError(f"{path!r} is damaged, or was not written by riskbandits for {kinds}.")
    return table


def _reader(path: str) -> Read | None:
    with open(path, "rb") as file:
        start = file.read(len(PARQUET))
    if start == PARQUET:
        names = parquet.names(path)
        return next((read for name, read in TABLES.items() if name in names), None)
    try:
        data = json.loads(files.read_text(path))
    except (ValueError, RecursionError, FileError):
        return None
    return TEXTS.get(str(data.get("format"))) if isinstance(data, dict) else None


def table_in(path: str) -> pd.DataFrame | None:
    """The table of a CSV, Parquet or JSON file that we wrote, and a note of what it is; None for any other file.

    What a JSON file holds beside its table (settings, versions, other tables) is in the table's `attrs`.
    """
    found = _read_table(path)
    if found is None or len(found.columns) == 0:
        return None
    columns = set(map(str, found.columns))
    kind = next((words for telling, words in KNOWN_TABLES.items() if columns >= set(telling)), None)
    if kind is None:
        return None
    say_once(f"{path!r} contains {kind}: {counted(len(found), 'row')}, returned as a pandas table.")
    return found


def check_kind(path: str) -> None:
    """Refuse folders, and files of ours that are not for `load`, with a sentence on what they are."""
    if os.path.isdir(path):
        raise FileError(f"{path!r} is a folder, and load reads files; a store is passed as `store=`.")
    files.check_readable(path)
    with open(path, "rb") as file:
        start = file.read(32)
    what = next((words for beginning, words in OTHERS.items() if start.startswith(beginning)), None)
    if what is not None:
        raise FileError(f"{path!r} is {what}.")


def _read_table(path: str) -> pd.DataFrame | None:
    import pandas as pd

    try:
        if Path(path).suffix.lower() == ".csv":
            return pd.read_csv(path, encoding="utf-8")
        if Path(path).suffix.lower() == ".parquet":
            if parquet.names(path) - PLAIN:  # one of those with a checksum, damaged
                return None
            options: dict[str, Any] = parquet.verifying()
            return pd.read_parquet(path, **options)
        data = json.loads(files.read_text(path))
        return _of_json(data) if isinstance(data, dict) else None
    except Exception:  # whatever pandas and pyarrow make of a file that is none of ours
        return None


def _of_json(data: dict[str, Any]) -> pd.DataFrame | None:
    import pandas as pd

    name = next((one for one in MAIN if isinstance(data.get(one), list) and data[one]), None)
    if name is None:
        return None
    rows = data[name]
    if name == "replays":
        rows = [row for one in rows for row in one["table"]]
    table = pd.DataFrame(rows)
    table.attrs = {key: value for key, value in data.items() if key != name}
    return table
