"""The command ``replay``: steps through a record, as the truth or as one seat knew it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, TextIO

import typer

from popejoan import drawing, json_deal
from popejoan.cards import BadRecord
from popejoan.drawing import Teller, hand
from popejoan.events import Divided, Event, Led
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.terminal import manual
from popejoan.terminal.options import (
    AsciiOption,
    FileArgument,
    fail,
    print_json,
    read_file,
    usage,
)
from popejoan.view import View

if TYPE_CHECKING:
    from popejoan.terminal.screen import Screen

__all__ = ["answer_lines", "member_named", "register", "show"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(help=manual.REPLAY)(replay)


def replay(
    file: FileArgument,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what it comes to; a JSON deal is read as well.")
    ] = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Read a JSON deal a line, answer each with one.")
    ] = False,
    seat: Annotated[
        str,
        typer.Option(
            "--view",
            metavar="SEAT",
            help="Show only what this player knew: a name, or a number from 0.",
            show_default=False,
        ),
    ] = "",
    ascii: AsciiOption = None,
) -> None:
    """Step through a record, or answer deals in JSON."""
    from popejoan.terminal.screen import Screen

    if sum((as_json, json_lines, bool(seat))) > 1:
        usage("--json, --json-lines and --view are three ways to show a record: choose one")
    if json_lines:
        _answer_lines(file)
        return
    text = read_file(file)
    if as_json:
        answered = json_deal.answer(text)
        print_json(answered)
        if json_deal.refused(answered):
            raise typer.Exit(1)
        return
    screen = Screen(ascii=ascii)
    try:
        record = Record.read(text)
    except BadRecord as error:
        if not seat and error.playable is not None:
            show(screen, error.playable)
        fail(f"{file}: {error}")
    member = None
    if seat:
        try:
            member = member_named(record, seat)
        except ValueError as error:
            usage(str(error))
    show(screen, record, member)


def _answer_lines(file: str) -> None:
    try:
        if file == "-":
            whole = answer_lines(sys.stdin.buffer, sys.stdout)
        else:
            with Path(file).open("rb") as source:
                whole = answer_lines(source, sys.stdout)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    if not whole:
        raise typer.Exit(1)


def answer_lines(source: BinaryIO, sink: TextIO) -> bool:
    """Answer each line of ``source``, a JSON deal, with a line of ``sink``, at once.

    Gives whether all were deals; a line that is none is answered with its error, and the next is
    read.
    """
    most, whole = json_deal.LONGEST_LINE, True
    while line := source.readline(most + 2):
        end = line
        while not end.endswith(b"\n") and (end := source.readline(most)):
            pass
        answered = json_deal.answer_json(line)
        whole = whole and not json_deal.refused(answered)
        sink.write(json.dumps(answered) + "\n")
        sink.flush()
    return whole


def member_named(record: Record, wanted: str) -> int:
    """The member of this name or number; raise ValueError, with those there are, for another."""
    members = range(len(record.match.members))
    names = [*record.names, *[""] * (len(members) - len(record.names))]
    for member in members:
        if wanted == str(member):
            return member
    found = [member for member in members if names[member].casefold() == wanted.casefold()]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{member} {names[member]}".rstrip() for member in members)
    raise ValueError(f"nobody at this table is {wanted!r}: there are {there}")


def show(screen: Screen, record: Record, member: int | None = None) -> None:
    """Show every deal of a record, a run at a time; ``member`` keeps to what that member knew.

    Where a person watches, Enter shows the next run and ``q`` ends.
    """
    match = record.match
    rounds = match.history
    screen.say(f"{len(rounds)} deal{'s' if len(rounds) != 1 else ''}, rules {match.rules.text}")
    for number, (seats, round_) in enumerate(rounds, 1):
        names = [record.called(each) for each in seats]
        screen.say()
        screen.say(f"Deal {number}", "bold")
        seat = None if member is None else seats.index(member) if member in seats else None
        if member is not None and seat is None:
            screen.say(f"{record.called(member)} does not sit in this deal, and sees no hand.")
        if not _deal(screen, round_, names, seat, hidden=member is not None):
            return
    _ending(screen, record, match)


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
    names = [record.called(member) for member in range(len(match.members))]
    teller = Teller(names, you=_you(names), ascii=screen.ascii)
    screen.say()
    for event in match.events:
        screen.say(teller.event(event), hang=2)
        if isinstance(event, Divided):
            for seat, cards in enumerate(event.hands):
                screen.say(f"{names[match.sitting[seat]]}:  {hand(cards, ascii=screen.ascii)}")
    rows = [(name, str(purse)) for name, purse in zip(names, match.purses)]
    screen.columns([("", "counters"), *rows, ("Board", str(match.board.total))])
