"""The page on choosing: its recommendations follow from the numbers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.api import parsing
from riskbandits.cli import advice as choosing
from riskbandits.results.kept import KeptRuns
from riskbandits.suites import Case, Suite, named

SETTINGS = {"suite": "made", "horizon": 100, "runs": 40, "seed": 0}


def comparison(means, locked=None, labels="ABC", cases=3, horizon=100):
    """A comparison in which policies have these mean regrets, with runs that spread by 10 %."""
    rng = np.random.default_rng(0)
    runs, outcomes = 40, []
    for _ in range(cases):
        final = np.array(means)[:, None] * rng.lognormal(0.0, 0.1, (len(means), runs))
        marks = rng.random(final.shape) < np.array(locked or [0.0] * len(means))[:, None]
        outcomes.append(KeptRuns(tuple(labels), 0.8 * final, final, marks, (horizon // 2, horizon), False, marks))
    problems = [Case(f"near-tie-2-{k}", "near-tie", rb.suites.draw("near-tie", 2, k)) for k in range(cases)]
    settings = SETTINGS | {"horizon": horizon}
    return rb.Comparison(Suite("made", "", tuple(problems)), list(labels), outcomes, settings, {})


def test_the_best_one_is_recommended_and_the_next_one_named():
    [sentence, _] = choosing.sentences(comparison([2.0, 1.0, 4.0]), [*NEAR, EVERY])
    assert sentence.startswith("Two arms are nearly equally good: use **B** (relative regret 1.00 [")
    assert "next is A (" in sentence
    assert "3 problems" in sentence


def test_policies_that_cannot_be_told_apart_are_named():
    [sentence] = choosing.sentences(comparison([1.0, 1.0, 4.0]), NEAR)
    assert "statistically tied with it: " in sentence
    assert "next is" not in sentence
    assert "C" not in sentence.split("statistically tied")[1]
    [sentence] = choosing.sentences(comparison([1.0, 1.0, 4.0], [0.0, 0.0, 0.9], cases=2), NEAR)
    assert "settle on a wrong arm" not in sentence.split("statistically tied")[1]
    [sentence] = choosing.sentences(comparison([1.0, 1.0, 1.0], [0.0, 0.0, 0.5]), NEAR)
    assert re.search(r"C, of which \d+ % \[\d+, \d+\] of runs settle on a wrong arm|use \*\*C", sentence)


def test_locked_runs_are_pointed_out():
    [sentence] = choosing.sentences(comparison([1.0, 1.5, 4.0], [0.5, 0.0, 0.1]), NEAR)
    assert "use **A**" in sentence
    assert "fewer runs settle on a wrong arm with B (0.0 % [0.0, 3.0])" in sentence


def test_a_policy_whose_regret_is_linear_is_never_advised():
    [sentence] = choosing.sentences(comparison([1.0, 2.0, 4.0], [0.4, 0.0, 0.0], labels=["VTS", "B", "C"]), NEAR)
    assert "use **B**" in sentence
    assert "VTS had less regret at this horizon" in sentence
    assert "its regret is linear" in sentence
    [sentence] = choosing.sentences(comparison([2.0, 1.0, 4.0], labels=["VTS", "B", "C"]), NEAR)
    assert "VTS" not in sentence


def test_a_policy_of_which_most_runs_settle_is_not_advised_if_another_is_as_good():
    [sentence] = choosing.sentences(comparison([1.0, 1.0, 4.0], [0.8, 0.0, 0.0]), NEAR)
    assert sentence.startswith("Two arms are nearly equally good: use **B** ")
    assert "statistically tied with it: A, of which 80 % " in sentence
    # Nothing is as good, or fewer than half settle: the least regret decides, and the sentence warns.
    for regrets, settled in (([1.0, 3.0, 4.0], [0.8, 0.0, 0.0]), ([1.0, 1.0, 4.0], [0.4, 0.0, 0.0])):
        [sentence] = choosing.sentences(comparison(regrets, settled), NEAR)
        assert "use **A** " in sentence
        assert "fewer runs settle on a wrong arm with B" in sentence


def test_the_page_that_is_kept_advises_nothing_that_is_refuted():
    text = (Path(__file__).parents[2] / "docs" / "choosing.md").read_text()
    assert "use **VTS" not in text
    for line in text.split("## All problems")[0].splitlines():
        assert not line.startswith("- ") or "VTS" not in line.replace("MVTS", "") or "linear" in line, line


def test_the_page_has_what_the_comparison_has():
    result = comparison([2.0, 1.0, 4.0])
    result.notes.append("C is left out.")
    page = choosing.page([result])
    assert "`riskbandits compare --suite made --horizon 100 --runs 40 --seed 0 --policies A,B,C --no-common" in page
    assert page.count("\n- ") == 1  # on near ties alone: there are no other problems
    assert "| B | 3 |" in page
    assert "| near-tie-2-0 |" in page
    assert "C is left out." in page
    assert "{" not in page


def test_every_situation_is_covered_by_the_full_suite():
    cases = named("full").cases
    for situation in choosing.SITUATIONS:
        assert any(situation.keep(case) for case in cases), situation.words
    cases = named(choosing.MEASURE_SUITE).cases
    for situation in choosing.MEASURES:
        assert sum(situation.keep(case) for case in cases) == 4, situation.words
    assert sum(situation.keep(case) for case in cases for situation in choosing.MEASURES) == len(cases)


def test_advice_by_steps_per_arm_counts_each_problem_at_each_horizon_once():
    # Two arms: 50, 500 and 500 000 steps for each. VTS is ahead as long as its runs are short, and is never advised.
    early = comparison([1.0, 2.0, 4.0], labels=["VTS", "B", "C"])
    later = comparison([9.0, 2.0, 1.0], labels=["VTS", "B", "C"], horizon=1000)
    last = comparison([99.0, 2.0], labels=["VTS", "B"], horizon=10**6)
    first, second, third = choosing.stage_sentences([early, later, last])
    assert first.startswith("30 to 300 steps per arm: use **B**")
    assert "VTS had less regret at this horizon" in first
    assert "Why: " in first
    assert second.startswith("300 to 3000 steps per arm: use **C**")
    assert third.startswith("30 000 steps per arm and more: use **B**")
    assert choosing.stage_sentences([early]) == []
    table = choosing.stage_table([early, later, last]).splitlines()
    assert [line.split("|")[2].strip() for line in table[2:]] == ["3", "3", "3"]


def test_a_page_of_several_horizons_has_each_of_them_and_the_measures():
    results = [comparison([2.0, 1.0], labels="AB", horizon=steps) for steps in (100, 1000, 10**6, 10**7)]
    measure = comparison([1.0, 2.0], labels="AB", horizon=100)
    cases = tuple(case._replace(family="cvar") for case in measure.suite.cases)
    measure = rb.Comparison(Suite("measures", "", cases), ["A", "B"], measure.kept, measure.settings, {})
    page = choosing.page(results, measure)
    assert "--horizon 100,1000,1000000,10000000 --runs 40,40,40,40 " in page
    assert "40 runs of 100 steps and 40 runs of 1,000 steps of each policy on each of the 3 problems" in page
    assert "40 runs of 10,000,000 steps of those whose runs leap" in page
    assert "Over 1,000,000 and 10,000,000 steps, of the policies whose runs leap:" in page
    assert "- The mean of the worst fifth (`CVaR(0.2)`), Gaussian rewards: use **A**" in page
    assert page.count("## All problems, ") == 4
    # Over both of the shorter horizons, and over both of the longer ones: three problems at each.
    assert "a problem counts once for each of them" in page
    assert len(re.findall(r"- Two arms are nearly equally good: use \*\*B\*\* .* 6 problems\)", page)) == 2


def test_the_page_that_is_kept_is_what_make_writes():
    """Words that nobody edited, and the command of the Makefile."""
    root = Path(__file__).parents[2]
    text = (root / "docs" / "choosing.md").read_text()
    words = re.split(r"\{\w+\}", choosing.INTRODUCTION)
    assert re.match(".*?".join(re.escape(part) for part in words), text, re.DOTALL)
    assert [
        situation.words for situation in (*choosing.SITUATIONS, *choosing.MEASURES) if situation.words not in text
    ] == []
    assert [stage.words for stage in choosing.STAGES if f"- {stage.words}: use" not in text] == []
    told = re.search(r"written by `riskbandits compare (.*?) --markdown", text)[1].replace("--seed 0 ", "")
    made = re.search(
        r"^choosing:.*?compare (.*?) --markdown docs/choosing.md", (root / "Makefile").read_text(), re.M | re.S
    )
    assert told == made[1].replace("--store results/choosing", "").strip()


def test_policies_of_the_page_exist():
    for text in f"{choosing.POLICIES},{choosing.MEASURE_POLICIES}".split(","):
        parsing.parse(text)


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1.00 [0.50, 2.00]"), (12.34, "12.3 [6.17, 24.7]"), (456.7, "457 [228, 913]")]
)
def test_numbers_are_short(value, text):
    row = {"x": value, "x_low": value / 2, "x_high": value * 2}
    assert choosing.with_interval(row, "x") == text
    assert choosing.with_interval({"x": np.nan, "x_low": np.nan, "x_high": np.nan}, "x") == ""


NEAR = [situation for situation in choosing.SITUATIONS if situation.words.startswith("Two arms")]
EVERY = choosing.Situation("Whatever", lambda case: True)
