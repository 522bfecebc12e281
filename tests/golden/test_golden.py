"""The numbers are those that were kept: `make golden` keeps them anew where a change means to change them."""

from __future__ import annotations

import numpy as np
import pytest

from golden.cases import CASES, digest_of
from golden.digest import digest, kept, surroundings

KEPT = kept()


def complaint(name):
    """What is said of a case whose digest is another one, or None."""
    if digest_of(name) == KEPT["cases"][name]["digest"]:
        return None
    now = surroundings()
    others = [f"{one} {was} then, {now[one]} now" for one, was in KEPT["made_with"].items() if now[one] != was]
    return (
        f"The numbers of {name!r} have changed since {KEPT['made_at']}. Where that is meant, `make golden` keeps the "
        f"new ones." + (f" Something else has changed too: {'; '.join(others)}." if others else "")
    )


@pytest.mark.parametrize(
    "name", [name if case.quick else pytest.param(name, marks=pytest.mark.full) for name, case in CASES.items()]
)
def test_numbers_are_those_that_were_kept(name):
    words = complaint(name)
    assert words is None, words


def test_every_case_is_kept_and_marked():
    marks = {name: case.equal_rewards for name, case in CASES.items()}
    assert {name: entry.get("equal_rewards", False) for name, entry in KEPT["cases"].items()} == marks


@pytest.mark.parametrize("name", ["README, first example", "sweep auto", "compare common rewards auto"])
def test_numbers_do_not_depend_on_the_number_of_workers(name):
    assert digest_of(name, workers=2) == KEPT["cases"][name]["digest"]


def test_a_digest_changes_with_the_last_bit():
    numbers = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    changed = numbers.copy()
    changed[1, 2] = np.nextafter(changed[1, 2], 2.0)
    assert digest([changed]) != digest([numbers]) == digest([numbers.copy()])
    assert digest([numbers.T]) != digest([numbers]) != digest([numbers.reshape(4, 3)])
    assert digest([numbers, numbers]) != digest([numbers])
    assert digest([np.arange(3)]) == digest([np.arange(3, dtype=np.int32)]) != digest([np.arange(3.0)])


def test_there_is_one_nan():
    other = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)
    assert np.isnan(other).all()
    assert digest([other]) == digest([np.array([np.nan])]) != digest([np.array([0.0])])


def test_a_changed_number_is_named(monkeypatch):
    name = "identify SuccessiveRejects"
    monkeypatch.setitem(KEPT["cases"], name, {"digest": "of another number"})
    assert f"The numbers of '{name}' have changed since" in complaint(name)
