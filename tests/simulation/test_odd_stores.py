"""Stores that may only be read, and folders in which somebody else has put things."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys

import numpy as np
import pytest

from riskbandits.core import files as atomic
from riskbandits.core.errors import FileError
from riskbandits.simulation.store import Store, content_key

KEY = content_key({"what": "test"})
ARRAYS = {"x": np.arange(4.0)}


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "store")
    store.write(KEY, {}, 0, 4, ARRAYS)
    return store


def folder_of(store: Store):
    return store.path / KEY[:2] / KEY[2:]


def put(kind: str, path) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as server:
            here = os.getcwd()
            os.chdir(path.parent)  # the names of sockets are short
            server.bind(path.name)
            os.chdir(here)


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket"])
def test_what_is_no_file_is_passed_over(store, kind, capsys):
    put(kind, folder_of(store) / "00000004-00000008.chunk")
    put(kind, folder_of(store) / ".00000008-00000012.chunk.0.part")
    put(kind, folder_of(store) / ".mine")
    before = sorted(os.listdir(folder_of(store)))
    store.ranges(KEY)
    assert store.read(KEY, 4, 8) is None  # and does not wait for somebody to write into it
    store.write(KEY, {}, 4, 8, ARRAYS)
    assert capsys.readouterr().err.count("is not a file: the runs that belong there are not kept.\n") == 1
    store.write(KEY, {}, 8, 12, ARRAYS)
    assert (store.read(KEY, 8, 12)["x"] == ARRAYS["x"]).all()
    assert sorted(os.listdir(folder_of(store))) == sorted([*before, "00000008-00000012.chunk"])


def test_odd_names_are_passed_over(store):
    names = ("٣-٤.chunk", "3-4.chunk", "00000009-00000004.chunk", f"{'9' * 200}-{'9' * 20}.chunk", "-.chunk", ".chunk")
    for name in names:
        (folder_of(store) / name).write_bytes(b"mine")
    (folder_of(store) / ".hidden").write_bytes(b"mine")
    os.utime(folder_of(store) / ".hidden", (0, 0))
    (folder_of(store) / os.fsdecode(b"\xff\xfe-1.chunk")).write_bytes(b"mine")
    assert store.ranges(KEY) == [(0, 4)]
    assert len(os.listdir(folder_of(store))) == len(names) + 4


READER = """
import os, sys
import numpy as np
import riskbandits.core.files
from riskbandits.simulation.store import Store
if os.geteuid() == 0:
    os.setegid(65534); os.seteuid(65534)  # root may write everywhere
store = Store(sys.argv[1])
key = sys.argv[2]
print(store.ranges(key), store.read(key, 0, 4))
store.write(key, {}, 0, 4, {"x": np.arange(4.0)})
store.write(key, {}, 4, 8, {"x": np.arange(4.0)})
store.write("cd" * 20, {}, 4, 8, {"x": np.arange(4.0)})
"""


def test_a_damaged_chunk_in_a_store_that_may_only_be_read(store, tmp_path):
    path = next(store.path.rglob("*.chunk"))
    path.write_bytes(path.read_bytes()[:-1])
    before = {one: one.read_bytes() for one in store.path.rglob("*") if one.is_file()}
    for one in [store.path, *store.path.rglob("*")]:
        one.chmod(0o555 if one.is_dir() else 0o444)
    for parent in [
        one for one in tmp_path.parents if one.owner() == tmp_path.owner() and one.stat().st_mode & 0o077 == 0
    ]:
        os.chmod(parent, 0o755)
    os.chmod(tmp_path, 0o755)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER, store.path, KEY], capture_output=True, text=True, check=False, cwd="/"
        )
    finally:
        for one in [store.path, *store.path.rglob("*")]:
            if one.is_dir():
                one.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[(0, 4)] None\n"
    assert "is damaged; its runs are simulated again." in done.stderr
    assert done.stderr.count("is read-only: new runs are not kept.\n") == 1
    assert {one: one.read_bytes() for one in store.path.rglob("*") if one.is_file()} == before


def test_a_full_disk_is_still_an_error(store, monkeypatch):
    def no_space(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(FileError, match="No space left"):
        store.write(KEY, {}, 4, 8, ARRAYS)


def test_what_a_killed_process_left_goes_away_at_once(store):
    left = folder_of(store) / ".00000004-00000008.chunk.0.part"
    left.write_bytes(b"half")
    with atomic.replacing(folder_of(store) / "00000008-00000012.chunk") as at_work:
        shutil.copy(folder_of(store) / "00000000-00000004.chunk", at_work)
        assert store.ranges(KEY) == [(0, 4)]
        assert not left.exists()
        assert os.path.exists(at_work)
