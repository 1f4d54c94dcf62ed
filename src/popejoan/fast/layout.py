"""Where things stand in the arrays of the kernel: the flags, the workspace, the sums, the trace.

Everything is a 64-bit integer. Counters are whole, masks are lanes (see ``tables``), and sums are
whole too, so that adding chunks in any order gives the same totals to the last bit.
"""

from __future__ import annotations

from typing import Final

# The flags of ``tables.Tables``, in the order of ``tables.FIELDS``.
PLAYERS: Final = 0
ACE_HIGH: Final = 1
LEAD: Final = 2
PEEK: Final = 3
POPE_TURNED: Final = 4
POPE_CAP: Final = 5
SPLIT: Final = 6
POPE_CARDS: Final = 7
EXEMPT: Final = 8
TO_BOARD: Final = 9
SINGLE: Final = 10
HAS: Final = 11
FIXED: Final = 12
ACE: Final = 13
KING: Final = 14
QUEEN: Final = 15
KNAVE: Final = 16
POPE_BIT: Final = 17

LEAD_BOOK, LEAD_ANY, LEAD_LOWEST = 0, 1, 2
TURNED_ENDS, TURNED_CARDS, TURNED_THROWN_IN = 0, 1, 3

# The compartments, in the order of the board.
AT_ACE, AT_KING, AT_QUEEN, AT_KNAVE, AT_GAME, AT_MATRIMONY, AT_INTRIGUE, AT_POPE = range(8)

# The policies of a leader: from 0 up one that weighs, by the number of its weights.
RANDOM, BOOK, LINEAR = -1, -2, 0

# The quantities that are summed over the deals of a match, by where they begin.
ROLE: Final = 0
"""What each role (0 the dealer, 1 the eldest hand, ...) won or lost: 10 entries, counters."""
WON: Final = 10
"""How often each role was first out: 10 entries."""
TURNED: Final = 20
"""How often each compartment fell to the turn-up: 8 entries."""
FALLEN: Final = 28
"""How often each compartment fell at all: 8 entries."""
STAKE: Final = 36
"""What each compartment held when it fell: 8 entries, counters taken."""
CARRIED: Final = 44
"""What lay in each compartment after the deal: 8 entries, counters."""
LEADS: Final = 52
"""Leads made."""
CHOICES: Final = 53
"""Leads with more than one legal card."""
CARDS: Final = 54
"""Cards played."""
CARD_MONEY: Final = 55
"""Counters paid for cards left in hand."""
EXCUSED: Final = 56
"""How often a seat was excused from paying for holding Pope."""
EXCUSED_CARDS: Final = 57
"""Cards not paid for on that excuse."""
POPE_UP: Final = 58
"""How often Pope was turned up."""
UNPLAYED: Final = 59
"""Deals that ended with the turn-up."""
HELD: Final = 60
"""Hands dealt with Pope, the ace, king, queen, knave of trumps, king and queen, queen and knave:
7 entries."""
HELD_WON: Final = 67
"""What the holders of those won or lost: 7 entries, counters."""
ALL: Final = 74
"""What all roles won or lost together: less than nothing by what stays on the board."""
QUANTITIES: Final = 75

# What a hand may be dealt, from HELD and HELD_WON on: Pope, an honour of trumps, or two.
POPE_HELD, ACE_HELD, KING_HELD, QUEEN_HELD, KNAVE_HELD, MARRIAGE_HELD, INTRIGUE_HELD = range(7)

# The totals of a chunk of matches.
SUMS: Final = 0
"""Each quantity summed."""
SQUARES: Final = QUANTITIES
"""The square of each quantity of a match, summed."""
CROSS: Final = 2 * QUANTITIES
"""Products of quantities of a match, summed; ``settle.factors`` says of which. STAKE with FALLEN: 8
entries."""
CROSS_HELD: Final = CROSS + 8
"""HELD_WON with HELD: 7 entries."""
CROSS_TURNED: Final = CROSS_HELD + 7
"""FALLEN with TURNED: 8 entries."""
CROSS_ALL: Final = CROSS_TURNED + 8
"""ALL with HELD and HELD_WON: 14 entries."""
LENGTHS: Final = CROSS_ALL + 14
"""How many deals had so many leads, 0 to 50: 51 entries."""
DEALS: Final = LENGTHS + 51
MATCHES: Final = DEALS + 1
TOTALS: Final = MATCHES + 1

# The workspace of one match: the quantities of the match first.
HANDS: Final = QUANTITIES
"""The hands dealt, by seat: 10 masks."""
BOARD: Final = HANDS + 10
"""The stakes: 8 entries."""
BALANCES: Final = BOARD + 8
"""What each seat won or lost in the deal: 10 entries."""
PURSES: Final = BALANCES + 10
"""What each seat won or lost in the match: 10 entries."""
WORK: Final = PURSES + 10

# The rows of a trace: a kind and up to five numbers; row 0 counts the rows written.
ROW_DEALT: Final = 1
"""Part (seat, or -1 the stock, -2 the turn-up), mask."""
ROW_DRESSED: Final = 2
"""Seat, compartment, counters."""
ROW_CARD: Final = 3
"""Seat, bit of the card, 1 if led."""
ROW_STOPPED: Final = 4
"""Seat, bit of the last card, why: the place in ``Stop``."""
ROW_STAKE: Final = 5
"""Compartment, seat, counters, the seat's own card (a bit, or -1 for the turn-up and Game), the
other card of a pair (or -1)."""
ROW_PAID: Final = 6
"""Payer, payee, counters, reason: 0 turn-up, 1 Pope played, 2 cards."""
ROW_TO_BOARD: Final = 7
"""Payer, compartment, counters."""
ROW_EXCUSED: Final = 8
"""Seat, cards."""
ROW_OUT: Final = 9
"""The seat that was first out."""
ROW_OVER: Final = 10
"""The seat that took Game."""

# The linear policy: a feature is a whole number.
ONE: Final = 1024
"""What stands for one in a feature."""
FEATURES: Final = {
    "own": "own cards that the run is expected to shed",
    "keeps": "the chance that the leader's card ends the run, so that the leader leads again",
    "earns": "counters that the run is expected to earn the leader",
    "gives": "counters that it is expected to earn the others",
    "sheds": "cards that the others are expected to shed",
    "enters": "the chance that another seat holds the next card up",
    "reached": "one if another card can lead up to this one, so that it need not be led",
    "danger": "the chance of losing the lead, when another seat has two cards or fewer",
    "out": "one if the certain part of the run is the whole hand",
    "below": "own cards of the suit below this one",
    "certain": "own cards at the start of the run before any that is not seen",
    "pope": "one if Pope is among them",
    "stops": "one if the leader's own card ends the run for certain",
}
"""The features by name, in the order of the weights."""
DEFAULT_WEIGHTS: Final = (32, 110, 40, -14, -12, -90, -40, -30, 300, 6, 12, 40, -120)
"""Weights of the features that play well when any card may be led."""
