"""The deal of the day: the same for everyone, against the same bots, and everyone's result.

Its cards are drawn when someone first asks for them, and kept: so nobody can know them before, not
even whoever runs the server.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import Rules
from popejoan.web.deals import Pack, deal_from
from popejoan.web.hall import Hall, Seat, token_digest
from popejoan.web.people import Refused

__all__ = ["begin", "standing", "today"]

_PLAYERS: Final = 4
_DEALER: Final = 3
"""So that whoever plays the deal leads."""
_SEAT: Final = 0
_BOT: Final = "sharp"
_SHOWN: Final = 100
"""How many results are listed."""


def today() -> str:
    """The day, by universal time, as 2026-05-31."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def drawn() -> str:
    """The record of a new deal that has not been led to."""
    match = Match.start(Rules.HOYLE, players=_PLAYERS, first_dealer=_DEALER)
    while True:
        dealt = match.deal(deal_from(Pack.drawn(), Rules.HOYLE, _PLAYERS, _DEALER))
        if not dealt.between:  # Pope turned up would be no deal to play
            return Record.of(dealt).text


async def begin(hall: Hall, name: str, who: str) -> Seat:
    """A seat at the deal of the day; raises Refused for whoever has begun it already."""
    day, digest = today(), token_digest(who)
    if await hall.store.result(day, digest) is not None:
        raise Refused("you have played the deal of this day already", "played-today")
    record = await hall.store.day(day, drawn())
    seat = await hall.lay(record, name, seat=_SEAT, bot=_BOT, called=day, day=day)
    actor = await hall.find(seat.code)
    shown = name if actor is None else actor.table.people[0].name
    if not await hall.store.begin_day(day, digest, shown, seat.code):
        raise Refused("you have played the deal of this day already", "played-today")
    return seat


async def standing(hall: Hall, who: str) -> dict[str, Any]:
    """Everyone's result of this day and of the last, the best first; ``yours`` by its place."""
    day = today()
    before = (dt.date.fromisoformat(day) - dt.timedelta(days=1)).isoformat()
    digest = token_digest(who) if who else ""
    found = [await _day(hall, each, digest) for each in (day, before)]
    return {"players": _PLAYERS, "rules": Rules.HOYLE.text, "bot": _BOT, "days": found}


async def _day(hall: Hall, day: str, digest: str) -> dict[str, Any]:
    rows = await hall.store.results(day)
    done = sorted((row for row in rows if row[2] is not None), key=lambda row: -(row[2] or 0))
    mine = next((row[2] for row in done if row[0] == digest), None)
    return {
        "day": day,
        "playing": len(rows) - len(done),
        "results": [[_place(won, done), name, won] for _, name, won in done[:_SHOWN]],
        "yours": None if mine is None else [_place(mine, done), mine],
        "begun": any(row[0] == digest for row in rows),
    }


def _place(won: int | None, done: list[tuple[str, str, int | None]]) -> int:
    """The place of whoever won so much: those who won alike share it."""
    return 1 + sum((row[2] or 0) > (won or 0) for row in done)
