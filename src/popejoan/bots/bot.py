"""What a bot is: a program that plays for one seat, from the view of that seat and nothing else."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from popejoan.board import Compartment
from popejoan.cards import Card
from popejoan.view import View

__all__ = ["Bot", "claims_of"]


@runtime_checkable
class Bot(Protocol):
    """A program that plays for one seat.

    A bot may also have ``claims(view)``, which gives the compartments to claim now; one that has
    none claims all that is due to it.
    """

    def choose(self, view: View) -> Card:
        """The card to play, one of ``view.legal``; asked only when that is not empty."""
        ...


def claims_of(bot: Bot, view: View) -> tuple[Compartment, ...]:
    """What a bot claims now, of the stakes that are due to its seat."""
    due = tuple(item.compartment for item in view.due if item.seat == view.seat)
    own = getattr(bot, "claims", None)
    if own is None or not due:
        return due
    wanted = set(own(view))
    return tuple(compartment for compartment in due if compartment in wanted)
