"""What cannot be written is refused before the work: every command with an output file, or a folder for several."""

from __future__ import annotations

import errno
import os

import pytest

from riskbandits.core import files
from riskbandits.core.errors import FileError

COMMANDS = {
    "simulate": ("simulate", "--out", "r.csv"),
    "simulate, figure": ("simulate", "--figure", "r.png"),
    "sweep": ("sweep", "--out", "r.parquet"),
    "sweep, figure": ("sweep", "--figure", "r.png"),
    "compare": ("compare", "--out", "r.json"),
    "compare, figure": ("compare", "--figure", "r.pdf"),
    "identify": ("identify", "--figure", "r.svg"),
    "frontier": ("frontier", "zhu-tan-gaussian", "--out", "r.csv"),
    "frontier, figure": ("frontier", "zhu-tan-gaussian", "--figure", "r.png"),
    "reproduce": ("reproduce", "figure-4", "--quick", "--out", "r"),
    "playground": ("playground", "--out", "r.html"),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_full_disk_is_noticed_before_the_work(command, tmp_path, monkeypatch, kind):
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files.os, "fsync", full)
    code, out, err = command(*COMMANDS[kind])
    assert (code, out) == (2, "")
    assert err == f"Error: '{COMMANDS[kind][-1]}' could not be written: {os.strerror(errno.ENOSPC)}.\n"
    assert list(tmp_path.iterdir()) == []


def test_folders_that_may_be_written(tmp_path):
    files.check_folder(tmp_path / "new" / "newer")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="could not be created: .*file' is a file"):
        files.check_folder(tmp_path / "file" / "below")
