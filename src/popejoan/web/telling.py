"""What a client is shown: the public table by sections, and a seat's own view of the deal.

Nothing else makes messages of a table. The sections hold only what everyone at the table may know;
the cards come from a ``View``, and from nowhere else while a deal is played.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from popejoan.board import Board
from popejoan.cards import Card, CardSet
from popejoan.clauses import clauses
from popejoan.match import Match
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.web import entries
from popejoan.web.owing import debts
from popejoan.web.table import Opening, Table
from popejoan.wire import event_to_wire, to_wire

__all__ = ["more", "sections", "view_of"]

_SHARED: Final = (
    "dealer", "sizes", "stock_size", "turn_up", "trump", "counts", "played", "run", "leader",
    "follows", "to_act", "board", "purses", "due", "over", "winner",
)  # fmt: skip
_OWN: Final = ("hand", "legal", "dead", "stops")


@lru_cache(maxsize=256)
def _clauses(rules: Rules) -> list[list[str]]:
    return [[each.number, each.field, each.sentence, each.source] for each in clauses(rules)]


def sections(table: Table) -> dict[str, Any]:
    """All that everyone at the table may know, but for the cards, by sections."""
    match, seats = table.match, table.seats
    found: dict[str, Any] = {
        "settings": _plain(table.settings),
        "planned": None if table.planned is None else _plain(table.planned),
        "rules": _rules(table.rules),
        "people": [
            [each.number, each.name, each.standing.value, each.bot, each.member]
            for each in table.people
        ],
        "host": table.host,
        "phase": table.phase,
        "deal": table.deal,
        "seats": [person.number for person in seats],
        "purses": list(match.purses) if match else [],
        "board": match.board.as_dict() if match else Board().as_dict(),
        "next_dealer": _next_dealer(table),
        "to_act": None if table.to_act is None else table.to_act.number,
        "back": None if table.back is None else _back(table),
        "ready": sorted(table.ready),
        "ending": table.ending,
        "paused": table.paused,
        "seal": table.pack.seal if table.pack and not table.closed else None,
        "dealt_seal": table.dealt.seal if table.dealt else None,
        "opening": _opening(table.openings[-1]) if _opened(table) else None,
        "laid": _laid(table),
        "results": [list(result) for result in table.results[-50:]],
        "brought": list(table.brought),
        "knave": [repr(card) for card in table.knave],
        "final": _final(table),
    }
    return found


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


# The deal as a seat sees it


def view_of(match: Match | None, seat: int | None) -> dict[str, Any] | None:
    """The whole view of a seat, or of a spectator, for the wire; None when there is no deal."""
    if match is None or match.round is None:
        return None
    return to_wire(View.of(match.round, seat))


def more(match: Match, since: int, seats: Iterable[int | None]) -> dict[int | None, dict[str, Any]]:
    """For each seat what has changed in its view since so many events."""
    assert match.round is not None
    public = View.of(match.round, None)
    events = [event_to_wire(event) for event in public.events[since:]]
    shared = {name: _write(getattr(public, name)) for name in _SHARED}
    claiming = list(public.claiming)
    found: dict[int | None, dict[str, Any]] = {}
    for seat in seats:
        view = public if seat is None else View.of(match.round, seat)
        own = {name: [repr(card) for card in getattr(view, name)] for name in _OWN}
        found[seat] = {
            "since": since,
            "events": events,
            "claiming": claiming,
            "table": {**shared, **own},
        }
    return found


def _write(value: Any) -> Any:
    """A public value of a view as a JSON value, as the wire has it."""
    if isinstance(value, Card):
        return repr(value)
    if isinstance(value, Board):
        return value.as_dict()
    if hasattr(value, "letter"):
        return value.letter
    if hasattr(value, "_asdict"):
        return {name: _write(part) for name, part in value._asdict().items()}
    if isinstance(value, CardSet | tuple):
        return [_write(part) for part in value]
    return value
