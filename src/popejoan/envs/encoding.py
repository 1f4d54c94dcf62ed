"""What a seat is shown as numbers, and how its plays are numbered; the same in every door.

The numbers are those of a ``View`` and of nothing else, so they hold nothing that the seat has not
seen; ``encode_at`` finds the same ones faster. They are named pieces laid end to end in one flat
array; spaces and pages are made from the pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from struct import pack_into
from typing import Any, Final, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from popejoan.board import Compartment, Ledger
from popejoan.cards import Card, CardSet
from popejoan.deal import fault_with
from popejoan.events import Event, Followed, Led
from popejoan.payments import Due
from popejoan.round import Round
from popejoan.rules import Claims, Peek, Rules
from popejoan.view import View

__all__ = [
    "CARDS",
    "LAPSE",
    "Dtype",
    "Encoding",
    "Piece",
    "action_text",
    "bits_of",
    "mask_of",
]

CARDS: Final = 52
"""Actions 0 to 51 play the card of that number; 20, the eight of diamonds, is never legal."""
LAPSE: Final = 60
"""The action that lets all that is due lapse, legal only after the round."""
LARGEST: Final = 2.0**24
"""Counters are shown exactly up to this many, in floats."""

Dtype: TypeAlias = Literal["float32", "int8"]
"""The kinds of numbers: ``int8`` holds counters to -128 to 127."""
Numbers: TypeAlias = NDArray[np.float32] | NDArray[np.int8]
_KINDS: Final[dict[Dtype, np.dtype[Any]]] = {
    "float32": np.dtype(np.float32),
    "int8": np.dtype(np.int8),
}
_PLACES: Final = tuple(Compartment)
_NOBODY: Final = Peek.NOBODY  # Python 3.11 takes long to look up a member of an enum
_PLACE_OF: Final = {place: nth for nth, place in enumerate(_PLACES)}


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Some of the numbers that a seat is shown."""

    name: str
    """The name."""
    shape: tuple[int, ...]
    """The shape of its numbers."""
    meaning: str
    """What they say."""
    low: float = 0.0
    """The least they can be."""
    high: float = 1.0
    """The most they can be."""
    scale: float = 1.0
    """About how large they are: a network may divide by it."""

    @property
    def size(self) -> int:
        """How many numbers."""
        return prod(self.shape)


def _pieces(players: int, *, claims: bool) -> Iterator[Piece]:
    yield Piece("hand", (52,), "one for each card in the seat's own hand")
    yield Piece("played", (players, 52), "a row a seat: one for each card that it has played")
    yield Piece("run", (52,), "one for each card of the run going on; none between runs")
    yield Piece(
        "dead",
        (52,),
        "one for each card known to be out of play: the turn-up, the stock for a dealer who may "
        "look at it, and each card that a stop has shown to lie there",
    )
    yield Piece("turn_up", (52,), "one for the turn-up; its suit is trumps")
    yield Piece("dealer", (players,), "one for the seat that dealt")
    yield Piece(
        "leader", (players,), "one for the seat whose lead it is, or that led the run going on"
    )
    if claims:
        yield Piece("due", (8,), "one for each compartment that the seat has earned and may claim")
    places = ", ".join(_PLACES)
    yield Piece("board", (8,), f"counters in each compartment: {places}", 0, LARGEST, 8.0)
    yield Piece(
        "purses",
        (players,),
        "counters of each seat; owed below 0",
        -LARGEST,
        LARGEST,
        32.0,
    )
    yield Piece("left", (players,), "cards each seat still holds", 0, 25, 8.0)


@final
@dataclass(frozen=True)
class Encoding:
    """How a view is laid out as numbers, for rules and a number of players.

    Seats are counted from the one that looks: row 0 is its own, row 1 the seat on its left.
    Raises BadRules when the rules cannot be dealt to so many, ValueError for another kind of
    numbers.

    >>> encoding = Encoding(Rules.HOYLE, players=4)
    >>> encoding.size, encoding.actions
    (440, 52)
    """

    rules: Rules
    """The rules."""
    players: int
    """How many seats."""
    claims: bool = False
    """Whether seats are asked to claim, by actions of their own, if the rules call for claims."""
    dtype: Dtype = "float32"
    """The kind of numbers."""
    pieces: tuple[Piece, ...] = field(init=False, repr=False, compare=False)
    """The pieces, in their order."""
    slices: dict[str, slice] = field(init=False, repr=False, compare=False)
    """Where each piece lies in the array."""
    size: int = field(init=False, repr=False, compare=False)
    """How many numbers in all."""
    _tail: str = field(init=False, repr=False, compare=False)
    """How board, purses and cards left are packed, as ``struct`` writes it."""
    _tail_at: int = field(init=False, repr=False, compare=False)
    """Where they are packed, in bytes."""

    def __post_init__(self) -> None:
        """Lay the pieces out."""
        if self.dtype not in ("float32", "int8"):
            raise ValueError(f"dtype {self.dtype!r} is neither float32 nor int8")
        if fault := fault_with(self.rules, self.players):
            raise ValueError(fault)
        pieces = tuple(_pieces(self.players, claims=self.called))
        slices, size = {}, 0
        for piece in pieces:
            slices[piece.name] = slice(size, size + piece.size)
            size += piece.size
        kind = _KINDS[self.dtype]
        many = 8 + 2 * self.players
        made = {
            "pieces": pieces,
            "slices": slices,
            "size": size,
            "_tail": f"{many}{kind.char}",
            "_tail_at": (size - many) * kind.itemsize,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @property
    def called(self) -> bool:
        """Whether there are actions that claim."""
        return self.claims and self.rules.claims is Claims.CALLED

    @property
    def actions(self) -> int:
        """How many actions: the cards, and where seats are asked to claim nine more."""
        return LAPSE + 1 if self.called else CARDS

    @property
    def low(self) -> Numbers:
        """The least that each number can be."""
        return self._filled("low")

    @property
    def high(self) -> Numbers:
        """The most that each number can be."""
        return self._filled("high")

    @property
    def scale(self) -> NDArray[np.float32]:
        """About how large each number is; ``observation / encoding.scale`` suits a network."""
        return np.repeat(
            np.array([piece.scale for piece in self.pieces], np.float32),
            [piece.size for piece in self.pieces],
        )

    def _filled(self, name: str) -> Numbers:
        least, most = (-128.0, 127.0) if self.dtype == "int8" else (-LARGEST, LARGEST)
        values = [min(max(getattr(piece, name), least), most) for piece in self.pieces]
        return np.repeat(np.array(values, self.dtype), [piece.size for piece in self.pieces])

    def encode(self, view: View) -> Numbers:
        """The view of a seat as numbers; shape (size,).

        Raises ValueError for a spectator's view, and for one at a table of another size.
        """
        seat, players = view.seat, self.players
        if seat is None or len(view.sizes) != players:
            raise ValueError(
                f"this encoding is of one of {players} seats, not of "
                f"{'a spectator' if seat is None else f'one of {len(view.sizes)}'}"
            )
        seats = [(seat + step) % players for step in range(players)]
        counts, leader = view.counts, view.leader
        return self._numbers(
            seat,
            view.hand.mask,
            [view.played_by(other).mask for other in seats],
            CardSet.of(view.run).mask,
            view.dead.mask,
            1 << view.turn_up,
            view.dealer,
            leader,
            view.due,
            view.ledger,
            [counts[other] for other in seats],
        )

    def encode_at(self, round_: Round, seat: int) -> Numbers:
        """The same numbers as of ``View.of(round_, seat)``, found in a third of the time.

        They are read off where the cards lie, and not from all that has happened.
        """
        rules, deal, dealer, _, _, ledger, events, to_act, _, due, held, pending = round_
        cards = [hand.mask ^ left for hand, left in zip(deal.hands, held)]
        stock = deal.stock.mask
        if seat == dealer and rules.peek is not _NOBODY:
            dead = stock
        else:
            # A card of the stock is shown by the stop at the card below it, if that was a stop:
            # the last card of the round is none.
            played = sum(cards)
            if to_act is None:
                played ^= _last_played(events)
            dead = rules.order.upon(played) & stock
        run, leader = 0, to_act
        if pending >= 0:
            run, leader = CardSet.of(round_.run).mask, round_.leader
        turn_up = 1 << deal.turn_up
        left = [hand.bit_count() for hand in held]
        return self._numbers(
            seat,
            held[seat],
            cards[seat:] + cards[:seat],
            run,
            dead | turn_up,
            turn_up,
            dealer,
            leader,
            due,
            ledger,
            left[seat:] + left[:seat],
        )

    def _numbers(
        self,
        seat: int,
        hand: int,
        played: list[int],
        run: int,
        dead: int,
        turn_up: int,
        dealer: int,
        leader: int | None,
        due: tuple[Due, ...],
        ledger: Ledger,
        left: list[int],
    ) -> Numbers:
        """The pieces as numbers: masks of cards, and what is counted from the seat on."""
        players = self.players
        marks = 1 << (dealer - seat) % players
        if leader is not None:
            marks |= 1 << players + (leader - seat) % players
        if due and self.called:
            for item in due:
                if item.seat == seat:
                    marks |= 1 << 2 * players + _PLACE_OF[item.compartment]
        # The pieces from the last to the first, each below those before.
        bits = ((marks << CARDS | turn_up) << CARDS | dead) << CARDS | run
        for cards in reversed(played):
            bits = bits << CARDS | cards
        bits = bits << CARDS | hand
        purses, board, _ = ledger
        numbers = [*board.counters, *purses[seat:], *purses[:seat], *left]
        if self.dtype == "int8":
            numbers = [max(-128, min(127, number)) for number in numbers]
        size = self.size
        packed = np.frombuffer(bits.to_bytes(size + 7 >> 3, "little"), np.uint8)
        # By place: numpy reads keywords at twice the price.
        found: Numbers = np.unpackbits(packed, None, size, "little").astype(_KINDS[self.dtype])
        pack_into(self._tail, found.data, self._tail_at, *numbers)
        return found

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The pieces of an observation by name, in their shapes; batch axes come first.

        They are views of the array, not copies.
        """
        return {
            piece.name: observation[..., self.slices[piece.name]].reshape(
                *observation.shape[:-1], *piece.shape
            )
            for piece in self.pieces
        }

    def mask(self, view: View, *, asked: bool = True) -> NDArray[np.int8]:
        """Ones for the actions that the seat may take now; shape (actions,).

        All zeros unless the seat is ``asked`` and has something to do.
        """
        return mask_of(bits_of(view, claims=self.called) if asked else 0, self.actions)

    def table(self) -> str:
        """The pieces as a table for a page."""
        lines = ["| piece | from | to | shape | what the numbers say |", "|---|---:|---:|---|---|"]
        for piece in self.pieces:
            at = self.slices[piece.name]
            shape = " × ".join(map(str, piece.shape))
            lines.append(
                f"| `{piece.name}` | {at.start} | {at.stop - 1} | {shape} | {piece.meaning} |"
            )
        return "\n".join(lines)


def _last_played(events: tuple[Event, ...]) -> int:
    """The mask of the last card played; 0 where none was."""
    for event in reversed(events):
        if isinstance(event, Followed | Led):
            return event.card.bit
    return 0


def bits_of(view: View, *, claims: bool) -> int:
    """The actions that a seat may take now, as a mask of bits."""
    bits = view.legal.mask
    if claims:
        over = view.over
        if bits or over:
            for item in view.due:
                if item.seat == view.seat:
                    bits |= 1 << CARDS + _PLACE_OF[item.compartment]
                    if over:
                        bits |= 1 << LAPSE
    return bits


_SUITS: Final = tuple(bytes(bits >> nth & 1 for nth in range(13)) for bits in range(1 << 13))
"""Thirteen bits as ones and zeros."""


def mask_of(bits: int, actions: int) -> NDArray[np.int8]:
    """A mask of bits as ones and zeros; shape (actions,)."""
    suits = _SUITS
    found = bytearray(
        suits[bits & 0x1FFF]
        + suits[bits >> 13 & 0x1FFF]
        + suits[bits >> 26 & 0x1FFF]
        + suits[bits >> 39 & 0x1FFF]
    )
    if actions > CARDS:
        found += suits[bits >> CARDS][: actions - CARDS]
    return np.frombuffer(found, np.int8)


@lru_cache(maxsize=64)
def action_text(action: int) -> str:
    """An action in short: ``9D``, ``claim matrimony``, ``let lapse``."""
    if action < CARDS:
        return repr(Card(action))
    return "let lapse" if action == LAPSE else f"claim {_PLACES[action - CARDS]}"
