"""The application: routes, sockets, and the headers that keep a page to itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from popejoan.cards import BadRules, PopeJoanError
from popejoan.clauses import WORDINGS, clauses
from popejoan.deal import fault_with
from popejoan.rules import Rules
from popejoan.web.actors import Actor, spoken
from popejoan.web.entries import Entry, Settings
from popejoan.web.hall import Hall, Seat, deal_name, is_code
from popejoan.web.limits import Buckets
from popejoan.web.metrics import Metrics
from popejoan.web.openapi import CheckRules, Come, SetTable, openapi
from popejoan.web.records import deal_record, record_of
from popejoan.web.sockets import Sockets, cookie_name

__all__ = ["STATIC", "make_app"]

STATIC: Final = Path(__file__).parent / "static"
_LONGEST_BODY: Final = 16_384
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_T = TypeVar("_T")


class _Headers:
    """Adds the headers of safety to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                headers += [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class Problem(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, says: str, faults: Iterable[tuple[str, str]] = ()) -> None:
        self.status, self.says = status, says
        self.faults = [list(fault) for fault in faults]


def _json(value: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return _json({"says": error.says, "faults": error.faults}, error.status)


def _refused(_request: Request, error: Exception) -> Response:
    """What no route takes is answered in the same form."""
    assert isinstance(error, HTTPException)
    answer = _json({"says": error.detail, "faults": []}, error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def _body(request: Request, kind: type[_T]) -> _T:
    """What the request holds; raises Problem for anything else."""
    data = b""
    with contextlib.suppress(ClientDisconnect):
        async for part in request.stream():
            data += part
            if len(data) > _LONGEST_BODY:
                raise Problem(413, f"a request has up to {_LONGEST_BODY} bytes")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        says = str(error) if isinstance(error, msgspec.ValidationError) else "this is no JSON"
        raise Problem(400, says) from None


class _Routes:
    """The answers to requests."""

    def __init__(
        self, hall: Hall, metrics: Metrics, *, open_metrics: bool, share: str | None
    ) -> None:
        self.hall, self.metrics, self.share = hall, metrics, share
        self.open_metrics = open_metrics
        hour = 3600.0
        limits = hall.limits
        self._tables = Buckets(limits.tables_an_hour / hour, limits.tables_an_hour)
        self._seats = Buckets(limits.seats_an_hour / hour, limits.seats_an_hour)

    async def page(self, _request: Request) -> Response:
        """The page."""
        index = STATIC / "index.html"
        if not index.is_file():
            return PlainTextResponse("The page has not been built: run `make page`.\n", 503)
        return FileResponse(index, headers={"cache-control": "no-cache"})

    async def choices(self, _request: Request) -> Response:
        """What can be chosen when a table is set."""
        presets = {
            name: {"text": rules.text, "fields": rules.as_dict()}
            for name, rules in Rules.presets().items()
        }
        fields = [
            {
                "name": name,
                "clause": wording.number,
                "question": wording.question,
                "values": [
                    [_shown(value), sentence, source]
                    for value, (sentence, source) in wording.values.items()
                ],
            }
            for name, wording in WORDINGS.items()
        ]
        return _json(
            {
                "presets": presets,
                "fields": fields,
                "bots": self.hall.bots,
                "seats": [2, 10],
                "share": self.share,
            }
        )

    async def rules(self, request: Request) -> Response:
        """These rules in words, or everything that is wrong with them."""
        asked = await _body(request, CheckRules)
        try:
            rules = Rules.read(asked.rules)
            if asked.players is not None and (fault := fault_with(rules, asked.players)):
                raise BadRules([("players", fault)])
        except BadRules as error:
            raise Problem(422, str(error), error.faults) from None
        except (ValueError, TypeError) as error:
            raise Problem(422, str(error)) from None
        words = [[each.number, each.field, each.sentence, each.source] for each in clauses(rules)]
        return _json({"text": rules.text, "fields": rules.as_dict(), "clauses": words})

    async def set_table(self, request: Request) -> Response:
        """A new table, and the host's seat at it."""
        self._let(self._tables, request)
        asked = await _body(request, SetTable)
        try:
            seat = await self.hall.set_table(asked.settings, asked.name)
        except BadRules as error:
            raise Problem(422, str(error), error.faults) from None
        except PopeJoanError as error:
            raise Problem(422, spoken(error)) from None
        self.metrics.count("table")
        return self._seat(request, seat)

    async def summary(self, request: Request) -> Response:
        """What someone with the link sees before sitting down."""
        actor = await self.hall.find(request.path_params["code"])
        if actor is None:
            raise Problem(404, "there is no such table, or it is no more")
        table = actor.table
        settings: Settings = table.settings
        cookie = request.cookies.get(cookie_name(actor.code), "")
        return _json(
            {
                "name": settings.name,
                "seats": settings.seats,
                "free": max(0, settings.seats - len(table.humans)),
                "rules": settings.rules,
                "phase": table.phase,
                "watch": settings.watch,
                "people": [person.name for person in table.people if person.seated],
                "seated": bool(cookie) and self.hall.person_with(table, cookie) is not None,
            }
        )

    async def come(self, request: Request) -> Response:
        """A seat at a table, or a place to watch from."""
        self._let(self._seats, request)
        asked = await _body(request, Come)
        try:
            seat = await self.hall.come(
                request.path_params["code"], asked.name, watching=asked.watching
            )
        except PopeJoanError as error:
            raise Problem(409, spoken(error)) from None
        if seat is None:
            raise Problem(404, "there is no such table, or it is no more")
        return self._seat(request, seat)

    async def record(self, request: Request) -> Response:
        """The record of the deals that are over, for those who have come to the table."""
        actor = await self._with_token(request)
        if actor.table.phase == "playing":
            raise Problem(409, "a deal is being played: its cards are told when it is over")
        text = await self._told(actor, record_of)
        return PlainTextResponse(text, headers={"cache-control": "no-store"})

    async def share_deal(self, request: Request) -> Response:
        """A link to a deal that is over: whoever has it may see the deal, and not the table."""
        self._let(self._seats, request)
        actor = await self._with_token(request)
        number = request.path_params["number"]
        text = await self._told(actor, lambda log: deal_record(log, number))
        seal = next(
            opening.pack.seal for opening in actor.table.openings if opening.number == number
        )
        name = deal_name(actor.code, seal)
        await self.hall.store.share(name, text, time.time())
        return _json({"deal": name, "number": number, "record": text}, 201)

    async def deal(self, request: Request) -> Response:
        """The record of a deal, for whoever has its link."""
        name = request.path_params["name"]
        text = await self.hall.store.shared(name) if is_code(name) else None
        if text is None:
            raise Problem(404, "there is no such deal, or its link is too old")
        return PlainTextResponse(text, headers={"cache-control": "private, max-age=86400"})

    async def _with_token(self, request: Request) -> Actor:
        """The table asked for, of someone who shows a token of it."""
        actor = await self.hall.find(request.path_params["code"])
        if actor is None:
            raise Problem(404, "there is no such table, or it is no more")
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Problem(401, "show the token of a seat: Authorization: Bearer TOKEN")
        if self.hall.person_with(actor.table, token) is None:
            raise Problem(403, "this is not a token of this table")
        return actor

    async def _told(self, actor: Actor, make: Callable[[list[Entry]], str]) -> str:
        """What is told of the log; a long one is played through beside the loop."""
        seq = actor.seq
        log = await self.hall.store.log(actor.code)
        try:
            return await asyncio.to_thread(make, log[:seq])
        except PopeJoanError as error:
            raise Problem(409, spoken(error)) from None

    async def health(self, _request: Request) -> Response:
        """Whether the server and its store answer."""
        try:
            await self.hall.store.ping()
        except Exception:
            logging.getLogger(__name__).exception("the store does not answer")
            return _json({"ok": False}, 503)
        return _json({"ok": True})

    async def prometheus(self, request: Request) -> Response:
        """The counts, for the machine itself unless the server was told to open them."""
        near = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        if not (self.open_metrics or near):
            raise Problem(404, "there is no such page")
        return PlainTextResponse(
            self.metrics.text(self.hall), media_type="text/plain; version=0.0.4"
        )

    async def description(self, _request: Request) -> Response:
        """This interface, described."""
        return _json(openapi())

    def _let(self, buckets: Buckets, request: Request) -> None:
        if not buckets.take(request.client.host if request.client else ""):
            raise Problem(429, "that was too many from one address: come back later")

    def _seat(self, request: Request, seat: Seat) -> Response:
        answer = _json({"code": seat.code, "person": seat.person, "token": seat.token}, 201)
        answer.set_cookie(
            cookie_name(seat.code),
            seat.token,
            max_age=int(self.hall.limits.kept),
            path=None,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer


def _shown(value: Any) -> Any:
    return getattr(value, "value", value)


class _Assets(StaticFiles):
    """The files of the page, each named by its content and so kept for good."""

    def file_response(self, *arguments: Any, **more: Any) -> Response:
        """The file, to be kept for good."""
        answer = super().file_response(*arguments, **more)
        answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        return answer


def make_app(
    hall: Hall,
    *,
    origins: Iterable[str] = (),
    open_metrics: bool = False,
    share: str | None = None,
) -> Starlette:
    """The application of a hall; it opens the hall when it starts, and closes it when it stops.

    ``share`` is the address under which others on the same network find the server.
    """
    metrics = Metrics()
    routes = _Routes(hall, metrics, open_metrics=open_metrics, share=share)
    sockets = Sockets(hall, metrics, frozenset(origins))

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await hall.open()
        try:
            yield
        finally:
            await hall.close()

    assets = STATIC / "assets"
    app = Starlette(
        routes=[
            Route("/", routes.page),
            Route("/api/choices", routes.choices),
            Route("/api/rules", routes.rules, methods=["POST"]),
            Route("/api/tables", routes.set_table, methods=["POST"]),
            Route("/api/tables/{code}", routes.summary),
            Route("/api/tables/{code}/seats", routes.come, methods=["POST"]),
            Route("/api/tables/{code}/record", routes.record),
            Route("/api/tables/{code}/deals/{number:int}", routes.share_deal, methods=["POST"]),
            Route("/api/deals/{name}", routes.deal),
            WebSocketRoute("/api/tables/{code}/socket", sockets.serve),
            Route("/healthz", routes.health),
            Route("/metrics", routes.prometheus),
            Route("/openapi.json", routes.description),
            Mount("/assets", _Assets(directory=assets, check_dir=False)),
        ],
        exception_handlers={Problem: _problem, HTTPException: _refused},
        lifespan=lifespan,
    )
    app.add_middleware(_Headers)
    app.state.hall = hall
    app.state.metrics = metrics
    return app
