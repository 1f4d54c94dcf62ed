"""The table without a network: the server's own application, run by the page's Python.

The page sends this the very requests and frames that it would send to a server, and cannot tell
the difference. Logs go to the page to be kept; bots think between two frames.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from popejoan.advice.hints import hint
from popejoan.bots import bot
from popejoan.view import View
from popejoan.web.app import make_app
from popejoan.web.backing import Conflict, Thought, instead
from popejoan.web.entries import Entry, decode, encode
from popejoan.web.hall import Hall
from popejoan.web.limits import Limits
from popejoan.web.people import Refused

__all__ = ["Solo"]

_WORLDS: Final = 12
"""How many worlds a hint looks at, where nothing is compiled."""


class _Kept:
    """Logs in memory, each entry also handed to the page."""

    def __init__(self, keep: Callable[[str, int, str], None]) -> None:
        self._keep = keep
        self._logs: dict[str, list[Entry]] = {}
        self._deals: dict[str, str] = {}

    def load(self, code: str, entries: Iterable[str]) -> None:
        """Take a log that the page kept."""
        self._logs[code] = [decode(base64.b64decode(entry)) for entry in entries]

    async def open(self) -> None:
        """Nothing is to be opened."""

    async def close(self) -> None:
        """Everything is with the page already."""

    async def ping(self) -> None:
        """Memory answers always."""

    async def append(self, code: str, seq: int, *added: Entry, won: int | None = None) -> None:
        log = self._logs.setdefault(code, [])
        if seq != len(log) + 1:
            raise Conflict(code)
        for place, entry in enumerate(added, seq):
            log.append(entry)
            self._keep(code, place, base64.b64encode(encode(entry)).decode())

    async def log(self, code: str, after: int = 0) -> list[Entry]:
        return self._logs.get(code, [])[after:]

    async def count(self) -> int:
        return len(self._logs)

    async def remove(self, code: str) -> None:
        self._logs.pop(code, None)
        self._keep(code, 0, "")

    async def old(self, *, begun_before: float, lobby_before: float) -> list[str]:
        return [code for code, log in self._logs.items() if log[-1].at < begun_before]

    async def share(self, name: str, record: str, at: float) -> None:
        self._deals[name] = record

    async def shared(self, name: str) -> str | None:
        return self._deals.get(name)

    async def day(self, day: str, record: str) -> str:
        raise Refused("the deal of the day is dealt by a server", "no-day")

    async def begin_day(self, day: str, who: str, name: str, code: str) -> bool:
        raise Refused("the deal of the day is dealt by a server", "no-day")

    async def result(self, day: str, who: str) -> str | None:
        return None

    async def results(self, day: str) -> list[tuple[str, str, int | None]]:
        return []

    async def forget_days(self, before: str) -> None:
        """There are none."""

    async def forget_deals(self, before: float) -> None:
        """What is shared lives no longer than the page."""


class _AtOnce:
    """Bots that think where the table is."""

    async def warm(self) -> None:
        """Nothing has to be started."""

    async def lead(self, name: str, seed: int, view: View) -> Thought:
        try:
            card = bot(name, seed).choose(view)
        except Exception as error:  # noqa: BLE001 - the table goes on, as on a server
            return instead(view, f"failed ({type(error).__name__})")
        return Thought(card) if card in view.legal else instead(view, f"chose {card!r}")

    async def hint(self, view: View, seed: int = 0) -> dict[str, Any]:
        await asyncio.sleep(0)
        found = hint(view, worlds=_WORLDS, seed=seed)
        return {**found.as_dict(), "text": found.text()}

    def close(self) -> None:
        """Nothing has to be ended."""


class Solo:
    """The application, asked by the page instead of over a network."""

    def __init__(self, keep: Callable[[str, int, str], None]) -> None:
        """Hand each entry to ``keep`` with its table and place; place 0 says to forget a table."""
        self.store = _Kept(keep)
        self._hall = Hall(
            self.store, limits=Limits(tables_an_hour=1e6, seats_an_hour=1e6), thinker=_AtOnce()
        )
        self._app = make_app(self._hall)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Be ready for the page."""
        await self._hall.open()

    async def request(self, method: str, path: str, headers: str, body: str) -> str:
        """The answer to a request: ``{"status": ..., "text": ...}``; headers are a JSON object."""
        inbox = [{"type": "http.request", "body": body.encode(), "more_body": False}]
        status, parts = 500, list[bytes]()

        async def receive() -> dict[str, Any]:
            return inbox.pop() if inbox else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            parts.append(message.get("body", b""))

        given = {name.lower(): value for name, value in json.loads(headers).items()}
        await self._app(_scope("http", path, given, method=method), receive, send)
        return json.dumps({"status": status, "text": b"".join(parts).decode()})

    def connect(self, path: str, hear: Callable[[str, str], None]) -> Callable[[str | None], None]:
        """Open a socket.

        ``hear`` is given ``open``, ``frame`` with the text, or ``close`` with the code; what is
        returned sends a frame, and with None closes.
        """
        inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        inbox.put_nowait({"type": "websocket.connect"})

        async def send(message: Any) -> None:
            kind = message["type"].rpartition(".")[2]
            if kind == "accept":
                hear("open", "")
            elif kind == "send":
                hear("frame", message["text"])
            else:
                hear("close", str(message.get("code", 1000)))

        def tell(text: str | None) -> None:
            if text is None:
                inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
            else:
                inbox.put_nowait({"type": "websocket.receive", "text": text})

        task = asyncio.ensure_future(self._serve(path, inbox.get, send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return tell

    async def _serve(self, path: str, receive: Any, send: Any) -> None:
        await self._app(_scope("websocket", path, {}, subprotocols=[]), receive, send)


def _scope(kind: str, path: str, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    """A request in the form of ASGI, from the page itself."""
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": f"/{path}",
        "raw_path": f"/{path}".encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 0),
        "server": ("page", 0),
        **more,
    }
