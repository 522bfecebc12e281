"""How work is cut: blocks, which are what a store keeps, and pieces of blocks, which keep all cores busy to the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from riskbandits.simulation.job import Job, Piece
from riskbandits.simulation.methods import played_by

PIECES_PER_WORKER = 32


def scores_per_run(job: Job) -> int:
    """A rough measure of the work in one run."""
    return played_by(job).scores_per_run(job.problem.size, job.horizon)


def block_size(job: Job) -> int:
    """Replications per block."""
    return played_by(job).block_size(job.problem.size, job.horizon)


def blocks(job: Job, missing: np.ndarray) -> list[tuple[int, int]]:
    """The missing replications as ranges that do not cross the borders of blocks."""
    size = block_size(job)
    return [
        (block + first, block + last)
        for block in range(0, job.runs, size)
        for first, last in ranges(missing[block : block + size])
    ]


def pieces(
    jobs: Sequence[Job], missing: Sequence[np.ndarray], workers: int, pieces_per_worker: int = PIECES_PER_WORKER
) -> list[Piece]:
    """All missing work, the largest pieces first: whatever runs last is then short.

    The pieces of a block stay together: a block can be stored when its last piece is there.
    """
    work = [(number, job, scores_per_run(job)) for number, job in enumerate(jobs)]
    total = sum(int(missing[number].sum()) * scores for number, _, scores in work)
    share = total / (workers * pieces_per_worker)
    groups = []
    for number, job, scores in work:
        size = max(1, int(share // scores))
        for first, last in blocks(job, missing[number]):
            count = -(-(last - first) // size)
            edges = [first + (last - first) * k // count for k in range(count + 1)]
            group = [Piece(number, start, end) for start, end in pairwise(edges)]
            groups.append((scores * (last - first) / count, group))
    groups.sort(key=lambda entry: -entry[0])
    return [piece for _, group in groups for piece in group]


def ranges(mask: np.ndarray) -> list[tuple[int, int]]:
    """The runs of True in a mask, as (first, one past the last).

    >>> ranges(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
