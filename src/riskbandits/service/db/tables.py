"""The tables. Everything that happens is a row of `events`, written once and never changed."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

NAMES = {"pk": "%(table_name)s_pk", "uq": "%(table_name)s_%(column_0_name)s", "fk": "%(table_name)s_%(column_0_name)s"}
metadata = MetaData(naming_convention=NAMES)

bandits = Table(
    "bandits",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("spec", Text, nullable=False),  # JSON: what it was created with
    Column("secret", LargeBinary, nullable=False),  # from which the ids of its decisions are made
    Column("version", BigInteger, nullable=False),  # the sequence of its last event
    Column("origin", BigInteger),  # the snapshot from which its log goes on; null: from the very beginning
    Column("created", BigInteger, nullable=False),  # microseconds since 1970, as all times here
    Column("settings", Text),  # JSON: what was changed since, as the events made it; null: nothing
)

events = Table(
    "events",
    metadata,
    Column("bandit_id", Integer, ForeignKey("bandits.id"), primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("decides", BigInteger),  # the number of the decision that this event is
    Column("settles", BigInteger),  # the number of the decision that this event ends: by a reward, or without one
    Column("arm", Text),  # null for events that concern the whole bandit
    Column("reward", Double),
    Column("at", BigInteger, nullable=False),
    Column("available", Text),  # JSON: the arms to which a decision was limited
    Column("key", String(200)),  # the Idempotency-Key, with the first decision of a request
    Column("count", Integer),  # how many decisions that request asked for
    Column("data", JSON(none_as_null=True)),  # what else belongs to an event: features, probabilities, changes
    Column("digest", String(32)),  # of this event and the digest before it; null where the log was compacted
    # However many instances write: no decision is made twice, ended twice, or made again for a repeated request.
    Index("events_decides", "bandit_id", "decides", unique=True, postgresql_where=text("decides IS NOT NULL"),
          sqlite_where=text("decides IS NOT NULL")),
    Index("events_settles", "bandit_id", "settles", unique=True, postgresql_where=text("settles IS NOT NULL"),
          sqlite_where=text("settles IS NOT NULL")),
    Index("events_key", "bandit_id", "key", unique=True, postgresql_where=text("key IS NOT NULL"),
          sqlite_where=text("key IS NOT NULL")),
    sqlite_with_rowid=False,
)  # fmt: skip

snapshots = Table(
    "snapshots",
    metadata,
    Column("bandit_id", Integer, ForeignKey("bandits.id"), primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("learner", Text, nullable=False),  # JSON, as `Learner.to_json` writes it
    Column("rest", Text, nullable=False),  # JSON: open decisions with their ends, counts, the digest
)

keys = Table(
    "keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("role", String(16), nullable=False),
    Column("note", String(200), nullable=False),
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of the key; the key itself is nowhere
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
)
