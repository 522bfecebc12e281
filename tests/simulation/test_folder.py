"""A folder of chunks."""

from __future__ import annotations

import os

import numpy as np
import pytest

from riskbandits.core.errors import FileError, ParameterError
from riskbandits.simulation.store import Store, content_key

KEY = content_key({"what": "test"})


def write(store: Store, first: int, last: int) -> dict[str, np.ndarray]:
    arrays = {"x": np.arange(float(first), float(last))}
    store.write(KEY, {"what": "test"}, first, last, arrays)
    return arrays


def files(store: Store):
    return sorted(path for path in store.path.rglob("*") if path.is_file())


def test_what_is_written_is_found(tmp_path):
    store = Store(tmp_path / "a" / "b")
    assert store.ranges(KEY) == []
    assert store.read(KEY, 0, 4) is None
    arrays = write(store, 0, 4)
    write(store, 0, 2)
    write(store, 4, 6)
    assert Store(store.path).ranges(KEY) == [(0, 4), (0, 2), (4, 6)]
    np.testing.assert_array_equal(store.read(KEY, 0, 4)["x"], arrays["x"])
    assert store.ranges(content_key({"what": "else"})) == []


def others_may_write(path):
    path.chmod(path.stat().st_mode | 0o002)
    return "may be written to by anybody"


def another_user_owns(path):
    os.chown(path, 1234, -1)
    return "belongs to another user"


NOT_ONLY_OURS = [
    pytest.param(others_may_write, marks=pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")),
    pytest.param(
        another_user_owns,
        marks=pytest.mark.skipif(
            not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away"
        ),
    ),
]


@pytest.mark.parametrize("change", NOT_ONLY_OURS)
def test_a_folder_that_is_not_only_ours_is_refused(tmp_path, change):
    write(Store(tmp_path / "a"), 0, 4)
    why = change(tmp_path / "a")
    with pytest.raises(FileError, match=f"The store '.*' is not used: it {why}. Take a folder that only you may write"):
        Store(tmp_path / "a")


@pytest.mark.parametrize("change", NOT_ONLY_OURS)
def test_a_chunk_that_is_not_only_ours_is_simulated_again(tmp_path, change, capsys):
    store = Store(tmp_path)
    write(store, 0, 4)
    [path] = tmp_path.rglob("*.chunk")
    why = change(path)
    assert store.read(KEY, 0, 4) is None
    assert f" {why}; its runs are simulated again." in capsys.readouterr().err
    write(store, 0, 4)
    assert store.read(KEY, 0, 4) is not None


def test_a_description_stands_beside_the_chunks(tmp_path):
    store = Store(tmp_path)
    write(store, 0, 1)
    assert next(tmp_path.rglob("about.json")).read_text() == '{"what": "test"}'


def test_a_damaged_chunk_is_reported_in_one_line_and_removed(tmp_path, capsys):
    store = Store(tmp_path)
    write(store, 0, 4)
    path = next(tmp_path.rglob("*.chunk"))
    path.write_bytes(path.read_bytes()[:-3])
    assert store.read(KEY, 0, 4) is None
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"riskbandits: {str(path)!r} is damaged; its runs are simulated again.\n"
    assert store.ranges(KEY) == []


def test_files_that_are_no_chunks_are_left_alone(tmp_path):
    store = Store(tmp_path)
    write(store, 0, 1)
    folder = next(tmp_path.rglob("*.chunk")).parent
    for name in ("notes.txt", "x-y.chunk", "3.chunk", "00000000-00000005.chunk.bak"):
        (folder / name).write_text("mine")
    assert store.ranges(KEY) == [(0, 1)]
    assert len(files(store)) == 6


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(tmp_path, monkeypatch):
    store = Store(tmp_path)
    write(store, 0, 4)
    before = {path: path.read_bytes() for path in files(store)}

    def no_space(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    for first, last in ((0, 4), (4, 8)):
        with pytest.raises(FileError, match=r"could not be written: No space left on device\.$"):
            write(store, first, last)
    assert {path: path.read_bytes() for path in files(store)} == before


def test_a_store_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="could not be created"):
        Store(tmp_path / "file")
    with pytest.raises(ParameterError, match="The folder of a store must be a path .* Got 3"):
        Store(3)


def test_keys_name_values_not_their_order():
    assert content_key({"a": 1, "b": 2.5}) == content_key({"b": 2.5, "a": 1})
    assert content_key({"a": 1}) != content_key({"a": 2})
    assert content_key({"a": 0.1}) != content_key({"a": 0.10000000000000002})
