"""What happens at a table: the table after each entry of its log, or the reason why it cannot be.

The rules are asked of the game. No clock, no chance, no input: all that is in the entries.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from popejoan.board import Compartment
from popejoan.cards import Card, Seat
from popejoan.deal import fault_with
from popejoan.events import Divided, Event, Followed, Led, MatchEvent, Stop, Stopped
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import FEWEST_PLAYERS, Ending, Rules
from popejoan.web import entries
from popejoan.web.deals import deal_from, final_hands, first_dealer
from popejoan.web.people import Person, Refused, Standing, reseated, with_bots, with_players
from popejoan.web.table import Line, Opening, Result, Table

__all__ = ["happened", "table_of"]

_PLAYS: Final = (Led, Followed)
_STOCK: Final = Stop.STOCK  # Python 3.11 takes long to look up a member of an enum
_LINES: Final = 100


def table_of(log: Iterable[entries.Entry], *, whole: bool = False) -> Table:
    """The table that a log comes to; with ``whole`` the match keeps its past deals."""
    table: Table | None = None
    for entry in log:
        if table is None:
            assert isinstance(entry, entries.Opened)
            table = Table(entry.settings, opened=entry.at, touched=entry.at, whole=whole)
        else:
            table = happened(table, entry)
    if table is None:
        raise ValueError("a log without entries is no table")
    return table


def happened(table: Table, entry: entries.Entry) -> Table:
    """The table after this; raises Refused, or what the game raises, when it cannot be."""
    changed = _HAPPEN[type(entry)](table, entry)
    return replace(changed, touched=entry.at)


def _opened(_table: Table, _entry: entries.Opened) -> Table:
    raise Refused("the table is set already")


def _came(table: Table, entry: entries.Came) -> Table:
    standing = Standing.WATCHING if entry.watching else Standing.WAITING
    person = Person(len(table.people), entry.name, standing, entry.token)
    host = table.host
    if not any(each.human and each.seated for each in table.people) and not entry.watching:
        host = person.number
    return replace(table, people=(*table.people, person), host=host)


def _returned(table: Table, entry: entries.Returned) -> Table:
    person = table.people[entry.person]
    if person.seated:
        raise Refused("you have a seat already", "seated")
    leaving = person.standing is Standing.LEAVING
    return _stand(table, entry.person, Standing.SITTING if leaving else Standing.WAITING)


def _left(table: Table, entry: entries.Left) -> Table:
    person = table.people[entry.person]
    if person.standing in (Standing.GONE, Standing.LEAVING):
        raise Refused(f"{person.name} has left already", "left", name=person.name)
    sits = table.match is not None and not table.closed and person.member in table.match.sitting
    changed = _stand(table, entry.person, Standing.LEAVING if sits else Standing.GONE)
    changed = replace(changed, ready=table.ready - {entry.person}, back=None)
    if changed.host == entry.person and changed.humans:
        changed = replace(changed, host=changed.humans[0].number)
    return changed


def _stand(table: Table, number: int, standing: Standing) -> Table:
    people = list(table.people)
    people[number] = replace(people[number], standing=standing)
    return replace(table, people=tuple(people))


def _planned(table: Table, entry: entries.Planned) -> Table:
    rules = Rules.parse(entry.settings.rules)
    if fault := fault_with(rules, entry.settings.seats):
        raise Refused(fault)
    if table.match is None:
        return replace(table, settings=entry.settings)
    if table.closed:
        raise Refused("the match is over: ask for a rematch first", "over")
    return replace(table, planned=entry.settings)


def _started(table: Table, entry: entries.Started) -> Table:
    if table.match is not None:
        raise Refused("the match has begun already", "begun")
    settings = table.settings
    people = table.people
    waiting = sum(person.standing is Standing.WAITING for person in people)
    if settings.bots and waiting < settings.seats:
        people = with_bots(people, settings.bots, settings.seats - waiting)
    sitting, placed = 0, list(people)
    for place, person in enumerate(people):
        if person.standing is Standing.WAITING and sitting < settings.seats:
            placed[place] = replace(person, standing=Standing.SITTING, member=sitting)
            sitting += 1
    if sitting < FEWEST_PLAYERS:
        raise Refused("two must sit: send someone the link, or let bots fill the seats", "alone")
    dealer, turned = first_dealer(entry.knave, sitting)
    rules = Rules.parse(settings.rules)
    match = Match.start(rules, players=sitting, deals=settings.deals, first_dealer=dealer)
    return replace(
        table,
        people=tuple(placed),
        match=match,
        pack=entry.next,
        knave=turned,
        brought=match.members,
        ready=frozenset(),
    )


def _laid(table: Table, entry: entries.Laid) -> Table:
    if table.match is not None or len(table.people) != 1:
        raise Refused("the match has begun already", "begun")
    record = Record.read(entry.record)
    match = record.match
    if match.round is None or match.between or not 0 <= entry.seat < match.players:
        raise Refused("nothing is to be played in this record")
    # The match ends with this deal, whoever would still have to deal.
    rules = dataclasses.replace(match.rules, equal_deals=False)
    match = dataclasses.replace(
        match, rules=rules, deals=match.dealt, past=(), events=(), moments=()
    )
    me = replace(table.people[0], standing=Standing.SITTING, member=match.sitting[entry.seat])
    people = with_players(me, match.sitting, record.names, entry.bot)
    return replace(
        table,
        people=people,
        match=match,
        dealt=entry.pack,
        pack=entry.next,
        brought=match.members,
        laid=entry,
    )


def _dealt(table: Table, entry: entries.Dealt) -> Table:
    match = _begun(table)
    if table.ending or match.over:
        raise Refused("no more is dealt: the match is over", "late")
    if not match.between:
        raise Refused("a deal is being played", "playing")
    table = _reseated(table)
    assert table.match is not None
    assert table.pack is not None
    match = table.match
    dealer = match.next_dealer
    place = match.sitting.index(dealer) if dealer in match.sitting else 0
    deal = deal_from(table.pack, match.rules, match.players, place)
    dealt = replace(
        table,
        match=_kept(table, match.deal(deal)),
        dealt=table.pack,
        pack=entry.next,
        ready=frozenset(),
        back=None,
    )
    return _with_result(dealt)


def _reseated(table: Table) -> Table:
    """The table between two deals: leavers gone, newcomers and bots in their seats."""
    match, settings = _begun(table), table.planned or table.settings
    if table.planned is not None:
        match = dataclasses.replace(match, deals=settings.deals).change_rules(
            Rules.parse(settings.rules)
        )
    match, people, brought = reseated(match, table.people, table.brought, settings)
    return replace(
        table, match=match, people=people, brought=brought, settings=settings, planned=None
    )


def _begun(table: Table) -> Match:
    if table.match is None or table.closed:
        raise Refused("no match is being played", "late")
    return table.match


def _led(table: Table, entry: entries.Led) -> Table:
    before = _begun(table)
    after = before.lead(Card.parse(entry.card))
    assert before.round is not None
    assert after.round is not None
    leader = before.round.to_act
    shown = after.round.over or _shows(leader, after.round.events[len(before.round.events) :])
    back = None if shown or entry.by else before
    return _with_result(replace(table, match=after, back=back))


def _shows(leader: Seat | None, events: Iterable[Event]) -> bool:
    """Whether others than the leader have learnt something of cards from what a lead brought."""
    for event in events:
        if isinstance(event, _PLAYS):
            if event.seat != leader:
                return True
        elif isinstance(event, Stopped) and event.stop is _STOCK:
            return True
    return False


def _with_result(table: Table) -> Table:
    """The table with the deal's result noted, when it has just ended."""
    round_ = table.round
    if round_ is None or not round_.over:
        return table
    assert table.match is not None
    assert round_.winner is not None
    seats = table.seats
    result = Result(
        table.match.dealt,
        seats[round_.dealer].number,
        seats[round_.winner].number,
        table.match.purses,
    )
    assert table.dealt is not None
    opening = Opening(result.deal, table.dealt, round_.rules.text, round_.deal.text, round_.dealer)
    return replace(table, results=(*table.results, result), openings=(*table.openings, opening))


def _takenback(table: Table, entry: entries.TakenBack) -> Table:
    if table.back is None or table.back.round is None or table.back.round.to_act is None:
        raise Refused("the last lead cannot be taken back: it has shown something", "shown")
    if table.seat_of(entry.person) != table.back.round.to_act:
        raise Refused("the last lead was not yours", "not-your-lead")
    return replace(table, match=table.back, back=None)


def _claimed(table: Table, entry: entries.Claimed) -> Table:
    seat = _seat(table, entry.person)
    match = _begun(table).claim(seat, Compartment(entry.compartment))
    return _with_claims(replace(table, match=match, back=None))


def _switched(table: Table, entry: entries.Switched) -> Table:
    member = table.people[entry.person].member
    if member is None:
        raise Refused("you have no seat in this match", "no-seat-yet")
    match = _begun(table).claim_for(member, on=entry.on)
    return _with_claims(replace(table, match=match, back=None))


def _with_claims(table: Table) -> Table:
    """The table with the purses of the last result brought up to date."""
    if table.round is None or not table.round.over or not table.results:
        return table
    assert table.match is not None
    last = table.results[-1]._replace(purses=table.match.purses)
    return replace(table, results=(*table.results[:-1], last))


def _seat(table: Table, person: int) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("you have no seat in this deal", "no-seat-yet")
    return seat


def _ready(table: Table, entry: entries.Ready) -> Table:
    if not _begun(table).between:
        raise Refused("a deal is being played", "playing")
    return replace(table, ready=table.ready | {entry.person})


def _ending(table: Table, entry: entries.Ending) -> Table:
    _begun(table)
    return replace(table, ending=entry.on)


def _closed(table: Table, _entry: entries.Closed) -> Table:
    match = _begun(table)
    if not match.over:
        match = match.end()
    divided: Divided | None = None
    openings = table.openings
    shared = match.rules.ending is Ending.FINAL_DEAL and table.laid is None
    if shared and match.board.total and table.pack:
        match = match.divide(final_hands(table.pack, match.players))
        last: MatchEvent = match.events[-1]
        assert isinstance(last, Divided)
        divided = last
        openings = (*openings, Opening(0, table.pack, match.rules.text, "", 0))
    return replace(
        table,
        match=_kept(table, match),
        divided=divided,
        openings=openings,
        closed=True,
        back=None,
        ending=False,
    )


def _kept(table: Table, match: Match) -> Match:
    return match if table.whole else _without_past(match)


def _without_past(match: Match) -> Match:
    return dataclasses.replace(match, past=(), events=(), moments=())


def _rematched(table: Table, _entry: entries.Rematched) -> Table:
    if not table.closed:
        raise Refused("the match is not over", "playing")
    people = []
    for person in table.people:
        standing = person.standing
        if person.bot is not None or standing is Standing.LEAVING:
            standing = Standing.GONE
        elif standing is Standing.SITTING:
            standing = Standing.WAITING
        people.append(replace(person, standing=standing, member=None))
    return Table(
        table.planned or table.settings,
        tuple(people),
        table.host,
        lines=table.lines,
        opened=table.opened,
        whole=table.whole,
    )


def _paused(table: Table, entry: entries.Paused) -> Table:
    return replace(table, paused=entry.on)


def _handed(table: Table, entry: entries.Handed) -> Table:
    person = table.people[entry.person]
    if not person.human or not person.seated:
        raise Refused(
            f"{person.name} has no seat, and cannot be the host", "no-host", name=person.name
        )
    return replace(table, host=entry.person)


def _said(table: Table, entry: entries.Said) -> Table:
    line = Line(entry.person, entry.text, entry.at)
    return replace(table, lines=(*table.lines, line)[-_LINES:])


def _noted(table: Table, _entry: entries.Noted) -> Table:
    return table


_HAPPEN: Final[dict[type, Callable[[Table, Any], Table]]] = {
    entries.Opened: _opened,
    entries.Came: _came,
    entries.Returned: _returned,
    entries.Left: _left,
    entries.Planned: _planned,
    entries.Started: _started,
    entries.Laid: _laid,
    entries.Dealt: _dealt,
    entries.Led: _led,
    entries.TakenBack: _takenback,
    entries.Claimed: _claimed,
    entries.Switched: _switched,
    entries.Ready: _ready,
    entries.Ending: _ending,
    entries.Closed: _closed,
    entries.Rematched: _rematched,
    entries.Paused: _paused,
    entries.Handed: _handed,
    entries.Said: _said,
    entries.Noted: _noted,
}
