"""The steps of a match: every choice made at the table, and the search for those that led to it.

A match keeps what happened, not what was chosen. A record tells the choices, so they are found
here again, and each can be made. How they are written is in ``notation`` and ``reading``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from popejoan.board import Board, Compartment
from popejoan.cards import BadRecord, Card, CardSet, IllegalChange, PopeJoanError
from popejoan.deal import Deal
from popejoan.events import (
    Claimed,
    DealerFound,
    Divided,
    Event,
    Followed,
    Joined,
    Lapsed,
    Led,
    Left,
    MatchEvent,
    Switched,
)
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules

__all__ = [
    "Begin",
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


class Begin(NamedTuple):
    """How a match began."""

    rules: Rules
    players: int
    purses: tuple[int, ...]
    board: Board
    first_dealer: int | None
    """Who was to deal first; None when the first knave found the dealer."""
    deals: int | None
    seed: int
    number: int

    def make(self) -> Match:
        """The match at its beginning; raises what ``Match.start`` raises."""
        return Match.start(
            self.rules,
            players=self.players,
            seed=self.seed,
            number=self.number,
            deals=self.deals,
            first_dealer=self.first_dealer,
            board=self.board,
            purses=self.purses,
        )


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
    return replace(match.deal(round_.deal), round=round_, claiming=round_.claiming)


def steps_to(goal: Match) -> tuple[Begin, tuple[Step, ...]]:
    """How a match began, and steps that lead from there to exactly this match.

    Raises BadRecord for a match to which no play by the rules leads.
    """
    rounds = goal.past if goal.round is None else (*goal.past, (goal.seats, goal.round))
    begin, match = _beginning(goal, rounds)
    search = _Search(goal, rounds)
    # Where a step could have been made at several times, try the first and come back for others.
    path: list[tuple[Match, Step | None, Iterator[Step]]] = [(match, None, search.steps(match))]
    seen = set()
    while path:
        match, _, steps = path[-1]
        if search.reached(match):
            return begin, tuple(step for _, step, _ in path if step is not None)
        for step in steps:
            after = search.after(match, step)
            if after is None or (key := search.key(after)) in seen:
                continue
            seen.add(key)
            path.append((after, step, search.steps(after)))
            break
        else:
            path.pop()
    raise BadRecord("no play by the rules leads to this match, so no record can tell it")


_Rounds: TypeAlias = tuple[tuple[tuple[int, ...], Round], ...]


def _beginning(goal: Match, rounds: _Rounds) -> tuple[Begin, Match]:
    """How the match began, as far as it left a trace, and the match at that moment."""
    first: dict[int, MatchEvent] = {}
    for event in goal.events:
        if isinstance(event, Joined | Left):
            first.setdefault(event.member, event)
    purses = _brought(goal, rounds)
    began = [member for member in range(len(purses)) if not isinstance(first.get(member), Joined)]
    if rounds:
        board = rounds[0][1].opening.board
    else:  # the stakes may have been shared out without a deal
        shared = [t for event in goal.events if isinstance(event, Divided) for t in event.transfers]
        board = Board.of(
            {
                place: counters + sum(t.counters for t in shared if t.payer == place)
                for place, counters in goal.carried.items()
            }
        )
    dealer: int | None = goal.dealer
    if rounds:
        seats, round_ = rounds[0]
        dealer = seats[round_.dealer]
        if dealer not in began:  # whoever was to deal first had left, and the turn passed to here
            dealer = max(member for member in began if member not in seats)
    if any(isinstance(event, DealerFound) for event in goal.events):
        dealer = None
    rules = rounds[0][1].rules if rounds else goal.rules
    begin = Begin(
        rules,
        len(began),
        tuple(purses[member] for member in began),
        board,
        dealer,
        goal.deals,
        goal.seed,
        goal.number,
    )
    try:
        return begin, begin.make()
    except PopeJoanError:
        # The rules of the first deal came later, when others sat.
        begin = begin._replace(rules=Rules.HOYLE)
        return begin, begin.make()


def _brought(goal: Match, rounds: _Rounds) -> list[int]:
    """What each member had in the purse before any deal."""
    purses = list(goal.members)
    sitting = list(goal.sitting)
    for event in reversed(goal.events):
        if isinstance(event, Joined):
            sitting.remove(event.member)
        elif isinstance(event, Left):
            sitting = sorted([*sitting, event.member])
        elif isinstance(event, Divided):
            for transfer in event.transfers:
                purses[sitting[int(transfer.payee)]] -= transfer.counters
    for seats, round_ in reversed(rounds):
        for member, purse in zip(seats, round_.opening.purses):
            purses[member] = purse
    return purses


class _Search:
    """What could have been done at each moment of the way to a match."""

    def __init__(self, goal: Match, rounds: _Rounds) -> None:
        self.goal = goal
        self.rounds = rounds
        self.brought = _brought(goal, rounds)
        self.ready = tuple(_ready(round_) for _, round_ in rounds)

    def key(self, match: Match) -> tuple[object, ...]:
        happened = len(match.round.events) if match.round else -1
        return (
            match.dealt,
            len(match.events),
            happened,
            match.since_change,
            match.rules,
            match.claiming,
            match.ended,
        )

    def reached(self, match: Match) -> bool:
        return self.key(match) == self.key(self.goal) and match == self.goal

    def steps(self, match: Match) -> Iterator[Step]:
        """What may come next, the likeliest first."""
        if match.round is not None:
            events = self.rounds[match.dealt - 1][1].events
            happened = len(match.round.events)
            if happened < len(events):
                yield from _step_of(events[happened], match.seats)
        rules, claiming = self.goal.rules, dict(enumerate(self.goal.claiming))
        more = match.dealt < len(self.rounds)
        if more:
            seats, round_ = self.rounds[match.dealt]
            rules, claiming = round_.rules, dict(zip(seats, self.ready[match.dealt]))
        if match.between:
            yield from self._change(match)
            if match.rules != rules:
                yield NewRules(rules)
        for member, on in claiming.items():
            known = member < len(match.claiming) and match.seat_of(member) is None
            if known and match.claiming[member] != on:
                yield Switch(member, on)
        if more and match.between:
            yield Give(self.rounds[match.dealt][1].deal)
        elif self.goal.ended and not match.ended:
            yield End()
        # Rules that held for a while between deals leave no trace; those of HOYLE allow most.
        if match.between and match.rules != Rules.HOYLE:
            yield NewRules(Rules.HOYLE)

    def _change(self, match: Match) -> Iterator[Step]:
        """Who joins or leaves next, or the final deal."""
        for event in self.goal.events[len(match.events) :]:
            if isinstance(event, Joined):
                new = event.member == len(match.members)
                yield Join(event.member, self.brought[event.member] if new else None)
            elif isinstance(event, Left):
                yield Leave(event.member)
            elif isinstance(event, Divided):
                yield Divide(event.hands)
            if not isinstance(event, Lapsed):  # a lapse comes with the next dressing
                return

    def after(self, match: Match, step: Step) -> Match | None:
        """The match after a step; None when it cannot be made, or leads elsewhere."""
        try:
            after = step.make(match)
        except ValueError:
            return None
        known = len(match.events)
        if after.events[known:] != self.goal.events[known : len(after.events)]:
            return None
        if after.round is None:
            return after
        seats, round_ = self.rounds[after.dealt - 1]
        if isinstance(step, Give):
            found = after.round
            if (after.seats, found.dealer, found.opening) != (
                seats,
                round_.dealer,
                round_.opening,
            ) or found.claiming != self.ready[after.dealt - 1]:
                return None
        happened = after.round.events
        return after if happened == round_.events[: len(happened)] else None


def _ready(round_: Round) -> tuple[bool, ...]:
    """The switches 'claim for me' as they stood when the round began."""
    ready = list(round_.claiming)
    for event in reversed(round_.events):
        if isinstance(event, Switched):
            ready[event.seat] = not event.on
    return tuple(ready)


def _step_of(event: Event, seats: tuple[int, ...]) -> Iterator[Step]:
    """The choice that an event shows; none for what follows of itself."""
    if isinstance(event, Led | Followed):
        yield Play(event.card, isinstance(event, Led))
    elif isinstance(event, Claimed):
        yield Claim(seats[event.seat], event.compartment)
    elif isinstance(event, Switched):
        yield Switch(seats[event.seat], event.on)
