"""Which tests are run, and how examples in docstrings are."""

from __future__ import annotations

import importlib.util
import shutil
import time
import zlib
from collections import Counter

import pytest

STARTED = time.monotonic()
SHARES = 7
# Minutes of preparation: tests that need the same one are chosen together, and run in one process.
PREPARATIONS = ("site", "whole")


def pytest_addoption(parser):
    """Add --share."""
    parser.addoption(
        "--share",
        type=int,
        choices=range(SHARES),
        help=f"run, of the tests marked full, only one share of {SHARES}, chosen by the names of the tests",
    )
    parser.addoption("--minutes", type=float, default=float("inf"), help="begin no test later than that")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config, items):
    """Keep the tests of the share that was asked for; a test with the argument `chosen_share` takes its own part."""
    for item in items:
        for name in _preparations(item):
            item.add_marker(pytest.mark.xdist_group(name))
    share = config.getoption("share")
    if share is not None:
        chosen = {item for item in items if item.get_closest_marker("full") and _share_of(item) in (share, None)}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


def _preparations(item):
    return [name for name in PREPARATIONS if name in getattr(item, "fixturenames", ())]


def _share_of(item):
    if "chosen_share" in getattr(item, "fixturenames", ()):
        return None
    name = next(iter(_preparations(item)), item.nodeid)
    return zlib.crc32(name.encode()) % SHARES


@pytest.hookimpl(tryfirst=True)  # before anything is prepared for it
def pytest_runtest_setup(item):
    """Skip a test that would begin too late."""
    if time.monotonic() - STARTED > 60.0 * item.config.getoption("minutes"):
        pytest.skip("the time is used up")


def pytest_report_header(config):
    """Say which share it is."""
    share = config.getoption("share")
    return [] if share is None else [f"share: number {share} of {SHARES} (0 to {SHARES - 1}) of the tests marked full"]


def pytest_terminal_summary(terminalreporter):
    """Say where the time went, if --durations asks, and what this machine lacks: tests that need it are skipped."""
    if terminalreporter.config.getoption("durations"):
        seconds: Counter[str] = Counter()
        for reports in terminalreporter.stats.values():
            for report in reports:
                seconds[getattr(report, "nodeid", "").partition("::")[0]] += getattr(report, "duration", 0.0)
        terminalreporter.write_sep("=", f"{sum(seconds.values()):.0f} seconds, by file")
        for file, total in seconds.most_common(40):
            terminalreporter.write_line(f"{total:8.1f} {file}")
    from paper.report import browser
    from serving import postgres

    packages = ("ray", "distributed", "numba_cuda", "ziglang")
    found = {
        **{f"the package {name}": importlib.util.find_spec(name) for name in packages},
        "Chromium": browser.find(),
        "a PostgreSQL server": postgres.find(),
        "nginx": shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin"),
        "an NVIDIA GPU": shutil.which("nvidia-smi"),
    }
    missing = [name for name, place in found.items() if place is None]
    if missing:
        terminalreporter.write_line(f"Missing on this machine, with the tests that need it: {', '.join(missing)}.")


@pytest.fixture(scope="session")
def chosen_share(request):
    """The share that was asked for, and of how many; all (0 of 1) if none was."""
    number = request.config.getoption("share")
    return (0, 1) if number is None else (number, SHARES)


@pytest.fixture(autouse=True)
def examples_in_plain_python(request, monkeypatch):
    """Nothing is compiled for an example in a docstring, which would take minutes; the tests compile what they need."""
    if isinstance(request.node, pytest.DoctestItem):
        from riskbandits.compiling import jit

        monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)
