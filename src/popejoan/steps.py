"""The steps of a match: every choice made at the table.

A match keeps what happened, of which most follows of itself. A record tells the choices alone, so
they are picked out here, and each can be made again. How they are written is in ``notation`` and
``reading``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeAlias

from popejoan.board import Compartment
from popejoan.cards import BadRecord, Card, CardSet, IllegalChange
from popejoan.deal import Deal
from popejoan.events import (
    Claimed,
    ClaimsSwitched,
    Divided,
    Ended,
    Event,
    Followed,
    Joined,
    Led,
    Left,
    MatchEvent,
    RulesChanged,
    Switched,
)
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules

__all__ = [
    "Claim",
    "Divide",
    "End",
    "Give",
    "Join",
    "Leave",
    "NewRules",
    "Play",
    "Step",
    "Switch",
    "of_round",
    "steps_to",
]


class Join(NamedTuple):
    """A member sits down; with a purse when new to the match."""

    member: int
    purse: int | None

    def make(self, match: Match) -> Match:
        """The match with the member sitting."""
        if self.member > len(match.members):
            raise IllegalChange(f"the next player to join is {len(match.members)}")
        if self.member < len(match.members):
            if self.purse not in (None, match.purses[self.member]):
                has = match.purses[self.member]
                raise IllegalChange(f"player {self.member} comes back to a purse of {has}")
            return match.join(self.member)
        return match.join(purse=self.purse)


class Leave(NamedTuple):
    """A member goes."""

    member: int

    def make(self, match: Match) -> Match:
        """The match without the member."""
        return match.leave(self.member)


class NewRules(NamedTuple):
    """The table changes the rules between deals."""

    rules: Rules

    def make(self, match: Match) -> Match:
        """The match under the new rules."""
        return match.change_rules(self.rules)


class Give(NamedTuple):
    """The cards are dealt."""

    deal: Deal

    def make(self, match: Match) -> Match:
        """The match with the board dressed and the trump turned."""
        return match.deal(self.deal)


class Play(NamedTuple):
    """A card is led, or follows."""

    card: Card
    leads: bool

    def make(self, match: Match) -> Match:
        """The match after that card alone."""
        return match.play(self.card)


class Claim(NamedTuple):
    """A member claims a stake by call."""

    member: int
    compartment: Compartment

    def make(self, match: Match) -> Match:
        """The match after the claim."""
        seat = match.seat_of(self.member)
        if seat is None:
            raise IllegalChange(f"player {self.member} has no seat in this deal")
        return match.claim(seat, self.compartment)


class Switch(NamedTuple):
    """A member turns the switch 'claim for me'."""

    member: int
    on: bool

    def make(self, match: Match) -> Match:
        """The match with the switch set."""
        return match.claim_for(self.member, on=self.on)


class End(NamedTuple):
    """The table agrees to stop."""

    def make(self, match: Match) -> Match:
        """The match ended."""
        return match.end()


class Divide(NamedTuple):
    """The stakes left are shared out by a final deal."""

    hands: tuple[CardSet, ...]

    def make(self, match: Match) -> Match:
        """The match with the stakes shared out."""
        return match.divide(self.hands)


Step: TypeAlias = Join | Leave | NewRules | Give | Play | Claim | Switch | End | Divide
"""What can be done in a match; each has ``make``, which raises what the match raises."""


def of_round(round_: Round) -> Match:
    """The match in which this round is the one deal, open-ended; members are its seats."""
    match = Match.start(
        round_.rules,
        players=round_.players,
        first_dealer=round_.dealer,
        board=round_.opening.board,
        purses=round_.opening.purses,
    )
    for seat, on in enumerate(round_.claiming_at_first):
        match = match.claim_for(seat, on=on)
    return replace(match.deal(round_.deal), round=round_, claiming=round_.claiming)


def steps_to(goal: Match) -> tuple[Match, tuple[Step, ...]]:
    """A match at its beginning, and the steps that led from there to exactly where it stands.

    Raises BadRecord for a match to which no play by the rules leads.
    """
    steps: list[Step] = []
    try:
        match = begun = _begun(goal)
        for moment, event in [*zip(goal.moments, goal.events, strict=True), (goal.moment, None)]:
            while match.moment < moment:
                before = match.moment
                steps.append(_next_choice(match, goal))
                match = steps[-1].make(match)
                if match.moment == before:
                    raise ValueError(f"{steps[-1]} changes nothing")
            if event is not None and (change := _change(event, match)) is not None:
                steps.append(change)
                match = change.make(match)
    except (ValueError, LookupError) as error:
        raise BadRecord(f"no play by the rules leads to this match: {error}") from error
    if match != goal:
        raise BadRecord("no play by the rules leads to this match, so no record can tell it")
    return begun, tuple(steps)


def _begun(goal: Match) -> Match:
    rules, purses, board, first_dealer = goal.opening
    return Match.start(
        rules,
        players=len(purses),
        seed=goal.seed,
        number=goal.number,
        deals=goal.deals,
        first_dealer=first_dealer,
        board=board,
        purses=purses,
    )


def _next_choice(match: Match, goal: Match) -> Step:
    """The next choice within the rounds on the way from ``match`` to ``goal``."""
    deals = goal.history
    if match.round is not None:
        seats, round_ = deals[match.dealt - 1]
        happened = len(match.round.events)
        if happened < len(round_.events):
            return _choice(round_.events[happened], seats)
    if match.dealt == len(deals):
        raise ValueError(f"deal {match.dealt + 1} is missing")
    return Give(deals[match.dealt][1].deal)


def _choice(event: Event, seats: tuple[int, ...]) -> Step:
    """The choice that an event of a round shows."""
    if isinstance(event, Led | Followed):
        return Play(event.card, isinstance(event, Led))
    if isinstance(event, Claimed):
        return Claim(seats[event.seat], event.compartment)
    if isinstance(event, Switched):
        return Switch(seats[event.seat], event.on)
    raise ValueError(f"{event} came of no choice")


def _change(event: MatchEvent, match: Match) -> Step | None:
    """The choice that an event beside the rounds shows; None for what comes of itself."""
    if isinstance(event, Joined):
        return Join(event.member, event.purse if event.member == len(match.members) else None)
    if isinstance(event, Left):
        return Leave(event.member)
    if isinstance(event, RulesChanged):
        return NewRules(event.rules)
    if isinstance(event, ClaimsSwitched):
        return Switch(event.member, event.on)
    if isinstance(event, Ended):
        return End()
    return Divide(event.hands) if isinstance(event, Divided) else None
