"""The command ``popejoan``: what is asked on the command line, handed to the modules below.

Exit codes: 0, 1 when the input is wrong, 2 when the usage is wrong, 130 after Ctrl-C.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import sys
from pathlib import Path
from threading import current_thread, main_thread
from typing import Annotated

# While the modules are loaded, Ctrl-C ends the program at once: there is nothing to say yet.
_loading = (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
    and current_thread() is main_thread()
)
if _loading:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import typer
from rich.console import Console

from popejoan.cards import BadRecord, PopeJoanError
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.terminal import advice, json_deal, manual, simulate
from popejoan.terminal.opening import called_by, fail, played_by, resumed, usage
from popejoan.terminal.play import Game
from popejoan.terminal.replay import damaged, member_named, replay
from popejoan.terminal.rules import difference, rules_in_words, rules_json, rules_of
from popejoan.terminal.screen import Screen
from popejoan.terminal.simulate import bench_fast
from popejoan.terminal.sitting import Sitting, data_folder, new_file, unfinished
from popejoan.web import command

__all__ = ["app", "main"]

app = typer.Typer(
    name="popejoan",
    help=(
        "Pope Joan, the old English card game of the painted board.\n\n"
        "\b\n"
        "  popejoan play                    play against three bots\n"
        "  popejoan play --resume           go on with the match left last\n"
        "  popejoan rules PEEL              the rules of a book, in words\n"
        "  popejoan replay FILE             step through a record"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"popejoan {version('popejoan')}")
        except PackageNotFoundError:
            typer.echo("popejoan, not installed")
        raise typer.Exit


def _presets(incomplete: str) -> list[str]:
    return [name for name in Rules.presets() if name.startswith(incomplete.upper())]


AsciiOption = Annotated[
    bool | None,
    typer.Option(
        "--ascii/--unicode",
        help="Print letters only, or suits and frames; by default as the terminal can.",
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Set a field of the rules; may be given again. 'popejoan rules' tells the fields.",
    ),
]


@app.callback()
def _popejoan(
    _asked: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command(help=manual.PLAY)
def play(
    context: typer.Context,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            "-r",
            metavar="PRESET",
            autocompletion=_presets,
            help=f"The book whose rules are played: {', '.join(Rules.presets())}.",
        ),
    ] = "HOYLE",
    changes: SetOption = None,
    players: Annotated[
        int,
        typer.Option(
            "--players", "-p", min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="How many, you included."
        ),
    ] = 4,
    names: Annotated[
        str, typer.Option(metavar="YOU,BOT,...", help="Names, yours first, parted by commas.")
    ] = "",
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,...",
            help="Who plays against you, by turns, from the weakest: 'newcomer', 'book', "
            "'counter', 'sharp', 'master', or a strength between, as 2.5.",
        ),
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
        Game(screen, sitting).run(resumed=True)
        return
    chosen = rules_of(rules, changes or [])
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
    Game(screen, sitting).run()


@app.command(name="replay", help=manual.REPLAY)
def _replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record; '-' reads the input.")],
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
    if sum((as_json, json_lines, bool(seat))) > 1:
        usage("--json, --json-lines and --view are three ways to show a record: choose one")
    if json_lines:
        _answer_lines(file)
        return
    text = _bytes(file)
    if as_json:
        answered = json_deal.answer(text)
        typer.echo(json.dumps(answered, ensure_ascii=False))
        if json_deal.refused(answered):
            raise typer.Exit(1)
        return
    screen = Screen(ascii=ascii)
    try:
        record = Record.read(text)
    except BadRecord as error:
        if not seat:
            damaged(screen, error)
        fail(f"{file}: {error}")
    member = None
    if seat:
        try:
            member = member_named(record, seat)
        except ValueError as error:
            usage(str(error))
    replay(screen, record, member)


def _bytes(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read()
        return Path(file).read_bytes()
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")


def _answer_lines(file: str) -> None:
    try:
        if file == "-":
            whole = json_deal.stream(sys.stdin.buffer, sys.stdout)
        else:
            with Path(file).open("rb") as source:
                whole = json_deal.stream(source, sys.stdout)
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    if not whole:
        raise typer.Exit(1)


@app.command(name="rules", help=manual.RULES)
def _rules(
    preset: Annotated[
        str,
        typer.Argument(
            metavar="PRESET",
            autocompletion=_presets,
            help=f"One of {', '.join(Rules.presets())}.",
            show_default=False,
        ),
    ] = "HOYLE",
    compare: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            autocompletion=_presets,
            show_default=False,
            help="Show only where these rules differ from that preset.",
        ),
    ] = "",
    changes: SetOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ascii: AsciiOption = None,
) -> None:
    """Tell the rules in words, each with its clause of RULES.md and its book."""
    rules = rules_of(preset, changes or [])
    other = rules_of(compare) if compare else None
    if as_json:
        typer.echo(rules_json(rules, other))
    elif other is not None:
        difference(Screen(ascii=ascii), rules, other)
    else:
        rules_in_words(Screen(ascii=ascii), rules)


@app.command(name="bench")
def _bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    fast: Annotated[
        bool, typer.Option("--fast", help="Measure the compiled kernel beside plain C instead.")
    ] = False,
) -> None:
    """Play fixed deals: their digest, and rounds a second.

    The digest is of every payment under every preset with 2 to 10 players; only a change of rules
    may change it. Rounds a second stand beside a loop of plain Python, run in turns with them.
    With --fast it takes some two minutes, and needs the extra 'fast' and, for plain C, gcc.
    """
    if fast:
        if as_json:
            raise typer.BadParameter("the figures of --fast are for people: leave one of the two")
        bench_fast(Console())
        return
    from popejoan.terminal.bench import bench
    from popejoan.testing.signature import digest

    whole, found = digest(), bench()
    if as_json:
        shown = {"digest": whole, **found._asdict(), "ratio": found.ratio}
        typer.echo(json.dumps(shown))
        return
    typer.echo(f"digest  {whole}")
    typer.echo(f"rounds  {found.rounds:,.0f} a second (4 players, any card led, at random)")
    typer.echo(f"spins   {found.spins:,.0f} a second (a loop of plain Python)")
    typer.echo(f"ratio   {found.ratio:,.0f} rounds a million spins")


simulate.register(app)
advice.register(app)
command.register(app)
if _loading:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main() -> None:
    """Run the command, and end the program with its exit code."""
    try:
        app(prog_name="popejoan")
    except BrokenPipeError:
        # Nobody reads on; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except PopeJoanError as error:
        # A refused play comes with the whole round, which is not for a player's eyes.
        typer.echo(f"popejoan: {str(error).partition('; in Round.')[0]}", err=True)
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"popejoan: {where}{error.strerror or error}", err=True)
        sys.exit(1)
    finally:
        if _loading:
            # All is said: one more Ctrl-C ends the program, and breaks up nothing.
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
