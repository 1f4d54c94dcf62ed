"""The command ``replay``: steps through a record, as the truth or as one seat knew it."""

from __future__ import annotations

from collections.abc import Iterator

from popejoan import drawing
from popejoan.cards import BadRecord
from popejoan.drawing import Teller, hand
from popejoan.events import Divided, Event, Led
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.terminal.screen import Screen
from popejoan.view import View

__all__ = ["member_named", "replay"]


def member_named(record: Record, wanted: str) -> int:
    """The member of this name or number; raise ValueError, with those there are, for another."""
    members = range(len(record.match().members))
    names = [*record.names, *[""] * (len(members) - len(record.names))]
    for member in members:
        if wanted == str(member):
            return member
    found = [member for member in members if names[member].casefold() == wanted.casefold()]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{member} {names[member]}".rstrip() for member in members)
    raise ValueError(f"nobody at this table is {wanted!r}: there are {there}")


def replay(screen: Screen, record: Record, member: int | None = None) -> None:
    """Show every deal of a record, a run at a time; ``member`` keeps to what that member knew.

    Where a person watches, Enter shows the next run and ``q`` ends.
    """
    match = record.match()
    rounds = match.past if match.round is None else (*match.past, (match.seats, match.round))
    screen.say(f"{len(rounds)} deal{'s' if len(rounds) != 1 else ''}, rules {match.rules.text}")
    for number, (seats, round_) in enumerate(rounds, 1):
        names = [_name(record, each) for each in seats]
        screen.say()
        screen.say(f"Deal {number}", "bold")
        seat = None if member is None else seats.index(member) if member in seats else None
        if member is not None and seat is None:
            screen.say(f"{_name(record, member)} does not sit in this deal, and sees no hand.")
        if not _deal(screen, round_, names, seat, hidden=member is not None):
            return
    _ending(screen, record, match)


def _name(record: Record, member: int) -> str:
    name = record.names[member] if member < len(record.names) else ""
    return name or f"Player {member}"


def _you(names: list[str]) -> int | None:
    """The place of the player who is called You, as a match that was played names one."""
    return names.index("You") if "You" in names else None


def _deal(
    screen: Screen, round_: Round, names: list[str], seat: int | None, *, hidden: bool
) -> bool:
    """Show one deal; whether to go on to the next."""
    begun = round_.begun
    if hidden:
        screen.show(drawing.view(View.of(begun, seat), names=names, ascii=screen.ascii))
    else:
        screen.show(drawing.round(begun, names=names, ascii=screen.ascii))
        stock = hand(round_.deal.stock, order=round_.rules.order, ascii=screen.ascii)
        screen.show(f"Stock: {stock}")
    events = View.of(round_, seat).events
    for run in _runs(events):
        if screen.interactive:
            typed = screen.ask("Enter shows more, q ends> ")
            if typed is None or typed.casefold().startswith("q"):
                return False
        for line in drawing.events(run, names=names, you=_you(names), ascii=screen.ascii):
            screen.say(line, hang=2)
    if hidden:
        screen.show(drawing.view(View.of(round_, seat), names=names, ascii=screen.ascii))
    else:
        screen.show(drawing.round(round_, names=names, ascii=screen.ascii))
    return True


def _runs(events: tuple[Event, ...]) -> Iterator[list[Event]]:
    """The events before the first lead, then those of each lead."""
    part: list[Event] = []
    for event in events:
        if isinstance(event, Led) and part:
            yield part
            part = []
        part.append(event)
    yield part


def _ending(screen: Screen, record: Record, match: Match) -> None:
    """Show what happened between deals, and what everyone has."""
    names = [_name(record, member) for member in range(len(match.members))]
    teller = Teller(names, you=_you(names), ascii=screen.ascii)
    screen.say()
    for event in match.events:
        screen.say(teller.event(event), hang=2)
        if isinstance(event, Divided):
            for seat, cards in enumerate(event.hands):
                screen.say(f"{names[match.sitting[seat]]}:  {hand(cards, ascii=screen.ascii)}")
    rows = [(name, str(purse)) for name, purse in zip(names, match.purses)]
    screen.columns([("", "counters"), *rows, ("Board", str(match.board.total))])


def damaged(screen: Screen, error: BadRecord) -> None:
    """Show what can be played of a damaged record."""
    if error.playable is not None:
        replay(screen, error.playable)
