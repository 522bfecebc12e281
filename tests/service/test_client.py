"""The client: the learner's calls over HTTP, whose retries change nothing."""

from __future__ import annotations

import os
import socket
import threading

import pytest

import riskbandits as rb
from riskbandits import client as client_module
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, ServiceError, UnknownNameError
from riskbandits.service.errors import service_unavailable


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
    assert learner.answer(some[1:2], [1.0]) == [True]
    assert learner.answer([some[1].id, some[2].id, some[2].id], [1.0, 2.0, 2.0]) == [False, True, False]
    with pytest.raises(ParameterError, match="available must be a list"):
        learner.decide(available="stock")
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


def test_what_a_learner_can_be_asked(small, tmp_path):
    learner = rb.Learner(rb.SwitchingAware(), ["bond", "stock"], rb.MeanVariance(1.0), seed=3)
    with rb.Client(small.address, small.key, bandit="asked") as client:
        assert client.create(arms=["bond", "stock"], policy=rb.SwitchingAware(), risk=rb.MeanVariance(1.0), seed=3)
        assert not client.create(arms=["bond", "stock"], policy="switching-aware", risk="mean-variance:1", seed=3)
        assert client.best() is learner.best() is None
        for step in range(20):
            arms = [one.ask() for one in (client, learner)]
            assert arms[0] == arms[1]
            for one in (client, learner):
                one.tell(arms[0], 0.1 * (step % 7))
        both = [client.ask(), client.ask()]
        assert both == [learner.ask(), learner.ask()]
        for one in (client, learner):
            one.tell(both, [0.25, 0.5])
        arm = client.ask()
        assert arm == learner.ask()
        client.forget(arm=arm)
        learner.forget(arm=arm)
        with pytest.raises(ParameterError, match="no outstanding reward"):
            client.tell(arm, 1.0)
        client.retire("bond")
        learner.retire("bond")
        assert client.best() == learner.best()
        assert repr(client.best()) == repr(learner.best())
        expected = learner.summary().to_dict(orient="records")
        assert list(client.summary()[0]) == list(expected[0])
        assert client.summary() == expected
        assert client.probabilities() == learner.probabilities().to_dict(orient="records")
        file = tmp_path / "asked.json"
        copy = rb.Learner.from_json(client.export(file))
        assert rb.Learner.load(file).summary().equals(copy.summary())
        assert [copy.decide().arm for _ in range(5)] == [client.decide().arm for _ in range(5)]


def test_many_open_decisions_come_in_parts(small, monkeypatch):
    monkeypatch.setattr(client_module, "DECISIONS_AT_ONCE", 7)
    with rb.Client(small.address, small.key, bandit="funds") as client:
        made = client.decide(count=14)
        assert client.open_decisions() == made
        client.forget(made[3])
        assert client.open_decisions() == made[:3] + made[4:]


def test_the_standard_library_is_enough(run_python):
    code = """
import sys
sys.modules["numpy"] = None
from riskbandits.client import Client
print(Client("http://127.0.0.1:9", "key", "funds").name, [name for name in ("pandas", "numba") if name in sys.modules])
"""
    assert run_python(code).strip() == "funds []"


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
    with pytest.raises(ServiceError, match="no connection to the service at http://127.0.0.1:9: .*refused"):
        rb.Client("http://127.0.0.1:9", small.key, bandit="funds", connect_patience=0.2).decide()
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

    def __init__(self, port, lost, kept=0):
        self._port, self.lost, self.kept = port, lost, kept  # how many answers, and how many bytes of each still come
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
                        here.sendall(answer[: self.kept])
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


def test_threads_that_have_ended_leave_no_connection(small):
    with rb.Client(small.address, small.key, bandit="funds") as client:
        booked = []

        def work():
            for _ in range(5):
                decision = client.decide()
                booked.append((decision.id, client.answer(decision, 0.5)))

        for _ in range(10):
            threads = [threading.Thread(target=work) for _ in range(4)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
        assert len(dict(booked)) == 200
        assert all(new for _, new in booked)
        assert len(client._idle) <= 4
    assert not client._idle


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_connections_of_its_own(small, run_python):
    """Servers fork workers after they have used a client: no worker may read another one's answer."""
    code = """
import os, sys
from riskbandits.client import Client
client = Client(sys.argv[1], sys.argv[2], bandit="funds")
client.open_decisions()
children = []
for worker in range(3):
    if not (child := os.fork()):
        arms = [("bond", "stock")[worker % 2]]
        booked = [client.answer(client.decide(available=arms), 1.0 + worker) for _ in range(30)]
        os._exit(booked != [True] * 30)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
"""
    sent = f"import sys; sys.argv[1:] = {[small.address, small.key]!r}\n"
    assert run_python(sent + code).strip() == "[0, 0, 0]"
    found = {(event["arm"], event["reward"]) for event in small.log("funds") if event["kind"] == "reward"}
    assert found == {("bond", 1.0), ("stock", 2.0), ("bond", 3.0)}


def test_a_connection_that_was_closed_meanwhile_costs_no_pause(small, monkeypatch):
    lossy = Lossy(small.port, 0)
    with rb.Client(f"http://127.0.0.1:{lossy.port}", small.key, bandit="funds") as client:
        client.decide()
        lossy.lost = 1
        monkeypatch.setattr(client_module.time, "sleep", lambda _: pytest.fail("it waited"))
        client.decide()
    lossy.close()


def test_why_a_service_is_unavailable_is_told(small, monkeypatch):
    async def refuse(*_):
        raise service_unavailable("Nothing can be written: the disk is full.")

    monkeypatch.setattr(small.service, "submit", refuse)
    with (
        rb.Client(small.address, small.key, bandit="funds", patience=0) as client,
        pytest.raises(ServiceError, match="within 0 s: it answered 503: Nothing can be written: the disk is full"),
    ):
        client.decide()


def test_an_answer_that_is_cut_anywhere_is_asked_for_again(small):
    lossy, made = Lossy(small.port, 0), []
    with rb.Client(f"http://127.0.0.1:{lossy.port}", small.key, bandit="funds") as client:
        for lossy.kept in (1, 13, 45, 90, 200):
            lossy.lost = 1
            made.append(client.decide().id)
    lossy.close()
    assert [one["id"] for one in small.ask("GET", "/v1/bandits/funds/decisions").json()["decisions"]] == made
