"""How things are added to the package, as its page says: followed to the letter in a copy, the tests pass there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "add-your-own.md"
# file on the page -> package, class
ADDED = {
    "epsilon_greedy.py": ("policies", "EpsilonGreedy"),
    "mean_deviation.py": ("risk", "MeanDeviation"),
    "triangular_arms.py": ("arms", "TriangularArms"),
}
# What goes over everything that the package offers, without compiling it.
OVER_EVERYTHING = [
    "tests/cli/test_list.py",
    "tests/plotting/test_lines.py",
    "tests/simulation/test_refusals.py",
    "tests/policies/test_names.py",
    "tests/test_types.py",
]


@pytest.fixture
def copy(tmp_path):
    """The project with the files of the page in their packages, and one line more in each."""
    kept = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc", "*.compiled")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=kept)
    for name in ("pyproject.toml", "conftest.py", "CONTRIBUTING.md", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    files = {re.match(r"# (\w+\.py)\n", block).group(1): block for block in blocks if block.startswith("# ")}
    for name, (package, cls) in ADDED.items():
        (tmp_path / "src" / "riskbandits" / package / name).write_text(files[name], encoding="utf-8")
        lines = (tmp_path / "src" / "riskbandits" / package / "__init__.py").read_text(encoding="utf-8").splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith("from "))
        lines.insert(first, f"from riskbandits.{package}.{name.removesuffix('.py')} import {cls} as {cls}")
        (tmp_path / "src" / "riskbandits" / package / "__init__.py").write_text(
            "\n".join(lines) + "\n", encoding="utf-8"
        )
    return tmp_path


def run(copy, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "MPLBACKEND": "agg"}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True)


def test_one_line_makes_it_public(copy):
    code = (
        "import riskbandits as rb; print(rb.EpsilonGreedy(0.2), rb.MeanDeviation.__name__, rb.TriangularArms.__name__)"
    )
    done = run(copy, "-c", code)
    assert done.stdout.split()[-2:] == ["MeanDeviation", "TriangularArms"], done.stderr
    done = run(copy, "-m", "riskbandits", "list", "policies")
    assert "epsilon-greedy" in done.stdout, done.stderr


@pytest.mark.full
def test_the_tests_of_the_copy_pass(copy):
    done = run(copy, "-m", "pytest", "-q", "-m", "not full", *OVER_EVERYTHING)
    assert done.returncode == 0, done.stdout[-3000:]
