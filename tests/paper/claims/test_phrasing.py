from __future__ import annotations

import pytest

from riskbandits.inference.claims import format_effect
from riskbandits.paper.claims.phrasing import conditions, setting


def rhos(*flags):
    values = (0.1, 0.3, 1.0, 3.0, 10.0)
    return conditions([{"rho": value} for value in values], flags)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((1, 1, 0, 0, 0), "with rho <= 0.3"),
        ((0, 0, 0, 1, 1), "with rho >= 3"),
        ((0, 1, 1, 1, 0), "with rho from 0.3 to 3"),
        ((1, 0, 1, 1, 1), "with rho other than 0.3"),
        ((1, 0, 0, 1, 0), "with rho = 0.1, 3"),
        ((0, 0, 1, 0, 0), "with rho = 1"),
    ],
)
def test_ranges(flags, expected):
    assert rhos(*map(bool, flags)) == expected


def test_rivals_that_are_beaten_everywhere_need_no_range():
    settings = [{"against": rival, "rho": rho} for rival in ("A", "B", "C") for rho in (0.1, 1.0)]
    assert conditions(settings, [True, True, False, True, True, True]) == "against A and C; against B at rho = 1"
    assert conditions(settings, [True, True, False, False, True, True]) == "against A and C"


def test_what_never_varies_is_not_said():
    settings = [{"policy": policy, "against": "L", "rho": 1.0} for policy in ("P", "Q")]
    assert conditions(settings, [True, False]) == "for P"


def test_settings():
    assert (
        setting({"policy": "P", "against": "L", "rho": 1 / 9, "step": 100}) == "P against L at rho = 0.111, step = 100"
    )
    assert setting({"rho": 1000.0}) == "rho = 1000"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.001, "0.001"), (1234.56, "1230"), (123456.0, "123456"), (float("nan"), "unknown"), (True, "True"), (7, "7")],
)
def test_numbers(value, expected):
    assert format_effect(value) == expected
