"""Limits that honest fast play never meets, so that memory, disk and attention stay bounded."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

__all__ = ["DEFAULT", "Bucket", "Buckets", "Limits"]

_MOST_ADDRESSES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server allows, and for how long it keeps things."""

    frame: int = 4096
    """The most bytes of a frame that a client sends."""
    asks_a_second: float = 60.0
    """How many asks a second one socket may go on making."""
    asks_at_once: float = 120.0
    """How many it may make at once."""
    words_a_second: float = 0.5
    """How many lines of chat a second one socket may go on sending."""
    words_at_once: float = 6.0
    """How many it may send at once."""
    tables: int = 10_000
    """The most tables kept."""
    tables_an_hour: float = 60.0
    """How many tables one address may set in an hour."""
    seats_an_hour: float = 600.0
    """How many seats one address may ask for in an hour."""
    sockets: int = 10_000
    """The most sockets open at once."""
    sockets_an_address: int = 200
    """The most of them from one address."""
    people: int = 60
    """The most people who ever sat or watched at one table."""
    entries: int = 100_000
    """The most entries of one table's log."""
    deals: int = 1000
    """The most deals of one match."""
    lobby: float = 24 * 3600.0
    """For how many seconds a table is kept that never began."""
    kept: float = 14 * 24 * 3600.0
    """For how many seconds a table is kept after the last entry."""
    shared: float = 365 * 24 * 3600.0
    """For how many seconds the link to a deal leads to it."""
    idle: float = 120.0
    """For how many seconds a table with nobody connected stays in memory."""
    pace: float = 1.0
    """How long bots wait before they lead: 1 for people, 0 for tests."""
    thinking: float = 5.0
    """For how many seconds a bot may think."""
    hello: float = 10.0
    """For how many seconds a socket may stay silent before it says who it is."""


DEFAULT: Final = Limits()
"""The limits unless others are given."""


@dataclass(slots=True)
class Bucket:
    """Lets through so many a second, and so many at once."""

    rate: float
    size: float
    left: float = field(init=False)
    at: float = field(init=False)
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        """Begin full."""
        self.left, self.at = self.size, self.clock()

    def take(self) -> bool:
        """Whether one more may pass now."""
        now = self.clock()
        self.left = min(self.size, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass(slots=True)
class Buckets:
    """A bucket for each address; the longest unused are forgotten."""

    rate: float
    size: float
    found: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, address: str) -> bool:
        """Whether one more from this address may pass now."""
        bucket = self.found.pop(address, None) or Bucket(self.rate, self.size)
        self.found[address] = bucket
        if len(self.found) > _MOST_ADDRESSES:
            self.found.popitem(last=False)
        return bucket.take()
