"""Decisions with known probabilities: those of the policy, or those that guard rails make of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.errors import ParameterError
from riskbandits.learner import guarded
from riskbandits.learner.book import Book
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.moves import Moves

TRIALS = 1000  # of the next decision, by which its probabilities are found


def rows_of(book: Book, available: Any, guard: Guarded | None, paused: bool) -> np.ndarray:
    """The rows that may be chosen: of those available, not those with a limit of 0, and when paused the baseline."""
    if available is None and guard is None and book.names:
        return book.all_rows
    if not book.names:
        raise ParameterError("There is no arm to choose: all are retired.")
    rows = book.all_rows if available is None else book.rows_of(available)
    if guard is None:
        return rows
    if paused:
        baseline = book.row(guard.baseline)
        if baseline not in rows:
            raise ParameterError(f"The learner is paused, and its baseline {guard.baseline!r} is not available.")
        return np.array([baseline], dtype=np.int64)
    kept = [row for row in rows.tolist() if guard.most.get(book.names[row], 1.0) > 0.0]
    return np.array(kept, dtype=np.int64) if kept else rows


def probabilities(moves: Moves, guard: Guarded | None, book: Book, rows: np.ndarray, trials: int) -> np.ndarray:
    """The probabilities with which these rows are chosen next."""
    chances = moves.chances(book, rows, trials)
    if guard is None:
        return chances
    least, most = guarded.limits(guard, book, rows)
    baseline = book.rows.get(guard.baseline)
    place = None if baseline is None or baseline not in rows else rows.tolist().index(baseline)
    otherwise, capped = chances, chances > most
    if place is None and capped.any() and not capped.all():  # what the policy would choose without those at their limit
        otherwise = np.zeros(len(rows))
        otherwise[~capped] = moves.chances(book, rows[~capped], trials)
    return guarded.moved(chances, least, most, place, otherwise)


def choose(moves: Moves, guard: Guarded | None, book: Book, rows: np.ndarray, with_id: bool) -> tuple[int, float]:
    """Draw a row from these probabilities, and book the choice."""
    chances = probabilities(moves, guard, book, rows, TRIALS)
    place = min(int(np.searchsorted(np.cumsum(chances), book.rng.random(), side="right")), len(rows) - 1)
    while chances[place] == 0.0:  # the sum of all may be a little less than 1
        place -= 1
    return moves.choose(book, rows[place : place + 1], with_id), float(chances[place])
