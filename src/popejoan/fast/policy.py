"""How a seat leads, in plain Python: the policies of the kernel restated for the engine.

Each is a function of a ``Round`` at a lead, which uses nothing that the leader may not know. The
kernel's own are in ``kernel`` and ``linear``; the tests hold the two to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from popejoan.board import Compartment
from popejoan.cards import PACK, POPE, Card, CardSet, Rank, Seat, Suit
from popejoan.deal import Chance, Purpose
from popejoan.fast import layout
from popejoan.fast.layout import DEFAULT_WEIGHTS, FEATURES, ONE
from popejoan.leads import known_stops
from popejoan.round import Round
from popejoan.rules import Ace, Peek

__all__ = [
    "DEFAULT_WEIGHTS",
    "Policy",
    "book_choice",
    "chooser",
    "features_of",
    "linear_choice",
    "weights_of",
]


class Policy(IntEnum):
    """How every seat leads."""

    RANDOM = layout.RANDOM
    """Each legal card equally likely: one ``below(number of legal cards)`` of the deal's stream
    for leads, in card order."""
    BOOK = layout.BOOK
    """The order of the source text: ``book_choice``."""
    LINEAR = layout.LINEAR
    """The best of the legal cards by a weighted sum of ``FEATURES``: ``linear_choice``."""


def weights_of(weights: Sequence[int] | None) -> tuple[int, ...]:
    """The weights, or the default ones; ValueError unless they are one whole number a feature."""
    given = DEFAULT_WEIGHTS if weights is None else tuple(weights)
    if len(given) != len(FEATURES):
        raise ValueError(
            f"{len(given)} weights for {len(FEATURES)} features: {', '.join(FEATURES)}"
        )
    for name, weight in zip(FEATURES, given, strict=True):
        if not isinstance(weight, int) or not -(10**6) <= weight <= 10**6:
            raise ValueError(
                f"the weight of {name!r} is a whole number up to a million, not {weight!r}"
            )
    return given


def book_choice(round_: Round) -> Card:
    """The lead by the book's order among the legal ones.

    The first that there is: a stop that the leader knows, of the lowest number; Pope; with the
    ace low an ace, of the lowest number; the lowest legal card of the suit of which the hand holds
    most among those that may be led, of the lowest-numbered suit where several are longest.
    """
    seat, hand = _leader(round_)
    legal, order = round_.legal.mask, round_.rules.order
    if stops := legal & known_stops(order, _gone(round_, seat)):
        return CardSet(stops)[0]
    if POPE in round_.legal:
        return POPE
    aces = [card for card in round_.legal if card.rank is Rank.ACE]
    if aces and round_.rules.ace is Ace.LOW:
        return aces[0]
    suits = [suit for suit in Suit if legal & suit.mask]
    longest = max(suits, key=lambda suit: (hand & suit.mask).bit_count())
    return CardSet(order.lowest(legal & longest.mask))[0]


def linear_choice(round_: Round, weights: Sequence[int]) -> Card:
    """The legal lead whose features, each times its weight, sum to most; of equals the first."""

    def score(card: Card) -> int:
        return sum(w * f for w, f in zip(weights, features_of(round_, card), strict=True))

    return max(round_.legal, key=score)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the leader knows of the cards, as masks."""

    dealt: int
    hand: int
    unseen: int
    chance: int


def features_of(round_: Round, lead: Card) -> tuple[int, ...]:
    """The features of one lead, as ``layout.FEATURES`` names them; 1024 stands for one."""
    seat, hand = _leader(round_)
    unseen = PACK.mask & ~hand & ~_gone(round_, seat)
    counts = [len(round_.hand(other)) for other in range(round_.players) if other != seat]
    chance = sum(counts) * ONE // unseen.bit_count() if unseen else 0
    known = _Known(round_.deal.hands[seat].mask, hand, unseen, chance)
    order = round_.rules.order
    own = keeps = earns = gives = sheds = certain = pope = 0
    sure, weight, card = True, ONE, int(lead)
    while weight:
        above = order.following[card]
        beyond = 1 << above if above >= 0 else 0
        if hand >> card & 1:
            own += weight
            earns += weight * (_worth(round_, card) + _pair_worth(round_, card, lead, known))
            if sure:
                certain += 1
                pope = ONE if card == POPE else pope
        else:
            sheds += weight
            gives += weight * _worth(round_, card)
        if beyond & unseen:
            going, sure = weight * chance // ONE, False
        else:
            going = weight if beyond & hand else 0
        if hand >> card & 1:
            keeps += weight - going
        weight, card = going, above
    above = order.following[lead]
    lower = order.below(lead.bit)
    height = order.height(lead)
    suit = [card for card in CardSet(hand) if card.suit is lead.suit]
    return (
        own,
        keeps,
        earns,
        gives,
        sheds,
        chance if above >= 0 and unseen >> above & 1 else 0,
        ONE if lower & (unseen | hand) else 0,
        ONE - keeps if any(0 < count <= 2 for count in counts) else 0,
        ONE if certain == hand.bit_count() else 0,
        ONE * sum(order.height(card) < height for card in suit),
        ONE * certain,
        pope,
        ONE if keeps == ONE and sure else 0,
    )


_HONOURS: Final = {
    Rank.ACE: Compartment.ACE,
    Rank.KING: Compartment.KING,
    Rank.QUEEN: Compartment.QUEEN,
    Rank.KNAVE: Compartment.KNAVE,
}
_PAIRS: Final = (
    (Compartment.MATRIMONY, Rank.KING, Rank.QUEEN),
    (Compartment.INTRIGUE, Rank.QUEEN, Rank.KNAVE),
)


def _worth(round_: Round, number: int) -> int:
    card = Card(number)
    if card == POPE:
        return round_.board[Compartment.POPE]
    place = _HONOURS.get(card.rank) if card.suit is round_.trump else None
    return round_.board[place] if place else 0


def _pair_worth(round_: Round, number: int, lead: Card, known: _Known) -> int:
    card = Card(number)
    if card.suit is not round_.trump:
        return 0
    mine = known.dealt & ~known.hand
    if card != lead:
        mine |= round_.rules.order.below(card.bit) & known.dealt
    stake = 0
    for place, *ranks in _PAIRS:
        for rank, other in (ranks, ranks[::-1]):
            if card.rank is rank and Card.of(card.suit, other).bit & mine:
                stake += round_.board[place]
    return stake


def _leader(round_: Round) -> tuple[Seat, int]:
    """The seat to lead and the mask of its hand; ValueError when no lead is to be made."""
    if round_.to_act is None or round_.forced:
        raise ValueError(f"no lead is to be made in {round_!r}")
    return round_.to_act, round_.hand(round_.to_act).mask


def _gone(round_: Round, seat: Seat) -> int:
    """Mask of the cards that a seat knows to be in no hand (clause 5.3)."""
    gone = round_.played.mask | round_.turn_up.bit
    if seat == round_.dealer and round_.rules.peek is not Peek.NOBODY:
        gone |= round_.deal.stock.mask
    return gone


def chooser(
    policy: Policy, seed: int, match: int, deal: int, weights: Sequence[int] | None = None
) -> Callable[[Round], Card]:
    """What chooses every lead of one deal, one round after another."""
    if policy is Policy.RANDOM:
        chance = Chance(seed, match, deal, Purpose.LEAD)
        return lambda round_: chance.pick(round_.legal)
    if policy is Policy.BOOK:
        return book_choice
    given = weights_of(weights)
    return lambda round_: linear_choice(round_, given)
