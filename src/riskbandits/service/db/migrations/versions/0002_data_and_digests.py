"""Events: `data`, chained digests, and events that concern no single arm."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from riskbandits.service.db.digests import bandit_digest, event_digest

revision = "0002"
down_revision = "0001"
AT_ONCE = 5000
KEYS = ("decides", "settles", "key")


def upgrade() -> None:
    """Add the columns, and the digests of the events there are."""
    _drop_indexes()  # SQLite makes the table anew, and would lose their conditions
    with op.batch_alter_table("events", table_kwargs={"sqlite_with_rowid": False}) as table:
        table.alter_column("arm", existing_type=sa.Text, nullable=True)
        table.add_column(sa.Column("data", sa.JSON(none_as_null=True)))
        table.add_column(sa.Column("digest", sa.String(32)))
    _create_indexes()
    connection = op.get_bind()
    tables = sa.MetaData()
    tables.reflect(connection, only=("bandits", "events", "snapshots"))
    for bandit in connection.execute(sa.select(tables.tables["bandits"])).mappings().all():
        _chain(connection, tables, bandit)


def downgrade() -> None:
    """Drop them again."""
    _drop_indexes()
    with op.batch_alter_table("events", table_kwargs={"sqlite_with_rowid": False}) as table:
        table.drop_column("digest")
        table.drop_column("data")
        table.alter_column("arm", existing_type=sa.Text, nullable=False)
    _create_indexes()


def _chain(connection: sa.Connection, tables: sa.MetaData, bandit: Any) -> None:
    """The digests of one bandit's events, from where its log begins, and of its snapshots."""
    events, snapshots = tables.tables["events"], tables.tables["snapshots"]
    own = digest = bandit_digest(
        bandit["id"], bandit["name"], json.loads(bandit["spec"]), bytes(bandit["secret"]), bandit["created"]
    )
    wanted = sa.select(snapshots).where(snapshots.c.bandit_id == bandit["id"])
    waiting = {row["sequence"]: row["rest"] for row in connection.execute(wanted).mappings()}
    last = bandit["origin"] or 0
    _note(connection, snapshots, bandit["id"], last, waiting, digest)
    mine = sa.and_(events.c.bandit_id == bandit["id"], events.c.sequence == sa.bindparam("place"))
    write = sa.update(events).where(mine).values(digest=sa.bindparam("made"))
    while True:
        after = sa.select(events).where(events.c.bandit_id == bandit["id"], events.c.sequence > last)
        part: Any = connection.execute(after.order_by(events.c.sequence).limit(AT_ONCE)).mappings().all()
        if not part:
            return
        made = []
        for event in part:
            digest, last = event_digest(own, digest, event), event["sequence"]
            made.append({"place": last, "made": digest})
            _note(connection, snapshots, bandit["id"], last, waiting, digest)
        connection.execute(write, made)


def _note(
    connection: sa.Connection, snapshots: sa.Table, bandit_id: int, sequence: int, waiting: dict[int, str], digest: str
) -> None:
    """Write the digest into the snapshot after this event, if there is one."""
    if sequence in waiting:
        rest = json.dumps({**json.loads(waiting.pop(sequence)), "digest": digest})
        mine = sa.and_(snapshots.c.bandit_id == bandit_id, snapshots.c.sequence == sequence)
        connection.execute(sa.update(snapshots).where(mine).values(rest=rest))


def _drop_indexes() -> None:
    for column in KEYS:
        op.drop_index(f"events_{column}", "events")


def _create_indexes() -> None:
    for column in KEYS:
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"events_{column}",
            "events",
            ["bandit_id", column],
            unique=True,
            postgresql_where=there,
            sqlite_where=there,
        )
