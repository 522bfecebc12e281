"""Checks of a database for the decision service: every promise of its storage contract, one by one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from riskbandits.core.errors import ContractError, RiskBanditsError

SECONDS_TO_WAIT = 5.0
NUMBERS = (0.1 + 0.2, 5e-324, -1e140, 1.7976931348623157e308, -0.5, 0.0)
TEXT = "Ünïcode, 'quotes', \\ and {braces} \U0001f3b0"


def check_storage(storage: Any, reopen: Callable[[], Any]) -> None:
    """Raise unless an empty `riskbandits.service.db.storage.Storage` keeps its contract.

    `reopen` opens the same database once more, as another process would.
    """
    other = reopen()
    try:
        bandit = _check_bandits(storage, other)
        _check_secret(storage, other, bandit)
        _check_rollback(storage, other, bandit)
        _check_duplicates(storage, bandit)
        _check_round_trip(storage, other, bandit)
        _check_pages(storage, bandit)
        _check_locks(storage, other, bandit)
        _check_snapshots(storage, bandit)
        _check_removal(storage, bandit)
        _check_keys(storage, other)
    finally:
        other.close()


def _event(bandit: int, sequence: int, kind: str = "decision", **others: Any) -> dict[str, Any]:
    names = ("decides", "settles", "arm", "reward", "available", "key", "count", "data", "digest")
    return {
        "bandit_id": bandit,
        "sequence": sequence,
        "kind": kind,
        "at": 1_700_000_000_000_000 + sequence,
        **dict.fromkeys(names),
        **others,
    }


def _append(storage: Any, *events: dict[str, Any]) -> None:
    with storage.writing() as transaction:
        transaction.append_events(events, {one["bandit_id"]: one["sequence"] for one in events})
        transaction.commit()


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise ContractError(f"The storage must keep its contract: {sentence}")


def _check_bandits(storage: Any, other: Any) -> int:
    with storage.writing() as transaction:
        made = [transaction.create_bandit(name, "{}", b"secret", 7, None) for name in ("b", "B", "a-1", "a", "_")]
        _require(transaction.create_bandit("b", "{}", b"x", 8, None) is None, "there is one bandit of a name.")
        transaction.commit()
    with storage.writing() as transaction:
        transaction.set_settings(made[1].id, '{"paused": true}')
        transaction.commit()
    with other.reading() as transaction:
        changed = [row.name for row in transaction.bandits_after("", 10) if row.settings == {"paused": True}]
        _require(changed == ["B"], "what was changed of a bandit comes back, and is its own.")
        names = [row.name for row in transaction.bandits_after("", 10)]
        _require(names == ["B", "_", "a", "a-1", "b"], "bandits come in the order of their names, by code point.")
        _require([row.name for row in transaction.bandits_after("a", 1)] == ["a-1"], "a list begins after a name.")
        row = transaction.bandit_named("b")
        _require(row == made[0] == transaction.bandit_numbered(row.id), "a bandit is found by name and by id.")
        _require((row.version, row.origin, bytes(row.secret)) == (0, None, b"secret"), "a bandit is as it was created.")
        _require(transaction.bandit_named("none") is None, "None is returned for a bandit that is not there.")
    return int(row.id)


def _check_secret(storage: Any, other: Any, bandit: int) -> None:
    secret = bytes(range(256))
    with other.reading() as reader:
        before = bytes(reader.bandit_numbered(bandit).secret)
        with storage.writing() as transaction:
            transaction.set_secret(bandit, secret)
            transaction.touch()
            transaction.commit()
        _require(bytes(reader.bandit_numbered(bandit).secret) == before, "whoever reads sees one moment.")
    with other.reading() as transaction:
        _require(bytes(transaction.bandit_numbered(bandit).secret) == secret, "a secret comes back bit for bit.")


def _check_rollback(storage: Any, other: Any, bandit: int) -> None:
    with storage.writing() as transaction:
        transaction.append_events([_event(bandit, 1, decides=1)], {bandit: 1})
        with other.reading() as reader:  # which must not wait
            _require(not list(reader.events_after(bandit, 0)), "nothing is seen before it is committed.")
    with other.reading() as reader:
        _require(not list(reader.events_after(bandit, 0)), "what was not committed is dropped.")
        _require(reader.bandit_numbered(bandit).version == 0, "a version that was not committed is dropped.")


def _check_duplicates(storage: Any, bandit: int) -> None:
    _append(storage, _event(bandit, 1, decides=1, key="k", count=1), _event(bandit, 2, "reward", settles=1, reward=1.0))
    for twice in ({"decides": 1}, {"settles": 1}, {"key": "k"}, {"sequence": 1}):
        refused = False
        try:
            _append(storage, {**_event(bandit, 3), **twice})
        except RiskBanditsError as error:
            refused = type(error).__name__ == "DuplicateError"
        _require(refused, f"DuplicateError is raised for an event with {twice}, which is there already.")
    with storage.reading() as transaction:
        _require(len(list(transaction.events_after(bandit, 0))) == 2, "a refused event leaves nothing behind.")
        _require(transaction.bandit_numbered(bandit).version == 2, "the version is that of the last event.")


def _check_round_trip(storage: Any, other: Any, bandit: int) -> None:
    data = {"features": {"basket": 0.1 + 0.2, "word": TEXT}, "list": [1, None, True]}
    new = [
        _event(bandit, 3 + place, "reward", settles=10 + place, arm=TEXT, reward=reward, data=data, digest="0" * 32)
        for place, reward in enumerate(NUMBERS)
    ]
    _append(storage, *new, _event(bandit, 9, "changed", data={}))
    with other.reading() as transaction:
        found = [dict(row) for row in transaction.events_after(bandit, 2)]
        _require(found[:-1] == new, "numbers, texts and data come back as they were given.")
        _require(found[-1]["arm"] is None and found[-1]["data"] == {}, "an event may concern no arm.")
        settled = transaction.settlements([(bandit, 10), (bandit, 1), (bandit, 99)])
        expected = {(bandit, 10): ("reward", NUMBERS[0]), (bandit, 1): ("reward", 1.0)}
        _require(settled == expected, "it is found how decisions were settled.")
        keyed = transaction.events_by_key([(bandit, "k"), (bandit, "none"), (bandit + 1, "k")])
        _require([(key, row["sequence"]) for key, row in keyed.items()] == [((bandit, "k"), 1)], "keys are found.")
        _require(not transaction.settlements([]) and not transaction.events_by_key([]), "nothing is found of nothing.")


def _check_pages(storage: Any, bandit: int) -> None:
    _append(storage, *[_event(bandit, sequence, decides=sequence) for sequence in range(10, 5001)])
    with storage.reading() as transaction:
        found = [row["sequence"] for row in transaction.events_after(bandit, 0)]
        _require(found == list(range(1, 5001)), "events come in order, all of them.")
        part = [row["sequence"] for row in transaction.events_after(bandit, 9, 2500)]
        _require(part == list(range(10, 2510)), "as many events come as are asked for.")
        many = [(bandit, number) for number in range(1, 3001)]
        _require(len(transaction.settlements(many)) == 1 + len(NUMBERS), "many decisions may be asked for at once.")


def _check_locks(storage: Any, other: Any, bandit: int) -> None:
    order: list[str] = []
    with storage.writing() as transaction:
        _require(transaction.lock_bandits([bandit]) == {bandit: (5000, None)}, "a lock tells version and origin.")
        waiting = threading.Thread(target=_lock_and_note, args=(other, bandit, order))
        waiting.start()
        waiting.join(0.3)
        order.append("first")
        transaction.commit()
    waiting.join(SECONDS_TO_WAIT)
    _require(order == ["first", "second"], "nobody else changes a locked bandit until the transaction is over.")


def _lock_and_note(storage: Any, bandit: int, order: list[str]) -> None:
    with suppress(RiskBanditsError), storage.writing() as transaction:
        transaction.lock_bandits([bandit])
        order.append("second")


def _check_snapshots(storage: Any, bandit: int) -> None:
    with storage.writing() as transaction:
        _require(transaction.newest_snapshot(bandit) is None, "None is returned where there is no snapshot.")
        for sequence, keep in ((10, None), (20, None), (30, 20)):
            snapshot = {"bandit_id": bandit, "sequence": sequence, "learner": TEXT, "rest": "{}"}
            transaction.write_snapshot(snapshot, keep)
        transaction.commit()
    with storage.reading() as transaction:
        _require(dict(transaction.newest_snapshot(bandit)) == snapshot, "the newest snapshot is as it was written.")
        kept = transaction.snapshot_at(bandit, 20)
        _require(kept is not None and kept["sequence"] == 20, "the snapshot to be kept stays.")


def _check_removal(storage: Any, bandit: int) -> None:
    with storage.writing() as transaction:
        removed = transaction.remove_events(bandit, 4000, 1_700_000_000_000_000 + 3000)
        transaction.set_origin(bandit, 4000)
        transaction.commit()
    with storage.reading() as transaction:
        left = [row["sequence"] for row in transaction.events_after(bandit, 0)]
        _require(left == list(range(3000, 5001)) and removed == 2999, "late decisions and later events stay.")
        _require(transaction.bandit_numbered(bandit).origin == 4000, "a bandit knows where its log begins.")


def _check_keys(storage: Any, other: Any) -> None:
    with storage.writing() as transaction:
        first, second = (transaction.add_key(role, TEXT, b"digest", 5) for role in ("read", "admin"))
        transaction.commit()
    with other.writing() as transaction:
        found = [transaction.revoke_key(key, 9) for key in (first, first, second + 1000)]
        _require(found == [True, False, None], "it is told whether a key was valid.")
        transaction.commit()
    with storage.reading() as transaction:
        rows = [(key.id, key.role, key.note, key.digest, key.revoked) for key in transaction.access_keys()]
        expected = [(first, "read", TEXT, b"digest", 9), (second, "admin", TEXT, b"digest", None)]
        _require(rows[-2:] == expected and first < second, "keys come back as they were added.")
