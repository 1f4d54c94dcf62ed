"""The records of a match and of its deals, made from the log of the table; they hold every hand."""

from __future__ import annotations

from collections.abc import Iterable

from popejoan.notation import Record
from popejoan.web.entries import Entry
from popejoan.web.happening import table_of
from popejoan.web.people import Refused

__all__ = ["deal_record", "record_of"]


def record_of(log: Iterable[Entry]) -> str:
    """The record of the last match of a table; raises Refused when no match has begun."""
    return _whole(log).text


def deal_record(log: Iterable[Entry], number: int) -> str:
    """The record of one deal of the last match, which is over; raises Refused for any other."""
    whole = _whole(log)
    deals = whole.match.history
    if not 1 <= number <= len(deals):
        raise Refused(f"there is no deal {number} in this match", "no-deal")
    members, round_ = deals[number - 1]
    if not round_.over:
        raise Refused(
            f"deal {number} is being played: its cards are told when it is over", "playing"
        )
    return Record.of(round_, [whole.names[member] for member in members]).text


def _whole(log: Iterable[Entry]) -> Record:
    table = table_of(log, whole=True)
    if table.match is None:
        raise Refused("no match has begun at this table", "not-begun")
    names = [table.person_of(member).name for member in range(len(table.match.members))]
    return Record.of(table.match, names)
