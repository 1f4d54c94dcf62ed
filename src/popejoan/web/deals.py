"""The cards at a table on the web: drawn from the operating system, sealed before, opened after.

A pack is drawn and put in an order before anyone knows who will sit. Its seal, a digest of the
order and of a random nonce, is published; once the deal is over the order and the nonce are, and
everyone can check that no card was changed. ``popejoan verify`` does it.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from popejoan.cards import PACK, Card, CardSet, PopeJoanError, Rank
from popejoan.deal import Deal, hand_sizes
from popejoan.rules import Rules

__all__ = [
    "Pack", "deal_from", "digest", "fault_with_opening", "final_hands", "first_dealer", "in_order",
]  # fmt: skip

_TITLE: Final = "popejoan pack 1"
_ORDERS: Final = math.factorial(len(PACK))
"""In how many orders a pack can be."""


def digest(cards: str, nonce: str) -> str:
    """The seal of a pack: SHA-256 of three lines, in hexadecimal."""
    return hashlib.sha256(f"{_TITLE}\n{nonce}\n{cards}\n".encode()).hexdigest()


def in_order(cards: Iterable[Card], number: int) -> list[Card]:
    """The cards in the order that has this number: n cards have n! orders, numbered from 0."""
    left = list(cards)
    order = []
    while left:
        number, place = divmod(number, len(left))
        order.append(left.pop(place))
    return order


class Pack(msgspec.Struct, frozen=True):
    """The 51 cards in the order in which they will be dealt; secret until it is opened."""

    cards: str
    """The cards, parted by spaces."""
    nonce: str
    """256 random bits in hexadecimal, so that no order can be guessed from the seal."""

    @classmethod
    def drawn(cls) -> Pack:
        """A pack in one of all orders, each equally likely."""
        # One draw for all: to ask the operating system for each card takes five times as long.
        order = in_order(PACK, secrets.randbelow(_ORDERS))
        return cls(" ".join(map(repr, order)), secrets.token_hex(32))

    @property
    def seal(self) -> str:
        """What is published before the cards are dealt."""
        return digest(self.cards, self.nonce)

    @property
    def order(self) -> tuple[Card, ...]:
        """The cards in their order."""
        return tuple(map(Card.parse, self.cards.split()))


def deal_from(pack: Pack, rules: Rules, players: int, dealer: int) -> Deal:
    """The deal of a pack: a hand after the other from seat 0, the turn-up, and the stock.

    Raises BadRules when the rules cannot be dealt to so many.
    """
    order = pack.order
    hands, at = [], 0
    for size in hand_sizes(rules, players, dealer)[0]:
        hands.append(CardSet.of(order[at : at + size]))
        at += size
    return Deal(tuple(hands), order[at], CardSet.of(order[at + 1 :]))


def final_hands(pack: Pack, players: int) -> tuple[CardSet, ...]:
    """The hands of a final deal: the 51 cards dealt one by one from seat 0."""
    return tuple(CardSet.of(pack.order[seat::players]) for seat in range(players))


def first_dealer(pack: Pack, players: int) -> tuple[int, tuple[Card, ...]]:
    """Who deals first, and the cards turned until the first knave, which finds him."""
    order = pack.order
    turned = next(n for n, card in enumerate(order) if card.rank is Rank.KNAVE)
    return turned % players, order[: turned + 1]


def fault_with_opening(opening: Mapping[str, Any]) -> str | None:
    """What is wrong with the opening of a deal, as the page saves it; None when all is well."""
    try:
        seal, nonce, cards = (str(opening[name]) for name in ("seal", "nonce", "cards"))
        if digest(cards, nonce) != seal:
            return "the seal published before the deal is not the seal of these cards"
        pack = Pack(cards, nonce)
        if sorted(pack.order) != list(PACK):
            return "the cards are not the pack of 51, each once"
        rules = Rules.read(opening["rules"])
        deal = Deal.read(str(opening["deal"]))
        if deal != deal_from(pack, rules, deal.players, int(opening["dealer"])):
            return "the cards dealt are not those of the sealed pack"
    except KeyError as missing:
        return f"the opening has no entry {missing.args[0]!r}"
    except (PopeJoanError, TypeError, ValueError) as error:
        return f"the opening cannot be read: {error}"
    return None
