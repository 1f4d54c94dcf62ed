"""The protocol: every message that travels between a client and the server, as a type.

``docs/protocol.md`` explains them; their JSON Schema is made from these types.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec

from popejoan.cards import PopeJoanError
from popejoan.web.entries import Settings

__all__ = [
    "PROTOCOL", "AskClaim", "AskClose", "AskEnd", "AskHand", "AskHint", "AskLead", "AskLeave",
    "AskPause", "AskPlan", "AskReady", "AskRematch", "AskRemove", "AskReturn", "AskSay", "AskStart",
    "AskSwitch", "AskTakeBack", "Asked", "BadMessage", "Done", "Goodbye", "Hello", "Hint", "News",
    "Ping", "Pong", "Refusal", "Sent", "Welcome", "ask_from",
]  # fmt: skip

PROTOCOL: Final = 1
"""The version of the protocol; another is refused."""

_Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class _Message(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    pass


# From a client


class Hello(_Message, frozen=True, tag="hello"):
    """The first message on a socket: who is there."""

    protocol: int
    """The version of the protocol that the client speaks."""
    token: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The secret that holds a seat; empty to watch, or to use the cookie."""
    says: bool = True
    """Whether to tell what happens in English sentences as well; they are empty if not."""


class Ping(_Message, frozen=True, tag="ping"):
    """Asks whether the line is still there."""


class _Ask(_Message, frozen=True):
    id: _Id
    """The client's own name for this ask: sent again, it is not done again."""


class AskStart(_Ask, frozen=True, tag="start"):
    """The host begins the match."""


class AskLead(_Ask, frozen=True, tag="lead"):
    """Lead a card; what must follow follows."""

    deal: _Number
    """The number of the deal."""
    seen: _Number
    """How many events of the deal the client had seen when it chose."""
    card: Annotated[str, msgspec.Meta(max_length=3)]
    """The card, as ``9D``."""


class AskHint(_Ask, frozen=True, tag="hint"):
    """Ask what to lead; nobody else hears of it."""

    deal: _Number
    """The number of the deal."""
    seen: _Number
    """How many events of the deal the client had seen when it asked."""


class AskTakeBack(_Ask, frozen=True, tag="take-back"):
    """Take back one's last lead, if it has shown nothing."""


class AskClaim(_Ask, frozen=True, tag="claim"):
    """Claim a stake that is due."""

    compartment: Annotated[str, msgspec.Meta(max_length=20)]
    """The compartment."""


class AskSwitch(_Ask, frozen=True, tag="switch"):
    """Set one's switch 'claim for me'."""

    on: bool


class AskReady(_Ask, frozen=True, tag="ready"):
    """Be ready for the next deal."""

    deal: _Number
    """The number of the deal that is over."""


class AskReturn(_Ask, frozen=True, tag="return"):
    """Take a seat, or take it again, from the next deal."""


class AskLeave(_Ask, frozen=True, tag="leave"):
    """Leave the table; a bot plays the deal out."""


class AskSay(_Ask, frozen=True, tag="say"):
    """Say something to the table."""

    text: Annotated[str, msgspec.Meta(max_length=1200)]


class AskRemove(_Ask, frozen=True, tag="remove"):
    """The host removes someone."""

    person: _Number


class AskHand(_Ask, frozen=True, tag="hand-over"):
    """The host makes someone else the host."""

    person: _Number


class AskPause(_Ask, frozen=True, tag="pause"):
    """The host stops the table for a while, or goes on."""

    on: bool


class AskEnd(_Ask, frozen=True, tag="end"):
    """The host ends the match with this deal, or not after all."""

    on: bool = True


class AskClose(_Ask, frozen=True, tag="next"):
    """The host goes on at once, without waiting for all to be ready."""

    deal: _Number


class AskPlan(_Ask, frozen=True, tag="plan"):
    """The host sets the table anew, from the next deal."""

    settings: Settings


class AskRematch(_Ask, frozen=True, tag="rematch"):
    """Play again, with the same people."""


Asked: TypeAlias = (
    Hello | Ping | AskStart | AskLead | AskHint | AskTakeBack | AskClaim | AskSwitch | AskReady
    | AskReturn | AskLeave | AskSay | AskRemove | AskHand | AskPause | AskEnd | AskClose | AskPlan
    | AskRematch
)  # fmt: skip
"""Anything that a client sends."""


# From the server


class Welcome(_Message, frozen=True, tag="welcome"):
    """Everything that this client may know, at one moment."""

    protocol: int
    seq: int
    """The number of the last entry of the table's log."""
    you: int | None
    """The number of the person; None for one who watches without a name."""
    table: dict[str, Any]
    """The table, by sections: what is public."""
    view: dict[str, Any] | None
    """The deal as this seat may see it, in the form of docs/wire.md; None between matches."""
    lines: list[list[Any]]
    """The last lines of chat: person, text, seconds since 1970."""
    says: list[str]
    """What happened last, in English sentences."""
    told: list[dict[str, Any]]
    """What happened last, as facts, the events of the last deals among them."""


class News(_Message, frozen=True, tag="news", omit_defaults=True):
    """Something happened: what has changed since the message before."""

    seq: int
    """The number of the entry."""
    table: dict[str, Any] = {}
    """The sections of the table that changed."""
    view: dict[str, Any] | None = None
    """A new deal, whole."""
    more: dict[str, Any] | None = None
    """The deal going on: its events from ``since``, and all entries of the view that can change."""
    says: list[str] = []
    """What happened, in English sentences."""
    told: list[dict[str, Any]] = []
    """What happened besides the events in ``view`` or ``more``, as facts."""
    line: list[Any] | None = None
    """A line of chat."""


class Done(_Message, frozen=True, tag="done"):
    """What was asked is done."""

    id: str
    seq: int


class Refusal(_Message, frozen=True, tag="refused"):
    """What was asked is not done, and why."""

    id: str
    says: str
    """The reason in English."""
    why: dict[str, str | int] = {}
    """The reason's name as ``what``, and what its words need; empty for one without a name."""


class Hint(_Message, frozen=True, tag="hint"):
    """Advice on a lead, from what the seat may know and nothing else."""

    id: str
    deal: int
    seen: int
    """How many events of the deal had happened."""
    hint: dict[str, Any]
    """``lead``, ``runner_up``, ``gain``, ``error``, ``sure``, ``reasons``, ``worlds``, ``leads``,
    and all of it in words as ``text``."""


class Goodbye(_Message, frozen=True, tag="goodbye"):
    """The server closes this socket, and why."""

    says: str
    """The reason in English."""
    why: str = ""
    """The reason's name; empty for one that only a faulty program can give."""


class Pong(_Message, frozen=True, tag="pong"):
    """The line is there."""


Sent: TypeAlias = Welcome | News | Done | Refusal | Hint | Goodbye | Pong
"""Anything that the server sends."""

_DECODER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)


class BadMessage(PopeJoanError):
    """What a client sent is no message; says why."""


def ask_from(text: str) -> Asked:
    """The message that a client sent; raises BadMessage for anything else."""
    try:
        return _DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise BadMessage(str(error)) from None
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise BadMessage("this is no JSON") from None
