"""A horizon that was given too short: the regret of a run is the package's, and going on is not worse."""

import functools

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.metrics import exact_pseudo_regret
from studies import short_horizons


def test_regret_is_that_of_the_package(monkeypatch):
    problem = short_horizons.PROBLEMS["tie 1 0.05 0.03"]
    monkeypatch.setattr(short_horizons, "SwitchingAware", rb.UniformRandom)
    found = [short_horizons.regret(problem, 50, 25, seed) for seed in range(100)]
    trace = rb.simulate(problem, [rb.UniformRandom()], horizon=50, runs=400, seed=1, progress=False).traces[0]
    expected = exact_pseudo_regret(trace)[:, -1]
    error = np.hypot(np.std(found) / 10.0, np.std(expected) / 20.0)
    assert abs(np.mean(found) - expected.mean()) < 4.0 * error


def test_the_table_is_printed(capsys, monkeypatch):
    monkeypatch.setattr(short_horizons, "table", functools.partial(short_horizons.table, steps=60))
    short_horizons.main(["--runs", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert "given" in lines[0]
    assert len(lines) == 1 + 2 * 3


@pytest.mark.full
def test_a_horizon_given_too_short_does_little_harm():
    found = short_horizons.table(12, steps=10_000).set_index(["problem", "given"])
    for problem in short_horizons.PROBLEMS:
        known, short = (found.loc[(problem, given)] for given in (10_000, 5000))
        assert short["regret"] < 1.3 * known["regret"] + 3.0 * np.hypot(known["se"], short["se"])
