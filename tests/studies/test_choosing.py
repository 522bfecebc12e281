"""The measurements behind the page on choosing: what is measured, and what is shown as a finding."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import riskbandits as rb
from studies import choosing

ROOT = Path(__file__).parents[2]


@pytest.fixture
def table():
    return pd.read_csv(ROOT / choosing.DATA)


def row(value, low, high):
    return next(pd.DataFrame([{"relative": value, "relative_low": low, "relative_high": high}]).itertuples())


def test_wide_intervals_are_no_findings():
    assert choosing.is_resolved(row(1.1, 0.9, 1.5))
    assert not choosing.is_resolved(row(0.92, 0.03, 1.71))
    assert not choosing.is_resolved(row(1.5, 1.2, 3.1))


def test_the_page_is_that_of_the_file(table):
    assert (ROOT / choosing.PAGE).read_text(encoding="utf-8") == choosing.page(table)


def test_comparisons_become_rows_of_the_file(table):
    one = choosing.Comparison("paper", 60, 8, {"UniformRandom": rb.UniformRandom(), "MVLCB": rb.MVLCB()})
    found = choosing.measure([one], seed=7, progress=False)
    assert set(found.columns) <= set(table.columns)
    assert set(found.part) == {choosing.ALL, "paper"}
    expected = rb.compare("paper", one.policies, horizon=60, runs=8, seed=7, progress=False).leaderboard()
    assert found[found.part == choosing.ALL].relative.tolist() == expected.relative.tolist()


def test_the_figure_is_drawn(table, tmp_path):
    choosing.draw(table, tmp_path / "choosing.svg")
    assert (tmp_path / "choosing.svg").read_text(encoding="utf-8").startswith("<?xml")
