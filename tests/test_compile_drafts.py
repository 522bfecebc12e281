"""What only compiled code calls is compiled once, as a draft: no machine code, no way in from Python."""

from __future__ import annotations

import gc
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from numba.core import config, event
from numba.core.codegen import JITCPUCodegen
from numba.core.compiler import Flags

import riskbandits as rb
from riskbandits.core import compiled
from riskbandits.core.compile_drafts import Draft, Settled, older_objects_left_alone
from riskbandits.simulation.jobs import Job
from riskbandits.simulation.replications import compiled_kernel


@compiled.function
def half(number):
    return 0.5 * number


@compiled.inlined
def quarter(number):
    return half(half(number))


class Quarters(NamedTuple):
    factor: float

    def value(self, number):
        return self.factor * quarter(number) + half(number)


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
    call = compiled.entry(asked, [Quarters])
    assert call(Quarters(4.0), np.array([1.0, 2.0])) == 3.0 + 1.5
    assert seen.names[f"{__name__}.half"] == seen.names[f"{__name__}.quarter"] == 1
    assert [name for name in loaded if name in ("half", "quarter", "Quarters.value")] == []
    assert "border" in loaded  # what Python calls
    (template,) = [one.template for one in compiled.compile_worlds._helpers if one.function is half]
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


@pytest.mark.full
def test_no_helper_of_a_kernel_is_compiled_twice(seen):
    """A step that is a whole number here and a float there compiles all that it reaches twice."""
    problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.2, 1.5]), rb.MeanVariance(1.0))
    compiled_kernel(Job("", rb.MVTS(), problem, np.array([100]), 1, 1, "lazy"))
    ours = {name: times for name, times in seen.names.items() if name.startswith("riskbandits.")}
    assert len(ours) > 50
    assert {name for name, times in ours.items() if times > 1} == set()


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
