"""Everything the game refuses, as a tree of errors.

The errors::

    PopeJoanError(ValueError)
    ├── BadCard      text that names no card of the pack
    ├── BadDeal      cards that are not one deal of the pack
    ├── BadRules     a set of rules that contradicts itself
    ├── BadRecord    text that is not a record
    ├── BadWire      JSON that is not a message
    ├── IllegalPlay  a card that may not be played now
    ├── IllegalClaim a stake that is not the seat's to claim
    └── IllegalChange something that a match does not allow now
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = [
    "BadCard",
    "BadDeal",
    "BadRecord",
    "BadRules",
    "BadWire",
    "IllegalChange",
    "IllegalClaim",
    "IllegalPlay",
    "PopeJoanError",
]


class PopeJoanError(ValueError):
    """Anything the game refuses; the message says what was asked, and why not."""


class BadCard(PopeJoanError):
    """Text or a number that names no card of the pack."""


class BadDeal(PopeJoanError):
    """Cards that are not one deal of the pack; ``faults`` lists every fault with its place."""

    def __init__(self, faults: Iterable[tuple[str, str]]) -> None:
        """Keep the faults, pairs of the place in the deal and what is wrong there."""
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{at}: {says}" for at, says in self.faults))

    def __reduce__(self) -> tuple[type[BadDeal], tuple[tuple[tuple[str, str], ...]]]:
        """Rebuild from the faults, so that the error crosses process borders whole."""
        return type(self), (self.faults,)


class BadRules(PopeJoanError):
    """Rules that contradict themselves; ``faults`` lists every contradiction in words."""

    def __init__(self, faults: Iterable[tuple[str, str]]) -> None:
        """Keep the faults, pairs of the field at fault and what is wrong with it."""
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{field}: {says}" for field, says in self.faults))

    def __reduce__(self) -> tuple[type[BadRules], tuple[tuple[tuple[str, str], ...]]]:
        """Rebuild from the faults, so that the error crosses process borders whole."""
        return type(self), (self.faults,)


class BadRecord(PopeJoanError):
    """Text that is not a record, or a match that no record can tell."""

    def __init__(self, reason: str, line: int = 0, playable: Any = None) -> None:
        """Keep what is wrong, in which line (0 for none), and the record of what stands before."""
        self.reason = reason
        self.line = line
        self.playable = playable
        super().__init__(f"line {line}: {reason}" if line else reason)

    def __reduce__(self) -> tuple[type[BadRecord], tuple[str, int, Any]]:
        """Rebuild from the parts, so that the error crosses process borders whole."""
        return type(self), (self.reason, self.line, self.playable)


class BadWire(PopeJoanError):
    """JSON that is not a message of the wire."""


class _Illegal(PopeJoanError):
    """What the rules refuse in a round: the text is the reason alone, which shows no hidden card.

    The round is a note, so that a traceback prints it and nobody who is told the reason sees it.
    """

    def __init__(self, reason: str, record: str = "") -> None:
        """Keep why, and the expression that rebuilds the round, which shows every hand."""
        self.reason = reason
        self.record = record
        super().__init__(reason)
        if record:
            self.add_note(f"in {record}")

    def __reduce__(self) -> tuple[type[_Illegal], tuple[str, str]]:
        """Rebuild from the parts, so that the error crosses process borders whole."""
        return type(self), (self.reason, self.record)


class IllegalPlay(_Illegal):
    """A card that may not be played now; ``reason`` says why, ``record`` rebuilds the round."""


class IllegalClaim(_Illegal):
    """A stake that is not the seat's to claim; ``reason`` and ``record`` as for a play."""


class IllegalChange(PopeJoanError):
    """Something that a match does not allow now: to deal, join, leave, end or divide."""
