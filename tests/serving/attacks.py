"""What one client can do to hold up the others, and how long a decision on another bandit takes meanwhile.

An attack is a process of its own, which needs the standard library alone: `python -m serving.attacks NAME TARGET`
attacks until its standard input ends, and prints how often it has sent its request.
"""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

CONNECTIONS = 8
ARMS = [f"arm-{number:04}" for number in range(1000)]
BLOCK = b"x" * (1 << 16)
LONGEST = 180.0  # seconds that anybody waits for anything


class Target(NamedTuple):
    """An instance, or the proxy in front of it, with keys by role."""

    port: int
    keys: dict[str, str]
    certificate: str | None = None

    def connection(self) -> http.client.HTTPConnection:
        """A connection, opened at the first request."""
        if self.certificate is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        context = ssl.create_default_context(cafile=self.certificate)
        return http.client.HTTPSConnection("localhost", self.port, timeout=LONGEST, context=context)

    def socket(self) -> socket.socket:
        """A connection for what no library sends."""
        made = self.connection()
        made.connect()
        assert made.sock is not None
        return made.sock

    def head(self, role: str, path: str) -> bytes:
        """A whole request without a body."""
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.keys[role]}\r\n\r\n".encode()


# Connections that are not used as they should be: each function is one that goes on until it is cut.


def endless(*beginning: bytes) -> Callable[[Target], Iterator[None]]:
    """Send a beginning, and then the last part of it again and again; read nothing."""

    def attack(target: Target) -> Iterator[None]:
        with target.socket() as one:
            for part in itertools.chain(beginning, itertools.repeat(beginning[-1])):
                one.sendall(part)
                yield

    return attack


def trickle(target: Target) -> Iterator[None]:
    """A hundred requests of which a byte is sent now and then."""
    many = [target.socket() for _ in range(100)]
    for byte in target.head("read", "/v1/bandits"):
        for one in many:
            one.sendall(bytes([byte]))
        yield
        time.sleep(0.2)


def never_read(path: str) -> Callable[[Target], Iterator[None]]:
    """Twenty connections that ask for something long and read none of it."""

    def attack(target: Target) -> Iterator[None]:
        many = [target.socket() for _ in range(20)]
        for one in many:
            one.sendall(target.head("read", path))
            yield
        time.sleep(LONGEST)

    return attack


START = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BY_CONNECTION: dict[str, Callable[[Target], Iterator[None]]] = {
    "a header without end": endless(START + b"X: ", BLOCK),
    "a URL without end": endless(b"GET /", BLOCK),
    "headers without end": endless(START, b"".join(b"X-%d: y\r\n" % number for number in range(5000))),
    "a body without end": endless(
        b"PUT /v1/bandits/funds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n", BLOCK
    ),
    "pipelined requests whose answers are not read": endless(
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000
    ),
    "requests sent byte by byte": trickle,
    "logs that are not read": never_read("/v1/bandits/open/log"),
    "learners that are not read": never_read("/v1/bandits/open/learner"),
}


# Requests that are as expensive as the service allows: role, method, path, body; {} is a number that is new each time.

FLOODS: dict[str, tuple[str, str, str, Any]] = {
    "GET /": ("", "GET", "/", None),
    "GET /healthz": ("", "GET", "/healthz", None),
    "GET /readyz": ("", "GET", "/readyz", None),
    "GET /openapi.json": ("", "GET", "/openapi.json", None),
    "unknown keys": ("unknown", "GET", "/v1/bandits", None),
    "GET /v1/bandits": ("read", "GET", "/v1/bandits?limit=1000", None),
    "GET a bandit of 1000 arms": ("read", "GET", "/v1/bandits/large", None),
    "GET it for another goal each time": ("read", "GET", "/v1/bandits/large?risk=mean-variance:{}", None),
    "GET its probabilities": ("read", "GET", "/v1/bandits/large/probabilities", None),
    "GET its weights": ("read", "GET", "/v1/bandits/large/weights", None),
    "GET 1000 of 100 000 open decisions": ("read", "GET", "/v1/bandits/open/decisions?limit=1000", None),
    "GET a log of 100 000 events": ("read", "GET", "/v1/bandits/open/log", None),
    "GET a learner with 100 000 open decisions": ("read", "GET", "/v1/bandits/open/learner", None),
    "GET /metrics": ("read", "GET", "/metrics", None),
    "250 decisions of 1000 arms": ("decide", "POST", "/v1/bandits/large/decisions", {"count": 250}),
    "250 decisions of 1000 named arms": (
        "decide",
        "POST",
        "/v1/bandits/large/decisions",
        {"count": 250, "available": ARMS},
    ),
    "1000 decisions of one arm, named 10 000 times": (
        "decide",
        "POST",
        "/v1/bandits/large/decisions",
        {"count": 1000, "available": ARMS[:1] * 10_000},
    ),
    "more decisions than allowed": ("decide", "POST", "/v1/bandits/large/decisions", {"count": 1000}),
    "1000 decisions": ("decide", "POST", "/v1/bandits/crowd/decisions", {"count": 1000}),
    "5000 rewards of unknown decisions": (
        "decide",
        "POST",
        "/v1/bandits/open/rewards",
        {"rewards": [{"id": f"2-{number}-{0:016}", "reward": 1.0} for number in range(1, 5001)]},
    ),
    "a reward of an unknown decision": ("decide", "PUT", "/v1/decisions/2-1-0123456789abcdef/reward", {"reward": 1.0}),
    "DELETE of an unknown decision": ("decide", "DELETE", "/v1/decisions/2-1-0123456789abcdef", None),
    "new bandits": (
        "admin",
        "PUT",
        "/v1/bandits/new-{}",
        {"arms": ["a", "b"], "policy": "ngts", "risk": "mean-variance:1"},
    ),
    "new bandits of 1000 arms": (
        "admin",
        "PUT",
        "/v1/bandits/long-{}",
        {"arms": ARMS, "policy": "ngts", "risk": "mean-variance:1"},
    ),
    "new arms": ("admin", "PUT", "/v1/bandits/crowd/arms/new-{}", None),
    "another goal for 1000 arms": ("admin", "PATCH", "/v1/bandits/large", {"risk": "mean-variance:{}"}),
    "another policy for 100 000 events": (
        "admin",
        "PATCH",
        "/v1/bandits/open",
        {"policy": "discounted(ngts, half_life={})"},
    ),
}


def flood(name: str, target: Target, numbers: Iterator[int]) -> Iterator[None]:
    """Send the request of that name again and again, and read the answers."""
    role, method, path, body = FLOODS[name]
    key = target.keys.get(role, "rb_1_" + "A" * 43)
    headers = {"Authorization": f"Bearer {key}"} if role else {}
    content = None if body is None else json.dumps(body)
    connection = target.connection()
    while True:
        number = str(next(numbers))
        sent = None if content is None else content.replace("{}", number)
        connection.request(method, path.replace("{}", number), sent, headers)
        connection.getresponse().read()
        yield


def main() -> None:
    """Say when it is ready; attack from a line on standard input to its end, and say how often."""
    name, target = sys.argv[1], Target(*json.loads(sys.argv[2]))
    sent = itertools.count()
    numbers = itertools.count(time.time_ns())
    begun = threading.Event()

    def work() -> None:
        while True:
            try:
                for _ in BY_CONNECTION[name](target) if name in BY_CONNECTION else flood(name, target, numbers):
                    next(sent)
                    begun.set()
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)  # cut: once more

    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(1 if name in BY_CONNECTION else CONNECTIONS):
        threading.Thread(target=work, daemon=True).start()
    sys.stdin.read()
    begun.wait(LONGEST / 2)
    print(next(sent), flush=True)


# What an attack does to others.


class Measured(NamedTuple):
    """An attack, and what it has done."""

    name: str
    requests: int  # that were sent, or parts of one
    seconds: float  # the longest that a decision on another bandit took
    megabytes: float  # by which the service has grown

    def __str__(self) -> str:
        return f"| {self.name} | {self.requests} | {self.seconds:.2f} | {self.megabytes:.0f} |"


def prepare(target: Target) -> None:
    """The bandits that are attacked, and the one whose decisions are timed."""
    connection = target.connection()
    spec = {"arms": ["bond", "stock"], "policy": "ngts", "risk": "mean-variance:1"}
    for name in ("funds", "open", "crowd", "large"):
        ask(connection, target, "PUT", f"/v1/bandits/{name}", {**spec, "arms": ARMS} if name == "large" else spec)
    connection.close()


def fill(target: Target, count: int) -> None:
    """So many open decisions."""
    connection = target.connection()
    for _ in range(count // 1000):
        ask(connection, target, "POST", "/v1/bandits/open/decisions", {"count": 1000})
    connection.close()


def ask(connection: http.client.HTTPConnection, target: Target, method: str, path: str, body: Any) -> int:
    """The status of the answer."""
    connection.request(method, path, json.dumps(body), {"Authorization": f"Bearer {target.keys['admin']}"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status in (200, 201, 503), answer.status
    return answer.status


def measure(target: Target, name: str | None, process: int, seconds: float) -> Measured:
    """Ask for decisions while an attack goes on, or without one."""
    command = [sys.executable, "-m", "serving.attacks", name or "", json.dumps(target)]
    folder = Path(__file__).parents[1]
    attack = None
    if name is not None:
        attack = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)
        attack.stdout.readline()
    before = memory(process, "VmRSS")
    Path(f"/proc/{process}/clear_refs").write_text("5")  # the peak begins anew
    if attack is not None:
        attack.stdin.write("go\n")
        attack.stdin.flush()
    connection = target.connection()
    waits, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        while ask(connection, target, "POST", "/v1/bandits/funds/decisions", {}) == 503:
            pass
        waits.append(time.monotonic() - begun)
    connection.close()
    sent = 0
    if attack is not None:
        sent = int(attack.communicate(timeout=LONGEST)[0])
    return Measured(name or "no attack", sent, max(waits), memory(process, "VmHWM") - before)


def memory(process: int, what: str) -> float:
    """Megabytes of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    [line] = [one for one in lines if one.startswith(f"{what}:")]
    return int(line.split()[1]) / 1024.0


if __name__ == "__main__":
    main()
