"""Programs that play: what a bot is, and how one is found by name. The bots are in modules below.

A bot is handed the view of its own seat and nothing else. A package of someone else's adds bots by
an entry point of the group ``popejoan.bots``: its name is the bot's, and it gives a callable that
takes a seed and makes the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from popejoan.bots.bot import Bot, claims_of
from popejoan.bots.simple import ByTheBook, Newcomer
from popejoan.bots.weighing import Counter, Mixed, Sharp

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "LADDER",
    "Bot",
    "BotMaker",
    "ByTheBook",
    "Counter",
    "Mixed",
    "Newcomer",
    "Sharp",
    "bot",
    "bot_names",
    "claims_of",
    "level",
]


BotMaker: TypeAlias = Callable[[int], Bot]
"""Makes a bot from a seed; one that needs no chance ignores it."""

GROUP: Final = "popejoan.bots"
"""The group of entry points by which a package adds its bots."""

_OWN: Final[dict[str, BotMaker]] = {
    "newcomer": Newcomer,
    "book": lambda _seed: ByTheBook(),
    "counter": lambda _seed: Counter(),
    "sharp": lambda _seed: Sharp(),
}

LADDER: Final = ("newcomer", "book", "counter", "sharp", "master")
"""The project's own bots, the weakest first: levels 0 to 4. *master* is added by the project's own
entry point, since it is wired to the compiled kernel above this folder."""


def _added() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return entry_points(group=GROUP)


def bot_names() -> tuple[str, ...]:
    """The names of all the bots that can be made, the project's own first."""
    added = sorted({each.name for each in _added()} - set(_OWN))
    return (*_OWN, *added)


def level(name: str) -> float | None:
    """The level of the LADDER that a number names, from 0 to 4; None for all else.

    >>> level("2.5"), level("4.01"), level("book")
    (2.5, None, None)
    """
    if not name.replace(".", "", 1).isdecimal():
        return None
    number = float(name)
    return number if number <= len(LADDER) - 1 else None


def bot(name: str, seed: int = 0) -> Bot:
    """Make the bot of this name; raise ValueError for a name that no bot has.

    A number from 0 to 4 is a level of the LADDER, or a strength between two of them.

    >>> bot("newcomer", 7)
    Newcomer(seed=7)
    >>> bot("1.25", 7)
    Mixed(lower=ByTheBook(), upper=Counter(), share=0.25, seed=7)
    """
    number = level(name)
    if number is not None:
        below, share = divmod(number, 1)
        lower = bot(LADDER[int(below)], seed)
        return Mixed(lower, bot(LADDER[int(below) + 1], seed), share, seed) if share else lower
    if name in _OWN:
        return _OWN[name](seed)
    for each in _added():
        if each.name == name:
            made = cast("BotMaker", each.load())(seed)
            if not isinstance(made, Bot):
                raise ValueError(f"{name!r} ({each.value}) makes {made!r}, which is no bot")
            return made
    shown = name if len(name) <= 40 else name[:37] + "..."
    raise ValueError(
        f"no bot is called {shown!r}: they are {', '.join(bot_names())}, or a number from 0 to "
        f"{len(LADDER) - 1} for a strength between two"
    )
