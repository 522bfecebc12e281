"""What a page calls: whole runs from one step to another, a look at the next step of one run, and what arms are worth.

Runs and looks are compiled for one policy's class; its parameters, the measure's and the arms' come as arrays, as they
do on a GPU, so that a page may change them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.arms import BernoulliArms, GaussianArms, HurdleArms
from riskbandits.compiling.wasm import Array, Export, jitted
from riskbandits.core.records import cast
from riskbandits.playground.streams import LAYERS, PageStream
from riskbandits.playground.wrappers import SEEN, PageArms, Watched
from riskbandits.policies.cells import RUN_CELLS
from riskbandits.policies.support import play
from riskbandits.risk import MeanVariance
from riskbandits.simulation.cuda.record_columns import Fields, fields_of, rebuilder
from riskbandits.simulation.kernel import FINISHED, SUMS, RunState, Setup, play_part
from riskbandits.simulation.selection.plain import PlainSelector

if TYPE_CHECKING:
    from riskbandits.types import Policy

SIZES = ("floats", "wholes", "vectors", "offsets", "arms", "width", "runs", "checkpoints")
_ARRAYS = (
    # The records.
    Array("floats", "f8", ("1", "floats")),
    Array("wholes", "i8", ("1", "wholes")),
    Array("vectors", "f8", ("1", "vectors")),
    Array("offsets", "i8", ("offsets",)),
    # The setup.
    Array("facts", "f8", ("1", "arms", "3")),
    Array("best_means", "f8", ("1",)),
    Array("ends", "i8", ("1",)),
    Array("checkpoints", "i8", ("checkpoints",)),
    Array("edges", "f8", (str(LAYERS + 1),)),
    Array("zeros", "i8", ("arms",)),  # for what no run in a page has: outstanding answers, a memory, earlier pieces
    # Runs.
    Array("endings", "i8", ("runs",)),
    Array("words", "u8", ("runs", "4")),
    Array("cells", "f8", ("runs", str(RUN_CELLS))),
    Array("states", "f8", ("runs", "arms", "width")),
    Array("pulls", "i8", ("runs", "arms")),
    Array("reward_sums", "f8", ("runs", "arms")),
    Array("sums", "f8", ("runs", "checkpoints", str(SUMS))),
    # What is seen at a step.
    Array("seen", "f8", ("arms", str(SEEN))),
    Array("last", "f8", ("2",)),
    # What arms are worth.
    Array("means", "f8", ("arms",)),
    Array("variances", "f8", ("arms",)),
    Array("values", "f8", ("arms",)),
)
ARRAYS = {array.name: array for array in _ARRAYS}


def _named(*names: str) -> tuple[Array, ...]:
    return tuple(ARRAYS[name] for name in names)


RECORDS = _named("floats", "wholes", "vectors", "offsets")
PLAYED = (
    *RECORDS,
    *_named("facts", "best_means", "ends", "checkpoints", "edges", "zeros", "endings", "words", "cells", "states"),
    *_named("pulls", "reward_sums", "sums"),
)
LOOKED = (*RECORDS, *_named("edges", "zeros", "words", "cells", "states", "seen", "last"))
VALUED = _named("floats", "means", "variances", "values")


def fields(policy: Policy) -> Fields:
    """A policy's parameters, then the measure's and those of arms, taken apart: with one arm, whatever it is."""
    hurdle = HurdleArms([0.0], [0.0], [0.0])
    arms = PageArms(cast(GaussianArms([0.0], [0.0])), cast(BernoulliArms([0.0])), cast(hurdle), 0)
    return fields_of(policy, MeanVariance(1.0), arms)


def play_export(name: str, policy: Policy) -> Export:
    """Play all runs from after step `start` to step `end`, by the one loop."""
    parts = fields(policy)
    rebuilt = jitted(rebuilder(parts.source, parts.classes))

    def play_runs(  # type: ignore[no-untyped-def]
        floats, wholes, vectors, offsets, facts, best_means, ends, checkpoints, edges, zeros,
        endings, words, cells, states, pulls, reward_sums, sums, first_pulls, start, end,
    ):  # fmt: skip
        own, risk, arms = rebuilt(0, floats, wholes, vectors, offsets)
        setup = Setup(own, risk, arms, facts, best_means, ends, first_pulls, checkpoints)
        for run in range(endings.shape[0]):
            if endings[run] == FINISHED:
                choices, rewards = PageStream(words[run, 0:2], edges), PageStream(words[run, 2:4], edges)
                heard = (states[run], cells[run], zeros, zeros, choices, rewards)
                state = RunState(*heard, sums[run], pulls[run], zeros, reward_sums[run])
                endings[run] = play_part(setup, state, PlainSelector(), start, end)
        return 0

    return Export(name, play_runs, PLAYED, SIZES, ("first_pulls", "start", "end"))


def look_export(name: str, policy: Policy) -> Export:
    """Choose a run's arm at a step as the loop would, and note scores and draws."""
    parts = fields(policy)
    rebuilt = jitted(rebuilder(parts.source, parts.classes))

    def look(  # type: ignore[no-untyped-def]
        floats, wholes, vectors, offsets, edges, zeros, words, cells, states, seen, last, run, step,
    ):  # fmt: skip
        own, risk, _ = rebuilt(0, floats, wholes, vectors, offsets)
        play.begin_step(cells[run], step)
        stream = PageStream(words[run, 0:2], edges)
        return play.choose(Watched(own, seen, last), states[run], cells[run], risk, stream, zeros)

    return Export(name, look, LOOKED, SIZES, ("run", "step"))


def value_export(name: str) -> Export:
    """What arms are worth: the measure's own line."""

    def values_of(floats, means, variances, values):  # type: ignore[no-untyped-def]
        risk = MeanVariance(floats[0, 0])
        for k in range(values.shape[0]):
            values[k] = risk.value(means[k], variances[k])
        return 0

    return Export(name, values_of, VALUED, SIZES, ())
