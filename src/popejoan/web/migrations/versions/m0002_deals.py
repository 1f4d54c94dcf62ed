"""The deals that someone made a link to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "deals",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_index("ix_deals_at", "deals", ["at"])


def downgrade() -> None:
    """Remove it."""
    op.drop_table("deals")
