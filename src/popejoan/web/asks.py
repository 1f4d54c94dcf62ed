"""Who may ask for what: an ask becomes an entry of the log, or is refused with the reason.

Whether the rules of the game allow it is found when the table takes the entry.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from popejoan.board import Compartment
from popejoan.cards import BadCard, Card
from popejoan.rules import Rules
from popejoan.web import entries, messages
from popejoan.web.deals import Pack
from popejoan.web.entries import Entry, Settings
from popejoan.web.limits import Limits
from popejoan.web.names import clean_name, clean_text
from popejoan.web.people import Person, Refused, Standing
from popejoan.web.table import Table

__all__ = ["check_lead", "checked", "entry_for", "next_entry"]


def checked(settings: Settings, limits: Limits, bots: tuple[str, ...]) -> Settings:
    """The settings with a clean name; raises Refused, or BadRules, for what cannot be played."""
    name = clean_name(settings.name) or "Pope Joan"
    rules = Rules.parse(settings.rules)
    if settings.bots is not None and settings.bots not in bots:
        raise Refused(f"no bot is called {settings.bots!r}: they are {', '.join(bots)}")
    deals = settings.deals
    if deals is not None and deals > limits.deals:
        raise Refused(f"a match has up to {limits.deals} deals here", "deals", most=limits.deals)
    if deals is not None and rules.equal_deals and deals % settings.seats:
        more = deals - deals % settings.seats + settings.seats
        raise Refused(
            f"{deals} deals do not come round to all {settings.seats} players equally often, as "
            f"these rules ask: play {more}",
            "unequal-deals",
            deals=deals,
            seats=settings.seats,
            more=more,
        )
    return msgspec.structs.replace(settings, name=name, rules=rules.text)


def next_entry(table: Table, limits: Limits, now: float, ask: str = "") -> Entry:
    """What comes after a deal: the next one, or the end of the match."""
    match = table.match
    if match is not None and (table.ending or match.over or match.dealt >= limits.deals):
        return entries.Closed(at=now, ask=ask)
    return entries.Dealt(Pack.drawn(), at=now, ask=ask)


def entry_for(
    table: Table,
    person: Person,
    ask: messages.Asked,
    *,
    name: str,
    limits: Limits,
    bots: tuple[str, ...],
    now: float,
) -> Entry:
    """The entry that this ask makes, under this name; raises Refused with the reason."""
    me = person.number
    host = table.host == me
    match ask:
        case messages.AskStart():
            _only(host, "begin the match")
            return entries.Started(Pack.drawn(), Pack.drawn(), at=now, ask=name)
        case messages.AskLead(deal=deal, seen=seen, card=card):
            check_lead(table, me, deal, seen)
            try:
                shown = repr(Card.parse(card))
            except BadCard as error:
                raise Refused(str(error)) from None
            return entries.Led(me, shown, at=now, ask=name)
        case messages.AskHint():
            raise Refused("a hint is no entry of the log")
        case messages.AskTakeBack():
            return entries.TakenBack(me, at=now, ask=name)
        case messages.AskClaim(compartment=compartment):
            if compartment not in set(Compartment):
                raise Refused(
                    f"{compartment!r} is no compartment: they are {', '.join(Compartment)}"
                )
            return entries.Claimed(me, compartment, at=now, ask=name)
        case messages.AskSwitch(on=on):
            return entries.Switched(me, on, at=now, ask=name)
        case messages.AskReady(deal=deal):
            if person.standing is not Standing.SITTING and person.standing is not Standing.WAITING:
                raise Refused("you have no seat at this table", "no-seat")
            _same_deal(table, deal)
            return entries.Ready(me, at=now, ask=name)
        case messages.AskClose(deal=deal):
            _only(host, "go on without waiting")
            _same_deal(table, deal)
            if table.phase != "between":
                raise Refused("there is nothing to go on with now", "late")
            return next_entry(table, limits, now, name)
        case messages.AskReturn():
            return entries.Returned(me, at=now, ask=name)
        case messages.AskLeave():
            return entries.Left(me, at=now, ask=name)
        case messages.AskRemove(person=number):
            _only(host, "remove someone")
            if number == me:
                raise Refused("to go yourself, leave", "leave")
            return entries.Left(_known(table, number), me, at=now, ask=name)
        case messages.AskHand(person=number):
            _only(host, "hand over the table")
            return entries.Handed(_known(table, number), at=now, ask=name)
        case messages.AskPause(on=on):
            _only(host, "stop the table")
            return entries.Paused(on, at=now, ask=name)
        case messages.AskEnd(on=on):
            _only(host, "end the match")
            return entries.Ending(on, at=now, ask=name)
        case messages.AskPlan(settings=settings):
            _only(host, "set the table")
            return entries.Planned(checked(settings, limits, bots), at=now, ask=name)
        case messages.AskRematch():
            if not person.seated:
                raise Refused("you have no seat at this table", "no-seat")
            return entries.Rematched(at=now, ask=name)
        case messages.AskSay(text=text):
            if not table.settings.chat:
                raise Refused("there is no chat at this table", "no-chat")
            clean = clean_text(text)
            if not clean:
                raise Refused("nothing of that can be shown", "unseen")
            return entries.Said(me, clean, at=now, ask=name)
        case messages.Hello() | messages.Ping():
            raise Refused("that is no ask")
        case _:
            assert_never(ask)


def _only(host: bool, what: str) -> None:
    if not host:
        raise Refused(f"only the host may {what}", "host")


def _known(table: Table, number: int) -> int:
    if number >= len(table.people):
        raise Refused(f"there is no person {number}")
    return number


def _same_deal(table: Table, deal: int) -> None:
    if deal != table.deal:
        raise Refused(f"that was deal {deal}; the table is at deal {table.deal}", "late")


def check_lead(table: Table, me: int, deal: int, seen: int) -> None:
    """Raise Refused for a lead that is stale, or is not this person's."""
    if table.paused:
        raise Refused("the host has stopped the table for a while", "paused")
    round_ = table.round
    if round_ is None or table.phase != "playing":
        raise Refused("no deal is being played", "late")
    _same_deal(table, deal)
    if seen != len(round_.events):
        raise Refused(
            f"that was chosen when {seen} things had happened, but {len(round_.events)} have: "
            "look again",
            "late",
        )
    seat = table.seat_of(me)
    if seat is None:
        raise Refused("you have no seat in this deal", "no-seat-yet")
    if round_.to_act != seat:
        raise Refused("it is not your play", "not-your-play")
