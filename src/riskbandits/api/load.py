"""`load`: read any saved file; the file knows what it contains."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from riskbandits.api import loaded_tables
from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import FileError
from riskbandits.core.records import check_classes
from riskbandits.learner import Learner
from riskbandits.learner.file_schema import FORMAT as LEARNER
from riskbandits.results import comparison, result, sweep_result
from riskbandits.suites import read_suite
from riskbandits.suites.suite import CHECKED
from riskbandits.suites.suite import FORMAT as SUITE

Read = Callable[[str, Sequence[type]], Any]

PARQUET = b"PAR1"


def _learner(path: str, classes: Sequence[type]) -> Learner:
    policy = next((one for one in classes if hasattr(one, "score")), None)
    return Learner.load(path, policy, next((one for one in classes if hasattr(one, "value")), None))


TABLES: dict[str, Read] = {
    result.FORMAT: result.Result.load,
    sweep_result.FORMAT: sweep_result.SweepResult.load,
    comparison.FORMAT: comparison.Comparison.load,
}
TEXTS: dict[str, Read] = {LEARNER: _learner, SUITE: read_suite, CHECKED: read_suite}


def load(path: str | os.PathLike[str], classes: Sequence[type] = ()) -> Any:
    """Read a file that riskbandits wrote, and return what it holds.

    That is a result, sweep, comparison, learner or suite, as it was saved; or, where a file contains only a table (CSV,
    JSON, the numbers of the paper's figures), a pandas table, and a note says of what. Pass your
    own classes (policies, risk measures, arms) that the file uses as `classes`.

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
        loaded_tables.check_kind(path)
        read = _reader(path)
    except OSError as error:  # a disk that fails
        raise FileError(f"{path!r} could not be read: {error.strerror or error}.") from None
    if read is not None:
        return read(path, own)
    table = loaded_tables.table_in(path)
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
