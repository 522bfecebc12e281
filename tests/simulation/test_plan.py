"""How work is cut."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.simulation import plan


def jobs(runs=100, horizon=3000, rhos=(1.0,)):
    return [
        simulate.plan(
            rb.problems.zhu_tan_gaussian(rho), [rb.MVTS()], simulate.RunOptions(horizon, runs, 0, None, "plain")
        )[0]
        for rho in rhos
    ]


def cut(some, workers, missing=None):
    return plan.pieces(some, missing or [np.ones(job.runs, dtype=bool) for job in some], workers)


@pytest.mark.parametrize("workers", [1, 2, 7, 64])
@pytest.mark.parametrize("runs", [1, 3, 255, 256, 257, 1000])
def test_every_replication_once_and_never_across_a_block(workers, runs):
    some = jobs(runs, rhos=(0.5, 1.0))
    found = sorted((piece.job, r) for piece in cut(some, workers) for r in range(piece.first, piece.last))
    assert found == [(number, r) for number in (0, 1) for r in range(runs)]
    size = plan.block_size(some[0])
    assert all(piece.first // size == (piece.last - 1) // size for piece in cut(some, workers))


def test_only_what_is_missing():
    missing = np.ones(600, dtype=bool)
    missing[10:300] = False
    assert plan.blocks(jobs(600)[0], missing) == [(0, 10), (300, 512), (512, 600)]


def test_blocks_follow_from_what_is_simulated_alone():
    assert plan.block_size(jobs(1)[0]) == plan.block_size(jobs(10_000)[0]) == 256
    assert plan.block_size(jobs(horizon=30_000)[0]) == 32
    assert plan.block_size(jobs(horizon=10**7)[0]) == 1
    assert plan.block_size(jobs(horizon=1)[0]) == 4096


def test_large_pieces_first_and_enough_of_them():
    some = [*jobs(100, 300), *jobs(100, 100_000), *jobs(100, 3000)]
    pieces = cut(some, 2)
    work = [(piece.last - piece.first) * plan.scores_per_run(some[piece.job]) for piece in pieces]
    assert max(work) <= sum(work) / 32
    assert work[0] > 0.9 * max(work)
    assert work[-1] == min(work) < max(work) / 2
    assert len(pieces) < 300


def test_pieces_of_a_block_stay_together():
    some = jobs(1500, rhos=(0.5, 1.0))
    size = plan.block_size(some[0])
    order = [(piece.job, piece.first // size) for piece in cut(some, 2)]
    assert len(order) > 2 * len(set(order))
    assert order == sorted(order, key=list(dict.fromkeys(order)).index)


def test_few_runs_still_use_all_workers():
    assert len(cut(jobs(8), 4)) == 8
