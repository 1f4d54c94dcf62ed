"""The commands ``solve`` and ``review``: what the leads of a deal were worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from popejoan.cards import BadRecord
from popejoan.drawing import card_text
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.terminal.options import (
    AsciiOption,
    FileArgument,
    JsonOption,
    SeedOption,
    compiled_module,
    fail,
    in_a_folder,
    print_json,
    read_file,
)

__all__ = ["register"]

_SOLVE: Final = """\
Tell what each lead of a deal comes to with all cards open, and the best line.

Every seat plays for itself and takes the lead that brings it most. A whole deal in which any card
may be led can be too deep; --after says from which lead on to solve.

\b
Examples:
  popejoan solve match.record
  popejoan solve match.record --deal 2 --after 4 --json
"""

_REVIEW: Final = """\
Tell what each lead of a deal was worth to someone who knew what its leader knew.

\b
Examples:
  popejoan review match.record
  popejoan review match.record --deal 2 --svg deal.svg
  popejoan review match.record --json
"""

DealOption = Annotated[
    int | None,
    typer.Option(
        "--deal", min=1, help="Which deal of the record; by default the last.", show_default=False
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command(help=_SOLVE)(solve)
    app.command(help=_REVIEW)(review)


def solve(
    file: FileArgument,
    deal: DealOption = None,
    after: Annotated[int, typer.Option(min=0, help="Solve after so many leads.")] = 0,
    most: Annotated[int, typer.Option(min=1000, help="How many positions to work out at most.")] = (
        5_000_000
    ),
    as_json: JsonOption = False,
    ascii: AsciiOption = None,
) -> None:
    """Tell what each lead of a deal comes to with all cards open, and the best line."""
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    solver = compiled_module("solver")
    whole, names, _ = _deal_of(file, deal)
    choices = [*whole.choices()][: after + 1]
    round_ = choices[-1]
    if round_.to_act is None:
        fail(f"after {len(choices) - 1} leads the deal is over, so there is nothing to solve")
    try:
        found = solver.solve(round_, most=most)
    except solver.TooDeep as error:
        fail(f"{error}; solve from a later lead with --after, or allow more with --most")
    except ValueError as error:
        fail(str(error))
    if as_json:
        shown = {
            "seat": round_.to_act,
            "leads": [{"lead": repr(card), "won": list(won)} for card, won in found.leads],
            "line": [repr(card) for card in found.line],
            "positions": found.positions,
        }
        print_json(shown)
        return
    seat = round_.to_act
    screen.say(
        f"{names[seat]} leads. With all cards open each lead brings the seats, from here on:"
    )
    wide = max(8, *map(len, names))
    screen.show(f"{'':6}{'  '.join(f'{name:>{wide}}' for name in names)}")
    for card, won in sorted(found.leads, key=lambda each: -each[1][seat]):
        shares = "  ".join(f"{each:+{wide}d}" for each in won)
        screen.show(f"{card_text(card, ascii=screen.ascii):>4}  {shares}")
    line = " ".join(card_text(card, ascii=screen.ascii) for card in found.line)
    screen.say(f"Best line: {line}")


def review(
    file: FileArgument,
    deal: DealOption = None,
    worlds: Annotated[
        int | None,
        typer.Option(min=2, help="In how many worlds a lead is played out.", show_default=False),
    ] = None,
    seed: SeedOption = 0,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            callback=in_a_folder,
            help="Draw how the deal went into a file.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    ascii: AsciiOption = None,
) -> None:
    """Tell what each lead of a deal was worth to someone who knew what its leader knew."""
    from popejoan.advice import review as reviewing
    from popejoan.advice.opponents import on_the_engine
    from popejoan.advice.review_report import review_json, review_svg, review_text
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    round_, names, number = _deal_of(file, deal)
    found = reviewing.review(round_, worlds=worlds, seed=seed, ascii=screen.ascii)
    if svg is not None:
        svg.write_text(review_svg(found, names), encoding="utf-8")
    if as_json:
        print_json({"deal": number, **review_json(found, names)})
        return
    if note := on_the_engine():
        screen.say(note)
    screen.show(f"Deal {number}. {review_text(found, names, ascii=screen.ascii)}")


def _deal_of(file: str, number: int | None) -> tuple[Round, list[str], int]:
    """A deal of a record, the names of its seats and its number."""
    try:
        record = Record.read(read_file(file))
    except BadRecord as error:
        fail(f"{file}: {error}")
    deals = record.match.history
    if not deals:
        fail(f"{file} holds no deal")
    number = len(deals) if number is None else number
    if number > len(deals):
        fail(f"{file} holds {len(deals)} deals, and no deal {number}")
    seats, round_ = deals[number - 1]
    return round_, [record.called(member) for member in seats], number
