"""Pope Joan: the old English card game of the painted board.

The files of this folder are the game, the folders are its uses. The game imports the standard
library only, does no input or output, reads no clock, and draws no random number but from the
seeded generator in ``deal``.
"""

from popejoan.board import Board, Compartment, Ledger, Reason, Transfer
from popejoan.cards import (
    PACK,
    POPE,
    BadCard,
    BadDeal,
    BadRecord,
    BadRules,
    BadWire,
    Card,
    CardSet,
    IllegalChange,
    IllegalClaim,
    IllegalPlay,
    PopeJoanError,
    Rank,
    Seat,
    Suit,
)
from popejoan.deal import Chance, Deal, Purpose
from popejoan.match import Match
from popejoan.payments import Due
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

__all__ = [
    "PACK",
    "POPE",
    "BadCard",
    "BadDeal",
    "BadRecord",
    "BadRules",
    "BadWire",
    "Board",
    "Card",
    "CardSet",
    "Chance",
    "Compartment",
    "Deal",
    "Due",
    "IllegalChange",
    "IllegalClaim",
    "IllegalPlay",
    "Ledger",
    "Match",
    "PopeJoanError",
    "Purpose",
    "Rank",
    "Reason",
    "Round",
    "Rules",
    "Seat",
    "Suit",
    "Transfer",
    "View",
]
