"""The commands of the table on the web: ``serve``, ``verify`` and ``admin``.

What they need is imported when they are called, so that the other commands start at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

__all__ = ["register"]


def _store(url: str) -> str:
    """The URL of a store; a usage error for what is none."""
    if url and (fault := _needed("store").fault_with_url(url)):
        raise typer.BadParameter(fault)
    return url


StoreOption = Annotated[
    str,
    typer.Option(
        envvar="POPEJOAN_STORE",
        metavar="URL",
        callback=_store,
        help="Where tables are kept: sqlite:///FILE or postgresql://...; by default a file in your "
        "data directory.",
    ),
]

admin = typer.Typer(
    help="Look after the tables that a server keeps.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Add the commands of this folder."""
    app.command()(serve)
    app.command()(verify)
    app.add_typer(admin, name="admin")


def _needed(name: str) -> Any:
    """A module of this folder; ends the program with a word where its needs are not installed."""
    from importlib import import_module

    try:
        return import_module(f"popejoan.web.{name}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("popejoan"):
            raise
        typer.echo(
            f"popejoan: the table on the web needs {missing.name}: pip install 'popejoan[web]'",
            err=True,
        )
        raise typer.Exit(1) from None


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; by default every one of this machine.")
    ] = "0.0.0.0",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port, or the next free one; 0 for any.")
    ] = 8008,
    store: StoreOption = "",
    bus: Annotated[
        str,
        typer.Option(
            envvar="POPEJOAN_BUS",
            metavar="URL",
            help="What tells several servers of each other's plays: redis://... or "
            "postgresql://...",
        ),
    ] = "",
    root_path: Annotated[
        str, typer.Option(help="The path under which a proxy shows the server, as /games/pope.")
    ] = "",
    address: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="POPEJOAN_ADDRESS",
            help="Where others find the server, as http://192.168.1.5:8008/; by default this "
            "machine's own address.",
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="An origin whose pages may open sockets, besides the server's own."),
    ] = None,
    trust: Annotated[
        str, typer.Option(help="The proxies whose word on a client's address is taken.")
    ] = "127.0.0.1",
    open_metrics: Annotated[
        bool, typer.Option("--open-metrics", help="Show /metrics to every address.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="Change a limit; may be given again."),
    ] = None,
) -> None:
    """Start the server of the table on the web, and print its address."""
    module = _needed("serve")
    try:
        limits = module.limits_from(limit or [])
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    try:
        _needed("bus").bus_for(bus)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--bus'") from None
    if address and (fault := module.fault_with_address(address)):
        raise typer.BadParameter(fault, param_hint="'--address'")
    module.run(
        host=host,
        port=port,
        store=store,
        bus=bus or None,
        root_path=root_path.rstrip("/"),
        address=address,
        origins=tuple(origin or ()),
        trusted=trust,
        open_metrics=open_metrics,
        browser=browser,
        limits=limits,
    )


def verify(
    file: Annotated[Path, typer.Argument(help="The opening of a deal, as the page saves it.")],
) -> None:
    """Check that the cards of a deal are those that were sealed before it."""
    import json

    deals = _needed("deals")
    opening: Any = None
    try:
        opening = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        _fail("verify", f"{file} cannot be read: {error}")
    if not isinstance(opening, dict):
        _fail("verify", f"{file} is no opening of a deal")
    if fault := deals.fault_with_opening(opening):
        _fail("verify", fault)
    typer.echo(f"Deal {opening.get('number')} is fair: its cards are those sealed before it.")


@admin.command("list")
def list_tables(store: StoreOption = "") -> None:
    """List the tables: code, when last touched, entries, and whether it has begun."""
    for line in _admin("listed", store):
        typer.echo(line)


@admin.command()
def export(
    code: Annotated[str, typer.Argument(help="The table.")],
    log: Annotated[
        bool, typer.Option("--log", help="The whole log, which 'import' takes back.")
    ] = False,
    store: StoreOption = "",
) -> None:
    """Print the record of a table's last match, or its whole log."""
    # A record and a log are UTF-8, whatever the letters of the terminal.
    typer.echo(_admin("exported", store, code, log=log).encode(), nl=False)


@admin.command("import")
def import_log(
    code: Annotated[str, typer.Argument(help="The code that the table is to have.")],
    file: Annotated[Path, typer.Argument(help="A log, as 'export --log' prints it.")],
    store: StoreOption = "",
) -> None:
    """Put a table's log into the store; a log that comes to no table is refused."""
    try:
        log = file.read_bytes()
    except OSError as error:
        _fail("admin", f"{file} cannot be read: {error.strerror}")
    _admin("imported", store, code, log)


@admin.command()
def prune(
    days: Annotated[float, typer.Option(min=0, help="Untouched for so many days.")] = 14,
    store: StoreOption = "",
) -> None:
    """Remove the tables that nobody has touched for some days, with all their traces."""
    typer.echo(f"{_admin('pruned', store, days)} tables are removed.")


def _admin(work: str, *arguments: Any, **options: Any) -> Any:
    """What a function of ``admin`` gives; ends the program with the reason when it can not."""
    try:
        return getattr(_needed("admin"), work)(*arguments, **options)
    except (OSError, ValueError) as error:
        _fail("admin", str(error))


def _fail(command: str, says: str) -> NoReturn:
    typer.echo(f"popejoan {command}: {says}", err=True)
    raise typer.Exit(1)
