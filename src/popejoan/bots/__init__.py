"""Programs that play: what a bot is, and how one is found by name. The bots are in modules below.

A bot is handed the view of its own seat and nothing else. A package of someone else's adds bots by
an entry point of the group ``popejoan.bots``: its name is the bot's, and it gives a callable that
takes a seed and makes the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Protocol, TypeAlias, cast, runtime_checkable

from popejoan.bots.simple import ByTheBook, Newcomer
from popejoan.cards import Card
from popejoan.view import View

__all__ = ["Bot", "BotMaker", "ByTheBook", "Newcomer", "bot", "bot_names"]


@runtime_checkable
class Bot(Protocol):
    """A program that plays for one seat."""

    def choose(self, view: View) -> Card:
        """The card to play, one of ``view.legal``; asked only when that is not empty."""
        ...


BotMaker: TypeAlias = Callable[[int], Bot]
"""Makes a bot from a seed; one that needs no chance ignores it."""

GROUP: Final = "popejoan.bots"
"""The group of entry points by which a package adds its bots."""

_OWN: Final[dict[str, BotMaker]] = {
    "newcomer": Newcomer,
    "book": lambda _seed: ByTheBook(),
}


def _added() -> Iterable[EntryPoint]:
    return entry_points(group=GROUP)


def bot_names() -> tuple[str, ...]:
    """The names of all the bots that can be made, the project's own first."""
    added = sorted({each.name for each in _added()} - set(_OWN))
    return (*_OWN, *added)


def bot(name: str, seed: int = 0) -> Bot:
    """Make the bot of this name; raise ValueError for a name that no bot has.

    >>> bot("newcomer", 7)
    Newcomer(seed=7)
    """
    if name in _OWN:
        return _OWN[name](seed)
    for each in _added():
        if each.name == name:
            made = cast("BotMaker", each.load())(seed)
            if not isinstance(made, Bot):
                raise ValueError(f"{name!r} ({each.value}) makes {made!r}, which is no bot")
            return made
    raise ValueError(f"no bot is called {name!r}: they are {', '.join(bot_names())}")
