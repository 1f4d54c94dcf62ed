"""The actor of a table: one thing after the other. It keeps first, and tells after.

Whatever a client asks, a bot leads or a clock decides is proposed and becomes an entry; the entry
is committed; only then does the table change and anyone hear of it. What is proposed in one moment
is committed and told together. Another process that was first is followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from popejoan.cards import PopeJoanError
from popejoan.errors import IllegalClaim, IllegalPlay
from popejoan.view import View
from popejoan.web import messages
from popejoan.web.asks import check_lead, entry_for
from popejoan.web.audience import Audience
from popejoan.web.backing import Conflict, Keeper, Mind
from popejoan.web.clients import Client
from popejoan.web.duties import Duty, duty_of, fulfilled
from popejoan.web.entries import Entry
from popejoan.web.happening import happened
from popejoan.web.limits import Limits
from popejoan.web.memory import remembered
from popejoan.web.people import Person, Refused
from popejoan.web.presence import Presence
from popejoan.web.table import Table

__all__ = ["Actor", "Answered", "Make", "reason"]

Make: TypeAlias = Callable[[Table], Entry | None]
"""The entry to be made at a table as it will stand; None for none; raises what refuses it."""
Answered: TypeAlias = Callable[[messages.Done | messages.Refusal], None]
"""Hears what came of an ask."""
_TRIES: Final = 8
_FAILED: Final = "that could not be kept: try again"
_LOG = logging.getLogger(__name__)


class _Proposal(NamedTuple):
    """Something that is to become an entry."""

    make: Make
    name: str
    """The name of the ask; empty for what the server does by itself."""
    decided: Callable[[PopeJoanError | None], None]
    """Hears that it is kept, or why not."""


def reason(error: Exception) -> dict[str, str | int]:
    """The name of the reason, for a page that has words of its own; empty where it has none."""
    if isinstance(error, IllegalPlay | IllegalClaim):
        return Refused("", "illegal").why
    return error.why if isinstance(error, Refused) else {}


class Actor:
    """One table, its clients, and what is to be done in its name."""

    def __init__(
        self,
        code: str,
        log: list[Entry],
        *,
        store: Keeper,
        thinker: Mind,
        limits: Limits,
        bots: tuple[str, ...],
        hint: Any = None,
    ) -> None:
        self.code = code
        self.table, self._memory = remembered(log)
        self.seq = len(log)
        self.turn_at = time.monotonic()
        self.unused_since = time.monotonic()
        self.limits = limits
        self._store, self._thinker, self._bots = store, thinker, bots
        self._hint = hint
        self._audience = Audience(self.table, self._memory)
        self._lock = asyncio.Lock()
        self._proposed: list[_Proposal] = []
        self._deciding: asyncio.Task[None] | None = None
        self._more: asyncio.Future[None] | None = None
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None
        self._doing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop: what is being kept is kept, and every client is told to come back."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
        if self._doing is not None:
            self._doing.cancel()
            await asyncio.gather(self._doing, return_exceptions=True)
        if self._deciding is not None:
            self._wake()
            await asyncio.gather(self._deciding, return_exceptions=True)
        for client in tuple(self.clients):
            client.goodbye("the server stops: come back in a moment", "stops")

    # Clients

    @property
    def clients(self) -> set[Client]:
        """Those who are shown the table."""
        return self._audience.clients

    @property
    def presence(self) -> Presence:
        """Who is connected."""
        return self._audience.presence

    def enter(self, client: Client) -> None:
        """Show the table to a client, and from now on all that happens."""
        self._audience.enter(client, self.table, self.seq)
        self._attend()
        self._send_hint()

    def exit(self, client: Client) -> None:
        """A client has gone."""
        self._audience.exit(client, self.table, self.seq)
        if not self.clients:
            self.unused_since = time.monotonic()
        self._attend()
        self._send_hint()

    def _tell_presence(self) -> None:
        """Tell all who is there, when that has changed."""
        self._audience.tell_presence(self.table, self.seq)
        self._attend()

    # What is asked

    def ask(self, person: int, asked: messages.Asked, answered: Answered) -> None:
        """Do what someone asks, once, or say why not."""
        ask = getattr(asked, "id", "")
        name = f"{person}:{ask}"

        def make(table: Table) -> Entry:
            who: Person = table.people[person]
            now = time.time()
            return entry_for(
                table, who, asked, name=name, limits=self.limits, bots=self._bots, now=now
            )

        def decided(error: PopeJoanError | None) -> None:
            if error is None:
                answered(messages.Done(id=ask, seq=self.seq))
            else:
                answered(messages.Refusal(id=ask, says=str(error), why=reason(error)))

        self._propose(_Proposal(make, name, decided))

    async def hint(self, person: int, asked: messages.AskHint) -> messages.Hint | messages.Refusal:
        """Advice on a lead, to the one who has to make it."""
        table = self.table
        try:
            if not table.settings.hints:
                raise Refused("no hints are given at this table", "no-hints")
            check_lead(table, person, asked.deal, asked.seen)
            assert table.round is not None
            view = View.of(table.round, table.seat_of(person))
            found = await self._thinker.hint(view)
        except PopeJoanError as error:
            return messages.Refusal(id=asked.id, says=str(error), why=reason(error))
        except Exception:  # noqa: BLE001 - whoever asked is told
            _LOG.exception("a hint could not be found")
            return messages.Refusal(
                id=asked.id, says="no hint could be found", why={"what": "no-hint"}
            )
        return messages.Hint(id=asked.id, deal=asked.deal, seen=asked.seen, hint=found)

    async def put(self, make: Make) -> None:
        """Keep an entry that the server makes; raises what refuses it."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def decided(error: PopeJoanError | None) -> None:
            if kept.done():
                return  # nobody waits for it any more
            if error is None:
                kept.set_result(None)
            else:
                kept.set_exception(error)

        self._propose(_Proposal(make, "", decided))
        await kept

    # Deciding

    def _propose(self, proposal: _Proposal) -> None:
        """Decide this soon, together with what else is proposed until then."""
        self._proposed.append(proposal)
        self._wake()
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide())

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    async def _decide(self) -> None:
        """Decide what is proposed, and answer, for as long as the table is open."""
        while self._proposed or not self._closing:
            if not self._proposed:
                self._more = asyncio.get_running_loop().create_future()
                await self._more
            async with self._lock:
                proposed, self._proposed = self._proposed, []
                for proposal, error in zip(proposed, await self._decided(proposed)):
                    proposal.decided(error)
                self._audience.flush()

    async def _decided(self, proposed: list[_Proposal]) -> list[PopeJoanError | None]:
        """Keep what may be kept of this; for each None, or why it is not kept."""
        try:
            for _ in range(_TRIES):
                made, errors = self._entries(proposed)
                try:
                    await self._keep(made)
                except Conflict:
                    await self._catch_up()
                else:
                    return errors
        except Exception:  # noqa: BLE001 - whoever asked is told
            _LOG.exception("entries could not be kept")
            with contextlib.suppress(Exception):  # the store may be gone; later is early enough
                await self._catch_up()
            return [Refused(_FAILED, "busy")] * len(proposed)
        return [Refused("the table is busy, or no more: try again", "busy")] * len(proposed)

    def _entries(
        self, proposed: Iterable[_Proposal]
    ) -> tuple[list[tuple[Entry, Table]], list[PopeJoanError | None]]:
        """The entries that come of this, each with the table after it; and for each why not."""
        table = self.table
        made: list[tuple[Entry, Table]] = []
        errors: list[PopeJoanError | None] = []
        names: set[str] = set()
        for make, name, _ in proposed:
            errors.append(None)
            if name in names or self._memory.done(name):
                continue  # twice the same, in one moment or after a broken line
            try:
                entry = make(table)
                if entry is not None:
                    if name and self.seq + len(made) >= self.limits.entries:
                        raise Refused(
                            "the log of this table is full: set another table", "full-log"
                        )
                    table = happened(table, entry)
                    made.append((entry, table))
                    if name:
                        names.add(name)
            except PopeJoanError as error:
                errors[-1] = error
            except Exception:  # noqa: BLE001 - one of them, and the others count
                _LOG.exception("an entry could not be made")
                errors[-1] = Refused(_FAILED, "busy")
        return made, errors

    async def _keep(self, made: list[tuple[Entry, Table]]) -> None:
        """Commit entries and take them; raises Conflict when another process was first."""
        if not made:
            return
        await self._store.append(self.code, self.seq + 1, *[entry for entry, _ in made])
        before = self.table
        for entry, after in made:
            self._take(entry, after)
        self._attend()
        self._send_hint()
        table = self.table
        if table.laid is not None and table.laid.day and table.results != before.results:
            await self._store.end_day(self.code, table.won(0))

    async def catch_up(self) -> None:
        """Take what other processes have put in the log."""
        async with self._lock:
            await self._catch_up()
            self._audience.flush()

    async def _catch_up(self) -> None:
        missed = await self._store.log(self.code, self.seq)
        for entry in missed:
            self._take(entry, happened(self.table, entry))
        if missed:
            self._attend()
            self._send_hint()

    def _take(self, entry: Entry, after: Table) -> None:
        """Change the table, and put the news of it to all."""
        before, self.table = self.table, after
        self.seq += 1
        if before.match is not after.match or before.paused != after.paused:
            self.turn_at = time.monotonic()
        self._audience.tell(before, after, entry, self.seq)

    # Several processes

    def _send_hint(self) -> None:
        if self._hint is not None:
            self._hint(self.code, self.seq, sorted(self.presence.here))

    async def look(self) -> None:
        """See what was missed: entries in the log, and servers that fell silent."""
        if self.presence.expire():
            self._tell_presence()
        await self.catch_up()

    async def hear(self, server: str, seq: int, present: list[int]) -> None:
        """Another process says how far the log has come, and who is connected to it."""
        if self.presence.hear(server, present):
            self._tell_presence()
        if seq > self.seq:
            await self.catch_up()

    # What is to be done without being asked

    def _attend(self) -> None:
        """See what is to be done next, and be there when it is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closing or self._doing is not None:
            return
        duty = duty_of(self.table, self.presence, self.limits, self.turn_at)
        moments = [] if duty is None else [duty.at]
        if self.clients:
            moments += self._grace()
        if moments:
            wait = max(0.0, min(moments) - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._due)

    def _grace(self) -> list[float]:
        """When each seat of those who have dropped will wait no more."""
        present, grace = self.presence.present, self.table.settings.grace
        dropped = [person for person in self.table.humans if person.number not in present]
        if not dropped:
            return []
        ends = [self.presence.since(person.number) + grace for person in dropped]
        return [end for end in ends if end > time.monotonic()]

    def _due(self) -> None:
        self._timer = None
        self._tell_presence()
        duty = duty_of(self.table, self.presence, self.limits, self.turn_at)
        if duty is not None and duty.at <= time.monotonic() and self._doing is None:
            self._doing = asyncio.create_task(self._fulfil(duty))

    async def _fulfil(self, duty: Duty) -> None:
        try:
            await self._do(duty)
        except PopeJoanError as error:
            _LOG.info("a duty was refused: %s", error)
            await asyncio.sleep(1.0)
        except Exception:  # noqa: BLE001 - a table goes on
            _LOG.exception("a duty failed")
            await asyncio.sleep(1.0)
        self._doing = None
        self._attend()

    async def _do(self, duty: Duty) -> None:
        """Do what is due, unless it is due no more when it has been thought over."""
        known = self.table
        for entry in await fulfilled(duty, known, self._thinker, self.limits):

            def make(table: Table, entry: Entry = entry, known: Table = known) -> Entry | None:
                if table is not known:
                    return None
                now = duty_of(table, self.presence, self.limits, self.turn_at)
                return entry if now is not None and now[1:] == duty[1:] else None

            await self.put(make)
            known = self.table
