"""The table: what the entries of its log come to. Immutable; no clock, no chance, no input.

The rules are asked of the game. Who may ask for what is said in ``asks``; what of this a client
is shown is said in ``telling``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, final

import msgspec

from popejoan.board import Compartment
from popejoan.cards import Card, Seat
from popejoan.deal import fault_with
from popejoan.events import Divided, Followed, Led, MatchEvent, Stop, Stopped
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, Ending, Rules
from popejoan.web import entries
from popejoan.web.deals import Pack, deal_from, final_hands, first_dealer
from popejoan.web.people import Person, Refused, Standing, reseated, with_bots, with_players

__all__ = ["Line", "Opening", "Result", "Table"]

_ASKS: Final = 128
_LINES: Final = 100


class Result(NamedTuple):
    """Where a deal left the purses."""

    deal: int
    dealer: int
    """The person who dealt."""
    winner: int
    """The person who took Game."""
    purses: tuple[int, ...]
    """The purse of each member."""


class Opening(NamedTuple):
    """What was sealed before a deal, opened after it."""

    number: int
    """The number of the deal; 0 for the last division."""
    pack: Pack
    """The cards in their order, and the nonce."""
    rules: str
    """The rules of the deal, on one line."""
    deal: str
    """The deal, as text; empty for the last division."""
    dealer: int
    """The dealer's seat."""


class Line(NamedTuple):
    """A line of chat."""

    person: int
    text: str
    at: float


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment."""

    settings: entries.Settings
    """How it is set."""
    people: tuple[Person, ...] = ()
    """Everyone who ever came, in order."""
    host: int = 0
    """Who has the host's tools."""
    match: Match | None = None
    """The match; None before it begins. Its past deals are left out."""
    pack: Pack | None = None
    """The pack that is sealed for the next deal: secret."""
    dealt: Pack | None = None
    """The pack of the deal that is played, or was played last: secret until it is over."""
    planned: entries.Settings | None = None
    """What the host chose for the next deal."""
    ready: frozenset[int] = frozenset()
    """Who is ready for the next deal."""
    ending: bool = False
    """Whether the match ends with this deal."""
    closed: bool = False
    """Whether the match has ended and been settled."""
    paused: bool = False
    """Whether the host has stopped the table for a while."""
    back: Match | None = None
    """The match before the last lead, while that may still be taken back."""
    brought: tuple[int, ...] = ()
    """What each member came with."""
    results: tuple[Result, ...] = ()
    """Every deal that was played."""
    openings: tuple[Opening, ...] = ()
    """The packs of every deal that is over."""
    knave: tuple[Card, ...] = ()
    """The cards turned to find the first dealer."""
    divided: Divided | None = None
    """The last division."""
    lines: tuple[Line, ...] = ()
    """The last lines of chat."""
    asks: tuple[str, ...] = ()
    """The clients' own names for what was done last."""
    opened: float = 0.0
    """When the table was set."""
    touched: float = 0.0
    """When something was last accepted."""
    laid: entries.Laid | None = None
    """How the deal was laid out, where it was not dealt from a sealed pack."""
    whole: bool = False
    """Whether the match keeps its past deals, for a record."""

    # What stands

    @property
    def rules(self) -> Rules:
        """The rules of the deal being played, or of the next."""
        return self.match.rules if self.match else Rules.parse(self.settings.rules)

    @property
    def round(self) -> Round | None:
        """The deal being played, or the last one."""
        return self.match.round if self.match else None

    @property
    def phase(self) -> str:
        """One of ``lobby``, ``playing``, ``between`` and ``over``."""
        if self.match is None:
            return "lobby"
        if self.closed:
            return "over"
        return "between" if self.match.between else "playing"

    @property
    def deal(self) -> int:
        """The number of the deal being played, or of the last one; 0 before the first."""
        return self.match.dealt if self.match else 0

    def person_of(self, member: int) -> Person:
        """Who has this number in the match."""
        return next(person for person in self.people if person.member == member)

    def seat_of(self, person: int | None) -> Seat | None:
        """The seat of a person in the deal being played; None for one who has none."""
        member = None if person is None else self.people[person].member
        return None if member is None or self.match is None else self.match.seat_of(member)

    @property
    def seats(self) -> tuple[Person, ...]:
        """Who is in each seat of the deal being played."""
        return tuple(self.person_of(member) for member in (self.match.seats if self.match else ()))

    @property
    def to_act(self) -> Person | None:
        """Whose lead it is; None when nobody's."""
        if self.round is None or self.round.to_act is None or self.closed:
            return None
        return self.seats[self.round.to_act]

    @property
    def humans(self) -> tuple[Person, ...]:
        """The people who sit or wait for a seat."""
        return tuple(person for person in self.people if person.human and person.seated)

    def won(self, person: int) -> int:
        """What someone who has a place in the match has won so far."""
        member = self.people[person].member
        assert self.match is not None
        assert member is not None
        return self.match.purses[member] - self.brought[member]

    # What happens

    @classmethod
    def of(cls, log: Iterable[entries.Entry], *, whole: bool = False) -> Table:
        """The table that a log comes to; with ``whole`` the match keeps its past deals."""
        table: Table | None = None
        for entry in log:
            if table is None:
                assert isinstance(entry, entries.Opened)
                table = cls(entry.settings, opened=entry.at, touched=entry.at, whole=whole)
            else:
                table = table.after(entry)
        if table is None:
            raise ValueError("a log without entries is no table")
        return table

    def after(self, entry: entries.Entry) -> Table:
        """The table after this; raises Refused, or what the game raises, when it cannot be."""
        happen: Callable[[Any], Table] = getattr(self, f"_{type(entry).__name__.lower()}")
        changed: Table = happen(entry)
        asks = (*self.asks, entry.ask)[-_ASKS:] if entry.ask else self.asks
        return replace(changed, asks=asks, touched=entry.at)

    def _opened(self, _entry: entries.Opened) -> Table:
        raise Refused("the table is set already")

    def _came(self, entry: entries.Came) -> Table:
        standing = Standing.WATCHING if entry.watching else Standing.WAITING
        person = Person(len(self.people), entry.name, standing, entry.token)
        host = self.host
        if not any(each.human and each.seated for each in self.people) and not entry.watching:
            host = person.number
        return replace(self, people=(*self.people, person), host=host)

    def _returned(self, entry: entries.Returned) -> Table:
        person = self.people[entry.person]
        if person.seated:
            raise Refused("you have a seat already", "seated")
        leaving = person.standing is Standing.LEAVING
        return self._stand(entry.person, Standing.SITTING if leaving else Standing.WAITING)

    def _left(self, entry: entries.Left) -> Table:
        person = self.people[entry.person]
        if person.standing in (Standing.GONE, Standing.LEAVING):
            raise Refused(f"{person.name} has left already", "left", name=person.name)
        sits = self.match is not None and not self.closed and person.member in self.match.sitting
        changed = self._stand(entry.person, Standing.LEAVING if sits else Standing.GONE)
        changed = replace(changed, ready=self.ready - {entry.person}, back=None)
        if changed.host == entry.person and changed.humans:
            changed = replace(changed, host=changed.humans[0].number)
        return changed

    def _stand(self, number: int, standing: Standing) -> Table:
        people = list(self.people)
        people[number] = msgspec.structs.replace(people[number], standing=standing)
        return replace(self, people=tuple(people))

    def _planned(self, entry: entries.Planned) -> Table:
        rules = Rules.parse(entry.settings.rules)
        if fault := fault_with(rules, entry.settings.seats):
            raise Refused(fault)
        if self.match is None:
            return replace(self, settings=entry.settings)
        if self.closed:
            raise Refused("the match is over: ask for a rematch first", "over")
        return replace(self, planned=entry.settings)

    def _started(self, entry: entries.Started) -> Table:
        if self.match is not None:
            raise Refused("the match has begun already", "begun")
        settings = self.settings
        people = self.people
        waiting = sum(person.standing is Standing.WAITING for person in people)
        if settings.bots and waiting < settings.seats:
            people = with_bots(people, settings.bots, settings.seats - waiting)
        sitting, placed = 0, list(people)
        for place, person in enumerate(people):
            if person.standing is Standing.WAITING and sitting < settings.seats:
                placed[place] = msgspec.structs.replace(
                    person, standing=Standing.SITTING, member=sitting
                )
                sitting += 1
        if sitting < FEWEST_PLAYERS:
            raise Refused(
                "two must sit: send someone the link, or let bots fill the seats", "alone"
            )
        dealer, turned = first_dealer(entry.knave, sitting)
        rules = Rules.parse(settings.rules)
        match = Match.start(rules, players=sitting, deals=settings.deals, first_dealer=dealer)
        return replace(
            self,
            people=tuple(placed),
            match=match,
            pack=entry.next,
            knave=turned,
            brought=match.members,
            ready=frozenset(),
        )

    def _laid(self, entry: entries.Laid) -> Table:
        if self.match is not None or len(self.people) != 1:
            raise Refused("the match has begun already", "begun")
        record = Record.read(entry.record)
        match = record.match()
        if match.round is None or match.between or not 0 <= entry.seat < match.players:
            raise Refused("nothing is to be played in this record")
        # The match ends with this deal, whoever would still have to deal.
        rules = replace(match.rules, equal_deals=False)
        match = replace(match, rules=rules, deals=match.dealt, past=(), events=())
        me = msgspec.structs.replace(
            self.people[0], standing=Standing.SITTING, member=match.sitting[entry.seat]
        )
        people = with_players(me, match.sitting, record.names, entry.bot)
        return replace(
            self,
            people=people,
            match=match,
            dealt=entry.pack,
            pack=entry.next,
            brought=match.members,
            laid=entry,
        )

    def _dealt(self, entry: entries.Dealt) -> Table:
        match = self._begun()
        if self.ending or match.over:
            raise Refused("no more is dealt: the match is over", "late")
        if not match.between:
            raise Refused("a deal is being played", "playing")
        table = self._reseated()
        assert table.match is not None
        assert table.pack is not None
        match = table.match
        dealer = match.next_dealer
        place = match.sitting.index(dealer) if dealer in match.sitting else 0
        deal = deal_from(table.pack, match.rules, match.players, place)
        return replace(
            table,
            match=self._kept(match.deal(deal)),
            dealt=table.pack,
            pack=entry.next,
            ready=frozenset(),
            back=None,
        )._with_result()

    def _reseated(self) -> Table:
        """The table between two deals: leavers gone, newcomers and bots in their seats."""
        match, settings = self._begun(), self.planned or self.settings
        if self.planned is not None:
            match = replace(match, deals=settings.deals).change_rules(Rules.parse(settings.rules))
        match, people, brought = reseated(match, self.people, self.brought, settings)
        return replace(
            self, match=match, people=people, brought=brought, settings=settings, planned=None
        )

    def _begun(self) -> Match:
        if self.match is None or self.closed:
            raise Refused("no match is being played", "late")
        return self.match

    def _led(self, entry: entries.Led) -> Table:
        before = self._begun()
        after = before.lead(Card.parse(entry.card))
        assert before.round is not None
        assert after.round is not None
        leader = before.round.to_act
        shown = after.round.over or any(
            (isinstance(event, Led | Followed) and event.seat != leader)
            or (isinstance(event, Stopped) and event.stop is Stop.STOCK)
            for event in after.round.events[len(before.round.events) :]
        )
        back = None if shown or entry.by else before
        return replace(self, match=after, back=back)._with_result()

    def _with_result(self) -> Table:
        """The table with the deal's result noted, when it has just ended."""
        round_ = self.round
        if round_ is None or not round_.over:
            return self
        assert self.match is not None
        assert round_.winner is not None
        seats = self.seats
        result = Result(
            self.match.dealt,
            seats[round_.dealer].number,
            seats[round_.winner].number,
            self.match.purses,
        )
        assert self.dealt is not None
        opening = Opening(
            result.deal, self.dealt, round_.rules.text, round_.deal.text, round_.dealer
        )
        return replace(self, results=(*self.results, result), openings=(*self.openings, opening))

    def _takenback(self, entry: entries.TakenBack) -> Table:
        if self.back is None or self.back.round is None or self.back.round.to_act is None:
            raise Refused("the last lead cannot be taken back: it has shown something", "shown")
        if self.seat_of(entry.person) != self.back.round.to_act:
            raise Refused("the last lead was not yours", "not-your-lead")
        return replace(self, match=self.back, back=None)

    def _claimed(self, entry: entries.Claimed) -> Table:
        seat = self._seat(entry.person)
        match = self._begun().claim(seat, Compartment(entry.compartment))
        return replace(self, match=match, back=None)._with_claims()

    def _switched(self, entry: entries.Switched) -> Table:
        member = self.people[entry.person].member
        if member is None:
            raise Refused("you have no seat in this match", "no-seat-yet")
        match = self._begun().claim_for(member, on=entry.on)
        return replace(self, match=match, back=None)._with_claims()

    def _with_claims(self) -> Table:
        """The table with the purses of the last result brought up to date."""
        if self.round is None or not self.round.over or not self.results:
            return self
        assert self.match is not None
        last = self.results[-1]._replace(purses=self.match.purses)
        return replace(self, results=(*self.results[:-1], last))

    def _seat(self, person: int) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refused("you have no seat in this deal", "no-seat-yet")
        return seat

    def _ready(self, entry: entries.Ready) -> Table:
        if not self._begun().between:
            raise Refused("a deal is being played", "playing")
        return replace(self, ready=self.ready | {entry.person})

    def _ending(self, entry: entries.Ending) -> Table:
        self._begun()
        return replace(self, ending=entry.on)

    def _closed(self, _entry: entries.Closed) -> Table:
        match = self._begun()
        if not match.over:
            match = match.end()
        divided: Divided | None = None
        openings = self.openings
        shared = match.rules.ending is Ending.FINAL_DEAL and self.laid is None
        if shared and match.board.total and self.pack:
            match = match.divide(final_hands(self.pack, match.players))
            last: MatchEvent = match.events[-1]
            assert isinstance(last, Divided)
            divided = last
            openings = (*openings, Opening(0, self.pack, match.rules.text, "", 0))
        return replace(
            self,
            match=self._kept(match),
            divided=divided,
            openings=openings,
            closed=True,
            back=None,
            ending=False,
        )

    def _kept(self, match: Match) -> Match:
        return match if self.whole else replace(match, past=(), events=())

    def _rematched(self, _entry: entries.Rematched) -> Table:
        if not self.closed:
            raise Refused("the match is not over", "playing")
        people = []
        for person in self.people:
            standing = person.standing
            if person.bot is not None or standing is Standing.LEAVING:
                standing = Standing.GONE
            elif standing is Standing.SITTING:
                standing = Standing.WAITING
            people.append(msgspec.structs.replace(person, standing=standing, member=None))
        return Table(
            self.planned or self.settings,
            tuple(people),
            self.host,
            lines=self.lines,
            asks=self.asks,
            opened=self.opened,
            whole=self.whole,
        )

    def _paused(self, entry: entries.Paused) -> Table:
        return replace(self, paused=entry.on)

    def _handed(self, entry: entries.Handed) -> Table:
        person = self.people[entry.person]
        if not person.human or not person.seated:
            raise Refused(
                f"{person.name} has no seat, and cannot be the host", "no-host", name=person.name
            )
        return replace(self, host=entry.person)

    def _said(self, entry: entries.Said) -> Table:
        line = Line(entry.person, entry.text, entry.at)
        return replace(self, lines=(*self.lines, line)[-_LINES:])

    def _noted(self, _entry: entries.Noted) -> Table:
        return self
