"""The store: every table's log, in SQLite or PostgreSQL. What is in it is true; all else is a copy.

Entries of many tables that come at once are committed together, and nobody hears of one before.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)  # fmt: skip
from sqlalchemy import text as sql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from popejoan.web.backing import Conflict
from popejoan.web.entries import Entry, Laid, Opened, Started, decode, encode
from popejoan.web.schema import DAYS, DEALS, LOG, RESULTS, TABLES

__all__ = ["Conflict", "Kept", "Store", "data_url"]

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_T = TypeVar("_T")
_TOGETHER: Final = 500
_TOUCH: Final = 60.0
"""After how many seconds it is noted anew that a table is in use."""
_REMEMBERED: Final = 20_000
_PATIENCE: Final = 5.0
"""For how many seconds a store that closes waits for what is to be written."""
HEAD: Final = "0003"
"""The last migration."""


class Kept(NamedTuple):
    """A table in the store."""

    code: str
    opened: float
    touched: float
    begun: bool
    entries: int


class _Pending(NamedTuple):
    code: str
    seq: int
    """The place of the first."""
    added: tuple[Entry, ...]
    won: int | None
    """What they bring at the deal of a day."""
    done: asyncio.Future[None]


def data_url() -> str:
    """The SQLite file in the user's data directory, as a URL; makes the directory."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "popejoan"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return f"sqlite:///{folder / 'tables.db'}"


def _driver(url: str) -> str:
    """The URL with the driver that this project uses."""
    for plain, full in (
        ("postgresql://", "postgresql+asyncpg://"),
        ("postgres://", "postgresql+asyncpg://"),
    ):
        if url.startswith(plain):
            return full + url[len(plain) :]
    return url


def fault_with_url(url: str) -> str | None:
    """Why a URL names no store; None if it may name one."""
    try:
        kind = make_url(_driver(url)).drivername
    except (ArgumentError, ValueError):
        kind = ""
    if kind not in ("sqlite", "postgresql+asyncpg"):
        return f"{url!r} is no store: one is sqlite:///FILE or postgresql://USER@HOST/NAME"
    return None


class Store:
    """The logs of all tables. Open it before use, and close it after."""

    def __init__(self, url: str) -> None:
        self.url = _driver(url)
        self._engine: Engine | AsyncEngine
        if self.url.startswith("sqlite"):
            self._engine = create_engine(self.url, poolclass=StaticPool)
            event.listen(self._engine, "connect", _prepare)
        else:
            self._engine = create_async_engine(self.url, pool_size=5)
        self._insert = str(insert(LOG).compile(dialect=self._engine.dialect))
        self._thread: ThreadPoolExecutor | None = None
        self._pending: list[_Pending] = []
        self._more: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._touched: dict[str, float] = {}

    async def open(self) -> None:
        """Bring the schema up to date, and be ready to write."""
        # SQLite has a thread, in which one thing is done after the other.
        self._thread = ThreadPoolExecutor(1, "store")
        await self._do(_migrate)
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        if self._writer is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    while self._pending and not self._writer.done():
                        await asyncio.sleep(0.01)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        if isinstance(self._engine, AsyncEngine):
            await self._engine.dispose()
        elif self._thread is not None:
            self._thread.submit(self._engine.dispose)
            self._thread.shutdown()
            self._thread = None

    async def _do(self, work: Callable[[Connection], _T]) -> _T:
        """What this gives that is done in a transaction of its own."""
        engine = self._engine
        if isinstance(engine, AsyncEngine):
            async with engine.begin() as connection:
                return await connection.run_sync(work)

        def done() -> _T:
            with engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, done)

    async def ping(self) -> None:
        """Raise when the database does not answer."""
        await self._do(lambda connection: connection.execute(select(1)).scalar_one())

    # Writing

    async def append(self, code: str, seq: int, *added: Entry, won: int | None = None) -> None:
        """Commit entries, all or none, the first in this place; raises Conflict when one is taken.

        The table of the entries is there, or the first of them opens it. ``won`` is what they
        bring the player of the deal of a day, who plays it at this table.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append(_Pending(code, seq, added, won, done))
        if self._more is not None and not self._more.done():
            self._more.set_result(None)
        await done

    async def _write(self) -> None:
        while True:
            while not self._pending:
                self._more = asyncio.get_running_loop().create_future()
                await self._more
            batch, self._pending = self._pending[:_TOGETHER], self._pending[_TOGETHER:]
            try:
                await self._commit(batch)
            except IntegrityError:
                for each in batch:
                    await self._alone(each)
            except Exception as error:  # noqa: BLE001 - whoever waits hears of any failure
                for each in batch:
                    _fail(each, error)
            for each in batch:
                if not each.done.done():
                    each.done.set_result(None)

    async def _alone(self, pending: _Pending) -> None:
        try:
            await self._commit([pending])
        except IntegrityError:
            _fail(pending, Conflict(pending.code))
        except Exception as error:  # noqa: BLE001 - whoever waits hears of any failure
            _fail(pending, error)

    async def _commit(self, batch: Sequence[_Pending]) -> None:
        rows = [
            (code, place, entry)
            for code, seq, added, _, _ in batch
            for place, entry in enumerate(added, seq)
        ]
        opened = [(code, entry.at) for code, _, entry in rows if isinstance(entry, Opened)]
        touched = {
            code: entry.at
            for code, _, entry in rows
            if not isinstance(entry, Opened)
            and not 0 <= entry.at - self._touched.get(code, -_TOUCH) < _TOUCH
        }
        won = [{"key": each.code, "won": each.won} for each in batch if each.won is not None]
        begun = [code for code, _, entry in rows if isinstance(entry, Started | Laid)]

        def work(connection: Connection) -> None:
            if opened:
                connection.execute(
                    insert(TABLES),
                    [{"code": code, "opened": at, "touched": at} for code, at in opened],
                )
            # Straight to the driver: SQLAlchemy's preparing of each row took a quarter of the time.
            connection.exec_driver_sql(
                self._insert, [(code, place, encode(entry)) for code, place, entry in rows]
            )
            if touched:
                connection.execute(
                    update(TABLES).where(TABLES.c.code == bindparam("key")),
                    [{"key": code, "touched": at} for code, at in touched.items()],
                )
            if won:
                connection.execute(update(RESULTS).where(RESULTS.c.code == bindparam("key")), won)
            if begun:
                connection.execute(update(TABLES).where(TABLES.c.code.in_(begun)).values(begun=1))

        await self._do(work)
        self._touched |= touched
        while len(self._touched) > _REMEMBERED:
            del self._touched[next(iter(self._touched))]

    # Reading

    async def log(self, code: str, after: int = 0) -> list[Entry]:
        """The entries of a table after this place, in order; none when there is no such table."""
        query = select(LOG.c.entry).where(LOG.c.code == code, LOG.c.seq > after)
        rows = await self._do(
            lambda connection: connection.execute(query.order_by(LOG.c.seq)).all()
        )
        return [decode(row.entry) for row in rows]

    async def tables(self) -> list[Kept]:
        """Every table, the one touched last first."""
        count = select(func.count()).where(LOG.c.code == TABLES.c.code).scalar_subquery()
        query = select(TABLES, count.label("entries")).order_by(TABLES.c.touched.desc())
        rows = await self._do(lambda connection: connection.execute(query).all())
        return [
            Kept(row.code, row.opened, row.touched, bool(row.begun), row.entries) for row in rows
        ]

    async def count(self) -> int:
        """How many tables there are."""
        query = select(func.count()).select_from(TABLES)
        return int(await self._do(lambda connection: connection.execute(query).scalar_one()))

    # Deals with a link

    async def share(self, name: str, record: str, at: float) -> None:
        """Keep the record of a deal under this name; it may be there already."""
        row = {"name": name, "at": at, "record": record}
        with contextlib.suppress(IntegrityError):
            await self._change(insert(DEALS).values(row))

    async def shared(self, name: str) -> str | None:
        """The record of the deal that has this name; None when there is none."""
        query = select(DEALS.c.record).where(DEALS.c.name == name)
        found: str | None = await self._do(
            lambda connection: connection.execute(query).scalar_one_or_none()
        )
        return found

    # The deal of the day

    async def day(self, day: str, record: str) -> str:
        """The record of the deal of a day: this one, unless there is one already."""
        with contextlib.suppress(IntegrityError):
            await self._change(insert(DAYS).values(day=day, record=record))
        query = select(DAYS.c.record).where(DAYS.c.day == day)
        return str(await self._do(lambda connection: connection.execute(query).scalar_one()))

    async def begin_day(self, day: str, who: str, name: str, code: str) -> bool:
        """Note who plays the deal of a day at which table; False when they did before."""
        try:
            await self._change(insert(RESULTS).values(day=day, who=who, name=name, code=code))
        except IntegrityError:
            return False
        return True

    async def result(self, day: str, who: str) -> str | None:
        """The table at which someone plays the deal of a day; None for one who does not."""
        query = select(RESULTS.c.code).where(RESULTS.c.day == day, RESULTS.c.who == who)
        found: str | None = await self._do(
            lambda connection: connection.execute(query).scalar_one_or_none()
        )
        return found

    async def results(self, day: str) -> list[tuple[str, str, int | None]]:
        """Everyone who has begun the deal of a day: digest, name, and what they won."""
        query = select(RESULTS.c.who, RESULTS.c.name, RESULTS.c.won).where(RESULTS.c.day == day)
        rows = await self._do(lambda connection: connection.execute(query).all())
        return [(row.who, row.name, row.won) for row in rows]

    async def forget_days(self, before: str) -> None:
        """Remove the deals of the days before this, and their results."""
        await self._change(
            delete(RESULTS).where(RESULTS.c.day < before), delete(DAYS).where(DAYS.c.day < before)
        )

    # Removing

    async def forget_deals(self, before: float) -> None:
        """Remove the deals whose link was made before this."""
        await self._change(delete(DEALS).where(DEALS.c.at < before))

    async def remove(self, code: str) -> None:
        """Remove a table with all its traces."""
        await self._change(
            delete(LOG).where(LOG.c.code == code), delete(TABLES).where(TABLES.c.code == code)
        )
        self._touched.pop(code, None)

    async def old(self, *, begun_before: float, lobby_before: float) -> list[str]:
        """The tables whose time is up: those that began, and those that never did."""
        query = select(TABLES.c.code).where(
            (TABLES.c.touched < begun_before)
            | ((TABLES.c.begun == 0) & (TABLES.c.touched < lobby_before))
        )
        return list(await self._do(lambda connection: connection.execute(query).scalars().all()))

    async def _change(self, *statements: Executable) -> None:
        def work(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self._do(work)


def _fail(pending: _Pending, error: Exception) -> None:
    if not pending.done.done():
        pending.done.set_exception(error)


def _prepare(connection: Any, _record: object) -> None:
    """Set up a connection to SQLite: a journal that survives a crash, foreign keys, patience."""
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000",
        "secure_delete=ON", "journal_size_limit=67108864",
    ):  # fmt: skip
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Bring the schema up to date; where it is, Alembic is not even loaded."""
    if not connection.dialect.name.startswith("sqlite"):
        # One server at a time: others wait here, and find it done.
        connection.execute(sql("SELECT pg_advisory_xact_lock(7673)"))
    if inspect(connection).has_table("alembic_version"):
        found = connection.execute(sql("SELECT version_num FROM alembic_version")).scalar()
        if found == HEAD:
            return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
