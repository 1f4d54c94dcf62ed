"""The pack: suits, ranks, cards, sets of cards, and the order in which runs go up.

What a card is worth, and who may play it, is not said here.

A card is a small integer, ``suit * 13 + rank - 1``, the same everywhere: the bit in a mask, the
action of an adapter, the byte in a trace. The eight of diamonds leaves the pack before the deal,
so number 20 is never a card, and within a suit the next card up is always one more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from reprlib import repr as shown
from typing import Final, NewType, final

from popejoan.errors import (
    BadCard,
    BadDeal,
    BadRecord,
    BadRules,
    BadWire,
    IllegalChange,
    IllegalClaim,
    IllegalPlay,
    PopeJoanError,
)

__all__ = [
    "PACK",
    "POPE",
    "SEVEN_OF_DIAMONDS",
    "BadCard",
    "BadDeal",
    "BadRecord",
    "BadRules",
    "BadWire",
    "Card",
    "CardSet",
    "IllegalChange",
    "IllegalClaim",
    "IllegalPlay",
    "Order",
    "PopeJoanError",
    "Rank",
    "Seat",
    "Suit",
]

Seat = NewType("Seat", int)
"""A place at the table, 0 to players - 1; play and deal pass from each seat to the next."""


class Suit(IntEnum):
    """The four suits, in the order of their letters."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """One of C D H S."""
        return "CDHS"[self]

    @property
    def pip(self) -> str:
        """One of ♣ ♦ ♥ ♠."""
        return "♣♦♥♠"[self]

    @property
    def mask(self) -> int:
        """The thirteen bits of the suit in a mask of cards."""
        return 0x1FFF << 13 * self


class Rank(IntEnum):
    """The thirteen ranks; the ace is 1, the knave 11."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    KNAVE = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """One of A 2 3 4 5 6 7 8 9 T J Q K."""
        return "A23456789TJQK"[self - 1]


_REMOVED: Final = 20
_CARDS: dict[int, Card] = {}


@final
class Card(int):
    """One card of the pack of 51.

    >>> Card.of(Suit.DIAMONDS, Rank.NINE)
    9D
    >>> str(Card.parse("10h")), int(Card.parse("TH"))
    ('10♥', 35)
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        """Give the card of this number; raise BadCard for one outside the pack."""
        try:
            return _CARDS[number]
        except (KeyError, TypeError):
            pass
        if number == _REMOVED:
            raise BadCard(
                "the eight of diamonds is not in the pack: it is taken out to make a stop"
            )
        raise BadCard(f"no card has the number {number!r}: they run from 0 to 51, without 20")

    @classmethod
    def of(cls, suit: Suit, rank: Rank) -> Card:
        """Give the card of this suit and rank; raise BadCard for the eight of diamonds."""
        return cls(suit * 13 + rank - 1)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card as rank and suit: ``9D``, ``10h``, ``T♥``.

        Raises BadCard, with what would be accepted, for anything else.
        """
        card = _TEXTS.get(text) if isinstance(text, str) else None
        if card is None:
            card = _parse_card(text)
        return card

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return Suit(self // 13)

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return Rank(self % 13 + 1)

    @property
    def bit(self) -> int:
        """The card as a mask of one bit."""
        return 1 << self

    @property
    def alone(self) -> CardSet:
        """The card as a set of one."""
        return CardSet(1 << self)

    def __repr__(self) -> str:
        """Two characters, rank first: ``TH``."""
        return _LETTERS[self]

    def __str__(self) -> str:
        """The card as printed at a table: ``10♥``."""
        return _PRINTED[self]

    def __format__(self, spec: str) -> str:
        """Format as the text of ``str``."""
        return format(str(self), spec)

    @property
    def words(self) -> str:
        """The card in words: ``ten of hearts``."""
        return f"{self.rank.name.lower()} of {self.suit.name.lower()}"


for _number in range(52):
    if _number != _REMOVED:
        _CARDS[_number] = int.__new__(Card, _number)

_LETTERS: Final = {card: card.rank.letter + card.suit.letter for card in _CARDS.values()}
_PRINTED: Final = {
    card: ("10" if card.rank is Rank.TEN else card.rank.letter) + card.suit.pip
    for card in _CARDS.values()
}

SEVEN_OF_DIAMONDS: Final = _CARDS[19]
"""The card below the one that is not in the pack: a stop in every deal."""
POPE: Final = _CARDS[21]
"""The nine of diamonds."""

_TEXTS: dict[str, Card] = {text: card for card, text in _LETTERS.items()}


def _parse_card(text: object) -> Card:
    if not isinstance(text, str):
        raise BadCard(f"{shown(text)} is not a card: a card is text such as '9D' or '10H'")
    plain = text.strip().replace("\ufe0e", "").replace("\ufe0f", "").upper()
    for suit in Suit:
        plain = plain.replace(suit.pip, suit.letter)
    plain = plain.translate({ord(white): letter for white, letter in zip("♧♢♡♤", "CDHS")})
    if plain.startswith("10"):
        plain = "T" + plain[2:]
    if plain == "8D":
        raise BadCard("8D is not in the pack: the eight of diamonds is taken out to make a stop")
    if plain not in _TEXTS:
        raise BadCard(
            f"{shown(text)} is not a card: "
            "write a rank, A 2 to 10 (or T) J Q K, and a suit, C D H S"
        )
    return _TEXTS[plain]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


_ALL: Final = (1 << 52) - 1 ^ 1 << _REMOVED
_NONE: Final = ~_ALL


@final
@dataclass(frozen=True, slots=True, repr=False, init=False)
class CardSet:
    """Some cards of the pack, as an immutable set over one integer mask; it reads in card order.

    >>> CardSet.parse("KS 3C 10C") | CardSet.of([POPE])
    CardSet.parse('3C TC 9D KS')
    """

    mask: int
    """Bit ``c`` stands for the card numbered ``c``."""

    def __init__(self, mask: int = 0) -> None:
        """The cards of a mask; raise BadCard when it has a bit that is no card of the pack."""
        if mask & _NONE:
            raise BadCard(f"{mask:#x} has a bit that is no card of the pack")
        _set_mask(self, mask)

    @classmethod
    def of(cls, cards: Iterable[int]) -> CardSet:
        """Gather cards, or their numbers, into a set; raise BadCard for a number of none."""
        mask = 0
        for card in cards:
            mask |= 1 << Card(card)
        return cls(mask)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Read cards parted by spaces or commas; raise BadCard for what is no card, or is twice."""
        mask = 0
        for word in text.replace(",", " ").split():
            card = Card.parse(word)
            if mask >> card & 1:
                raise BadCard(f"{card!r} stands twice in {shown(text)}")
            mask |= card.bit
        return cls(mask)

    def __contains__(self, card: object) -> bool:
        """Whether the card, or the card of this number, is in the set."""
        return isinstance(card, int) and 0 <= card < 52 and bool(self.mask >> card & 1)

    def __iter__(self) -> Iterator[Card]:
        """The cards from the ace of clubs to the king of spades."""
        mask = self.mask
        while mask:
            low = mask & -mask
            yield _CARDS[low.bit_length() - 1]
            mask ^= low

    def __len__(self) -> int:
        """How many cards."""
        return self.mask.bit_count()

    def __getitem__(self, place: int) -> Card:
        """The card at a place in card order, from 0; raise IndexError where there is none."""
        mask = self.mask
        if not 0 <= place < mask.bit_count():
            raise IndexError(f"no card stands at place {place} of {len(self)}")
        for _ in range(place):
            mask &= mask - 1
        return _CARDS[(mask & -mask).bit_length() - 1]

    def __or__(self, other: CardSet) -> CardSet:
        """The cards in either set."""
        return CardSet(self.mask | other.mask)

    def __and__(self, other: CardSet) -> CardSet:
        """The cards in both sets."""
        return CardSet(self.mask & other.mask)

    def __sub__(self, other: CardSet) -> CardSet:
        """The cards of this set that are not in the other."""
        return CardSet(self.mask & ~other.mask)

    def __le__(self, other: CardSet) -> bool:
        """Whether every card of this set is in the other."""
        return not self.mask & ~other.mask

    def of_suit(self, suit: Suit) -> CardSet:
        """The cards of one suit."""
        return CardSet(self.mask & suit.mask)

    def __repr__(self) -> str:
        """An expression that rebuilds the set."""
        return f"CardSet.parse({self.text!r})"

    def __str__(self) -> str:
        """The cards with their pips, parted by spaces."""
        return " ".join(map(str, self))

    @property
    def text(self) -> str:
        """The cards in letters, parted by spaces; ``parse`` reads it back."""
        return " ".join(map(repr, self))


# A set is made for every lead, and its slot is set faster than by ``object.__setattr__``.
_set_mask: Final = CardSet.__dict__["mask"].__set__

PACK: Final = CardSet(_ALL)
"""The 51 cards: the pack of 52 without the eight of diamonds."""

_ACES: Final = sum(suit.mask & 1 << 13 * suit for suit in Suit)
_TWOS: Final = _ACES << 1
_KINGS: Final = _ACES << 12


@final
@dataclass(frozen=True, slots=True)
class Order:
    """The order in which runs go up within a suit, from which the fixed stops follow.

    Two orders exist: the ace below the two (every old book) and the ace above the king.
    """

    ace_high: bool
    """Whether the ace stands above the king."""
    following: tuple[int, ...]
    """For each card number the number of the next card up, or -1 where the suit ends or 8D lay."""
    above: tuple[int, ...]
    """The same as masks: the bit of the next card up, or 0."""
    fixed_stops: int
    """Mask of the cards that nothing can ever follow."""

    @staticmethod
    @lru_cache(maxsize=2)
    def of(*, ace_high: bool) -> Order:
        """Build, or give back, one of the two orders."""
        following = [-1] * 52
        for number in _bits(_ALL):
            rank = number % 13
            if ace_high:
                above = number - 12 if rank == 12 else -1 if rank == 0 else number + 1
            else:
                above = -1 if rank == 12 else number + 1
            following[number] = -1 if above == _REMOVED else above
        ends = sum(1 << number for number in _bits(_ALL) if following[number] < 0)
        bits = tuple(1 << number if number >= 0 else 0 for number in following)
        return Order(ace_high, tuple(following), bits, ends)

    @staticmethod
    def ace_low() -> Order:
        """The order of the source text: ace, two, up to the king."""
        return Order.of(ace_high=False)

    def below(self, mask: int) -> int:
        """Mask of the cards whose next card up is in ``mask``."""
        if self.ace_high:
            return ((mask & ~(_ACES | _TWOS)) >> 1 | (mask & _ACES) << 12) & _ALL
        return (mask & ~_ACES) >> 1 & _ALL

    def upon(self, mask: int) -> int:
        """Mask of the next cards up of those in ``mask``."""
        if self.ace_high:
            return ((mask & ~(_ACES | _KINGS)) << 1 | (mask & _KINGS) >> 12) & _ALL
        return (mask & ~_KINGS) << 1 & _ALL

    def lowest(self, mask: int) -> int:
        """The lowest card of a mask, not empty, that holds cards of one suit; as a one-bit mask."""
        if self.ace_high and mask & ~_ACES:
            mask &= ~_ACES
        return mask & -mask

    def height(self, card: int) -> int:
        """How high the card stands in its suit: 0 for the lowest rank, 12 for the highest."""
        rank = card % 13
        return (rank - 1) % 13 if self.ace_high else rank
