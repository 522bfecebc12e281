"""Helpers are text until what Python calls links them; where that fails, numba's own way gives the same numbers."""

from __future__ import annotations

import functools
import inspect
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import codegen, compiler, config, event

import riskbandits as rb
from riskbandits.compiling import compiled_sets, jit, linking
from riskbandits.compiling.linking import EntryLibrary, HelperLibrary

TESTS = Path(__file__).parents[1]


@jit.jitable
def half(number):
    return 0.5 * number


@jit.always_inline
def quarter(number):
    return half(half(number))


@numba.njit
def squared(number):
    return number * number


@numba.njit
def fourth_power(number):
    if number == 99.0:
        raise ValueError("not that one")
    return squared(squared(number))


class Quarters(NamedTuple):
    factor: float

    def value(self, number):
        return self.factor * quarter(number) + half(number)


class Powers(NamedTuple):
    factor: float

    def value(self, number):
        return self.factor * fourth_power(number)


def total(record, numbers):
    found = 0.0
    for number in numbers:
        found += record.value(number)
    return found


def smallest(record, numbers):
    found = record.factor
    for number in numbers:
        found = min(found, number)
    return found


class Compiled(event.Listener):
    """The functions that numba compiles, counted by name."""

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


def test_a_helper_is_text_compiled_once_and_not_forced_inline_by_its_first_caller(seen):
    call = jit.entry(total, [Quarters])
    assert call(Quarters(4.0), np.array([1.0, 2.0])) == 3.0 + 1.5
    assert seen.names[f"{__name__}.half"] == seen.names[f"{__name__}.quarter"] == 1
    (result,) = call.overloads.values()
    assert isinstance(result.library, EntryLibrary)
    (template,) = [one.template for one in compiled_sets._helpers if one.function is half]
    (made,) = [dispatcher for dispatcher, _ in template._impl_cache.values()]
    (result,) = made.overloads.values()
    assert isinstance(result.library, HelperLibrary)
    assert not result.fndesc.inline


def test_an_own_compiled_function_can_be_called_from_python_too(seen):
    numbers = np.array([1.0, 2.0])
    assert jit.entry(total, [Powers])(Powers(2.0), numbers) == 2.0 * 17.0
    assert squared(3.0) == 9.0  # compiled as a helper of the entry, and called by Python now
    assert fourth_power(2.0) == 16.0
    with pytest.raises(ValueError, match="not that one"):
        fourth_power(99.0)
    assert fourth_power(np.int64(2)) == 16  # compiled by numba alone
    assert seen.names[f"{__name__}.fourth_power"] == 2

    @numba.njit
    def theirs(number):
        return fourth_power(number) + squared(number)

    assert theirs(2.0) == 20.0


def test_numbas_own_functions_serve_others_afterwards(seen):
    assert jit.entry(smallest, [Quarters])(Quarters(4.0), np.array([3.0, 1.0, 2.0])) == 1.0

    @numba.njit(error_model="numpy", nogil=True)
    def theirs(a, b):
        return min(a, b)

    assert theirs(2.0, 1.0) == 1.0


def test_what_is_compiled_gives_the_numbers_of_python():
    problem = rb.Problem(rb.GaussianArms([0.1, 0.5], [0.1, 0.4]), rb.MeanVariance(1.0))
    found = {
        method: rb.simulate(problem, [rb.MVTS()], horizon=200, runs=2, method=method, progress=False).traces[0]
        for method in ("plain", "python")
    }
    assert np.array_equal(found["plain"].pulls, found["python"].pulls)
    assert np.allclose(found["plain"].sums, found["python"].sums, rtol=1e-13)


# Compiles a kernel in a process of its own, with one name of numba's broken, and prints the numbers.
BROKEN = """
import json, sys
import riskbandits as rb
exec(sys.argv[1])
problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.2, 1.5]), rb.MeanVariance(1.0))
try:
    result = rb.simulate(problem, [rb.MVTS()], horizon=300, runs=2, seed=3, method=sys.argv[2], progress=False)
    print(json.dumps({"sums": result.traces[0].sums.tolist()}))
except rb.errors.CompilerError as error:
    print(json.dumps({"fault": str(error)}))
"""
# What linking uses of numba without its being documented, and how each is taken away.
PRIVATE = {
    "JITCodeLibrary": "import numba.core.codegen as c; del c.JITCodeLibrary",
    "_finalize_dynamic_globals": "import numba.core.codegen as c; del c.CPUCodeLibrary._finalize_dynamic_globals",
    "_optimize_functions": "import numba.core.codegen as c; del c.CPUCodeLibrary._optimize_functions",
    "_get_module_for_linking": "import numba.core.codegen as c; del c.CPUCodeLibrary._get_module_for_linking",
    "_optimize_final_module": "import numba.core.codegen as c; del c.CPUCodeLibrary._optimize_final_module",
    "_module_pass_manager": "import numba.core.codegen as c; del c.CPUCodegen._module_pass_manager",
    "add_llvm_module": "import numba.core.codegen as c; del c.CPUCodeLibrary.add_llvm_module",
    "enable_object_caching": "import numba.core.codegen as c; del c.CodeLibrary.enable_object_caching",
    "set_env": "import numba.core.codegen as c; del c.JITCPUCodegen.set_env",
    "is_symbol_defined": "import numba.core.codegen as c; del c.JitEngine.is_symbol_defined",
    "_find_referenced_environments": (
        "import numba.core.compiler as c; del c.CompileResult._find_referenced_environments"
    ),
    "_library_class": (
        "import numba.core.codegen as c\n"
        "def create(self, name, **kwargs): return c.JITCodeLibrary(self, name, **kwargs)\n"
        "c.Codegen.create_library = create"
    ),
    "_final_module": (
        "import numba.core.codegen as c\n"
        "start = c.CPUCodeLibrary.__init__\n"
        "def init(self, codegen, name): start(self, codegen, name); del self._final_module\n"
        "c.CPUCodeLibrary.__init__ = init"
    ),
    "_linking_libraries": (
        "import numba.core.codegen as c\n"
        "start = c.CPUCodeLibrary.__init__\n"
        "def init(self, codegen, name): start(self, codegen, name); del self._linking_libraries\n"
        "c.CPUCodeLibrary.__init__ = init"
    ),
    "compile_extra": (
        "import numba.core.compiler as c\n"
        "ours = c.CompilerBase.compile_extra\n"
        "def two(self, func, more): return ours(self, func)\n"
        "c.CompilerBase.compile_extra = two"
    ),
    "_engine": (
        "import numba.core.codegen as c\n"
        "start = c.CPUCodegen._init\n"
        "def init(self, module): start(self, module); self.engine = self.__dict__.pop('_engine')\n"
        "c.CPUCodegen._init = init"
    ),
}


def run_broken(how: str, method: str, folder: Path) -> tuple[dict, str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(
        [sys.executable, "-c", BROKEN, how, method], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    return json.loads(ended.stdout), ended.stderr


@functools.cache
def whole(method: str) -> dict:
    """The numbers with nothing broken."""
    with tempfile.TemporaryDirectory() as folder:
        found, said = run_broken("", method, Path(folder))
    assert "linked" not in said
    return found


def check_broken(name: str, method: str, folder: Path) -> None:
    expected = whole(method)
    found, said = run_broken(PRIVATE[name], method, folder)
    if "fault" in found:
        assert found["fault"].startswith(f"numba {numba.__version__} failed while compiling"), found
    else:
        assert found == expected
        said_so = said.count(f"With numba {numba.__version__} helpers cannot be linked")
        assert said_so == (name != "_library_class")  # without it helpers are linked as machine code: slower, and right


def test_without_a_private_name_numbas_own_way_gives_the_same_numbers(tmp_path):
    check_broken("_find_referenced_environments", "plain", tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", PRIVATE)
def test_without_any_private_name_the_numbers_are_right_or_numba_is_blamed(name, tmp_path):
    check_broken(name, "plain", tmp_path)


def test_every_private_name_of_numbas_that_linking_uses_is_broken_above():
    source = inspect.getsource(linking)
    named = {name for name in PRIVATE if name.startswith("_")}
    bases = (codegen.JITCodeLibrary, codegen.JITCPUCodegen, codegen.JitEngine, compiler.CompileResult)
    private = {name for base in bases for name in dir(base) if name.startswith("_") and not name.startswith("__")}
    private |= {"_final_module", "_linking_libraries", "_shared_module", "_codegen", "_engine", "_reload_init"}
    used = {name for name in private if f".{name}" in source or f"def {name}" in source}
    # Set by numba's constructors, which are broken through those that are listed; or only carried along.
    assert used - named <= {"_shared_module", "_codegen", "_reload_init", "_data_layout", "_finalized"}


def test_a_newer_numba_is_named_in_a_sentence(monkeypatch, capsys):
    from riskbandits.compiling import errors

    monkeypatch.setattr(numba, "__version__", "9.1.0")
    errors.say_if_untried()
    assert "numba 9.1.0 is newer than what riskbandits was tried with" in capsys.readouterr().err


COUNTED = """
import json
import riskbandits as rb
from numba.core import event
from compiling.test_linking import Compiled

listener = Compiled()
event.register("numba:compile", listener)
problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.2, 1.5]), rb.MeanVariance(1.0))
rb.simulate(problem, [rb.MVTS()], horizon=100, runs=1, method="lazy", progress=False)
print(json.dumps(listener.names))
"""


@pytest.mark.full
def test_hardly_a_helper_of_a_kernel_is_compiled_twice(tmp_path):
    """A step that is a whole number here and a float there compiles all that it reaches twice."""
    path = os.pathsep.join([str(TESTS), *sys.path])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": path}
    ended = subprocess.run([sys.executable, "-c", COUNTED], env=environment, check=True, capture_output=True, text=True)
    ours = {name: times for name, times in json.loads(ended.stdout).items() if name.startswith("riskbandits.")}
    assert len(ours) > 50
    assert sum(ours.values()) < 1.15 * len(ours)


SHARED = """
import numba
import riskbandits as rb
from riskbandits.numerics import divergences

problem = rb.Problem(rb.GaussianArms([0.1, 0.5], [0.1, 0.4]), rb.MeanVariance(1.0))
rb.simulate(problem, [rb.IMEDMV()], horizon=50, runs=1, method="plain", progress=False)
rb.Learner(rb.IMEDMV(), ["a", "b"], rb.MeanVariance(1.0)).ask()
ours = divergences.bernoulli_k_inf
assert numba.njit(lambda b, c, d: ours(b, c, d))(0.4, 0.2, 0.5) == ours(0.4, 0.2, 0.5)
"""


def test_code_of_other_people_does_not_call_what_an_entry_made_of_a_helper(tmp_path):
    """LLVM changes how helpers of an entry are called; whoever links the same helper must not find that one."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", SHARED], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
