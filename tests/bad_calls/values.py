"""Values that people hand over by mistake, by what is wanted in their place."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from bad_calls.call import NOTHING, Value


class Silent:
    """A thing that cannot be shown, compared, counted, hashed or turned into anything."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __hash__(self) -> int:
        raise TypeError("no hash")

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")

    def __iter__(self) -> Any:
        raise RuntimeError("no iteration")

    def __float__(self) -> float:
        raise RuntimeError("no number")

    __index__ = __int__ = __float__  # type: ignore[assignment]

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("no array")

    def __fspath__(self) -> str:
        raise RuntimeError("no path")


class Endless:
    """Something that never ends when it is gone through."""

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> int:
        return 1


class FloatAlike(float):
    """A subclass of float."""


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def _fixed(name: str, value: Any, plain: Any = NOTHING) -> Value:
    return Value(name, lambda: value, plain)


# Nothing of this is ever a number, a record, a list of numbers, a name or a path.
JUNK = [
    _fixed("None", None),
    _fixed("object", object()),
    _fixed("b'x'", b"x"),
    _fixed("{}", {}),
    _fixed("{'a': 1}", {"a": 1}),
    _fixed("int", int),
    _fixed("lambda", lambda *args, **kwargs: None),
    _fixed("...", ...),
    _fixed("math", math),
    _fixed("1j", 1j),
    _fixed("timedelta", np.timedelta64(1, "s")),
    _fixed("NaT", np.datetime64("NaT", "s")),
    _fixed("ragged", [[1], [2, 3]]),
    _fixed("objects", np.array([None, 1], dtype=object)),
    _fixed("texts", np.array(["a", "b"])),
    _fixed("complex array", np.array([1j, 2.0])),
    _fixed("empty array", np.zeros(0)),
    _fixed("3-d", np.zeros((2, 2, 2))),
    _fixed("structured", np.zeros(2, dtype=[("a", float)])),
    Value("Silent", Silent),
    Value("nested", lambda: nested(3000)),
    _fixed("NaN frame", pd.DataFrame({"a": [1.0, math.nan]}, index=[0, 0])),
]
TEXTS = [_fixed(repr(text), text) for text in ("", "abc", "1", "nan", "\0", "\ud800", "a\nb")]
LISTS = [
    _fixed("[]", []),
    _fixed("()", ()),
    _fixed("set()", set()),
    Value("generator", lambda: (n for n in (1, 2))),
    _fixed("[1]", [1]),
    _fixed("array([1.0])", np.array([1.0])),
    _fixed("array([[1.0]])", np.array([[1.0]])),
    _fixed("array(1.0)", np.array(1.0)),
    _fixed("Series", pd.Series([1.0])),
    _fixed("masked", np.ma.masked_array([1.0, 2.0], mask=[True, False])),
    _fixed("masked constant", np.ma.masked),
]
BOOLS = [_fixed("True", True), _fixed("False", False), _fixed("np.True_", np.True_)]
NOT_FINITE = [
    _fixed("nan", math.nan),
    _fixed("inf", math.inf),
    _fixed("-inf", -math.inf),
    _fixed("np.nan32", np.float32("nan")),
    _fixed("Decimal('NaN')", Decimal("NaN")),
    _fixed("pd.NA", pd.NA),
    _fixed("pd.NaT", pd.NaT),
]
REALS = [0, -1, -0.0, -0.5, 0.5, 2.5, 1e-320, 5e-324, 1e154, 1e200, 1e308, -1e308, 2**63, 10**30, 10**400, -(10**400)]
WHOLES = [0, -1, -(10**30), 0.5, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**18, 10**30, 10**400]


def fails(*without: str) -> list[Value]:
    """Everything that is no number."""
    return [one for one in (*JUNK, *TEXTS, *LISTS, *BOOLS, *NOT_FINITE) if one.name not in without]


def numbers(good: Callable[[float], bool], spelt: float | None = None) -> list[Value]:
    """For a real number: `good` says which are in range, `spelt` is one that is written in other ways too."""
    found = [Value(repr(x) if abs(x) < 1e300 else f"{x:.3}"[:12], lambda x=x: x, _plain(x, good)) for x in REALS[:14]]
    found += [_fixed("10**400", 10**400), _fixed("-10**400", -(10**400))]
    return [*fails(), *found, *(spellings(spelt) if spelt is not None else [])]


def _plain(x: Any, good: Callable[[float], bool]) -> Any:
    return float(x) if good(float(x)) else NOTHING


def wholes(good: Callable[[int], bool], spelt: int | None = None) -> list[Value]:
    """For a whole number."""
    found = []
    for number in WHOLES:
        name = f"{float(number):.3g}" if abs(number) < 10**300 else "10**400"
        fine = number == int(number) and good(int(number))
        found.append(_fixed(f"{name}:{type(number).__name__}", number, int(number) if fine else NOTHING))
    return [*fails(), *found, *(whole_spellings(spelt) if spelt is not None else [])]


def spellings(x: float) -> list[Value]:
    """Other ways to write a number that has few digits: let through with its meaning, or refused."""
    return [
        _fixed(f"np.float64({x})", np.float64(x), x),
        _fixed(f"np.float32({x})", np.float32(x), x),
        _fixed(f"np.longdouble({x})", np.longdouble(x), x),
        _fixed(f"Fraction({x})", Fraction(x), x),
        _fixed(f"Decimal({x})", Decimal(x), x),
        _fixed(f"FloatAlike({x})", FloatAlike(x), x),
    ]


def whole_spellings(n: int) -> list[Value]:
    """Other ways to write a whole number."""
    return [
        *(_fixed(f"{kind.__name__}({n})", kind(n), n) for kind in (np.int64, np.int8, np.uint64, float, np.float64)),
        _fixed(f"Fraction({n})", Fraction(n), n),
        _fixed(f"Decimal({n})", Decimal(n), n),
    ]


def vectors(right: list[float], good: Callable[[float], bool]) -> list[Value]:
    """For a list with a number per arm: junk, and the right list with one entry replaced or otherwise spelt."""
    found = list(fails("masked", "[1]", "array([1.0])", "Series", "generator"))
    for x in (math.nan, math.inf, -math.inf, None, "a", "0.5", 1j, [1.0], True, 10**400, 1e308, 1e200, 1e-320, -1, 0):
        name = f"{right[:-1]} + [{x!r}]"[:60]
        number = isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1.5e308
        plain = [*right[:-1], float(x)] if number and good(float(x)) else NOTHING
        found.append(Value(name, lambda x=x: [*right[:-1], x], plain))
    found += [
        _fixed("too short", right[:-1]),
        _fixed("too long", [*right, right[-1]]),
        _fixed("2-d", [right, right]),
        _fixed("right tuple", tuple(right), right),
        _fixed("right array", np.array(right), right),
        _fixed("right float32", np.array(right, dtype=np.float32), np.array(right, dtype=np.float32).tolist()),
        _fixed("right Fortran", np.array([right, right], order="F")[0], right),
        _fixed("right read-only", _frozen(right), right),
        _fixed("right Series", pd.Series(right, index=[0] * len(right)), right),
        _fixed("right masked", np.ma.masked_array(right, mask=[True] + [False] * (len(right) - 1))),
        _fixed("right Decimals", [Decimal(x) for x in right], right),
        _fixed("right Fractions", [Fraction(x) for x in right], right),
        _fixed("right booleans", [True] * len(right)),
        _fixed("right timedeltas", np.ones(len(right), dtype="timedelta64[s]")),
        _fixed("right texts", [str(x) for x in right]),
    ]
    return found


def _frozen(right: Any) -> np.ndarray:
    array = np.array(right, dtype=float)
    array.flags.writeable = False
    return array


def names() -> list[Value]:
    """For one of several words."""
    return fails()


def flags() -> list[Value]:
    """For True or False."""
    rest = [_fixed(repr(x), x) for x in (0, 1, 0.0, 2.5, "yes", "False")]
    return [*(one for one in fails("True", "False", "np.True_")), *rest]


def paths() -> list[Value]:
    """For the path of a file: there is none at any of these."""
    rest = [_fixed(repr(x), x) for x in (0, 1, 3, -1, 2.5, 10**30, "/dev/null/x", "no/such/folder/x")]
    rest += [_fixed("long path", "x" * 5000), _fixed("long name", "x" * 300)]
    return [*fails(), *rest, _fixed("folder", pathlib.Path("/")), _fixed("bytes path", b"/tmp/x.parquet")]


def records(*others: Any) -> list[Value]:
    """For a record of some kind: junk, numbers, and records of other kinds or classes instead of instances."""
    rest = [_fixed(f"record {getattr(one, '__name__', one)!r}"[:60], one) for one in others]
    return [*fails(), *rest, _fixed("0", 0), _fixed("2.5", 2.5), _fixed("plain tuple", (1.0, 2.0))]


def only(values: Iterable[Value], every: int, start: int = 0) -> list[Value]:
    """Some of many values, for functions that lead to the same check as another one."""
    return list(values)[start::every]
