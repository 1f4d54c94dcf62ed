"""The commands of the table on the web: ``serve``, ``verify`` and ``admin``."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from popejoan.web.admin import admin
from popejoan.web.app import make_app
from popejoan.web.bus import bus_for
from popejoan.web.deals import fault_with_opening
from popejoan.web.hall import Hall
from popejoan.web.limits import DEFAULT, Limits
from popejoan.web.store import Store, data_url

__all__ = ["serve", "server_of", "verify"]

_DRAIN: Final = 5


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


def server_of(
    *,
    host: str,
    port: int,
    store: str,
    bus: str | None,
    root_path: str = "",
    origins: tuple[str, ...] = (),
    open_metrics: bool = False,
    limits: Limits = DEFAULT,
    trusted: str = "127.0.0.1",
) -> Any:
    """A uvicorn server, not yet started."""
    import uvicorn

    hall = Hall(Store(store), limits=limits, bus=bus_for(bus))
    config = uvicorn.Config(
        make_app(hall, origins=origins, open_metrics=open_metrics),
        host=host,
        port=port,
        root_path=root_path,
        ws="websockets-sansio",
        ws_max_size=limits.frame,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=True,
        forwarded_allow_ips=trusted,
        timeout_graceful_shutdown=_DRAIN,
        server_header=False,
    )
    return uvicorn.Server(config)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; by default every one of this machine.")
    ] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8008,
    store: Annotated[
        str,
        typer.Option(
            envvar="POPEJOAN_STORE",
            help="Where tables are kept: sqlite:///FILE or postgresql://...; by default a file in "
            "your data directory.",
        ),
    ] = "",
    bus: Annotated[
        str,
        typer.Option(
            envvar="POPEJOAN_BUS",
            help="What tells several servers of each other's plays: redis://... or postgresql://...",
        ),
    ] = "",
    root_path: Annotated[
        str, typer.Option(help="The path under which a proxy shows the server, as /games/pope.")
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
    """Start the server of the table on the web."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("popejoan").setLevel(logging.INFO)
    server = server_of(
        host=host,
        port=_free(host, port),
        store=store or data_url(),
        bus=bus or None,
        root_path=root_path.rstrip("/"),
        origins=tuple(origin or ()),
        open_metrics=open_metrics,
        limits=_limits(limit or []),
        trusted=trust,
    )
    address = _address(host, server.config.port)
    if sys.stdout.isatty() or browser:
        _greet(address)
    else:
        print(address, flush=True)  # noqa: T201 - what a script reads
    if browser:
        near = f"http://127.0.0.1:{server.config.port}/"
        threading.Thread(target=_show, args=(server, near), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve())


def _limits(changes: list[str]) -> Limits:
    wanted: dict[str, Any] = {}
    for change in changes:
        name, equals, number = change.partition("=")
        if not equals or name not in Limits.__dataclass_fields__:
            known = ", ".join(Limits.__dataclass_fields__)
            raise typer.BadParameter(f"{change!r} changes no limit: they are {known}")
        try:
            whole = Limits.__dataclass_fields__[name].type == "int"
            wanted[name] = int(number) if whole else float(number)
        except ValueError:
            raise typer.BadParameter(f"{change!r}: {number!r} is not a number") from None
    return Limits(**wanted)


def _free(host: str, port: int) -> int:
    """The port, or the next that is free; 0 stands for any."""
    for candidate in (port, *range(port + 1, port + 20), 0) if port else (0,):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError, OverflowError):
                probe.bind((host, candidate))
                return int(probe.getsockname()[1])
    raise typer.BadParameter(f"no port can be had at {host}")


def _address(host: str, port: int) -> str:
    """The address under which others on the same network find this machine."""
    if host not in ("0.0.0.0", "::"):
        return f"http://{host}:{port}/"
    # Nothing is sent: the system only says from which address it would be.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return f"http://{probe.getsockname()[0]}:{port}/"
    return f"http://127.0.0.1:{port}/"


def _greet(address: str) -> None:
    import segno

    typer.echo(f"\nPope Joan is at {address}\n")
    typer.echo("Phones on the same network find it by this picture:\n")
    segno.make(address, error="l").terminal(border=2, compact=True)
    typer.echo("\nStop with Ctrl+C; every table is kept.\n")


def _show(server: Any, address: str) -> None:
    """Open the page once the server answers."""
    for _ in range(100):
        if server.started:
            with contextlib.suppress(Exception):
                webbrowser.open(address)
            return
        time.sleep(0.1)


def verify(
    file: Annotated[Path, typer.Argument(help="The opening of a deal, as the page saves it.")],
) -> None:
    """Check that the cards of a deal are those that were sealed before it."""
    try:
        opening = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError) as error:
        typer.echo(f"popejoan verify: {file} cannot be read: {error}", err=True)
        raise typer.Exit(1) from None
    if fault := fault_with_opening(opening):
        typer.echo(f"popejoan verify: {fault}", err=True)
        raise typer.Exit(1)
    typer.echo(f"Deal {opening.get('number')} is fair: its cards are those sealed before it.")


def register(app: typer.Typer) -> None:
    """Add the commands of this folder."""
    app.command()(serve)
    app.command()(verify)
    app.add_typer(admin, name="admin")
