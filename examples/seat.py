"""Sits down at a table by its link, and plays until the match is over.

    python examples/seat.py http://127.0.0.1:8008/#CODE --name Robot --bot book

Any program can play so: put your own choice in ``choose``. What travels is in docs/protocol.md.
Needs ``pip install popejoan websockets``.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import itertools
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import websockets

from popejoan.bots import bot
from popejoan.view import View
from popejoan.wire import from_wire

COME_BACK = (1001, 1012)
"""A socket closes with these when the server or a proxy stops; after others it stays closed."""


def choose(view: View, name: str) -> str:
    """The card to lead: here what one of the project's bots would."""
    return repr(bot(name, 1).choose(view))


def sit(base: str, code: str, name: str) -> tuple[str, str]:
    """Ask for a seat; the answer holds the code of the table and the secret token."""
    address = f"{base}api/tables/{code}/seats"
    body, kind = json.dumps({"name": name}).encode(), {"content-type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, body, kind)) as answer:
            given = json.load(answer)
            return given["code"], given["token"]
    except urllib.error.HTTPError as refused:
        try:
            says = json.load(refused)["says"]
        except (ValueError, LookupError, TypeError):
            says = refused  # by a proxy, in words of its own
        raise SystemExit(f"No seat: {says}") from None
    except (ValueError, LookupError, TypeError):
        raise SystemExit(f"No seat: {base} is not the address of this game.") from None
    except (OSError, http.client.HTTPException) as nobody:
        raise SystemExit(f"No server at {base}: {getattr(nobody, 'reason', nobody)}") from None


class Seat:
    """What the client knows of the table, and what it asks."""

    def __init__(self, socket: Any, bot_name: str, prefix: str) -> None:
        self.socket, self.bot_name = socket, bot_name
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self.you: int | None = None
        self.names = (f"{prefix}-{number}" for number in itertools.count())
        self.asked: tuple[Any, ...] = ()

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a message: the whole table, or what has changed."""
        if message["kind"] == "welcome":
            self.you, self.view = message["you"], message["view"]
        self.table |= message.get("table", {})
        if message.get("view"):
            self.view = message["view"]
        if self.view and (more := message.get("more")):
            self.view["events"][more["since"] :] = more["events"]
            self.view["claiming"], self.view["table"] = more["claiming"], more["table"]

    async def ask(self, kind: str, **more: Any) -> None:
        """Ask for something, by a name of one's own."""
        await self.socket.send(json.dumps({"kind": kind, "id": next(self.names), **more}))

    async def act(self) -> None:
        """Do what there is to do, once for each state of the table."""
        deal, phase = self.table["deal"], self.table["phase"]
        seen = len(self.view["events"]) if self.view else 0
        if phase == "playing" and self.view and self.table["to_act"] == self.you:
            if self.asked != (deal, phase, seen):
                self.asked = (deal, phase, seen)
                card = choose(from_wire(self.view), self.bot_name)
                await self.ask("lead", deal=deal, seen=seen, card=card)
        elif phase == "between" and deal and self.asked != (deal, phase):
            self.asked = (deal, phase)
            await self.ask("ready", deal=deal)


async def play(base: str, code: str, token: str, bot_name: str) -> dict[str, Any]:
    """Play until the match is over; come back by oneself when the line is lost."""
    address = f"ws{base.removeprefix('http')}api/tables/{code}/socket"
    for coming in itertools.count():
        try:
            async with websockets.connect(address) as socket:
                seat = Seat(socket, bot_name, f"{token[:4]}{coming}")
                await socket.send(json.dumps({"kind": "hello", "protocol": 1, "token": token}))
                while True:
                    message = json.loads(await socket.recv())
                    if message["kind"] in ("welcome", "news"):
                        seat.hear(message)
                        await seat.act()
                        if seat.table["phase"] == "over":
                            return dict(seat.table["final"])
                    elif message["kind"] in ("refused", "goodbye"):
                        print(message["says"])
        except websockets.ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code not in COME_BACK:
                raise SystemExit(f"The line is closed: {closed.rcvd}") from None
        except (OSError, websockets.InvalidMessage):
            pass  # the server is not there yet
        except websockets.WebSocketException as fault:
            away = isinstance(fault, websockets.InvalidStatus) and fault.response.status_code >= 500
            if not away:  # a proxy would say that the server behind it is
                raise SystemExit(f"No line to {address}: {fault}") from None
        print("The line is lost.")
        await asyncio.sleep(1)
    raise AssertionError


def main() -> None:
    """Read the command line, sit and play."""
    asking = argparse.ArgumentParser(description="Sit at a table by its link, and play.")
    asking.add_argument("link", type=urlsplit)
    asking.add_argument("--name", default="Robot")
    asking.add_argument("--bot", default="book")
    given = asking.parse_args()
    base = f"{given.link.scheme}://{given.link.netloc}{given.link.path.removesuffix('/')}/"
    code, token = sit(base, given.link.fragment, given.name)
    print(asyncio.run(play(base, code, token, given.bot)))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Stopped: the table goes on without this program.") from None
