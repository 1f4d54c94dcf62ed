"""The staking board and the counters: they move in ``Ledger.pay`` and nowhere else.

How many counters are due, and why, is said in ``payments``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as shown
from typing import Any, Final, NamedTuple, final

from popejoan.cards import Seat

__all__ = ["Board", "Compartment", "Ledger", "Reason", "Transfer"]


class Compartment(StrEnum):
    """The eight divisions of the board, in the order in which the source text dresses them."""

    ACE = "ace"
    KING = "king"
    QUEEN = "queen"
    KNAVE = "knave"
    GAME = "game"
    MATRIMONY = "matrimony"
    INTRIGUE = "intrigue"
    POPE = "pope"

    __hash__ = str.__hash__  # Enum's own is a Python function, and every payment looks one up


_PLACES: Final = {compartment: place for place, compartment in enumerate(Compartment)}
_NAMES: Final = tuple(compartment.value for compartment in Compartment)
_FROM_END: Final[dict[Any, Any]] = {place: at - 8 for place, at in _PLACES.items()}


@final
@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """The counters that lie in each compartment; immutable.

    >>> Board.of(pope=6, game=1).total
    7
    """

    counters: tuple[int, ...] = (0,) * 8
    """The stakes in the order of ``Compartment``."""

    @classmethod
    def of(cls, stakes: Mapping[str, int] | None = None, /, **more: int) -> Board:
        """Lay a board by the names of its compartments; those not named are bare.

        Raises ValueError for a name that is no compartment or a count that is no whole number
        from 0 up.
        """
        laid = {**(stakes or {}), **more}
        for name, counters in laid.items():
            if name not in _PLACES:
                raise ValueError(
                    f"{shown(name)} is no compartment: they are {', '.join(Compartment)}"
                )
            if isinstance(counters, bool) or not isinstance(counters, int) or counters < 0:
                raise ValueError(f"{name} holds {counters!r}: a stake is a whole number from 0 up")
        return cls(tuple(laid.get(compartment, 0) for compartment in Compartment))

    def __getitem__(self, compartment: Compartment) -> int:
        """The counters in one compartment."""
        return self.counters[_PLACES[compartment]]

    def __iter__(self) -> Iterator[int]:
        """The stakes in the order of ``Compartment``."""
        return iter(self.counters)

    def items(self) -> Iterator[tuple[Compartment, int]]:
        """Each compartment with its stake."""
        return zip(_PLACES, self.counters)

    @property
    def total(self) -> int:
        """All the counters on the board."""
        return sum(self.counters)

    def as_dict(self) -> dict[str, int]:
        """The stakes by the names of the compartments."""
        return dict(zip(_NAMES, self.counters))

    def __repr__(self) -> str:
        """An expression that rebuilds the board."""
        laid = ", ".join(f"{name}={counters}" for name, counters in self.items() if counters)
        return f"Board.of({laid})"

    def __str__(self) -> str:
        """The board drawn: each compartment with its stake."""
        from popejoan import drawing

        return drawing.board(self)

    def _repr_svg_(self) -> str:
        """The board as a picture, for notebooks."""
        from popejoan import drawing

        return drawing.board_svg(self)


class Reason(StrEnum):
    """Why counters move."""

    DRESSING = "dressing"
    STAKE = "stake"
    CARDS = "cards"
    POPE_TURNED = "pope-turned"
    POPE_PLAYED = "pope-played"
    DIVISION = "division"

    __hash__ = str.__hash__  # as for Compartment


class Transfer(NamedTuple):
    """One payment: who gives, who gets, how many counters, and why."""

    payer: Seat | Compartment
    payee: Seat | Compartment
    counters: int
    reason: Reason


@final
class Ledger(NamedTuple):
    """Every payment since the purses and the board were last counted, and where that leaves them.

    The sum of purses and board never changes.
    """

    purses: tuple[int, ...]
    """The counters of each seat; below nothing is what the seat owes."""
    board: Board
    """What lies on the board."""
    transfers: tuple[Transfer, ...] = ()
    """The payments, in the order made."""

    def pay(self, transfers: Iterable[Transfer]) -> Ledger:
        """The ledger after these payments.

        Raises ValueError when a payment is of no counters or fewer, or takes more from a
        compartment than lies there.
        """
        made = tuple(transfers)
        if not made:
            return self
        # One row of purses and stakes: seats count from its start, compartments from its end.
        row = [*self.purses, *self.board.counters]
        place = _FROM_END.get
        for payer, payee, counters, _ in made:
            if counters <= 0:
                raise ValueError(f"a payment is of one counter or more, not {counters}")
            giver = place(payer, payer)
            row[giver] -= counters
            if giver < 0 and row[giver] < 0:
                raise ValueError(f"{payer} does not hold {counters} counters")
            row[place(payee, payee)] += counters
        paid = tuple(row[:-8]), Board(tuple(row[-8:])), self.transfers + made
        return tuple.__new__(Ledger, paid)  # the class's own is a function in Python

    @property
    def total(self) -> int:
        """All counters in purses and on the board."""
        return sum(self.purses) + self.board.total
