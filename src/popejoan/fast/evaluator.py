"""Play-outs of a view in the compiled kernel, as a search or a hint asks for them.

Worlds are drawn evenly from those that the seen cards, stops and lowest cards leave open, three
times as many as wanted, and then by how likely the leads seen are in each under the weights given:
a world in which one of them was not legal falls away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from popejoan.board import Compartment
from popejoan.cards import Card, CardSet
from popejoan.deal import Chance, Purpose
from popejoan.events import Claimed, Dressed, Event, Followed, Led, Paid
from popejoan.fast.abreast import play_abreast
from popejoan.fast.playouts import likelihoods, play_worlds, spread, spread_within
from popejoan.fast.tables import PLACES, Ints, tables
from popejoan.fast.weighing import Floats, packed
from popejoan.features import Scorer, to_lanes
from popejoan.round import Round
from popejoan.rules import Lead, Peek, Rules
from popejoan.view import View
from popejoan.worlds import STOCK, Limits, draw, limits

__all__ = ["KernelPlayouts", "KernelWorlds", "worth_at_a_glance"]

_GOLDEN: Final = (5**0.5 - 1) / 2
_MOVES: Final = 6
"""Exchanges tried for each card from a world to the next."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class KernelPlayouts:
    """Play-outs in the kernel, every seat leading by the weights for the rule of leads."""

    weights: Callable[[Lead], Scorer]
    """The weights by which the seat itself leads; in a spectator's view, all."""
    others: Callable[[Lead], Scorer] | None = None
    """The weights by which the others are taken to lead; None for the same."""
    usual: int = 384
    """How many worlds to look at where nothing else is said."""
    deep: bool = True
    """Whether there is time to play out plans of two leads for a hint or a review."""
    heat: float = 0.6
    """How softly the others are taken to choose: counters."""
    slip: float = 0.1
    """How often they are taken to lead anything."""
    wide: int = 3
    """How many worlds are drawn for each that is kept."""

    def worlds(self, view: View, number: int, seed: int) -> KernelWorlds:
        """So many worlds that fit the view of a seat on lead, or of a spectator at a lead."""
        others = self.weights if self.others is None else self.others
        nets = packed([self.weights(view.rules.lead), others(view.rules.lead)])
        drawn = _Drawn.of(view, number * self.wide, seed)
        odds = drawn.odds(nets, self.heat, self.slip)
        share = 1.0
        if odds is not None:
            odds = _tempered(odds, number / 2)
            share = min(1.0, _effective(odds) / number)
            chance = Chance(seed, 1, 0, Purpose.SAMPLE)
            start = chance.word() / 2**32
            steps = (np.arange(number) + start) * (float(odds.sum()) / number)
            kept = np.minimum(np.searchsorted(np.cumsum(odds), steps), len(odds) - 1)
            # Worlds drawn twice stand together; the first few are to be as good as all.
            kept = kept[np.argsort((np.arange(number) * _GOLDEN) % 1.0)]
        else:
            kept = np.arange(number)
        policies = np.ones(view.players, dtype=np.int64)
        policies[slice(None) if view.seat is None else view.seat] = 0
        return KernelWorlds(drawn, drawn.hands[kept], drawn.stocks[kept], nets, policies, share)


def worth_at_a_glance(view: View, number: int, seed: int) -> list[float]:
    """What each legal lead brings in so many worlds when all lead at a glance; counters, means.

    The worlds fit the cards seen, and are not weighed by the leads seen.
    """
    if view.seat is None:
        raise ValueError("a spectator has no lead to make")
    drawn = _Drawn.of(view, number, seed)
    high = view.rules.order.ace_high
    leads = np.array([to_lanes(card.bit, ace_high=high) for card in view.legal], dtype=np.int64)
    gains = np.zeros((len(leads), number), dtype=np.int64)
    play_abreast(
        drawn.flags, int(view.seat), drawn.dealer, drawn.turn, drawn.played,
        np.ascontiguousarray(drawn.hands.T), drawn.stocks, drawn.board, leads, gains,
    )  # fmt: skip
    means: list[float] = gains.mean(axis=1).tolist()
    return means


@final
@dataclass(frozen=True, slots=True, eq=False)
class KernelWorlds:
    """Worlds as arrays."""

    drawn: _Drawn
    """What is known of the deal."""
    hands: Ints
    """The hands as dealt; shape (worlds, seats), masks in lanes."""
    stocks: Ints
    """The stock of each world."""
    nets: Floats
    """The weights by which the seats lead."""
    policies: Ints
    """Which of the weights each seat leads by."""
    share: float = 1.0
    """How many of the worlds count as different: one drawn twice tells nothing new."""

    def __len__(self) -> int:
        """How many worlds."""
        return len(self.hands)

    @classmethod
    def of_rounds(cls, rounds: Sequence[Round], weights: Scorer) -> KernelWorlds:
        """The worlds that these rounds are, all at the same lead."""
        view = View.of(rounds[0], rounds[0].to_act)
        high = view.rules.order.ace_high
        hands = [
            [to_lanes(hand.mask, ace_high=high) for hand in each.deal.hands] for each in rounds
        ]
        stocks = [to_lanes(each.deal.stock.mask, ace_high=high) for each in rounds]
        drawn = _Drawn.known(view, np.array(hands), np.array(stocks))
        policies = np.zeros(view.players, dtype=np.int64)
        return cls(drawn, drawn.hands, drawn.stocks, packed([weights]), policies)

    def play(self, plans: Sequence[Sequence[Card]], begin: int, end: int) -> list[list[list[int]]]:
        """Play each plan out in worlds ``begin`` to ``end - 1``; counters by plan, world, seat."""
        results: list[list[list[int]]] = self.play_array(plans, begin, end).tolist()
        return results

    def play_array(
        self, plans: Sequence[Sequence[Card]], begin: int, end: int
    ) -> NDArray[np.int64]:
        """The same as an array."""
        drawn = self.drawn
        high = drawn.rules.order.ace_high
        bits = np.zeros((len(plans), max(1, *map(len, plans))), dtype=np.int64)
        for row, plan in zip(bits, plans):
            row[: len(plan)] = [to_lanes(card.bit, ace_high=high) for card in plan]
        players = self.hands.shape[1]
        results = np.zeros((len(bits), end - begin, players), dtype=np.int64)
        play_worlds(
            drawn.flags, drawn.dealer, drawn.turn, drawn.leader, drawn.played,
            self.hands[begin:end], self.stocks[begin:end], drawn.board,
            bits, self.nets, self.policies, results,
        )  # fmt: skip
        return results


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A view as arrays, with worlds drawn evenly from those that fit."""

    rules: Rules
    flags: Ints
    dealer: int
    turn: int
    leader: int
    played: int
    board: Ints
    seen: list[tuple[int, int, int, list[int]]]
    """Each lead of another seat: the seat, the card, what had been played, the board."""
    hands: Ints
    stocks: Ints

    @classmethod
    def known(cls, view: View, hands: Ints, stocks: Ints) -> _Drawn:
        """A view with worlds that are given."""
        if view.to_act is None or view.follows is not None:
            raise ValueError("play-outs begin at a lead, and none is to be made")
        high = view.rules.order.ace_high
        return cls(
            view.rules,
            tables(view.rules, view.players).flags,
            int(view.dealer),
            to_lanes(view.turn_up.bit, ace_high=high),
            int(view.to_act),
            to_lanes(view.played.mask, ace_high=high),
            np.array(view.board.counters, dtype=np.int64),
            _leads_seen(view, high),
            hands,
            stocks,
        )

    @classmethod
    def of(cls, view: View, number: int, seed: int) -> _Drawn:
        """A view with so many worlds drawn."""
        high = view.rules.order.ace_high
        counts = view.counts
        room = [0 if seat == view.seat else counts[seat] for seat in range(view.players)]
        room.append(0 if view.stock is not None else view.stock_size)
        found = _limits(view)
        unseen = view.unseen.mask
        dead = found.dead & unseen
        room[-1] -= dead.bit_count()
        cards = [to_lanes(card.bit, ace_high=high) for card in CardSet(unseen & ~dead)]
        drawn = np.zeros((number, len(room)), dtype=np.int64)
        bits = np.array(cards, dtype=np.int64)
        barred = np.array(
            [_barred(found, holder, high) for holder in (*range(view.players), STOCK)]
        )
        if not cards:
            pass
        elif barred.any():
            first = _first(view, found, room, dead, seed)
            lanes = {holder: to_lanes(mask, ace_high=high) for holder, mask in first.items()}
            holders = [next(h for h, mask in lanes.items() if mask & bit) for bit in cards]
            at = np.array([len(room) - 1 if h == STOCK else h for h in holders], dtype=np.int64)
            spread_within(np.uint64(seed), bits, at, barred, _MOVES * len(cards), drawn)
        else:
            spread(np.uint64(seed), bits, np.array(room, dtype=np.int64), drawn)
        for seat in range(view.players):
            mine = view.played_by(seat).mask
            if seat == view.seat:
                mine |= view.hand.mask
            drawn[:, seat] |= to_lanes(mine, ace_high=high)
        drawn[:, -1] |= to_lanes(dead | (view.stock or CardSet()).mask, ace_high=high)
        return cls.known(view, np.ascontiguousarray(drawn[:, :-1]), drawn[:, -1].copy())

    def odds(self, nets: Floats, heat: float, slip: float) -> Floats | None:
        """How likely the leads seen are in each world; None when it says nothing."""
        if not self.seen:
            return None
        seats, leads, before, boards = zip(*self.seen)
        odds = np.zeros(len(self.hands))
        likelihoods(
            self.flags, self.dealer, self.turn, self.hands, self.stocks,
            np.array(seats, dtype=np.int64), np.array(leads, dtype=np.int64),
            np.array(before, dtype=np.int64), np.array(boards, dtype=np.int64), nets,
            np.ones(self.hands.shape[1], dtype=np.int64), heat, slip, odds,
        )  # fmt: skip
        return odds if odds.sum() > 0 else None


def _effective(odds: Floats) -> float:
    """How many worlds of equal odds would tell as much as these."""
    return float(odds.sum() ** 2 / (odds**2).sum())


def _tempered(odds: Floats, least: float) -> Floats:
    """The odds, drawn together until they tell as much as ``least`` worlds of equal odds.

    How others choose is not known so well that a few worlds should decide.
    """
    odds = odds / odds.max()
    power = 1.0
    while power > 0.05 and _effective(odds**power) < least:
        power *= 0.8
    return odds**power


def _limits(view: View) -> Limits:
    return limits(
        view.rules,
        view.events,
        players=view.players,
        turn_up=view.turn_up,
        viewer=view.seat,
        dealer=view.dealer,
        dealer_hidden=view.rules.peek is not Peek.NOBODY and view.seat != view.dealer,
    )


def _barred(found: Limits, holder: int, high: bool) -> int:
    return to_lanes(found.barred.get(holder, 0), ace_high=high)


def _first(view: View, found: Limits, room: list[int], dead: int, seed: int) -> dict[int, int]:
    """One world that fits, from which exchanges begin; without the dead cards."""
    holders = {seat: size for seat, size in enumerate(room[:-1]) if size}
    stock = room[-1] + dead.bit_count()
    if stock:
        holders[STOCK] = stock
    chance = Chance(seed, 2, 0, Purpose.SAMPLE)
    hands = draw(chance, view.rules, view.unseen.mask, holders, found)
    if dead:
        hands[STOCK] &= ~dead
    return hands


def _leads_seen(view: View, high: bool) -> list[tuple[int, int, int, list[int]]]:
    """The leads of the other seats, each with what had been played and what lay on the board."""
    board = list(view.opening.board.counters)
    played = 0
    seen = []
    for event in view.events:
        if isinstance(event, Led | Followed):
            if isinstance(event, Led) and event.seat != view.seat:
                bit = to_lanes(event.card.bit, ace_high=high)
                seen.append((int(event.seat), bit, to_lanes(played, ace_high=high), list(board)))
            played |= event.card.bit
        else:
            _move(board, event)
    return seen


def _move(board: list[int], event: Event) -> None:
    """Change the board as an event did."""
    if isinstance(event, Dressed):
        for item in event.transfers:
            board[PLACES.index(Compartment(str(item.payee)))] += item.counters
    elif isinstance(event, Claimed):
        board[PLACES.index(event.compartment)] -= event.counters
    elif isinstance(event, Paid) and isinstance(event.transfer.payee, Compartment):
        board[PLACES.index(event.transfer.payee)] += event.transfer.counters
