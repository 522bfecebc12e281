"""The package as others get it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.full
def test_a_wheel_builds_installs_and_runs(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT], check=True, capture_output=True
    )
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    data = {"riskbandits/py.typed", "riskbandits/paper/report/errata.toml", "riskbandits/paper/report/assets/page.html"}
    data |= {"riskbandits/service/page/page.js", "riskbandits/service/db/migrations/versions/0001_first.py"}
    assert data <= set(names)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    command = [tmp_path / "venv" / "bin" / "riskbandits", "simulate", "--horizon", "20", "--runs", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "MVTS" in done.stdout
    command = [tmp_path / "venv" / "bin" / "riskbandits", "reproduce", "figure-1"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "results" / "figures" / "figure-1.pdf").stat().st_size > 0


def test_importing_does_not_touch_global_random_state(run_python):
    code = """
import random, numpy as np
np.random.seed(1); random.seed(1)
before = np.random.get_state()[1].tolist(), random.getstate()
import riskbandits as rb
rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=20, runs=2, progress=False)
print((np.random.get_state()[1].tolist(), random.getstate()) == before)
"""
    assert run_python(code).strip() == "True"
