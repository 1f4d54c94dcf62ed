"""The board and a round painted as SVG, for notebooks and pages: a tray of the old kind.

The tray is round, dark green, with red and gilt partitions, a flower in each well, a lidded
centre, and mother-of-pearl fish for counters. How things look as text is in ``drawing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from popejoan.board import Board, Compartment
from popejoan.cards import Suit
from popejoan.sentences import events, seat_name

if TYPE_CHECKING:
    from popejoan.cards import Card, CardSet, Order
    from popejoan.round import Round

__all__ = ["board_svg", "round_svg"]

_WHEEL: Final = (
    Compartment.POPE,
    Compartment.GAME,
    Compartment.ACE,
    Compartment.KNAVE,
    Compartment.INTRIGUE,
    Compartment.QUEEN,
    Compartment.MATRIMONY,
    Compartment.KING,
)
"""The compartments clockwise from the top: each pair lies between its two cards."""

_SERIF: Final = (
    "'IM Fell English SC','IM Fell English','EB Garamond','Hoefler Text','Palatino Linotype',"
    "Palatino,'Liberation Serif','Times New Roman',serif"
)
_NUMERALS: Final = "Baskerville,'Book Antiqua','Liberation Serif','Times New Roman',serif"
"""Without old-style figures, whose 1 is drawn like an I."""
_SIZE: Final = 640
_MIDDLE: Final = _SIZE / 2
_RIM, _OUTER, _INNER, _LID = 306.0, 248.0, 92.0, 74.0
_LETTERS: Final = {"I": 0.42, "M": 1.02, "Q": 0.9, "G": 0.86, "O": 0.88, "N": 0.86, "P": 0.68,
                   "E": 0.7, "R": 0.76, "T": 0.74, "Y": 0.78, "A": 0.8, "C": 0.8, "K": 0.82,
                   "V": 0.78, "U": 0.84}  # fmt: skip
"""How wide each capital is, as a share of the size of the letters."""

_FLOWERS: Final = {
    Compartment.POPE: (9, "#e9b0b4", "#b5293a", "#f3d27a"),
    Compartment.GAME: (6, "#f4ead2", "#d9b65a", "#c8552f"),
    Compartment.ACE: (5, "#c63b3f", "#8e1f2c", "#f0cf6b"),
    Compartment.KNAVE: (7, "#8fb0dd", "#4b6fb0", "#f6e3a0"),
    Compartment.INTRIGUE: (5, "#b79ad1", "#6d4c97", "#f3d27a"),
    Compartment.QUEEN: (8, "#f6dfe0", "#d98f9b", "#d8a93a"),
    Compartment.MATRIMONY: (6, "#d8566a", "#f0b9bd", "#f3d27a"),
    Compartment.KING: (8, "#e7b04a", "#b4622a", "#6b2b1c"),
}
"""For each well its flower: petals, their colours outside and inside, the heart."""

_FISH: Final = (
    (-35, 204, 68), (36, 188, -62), (3, 162, 8), (-26, 174, 28), (40, 219, 24), (-44, 221, -20),
    (0, 224, 6), (25, 168, -40), (-8, 186, 100),
)  # fmt: skip
"""Where the fish of a stake lie in a well: along it, from the middle, and how they are turned."""

_DEFS: Final = """<defs>
<radialGradient id="pj-wood" cx=".42" cy=".36" r=".75"><stop offset="0" stop-color="#a3282c"/>\
<stop offset=".72" stop-color="#7e1a20"/><stop offset="1" stop-color="#4d0e13"/></radialGradient>
<radialGradient id="pj-green" gradientUnits="userSpaceOnUse" cx="290" cy="270" r="300">\
<stop offset="0" stop-color="#1f5a41"/><stop offset=".6" stop-color="#15442f"/>\
<stop offset="1" stop-color="#0c2c1f"/></radialGradient>
<linearGradient id="pj-gilt" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f7e3a1"/>\
<stop offset=".45" stop-color="#c9982f"/><stop offset=".6" stop-color="#f0d27c"/>\
<stop offset="1" stop-color="#8f6518"/></linearGradient>
<linearGradient id="pj-pearl" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fffdf6"/>\
<stop offset=".3" stop-color="#e6ecea"/><stop offset=".5" stop-color="#f7e4ea"/>\
<stop offset=".72" stop-color="#dcebe6"/><stop offset="1" stop-color="#f6efd9"/></linearGradient>
<radialGradient id="pj-bone" cx=".38" cy=".32" r=".8"><stop offset="0" stop-color="#fffaf0"/>\
<stop offset=".7" stop-color="#efe3c8"/><stop offset="1" stop-color="#c9b58a"/></radialGradient>
<g id="pj-fish"><path d="M-22 0C-16 -7 -2 -9 8 -5C13 -3 15 -1 16 0L25 -7C23 -2 23 2 25 7L16 0\
C15 1 13 3 8 5C-2 9 -16 7 -22 0Z" fill="url(#pj-pearl)" stroke="#6f7f78" stroke-width=".9"/>\
<path d="M-11 -4.5Q-8 0 -11 4.5M-6 -5Q-3 0 -6 5M-1 -5Q2 0 -1 5M4 -4Q7 0 4 4M18 -1L23 -4\
M18 1L23 4" fill="none" stroke="#8b9b95" stroke-width=".8"/>\
<circle cx="-16" cy="-1.2" r="1.3" fill="#3c4a45"/></g>
</defs>
"""


def _at(radius: float, angle: float) -> tuple[float, float]:
    """The point at this distance from the middle, this many degrees clockwise from the top."""
    turn = angle * pi / 180
    return _MIDDLE + radius * sin(turn), _MIDDLE - radius * cos(turn)


def _xy(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _sector(inner: float, outer: float, start: float, end: float) -> str:
    """The path of one well, between two circles and two angles."""
    return (
        f"M{_xy(_at(inner, start))}L{_xy(_at(outer, start))}"
        f"A{outer:g} {outer:g} 0 0 1 {_xy(_at(outer, end))}"
        f"L{_xy(_at(inner, end))}A{inner:g} {inner:g} 0 0 0 {_xy(_at(inner, start))}Z"
    )


def _name(compartment: Compartment, angle: float) -> str:
    """The compartment's name in gilt capitals along the rim, upright wherever it stands."""
    word = compartment.value.upper()
    size, gap = (24, 1.6) if len(word) > 8 else (27, 3.2)
    widths = [_LETTERS[letter] * size * 0.86 + gap for letter in word]
    below = 100 < angle < 260
    radius = (_RIM + _OUTER) / 2 + (9 if below else -9)
    place = -sum(widths) / 2
    letters = []
    for letter, width in zip(word, widths):
        turn = (place + width / 2) / radius * 180 / pi
        along = angle - turn if below else angle + turn
        place += width
        letters.append(
            f'<text transform="translate({_xy(_at(radius, along))})'
            f' rotate({along + (180 if below else 0):.1f})">{letter}</text>'
        )
    drawn = "".join(letters)
    style = f'font-family="{_SERIF}" font-size="{size}" font-weight="700" text-anchor="middle"'
    return (
        f'<g aria-hidden="true" {style}><g fill="#1c0507" transform="translate(1.4 1.8)">{drawn}'
        f'</g><g fill="#f2d788">{drawn}</g></g>'
    )


def _flower(compartment: Compartment) -> str:
    """A small painted flower with two leaves, round the origin."""
    petals, outside, inside, heart = _FLOWERS[compartment]
    step = 360 / petals
    width = 62 / petals + 3.2
    leaf = '<path d="M0 6C10 8 20 20 30 19C26 8 14 0 0 6Z" fill="#5f9350" stroke="#2d5a30"/>'
    drawn = [leaf, f'<g transform="scale(-1 1)">{leaf}</g>']
    drawn += [
        f'<ellipse cy="-12" rx="{width:.1f}" ry="11" transform="rotate({step * n:.1f})" '
        f'fill="{outside}" stroke="{inside}" stroke-width=".8"/>'
        for n in range(petals)
    ]
    drawn += [
        f'<path d="M0 -4L0 -15" transform="rotate({step * n:.1f})" stroke="{inside}" '
        'stroke-width="2" stroke-linecap="round" opacity=".75"/>'
        for n in range(petals)
    ]
    drawn.append(f'<circle r="5.6" fill="{heart}" stroke="#5b3a12" stroke-width=".9"/>')
    return "".join(drawn)


def _well(compartment: Compartment, stake: int, angle: float) -> str:
    """One well: green floor, gilt edge, flower, the stake as fish and as a number."""
    edge = 2.2
    floor = _sector(_INNER + 8, _OUTER - 8, angle - 22.5 + edge, angle + 22.5 - edge)
    flower, number = _at(191, angle), _at(124, angle)
    fish = "".join(
        f'<use href="#pj-fish" transform="rotate({angle:g} {_MIDDLE:g} {_MIDDLE:g}) '
        f'translate({_MIDDLE + along:g} {_MIDDLE - out:g}) rotate({turn})"/>'
        for along, out, turn in _FISH[:stake]
    )
    shown = str(stake)
    size = {1: 24, 2: 22, 3: 17}.get(len(shown), 13)
    return (
        f'<g role="img" aria-label="{compartment.value.title()}: {stake}">'
        f"<title>{compartment.value.title()}: {stake}</title>"
        f'<path d="{floor}" fill="url(#pj-green)" stroke="url(#pj-gilt)" stroke-width="2.6" '
        'stroke-linejoin="round"/>'
        f'<g transform="translate({_xy(flower)}) scale(1.25)">{_flower(compartment)}</g>{fish}'
        f'<g transform="translate({_xy(number)})">'
        '<circle cx="1" cy="1.6" r="19" fill="#06170f" opacity=".55"/>'
        '<circle r="19" fill="url(#pj-bone)" stroke="#8d7747" stroke-width="1"/>'
        '<circle r="16" fill="none" stroke="#b39a63" stroke-width=".7"/>'
        f'<text y="{size * 0.34:.1f}" font-family="{_NUMERALS}" font-size="{size}" '
        f'font-weight="700" text-anchor="middle" fill="#2a1507">{shown}</text></g></g>'
    )


def _ring(radius: float, fill: str, stroke: str = "none", width: float = 0) -> str:
    return (
        f'<circle cx="{_MIDDLE:g}" cy="{_MIDDLE:g}" r="{radius:g}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{width:g}"/>'
    )


def _lid() -> Iterator[str]:
    """The lidded centre: a red cover with gilt rings, a wreath and a turned knob."""
    yield _ring(_INNER - 2, "#3c0a0e")
    yield _ring(_LID + 8, "url(#pj-wood)", "url(#pj-gilt)", 3)
    yield _ring(_LID - 8, "none", "#e2bf66", 1.2)
    for n in range(16):
        x, y = _at(_LID - 22, n * 22.5)
        turn = n * 22.5 + 72
        yield (
            f'<ellipse rx="10" ry="3.6" transform="translate({x:.1f} {y:.1f}) rotate({turn})" '
            'fill="#5f9350" stroke="#24472a" stroke-width=".8"/>'
        )
    for n in range(8):
        x, y = _at(_LID - 22, n * 45 + 11.25)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="#f0cf6b" stroke="#8f6518"/>'
    yield _ring(29, "url(#pj-green)", "url(#pj-gilt)", 2)
    yield _ring(17, "url(#pj-gilt)", "#6b4a10", 1)
    yield (
        f'<ellipse cx="{_MIDDLE - 5:g}" cy="{_MIDDLE - 6:g}" rx="6" ry="4" fill="#fff6d6" '
        'opacity=".8" transform="rotate(-30 315 314)"/>'
    )


def _tray(board: Board, compartments: Iterable[Compartment]) -> str:
    """The whole tray; a compartment that the board does not have is a painted blank."""
    has = set(compartments)
    parts = [
        f'<ellipse cx="{_MIDDLE + 4:g}" cy="{_MIDDLE + 9:g}" rx="{_RIM:g}" ry="{_RIM:g}" '
        'fill="#000" opacity=".22"/>',
        _ring(_RIM, "url(#pj-wood)", "#2f070a", 2),
        _ring(_RIM - 6, "none", "url(#pj-gilt)", 3),
        _ring(_OUTER + 4, "#5d1319", "url(#pj-gilt)", 2.4),
    ]
    for n, compartment in enumerate(_WHEEL):
        angle = n * 45.0
        if compartment in has:
            parts.append(_well(compartment, board[compartment], angle))
            parts.append(_name(compartment, angle))
        else:
            floor = _sector(_INNER + 8, _OUTER - 8, angle - 20.3, angle + 20.3)
            parts.append(f'<path d="{floor}" fill="#6b161c"/>')
        x, y = _at((_RIM + _OUTER) / 2, angle + 22.5)
        parts.append(
            f'<path d="M0 -9L6 0L0 9L-6 0Z" transform="translate({x:.1f} {y:.1f}) '
            f'rotate({angle + 22.5})" fill="url(#pj-gilt)" stroke="#3a0a0d"/>'
        )
    return "\n".join([*parts, *_lid()])


def _svg(width: float, says: str, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {_SIZE}" '
        f'width="{width:g}" height="{_SIZE}" role="img" aria-label="{escape(says)}">\n'
        f"{_DEFS}{body}\n</svg>\n"
    )


def board_svg(board: Board, *, compartments: Iterable[Compartment] = tuple(Compartment)) -> str:
    """The board as a picture; ``compartments`` are those it has, all eight unless given."""
    stakes = ", ".join(f"{place.value} {stake}" for place, stake in board.items() if stake)
    return _svg(_SIZE, f"The board: {stakes or 'bare'}", _tray(board, compartments))


_INKS: Final = {
    Suit.CLUBS: "#1d2b22",
    Suit.DIAMONDS: "#a3282c",
    Suit.HEARTS: "#a3282c",
    Suit.SPADES: "#1d2b22",
}


def _cards(cards: CardSet, order: Order) -> str:
    """Some cards in a line of text, by suits, each suit in its ink."""
    spans: list[str] = []
    for suit in Suit:
        of_suit = sorted(cards.of_suit(suit), key=order.height)
        if of_suit:
            ranks = " ".join(_rank(card) for card in of_suit)
            spans.append(
                f'<tspan fill="{_INKS[suit]}" dx="{9 if spans else 0}">{suit.pip} {ranks}</tspan>'
            )
    return "".join(spans) or '<tspan fill="#6a5f4a" font-style="italic">no cards</tspan>'


def _rank(card: Card) -> str:
    return str(card)[:-1]


def round_svg(round: Round, *, names: Sequence[str] | None = None) -> str:
    """The round as a picture: the board, the turn-up, and each seat with its purse and hand."""
    order = round.rules.order
    names = [seat_name(names or (), seat) for seat in range(round.players)]
    height = min(66.0, 520 / round.players)
    suit = round.trump.name.lower()
    parts = [
        _tray(round.board, round.rules.compartments),
        f'<rect x="{_SIZE - 8}" y="14" width="472" height="{_SIZE - 28}" rx="10" fill="#f1e7cd"/>',
        f'<g font-family="{_SERIF}" transform="translate({_SIZE + 10} 24)">',
        '<text y="22" font-size="22" font-weight="700" fill="#7e1a20">'
        f"Turn-up {round.turn_up} · {suit} are trumps</text>",
    ]
    for seat in range(round.players):
        top = 40 + seat * height
        acts = seat == round.to_act
        notes = [f"{round.purses[seat]} counters", f"{len(round.hand(seat))} cards"]
        notes += ["dealer"] * (seat == round.dealer) + ["to play"] * acts
        notes += ["out first"] * (seat == round.winner)
        low = height < 56
        small = min(15.5, 430 / max(1, len(round.hand(seat)) + 5))
        parts.append(
            f'<g transform="translate(0 {top:g})"><rect width="440" height="{height - 6:g}" rx="5" '
            f'fill="#fbf5e6" stroke="{"#b4891f" if acts else "#d8cba9"}" '
            f'stroke-width="{2.6 if acts else 1}"/>'
            f'<text x="10" y="{19 if low else 23}" font-size="15" fill="#3a2a14">'
            f'<tspan font-weight="700">{escape(names[seat])}</tspan>'
            f'<tspan dx="10" font-size="13">{" · ".join(notes)}</tspan></text>'
            f'<text x="10" y="{height - (11 if low else 15):g}" font-size="{small:.1f}" '
            "font-family=\"'DejaVu Sans','Segoe UI Symbol','Noto Sans Symbols2',sans-serif\">"
            f"{_cards(round.hand(seat), order)}</text></g>"
        )
    last = " ".join(map(str, round.run)) if round.run else ""
    says = (
        f"Run: {last}" if last else ("The deal is over" if round.over else "A lead is to be made")
    )
    below = 62 + round.players * height
    parts.append(
        f'<text y="{below:g}" font-size="17" font-weight="700" fill="#3a2a14">{says}</text>'
    )
    told = list(events(round.events, names=names))
    room = max(0, int((575 - below) // 21))
    for nth, line in enumerate(told[max(0, len(told) - room) :], 1):
        shown = escape(line if len(line) <= 64 else f"{line[:63]}…")
        y = below + 5 + nth * 21
        parts.append(f'<text y="{y:g}" font-size="15" fill="#5a4626">{shown}</text>')
    parts.append("</g>")
    return _svg(_SIZE + 470, f"A round of Pope Joan, {says}", "\n".join(parts))
