"""The commands ``arena``, ``solve`` and ``review``: what bots are worth, and what leads were."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from popejoan.advice.opponents import compiled, on_the_engine
from popejoan.bots import LADDER, bot_names
from popejoan.cards import BadRecord
from popejoan.drawing import card_text
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS
from popejoan.terminal.opening import fail, usage
from popejoan.terminal.rules import rules_of

if TYPE_CHECKING:
    from popejoan.advice.arena import Estimate

__all__ = ["register"]

_ARENA: Final = """\
Play bots against a field of others on the same deals, and tell what they win more.

Each deal is played once by the field alone, and once with the bot in each seat. A bot is told in
counters a deal, with the 95 % interval. With --stop the play ends as soon as it is clear whether
the bot gains.

\b
Examples:
  popejoan arena --bots sharp,master --field counter --rules CASSELL
  popejoan arena --bots book --field newcomer --players 6 --rounds 20000
  popejoan arena --bots 2.5 --field counter --rules CASSELL --stop --json
  popejoan arena --league docs/bots.md --rounds 4000
"""

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

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A record; '-' reads the input.")]
DealOption = Annotated[
    int | None,
    typer.Option(
        "--deal", min=1, help="Which deal of the record; by default the last.", show_default=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="What chance is drawn from.")]
WorldsOption = Annotated[
    int | None,
    typer.Option(
        "--worlds", min=2, help="In how many worlds a lead is played out.", show_default=False
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Set a field of the rules."),
]


def register(app: typer.Typer) -> None:
    """Add the commands ``arena``, ``solve`` and ``review`` to the application."""
    app.command(name="arena", help=_ARENA)(_arena)
    app.command(name="solve", help=_SOLVE)(_solve)
    app.command(name="review", help=_REVIEW)(_review)


def _arena(
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,...",
            help=f"Bots to measure: {', '.join(LADDER)}, or a "
            "number from 0 to 4 for a strength between.",
        ),
    ] = "counter,sharp",
    field: Annotated[str, typer.Option(metavar="BOT", help="Who sits in the other seats.")] = (
        "counter"
    ),
    rules: Annotated[str, typer.Option("--rules", "-r", metavar="PRESET", help="The book.")] = (
        "CASSELL"
    ),
    changes: SetOption = None,
    players: Annotated[
        int, typer.Option("--players", "-p", min=FEWEST_PLAYERS, max=MOST_PLAYERS)
    ] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="How many deals at most.")] = 400,
    jobs: Annotated[int, typer.Option(min=1, help="In how many processes.")] = 1,
    table: Annotated[
        Path | None,
        typer.Option(
            "--league",
            metavar="FILE",
            help="Measure the whole ladder, and put the table into this page.",
            show_default=False,
        ),
    ] = None,
    slow_rounds: Annotated[
        int, typer.Option(min=8, help="How many deals in the league where 'master' plays.")
    ] = 240,
    stop: Annotated[bool, typer.Option("--stop", help="Stop when it is clear.")] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play bots against a field of others on the same deals, and tell what they win more."""
    from popejoan.advice.arena import MATCH, Duel, duel, sequential

    if table is not None:
        from popejoan.advice.league import league, put_into

        made = league(rounds, slow_rounds=slow_rounds, jobs=jobs, seed=seed, told=typer.echo)
        page = table.read_text(encoding="utf-8") if table.exists() else "# Bots\n"
        table.write_text(put_into(page, made), encoding="utf-8")
        return
    names = [name.strip() for name in bots.split(",") if name.strip()]
    for name in (*names, field):
        if name not in bot_names() and not name.replace(".", "", 1).isdecimal():
            usage(f"no bot is called {name!r}: they are {', '.join(bot_names())}")
    if note := on_the_engine(*names, field):
        typer.echo(note, err=True)
    chosen = rules_of(rules, changes or [])
    matches = range(-(-rounds // MATCH))
    told = []
    for name in names:
        asked = Duel(name, field, chosen, players, seed)
        found = duel(asked, matches, jobs=jobs, stop=sequential() if stop else None)
        told.append({"bot": name, **_estimate(found)})
        if not as_json:
            low, high = found.interval
            typer.echo(
                f"{name:10} {found.mean:+.2f} counters a deal against {field} "
                f"({low:+.2f} to {high:+.2f}, {found.number} deals)"
            )
    if as_json:
        shown = {"rules": chosen.text, "players": players, "field": field, "seed": seed}
        typer.echo(json.dumps({**shown, "bots": told}))


def _estimate(found: Estimate) -> dict[str, Any]:
    low, high = found.interval
    return {
        "gain": round(found.mean, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "deals": found.number,
    }


def _deal_of(file: str, number: int | None) -> tuple[Round, list[str], int]:
    """A deal of a record, the names of its seats and its number."""
    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        record = Record.read(text)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    except BadRecord as error:
        fail(f"{file}: {error}")
    match = record.state
    deals = [*match.past, *([] if match.round is None else [(match.seats, match.round)])]
    if not deals:
        fail(f"{file} holds no deal")
    number = len(deals) if number is None else number
    if number > len(deals):
        fail(f"{file} holds {len(deals)} deals, and no deal {number}")
    seats, round_ = deals[number - 1]
    names = [
        (record.names[member] if member < len(record.names) else "") or f"Player {member}"
        for member in seats
    ]
    return round_, names, number


def _solve(
    file: FileArgument,
    deal: DealOption = None,
    after: Annotated[int, typer.Option(min=0, help="Solve after so many leads.")] = 0,
    most: Annotated[int, typer.Option(min=1000, help="How many positions to work out at most.")] = (
        5_000_000
    ),
    as_json: JsonOption = False,
) -> None:
    """Tell what each lead of a deal comes to with all cards open, and the best line."""
    if not compiled():
        fail("this needs numba: pip install 'popejoan[fast]'")
    from popejoan.fast.solver import TooDeep, solve

    whole, names, _ = _deal_of(file, deal)
    leads = whole.leads[:after]
    round_ = Round.replay(
        whole.rules, whole.deal, leads, dealer=whole.dealer, board=whole.opening.board,
        purses=whole.opening.purses,
    )  # fmt: skip
    if round_.to_act is None:
        fail(f"after {len(leads)} leads the deal is over, so there is nothing to solve")
    try:
        found = solve(round_, most=most)
    except TooDeep as error:
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
        typer.echo(json.dumps(shown))
        return
    seat = round_.to_act
    typer.echo(
        f"{names[seat]} leads. With all cards open each lead brings the seats, from here on:"
    )
    typer.echo(f"{'':6}{'  '.join(f'{name:>8}' for name in names)}")
    for card, won in sorted(found.leads, key=lambda each: -each[1][seat]):
        typer.echo(f"{card_text(card):>4}  {'  '.join(f'{each:+8d}' for each in won)}")
    typer.echo(f"Best line: {' '.join(map(card_text, found.line))}")


def _review(
    file: FileArgument,
    deal: DealOption = None,
    worlds: WorldsOption = None,
    seed: SeedOption = 0,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw how the deal went into a file.", show_default=False
        ),
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Print letters only.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell what each lead of a deal was worth to someone who knew what its leader knew."""
    from popejoan.advice.review import review
    from popejoan.advice.telling_review import review_json, review_svg, review_text

    round_, names, number = _deal_of(file, deal)
    found = review(round_, worlds=worlds, seed=seed, ascii=ascii)
    if svg is not None:
        svg.write_text(review_svg(found, names), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({"deal": number, **review_json(found, names)}, ensure_ascii=False))
        return
    if note := on_the_engine():
        typer.echo(note)
    typer.echo(f"Deal {number}. {review_text(found, names, ascii=ascii)}")
