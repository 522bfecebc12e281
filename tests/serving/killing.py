"""Load from many clients while the service or its database fails; then every answer is held against the log.

Faults: processes that are killed, stopped or frozen, a database that is killed or cuts its connections, a clock that is
set, and a network that loses answers, cuts requests and delivers some once more, later.

A client sends each request until it is answered, always with the same Idempotency-Key, as a careful client does. So in
the end each request was answered, and the log must hold exactly what the answers say.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from sqlalchemy import select

from riskbandits.service import auth, ids
from riskbandits.service.bandit_state import SETTING_KINDS, features_of
from riskbandits.service.db.statements import open_storage
from riskbandits.service.db.tables import events
from serving.instances import InstanceStarter
from serving.ports import free_port

CLIENTS = 64
IN_FLIGHT = 50  # at least so many requests wait for an answer when something is killed
SPEC = {"arms": ["a", "b"], "policy": "switching-aware", "risk": "mean-variance:1"}
BANDITS: dict[str, dict[str, Any]] = {
    "one": SPEC,
    "two": SPEC,
    "features": {**SPEC, "policy": "linear-ngts", "features": [{"name": "x"}, {"name": "y", "levels": ["p", "q"]}]},
    "history": {**SPEC, "policy": "bcvts", "risk": "cvar:0.5"},  # its policy keeps all rewards
}
POLICIES = {"switching-aware": "ngts", "ngts": "switching-aware"}  # to what each is changed; others stay
SECONDS_FROZEN = {"freeze": (0.3, 2.0), "long freeze": (11.0, 13.0)}  # a server ends its transaction after ten
LOST = 0.03  # the share of requests that a flaky network loses, cuts or delivers once more, each


NAMES = {
    "service": "kills of the service",
    "database": "kills of the database",
    "stop": "clean stops",
    "freeze": "freezes",
    "long freeze": "long freezes",
    "clock": "clocks set",
    "cut": "cuts of all connections to the database",
}


class Request:
    """Something asked, until it is answered."""

    def __init__(self, method: str, path: str, body: Any, key: str | None) -> None:
        self.method, self.path, self.body, self.key = method, path, body, key
        self.answer: Any = None


class Harness:
    """The clients, what they were told, and what kills it."""

    def __init__(self, starter: InstanceStarter, url: str, seed: int, instances: int = 1, flaky: bool = False) -> None:
        self.starter, self.url, self.random, self.flaky = starter, url, random.Random(seed), flaky
        self.storage = open_storage(url)
        self.key = auth.add_key(self.storage, "admin")
        self.ports = [free_port() for _ in range(instances)]
        self.children = [starter.start(url, port) for port in self.ports]
        self.waiting: set[Request] = set()
        self.decided: dict[tuple[str, str], list[Any]] = {}  # bandit and key: the decisions that were answered
        self.features: dict[str, Any] = {}  # those of each decision that was answered
        self.rewarded: dict[str, float] = {}  # decision: the reward whose booking was answered
        self.changed: dict[str, list[tuple[str, Any]]] = {name: [] for name in BANDITS}  # what was answered, in order
        self.ended = False
        self.answered = 0
        self.unanswered: set[Request] = set()  # committed, and nobody was told when the service was killed
        self.counts: Counter[str] = Counter()
        self.least_in_flight = CLIENTS
        self.late: set[asyncio.Task[None]] = set()

    async def run(self, faults: dict[str, int], server: Any = None) -> None:
        """Load with so many faults of each kind at random moments; the clients then finish what they have begun."""
        first = _Connection(self.ports[0])
        for name, spec in BANDITS.items():
            await self._until_answered(first, Request("PUT", f"/v1/bandits/{name}", spec, None))
        await first.close()
        clients = [asyncio.create_task(self._client(number)) for number in range(CLIENTS)]
        clients += [asyncio.create_task(self._change(name)) for name in BANDITS]
        turns = [fault for fault, count in faults.items() for _ in range(count)]
        self.random.shuffle(turns)
        for turn in turns:
            await self._work()
            await asyncio.sleep(self.random.uniform(0.0, 0.3))
            await self._kill(turn, server)
        await self._work()
        if not turns:
            await asyncio.sleep(1.0)
        self.ended = True
        await asyncio.wait_for(asyncio.gather(*clients, *self.late), 120)

    async def _work(self) -> None:
        """Wait until some requests were answered since the last kill."""
        until, before = time.monotonic() + 120.0, self.answered
        while self.answered < before + CLIENTS:
            assert time.monotonic() < until, "the service does not come back"
            await asyncio.sleep(0.005)

    async def _kill(self, turn: str, server: Any) -> None:
        until = time.monotonic() + 60.0
        while len(self.waiting) < IN_FLIGHT:
            assert time.monotonic() < until, f"only {len(self.waiting)} requests in flight"
            await asyncio.sleep(0.001)
        self.least_in_flight = min(self.least_in_flight, len(self.waiting))
        place = self.random.randrange(len(self.children))
        if turn in SECONDS_FROZEN:
            os.kill(self.children[place], signal.SIGSTOP)
            await asyncio.sleep(self.random.uniform(*SECONDS_FROZEN[turn]))
            os.kill(self.children[place], signal.SIGCONT)
        elif turn == "clock":
            os.kill(self.children[place], signal.SIGUSR1)
        elif turn == "cut":
            self.counts["database connections cut"] += await asyncio.to_thread(_cut_connections, self.url)
            self.storage.close()  # its own are among them
        elif turn in ("service", "stop"):
            os.kill(self.children[place], signal.SIGKILL if turn == "service" else signal.SIGTERM)
            await asyncio.to_thread(wait_for_end, self.children[place])
            if turn == "service":
                await asyncio.to_thread(self._count_unanswered)
            self.children[place] = await asyncio.to_thread(self.starter.start, self.url, self.ports[place])
        else:
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            self.storage.close()  # its connections have gone too
            await asyncio.to_thread(self._count_unanswered)
        self.counts[NAMES[turn]] += 1

    def _count_unanswered(self) -> None:
        """How many of the requests that wait are in the log already: they were committed, and nobody was told."""
        waiting = [request for request in self.waiting if request.answer is None and request.method != "PATCH"]
        by_key = {request.key: request for request in waiting if request.key}
        by_number = {ids.parse_id(request.path.split("/")[3]): request for request in waiting if not request.key}
        with self.storage.reading() as transaction:
            found = transaction.connection.execute(select(events.c.key).where(events.c.key.in_(by_key))).scalars().all()
            settled = transaction.settlements(sorted(by_number))
        self.unanswered |= {by_key[key] for key in found} | {by_number[pair] for pair in settled}
        self.counts["requests committed but not yet answered when killed"] = len(self.unanswered)

    async def _client(self, number: int) -> None:
        chance = random.Random(self.random.random())
        connection = _Connection(self.ports[number % len(self.ports)])
        step = 0
        while not self.ended:
            step += 1
            name, key = chance.choice(list(BANDITS)), f"{number}-{step}"
            body: dict[str, Any] = {"count": chance.choice((1, 1, 1, 3))}
            if name == "features":
                body["features"] = {"x": round(chance.gauss(0.0, 1.0), 3), "y": chance.choice("pq")}
            request = Request("POST", f"/v1/bandits/{name}/decisions", body, key)
            answer = await self._until_answered(connection, request)
            self.decided[name, key] = answer["decisions"]
            self.features |= {one["id"]: body.get("features") for one in answer["decisions"]}
            self.counts["decisions acknowledged"] += len(answer["decisions"])
            for decision in answer["decisions"]:
                if chance.random() < 0.9:
                    reward = chance.random() if name == "history" else chance.gauss(0.0, 1.0)
                    await self._reward(connection, decision["id"], round(reward, 6), chance.random() < 0.1)
        await connection.close()

    async def _change(self, name: str) -> None:
        """Change a bandit, never twice the same: its goal, its policy, a pause with or without baseline."""
        chance = random.Random(self.random.random())
        connection = _Connection(self.ports[0])
        settings = {"policy": BANDITS[name]["policy"], "risk": BANDITS[name]["risk"], "paused": False, "baseline": None}
        while not self.ended or settings["paused"]:
            await asyncio.sleep(chance.uniform(0.0, 0.1 if settings["paused"] else 0.4))
            if settings["paused"]:
                body: dict[str, Any] = {"paused": False}
                told: tuple[str, Any] = ("resumed", None)
            elif chance.random() < 0.4:
                body = {"paused": True, "baseline": chance.choice((None, "a", "b"))}
                told = ("paused", body["baseline"])
            elif settings["policy"] in POLICIES and chance.random() < 0.2:
                body = {"policy": POLICIES[settings["policy"]]}
                told = ("changed", body["policy"])
            else:
                measure, number = settings["risk"].split(":")
                body = {"risk": f"{measure}:{1.25 - float(number) if measure == 'cvar' else float(number) + 1.0:g}"}
                told = ("changed", body["risk"])
            answer = await self._until_answered(connection, Request("PATCH", f"/v1/bandits/{name}", body, None))
            settings = {**settings, "baseline": None, **body}
            assert {one: answer[one] for one in settings} == settings
            self.changed[name].append(told)
            self.counts["changes acknowledged"] += 1
        await connection.close()

    async def _reward(self, connection: _Connection, id: str, reward: float, again: bool) -> None:
        request = Request("PUT", f"/v1/decisions/{id}/reward", {"reward": reward}, None)
        await self._until_answered(connection, request)
        self.rewarded[id] = reward
        self.counts["rewards acknowledged"] += 1
        if again:  # a queue delivers it once more
            request.answer = None
            assert (await self._until_answered(connection, request)) == {"booked": False}
            self.counts["rewards sent once more"] += 1

    async def _until_answered(self, connection: _Connection, request: Request) -> Any:
        until = time.monotonic() + 120.0
        self.waiting.add(request)
        while request.answer is None:
            try:
                if self.flaky and request.method != "PATCH":  # which has no key: once more, later, is another change
                    await self._lose(connection, request)
                status, answer = await connection.ask(request, self.key)
                if status < 300:
                    request.answer = answer
                else:
                    paused = status == 409 and "is paused" in answer["detail"]
                    assert status == 503 or paused, (status, answer)
                    self.counts["answers that it is paused" if paused else "answers 503"] += 1
                    await asyncio.sleep(0.05)
            except (OSError, EOFError):
                self.counts["connections lost"] += 1
                await connection.close()
                await asyncio.sleep(0.1)
            assert time.monotonic() < until, "the service does not come back"
        self.waiting.discard(request)
        self.answered += 1
        return request.answer

    async def _lose(self, connection: _Connection, request: Request) -> None:
        """What a flaky network does, now and then: an answer is lost, a request cut or delivered twice."""
        fault = self.random.random() / LOST
        if fault < 1.0:
            self.counts["answers lost by the network"] += 1
            await connection.send(request, self.key)
            await asyncio.sleep(self.random.uniform(0.0, 0.02))
            raise EOFError
        if fault < 2.0:
            self.counts["requests cut by the network"] += 1
            await connection.send(request, self.key, self.random.random())
            raise EOFError
        if fault < 3.0:
            self.counts["requests delivered once more"] += 1
            self.late.add(asyncio.create_task(self._deliver_late(connection.port, request)))

    async def _deliver_late(self, port: int, request: Request) -> None:
        await asyncio.sleep(self.random.uniform(0.0, 3.0))
        connection = _Connection(port)
        with contextlib.suppress(OSError, EOFError):
            await connection.ask(request, self.key)
        await connection.close()

    def compare(self) -> None:
        """Hold what was answered against the log."""
        for child in self.children:
            os.kill(child, signal.SIGTERM)
        for child in self.children:
            wait_for_end(child)
        logged: Counter[tuple[str, str]] = Counter()
        rewards: Counter[tuple[str, float]] = Counter()
        with self.storage.reading() as transaction:
            for name in BANDITS:
                row = transaction.bandit_named(name)
                changed = []
                for event in transaction.events_after(row.id, 0):
                    if event["kind"] in SETTING_KINDS:
                        data = event["data"] or {}
                        changed.append((event["kind"], data.get("risk", data.get("policy", event["arm"]))))
                        continue
                    number = event["settles"] if event["decides"] is None else event["decides"]
                    id = ids.make_id(row.secret, row.id, number)
                    if event["kind"] == "decision":
                        logged[id, event["arm"]] += 1
                        self.counts["decisions with other features"] += features_of(event) != self.features.get(id)
                    else:
                        rewards[id, event["reward"]] += 1
                self.counts["bandits whose changes are not as acknowledged"] += changed != self.changed[name]
        told = Counter((one["id"], one["arm"]) for made in self.decided.values() for one in made)
        assert max(told.values()) == 1, "a decision was given out twice"
        self.counts["decisions lost"] = sum((told - logged).values())
        self.counts["decisions counted twice"] = sum((logged - told).values())
        booked = Counter(self.rewarded.items())
        self.counts["rewards lost"] = sum((booked - rewards).values())
        self.counts["rewards counted twice"] = sum((rewards - booked).values())

    def audit(self) -> None:
        """Play every log again in a process of its own."""
        command = [sys.executable, "-m", "riskbandits", "audit", "--db", self.url]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        self.counts["audits equal"] = done.stdout.count("Equal: every choice of")

    def report(self) -> str:
        """The counts, as they are printed."""
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))
        return f"{counts}; at least {self.least_in_flight} requests in flight at every kill"


class _Connection:
    """A client's connection, opened again when it is lost."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: Request, key: str, share: float = 1.0) -> asyncio.StreamReader:
        """Send a request, or the first part of it; where its answer will come from."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        body = json.dumps(request.body).encode()
        lines = [f"{request.method} {request.path} HTTP/1.1", "Host: test", f"Authorization: Bearer {key}"]
        lines += [f"Content-Length: {len(body)}", *([f"Idempotency-Key: {request.key}"] if request.key else []), "", ""]
        sent = "\r\n".join(lines).encode() + body
        writer.write(sent[: round(share * len(sent))])
        await writer.drain()
        return reader

    async def ask(self, request: Request, key: str) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        reader = await self.send(request, key)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.split("content-length: ")[1].split("\r\n")[0])
        answer = json.loads(await reader.readexactly(size))
        return int(head[9:12]), answer

    async def close(self) -> None:
        if self._streams is not None:
            writer, self._streams = self._streams[1], None
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


def _cut_connections(url: str) -> int:
    """End all connections of the service to PostgreSQL, whatever they are doing; how many."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        others = "application_name = 'riskbandits' AND datname = current_database()"
        found = connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}").fetchall()
    return len(found)


def wait_for_end(child: int) -> None:
    """Wait until a process has ended and its port is free."""
    until = time.monotonic() + 30.0
    while time.monotonic() < until:
        ended = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"  # and not waited for
        # Its port is free when its last thread has ended: one that was syncing to disk may outlive the first.
        if ended and len(os.listdir(f"/proc/{child}/task")) == 1:
            return
        time.sleep(0.02)
    raise TimeoutError("an instance does not stop on SIGTERM")
