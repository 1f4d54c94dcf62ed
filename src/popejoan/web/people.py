"""The people at a table: who sits, waits, watches or has gone, and the bots that fill seats."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from popejoan.cards import PopeJoanError
from popejoan.match import Match
from popejoan.rules import FEWEST_PLAYERS
from popejoan.web.entries import Settings
from popejoan.web.names import told_apart

__all__ = ["SEATED", "Person", "Refused", "Standing", "reseated", "with_bots", "with_players"]


class Refused(PopeJoanError):
    """Something that the table does not allow now; the message says why.

    ``why`` names the reason for a page that has words of its own, with what the words need; it is
    empty where only a program, or a page that is out of step, can come to be refused.
    """

    def __init__(self, says: str, what: str = "", **values: str | int) -> None:
        super().__init__(says)
        self.why: dict[str, str | int] = {"what": what, **values} if what else {}


_BOT_NAMES: Final = (
    "Dorothea", "Septimus", "Henrietta", "Barnaby", "Lavinia", "Ambrose", "Cordelia", "Jasper",
    "Philippa", "Erasmus",
)  # fmt: skip


class Standing(StrEnum):
    """How someone stands to the table."""

    WAITING = "waiting"
    """For the next deal."""
    SITTING = "sitting"
    """In the match."""
    LEAVING = "leaving"
    """Has gone, and a bot plays the deal out."""
    GONE = "gone"
    """Has gone."""
    WATCHING = "watching"
    """Sees no hand."""


SEATED: Final = (Standing.WAITING, Standing.SITTING)
"""How one stands who holds a seat or asks for one."""


class Person(msgspec.Struct, frozen=True):
    """Someone who has come to the table, or a bot; ``number`` never changes."""

    number: int
    name: str
    standing: Standing
    token: str = ""
    """The digest of the token that holds the seat; nobody's for a bot."""
    bot: str | None = None
    """Which bot it is; None for a person."""
    member: int | None = None
    """The number in the match; None for one who has not sat in it."""

    @property
    def human(self) -> bool:
        """Whether this is a person, and no bot."""
        return self.bot is None

    @property
    def seated(self) -> bool:
        """Whether a seat is held or asked for."""
        return self.standing in SEATED


def with_bots(people: Iterable[Person], bot: str, wanted: int) -> tuple[Person, ...]:
    """The people with so many more bots waiting; bots that had gone come back first."""
    now = list(people)
    for place, person in enumerate(now):
        if wanted and person.bot is not None and person.standing is Standing.GONE:
            now[place] = msgspec.structs.replace(person, bot=bot, standing=Standing.WAITING)
            wanted -= 1
    for _ in range(wanted):
        taken = [person.name for person in now]
        free = [name for name in _BOT_NAMES if name not in taken]
        name = told_apart((free or _BOT_NAMES)[0], taken)
        now.append(Person(len(now), name, Standing.WAITING, bot=bot))
    return tuple(now)


def with_players(
    me: Person, members: Iterable[int], names: Iterable[str], bot: str
) -> tuple[Person, ...]:
    """Someone who sits, and bots in the places of all other members, called as those were."""
    now, called = [me], dict(enumerate(names))
    for member in members:
        if member != me.member:
            taken = [person.name for person in now]
            free = [name for name in _BOT_NAMES if name not in taken]
            name = told_apart(called.get(member) or free[0], taken)
            now.append(Person(len(now), name, Standing.SITTING, bot=bot, member=member))
    return tuple(now)


def reseated(
    match: Match, people: tuple[Person, ...], brought: tuple[int, ...], settings: Settings
) -> tuple[Match, tuple[Person, ...], tuple[int, ...]]:
    """The match, the people and what they brought, once all have moved between two deals.

    Leavers go, newcomers sit down, in the place of bots where there is no other, and bots fill
    what is empty. Raises Refused when fewer than two would sit.
    """
    waiting = [person for person in people if person.standing is Standing.WAITING]
    leaving = [person for person in people if person.standing is Standing.LEAVING]
    bots = [each for each in people if each.bot and each.standing is Standing.SITTING]
    staying = len(match.sitting) - len(leaving)
    spare = len(bots) if settings.bots is None else staying + len(waiting) - settings.seats
    going = bots[-min(spare, len(bots)) :] if spare > 0 and bots else []
    staying -= len(going)
    coming = waiting[: max(0, settings.seats - staying)]
    lacking = max(0, settings.seats - staying - len(coming)) if settings.bots else 0
    if staying + len(coming) + lacking < FEWEST_PLAYERS:
        raise Refused("two must sit: wait for someone, or let bots fill the seats", "alone")
    after = _Reseating(match, list(people), list(brought))
    late = [person for person in (*leaving, *going) if not after.leave(person)]
    for person in coming:
        after.join(person)
    if settings.bots and lacking:
        after.people = list(with_bots(after.people, settings.bots, lacking))
        for person in tuple(after.people):
            if person.bot and person.standing is Standing.WAITING:
                after.join(person)
    for person in late:
        after.leave(person)
    return after.match, tuple(after.people), tuple(after.brought)


class _Reseating:
    """The table while people move."""

    def __init__(self, match: Match, people: list[Person], brought: list[int]) -> None:
        self.match, self.people, self.brought = match, people, brought

    def leave(self, person: Person) -> bool:
        """Let someone go; False for the last one sitting, who must wait for another to come."""
        if len(self.match.sitting) < FEWEST_PLAYERS:
            return False
        assert person.member is not None
        self.match = self.match.leave(person.member)
        self._stand(person, Standing.GONE, person.member)
        return True

    def join(self, person: Person) -> None:
        """Let someone sit down, in the old place where there is one."""
        self.match = self.match.join(person.member)
        member = person.member
        if member is None:
            member = len(self.match.members) - 1
            self.brought.append(self.match.members[member])
        self._stand(person, Standing.SITTING, member)

    def _stand(self, person: Person, standing: Standing, member: int) -> None:
        self.people[person.number] = msgspec.structs.replace(
            self.people[person.number], standing=standing, member=member
        )
