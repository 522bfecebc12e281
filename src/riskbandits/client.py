"""A client of the decision service: the learner's methods over HTTP, by the standard library alone."""

from __future__ import annotations

import http.client
import json
import math
import os
import random
import re
import ssl
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from riskbandits.core.errors import ConflictError, GoneError, ParameterError, ServiceError, UnknownNameError, must_be
from riskbandits.core.version import __version__

TEMPORARY = (408, 429, 500, 502, 503, 504)  # statuses after which the same request may succeed
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
DECISIONS_AT_ONCE = 1000
ERRORS = {404: UnknownNameError, 409: ConflictError, 410: GoneError, 422: ParameterError}
CONNECTION_ERRORS = (OSError, http.client.HTTPException)


class Decision(NamedTuple):
    """A choice whose reward is to be reported: `client.answer(decision, reward)`, or by its id."""

    id: str
    arm: str
    probability: float | None = None


class Best(NamedTuple):
    """The arm that is most probably the best: its value so far with an interval, that probability, whether assured."""

    arm: str
    value: float
    low: float
    high: float
    probability: float
    assured: bool

    def __repr__(self) -> str:
        numbers = (f"{name}={getattr(self, name):.4g}" for name in self._fields[1:-1])
        return f"Best(arm={self.arm!r}, {', '.join(numbers)}, assured={self.assured})"


class LostAnswerError(Exception):
    """An answer that did not come, or not completely."""


class Client:
    """A bandit of a running service (`riskbandits serve`), with the interface of a `Learner`: one line of code changes.

    `bandit` is its name; `client.bandit(name)` gives a client for another one. A request whose answer does not come
    completely is sent again, with the same Idempotency-Key, until `patience` seconds have passed: nothing happens
    twice. A service that nobody can connect to is reported after `connect_patience` seconds. A client may be used by
    several threads, and in forked processes.

        client = rb.Client("http://127.0.0.1:8000", key, bandit="funds")
        client.create(arms=["bond", "stock"], policy="switching-aware", risk="mean-variance:1")
        decision = client.decide()
        client.answer(decision.id, 0.02)
    """

    def __init__(
        self,
        url: str,
        key: str,
        bandit: str | None = None,
        *,
        timeout: float = 10.0,
        patience: float = 60.0,
        connect_patience: float = 5.0,
    ) -> None:
        try:
            found = urlsplit(_text("The URL of the service", url))
            self._scheme, self._host, port = found.scheme, found.hostname or "", found.port
        except ValueError as error:
            if isinstance(error, ParameterError):
                raise
            self._scheme = ""
        if self._scheme not in ("http", "https") or not self._host:
            raise must_be("The URL of the service", "one such as http://127.0.0.1:8000", url)
        self._port = port or (443 if self._scheme == "https" else 80)
        path, _, named = found.path.partition("/v1/bandits/")
        self._path = path.rstrip("/")
        self._key = _text("The key", key)
        if not re.fullmatch(r"[!-~]+", self._key):
            raise ParameterError("The key must be one printed by `riskbandits keys add`.")
        self.name = named.strip("/") or None if bandit is None else _text("The name of a bandit", bandit)
        self._timeout = _seconds("timeout", timeout, least=1e-3)
        self._patience = _seconds("patience", patience)
        self._connect_patience = _seconds("connect_patience", connect_patience)
        self._idle: deque[http.client.HTTPConnection] = deque()  # connections that no thread uses now
        self._process = os.getpid()
        self._asked: dict[str, deque[str]] = {}  # ids of the decisions made by `ask`, by arm
        self._lock = threading.Lock()

    def bandit(self, name: str) -> Client:
        """A client for the bandit with this name."""
        patience = {"patience": self._patience, "connect_patience": self._connect_patience}
        return Client(f"{self._address}{self._path}", self._key, name, timeout=self._timeout, **patience)

    def create(
        self,
        arms: Iterable[str],
        policy: str | tuple[Any, ...],
        risk: str | tuple[Any, ...],
        seed: int | None = 0,
        horizon: int | None = None,
        lease_seconds: float = 86400.0,
        amounts: Mapping[str, float] | None = None,
        propensity: bool = False,
        features: Iterable[Any] | None = None,
    ) -> bool:
        """Create the bandit, or confirm that it exists with the same specification; returns whether it is new.

        Policy and risk measure are given by name, or as records of the library (`rb.NGTS()`).
        `amounts` says what a sale of an arm pays, where that is known: for `hurdle-ts`. With `propensity` every
        decision has the probability of its arm, and the log too. `features` are those of decisions, for `linear-ngts`:
        names, or records with a scale or levels.
        """
        body = {
            "arms": _listed("arms", "a list of arms", arms),
            "policy": policy,
            "risk": risk,
            "seed": seed,
            "horizon": horizon,
        }
        known: dict[str, Any] = {} if amounts is None else {"amounts": dict(amounts)}
        known |= {"policy": _words(policy), "risk": _words(risk)}
        known |= {"propensity": True} if propensity else {}
        if features is not None:
            given = _listed("features", "a list of names, or of records with a name and a scale or levels", features)
            known["features"] = [{"name": one} if isinstance(one, str) else one for one in given]
        status, _ = self._request("PUT", self._bandit_path(), {**body, "lease_seconds": lease_seconds, **known})
        return status == 201

    def decide(
        self,
        count: int | None = None,
        available: Iterable[str] | None = None,
        features: Mapping[str, Any] | None = None,
    ) -> Any:
        """The next decision, with an id for its reward; with `count` a list of that many."""
        body: dict[str, Any] = {
            "count": 1 if count is None else count,
            "available": None if available is None else _listed("available", "a list of arms", available),
        }
        if features is not None:
            body["features"] = _features(features)
        _, answer = self._request("POST", f"{self._bandit_path()}/decisions", body, uuid.uuid4().hex)
        made = [Decision(one["id"], one["arm"], one.get("probability")) for one in answer["decisions"]]
        return made[0] if count is None else made

    def answer(self, id: Any, reward: Any) -> Any:
        """Record the reward of a decision: True, or False if the same reward is already recorded.

        Several may be given as two sequences of equal length: all are recorded or, on an error, none; the return value
        is then a list.
        """
        if _is_one(id := _as_id(id)):
            _, answer = self._request("PUT", f"{_decision_path(id)}/reward", {"reward": _reward(reward)})
            return answer["booked"]
        ids, rewards = _pair("ids", id, reward)
        return self._answer_many([_as_id(one) for one in ids], rewards)

    def ask(self, available: Iterable[str] | None = None, features: Mapping[str, Any] | None = None) -> str:
        """The arm to play now: a decision, whose reward `tell` reports by the arm."""
        made = self.decide(available=available, features=features)
        with self._lock:
            self._asked.setdefault(made.arm, deque()).append(made.id)
        return str(made.arm)

    def tell(self, arm: Any, reward: Any) -> None:
        """Record a reward of an arm: that of the oldest decision that this client has asked for and not told.

        Several may be given as two sequences of equal length: all or, on an error, none.
        """
        arms, rewards = ([arm], [reward]) if _is_one(arm) else _pair("arms", arm, reward)
        ids = self._take_asked(arms)
        try:
            if len(ids) == 1:
                self.answer(ids[0], rewards[0])
            else:
                self._answer_many(ids, rewards)
        except (ConflictError, GoneError, UnknownNameError):  # these will never take a reward
            if len(ids) > 1:
                self._put_back(arms, ids)
            raise
        except BaseException:
            self._put_back(arms, ids)
            raise

    def forget(self, id: Any = None, *, arm: str | None = None) -> None:
        """Stop waiting for the reward of a decision, or of the oldest one that `ask` has made for an arm."""
        if (id is None) == (arm is None):
            raise ParameterError("forget needs the id of a decision, or arm=, the name of an arm.")
        if arm is not None:
            [id] = self._take_asked([arm])
        self._request("DELETE", _decision_path(_as_id(id)))

    def open_decisions(self) -> list[Decision]:
        """The decisions whose reward is outstanding, in the order in which they were made."""
        found: list[Decision] = []
        path = f"{self._bandit_path()}/decisions?limit={DECISIONS_AT_ONCE}"
        while True:
            after = f"&after={quote(found[-1].id, safe='')}" if found else ""
            part = self._request("GET", path + after)[1]["decisions"]
            found += [Decision(one["id"], one["arm"]) for one in part]
            if len(part) < DECISIONS_AT_ONCE:
                return found

    def best(self, features: Mapping[str, Any] | None = None) -> Best | None:
        """The arm that is most probably the best: `.arm .value .low .high .probability .assured`; None at first."""
        seen = self.look(features)
        if features is None and seen["features"]:  # which arm is best depends on them
            raise must_be(
                "features", f"a dictionary with {', '.join(repr(one['name']) for one in seen['features'])}", None
            )
        if (best := seen["best"]) is None:
            return None
        value, low, high, probability = (_number(best[name]) for name in Best._fields[1:-1])
        return Best(best["arm"], value, low, high, probability, best["assured"])

    def summary(self, features: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """What is known about each arm, as a list of dictionaries with the columns of `Learner.summary`."""
        return [
            {
                "arm": arm["name"],
                "told": arm["rewards"],
                "outstanding": arm["outstanding"],
                "mean": _number(arm["mean"]),
                "variance": _number(arm["variance"]),
                "value": _number(arm["value"]),
                "valued_as": arm["valued_as"],
                "share": _number(arm["share"]),
                "retired": arm["retired"],
                "low": _number(arm["low"]),
                "high": _number(arm["high"]),
                "assured": arm["assured"],
            }
            for arm in self.look(features)["arms"]
        ]

    def probabilities(self, features: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """The probability that each arm is chosen next (for `features`), and its standard error."""
        path = f"{self._bandit_path()}/probabilities{_query(features)}"
        found: list[dict[str, Any]] = self._request("GET", path)[1]["probabilities"]
        return found

    def add(self, arm: str, *, amount: float | None = None) -> None:
        """Add a new arm, or bring back a retired one; `amount` is what a sale of it pays, for `hurdle-ts`."""
        self._request("PUT", self._arm_path(arm), None if amount is None else {"amount": amount})

    def retire(self, arm: str) -> None:
        """Stop choosing this arm, unless `add` brings it back."""
        self._request("DELETE", self._arm_path(arm))

    def weights(self, features: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Shares of traffic for a platform that splits it itself, with the time (`at`) for which they were computed."""
        found: dict[str, Any] = self._request("GET", f"{self._bandit_path()}/weights{_query(features)}")[1]
        return found

    def pause(self, baseline: str | None = None) -> None:
        """Choose only this arm until `resume`; without one, decisions are refused. Rewards still count."""
        self.change(paused=True, baseline=baseline)

    def resume(self) -> None:
        """Let the policy choose again."""
        self.change(paused=False)

    def archive(self) -> None:
        """Refuse decisions for good, and leave the bandit out of lists; `change(archived=False)` brings it back."""
        self.change(archived=True)

    def change(
        self,
        *,
        policy: str | tuple[Any, ...] | None = None,
        risk: str | tuple[Any, ...] | None = None,
        paused: bool | None = None,
        baseline: str | None = None,
        archived: bool | None = None,
    ) -> dict[str, Any]:
        """Change what is given, and return the settings of the bandit as they are now.

        Another risk measure judges the same evidence; another policy learns from all rewards in the log.
        """
        asked = {"paused": paused, "baseline": baseline, "archived": archived}
        body = {"policy": _words(policy), "risk": _words(risk), **asked}
        given = {name: value for name, value in body.items() if value is not None}
        found: dict[str, Any] = self._request("PATCH", self._bandit_path(), given)[1]
        return found

    def look(self, features: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The state of the bandit: its arms, which one is best (for `features`), which rewards are outstanding."""
        found: dict[str, Any] = self._request("GET", f"{self._bandit_path()}{_query(features)}")[1]
        return found

    def export(self, path: str | os.PathLike[str] | None = None) -> str:
        """The bandit as JSON for `Learner.from_json`; with `path` also as a file for `Learner.load`."""
        text = json.dumps(self._request("GET", f"{self._bandit_path()}/learner")[1])
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def close(self) -> None:
        """Close all connections; the next call opens one again."""
        while connection := self._idle_connection():
            connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client: {self.name or 'no bandit'} at {self._address}{self._path}>"

    @property
    def _address(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{self._scheme}://{host}:{self._port}"

    def _bandit_path(self) -> str:
        if self.name is None:
            raise ParameterError("The client needs the name of a bandit: Client(url, key, bandit=...).")
        return f"/v1/bandits/{quote(self.name, safe='')}"

    def _arm_path(self, arm: str) -> str:
        return f"{self._bandit_path()}/arms/{quote(_text('The name of an arm', arm), safe='')}"

    def _answer_many(self, ids: list[Any], rewards: list[Any]) -> list[bool]:
        sent = [{"id": id, "reward": _reward(reward)} for id, reward in zip(ids, rewards, strict=True)]
        body = {"rewards": sent, "each": True}
        booked: list[bool] = self._request("POST", f"{self._bandit_path()}/rewards", body)[1]["each"]
        return booked

    def _take_asked(self, arms: list[Any]) -> list[str]:
        """The oldest decisions that were asked for, one for each of these arms, which are then no longer waiting."""
        with self._lock:
            taken: list[str] = []
            for place, arm in enumerate(arms):
                waiting = self._asked.get(arm) if isinstance(arm, str) else None
                if not waiting:
                    self._return_asked(arms[:place], taken)
                    raise ParameterError(f"The arm {arm!r} has no outstanding reward that this client has asked for.")
                taken.append(waiting.popleft())
            return taken

    def _put_back(self, arms: list[Any], ids: list[str]) -> None:
        with self._lock:
            self._return_asked(arms, ids)

    def _return_asked(self, arms: list[Any], ids: list[str]) -> None:
        for arm, id in reversed(list(zip(arms, ids, strict=True))):
            self._asked[arm].appendleft(id)

    def _request(self, method: str, path: str, body: Any = None, idempotency_key: str | None = None) -> tuple[int, Any]:
        """Send a request until it is answered, always with the same key; the status and the answer."""
        try:
            content = None if body is None else json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ParameterError(f"The arguments must be representable in JSON: {error}.") from None
        headers = {"Authorization": f"Bearer {self._key}", "User-Agent": f"riskbandits/{__version__}"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        begun, unconnected, pause = time.monotonic(), None, FIRST_PAUSE
        while True:
            tried, idle = time.monotonic(), self._idle_connection()
            try:
                connection = idle or self._connect()
            except OSError as error:
                trouble, unconnected = _reason(error), unconnected or tried
            else:
                unconnected = None
                try:
                    status, answer = _exchange(connection, method, self._path + path, content, headers)
                except (*CONNECTION_ERRORS, LostAnswerError) as error:
                    connection.close()
                    if idle is not None and not isinstance(error, TimeoutError):  # servers close idle ones soon
                        self.close()
                        continue
                    trouble = _reason(error)
                except BaseException:
                    connection.close()
                    raise
                else:
                    self._idle.append(connection)
                    if status not in TEMPORARY:
                        return status, _checked(status, answer)
                    trouble = f"it answered {status}: {_detail(answer)}".rstrip(": .")
            wait = random.uniform(0.5, 1.0) * pause
            self._check_patience(time.monotonic() + wait, begun, unconnected, trouble)
            time.sleep(wait)
            pause = min(2.0 * pause, LONGEST_PAUSE)

    def _check_patience(self, until: float, begun: float, unconnected: float | None, trouble: str) -> None:
        """Raise if the next try would come too late."""
        if unconnected is not None and until - unconnected > self._connect_patience:
            raise ServiceError(f"There is no connection to the service at {self._address}: {trouble}.")
        if until - begun > self._patience:
            raise ServiceError(f"The service at {self._address} did not answer within {self._patience:g} s: {trouble}.")

    def _idle_connection(self) -> http.client.HTTPConnection | None:
        """An open connection, now for this thread alone; None if there is none."""
        if self._process != os.getpid():  # those that were open before a fork are the parent's
            self._idle, self._process = deque(), os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _connect(self) -> http.client.HTTPConnection:
        if self._scheme == "http":
            made = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        else:
            context = ssl.create_default_context()
            made = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=context)
        made.connect()
        return made


def _exchange(
    connection: http.client.HTTPConnection, method: str, path: str, content: bytes | None, headers: dict[str, str]
) -> tuple[int, Any]:
    """Status and JSON of an answer; raises `LostAnswerError` for one that is not complete."""
    connection.request(method, path, content, headers)
    response = connection.getresponse()
    # The service always says how long its answer is, and a proxy may send it in chunks: else the headers were cut.
    if response.getheader("Content-Length") is None and response.getheader("Transfer-Encoding") != "chunked":
        raise LostAnswerError("its answer was cut short")
    text = response.read()
    try:
        return response.status, json.loads(text)
    except ValueError:
        if response.status in TEMPORARY:
            return response.status, None
        if "json" in (response.getheader("Content-Type") or "json"):
            raise LostAnswerError("its answer was cut short") from None
        raise ServiceError(
            f"The service must answer in JSON. It sent {text[:40]!r} with status {response.status}."
        ) from None


def _checked(status: int, answer: Any) -> Any:
    """The answer of the service; errors are raised with its message."""
    if status < 400:
        return answer
    raise ERRORS.get(status, ServiceError)(_detail(answer) or f"The service answered {status}.")


def _detail(answer: Any) -> str:
    """What a problem answer says is wrong, if it says anything."""
    detail = answer.get("detail") if isinstance(answer, dict) else None
    return detail if isinstance(detail, str) else ""


def _listed(thing: str, what: str, given: Any) -> list[Any]:
    """The members of a list; a text or a dictionary is none."""
    if _is_one(given) or isinstance(given, Mapping):
        raise must_be(thing, what, given)
    return list(given)


def _reason(error: Exception) -> str:
    return (str(error) or type(error).__name__).rstrip(".")


def _decision_path(id: Any) -> str:
    return f"/v1/decisions/{quote(_text('The id of a decision', id), safe='')}"


def _as_id(thing: Any) -> Any:
    """The id of a decision; anything else is returned as it is."""
    return thing.id if isinstance(getattr(thing, "id", None), str) else thing


def _is_one(thing: object) -> bool:
    """Whether this is meant as one arm or decision rather than as a sequence of them."""
    return isinstance(thing, (str, int, bytes, bytearray)) or not isinstance(thing, Iterable)


def _pair(thing: str, names: Any, rewards: Any) -> tuple[list[Any], list[Any]]:
    """Two sequences of equal length, as lists."""
    for name, value in ((thing, names), ("rewards", rewards)):
        if _is_one(value) or isinstance(value, (set, frozenset, dict)):
            raise must_be(name, "a sequence", value)
    found = list(names), list(rewards)
    if len(found[0]) != len(found[1]):
        raise must_be("rewards", f"a sequence as long as the sequence of {thing} ({len(found[0])})", rewards)
    return found


def _text(thing: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise must_be(thing, "a non-empty string", value)
    return value


def _words(record: Any) -> Any:
    """A policy or risk measure by name; a record of the library by the text that shows it."""
    return repr(record) if isinstance(record, tuple) else record


def _seconds(thing: str, value: object, least: float = 0.0) -> float:
    found = _as_float(value)
    if found is None or not least <= found < 1e9:
        raise must_be(thing, "a number of seconds > 0" if least else "a number of seconds >= 0", value)
    return found


def _reward(value: Any) -> float:
    found = _as_float(value)
    if found is None:
        raise must_be("The reward of a decision", "a finite number", value)
    return found


def _features(given: Mapping[str, Any]) -> dict[str, Any]:
    """Features as JSON has them: numbers of any kind, and texts."""
    if not isinstance(given, Mapping):
        raise must_be("features", "a dictionary", given)
    found = {}
    for name, value in given.items():
        found[name] = value if isinstance(value, (str, bool, int)) else _as_float(value)
        if found[name] is None:
            raise must_be(f"The feature {name!r}", "a finite number or a text", value)
    return found


def _query(features: Mapping[str, Any] | None) -> str:
    """The part of a URL that asks for a decision with these features."""
    if features is None:
        return ""
    return f"?features={quote(json.dumps(_features(features), separators=(',', ':')), safe='')}"


def _as_float(value: Any) -> float | None:
    """A number of any kind as a float; None for anything else, such as a text or an array."""
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", 0) != 0:
        return None
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _number(value: float | None) -> float:
    """A number of the service's JSON, which has no NaN."""
    return math.nan if value is None else value
