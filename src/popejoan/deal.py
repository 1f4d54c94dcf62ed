"""The deal: who holds what, the turn-up and the stock; and the game's only random generator.

The generator is specified here and restated in the compiled kernel, so that deal ``k`` of match
``m`` of seed ``s`` is the same everywhere and depends on ``(s, m, k)`` alone:

- ``mix(z)``, on 64 bits: ``z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27;
  z *= 0x94D049BB133111EB; z ^= z >> 31`` (SplitMix64, Steele, Lea and Flood 2014).
- The key of a stream: start from 0 and for each of seed, match, deal and purpose in turn
  ``key = mix((key ^ number) + 0x9E3779B97F4A7C15)``.
- Block ``j = 1, 2, ...`` of the stream is ``mix(key + j * 0x9E3779B97F4A7C15)``; its low 32 bits
  are one word and its high 32 bits the next.
- A number below ``n`` is ``word * n >> 32``; the bias is under ``n / 2**32``.

A deal is drawn as subsets of the cards left, in card order: first the turn-up, then the stock,
then the hands from seat 0, each by threes while three are wanted, then by a pair or a single. A
part that is all that is left needs no draw. A subset of places ``a < b < c`` has the number
``a + C(b, 2) + C(c, 3)``, a pair ``a + C(b, 2)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import chain, repeat
from math import comb
from reprlib import repr as shown
from typing import Final, TypeAlias, final

from popejoan.cards import PACK, BadCard, BadDeal, BadRules, Card, CardSet, Rank, Seat
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Peek, Rules, Stock, TurnUp

__all__ = ["Chance", "Deal", "Purpose", "fault_with", "first_knave", "hand_sizes"]

_GOLDEN: Final = 0x9E3779B97F4A7C15
_MASK: Final = 0xFFFFFFFFFFFFFFFF


class Purpose(IntEnum):
    """What a stream of the generator is for, so that two purposes share no numbers.

    Within a purpose the same stream opened twice gives the same numbers. *master*, *quick* and a
    mixture of bots all open that of their seed, hand and moment; what they draw there is a coin or
    the seed of another stream, so no world hangs on the coin.
    """

    DEAL = 0
    LEAD = 1
    FIRST_DEALER = 2
    FINAL_DEAL = 3
    SAMPLE = 4


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


@lru_cache(maxsize=64)
def _match_key(seed: int, match: int) -> int:
    """The key after seed and match, which the deals of a match share."""
    key = _mix((seed & _MASK) + _GOLDEN & _MASK)
    return _mix((key ^ match & _MASK) + _GOLDEN & _MASK)


@final
class Chance:
    """A stream of numbers that depends on its seed, match, deal and purpose alone."""

    __slots__ = ("_block", "_high")

    def __init__(
        self, seed: int, match: int = 0, deal: int = 0, purpose: Purpose = Purpose.DEAL
    ) -> None:
        """Open the stream at its first word; the numbers count modulo 2**64."""
        key = _match_key(seed, match)
        for number in (deal, purpose):
            key = _mix((key ^ number & _MASK) + _GOLDEN & _MASK)
        self._block = key
        self._high = -1

    def word(self) -> int:
        """The next 32 bits."""
        high = self._high
        if high >= 0:
            self._high = -1
            return high
        self._block = z = self._block + _GOLDEN & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK  # mix, written out: every deal waits on it
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        z ^= z >> 31
        self._high = z >> 32
        return z & 0xFFFFFFFF

    def below(self, n: int) -> int:
        """A number from 0 to ``n - 1``.

        From 2**16 up it takes as many words as leave the bias under 2**-32. Raises ValueError
        when ``n`` is less than 1.
        """
        if 0 < n < 65536:
            return self.word() * n >> 32
        if n < 1:
            raise ValueError(f"there is no number below {n} to draw")
        drawn, bits = 0, 0
        while bits < n.bit_length() + 32:
            drawn = drawn << 32 | self.word()
            bits += 32
        return drawn * n >> bits

    def pick(self, cards: CardSet) -> Card:
        """One card of a set, each equally likely; raise ValueError when there is none."""
        mask = cards.mask
        if not mask:
            raise ValueError("no card can be picked from none")
        word = self._high
        if word < 0:
            word = self.word()
        else:
            self._high = -1
        for _ in range(word * mask.bit_count() >> 32):  # as ``below`` does
            mask &= mask - 1
        return _BY_BIT[mask & -mask]


@lru_cache(maxsize=1024)
def hand_sizes(rules: Rules, players: int, dealer: int) -> tuple[tuple[int, ...], ...]:
    """The sizes in which hands may lie, by seat; the first is how the program deals (clause 3.2).

    Raises BadRules when these rules cannot be dealt to so many players.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        says = f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {players}"
        raise BadRules([("players", says)])
    seats = [seat for seat in range(players) if seat != dealer or rules.peek is not Peek.SITS_OUT]
    hands = len(seats)
    if hands < FEWEST_PLAYERS:
        raise BadRules([("peek", "a dealer who sits out leaves too few: 3 or more must play")])

    def equal(size: int) -> tuple[int, ...]:
        return tuple(size if seat in seats else 0 for seat in range(players))

    if rules.hand_size is not None:
        if hands * rules.hand_size > 50:
            says = (
                f"{hands} hands of {rules.hand_size} are more than the 50 cards beside the turn-up"
            )
            raise BadRules([("hand_size", says)])
        return (equal(rules.hand_size),)
    if rules.stock is Stock.SIX_TO_EIGHT:
        inside = 1 if rules.turn_up is TurnUp.IN_STOCK else 0

        def misfit(size: int) -> tuple[int, int]:
            stock = 50 - hands * size + inside
            return max(6 - stock, stock - 8, 0), size

        return (equal(min(range(1, 50 // hands + 1), key=misfit)),)
    # A spare hand may count the turn-up as one of its cards or not; both are found in print.
    apart, in_stock = equal(50 // (hands + 1)), equal(51 // (hands + 1))
    if rules.stock is Stock.SPARE_HAND:
        ways = (in_stock, apart) if rules.turn_up is TurnUp.IN_STOCK else (apart, in_stock)
        return tuple(dict.fromkeys(ways))
    # Fifty cards go round, the extra hand last; the fifty-first is turned up.
    base, over = divmod(50, hands + 1)
    eldest_first = [
        seat for step in range(1, players + 1) if (seat := (dealer + step) % players) in seats
    ]
    longer = set(eldest_first[:over])
    round_ = tuple(size + (seat in longer) for seat, size in enumerate(equal(base)))
    return tuple(dict.fromkeys((round_, apart)))


def fault_with(rules: Rules, players: int) -> str | None:
    """Why these rules cannot be dealt to so many players, in words; None when they can."""
    try:
        hand_sizes(rules, players, 0)
    except BadRules as error:
        return str(error)
    return None


@lru_cache(maxsize=1)
def _subsets() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Places of 51 by none, one, two and three, each kind in the order of the subsets' numbers.

    The places of each go down, so that cards taken out of a list do not move those to be taken.
    """
    singles = tuple((a,) for a in range(51))
    pairs = tuple((b, a) for b in range(51) for a in range(b))
    triples = tuple((c, b, a) for c in range(51) for b in range(c) for a in range(b))
    return (), singles, pairs, triples


_Draws: TypeAlias = tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]
"""The draws of one part of a deal: among how many subsets each is, and those subsets."""


@lru_cache(maxsize=1024)
def _programme(sizes: tuple[int, ...]) -> tuple[_Draws | None, ...]:
    """The draws of each part of a deal; None for the part that takes all that is left."""
    subsets = _subsets()
    parts: list[_Draws | None] = []
    left = 51
    for size in (1, 50 - sum(sizes), *sizes):
        draws = []
        if size == left:
            parts.append(None)
            left = 0
            continue
        while size:
            taken = min(size, 3)
            draws.append((comb(left, taken), subsets[taken]))
            size -= taken
            left -= taken
        parts.append(tuple(draws))
    return tuple(parts)


_BY_BIT: Final = {card.bit: card for card in PACK}
_PACK_BITS: Final = tuple(card.bit for card in PACK)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """The 51 cards, each in one place: the hands by seat, the turn-up, the stock.

    Raises BadDeal, with every fault, unless that is so.
    """

    hands: tuple[CardSet, ...]
    """What each seat is dealt; empty for a dealer who sits out."""
    turn_up: Card
    """The faced card: its suit is trumps, and it takes no part."""
    stock: CardSet
    """The cards that nobody holds, without the turn-up."""
    sizes: tuple[int, ...] = field(init=False, compare=False)
    """How many cards each seat is dealt."""

    def __post_init__(self) -> None:
        """Check that each of the 51 cards is in exactly one place."""
        whole = self.stock.mask | 1 << self.turn_up
        for hand in self.hands:
            whole |= hand.mask
        sizes = tuple([hand.mask.bit_count() for hand in self.hands])
        object.__setattr__(self, "sizes", sizes)
        players, count = len(sizes), sum(sizes) + len(self.stock) + 1
        if whole != PACK.mask or count != 51 or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise BadDeal(_faults(self.hands, self.turn_up, self.stock))

    @classmethod
    def of(cls, hands: Sequence[Iterable[Card]], turn_up: Card, stock: Iterable[Card]) -> Deal:
        """A deal from lists of cards; BadDeal names each card that is twice or missing."""
        hands = [tuple(hand) for hand in hands]
        stock = tuple(stock)
        if faults := tuple(_faults(hands, turn_up, stock)):
            raise BadDeal(faults)
        return cls(tuple(map(CardSet.of, hands)), turn_up, CardSet.of(stock))

    @classmethod
    def shuffle(
        cls,
        seed: int,
        *,
        players: int = 4,
        rules: Rules = Rules.HOYLE,
        dealer: int = 0,
        match: int = 0,
        deal: int = 0,
    ) -> Deal:
        """The deal that these numbers stand for; every deal is equally likely.

        Raises BadRules when the rules cannot be dealt to so many players.
        """
        word = Chance(seed, match, deal, Purpose.DEAL).word
        left = list(_PACK_BITS)
        take = left.pop
        parts = []
        for draws in _programme(hand_sizes(rules, players, dealer)[0]):
            mask = 0
            if draws is None:
                mask = sum(left)
                left.clear()
            else:
                for count, subsets in draws:
                    for place in subsets[word() * count >> 32]:
                        mask |= take(place)
            parts.append(mask)
        turn_up, stock, *hands = parts
        return cls(tuple(map(CardSet, hands)), _BY_BIT[turn_up], CardSet(stock))

    @classmethod
    def final(cls, seed: int, *, players: int, match: int = 0) -> tuple[CardSet, ...]:
        """The hands of a final deal: all 51 cards dealt one by one from seat 0 (clause 9.5)."""
        chance = Chance(seed, match, 0, Purpose.FINAL_DEAL)
        left = list(_PACK_BITS)
        masks = [0] * players
        for place in range(51):
            masks[place % players] |= left.pop(chance.below(len(left)))
        return tuple(map(CardSet, masks))

    @classmethod
    def read(cls, text: str) -> Deal:
        """A deal from its text, ``hand / hand / ... | turn-up | stock``.

        Raises BadDeal for text of another shape and for every card that is wrong.
        """
        parts = text.split("|")
        if len(parts) != 3:
            raise BadDeal([("deal", f"{shown(text)} is not 'hand / hand / ... | turn-up | stock'")])
        faults: list[tuple[str, str]] = []

        def cards(at: str, words: str) -> tuple[Card, ...]:
            found = []
            for place, word in enumerate(words.replace(",", " ").split()):
                try:
                    found.append(Card.parse(word))
                except BadCard as error:
                    faults.append((f"{at}[{place}]", str(error)))
            return tuple(found)

        hands = [cards(f"hands[{seat}]", hand) for seat, hand in enumerate(parts[0].split("/"))]
        turned = cards("turn_up", parts[1])
        stock = cards("stock", parts[2])
        if not faults and len(turned) != 1:
            faults.append(("turn_up", f"one card is turned up, not {len(turned)}"))
        if faults:
            raise BadDeal(faults)
        return cls.of(hands, turned[0], stock)

    @property
    def text(self) -> str:
        """The deal as one line; ``read`` takes it back."""
        hands = " / ".join(hand.text for hand in self.hands)
        return f"{hands} | {self.turn_up!r} | {self.stock.text}"

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.hands)

    def faults_under(self, rules: Rules, dealer: Seat) -> tuple[tuple[str, str], ...]:
        """What is wrong with the sizes of the hands under the rules: places and words, or none."""
        ways = hand_sizes(rules, self.players, dealer)
        sizes = self.sizes
        if sizes in ways:
            return ()
        want = " or ".join(", ".join(map(str, way)) for way in ways)
        have = ", ".join(map(str, sizes))
        even = [size for seat, size in enumerate(sizes) if ways[0][seat]]
        says = f"hands have {have} cards, where {self.players} players are dealt {want}"
        if len(set(even)) == 1 and all(
            sizes[seat] == 0 for seat, size in enumerate(ways[0]) if not size
        ):
            says += f"; to play hands of {even[0]} set hand_size to {even[0]}"
        return (("hands", says),)

    def __repr__(self) -> str:
        """An expression that rebuilds the deal."""
        return f"Deal.read({self.text!r})"

    def __str__(self) -> str:
        """The deal drawn: a line a seat, by suits."""
        from popejoan import drawing

        return drawing.deal(self)


def _faults(
    hands: Sequence[Iterable[Card]], turn_up: Card, stock: Iterable[Card]
) -> Iterator[tuple[str, str]]:
    """Every card that is twice or missing, and a wrong number of hands."""
    if not FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS:
        yield "hands", f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {len(hands)}"
    seen: dict[Card, str] = {}
    places = chain(
        [(turn_up, "turn_up")],
        *(zip(hand, repeat(f"hands[{seat}]")) for seat, hand in enumerate(hands)),
        zip(stock, repeat("stock")),
    )
    for card, place in places:
        if card in seen:
            yield place, f"{card!r} stands here and in {seen[card]}"
        seen.setdefault(card, place)
    missing = CardSet.of(card for card in PACK if card not in seen)
    if missing:
        yield "deal", f"{missing.text} missing: each of the 51 cards must be in one place"


def first_knave(seed: int, *, match: int = 0) -> tuple[Card, ...]:
    """The cards dealt round face up until the first knave, which finds the dealer.

    The last card is the knave; whoever it falls to, dealt from seat 0 round, deals first
    (clause 3.1).
    """
    chance = Chance(seed, match, 0, Purpose.FIRST_DEALER)
    left = list(PACK)
    dealt: list[Card] = []
    while not dealt or dealt[-1].rank is not Rank.KNAVE:
        dealt.append(left.pop(chance.below(len(left))))
    return tuple(dealt)
