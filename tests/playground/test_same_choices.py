"""A page plays what the library plays: every choice of every policy, on the same random numbers."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import riskbandits
from playground.native import arms_of
from riskbandits.numerics import bernoulli_counts
from riskbandits.playground import node_check
from riskbandits.playground.catalogue import offers
from riskbandits.policies import MVTS, imed_mv, mvts
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

HORIZON, RUNS, SEED = 600, 6, 7
RHOS = (1.0, 0.02)
GAUSSIAN = ("gaussian",)


def orders_for(policies, families=None):
    return [
        node_check.order(policy["number"], family, rho, HORIZON, RUNS, SEED)
        for policy in policies
        for family in families or policy["families"]
        for rho in RHOS
    ]


def check(orders, there, here):
    for order, page, native in zip(orders, there, here, strict=True):
        assert page["ended"]
        assert page["choices"] == native, order["policy"]
        looked = page["looked"]
        assert looked["choice"] == native[0][looked["step"] - 1]  # a look chooses as the loop does, and moves nothing
        assert len({arm for run in native for arm in run}) > 5  # and they are choices


def test_mvts_chooses_in_a_page_as_it_does_here(small, natively):
    module, manifest = small
    (entry,) = [policy for policy in manifest["policies"] if policy["label"] == "MVTS"]
    orders = orders_for([entry], GAUSSIAN)
    check(orders, node_check.play(module, manifest, orders), natively({entry["number"]: MVTS()}, orders))


def test_a_policy_of_ones_own_plays_as_it_is_written(small):
    module, manifest = small
    found = {}
    for policy in manifest["policies"]:
        answers = node_check.play(module, manifest, orders_for([policy], GAUSSIAN))
        found[policy["label"]] = [answer["choices"] for answer in answers]
    assert found["Mine"] == found["MVTS"]
    assert found["Mutant"] != found["MVTS"]


def test_regrets_pulls_and_runs_that_end_elsewhere_are_what_the_library_makes_of_the_choices(small):
    module, manifest = small
    orders = orders_for(manifest["policies"][:1])
    tied = {
        "means": [0.3, 0.4, 0.9],
        "variances": [0.1, 0.2, 1.0],
        "rho": 1.0,
        "family": "gaussian",
    }  # 0.3 - 0.1 < 0.4 - 0.2
    orders.append({**orders[0], "problem": tied})
    for order, found in zip(orders, node_check.play(module, manifest, orders), strict=True):
        given, shown = order["problem"], found["shown"]
        problem = Problem(arms_of(given), MeanVariance(given["rho"]))
        assert shown["facts"]["best"] == problem.best_arm
        assert [row[2] for row in shown["facts"]["rows"]] == (problem.gaps == 0.0).tolist()
        choices = np.array(found["choices"], dtype=int)
        gaps, means = problem.gaps[choices], problem.means[choices]
        regrets = gaps.sum(axis=1) + HORIZON * means.var(axis=1)
        assert shown["regrets"] == pytest.approx(regrets, rel=1e-9)
        late = gaps[:, HORIZON // 2 :]
        assert shown["wrong"] == np.mean((late == 0.0).mean(axis=1) < 0.5)
        assert shown["pulls"] == pytest.approx([np.mean((choices == k).sum(axis=1)) for k in range(problem.size)])


@pytest.mark.full
def test_every_policy_offered_chooses_as_it_does_here(whole, natively):
    module, manifest = whole
    records = {offer.label: offer.policy for offer in offers()}
    assert [policy["label"] for policy in manifest["policies"]] == list(records)  # nothing was left out
    orders = orders_for(manifest["policies"])
    policies = {policy["number"]: records[policy["label"]] for policy in manifest["policies"]}
    check(orders, node_check.play(module, manifest, orders), natively(policies, orders))


BUILD = """
import pickle, sys
from riskbandits.playground import page
from riskbandits.playground import catalogue
wanted = [offer for offer in catalogue.offers() if offer.label == sys.argv[1]]
sys.stdout.buffer.write(pickle.dumps(page.built(wanted)))
"""
MUTANTS = {
    "MVTS": (mvts, "mean = drawn_mean(state, k, rng)", "mean = -drawn_mean(state, k, rng)"),
    "IMEDMV": (imed_mv, "(pulls - 1.0) * gaussian_k_inf", "(pulls - 2.0) * gaussian_k_inf"),
    "BMVTS": (bernoulli_counts, "+= reward", "+= 1.0 - reward"),
}


@pytest.mark.full
@pytest.mark.parametrize("label", MUTANTS)
def test_a_mutant_in_a_policys_file_changes_what_a_page_plays(whole, tmp_path, label):
    module, line, instead = MUTANTS[label]
    package = Path(riskbandits.__file__).parent
    shutil.copytree(package, tmp_path / "riskbandits", ignore=shutil.ignore_patterns("__pycache__"))
    changed = tmp_path / "riskbandits" / Path(module.__file__).relative_to(package)
    assert line in changed.read_text()
    changed.write_text(changed.read_text().replace(line, instead))
    command = [sys.executable, "-c", BUILD, label]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, check=True)
    module, manifest = pickle.loads(done.stdout)
    mutated = node_check.play(module, manifest, orders_for(manifest["policies"]))
    entries = [policy for policy in whole[1]["policies"] if policy["label"] == label]
    sound = node_check.play(*whole, orders_for(entries))
    assert [one["choices"] for one in mutated] != [one["choices"] for one in sound]
