"""The server as a process: where it listens, how it greets, how it stops."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import json
import logging
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import segno
import uvicorn

from popejoan.web.app import make_app
from popejoan.web.bus import bus_for
from popejoan.web.hall import Hall
from popejoan.web.limits import Limits
from popejoan.web.store import Store, data_url
from popejoan.web.wires import Wire

__all__ = ["fault_with_address", "limits_from", "run"]

_DRAIN: Final = 3
"""For how many seconds a server that stops waits for its clients."""


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


def run(
    *,
    host: str,
    port: int,
    store: str,
    bus: str | None,
    root_path: str,
    address: str,
    origins: tuple[str, ...],
    trusted: str,
    open_metrics: bool,
    browser: bool,
    limits: Limits,
) -> None:
    """Serve until told to stop; ``address`` is where others find the server, if that is known."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("popejoan").setLevel(logging.INFO)
    listening = _listening(host, port)
    port = int(listening.getsockname()[1])
    found = f"{address.rstrip('/')}/" if address else _address(host, port)
    lost = _only_here(found) or (root_path and not address)
    hall = Hall(Store(store or data_url()), limits=limits, bus=bus_for(bus))
    config = uvicorn.Config(
        make_app(
            hall,
            origins=origins,
            open_metrics=open_metrics,
            share=None if lost else found,
        ),
        root_path=root_path,
        ws=Wire,
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
    server = uvicorn.Server(config)
    phones = "For phones:" if address else "For phones on the same network:"
    here = _address("127.0.0.1" if _unspecified(host) else host, port) if browser else ""
    threading.Thread(target=_greet, args=(server, found, phones, here), daemon=True).start()
    # Tables are made of values without cycles: to walk through all of them again and again would
    # hold up every play for a tenth of a second.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


def limits_from(changes: Iterable[str]) -> Limits:
    """The limits with these changed, each ``name=number``; ValueError for what is no limit."""
    wanted: dict[str, Any] = {}
    for change in changes:
        name, equals, number = change.partition("=")
        if not equals or name not in Limits.__dataclass_fields__:
            known = ", ".join(Limits.__dataclass_fields__)
            raise ValueError(f"{change!r} changes no limit: they are {known}")
        whole = Limits.__dataclass_fields__[name].type == "int"
        try:
            wanted[name] = int(number) if whole else float(number)
        except ValueError:
            raise ValueError(f"{change!r}: {number!r} is not a number") from None
    return Limits(**wanted)


def fault_with_address(address: str) -> str | None:
    """Why this is no address at which others find a server; None if it may be one."""
    try:
        parts = urlsplit(address)
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        # A link with a password would be shown to everyone; no machine is at 0.0.0.0.
        wrong = "@" in parts.netloc or _unspecified(parts.hostname or "")
    except ValueError:
        named, wrong = False, True
    if not named or wrong or "?" in address or "#" in address or any(map(str.isspace, address)):
        return f"{address!r} is no address of a server: one is http://192.168.1.5:8008/"
    return None


def _listening(host: str, port: int) -> socket.socket:
    """A socket at the port, or at the next that is free; 0 stands for any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # All of a machine's addresses are of both kinds.
    both = ":" in host and _unspecified(host) and socket.has_dualstack_ipv6()
    for candidate in (*range(port, min(port + 20, 65536)), 0) if port else (0,):
        with contextlib.suppress(OSError):
            return socket.create_server((host, candidate), family=family, dualstack_ipv6=both)
    raise OSError(f"no port can be had at {host}")


def _address(host: str, port: int) -> str:
    """The address under which others on the same network find this machine."""
    if not _unspecified(host):
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    # Nothing is sent: the system only says from which address it would be.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return f"http://{probe.getsockname()[0]}:{port}/"
    return f"http://127.0.0.1:{port}/"


def _unspecified(host: str) -> bool:
    """Whether a host stands for every address of a machine."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return not host


def _only_here(address: str) -> bool:
    """Whether an address leads every machine to itself."""
    host = urlsplit(address).hostname or ""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _greet(server: uvicorn.Server, address: str, phones: str, here: str) -> None:
    """Once the server answers, print where it is and open the page, if that is wanted.

    ``phones`` stands above what they read; ``here`` is what a browser opens, empty for none.
    """
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.05)
    if not (sys.stdout.isatty() or here):
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        return
    sys.stdout.write(f"\nPope Joan is at {address}\n")
    if not _only_here(address):
        sys.stdout.write(f"\n{phones}\n\n")
        sys.stdout.flush()
        segno.make(address, error="l").terminal(border=2, compact=True)
    sys.stdout.write("\nCtrl+C stops it; every table is kept.\n\n")
    sys.stdout.flush()
    if here:
        with contextlib.suppress(Exception):
            webbrowser.open(here)
