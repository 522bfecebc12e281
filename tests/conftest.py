"""What several tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from hypothesis import HealthCheck, settings

from interrupting import heed_interrupts

matplotlib.use("Agg")
heed_interrupts()
# The same examples every time, however busy the machine is; --hypothesis-profile=default looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")
ROOT = Path(__file__).parents[1]


@pytest.fixture
def run_python(tmp_path):
    """Run code in a process of its own and return its standard output."""

    def run(code: str, cwd: Path | None = None, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=cwd or ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command line in this process: (exit code, standard output, standard error)."""
    from riskbandits.cli import main

    monkeypatch.setenv("COLUMNS", "80")  # whatever the terminal that the tests are started from

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["riskbandits", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
