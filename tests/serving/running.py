"""An instance of the service in a thread of the tests' own process, and how to ask it."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx

from riskbandits.service import auth, server
from riskbandits.service.app import create_app
from riskbandits.service.auth import RateLimiter
from riskbandits.service.db.statements import open_storage
from riskbandits.service.service import BanditService

FUNDS = {
    "arms": ["bond", "stock"],
    "policy": "switching-aware",
    "risk": "mean-variance:1",
    "seed": 7,
    "horizon": None,
    "lease_seconds": 86400,
}


class Running:
    """The service on a free port."""

    def __init__(self, url: str, rate_limiter: RateLimiter | None = None, http: str = "httptools") -> None:
        self.url = url
        self.storage = open_storage(url)
        self.key = auth.add_key(self.storage, "admin")
        self._socket = server.open_socket("127.0.0.1", 0)
        self.port = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.service = BanditService(self.storage, rate_limiter)
        started = threading.Event()
        self.app = create_app(self.service, started.set)
        self.server = server.make_server(self.app, http)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        assert started.wait(60)
        self.client = httpx.Client(base_url=self.address, timeout=120.0)  # the first request compiles

    def ask(self, method: str, path: str, body: Any = None, key: str | None = "", **headers: str) -> httpx.Response:
        """A request with the admin key, another key, or (None) without one."""
        if key is not None:
            headers["Authorization"] = f"Bearer {key or self.key}"
        return self.client.request(method, path, json=body, headers=headers)

    def decide(self, name: str, count: int = 1, idempotency_key: str | None = None, **body: Any) -> list[Any]:
        """Decisions of a bandit."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        answer = self.ask("POST", f"/v1/bandits/{name}/decisions", {"count": count, **body}, **headers)
        assert answer.status_code == 201, answer.text
        return answer.json()["decisions"]

    def reward(self, id: str, reward: float) -> httpx.Response:
        """Send a reward."""
        return self.ask("PUT", f"/v1/decisions/{id}/reward", {"reward": reward})

    def log(self, name: str, after: int = 0) -> list[dict[str, Any]]:
        """The events of a bandit."""
        answer = self.ask("GET", f"/v1/bandits/{name}/log?after={after}")
        assert answer.status_code == 200, answer.text
        return [httpx.Response(200, content=line).json() for line in answer.text.splitlines()]

    def stop(self) -> None:
        """As on SIGTERM."""
        self.client.close()
        self.server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()
        self._socket.close()


def wait_for(what: Any, seconds: float = 10.0) -> None:
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)
