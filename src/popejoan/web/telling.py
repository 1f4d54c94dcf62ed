"""What all at a table are shown: the table by sections.

The sections hold only what everyone at the table may know; the cards are in ``showing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from popejoan.board import Board
from popejoan.clauses import clauses
from popejoan.rules import Rules
from popejoan.web import entries
from popejoan.web.entries import Entry
from popejoan.web.owing import debts
from popejoan.web.table import Opening, Table
from popejoan.wire import event_to_wire

__all__ = ["changed", "sections"]


@lru_cache(maxsize=256)
def _clauses(rules: Rules) -> list[list[str]]:
    return [[each.number, each.field, each.sentence, each.source] for each in clauses(rules)]


def sections(table: Table) -> dict[str, Any]:
    """All that everyone at the table may know, but for the cards, by sections."""
    return {name: make(table) for name, make in _SECTIONS.items()}


def changed(before: Table, table: Table, known: dict[str, Any], entry: Entry) -> dict[str, Any]:
    """The sections of the table that are others than those known before this entry."""
    names: Iterable[str] = _SECTIONS
    if isinstance(entry, entries.Led) and table.phase == "playing":
        names = ("to_act", "back")
        # Most leads pay nothing.
        if (
            before.round is None
            or table.round is None
            or before.round.ledger is not table.round.ledger
        ):
            names = ("purses", "board", *names)
    elif isinstance(entry, entries.Said | entries.Noted):
        names = ()
    elif isinstance(entry, entries.Ready):
        names = ("ready",)
    fresh = {name: _SECTIONS[name](table) for name in names}
    return {name: value for name, value in fresh.items() if value != known[name]}


def _plain(settings: entries.Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


@lru_cache(maxsize=256)
def _rules(rules: Rules) -> dict[str, Any]:
    return {"text": rules.text, "fields": rules.as_dict(), "clauses": _clauses(rules)}


def _next_dealer(table: Table) -> int | None:
    match = table.match
    if match is None or table.closed or not match.between:
        return None
    return table.person_of(match.next_dealer).number


def _to_act(table: Table) -> int | None:
    person = table.to_act
    return None if person is None else person.number


def _back(table: Table) -> int | None:
    """Who may take back the last lead."""
    round_ = table.back.round if table.back else None
    return None if round_ is None or round_.to_act is None else table.seats[round_.to_act].number


def _opened(table: Table) -> bool:
    """Whether the pack of the last deal may be shown: only when no card of it is hidden."""
    return bool(table.openings) and (table.closed or table.round is None or table.round.over)


def _opening(opening: Opening) -> dict[str, Any]:
    return {
        "number": opening.number,
        "seal": opening.pack.seal,
        "nonce": opening.pack.nonce,
        "cards": opening.pack.cards,
        "rules": opening.rules,
        "deal": opening.deal,
        "dealer": opening.dealer,
    }


def _laid(table: Table) -> dict[str, Any] | None:
    """How the deal was laid out; None for one dealt from a sealed pack."""
    if table.laid is None:
        return None
    return {"day": table.laid.day, "seat": table.laid.seat, "then": list(table.laid.then)}


def _final(table: Table) -> dict[str, Any] | None:
    """The last division, what each has won, and who owes whom; None before the end."""
    if not table.closed or table.match is None:
        return None
    match = table.match
    won = [now - then for now, then in zip(match.purses, table.brought)]
    return {
        "won": won,
        "debts": [list(debt) for debt in debts(won)],
        "left": match.board.total,
        "division": None if table.divided is None else event_to_wire(table.divided),
        "sitting": list(match.sitting),
    }


_SECTIONS: Final[dict[str, Callable[[Table], Any]]] = {
    "settings": lambda table: _plain(table.settings),
    "planned": lambda table: None if table.planned is None else _plain(table.planned),
    "rules": lambda table: _rules(table.rules),
    "people": lambda table: [
        [each.number, each.name, each.standing.value, each.bot, each.member]
        for each in table.people
    ],
    "host": lambda table: table.host,
    "phase": lambda table: table.phase,
    "deal": lambda table: table.deal,
    "seats": lambda table: [person.number for person in table.seats],
    "purses": lambda table: list(table.match.purses) if table.match else [],
    "board": lambda table: (table.match.board if table.match else Board()).as_dict(),
    "next_dealer": _next_dealer,
    "to_act": _to_act,
    "back": lambda table: None if table.back is None else _back(table),
    "ready": lambda table: sorted(table.ready),
    "ending": lambda table: table.ending,
    "paused": lambda table: table.paused,
    "seal": lambda table: table.pack.seal if table.pack and not table.closed else None,
    "dealt_seal": lambda table: table.dealt.seal if table.dealt else None,
    "opening": lambda table: _opening(table.openings[-1]) if _opened(table) else None,
    "laid": _laid,
    "results": lambda table: [list(result) for result in table.results[-50:]],
    "brought": lambda table: list(table.brought),
    "knave": lambda table: [repr(card) for card in table.knave],
    "final": _final,
}
"""The sections, and how each is made."""
