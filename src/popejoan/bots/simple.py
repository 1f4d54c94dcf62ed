"""Two simple bots: one that leads anything it may, and one that leads in the book's order.

Neither weighs what the others may hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from popejoan.cards import POPE, Card, CardSet, Rank, Suit
from popejoan.deal import Chance, Purpose
from popejoan.view import View

__all__ = ["ByTheBook", "Newcomer"]


@final
@dataclass(frozen=True, slots=True)
class Newcomer:
    """Leads any card it may, each equally likely, by its seed: the same view, the same card."""

    seed: int = 0
    """What its choices are drawn from."""

    def choose(self, view: View) -> Card:
        """One of the legal cards."""
        chance = Chance(self.seed, view.dealt.mask, len(view.events), Purpose.LEAD)
        return chance.pick(view.legal)


@final
@dataclass(frozen=True, slots=True)
class ByTheBook:
    """Leads in the order of the source text, whatever else the rules allow.

    A stop it knows, else Pope, else an ace, else the lowest card of its longest suit; among
    equals the lowest number. Where the ace is high, an ace is a stop.
    """

    def choose(self, view: View) -> Card:
        """The first legal card in the book's order."""
        for some in (view.legal & view.stops, view.legal & POPE.alone, _aces(view.legal)):
            if some:
                return next(iter(some))
        return _lowest_of_longest(view)


def _aces(cards: CardSet) -> CardSet:
    return CardSet.of(card for card in cards if card.rank is Rank.ACE)


def _lowest_of_longest(view: View) -> Card:
    """The lowest legal card of the longest suit that has one."""
    suits = [suit for suit in Suit if view.legal.of_suit(suit)]
    longest = max(suits, key=lambda suit: len(view.hand.of_suit(suit)))
    return min(view.legal.of_suit(longest), key=view.rules.order.height)
