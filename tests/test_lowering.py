"""Helpers written in few words compute what Python does, and what numba makes of them itself."""

from __future__ import annotations

import re
import types as python_types
from typing import NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.lowering import Lower

from riskbandits.compiling import jit
from riskbandits.compiling.linking import Whole
from riskbandits.compiling.lowering import lean, sure_calls


def elements(row, table, a, b):
    """Rows and tables, from the start and from the end, with numbers known beforehand and not."""
    row[-1] += 1.0
    row[a] = row[0] - row[b]
    table[a, b] = row[a] + table[-1, 0]
    table[b, -1] -= table[a, a]
    for k in range(row.shape[0]):
        table[k, b] += 0.5 * row[-1 - k]
    return row[a] + 10.0 * table[b, a] + table.shape[0] + table.shape[1]


def ranges(row, table, a, b):
    """Forwards, backwards, in steps, empty, one within the other, left early."""
    total = 0.0
    for k in range(b):
        total += k + 1.0
    for k in range(a, b):
        total = 2.0 * total + k
    for k in range(0, row.shape[0], 2):
        total += row[k] + 1.0
    for k in range(a, 4, 3):
        total += 5.0 + k
    for k in range(b, -1, -1):
        total -= 3.0 * k
    for k in range(7, a, -3):
        total = total * 0.5 + k
    for i in range(a + 1):
        for j in range(i, 4, 3):
            if j > b:
                break
            if i == j:
                continue
            total += i * table[j, i]
    k = -5
    for k in range(a):
        row[k] += 1.0
    return total + 100.0 * k


def branches(row, table, a, b):
    """Variables assigned in one branch, in both, in a loop and before it."""
    low, high = (a, b) if a < b else (b, a)
    scale = row[low] if low > 0 else 2.0
    best, most = -1, -1e300
    step = 0
    while step < high:
        value = scale * table[step, low]
        twice = value + value
        if twice > most:
            best, most = step, twice
        elif a == step:
            scale = -scale
        step += 1
        if value > 50.0:
            return value
    here = best, low
    other = here[0] + here[1]
    return most + best + other + table[here] if best >= 0 else scale


def a_range(stop):
    return range(1, stop)


def kept_ranges(row, table, a, b):
    """Ranges that more than a loop looks at, steps that are not known, and ranges that another function made."""
    both = range(a, b + 2)
    total = 1.0 * len(both)
    for k in both:
        total += k
    for k in both:
        total -= 0.25 * k
    again = range(b)
    for k in again:
        total += 2.0 * k + 1.0
    for k in again:
        total -= k
    for k in range(0, 4, a + 1):
        total += 3.0 * k
    for k in helper_range(b):
        total += 7.0 * k
    return total


helper_range = jit.function(a_range)


def whole_numbers(row, table, a, b):
    """Integers that become other numbers on the way into and out of arrays."""
    counts = np.zeros(4, dtype=np.int64)
    small = np.zeros((4, 4), dtype=np.float32)
    total = filled(counts, small, a, b)
    return total + counts.sum()


@jit.function
def filled(counts, small, a, b):
    counts[a] = 3.7 + b
    counts[np.uint8(b)] += 2
    small[a, b] = 0.1
    return small[a, b] + counts[-1] / 2 + counts[np.int32(a)]


CASES = [elements, ranges, branches, kept_ranges, whole_numbers]
HELPERS = {one: jit.owning(one) if one is whole_numbers else jit.function(one) for one in CASES}
numbers = st.floats(-100.0, 100.0, width=16)


def _called(helper):
    """A function around a helper that Python calls."""

    def call(row, table, a, b):
        return helper(row, table, a, b)

    return _compiled_anew(call)


def _compiled_anew(call):
    """A function compiled now, and not found on disk: files are only kept for classes that can be imported."""

    class Here(NamedTuple):
        number: float

    return jit.entry(call, (Here,))


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_helpers_compute_what_python_does(fn):
    play = _called(HELPERS[fn])

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(numbers, min_size=4, max_size=4),
        st.lists(numbers, min_size=16, max_size=16),
        st.integers(0, 3),
        st.integers(0, 3),
    )
    def agrees(row, cells, a, b):
        python_row, python_table = np.array(row), np.array(cells).reshape(4, 4)
        compiled_row, compiled_table = python_row.copy(), python_table.copy()
        expected = fn(python_row, python_table, a, b)
        assert play(compiled_row, compiled_table, a, b) == expected
        assert np.array_equal(compiled_row, python_row)
        assert np.array_equal(compiled_table, python_table)

    agrees()


def _written(monkeypatch, call, *args):
    """What LLVM is given for a call, line by line."""
    seen = []
    optimise = Whole._optimize_final_module

    def noting(library):
        seen.extend(str(library._final_module).splitlines())
        optimise(library)

    with monkeypatch.context() as patch:
        patch.setattr(Whole, "_optimize_final_module", noting)
        call(*args)
    return seen


def _copy(fn):
    """The same helper anew, not compiled yet."""
    return jit.function(python_types.FunctionType(fn.__code__, fn.__globals__, fn.__name__))


def test_helpers_are_written_in_few_words(monkeypatch):
    args = np.ones(4), np.ones((4, 4)), 1, 2
    few = _written(monkeypatch, _called(_copy(branches)), *args)
    monkeypatch.setattr(lean.LeanLowering, "lowering_class", Lower)
    many = _written(monkeypatch, _called(_copy(branches)), *args)
    assert 0 < len(_body(few, "branches")) < 0.6 * len(_body(many, "branches"))


def _body(lines, name):
    (start,) = (at for at, line in enumerate(lines) if line.startswith("define") and name in line)
    return lines[start : lines.index("}", start)]


@jit.function
def never(number):
    return number + 1.0


@jit.function
def sometimes(number):
    if number < 0.0:
        raise ValueError("below zero")
    return number


@jit.function
def both(number):
    return sometimes(never(number))


def test_exceptions_come_through_and_are_asked_for_only_where_they_can(monkeypatch):
    def call(number):
        return both(number)

    play = _compiled_anew(call)
    lines = _written(monkeypatch, play, 1.0)
    assert play(1.0) == 2.0
    with pytest.raises(ValueError, match="below zero"):
        play(-3.0)
    after = {name: _after_call(lines, name) for name in ("never", "sometimes")}
    assert "icmp" not in after["never"]
    assert "icmp" in after["sometimes"]


def _after_call(lines, name):
    """What is written between a call of a helper and the next call or the end of the block."""
    (at,) = (at for at, line in enumerate(lines) if re.search(rf"= call i32 .*\d{name}B", line))
    rest = lines[at + 1 :]
    return "\n".join(rest[: next(n for n, line in enumerate(rest) if not line.strip() or "call i32" in line)])


def test_numba_itself_is_as_it_was():
    """After what this package compiles, numba writes functions of others as it always did."""
    _called(_copy(elements))(np.ones(4), np.ones((4, 4)), 1, 2)
    from numba.core import base, imputils
    from numba.core.typed_passes import NativeLowering

    assert base.user_function is imputils.user_function
    assert NativeLowering().lowering_class is Lower
    assert base.BaseContext.call_internal is sure_calls._call_internal

    @numba.njit
    def others(row, k):
        return row[k] + row[-1]

    assert others(np.arange(3.0), 1) == 3.0
