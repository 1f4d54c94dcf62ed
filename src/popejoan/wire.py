"""The wire: one seat's view and what has happened, as JSON.

It is the form in which a server shows a table to a client (``docs/protocol.md`` tells what else the
two say to each other). It is made from a ``View``, never from the truth. Every entry is explained
in ``docs/wire.md``. Nothing is sent or received here.

A view's message holds what the seat has seen, from which all else follows, and beside it the
``table``: what follows from it, ready for a client that does not know the game. A message whose
``table`` does not follow from the rest is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import (
    Any,
    Final,
    NoReturn,
    TypeAlias,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from popejoan.board import Board, Compartment, Ledger, Reason, Transfer
from popejoan.cards import BadCard, BadWire, Card, CardSet, Seat, Suit
from popejoan.events import Event, MatchEvent, Stop
from popejoan.hearing import told
from popejoan.payments import Due
from popejoan.rules import MOST_PLAYERS, Rules
from popejoan.view import View

__all__ = [
    "MOST",
    "VERSION",
    "event_from_wire",
    "event_to_wire",
    "from_wire",
    "to_wire",
]

VERSION: Final = 1
"""The version of the wire, in every view; another is refused."""
MOST: Final = 2**53 - 1
"""The largest number sent: the largest whole number that every JSON reader keeps exactly."""


_TABLE: Final = (
    "dealer", "sizes", "stock_size", "turn_up", "trump", "hand", "counts", "played", "run",
    "leader", "follows", "to_act", "legal", "dead", "stops", "board", "purses", "due", "over",
    "winner",
)  # fmt: skip
"""The ready facts: each is the attribute of ``View`` of that name."""


_ENTRIES: Final = (
    "wire", "kind", "seat", "rules", "opening", "claiming", "dealt", "stock", "events", "table",
)  # fmt: skip


def to_wire(view: View) -> dict[str, Any]:
    """The message that shows a seat its view; ``from_wire`` gives the view back.

    Raises BadWire for a number of counters above ``MOST``.
    """
    for purse in (*view.opening.purses, *view.purses, view.opening.board.total, view.board.total):
        if abs(purse) > MOST:
            _refuse("purses", f"{_shown(purse)} is more than the wire can carry")
    return {
        "wire": VERSION,
        "kind": "view",
        "seat": view.seat,
        "rules": view.rules.as_dict(),
        "opening": {
            "purses": list(view.opening.purses),
            "board": view.opening.board.as_dict(),
        },
        "claiming": list(view.claiming),
        "dealt": _write(view.dealt),
        "stock": _write(view.stock),
        "events": [event_to_wire(event) for event in view.events],
        "table": {name: _write(getattr(view, name)) for name in _TABLE},
    }


def event_to_wire(event: Event | MatchEvent) -> dict[str, Any]:
    """An event as a JSON object: its kind, and its fields by name."""
    return {"event": _name(type(event)), **_members(event)}


def _members(record: Any) -> dict[str, Any]:
    return {each.name: _write(getattr(record, each.name)) for each in fields(record)}


def _name(kind: type) -> str:
    """The name of a class on the wire: ``WentOut`` is ``went-out``."""
    return _hyphened(kind.__name__)


@cache
def _hyphened(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()


def _write(value: Any) -> Any:
    """A value of the game as a JSON value."""
    match value:
        case Card():
            return repr(value)
        case Suit():
            return value.letter
        case StrEnum():
            return value.value
        case Board() | Rules():
            return value.as_dict()
        case Transfer() | Due():
            return {name: _write(part) for name, part in value._asdict().items()}
        case CardSet() | tuple():
            return [_write(part) for part in value]
        case _:
            return value


# Reading: every value comes with the place where it stands, for the refusal.


def _refuse(at: str, says: str) -> NoReturn:
    raise BadWire(f"{at or 'message'}: {says}")


def _shown(value: object) -> str:
    """A JSON value, shortened, to be named in a refusal."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if type(value) is int and abs(value) > MOST:
        return f"a number of {value.bit_length()} bits"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _object(value: object, at: str, entries: tuple[str, ...]) -> Mapping[str, object]:
    """An object with exactly these entries."""
    if not isinstance(value, Mapping):
        _refuse(at, f"{_shown(value)} stands where an object is wanted")
    for name in entries:
        if name not in value:
            _refuse(at, f"has no entry {name!r}")
    for name in value:
        if name not in entries:
            _refuse(at, f"has an entry {_shown(name)}, which this kind does not have")
    return value


def _list(value: object, at: str) -> list[object]:
    if not isinstance(value, list):
        _refuse(at, f"{_shown(value)} stands where a list is wanted")
    return value


def _whole(value: object, at: str) -> int:
    if type(value) is not int or abs(value) > MOST:
        _refuse(at, f"{_shown(value)} is not a whole number within {MOST}")
    return value


def _count(value: object, at: str) -> int:
    if (number := _whole(value, at)) < 0:
        _refuse(at, f"{number} is less than 0")
    return number


def _flag(value: object, at: str) -> bool:
    if not isinstance(value, bool):
        _refuse(at, f"{_shown(value)} is neither true nor false")
    return value


def _seat(value: object, at: str) -> Seat:
    if not 0 <= _whole(value, at) < MOST_PLAYERS:
        _refuse(at, f"{value} is no seat: they are 0 to {MOST_PLAYERS - 1}")
    return Seat(_whole(value, at))


def _card(value: object, at: str) -> Card:
    if not isinstance(value, str):
        _refuse(at, f"{_shown(value)} is not a card such as '9D'")
    try:
        return Card.parse(value)
    except BadCard as error:
        _refuse(at, str(error))


def _cards(value: object, at: str) -> CardSet:
    mask = 0
    for place, each in enumerate(_list(value, at)):
        card = _card(each, f"{at}[{place}]")
        if mask & card.bit:
            _refuse(f"{at}[{place}]", f"{card!r} stands twice")
        mask |= card.bit
    return CardSet(mask)


def _one_of(kind: type[StrEnum]) -> Callable[[object, str], Any]:
    def read(value: object, at: str) -> StrEnum:
        if not isinstance(value, str) or value not in {each.value for each in kind}:
            _refuse(at, f"{_shown(value)} is none of {', '.join(kind)}")
        return kind(value)

    return read


def _party(value: object, at: str) -> Seat | Compartment:
    """Who pays or is paid: a seat, or a compartment of the board."""
    if isinstance(value, str):
        return cast(Compartment, _one_of(Compartment)(value, at))
    return _seat(value, at)


def _transfer(value: object, at: str) -> Transfer:
    whole = _object(value, at, Transfer._fields)
    return Transfer(
        _party(whole["payer"], f"{at}.payer"),
        _party(whole["payee"], f"{at}.payee"),
        _count(whole["counters"], f"{at}.counters"),
        _one_of(Reason)(whole["reason"], f"{at}.reason"),
    )


def _rules(value: object, at: str) -> Rules:
    try:
        return Rules.read(value)
    except ValueError as error:
        _refuse(at, str(error))


_READERS: Final[dict[Any, Callable[[object, str], Any]]] = {
    Seat: _seat,
    int: _whole,
    bool: _flag,
    Card: _card,
    CardSet: _cards,
    Compartment: _one_of(Compartment),
    Rules: _rules,
    Stop: _one_of(Stop),
    Transfer: _transfer,
}


def _reader(kind: Any) -> Callable[[object, str], Any]:
    """What reads a field of this type; a tuple is a list on the wire."""
    if get_origin(kind) is not tuple:
        return _READERS[kind]
    one = _READERS[get_args(kind)[0]]

    def read(value: object, at: str) -> tuple[Any, ...]:
        return tuple(one(each, f"{at}[{place}]") for place, each in enumerate(_list(value, at)))

    return read


_Fields: TypeAlias = dict[str, Callable[[object, str], Any]]


def _kinds(union: Any) -> dict[str, tuple[type, _Fields]]:
    return {
        _name(kind): (kind, {name: _reader(hint) for name, hint in get_type_hints(kind).items()})
        for kind in get_args(union)
    }


_EVENTS: Final = _kinds(Event)
_ALL_EVENTS: Final = _EVENTS | _kinds(MatchEvent)


def _event(value: object, at: str, kinds: Mapping[str, tuple[type, _Fields]]) -> Any:
    """One event of these kinds."""
    if not isinstance(value, Mapping):
        _refuse(at, f"{_shown(value)} stands where an object is wanted")
    name = value.get("event")
    if not isinstance(name, str) or name not in kinds:
        _refuse(at, f"event {_shown(name)} is none of {', '.join(kinds)}")
    kind, parts = kinds[name]
    whole = _object(value, at, ("event", *parts))
    dot = f"{at}." if at else ""
    return kind(**{part: read(whole[part], dot + part) for part, read in parts.items()})


def _this_version(obj: object) -> None:
    version = obj.get("wire") if isinstance(obj, Mapping) else None
    if isinstance(obj, Mapping) and (type(version) is not int or version != VERSION):
        _refuse("wire", f"{_shown(version)} is not the version this program reads, {VERSION}")


def event_from_wire(obj: object) -> Event | MatchEvent:
    """The event that a JSON object stands for; raises BadWire, with the place, for anything else.

    >>> event_from_wire({"event": "led", "seat": 1, "card": "KH"})
    Led(seat=1, card=KH)
    """
    return cast("Event | MatchEvent", _event(obj, "", _ALL_EVENTS))


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are the same, 1, 1.0 and true being three."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        theirs = cast("list[object]", other)
        return len(one) == len(theirs) and all(map(_same, one, theirs))
    if isinstance(one, dict):
        table = cast("dict[str, object]", other)
        return one.keys() == table.keys() and all(_same(one[name], table[name]) for name in one)
    return one == other


def from_wire(obj: object) -> View:
    """The view that a message shows.

    Raises BadWire, with what is wrong and where, for anything that is no message, and for one
    whose parts could not stand together at a table.
    """
    _this_version(obj)
    whole = _object(obj, "", _ENTRIES)
    if whole["kind"] != "view":
        _refuse("kind", f"{_shown(whole['kind'])} is not 'view'")
    opening = _object(whole["opening"], "opening", ("purses", "board"))
    rules = _rules(whole["rules"], "rules")
    purses = _list(opening["purses"], "opening.purses")
    board = _object(opening["board"], "opening.board", tuple(Compartment))
    view = told(
        seat=None if whole["seat"] is None else _seat(whole["seat"], "seat"),
        rules=rules,
        opening=Ledger(
            tuple(_whole(each, f"opening.purses[{n}]") for n, each in enumerate(purses)),
            Board(tuple(_count(board[name], f"opening.board.{name}") for name in Compartment)),
        ),
        claiming=_reader(tuple[bool, ...])(whole["claiming"], "claiming"),
        dealt=_cards(whole["dealt"], "dealt"),
        stock=None if whole["stock"] is None else _cards(whole["stock"], "stock"),
        events=tuple(
            _event(each, f"events[{n}]", _EVENTS)
            for n, each in enumerate(_list(whole["events"], "events"))
        ),
    )
    table = _object(whole["table"], "table", _TABLE)
    for name in _TABLE:
        if not _same(table[name], follows := _write(getattr(view, name))):
            _refuse(f"table.{name}", f"does not follow from the rest, which makes it {follows}")
    return view
