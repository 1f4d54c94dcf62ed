"""The actor of a table: one thing after the other. It keeps first, and tells after.

Whatever a client asks, a bot leads or a clock decides is proposed and becomes an entry; the entry
is committed; only then does the table change and anyone hear of it. What is proposed in one moment
is committed and told together, if it is not too much. Another process that was first is followed.
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
from popejoan.web.people import Refused
from popejoan.web.presence import Presence
from popejoan.web.table import Table

__all__ = ["Actor", "reason"]

Make: TypeAlias = Callable[[Table], list[Entry]]
"""The entries to be made at a table as it will stand, all or none; raises what refuses them."""
Answered: TypeAlias = Callable[[messages.Done | messages.Refusal], None]
"""Hears what came of an ask."""
_Step: TypeAlias = tuple[Entry, Table]
"""An entry, and the table after it."""
_TRIES: Final = 8
_TOGETHER: Final = 64
"""How many proposals are decided together at most: all other tables wait meanwhile."""
_PATIENCE: Final = 5.0
"""For how many seconds a table that closes waits for what is being kept."""
_FAILED: Final = "that could not be kept: try again"
_LOG = logging.getLogger(__name__)


class _Proposal(NamedTuple):
    """Something that is to become an entry."""

    make: Make
    name: str
    """The name of the ask; empty for what the server does by itself."""
    answer: Callable[[PopeJoanError | None], None]
    """Hears that it is kept, or why not."""


def _bare(error: PopeJoanError) -> PopeJoanError:
    """The error without its traceback and its causes, which lead back to whatever keeps it."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def _steps(table: Table, make: Make) -> list[_Step]:
    """What this makes of a table."""
    steps: list[_Step] = []
    for entry in make(table):
        table = happened(table, entry)
        steps.append((entry, table))
    return steps


def reason(error: Exception) -> dict[str, str | int]:
    """The name of the reason, for a page that has words of its own; empty where it has none."""
    if isinstance(error, IllegalPlay | IllegalClaim):
        return Refused("", "illegal").why
    return error.why if isinstance(error, Refused) else {}


def _won(before: Table, steps: Iterable[_Step]) -> int | None:
    """What these steps brought whoever laid out the deal of a day; None where it did not end."""
    won = None
    for _, after in steps:
        if after.laid is not None and after.laid.day and after.results != before.results:
            won = after.won(0)
        before = after
    return won


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
        self._more = asyncio.Event()
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
            self._more.set()
            await asyncio.wait([self._deciding], timeout=_PATIENCE)
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

        def make(table: Table) -> list[Entry]:
            entry = entry_for(
                table,
                table.people[person],
                asked,
                name=name,
                limits=self.limits,
                bots=self._bots,
                now=time.time(),
            )
            return [entry]

        def answer(error: PopeJoanError | None) -> None:
            if error is None:
                answered(messages.Done(id=ask, seq=self.seq))
            else:
                answered(messages.Refusal(id=ask, says=str(error), why=reason(error)))

        self._propose(_Proposal(make, name, answer))

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
        """Keep entries that the server makes; raises what refuses them."""
        error = await self._outcome(make)
        if error is not None:
            try:
                raise error
            finally:
                del error  # it holds this call, which would hold it

    async def _outcome(self, make: Make) -> PopeJoanError | None:
        outcome: asyncio.Future[PopeJoanError | None] = asyncio.get_running_loop().create_future()

        def answer(error: PopeJoanError | None) -> None:
            if not outcome.done():  # or nobody waits for it any more
                outcome.set_result(error)

        self._propose(_Proposal(make, "", answer))
        return await outcome

    # Deciding

    def _propose(self, proposal: _Proposal) -> None:
        """Decide this soon, together with what else is proposed until then."""
        if self._closing:
            proposal.answer(Refused(_FAILED, "busy"))
            return
        self._proposed.append(proposal)
        self._more.set()
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide())

    async def _decide(self) -> None:
        """Decide what is proposed, for as long as the table is open."""
        while self._proposed or not self._closing:
            if self._proposed:
                await self._settle()
            else:
                self._more.clear()
                await self._more.wait()

    async def _settle(self) -> None:
        """Decide what is proposed now, and answer."""
        async with self._lock:
            proposed, self._proposed = self._proposed[:_TOGETHER], self._proposed[_TOGETHER:]
            errors = await self._decided(proposed)
            for proposal, error in zip(proposed, errors, strict=True):
                try:
                    proposal.answer(error)
                except Exception:  # noqa: BLE001 - a fault of one answer leaves the others theirs
                    _LOG.exception("an answer was not heard")
            self._audience.flush()

    async def _decided(self, proposed: list[_Proposal]) -> list[PopeJoanError | None]:
        """Keep what may be kept of this; for each None, or why it is not kept."""
        made: list[_Step] = []
        errors: list[PopeJoanError | None] = []
        try:
            for _ in range(_TRIES):
                made, errors = self._made(proposed)
                try:
                    await self._commit(made)
                except Conflict:
                    await self._catch_up()
                else:
                    return errors
        except Exception:  # noqa: BLE001 - whatever the store raises, whoever asked is told
            _LOG.exception("entries could not be kept")
            with contextlib.suppress(Exception):  # the store may be gone; later is early enough
                missed = await self._catch_up()
                if missed[: len(made)] == [entry for entry, _ in made]:
                    return errors  # they were kept after all
            return [
                None if self._memory.done(each.name) else Refused(_FAILED, "busy")
                for each in proposed
            ]
        return [Refused("the table is busy, or no more: try again", "busy") for _ in proposed]

    def _made(
        self, proposed: Iterable[_Proposal]
    ) -> tuple[list[_Step], list[PopeJoanError | None]]:
        """The entries that come of this, each with the table after it; and for each why not."""
        table = self.table
        names: set[str] = set()
        made: list[_Step] = []
        errors: list[PopeJoanError | None] = []
        for make, name, _ in proposed:
            error: PopeJoanError | None = None
            if name not in names and not self._memory.done(name):
                try:
                    steps = _steps(table, make)
                    if name and self.seq + len(made) + len(steps) > self.limits.entries:
                        raise Refused(
                            "the log of this table is full: set another table", "full-log"
                        )
                except PopeJoanError as refused:
                    error = _bare(refused)
                except Exception:  # noqa: BLE001 - a fault of one ask leaves the others theirs
                    _LOG.exception("an entry could not be made")
                    error = Refused(_FAILED, "busy")
                else:
                    made += steps
                    if steps:
                        table = steps[-1][1]
                    if name:
                        names.add(name)
            errors.append(error)
        return made, errors

    async def _commit(self, made: list[_Step]) -> None:
        """Commit entries and take them; raises Conflict when another process was first."""
        if not made:
            return
        added = [entry for entry, _ in made]
        await self._store.append(self.code, self.seq + 1, *added, won=_won(self.table, made))
        for entry, after in made:
            self._take(entry, after)
        self._attend()
        self._send_hint()

    async def catch_up(self) -> None:
        """Take what other processes have put in the log."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> list[Entry]:
        """Take what was missed, and give it."""
        missed = await self._store.log(self.code, self.seq)
        for entry in missed:
            self._take(entry, happened(self.table, entry))
        if missed:
            self._attend()
            self._send_hint()
            self._audience.flush()
        return missed

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
        """When each seat of those who are shown as dropped will wait no more."""
        grace = self.table.settings.grace
        return [self.presence.since(person) + grace for person in self._audience.dropped]

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
        found = await fulfilled(duty, known, self._thinker, self.limits)

        def make(table: Table) -> list[Entry]:
            now = duty_of(table, self.presence, self.limits, self.turn_at)
            # What was thought over at length is not in vain because someone said something.
            same = table.match is known.match if duty.what == "lead" else table is known
            still = same and now is not None and now[1:] == duty[1:]
            return found if still else []

        await self.put(make)
