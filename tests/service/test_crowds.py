"""One client's crowd of requests, and what it costs a decision on another bandit."""

from __future__ import annotations

import http.client
import json
import threading
import time

import pytest

import riskbandits as rb
from riskbandits import client as client_module
from riskbandits.service import auth
from serving.running import FUNDS, Running

# Seconds that a decision on another bandit may take meanwhile. The crowd shares the interpreter with the service here.
WAIT = 3.0
MANY = 300


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """A bandit with a thousand arms, one with many open decisions, and one that must not suffer."""
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('crowds')}/test.db")
    running.keys = {role: auth.add_key(running.storage, role) for role in auth.ROLES}
    arms = [f"arm-{number:04}" for number in range(1000)]
    assert running.ask("PUT", "/v1/bandits/large", {**FUNDS, "arms": arms}).status_code == 201
    for name in ("open", "funds"):
        assert running.ask("PUT", f"/v1/bandits/{name}", FUNDS).status_code == 201
    for _ in range(20):
        running.decide("open", 1000)
    running.arms = arms
    yield running
    running.stop()


def attacks(running):
    """Requests that are as dear as the service allows: method, path, body, role."""
    yield "POST", "/v1/bandits/large/decisions", {"count": 250}, "decide"
    yield "POST", "/v1/bandits/large/decisions", {"count": 250, "available": running.arms}, "decide"
    yield "GET", "/v1/bandits/open/decisions?limit=1000", None, "read"
    yield "GET", "/v1/bandits/open/log", None, "read"
    yield "GET", "/v1/bandits/open/learner", None, "read"
    yield "GET", "/v1/bandits/large", None, "read"
    yield "GET", "/v1/bandits", None, "read"
    yield "GET", "/readyz", None, "read"
    yield "GET", "/openapi.json", None, "read"


def longest_wait(running, method, path, body, role, count):
    """The longest of the decisions on another bandit while a crowd sends the same request."""
    content = None if body is None else json.dumps(body)
    headers = {"Authorization": f"Bearer {running.keys[role]}"}
    stop = threading.Event()

    def send():
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
        for _ in range(count):
            if stop.is_set():
                break
            connection.request(method, path, content, headers)
            connection.getresponse().read()
        connection.close()

    crowd = [threading.Thread(target=send) for _ in range(8)]
    for thread in crowd:
        thread.start()
    waits = []
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        begun = time.monotonic()
        running.decide("funds")
        waits.append(time.monotonic() - begun)
    stop.set()
    for thread in crowd:
        thread.join()
    return max(waits)


@pytest.mark.parametrize("place", [0, 2])
def test_a_crowd_holds_up_nobody_else(crowded, place):
    attack = list(attacks(crowded))[place]
    assert longest_wait(crowded, *attack, count=20) < WAIT


@pytest.mark.full
@pytest.mark.parametrize("place", range(9))
def test_every_crowd_holds_up_nobody_else(crowded, place, capsys):
    attack = list(attacks(crowded))[place]
    seconds = longest_wait(crowded, *attack, count=MANY)
    with capsys.disabled():
        print(f"\n{attack[0]} {attack[1]} by eight clients: a decision on another bandit took at most {seconds:.2f} s")
    assert seconds < WAIT


def test_the_work_of_a_request_is_bounded(crowded, monkeypatch):
    from riskbandits.service import operations

    monkeypatch.setattr(operations, "MOST_CANDIDATES", 10_000)
    assert len(crowded.decide("large", 10)) == 10
    refused = crowded.ask("POST", "/v1/bandits/large/decisions", {"count": 11})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "count must be at most 10 with 1000 arms to choose from. Got 11 instead."
    assert len(crowded.decide("large", 11, available=["arm-0001"] * 1000)) == 11  # a set of one


def test_names_that_are_repeated_in_a_body_are_refused(crowded):
    headers = {"Authorization": f"Bearer {crowded.key}"}
    body = b'{"count": 1, "count": 900}'
    refused = crowded.client.post("/v1/bandits/funds/decisions", content=body, headers=headers)
    assert (refused.status_code, "'count' must be given once" in refused.json()["detail"]) == (422, True)


# An answer that is cut at any byte


class Cutting(threading.Thread):
    """Answers each first connection with the beginning of an answer, and the next one with all of it."""

    def __init__(self, answer):
        import socket

        super().__init__(daemon=True)
        self.answer, self.kept, self.keys = answer, 0, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                asked = b""
                while b"\r\n\r\n" not in asked or not asked.endswith(b"}"):
                    asked += connection.recv(65536)
                keys = [line for line in asked.split(b"\r\n") if line.lower().startswith(b"idempotency-key")]
                self.keys.append(keys)
                connection.sendall(self.answer[: self.kept] if len(self.keys) == 1 else self.answer)


BODY = b'{"decisions":[{"id":"1-1-0123456789abcdef","arm":"bond","expires":"2026-01-31T12:00:00.000000Z"}]}'
HEADS = {
    "the service": b"content-length: %d\r\ncontent-type: application/json\r\ncache-control: no-store\r\n" % len(BODY),
    "a proxy": b"Server: nginx\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % len(BODY),
}


@pytest.mark.parametrize("sender", HEADS)
def test_an_answer_that_is_cut_at_any_byte_is_asked_for_again(sender, monkeypatch):
    monkeypatch.setattr(client_module, "FIRST_PAUSE", 0.0)
    answer = b"HTTP/1.1 201 Created\r\n" + HEADS[sender] + b"\r\n" + BODY
    server = Cutting(answer)
    for kept in range(len(answer)):
        server.kept, server.keys = kept, []
        with rb.Client(f"http://127.0.0.1:{server.port}", "key", bandit="funds") as client:
            assert client.decide().id == "1-1-0123456789abcdef", kept
        assert len(server.keys) == 2, kept
        assert server.keys[0] == server.keys[1] != [], kept
    server.socket.close()


def test_an_answer_in_chunks_is_whole(monkeypatch):
    monkeypatch.setattr(client_module, "FIRST_PAUSE", 0.0)
    head = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = head + b"%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n"
    server = Cutting(answer)
    for kept in (0, 60, len(head), len(head) + 40, len(answer)):
        server.kept, server.keys = kept, []
        with rb.Client(f"http://127.0.0.1:{server.port}", "key", bandit="funds") as client:
            assert client.decide().id == "1-1-0123456789abcdef", kept
        assert len(server.keys) == (1 if kept == len(answer) else 2), kept
    server.socket.close()
