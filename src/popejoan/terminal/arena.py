"""The command ``arena``: bots against bots on the same deals, or the whole league."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from popejoan.terminal.options import (
    BOTS,
    AsciiOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    bots_of,
    in_a_folder,
    print_json,
    rules_of,
)

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


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(help=_ARENA)(arena)


def arena(
    bots: Annotated[
        str, typer.Option(metavar="BOT,...", help=f"Bots to measure: {BOTS}.")
    ] = "counter,sharp",
    field: Annotated[str, typer.Option(metavar="BOT", help="Who sits in the other seats.")] = (
        "counter"
    ),
    rules: RulesOption = "CASSELL",
    changes: SetOption = None,
    players: PlayersOption = 4,
    rounds: Annotated[int, typer.Option(min=1, help="How many deals at most.")] = 400,
    jobs: Annotated[int, typer.Option(min=1, help="In how many processes.")] = 1,
    page: Annotated[
        Path | None,
        typer.Option(
            "--league",
            metavar="FILE",
            dir_okay=False,
            callback=in_a_folder,
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
    ascii: AsciiOption = None,
) -> None:
    """Play bots against a field of others on the same deals, and tell what they win more."""
    from popejoan.advice.arena import MATCH, Duel, duel, sequential
    from popejoan.advice.opponents import on_the_engine
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    if page is not None:
        from popejoan.advice.league import league, put_into

        made = league(rounds, slow_rounds=slow_rounds, jobs=jobs, seed=seed, told=screen.show)
        text = page.read_text(encoding="utf-8") if page.exists() else "# Bots\n"
        page.write_text(put_into(text, made), encoding="utf-8")
        return
    names = bots_of(bots)
    (against,) = bots_of(field.replace(",", " "))
    chosen = rules_of(rules, changes)
    if note := on_the_engine(*names, against):
        typer.echo(note, err=True)
    matches = range(-(-rounds // MATCH))
    told = []
    for name in names:
        asked = Duel(name, against, chosen, players, seed)
        found = duel(asked, matches, jobs=jobs, stop=sequential() if stop else None)
        told.append({"bot": name, **_estimate(found)})
        if not as_json:
            low, high = found.interval
            screen.show(
                f"{name:10} {found.mean:+.2f} counters a deal against {against} "
                f"({low:+.2f} to {high:+.2f}, {found.number} deals)"
            )
    if as_json:
        shown = {"rules": chosen.text, "players": players, "field": against, "seed": seed}
        print_json({**shown, "bots": told})


def _estimate(found: Estimate) -> dict[str, Any]:
    low, high = found.interval
    return {
        "gain": round(found.mean, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "deals": found.number,
    }
