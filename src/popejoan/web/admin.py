"""The command ``admin``: list, export, import and prune the tables of a store."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer

from popejoan.cards import PopeJoanError
from popejoan.web.entries import Entry, decode, encode
from popejoan.web.records import record_of
from popejoan.web.store import Store, data_url
from popejoan.web.table import Table

__all__ = ["admin"]

admin = typer.Typer(
    help="Look after the tables that a server keeps.", no_args_is_help=True, rich_markup_mode=None
)
_T = TypeVar("_T")

StoreOption = Annotated[str, typer.Option(envvar="POPEJOAN_STORE", help="The store, as for serve.")]


def _with(url: str, work: Callable[[Store], Awaitable[_T]]) -> _T:
    async def run() -> _T:
        store = Store(url or data_url())
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@admin.command("list")
def list_tables(store: StoreOption = "") -> None:
    """List the tables: code, when last touched, entries, and whether it has begun."""
    for kept in _with(store, Store.tables):
        touched = dt.datetime.fromtimestamp(kept.touched, dt.UTC)
        state = "begun" if kept.begun else "lobby"
        typer.echo(f"{kept.code}  {touched:%Y-%m-%d %H:%M}Z  {kept.entries:6}  {state}")


@admin.command()
def export(
    code: Annotated[str, typer.Argument(help="The table.")],
    log: Annotated[
        bool, typer.Option("--log", help="The whole log, which 'import' takes back.")
    ] = False,
    store: StoreOption = "",
) -> None:
    """Print the record of a table's last match, or its whole log."""
    found = _with(store, lambda opened: opened.log(code))
    if not found:
        _fail(f"there is no table {code!r}")
    if log:
        for entry in found:
            typer.echo(encode(entry).decode())
        return
    try:
        typer.echo(record_of(found), nl=False)
    except PopeJoanError as error:
        _fail(str(error))


@admin.command("import")
def import_log(
    code: Annotated[str, typer.Argument(help="The code that the table is to have.")],
    file: Annotated[Path, typer.Argument(help="A log, as 'export --log' prints it.")],
    store: StoreOption = "",
) -> None:
    """Put a table's log into the store; a log that comes to no table is refused."""
    try:
        found: list[Entry] = [decode(line) for line in file.read_bytes().splitlines() if line]
        Table.of(found)
    except (OSError, ValueError, AssertionError, LookupError, msgspec.MsgspecError) as error:
        _fail(f"{file} is no log of a table: {error}")

    async def put(opened: Store) -> bool:
        if await opened.log(code):
            return False
        for seq, entry in enumerate(found, 1):
            await opened.append(code, seq, entry)
        return True

    if not _with(store, put):
        _fail(f"there is a table {code!r} already")


@admin.command()
def prune(
    days: Annotated[float, typer.Option(min=0, help="Untouched for so many days.")] = 14,
    store: StoreOption = "",
) -> None:
    """Remove the tables that nobody has touched for some days, with all their traces."""

    async def remove(opened: Store) -> int:
        before = time.time() - days * 86400
        old = await opened.old(begun_before=before, lobby_before=before)
        for code in old:
            await opened.remove(code)
        return len(old)

    typer.echo(f"{_with(store, remove)} tables are removed.")


def _fail(says: str) -> None:
    typer.echo(f"popejoan admin: {says}", err=True)
    raise typer.Exit(1)
