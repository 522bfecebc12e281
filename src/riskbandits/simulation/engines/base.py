"""What an engine is: something that runs pieces and gives futures for their results.

    load(jobs, plays, pieces)    get ready
    submit(number, piece)        start a piece, and give a `concurrent.futures.Future` for its `Runs`
    close(finished)              let go of everything

An object with these three methods is an engine: `simulate(..., engine=Mine())`. What else there is in `Engine` has
defaults. `replications.play_range(job, play, first, last, progress, stop)` plays a piece in this process, and
`payload.play_payload(payload, first, last)` one that was sent to another; `riskbandits.testing.check_engine` tries it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from riskbandits.core.errors import RefusalError
from riskbandits.simulation.job import Job, Piece, Runs
from riskbandits.simulation.payload import payload_of, play_payload
from riskbandits.simulation.plan import PIECES_PER_WORKER
from riskbandits.simulation.replications import Play


class Engine:
    """An engine for one piece of work, or for one after the other."""

    name = ""
    workers = 1
    # Whether workers share nothing with this process: what they are to do then travels as bytes.
    remote = False
    # So many pieces, at least, keep all workers busy to the end.
    pieces_per_worker = PIECES_PER_WORKER
    # How many pieces may be submitted and not finished.
    window: float = math.inf
    # Errors that mean that a worker died and its piece may be tried again.
    worker_lost: tuple[type[BaseException], ...] = ()

    def load(self, jobs: Sequence[Job], plays: Sequence[Play], pieces: int) -> None:
        """Get ready for pieces of these jobs, with the kernels of this process."""
        raise NotImplementedError

    def submit(self, number: int, piece: Piece) -> Future[Runs]:
        """Start a piece, the `number`-th of all, when its turn comes."""
        raise NotImplementedError

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Call a function where pieces run: for work in plain Python, such as that of `identify`."""
        raise RefusalError(f"Engine {self.name or type(self).__name__!r} only plays simulations: use another one.")

    def work_seen(self) -> float:
        """Work done so far (`Job.work_per_run`), that of unfinished pieces too, for an engine that can see it."""
        return 0.0

    def check(self, seconds_idle: float) -> None:
        """Raise if what should run the pieces is gone; called while no piece has come back for so many seconds."""

    def restart(self) -> None:
        """Get ready again after workers were lost."""

    def unwrapped(self, error: BaseException) -> BaseException:
        """The error that a piece raised, without what the engine has put around it."""
        return error

    def close(self, finished: bool) -> None:
        """Let go of everything; if the work is not finished, stop it now."""


class RemoteEngine(Engine):
    """An engine whose workers share nothing with this process: jobs travel as bytes, one payload per job."""

    remote = True

    def load(self, jobs: Sequence[Job], plays: Sequence[Play], pieces: int) -> None:
        self.payloads: list[Any] = [payload_of(job) for job in jobs]

    def submit(self, number: int, piece: Piece) -> Future[Runs]:
        return self.call(play_payload, self.payloads[piece.job], piece.first, piece.last)


class OutsideEngine(Engine):
    """An engine of somebody's own: what it has, and the defaults for the rest."""

    def __init__(self, own: Any) -> None:
        self.name = type(own).__name__
        for name in (name for name in vars(Engine) if not name.startswith("_") and hasattr(own, name)):
            setattr(self, name, getattr(own, name))
