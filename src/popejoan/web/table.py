"""The table: what the entries of its log come to. Immutable.

What changes it is said in ``happening``, who may ask for what in ``asks``; what of it a client is
shown in ``telling`` and ``showing``.
"""

from __future__ import annotations

from typing import NamedTuple, final

import msgspec

from popejoan.cards import Card, Seat
from popejoan.events import Divided
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.web import entries
from popejoan.web.deals import Pack
from popejoan.web.people import SEATED, Person

__all__ = ["Line", "Opening", "Result", "Table", "same_seats"]


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
class Table(msgspec.Struct, frozen=True):
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
        for person in self.people:
            if person.member == member:
                return person
        raise ValueError(f"nobody has the number {member} in the match")

    def seat_of(self, person: int | None) -> Seat | None:
        """The seat of a person in the deal being played; None for one who has none."""
        member = None if person is None else self.people[person].member
        return None if member is None or self.match is None else self.match.seat_of(member)

    @property
    def seats(self) -> tuple[Person, ...]:
        """Who is in each seat of the deal being played."""
        if self.match is None:
            return ()
        of = {person.member: person for person in self.people}
        return tuple([of[member] for member in self.match.seats])

    @property
    def to_act(self) -> Person | None:
        """Whose lead it is; None when nobody's."""
        round_ = self.round
        if round_ is None or round_.to_act is None or self.closed:
            return None
        assert self.match is not None
        return self.person_of(self.match.seats[round_.to_act])

    @property
    def humans(self) -> tuple[Person, ...]:
        """The people who sit or wait for a seat."""
        # Written out, not by `human` and `seated`: this is asked at every lead.
        return tuple([each for each in self.people if each.bot is None and each.standing in SEATED])

    def won(self, person: int) -> int:
        """What someone who has a place in the match has won so far."""
        member = self.people[person].member
        assert self.match is not None
        assert member is not None
        return self.match.purses[member] - self.brought[member]


def same_seats(before: Table, after: Table) -> bool:
    """Whether the same people sit in the same seats."""
    if before.match is None or after.match is None:
        return before.match is after.match
    return before.match.seats is after.match.seats and before.people is after.people
