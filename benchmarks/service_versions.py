"""Throughput of the service in two source trees, in rounds that take turns: `--base FOLDER` is the other one.

Each client asks for a decision and sends its reward, over 64 connections from a second process on loopback. What is
compared is requests per second and the server's CPU time per request, so that whatever else the machine does hits both
alike.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from service import CONNECTIONS, ROOT, cpu_of, free_port

SPEC = {"arms": ["a", "b"], "policy": "switching-aware", "risk": "mean-variance:1"}


async def _send(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], head: str, line: str, body: bytes) -> bytes:
    reader, writer = streams
    writer.write(f"{line} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    said = await reader.readuntil(b"\r\n\r\n")
    assert said[9:12] in (b"200", b"201"), said
    place = said.lower().find(b"content-length: ") + 16
    return await reader.readexactly(int(said[place : said.find(b"\r\n", place)]))


async def _client(port: int, head: str, end: float, counts: list[int]) -> None:
    streams = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < end:
        answer = await _send(streams, head, "POST /v1/bandits/b/decisions", b'{"count": 1}')
        id = json.loads(answer)["decisions"][0]["id"]
        await _send(streams, head, f"PUT /v1/decisions/{id}/reward", b'{"reward": 0.5}')
        counts[0] += 2
    streams[1].close()


def load(port: int, key: str, seconds: float) -> None:
    """The second process: how many requests were answered."""
    counts = [0]

    async def run() -> None:
        end, head = time.perf_counter() + seconds, f"Authorization: Bearer {key}\r\n"
        await asyncio.gather(*(_client(port, head, end, counts) for _ in range(CONNECTIONS)))

    asyncio.run(run())
    print(counts[0])


class Instance:
    """The service of one source tree."""

    def __init__(self, tree: Path, url: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
        command = [sys.executable, "-m", "riskbandits"]
        made = subprocess.run(
            [*command, "keys", "add", "--role", "admin", "--db", url],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        self.key, self.port = made.stdout.strip(), free_port()
        self.process = subprocess.Popen(
            [*command, "serve", "--db", url, "--port", str(self.port), "--rate", "1e9"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("PUT", "/v1/bandits/b", json.dumps(SPEC), {"Authorization": f"Bearer {self.key}"})
        assert connection.getresponse().status == 201
        connection.close()

    def measure(self, seconds: float) -> tuple[float, float]:
        """Requests per second, and CPU seconds per request."""
        before = cpu_of(self.process)
        command = [sys.executable, __file__, "--load", str(self.port), self.key, str(seconds)]
        count = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return count / seconds, (cpu_of(self.process) - before) / count

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


def main() -> None:
    """Measure, and print the ratios of this tree to the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--base", type=Path, help="the root of the other source tree")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--load", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.load:
        load(int(given.load[0]), given.load[1], float(given.load[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        instances = [
            Instance(tree, f"sqlite:///{folder}/{number}.db") for number, tree in enumerate((given.base, ROOT))
        ]
        try:
            for one in instances:
                one.measure(1.0)
            rounds = [[one.measure(given.seconds) for one in instances] for _ in range(given.rounds)]
        finally:
            for one in instances:
                one.stop()
    for place, what in enumerate(("requests per second", "CPU time per request")):
        ratios = sorted(new[place] / old[place] for old, new in rounds)
        middle = statistics.median(ratios)
        print(f"{what}: {middle:.2f} of the other tree's, between {ratios[0]:.2f} and {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
