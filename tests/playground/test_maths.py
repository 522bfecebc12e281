"""The mathematics that is linked into pages: Zig's, against this machine's."""

from __future__ import annotations

import ctypes
import math
import re
from importlib import resources

import numpy as np
import pytest

from riskbandits.compiling import wasm

SMALL, POSITIVE, LARGE = (-1.0, 1.0), (1e-9, 50.0), (-20.0, 20.0)
ONE = {
    "page_log": (math.log, POSITIVE), "page_log2": (math.log2, POSITIVE), "page_log10": (math.log10, POSITIVE),
    "page_exp": (math.exp, LARGE), "page_exp2": (math.exp2, LARGE), "page_sin": (math.sin, LARGE),
    "page_cos": (math.cos, LARGE), "page_tan": (math.tan, LARGE), "log1p": (math.log1p, POSITIVE),
    "expm1": (math.expm1, LARGE), "sinh": (math.sinh, LARGE), "cosh": (math.cosh, LARGE), "tanh": (math.tanh, LARGE),
    "asin": (math.asin, SMALL), "acos": (math.acos, SMALL), "atan": (math.atan, LARGE), "asinh": (math.asinh, LARGE),
    "acosh": (math.acosh, (1.0, 50.0)), "atanh": (math.atanh, (-0.99, 0.99)), "cbrt": (math.cbrt, LARGE),
    "lgamma": (math.lgamma, POSITIVE), "numba_gamma": (math.gamma, (0.1, 50.0)), "erf": (math.erf, LARGE),
    "erfc": (math.erfc, (-6.0, 26.0)),
}  # fmt: skip
TWO = {
    "pow": (math.pow, POSITIVE, LARGE), "atan2": (math.atan2, LARGE, LARGE), "hypot": (math.hypot, LARGE, LARGE),
    "page_fmod": (math.fmod, LARGE, POSITIVE),
}  # fmt: skip
SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, 0.25, 0.84375, 1.25, 1 / 0.35, 6.0, 27.99, 28.0, -28.0)


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_functions_are_right_to_the_last_digits(maths, name):
    there, *ranges = (ONE | TWO)[name]
    here = getattr(ctypes.CDLL(str(maths)), name)
    here.restype, here.argtypes = ctypes.c_double, [ctypes.c_double] * len(ranges)
    draws = np.random.default_rng(3)
    for point in zip(*(draws.uniform(*ends, 2000).tolist() for ends in ranges), strict=True):
        assert here(*point) == pytest.approx(there(*point), rel=2e-14, abs=1e-15), point


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_ends_and_edges_of_the_error_function(maths, name):
    here = getattr(ctypes.CDLL(str(maths)), name)
    here.restype, here.argtypes = ctypes.c_double, [ctypes.c_double]
    for x in SPECIAL:
        assert here(x) == pytest.approx(getattr(math, name)(x), rel=1e-15, abs=1e-300, nan_ok=True), x


def test_all_of_them_are_tested_and_known_to_the_compiler():
    source = (resources.files("riskbandits.playground") / "assets" / "maths.zig").read_text()
    exported = set(re.findall(r"export fn (\w+)", source))
    assert exported == {*ONE, *TWO}
    assert {name.removeprefix("page_") for name in exported} <= wasm.MATHS
