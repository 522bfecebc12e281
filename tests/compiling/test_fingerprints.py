"""Fingerprints of live code: whatever code reaches, a change of it changes them, and nothing else does."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import riskbandits as rb
from riskbandits.compiling.fingerprints import UnreadableError, code_fingerprint
from riskbandits.simulation.methods import METHODS
from riskbandits.simulation.replications import play_range

HEAD = """
import ctypes, decimal, enum, fractions, functools, math, re, threading, types
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from typing import NamedTuple
import numba
import numpy as np
from numba.extending import overload
"""
# What a function `f` of one module reaches, by kind: (the expression in f, what it names in another module, the same
# changed). `pack.inner` is that other module; what is defined there is reached in every way that code has.
THINGS = {
    "whole number": ("A = 1", "A = 2"),
    "truth": ("A = True", "A = False"),
    "number or truth": ("A = 1", "A = True"),
    "sign of zero": ("A = 0.0", "A = -0.0"),
    "complex": ("A = 1j", "A = 2j"),
    "text": ("A = 'mean'", "A = 'variance'"),
    "bytes": ("A = b'a'", "A = b'b'"),
    "none": ("A = None", "A = 0"),
    "range": ("A = range(3)", "A = range(4)"),
    "slice": ("A = slice(3)", "A = slice(4)"),
    "tuple": ("A = (1.0, 2.0)", "A = (1.0, 3.0)"),
    "tuple in a tuple": ("A = ((1.0,), 2.0)", "A = ((2.0,), 2.0)"),
    "list": ("A = [1.0, 2.0]", "A = [1.0, 3.0]"),
    "dict": ("A = {'a': 1.0}", "A = {'a': 2.0}"),
    "keys of a dict": ("A = {'a': 1.0}", "A = {'b': 1.0}"),
    "order of a dict": ("A = {'a': 1.0, 'b': 1.0}", "A = {'b': 1.0, 'a': 1.0}"),
    "set": ("A = {'a', 'b', 'c'}", "A = {'a', 'b', 'd'}"),
    "frozenset": ("A = frozenset(('a', 'b', 'c'))", "A = frozenset(('a', 'b'))"),
    "np.float32": ("A = np.float32(1.5)", "A = np.float32(2.5)"),
    "width of a number": ("A = np.float32(1.5)", "A = np.float64(1.5)"),
    "np.int64": ("A = np.int64(1)", "A = np.int64(2)"),
    "np.datetime64": ("A = np.datetime64('2020-01-01')", "A = np.datetime64('2020-01-02')"),
    "structured scalar": ("A = np.array([(1, 2.0)], 'i8,f8')[0]", "A = np.array([(1, 3.0)], 'i8,f8')[0]"),
    "array": ("A = np.zeros(3)", "A = np.ones(3)"),
    "order of an array": ("A = np.zeros((2, 3))", "A = np.zeros((2, 3), order='F')"),
    "lock on an array": ("A = np.zeros(3)", "A = np.zeros(3); A.flags.writeable = False"),
    "array of objects": ("A = np.array(['a', 1], dtype=object)", "A = np.array(['a', 2], dtype=object)"),
    "dtype": ("A = np.dtype('f4')", "A = np.dtype('f8')"),
    "ufunc": ("A = np.sin", "A = np.cos"),
    "function": ("def A(x): return x + 1.0", "def A(x): return x + 2.0"),
    "its default": ("def A(x=1.0): return x", "def A(x=2.0): return x"),
    "its keyword": ("def A(*, x=1.0): return x", "def A(*, x=2.0): return x"),
    "its closure": (
        "def made(c):\n    return lambda x: x + c\nA = made(1.0)",
        "def made(c):\n    return lambda x: x + c\nA = made(2.0)",
    ),
    "its attribute": ("def A(): return A.c\nA.c = 1.0", "def A(): return A.c\nA.c = 2.0"),
    "one function per type": (
        "@functools.singledispatch\ndef A(x): return x\n@A.register\ndef g(x: int): return 1.0",
        "@functools.singledispatch\ndef A(x): return x\n@A.register\ndef g(x: int): return 2.0",
    ),
    "what numba compiles in its place": (
        "def A(x): return x\n@overload(A)\ndef g(x): return lambda x: x + 1.0",
        "def A(x): return x\n@overload(A)\ndef g(x): return lambda x: x + 2.0",
    ),
    "what it calls": ("def g(): return 1.0\ndef A(): return g()", "def g(): return 2.0\ndef A(): return g()"),
    "what it loops over": ("def A(): return [x for x in (1, 2)]", "def A(): return [x for x in (1, 3)]"),
    "a function in it": ("def A():\n    return (lambda: B)()\nB = 1", "def A():\n    return (lambda: B)()\nB = 2"),
    "njit": ("@numba.njit\ndef A(x): return x + 1.0", "@numba.njit\ndef A(x): return x + 2.0"),
    "options of njit": ("@numba.njit\ndef A(x): return x", "@numba.njit(fastmath=True)\ndef A(x): return x"),
    "what njit calls": (
        "B = 1.0\n@numba.njit\ndef A(x): return x + B",
        "B = 2.0\n@numba.njit\ndef A(x): return x + B",
    ),
    "vectorize": ("@numba.vectorize\ndef A(x): return x + 1.0", "@numba.vectorize\ndef A(x): return x + 2.0"),
    "partial": ("A = functools.partial(max, 1.0)", "A = functools.partial(max, 2.0)"),
    "cached": ("@functools.cache\ndef A(): return 1.0", "@functools.cache\ndef A(): return 2.0"),
    "builtin": ("A = math.sin", "A = math.cos"),
    "method of a thing": ("A = 'a'.join", "A = 'b'.join"),
    "enum": ("class A(enum.Enum):\n    one = 1.0", "class A(enum.Enum):\n    one = 2.0"),
    "member of an enum": (
        "class E(enum.IntEnum):\n    one = 1\n    two = 2\nA = E.one",
        "class E(enum.IntEnum):\n    one = 1\n    two = 2\nA = E.two",
    ),
    "value of a member": (
        "class E(enum.IntEnum):\n    one = 1\nA = E.one",
        "class E(enum.IntEnum):\n    one = 2\nA = E.one",
    ),
    "record": ("class R(NamedTuple):\n    a: float\nA = R(1.0)", "class R(NamedTuple):\n    a: float\nA = R(2.0)"),
    "record with an array": (
        "class R(NamedTuple):\n    a: object\nA = R(np.zeros(2))",
        "class R(NamedTuple):\n    a: object\nA = R(np.ones(2))",
    ),
    "namedtuple": ("A = namedtuple('R', 'a')(1.0)", "A = namedtuple('R', 'a')(2.0)"),
    "fields of a record": ("class A(NamedTuple):\n    a: float", "class A(NamedTuple):\n    b: float"),
    "defaults of a record": ("class A(NamedTuple):\n    a: float = 1.0", "class A(NamedTuple):\n    a: float = 2.0"),
    "method of a record": (
        "class A(NamedTuple):\n    def f(self): return 1.0",
        "class A(NamedTuple):\n    def f(self): return 2.0",
    ),
    "operator of a record": (
        "class A(NamedTuple):\n    def __add__(self, other): return 1.0",
        "class A(NamedTuple):\n    def __add__(self, other): return 2.0",
    ),
    "preset of a record": (
        "class A(NamedTuple):\n    @classmethod\n    def f(cls): return 1.0",
        "class A(NamedTuple):\n    @classmethod\n    def f(cls): return 2.0",
    ),
    "property": (
        "class A:\n    @property\n    def f(self): return 1.0",
        "class A:\n    @property\n    def f(self): return 2.0",
    ),
    "static method": (
        "class A:\n    @staticmethod\n    def f(): return 1.0",
        "class A:\n    @staticmethod\n    def f(): return 2.0",
    ),
    "constant of a class": ("class A:\n    c = 1.0", "class A:\n    c = 2.0"),
    "class above": ("class B:\n    c = 1.0\nclass A(B): pass", "class B:\n    c = 2.0\nclass A(B): pass"),
    "instance": ("class B: pass\nA = B()\nA.c = 1.0", "class B: pass\nA = B()\nA.c = 2.0"),
    "slots": (
        "class B:\n    __slots__ = ('c',)\nA = B()\nA.c = 1.0",
        "class B:\n    __slots__ = ('c',)\nA = B()\nA.c = 2.0",
    ),
    "class of an instance": (
        "class B:\n    def f(self): return 1.0\nA = B()",
        "class B:\n    def f(self): return 2.0\nA = B()",
    ),
    "frozen dataclass": (
        "@dataclass(frozen=True)\nclass B:\n    c: float\nA = B(1.0)",
        "@dataclass(frozen=True)\nclass B:\n    c: float\nA = B(2.0)",
    ),
    "bound method": (
        "class B:\n    def f(self): return self.c\nb = B()\nb.c = 1.0\nA = b.f",
        "class B:\n    def f(self): return self.c\nb = B()\nb.c = 2.0\nA = b.f",
    ),
    "number of one's own": ("class B(float): pass\nA = B(1.0)", "class B(float): pass\nA = B(2.0)"),
    "list of one's own": ("class B(list): pass\nA = B([1.0])", "class B(list): pass\nA = B([2.0])"),
    "namespace": ("A = types.SimpleNamespace(c=1.0)", "A = types.SimpleNamespace(c=2.0)"),
    "decimal": ("A = decimal.Decimal('1.0')", "A = decimal.Decimal('2.0')"),
    "fraction": ("A = fractions.Fraction(1, 2)", "A = fractions.Fraction(1, 3)"),
    "deque": ("A = deque([1.0])", "A = deque([2.0])"),
    "ordered dict": ("A = OrderedDict(a=1.0)", "A = OrderedDict(a=2.0)"),
    "pattern": ("A = re.compile('a')", "A = re.compile('b')"),
    "module": ("import math as A", "import cmath as A"),
}
# How code may reach the thing A of the module pack.inner: what stands above f, and the expression in f.
WAYS = {
    "by name": ("from pack.inner import A", "A"),
    "of a module": ("from pack import inner", "inner.A"),
    "of a module in a package": ("import pack.inner", "pack.inner.A"),
    "handed on": ("from pack import inner", "(lambda m: m.A)(inner)"),
    "by getattr": ("from pack import inner", "getattr(inner, 'A')"),
    "in a tuple": ("from pack.inner import A\nT = (A,)", "T[0]"),
}
UNREADABLE = {
    "lock": "A = threading.Lock()",
    "C function": "A = ctypes.CFUNCTYPE(ctypes.c_double)()",
    "generator": "A = (x for x in ())",
    "type of numba's": "A = numba.float64",
    "generator of numbers": "A = np.random.default_rng(1)",
    "what answers with an error": "class B:\n    def __getattribute__(self, name): raise OSError(name)\nA = B()",
    "ufunc of one's own": "A = np.frompyfunc(abs, 1, 1)",
    "class by a class of one's own": "class M(type): pass\nclass A(metaclass=M): pass",
    "masked array": "A = np.ma.masked_array([1.0, 2.0], [True, False])",
    "module in a list": "from pack import other\nA = [other]",
}


def function(folder: Path, thing: str, way: str):
    """The function f that reaches a thing, from modules of the same names every time."""
    pack = folder / "pack"
    pack.mkdir(parents=True)
    (pack / "__init__.py").write_text("")
    (pack / "other.py").write_text("")
    (pack / "inner.py").write_text(HEAD + thing + "\n")
    above, expression = WAYS[way]
    (folder / "reaching.py").write_text(f"{above}\ndef f():\n    return {expression}\n")
    for name in ("pack", "pack.inner", "pack.other", "reaching"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("reaching").f
    finally:
        sys.path.remove(str(folder))


@pytest.mark.parametrize(
    "way", [*list(WAYS)[:3], *(pytest.param(way, marks=pytest.mark.full) for way in list(WAYS)[3:])]
)
@pytest.mark.parametrize("kind", THINGS)
def test_a_change_of_what_code_reaches_is_seen(kind, way, tmp_path):
    first, second = THINGS[kind]
    one = code_fingerprint("", function(tmp_path / "1", first, way))
    again = code_fingerprint("", function(tmp_path / "2", first, way))
    other = code_fingerprint("", function(tmp_path / "3", second, way))
    assert one == again
    assert one != other


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_read_has_no_fingerprint(kind, tmp_path):
    with pytest.raises(UnreadableError):
        code_fingerprint("", function(tmp_path, UNREADABLE[kind], "of a module"))


def test_another_process_finds_the_same(run_python, tmp_path):
    """No addresses, no ids, no order that the process has made up."""
    code = f"""
import json, sys, tempfile
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_fingerprints as test
print(json.dumps(test.all_fingerprints(Path(tempfile.mkdtemp(dir={str(tmp_path)!r})))))
"""
    found = [json.loads(run_python(code, PYTHONHASHSEED=seed)) for seed in ("1", "2")]
    assert found[0] == found[1]
    assert found[0] == all_fingerprints(tmp_path / "here")


def all_fingerprints(folder: Path) -> dict[str, str]:
    found = {
        kind: code_fingerprint("", function(folder / str(number), first, "of a module"))
        for number, (kind, (first, _)) in enumerate(THINGS.items())
    }
    for name, method in METHODS.items():
        found[name] = code_fingerprint("", method.play, play_range, rb.MVTS, rb.MeanVariance, rb.GaussianArms)
    return found


def test_everything_in_the_package_can_be_read():
    """Or it would be compiled anew in every process."""
    for method in METHODS.values():
        code_fingerprint("", method.play, play_range)
    public = [getattr(rb, name) for name in rb.__all__]
    records = [one for one in public if isinstance(one, type) and hasattr(one, "_fields")]
    records = [one for one in records if one not in rb.identification.RULES]  # plain Python, which nobody compiles
    assert len(records) > 40
    for record in records:
        code_fingerprint("", record)


def test_what_python_keeps_of_the_body_of_a_class_is_no_part_of_it(tmp_path):
    """Since Python 3.14 a record has a cell of its own, unless its annotations are texts."""
    f = function(tmp_path, "class A(NamedTuple):\n    a: float", "of a module in a package")
    record = sys.modules["pack.inner"].A
    record.__classdictcell__ = types.CellType()
    before = code_fingerprint("", f)
    record.__classdictcell__ = types.CellType(1)
    assert code_fingerprint("", f) == before


def test_a_member_that_changes_while_the_process_runs_is_seen(tmp_path):
    f = function(tmp_path, "A = 1.0", "of a module in a package")
    before = code_fingerprint("", f)
    sys.modules["pack.inner"].A = 2.0
    assert code_fingerprint("", f) != before


def test_a_thing_met_twice_is_told_from_its_equal(tmp_path):
    """(f, g, f) and (f, g, g) are not the same."""
    thing = "def f(): return 1\ndef g(): return 2\nA = (f, g, {})"
    one = code_fingerprint("", function(tmp_path / "1", thing.format("f"), "by name"))
    assert one != code_fingerprint("", function(tmp_path / "2", thing.format("g"), "by name"))


FINGERPRINTS = """
import riskbandits as rb
from riskbandits.compiling.fingerprints import code_fingerprint

public = [getattr(rb, name) for name in dir(rb)]
records = [one for one in public if isinstance(one, type) and hasattr(one, "score")]
print(*(f"{one.__name__} {code_fingerprint('', one)}" for one in records), sep="\\n")
"""


def test_policies_are_the_same_wherever_the_package_lies(tmp_path):
    package = Path(rb.__file__).parent
    shutil.copytree(package, tmp_path / "riskbandits", ignore=shutil.ignore_patterns("__pycache__", "*.nb?", "*.html"))
    found = []
    for place in (package.parent, tmp_path):
        environment = os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", FINGERPRINTS], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert len(found[0].splitlines()) > 20
    assert found[0] == found[1]
