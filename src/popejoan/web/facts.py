"""What an entry of the log did: as facts, which a page tells in its own language, and in English.

Everything here is public. Persons are told by number, as in the section ``people``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from popejoan.cards import Card
from popejoan.events import Event
from popejoan.sentences import Teller, card_text
from popejoan.web import entries
from popejoan.web.entries import Entry
from popejoan.web.table import Table
from popejoan.wire import event_to_wire

__all__ = ["events", "facts", "says", "teller"]

_ENGLISH: Final = {
    "came": "{person} comes to the table.",
    "watches": "{person} watches.",
    "returned": "{person} takes a seat again.",
    "left": "{person} leaves the table.",
    "removed": "{by} removes {person} from the table.",
    "planned": "The table is set anew, from the next deal: {rules}.",
    "planned-now": "The table is set anew, now: {rules}.",
    "started": "The first knave dealt round face up is {card}: {person} deals first.",
    "handed": "{person} is the host now.",
    "paused": "The host stops the table for a while.",
    "resumed": "The table goes on.",
    "ending": "The match ends with this deal.",
    "not-ending": "The match goes on after this deal.",
    "noted": "{text}",
    "taken-back": "{person} takes back the last lead.",
    "rematched": "Another match is to be played.",
    "closed": "The match is over.",
    "away": "{person} is away: a bot plays.",
    "clock": "{person} has no time left: a bot plays.",
    "deal": "Deal {deal}.",
}
_DEAL: Final = (entries.Dealt, entries.Laid)
_BRING: Final = (entries.Led, entries.Claimed, entries.Switched, *_DEAL)


def facts(after: Table, entry: Entry) -> list[dict[str, Any]]:
    """What an entry that led to this table did, as ``{"what": ..., ...}`` each.

    The events of the deal are not among them: see ``events``. ``division`` holds an event in the
    form of docs/wire.md, whose seats are the persons in ``seats``.
    """
    match entry:
        case entries.Led(person=person, by=by):
            return [{"what": by, "person": person}] if by in ("away", "clock") else []
        case entries.Came(watching=watching):
            what = "watches" if watching else "came"
            return [{"what": what, "person": len(after.people) - 1}]
        case entries.Left(person=person, by=by) if by is not None:
            return [{"what": "removed", "person": person, "by": by}]
        case entries.Returned() | entries.Left() | entries.Handed() | entries.TakenBack():
            return [{"what": entry.__struct_config__.tag, "person": entry.person}]
        case entries.Planned():
            rules = (after.planned or after.settings).rules
            return [{"what": "planned" if after.match else "planned-now", "rules": rules}]
        case entries.Started():
            assert after.match is not None
            dealer = after.person_of(after.match.dealer).number
            return [{"what": "started", "person": dealer, "card": repr(after.knave[-1])}]
        case entries.Paused(on=on):
            return [{"what": "paused" if on else "resumed"}]
        case entries.Ending(on=on):
            return [{"what": "ending" if on else "not-ending"}]
        case entries.Noted(text=text, bot=bot):
            return [{"what": "noted", "bot": bot, "text": text}]
        case entries.Rematched():
            return [{"what": "rematched"}]
        case entries.Closed():
            return [{"what": "closed"}, *_division(after)]
        case entries.Dealt() | entries.Laid():
            seats = [person.number for person in after.seats]
            return [{"what": "deal", "deal": after.deal, "seats": seats}]
        case _:
            return []


def _division(table: Table) -> list[dict[str, Any]]:
    if table.divided is None or table.match is None:
        return []
    seats = [table.person_of(member).number for member in table.match.sitting]
    return [{"what": "division", "event": event_to_wire(table.divided), "seats": seats}]


def events(before: Table, after: Table, entry: Entry) -> tuple[Event, ...]:
    """The events of the deal that an entry brought."""
    known, round_ = before.round, after.round
    if round_ is None or not isinstance(entry, _BRING):
        return ()
    if known is None or isinstance(entry, _DEAL):
        return round_.events
    return round_.events[len(known.events) :]


def says(after: Table, done: Iterable[dict[str, Any]]) -> list[str]:
    """In English what was done: a sentence for each fact."""
    return [_sentence(after, fact) for fact in done]


def teller(after: Table) -> Teller:
    """Who says in English what an event of the deal brought."""
    return _teller(tuple([person.name for person in after.seats]))


@lru_cache(maxsize=1024)
def _teller(names: tuple[str, ...]) -> Teller:
    return Teller(names)


def _sentence(table: Table, fact: dict[str, Any]) -> str:
    if fact["what"] == "division":
        assert table.divided is not None
        return Teller([table.people[seat].name for seat in fact["seats"]]).event(table.divided)
    named = {
        name: table.people[value].name
        if name in ("person", "by")
        else card_text(Card.parse(value))
        if name == "card"
        else value
        for name, value in fact.items()
    }
    return _ENGLISH[fact["what"]].format(**named)
