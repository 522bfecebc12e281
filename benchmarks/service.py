"""Decisions per second of the service, beside an endpoint of the same framework that does nothing.

Load comes from a second process on loopback over 64 connections, in rounds that take turns, so that whatever else the
machine does hits both alike. Run it with `make bench-service`; `--quick` is for a look. PostgreSQL is measured where
its server is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]
CONNECTIONS = 64
NOTHING = """
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.post("/nothing")
async def nothing():
    return {}
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", access_log=False)
"""


async def _client(port: int, paths: list[str], head: str, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    name, number = os.urandom(6).hex(), 0
    while (begun := time.perf_counter()) < end:
        path = paths[number % len(paths)]
        number += 1
        key = f"{head}Idempotency-Key: {name}-{number}\r\n" if head else ""
        writer.write(f"POST {path} HTTP/1.1\r\nHost: x\r\n{key}Content-Length: 12\r\n\r\n".encode() + b'{"count": 1}')
        said = await reader.readuntil(b"\r\n\r\n")
        assert said[9:12] in (b"200", b"201"), said
        place = said.lower().find(b"content-length: ") + 16
        await reader.readexactly(int(said[place : said.find(b"\r\n", place)]))
        times.append(time.perf_counter() - begun)
    writer.close()


def load(port: int, bandits: int, head: str, seconds: float) -> None:
    """The second process: what it measured, as JSON."""
    paths = ["/nothing"] if not bandits else [f"/v1/bandits/b{k}/decisions" for k in range(bandits)]
    times: list[float] = []

    async def run() -> None:
        end = time.perf_counter() + seconds
        shares = [paths[k::CONNECTIONS] or paths for k in range(CONNECTIONS)]
        await asyncio.gather(*(_client(port, share, head, end, times) for share in shares))

    import uvloop

    uvloop.run(run())
    times.sort()
    cut = [times[int(len(times) * share)] * 1e3 for share in (0.5, 0.99)]
    print(json.dumps({"per second": len(times) / seconds, "p50 ms": cut[0], "p99 ms": cut[1], "requests": len(times)}))


def cpu_of(process: subprocess.Popen[Any]) -> float:
    """Seconds that a process has computed."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """The service, or the endpoint that does nothing, as a process of its own."""

    def __init__(self, command: list[str], port: int, key: str = "") -> None:
        self.port, self.head = port, f"Authorization: Bearer {key}\r\n" if key else ""
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def measure(self, bandits: int, seconds: float) -> dict[str, float]:
        """One round of load."""
        before = cpu_of(self.process)
        command = [sys.executable, __file__, "--load", str(self.port), str(bandits), self.head, str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        found: dict[str, float] = json.loads(done.stdout)
        found["CPU us"] = (cpu_of(self.process) - before) / found["requests"] * 1e6
        return found

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)


def free_port() -> int:
    """A port that nobody uses."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def service(url: str, bandits: int, arms: int) -> Server:
    """An instance with so many bandits of so many arms."""
    import riskbandits as rb
    from riskbandits.service import auth, ids, specs, times
    from riskbandits.service.db.statements import open_storage

    storage = open_storage(url)
    spec = specs.dump_spec(specs.make_spec([f"arm-{k}" for k in range(arms)], "switching-aware", "mean-variance:1"))
    with storage.writing() as transaction:
        for k in range(bandits):
            transaction.create_bandit(f"b{k}", spec, ids.new_secret(), times.now(), origin=None)
        transaction.commit()
    key, port = auth.add_key(storage, "admin"), free_port()
    storage.close()
    command = [sys.executable, "-m", "riskbandits", "serve", "--db", url, "--port", str(port), "--rate", "1e9"]
    started = Server(command, port, key)
    client = rb.Client(f"http://127.0.0.1:{port}", key, patience=120)
    client.bandit("b0").decide()
    return started


def row(title: str, url: str, bandits: int, arms: int, rounds: int, seconds: float) -> dict[str, Any]:
    """One line of the report: rounds of the service and of nothing in turn."""
    port = free_port()
    nothing = Server([sys.executable, "-c", NOTHING, str(port)], port)
    served = service(url, bandits, arms)
    try:
        nothing.measure(0, 1.0)
        served.measure(bandits, max(1.0, bandits / 500))  # until all of them are in memory
        pairs = [(nothing.measure(0, seconds), served.measure(bandits, seconds)) for _ in range(rounds)]
    finally:
        nothing.stop()
        served.stop()
    ratios = sorted(ours["per second"] / theirs["per second"] for theirs, ours in pairs)
    middle = {name: statistics.median(ours[name] for _, ours in pairs) for name in pairs[0][1]}
    return {
        "database": title,
        "bandits": bandits,
        "arms": arms,
        "decisions per second": round(middle["per second"]),
        "nothing per second": round(statistics.median(theirs["per second"] for theirs, _ in pairs)),
        "ratio": round(statistics.median(ratios), 2),
        "ratio of CPU": round(statistics.median(theirs["CPU us"] / ours["CPU us"] for theirs, ours in pairs), 2),
        "p50 ms": round(middle["p50 ms"], 1),
        "p99 ms": round(middle["p99 ms"], 1),
    }


def main() -> None:
    """Measure everything, and write results/bench/service.md and .json."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one short round of each")
    parser.add_argument("--load", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.load:
        load(int(given.load[0]), int(given.load[1]), given.load[2], float(given.load[3]))
        return
    from headline import markdown

    from serving import postgres

    rounds, seconds = (1, 1.0) if given.quick else (5, 4.0)
    cells = [(1, 2), (100, 2), (1 if given.quick else 10_000, 2), (1, 100), (1, 1000)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (bandits, arms) in enumerate(cells):
            rows.append(row("SQLite", f"sqlite:///{folder}/{number}.db", bandits, arms, rounds, seconds))
            print(rows[-1], flush=True)
    if postgres.find() is None:
        print(postgres.MISSING)
    else:
        running = postgres.Postgres()
        try:
            for bandits, arms in cells:
                rows.append(row("PostgreSQL", running.new(), bandits, arms, rounds, seconds))
                print(rows[-1], flush=True)
        finally:
            running.close()
    results = ROOT / "results" / "bench"
    results.mkdir(parents=True, exist_ok=True)
    (results / "service.json").write_text(json.dumps(rows, indent=1))
    title = f"The service, {CONNECTIONS} connections from a second process on loopback"
    (results / "service.md").write_text(markdown(title, rows))
    print(f"{results / 'service.md'}")


if __name__ == "__main__":
    main()
