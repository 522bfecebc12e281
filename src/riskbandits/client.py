"""A client of the decision service: the learner's methods over HTTP, using only the standard library."""

from __future__ import annotations

import http.client
import json
import random
import re
import ssl
import threading
import time
import uuid
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlsplit

from riskbandits.core.checks import as_number, number, text, whole
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, ServiceError, UnknownNameError, must_be
from riskbandits.core.version import __version__
from riskbandits.learner.decisions import Decision, as_id, is_single, pair_rewards

PASSING = (429, 500, 502, 503, 504)  # answers after which the same request may succeed
MOST_OPEN = 1_000_000  # decisions that one bandit may have open
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
ERRORS = {404: UnknownNameError, 409: ConflictError, 410: GoneError, 422: ParameterError}
CONNECTION_ERRORS = (OSError, http.client.HTTPException)


class Client:
    """A bandit of a running service (`riskbandits serve`), with the interface of a `Learner`: one line of code changes.

    `bandit` is its name; `client.bandit(name)` gives a client for another one. A request whose answer is lost is
    retried with the same Idempotency-Key until `patience` seconds have passed: nothing happens twice. A client may be
    used by several threads.

        client = rb.Client("http://127.0.0.1:8000", key, bandit="funds")
        client.create(arms=["bond", "stock"], policy="switching-aware", risk="mean-variance:1")
        decision = client.decide()
        client.answer(decision.id, 0.02)
    """

    def __init__(
        self, url: str, key: str, bandit: str | None = None, *, timeout: float = 10.0, patience: float = 60.0
    ) -> None:
        try:
            found = urlsplit(text("The URL of the service", url))
            self._scheme, self._host, self._port = found.scheme, found.hostname or "", found.port
        except ValueError as error:
            if isinstance(error, ParameterError):
                raise
            self._scheme = ""
        if self._scheme not in ("http", "https") or not self._host:
            raise must_be("The URL of the service", "one such as http://127.0.0.1:8000", url)
        path, _, named = found.path.partition("/v1/bandits/")
        self._path = path.rstrip("/")
        self._key = text("The key", key)
        if not re.fullmatch(r"[!-~]+", self._key):
            raise ParameterError("The key must be one printed by `riskbandits keys add`.")
        self.name = named.strip("/") or None if bandit is None else text("The name of a bandit", bandit)
        self._timeout = number("timeout", timeout, "a number of seconds > 0", lambda seconds: 0.0 < seconds < 1e6)
        self._patience = number("patience", patience, "a number of seconds >= 0", lambda seconds: 0.0 <= seconds < 1e9)
        self._local = threading.local()
        self._open: set[http.client.HTTPConnection] = set()  # of all threads

    def bandit(self, name: str) -> Client:
        """A client for the bandit with this name."""
        port = "" if self._port is None else f":{self._port}"
        host = f"[{self._host}]" if ":" in self._host else self._host
        url = f"{self._scheme}://{host}{port}{self._path}"
        return Client(url, self._key, name, timeout=self._timeout, patience=self._patience)

    def create(
        self,
        arms: Iterable[str],
        policy: str,
        risk: str,
        seed: int | None = 0,
        horizon: int | None = None,
        lease_seconds: float = 86400.0,
    ) -> bool:
        """Create the bandit, or confirm that it exists with the same specification; returns whether it is new."""
        body = {"arms": list(arms), "policy": policy, "risk": risk, "seed": seed, "horizon": horizon}
        status, _ = self._ask("PUT", self._bandit(), {**body, "lease_seconds": lease_seconds})
        return status == 201

    def decide(self, count: int | None = None, available: Iterable[str] | None = None) -> Decision | list[Decision]:
        """The next decision, with an id for its reward; with `count` a list of that many."""
        body = {
            "count": 1 if count is None else whole("count", count),
            "available": None if available is None else list(available),
        }
        _, answer = self._ask("POST", f"{self._bandit()}/decisions", body, uuid.uuid4().hex)
        made = [Decision(one["id"], one["arm"]) for one in answer["decisions"]]
        return made[0] if count is None else made

    def answer(self, id: Any, reward: Any) -> Any:
        """Record the reward of a decision: True, or False if the same reward is already recorded.

        Several may be given as two sequences of equal length: all are recorded or, on an error, none; the return value
        is then the number of rewards recorded.
        """
        if is_single(id := as_id(id)):
            place = f"/v1/decisions/{quote(text('The id of a decision', id), safe='')}/reward"
            _, answer = self._ask("PUT", place, {"reward": _number(reward)})
            return answer["booked"]
        sent = [
            {"id": as_id(one), "reward": _number(paid)}
            for one, paid in pair_rewards("ids", "the id of a decision", id, reward)
        ]
        _, answer = self._ask("POST", f"{self._bandit()}/rewards", {"rewards": sent})
        return answer["booked"]

    def forget(self, id: str | Decision) -> None:
        """Stop waiting for the reward of a decision; repeating the call changes nothing."""
        self._ask("DELETE", f"/v1/decisions/{quote(text('The id of a decision', as_id(id)), safe='')}")

    def open_decisions(self) -> list[Decision]:
        """The decisions whose reward is outstanding, in the order in which they were made."""
        _, answer = self._ask("GET", f"{self._bandit()}/decisions?limit={MOST_OPEN}")
        return [Decision(one["id"], one["arm"]) for one in answer["decisions"]]

    def add(self, arm: str) -> None:
        """Add a new arm, or bring back a retired one."""
        self._ask("PUT", f"{self._bandit()}/arms/{quote(text('The name of an arm', arm), safe='')}")

    def retire(self, arm: str) -> None:
        """Stop choosing this arm, unless `add` brings it back."""
        self._ask("DELETE", f"{self._bandit()}/arms/{quote(text('The name of an arm', arm), safe='')}")

    def look(self) -> dict[str, Any]:
        """The state of the bandit: its arms, which one is best, which rewards are outstanding."""
        found: dict[str, Any] = self._ask("GET", self._bandit())[1]
        return found

    def rehearse(self, **wanted: Any) -> dict[str, Any]:
        """Simulate the future for another `rho`, `risk`, `policy` or `horizon`, starting from what the bandit knows."""
        found: dict[str, Any] = self._ask("POST", f"{self._bandit()}/rehearse", wanted)[1]
        return found

    def _bandit(self) -> str:
        if self.name is None:
            raise ParameterError("The client needs the name of a bandit: Client(url, key, bandit=...).")
        return f"/v1/bandits/{quote(self.name, safe='')}"

    def _ask(self, method: str, path: str, body: Any = None, idempotency_key: str | None = None) -> tuple[int, Any]:
        """Send a request until it is answered, always with the same key."""
        try:
            content = None if body is None else json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ParameterError(f"The arguments must be representable in JSON: {error}.") from None
        headers = {"Authorization": f"Bearer {self._key}", "User-Agent": f"riskbandits/{__version__}"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        until, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while True:
            try:
                status, answer = self._send(method, self._path + path, content, headers)
                trouble = f"it answered {status}"
            except CONNECTION_ERRORS as error:
                self._close()
                status, answer, trouble = 0, b"", str(error) or type(error).__name__
            if status and status not in PASSING:
                return status, _read(status, answer)
            wait = random.uniform(0.5, 1.0) * pause
            if time.monotonic() + wait > until:
                where = f"{self._scheme}://{self._host}"
                raise ServiceError(f"The service at {where} did not answer within {self._patience:g} s: {trouble}.")
            time.sleep(wait)
            pause = min(2.0 * pause, LONGEST_PAUSE)

    def _send(self, method: str, path: str, content: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connected()
            self._open.add(connection)
        connection.request(method, path, content, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def _connected(self) -> http.client.HTTPConnection:
        if self._scheme == "http":
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=context)

    def _close(self) -> None:
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            self._open.discard(connection)
            connection.close()

    def close(self) -> None:
        """Close all connections; the next call opens one again."""
        self._close()
        while self._open:
            self._open.pop().close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client: {self.name or 'no bandit'} at {self._scheme}://{self._host}{self._path}>"


def _read(status: int, content: bytes) -> Any:
    """The response of the service; errors are raised with its message."""
    try:
        found = json.loads(content)
    except ValueError:
        raise ServiceError(f"The service must answer in JSON. It sent {content[:40]!r} with status {status}.") from None
    if status < 400:
        return found
    said = found.get("detail") if isinstance(found, dict) else None
    raise ERRORS.get(status, ServiceError)(said or f"The service answered {status}.")


def _number(reward: Any) -> Any:
    found = float(reward) if isinstance(reward, bool) else as_number(reward)
    if found is None:
        raise must_be("The reward of a decision", "a finite number", reward)
    return found
