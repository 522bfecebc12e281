"""The storage contract: what the service needs of a database, whichever it is.

`riskbandits.testing.check_storage` holds an implementation against every sentence in bold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from riskbandits.core.errors import RiskBanditsError

Event = dict[str, Any]  # a row of the table of events
Settlement = tuple[str, float | None]  # how a decision ended: the kind of event, and the reward


class StorageError(RiskBanditsError):
    """The database cannot be used at the moment; what was not committed is not there."""


class DuplicateError(StorageError):
    """Something would be there twice."""


class BanditRow(NamedTuple):
    """A bandit as the database has it."""

    id: int
    name: str
    spec: dict[str, Any]
    secret: bytes
    version: int  # the sequence of its last event
    origin: int | None  # the snapshot from which its log goes on; None: from the very beginning
    created: int
    settings: dict[str, Any] | None = None  # what can be changed, as it is now; None: as created


class KeyRow(NamedTuple):
    """An access key as the database has it: its hash, never the key itself."""

    id: int
    role: str
    note: str
    digest: bytes
    created: int
    revoked: int | None


class Storage(ABC):
    """A database of bandits, their events and snapshots, and access keys.

    **Committed means on disk**: what `commit` has acknowledged survives the end of the process and of the machine.
    **Nothing of a transaction that was not committed is ever seen.** **Several processes may use one database.**
    Methods raise `StorageError` when the database does not answer and `DuplicateError` when something would be there
    twice; the transaction is then over.
    """

    @abstractmethod
    def reading(self) -> AbstractContextManager[Transaction]:
        """A transaction that only reads. **It sees one moment, and never waits for one that writes.**"""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that may write: `commit` keeps its changes, leaving without it drops them."""

    @abstractmethod
    def close(self) -> None:
        """Give back all connections; the next transaction opens one again."""

    @property
    @abstractmethod
    def address(self) -> str:
        """Where the database is, without a password."""


class Transaction(ABC):
    """What can be asked and changed within one transaction."""

    @abstractmethod
    def commit(self) -> None:
        """Keep what was changed. **When this returns, it is on disk.**"""

    @abstractmethod
    def touch(self) -> None:
        """Write something that changes nothing, to find out whether anything can be written."""

    # Bandits

    @abstractmethod
    def bandit_named(self, name: str) -> BanditRow | None:
        """A bandit by its name."""

    @abstractmethod
    def bandit_numbered(self, bandit_id: int) -> BanditRow | None:
        """A bandit by its id."""

    @abstractmethod
    def bandits_after(self, name: str, limit: int) -> list[BanditRow]:
        """Bandits after a name. **They come in the order of their names, by code point.**"""

    @abstractmethod
    def create_bandit(self, name: str, spec: str, secret: bytes, created: int, origin: int | None) -> BanditRow | None:
        """A new bandit, of version 0. **There is one bandit of a name**: None if it exists already."""

    @abstractmethod
    def lock_bandits(self, bandit_ids: Iterable[int]) -> dict[int, tuple[int, int | None]]:
        """Version and origin of each. **Nobody else changes these bandits until the transaction is over.**"""

    @abstractmethod
    def set_secret(self, bandit_id: int, secret: bytes) -> None:
        """The secret from which the ids of this bandit's decisions are made. **It comes back bit for bit.**"""

    @abstractmethod
    def set_origin(self, bandit_id: int, sequence: int) -> None:
        """The log of this bandit goes on from its snapshot after this event."""

    @abstractmethod
    def set_settings(self, bandit_id: int, settings: str) -> None:
        """What was changed of this bandit since its creation, as JSON."""

    # Events

    @abstractmethod
    def append_events(self, events: Sequence[Event], versions: Mapping[int, int]) -> None:
        """Write events, and the new version of each bandit that has them.

        **An event is written once and never changed.** `DuplicateError` if a bandit has one with the same sequence,
        one that makes or settles the same decision, or one with the same Idempotency-Key. **Numbers, texts and `data`
        come back as they were given, bit for bit.**
        """

    @abstractmethod
    def events_after(self, bandit_id: int, sequence: int, limit: int | None = None) -> Iterator[Mapping[str, Any]]:
        """The events of a bandit after a position, in order. **A long log is never in memory as a whole.**"""

    @abstractmethod
    def events_by_key(self, pairs: Sequence[tuple[int, str]]) -> dict[tuple[int, str], Mapping[str, Any]]:
        """The first decisions of the requests with these bandits and Idempotency-Keys."""

    @abstractmethod
    def settlements(self, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Settlement]:
        """How these decisions (bandit and number) were settled, of those that were."""

    @abstractmethod
    def remove_events(self, bandit_id: int, until: int, keyed_since: int) -> int:
        """Remove events up to a position and return how many; decisions made since a time stay."""

    # Snapshots

    @abstractmethod
    def newest_snapshot(self, bandit_id: int) -> Mapping[str, Any] | None:
        """The last snapshot of a bandit."""

    @abstractmethod
    def snapshot_at(self, bandit_id: int, sequence: int) -> Mapping[str, Any] | None:
        """The snapshot of a bandit after one event, if there is one."""

    @abstractmethod
    def write_snapshot(self, snapshot: Mapping[str, Any], keep: int | None) -> None:
        """Write a snapshot in place of the older ones. **The one after the event `keep` stays.**"""

    # Access keys

    @abstractmethod
    def add_key(self, role: str, note: str, digest: bytes, created: int) -> int:
        """A new access key; its id. **No id is given twice.**"""

    @abstractmethod
    def access_keys(self) -> list[KeyRow]:
        """All access keys, revoked ones too, in the order of their ids."""

    @abstractmethod
    def revoke_key(self, key_id: int, revoked: int) -> bool | None:
        """Revoke an access key: whether it was valid until now, or None if there is none."""
