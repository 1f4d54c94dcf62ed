"""The values that the fields of the rules take; what each means at the table is in ``clauses``."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "Ace",
    "CardMoney",
    "Claims",
    "Dressing",
    "Ending",
    "Lead",
    "Pairs",
    "Peek",
    "PopePlayed",
    "PopeTurned",
    "Stock",
    "TurnUp",
]


class Ace(StrEnum):
    """Where the ace stands in its suit."""

    LOW = "low"
    HIGH = "high"


class Dressing(StrEnum):
    """Who dresses the board, and with how much."""

    DEALER = "dealer"
    POOL = "pool"
    RAISE = "raise"
    EACH = "each"
    SINGLE = "single"


class Stock(StrEnum):
    """How many cards lie out of play."""

    SIX_TO_EIGHT = "six-to-eight"
    SPARE_HAND = "spare-hand"
    DEALT_ROUND = "dealt-round"


class TurnUp(StrEnum):
    """Where the turned-up card comes from."""

    APART = "apart"
    IN_STOCK = "in-stock"


class Peek(StrEnum):
    """Who may look at the stock."""

    DEALER = "dealer"
    NOBODY = "nobody"
    SITS_OUT = "dealer-sits-out"


class PopeTurned(StrEnum):
    """What a turned-up Pope does."""

    ENDS = "ends"
    CARDS = "cards"
    HEAD = "head"
    THROWN_IN = "thrown-in"


class Lead(StrEnum):
    """Which cards may be led."""

    BOOK = "book"
    ANY = "any"
    LOWEST = "lowest"
    LOWEST_IN_HAND = "lowest-in-hand"


class Claims(StrEnum):
    """When an earned stake is taken."""

    CALLED = "called"
    AT_ONCE = "at-once"


class Pairs(StrEnum):
    """Who earns matrimony and intrigue."""

    SAME_SEAT = "same-seat"
    SPLIT = "split"


class PopePlayed(StrEnum):
    """What the player of Pope gets."""

    HEAD = "head"
    CARDS = "head-and-cards"


class CardMoney(StrEnum):
    """Where the counters for cards left in hand go."""

    WINNER = "winner"
    BOARD = "board"


class Ending(StrEnum):
    """What becomes of the stakes left on the board when a match ends."""

    FINAL_DEAL = "final-deal"
    STAYS = "stays"
