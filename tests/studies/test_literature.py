"""The claims of the literature: verdicts from rows made by hand, and what every claim must say of itself."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from studies.literature.__main__ import main
from studies.literature.bench import Bench, regret_ratio
from studies.literature.evidence import Share, at_least, at_most, decide

from riskbandits.inference.claims import FAILS, HOLDS, OPEN, PARTLY, Claim, in_part, unless_refuted
from riskbandits.inference.ratios import computed, of_means
from studies import literature


def claim(*rows, theorem=False):
    rule = unless_refuted if theorem else in_part
    return Claim("name", "A statement.", "source", "measure", "quantity", lambda bench: rows, rule, "setting")


def ratio(mean, spread=0.01):
    values = mean + spread * np.linspace(-1.0, 1.0, 50)
    return of_means(values, np.ones(50))


@pytest.mark.parametrize(
    ("rows", "theorem", "verdict"),
    [
        ([at_least("a", ratio(2.0), 1.0), at_least("b", ratio(1.5), 1.0)], False, HOLDS),
        ([at_least("a", ratio(2.0), 1.0), at_least("b", ratio(0.5), 1.0)], False, PARTLY),
        ([at_least("a", ratio(2.0), 1.0), at_least("b", ratio(0.5), 1.0)], True, FAILS),
        ([at_least("a", ratio(2.0), 1.0), at_least("b", ratio(1.0, 5.0), 1.0)], False, OPEN),
        ([at_most("a", Share(0, 500), 0.05)], True, HOLDS),
        ([at_most("a", Share(100, 500), 0.05)], True, FAILS),
        ([at_most("a", Share(25, 500), 0.05)], True, OPEN),
        ([at_most("a", computed(1.0), 1.0)], True, HOLDS),
    ],
)
def test_rows_make_a_verdict(rows, theorem, verdict):
    assert decide(claim(*rows, theorem=theorem), Bench()).verdict == verdict


def test_the_effect_is_that_of_the_least_favourable_row():
    rows = [at_least("a", ratio(2.0), 1.0), at_least("b", ratio(0.5), 1.0), at_least("c", ratio(1.0, 5.0), 1.0)]
    found = decide(claim(*rows), Bench())
    assert (found.where, found.effect) == ("b", pytest.approx(0.5))
    assert found.low < 0.5 < found.high < 1.0
    assert found.sentence.startswith("Of 3 settings: 1 for it, 1 against it, 1 undecided.")


def test_intervals_of_a_claim_hold_together():
    """Of 40 rows whose truth lies on the limit, each 95 % interval by itself would refute one row in 40 by chance."""
    rng = np.random.default_rng(3)
    refuted = 0
    for _ in range(100):
        rows = [at_most("x", of_means(1.0 + rng.standard_normal(100), np.ones(100)), 1.0) for _ in range(40)]
        refuted += decide(claim(*rows, theorem=True), Bench()).verdict == FAILS
    assert refuted <= 10  # 2.5 are expected; without the correction 64


def test_every_claim_says_where_it_comes_from_and_how_it_is_decided():
    assert literature.CLAIMS
    for name, one in literature.CLAIMS.items():
        assert name == one.name
        assert all(getattr(one, word) for word in ("statement", "source", "setting", "measure", "quantity"))
        assert any(character.isdigit() for character in one.source)  # a year
        assert one.study is not None


def test_the_bench_scales_all_runs():
    assert (Bench(0.1).runs(200), Bench(0.001).runs(200), Bench().runs(200)) == (20, 2, 200)


def test_regrets_are_those_of_the_result():
    import riskbandits as rb

    problem = rb.problems.zhu_tan_gaussian(1.0)
    found = Bench(progress=False).simulate(problem, [rb.MTS(), rb.UniformRandom()], horizon=60, runs=8)
    table = found.final().set_index("policy")["exact_pseudo_regret_mean"]
    assert regret_ratio(found, "UniformRandom", "MTS").value == pytest.approx(table["UniformRandom"] / table["MTS"])


def test_the_command_prints_verdict_and_evidence(capsys, tmp_path):
    main(["a-mixture-can-be-best", "--store", str(tmp_path)])
    out = capsys.readouterr().out
    assert out.startswith("a-mixture-can-be-best: holds\n")
    assert "at least 1.5: yes" in out


def test_the_page_of_systems_has_these_claims_and_no_others():
    page = (Path(__file__).parents[2] / "docs" / "systems.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE) == list(literature.CLAIMS)
