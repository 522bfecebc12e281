"""What only compiled code calls is compiled once, as a draft: no machine code, no way in from Python."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import config, event, ir, types, utils
from numba.core.base import BaseContext
from numba.core.codegen import JITCPUCodegen
from numba.core.compiler import Flags
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import _OverloadFunctionTemplate, builtin_registry

import riskbandits as rb
from riskbandits.compiling import jit, shortcuts
from riskbandits.compiling.linking import Draft, Settled, Whole, older_objects_left_alone


@jit.jitable
def half(number):
    return 0.5 * number


@jit.always_inline
def quarter(number):
    return half(half(number))


class Quarters(NamedTuple):
    factor: float

    def value(self, number):
        return self.factor * quarter(number) + half(number)


@jit.jitable
def apart(number):
    return 2.0 * number


def rarely(record, numbers):
    total = 0.0
    for number in numbers:
        total += 2.0 * half(number)
    return apart(total)


def smallest(record, numbers):
    found = record.factor
    for number in numbers:
        found = min(found, number)
    return found


def _templates_of(function):
    """What numba has compiled of a builtin function."""
    for key, kind in builtin_registry.globals:
        if key is function:
            for template in kind.templates:
                yield from getattr(template, "_impl_cache", {}).values()


_finalize = Whole._finalize_final_module


def _noting(library, loaded):
    loaded.append([one.name for one in library._final_module.functions if not one.is_declaration])
    _finalize(library)


def asked(record, numbers):
    total = 0.0
    for number in numbers:
        total += record.value(number)
    return total


class Compiled(event.Listener):
    """The functions that numba compiles, by name."""

    def __init__(self):
        self.names = Counter()

    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        self.names[f"{function.__module__}.{function.__qualname__}"] += 1

    def on_end(self, event):
        pass


@pytest.fixture
def seen(monkeypatch, tmp_path):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))  # nothing is on disk
    listener = Compiled()
    event.register("numba:compile", listener)
    yield listener
    event.unregister("numba:compile", listener)


def test_a_helper_is_a_draft_compiled_once_and_not_forced_inline_by_its_first_caller(seen, monkeypatch):
    loaded, load = [], JITCPUCodegen._add_module

    def noted(self, module):
        loaded.append(module.name)
        return load(self, module)

    monkeypatch.setattr(JITCPUCodegen, "_add_module", noted)
    call = jit.entry(asked, [Quarters])
    assert call(Quarters(4.0), np.array([1.0, 2.0])) == 3.0 + 1.5
    assert seen.names[f"{__name__}.half"] == seen.names[f"{__name__}.quarter"] == 1
    assert [name for name in loaded if name in ("half", "quarter", "Quarters.value")] == []
    assert "border" in loaded  # what Python calls
    (template,) = [one.template for one in jit.compiled_sets._helpers if one.function is half]
    (made,) = [disp for disp, _ in template._impl_cache.values()]
    (result,) = made.overloads.values()
    assert isinstance(result.library, Draft)
    assert not result.fndesc.inline


def test_what_is_compiled_gives_the_numbers_of_python():
    problem = rb.Problem(rb.GaussianArms([0.1, 0.5], [0.1, 0.4]), rb.MeanVariance(1.0))
    found = {
        method: rb.simulate(problem, [rb.MVTS()], horizon=200, runs=2, method=method, progress=False).traces[0]
        for method in ("plain", "python")
    }
    assert np.array_equal(found["plain"].pulls, found["python"].pulls)
    assert np.allclose(found["plain"].sums, found["python"].sums, rtol=1e-13)


COUNTED = """
import json
import numpy as np
from numba.core import event
import riskbandits as rb
from riskbandits.simulation.job import Job
from riskbandits.simulation.replications import compiled_kernel
from tests.test_compile_drafts import Compiled

listener = Compiled()
event.register("numba:compile", listener)
problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.2, 1.5]), rb.MeanVariance(1.0))
compiled_kernel(Job("", rb.MVTS(), problem, np.array([100]), 1, 1, "lazy"))
print(json.dumps(listener.names))
"""


@pytest.mark.full
def test_no_helper_of_a_kernel_is_compiled_twice(tmp_path):
    """A step that is a whole number here and a float there compiles all that it reaches twice.

    In a process of its own: other tests may have compiled the kernel already, or some of its helpers.
    """
    root = str(Path(__file__).parents[1])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join([root, *sys.path])}
    ended = subprocess.run([sys.executable, "-c", COUNTED], env=environment, check=True, capture_output=True, text=True)
    names = json.loads(ended.stdout)
    ours = {name: times for name, times in names.items() if name.startswith("riskbandits.")}
    assert len(ours) > 50
    assert {name for name, times in ours.items() if times > 1} == set()


def test_numba_is_as_it_was_after_a_shortcut():
    owners = (types.BaseFunction, BaseContext, TypingContext, ir.Inst, event, _OverloadFunctionTemplate, utils)
    names = ("get_call_type", "get_abi_sizeof", "refresh", "_rec_list_vars", "install_timer", "_get_jit_decorator")
    before = {(owner, name): getattr(owner, name) for owner in owners for name in names if hasattr(owner, name)}
    with pytest.raises(ZeroDivisionError), shortcuts.taken({}):
        assert types.BaseFunction.get_call_type is shortcuts.get_call_type
        raise ZeroDivisionError
    assert {(owner, name): getattr(owner, name) for owner, name in before} == before


def test_numbas_own_functions_are_drafts_too_and_serve_others_afterwards(seen):
    call = jit.entry(smallest, [Quarters])
    assert call(Quarters(4.0), np.array([3.0, 1.0, 2.0])) == 1.0
    drafts = [
        result.library
        for made, _ in [found for found in _templates_of(min) if found[0] is not None]
        for result in made.overloads.values()
    ]
    assert any(isinstance(library, Draft) for library in drafts)

    @numba.njit(error_model="numpy", nogil=True)
    def theirs(a, b):
        return min(a, b)

    assert theirs(2.0, 1.0) == 1.0


def test_helpers_kept_apart_stay_functions_of_their_own(seen, monkeypatch):
    loaded = []
    monkeypatch.setattr(Whole, "_finalize_final_module", lambda self: _noting(self, loaded))
    call = jit.entry(rarely, [Quarters])
    assert call(Quarters(4.0), np.array([1.0, 2.0])) == 2.0 * 3.0
    (names,) = loaded
    assert any("5apartB" in name for name in names)
    assert not any("4halfB" in name for name in names)  # called in one place: part of its caller


def test_the_garbage_collector_leaves_older_objects_alone_only_meanwhile():
    gc.unfreeze()  # what other tests of this process may have frozen
    with older_objects_left_alone():
        assert gc.get_freeze_count() > 0
        with older_objects_left_alone():
            pass
        assert gc.get_freeze_count() > 0  # what somebody else froze stays frozen
    assert gc.get_freeze_count() == 0


def test_settled_options_are_equal_to_those_that_they_are_like():
    flags = Flags()
    flags.no_compile = True
    settled = Settled.like(flags)
    assert settled == flags
    assert hash(settled) == hash(flags)
    assert Settled.like(flags.copy()) is settled
    assert settled != Settled.like(Flags())
