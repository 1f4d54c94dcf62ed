"""The lines of a record: taken apart into a word, a number and a value, and the values read.

What the lines mean together is in ``reading``; what each is for stands in ``docs/record.md``.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple, NoReturn

from popejoan.board import Board, Compartment
from popejoan.cards import BadCard, Card

__all__ = [
    "BODY",
    "CARDS",
    "HEAD",
    "HEADING",
    "LONGEST",
    "MOST_CHANGES",
    "TITLE",
    "VERSION",
    "FaultError",
    "Line",
    "board_of",
    "board_text",
    "cards_of",
    "check_title",
    "compartment_of",
    "cut",
    "fail",
    "fault_of_name",
    "number_of",
    "run_of",
]

TITLE: Final = "Pope Joan record"
VERSION: Final = 1
LONGEST: Final = 2_000_000
"""The most characters a record may have: some thousands of deals."""
MOST_CHANGES: Final = 1_000
"""The most lines it may have that join, leave, end, claim, switch or change rules."""

HEAD: Final = ("rules", "players", "deals", "seed", "match", "first dealer", "purses", "board")
"""The words that stand before the first deal."""
CARDS: Final = ("hand", "turn-up", "stock")
"""The words of the cards of a deal."""
HEADING: Final = (*CARDS, "seats", "dealer", "purses", "board")
"""The words that stand in the heading of a deal."""
BODY: Final = (
    "deal", "final deal", "seats", "dealer", "lead", "follow", "claim", "switch", "join",
    "leave", "new rules", "end", "purses after", "board after",
)  # fmt: skip
"""The words of what happens."""
_WORDS: Final = ("name", *HEAD, *BODY, *CARDS)
_NUMBERED: Final = ("name", "hand", "claim", "switch", "leave")
_MAY_BE_NUMBERED: Final = (*_NUMBERED, "join", "lead", "deal")
_BARE: Final = ("deal", "final deal", "leave", "end")
_KEY: Final = re.compile(r"([a-z -]+?)(?: +([0-9]{1,4}))?", re.IGNORECASE)
_NAME: Final = re.compile(r"name\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")


class FaultError(ValueError):
    """What is wrong, and in which line when it is not the line being read."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def fail(reason: str, line: int = 0) -> NoReturn:
    """Raise FaultError."""
    raise FaultError(reason, line)


def cut(text: str) -> str:
    """The text in quotation marks, its end left out when it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class Line(NamedTuple):
    """One line that says something."""

    word: str
    """What it begins with; ``lead`` when it is a run alone."""
    which: int | None
    """The number before the colon."""
    value: str
    """What stands after the colon."""

    @classmethod
    def read(cls, text: str) -> Line | None:
        """The line that a text is, None for a blank one or a comment; raises FaultError."""
        plain = text.strip()
        if _NAME.match(plain) is None:
            plain = _COMMENT.sub("", plain).strip()
        if not plain:
            return None
        key, colon, rest = plain.partition(":")
        found = _KEY.fullmatch(key.strip()) if len(key) <= 40 else None
        word = " ".join(found[1].lower().split()) if found else ""
        if found is None or word not in _WORDS:
            return cls("lead", None, _bare_run(plain))
        which = found[2]
        if which is None and word in _NUMBERED:
            fail(f"'{word}' is followed by a player's number: '{word} 0: ...'")
        if which is not None and word not in _MAY_BE_NUMBERED:
            fail(f"'{word}' takes no number before the colon: '{word}: ...'")
        if not colon and word not in (*_BARE, "join"):
            fail(f"'{word}' is followed by a colon and what it is: '{word}: ...'")
        if colon and word in _BARE:
            fail(f"nothing is written after '{word}': {cut(rest.strip())}")
        return cls(word, None if which is None else int(which), rest.strip())


def _bare_run(plain: str) -> str:
    """The cards of a line that begins with no word of a record."""
    words = plain.replace(",", " ").split()
    try:
        Card.parse(words[0] if words else plain)
    except BadCard:
        known = ", ".join(dict.fromkeys(_WORDS))
        fail(f"{cut(plain)} begins with no card and no word of a record: {known}")
    return plain


def check_title(text: str) -> None:
    """Raise FaultError unless the text is the first line of a record that can be read."""
    plain = text.strip()
    found = re.fullmatch(rf"{TITLE}\s+([0-9]{{1,9}})", plain, re.IGNORECASE)
    if found is None:
        fail(f"{cut(plain)} does not begin a record: write '{TITLE} {VERSION}'")
    if int(found[1]) != VERSION:
        fail(f"this record is of version {found[1]}; version {VERSION} can be read")


def fault_of_name(name: str) -> str | None:
    """Why a record cannot hold this name of a player, in words; None when it can."""
    for character in name:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            return f"the name {cut(name)} holds {character!r}, which cannot stand in a line of text"
    if name != name.strip():
        return f"the name {cut(name)} begins or ends with a space"
    return None


def number_of(text: str, what: str) -> int:
    """A whole number."""
    if re.fullmatch(r"-?[0-9]{1,4000}", text) is None:
        fail(f"{what} is a whole number, not {cut(text)}")
    return int(text)


def cards_of(text: str) -> list[Card]:
    """Cards, parted by spaces or commas; raises BadCard."""
    return [Card.parse(word) for word in text.replace(",", " ").split()]


def run_of(text: str) -> tuple[list[Card], bool]:
    """The cards of a line, and whether it says that the run goes on."""
    plain = text.removesuffix("…").removesuffix("...")
    return cards_of(plain), plain != text


def compartment_of(text: str) -> Compartment:
    """A compartment by its name."""
    try:
        return Compartment(text.lower())
    except ValueError:
        fail(f"{cut(text)} is no compartment: they are {', '.join(Compartment)}")


def board_text(board: Board) -> str:
    """A board in one line: ``pope 6, game 1``, or ``bare``."""
    laid = [f"{place} {counters}" for place, counters in board.items() if counters]
    return ", ".join(laid) or "bare"


def board_of(text: str) -> Board:
    """A board as ``board_text`` writes it, or nearly so."""
    if text.lower() == "bare":
        return Board()
    laid: dict[str, int] = {}
    for stake in text.split(","):
        words = stake.replace(":", " ").replace("=", " ").split()
        if len(words) != 2:
            fail(f"{cut(stake.strip())} is no stake: write 'board: pope 6, game 1', or 'bare'")
        place = compartment_of(words[0])
        if place in laid:
            fail(f"{place} is given twice")
        laid[place] = number_of(words[1], f"the stake of {place}")
        if laid[place] < 0:
            fail(f"{place} holds {laid[place]}: a stake is a whole number from 0 up")
    return Board.of(laid)
