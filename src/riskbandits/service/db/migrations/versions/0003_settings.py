"""Bandits: what was changed since their creation."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; nothing was changed so far."""
    op.add_column("bandits", sa.Column("settings", sa.Text))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("bandits", "settings")
