"""What the kernel did, told as the engine's events: for tests, and to look at one deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from popejoan.board import Board, Compartment, Reason, Transfer
from popejoan.cards import POPE, Card, Seat
from popejoan.deal import Deal
from popejoan.events import (
    Claimed,
    Dealt,
    Dressed,
    Earned,
    Event,
    Excused,
    Followed,
    Led,
    Paid,
    RoundOver,
    Stop,
    Stopped,
    TurnedUp,
    WentOut,
)
from popejoan.fast import layout
from popejoan.fast.plan import CHUNK
from popejoan.fast.policy import Policy, weights_of
from popejoan.fast.tables import PLACES, Ints, card_of_lane, cards_of_lanes, tables
from popejoan.rules import Ace, Claims, Rules

__all__ = ["TracedDeal", "trace_match"]

_STOPS = (Stop.END, Stop.REMOVED, Stop.TURN_UP, Stop.PLAYED, Stop.STOCK)
_REASONS = (Reason.POPE_TURNED, Reason.POPE_PLAYED, Reason.CARDS)
_Row = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class TracedDeal:
    """One deal as the kernel played it."""

    dealer: Seat
    """Who dealt."""
    deal: Deal
    """The cards."""
    events: tuple[Event, ...]
    """What happened, as ``Round.events``."""
    transfers: tuple[Transfer, ...]
    """Every payment in the order made, as ``Ledger.transfers``."""
    balances: tuple[int, ...]
    """What each seat won or lost."""
    board: Board
    """What lay on the board at the end."""


def trace_match(
    rules: Rules = Rules.HOYLE,
    *,
    players: int = 4,
    seed: int = 0,
    match: int = 0,
    deals: int = 8,
    policy: Policy = Policy.RANDOM,
    weights: Sequence[int] | None = None,
) -> tuple[TracedDeal, ...]:
    """A match as the kernel plays it, deal by deal; the first dealer is seat ``match % players``.

    Raises BadRules when the rules cannot be played by so many.
    """
    arrays = tables(rules, players)
    work = np.zeros(layout.WORK, dtype=np.int64)
    totals = np.zeros(layout.TOTALS, dtype=np.int64)
    rows = np.zeros((deals * 512, 6), dtype=np.int64)
    given = np.array(weights_of(weights), dtype=np.int64) if policy is Policy.LINEAR else None
    CHUNK(*arrays, np.uint64(seed % 2**64), match, 1, deals, int(policy), given, work, totals, rows)
    written: list[_Row] = [_row(row) for row in rows[1 : rows[0, 0] + 1].tolist()]
    of_deal = list(_deals(written))
    purses = [0] * players
    board = Board()
    found = []
    teller = _Teller(rules, players)
    for number in range(deals):
        dealer = Seat((match + number) % players)
        told = teller.tell(dealer, of_deal[number], board)
        board = told.board
        purses = [now + won for now, won in zip(purses, told.balances, strict=True)]
        found.append(told)
    _agree(work, purses, board, players)
    return tuple(found)


def _row(numbers: Sequence[int]) -> _Row:
    kind, a, b, c, d, e = numbers
    return kind, a, b, c, d, e


def _deals(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """The rows deal by deal: each ends with ROW_OVER."""
    deal: list[_Row] = []
    for row in rows:
        deal.append(row)
        if row[0] == layout.ROW_OVER:
            yield deal
            deal = []


def _agree(work: Ints, purses: Sequence[int], board: Board, players: int) -> None:
    """What the rows add up to must be what the kernel left in its workspace."""
    kept = tuple(map(int, work[layout.PURSES : layout.PURSES + players]))
    laid = tuple(map(int, work[layout.BOARD : layout.BOARD + 8]))
    if kept != tuple(purses) or laid != board.counters:
        raise AssertionError(f"the trace makes {purses}, {board!r}; the kernel {kept}, {laid}")


class _Teller:
    """Turns rows into events for one set of rules."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.high = rules.ace is Ace.HIGH

    def tell(self, dealer: Seat, rows: Sequence[_Row], board: Board) -> TracedDeal:
        """The deal of these rows, on a board that held ``board`` before the dressing."""
        parts = {
            row[1]: cards_of_lanes(row[2], ace_high=self.high)
            for row in rows
            if row[0] == layout.ROW_DEALT
        }
        hands = tuple(parts[seat] for seat in range(self.players))
        deal = Deal(hands, parts[-2][0], parts[-1])
        dressing = tuple(
            Transfer(Seat(row[1]), PLACES[row[2]], row[3], Reason.DRESSING)
            for row in rows
            if row[0] == layout.ROW_DRESSED
        )
        events: list[Event] = [
            Dressed(dressing),
            Dealt(dealer, tuple(map(len, hands)), len(deal.stock)),
            TurnedUp(deal.turn_up),
        ]
        transfers = list(dressing)
        for told, moved in self._play(rows):
            events += told
            transfers += moved
        balances = [0] * self.players
        stakes = list(board.counters)
        for item in transfers:
            for who, sign in ((item.payer, -1), (item.payee, 1)):
                if isinstance(who, Compartment):
                    stakes[PLACES.index(who)] += sign * item.counters
                else:
                    balances[who] += sign * item.counters
        return TracedDeal(
            dealer, deal, tuple(events), tuple(transfers), tuple(balances), Board(tuple(stakes))
        )

    def _play(self, rows: Sequence[_Row]) -> Iterator[tuple[list[Event], list[Transfer]]]:
        """What follows the turn-up, each with the counters it moves, in the engine's order."""
        plays = [row[2] for row in rows if row[0] == layout.ROW_CARD]
        when = {bit: number for number, bit in enumerate(plays)}
        earned: dict[int, list[_Row]] = {}
        for row in rows:
            if row[0] == layout.ROW_STAKE and row[4] >= 0:
                earned.setdefault(max(row[4], row[5], key=when.__getitem__), []).append(row)
        for items in earned.values():
            items.sort(key=lambda row: (row[4] != row[5], row[1], when[row[4]]))
        laid: dict[int, Counter[int]] = {}
        for row in rows:
            if row[0] == layout.ROW_TO_BOARD:
                laid.setdefault(row[1], Counter())[row[2]] += row[3]
        for kind, a, b, c, d, _ in rows:
            if kind == layout.ROW_CARD:
                card = self._card(b)
                yield [Led(Seat(a), card) if c else Followed(Seat(a), card)], []
                for item in earned.get(b, ()):
                    yield self._stake(item, earned=self.rules.claims is Claims.CALLED)
                if card == POPE:
                    yield from (self._paid(row) for row in rows if _is_pope_money(row))
            elif kind == layout.ROW_STAKE and d < 0:
                yield self._stake((kind, a, b, c, d, -1), earned=False)
            elif kind == layout.ROW_PAID and d != _POPE_PLAYED:
                yield self._paid((kind, a, b, c, d, 0))
            elif kind == layout.ROW_TO_BOARD and a in laid:
                for place, counters in sorted(laid.pop(a).items()):
                    paid = Transfer(Seat(a), PLACES[place], counters, Reason.CARDS)
                    yield [Paid(paid)], [paid]
            elif kind in _PLAIN:
                yield [self._plain(kind, Seat(a), b, c)], []

    def _plain(self, kind: int, seat: Seat, b: int, c: int) -> Event:
        if kind == layout.ROW_STOPPED:
            return Stopped(seat, self._card(b), _STOPS[c])
        if kind == layout.ROW_EXCUSED:
            return Excused(seat, b)
        return WentOut(seat) if kind == layout.ROW_OUT else RoundOver(seat)

    def _card(self, bit: int) -> Card:
        return card_of_lane(bit, ace_high=self.high)

    def _stake(self, row: _Row, *, earned: bool) -> tuple[list[Event], list[Transfer]]:
        _, place, who, counters, _, _ = row
        seat, compartment = Seat(who), PLACES[place]
        events: list[Event] = [Earned(seat, compartment, counters)] if earned else []
        events.append(Claimed(seat, compartment, counters))
        return events, [Transfer(compartment, seat, counters, Reason.STAKE)]

    def _paid(self, row: _Row) -> tuple[list[Event], list[Transfer]]:
        _, payer, payee, counters, reason, _ = row
        paid = Transfer(Seat(payer), Seat(payee), counters, _REASONS[reason])
        return [Paid(paid)], [paid]


_POPE_PLAYED = 1
_PLAIN = (layout.ROW_STOPPED, layout.ROW_EXCUSED, layout.ROW_OUT, layout.ROW_OVER)


def _is_pope_money(row: _Row) -> bool:
    return row[0] == layout.ROW_PAID and row[4] == _POPE_PLAYED
