"""What a seat may do while it surely keeps the lead: the plans that a search weighs.

A lead that surely ends at an own card loses nothing by itself; what it is worth hangs on the lead
after it. So a plan is one lead, or one that surely keeps the lead and another after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from popejoan.bots.playouts import Plan
from popejoan.cards import Card, CardSet
from popejoan.leads import legal_leads
from popejoan.view import View

__all__ = ["certain_run", "plans_of"]


def certain_run(view: View, lead: Card) -> tuple[list[Card], Card | None]:
    """The own cards that are sure to go, and the card not seen that may follow; None at a stop."""
    own = [lead]
    following = view.rules.order.following
    live = view.unseen - view.dead
    while True:
        number = following[own[-1]]
        if number < 0:
            return own, None
        card = Card(number)
        if card in view.hand:
            own.append(card)
        else:
            return own, card if card in live else None


def plans_of(view: View) -> tuple[Plan, ...]:
    """The plans of a seat that is to lead, those of one lead first, in card order."""
    single = [(lead,) for lead in view.legal]
    return (*single, *(plan for lead in view.legal for plan in _further(view, lead)))


def _further(view: View, lead: Card) -> Iterator[Plan]:
    own, follows = certain_run(view, lead)
    left = view.hand - CardSet.of(own)
    if follows is not None or not left:
        return
    gone = (view.played | (view.stock or CardSet()) | view.turn_up.alone | CardSet.of(own)).mask
    for after in CardSet(legal_leads(view.rules, left.mask, gone)):
        yield lead, after
