"""The command ``popejoan``: what is asked on the command line, handed to the modules below.

Exit codes: 0, 1 when the input is wrong, 2 when the usage is wrong, 130 after Ctrl-C.
"""

from __future__ import annotations

import io
import os
import signal
import sys
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

from popejoan.cards import PopeJoanError
from popejoan.terminal import arena, bench, play, replay, review, rules, simulate
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


@app.callback()
def _popejoan(
    _asked: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        # A sign that a screen has not is no reason to stop.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


for module in (play, replay, rules, bench, simulate, arena, review, command):
    module.register(app)
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
        typer.echo(f"popejoan: {error}", err=True)
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
