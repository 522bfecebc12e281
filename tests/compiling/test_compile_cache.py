"""Compiled code on disk: whatever has become of the files, the answer is right, and nothing dies of them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import riskbandits as rb
from riskbandits.compiling import cache, jit

MODULE = """
import ctypes, math
from typing import NamedTuple
from riskbandits.compiling.jit import jitable

SIGN, BONUS = 1.0, 0.0
cosine = ctypes.CDLL(None).cos
cosine.argtypes, cosine.restype = [ctypes.c_double], ctypes.c_double

@jitable
def bonus(k):
    return BONUS * k

class P(NamedTuple):
    '''A record whose module will be changed.'''
    def score(self, k):
        return SIGN * k + bonus(k)

def favourite(policy):
    best = 0
    for k in range(15):
        if policy.score(k) > policy.score(best):
            best = k
    return best

def unreadable(x):
    return cosine(x)

class Strange(NamedTuple):
    '''A policy that reaches what cannot be read.'''
    def score(self, state, k, run, risk, rng):
        return cosine(float(k))
    def learn(self, state, k, run, reward):
        pass
"""
USE = """
import json, sys
sys.path.insert(0, {folder!r})
from riskbandits.compiling import jit
from changing import P, favourite
BETWEEN
find = jit.entry(favourite, (P,))
print(json.dumps([find(P()), sum(find.stats.cache_misses.values())]))
"""
FOUND, COMPILED = [14, 0], [14, 1]


@pytest.fixture
def use(run_python, tmp_path):
    (tmp_path / "changing.py").write_text(MODULE)

    def run(between="", **environment):
        code = USE.replace("BETWEEN", between).format(folder=str(tmp_path))
        settings = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache"), **environment}
        return json.loads(run_python(code, **settings))

    return run


def files_in(folder: Path) -> list[Path]:
    return [Path(at) / name for at, _, names in os.walk(folder) for name in names]


def test_a_damaged_file_is_compiled_anew_and_mended(use, tmp_path):
    assert use() == COMPILED
    assert use() == FOUND
    [file] = files_in(tmp_path / "cache")
    whole = file.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1])):
        file.write_bytes(damaged)
        assert use() == COMPILED
        assert file.read_bytes()[:40] == whole[:40] or cache.unsealed(file.read_bytes())
        assert use() == FOUND


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_what_others_may_write_is_not_run(use, tmp_path):
    assert use() == COMPILED
    [file] = files_in(tmp_path / "cache")
    for path in (file, file.parent):
        mode = path.stat().st_mode
        path.chmod(mode | 0o002)
        assert use() == COMPILED
        if path is file:
            [file] = files_in(tmp_path / "cache")  # written anew, with the old mode
        path.chmod(mode)
        assert use() == FOUND


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_what_another_user_owns_is_not_run(use, tmp_path):
    assert use() == COMPILED
    [file] = files_in(tmp_path / "cache")
    for path in (file, file.parent):
        os.chown(path, 1234, 1234)
        assert use() == COMPILED
        os.chown(path, 0, 0)
        assert use() == FOUND


FLIPS = """
import json, random, sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from riskbandits.compiling import jit
from changing import P, favourite
find = jit.entry(favourite, (P,))
find(P())
[types] = find.overloads
context = find.targetctx
find._cache._before = lambda: None
[file] = Path({folder!r}, "cache").rglob("*.compiled")
whole = file.read_bytes()
assert find._cache.load_overload(types, context) is not None
draw, loaded = random.Random(0), 0
for _ in range({flips}):
    place = draw.randrange(8 * len(whole)) if draw.random() < 0.8 else draw.randrange(8 * 80)
    broken = bytearray(whole)
    broken[place // 8] ^= 1 << place % 8
    file.write_bytes(broken)
    loaded += find._cache.load_overload(types, context) is not None
print(json.dumps([loaded]))
"""


@pytest.mark.parametrize("flips", [40, pytest.param(400, marks=pytest.mark.full)])
def test_no_flipped_bit_reaches_the_processor(run_python, tmp_path, flips):
    (tmp_path / "changing.py").write_text(MODULE)
    code = FLIPS.format(folder=str(tmp_path), flips=flips)
    assert json.loads(run_python(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"))) == [0]


def test_a_file_under_another_files_name_is_not_taken(use, tmp_path):
    assert use() == COMPILED
    [file] = files_in(tmp_path / "cache")
    changing = tmp_path / "changing.py"
    changing.write_text(MODULE.replace("SIGN, BONUS = 1.0", "SIGN, BONUS = -1.0"))
    assert use() == [0, 1]
    [other] = [one for one in files_in(tmp_path / "cache") if one != file]
    shutil.copy(file, other)
    assert use() == [0, 1]


def test_a_full_disk_is_no_reason_to_stop(use, tmp_path):
    full = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    assert use(full) == COMPILED
    assert not [file for file in files_in(tmp_path / "cache") if file.stat().st_size]
    assert use() == COMPILED
    assert use() == FOUND


NOTHING_WRITABLE = """
import contextlib, io, json
said = io.StringIO()
with contextlib.redirect_stderr(said):
    import riskbandits as rb
    problem = rb.problems.zhu_tan_gaussian(1)
    result = rb.simulate(problem, [rb.UniformRandom()], horizon=20, runs=1, progress=False)
    learner = rb.Learner(rb.UniformRandom(), ["a", "b"], problem.risk)
    learner.tell(learner.ask(), 1.0)
print(json.dumps([int(result.pulls("UniformRandom").sum()), rb.__file__, said.getvalue()]))
"""


def test_simulate_and_learner_work_where_nothing_can_be_written(run_python, tmp_path):
    """Folders that cannot be made, for root neither: their names are taken by files."""
    package = Path(rb.__file__).parent
    copy = tmp_path / "riskbandits"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [copy, *(Path(at) / name for at, names, _ in os.walk(copy) for name in names)]:
        (folder / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    nowhere = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home" / "cache")}
    code = NOTHING_WRITABLE
    pulls, file, said = json.loads(
        run_python(code, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1", NUMBA_CACHE_DIR="", **nowhere)
    )
    assert pulls == 20
    assert Path(file).is_relative_to(tmp_path)
    assert said.count("NUMBA_CACHE_DIR") == 1  # said once
    assert said.startswith("riskbandits: Compiled code cannot be kept on disk")


@pytest.fixture
def changing(tmp_path, monkeypatch):
    (tmp_path / "changing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    import sys

    sys.modules.pop("changing", None)
    import changing

    yield changing
    sys.modules.pop("changing")


def test_a_constant_that_changes_while_the_process_runs_is_compiled_anew(changing, monkeypatch):
    """In a method, and in a helper that other code shares."""

    def found():
        return jit.entry(changing.favourite, (changing.P,))(changing.P())

    assert found() == 14
    monkeypatch.setattr(changing, "SIGN", -1.0)
    assert found() == 0
    monkeypatch.setattr(changing, "BONUS", 3.0)
    assert found() == 14
    monkeypatch.setattr(changing, "SIGN", 1.0)
    monkeypatch.setattr(changing, "BONUS", 0.0)
    assert found() == 14


def test_what_cannot_be_read_is_compiled_every_time_and_not_kept(changing, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(cache._config, "CACHE_DIR", str(tmp_path / "cache"))
    first, second = (jit.entry(changing.unreadable, ()) for _ in range(2))
    assert first is not second
    assert first(0.0) == second(0.0) == 1.0
    assert not (tmp_path / "cache").exists()
    said = capsys.readouterr().err
    assert said.count("which cannot be checked for changes") == 1


def test_results_of_what_cannot_be_read_are_not_kept_in_a_store(changing, tmp_path):
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    policies, store = [changing.Strange(), rb.UniformRandom()], tmp_path / "store"
    first, second = (rb.simulate(problem, policies, horizon=30, runs=2, progress=False, store=store) for _ in range(2))
    assert first.table().equals(second.table())
    kept = [json.loads(file.read_text())["policy"]["class"] for file in store.rglob("about.json")]
    assert kept == ["UniformRandom"]


def test_bounds_checks_and_optimisation_have_code_of_their_own(monkeypatch):
    def look(a, k):
        return a[k]

    plain = jit.fingerprint(look)
    monkeypatch.setattr(jit.config, "BOUNDSCHECK", 1)
    assert jit.fingerprint(look) != plain
    monkeypatch.undo()
    monkeypatch.setattr(jit.config, "OPT", 0)
    assert jit.fingerprint(look) != plain


def test_the_setting_for_bounds_checks_has_an_effect_on_a_warm_cache(run_python, tmp_path):
    (tmp_path / "looking.py").write_text("def look(a, k):\n    return a[k]\n")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import numpy as np
from riskbandits.compiling import jit
from looking import look
try:
    jit.entry(look, ())(np.zeros(40)[10:20], 12)
    print("read")
except IndexError:
    print("refused")
"""
    warm = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run_python(code, **warm).strip() == "read"
    assert run_python(code, NUMBA_BOUNDSCHECK="1", **warm).strip() == "refused"
    assert run_python(code, **warm).strip() == "read"
