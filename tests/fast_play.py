"""How the tests of the kernel hold it to the engine: the first difference, with record and drawing."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from popejoan.board import Board
from popejoan.cards import Seat
from popejoan.deal import Deal
from popejoan.fast.policy import Policy, chooser
from popejoan.fast.trace import TracedDeal, trace_match
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import (
    CardMoney,
    Dressing,
    Lead,
    Pairs,
    Peek,
    PopePlayed,
    PopeTurned,
    Rules,
    Stock,
    TurnUp,
)

MIXES = {
    "lowest-in-hand": Rules(lead=Lead.LOWEST_IN_HAND),
    "split": Rules(pairs=Pairs.SPLIT, lead=Lead.ANY),
    "to-board": Rules(card_money=CardMoney.BOARD, dressing=Dressing.SINGLE),
    "to-board-full": Rules(card_money=CardMoney.BOARD, lead=Lead.LOWEST),
    "sits-out": Rules(peek=Peek.SITS_OUT),
    "thrown-in": Rules(pope_turned=PopeTurned.THROWN_IN, dressing=Dressing.EACH),
    "pool": Rules(dressing=Dressing.POOL, pope_exempt=False, pope_cap=4),
    "raise": replace(Rules.PARLETT, dressing=Dressing.RAISE, lead=Lead.LOWEST_IN_HAND),
    "five-pools": Rules(stakes=Board.of(pope=4, game=2, king=1, matrimony=2, ace=1)),
    "small-hands": Rules(hand_size=3, stock=Stock.SPARE_HAND, pope_played=PopePlayed.CARDS),
    "high-any": replace(Rules.PARLETT, lead=Lead.ANY, turn_up=TurnUp.APART),
    "dealt-round": Rules(stock=Stock.DEALT_ROUND, peek=Peek.SITS_OUT, lead=Lead.ANY),
}
"""Rules that no preset has, so that every value of every field is played."""


def fits(rules: Rules, players: int) -> bool:
    """Whether so many can play these rules."""
    try:
        Deal.shuffle(0, players=players, rules=rules)
    except ValueError:
        return False
    return True


def played_by_engine(
    rules: Rules, players: int, seed: int, match: int, deals: int, policy: Policy
) -> list[Round]:
    """The rounds of a match as the engine plays it."""
    table = Match.start(
        rules, players=players, seed=seed, number=match, first_dealer=match % players
    )
    rounds = []
    for number in range(deals):
        table = table.deal()
        choose = chooser(policy, seed, match, number)
        round_ = table.round
        assert round_ is not None
        while not round_.over:
            round_ = round_.lead(choose(round_))
        table = replace(table, round=round_)
        rounds.append(round_)
    return rounds


def difference(round_: Round, traced: TracedDeal) -> str | None:
    """The first difference between engine and kernel, or None."""
    pairs = (
        ("events", round_.events, traced.events),
        ("transfers", round_.ledger.transfers, traced.transfers),
        ("balances", round_.balances, traced.balances),
        ("board", tuple(round_.board), tuple(traced.board)),
    )
    for what, engine, kernel in pairs:
        for place, (one, other) in enumerate(zip_longest(engine, kernel)):
            if one != other:
                return f"{what}[{place}]: engine {one!r}, kernel {other!r}\n{round_!r}\n{round_}"
    return None


def first_difference(
    rules: Rules, players: int, seed: int, match: int, policy: Policy, deals: int = 8
) -> str | None:
    """The first difference in a match, with the deal it stands in, or None."""
    traced = trace_match(
        rules, players=players, seed=seed, match=match, deals=deals, policy=policy
    )
    rounds = played_by_engine(rules, players, seed, match, deals, policy)
    for number, (round_, told) in enumerate(zip(rounds, traced, strict=True)):
        assert told.dealer == Seat((match + number) % players)
        if says := difference(round_, told):
            where = f"{rules.text}, {players} players, {policy.name}, seed {seed}"
            return f"{where}, match {match}, deal {number}: {says}"
    return None
