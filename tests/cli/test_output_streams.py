"""Standard output that is closed, full or without some letters, and interrupts while the command starts."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from interrupting import started

LIST = ("list", "risks")
SMALL = ("simulate", "--policies", "mvts", "--horizon", "5", "--runs", "2", "--threads", "1")
MODULE = (sys.executable, "-m", "riskbandits")
# What the installed command does.
SCRIPT = (sys.executable, "-c", "import sys\nfrom riskbandits.cli import main\nsys.exit(main())")


def run(*arguments, shell: str = "", **environment: str):
    """Run the command with what a shell does to its streams: (exit code, standard output, standard error)."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {shell}', "sh", *MODULE, *map(str, arguments)],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("shell", "why"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")], ids=["closed", "full"]
)
@pytest.mark.parametrize("arguments", [LIST, (*LIST, "--json"), ("--version",)], ids=["table", "json", "version"])
def test_output_that_cannot_be_written(shell, why, arguments):
    assert run(*arguments, shell=shell) == (1, "", f"Error: Standard output could not be written: {why}.\n")


def test_what_cannot_be_shown_is_written_all_the_same(tmp_path):
    path = tmp_path / "out.json"
    code, _, err = run(*SMALL, "--out", path, shell=">/dev/full")
    assert code == 1
    assert f"Written: {path}" in err
    assert "Traceback" not in err
    assert json.loads(path.read_text())["settings"]["runs"] == 2


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}],
    ids=["asked for", "by locale"],
)
def test_output_that_knows_ascii_alone(environment):
    code, out, err = run(*SMALL, **environment)
    assert code == 0, err
    assert out.isascii()
    assert "+- standard" in out
    code, out, err = run("simulate", "--help", **environment)
    assert (code, "Traceback" in err) == (0, False)


def test_standard_error_that_is_closed_or_full():
    for shell in ("2>&-", "2>/dev/full"):
        code, out, err = run(*LIST, shell=shell)
        assert (code, err) == (0, "")
        assert "cvar" in out
        assert run("list", "nonsense", shell=shell) == (2, "", "")
    assert run(*LIST, shell=">&- 2>&-") == (1, "", "")


def test_a_reader_that_has_seen_enough_is_no_error_message():
    code, out, err = run("list", "policies", "--json", shell="| head -c 1")
    assert (code, out, err) == (0, "[", "")  # the exit code is that of head


@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("count", [5, pytest.param(60, marks=pytest.mark.full)])
def test_an_interrupt_while_it_starts_ends_with_130(command, count):
    rng = random.Random(0)
    stopped = 0
    for _ in range(count):
        with started(
            [*command[:1], "-X", "importtime", *command[1:], *LIST],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            for line in process.stderr:  # Python's own start is not ours
                if "riskbandits.cli" in line or "numpy" in line:
                    break
            time.sleep(rng.uniform(0.0, 0.3))
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
        code = process.returncode
        assert code in (130, 0), rest[-2000:]  # 0 if it was over before
        assert "Traceback" not in rest
        stopped += code == 130
        assert code == 0 or rest.rstrip().endswith("Stopped.")
    assert stopped > 0


def test_importing_the_package_imports_nothing_large(run_python):
    code = """
import sys, riskbandits, riskbandits.cli
print([name for name in ("numpy", "numba", "pandas", "typer", "rich", "typing") if name in sys.modules])
"""
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    assert set(eval(run_python(code, **environment))) <= {"typing"}  # an installed .pth file may have imported that


def test_everything_public_is_there_when_asked_for():
    import riskbandits as rb

    assert all(getattr(rb, name) is not None for name in rb.__all__)
    assert rb.errors.RiskBanditsError is rb.RiskBanditsError
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = rb.nonsense


def test_threads_are_checked_by_a_dry_run_too(command):
    for arguments in (("simulate",), ("sweep",), ("compare",)):
        for threads in ("-3", "0"):
            code, out, err = command(*arguments, "--dry-run", "--threads", threads)
            assert (code, out) == (2, "")
            assert f"The number of workers must be a whole number >= 1. Got {threads} instead." in err
        code, out, err = command(*arguments, "--dry-run", "--engine", "nonsense")
        assert (code, out) == (2, "")
        assert "no engine 'nonsense'" in err
