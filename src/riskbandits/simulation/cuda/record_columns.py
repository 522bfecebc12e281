"""Records of many jobs as arrays, and the function that makes one job's records from them, in a thread."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import RefusalError
from riskbandits.core.records import is_record, nameless


class Fields(NamedTuple):
    """The fields of one job's records, by kind, and the lines of Python that put them together again."""

    source: str
    classes: tuple[type, ...]
    floats: tuple[float, ...]
    wholes: tuple[int, ...]
    vectors: tuple[np.ndarray, ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the vectors: jobs share arrays if theirs agree."""
        return tuple(len(vector) for vector in self.vectors)


def fields_of(*records: Any) -> Fields:
    """Take records apart. Jobs whose fields have the same source and classes run in the same kernel."""
    classes: list[type] = []
    floats: list[float] = []
    wholes: list[int] = []
    vectors: list[np.ndarray] = []

    def expression(value: Any, owner: str) -> str:
        if is_record(value):
            value = nameless(value)
            classes.append(type(value))
            name = f"class_{len(classes) - 1}"
            parts = [expression(part, f"{type(value).__name__}.{field}") for field, part in value._asdict().items()]
            return f"{name}({', '.join(parts)})"
        if isinstance(value, np.ndarray) and value.ndim == 1:
            vectors.append(value)
            return f"vectors[job, offsets[{len(vectors) - 1}]:offsets[{len(vectors)}]]"
        if isinstance(value, (bool, np.bool_)):
            wholes.append(int(value))
            return f"wholes[job, {len(wholes) - 1}] != 0"
        if isinstance(value, (int, np.integer)):
            wholes.append(int(value))
            return f"wholes[job, {len(wholes) - 1}]"
        if isinstance(value, (float, np.floating)):
            floats.append(float(value))
            return f"floats[job, {len(floats) - 1}]"
        kind = "table" if isinstance(value, np.ndarray) else type(value).__name__
        raise RefusalError(
            f"{owner} is a {kind}, which neither a GPU nor a web page can hold: fields must be "
            "numbers, vectors or records."
        )

    source = ", ".join(expression(record, "") for record in records)
    return Fields(source, tuple(classes), tuple(floats), tuple(wholes), tuple(vectors))


@functools.cache
def rebuilder(source: str, classes: tuple[type, ...]) -> Callable[..., Any]:
    """The function that makes the records of job number `job` from the arrays of all."""
    names: dict[str, Any] = {f"class_{number}": cls for number, cls in enumerate(classes)}
    exec(f"def rebuilt(job, floats, wholes, vectors, offsets):\n    return {source}", names)  # as namedtuple is made
    rebuilt: Callable[..., Any] = names["rebuilt"]
    rebuilt.__compiled_as__ = "jitable"  # type: ignore[attr-defined]
    return rebuilt


def columns(jobs: Sequence[Fields], number: Any) -> dict[str, np.ndarray]:
    """The arrays, one row per job. None is empty, or its type would not be known."""
    rows = len(jobs)
    vectors = [np.concatenate([*job.vectors, np.zeros(1)]) for job in jobs]
    return {
        "floats": np.array([(*job.floats, 0.0) for job in jobs], dtype=number).reshape(rows, -1),
        "wholes": np.array([(*job.wholes, 0) for job in jobs], dtype=np.int64).reshape(rows, -1),
        "vectors": np.array(vectors, dtype=number),
        "offsets": np.cumsum([0, *jobs[0].lengths], dtype=np.int64),
    }
