"""The deal as each seat may see it, as JSON text: what all may know is written once for all.

It is made from views and from nothing else, and says what ``popejoan.wire.to_wire`` says of them;
but where that writes a view anew, this reads each event once and keeps count.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import msgspec

from popejoan.cards import PACK, Card, Suit
from popejoan.events import Event, Followed, Led, RoundOver, Stop, Stopped
from popejoan.leads import known_stops
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.wire import VERSION, event_to_wire

__all__ = ["Showing", "written"]

_encode: Final = msgspec.json.Encoder().encode
_NAMES: Final = tuple(repr(Card(number)) if number in PACK else "" for number in range(52))
_TEXTS: Final = 32
_STOCK: Final = Stop.STOCK  # Python 3.11 takes long to look up a member of an enum


class _Texts(dict[int, bytes]):
    """For a mask of cards of one suit their names, each with a comma before it; made once."""

    def __missing__(self, mask: int) -> bytes:
        names, left = [], mask
        while left:
            names.append(f',"{_NAMES[(left & -left).bit_length() - 1]}"')
            left &= left - 1
        text = self[mask] = "".join(names).encode()
        return text


_FIRST, _SECOND, _THIRD, _FOURTH = (suit.mask for suit in Suit)
_FIRSTS, _SECONDS, _THIRDS, _FOURTHS = (_Texts() for _ in Suit)


def _names(mask: int) -> bytes:
    """The cards of a mask in card order."""
    text = (
        _FIRSTS[mask & _FIRST]
        + _SECONDS[mask & _SECOND]
        + _THIRDS[mask & _THIRD]
        + _FOURTHS[mask & _FOURTH]
    )
    return b"[" + text[1:] + b"]"


@lru_cache(maxsize=8192)
def written(event: Event) -> msgspec.Raw:
    """The event as JSON text."""
    return msgspec.Raw(_encode(event_to_wire(event)))


@lru_cache(maxsize=256)
def _rules(rules: Rules) -> bytes:
    return _encode(rules.as_dict())


def _members(**values: Any) -> bytes:
    """The members of a JSON object, each with a comma after it."""
    return _encode(values)[1:-1] + b","


class Showing:
    """What is shown of one deal, kept up as it goes on."""

    def __init__(self, round_: Round) -> None:
        public = View.of(round_, None)
        self.round = round_
        self._following = round_.rules.order.following
        self._played = 0
        self._dead = public.turn_up.bit
        self._counts = list(public.sizes)
        self._run: list[str] = []
        self._leader: int | None = None
        self._follows: int | None = None
        self._winner: int | None = None
        self._over = False
        self._head = _members(
            dealer=public.dealer,
            sizes=public.sizes,
            stock_size=public.stock_size,
            turn_up=repr(public.turn_up),
            trump=public.trump.letter,
        )
        # What a seat was dealt, and the stock where it may be looked at: masks.
        self._dealt: dict[int | None, tuple[int, int]] = {None: (0, 0)}
        # The text of hands and of what is dead, most of which a lead leaves as they were.
        self._texts: dict[int, bytes] = {}
        self._read(public.events)
        self._view = public
        self._paid = self._counters()
        self._shared = self._table()
        self._known: dict[int, bytes] = {}

    def take(self, round_: Round) -> bool:
        """Go on to this moment of the deal; False when what was seen has been taken back."""
        since = len(self.round.events)
        if round_.deal is not self.round.deal or len(round_.events) < since:
            return False
        before, view = self._view, View.of(round_, None)
        self._read(view.events[since:])
        self.round, self._view = round_, view
        if view.ledger is not before.ledger or view.due is not before.due:
            self._paid = self._counters()
        self._shared = self._table()
        self._known = {}
        return True

    def _read(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Led | Followed):
                seat, card = event.seat, event.card
                if isinstance(event, Led):
                    self._run, self._leader = [], seat
                self._run.append(_NAMES[card])
                self._played |= 1 << card
                self._counts[seat] -= 1
                self._follows = self._following[card]
            elif isinstance(event, Stopped):
                self._follows = None
                if event.stop is _STOCK:
                    self._dead |= 1 << self._following[event.card]
            elif isinstance(event, RoundOver):
                self._follows, self._winner, self._over = None, event.winner, True

    def _counters(self) -> bytes:
        """What is paid and what is due."""
        view = self._view
        return _members(
            board=view.board.as_dict(),
            purses=view.purses,
            due=[each._asdict() for each in view.due],
        )

    def _table(self) -> bytes:
        """What all may know of the table: the beginning of an object."""
        to_act = self._view.to_act
        going = self._follows is not None
        moving = _members(
            counts=self._counts,
            run=self._run if going else (),
            leader=self._leader if going else to_act,
            follows=None if self._follows is None else _NAMES[self._follows],
            to_act=to_act,
            over=self._over,
            winner=self._winner,
        )
        played = b'"played":' + _names(self._played) + b","
        return b"{" + self._head + self._paid + moving + played

    def _own(self, seat: int | None) -> bytes:
        """What this seat alone may know of the table: the end of the object that all share."""
        if seat not in self._dealt:
            view = View.of(self.round, seat)
            self._dealt[seat] = (view.dealt.mask, view.stock.mask if view.stock else 0)
        dealt, stock = self._dealt[seat]
        legal = 0
        if seat is not None and self.round.to_act == seat:
            legal = View.of(self.round, seat).legal.mask
        if stock not in self._known:
            self._known[stock] = self._tells(stock)
        hand = self._text(dealt & ~self._played)
        return b'"hand":' + hand + b',"legal":' + self._text(legal) + self._known[stock]

    def _text(self, mask: int) -> bytes:
        """The cards of a mask that may well be asked for again."""
        text = self._texts.get(mask)
        if text is None:
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            text = self._texts[mask] = _names(mask)
        return text

    def _tells(self, stock: int) -> bytes:
        """What the cards out of play tell one who has seen this stock."""
        dead = self._dead | stock
        gone = self._played | dead
        stops = known_stops(self._view.rules.order, gone) & PACK.mask & ~gone
        return b',"dead":' + self._text(dead) + b',"stops":' + _names(stops) + b"}"

    def whole(self, seat: int | None) -> bytes:
        """The whole view of a seat, or of a spectator."""
        view = View.of(self.round, seat)
        head: dict[str, Any] = {
            "wire": VERSION,
            "kind": "view",
            "seat": seat,
            "rules": msgspec.Raw(_rules(view.rules)),
            "opening": {"purses": view.opening.purses, "board": view.opening.board.as_dict()},
            "claiming": view.claiming,
            "dealt": msgspec.Raw(_names(view.dealt.mask)),
            "stock": None if view.stock is None else msgspec.Raw(_names(view.stock.mask)),
            "events": [written(event) for event in view.events],
            "table": msgspec.Raw(self._shared + self._own(seat)),
        }
        return _encode(head)

    def more(self, since: int, seats: Iterable[int | None]) -> dict[int | None, bytes]:
        """For each of these seats what has changed in its view since so many events."""
        news = _members(
            since=since,
            events=[written(event) for event in self._view.events[since:]],
            claiming=self._view.claiming,
        )
        begun = b"{" + news + b'"table":' + self._shared
        return {seat: begun + self._own(seat) + b"}" for seat in seats}
