"""The study of drift and delays: its problems, its ratios, and a page that holds what was measured."""

from __future__ import annotations

import numpy as np
import pytest
from studies.drift import comparisons, measuring, page

import riskbandits as rb

TINY = measuring.Size(problems=2, runs=2, horizon=300, workers=1, progress=False)


def test_problems_are_named_by_their_numbers():
    first, again, other = measuring.changing(3, 4000), measuring.changing(3, 4000), measuring.changing(4, 4000)
    assert first == again
    assert first != other
    assert [start for start, _ in first.pieces] == [1, 4001, 8001]
    assert measuring.staying(3).arms.means.tolist() == measuring.changing(3, None).pieces[0][1].arms.means.tolist()
    assert [start for start, _ in measuring.coins(1, None).pieces] == [1]
    assert len(measuring.walking(1, 0.1).pieces) == 100


def test_ratios_have_intervals_over_problems():
    these, those = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 4.0])
    found = measuring.ratio(these, those)
    assert found.value == 0.75
    assert 0.5 <= found.low < 0.75 < found.high <= 1.0
    assert str(measuring.RatioOverProblems(0.345, 0.3, 0.4)) == "0.34 [0.30, 0.40]"
    assert str(measuring.RatioOverProblems(12.34, 11.0, 14.0)) == "12.3 [11.0, 14.0]"


def test_regrets_are_those_of_the_simulation():
    policies = {"lot": rb.UniformRandom()}
    found = measuring.regrets(lambda number: measuring.changing(number, 100, horizon=300), policies, TINY)["lot"]
    for number in range(2):
        problem = measuring.changing(number, 100, horizon=300)
        one = rb.simulate(problem, policies, horizon=300, runs=2, seed=1, checkpoints=[300], progress=False).table()
        assert found[number] == pytest.approx(one["dynamic_regret_mean"].iloc[-1])


def test_the_part_that_is_recommended_is_the_best_over_all_lengths():
    def row(values):
        return {
            part: measuring.RatioOverProblems(value, value, value)
            for part, value in zip(comparisons.SHARES, values, strict=True)
        }

    found = {500: row([0.9, 0.5, 0.4, 0.6, 0.8]), 1000: row([0.5, 0.3, 0.4, 0.5, 0.6])}
    assert comparisons.recommended(found) == 4


@pytest.mark.full
def test_the_page_from_beginning_to_end():
    """With hardly any runs: every table is there, and every gap in the text filled."""
    text = page.page(TINY._replace(horizon=1_100))  # longer than the longest delay
    assert "{" not in text
    for head in ("## In short", "## Which half-life to choose", "## Which way to forget", "## Delays"):
        assert head in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) == 2 * 5 + len(comparisons.LENGTHS) + 3 + 3 + 2 + 2 + len(comparisons.HALF_LIVES) + 3 + 4
