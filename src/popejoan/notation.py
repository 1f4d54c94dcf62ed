"""The record: a match, or one round of it, as a text that a person can read and write.

The format is described in ``docs/record.md``. A record holds the truth, every hand of it: it is
for keeping, replaying and tests, and is never sent to a player while a deal goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from popejoan.cards import BadRecord, CardSet
from popejoan.lines import LONGEST, MOST_CHANGES, TITLE, VERSION, board_text, fault_of_name
from popejoan.match import Match
from popejoan.reading import Damage, read
from popejoan.round import Round
from popejoan.steps import (
    Claim,
    Divide,
    End,
    Give,
    Join,
    Leave,
    NewRules,
    Play,
    Step,
    Switch,
    of_round,
    steps_to,
)

__all__ = ["Record"]


@final
@dataclass(frozen=True, slots=True)
class Record:
    """A match at one moment with the names of its members; immutable, equal when both are.

    >>> from popejoan.deal import Deal
    >>> from popejoan.rules import Rules
    >>> record = Record.of(Round.replay(Rules.HOYLE, Deal.shuffle(1), "9D"))
    >>> record.text.splitlines()[-1]
    'lead 1: 9D TD JD QD KD'
    >>> Record.read(record.text) == record
    True
    """

    match: Match
    """The match, at the moment when it was recorded."""
    names: tuple[str, ...] = ()
    """The members' names, in the order of their numbers; empty for one who has none."""

    def __post_init__(self) -> None:
        """Raise BadRecord for a name that cannot stand in a record, or is nobody's."""
        names = self.names
        while names and not names[-1]:
            names = names[:-1]
        if len(names) > len(self.match.members):
            raise BadRecord(f"{len(names)} names are given to {len(self.match.members)} members")
        for name in names:
            if fault := fault_of_name(name):
                raise BadRecord(fault)
        object.__setattr__(self, "names", names)

    @classmethod
    def of(cls, source: Match | Round, names: Iterable[str] = ()) -> Record:
        """The record of a match, or of a round as the one deal of a match without end.

        Raises BadRecord for a name that is not a line of text.
        """
        match = of_round(source) if isinstance(source, Round) else source
        return cls(match, tuple(names))

    @classmethod
    def read(cls, text: str | bytes) -> Record:
        """The record that a text tells; bytes are UTF-8.

        Raises BadRecord, with the line, the reason in words, and ``playable``: the record of all
        that stands before the fault, or None when the fault lies before the first deal.
        """
        if isinstance(text, bytes):
            return cls._decoded(text)
        try:
            match, names = read(text)
        except Damage as damage:
            before = damage.match
            playable = None if before is None else cls(before, _in_order(damage.names))
            raise BadRecord(damage.reason, damage.line, playable) from None
        return cls(match, _in_order(names))

    @classmethod
    def _decoded(cls, text: bytes) -> Record:
        try:
            return cls.read(text.decode())
        except UnicodeDecodeError as fault:
            lines = text[: fault.start].decode().splitlines(keepends=True)
            reason = f"byte {text[fault.start]:#04x} is not UTF-8: save the record as UTF-8"
            playable = None
            whole = [line for line in lines if line.endswith(("\n", "\r"))]
            try:
                playable = cls.read("".join(whole))
            except BadRecord as earlier:
                playable = earlier.playable
            raise BadRecord(reason, len(whole) + 1, playable) from None

    def called(self, member: int) -> str:
        """The name of a member, or ``Player 2`` for one who has none."""
        return (self.names[member] if member < len(self.names) else "") or f"Player {member}"

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds, in the order of play; the last may be going on."""
        return tuple(round_ for _, round_ in self.match.history)

    @property
    def text(self) -> str:
        """The record as text; ``read`` takes it back.

        Raises BadRecord for a match to which no play by the rules leads, and for one of so many
        deals, or of so many changes at the table, that no record holds it.
        """
        begun, steps = steps_to(self.match)
        changes = sum(not isinstance(step, Play | Give | Divide) for step in steps)
        if changes > MOST_CHANGES:
            raise BadRecord(f"a record tells up to {MOST_CHANGES} changes, not {changes}")
        lines = [f"{TITLE} {VERSION}", "", *_head(begun, self.names)]
        writer = _Writer(begun, lines)
        for step in steps:
            writer.take(step)
        writer.finish()
        text = "\n".join(writer.lines) + "\n"
        if len(text) > LONGEST:
            raise BadRecord(f"a record has up to {LONGEST} characters, not {len(text)}")
        return text

    def __str__(self) -> str:
        """The text."""
        return self.text


def _in_order(names: dict[int, str]) -> tuple[str, ...]:
    return tuple(names.get(member, "") for member in range(max(names, default=-1) + 1))


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _head(begun: Match, names: tuple[str, ...]) -> Iterator[str]:
    first = begun.opening.first_dealer
    yield f"rules: {begun.rules.text}"
    yield f"players: {begun.players}"
    for member, name in enumerate(names):
        if name:
            yield f"name {member}: {name}"
    if begun.deals is not None:
        yield f"deals: {begun.deals}"
    if begun.seed:
        yield f"seed: {begun.seed}"
    if begun.number:
        yield f"match: {begun.number}"
    yield f"first dealer: {'knave' if first is None else first}"
    yield f"purses: {_numbers(begun.purses)}"
    yield f"board: {board_text(begun.board)}"


class _Writer:
    """The lines of the steps, written while they are made."""

    def __init__(self, match: Match, lines: list[str]) -> None:
        self.match = match
        self.lines = lines
        self.run: list[str] = []

    def take(self, step: Step) -> None:
        """Write one step, and make it."""
        if not (isinstance(step, Play) and not step.leads and self.run):
            self._end_run()
        before, self.match = self.match, step.make(self.match)
        if isinstance(step, Play):
            self._play(step, before)
        elif isinstance(step, Give):
            self._deal(before)
        elif isinstance(step, Claim):
            self.lines.append(f"claim {step.member}: {step.compartment}")
        elif isinstance(step, Switch):
            self.lines.append(f"switch {step.member}: {'on' if step.on else 'off'}")
        elif isinstance(step, Join):
            purse = "" if step.purse is None else f": {step.purse}"
            self.lines.append(f"join {step.member}{purse}")
        elif isinstance(step, Leave):
            self.lines.append(f"leave {step.member}")
        elif isinstance(step, NewRules):
            self.lines.append(f"new rules: {step.rules.text}")
        elif isinstance(step, End):
            self.lines.append("end")
        else:
            self._final_deal(step)

    def _play(self, step: Play, before: Match) -> None:
        round_ = before.round
        assert round_ is not None
        assert round_.to_act is not None
        if step.leads:
            self.run = [f"lead {before.seats[round_.to_act]}:"]
        elif not self.run:
            self.run = ["follow:"]
        self.run.append(repr(step.card))

    def _end_run(self) -> None:
        if self.run:
            going = self.match.round is not None and self.match.round.forced
            self.lines.append(" ".join(self.run) + (" ..." if going else ""))
            self.run = []

    def _deal(self, before: Match) -> None:
        match = self.match
        assert match.round is not None
        deal = match.round.deal
        self.lines += [
            "",
            f"deal {match.dealt}",
            f"seats: {_numbers(match.seats)}",
            f"dealer: {match.dealer}",
            f"purses: {_numbers(match.round.opening.purses)}",
            f"board: {board_text(before.board)}",
            *_hands(match.seats, deal.hands),
            f"turn-up: {deal.turn_up!r}",
            f"stock: {_cards(deal.stock)}",
        ]

    def _final_deal(self, step: Divide) -> None:
        self.lines += ["", "final deal", *_hands(self.match.sitting, step.hands)]

    def finish(self) -> None:
        """Write the end of the run going on, or what everyone has when no deal is being played."""
        self._end_run()
        match = self.match
        if match.dealt and match.between:
            purses = match.purses
            self.lines += [
                "",
                f"purses after: {_numbers(purses[member] for member in match.sitting)}",
                f"board after: {board_text(match.board)}",
            ]


def _hands(members: Iterable[int], hands: Iterable[CardSet]) -> Iterator[str]:
    for member, hand in zip(members, hands):
        yield f"hand {member}: {_cards(hand)}"


def _cards(cards: CardSet) -> str:
    return cards.text or "-"
