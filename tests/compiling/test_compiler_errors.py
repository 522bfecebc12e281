"""Sentences about what could not be compiled name the place in the user's file, on every Python."""

from __future__ import annotations

import importlib

import pytest

import riskbandits as rb

POLICY = """from typing import NamedTuple


class Allocates(NamedTuple):
    '''It makes a list where compiled code must not.'''

    def score(self, state, k, run, risk, rng):
        drawn = rng.random()
        LINE_9
        return drawn + values[0]

    def learn(self, state, k, run, reward):
        pass
"""


@pytest.mark.parametrize("line", ["values = [drawn, 1.0]", "values = [drawn for _ in range(3)]"], ids=["list", "each"])
def test_an_allocation_is_found_on_its_line(line, tmp_path, monkeypatch):
    name = f"allocates_{len(line)}"
    (tmp_path / f"{name}.py").write_text(POLICY.replace("LINE_9", line))
    monkeypatch.syspath_prepend(tmp_path)
    policy = importlib.import_module(name).Allocates()
    with pytest.raises(rb.errors.ContractError, match=rf"it creates an array, a list or similar.*{name}\.py, line 9\)"):
        rb.simulate(rb.problems.zhu_tan_gaussian(1.0), [policy], horizon=20, runs=1, progress=False)
