"""The first schema: bandits, their events and snapshots, keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "bandits",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("origin", sa.BigInteger),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="bandits_pk"),
        sa.UniqueConstraint("name", name="bandits_name"),
    )
    op.create_table(
        "events",
        sa.Column("bandit_id", sa.Integer, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("decides", sa.BigInteger),
        sa.Column("settles", sa.BigInteger),
        sa.Column("arm", sa.Text, nullable=False),
        sa.Column("reward", sa.Double),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("available", sa.Text),
        sa.Column("key", sa.String(200)),
        sa.Column("count", sa.Integer),
        sa.PrimaryKeyConstraint("bandit_id", "sequence", name="events_pk"),
        sa.ForeignKeyConstraint(["bandit_id"], ["bandits.id"], name="events_bandit_id"),
        sqlite_with_rowid=False,
    )
    for column in ("decides", "settles", "key"):
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"events_{column}",
            "events",
            ["bandit_id", column],
            unique=True,
            postgresql_where=there,
            sqlite_where=there,
        )
    op.create_table(
        "snapshots",
        sa.Column("bandit_id", sa.Integer, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("learner", sa.Text, nullable=False),
        sa.Column("rest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("bandit_id", "sequence", name="snapshots_pk"),
        sa.ForeignKeyConstraint(["bandit_id"], ["bandits.id"], name="snapshots_bandit_id"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="keys_pk"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("keys", "snapshots", "events", "bandits"):
        op.drop_table(table)
