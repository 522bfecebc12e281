"""The benchmarks measure what they say they do, and the benchmarks page shows what they measured."""

import inspect
import json
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.numerics import variates as ours

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import costs
import delays
import headline
import leaps
import run
import tables
import variates
import ways

ROOT = Path(__file__).parents[2]


def test_every_policy_number_of_arms_and_rho_is_measured_at_every_horizon():
    names = {cell.name for cell in tables.grid(quick=False)}
    policies, sizes, rhos = ("MVTS", "VTS", "MTS", "BMVTS", "MVLCB"), (2, 15, 100, 1000), (0.001, 1, 1000)
    assert names == {f"{policy}, {size} arms, rho {rho:g}" for policy, size, rho in product(policies, sizes, rhos)}
    for size in sizes:
        turns = tables.turns_of(size)
        assert min(turns) == 3_000
        assert max(turns) == 3_000_000
        assert min(turns.values()) >= 1


def test_a_row_has_every_way(monkeypatch):
    # Nothing is compiled: what a way takes is made up, a whole number of nanoseconds per step.
    def one_run(policy, problem, method, horizon):
        return lambda turn: 900.0 if method == "plain" else 9e6 / horizon

    monkeypatch.setattr(ways, "one_run", one_run)
    monkeypatch.setattr(ways, "floor", lambda problem, steps: lambda turn: 10.0)
    monkeypatch.setattr(ways.Rival, "advance", lambda self, steps: 0.0 if steps == self.world.forced else 1000.0)
    short, long = ways.compared(rb.MVTS(), tables.spread(rb.MVTS(), 1000, 1.0), {3_000: 2, 3_000_000: 1})
    assert (short["plain steps"], long["plain steps"]) == (3_000, 30_000)
    assert (short["lazy ns"], long["lazy ns"], long["reward ns"]) == (3000.0, 3.0, 10.0)
    assert (short["plain/lazy"], long["plain/lazy"]) == (0.3, 300.0)
    # A third of the steps are first pulls, here for nothing.
    assert short["numpy ns"] == pytest.approx(2000 / 3, abs=0.1)
    assert long["numpy/lazy"] == pytest.approx(1000 / 3, abs=0.2)


def test_timers_take_turns():
    called = []
    times = ways.in_turns(
        {name: ((lambda turn, name=name: called.append(name) or turn), n) for name, n in (("a", 3), ("b", 2))}
    )
    assert called == ["a", "b", "a", "b", "a"]
    assert times["b"].tolist() == [1, 2]
    assert ways.ratio(np.array([2.0, 4.0, 100.0]), np.array([1.0, 2.0])) == 2.0


def test_every_variate_is_measured():
    public = {
        name
        for name, _ in inspect.getmembers(ours, callable)
        if inspect.getmodule(_python(getattr(ours, name))) is ours
    }
    measured = {case[0].__name__ for case in variates.CASES}
    public -= {"box_muller"}  # a formula for two uniform numbers: it draws nothing
    assert {name for name in public if not name.startswith("_")} <= measured


def _python(helper):
    return getattr(helper, "py_func", helper)


def test_the_costs_of_policies_are_measured_beside_the_papers_own():
    names = {cell.name.split(",")[0] for cell in costs.costs(quick=False)}
    assert {"NGTS", "SwitchingAware", "IMEDMV", "KLUCBMV"} <= names
    assert {"SwitchingAware:bernoulli", "IMEDMV:bernoulli", "KLUCBMV:bernoulli"} <= names


def test_rewards_told_late_are_measured_beside_those_told_at_once(monkeypatch):
    names = {cell.name for cell in delays.delays(quick=False)}
    arms = ("MVLCB, 2 arms", "MVLCB, 15 arms", "MVTS, 2 arms", "MVTS, 15 arms")
    assert {f"{one}, {steps} steps" for one in arms for steps in (30_000, 100_000, 1_000_000)} <= names
    nanoseconds = {None: 20.0, "fixed": 24.0, "geometric": 30.0, "recorded": 25.0}
    monkeypatch.setattr(
        delays,
        "whole_runs",
        lambda policy, problem, delay, *how: lambda turn: nanoseconds[delay and delay.kind] * (1 + turn),
    )
    rows = delays.told_late(rb.MVLCB(), tables.spread(rb.MVLCB(), 2, 1.0), 30_000, 3)
    assert {row["delay"].split("(")[0]: row["late/plain"] for row in rows} == {
        "Delay.fixed": 1.2,
        "Delay.geometric": 1.5,
        "Delay.recorded": 1.25,
    }
    assert len({row["delay"] for row in rows}) == 10  # by arrival, and first in, first out


def test_all_tables_are_in_one_report():
    made = (tables, leaps, costs, delays, run.running, variates)
    assert [title for module in made for title in module.TABLES] == list(run.TABLES)
    text = run.report({tables.HEADLINE: [dict.fromkeys(headline.SHORT, 1.25)], "Other": [{"a": 1}, {"b": 2}]})
    assert "## In short" in text
    assert "| a | b |\n|---|---|\n| 1 |  |\n|  | 2 |\n" in text


def test_the_benchmarks_page_shows_what_was_measured(tmp_path):
    rows = json.loads((ROOT / "benchmarks/results/bench.json").read_text())["tables"][tables.HEADLINE]
    assert headline.published((ROOT / "docs/benchmarks.md").read_text()) == headline.in_short(rows)
    page = tmp_path / "page.md"
    page.write_text(f"before\n{headline.BEGIN}\nold\n{headline.END}\nafter\n")
    headline.publish(page, rows)
    assert headline.published(page.read_text()) == headline.in_short(rows)
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("\nafter\n")
