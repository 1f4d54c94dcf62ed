"""What several commands are asked in one way: their options, a file to read, and how it is refused.

A module of a command imports what it needs to run inside its function, so that ``--help`` and the
other commands start at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from popejoan.bots import LADDER, bot
from popejoan.cards import BadRules
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules

__all__ = [
    "BOTS", "AsciiOption", "FileArgument", "JsonOption", "PlayersOption", "RulesOption",
    "SeedOption", "SetOption", "bots_of", "compiled_module", "fail", "in_a_folder", "presets",
    "print_json", "read_file", "rules_of", "usage",
]  # fmt: skip


def presets(incomplete: str) -> list[str]:
    """The presets that a word may become, for the completion of a shell."""
    return [name for name in Rules.presets() if name.startswith(incomplete.upper())]


BOTS: Final = (
    f"from the weakest {', '.join(LADDER)}; or 'quick', which is 'sharp' with a second look; or "
    f"a number from 0 to {len(LADDER) - 1} for a strength between two, as 2.5"
)
"""Which bots there are, in words."""

AsciiOption = Annotated[
    bool | None,
    typer.Option(
        "--ascii/--unicode",
        help="Print letters only, or suits and frames; by default as the terminal can.",
        show_default=False,
    ),
]
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A record; '-' reads the input.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PlayersOption = Annotated[
    int,
    typer.Option(
        "--players", "-p", min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="How many sit at the table."
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="PRESET",
        autocompletion=presets,
        help=f"The book whose rules are played: {', '.join(Rules.presets())}.",
    ),
]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        min=0,
        max=2**64 - 1,
        help="What chance is drawn from: the same number gives the same result.",
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


def fail(says: str) -> NoReturn:
    """End with exit code 1: the input is wrong."""
    typer.echo(f"popejoan: {says}", err=True)
    raise typer.Exit(1)


def usage(says: str) -> NoReturn:
    """End with exit code 2: the usage is wrong."""
    raise typer.BadParameter(says)


def rules_of(preset: str, changes: Sequence[str] | None = None) -> Rules:
    """The rules of a preset with fields set; raise a usage error that says what would do."""
    try:
        return Rules.parse(" ".join([preset.strip() or "''", *(changes or ())]))
    except BadRules as error:
        usage(str(error))


def in_a_folder(file: Path | None) -> Path | None:
    """The file to be written; a usage error, before anything is played, where it cannot be."""
    if file is not None and not file.parent.is_dir():
        usage(f"{file} cannot be written: there is no folder {file.parent}")
    return file


def bots_of(names: str) -> list[str]:
    """The bots that are named, parted by commas; a usage error for a name that no bot has."""
    named = [name.strip() for name in names.split(",")]
    for name in named:
        try:
            bot(name)
        except ValueError as error:
            usage(str(error))
    return named


def read_file(file: str) -> bytes:
    """What a file holds, or the input for ``-``; end with what is wrong when it cannot be read."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")


def compiled_module(name: str) -> Any:
    """A module of ``popejoan.fast``; end with what to install where the extra is not there."""
    try:
        return import_module(f"popejoan.fast.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"numba", "numpy", "llvmlite"}:
            raise
        fail(f"this needs {error.name}: pip install 'popejoan[fast]'")


def print_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON, in letters that every output has."""
    typer.echo(json.dumps(value, indent=indent))
