"""A lead at a glance: which card to lead by masks alone, so that many worlds can be played abreast.

It asks three things of the legal cards, each only while some card is left that answers yes:
can no other seat lead up to it (unless few cards are left), does its run surely end with an own
card or earn a stake, and is it the first. On the choices of ``tools/train_bots.py`` these choose
about as well as the weighted sum of *counter* where any card may be led, in a few instructions.

All is arithmetic without a branch: a loop over worlds becomes vector instructions.
"""

from __future__ import annotations

from typing import Any

from popejoan.fast.jit import written_in
from popejoan.fast.tables import BOTTOMS, LANE

__all__ = ["glance", "legal_of_book", "lowest_of_lanes", "lowest_rank"]

_GUARDS = (BOTTOMS << 15) - (1 << 64)
"""The bit above each lane, as a signed number."""
_PAIRS = 0x5555_5555_5555_5555
_FOURS = 0x3333_3333_3333_3333
_BYTES = 0x0F0F_0F0F_0F0F_0F0F
_COUNTS = 31 * BOTTOMS
"""A count of up to 31 in each lane."""


@written_in
def down(cards: Any, through: Any) -> Any:
    """Cards, and all that lie below them in an unbroken row of ``through``, eight at most."""
    row = through
    cards |= row & (cards >> 1)
    row &= row >> 1
    cards |= row & (cards >> 2)
    row &= row >> 2
    cards |= row & (cards >> 4)
    return cards


@written_in
def some(wanted: Any, cards: Any) -> Any:
    """Those of the cards that are wanted, or all where none is."""
    kept = cards & wanted
    return kept or cards


@written_in
def glance(hand: Any, live: Any, earning: Any, legal: Any) -> Any:
    """The lead of a hand, as a mask of one card; 0 for an empty hand.

    ``live`` are the cards that others may hold, ``earning`` those to which a stake falls, and
    ``legal`` what may be led.
    """
    rest = hand & (hand - 1)
    rest &= rest - 1
    rest &= rest - 1
    rest &= rest - 1
    reached = live << 1
    apart = ~reached if rest else ~0
    unsure = down(hand & (live >> 1), hand)
    gains = down(hand & earning, hand)
    cards = some(apart, legal)
    cards = some(gains | ~unsure, cards)
    return cards & -cards


@written_in
def lowest_of_lanes(hand: Any) -> Any:
    """The lowest card of each suit."""
    return hand & ~((hand | _GUARDS) - BOTTOMS)


@written_in
def lowest_rank(hand: Any) -> Any:
    """The cards of the lowest rank in the hand."""
    ranks = hand | (hand >> 32)
    ranks = (ranks | (ranks >> 16)) & LANE
    lowest = ranks & -ranks
    lowest |= lowest << 16
    return hand & (lowest | (lowest << 32))


@written_in
def legal_of_book(hand: Any, gone: Any, fixed: Any, pope: Any) -> Any:
    """What the book's order lets lead: ``kernel.legal_leads`` without a branch."""
    stops = hand & (fixed | ((gone & ~BOTTOMS) >> 1))
    counts = hand - ((hand >> 1) & _PAIRS)
    counts = (counts & _FOURS) + ((counts >> 2) & _FOURS)
    counts = (counts + (counts >> 4)) & _BYTES
    counts = (counts + (counts >> 8)) & _COUNTS
    one, two = counts & 31, (counts >> 16) & 31
    three, four = (counts >> 32) & 31, counts >> 48
    most = max(one, two, three, four)
    suits = LANE if one == most else 0
    suits |= LANE << 16 if two == most else 0
    suits |= LANE << 32 if three == most else 0
    suits |= LANE << 48 if four == most else 0
    longest = (lowest_of_lanes(hand) & suits) | (hand & BOTTOMS)
    return stops or (hand & pope) or longest
