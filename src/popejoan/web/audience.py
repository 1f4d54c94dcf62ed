"""Who looks at a table: its clients, who is there, and what each is shown as things happen."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from popejoan.web import entries, messages
from popejoan.web.clients import Client, frame
from popejoan.web.entries import Entry
from popejoan.web.memory import Memory, words
from popejoan.web.presence import Presence
from popejoan.web.showing import Showing
from popejoan.web.table import Table, same_seats
from popejoan.web.telling import changed, sections

__all__ = ["Audience"]


class Audience:
    """The clients of one table; each call brings the table, and the number of its last entry."""

    def __init__(self, table: Table, memory: Memory) -> None:
        self.clients: set[Client] = set()
        self.presence = Presence()
        self._memory = memory
        self._sections = {**sections(table), "present": self._present(table)}
        self._showing: Showing | None = None

    def enter(self, client: Client, table: Table, seq: int) -> None:
        """Show the table to a client, and from now on all that happens."""
        if client.person is not None:
            self.presence.come(client.person)
        self.tell_presence(table, seq)
        client.seat = table.seat_of(client.person)
        self.clients.add(client)
        client.send(frame(self._welcome(client, table, seq)))

    def exit(self, client: Client, table: Table, seq: int) -> None:
        """A client has gone."""
        self.clients.discard(client)
        if client.person is not None:
            self.presence.go(client.person)
        self.tell_presence(table, seq)

    def _welcome(self, client: Client, table: Table, seq: int) -> messages.Welcome:
        showing = self._shown(table)
        view: Any = None if showing is None else msgspec.Raw(showing.whole(client.seat))
        return messages.Welcome(
            protocol=messages.PROTOCOL,
            seq=seq,
            you=client.person,
            table=self._sections,
            view=view,
            lines=[list(line) for line in table.lines],
            says=self._memory.said if client.says else [],
            told=self._memory.told,
        )

    def _shown(self, table: Table) -> Showing | None:
        """The deal as it stands, ready to be shown."""
        round_, showing = table.round, self._showing
        if round_ is None:
            self._showing = None
        elif showing is None or (showing.round is not round_ and not showing.take(round_)):
            self._showing = Showing(round_)
        return self._showing

    # Who is there

    def _present(self, table: Table) -> list[list[Any]]:
        """Each person who is connected or has dropped, and for how long a seat waits."""
        present, now = self.presence.present, time.monotonic()
        found: list[list[Any]] = []
        for person in table.people:
            if person.human and person.number in present:
                found.append([person.number, "here"])
            elif person.human and person.seated:
                left = self.presence.since(person.number) + table.settings.grace - now
                found.append([person.number, "dropped" if left > 0 else "away"])
        return found

    @property
    def dropped(self) -> list[int]:
        """The people who are shown as dropped."""
        return [person for person, how in self._sections["present"] if how == "dropped"]

    def tell_presence(self, table: Table, seq: int) -> None:
        """Tell all who is there, when that has changed."""
        present = self._present(table)
        if present != self._sections["present"]:
            self._sections = {**self._sections, "present": present}
            text = frame(messages.News(seq=seq, table={"present": present}))
            for client in self.clients:
                client.send(text)

    # What happens

    def tell(self, before: Table, after: Table, entry: Entry, seq: int) -> None:
        """Put to all the news of an entry, which made another table of the one before."""
        said, told = self._memory.take(before, after, entry)
        fresh = changed(before, after, self._sections, entry)
        if before.people is not after.people or before.settings is not after.settings:
            # Someone may have been heard of as present before the entry that they came with; or
            # the grace has changed.
            present = self._present(after)
            if present != self._sections["present"]:
                fresh["present"] = present
        self._sections = {**self._sections, **fresh}
        if not self.clients:
            self._showing = None
            return
        if not same_seats(before, after):
            for client in self.clients:
                client.seat = after.seat_of(client.person)
        same = before.deal == after.deal and before.round is not None
        views = self._views(before, after, same=same)
        line = list(after.lines[-1]) if isinstance(entry, entries.Said) else None
        news = messages.News(seq=seq, table=fresh, told=told, line=line)
        texts = _texts(news, b"more" if same else b"view", views)
        wordy = texts
        if said and any(client.says for client in self.clients):
            news = msgspec.structs.replace(news, says=words(said))
            wordy = _texts(news, b"more" if same else b"view", views)
        for client in self.clients:
            client.put((wordy if client.says else texts)[client.seat if views else None])

    def _views(self, before: Table, after: Table, *, same: bool) -> dict[int | None, bytes]:
        """What each seat is shown of the deal; nothing where it stands as before.

        In the same deal it is what has changed since.
        """
        if after.round is None or after.round is before.round:
            return {}
        showing = self._shown(after)
        assert showing is not None
        seats = {client.seat for client in self.clients}
        if same and before.round is not None:
            return showing.more(min(len(before.round.events), len(after.round.events)), seats)
        return {seat: showing.whole(seat) for seat in seats}

    def flush(self) -> None:
        """Send everyone what was put."""
        for client in self.clients:
            client.flush()


def _texts(
    news: messages.News, name: bytes, views: dict[int | None, bytes]
) -> dict[int | None, bytes]:
    """The news as each seat hears it: all hear the same, but for the view where there is one."""
    text = frame(news)
    if not views:
        return {None: text}
    begun = text[:-1] + b',"' + name + b'":'
    return {seat: begun + view + b"}" for seat, view in views.items()}
