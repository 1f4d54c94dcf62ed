"""The hall: all tables of one server process. It sets them, finds them, and clears them away."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import hmac
import logging
import secrets
import time
from typing import Any, Final, NamedTuple

import msgspec

from popejoan.bots import bot_names
from popejoan.notation import Record
from popejoan.web import entries
from popejoan.web.actors import Actor
from popejoan.web.asks import checked
from popejoan.web.backing import Keeper, Mind
from popejoan.web.bus import Bus, Hint, MemoryBus
from popejoan.web.deals import Pack
from popejoan.web.happening import happened
from popejoan.web.limits import DEFAULT, Limits
from popejoan.web.names import clean_name, told_apart
from popejoan.web.people import Refused
from popejoan.web.replay import pack_order
from popejoan.web.table import Table

__all__ = ["Hall", "Seat", "deal_name", "is_code", "token_digest"]

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE: Final = 16
_LOG = logging.getLogger(__name__)


def new_code() -> str:
    """A code that cannot be guessed: 79 bits, in letters that are not mistaken."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE))


def is_code(text: str) -> bool:
    """Whether this could be the code of a table."""
    return len(text) == _CODE and not set(text) - set(_LETTERS)


def _letters(number: int) -> str:
    letters = []
    for _ in range(_CODE):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)


def deal_name(code: str, seal: str) -> str:
    """What a link calls a deal: the same every time, and it does not tell the table."""
    known = hashlib.sha256(f"popejoan deal\n{code}\n{seal}\n".encode()).digest()
    return _letters(int.from_bytes(known, "big"))


def token_digest(token: str) -> str:
    """What the log keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Seat(NamedTuple):
    """What someone who comes to a table is given: keep the token secret."""

    code: str
    person: int
    token: str


def _thinker(limits: Limits) -> Mind:
    """The server's own, which a page that plays by itself does not have."""
    from popejoan.web.thinking import Thinker

    return Thinker(longest=limits.thinking)


class Hall:
    """Every table that this process has at hand; the others lie in the store."""

    def __init__(
        self,
        store: Keeper,
        *,
        limits: Limits = DEFAULT,
        bus: Bus | None = None,
        thinker: Mind | None = None,
    ) -> None:
        self.store = store
        self.limits = limits
        self.bus: Bus = bus or MemoryBus()
        self.thinker = thinker or _thinker(limits)
        self.bots = bot_names()
        self.actors: dict[str, Actor] = {}
        self.opened = 0
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = False

    async def open(self) -> None:
        """Be ready for clients."""
        await self.store.open()
        await self.bus.open(self._heard)
        self._run(self.thinker.warm())
        self._run(self._clear())
        if self.bus.distant:
            self._run(self._look())

    async def close(self) -> None:
        """Stop every table; nothing that was accepted is lost."""
        self._stopping = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(actor.close() for actor in self.actors.values()))
        await self.bus.close()
        self.thinker.close()
        await self.store.close()

    def _run(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables

    async def set_table(self, settings: entries.Settings, name: str) -> Seat:
        """A new table, with whoever sets it as its host; raises Refused, or what the game does."""
        settings = checked(settings, self.limits, self.bots)
        happened(Table(settings), entries.Planned(settings))
        return await self._open(settings, _named(name, ()))

    async def lay(
        self,
        record: str,
        name: str,
        *,
        seat: int,
        bot: str,
        called: str = "",
        day: str = "",
        then: tuple[int, ...] = (),
    ) -> Seat:
        """A table at which the deal of a record, which goes on, is played against bots.

        Raises Refused, or what the game does.
        """
        match = Record.read(record).match
        if match.round is None:
            raise Refused("no deal is laid out in this record")
        settings = entries.Settings(
            name=called or "Pope Joan",
            seats=match.players,
            rules=match.rules.text,
            bots=bot,
            watch=False,
            chat=False,
            # Everyone plays the deal of the day by their own wits.
            hints=not day,
        )
        pack = Pack(pack_order(match.round.deal), secrets.token_hex(32))
        laid = entries.Laid(
            record, seat, bot, pack, Pack.drawn(), day=day, then=then, at=time.time()
        )
        # One deal, though these rules may ask that all deal equally often.
        settings = checked(settings, self.limits, self.bots)
        settings = msgspec.structs.replace(settings, deals=1)
        named = _named(name, ())
        happened(happened(Table(settings), entries.Came(named, "")), laid)
        return await self._open(settings, named, laid)

    async def _open(self, settings: entries.Settings, name: str, *more: entries.Entry) -> Seat:
        """A new table, at which more happens at once, and the seat of whoever sets it."""
        if await self.store.count() >= self.limits.tables:
            raise Refused("there are too many tables here: come back later", "tables")
        code, token, now = new_code(), secrets.token_urlsafe(16), time.time()
        opened = entries.Opened(settings, at=now)
        came = entries.Came(name, token_digest(token), at=now)
        await self.store.append(code, 1, opened, came, *more)
        self.opened += 1
        return Seat(code, 0, token)

    async def come(self, code: str, name: str, *, watching: bool) -> Seat | None:
        """A seat, or a place to watch from, at a table; None when there is no such table."""
        actor = await self.find(code)
        if actor is None:
            return None
        token = secrets.token_urlsafe(16)
        digest = token_digest(token)

        def make(table: Table) -> list[entries.Entry]:
            if len(table.people) >= self.limits.people:
                raise Refused("too many have come to this table already", "people")
            if watching and not table.settings.watch:
                raise Refused("nobody may watch at this table", "no-watching")
            if not watching and len(table.humans) >= table.settings.seats:
                raise Refused("every seat is taken", "full")
            if not watching and table.closed:
                raise Refused("the match is over: ask for a rematch", "over")
            taken = [
                person.name for person in table.people if not (person.bot and not person.seated)
            ]
            return [entries.Came(_named(name, taken), digest, watching, at=time.time())]

        await actor.put(make)
        found = next(person for person in actor.table.people if person.token == digest)
        return Seat(code, found.number, token)

    async def find(self, code: str) -> Actor | None:
        """The actor of a table, from memory or from the store; None when there is none."""
        if self._stopping or not is_code(code):
            return None
        actor = self.actors.get(code)
        if actor is not None:
            actor.unused_since = time.monotonic()  # it stays for whoever asked for it
            return actor
        lock = self._loading.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                if code in self.actors:
                    return self.actors[code]
                log = await self.store.log(code)
                if not log:
                    return None
                actor = Actor(
                    code,
                    log,
                    store=self.store,
                    thinker=self.thinker,
                    limits=self.limits,
                    bots=self.bots,
                    hint=self._hint if self.bus.distant else None,
                )
                self.actors[code] = actor
                return actor
        finally:
            if not lock.locked():
                self._loading.pop(code, None)

    @staticmethod
    def person_with(table: Table, token: str) -> int | None:
        """Whose token this is; every digest is compared, in constant time."""
        digest = token_digest(token)
        found = None
        for person in table.people:
            same = hmac.compare_digest(person.token.encode(), digest.encode())
            if same and person.human:
                found = person.number
        return found

    # Clearing away

    async def _clear(self) -> None:
        while True:
            await asyncio.sleep(min(30.0, self.limits.idle))
            try:
                await self.clear()
            except Exception:  # noqa: BLE001 - the hall goes on
                _LOG.exception("clearing away failed")

    async def clear(self) -> None:
        """Let go of tables that nobody looks at, and remove those whose time is up."""
        now = time.monotonic()
        for code, actor in tuple(self.actors.items()):
            if not actor.clients and now - actor.unused_since > self.limits.idle:
                del self.actors[code]
                await actor.close()
        today = time.time()
        for code in await self.store.old(
            begun_before=today - self.limits.kept, lobby_before=today - self.limits.lobby
        ):
            actor_ = self.actors.get(code)
            if actor_ is None or not actor_.clients:
                self.actors.pop(code, None)
                if actor_ is not None:
                    await actor_.close()
                await self.store.remove(code)
                _LOG.info("a table whose time was up is removed")
        await self.store.forget_deals(today - self.limits.shared)
        oldest = dt.datetime.fromtimestamp(today - self.limits.shared, dt.UTC)
        await self.store.forget_days(oldest.date().isoformat())

    # Several processes

    def _hint(self, code: str, seq: int, present: list[int]) -> None:
        self.bus.tell({"table": code, "seq": seq, "present": present})

    def _heard(self, hint: Hint) -> None:
        actor = self.actors.get(hint.get("table", ""))
        seq, present, server = hint.get("seq"), hint.get("present"), hint.get("from")
        if actor is not None and isinstance(seq, int) and isinstance(present, list):
            self._run(actor.hear(str(server), seq, present))

    async def _look(self) -> None:
        """Look into the log now and then, for hints that were lost; say who is here."""
        while True:
            await asyncio.sleep(2.0)
            for code, actor in tuple(self.actors.items()):
                if actor.clients:
                    self._hint(code, actor.seq, sorted(actor.presence.here))
                    with contextlib.suppress(Exception):
                        await actor.look()


def _named(name: str, taken: Any) -> str:
    clean = clean_name(name)
    if not clean:
        raise Refused("give a name that can be seen", "name")
    return told_apart(clean, taken)
