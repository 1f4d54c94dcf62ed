"""Who is connected to a table, here or at another server, and who has dropped for how long."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

__all__ = ["Presence"]

_BELIEVED: Final = 10.0
"""For how many seconds another server's word is believed."""


class Presence:
    """The people who are connected; nothing of it is kept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._here: Counter[int] = Counter()
        self._elsewhere: dict[str, tuple[float, frozenset[int]]] = {}
        self._began = clock()
        self._dropped: dict[int, float] = {}
        self.here: frozenset[int] = frozenset()
        """Who is connected to this server."""
        self.present: frozenset[int] = frozenset()
        """Who is connected to any server."""

    def _see(self) -> None:
        self.here = frozenset(self._here)
        self.present = self.here.union(*[people for _, people in self._elsewhere.values()])

    def come(self, person: int) -> None:
        """A socket of this person opened."""
        self._here[person] += 1
        self._see()
        self._dropped.pop(person, None)

    def go(self, person: int) -> None:
        """A socket of this person closed."""
        self._here[person] -= 1
        if self._here[person] <= 0:
            del self._here[person]
            self._see()
            if person not in self.present:
                self._dropped[person] = self._clock()

    def hear(self, server: str, people: Iterable[int]) -> bool:
        """Another server says who is there; whether that changes anything."""
        before = self.present
        self._elsewhere[server] = (self._clock() + _BELIEVED, frozenset(people))
        self._see()
        for person in self.present:
            self._dropped.pop(person, None)
        for person in before - self.present:
            self._dropped[person] = self._clock()
        return before != self.present

    def expire(self) -> bool:
        """Believe servers no more that have fallen silent; whether anyone has dropped by that."""
        now, before = self._clock(), self.present
        self._elsewhere = {
            server: said for server, said in self._elsewhere.items() if said[0] > now
        }
        self._see()
        gone = before - self.present
        for person in gone:
            self._dropped[person] = now
        return bool(gone)

    def since(self, person: int) -> float:
        """When this person dropped; when the table was loaded for one who was not there since."""
        return self._dropped.get(person, self._began)
