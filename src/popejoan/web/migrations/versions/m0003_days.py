"""The deal of each day, and what everyone made of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "days",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("code", sa.String(32), nullable=False, index=True),
        sa.Column("won", sa.Integer, nullable=True),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("results")
    op.drop_table("days")
