"""What must be true of every bot: it plays by the rules, in time, the same way twice, and honestly.

Honesty is tested by what a bot cannot know. Where it is to lead, its view is kept and the world is
exchanged for another that it cannot tell apart; whoever chooses another card then has looked where
it should not, or was told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import final

from popejoan.board import Board
from popejoan.bots import Bot, claims_of
from popejoan.cards import Card, Seat
from popejoan.deal import Deal, fault_with
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Claims, Rules
from popejoan.view import View

__all__ = ["BotFault", "BotReport", "check_bot"]


class BotFault(AssertionError):
    """A bot breaks a law; the message says which, and gives the round."""


@final
@dataclass(frozen=True, slots=True)
class BotReport:
    """What a bot was put through."""

    deals: int
    """How many deals it played out."""
    choices: int
    """How many choices of more than one card it made."""
    worlds: int
    """How many worlds were exchanged for another."""
    slowest: float
    """The seconds that its slowest choice took."""


def check_bot(
    make: Callable[[int], Bot],
    *,
    presets: Mapping[str, Rules] | None = None,
    players: Iterable[int] = range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    seeds: Iterable[int] = (1,),
    worlds: int = 3,
    seconds: float = 2.0,
) -> BotReport:
    """Let the bot play every seat of some deals, and hold each of its choices to the laws.

    ``make`` makes the bot from a seed. ``worlds`` is how many choices of a deal are asked again in
    another world, ``seconds`` the time that one choice may take, the first of all left out. Raises
    BotFault, which says what is wrong and in which round.
    """
    deals = choices = exchanged = 0
    slowest = 0.0
    sizes = tuple(players)
    for rules in (Rules.presets() if presets is None else presets).values():
        for number in sizes:
            if fault_with(rules, number):
                continue
            for seed in seeds:
                board = Board.of(dict.fromkeys(rules.compartments, seed % 5))
                deal = Deal.shuffle(seed, players=number, rules=rules)
                round_ = Round.start(rules, deal, board=board, claiming=[seed % 2 == 0] * number)
                deals += 1
                left = worlds
                while round_.to_act is not None:
                    card, took = _choice(make, round_, seed)
                    if len(round_.legal) > 1:
                        choices += 1
                        if choices > 1:
                            slowest = max(slowest, took)
                        if took > seconds and choices > 1:
                            raise BotFault(
                                f"a choice takes {took:.2f} seconds, where {seconds} are allowed: "
                                f"in {round_!r}"
                            )
                        if left:
                            left -= 1
                            exchanged += 1
                            _honest(make, round_, seed, card)
                    round_ = round_.lead(card)
                    _claims(make, round_, seed)
    return BotReport(deals, choices, exchanged, slowest)


def _choice(make: Callable[[int], Bot], round_: Round, seed: int) -> tuple[Card, float]:
    """The card that the bot chooses, twice alike, and the seconds that the first choice took."""
    assert round_.to_act is not None
    view = View.of(round_, round_.to_act)
    bot = make(seed)
    began = time.perf_counter()
    card = bot.choose(view)
    took = time.perf_counter() - began
    if not isinstance(card, Card):
        raise BotFault(f"{card!r} is not a Card: chosen in {round_!r}")
    if card not in view.legal:
        raise BotFault(f"an illegal card is chosen: {view.refusal(card)}; in {round_!r}")
    for again in (bot.choose(view), make(seed).choose(view)):
        if again != card:
            raise BotFault(
                f"the same seed and view give {card!r} and then {again!r}: in {round_!r}"
            )
    return card, took


def _honest(make: Callable[[int], Bot], round_: Round, seed: int, card: Card) -> None:
    """Ask again in worlds that the bot cannot tell from this one, played from their beginning."""
    seat = round_.to_act
    assert seat is not None
    view = View.of(round_, seat)
    for nth in range(3):
        other = view.sample(seed * 101 + nth)
        said = _asked(make, other, seat, seed)
        if said != card:
            raise BotFault(
                f"seat {seat} chooses {card!r}, but {said!r} where only cards that it cannot see "
                f"lie elsewhere: in {round_!r} and {other!r}"
            )


def _asked(make: Callable[[int], Bot], round_: Round, seat: Seat, seed: int) -> Card:
    """What the bot chooses at the end of a round which bots in all seats have lived through."""
    bots = [make(seed) for _ in range(round_.players)]
    *lived, _ = round_.choices()
    for now in lived:
        assert now.to_act is not None
        bots[now.to_act].choose(View.of(now, now.to_act))
    return bots[seat].choose(View.of(round_, seat))


def _claims(make: Callable[[int], Bot], round_: Round, seed: int) -> None:
    """The claims that a bot makes are due to it."""
    if round_.rules.claims is not Claims.CALLED:
        return
    for seat in {item.seat for item in round_.due}:
        for place in claims_of(make(seed), View.of(round_, seat)):
            if why := round_.claim_refusal(seat, place):
                raise BotFault(f"a claim is made that is not due: {why}; in {round_!r}")
