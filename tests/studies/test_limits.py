"""The bound on how close any policy can be to the best of several: its regrets, its dynamic programme, its claim."""

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.metrics import exact_pseudo_regret
from studies import limits

DUEL = limits.Duel(rho=2.0, calm=0.01, horizon=300, leads=(0.4, -0.4, -0.8))


@pytest.mark.parametrize("lead", [0.4, -0.8])
def test_regrets_are_those_of_the_package(lead):
    problem = DUEL.problem(lead)
    assert problem.values[1] - problem.values[0] == pytest.approx(lead)
    result = rb.simulate(problem, [rb.UniformRandom(), rb.MVTS()], horizon=DUEL.horizon, runs=5, seed=1, progress=False)
    for trace in result.traces:
        wild = np.asarray(result.pulls(trace.label))[:, 1]
        assert exact_pseudo_regret(trace)[:, -1] == pytest.approx(DUEL.regrets(lead)[wild], rel=1e-9)


def slowly(duel, costs, plays=0, total=0.0, nodes=151):
    """The least sum by nested quadrature over rewards without a lead: another way to the same number."""
    means = np.array(duel.leads) / duel.rho
    now = float(costs[:, plays] @ np.exp(means * total - 0.5 * plays * means**2))
    if plays == duel.horizon:
        return now
    points, weights = np.polynomial.hermite_e.hermegauss(nodes)
    further = [slowly(duel, costs, plays + 1, total + point, nodes) for point in points]
    return min(now, float(weights @ further) / math.sqrt(2.0 * math.pi))


@pytest.mark.parametrize("leads", [(1.0, -1.0), (0.5, -1.5), (2.0, -0.3)])
def test_the_least_sum_is_that_of_nested_integrals(leads):
    duel = limits.Duel(rho=1.0, calm=0.2, horizon=2, leads=leads)
    costs = np.array([duel.regrets(lead) for lead in leads])
    assert limits.least(duel, costs).sum() == pytest.approx(slowly(duel, costs), rel=2e-3)


def test_rules_that_are_asked_seldom_cannot_do_better():
    costs = np.array([DUEL.regrets(lead) for lead in DUEL.leads])
    sums = [limits.least(DUEL, costs, every).sum() for every in (1, 5, 50, 300)]
    assert sums == sorted(sums)
    assert sums[0] < sums[-1]


@pytest.mark.parametrize("weights", [(1.0, 1e-9, 1e-9), (1e-9, 1.0, 1e-9)])
def test_a_lead_that_alone_counts_costs_nothing(weights):
    """The rule never stops where the lead is positive, and does not begin where it is negative."""
    costs = np.array([DUEL.regrets(lead) for lead in DUEL.leads])
    parts = limits.least(DUEL, np.array(weights)[:, np.newaxis] * costs)
    assert parts.sum() == pytest.approx(0.0, abs=1e-4)


def test_no_policy_beats_the_bound():
    policies = [rb.KLUCBMV(), rb.IMEDMV(), rb.SwitchingAware(), rb.MVTS(), rb.VTS(), rb.UniformRandom()]
    runs = 400
    regrets = {}
    for lead in DUEL.leads:
        result = rb.simulate(DUEL.problem(lead), policies, horizon=DUEL.horizon, runs=runs, seed=3, progress=False)
        for trace in result.traces:
            regrets.setdefault(trace.label, []).append(exact_pseudo_regret(trace)[:, -1])
    targets = [min(found[place].mean() for found in regrets.values()) for place in range(len(DUEL.leads))]
    value, weights = limits.bound(DUEL, targets)
    assert weights.sum() == pytest.approx(1.0)
    assert value > 1.5  # or there would be nothing to beat
    for found in regrets.values():
        ratios = np.array(found) / np.array(targets)[:, np.newaxis]
        error = math.sqrt(sum(weights**2 * ratios.var(axis=1) / runs))
        assert weights @ ratios.mean(axis=1) > value - 4.0 * error
        assert ratios.mean(axis=1).max() > value - 4.0 * error


def test_the_rule_itself_reaches_the_bound():
    """Played by likelihoods, with the stopping set found by asking `least` of the rest of the run: regrets must fit."""
    duel = limits.Duel(rho=1.0, calm=0.2, horizon=12, leads=(1.0, -1.0))
    costs = np.array([duel.regrets(lead) for lead in duel.leads])
    parts = limits.least(duel, costs)
    rng = np.random.default_rng(0)
    means = np.array(duel.leads) / duel.rho
    runs = 4000
    grid = np.linspace(-15.0, 15.0, 121)
    # Where to stop after each number of plays, from the least sum of what is left, on a grid of totals.
    stops = np.zeros((duel.horizon + 1, len(grid)), dtype=bool)
    for plays in range(duel.horizon):
        rest = duel._replace(horizon=duel.horizon - plays)
        for place, total in enumerate(grid):
            likely = np.exp(means * total - 0.5 * plays * means**2)
            left = likely[:, np.newaxis] * costs[:, plays:]
            stops[plays, place] = limits.least(rest, left).sum() >= left[:, 0].sum() * (1.0 - 1e-9)
    for lead, part, cost in zip(means, parts, costs, strict=True):
        found = []
        for _ in range(runs):
            total, plays = 0.0, 0
            while plays < duel.horizon and not stops[plays, np.abs(grid - total).argmin()]:
                total += lead + rng.standard_normal()
                plays += 1
            found.append(cost[plays])
        assert np.mean(found) == pytest.approx(part, abs=4.0 * np.std(found) / math.sqrt(runs) + 0.03 * part)


def test_targets_leave_room_for_chance():
    measurements = [{"one": (2.0, 0.5), "other": (2.5, 0.1)}, {"one": (1.0, 0.0), "other": (9.0, 0.0)}]
    assert limits.targets_of(measurements, ["one", "other"]) == [2.7, 1.0]


def test_the_table_is_printed(capsys, monkeypatch):
    monkeypatch.setattr(limits, "DUELS", (DUEL,))
    limits.main(["--runs", "5"])
    lines = capsys.readouterr().out.splitlines()
    assert "of the four >=" in lines[0]
    assert "0.4, -0.4, -0.8" in lines[1]
