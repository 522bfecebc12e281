"""An engine of one's own: an object with three methods, and a kit that says what is wrong with it."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

import riskbandits as rb
from riskbandits.core.errors import ContractError, RefusalError, RiskBanditsError
from riskbandits.simulation.job import empty_runs
from riskbandits.simulation.replications import no_signals, play_range
from riskbandits.testing import check_engine
from riskbandits.testing import engine as kit

SMALL = {"horizon": 100, "runs": 8, "seed": 3, "progress": False}
PROBLEM = rb.problems.zhu_tan_gaussian(1)


class InTurn:
    """Plays every piece at once, in this thread."""

    closed = None

    def load(self, jobs, plays, pieces):
        self.jobs, self.plays, self.pieces = jobs, plays, pieces

    def submit(self, number, piece):
        future = Future()
        try:
            future.set_result(self.play(piece))
        except Exception as error:
            self.failed(future, error)
        return future

    def play(self, piece):
        return play_range(self.jobs[piece.job], self.plays[piece.job], piece.first, piece.last, *no_signals())

    def failed(self, future, error):
        future.set_exception(error)

    def close(self, finished):
        self.closed = finished


class Shifted(InTurn):
    """Plays other replications than those asked for."""

    def play(self, piece):
        return super().play(piece._replace(first=piece.first + 1, last=piece.last + 1))


class Quiet(InTurn):
    """Calls an error a result."""

    def failed(self, future, error):
        future.set_result(empty_runs(self.jobs[0], self.size))

    def play(self, piece):
        self.size = piece.last - piece.first
        return super().play(piece)


class Sleeping(InTurn):
    """Never finishes."""

    def submit(self, number, piece):
        return Future()


def test_an_engine_of_ones_own_gives_the_same_table():
    engine = InTurn()
    own = rb.simulate(PROBLEM, [rb.MVTS()], engine=engine, **SMALL)
    assert own.table().equals(rb.simulate(PROBLEM, [rb.MVTS()], **SMALL).table())
    assert engine.closed is True
    assert engine.pieces > 0
    sweep = rb.sweep(rb.problems.zhu_tan_gaussian, [1], [rb.MVTS()], engine=engine, **SMALL)
    assert sweep.table()["regret_mean"].tolist() == own.table()["regret_mean"].tolist()


def test_the_kit_passes_good_engines():
    check_engine(InTurn())
    check_engine("threads")


def test_the_kit_says_what_is_wrong(monkeypatch):
    with pytest.raises(ContractError, match=r"Shifted gives different numbers from engine='threads' for MVTS\."):
        check_engine(Shifted())
    monkeypatch.setattr(kit, "SECONDS_TO_WAIT", 2.0)
    with pytest.raises(ContractError, match="Sleeping does not finish a small simulation: after 2 s"):
        check_engine(Sleeping())


def test_the_kit_notices_a_swallowed_error():
    with pytest.raises(ContractError, match="Quiet swallows the error of a run"):
        check_engine(Quiet())


@pytest.mark.parametrize("wrong", [InTurn, object(), 3, {"load": 1}])
def test_what_is_no_engine_is_refused(wrong):
    with pytest.raises(RiskBanditsError, match="The engine must be one of threads, processes"):
        rb.simulate(PROBLEM, [rb.MVTS()], engine=wrong, **SMALL)


def test_an_engine_without_call_does_not_identify():
    problem = rb.Problem(rb.GaussianArms([0, 1], [1, 1]), rb.Mean())
    with pytest.raises(RefusalError, match="only plays simulations"):
        rb.identify(problem, rb.SuccessiveRejects(), budget=50, runs=4, engine=InTurn(), progress=False)


def test_identify_gives_the_same_on_every_engine():
    problem = rb.Problem(rb.GaussianArms([0, 1, 0.2], [1, 1, 1]), rb.CVaR(level=0.2))
    found = [
        rb.identify(problem, rb.SuccessiveRejects(), budget=90, runs=10, engine=engine, workers=n, progress=False)
        for engine, n in (("threads", 1), ("threads", 3), ("processes", 2))
    ]
    for other in found[1:]:
        assert (other.chosen == found[0].chosen).all()
        assert (other.pulls == found[0].pulls).all()
