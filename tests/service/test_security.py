"""What people try, one by one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from interrupting import started
from riskbandits.service import auth, fast_routes, operations
from riskbandits.service.auth import RateLimiter
from serving.running import FUNDS, Running, wait_for

ROUTES = [
    ("PUT", "/v1/bandits/funds", "admin"),
    ("POST", "/v1/bandits/funds/decisions", "decide"),
    ("PUT", "/v1/decisions/1-1-0123456789abcdef/reward", "decide"),
    ("POST", "/v1/bandits/funds/rewards", "decide"),
    ("DELETE", "/v1/decisions/1-1-0123456789abcdef", "decide"),
    ("PUT", "/v1/bandits/funds/arms/gold", "admin"),
    ("DELETE", "/v1/bandits/funds/arms/gold", "admin"),
    ("GET", "/v1/bandits/funds", "read"),
    ("GET", "/v1/bandits", "read"),
    ("GET", "/v1/bandits/funds/decisions", "read"),
    ("GET", "/v1/bandits/funds/log", "read"),
    ("GET", "/v1/bandits/funds/probabilities", "read"),
    ("GET", "/v1/bandits/funds/learner", "read"),
    ("GET", "/metrics", "read"),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('security')}/test.db")
    running.keys = {role: auth.add_key(running.storage, role) for role in auth.ROLES}
    assert running.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 201
    wait_for(lambda: running.ask("GET", "/v1/bandits", key=running.keys["read"]).status_code == 200)
    yield running
    running.stop()


@pytest.mark.parametrize(("method", "path", "role"), ROUTES)
def test_no_key_wrong_key_wrong_role(service, method, path, role):
    nonsense = {"content": b"{not json", "headers": {"Idempotency-Key": "x" * 1000}}
    assert service.client.request(method, path, **nonsense).status_code == 401
    for wrong in ("nonsense", "rb_1_" + "A" * 43, service.key[:-1], service.key + "x", "rb_9999999999_" + "A" * 43):
        answer = service.client.request(method, path, headers={"Authorization": f"Bearer {wrong}"})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        check_problem(answer, "Unauthorized")
    assert service.client.request(method, path, headers={"Authorization": f"Basic {service.key}"}).status_code == 401
    lower = auth.ROLES[: auth.ROLES.index(role)]
    for other in lower:
        answer = service.ask(method, path, {}, key=service.keys[other])
        assert answer.status_code == 403
        check_problem(answer, "Forbidden")
        assert answer.json()["detail"] == f"The key must have the role {role!r} for this. It has {other!r}."


def check_problem(answer, title):
    """Whether an error has the one shape of all errors (RFC 9457)."""
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found.pop("detail").endswith((".", "?"))
    assert found == {"type": "about:blank", "title": title, "status": answer.status_code}


def test_every_error_has_one_shape(service):
    id = service.decide("funds")[0]["id"]
    service.reward(id, 0.5)
    for method, path, body, title in (
        ("GET", "/nowhere", None, "Not Found"),
        ("PATCH", "/v1/decisions/1/reward", None, "Method Not Allowed"),
        ("PUT", f"/v1/decisions/{id}/reward", {"reward": 0.25}, "Conflict"),
        ("PUT", f"/v1/decisions/{id}/reward", {"reward": "x"}, "Unprocessable Content"),
        ("GET", "/v1/bandits?limit=0", None, "Unprocessable Content"),
        ("GET", "/v1/bandits?limit=many", None, "Unprocessable Content"),
        ("GET", "/v1/bandits?colour=red", None, "Unprocessable Content"),
        ("GET", "/v1/bandits/none", None, "Not Found"),
    ):
        check_problem(service.ask(method, path, body), title)


def test_the_parser_h11_limits_headers(tmp_path):
    running = Running(f"sqlite:///{tmp_path}/test.db", http="h11")
    try:
        assert running.ask("GET", "/v1/bandits").status_code == 200
        with socket.create_connection(("127.0.0.1", running.port)) as endless:
            endless.settimeout(10)
            sent = b"GET / HTTP/1.1\r\nX: " + b"x" * (1 << 18)
            with suppress(ConnectionError):
                endless.sendall(sent)
            assert endless.recv(100).startswith(b"HTTP/1.1 400")
    finally:
        running.stop()


def test_a_revoked_key_is_refused_at_once(service):
    key = auth.add_key(service.storage, "read")
    wait_for(lambda: service.ask("GET", "/v1/bandits", key=key).status_code == 200)
    [last] = [one for one in auth.list_keys(service.storage) if one.id == int(key.split("_")[1])]
    assert auth.revoke_key(service.storage, last.id)
    time.sleep(auth.SECONDS_CACHED)
    assert service.ask("GET", "/v1/bandits", key=key).status_code == 401


def test_keys_are_not_kept(service):
    assert len(service.key) == len("rb_1_") + 43  # 256 bits
    with open(service.url.removeprefix("sqlite:///"), "rb") as file:
        content = file.read()
    assert service.key.split("_", 2)[2].encode() not in content


def test_a_body_of_10_mb(service):
    body = b'{"count": 1' + b" " * 10_000_000 + b"}"
    headers = {"Authorization": f"Bearer {service.key}"}
    answer = service.client.post("/v1/bandits/funds/decisions", content=body, headers=headers)
    assert answer.status_code == 413
    assert answer.json()["detail"] == f"The body must be at most {fast_routes.LARGEST_BODY} bytes. It is longer."
    # In parts, without a length.
    parts = (b" " * 100_000 for _ in range(100))
    assert service.client.post("/v1/bandits/funds/decisions", content=parts, headers=headers).status_code == 413
    assert service.client.post("/v1/bandits/funds/decisions", content=body).status_code == 401


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "x'; DROP TABLE events;--",
        "..",
        "../../etc/passwd",
        "a" * 10_000,
        "fund\u0455",
        "a\x00b",
        " ",
        "%",
    ],
)
def test_names_of_bandits(service, name):
    from urllib.parse import quote

    place = f"/v1/bandits/{quote(name, safe='').replace('.', '%2E')}"
    answer = service.ask("PUT", place, FUNDS)
    assert answer.status_code in (404, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(answer.json()["detail"]) < 400
    assert service.ask("GET", place).status_code == 404
    assert service.ask("POST", f"{place}/decisions").status_code == 404
    names = [one["name"] for one in service.ask("GET", "/v1/bandits").json()["bandits"]]
    assert name not in names


def test_names_of_arms(service):
    strange = ["<b>bold</b>", "x'; DROP TABLE events;--", '"quoted"', "../..", "a,b", "Ünïcode", "{{7*7}}"]
    assert service.ask("PUT", "/v1/bandits/strange", {**FUNDS, "arms": strange}).status_code == 201
    assert [service.decide("strange", available=[arm])[0]["arm"] for arm in strange] == strange
    assert [event["arm"] for event in service.log("strange")] == strange
    for wrong in ("a" * 101, "a\nb", " a", "..", "\u202eevil", "ﬁne", "e\u0301", "a\x00", "decision-7"):
        answer = service.ask("PUT", "/v1/bandits/never", {**FUNDS, "arms": [wrong, "good"]})
        assert answer.status_code == 422, wrong
    assert service.ask("GET", "/v1/bandits/never").status_code == 404
    for bytes_of_no_text in ("%FF", "%ED%A0%80"):
        assert service.ask("PUT", f"/v1/bandits/strange/arms/{bytes_of_no_text}").status_code == 422


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e999", "1e141", '"1"', "null", "true", "[1]", "{}"]
)
def test_rewards_that_are_no_numbers(service, number):
    id = service.decide("funds")[0]["id"]
    headers = {"Authorization": f"Bearer {service.key}"}
    for path, body in (
        (f"/v1/decisions/{id}/reward", f'{{"reward": {number}}}'),
        ("/v1/bandits/funds/rewards", f'{{"rewards": [{{"id": "{id}", "reward": {number}}}]}}'),
    ):
        method = "PUT" if "decisions" in path else "POST"
        answer = service.client.request(method, path, content=body.encode(), headers=headers)
        assert answer.status_code == 422
        assert "reward" in answer.json()["detail"]
    assert service.reward(id, 0.5).json() == {"booked": True}


def test_rewards_that_the_policy_does_not_take(service):
    assert service.ask("PUT", "/v1/bandits/coins", {**FUNDS, "policy": "bmvts"}).status_code == 201
    id = service.decide("coins")[0]["id"]
    refused = service.reward(id, 0.5)
    assert refused.status_code == 422
    assert "0 or 1" in refused.json()["detail"]
    assert service.reward(id, 1).json() == {"booked": True}


def test_a_policy_by_file_name(service, tmp_path):
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(tmp_path / 'done')!r}, 'w')")
    for policy in (f"{file}:Evil", f"switching-aware({file}:Evil)", "__import__('os').system('true')", "os.system"):
        answer = service.ask("PUT", "/v1/bandits/evil", {**FUNDS, "policy": policy})
        assert answer.status_code == 422, policy
    for risk in (f"{file}:Evil", "mean-variance(__import__('os').getpid())"):
        assert service.ask("PUT", "/v1/bandits/evil", {**FUNDS, "risk": risk}).status_code == 422
        assert service.ask("GET", f"/v1/bandits/funds?risk={file}:Evil").status_code == 422
    assert not (tmp_path / "done").exists()


def test_10_000_open_decisions(service, monkeypatch):
    assert service.ask("PUT", "/v1/bandits/crowd", FUNDS).status_code == 201
    ids = [one["id"] for _ in range(10) for one in service.decide("crowd", 1000)]
    begun = time.monotonic()
    assert service.reward(ids[0], 1.0).json() == {"booked": True}
    assert service.reward(ids[-1], 1.0).json() == {"booked": True}
    assert time.monotonic() - begun < 1.0
    assert service.ask("GET", "/v1/bandits/crowd").json()["open"] == 9998
    monkeypatch.setattr(operations, "MOST_OPEN", 9999)
    assert len(service.decide("crowd")) == 1
    refused = service.ask("POST", "/v1/bandits/crowd/decisions")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "must be at most 9999" in refused.json()["detail"]
    assert service.ask("POST", "/v1/bandits/crowd/decisions", {"count": 1001}).status_code == 422


def test_a_reward_for_somebody_elses_decision(service):
    assert service.ask("PUT", "/v1/bandits/theirs", FUNDS).status_code == 201
    id = service.decide("theirs")[0]["id"]
    bandit, number, tag = id.split("-")
    guesses = [
        f"{bandit}-{number}-{'0' * 16}",
        f"{bandit}-{int(number) + 1}-{tag}",
        f"1-{number}-{tag}",
        f"{bandit}-{number}",
    ]
    for guess in guesses:
        assert service.reward(guess, 1.0).status_code == 404
        assert service.ask("DELETE", f"/v1/decisions/{guess}").status_code == 404
    refused = service.ask("POST", "/v1/bandits/funds/rewards", {"rewards": [{"id": id, "reward": 1.0}]})
    assert refused.status_code == 404
    assert service.ask("GET", "/v1/bandits/theirs").json()["rewards"] == 0


def test_too_many_requests_of_one_key(tmp_path, monkeypatch):
    monkeypatch.setattr(auth, "time", SimpleNamespace(monotonic=lambda: 0.0))  # on a busy machine these take seconds
    running = Running(f"sqlite:///{tmp_path}/test.db", RateLimiter(per_second=5.0))
    try:
        statuses = [running.ask("GET", "/v1/bandits").status_code for _ in range(20)]
        assert statuses[:10] == [200] * 10
        assert statuses[-1] == 429
        assert running.ask("GET", "/healthz").status_code == 200
    finally:
        running.stop()


def test_no_address_is_not_every_address(tmp_path, command):
    code, _, err = command("serve", "--db", f"sqlite:///{tmp_path}/test.db", "--host", "")
    assert (code, err) == (2, "Error: --host must be an address such as 127.0.0.1. Got '' instead.\n")
    assert not list(tmp_path.iterdir())  # refused before there is a database


def test_no_key_in_a_log_and_no_listening_elsewhere_without_keys(tmp_path):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    url = f"sqlite:///{tmp_path}/test.db"
    command = [sys.executable, "-m", "riskbandits", "serve", "--db", url, "--port", "0", "--log-requests"]
    refused = subprocess.run(
        [*command, "--host", "0.0.0.0"], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert refused.returncode == 2
    assert "listens only on the loopback address, not on '0.0.0.0'" in refused.stderr
    with (
        (tmp_path / "log").open("wb") as log,
        started(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().split(" at ")[1].strip()
        key = process.stdout.readline().split(": ")[1].strip()
        assert key in process.stdout.readline()  # the page's address
        import httpx

        with httpx.Client(base_url=address) as client:
            with_key = {"Authorization": f"Bearer {key}"}
            assert client.get(f"/v1/bandits?key={key}", headers=with_key).status_code == 422
            assert client.get("/v1/bandits", headers=with_key).status_code == 200
            assert client.get("/v1/bandits", headers={"Authorization": f"Bearer {key}x"}).status_code == 401
        process.terminate()
        assert process.wait(30) == 0
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["event"] for line in lines][-2:] == ["stopping", "stopped"]
    assert {line.get("status") for line in lines} >= {200, 401, 422}
    assert key.split("_", 2)[2] not in text


def test_answers_say_what_browsers_must_not_do(service):
    for path in ("/", "/page.js", "/healthz", "/v1/bandits"):
        headers = service.ask("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
    assert "frame-ancestors 'none'" in service.ask("GET", "/").headers["content-security-policy"]
