"""The client: the learner's calls over HTTP, whose retries change nothing."""

from __future__ import annotations

import socket
import threading

import pytest

import riskbandits as rb
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, ServiceError, UnknownNameError


def session(learner):
    """Code that knows nothing of where the learner is."""
    chosen = []
    for step in range(6):
        decision = learner.decide()
        chosen.append(decision.arm)
        assert learner.answer(decision.id, 0.1 * step) is True
        assert learner.answer(decision.id, 0.1 * step) is False
    some = learner.decide(count=3, available=["stock"])
    assert [decision.arm for decision in some] == ["stock"] * 3
    assert [decision.id for decision in learner.open_decisions()] == [decision.id for decision in some]
    with pytest.raises(ConflictError):
        learner.answer(decision.id, 99.0)
    learner.forget(some[0].id)
    with pytest.raises(GoneError):
        learner.answer(some[0].id, 1.0)
    learner.answer(some[1:], [1.0, 2.0])
    learner.add("gold")
    learner.retire("bond")
    chosen += [learner.decide().arm for _ in range(4)]
    return chosen


def test_code_moves_by_one_line(small):
    client = rb.Client(small.address, small.key, bandit="moved")
    with client:
        check_moves(client)


def check_moves(client):
    assert client.create(arms=["bond", "stock"], policy="switching-aware", risk="mean-variance:1", seed=3) is True
    assert client.create(arms=["bond", "stock"], policy="switching-aware", risk="mean-variance:1", seed=3) is False
    learner = rb.Learner(rb.SwitchingAware(), ["bond", "stock"], rb.MeanVariance(1.0), seed=3)
    assert session(client) == session(learner)
    assert client.look()["rewards"] == 8


def test_errors_are_the_learners(small):
    client = rb.Client(f"{small.address}/v1/bandits/none", small.key)
    assert client.name == "none"
    with client, pytest.raises(UnknownNameError, match="There is no bandit 'none'"):
        client.decide()
    stranger = rb.Client(small.address, "rb_1_wrong", bandit="funds")
    with stranger, pytest.raises(ServiceError, match="The key is unknown or revoked"):
        stranger.decide()
    with pytest.raises(ParameterError, match="finite number"):
        client.bandit("funds").answer("1-1-0123456789abcdef", "much")
    with pytest.raises(ParameterError, match="needs the name of a bandit"):
        rb.Client(small.address, small.key).decide()
    with pytest.raises(ParameterError, match="one such as"):
        rb.Client("ftp://x", small.key)
    with pytest.raises(ServiceError, match="did not answer within 0.2 s"):
        rb.Client("http://127.0.0.1:9", small.key, bandit="funds", patience=0.2).decide()
    assert small.key not in repr(client)


@pytest.mark.parametrize(
    "url", [None, 3, "", "nonsense", "http://", "http://x:99999999", "http://[1", "ftp://x", b"http://x"]
)
def test_urls_that_are_none(url):
    with pytest.raises(ParameterError, match="The URL of the service must be"):
        rb.Client(url, "key")


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ({"key": "a b"}, "The key must be one printed by"),
        ({"key": None}, "The key must be a non-empty string"),
        ({"key": "a\r\nX: y"}, "The key must be one printed by"),
        ({"bandit": 3}, "The name of a bandit must be"),
        ({"timeout": 0}, "timeout must be"),
        ({"patience": "long"}, "patience must be"),
    ],
)
def test_bad_calls_of_the_client(named, sentence):
    with pytest.raises(ParameterError, match=sentence):
        rb.Client("http://127.0.0.1:9", **{"key": "key", **named})


def is_whole(message):
    """Whether all of a request or an answer is there."""
    head, _, body = message.partition(b"\r\n\r\n")
    length = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    return bool(length) and len(body) >= int(length[0].split(b":")[1])


class Lossy:
    """Stands before the service and swallows answers."""

    def __init__(self, port, lost):
        self._port, self.lost = port, lost
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                here, _ = self._socket.accept()
            except OSError:
                return
            with here, socket.create_connection(("127.0.0.1", self._port)) as there:
                sent = b""
                while True:
                    part = here.recv(65536)
                    if not part:
                        break
                    sent += part
                    if not is_whole(sent):
                        continue
                    there.sendall(sent)
                    sent = answer = b""
                    while not is_whole(answer):
                        answer += there.recv(65536)
                    if self.lost > 0:
                        self.lost -= 1
                        break
                    here.sendall(answer)

    def close(self):
        self._socket.close()


def test_a_lost_answer_is_asked_for_again(small):
    lossy = Lossy(small.port, 2)
    client = rb.Client(f"http://127.0.0.1:{lossy.port}", small.key, bandit="funds")
    decision = client.decide()  # the first two answers are lost
    assert lossy.lost == 0
    lossy.lost = 1
    client.answer(decision.id, 0.5)
    client.close()
    lossy.close()
    seen = small.ask("GET", "/v1/bandits/funds").json()
    assert (seen["decisions"], seen["rewards"], seen["open"]) == (1, 1, 0)
