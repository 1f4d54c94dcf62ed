"""What a hall stands on: where logs are kept, and who thinks for bots.

A server's are in ``store`` and ``thinking``; those of a page that plays by itself in ``solo``.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from popejoan.bots import ByTheBook
from popejoan.cards import Card
from popejoan.view import View
from popejoan.web.entries import Entry

__all__ = ["Conflict", "Keeper", "Mind", "Thought", "instead"]


class Conflict(Exception):
    """Another process has put an entry in this place of the log: read on, and try again."""


class Keeper(Protocol):
    """Keeps the logs of all tables, and the deals that someone made a link to."""

    async def open(self) -> None:
        """Be ready to write."""

    async def close(self) -> None:
        """Write what is waiting."""

    async def ping(self) -> None:
        """Raise when nothing can be kept."""

    async def append(self, code: str, seq: int, *added: Entry, won: int | None = None) -> None:
        """Keep entries, all or none, the first in this place; raises Conflict when one is taken.

        ``won`` is what they bring the player of the deal of a day, who plays it at this table.
        """

    async def log(self, code: str, after: int = 0) -> list[Entry]:
        """The entries of a table after this place, in order."""
        ...

    async def count(self) -> int:
        """How many tables there are."""
        ...

    async def remove(self, code: str) -> None:
        """Remove a table."""

    async def old(self, *, begun_before: float, lobby_before: float) -> list[str]:
        """The tables whose time is up."""
        ...

    async def share(self, name: str, record: str, at: float) -> None:
        """Keep the record of a deal under this name."""

    async def shared(self, name: str) -> str | None:
        """The record of the deal that has this name."""
        ...

    async def day(self, day: str, record: str) -> str:
        """The record of the deal of a day: this one, unless there is one already."""
        ...

    async def begin_day(self, day: str, who: str, name: str, code: str) -> bool:
        """Note who plays the deal of a day at which table; False when they did before."""
        ...

    async def result(self, day: str, who: str) -> str | None:
        """The table at which someone plays the deal of a day."""
        ...

    async def results(self, day: str) -> list[tuple[str, str, int | None]]:
        """Everyone who has begun the deal of a day: digest, name, and what they won."""
        ...

    async def forget_days(self, before: str) -> None:
        """Remove the deals of the days before this, and their results."""

    async def forget_deals(self, before: float) -> None:
        """Remove the deals whose link was made before this."""


class Thought(NamedTuple):
    """What a bot leads, and what went wrong on the way."""

    card: Card
    fault: str | None = None


def instead(view: View, fault: str) -> Thought:
    """A play by the book for a bot that could not choose."""
    return Thought(ByTheBook().choose(view), fault)


class Mind(Protocol):
    """Thinks for bots, and over hints."""

    async def warm(self) -> None:
        """Be ready ahead of the first thought."""

    async def lead(self, name: str, seed: int, view: View) -> Thought:
        """The card that this bot leads."""
        ...

    async def hint(self, view: View, seed: int = 0) -> dict[str, Any]:
        """Advice on a lead; raises Refused when none can be had."""
        ...

    def close(self) -> None:
        """Think no more."""
