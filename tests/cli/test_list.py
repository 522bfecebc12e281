from __future__ import annotations

import json

import pytest

import riskbandits as rb
from riskbandits.api import parsing


def test_every_public_policy_is_listed_with_its_presets(command):
    code, out, _ = command("list", "policies", "--json")
    assert code == 0
    rows = {row["class"]: row for row in json.loads(out)}
    assert set(rows) == set(rb.policies.__all__)
    assert rows["MVLCB"]["name"] == "mv-lcb"
    assert rows["MVLCB"]["presets"] == ["mv-lcb:authors", "mv-lcb:sani", "mv-lcb:vakili"]


def test_listed_names_can_be_used(command):

    rows = json.loads(command("list", "policies", "--json")[1])
    for row in rows:
        assert type(parsing.parse(row["name"])).__name__ == row["class"]
        for preset in row["presets"]:
            assert type(parsing.parse(preset)).__name__ == row["class"]


@pytest.mark.parametrize("kind", ["policies", "risks"])
def test_everything_says_when_to_use_it(command, kind):
    for row in json.loads(command("list", kind, "--json")[1]):
        assert row["when"].startswith("Use it "), row["name"]
        assert row["when"].endswith(".")


LISTS = [
    ("policies", "Use it"),
    ("policies", "mv-lcb:sani"),
    ("arms", "zhu-tan-gaussian"),
    ("risks", "mean-variance"),
    ("figures", "figure-4"),
]


@pytest.mark.parametrize(("kind", "word"), LISTS)
def test_lists_for_people(command, kind, word):
    code, out, _ = command("list", kind)
    assert code == 0
    assert word in out


def test_figures_are_those_of_the_print(command):
    rows = json.loads(command("list", "figures", "--json")[1])
    numbers = [*(f"figure-{k}" for k in range(1, 8)), "figure-s1", "figure-s2", "figure-s3"]
    labels = ["ber", "", *(f"fig{k}" for k in range(2, 7)), "S-5", "S-6", "S-7"]
    assert [(row["name"], row["LaTeX label"]) for row in rows] == list(zip(numbers, labels, strict=True))


def test_an_unknown_kind(command):
    code, _, err = command("list", "polices")
    assert code == 2
    assert "Did you mean 'policies'" in err


def test_version(command):
    assert command("--version")[1].strip() == f"riskbandits {rb.__version__}"


def test_the_recommended_policy_comes_first_and_is_marked(command):
    rows = json.loads(command("list", "policies", "--json")[1])
    assert [row["class"] for row in rows if row["recommended"]] == [rows[0]["class"]] == ["SwitchingAware"]
    assert "RECOMMENDED DEFAULT" in command("list", "policies")[1]
    assert "linear" in next(row["when"] for row in rows if row["class"] == "VTS")


def test_the_recommended_policy_is_among_the_defaults(command):
    for name in ("simulate", "sweep"):
        out = command(name, "--dry-run", "--json", "--runs", "2", "--horizon", "50")[1]
        assert "SwitchingAware" in [policy["label"] for policy in json.loads(out)["policies"]]
