"""Reading a record, line by line, into the match that it tells; the first fault ends the reading.

What the lines mean is described in ``docs/record.md``; how they are written is in ``notation``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field

from popejoan.cards import PACK, BadDeal, Card, CardSet, PopeJoanError
from popejoan.deal import Deal
from popejoan.lines import (
    CARDS,
    HEAD,
    HEADING,
    LONGEST,
    MOST_CHANGES,
    FaultError,
    Line,
    board_of,
    board_text,
    cards_of,
    check_title,
    compartment_of,
    cut,
    fail,
    fault_of_name,
    number_of,
    run_of,
)
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.steps import Claim, Divide, End, Give, Join, Leave, NewRules, Step, Switch

__all__ = ["Damage", "read"]


class Damage(Exception):
    """A fault in a line; with the match and the names that the lines before it tell."""

    def __init__(self, reason: str, line: int, match: Match | None, names: dict[int, str]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.match = match
        self.names = names


def read(text: str) -> tuple[Match, dict[int, str]]:
    """The match that a record tells, and the names of its members; raises Damage."""
    if len(text) > LONGEST:
        raise Damage(f"a record has up to {LONGEST} characters, not {len(text)}", 0, None, {})
    reader = _Reader()
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            reader.take(line, number)
        reader.finish()
    except ValueError as fault:
        reason = str(fault)
        if len(reason) > 500:
            reason = reason[:497] + "..."
        line = fault.line if isinstance(fault, FaultError) else 0
        raise reader.damage(reason, line or number) from None
    assert reader.match is not None
    return reader.match, reader.names


@dataclass
class _Heading:
    """The lines that give the cards of one deal, as far as they are read."""

    line: int
    final: bool
    hands: dict[int, CardSet] = field(default_factory=dict)
    turn_up: Card | None = None
    stock: CardSet | None = None
    places: dict[Card, str] = field(default_factory=dict)


class _Reader:
    """The match as far as the lines read tell it."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.names: dict[int, str] = {}
        self.name_lines: dict[int, int] = {}
        self.head: dict[str, str] = {}
        self.heading: _Heading | None = None
        self.word = ""
        self.changes = 0

    def damage(self, reason: str, line: int) -> Damage:
        """The fault, with what stands before it; a deal whose heading is whole stands."""
        if self.word not in HEADING:
            with suppress(ValueError):
                self._deal_cards()
        members = len(self.match.members) if self.match else 0
        names = {member: name for member, name in self.names.items() if member < members}
        return Damage(reason, line, self.match, names)

    def finish(self) -> None:
        """Take the end of the text."""
        match = self._standing()
        for member, line in self.name_lines.items():
            if member >= len(match.members):
                fail(f"nobody has the number {member}: {len(match.members)} have sat down", line)

    def take(self, text: str, number: int) -> None:
        """Take one line."""
        self.word = ""
        if number == 1:
            check_title(text)
        elif line := Line.read(text):
            self.word = line.word
            self._line(*line, number)

    def _line(self, word: str, which: int | None, value: str, number: int) -> None:
        if word == "name":
            self._name(which or 0, value, number)
        elif word in CARDS:
            self._card_line(word, which, value, number)
        elif self.match is None and (word in HEAD or word == "dealer"):
            word = "first dealer" if word == "dealer" else word
            if word in self.head:
                fail(f"'{word}' is given twice")
            self.head[word] = value
            self._check_head(word, value)
        elif word in ("purses after", "board after"):
            self._standing()
            self._check(word, value)
        elif word in ("purses", "board", "seats", "dealer"):
            if self.heading is None:
                fail(f"'{word}' stands before the first deal or in the heading of a deal")
            self._check(word, value)
        elif word in HEAD:
            more = "; later write 'new rules: ...'" if word == "rules" else ""
            fail(f"'{word}' stands before the first deal{more}")
        elif word == "deal":
            match = self._standing()
            if which not in (None, match.dealt + 1):
                fail(f"deal {match.dealt + 1} comes next, not deal {which}")
            self._may_deal(match)
            self.heading = _Heading(number, final=False)
        elif word == "final deal":
            self._standing()
            self.heading = _Heading(number, final=True)
        elif word == "lead":
            self._lead(which, value)
        elif word == "follow":
            self._follow(value)
        else:
            self._make(self._step(word, which, value))

    @staticmethod
    def _may_deal(match: Match) -> None:
        """Refuse a deal that could not be made whatever its cards."""
        if not match.between:
            fail("the deal before is not played out")
        if match.over:
            fail("no cards can be dealt any more: the match is over")
        if len(match.sitting) < FEWEST_PLAYERS:
            fail(f"{len(match.sitting)} cannot play: {FEWEST_PLAYERS} or more must")

    def _step(self, word: str, which: int | None, value: str) -> Step:
        """The step that a line of one word tells."""
        match = self._standing()
        if word == "end":
            return End()
        if word == "new rules":
            return NewRules(Rules.parse(value))
        if word == "join":
            purse = number_of(value, "a purse") if value else None
            member = len(match.members) if which is None else which
            return Join(member, purse)
        assert which is not None
        if which >= len(match.members):
            fail(f"there is no player {which}: they are 0 to {len(match.members) - 1}")
        if word == "leave":
            return Leave(which)
        if word == "switch":
            if value.lower() not in ("on", "off"):
                fail(f"a switch is on or off, not {cut(value)}")
            return Switch(which, value.lower() == "on")
        return Claim(which, compartment_of(value))

    def _make(self, step: Step) -> None:
        self.changes += 1
        if self.changes > MOST_CHANGES:
            fail(f"a record tells up to {MOST_CHANGES} changes at the table, no more")
        self.match = step.make(self._standing())

    # The head

    def _check_head(self, word: str, value: str) -> None:
        """Fail at once when the line cannot be right, so that its number can be told."""
        if word == "rules":
            Rules.parse(value)
        elif word == "board":
            board_of(value)
        elif word == "purses":
            for purse in value.replace(",", " ").split():
                number_of(purse, "a purse")
        elif word == "players":
            players = number_of(value, "the number of players")
            if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
                fail(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {cut(value)}")
        elif not (
            (word == "first dealer" and value.lower() == "knave")
            or (word == "deals" and value.lower() == "open")
        ):
            number = number_of(value, f"'{word}'")
            if word == "deals" and number < 1:
                fail(f"'deals' is 1 or more, or 'open', not {cut(value)}")

    def _standing(self) -> Match:
        """The match up to here: begun by its head, with the deal of the last heading made."""
        if self.match is None:
            head = self.head
            if "players" not in head:
                fail("the head does not say how many play: 'players: 4'")
            rules = Rules.parse(head.get("rules", "HOYLE"))
            players = int(head["players"])
            purses = head.get("purses", f"{rules.purse} " * players).replace(",", " ").split()
            dealer = head.get("first dealer", "0").lower()
            deals = head.get("deals", "open").lower()
            if len(purses) != players:
                fail(f"{len(purses)} purses are given for {players} players")
            if dealer != "knave" and not 0 <= int(dealer) < players:
                fail(f"the first dealer is 0 to {players - 1}, or 'knave', not {cut(dealer)}")
            self.match = Match.start(
                rules,
                players=players,
                seed=int(head.get("seed", "0")),
                number=int(head.get("match", "0")),
                deals=None if deals == "open" else int(deals),
                first_dealer=None if dealer == "knave" else int(dealer),
                board=board_of(head.get("board", "bare")),
                purses=map(int, purses),
            )
        self._deal_cards()
        return self.match

    def _deal_cards(self) -> None:
        """Make the deal of the last heading, if one is open."""
        heading, self.heading = self.heading, None
        if heading is not None and self.match is not None:
            self.match = self._dealt(self.match, heading)

    def _name(self, member: int, value: str, number: int) -> None:
        if member in self.names:
            fail(f"player {member} has a name already: {cut(self.names[member])}")
        if fault := fault_of_name(value):
            fail(fault)
        self.names[member] = value
        self.name_lines[member] = number

    # The cards of a deal

    def _card_line(self, word: str, which: int | None, value: str, number: int) -> None:
        heading = self.heading
        if heading is None:
            fail(f"'{word}' stands after a line 'deal'")
        where = word if which is None else f"hand {which}"
        cards = [] if value == "-" else cards_of(value)
        for card in cards:
            if card in heading.places:
                fail(f"{card!r} stands here and in {heading.places[card]}")
            heading.places[card] = f"{where} (line {number})"
        if word == "hand":
            assert self.match is not None
            sitting = self.match.sitting
            if which not in sitting:
                fail(f"player {which} does not sit: {', '.join(map(str, sitting))} do")
            if which in heading.hands:
                fail(f"hand {which} is given twice")
            heading.hands[which] = CardSet.of(cards)
        elif heading.final:
            fail(f"a final deal has no {word}: all the cards are in the hands")
        elif word == "stock":
            if heading.stock is not None:
                fail("the stock is given twice")
            heading.stock = CardSet.of(cards)
        else:
            if heading.turn_up is not None:
                fail("the turn-up is given twice")
            if len(cards) != 1:
                fail(f"one card is turned up, not {len(cards)}")
            heading.turn_up = cards[0]

    @staticmethod
    def _dealt(match: Match, heading: _Heading) -> Match:
        """The match with the deal of a heading made."""
        missing = [member for member in match.sitting if member not in heading.hands]
        if missing:
            fail(f"hand {missing[0]} is missing from this deal", heading.line)
        hands = tuple(heading.hands[member] for member in match.sitting)
        if heading.final:
            try:
                return Divide(hands).make(match)
            except PopeJoanError as fault:
                fail(str(fault), heading.line)
        if heading.turn_up is None:
            fail("the turn-up is missing from this deal", heading.line)
        stock = heading.stock
        if stock is None:
            stock = PACK - CardSet.of(heading.places)
        elif left := PACK - CardSet.of(heading.places):
            fail(f"{left.text} missing: each of the 51 cards must be in one place", heading.line)
        try:
            return Give(Deal(hands, heading.turn_up, stock)).make(match)
        except ValueError as fault:
            says = fault.faults[0][1] if isinstance(fault, BadDeal) else str(fault)
            fail(says, heading.line)

    # What is checked

    def _check(self, word: str, value: str) -> None:
        """Compare what a line says with what stands now."""
        match = self.match
        assert match is not None
        if word.startswith("board"):
            if board_of(value) != match.board:
                fail(f"the board holds {board_text(match.board)} here, not {cut(value)}")
            return
        given = [number_of(each, f"'{word}'") for each in value.replace(",", " ").split()]
        if word.startswith("purses"):
            stands = [match.purses[member] for member in match.sitting]
            says = "the purses of those who sit are"
        elif word == "seats":
            stands, says = list(match.sitting), "those who sit are"
        else:
            stands, says = [match.next_dealer], "the dealer is"
        if given != stands:
            fail(f"{says} {' '.join(map(str, stands))} here, not {cut(value)}")

    # The play

    def _playing(self) -> tuple[Match, Round]:
        match = self._standing()
        if match.round is None:
            fail("a card is played before anything is dealt: write a line 'deal' first")
        return match, match.round

    def _lead(self, member: int | None, value: str) -> None:
        match, round_ = self._playing()
        cards, goes_on = run_of(value)
        if not cards:
            fail("a lead names its card: 'lead: 3C'")
        if round_.to_act is None:
            fail(f"{cards[0]!r} cannot be led: the deal is over")
        if round_.forced:
            follows = round_.legal.text
            fail(f"the run goes on with {follows}: write 'follow: {follows}', and no lead")
        leader = match.seats[round_.to_act]
        if member not in (None, leader):
            fail(f"player {leader} is to lead, not player {member}")
        self._card(cards[0])
        self._run_on(cards[1:], goes_on=goes_on)

    def _follow(self, value: str) -> None:
        _, round_ = self._playing()
        if not round_.forced:
            fail("no run goes on here: write 'lead: ...'")
        cards, goes_on = run_of(value)
        self._run_on(cards, goes_on=goes_on)

    def _run_on(self, cards: list[Card], *, goes_on: bool) -> None:
        for card in cards:
            round_ = self._playing()[1]
            if round_.over:
                fail(f"{card!r} cannot follow: the deal is over")
            if not round_.forced:
                fail(f"{card!r} cannot follow: the run has stopped; a lead begins a new line")
            self._card(card)
        match, round_ = self._playing()
        if not goes_on:
            self.match = match.run_on()
        elif not round_.forced:
            fail("the run has stopped, so the line cannot end with '...'")

    def _card(self, card: Card) -> None:
        match, round_ = self._playing()
        assert round_.to_act is not None
        if not round_.forced and card not in round_.hand(round_.to_act):
            fail(f"{card!r} is not in the hand of player {match.seats[round_.to_act]}")
        if why := round_.refusal(card):
            fail(why)
        self.match = match.play(card)
