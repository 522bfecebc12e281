"""Saving: the old file or the new one, whole, whatever happens."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import random
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import riskbandits as rb
from interrupting import Interrupts, in_a_child, started
from riskbandits import suites
from riskbandits.cli.arm_files import read_arms
from riskbandits.core import files
from riskbandits.core.errors import FileError
from riskbandits.service.db.statements import open_storage

SIZE = 300_000


def save(path, data: bytes = b"new") -> None:
    with files.replacing(path) as temporary:
        Path(temporary).write_bytes(data)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    target, link, second = tmp_path / "there" / "file", tmp_path / "link", tmp_path / "second"
    target.write_bytes(b"old")
    link.symlink_to("there/file")
    second.symlink_to("link")
    save(second)
    assert (link.is_symlink(), second.is_symlink(), target.is_symlink()) == (True, True, False)
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "there") == ["file"]


def test_a_link_to_nothing_yet(tmp_path):
    (tmp_path / "link").symlink_to("later")
    save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "later").read_bytes() == b"new"


def test_links_in_a_circle_are_a_sentence(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FileError, match="could not be written: Too many levels of symbolic links"):
        save(tmp_path / "a")


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    (tmp_path / "link").symlink_to("pipe")
    before = names(tmp_path)
    for name, kind in {"pipe": "a pipe", "folder": "a folder", "socket": "a socket", "link": "a pipe"}.items():
        with pytest.raises(FileError, match=rf"must be a file, or not exist yet\. It is {kind}\.$"):
            save(tmp_path / name)
        with pytest.raises(FileError, match=kind):
            files.check_replaceable(tmp_path / name)
    assert names(tmp_path) == before
    device = os.stat(os.devnull)
    with pytest.raises(FileError, match="It is a device"):
        save(os.devnull)
    assert os.stat(os.devnull) == device


def test_the_command_line_refuses_it_before_simulating(command, tmp_path):
    (tmp_path / "out.json").mkdir()
    for arguments in (("simulate", "--out"), ("sweep", "--out"), ("compare", "--out")):
        code, out, err = command(*arguments, tmp_path / "out.json", "--runs", "10000000")
        assert (code, out) == (2, "")
        assert "It is a folder." in err


@pytest.mark.parametrize("mode", [0o640, 0o600, 0o444, 0o666])
def test_the_mode_of_the_old_file_is_kept(tmp_path, mode):
    save(tmp_path / "file", b"old")
    os.chmod(tmp_path / "file", mode)
    with files.replacing(tmp_path / "file") as temporary:
        assert stat.S_IMODE(os.stat(temporary).st_mode) & ~(mode | 0o600) == 0  # never more open than it will be
        Path(temporary).write_bytes(b"new")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


def test_a_new_file_has_the_usual_mode_and_nobody_touches_the_mask(tmp_path, monkeypatch):
    (tmp_path / "plain").write_bytes(b"")

    def refuse(mask):
        raise AssertionError("the mask belongs to the whole process")

    monkeypatch.setattr(os, "umask", refuse)
    save(tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(tmp_path):
    save(tmp_path / "file", b"old")
    os.chown(tmp_path / "file", 1234, 4321)
    save(tmp_path / "file")
    found = (tmp_path / "file").stat()
    assert (found.st_uid, found.st_gid) == (1234, 4321)
    assert (tmp_path / "file").read_bytes() == b"new"


def test_an_owner_that_may_not_be_kept_is_no_error(tmp_path, monkeypatch):
    save(tmp_path / "file", b"old")
    kept = os.stat_result((*(tmp_path / "file").stat()[:4], 1234, 4321, *(tmp_path / "file").stat()[6:]))
    tried = []

    def refuse(name, owner, group):
        tried.append((owner, group))
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse)
    files._keep_owner(str(tmp_path / "file"), kept)
    assert tried == [(1234, 4321), (-1, 4321)]


def test_file_and_folder_are_synced(tmp_path, monkeypatch):
    synced = []
    original = os.fsync

    def fsync(handle):
        found = os.fstat(handle)
        synced.append((stat.S_ISDIR(found.st_mode), (tmp_path / "file").exists()))
        original(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    save(tmp_path / "file")
    assert synced == [(False, False), (True, True)]  # what it holds before its name is there, and the name after


def test_names_as_long_as_they_may_be(tmp_path):
    for name in ("x" * 255, "ä" * 127):
        save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"new"
    assert len(names(tmp_path)) == 2


SAVER = """
import os, sys
from pathlib import Path
from riskbandits.core import files
path, size, letter = sys.argv[1], int(sys.argv[2]), sys.argv[3].encode()
print("ready", flush=True)
while True:
    with files.replacing(path) as temporary:
        with open(temporary, "wb") as file:
            for _ in range(10):
                file.write(letter * (size // 10))
"""


def is_whole(data: bytes) -> bool:
    return len(data) == SIZE and len(set(data)) == 1


def forked_saver(path: Path, letter: bytes) -> None:
    while True:
        save(path, letter * SIZE)


@pytest.mark.parametrize("kills", [12, pytest.param(300, marks=pytest.mark.full)])
def test_kill_9_in_the_middle_leaves_a_whole_file_and_nothing_that_the_next_save_does_not_clear(tmp_path, kills):
    path = tmp_path / "file"
    save(path, b"-" * SIZE)
    fork = multiprocessing.get_context("fork")
    rng = random.Random(1)
    left = 0
    for _ in range(kills):
        savers = [fork.Process(target=forked_saver, args=(path, letter)) for letter in (b"a", b"b")]
        for process in savers:
            process.start()
        time.sleep(rng.uniform(0.01, 0.05))
        for process in savers:
            process.kill()
            process.join()
        left += len(names(tmp_path)) > 1
        assert is_whole(path.read_bytes())
        save(path, b"c" * SIZE)
        assert names(tmp_path) == ["file"]
    assert left > 0  # or the test tried nothing


# An interrupt between two lines may leave it to the garbage collector to close the file: that is a warning.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.full)])
def test_an_interrupt_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path, count):
    path = tmp_path / "file"
    save(path, b"-" * SIZE)

    def work():
        interrupts, outcomes = Interrupts(2), set()
        for number in itertools.count():
            before, new = path.read_bytes(), bytes([65 + number % 26]) * SIZE
            interrupted = interrupts.during(lambda new=new: save(path, new))
            found = path.read_bytes()
            assert found in (before, new)
            assert len(names(tmp_path)) <= 2
            outcomes.add((interrupted, found == new))
            if interrupts.hits >= count and outcomes >= {(True, False), (False, True)}:
                break

    assert in_a_child(work) == 0
    save(path, b"+" * SIZE)
    assert names(tmp_path) == ["file"]


def test_savers_at_the_same_time_do_not_take_each_others_files(tmp_path):
    path = tmp_path / "file"
    failures = []

    def in_thread(letter: bytes) -> None:
        try:
            for _ in range(30):
                save(path, letter * SIZE)
        except Exception as error:
            failures.append(error)

    with contextlib.ExitStack() as stack:
        command = [sys.executable, "-c", SAVER, path, str(SIZE)]
        processes = [
            stack.enter_context(started([*command, letter], stdout=subprocess.PIPE)) for letter in ("a", "b", "c")
        ]
        for process in processes:
            assert process.stdout.readline() == b"ready\n"
        threads = [threading.Thread(target=in_thread, args=(letter,)) for letter in (b"d", b"e")]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            if path.exists():
                assert is_whole(path.read_bytes())
        assert [process.poll() for process in processes] == [None] * 3
    assert failures == []
    save(path)
    assert names(tmp_path) == ["file"]


def test_other_peoples_files_with_such_names_are_left_alone(tmp_path):
    os.mkfifo(tmp_path / ".file.0.part")
    (tmp_path / ".file.1.part").symlink_to("mine")
    (tmp_path / "mine").write_text("mine")
    save(tmp_path / "file")
    assert names(tmp_path) == [".file.0.part", ".file.1.part", "file", "mine"]
    assert (tmp_path / "mine").read_text() == "mine"


def test_where_files_cannot_be_locked_old_ones_are_cleared(tmp_path, monkeypatch):
    def no_locks(*arguments):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(files.fcntl, "flock", no_locks)
    old, young = tmp_path / ".file.0.part", tmp_path / ".file.1.part"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    save(tmp_path / "file")
    assert names(tmp_path) == [".file.1.part", "file"]


def test_without_locks_another_process_that_takes_the_name_next_keeps_its_file(tmp_path, monkeypatch):
    replace = os.replace

    def then_another_begins(name, target):
        replace(name, target)
        Path(name).write_bytes(b"half of theirs")

    monkeypatch.setattr(files, "fcntl", None)  # as on Windows
    monkeypatch.setattr(os, "replace", then_another_begins)
    save(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / ".file.0.part").read_bytes() == b"half of theirs"


@pytest.mark.parametrize("refusals", [2, 10**9], ids=["for a while", "for good"])
def test_a_file_that_somebody_has_open_is_replaced_when_it_can_be(refusals, tmp_path, monkeypatch):
    """Windows does not replace an open file."""
    replace, refused = os.replace, []

    def refuse(name, target):
        refused.append(name)
        if len(refused) <= refusals:
            raise PermissionError(13, "Access is denied")
        replace(name, target)

    save(tmp_path / "file", b"old")
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(files, "SECONDS_FOR_READERS", 0.3)
    monkeypatch.setattr(os, "replace", refuse)
    if refusals == 2:
        save(tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == b"new"
    else:
        with pytest.raises(FileError, match=r"could not be written: Access is denied\.$"):
            save(tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_text_with_and_without_a_byte_order_mark(tmp_path):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        (tmp_path / "text").write_bytes("größe,1\n".encode(encoding))
        assert files.read_text(tmp_path / "text") == "größe,1\n"


def test_what_is_no_file_or_may_not_be_read_is_a_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # whoever opens it waits for a writer
    closed = tmp_path / "closed"
    closed.mkdir()
    learner = rb.Learner(rb.MVTS(), ["a", "b"], rb.MeanVariance(1.0))
    learner.save(closed / "learner.json")
    (closed / "recorded.csv").write_text("a,b\n1,2\n3,5\n")
    readers = [rb.load, rb.Learner.load, rb.SweepResult.load, suites.read_suite, rb.DataArms.from_file, read_arms]
    assert rb.load(closed / "learner.json").arms == ["a", "b"]  # imports what is imported late
    for reader in readers:
        for path in (tmp_path / "pipe", Path("/dev/zero"), closed):
            with pytest.raises(FileError, match="^There is no file|is a folder, and load reads files"):
                reader(path)

    def work():
        if os.geteuid() == 0:  # who may read everything
            os.seteuid(65534)
        for place in ("learner.json", "recorded.csv", "nothing"):
            for reader in readers:
                with pytest.raises(FileError, match=r"could not be read: Permission denied\.$"):
                    reader(closed / place)
        with pytest.raises(FileError, match=r"could not be opened: Permission denied\.$"):
            open_storage(f"sqlite:///{closed / 'new.db'}")

    os.chmod(closed, 0)
    try:
        assert in_a_child(work) == 0
    finally:
        os.chmod(closed, 0o700)


def test_a_learner_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "learner.json"
    rb.Learner(rb.MVTS(), ["a", "b"], rb.MeanVariance(1.0)).save(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert rb.load(path).arms == rb.Learner.load(path).arms == ["a", "b"]
