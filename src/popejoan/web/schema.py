"""The tables of the store: one row a table, and its log, a row an entry."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

__all__ = ["DAYS", "DEALS", "LOG", "METADATA", "RESULTS", "TABLES"]

METADATA: Final = MetaData()

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("code", String(32), primary_key=True),
    Column("opened", Float, nullable=False),
    Column("touched", Float, nullable=False, index=True),
    Column("begun", Integer, nullable=False, server_default="0"),
)
"""Each table by its code: when it was set and last touched, and whether it ever began."""

LOG: Final = Table(
    "log",
    METADATA,
    Column("code", String(32), ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),
)
"""The append-only log: an entry is never changed, and has one place in the order."""

DEALS: Final = Table(
    "deals",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("at", Float, nullable=False, index=True),
    Column("record", Text, nullable=False),
)
"""The deals that someone made a link to: their records, apart from their tables."""

DAYS: Final = Table(
    "days",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("record", Text, nullable=False),
)
"""The deal of each day, as a record that has not been led to."""

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("who", String(64), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("code", String(32), nullable=False, index=True),
    Column("won", Integer, nullable=True),
)
"""Who has begun the deal of a day, at which table, and what they won; ``who`` is a digest."""
