"""What ``popejoan admin`` does: list, export, import and prune the tables of a store."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from popejoan.web.entries import Entry, decode, encode
from popejoan.web.hall import is_code
from popejoan.web.happening import table_of
from popejoan.web.records import record_of
from popejoan.web.store import Store, data_url

__all__ = ["exported", "imported", "listed", "pruned"]

_T = TypeVar("_T")


def _with(url: str, work: Callable[[Store], Awaitable[_T]]) -> _T:
    """What the work comes to; raises OSError, with the reason, for a store that cannot be used."""

    async def run() -> _T:
        store = Store(url or data_url())
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise OSError(f"the store {url or data_url()} cannot be used: {reason}") from None


def listed(url: str) -> list[str]:
    """A line a table: code, when last touched, entries, and whether it has begun."""
    lines = []
    for kept in _with(url, Store.tables):
        touched = dt.datetime.fromtimestamp(kept.touched, dt.UTC)
        state = "begun" if kept.begun else "lobby"
        lines.append(f"{kept.code}  {touched:%Y-%m-%d %H:%M}Z  {kept.entries:6}  {state}")
    return lines


def exported(url: str, code: str, *, log: bool = False) -> str:
    """The record of a table's last match, or its whole log; ValueError when there is none."""
    found = _with(url, lambda store: store.log(code))
    if not found:
        raise ValueError(f"there is no table {code!r}")
    if log:
        return "".join(encode(entry).decode() + "\n" for entry in found)
    return record_of(found)


def imported(url: str, code: str, log: bytes) -> None:
    """Put a log into the store; ValueError when it comes to no table, or the code is taken."""
    if not is_code(code):
        raise ValueError(f"{code!r} is no code of a table")
    try:
        found: list[Entry] = [decode(line) for line in log.splitlines() if line]
        table_of(found)
    except (ValueError, AssertionError, LookupError, msgspec.MsgspecError) as error:
        raise ValueError(f"this is no log of a table: {error}") from None

    async def put(store: Store) -> bool:
        if await store.log(code):
            return False
        await store.append(code, 1, *found)
        return True

    if not _with(url, put):
        raise ValueError(f"there is a table {code!r} already")


def pruned(url: str, days: float) -> int:
    """Remove the tables untouched for so many days, and say how many they were."""

    async def remove(store: Store) -> int:
        before = time.time() - days * 86400
        old = await store.old(begun_before=before, lobby_before=before)
        for code in old:
            await store.remove(code)
        return len(old)

    return _with(url, remove)
