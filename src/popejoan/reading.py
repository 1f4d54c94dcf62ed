"""Reading a record, line by line, into the match that it tells; the first fault ends the reading.

What the lines mean is described in ``docs/record.md``; how they are written is in ``notation``.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NoReturn

from popejoan.board import Board, Compartment
from popejoan.cards import PACK, BadCard, BadDeal, Card, CardSet, PopeJoanError
from popejoan.deal import Deal
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.steps import Begin, Claim, Divide, End, Give, Join, Leave, NewRules, Step, Switch

__all__ = ["LONGEST", "TITLE", "VERSION", "Damage", "fault_of_name", "read"]

TITLE: Final = "Pope Joan record"
VERSION: Final = 1
LONGEST: Final = 2_000_000
"""The most characters a record may have: some thousands of deals."""


class Damage(Exception):
    """A fault in a line; with the match and the names that the lines before it tell."""

    def __init__(self, reason: str, line: int, match: Match | None, names: dict[int, str]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.match = match
        self.names = names


class _FaultError(ValueError):
    """What is wrong, and in which line when it is not the line being read."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def _fail(reason: str, line: int = 0) -> NoReturn:
    raise _FaultError(reason, line)


def fault_of_name(name: str) -> str | None:
    """Why a record cannot hold this name of a player, in words; None when it can."""
    for character in name:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            return (
                f"the name {_cut(name)} holds {character!r}, which cannot stand in a line of text"
            )
    if name != name.strip():
        return f"the name {_cut(name)} begins or ends with a space"
    if "\ufeff" in name[:1]:
        return f"the name {_cut(name)} begins with a byte order mark"
    return None


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


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
        reason = str(fault).partition("; in Round.replay(")[0]
        if len(reason) > 500:
            reason = reason[:497] + "..."
        line = fault.line if isinstance(fault, _FaultError) else 0
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


_KEY: Final = re.compile(r"([a-z -]+?)(?: +([0-9]{1,4}))?", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_HEAD: Final = ("rules", "players", "deals", "seed", "match", "first dealer", "purses", "board")
_CARDS: Final = ("hand", "turn-up", "stock")
_BODY: Final = (
    "deal", "final deal", "seats", "dealer", "lead", "follow", "claim", "switch", "join",
    "leave", "new rules", "end", "purses after", "board after",
)  # fmt: skip
_HEADING: Final = (*_CARDS, "seats", "dealer", "purses", "board")
_NUMBERED: Final = ("name", "hand", "claim", "switch", "join", "leave")
_BARE: Final = ("deal", "final deal", "leave", "end", "join")


class _Reader:
    """The match as far as the lines read tell it."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.names: dict[int, str] = {}
        self.name_lines: dict[int, int] = {}
        self.head: dict[str, str] = {}
        self.heading: _Heading | None = None
        self.titled = False
        self.word = ""

    def damage(self, reason: str, line: int) -> Damage:
        """The fault, with what stands before it; a deal whose heading is whole stands."""
        if self.word not in _HEADING:
            with suppress(ValueError):
                self._deal_cards()
        members = len(self.match.members) if self.match else 0
        names = {member: name for member, name in self.names.items() if member < members}
        return Damage(reason, line, self.match, names)

    def finish(self) -> None:
        """Take the end of the text."""
        if not self.titled:
            _fail(f"an empty text is no record: its first line is '{TITLE} {VERSION}'", 1)
        match = self._standing()
        for member, line in self.name_lines.items():
            if member >= len(match.members):
                _fail(f"nobody has the number {member}: {len(match.members)} have sat down", line)

    def take(self, line: str, number: int) -> None:
        """Take one line."""
        plain = line.strip()
        if not self.titled:
            self._title(plain)
            return
        if re.match(r"name\b", plain, re.IGNORECASE) is None:
            plain = _COMMENT.sub("", plain).strip()
        if not plain:
            return
        key, colon, rest = plain.partition(":")
        found = _KEY.fullmatch(key.strip()) if len(key) <= 40 else None
        word = " ".join(found[1].lower().split()) if found else ""
        self.word = word
        if found is None or word not in (*_HEAD, *_CARDS, *_BODY, "name"):
            self._bare_run(plain)
            return
        which, value = found[2], rest.strip() if colon else None
        if which is None and word in _NUMBERED and word != "join":
            _fail(f"'{word}' is followed by a player's number: '{word} 0: ...'")
        if which is not None and word not in (*_NUMBERED, "lead", "deal"):
            _fail(f"'{word}' takes no number before the colon: '{word}: ...'")
        if value is None and word not in _BARE:
            _fail(f"'{word}' is followed by a colon and what it is: '{word}: ...'")
        if value is not None and word in ("deal", "final deal", "leave", "end"):
            _fail(f"nothing is written after '{word}': {_cut(value)}")
        self._line(word, None if which is None else int(which), value or "", number)

    def _title(self, plain: str) -> None:
        found = re.fullmatch(rf"{TITLE}\s+(\d{{1,9}})", plain, re.IGNORECASE)
        if found is None:
            _fail(f"{_cut(plain)} does not begin a record: write '{TITLE} {VERSION}'")
        if int(found[1]) != VERSION:
            _fail(f"this record is of version {found[1]}; version {VERSION} can be read")
        self.titled = True

    def _bare_run(self, plain: str) -> None:
        """A line that begins with no word of a record: a run, or a fault."""
        words = plain.replace(",", " ").split()
        try:
            Card.parse(words[0] if words else plain)
        except BadCard:
            known = ", ".join(dict.fromkeys(("name", *_HEAD, *_BODY, *_CARDS)))
            _fail(f"{_cut(plain)} begins with no card and no word of a record: {known}")
        self._lead(None, plain)

    def _line(self, word: str, which: int | None, value: str, number: int) -> None:
        if word == "name":
            self._name(which or 0, value, number)
        elif word in _CARDS:
            self._card_line(word, which, value, number)
        elif self.match is None and (word in _HEAD or word == "dealer"):
            word = "first dealer" if word == "dealer" else word
            if word in self.head:
                _fail(f"'{word}' is given twice")
            self.head[word] = value
            self._check_head(word, value)
        elif word in ("purses after", "board after"):
            self._standing()
            self._check(word, value)
        elif word in ("purses", "board", "seats", "dealer"):
            if self.heading is None:
                _fail(f"'{word}' stands before the first deal or in the heading of a deal")
            self._check(word, value)
        elif word in _HEAD:
            more = "; later write 'new rules: ...'" if word == "rules" else ""
            _fail(f"'{word}' stands before the first deal{more}")
        elif word == "deal":
            match = self._standing()
            if which not in (None, match.dealt + 1):
                _fail(f"deal {match.dealt + 1} comes next, not deal {which}")
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
            _fail("the deal before is not played out")
        if match.over:
            _fail("no more can be dealt: the match is over")
        if len(match.sitting) < FEWEST_PLAYERS:
            _fail(f"{len(match.sitting)} cannot play: {FEWEST_PLAYERS} or more must")

    def _step(self, word: str, which: int | None, value: str) -> Step:
        """The step that a line of one word tells."""
        match = self._standing()
        if word == "end":
            return End()
        if word == "new rules":
            return NewRules(Rules.parse(value))
        if word == "join":
            purse = _number(value, "a purse") if value else None
            member = len(match.members) if which is None else which
            return Join(member, purse)
        assert which is not None
        if which >= len(match.members):
            _fail(f"there is no player {which}: they are 0 to {len(match.members) - 1}")
        if word == "leave":
            return Leave(which)
        if word == "switch":
            if value.lower() not in ("on", "off"):
                _fail(f"a switch is on or off, not {_cut(value)}")
            return Switch(which, value.lower() == "on")
        return Claim(which, _compartment(value))

    def _make(self, step: Step) -> None:
        self.match = step.make(self._standing())

    # The head

    def _check_head(self, word: str, value: str) -> None:
        """Fail at once when the line cannot be right, so that its number can be told."""
        if word == "rules":
            Rules.parse(value)
        elif word == "board":
            _board(value)
        elif word == "purses":
            for purse in value.replace(",", " ").split():
                _number(purse, "a purse")
        elif word == "players":
            players = _number(value, "the number of players")
            if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
                _fail(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {_cut(value)}")
        elif not (
            (word == "first dealer" and value.lower() == "knave")
            or (word == "deals" and value.lower() == "open")
        ):
            number = _number(value, f"'{word}'")
            if word == "deals" and number < 1:
                _fail(f"'deals' is 1 or more, or 'open', not {_cut(value)}")

    def _standing(self) -> Match:
        """The match up to here: begun by its head, with the deal of the last heading made."""
        if self.match is None:
            head = self.head
            if "players" not in head:
                _fail("the head does not say how many play: 'players: 4'")
            rules = Rules.parse(head.get("rules", "HOYLE"))
            players = int(head["players"])
            purses = head.get("purses", f"{rules.purse} " * players).replace(",", " ").split()
            dealer = head.get("first dealer", "0").lower()
            deals = head.get("deals", "open").lower()
            if len(purses) != players:
                _fail(f"{len(purses)} purses are given for {players} players")
            if dealer != "knave" and not 0 <= int(dealer) < players:
                _fail(f"the first dealer is 0 to {players - 1}, or 'knave', not {_cut(dealer)}")
            begin = Begin(
                rules,
                players,
                tuple(map(int, purses)),
                _board(head.get("board", "bare")),
                None if dealer == "knave" else int(dealer),
                None if deals == "open" else int(deals),
                int(head.get("seed", "0")),
                int(head.get("match", "0")),
            )
            self.match = begin.make()
        self._deal_cards()
        return self.match

    def _deal_cards(self) -> None:
        """Make the deal of the last heading, if one is open."""
        heading, self.heading = self.heading, None
        if heading is not None and self.match is not None:
            self.match = self._dealt(self.match, heading)

    def _name(self, member: int, value: str, number: int) -> None:
        if member in self.names:
            _fail(f"player {member} has a name already: {_cut(self.names[member])}")
        if fault := fault_of_name(value):
            _fail(fault)
        self.names[member] = value
        self.name_lines[member] = number

    # The cards of a deal

    def _card_line(self, word: str, which: int | None, value: str, number: int) -> None:
        heading = self.heading
        if heading is None:
            _fail(f"'{word}' stands after a line 'deal'")
        where = word if which is None else f"hand {which}"
        cards = [] if value == "-" else _cards(value)
        for card in cards:
            if card in heading.places:
                _fail(f"{card!r} stands here and in {heading.places[card]}")
            heading.places[card] = f"{where} (line {number})"
        if word == "hand":
            assert self.match is not None
            sitting = self.match.sitting
            if which not in sitting:
                _fail(f"player {which} does not sit: {', '.join(map(str, sitting))} do")
            if which in heading.hands:
                _fail(f"hand {which} is given twice")
            heading.hands[which] = CardSet.of(cards)
        elif heading.final:
            _fail(f"a final deal has no {word}: all the cards are in the hands")
        elif word == "stock":
            if heading.stock is not None:
                _fail("the stock is given twice")
            heading.stock = CardSet.of(cards)
        else:
            if heading.turn_up is not None:
                _fail("the turn-up is given twice")
            if len(cards) != 1:
                _fail(f"one card is turned up, not {len(cards)}")
            heading.turn_up = cards[0]

    @staticmethod
    def _dealt(match: Match, heading: _Heading) -> Match:
        """The match with the deal of a heading made."""
        missing = [member for member in match.sitting if member not in heading.hands]
        if missing:
            _fail(f"hand {missing[0]} is missing from this deal", heading.line)
        hands = tuple(heading.hands[member] for member in match.sitting)
        if heading.final:
            try:
                return Divide(hands).make(match)
            except PopeJoanError as fault:
                _fail(str(fault), heading.line)
        if heading.turn_up is None:
            _fail("the turn-up is missing from this deal", heading.line)
        stock = heading.stock
        if stock is None:
            stock = PACK - CardSet.of(heading.places)
        elif left := PACK - CardSet.of(heading.places):
            _fail(f"{left.text} missing: each of the 51 cards must be in one place", heading.line)
        try:
            return Give(Deal(hands, heading.turn_up, stock)).make(match)
        except ValueError as fault:
            says = fault.faults[0][1] if isinstance(fault, BadDeal) else str(fault)
            _fail(says, heading.line)

    # What is checked

    def _check(self, word: str, value: str) -> None:
        """Compare what a line says with what stands now."""
        match = self.match
        assert match is not None
        if word.startswith("board"):
            if _board(value) != match.board:
                _fail(f"the board holds {board_text(match.board)} here, not {_cut(value)}")
            return
        given = [_number(each, f"'{word}'") for each in value.replace(",", " ").split()]
        if word.startswith("purses"):
            stands = [match.purses[member] for member in match.sitting]
            says = "the purses of those who sit are"
        elif word == "seats":
            stands, says = list(match.sitting), "those who sit are"
        else:
            stands, says = [match.next_dealer], "the dealer is"
        if given != stands:
            _fail(f"{says} {' '.join(map(str, stands))} here, not {_cut(value)}")

    # The play

    def _playing(self) -> tuple[Match, Round]:
        match = self._standing()
        if match.round is None:
            _fail("a card is played before anything is dealt: write a line 'deal' first")
        return match, match.round

    def _lead(self, member: int | None, value: str) -> None:
        match, round_ = self._playing()
        cards, goes_on = _run(value)
        if not cards:
            _fail("a lead names its card: 'lead: 3C'")
        if round_.to_act is None:
            _fail(f"{cards[0]!r} cannot be led: the deal is over")
        if round_.forced:
            follows = round_.legal.text
            _fail(f"the run goes on with {follows}: write 'follow: {follows}', and no lead")
        leader = match.seats[round_.to_act]
        if member not in (None, leader):
            _fail(f"player {leader} is to lead, not player {member}")
        self._card(cards[0])
        self._run_on(cards[1:], goes_on=goes_on)

    def _follow(self, value: str) -> None:
        _, round_ = self._playing()
        if not round_.forced:
            _fail("no run goes on here: write 'lead: ...'")
        cards, goes_on = _run(value)
        self._run_on(cards, goes_on=goes_on)

    def _run_on(self, cards: list[Card], *, goes_on: bool) -> None:
        for card in cards:
            round_ = self._playing()[1]
            if round_.over:
                _fail(f"{card!r} cannot follow: the deal is over")
            if not round_.forced:
                _fail(f"{card!r} cannot follow: the run has stopped; a lead begins a new line")
            self._card(card)
        match, round_ = self._playing()
        if not goes_on:
            self.match = match.run_on()
        elif not round_.forced:
            _fail("the run has stopped, so the line cannot end with '...'")

    def _card(self, card: Card) -> None:
        match, round_ = self._playing()
        assert round_.to_act is not None
        if not round_.forced and card not in round_.hand(round_.to_act):
            _fail(f"{card!r} is not in the hand of player {match.seats[round_.to_act]}")
        if why := round_.refusal(card):
            _fail(why)
        self.match = match.play(card)


def _number(text: str, what: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,4000}", text) is None:
        _fail(f"{what} is a whole number, not {_cut(text)}")
    return int(text)


def _cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.replace(",", " ").split()]


def _run(text: str) -> tuple[list[Card], bool]:
    """The cards of a line, and whether it says that the run goes on."""
    plain = text.removesuffix("…").removesuffix("...")
    return _cards(plain), plain != text


def _compartment(text: str) -> Compartment:
    try:
        return Compartment(text.lower())
    except ValueError:
        _fail(f"{_cut(text)} is no compartment: they are {', '.join(Compartment)}")


def board_text(board: Board) -> str:
    """A board in one line: ``pope 6, game 1``, or ``bare``."""
    laid = [f"{place} {counters}" for place, counters in board.items() if counters]
    return ", ".join(laid) or "bare"


def _board(text: str) -> Board:
    if text.lower() == "bare":
        return Board()
    laid: dict[str, int] = {}
    for stake in text.split(","):
        words = stake.replace(":", " ").replace("=", " ").split()
        if len(words) != 2:
            _fail(f"{_cut(stake.strip())} is no stake: write 'board: pope 6, game 1', or 'bare'")
        place = _compartment(words[0])
        if place in laid:
            _fail(f"{place} is given twice")
        laid[place] = _number(words[1], f"the stake of {place}")
        if laid[place] < 0:
            _fail(f"{place} holds {laid[place]}: a stake is a whole number from 0 up")
    return Board.of(laid)
