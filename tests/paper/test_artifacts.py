"""Files are made when they must be, and only then."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from riskbandits.core.errors import FileError
from riskbandits.paper import artifacts
from riskbandits.paper.artifacts import Artifact, Manifest, key_of, make


def write(text: str, paths: tuple[Path, ...]) -> None:
    for path in paths:
        path.write_text(text)


@pytest.fixture
def many(tmp_path):
    def artifact(number: int, key: str = "a") -> Artifact:
        paths = (tmp_path / f"{number}.txt", tmp_path / f"{number}.md")
        return Artifact(paths, f"{key}{number}", partial(write, f"{key}{number}"))

    return artifact


def made(tmp_path: Path, wanted: list[Artifact], workers: int = 1) -> list[int]:
    """The numbers of those that were made, by a manifest that is read from disk each time."""
    done = make(wanted, Manifest(tmp_path / "manifest.json"), workers, show=False)
    return sorted(int(artifact.paths[0].stem) for artifact in done)


def test_nothing_is_made_twice(tmp_path, many):
    wanted = [many(k) for k in range(3)]
    assert made(tmp_path, wanted) == [0, 1, 2]
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert made(tmp_path, wanted) == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_what_changed_is_made_again(tmp_path, many):
    made(tmp_path, [many(k) for k in range(4)])
    (tmp_path / "1.md").unlink()
    (tmp_path / "2.txt").write_text("edited")
    assert made(tmp_path, [many(0), many(1), many(2), many(3, "b")]) == [1, 2, 3]
    assert (tmp_path / "2.txt").read_text() == "a2"
    assert (tmp_path / "3.md").read_text() == "b3"


def test_a_damaged_manifest_costs_only_time(tmp_path, many):
    made(tmp_path, [many(0)])
    for text in ("", "{", "[]", '{"files": 3}', '{"files": {"0.txt": null}}'):
        (tmp_path / "manifest.json").write_text(text)
        assert made(tmp_path, [many(0)]) == [0]
        assert made(tmp_path, [many(0)]) == []


def test_what_was_made_before_an_error_is_remembered(tmp_path, many):
    def fail(paths):
        raise FileError("No space left on device.")

    wanted = [many(0), many(1)._replace(make=fail), many(2)]
    with pytest.raises(FileError, match="No space left"):
        made(tmp_path, wanted)
    assert made(tmp_path, [many(k) for k in range(3)]) == [1, 2]


def note_process(paths: tuple[Path, ...]) -> None:
    write(str(os.getpid()), paths)


def fail(paths: tuple[Path, ...]) -> None:
    raise FileError("No space left on device.")


def test_helpers_do_a_part_and_this_process_another(tmp_path, many):
    wanted = [many(k)._replace(make=note_process) for k in range(artifacts.FEW + 2)]
    made(tmp_path, wanted, workers=2)
    processes = {int(artifact.paths[0].read_text()) for artifact in wanted}
    assert len(processes) == 2
    assert os.getpid() in processes


@pytest.mark.parametrize("failing", [0, 3])  # the first one goes to a helper, the fourth is made here or there
def test_an_error_of_a_helper_is_raised_here(tmp_path, many, failing):
    wanted = [many(k) for k in range(artifacts.FEW + 2)]
    wanted[failing] = wanted[failing]._replace(make=fail)
    with pytest.raises(FileError, match="No space left"):
        made(tmp_path, wanted, workers=2)


def test_several_processes(tmp_path, many):
    wanted = [many(k) for k in range(artifacts.FEW + 2)]
    assert made(tmp_path, wanted, workers=2) == list(range(artifacts.FEW + 2))
    assert all(path.read_text() == f"a{k}" for k, artifact in enumerate(wanted) for path in artifact.paths)


def hang_elsewhere(here: int, paths: tuple[Path, ...]) -> None:
    if os.getpid() != here:
        time.sleep(300.0)
    write("made here", paths)


def test_what_a_hanging_helper_does_not_finish_is_made_here(tmp_path, many, monkeypatch):
    monkeypatch.setattr(artifacts, "PATIENCE", 0.5)
    wanted = [many(k)._replace(make=partial(hang_elsewhere, os.getpid())) for k in range(artifacts.FEW + 2)]
    started = time.monotonic()
    assert made(tmp_path, wanted, workers=2) == list(range(artifacts.FEW + 2))
    assert time.monotonic() - started < 60.0
    assert all(path.read_text() == "made here" for artifact in wanted for path in artifact.paths)


def test_keys_tell_content_apart():
    table = pd.DataFrame({"rho": [1.0, 2.0], "policy": ["MVTS", "MTS"]})
    other = [
        table.assign(rho=[1.0, 2.0000001]),
        table.assign(policy=["MVTS", "VTS"]),
        table.rename(columns={"rho": "r"}),
        table.iloc[::-1],
        table.assign(rho=[1, 2]),
    ]
    assert key_of(table) == key_of(table.copy())
    assert len({key_of(one) for one in [table, *other]}) == 6
    assert key_of("a", "b") != key_of("ab") != key_of("a", "b", table)


def test_code_is_content(tmp_path):
    (tmp_path / "draw.py").write_text("x = 1")
    before = artifacts.sources(tmp_path)
    (tmp_path / "draw.py").write_text("x = 2")
    assert artifacts.sources(tmp_path) != before
