"""What is asked for at the opening of a match, made sense of or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import typer

from popejoan.advice.opponents import on_the_engine
from popejoan.cards import BadRecord
from popejoan.lines import fault_of_name
from popejoan.terminal.options import bots_of, fail, usage
from popejoan.terminal.sitting import Sitting, unfinished

__all__ = ["called_by", "played_by", "resumed"]

_NAMES: Final = (
    "You", "Anne", "Ben", "Clara", "Dan", "Emma", "Frank", "Grace", "Hugh", "Ivy", "Jack",
)  # fmt: skip


def resumed(file: Path | None) -> Sitting:
    """The sitting that a file keeps, or the one left last."""
    path = file or unfinished()
    if path is None:
        fail("no match is left unfinished: begin one with 'popejoan play'")
    try:
        return Sitting.load(path)
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}")
    except BadRecord as error:
        fail(f"{path} cannot be gone on with: {error}")


def called_by(names: str, players: int) -> tuple[str, ...]:
    """The names of the players: those given, and others for the rest."""
    given = [name.strip() for name in names.split(",")] if names.strip() else []
    if len(given) > players:
        usage(f"{len(given)} names are given for {players} players")
    for name in given:
        if fault := fault_of_name(name) or ("" if name else "a name is empty"):
            usage(fault)
    taken = {name.casefold() for name in given}
    spare = [name for name in (_NAMES if not given else _NAMES[1:]) if name.casefold() not in taken]
    called = [*given, *spare][:players]
    if len({name.casefold() for name in called}) < players:
        usage(f"two players have one name: {', '.join(called)}")
    return tuple(called)


def played_by(bots: str, players: int) -> tuple[str, ...]:
    """The bots of the other players: those given, by turns."""
    wanted = bots_of(bots)
    if note := on_the_engine(*wanted):
        typer.echo(note, err=True)
    return tuple(wanted[nth % len(wanted)] for nth in range(players - 1))
