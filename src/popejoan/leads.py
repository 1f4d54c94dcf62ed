"""Leads and stops: which cards may be led from a hand, and why nothing can follow a card.

A round and a view both ask here which leads the rules allow (clause 5.2) and what makes a stop
(clauses 5.3 and 6.2). What a lead that was seen says of its leader's hand is in ``worlds``.
"""

from __future__ import annotations

from typing import Final

from popejoan.cards import POPE, SEVEN_OF_DIAMONDS, Card, CardSet, Order, Suit
from popejoan.events import Stop
from popejoan.rules import Lead, Rules

__all__ = ["known_stops", "legal_leads", "stop_of", "why_not_led"]

# Python 3.11 takes long to look up a member of an enum.
_END, _REMOVED, _TURN_UP, _PLAYED, _STOCK = Stop
_ANY: Final = Lead.ANY
_BOOK: Final = Lead.BOOK
_ACES: Final = sum(1 << 13 * suit for suit in Suit)
_SUITS: Final = tuple(suit.mask for suit in Suit)


def known_stops(order: Order, gone: int) -> int:
    """Mask of the stops that follow from the cards known to be in no hand (clause 5.3).

    Those are the cards that end a suit, 7D, and each whose next card up is in ``gone``.
    """
    return order.fixed_stops | order.below(gone)


def stop_of(order: Order, card: int, turn_up: int, played: int) -> Stop:
    """Why nothing can follow a card whose next card up nobody holds (clause 6.2).

    ``played`` is the mask of the cards played; what is neither played nor turned up lies in the
    stock.
    """
    follows = order.following[card]
    if follows < 0:
        return _REMOVED if card == SEVEN_OF_DIAMONDS else _END
    if follows == turn_up:
        return _TURN_UP
    return _PLAYED if played >> follows & 1 else _STOCK


def legal_leads(rules: Rules, hand: int, gone: int) -> int:
    """Mask of the cards that may be led from a hand.

    ``gone`` is the mask of the cards that the leader knows to be in no hand: those played, the
    turn-up, and for a dealer who may look, the stock.
    """
    lead, order = rules.lead, rules.order
    if lead is _ANY:
        return hand
    if lead is _BOOK:
        stops = hand & known_stops(order, gone)
        return stops or hand & POPE.bit or _longest(hand)
    suits = [cards for suit in _SUITS if (cards := hand & suit)]
    lows = [order.lowest(cards) for cards in suits]
    if lead is Lead.LOWEST:
        return sum(lows)
    heights = [order.height(low.bit_length() - 1) for low in lows]
    least = min(heights, default=0)
    return sum(low for low, height in zip(lows, heights, strict=True) if height == least)


def _longest(hand: int) -> int:
    """Mask of the lowest card of the longest suit, of any if several are longest, and every ace."""
    leads, most = 0, 0
    for suit in _SUITS:
        cards = hand & suit
        length = cards.bit_count()
        if length > most:
            leads, most = cards & -cards, length
        elif length == most:
            leads |= cards & -cards
    return leads | hand & _ACES


def why_not_led(rules: Rules, hand: int, gone: int, card: Card) -> str | None:
    """Why a card that is held may not be led, in words; None when it may."""
    leads = legal_leads(rules, hand, gone)
    if leads & card.bit:
        return None
    may = CardSet(leads).text
    if rules.lead is Lead.LOWEST:
        return f"only the lowest card of a suit may be led: {may}"
    if rules.lead is Lead.LOWEST_IN_HAND:
        return f"only the lowest rank in the hand may be led: {may}"
    if leads & known_stops(rules.order, gone):
        return f"a known stop must be led first: {may}"
    if leads == POPE.bit:
        return f"with no known stop in hand Pope must be led: {may}"
    return f"the lowest card of the longest suit, or an ace, must be led: {may}"
