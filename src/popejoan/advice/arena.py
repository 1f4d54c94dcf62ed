"""The arena: bots play the same deals in every seat, so that luck cancels and skill shows.

A *duel* asks what a bot wins more than the field would in its seat: each deal is played once by
the field alone and once with the bot in each seat. Boards are those of real matches: what the field
leaves in one deal lies there in the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, final

from popejoan.advice.opponents import compiled
from popejoan.board import Board
from popejoan.bots import Bot
from popejoan.bots import bot as made
from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.cards import Seat
from popejoan.deal import Deal
from popejoan.features import Scorer
from popejoan.round import Round
from popejoan.rules import Lead, Rules
from popejoan.view import View

__all__ = ["Duel", "Estimate", "duel", "played", "sequential", "table_deal"]

MATCH: Final = 8
"""How many deals the boards of one match run on."""


@final
@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of so many numbers, with its spread."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Sequence[float]) -> Estimate:
        """With more numbers."""
        return Estimate(
            self.number + len(values),
            self.total + sum(values),
            self.squares + sum(value * value for value in values),
        )

    @property
    def mean(self) -> float:
        """The mean; 0 when there are no numbers."""
        return self.total / self.number if self.number else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.number < 2:
            return math.inf
        spread = max(self.squares - self.number * self.mean**2, 0.0)
        return math.sqrt(spread / (self.number - 1) / self.number)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error


def played(round_: Round, bots: Sequence[Bot]) -> Round:
    """The round played to its end by a bot in each seat."""
    now = round_
    while now.to_act is not None:
        view = View.of(now, now.to_act)
        now = now.lead(bots[now.to_act].choose(view))
    return now


@final
@dataclass(frozen=True, slots=True)
class Duel:
    """What is to be found out: a bot against a field, by names."""

    one: str
    """The bot."""
    field: str
    """What sits in the other seats, and what it is measured against."""
    rules: Rules
    """The rules."""
    players: int = 4
    """How many seats."""
    seed: int = 0
    """What the deals are drawn from."""


def _in_kernel(name: str, lead: Lead) -> Scorer | Literal["book", "random"] | None:
    """How the kernel plays this bot; None for one that it cannot play."""
    if name == "newcomer":
        return "random"
    if name == "book":
        return "book"
    weights = {"counter": counter_weights, "sharp": sharp_weights}.get(name)
    return None if weights is None else weights(lead)


def match_gains(asked: Duel, match: int, deals: int = MATCH) -> list[float]:
    """For each deal of a match what the bot wins more than the field in the same seat."""
    one, field = (_in_kernel(name, asked.rules.lead) for name in (asked.one, asked.field))
    if one is not None and field is not None and compiled():
        from popejoan.fast.contests import gains as compiled_gains

        return compiled_gains(asked.rules, asked.players, asked.seed, match, deals, one, field)
    return engine_gains(asked, match, deals)


def engine_gains(asked: Duel, match: int, deals: int = MATCH) -> list[float]:
    """The same, each card played by the engine."""
    board = Board()
    gains = []
    for number in range(deals):
        dealer = Seat((match + number) % asked.players)
        deal = Deal.shuffle(
            asked.seed, players=asked.players, rules=asked.rules, dealer=dealer, match=match,
            deal=number,
        )  # fmt: skip
        begin = Round.start(asked.rules, deal, dealer=dealer, board=board)
        seed = asked.seed << 20 ^ match << 8 ^ number
        others = [made(asked.field, seed + seat) for seat in range(asked.players)]
        usual = played(begin, others)
        gain = 0
        for seat in range(asked.players):
            bots = list(others)
            bots[seat] = made(asked.one, seed + 77 + seat)
            gain += played(begin, bots).balances[seat] - usual.balances[seat]
        gains.append(gain / asked.players)
        board = usual.board
    return gains


def duel(
    asked: Duel, matches: range, *, jobs: int = 1, stop: Callable[[Estimate], bool] | None = None
) -> Estimate:
    """Play the matches, in ``jobs`` processes; with ``stop`` until it is true, asked in order."""
    found = Estimate()
    for gains in _all_gains(asked, matches, jobs):
        found = found.add(gains)
        if stop is not None and stop(found):
            break
    return found


def _all_gains(asked: Duel, matches: range, jobs: int) -> Iterator[list[float]]:
    if jobs <= 1:
        yield from map(partial(match_gains, asked), matches)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(match_gains, asked), matches, chunksize=2)


def sequential(
    edge: float = 0.1, risk: float = 0.05, least: int = 100
) -> Callable[[Estimate], bool]:
    """Wald's sequential test of no gain against a gain of ``edge``.

    It stops as soon as one of them is shown, with the ``risk`` of being wrong either way.
    """
    bound = math.log((1 - risk) / risk)

    def decided(found: Estimate) -> bool:
        if found.number < least or not 0 < found.error < math.inf:
            return False
        variance = found.error**2 * found.number
        ratio = edge * found.number * (found.mean - edge / 2) / variance
        return abs(ratio) > bound

    return decided


def table_deal(
    names: Sequence[str], rules: Rules, seed: int, match: int, board: Board
) -> tuple[list[float], Board]:
    """One deal with a bot of these names in each seat, played once for every turn of the table.

    Gives what each bot won in the mean over the seats, and the board that the first turn leaves.
    """
    players = len(names)
    dealer = Seat(match % players)
    deal = Deal.shuffle(seed, players=players, rules=rules, dealer=dealer, match=match)
    begin = Round.start(rules, deal, dealer=dealer, board=board)
    won = [0.0] * players
    left = board
    for turn in range(players):
        bots = [made(names[(seat + turn) % players], match + seat) for seat in range(players)]
        end = played(begin, bots)
        for seat in range(players):
            won[(seat + turn) % players] += end.balances[seat] / players
        left = end.board if turn == 0 else left
    return won, left
