"""Small deals, drawn, and payments in words: what the tests of the rules are written with.

A deal is drawn as its hands from seat 0, parted by strokes: ``3C 9D / 4C KH / 5C 2S``. Unless a
dealer is named the last seat deals, so seat 0 leads.
"""

from __future__ import annotations

from dataclasses import replace

from popejoan.board import Board, Compartment, Reason
from popejoan.cards import PACK, Card, CardSet, Seat
from popejoan.deal import Deal, hand_sizes
from popejoan.events import Event, Stopped
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules, Stock, TurnUp

FREE = Rules.read({"lead": "any"})
"""Hoyle's rules with any lead, where a test is not about leads."""


def begin(
    drawn: str,
    turn_up: str = "2D",
    *,
    rules: Rules = FREE,
    dealer: int | None = None,
    board: Board = Board(),
    claiming: str = "",
) -> Round:
    """A round of these hands and no other cards: all the rest of the pack is the stock.

    The hands are as small as drawn, whatever the rules say. ``claiming`` has a ``-`` for each seat
    whose switch 'claim for me' is off.
    """
    hands = [CardSet.parse(hand) for hand in drawn.split("/")]
    size = max(map(len, hands))
    if rules.stock is Stock.DEALT_ROUND:
        rules = replace(rules, stock=Stock.SPARE_HAND)
    rules = replace(rules, hand_size=size)
    stock = PACK - CardSet.parse(turn_up)
    for hand in hands:
        stock -= hand
    return Round.start(
        rules,
        Deal(tuple(hands), Card.parse(turn_up), stock),
        dealer=Seat(len(hands) - 1 if dealer is None else dealer),
        board=board,
        claiming=[mark != "-" for mark in claiming] if claiming else None,
    )


def fill(
    drawn: str, turn_up: str = "2D", *, rules: Rules = FREE, dealer: int = 0, stock: str = ""
) -> Deal:
    """A legal deal under the rules that has the named cards where they are named.

    The other cards fill the hands from seat 0 and then the stock, the lowest first.
    """
    hands = [CardSet.parse(hand) for hand in drawn.split("/")]
    named = CardSet.parse(turn_up) | CardSet.parse(stock)
    for hand in hands:
        named |= hand
    left = list(PACK - named)
    for seat, size in enumerate(hand_sizes(rules, len(hands), dealer)[0]):
        lacks = size - len(hands[seat])
        hands[seat] |= CardSet.of(left[:lacks])
        del left[:lacks]
    return Deal(tuple(hands), Card.parse(turn_up), CardSet.parse(stock) | CardSet.of(left))


def led(round: Round, leads: str) -> Round:
    """The round after these leads and all that follows them."""
    for card in leads.split():
        round = round.lead(Card.parse(card))
    return round


def played_out(match: Match) -> Match:
    """The match after its deal, led anyhow."""
    while match.round is not None and not match.round.over:
        match = match.lead(min(match.round.legal))
    return match


def payments(round: Round) -> list[str]:
    """Every payment after the dressing, in order: ``king 1 to 0``, ``2 3 to 0``."""
    return [
        f"{payer} {counters} to {payee}"
        for payer, payee, counters, reason in round.ledger.transfers
        if reason is not Reason.DRESSING
    ]


def dressing(round: Round) -> list[str]:
    """Every gift of the dressing, in order: ``0 1 to ace``."""
    return [
        f"{payer} {counters} to {payee}"
        for payer, payee, counters, reason in round.ledger.transfers
        if reason is Reason.DRESSING
    ]


def dressed(rules: Rules, players: int, board: Board = Board()) -> tuple[tuple[int, ...], Board]:
    """What each seat has given, and the board, when seat 0 has dressed it for so many.

    The turn-up is the two of diamonds, so that nothing else is paid.
    """
    deal = fill("/" * (players - 1), rules=rules)
    round = Round.start(rules, deal, board=board)
    return tuple(-balance for balance in round.balances), round.board


def plays(round: Round) -> str:
    """The cards played, each behind its seat: ``0:3C 1:4C``."""
    return " ".join(f"{play.seat}:{play.card!r}" for play in round.plays)


def stops(round: Round) -> list[str]:
    """Each stop: its seat, card and reason, ``1:KC end``."""
    return [
        f"{event.seat}:{event.card!r} {event.stop}"
        for event in round.events
        if isinstance(event, Stopped)
    ]


def last(round: Round, kind: type[Event]) -> Event:
    """The last event of a kind."""
    return next(event for event in reversed(round.events) if isinstance(event, kind))


def stakes(board: Board, names: str) -> list[int]:
    """The counters in the compartments named."""
    return [board[Compartment(name)] for name in names.split()]


def in_stock(rules: Rules) -> Rules:
    """The same rules, the turn-up being a card of the stock."""
    return replace(rules, turn_up=TurnUp.IN_STOCK)
