"""What a table does by itself: bots lead, clocks run out, the next deal comes, the host moves.

With nobody connected a table stands still.
"""

from __future__ import annotations

import secrets
import time
from typing import Final, NamedTuple

from popejoan.events import Led
from popejoan.view import View
from popejoan.web import entries
from popejoan.web.asks import next_entry
from popejoan.web.backing import Mind
from popejoan.web.entries import Entry
from popejoan.web.limits import Limits
from popejoan.web.people import Person, Standing
from popejoan.web.presence import Presence
from popejoan.web.table import Table

__all__ = ["Duty", "duty_of", "fulfilled"]

_READY: Final = 20.0
"""For how many seconds the others wait for someone who is not ready for the next deal."""


class Duty(NamedTuple):
    """Something due at a moment of the monotonic clock."""

    at: float
    what: str
    """One of ``lead``, ``next`` and ``host``."""
    person: int = 0
    """Who leads, or becomes the host."""
    by: str = ""
    """For a lead, who chooses it."""


def duty_of(table: Table, presence: Presence, limits: Limits, turn_at: float) -> Duty | None:
    """What is due next; None while the table waits for people."""
    there = presence.present
    present = [person for person in table.humans if person.number in there]
    if not present:
        return None
    due = None
    phase = table.phase
    if phase == "playing" and not table.paused:
        due = _lead(table, presence, limits, turn_at)
    elif phase == "between":
        due = _next(table, present, limits, turn_at)
    host = table.people[table.host]
    if host in present:
        return due
    gone = 0.0 if not host.seated else presence.since(host.number) + table.settings.grace
    moved = Duty(gone, "host", present[0].number)
    return moved if due is None else min(moved, due)


def _lead(table: Table, presence: Presence, limits: Limits, turn_at: float) -> Duty | None:
    person = table.to_act
    if person is None:
        return None
    if person.bot is not None or person.standing is not Standing.SITTING:
        return Duty(turn_at + limits.pace * _pause(table), "lead", person.number, "bot")
    if person.number not in presence.present:
        at = max(turn_at, presence.since(person.number) + table.settings.grace)
        return Duty(at + limits.pace * 0.5, "lead", person.number, "away")
    if table.settings.clock is not None:
        return Duty(turn_at + table.settings.clock, "lead", person.number, "clock")
    return None


def _pause(table: Table) -> float:
    """For how many seconds a bot waits, so that the last run can be watched."""
    cards = 0
    for play in reversed(table.round.plays if table.round else ()):
        cards += 1
        if isinstance(play, Led):
            break
    return 0.8 + 0.25 * cards


def _next(table: Table, present: list[Person], limits: Limits, turn_at: float) -> Duty | None:
    if not table.deal:
        return Duty(turn_at + limits.pace * 1.5, "next")
    waiting = [
        person
        for person in present
        if person.number not in table.ready and person.standing is Standing.SITTING
    ]
    if not table.ready:
        return None
    if not waiting:
        return Duty(0.0, "next")
    return Duty(time.monotonic() + _READY - (time.time() - table.touched), "next")


def _seed(table: Table) -> int:
    """What a bot draws from: where the deal is the same for many, so are the bots."""
    return secrets.randbits(32) if table.laid is None else 0


async def fulfilled(duty: Duty, table: Table, thinker: Mind, limits: Limits) -> list[Entry]:
    """The entries that do what is due."""
    now = time.time()
    if duty.what == "host":
        return [entries.Handed(duty.person, at=now)]
    if duty.what == "next":
        return [next_entry(table, limits, now)]
    assert table.round is not None
    seat = table.seat_of(duty.person)
    view = View.of(table.round, seat)
    person = table.people[duty.person]
    name = person.bot or table.settings.bots or "book"
    thought = await thinker.lead(name, _seed(table), view)
    found: list[Entry] = []
    if thought.fault is not None:
        text = f"The bot {name} {thought.fault}: it leads by the book."
        found.append(entries.Noted(text, name, at=now))
    by = duty.by
    found.append(entries.Led(duty.person, repr(thought.card), by, at=now))
    return found
