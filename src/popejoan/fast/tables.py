"""Rules as arrays of integers: what the compiled kernel is told instead of a ``Rules``.

Cards lie here in *lanes*: card ``c`` of rank height ``h`` in suit ``s`` is bit ``16 * s + h`` of a
mask, so that a suit ends in three empty bits and a run of cards is what a carry runs through.
Where the ace is high the heights turn by one, and only ``to_high`` and ``to_low`` know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from popejoan.board import Board, Compartment
from popejoan.cards import POPE, BadRules, Card, CardSet, Order, Rank, Seat
from popejoan.deal import fault_with, hand_sizes
from popejoan.payments import dressing
from popejoan.rules import (
    Ace,
    CardMoney,
    Claims,
    Dressing,
    Ending,
    Lead,
    Pairs,
    Peek,
    PopePlayed,
    PopeTurned,
    Rules,
    Stock,
    TurnUp,
)

__all__ = [
    "BOTTOMS",
    "FIELDS",
    "LANE",
    "LANE_BITS",
    "PACK_HIGH",
    "PACK_LANES",
    "PLAYED",
    "REMOVED_HIGH",
    "REMOVED_LOW",
    "TOPS",
    "Tables",
    "card_of_lane",
    "cards_of_lanes",
    "tables",
    "unsupported",
]

Ints = NDArray[np.int64]

PLACES: Final = tuple(Compartment)
"""The compartments in the order of the board; a compartment's number is its place here."""
LANE_BITS: Final = 16
"""How many bits a suit takes."""
LANE: Final = (1 << 13) - 1
"""The cards of the first suit."""
BOTTOMS: Final = sum(1 << LANE_BITS * suit for suit in range(4))
"""The lowest card of each lane."""
TOPS: Final = BOTTOMS << 12
"""The highest card of each lane."""
REMOVED_LOW, REMOVED_HIGH = 1 << 23, 1 << 22
"""The bit of the card that is not in the pack, with the ace low and high."""
PACK_LANES: Final = LANE * BOTTOMS ^ REMOVED_LOW
"""The 51 cards as lanes with the ace low, in which they are dealt."""
PACK_HIGH: Final = LANE * BOTTOMS ^ REMOVED_HIGH
"""The 51 cards as lanes with the ace high."""

FIELDS: Final = (
    "players", "ace_high", "lead", "peek", "pope_turned", "pope_cap", "split", "pope_cards",
    "exempt", "to_board", "single", "has", "fixed", "ace", "king", "queen", "knave", "pope",
)  # fmt: skip
"""What the entries of ``Tables.flags`` are, in order; the kernel names them the same."""
_LEADS: Final = (Lead.BOOK, Lead.ANY, Lead.LOWEST, Lead.LOWEST_IN_HAND)
_POPE_TURNED: Final = (
    PopeTurned.ENDS, PopeTurned.CARDS, PopeTurned.HEAD, PopeTurned.THROWN_IN,
)  # fmt: skip

TURN_UP: Final = -2
"""The part of a draw that is the turn-up."""
STOCK: Final = -1
"""The part of a draw that goes to the stock."""


class Tables(NamedTuple):
    """The rules for one number of players, as arrays of 64-bit integers that nobody changes."""

    flags: Ints
    """The fields of the rules, ``FIELDS`` names them; shape (18,)."""
    draws: Ints
    """For each dealer, each draw as (how many subsets, where they begin in ``subsets``, the part:
    a seat, STOCK or TURN_UP); the last row of a dealer has no subsets and takes what is left.
    Shape (dealers, draws, 3)."""
    dressing: Ints
    """What is laid before each deal as (steps left of the dealer, place, counters); (rows, 3)."""
    subsets: Ints
    """Every single, pair and triple of 51 places as masks, in the order of their numbers."""


PLAYED: Final[Mapping[str, tuple[object, ...] | None]] = {
    "ace": (Ace.LOW, Ace.HIGH),
    "purse": None,
    "stakes": None,
    "dressing": (
        Dressing.DEALER, Dressing.POOL, Dressing.RAISE, Dressing.EACH, Dressing.SINGLE,
    ),
    "stock": (Stock.SIX_TO_EIGHT, Stock.SPARE_HAND, Stock.DEALT_ROUND),
    "hand_size": None,
    "turn_up": (TurnUp.APART, TurnUp.IN_STOCK),
    "peek": (Peek.DEALER, Peek.NOBODY, Peek.SITS_OUT),
    "pope_turned": _POPE_TURNED,
    "pope_cap": None,
    "lead": _LEADS,
    "pairs": (Pairs.SAME_SEAT, Pairs.SPLIT),
    "claims": (Claims.CALLED, Claims.AT_ONCE),
    "pope_played": (PopePlayed.HEAD, PopePlayed.CARDS),
    "pope_exempt": (False, True),
    "card_money": (CardMoney.WINNER, CardMoney.BOARD),
    "equal_deals": (False, True),
    "ending": (Ending.FINAL_DEAL, Ending.STAYS),
}  # fmt: skip
"""The fields of the rules that the kernel plays by, with their values; None where any value does.

``ending`` and ``equal_deals`` bear on the end of a match, which the kernel leaves to its caller,
``claims`` on what a seat says, and ``purse`` on nothing that it counts.
"""


def unsupported(rules: Rules) -> tuple[str, ...]:
    """The fields of the rules that the kernel cannot play, by name: those not in PLAYED."""
    return tuple(
        field.name
        for field in fields(rules)
        if (values := PLAYED.get(field.name, ())) is not None
        and getattr(rules, field.name) not in values
    )


@lru_cache(maxsize=1)
def _subsets() -> tuple[Ints, tuple[int, int, int, int]]:
    """The masks of all subsets of one, two and three places of 51, and where each kind begins."""
    singles = [1 << a for a in range(51)]
    pairs = [1 << a | 1 << b for b in range(51) for a in range(b)]
    triples = [1 << a | 1 << b | 1 << c for c in range(51) for b in range(c) for a in range(b)]
    begins = (0, 0, len(singles), len(singles) + len(pairs))
    return _frozen(singles + pairs + triples), begins


def _frozen(values: Any) -> Ints:
    array = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array


def _programme(rules: Rules, players: int, dealer: int) -> list[tuple[int, int, int]]:
    """The draws of one deal: see ``deal`` for the order."""
    sizes = hand_sizes(rules, players, dealer)[0]
    begins = _subsets()[1]
    rows = [(51, begins[1], TURN_UP)]
    left = 50
    for part, size in [(STOCK, 50 - sum(sizes)), *enumerate(sizes)]:
        if size == left:
            rows.append((0, 0, part))
            break
        while size:
            taken = min(size, 3)
            count = (left, left * (left - 1) // 2, left * (left - 1) * (left - 2) // 6)[taken - 1]
            rows.append((count, begins[taken], part))
            size -= taken
            left -= taken
    return rows


@lru_cache(maxsize=256)
def tables(rules: Rules, players: int) -> Tables:
    """The arrays for these rules and so many players.

    Raises BadRules when the rules cannot be played by so many, or not by the kernel.
    """
    if fault := fault_with(rules, players):
        raise BadRules([("players", fault)])
    if names := unsupported(rules):
        raise BadRules([(name, "the compiled kernel cannot play this") for name in names])
    high = rules.ace is Ace.HIGH
    fixed = sum(1 << lane_of_card(card, ace_high=high) for card in CardSet(rules.order.fixed_stops))
    heights = [
        rules.order.height(rank - 1) for rank in (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.KNAVE)
    ]
    flags = [
        players,
        high,
        _LEADS.index(rules.lead),
        rules.peek is not Peek.NOBODY,
        _POPE_TURNED.index(rules.pope_turned),
        rules.pope_cap or 52,
        rules.pairs is Pairs.SPLIT,
        rules.pope_played is PopePlayed.CARDS,
        rules.pope_exempt,
        rules.card_money is CardMoney.BOARD,
        rules.dressing is Dressing.SINGLE,
        sum(1 << PLACES.index(place) for place in rules.compartments),
        fixed,
        *heights,
        1 << lane_of_card(POPE, ace_high=high),
    ]
    programmes = [_programme(rules, players, dealer) for dealer in range(players)]
    longest = max(map(len, programmes))
    draws = np.zeros((players, longest, 3), dtype=np.int64)
    for dealer, rows in enumerate(programmes):
        draws[dealer, : len(rows)] = rows
    laid = [
        (int(item.payer), PLACES.index(Compartment(str(item.payee))), item.counters)
        for item in dressing(rules, players, Seat(0), Board())
    ]
    if rules.dressing is Dressing.SINGLE:
        laid = [(0, place, 1) for place in range(len(PLACES)) if flags[11] >> place & 1]
    return Tables(_frozen(flags), _frozen(draws), _frozen(laid), _subsets()[0])


def lane_of_card(card: int, *, ace_high: bool) -> int:
    """The bit on which a card lies in a lane."""
    return card // 13 * LANE_BITS + Order.of(ace_high=ace_high).height(card)


def card_of_lane(bit: int, *, ace_high: bool) -> Card:
    """The card that lies on this bit of a lane."""
    height = bit % LANE_BITS
    return Card(bit // LANE_BITS * 13 + ((height + 1) % 13 if ace_high else height))


def cards_of_lanes(mask: int, *, ace_high: bool) -> CardSet:
    """The cards of a mask of lanes."""
    return CardSet.of(
        card_of_lane(bit, ace_high=ace_high) for bit in range(64) if int(mask) >> bit & 1
    )
