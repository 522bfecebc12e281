"""Logged decisions with their rewards: from tables with a row per decision, and from the service's log."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, files
from riskbandits.core.display import counted
from riskbandits.core.errors import FileError, ParameterError, must_be, shown, unknown_name
from riskbandits.data import columns
from riskbandits.data.dates import dates_in
from riskbandits.data.frames import holds_dates
from riskbandits.data.long_format import NUMBERED_HEADS, REWARD_HEADS
from riskbandits.data.numbers import is_missing, is_number, parse_numbers, uniform
from riskbandits.data.options import OF_TEXT, ReadOptions, TableOptions, read_options, refuse_options
from riskbandits.data.read import PARQUET, TEXTS, is_text, read_parquet
from riskbandits.data.sheet import read_sheet

if TYPE_CHECKING:
    from typing import Unpack

LINES = (".ndjson", ".jsonl")
PROBABILITY_HEADS = frozenset(("probability", "propensity", "pscore", "prob"))
ID_HEADS = frozenset(("id", "decisionid"))
ORDER_HEADS = columns.MOMENT_HEADS | ID_HEADS | {"at", "index", "row", "sequence", "step"}  # when, not what was known
NEEDED = {"arm": NUMBERED_HEADS, "reward": REWARD_HEADS}
OF_REWARDS = ("dates", "arms", "prices", "common")
LARGEST_REWARD = 1e140
LEAST_PROBABILITY = 1e-100  # squares of weights remain numbers


class LoggedDecisions(NamedTuple):
    """Decisions whose rewards are known, a row each."""

    names: list[str]  # of the arms that were chosen
    arms: np.ndarray  # places in `names`
    rewards: np.ndarray
    probabilities: np.ndarray | None  # with which the arm was chosen, NaN where that is unknown; None if nowhere known
    features: dict[str, list[Any]]  # what was known when it was chosen
    notes: list[str]

    def rows(self) -> Iterable[dict[str, Any]]:
        """The features of each decision."""
        heads = list(self.features)
        return (dict(zip(heads, row, strict=True)) for row in zip(*self.features.values(), strict=True))


def read_log(source: Any, features: Sequence[str] | None = None, **options: Unpack[TableOptions]) -> LoggedDecisions:
    """Decisions and rewards from a file, a pandas table, or events of the service's log.

    A table has the columns "arm" and "reward", and perhaps "probability"; the others are features, except dates and
    what numbers the rows. `features` names them instead. Lines of NDJSON (.ndjson, .jsonl) are the service's log.
    """
    asked = read_options(options)
    refuse_options(asked, OF_REWARDS, "tables with a column per arm, not for logs")
    wanted = (
        None if features is None else [str(one) for one in checks.listed("features", "a list of columns", features)]
    )
    if isinstance(source, (str, os.PathLike)):
        path = Path(checks.path("The log", source))
        files.check_readable(path)
        if path.suffix.lower() in LINES:
            refuse_options(asked, ReadOptions._fields, "tables, not for lines of JSON")
            return _from_events(_events_in(path), wanted)
        if path.suffix.lower() == PARQUET:
            refuse_options(asked, OF_TEXT, "files of text, not for Parquet")
            return _from_frame(read_parquet(path), wanted)
        if not is_text(path):
            known = f"a file that ends in {', '.join((*LINES, PARQUET, *TEXTS))}"
            raise must_be("A log", known, str(path))
        return _from_sheet(path, asked, wanted)
    refuse_options(asked, ReadOptions._fields, "files")
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return _from_frame(source, wanted)
    if isinstance(source, (list, tuple)) and all(isinstance(one, Mapping) for one in source):
        return _from_events(enumerate(source, start=1), wanted)
    raise must_be("The log", "a pandas table, a file, or a list of events of the service's log", source)


class _Columns(NamedTuple):
    """The names of the columns, by what they hold."""

    arm: str
    reward: str
    probability: str | None
    features: list[str]


def _columns(cells: Mapping[str, Any], features: list[str] | None, is_order: Any, notes: list[str]) -> _Columns:
    heads = list(cells)
    plain = {head: columns.normalized(head) for head in heads}
    found = {}
    for thing, known in NEEDED.items():
        fitting = [head for head in heads if plain[head] in known and head not in (features or ())]
        exact = [head for head in fitting if plain[head] == thing]
        if len(exact or fitting) != 1:
            raise must_be("The columns of a log", f"one of arms and one of rewards: {thing!r} is not clear", heads)
        found[thing] = (exact or fitting)[0]
    left = [head for head in heads if head not in found.values()]
    chances = [head for head in left if plain[head] in PROBABILITY_HEADS and head not in (features or ())]
    exact = [head for head in chances if plain[head] == "probability"]
    probability = next(iter(exact or chances), None)
    left = [head for head in left if head != probability]
    if features is None:
        ordering = [head for head in left if plain[head] in ORDER_HEADS or is_order(head)]
        features = [head for head in left if head not in ordering]
        notes += [f"Column {head!r} tells the order of the rows and is no feature." for head in ordering]
    for head in heads:
        repeated = len(cells[head]) - len(set(cells[head])) if plain[head] in ID_HEADS else 0
        if repeated:
            notes.append(f"Column {head!r} repeats {repeated:,} entries: if it names decisions, some count twice.")
    for name in features:
        if name not in heads:
            raise unknown_name("column of the log called", name, left)
    if features:
        notes.append(f"Features: {', '.join(map(repr, features))}.")
    return _Columns(found["arm"], found["reward"], probability, features)


def _from_frame(table: Any, features: list[str] | None) -> LoggedDecisions:
    heads = [columns.clean_header(name) or f"column {place + 1}" for place, name in enumerate(table.columns)]
    if len(set(heads)) < len(heads):
        raise must_be("The columns of a log", "different in name", heads)
    by_head = {head: table.iloc[:, place] for place, head in enumerate(heads)}

    def is_order(head: str) -> bool:
        column = by_head[head]
        counts = column.dtype.kind in "iu" and len(column) > 1 and bool((np.diff(column.to_numpy()) == 1).all())
        return counts or holds_dates(column)

    notes: list[str] = []
    which = _columns(by_head, features, is_order, notes)
    arms = by_head[which.arm]
    if arms.isna().any():
        raise must_be(f"The column {which.arm!r} of a log", "the arm of every row", None)
    if arms.dtype.kind == "f" and bool((arms % 1 == 0).all()):
        arms = arms.astype("int64")
    return _log(
        [str(arm).strip() for arm in arms],
        _numbers(by_head[which.reward], which.reward),
        None if which.probability is None else _numbers(by_head[which.probability], which.probability),
        {name: by_head[name].tolist() for name in which.features},
        notes,
    )


def _numbers(column: Any, head: str) -> np.ndarray:
    try:
        if column.dtype.kind not in "iufbO":
            raise TypeError
        return np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        odd = (one for one in column if one is not None and checks.as_number(one) is None)
        raise must_be(f"The column {head!r} of a log", "numbers", next(odd, column.dtype)) from None


def _from_sheet(path: Path, options: ReadOptions, features: list[str] | None) -> LoggedDecisions:
    sheet = read_sheet(path, options)
    cells = dict(zip(sheet.heads, (list(column) for column in zip(*sheet.rows, strict=True)), strict=True))
    sheet.rows.clear()  # as many cells as the file has need not be kept twice
    notes = list(sheet.notes)
    try:

        def is_order(head: str) -> bool:
            return columns.is_enumeration(cells[head]) or dates_in(cells[head]) is not None

        which = _columns(cells, features, is_order, notes)
        arms = [cell.strip() for cell in cells.pop(which.arm)]
        if any(map(is_missing, arms)):
            raise must_be(f"The column {which.arm!r} of a log", "the arm of every row", "")

        def numbers(head: str) -> np.ndarray:
            return np.array(parse_numbers({head: cells.pop(head)}, sheet.separator, options).columns[head])

        odd = (
            next((cell for cell in cells[which.reward] if not (is_missing(cell) or is_number(cell))), None)
            if uniform(cells[which.reward], options) is None
            else None
        )
        if odd is not None:
            raise must_be(f"The column {which.reward!r} of a log", "numbers", odd)
        rewards = numbers(which.reward)
        probabilities = None if which.probability is None else numbers(which.probability)
        known = {
            name: numbers(name).tolist() if _is_numeric(cells[name], options) else _truths(cells.pop(name))
            for name in which.features
        }
    except ParameterError:
        raise
    except ValueError as error:
        raise FileError(f"{os.fspath(path)!r} could not be read as a log: {str(error).rstrip('.')}.") from None
    return _log(arms, rewards, probabilities, known, notes)


def _is_numeric(cells: Sequence[str], options: ReadOptions) -> bool:
    return uniform(cells, options) is not None or all(is_missing(cell) or is_number(cell) for cell in cells)


def _truths(cells: list[str]) -> list[Any]:
    """True and False where a column says nothing else: as texts both would count as true."""
    plain = [cell.strip().lower() for cell in cells]
    return [cell == "true" for cell in plain] if set(plain) <= {"true", "false"} else cells


def _events_in(path: Path) -> Iterable[tuple[int, Any]]:
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError):
                    raise FileError(
                        f"{os.fspath(path)!r} is no log of the service: line {number} is not JSON."
                    ) from None


def _from_events(events: Iterable[tuple[int, Any]], features: list[str] | None) -> LoggedDecisions:
    """Join the rewards of the service's log to their decisions, by id; what the log has twice counts once."""
    waiting: dict[str, Mapping[str, Any]] = {}
    settled: dict[str, tuple[str, Any]] = {}  # arm and reward of the others
    arms, rewards, chances, known = [], [], [], []
    repeated = strangers = 0
    for number, event in events:
        if not _is_event(event):
            raise must_be(f"Line {number} of a log", 'an event of the service, {"kind": ..., "id": ...}', event)
        kind, name = event["kind"], event.get("id")
        if kind == "decision" and name not in waiting and name not in settled:
            waiting[name] = event
        elif kind == "decision":
            repeated += 1
            _check_repeated(number, event, "arm", settled[name][0] if name in settled else waiting[name]["arm"])
        elif kind == "reward" and name in settled:
            repeated += 1
            _check_repeated(number, event, "reward", settled[name][1])
        elif kind == "reward" and name not in waiting:
            strangers += 1
        elif kind == "reward":
            decision = waiting.pop(name)
            more = decision.get("data") or {}
            arms.append(decision["arm"])
            rewards.append(event["reward"])
            chances.append(more.get("probability"))
            known.append(more.get("features") or {})
            settled[name] = arms[-1], rewards[-1]
    notes = []
    if waiting:
        all_decisions = counted(len(waiting) + len(settled), "decision")
        notes.append(f"{len(waiting):,} of {all_decisions} have no reward and are left out.")
    if strangers:
        notes.append(f"Left out: {counted(strangers, 'reward')} of decisions that are not in the log.")
    if repeated:
        notes.append(f"Counted once: {counted(repeated, 'line')} that the log repeats.")
    heads = list(dict.fromkeys(head for row in known for head in row)) if features is None else features
    for head in heads:
        missing = next((place for place, row in enumerate(known) if head not in row), None)
        if missing is not None:
            raise must_be(f"The feature {head!r} of a log", "known for every decision", known[missing])
    if heads:
        notes.append(f"Features: {', '.join(map(repr, heads))}.")
    table = {head: [row[head] for row in known] for head in heads}
    nowhere = all(chance is None for chance in chances)
    return _log(arms, _as_floats(rewards), None if nowhere else _as_floats(chances), table, notes)


def _check_repeated(number: int, event: Mapping[str, Any], what: str, before: Any) -> None:
    """Raise if a line says of a decision something else than a line before it."""
    if event[what] != before:
        raise must_be(
            f"The {what} in line {number} of a log", f"{before!r}, as already said of this decision", event[what]
        )


def _is_event(event: Any) -> bool:
    """Whether it has what is read of an event of the service."""
    if not isinstance(event, Mapping) or "kind" not in event:
        return False
    if event["kind"] == "reward":
        return isinstance(event.get("id"), str) and "reward" in event
    if event["kind"] != "decision":
        return True
    data = event.get("data") or {}
    written = isinstance(event.get("id"), str) and isinstance(event.get("arm"), str)
    return written and isinstance(data, Mapping) and isinstance(data.get("features") or {}, Mapping)


def _as_floats(numbers: Sequence[Any]) -> np.ndarray:
    try:
        return np.array(numbers, dtype=float)
    except (TypeError, ValueError, OverflowError):
        odd = next((one for one in numbers if one is not None and checks.as_number(one) is None), None)
        raise must_be("The rewards and probabilities of a log", "numbers", odd) from None


def _log(
    arms: list[str],
    rewards: np.ndarray,
    probabilities: np.ndarray | None,
    features: dict[str, list[Any]],
    notes: list[str],
) -> LoggedDecisions:
    """Check the rows, and leave out those without a reward."""
    import pandas as pd

    codes, names = pd.factorize(np.array(arms, dtype=object))
    there = ~np.isnan(rewards)
    if not there.all():
        notes.append(f"{int((~there).sum()):,} of {counted(len(rewards), 'row')} have no reward and are left out.")
        codes, rewards = codes[there], rewards[there]
        probabilities = None if probabilities is None else probabilities[there]
        kept = np.flatnonzero(there)
        features = {name: [column[place] for place in kept] for name, column in features.items()}
    if not len(rewards):
        raise ParameterError("A log must have at least one decision with a reward.")
    large = ~(np.abs(rewards) <= LARGEST_REWARD)
    if large.any():
        what = f"between -{LARGEST_REWARD:g} and {LARGEST_REWARD:g}"
        raise must_be(f"The rewards of {shown(str(names[codes[large][0]]))}", what, float(rewards[large][0]))
    if probabilities is not None:
        wrong = ~((probabilities >= LEAST_PROBABILITY) & (probabilities <= 1.0)) & ~np.isnan(probabilities)
        if wrong.any():
            arm = shown(str(names[codes[wrong][0]]))
            what = f"in (0, 1], and no less than {LEAST_PROBABILITY:g}: what was chosen was possible"
            raise must_be(f"The probability with which {arm} was chosen", what, float(probabilities[wrong][0]))
    found, codes = np.unique(codes, return_inverse=True)
    return LoggedDecisions([str(names[k]) for k in found], codes, rewards, probabilities, features, notes)
