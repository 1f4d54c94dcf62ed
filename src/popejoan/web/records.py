"""The record of a match, made from the log of its table."""

from __future__ import annotations

from collections.abc import Iterable

from popejoan.notation import Record
from popejoan.web.entries import Entry
from popejoan.web.people import Refused
from popejoan.web.table import Table

__all__ = ["record_of"]


def record_of(log: Iterable[Entry]) -> str:
    """The record of the last match of a table; it holds every hand.

    Raises Refused when no match has begun.
    """
    table = Table.of(log, whole=True)
    if table.match is None:
        raise Refused("no match has begun at this table", "not-begun")
    names = [table.person_of(member).name for member in range(len(table.match.members))]
    return Record.of(table.match, names).text
