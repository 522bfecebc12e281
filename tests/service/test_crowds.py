"""What one client can do to hold up the others: a table of attacks, and what bounds the work of a request."""

from __future__ import annotations

import os
import selectors
import socket
import threading

import pytest

import riskbandits as rb
from riskbandits import client as client_module
from riskbandits.core.errors import ServiceError
from riskbandits.service import auth, queries
from riskbandits.service.db.statements import open_storage
from serving import attacks, proxy
from serving.attacks import ARMS, BY_CONNECTION, FLOODS, Target
from serving.instances import InstanceStarter
from serving.ports import free_port
from serving.running import Running, wait_for

# What a decision on another bandit may take meanwhile, on a machine that has other things to do: the table says what it
# took. And by how much the service may grow.
SECONDS, MEGABYTES = 5.0, 200.0
SAMPLE = ["250 decisions of 1000 named arms", "GET 1000 of 100 000 open decisions", "requests sent byte by byte"]


def keys_for(storage):
    return {role: auth.add_key(storage, role) for role in auth.ROLES}


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """An instance with the bandits that are attacked."""
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('crowds')}/test.db")
    running.target = Target(running.port, keys_for(running.storage))
    attacks.prepare(running.target)
    attacks.fill(running.target, 20_000)
    yield running
    running.stop()


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_holds_up_nobody_else(crowded, name):
    measured = attacks.measure(crowded.target, name, os.getpid(), 1.5)
    assert measured.requests > 0
    assert measured.seconds < SECONDS
    assert measured.megabytes < MEGABYTES


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    running = InstanceStarter(tmp_path_factory.mktemp("attacked") / "log")
    yield running
    running.close()


def start(starter, folder):
    """A new instance with the bandits that are attacked; its process, and how to reach it."""
    url = f"sqlite:///{folder}/test.db"
    storage = open_storage(url)
    target = Target(free_port(), keys_for(storage))
    storage.close()
    process = starter.start(url, target.port)
    wait_for(lambda: answers(target), 60.0)
    attacks.prepare(target)
    attacks.fill(target, 100_000)
    return process, target


def answers(target):
    try:
        target.socket().close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def attacked(starter, tmp_path_factory):
    return start(starter, tmp_path_factory.mktemp("attacked"))


def show(measured, how, capsys):
    with capsys.disabled():
        print(f"\n| {how} {measured}")


@pytest.mark.full
@pytest.mark.parametrize("name", [None, *FLOODS])
def test_every_flood_holds_up_nobody_else(attacked, name, capsys):
    process, target = attacked
    measured = attacks.measure(target, name, process, 3.0)
    show(measured, "bare", capsys)
    assert measured.seconds < SECONDS
    assert measured.megabytes < MEGABYTES


@pytest.mark.full
@pytest.mark.parametrize("name", BY_CONNECTION)
def test_what_a_bare_instance_leaves_to_the_proxy_ends_with_the_attack(starter, name, tmp_path, capsys):
    process, target = start(starter, tmp_path)
    show(attacks.measure(target, name, process, 1.0), "bare", capsys)
    assert attacks.measure(target, None, process, 0.5).seconds < SECONDS


@pytest.mark.full
@pytest.mark.skipif(proxy.NGINX is None or proxy.OPENSSL is None, reason=proxy.MISSING)
def test_behind_the_proxy_no_connection_holds_up_another(starter, tmp_path, capsys):
    process, target = start(starter, tmp_path)
    secure = free_port()
    with proxy.proxy(tmp_path, target.port, secure) as certificate:
        behind = Target(secure, target.keys, str(certificate))
        wait_for(lambda: answers(behind))
        for name in (None, *BY_CONNECTION):
            measured = attacks.measure(behind, name, process, 2.0)
            show(measured, "proxy", capsys)
            assert measured.seconds < SECONDS, name
            assert measured.megabytes < MEGABYTES, name


def test_the_work_of_a_request_is_bounded(crowded, monkeypatch):
    from riskbandits.service import operations

    monkeypatch.setattr(operations, "MOST_CANDIDATES", 10_000)
    assert len(crowded.decide("large", 10)) == 10
    refused = crowded.ask("POST", "/v1/bandits/large/decisions", {"count": 11})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "count must be at most 10 with 1000 arms to choose from. Got 11 instead."
    assert len(crowded.decide("large", 11, available=ARMS[:1] * 1000)) == 11  # a set of one


def test_names_that_are_repeated_in_a_body_are_refused(crowded):
    headers = {"Authorization": f"Bearer {crowded.key}"}
    body = b'{"count": 1, "count": 900}'
    refused = crowded.client.post("/v1/bandits/funds/decisions", content=body, headers=headers)
    assert (refused.status_code, "'count' must be given once" in refused.json()["detail"]) == (422, True)
    refused = crowded.ask("GET", '/v1/bandits/funds?features={"x": 1, "x": 2}')
    assert (refused.status_code, "'x' must be given once" in refused.json()["detail"]) == (422, True)


def test_brackets_without_end_in_a_query(crowded):
    refused = crowded.ask("GET", f"/v1/bandits/funds?features={'[' * 3000}")
    assert (refused.status_code, "must be an object in JSON" in refused.json()["detail"]) == (422, True)


def test_questions_of_a_key_do_not_pile_up(crowded, monkeypatch):
    """Each asks for something else and is as long in coming: those who have gone would hold up all that come later."""
    go_on, computed, answer = threading.Event(), [], queries.bandit_answer

    def wait_and_answer(snapshot, *arguments):
        computed.append(arguments)
        assert go_on.wait(60)
        return answer(snapshot, *arguments)

    monkeypatch.setattr(queries, "bandit_answer", wait_and_answer)
    many = [crowded.target.socket() for _ in range(auth.MOST_QUESTIONS + 4)]
    for number, one in enumerate(many):
        one.sendall(crowded.target.head("read", f"/v1/bandits/funds?risk=mean-variance:{number}"))
    refused = selectors.DefaultSelector()
    for one in many:
        refused.register(one, selectors.EVENT_READ)
    answered = []
    while len(answered) < 4:
        ready = refused.select(30)
        assert ready
        for key, _ in ready:
            answered.append(key.fileobj.recv(1000))
            refused.unregister(key.fileobj)
    assert {one[9:12] for one in answered} == {b"429"}
    for one in many:
        one.close()
    go_on.set()
    wait_for(lambda: not any(crowded.service.questions.values()), 60.0)
    assert len(computed) == auth.MOST_QUESTIONS
    assert crowded.ask("GET", "/v1/bandits/funds", key=crowded.target.keys["read"]).status_code == 200


# An answer that is cut at any byte


class Cutting(threading.Thread):
    """Answers each first connection with the beginning of an answer, and the next one with all of it."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.answer, self.first, self.kept, self.keys = answer, None, 0, []
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
                first = self.answer[: self.kept] if self.first is None else self.first
                connection.sendall(first if len(self.keys) == 1 else self.answer)


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


def test_a_proxy_that_has_not_got_all_of_a_request_is_asked_again(monkeypatch):
    monkeypatch.setattr(client_module, "FIRST_PAUSE", 0.0)
    server = Cutting(b"HTTP/1.1 201 Created\r\n" + HEADS["a proxy"] + b"\r\n" + BODY)
    page = b"<html>408 Request Time-out</html>"
    head = b"HTTP/1.1 408 Request Time-out\r\nContent-Type: text/html\r\nContent-Length: %d\r\n" % len(page)
    server.first = head + b"Connection: close\r\n\r\n" + page
    with rb.Client(f"http://127.0.0.1:{server.port}", "key", bandit="funds") as client:
        assert client.decide().id == "1-1-0123456789abcdef"
    assert len(server.keys) == 2
    assert server.keys[0] == server.keys[1]
    server.socket.close()


def test_an_answer_in_plain_text_is_reported_and_not_asked_for_again():
    text = b"Invalid HTTP request received."
    head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(
        text
    )
    server = Cutting(head + text)
    server.first = server.answer
    client = rb.Client(f"http://127.0.0.1:{server.port}", "key", bandit="funds")
    with (
        client,
        pytest.raises(ServiceError, match="must answer in JSON. It sent b'Invalid HTTP request.*' with status 400"),
    ):
        client.decide()
    assert len(server.keys) == 1
    server.socket.close()


def test_a_request_that_is_not_http_is_answered_in_plain_text(crowded):
    with crowded.target.socket() as one:
        one.sendall(b"\0\0 nonsense\r\n\r\n")
        answer = one.recv(1000)
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"text/plain" in answer
