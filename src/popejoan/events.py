"""Everything that can happen at the table, as frozen records in the past tense.

Screens, log, wire, records and tests read events; nobody compares states. Every event is public:
each seat sees the same ones. What caused them is in ``round`` and ``match``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias, final

from popejoan.board import Compartment, Transfer
from popejoan.cards import PACK, Card, CardSet, Seat
from popejoan.rules import MOST_PLAYERS, Rules

__all__ = [
    "FOLLOWED",
    "LED",
    "ROUND_OVER",
    "STOPPED",
    "WENT_OUT",
    "Claimed",
    "ClaimsSwitched",
    "DealerFound",
    "Dealt",
    "Divided",
    "Dressed",
    "Earned",
    "Ended",
    "Event",
    "Excused",
    "Followed",
    "Joined",
    "Lapsed",
    "Led",
    "Left",
    "MatchEvent",
    "Paid",
    "Plays",
    "RoundOver",
    "RulesChanged",
    "Stop",
    "Stopped",
    "Switched",
    "TurnedUp",
    "WentOut",
]


class Stop(StrEnum):
    """Why nothing can follow a card; the table sees each reason when nobody follows.

    Which of them it is, is said in ``leads``.
    """

    END = "end"
    """The highest card of a suit: a king, or an ace where the ace is high."""
    REMOVED = "removed"
    """The seven of diamonds, the eight being out of the pack."""
    TURN_UP = "turn-up"
    """The next card is the turn-up."""
    PLAYED = "played"
    """The next card has been played."""
    STOCK = "stock"
    """The next card lies in the stock."""

    __hash__ = str.__hash__  # Enum's own is a Python function, and every stop looks one up


@final
@dataclass(frozen=True, slots=True)
class Dressed:
    """The board was dressed for the deal (clause 2.2)."""

    transfers: tuple[Transfer, ...]
    """What each seat laid where."""


@final
@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards were dealt (clause 3.2)."""

    dealer: Seat
    """Who dealt."""
    sizes: tuple[int, ...]
    """How many cards each seat was dealt."""
    stock: int
    """How many lie in the stock, the turn-up not counted."""


@final
@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card was turned up for trumps (clause 3.4)."""

    card: Card
    """The turn-up."""


@final
@dataclass(frozen=True, slots=True)
class Led:
    """A seat began a run (clause 5.2)."""

    seat: Seat
    """Who led."""
    card: Card
    """The card led."""


@final
@dataclass(frozen=True, slots=True)
class Followed:
    """A seat played the run's next card (clause 6.1)."""

    seat: Seat
    """Who followed."""
    card: Card
    """The card played."""


@final
@dataclass(frozen=True, slots=True)
class Stopped:
    """A run could not go on; the seat of its last card leads (clauses 6.2 and 6.3)."""

    seat: Seat
    """Who played the last card."""
    card: Card
    """The run's last card."""
    stop: Stop
    """Why nothing followed."""


@final
@dataclass(frozen=True, slots=True)
class Earned:
    """A seat played what a compartment asks for, and may claim its stake (clause 7.4)."""

    seat: Seat
    """Who earned it."""
    compartment: Compartment
    """The compartment."""
    counters: int
    """The stake earned."""


@final
@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat took a stake from the board (clauses 4.1, 4.2, 7.4 and 8.1)."""

    seat: Seat
    """Who took it."""
    compartment: Compartment
    """From where."""
    counters: int
    """How many counters."""


@final
@dataclass(frozen=True, slots=True)
class Switched:
    """A seat turned its switch 'claim for me' on or off (clause 7.4)."""

    seat: Seat
    """Whose switch."""
    on: bool
    """Whether its claims are now made for it."""


@final
@dataclass(frozen=True, slots=True)
class Paid:
    """Counters went from a seat to another, or to the board (clauses 4.2, 7.5 and 8.2)."""

    transfer: Transfer
    """The payment."""


@final
@dataclass(frozen=True, slots=True)
class Excused:
    """A seat still held Pope at the end, and paid nothing for its cards (clause 8.3)."""

    seat: Seat
    """Who held Pope."""
    cards: int
    """How many cards it held."""


@final
@dataclass(frozen=True, slots=True)
class WentOut:
    """A seat played its last card (clause 8.1)."""

    seat: Seat
    """Who went out."""


@final
@dataclass(frozen=True, slots=True)
class RoundOver:
    """The deal was played out and paid."""

    winner: Seat
    """Who took Game."""


Event: TypeAlias = (
    Dressed
    | Dealt
    | TurnedUp
    | Led
    | Followed
    | Stopped
    | Earned
    | Claimed
    | Switched
    | Paid
    | Excused
    | WentOut
    | RoundOver
)
"""What can happen within a round."""


@final
@dataclass(frozen=True, slots=True)
class DealerFound:
    """The first knave of a face-up round found the first dealer (clause 3.1)."""

    member: int
    """Who deals first."""
    cards: tuple[Card, ...]
    """The cards turned, the knave last."""


@final
@dataclass(frozen=True, slots=True)
class Joined:
    """A player sat down, or came back to the place left before (clause 9.3)."""

    member: int
    """The member's number in the match."""
    purse: int
    """The counters brought, or left here before."""


@final
@dataclass(frozen=True, slots=True)
class Left:
    """A player left; the purse is kept with the match (clause 9.3)."""

    member: int
    """The member's number in the match."""
    purse: int
    """The counters taken, or owed."""


@final
@dataclass(frozen=True, slots=True)
class Lapsed:
    """A stake was not claimed before the board was dressed again, and stayed (clause 7.4)."""

    member: int
    """Whose claim it was."""
    compartment: Compartment
    """The compartment."""
    counters: int
    """The stake that stayed."""


@final
@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The table agreed to play the next deal by other rules (clause 9.7)."""

    rules: Rules
    """The rules from now on."""


@final
@dataclass(frozen=True, slots=True)
class ClaimsSwitched:
    """A member who has no seat in the deal turned the switch 'claim for me' (clause 7.4)."""

    member: int
    """Whose switch."""
    on: bool
    """Whether claims are made for the member from the next deal on."""


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """The table agreed to stop (clause 9.4)."""


@final
@dataclass(frozen=True, slots=True)
class Divided:
    """The stakes left at the end went by a final deal, face up (clause 9.5)."""

    hands: tuple[CardSet, ...]
    """The hands, by seat."""
    transfers: tuple[Transfer, ...]
    """Who took what; the payees are seats of the last deal."""


MatchEvent: TypeAlias = (
    DealerFound | Joined | Left | Lapsed | RulesChanged | ClaimsSwitched | Ended | Divided
)
"""What can happen beside the rounds."""


# Every round has these events; each is made once and shared.
Plays: TypeAlias = tuple[Mapping[int, Led | Followed], ...]
"""By seat and card, the event of playing it."""
LED: Final[Plays] = tuple(
    {int(card): Led(Seat(seat), card) for card in PACK} for seat in range(MOST_PLAYERS)
)
"""``LED[seat][card]``: the lead of that card by that seat."""
FOLLOWED: Final[Plays] = tuple(
    {int(card): Followed(Seat(seat), card) for card in PACK} for seat in range(MOST_PLAYERS)
)
"""``FOLLOWED[seat][card]``: the follow of that card by that seat."""


def _stopped(stop: Stop) -> tuple[dict[int, Stopped], ...]:
    return tuple(
        {int(card): Stopped(Seat(seat), card, stop) for card in PACK}
        for seat in range(MOST_PLAYERS)
    )


STOPPED: Final = {stop: _stopped(stop) for stop in Stop}
"""``STOPPED[stop][seat][card]``: the stop for that reason of a run at that card by that seat."""

WENT_OUT: Final = tuple(WentOut(Seat(seat)) for seat in range(MOST_PLAYERS))
"""``WENT_OUT[seat]``: that seat played its last card."""
ROUND_OVER: Final = tuple(RoundOver(Seat(seat)) for seat in range(MOST_PLAYERS))
"""``ROUND_OVER[seat]``: the end of a round that this seat won."""
