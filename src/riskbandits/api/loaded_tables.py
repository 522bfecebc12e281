"""Files that hold tables and nothing more (CSV, JSON, the numbers of figures): which they are, and what is in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.core import files, parquet
from riskbandits.core.display import counted
from riskbandits.core.errors import FileError
from riskbandits.core.notices import say_once

if TYPE_CHECKING:
    import pandas as pd

# The columns by which a table is known, the most telling first.
TABLES = {
    ("figure", "rho", "policy", "rank"): "the ranking of policies in the paper's figures",
    ("experiment", "policy", "per_ln_n"): "regret up to 10^12 steps, beside the bounds",
    ("policy", "problems", "relative"): "the leaderboard of a comparison",
    ("policy", "problem", "relative"): "the table of a comparison by problem",
    ("arm", "rho_from", "rho_to"): "a frontier: the best arm by rho",
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


def table_in(path: str) -> pd.DataFrame | None:
    """The table of a CSV, Parquet or JSON file that we wrote, and a note of what it is; None for any other file.

    What a JSON file holds beside its table (settings, versions, other tables) is in the table's `attrs`.
    """
    found = _read(path)
    if found is None or len(found.columns) == 0:
        return None
    columns = set(map(str, found.columns))
    kind = next((words for telling, words in TABLES.items() if columns >= set(telling)), None)
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


def _read(path: str) -> pd.DataFrame | None:
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
