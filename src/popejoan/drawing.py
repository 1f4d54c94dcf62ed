"""Cards, hands, the board, deals, rounds, views and matches drawn as text, and as SVG.

Text is Unicode unless ``ascii`` asks for letters only. The pictures are made in ``painting`` and
the sentences in ``sentences``; this is the one place that the rest of the project draws from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from popejoan.board import Board, Compartment
from popejoan.cards import Card, CardSet, Order, Suit
from popejoan.deal import Deal
from popejoan.match import Match
from popejoan.painting import board_svg, round_svg
from popejoan.round import Round
from popejoan.sentences import (
    Teller,
    card_text,
    cards_text,
    counters_text,
    events,
    following,
)
from popejoan.view import View

__all__ = [
    "Teller",
    "board",
    "board_svg",
    "card_text",
    "cards_text",
    "counters_text",
    "deal",
    "events",
    "following",
    "hand",
    "match",
    "match_svg",
    "round",
    "round_svg",
    "suits",
    "view",
]

_BOXES: Final = ("╭┬╮", ("│", "─"), "╰┴╯", "├┼┤")
_LOW: Final = Order.ace_low()
_PLAIN_BOXES: Final = ("+++", ("|", "-"), "+++", "+++")


def board(
    board: Board,
    *,
    compartments: Iterable[Compartment] = tuple(Compartment),
    width: int = 80,
    ascii: bool = False,
) -> str:
    """The board as a table, the dearest first; it takes two rows where ``width`` is too narrow.

    >>> print(board(Board.of(pope=6, game=1), compartments=["pope", "game"], ascii=True))
    +------+------+
    | Pope | Game |
    |   6  |   1  |
    +------+------+
    """
    has = set(compartments)
    order = [Compartment.POPE, *(place for place in Compartment if place is not Compartment.POPE)]
    places = [place for place in order if place in has]
    cells = [(place.value.title(), str(board[place])) for place in places]
    rows = [cells]
    if sum(len(name) + 3 for name, _ in cells) >= width:
        half = (len(cells) + 1) // 2
        rows = [cells[:half], [*cells[half:], *[("", "")] * (2 * half - len(cells))]]
    widths = [max(len(text) for cell in column for text in cell) + 2 for column in zip(*rows)]
    top, (side, flat), bottom, middle = _PLAIN_BOXES if ascii else _BOXES

    def rule(corners: str) -> str:
        return corners[0] + corners[1].join(flat * wide for wide in widths) + corners[2]

    lines: list[str] = []
    for row in rows:
        lines.append(rule(middle if lines else top))
        for nth in range(2):
            centred = (cell[nth].center(wide) for cell, wide in zip(row, widths))
            lines.append(side + side.join(centred) + side)
    return "\n".join([*lines, rule(bottom)])


def suits(
    cards: CardSet, *, order: Order = _LOW, ascii: bool = False
) -> Iterator[tuple[Suit, str]]:
    """Each suit that the cards have, with the text of its ranks from the lowest up."""
    for suit in Suit:
        of_suit = sorted(cards.of_suit(suit), key=order.height)
        if of_suit:
            mark = suit.letter if ascii else suit.pip
            yield suit, " ".join([mark, *(str(card)[:-1] for card in of_suit)])


def hand(cards: CardSet, *, order: Order = _LOW, ascii: bool = False) -> str:
    """Some cards in one line, by suits.

    >>> hand(CardSet.parse("3C 10C 9D KS"))
    '♣ 3 10   ♦ 9   ♠ K'
    """
    drawn = (text for _, text in suits(cards, order=order, ascii=ascii))
    return "   ".join(drawn) or ("-" if ascii else "–")


def _columns(lines: Iterable[Sequence[str]]) -> str:
    """Lines of cells, each column as wide as its widest cell."""
    table = list(lines)
    widths = [max(map(len, column)) for column in zip(*table)]
    return "\n".join(
        "  ".join(cell.ljust(wide) for cell, wide in zip(line, widths)).rstrip() for line in table
    )


def _names(names: Sequence[str], players: int) -> list[str]:
    teller = Teller(names)
    return [teller.name(seat) for seat in range(players)]


def deal(
    deal: Deal,
    *,
    names: Sequence[str] = (),
    order: Order = _LOW,
    ascii: bool = False,
) -> str:
    """The deal: the turn-up, a line a seat by suits, and the stock."""
    lines = [
        (name, hand(cards, order=order, ascii=ascii))
        for name, cards in zip(_names(names, deal.players), deal.hands)
    ]
    lines.append(("Stock", hand(deal.stock, order=order, ascii=ascii)))
    return f"{_turn_up(deal.turn_up, ascii=ascii)}\n{_columns(lines)}"


def _turn_up(card: Card, *, ascii: bool) -> str:
    return f"Turn-up {card_text(card, ascii=ascii)}: {card.suit.name.lower()} are trumps"


def round(round: Round, *, names: Sequence[str] = (), ascii: bool = False) -> str:
    """The table as it truly is: the board, each seat's purse and hand, and what fell last."""
    order = round.rules.order
    hands = [hand(round.hand(seat), order=order, ascii=ascii) for seat in range(round.players)]
    return _table(round, names, hands, ascii=ascii)


def view(view: View, *, names: Sequence[str] = (), ascii: bool = False) -> str:
    """The table as one seat sees it: its own hand, and how many cards the others hold."""
    order = view.rules.order
    hands = []
    for seat, held in enumerate(view.counts):
        if seat == view.seat:
            hands.append(hand(view.hand, order=order, ascii=ascii))
        else:
            hands.append(f"{held} card" + ("" if held == 1 else "s"))
    drawn = _table(view, names, hands, ascii=ascii)
    if view.stock is not None:
        drawn += f"\nStock: {hand(view.stock, order=order, ascii=ascii)}"
    return drawn


def match(match: Match, *, names: Sequence[str] = (), ascii: bool = False) -> str:
    """The match: how far it is, the table as it truly is, and the counters of the others.

    ``names`` are those of the members.
    """
    called = _members(match, names)
    drawn = [_how_far(match)]
    if match.round is None:
        shown = board(match.board, compartments=match.rules.compartments, ascii=ascii)
        drawn.append(shown)
    else:
        seated = [called[member] for member in match.seats]
        drawn.append(round(match.round, names=seated, ascii=ascii))
    purses = [
        (name, "" if member in match.sitting else "away", str(purse))
        for member, (name, purse) in enumerate(zip(called, match.purses))
        if member not in match.seats
    ]
    if purses:
        drawn.append(_columns(purses))
    return "\n".join(drawn)


def match_svg(match: Match, *, names: Sequence[str] = ()) -> str:
    """The deal on the table as a picture, or the board alone; ``names`` are the members'."""
    if match.round is None:
        return board_svg(match.board, compartments=match.rules.compartments)
    called = _members(match, names)
    return round_svg(match.round, names=[called[member] for member in match.seats])


def _members(match: Match, names: Sequence[str]) -> list[str]:
    named = dict(enumerate(names))
    return [named.get(member) or f"Player {member}" for member in range(len(match.members))]


def _how_far(match: Match) -> str:
    number = f"Deal {match.dealt}" if match.dealt else "Before the first deal"
    if match.deals is not None:
        number += f" of {match.deals}"
    return f"{number}, rules {match.rules.text}" + (": the match is over" if match.over else "")


def _table(seen: Round | View, names: Sequence[str], hands: Sequence[str], *, ascii: bool) -> str:
    called = _names(names, seen.players)
    lines = []
    for seat, cards in enumerate(hands):
        mark = ">" if seat == seen.to_act else " "
        dealer = "dealer" if seat == seen.dealer else ""
        lines.append((f"{mark} {called[seat]}", dealer, str(seen.purses[seat]), cards))
    drawn = [
        board(seen.board, compartments=seen.rules.compartments, ascii=ascii),
        _turn_up(seen.turn_up, ascii=ascii),
        _columns([("  ", "", "purse", "hand"), *lines]),
    ]
    if seen.run:
        drawn.append(f"Run: {cards_text(seen.run, ascii=ascii)}")
    elif seen.over:
        drawn.append(Teller(called, ascii=ascii).event(seen.events[-1]))
    elif seen.legal:
        drawn.append(f"Leads: {cards_text(seen.legal, ascii=ascii)}")
    return "\n".join(drawn)
