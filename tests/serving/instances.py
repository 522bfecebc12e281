"""Instances of the service as processes of their own, forked from one that has imported and compiled everything.

Run as a program it reads lines `DATABASE PORT` and answers each with the id of a new process. Half of the commits of
such an instance are followed by a pause before anybody is answered, so that some kills fall just there.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).parents[2]
HOUR = 3600 * 10**6
CLOCKS = (-6 * HOUR, 0, 6 * HOUR)  # by which the clock is wrong after SIGUSR1; leases are longer
LONGEST_PAUSE = 0.01  # seconds between commit and answer


class InstanceStarter:
    """Starts instances: a process that has imported and compiled everything, and forks."""

    def __init__(self, log: Path) -> None:
        paths = os.pathsep.join([str(SOURCE / "src"), str(SOURCE / "tests"), os.environ.get("PYTHONPATH", "")])
        self.log = log
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "serving.instances"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                cwd=log.parent,
                env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
            )

    def start(self, url: str, port: int) -> int:
        """A new instance; its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(url, port, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, self.log.read_text()[-3000:]
        return int(answer)

    def close(self) -> None:
        """End them all."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def main() -> None:
    from riskbandits.service import logs, server, specs, times
    from riskbandits.service.db.statements import open_storage
    from riskbandits.service.service import BanditService
    from riskbandits.service.writer import Writer
    from serving.killing import BANDITS, SPEC

    for spec in (*BANDITS.values(), {**SPEC, "policy": "ngts"}):
        specs.build_learner(specs.make_spec(**spec))
    now, offset = times.now, [0]
    times.now = lambda: now() + offset[0]

    def set_clock(*_):
        offset[0] = random.choice([one for one in CLOCKS if one != offset[0]])

    reply = Writer._reply

    def reply_late(self, jobs):
        if random.random() < 0.5:
            time.sleep(random.uniform(0.0, LONGEST_PAUSE))
        reply(self, jobs)

    Writer._reply = reply_late
    # Children that have ended are not waited for: so their ids go to nobody else as long as somebody may send signals.
    children = []
    for line in sys.stdin:
        url, port = line.split()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(2, 1)
            random.seed()
            signal.signal(signal.SIGUSR1, set_clock)
            logs.set_up()
            where = server.open_socket("127.0.0.1", int(port))
            server.serve(BanditService(open_storage(url, patience=30.0)), where)
            os._exit(0)
        children.append(child)
        print(child, flush=True)
    for child in children:  # who asked for them has ended, in whatever way
        os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    main()
