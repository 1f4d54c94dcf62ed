"""Cards as people type them: ``7c``, ``c7``, ``7♣``, ``seven of clubs``, ``kna``, ``pope``.

Whether a card may be played is for the rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from popejoan.cards import POPE, BadCard, Card, Rank, Suit

__all__ = ["Unclear", "card_typed"]


class Unclear(ValueError):
    """What was typed names no card, or more than one; the message says which, and how to say it."""


_RANKS: Final[dict[str, Rank]] = {
    **{rank.name.lower(): rank for rank in Rank},
    **{f"{rank.name.lower()}s": rank for rank in Rank},
    "jack": Rank.KNAVE,
    "jacks": Rank.KNAVE,
    "sixes": Rank.SIX,
    "deuce": Rank.TWO,
    "trey": Rank.THREE,
}
_SUITS: Final[dict[str, Suit]] = {suit.name.lower(): suit for suit in Suit}
_LETTERS: Final[dict[str, Rank]] = {
    **{rank.letter.lower(): rank for rank in Rank},
    "10": Rank.TEN,
    "1": Rank.ACE,
}
_PIPS: Final = {
    ord(pip): f" {letter} " for pip, letter in zip("♣♦♥♠♧♢♡♤", "cdhscdhs")
} | {0xFE0E: "", 0xFE0F: ""}  # fmt: skip
_HELP: Final = "write a card as 7c, c7, 7♣ or 'seven of clubs'"


def card_typed(text: str, legal: Sequence[Card], hand: Iterable[Card] = ()) -> Card:
    """The card that the text names; half a name will do where only one legal card fits.

    A bare number stands for a choice of the list ``legal``, counted from 1, unless it is also the
    rank of another of them; ``#2`` is always the second choice. Raises Unclear.

    >>> card_typed("ten of sp", [])
    TS
    """
    plain = text.casefold().translate(_PIPS)
    if found := re.fullmatch(r"\s*#\s*(\d{1,3})\s*", plain):
        return _choice(int(found[1]), legal)
    words = [word for word in re.split(r"[\s,.'\-]+", plain) if word not in ("", "the", "of")]
    joined = " ".join(words)
    if joined and "pope joan".startswith(joined) and len(joined) > 1:
        return POPE
    ranks, suits = _read(words)
    if ranks is None or suits is None:
        raise Unclear(f"{_shown(text)} is no card and no word of the game: {_HELP}, or ? for help")
    if len(words) == 1 and words[0].isdecimal() and not suits:
        number = int(words[0])
        same = [card for card in legal if card.rank in ranks]
        if 1 <= number <= len(legal) and set(same) <= {legal[number - 1]}:
            return legal[number - 1]
        if 1 <= number <= len(legal):
            raise Unclear(
                f"{number} is both choice {number}, {legal[number - 1]}, and the rank of {same[0]}:"
                f" write #{number}, or the card with its suit"
            )
        if not ranks:
            return _choice(number, legal)
    if len(ranks) == 1 and len(suits) == 1:
        try:
            return Card.of(next(iter(suits)), next(iter(ranks)))
        except BadCard as error:
            raise Unclear(str(error)) from None

    def fits(card: Card) -> bool:
        return (not ranks or card.rank in ranks) and (not suits or card.suit in suits)

    return _only(
        text, [card for card in legal if fits(card)], [card for card in hand if fits(card)]
    )


def _only(text: str, legal: Sequence[Card], held: Sequence[Card]) -> Card:
    """The one card that fits, a legal one rather than another that is held."""
    some = legal or held
    if len(some) == 1:
        return some[0]
    if not some:
        raise Unclear(f"no card in your hand fits {_shown(text)}: {_HELP}")
    fitting = " ".join(map(str, some))
    raise Unclear(f"{_shown(text)} fits more than one card: {fitting}")


def _choice(number: int, legal: Sequence[Card]) -> Card:
    if not 1 <= number <= len(legal):
        choices = f"1 to {len(legal)}" if len(legal) > 1 else "1 alone" if legal else "none"
        raise Unclear(f"there is no choice {number}: the choices are {choices}")
    return legal[number - 1]


def _read(words: Sequence[str]) -> tuple[set[Rank] | None, set[Suit] | None]:
    """The ranks and suits that the words may mean: empty where unsaid, None for nonsense."""
    if not 1 <= len(words) <= 2:
        return None, None
    if len(words) == 2:
        for one, other in (words, words[::-1]):
            ranks, suits = _ranks(one), _suits(other)
            if ranks and suits:
                return ranks, suits
        return None, None
    (word,) = words
    if word.isdecimal() and (word not in _LETTERS or word == "1"):
        return set(), set()
    if found := re.fullmatch(r"(10|[1-9]|[a-z])([cdhs])|([cdhs])(10|[1-9]|[a-z])", word):
        rank, suit = (found[1], found[2]) if found[1] else (found[4], found[3])
        if rank in _LETTERS:
            return {_LETTERS[rank]}, _suits(suit)
    ranks, suits = _ranks(word), _suits(word)
    if ranks and suits:
        # A letter such as s stands for a suit; it only begins the words six and seven.
        return (set(), suits) if len(word) == 1 else (None, None)
    return (None, None) if not ranks and not suits else (ranks, suits)


def _ranks(word: str) -> set[Rank]:
    if word in _LETTERS:
        return {_LETTERS[word]}
    if word in _RANKS:
        return {_RANKS[word]}
    return {rank for name, rank in _RANKS.items() if name.startswith(word)}


def _suits(word: str) -> set[Suit]:
    return {suit for name, suit in _SUITS.items() if name.startswith(word)}


def _shown(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "~")
