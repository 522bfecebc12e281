"""What one thread does: take up its run where the last launch left it, play on, put everything back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.policies.cells import RUN_CELLS
from riskbandits.simulation.cuda.random_streams import ShortStream, Stream
from riskbandits.simulation.kernel import FINISHED, RunState, Setup, play_part
from riskbandits.simulation.selection.plain import PlainSelector

if TYPE_CHECKING:
    from riskbandits.types import Run

STREAM_OF = {"float64": Stream, "float32": ShortStream}


class Batch(NamedTuple):
    """The arrays of one launch, on the device. Where threads work side by side, runs are the last axis."""

    # One row per job.
    floats: Any
    wholes: Any
    vectors: Any
    offsets: Any
    first_pulls: Any
    facts: Any
    best_means: Any
    ends: Any
    # The same for all.
    checkpoints: Any
    zeros: Any  # (arms,) for what no run on a GPU has: outstanding answers, a memory, earlier pieces
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
        number: int, choice_words: Any, reward_words: Any, run: Run, batch: Batch, start: int, end: int
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
        setup = Setup(
            policy,
            risk,
            arms,
            batch.facts[job],
            batch.best_means[job],
            batch.ends[job],
            batch.first_pulls[job],
            batch.checkpoints,
        )
        own = RunState(
            batch.states[:, :, number],
            run,
            batch.zeros,  # no memory: arms that have one are refused
            batch.zeros,
            stream_class(choice_words),
            stream_class(reward_words),
            batch.sums[number],
            batch.pulls[:, number],
            batch.zeros,  # with one piece nothing is booked before its end
            batch.reward_sums[:, number],
        )
        batch.endings[number] = play_part(setup, own, PlainSelector(), start, end)
        for cell in range(RUN_CELLS):
            batch.cells[cell, number] = run[cell]
        batch.words[0, number] = choice_words[0]
        batch.words[1, number] = choice_words[1]
        batch.words[2, number] = reward_words[0]
        batch.words[3, number] = reward_words[1]

    return play_thread
