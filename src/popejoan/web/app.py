"""The application: routes, sockets, and the headers that keep a page to itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from popejoan.cards import BadRules, PopeJoanError
from popejoan.clauses import WORDINGS, clauses
from popejoan.deal import fault_with
from popejoan.rules import Rules
from popejoan.web import daily
from popejoan.web.actors import Actor, reason
from popejoan.web.answers import (
    Problem,
    body_of,
    json_answer,
    no_table,
    problem_answer,
    refused_answer,
)
from popejoan.web.assets import STATIC, Assets, beside, page
from popejoan.web.entries import Entry, Settings
from popejoan.web.hall import Hall, Seat, deal_name, is_code
from popejoan.web.lesson import BOT as LESSON_BOT
from popejoan.web.lesson import SEAT as LESSON_SEAT
from popejoan.web.lesson import lesson_record
from popejoan.web.limits import Buckets
from popejoan.web.metrics import Metrics
from popejoan.web.openapi import Again, CheckRules, Come, Daily, Learn, Replay, SetTable, openapi
from popejoan.web.records import deal_record, record_of
from popejoan.web.replay import replay_of, up_to_lead
from popejoan.web.sockets import Sockets, cookie_name

__all__ = ["STATIC", "make_app"]

_LONGEST_RECORD: Final = 150_000
_ALONE: Final = "/assets/solo-worker-"
"""Where the worker lies that plays without a network: it alone may compile WebAssembly."""
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


def _bearer(request: Request) -> str:
    """The token that a request shows; empty for none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""


def _with_python(policy: str) -> str:
    return policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")


class _Headers:
    """Adds the headers of safety to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                alone = _ALONE in scope["path"]
                headers += [
                    (name.encode(), _with_python(value).encode() if alone else value.encode())
                    for name, value in _HEADERS.items()
                ]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


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

    async def page(self, request: Request) -> Response:
        """The page."""
        return page(request.scope)

    async def beside(self, request: Request) -> Response:
        """A file beside the page: the worker that keeps it, the manifest, an icon."""
        found = beside(request.path_params["name"], request.scope)
        if found is None:
            raise Problem(404, "there is no such page")
        return found

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
        return json_answer(
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
        asked = await body_of(request, CheckRules)
        try:
            rules = Rules.read(asked.rules)
            if asked.players is not None and (fault := fault_with(rules, asked.players)):
                raise BadRules([("players", fault)])
        except BadRules as error:
            raise Problem(422, str(error), error.faults) from None
        except (ValueError, TypeError) as error:
            raise Problem(422, str(error)) from None
        words = [[each.number, each.field, each.sentence, each.source] for each in clauses(rules)]
        return json_answer({"text": rules.text, "fields": rules.as_dict(), "clauses": words})

    async def set_table(self, request: Request) -> Response:
        """A new table, and the host's seat at it."""
        self._let(self._tables, request)
        asked = await body_of(request, SetTable)
        try:
            seat = await self.hall.set_table(asked.settings, asked.name)
        except BadRules as error:
            raise Problem(422, str(error), error.faults) from None
        except PopeJoanError as error:
            raise Problem(422, str(error), why=reason(error)) from None
        self.metrics.count("table")
        return self._seat(request, seat)

    async def summary(self, request: Request) -> Response:
        """What someone with the link sees before sitting down."""
        actor = await self.hall.find(request.path_params["code"])
        if actor is None:
            raise no_table()
        table = actor.table
        settings: Settings = table.settings
        cookie = request.cookies.get(cookie_name(actor.code), "")
        return json_answer(
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
        asked = await body_of(request, Come)
        try:
            seat = await self.hall.come(
                request.path_params["code"], asked.name, watching=asked.watching
            )
        except PopeJoanError as error:
            raise Problem(409, str(error), why=reason(error)) from None
        if seat is None:
            raise no_table()
        return self._seat(request, seat)

    async def record(self, request: Request) -> Response:
        """The record of the deals that are over, for those who have come to the table."""
        actor = await self._with_token(request)
        if actor.table.phase == "playing":
            raise Problem(
                409,
                "a deal is being played: its cards are told when it is over",
                why={"what": "playing"},
            )
        text = await self._told(actor, record_of)
        return PlainTextResponse(text, headers={"cache-control": "no-store"})

    async def share_deal(self, request: Request) -> Response:
        """A link to a deal that is over: whoever has it may see the deal, and not the table."""
        self._let(self._seats, request)
        actor = await self._with_token(request)
        number = request.path_params["number"]
        laid = actor.table.laid
        if laid is not None and laid.day == daily.today():
            raise Problem(
                409, "the deal of this day may be shown from tomorrow", why={"what": "today"}
            )
        text = await self._told(actor, lambda log: deal_record(log, number))
        seal = next(
            opening.pack.seal for opening in actor.table.openings if opening.number == number
        )
        name = deal_name(actor.code, seal)
        await self.hall.store.share(name, text, time.time())
        days = max(1, int(self.hall.limits.shared // 86400))
        return json_answer({"deal": name, "number": number, "record": text, "days": days}, 201)

    async def deal(self, request: Request) -> Response:
        """The record of a deal, for whoever has its link."""
        name = request.path_params["name"]
        text = await self.hall.store.shared(name) if is_code(name) else None
        if text is None:
            raise Problem(
                404, "there is no such deal, or its link is too old", why={"what": "no-deal"}
            )
        return PlainTextResponse(text, headers={"cache-control": "private, max-age=86400"})

    async def _with_token(self, request: Request) -> Actor:
        """The table asked for, of someone who shows a token of it."""
        actor = await self.hall.find(request.path_params["code"])
        if actor is None:
            raise no_table()
        token = _bearer(request)
        if not token:
            raise Problem(
                401,
                "show the token of a seat: Authorization: Bearer TOKEN",
                why={"what": "token"},
            )
        if self.hall.person_with(actor.table, token) is None:
            raise Problem(403, "this is not a token of this table", why={"what": "token"})
        return actor

    async def _told(self, actor: Actor, make: Callable[[list[Entry]], str]) -> str:
        """What is told of the log; a long one is played through beside the loop."""
        seq = actor.seq
        log = await self.hall.store.log(actor.code)
        try:
            return await asyncio.to_thread(make, log[:seq])
        except PopeJoanError as error:
            raise Problem(409, str(error), why=reason(error)) from None

    async def replay_deal(self, request: Request) -> Response:
        """A deal that is over, card by card, for those who have come to the table."""
        actor = await self._with_token(request)
        number = request.path_params["number"]
        text = await self._told(actor, lambda log: deal_record(log, number))
        return json_answer((await asyncio.to_thread(replay_of, text))[0])

    async def replay(self, request: Request) -> Response:
        """The deals of a record, card by card."""
        asked = await body_of(request, Replay, _LONGEST_RECORD)
        try:
            return json_answer(await asyncio.to_thread(replay_of, asked.record))
        except PopeJoanError as error:
            raise Problem(422, str(error), why=reason(error)) from None

    async def again(self, request: Request) -> Response:
        """A table at which a deal is played on from one of its leads."""
        self._let(self._tables, request)
        asked = await body_of(request, Again, _LONGEST_RECORD)
        try:
            then = (await asyncio.to_thread(replay_of, asked.record))[0]["won"]
            text = await asyncio.to_thread(up_to_lead, asked.record, asked.leads)
            seat = await self.hall.lay(
                text, asked.name, seat=asked.seat, bot=asked.bot, then=tuple(then)
            )
        except PopeJoanError as error:
            raise Problem(422, str(error), why=reason(error)) from None
        self.metrics.count("table")
        return self._seat(request, seat)

    async def lesson(self, request: Request) -> Response:
        """A table at which the first lesson is played."""
        self._let(self._tables, request)
        asked = await body_of(request, Learn)
        try:
            seat = await self.hall.lay(
                lesson_record(), asked.name, seat=LESSON_SEAT, bot=LESSON_BOT
            )
        except PopeJoanError as error:
            raise Problem(422, str(error), why=reason(error)) from None
        self.metrics.count("table")
        return self._seat(request, seat)

    async def daily(self, request: Request) -> Response:
        """Everyone's result of the deal of the day, and of the day before."""
        return json_answer(await daily.standing(self.hall, _bearer(request)))

    async def begin_daily(self, request: Request) -> Response:
        """A seat at the deal of the day, once for each who asks."""
        self._let(self._tables, request)
        asked = await body_of(request, Daily)
        try:
            seat = await daily.begin(self.hall, asked.name, asked.who)
        except PopeJoanError as error:
            raise Problem(409, str(error), why=reason(error)) from None
        self.metrics.count("table")
        return self._seat(request, seat)

    async def health(self, _request: Request) -> Response:
        """Whether the server and its store answer."""
        try:
            await self.hall.store.ping()
        except Exception:
            logging.getLogger(__name__).exception("the store does not answer")
            return json_answer({"ok": False}, 503)
        return json_answer({"ok": True})

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
        return json_answer(openapi())

    def _let(self, buckets: Buckets, request: Request) -> None:
        if not buckets.take(request.client.host if request.client else ""):
            raise Problem(
                429,
                "that was too many from one address: come back later",
                why={"what": "address"},
            )

    def _seat(self, request: Request, seat: Seat) -> Response:
        answer = json_answer({"code": seat.code, "person": seat.person, "token": seat.token}, 201)
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


_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def _both(path: str, get: _Answer, post: _Answer) -> Route:
    """One route for both methods, so that whoever asks in another way is told of both."""

    async def either(request: Request) -> Response:
        return await (post if request.method == "POST" else get)(request)

    return Route(path, either, methods=["GET", "POST"])


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

    app = Starlette(
        routes=[
            Route("/", routes.page),
            Route("/api/choices", routes.choices),
            Route("/api/rules", routes.rules, methods=["POST"]),
            Route("/api/tables", routes.set_table, methods=["POST"]),
            Route("/api/tables/{code}", routes.summary),
            Route("/api/tables/{code}/seats", routes.come, methods=["POST"]),
            Route("/api/tables/{code}/record", routes.record),
            _both("/api/tables/{code}/deals/{number:int}", routes.replay_deal, routes.share_deal),
            _both("/api/daily", routes.daily, routes.begin_daily),
            Route("/api/replay", routes.replay, methods=["POST"]),
            Route("/api/lessons", routes.lesson, methods=["POST"]),
            Route("/api/again", routes.again, methods=["POST"]),
            Route("/api/deals/{name}", routes.deal),
            WebSocketRoute("/api/tables/{code}/socket", sockets),
            Route("/healthz", routes.health),
            Route("/metrics", routes.prometheus),
            Route("/openapi.json", routes.description),
            Route("/{name}", routes.beside),
            Mount("/assets", Assets(directory=STATIC / "assets", check_dir=False)),
        ],
        exception_handlers={Problem: problem_answer, HTTPException: refused_answer},
        lifespan=lifespan,
    )
    app.add_middleware(_Headers)
    app.state.hall = hall
    app.state.metrics = metrics
    return app
