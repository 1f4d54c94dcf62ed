"""The log of a table: everything that was accepted, in order, as it is kept in the store.

An entry holds all that chance or the clock decided, so that the same entries always come to the
same table. The log holds the cards; what a client is shown is made in ``telling``.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from popejoan.web.deals import Pack

__all__ = [
    "Came", "Claimed", "Closed", "Dealt", "Ending", "Entry", "Handed", "Laid", "Led", "Left",
    "Noted", "Opened", "Paused", "Planned", "Ready", "Rematched", "Returned", "Said", "Settings",
    "Started", "Switched", "TakenBack", "decode", "encode",
]  # fmt: skip


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is set: what its host chose."""

    name: Annotated[str, msgspec.Meta(max_length=200)] = "Pope Joan"
    """What the table is called."""
    seats: Annotated[int, msgspec.Meta(ge=2, le=10)] = 4
    """For how many it is set."""
    rules: Annotated[str, msgspec.Meta(max_length=1000)] = "HOYLE"
    """The rules on one line: a preset and the fields that differ."""
    deals: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    """How many deals are played; None until the table agrees to stop."""
    bots: Annotated[str, msgspec.Meta(max_length=60)] | None = "book"
    """The bot that fills empty seats; None to leave them empty."""
    clock: Annotated[int, msgspec.Meta(ge=5, le=600)] | None = None
    """For how many seconds a player may think; None without end."""
    grace: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 30
    """After how many seconds a bot plays for someone who has dropped."""
    watch: bool = True
    """Whether others may watch."""
    chat: bool = True
    """Whether there is chat."""
    aids: bool = True
    """Whether known stops and dead cards may be shown; if not, everyone plays from memory."""
    hints: bool = True
    """Whether a player may ask what to lead."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True):
    """What every entry has."""

    at: float = 0.0
    """When it was accepted, in seconds since 1970."""
    ask: str = ""
    """Who asked, and the client's own name for it, so that the same is never done twice."""


class Opened(_Entry, frozen=True, tag="opened"):
    """The table was set."""

    settings: Settings


class Came(_Entry, frozen=True, tag="came"):
    """Someone came to the table, to sit or to watch."""

    name: str
    token: str
    """The digest of the token that holds the seat."""
    watching: bool = False


class Returned(_Entry, frozen=True, tag="returned"):
    """Someone who had left, or watched, asks for a seat from the next deal."""

    person: int


class Left(_Entry, frozen=True, tag="left"):
    """Someone left, or was removed by the host; a bot plays the deal out."""

    person: int
    by: int | None = None


class Planned(_Entry, frozen=True, tag="planned"):
    """The host set the table anew: at once before the first deal, else from the next."""

    settings: Settings


class Started(_Entry, frozen=True, tag="started"):
    """The match began: the first knave of one pack found the dealer; the next was sealed."""

    knave: Pack
    next: Pack


class Laid(_Entry, frozen=True, tag="laid"):
    """A deal was laid out as a record tells it, for the host to play on against bots."""

    record: str
    """The record, whose last deal is going on."""
    seat: int
    """The host's seat."""
    bot: str
    """The bot in every other seat."""
    pack: Pack
    """The deal's cards in the order of a pack."""
    next: Pack
    day: str = ""
    """The day whose deal it is, as 2026-05-31; empty for a deal that was played before."""
    then: tuple[int, ...] = ()
    """What each seat won when the deal was played before."""


class Dealt(_Entry, frozen=True, tag="dealt"):
    """The sealed pack was dealt, and the next one sealed."""

    next: Pack


class Led(_Entry, frozen=True, tag="led"):
    """A card was led, and all that had to follow followed."""

    person: int
    card: str
    by: str = ""
    """Who chose it: the player, or ``bot``, ``away``, ``clock``."""


class TakenBack(_Entry, frozen=True, tag="taken-back"):
    """The last lead was taken back, nothing having been revealed by it."""

    person: int


class Claimed(_Entry, frozen=True, tag="claimed"):
    """A stake was claimed."""

    person: int
    compartment: str


class Switched(_Entry, frozen=True, tag="switched"):
    """The switch 'claim for me' was set."""

    person: int
    on: bool


class Ready(_Entry, frozen=True, tag="ready"):
    """Someone is ready for the next deal."""

    person: int


class Ending(_Entry, frozen=True, tag="ending"):
    """The match is to end with this deal, or not after all."""

    on: bool = True


class Closed(_Entry, frozen=True, tag="closed"):
    """The match ended; what lay on the board was shared out where the rules say so."""


class Rematched(_Entry, frozen=True, tag="rematched"):
    """The same people are to play again."""


class Paused(_Entry, frozen=True, tag="paused"):
    """The host stopped the table for a while, or went on."""

    on: bool


class Handed(_Entry, frozen=True, tag="handed"):
    """The host's role moved."""

    person: int


class Said(_Entry, frozen=True, tag="said"):
    """Someone said something."""

    person: int
    text: str


class Noted(_Entry, frozen=True, tag="noted"):
    """The table was told something about a bot."""

    text: str
    bot: str = ""
    """The bot that could not choose."""


Entry: TypeAlias = (
    Opened | Came | Returned | Left | Planned | Started | Laid | Dealt | Led | TakenBack | Claimed
    | Switched | Ready | Ending | Closed | Rematched | Paused | Handed | Said | Noted
)  # fmt: skip
"""Anything that the log can hold."""

_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)
_ENCODER = msgspec.json.Encoder()


def encode(entry: Entry) -> bytes:
    """The entry as it is kept."""
    return _ENCODER.encode(entry)


def decode(data: bytes) -> Entry:
    """The entry that was kept; raises msgspec.ValidationError for anything else."""
    return _DECODER.decode(data)
