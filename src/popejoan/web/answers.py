"""Answers to requests, and what a request may hold."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

__all__ = ["Problem", "body_of", "json_answer", "no_table", "problem_answer", "refused_answer"]

_LONGEST: Final = 16_384
_T = TypeVar("_T")


class Problem(Exception):
    """An answer that is no success."""

    def __init__(
        self,
        status: int,
        says: str,
        faults: Iterable[tuple[str, str]] = (),
        why: dict[str, str | int] | None = None,
    ) -> None:
        self.status, self.says, self.why = status, says, why or {}
        self.faults = [list(fault) for fault in faults]


def no_table() -> Problem:
    """What is answered about a table that is not there."""
    return Problem(404, "there is no such table, or it is no more", why={"what": "no-table"})


def json_answer(value: Any, status: int = 200) -> Response:
    """A value as JSON, kept by nobody on the way."""
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def problem_answer(_request: Request, error: Exception) -> Response:
    """The answer that a Problem stands for."""
    assert isinstance(error, Problem)
    return json_answer({"says": error.says, "faults": error.faults, "why": error.why}, error.status)


def refused_answer(_request: Request, error: Exception) -> Response:
    """What no route takes is answered in the same form."""
    assert isinstance(error, HTTPException)
    says = {"says": error.detail, "faults": [], "why": {}}
    answer = json_answer(says, error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def body_of(request: Request, kind: type[_T], longest: int = _LONGEST) -> _T:
    """What the request holds; raises Problem for anything else."""
    data = b""
    with contextlib.suppress(ClientDisconnect):
        async for part in request.stream():
            data += part
            if len(data) > longest:
                raise Problem(413, f"a request has up to {longest} bytes")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        says = str(error) if isinstance(error, msgspec.ValidationError) else "this is no JSON"
        raise Problem(400, says) from None
