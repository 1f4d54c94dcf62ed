"""The requests of the HTTP side as types, and its description for programs, made from them."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

import msgspec

from popejoan.web import messages
from popejoan.web.entries import Settings

__all__ = [
    "Again",
    "CheckRules",
    "Come",
    "Daily",
    "Replay",
    "SetTable",
    "openapi",
    "protocol_schema",
]

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class SetTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be set."""

    name: _Name
    """The name of whoever sets it."""
    settings: Settings = Settings()
    """How it is set."""


class Come(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone comes to a table."""

    name: _Name
    """The name."""
    watching: bool = False
    """Whether to watch only."""


class Learn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first lesson asked for."""

    name: _Name
    """The name of whoever learns."""


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be played again."""

    record: Annotated[str, msgspec.Meta(max_length=60_000)]
    """The record, as docs/record.md has it."""


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal of a record to be played on, from one of its leads, against bots."""

    name: _Name
    """The name of whoever plays."""
    record: Annotated[str, msgspec.Meta(max_length=60_000)]
    """The record of the one deal."""
    seat: Annotated[int, msgspec.Meta(ge=0, le=9)]
    """The seat to play in."""
    leads: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """How many leads stand as they were made."""
    bot: Annotated[str, msgspec.Meta(max_length=60)] = "book"
    """The bot in every other seat."""


class Daily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone plays the deal of the day."""

    name: _Name
    """The name."""
    who: Annotated[str, msgspec.Meta(min_length=16, max_length=64)]
    """A secret of the client's own, the same every day, by which it is known again."""


class CheckRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules to be looked at."""

    rules: str | dict[str, Any]
    """A preset's name, or ``{"preset": ..., field: value}``."""
    players: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] | None = None
    """For how many they are to be dealt, if that is known."""


class Given(msgspec.Struct, frozen=True):
    """A seat: whoever has the token holds it."""

    code: str
    person: int
    token: str


class DealLink(msgspec.Struct, frozen=True):
    """A deal that has a link."""

    deal: str
    """What the link calls it."""
    number: int
    """Its number in the match."""
    record: str
    """The record of the deal, as ``/api/deals/{deal}`` gives it."""
    days: int
    """For how many days the link lasts from when it was first made."""


class Fault(msgspec.Struct, frozen=True):
    """Why a request was not carried out."""

    says: str
    faults: list[list[str]]
    """Each field at fault, and what is wrong with it."""
    why: dict[str, str | int]
    """The reason's name as ``what``, and what its words need; empty for one without a name."""


_REF: Final = "#/components/schemas/{name}"
_CODE: Final = {
    "name": "code", "in": "path", "required": True, "schema": {"type": "string"},
    "description": "The code of the table, from its link.",
}  # fmt: skip

_NUMBER: Final = {
    "name": "number", "in": "path", "required": True,
    "schema": {"type": "integer", "minimum": 0},
    "description": "The number of the deal in its match.",
}  # fmt: skip


def _answer(says: str, name: str | None = None, kind: str = "application/json") -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"} if kind.endswith("json") else {"type": "string"}
    if name is not None:
        schema = {"$ref": _REF.format(name=name)}
    return {"description": says, "content": {kind: {"schema": schema}}}


def _takes(name: str) -> dict[str, Any]:
    schema = {"$ref": _REF.format(name=name)}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def openapi() -> dict[str, Any]:
    """The HTTP side in OpenAPI 3.1."""
    types = [SetTable, Come, CheckRules, Daily, Replay, Learn, Again, Given, DealLink, Fault]
    _, components = msgspec.json.schema_components(types, ref_template=_REF)
    bad = {
        "400": _answer("The body is not what is wanted.", "Fault"),
        "413": _answer("The body is too long.", "Fault"),
    }
    many = {"429": _answer("Too many from one address.", "Fault")}
    unfit = {"422": _answer("It makes no sense by the rules.", "Fault")}
    none = {"404": _answer("There is no such table.", "Fault")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pope Joan",
            "version": str(messages.PROTOCOL),
            "description": "Tables are set and joined here; play goes over the socket of a table.",
        },
        "paths": {
            "/api/choices": {
                "get": {
                    "operationId": "choices",
                    "summary": "What can be chosen when a table is set",
                    "responses": {"200": _answer("Presets, fields of the rules in words, bots.")},
                }
            },
            "/api/rules": {
                "post": {
                    "operationId": "rules",
                    "summary": "Rules in words, or everything wrong with them",
                    "requestBody": _takes("CheckRules"),
                    "responses": {"200": _answer("The rules."), **bad, **unfit},
                }
            },
            "/api/tables": {
                "post": {
                    "operationId": "setTable",
                    "summary": "Set a table, and be its host",
                    "requestBody": _takes("SetTable"),
                    "responses": {
                        "201": _answer("The host's seat.", "Given"),
                        **bad,
                        **unfit,
                        **many,
                    },
                }
            },
            "/api/tables/{code}": {
                "get": {
                    "operationId": "table",
                    "summary": "What someone with the link sees before sitting down",
                    "parameters": [_CODE],
                    "responses": {"200": _answer("The table in short."), **none},
                }
            },
            "/api/tables/{code}/seats": {
                "post": {
                    "operationId": "come",
                    "summary": "Take a seat, or watch",
                    "parameters": [_CODE],
                    "requestBody": _takes("Come"),
                    "responses": {
                        "201": _answer("The seat.", "Given"),
                        "409": _answer("The table does not allow it now.", "Fault"),
                        **bad,
                        **none,
                        **many,
                    },
                }
            },
            "/api/tables/{code}/deals/{number}": {
                "get": {
                    "operationId": "deal",
                    "summary": "A deal of the match that is over, with all hands open",
                    "parameters": [_CODE, _NUMBER],
                    "security": [{"token": []}],
                    "responses": {
                        "200": _answer("The deal, card by card."),
                        "401": _answer("No token was shown.", "Fault"),
                        "403": _answer("The token is not of this table.", "Fault"),
                        "409": _answer("The deal is being played, or there is none.", "Fault"),
                        **none,
                    },
                },
                "post": {
                    "operationId": "share",
                    "summary": "Make a link to a deal that is over",
                    "parameters": [_CODE, _NUMBER],
                    "security": [{"token": []}],
                    "responses": {
                        "201": _answer("The deal under its link.", "DealLink"),
                        "401": _answer("No token was shown.", "Fault"),
                        "403": _answer("The token is not of this table.", "Fault"),
                        "409": _answer("There is no such deal, or it is not over.", "Fault"),
                        **none,
                        **many,
                    },
                },
            },
            "/api/daily": {
                "get": {
                    "operationId": "daily",
                    "summary": "Everyone's result of the deal of the day, and of the day before",
                    "responses": {"200": _answer("The results.")},
                },
                "post": {
                    "operationId": "beginDaily",
                    "summary": "A seat at the deal of the day, once for each who asks",
                    "requestBody": _takes("Daily"),
                    "responses": {
                        "201": _answer("The seat.", "Given"),
                        "409": _answer("It has been played already.", "Fault"),
                        **bad,
                        **many,
                    },
                },
            },
            "/api/replay": {
                "post": {
                    "operationId": "replay",
                    "summary": "The deals of a record that are over, with all hands open",
                    "requestBody": _takes("Replay"),
                    "responses": {"200": _answer("The deals, card by card."), **bad, **unfit},
                }
            },
            "/api/lessons": {
                "post": {
                    "operationId": "learn",
                    "summary": "A table at which the first lesson is played",
                    "requestBody": _takes("Learn"),
                    "responses": {"201": _answer("The seat.", "Given"), **bad, **unfit, **many},
                }
            },
            "/api/again": {
                "post": {
                    "operationId": "again",
                    "summary": "A table at which a deal is played on from one of its leads",
                    "requestBody": _takes("Again"),
                    "responses": {
                        "201": _answer("The seat.", "Given"),
                        **bad,
                        **unfit,
                        **many,
                    },
                }
            },
            "/api/tables/{code}/record": {
                "get": {
                    "operationId": "record",
                    "summary": "The record of the match, between deals",
                    "parameters": [_CODE],
                    "security": [{"token": []}],
                    "responses": {
                        "200": _answer("The record.", None, "text/plain"),
                        "401": _answer("No token was shown.", "Fault"),
                        "403": _answer("The token is not of this table.", "Fault"),
                        "409": _answer("A deal is being played.", "Fault"),
                        **none,
                    },
                }
            },
            "/api/deals/{deal}": {
                "get": {
                    "operationId": "deal",
                    "summary": "The record of a deal, by its link",
                    "parameters": [{**_CODE, "name": "deal", "description": "From the link."}],
                    "responses": {
                        "200": _answer("The record.", None, "text/plain"),
                        "404": _answer("There is no such deal.", "Fault"),
                    },
                }
            },
            "/healthz": {
                "get": {
                    "operationId": "health",
                    "summary": "Whether server and store answer",
                    "responses": {"200": _answer("Yes."), "503": _answer("No.")},
                }
            },
        },
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def protocol_schema() -> dict[str, Any]:
    """The messages of the socket as JSON Schema: what a client sends, and what it is sent."""
    (asked, sent), parts = msgspec.json.schema_components(
        [messages.Asked, messages.Sent], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Pope Joan protocol {messages.PROTOCOL}",
        "$defs": {"FromClient": asked, "FromServer": sent, **parts},
    }


if __name__ == "__main__":
    text = msgspec.json.format(msgspec.json.encode(protocol_schema()), indent=1)
    sys.stdout.write(text.decode() + "\n")
