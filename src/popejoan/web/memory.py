"""What happened last at a table: in English and as facts, for those who come; and the last asks."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from popejoan.events import Event
from popejoan.sentences import Teller
from popejoan.web import entries
from popejoan.web.entries import Entry
from popejoan.web.facts import events, facts, says, teller
from popejoan.web.happening import happened, table_of
from popejoan.web.showing import written
from popejoan.web.table import Table, same_seats

__all__ = ["Memory", "remembered", "words"]

_DEAL: Final = (entries.Dealt, entries.Laid)
_SAID: Final = 150
"""How many sentences are kept for those who come."""
_ASKS: Final = 128
"""How many names of asks are kept."""
Said: TypeAlias = str | tuple[Teller, Event]
"""A sentence; of an event it is made when somebody wants to hear it, which few do."""


def words(said: Iterable[Said]) -> list[str]:
    """The sentences, those of events made."""
    return [each if isinstance(each, str) else each[0].event(each[1]) for each in said]


class Memory:
    """What is remembered."""

    def __init__(self) -> None:
        self._said: deque[Said] = deque(maxlen=_SAID)
        self._told: list[dict[str, Any] | Event] = []
        self._teller: Teller | None = None
        self._asks: OrderedDict[str, None] = OrderedDict()

    def done(self, ask: str) -> bool:
        """Whether what a client gave this name was done lately: it is not done twice."""
        return ask in self._asks

    @property
    def said(self) -> list[str]:
        """The sentences."""
        return words(self._said)

    @property
    def told(self) -> list[dict[str, Any]]:
        """The facts, the events of the deals as ``{"what": "event", "event": ...}``."""
        return [
            each if isinstance(each, dict) else {"what": "event", "event": written(each)}
            for each in self._told
        ]

    def note(self, entry: Entry) -> None:
        """Note the name of the ask that an entry answers; the last names are kept."""
        if entry.ask:
            self._asks[entry.ask] = None
            if len(self._asks) > _ASKS:
                self._asks.popitem(last=False)

    def take(
        self, before: Table, after: Table, entry: Entry
    ) -> tuple[list[Said], list[dict[str, Any]]]:
        """Note what an entry did, and give it: in sentences, and as facts without the events.

        Facts are let go by whole deals.
        """
        self.note(entry)
        done, brought = facts(after, entry), events(before, after, entry)
        said: list[Said] = [*says(after, done)] if done else []
        if brought:
            if self._teller is None or not same_seats(before, after):
                self._teller = teller(after)
            said += [(self._teller, event) for event in brought]
        self._said += said
        if len(self._told) > _SAID and isinstance(entry, _DEAL):
            marks = [
                place
                for place, fact in enumerate(self._told)
                if isinstance(fact, dict) and fact["what"] == "deal"
            ]
            del self._told[: marks[-1] if marks else -_SAID]
        self._told += done
        self._told += brought
        return said, done


def remembered(log: list[Entry]) -> tuple[Table, Memory]:
    """What a log comes to, and what happened last."""
    memory = Memory()
    table = table_of(log[:1])
    deals = [place for place, entry in enumerate(log) if isinstance(entry, _DEAL)]
    since = min(max(1, len(log) - _SAID), max([1, *deals[-2:-1]]))
    for place, entry in enumerate(log[1:], 1):
        before, table = table, happened(table, entry)
        if place >= since:
            memory.take(before, table, entry)
        else:
            memory.note(entry)
    return table, memory
