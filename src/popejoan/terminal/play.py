"""The command ``play``: opens a match against bots, or goes on with one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from popejoan.terminal import manual
from popejoan.terminal.options import (
    BOTS,
    AsciiOption,
    PlayersOption,
    RulesOption,
    SetOption,
    fail,
    rules_of,
    usage,
)

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(help=manual.PLAY)(play)


def play(
    context: typer.Context,
    rules: RulesOption = "HOYLE",
    changes: SetOption = None,
    players: PlayersOption = 4,
    names: Annotated[
        str, typer.Option(metavar="YOU,BOT,...", help="Names, yours first, parted by commas.")
    ] = "",
    bots: Annotated[
        str, typer.Option(metavar="BOT,...", help=f"Who plays against you, by turns: {BOTS}.")
    ] = "book",
    deals: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many deals; by default one a player, 0 until you stop.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**64 - 1,
            help="Deal what this number stands for; by default the cards are drawn by the system.",
            show_default=False,
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(min=0, max=10, help="Seconds between cards that fall; 0 does not wait."),
    ] = 0.4,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match that was left last.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            dir_okay=False,
            help="Where the match is kept.",
            show_default=False,
        ),
    ] = None,
    introduction: Annotated[
        bool | None,
        typer.Option(
            "--intro/--no-intro",
            help="Explain the game first; by default once.",
            show_default=False,
        ),
    ] = None,
    ascii: AsciiOption = None,
) -> None:
    """Play Pope against bots."""
    import secrets

    from popejoan.cards import PopeJoanError
    from popejoan.match import Match
    from popejoan.terminal.opening import called_by, played_by, resumed
    from popejoan.terminal.playing import Playing
    from popejoan.terminal.screen import Screen
    from popejoan.terminal.sitting import Sitting, data_folder, new_file, unfinished

    screen = Screen(ascii=ascii, speed=speed)
    if resume:
        given = [
            "--" + name.replace("changes", "set")
            for name in ("rules", "changes", "players", "names", "bots", "deals", "seed")
            if str(context.get_parameter_source(name)).endswith("COMMANDLINE")
        ]
        if given:
            usage(f"--resume goes on with the match as it was begun: leave out {' '.join(given)}")
        sitting = resumed(file)
        Playing(screen, sitting).run(resumed=True)
        return
    chosen = rules_of(rules, changes)
    called, against = called_by(names, players), played_by(bots, players)
    deals = players if deals is None else deals or None
    first = not data_folder().exists()
    if file is not None and file.exists():
        fail(f"{file} is there already: to go on with it add --resume, or name another file")
    waiting = unfinished() if file is None else None
    try:
        match = Match.start(
            chosen,
            players=players,
            seed=secrets.randbits(64) if seed is None else seed,
            deals=deals,
        )
    except PopeJoanError as error:
        usage(str(error))
    sitting = Sitting(match, called, against, file or new_file(), drawn=seed is None)
    if introduction or (introduction is None and first):
        screen.show(manual.INTRODUCTION)
        if screen.interactive and screen.ask("Enter begins> ") is None:
            return
    if waiting is not None:
        screen.say("A match is left unfinished: popejoan play --resume goes on with it.", "dim")
    Playing(screen, sitting).run()
