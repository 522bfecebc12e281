"""A PostgreSQL server of the tests' own: on a free loopback port, in a temporary folder, gone with them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from serving.ports import free_port

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
MISSING = "no PostgreSQL server found (apt-get install postgresql)"


def find() -> Path | None:
    """The folder of the server's programs, or None."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    return next((place for place in [*places, *FOLDERS] if (place / "pg_isready").exists()), None)


def ordinary_user() -> dict[str, Any]:
    """For a process that must not be root's, as initdb demands."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return {}
    import pwd  # not on Windows

    names = [user.pw_name for user in pwd.getpwall()]
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """One server."""

    def __init__(self) -> None:
        programs = find()
        assert programs is not None, MISSING
        self._programs, self._user = programs, ordinary_user()
        self.folder = Path(tempfile.mkdtemp(prefix="riskbandits-postgres-"))
        if self._user:
            os.chown(self.folder, self._user["user"], self._user["group"])
        self.port = free_port()
        command = [programs / "initdb", "-D", self.folder / "data", "-U", "tester", "--auth=trust", "-E", "UTF8"]
        subprocess.run([*command, "--no-locale", "--no-sync"], check=True, capture_output=True, cwd="/", **self._user)
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self.start()

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}"]
        # What a killed process has written is the system's to keep; syncing all files before a start can take minutes.
        options.append("fsync=off")
        command = [self._programs / "postgres", "-D", self.folder / "data"]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [*command, *(part for option in options for part in ("-c", option))],
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,
            **self._user,
        )
        log.close()
        until = time.monotonic() + 60.0
        ask = [self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ask, check=False).returncode != 0:
            assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() < until, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.05)

    def kill(self) -> None:
        """End it and all its processes on the spot, as a power cut would."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        time.sleep(0.1)  # its children have gone too, and with them the shared memory

    def new(self) -> str:
        """The URL of a new database."""
        self._databases += 1
        name = f"test{self._databases}"
        command = [self._programs / "createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "tester", name]
        subprocess.run(command, check=True, capture_output=True)
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def close(self) -> None:
        """End it, and remove what it has written."""
        if self._process is not None and self._process.poll() is None:
            self.kill()  # nothing of it is kept
        shutil.rmtree(self.folder, ignore_errors=True)
