"""Compiled code on disk: used again by the next process, never for another algorithm than the one on hand."""

from __future__ import annotations

import json
import math
import types
from typing import NamedTuple

import pytest

import riskbandits as rb
from riskbandits.compiling import jit

POLICY = """
import math
from typing import NamedTuple
from helper import bonus

SIGN = 1.0

class Edited(NamedTuple):
    '''A policy that will be edited.'''
    def score(self, state, k, run, risk, rng):
        return SIGN * k + bonus(k)
    def learn(self, state, k, run, reward):
        pass

def favourite(policy):
    best = 0
    for k in range(15):
        if policy.score(0.0, k, 0.0, 0.0, 0.0) > policy.score(0.0, best, 0.0, 0.0, 0.0):
            best = k
    return best
"""
HELPER = """
from riskbandits.compiling.jit import jitable

@jitable
def bonus(k):
    return 0.0
"""
USE = """
import json, sys
sys.path.insert(0, {folder!r})
import riskbandits as rb
from riskbandits.compiling import jit
from edited import Edited
BETWEEN
result = rb.simulate(rb.problems.zhu_tan_gaussian(1), [Edited()], horizon=15, runs=1, progress=False)
[kernel] = [e for key, e in jit._entries.items() if key[0].__name__ == "play_run"]
print(json.dumps([int(result.pulls("Edited")[0].argmax()), sum(kernel.stats.cache_misses.values())]))
"""
# The same of a function that is compiled in no time: all that Python calls is compiled and kept in one way.
USE_SMALL = """
import json, sys
sys.path.insert(0, {folder!r})
from riskbandits.compiling import jit
from edited import Edited, favourite
find = jit.entry(favourite, (Edited,))
print(json.dumps([find(Edited()), sum(find.stats.cache_misses.values())]))
"""


@pytest.fixture
def use(run_python, tmp_path):
    (tmp_path / "edited.py").write_text(POLICY)
    (tmp_path / "helper.py").write_text(HELPER)

    def run(between="", code=USE):
        code = code.replace("BETWEEN", between).format(folder=str(tmp_path))
        return json.loads(run_python(code, PYTHONDONTWRITEBYTECODE="1", NUMBA_CACHE_DIR=str(tmp_path / "cache")))

    return run


def test_an_edited_policy_is_never_answered_from_a_stale_cache(use, tmp_path):
    def small():
        return use(code=USE_SMALL)

    assert small() == [14, 1]  # compiled
    assert small() == [14, 0]  # found on disk
    policy = tmp_path / "edited.py"
    policy.write_text(POLICY.replace("SIGN * k", "-SIGN * k"))
    assert small()[0] == 0
    policy.write_text(POLICY.replace("SIGN = 1.0", "SIGN = -1.0"))  # a constant beside the class
    assert small()[0] == 0
    policy.write_text(POLICY)
    (tmp_path / "helper.py").write_text(HELPER.replace("return 0.0", "return 100.0 if k == 1 else 0.0"))
    assert small()[0] == 1  # a function in another file
    (tmp_path / "helper.py").write_text(HELPER)
    assert small() == [14, 0]  # the first version again: still on disk


def test_a_file_edited_after_it_was_imported_does_not_poison_the_cache(use, tmp_path):
    new = POLICY.replace("SIGN * k", "-SIGN * k + 0.0")
    between = f"open({str(tmp_path / 'edited.py')!r}, 'w').write({new!r})"
    assert use(between)[0] == 14  # runs what was imported
    assert use()[0] == 0  # runs what is in the file


def test_a_second_process_compiles_nothing_and_imports_nothing_heavy(run_python):
    code = """
import json, sys
import riskbandits as rb
from riskbandits.compiling import jit
result = rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=20, runs=2, progress=False)
[kernel] = jit._entries.values()
heavy = {"scipy.stats", "scipy.special", "pandas", "pyarrow", "matplotlib", "rich", "typer"} & set(sys.modules)
print(json.dumps([sum(kernel.stats.cache_misses.values()), sorted(heavy)]))
"""
    run_python(code)
    assert json.loads(run_python(code)) == [0, []]


def test_results_of_an_index_do_not_compile_twice():
    """rho=1 and rho=1.0, lists and arrays: one compilation."""
    counts = set()
    for rho in (1, 1.0, 2.5):
        problem = rb.Problem(rb.GaussianArms([1, 2], (0.5, 1)), rb.MeanVariance(rho))
        rb.simulate(problem, [rb.MVTS(shape=1)], horizon=5, runs=1, progress=False)
        rb.simulate(problem, [rb.MVTS(shape=0.5)], horizon=5, runs=1, progress=False)
        classes = (rb.MVTS, rb.MeanVariance, rb.GaussianArms)
        kernels = [e for key, e in jit._entries.items() if key[0].__name__ == "play_run" and key[1:4] == classes]
        counts |= {len(kernel.signatures) for kernel in kernels}
    assert counts == {1}


def make(body: str, **names):
    space = {"math": math, **names}
    exec(f"def f(x):\n    return {body}", space)
    return space["f"]


def test_fingerprints_see_what_decides_the_numbers():
    same = [make("x + 1"), make("x + 1")]
    assert jit.fingerprint(same[0]) == jit.fingerprint(same[1])
    others = [
        make("x + 1"),
        make("x + 2"),
        make("x + 1.0"),
        make("x - 1"),
        make("math.sqrt(x)"),
        make("math.cos(x)"),
        make("x + C", C=1.0),
        make("x + C", C=2.0),
        make("g(x)", g=make("x + 1")),
        make("g(x)", g=make("x + 2")),
        make("m.g(x)", m=types.SimpleNamespace()),
        make("x + C[0]", C=(1.0, 2.0)),
        make("x + C[0]", C=(1.0, 3.0)),
    ]
    assert len({jit.fingerprint(f) for f in others}) == len(others)


def test_a_class_made_in_a_function_runs_without_a_file():
    def make_class(arm):
        class Local(NamedTuple):
            """Always one arm."""

            def score(self, state, k, run, risk, rng):
                return 1.0 if k == arm else 0.0

            def learn(self, state, k, run, reward):
                pass

        return Local

    problem = rb.problems.zhu_tan_gaussian(1)
    for arm in (3, 5):
        result = rb.simulate(problem, [make_class(arm)()], horizon=4, runs=1, progress=False)
        assert result.pulls("Local")[0, arm] == 4


def test_records_may_have_methods_of_one_name_and_different_arguments():
    class A(NamedTuple):
        """Two arguments."""

        def bonus(self, x, y):
            return x + y

        def score(self, state, k, run, risk, rng):
            return self.bonus(k, 1.0)

        def learn(self, state, k, run, reward):
            pass

    class B(NamedTuple):
        """One argument, and a record inside a record."""

        inner: A = A()

        def bonus(self, x):
            return -self.inner.bonus(x, 0.0)

        def score(self, state, k, run, risk, rng):
            return self.bonus(k)

        def learn(self, state, k, run, reward):
            pass

    result = rb.simulate(rb.problems.zhu_tan_gaussian(1), [A(), B()], horizon=3, runs=1, progress=False)
    assert result.pulls("A")[0, 14] == 3
    assert result.pulls("B")[0, 0] == 3
