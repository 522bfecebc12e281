"""Answers as plain data: two that are equal say the same, to the last digit."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd


def seen(answer: Any) -> Any:
    """All that a person can see of an answer."""
    from riskbandits import Learner, Problem, Result
    from riskbandits.core.records import canonical, is_record
    from riskbandits.results.comparison import Comparison
    from riskbandits.results.sweep_result import SweepResult
    from riskbandits.suites import Suite

    if isinstance(answer, Problem):
        arrays = (answer.means, answer.variances, answer.values, answer.gaps, answer.mean_gaps)
        return ["problem", seen(answer.to_data()), *map(seen, arrays), answer.best_arm, answer.size]
    if isinstance(answer, Result):
        return ["result", seen(answer.table()), [seen(t.pulls) for t in answer.traces], seen(answer.settings)]
    if isinstance(answer, SweepResult):
        return ["sweep", answer.name, seen(answer.values), seen(answer.table())]
    if isinstance(answer, Comparison):
        return ["comparison", seen(answer.by_problem()), answer.notes]
    if isinstance(answer, Learner):
        return ["learner", seen(answer.summary()), answer.arms, seen(answer.state), [answer.ask() for _ in range(7)]]
    if isinstance(answer, Suite):
        return ["suite", seen(answer.to_data())]
    if isinstance(answer, pd.DataFrame):
        return ["table", list(map(str, answer.columns)), *(seen(answer[name].tolist()) for name in answer.columns)]
    if hasattr(answer, "get_lines"):  # axes
        lines = [[line.get_label(), seen(np.asarray(line.get_xydata()))] for line in answer.get_lines()]
        return ["axes", answer.get_xlabel(), answer.get_ylabel(), answer.get_xscale(), lines]
    return _plain(canonical(answer) if is_record(answer) else answer)


def _plain(answer: Any) -> Any:
    if isinstance(answer, (np.ndarray, pd.Series)):
        return _plain(answer.tolist())
    if isinstance(answer, dict):
        return {str(key): seen(value) for key, value in answer.items()}
    if isinstance(answer, (list, tuple)):
        return [seen(one) for one in answer]
    if isinstance(answer, np.generic):
        return _plain(answer.item())
    if isinstance(answer, float):
        return "nan" if math.isnan(answer) else answer
    if hasattr(answer, "__dataclass_fields__"):
        return [seen(getattr(answer, name)) for name in answer.__dataclass_fields__]
    if answer is None or isinstance(answer, (bool, int, str)):
        return answer
    return repr(type(answer))


def text(answer: Any) -> str:
    """One text per answer."""
    return json.dumps(seen(answer), sort_keys=True)


def not_numbers(answer: Any) -> int:
    """How many of its numbers are NaN."""
    data = answer
    if isinstance(data, dict):
        return sum(not_numbers(one) for one in data.values())
    if isinstance(data, list):
        return sum(not_numbers(one) for one in data)
    return int(isinstance(data, str) and data == "nan")
