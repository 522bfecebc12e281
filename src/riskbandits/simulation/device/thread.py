"""What one thread does: take up its run where the last launch left it, play on, put everything back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from riskbandits.policies.contract import RUN_CELLS
from riskbandits.simulation.device.streams import ShortStream, Stream
from riskbandits.simulation.kernel import FINISHED, play_part

STREAM_OF = {"float64": Stream, "float32": ShortStream}


class Batch(NamedTuple):
    """The arrays of one launch, on the device. Where threads work side by side, runs are the last axis."""

    # One row per job.
    floats: Any
    wholes: Any
    vectors: Any
    offsets: Any
    first_pulls: Any
    best_means: Any
    facts: Any
    # The same for all.
    checkpoints: Any
    outstanding: Any
    # One entry per run.
    jobs: Any
    endings: Any
    words: Any  # (4, runs)
    cells: Any  # (RUN_CELLS, runs)
    states: Any  # (arms, width, runs)
    pulls: Any  # (arms, runs)
    reward_sums: Any  # (arms, runs)
    sums: Any  # (runs, checkpoints, SUMS): written at checkpoints only, in the order in which they are read


def thread_body(rebuilt: Callable[..., Any], stream_class: Any) -> Callable[..., None]:
    """The body for records that `rebuilt` makes."""

    def play_thread(
        number: int, choice_words: Any, reward_words: Any, run: Any, batch: Batch, start: int, end: int
    ) -> None:
        if batch.endings[number] != FINISHED:
            return
        job = batch.jobs[number]
        policy, risk, arms = rebuilt(job, batch.floats, batch.wholes, batch.vectors, batch.offsets)
        choice_words[0] = batch.words[0, number]
        choice_words[1] = batch.words[1, number]
        reward_words[0] = batch.words[2, number]
        reward_words[1] = batch.words[3, number]
        for cell in range(RUN_CELLS):
            run[cell] = batch.cells[cell, number]
        batch.endings[number] = play_part(
            policy,
            risk,
            arms,
            batch.facts[job],
            batch.best_means[job],
            batch.first_pulls[job],
            batch.states[:, :, number],
            run,
            batch.checkpoints,
            stream_class(choice_words),
            stream_class(reward_words),
            batch.sums[number],
            batch.pulls[:, number],
            batch.reward_sums[:, number],
            batch.outstanding,
            batch.outstanding,  # no memory: arms that have one are refused
            start,
            end,
        )
        for cell in range(RUN_CELLS):
            batch.cells[cell, number] = run[cell]
        batch.words[0, number] = choice_words[0]
        batch.words[1, number] = choice_words[1]
        batch.words[2, number] = reward_words[0]
        batch.words[3, number] = reward_words[1]

    return play_thread
