"""The first deal of someone who learns: always the same cards, played by the real engine.

Whatever the learner leads of what may be led, the deal shows every kind of stop, the learner earns
Matrimony and Pope, and goes out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from popejoan.deal import Deal
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import Rules

__all__ = ["BOT", "SEAT", "lesson_record"]

SEAT: Final = 0
"""The learner's seat, at the dealer's left."""
BOT: Final = "book"
"""The bot in the other seats: it chooses nothing by chance."""
_DEAL: Final = (
    "3C TC 5D 9D 2H TH QH KH 2S 6S JS / 2C 7C 8C KC 4D QD JH 7S 8S TS KS / "
    "6C 9C JC QC KD AH 4H 8H 9H 3S 4S / AC 5C 2D 3D 7D TD JD 6H 7H 5S QS | 3H | "
    "4C AD 6D 5H AS 9S"
)


@lru_cache(maxsize=1)
def lesson_record() -> str:
    """The record of the learner's deal, dealt and not yet led to."""
    match = Match.start(Rules.HOYLE, players=4, first_dealer=3)
    return Record.of(match.deal(Deal.read(_DEAL))).text
