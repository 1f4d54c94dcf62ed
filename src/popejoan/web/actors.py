"""The actor of a table: one thing at a time. It keeps first, and tells after.

Whatever a client asks, a bot leads or a clock decides becomes an entry; the entry is committed;
only then does the table change and anyone hear of it. Another process that was first is followed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final

import msgspec

from popejoan.cards import PopeJoanError
from popejoan.errors import IllegalClaim, IllegalPlay
from popejoan.view import View
from popejoan.web import entries, messages
from popejoan.web.asks import check_lead, entry_for
from popejoan.web.backing import Conflict, Keeper, Mind
from popejoan.web.clients import Client, frame
from popejoan.web.duties import Duty, duty_of, fulfilled
from popejoan.web.entries import Entry
from popejoan.web.happening import happened
from popejoan.web.limits import Limits
from popejoan.web.memory import remembered, words
from popejoan.web.people import Person, Refused
from popejoan.web.presence import Presence
from popejoan.web.showing import Showing
from popejoan.web.table import Table, same_seats
from popejoan.web.telling import changed, sections

__all__ = ["Actor", "reason"]

_TRIES: Final = 8
_LOG = logging.getLogger(__name__)


def reason(error: Exception) -> dict[str, str | int]:
    """The name of the reason, for a page that has words of its own; empty where it has none."""
    if isinstance(error, IllegalPlay | IllegalClaim):
        return Refused("", "illegal").why
    return error.why if isinstance(error, Refused) else {}


def _texts(
    news: messages.News, name: bytes, views: dict[int | None, bytes]
) -> dict[int | None, bytes]:
    """The news as each seat hears it: all hear the same, but for the view where there is one."""
    text = frame(news)
    if not views:
        return {None: text}
    begun = text[:-1] + b',"' + name + b'":'
    return {seat: begun + view + b"}" for seat, view in views.items()}


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
        self.clients: set[Client] = set()
        self.presence = Presence()
        self.turn_at = time.monotonic()
        self.unused_since = time.monotonic()
        self.limits = limits
        self._store, self._thinker, self._bots = store, thinker, bots
        self._hint = hint
        self._sections = self._public()
        self._showing: Showing | None = None
        self._lock = asyncio.Lock()
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
        async with self._lock:
            for client in tuple(self.clients):
                client.goodbye("the server stops: come back in a moment", "stops")

    # Clients

    def enter(self, client: Client) -> None:
        """Show the table to a client, and from now on all that happens."""
        if client.person is not None:
            self.presence.come(client.person)
        self._tell_presence()
        client.seat = self.table.seat_of(client.person)
        self.clients.add(client)
        client.send(frame(self._welcome(client.person, says=client.says)))

    def exit(self, client: Client) -> None:
        """A client has gone."""
        self.clients.discard(client)
        if client.person is not None:
            self.presence.go(client.person)
        if not self.clients:
            self.unused_since = time.monotonic()
        self._tell_presence()

    def _welcome(self, person: int | None, *, says: bool) -> messages.Welcome:
        showing = self._shown()
        view: Any = None
        if showing is not None:
            view = msgspec.Raw(showing.whole(self.table.seat_of(person)))
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            seq=self.seq,
            you=person,
            table=self._sections,
            view=view,
            lines=[list(line) for line in self.table.lines],
            says=self._memory.said if says else [],
            told=self._memory.told,
        )

    def _shown(self) -> Showing | None:
        """The deal as it stands, ready to be shown."""
        round_, showing = self.table.round, self._showing
        if round_ is None:
            self._showing = None
        elif showing is None or (showing.round is not round_ and not showing.take(round_)):
            self._showing = Showing(round_)
        return self._showing

    def _public(self) -> dict[str, Any]:
        return {**sections(self.table), "present": self._present()}

    def _present(self) -> list[list[Any]]:
        """Each person who is connected or has dropped, and for how long a seat waits."""
        present, now = self.presence.present, time.monotonic()
        found: list[list[Any]] = []
        for person in self.table.people:
            if person.human and person.number in present:
                found.append([person.number, "here"])
            elif person.human and person.seated:
                left = self.presence.since(person.number) + self.table.settings.grace - now
                found.append([person.number, "dropped" if left > 0 else "away"])
        return found

    def _tell_presence(self, *, hint: bool = True) -> None:
        """Tell all who is there, when that has changed."""
        if hint:
            self._send_hint()
        present = self._present()
        self._attend()
        if present != self._sections["present"]:
            self._sections = {**self._sections, "present": present}
            text = frame(messages.News(seq=self.seq, table={"present": present}))
            for client in self.clients:
                client.send(text)

    # What is asked

    async def ask(self, person: int, asked: messages.Asked) -> messages.Done | messages.Refusal:
        """Do what someone asks, once, or say why not."""
        ask = getattr(asked, "id", "")
        name = f"{person}:{ask}"
        try:
            async with self._lock:
                if name not in self.table.asks:
                    await self._keep(lambda: self._entry(person, asked, name), name)
                return messages.Done(id=ask, seq=self.seq)
        except PopeJoanError as error:
            return messages.Refusal(id=ask, says=str(error), why=reason(error))
        except Exception:  # noqa: BLE001 - whoever asked is told
            _LOG.exception("an entry could not be kept")
            await self.catch_up()
            return messages.Refusal(
                id=ask, says="that could not be kept: try again", why={"what": "busy"}
            )

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

    def _entry(self, person: int, asked: messages.Asked, name: str) -> Entry:
        who: Person = self.table.people[person]
        if self.seq >= self.limits.entries:
            raise Refused("the log of this table is full: set another table", "full-log")
        entry = entry_for(
            self.table, who, asked, limits=self.limits, bots=self._bots, now=time.time()
        )
        return msgspec.structs.replace(entry, ask=name)

    async def put(self, make: Any) -> None:
        """Keep an entry that the server makes; ``make`` raises, or gives None to do nothing."""
        async with self._lock:
            await self._keep(make, "")

    async def _keep(self, make: Any, name: str) -> None:
        """Make an entry, commit it, and take it; again when another process was first."""
        for _ in range(_TRIES):
            entry = make()
            if entry is None:
                return
            after = happened(self.table, entry)
            try:
                await self._store.append(self.code, self.seq + 1, entry)
            except Conflict:
                await self._catch_up()
                if name and name in self.table.asks:
                    return
                continue
            before = self.table
            self._take(entry, after)
            if after.laid is not None and after.laid.day and after.results != before.results:
                await self._store.end_day(self.code, after.won(0))
            return
        raise Refused("the table is busy, or no more: try again", "busy")

    async def catch_up(self) -> None:
        """Take what other processes have put in the log."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        for entry in await self._store.log(self.code, self.seq):
            self._take(entry, happened(self.table, entry))

    def _take(self, entry: Entry, after: Table) -> None:
        """Change the table, and tell everyone."""
        before, self.table = self.table, after
        self.seq += 1
        if before.match is not after.match or before.paused != after.paused:
            self.turn_at = time.monotonic()
        self._tell(before, entry)
        self._attend()
        self._send_hint()

    def _tell(self, before: Table, entry: Entry) -> None:
        said, told = self._memory.take(before, self.table, entry)
        fresh = changed(before, self.table, self._sections, entry)
        if not isinstance(entry, entries.Led) and self._present() != self._sections["present"]:
            # Someone may have been heard of as present before the entry that they came with.
            fresh["present"] = self._present()
        self._sections = {**self._sections, **fresh}
        if not self.clients:
            self._showing = None
            return
        after = self.table
        if not same_seats(before, after):
            for client in self.clients:
                client.seat = after.seat_of(client.person)
        seats = {client.seat for client in self.clients}
        views: dict[int | None, bytes] = {}
        same = before.deal == after.deal and before.round is not None
        if after.round is not None and after.round is not before.round:
            showing = self._shown()
            assert showing is not None
            if same and before.round is not None:
                since = min(len(before.round.events), len(after.round.events))
                views = showing.more(since, seats)
            else:
                views = {seat: showing.whole(seat) for seat in seats}
        line = list(after.lines[-1]) if isinstance(entry, entries.Said) else None
        news = messages.News(seq=self.seq, table=fresh, told=told, line=line)
        texts = _texts(news, b"more" if same else b"view", views)
        wordy = texts
        if said and any(client.says for client in self.clients):
            news = msgspec.structs.replace(news, says=words(said))
            wordy = _texts(news, b"more" if same else b"view", views)
        for client in self.clients:
            client.send((wordy if client.says else texts)[client.seat if views else None])

    # Several processes

    def _send_hint(self) -> None:
        if self._hint is not None:
            self._hint(self.code, self.seq, sorted(self.presence.here))

    async def look(self) -> None:
        """See what was missed: entries in the log, and servers that fell silent."""
        if self.presence.expire():
            self._tell_presence(hint=False)
        await self.catch_up()

    async def hear(self, server: str, seq: int, present: list[int]) -> None:
        """Another process says how far the log has come, and who is connected to it."""
        if self.presence.hear(server, present):
            self._tell_presence(hint=False)
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
        self._tell_presence(hint=False)
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
        table = self.table

        def still() -> bool:
            now = duty_of(self.table, self.presence, self.limits, self.turn_at)
            return self.table is table and now is not None and now[1:] == duty[1:]

        for make in await fulfilled(duty, table, self._thinker, self.limits):
            entry = make
            async with self._lock:
                if still():
                    await self._keep(lambda entry=entry: entry if still() else None, "")
                    table = self.table
