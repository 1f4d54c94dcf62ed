"""What a player is told about a choice: what may be led and why, and what the book would lead.

Everything here is said from a view, so it gives away nothing.
"""

from __future__ import annotations

from typing import Final

from popejoan.bots.simple import ByTheBook
from popejoan.cards import POPE, Card, Rank
from popejoan.drawing import card_text, counters_text
from popejoan.payments import earning
from popejoan.rules import Lead
from popejoan.view import View

__all__ = ["book_hint", "may_lead", "stop_reason"]

_BELOW_REMOVED: Final = POPE - 2


def stop_reason(view: View, card: Card, *, ascii: bool = False) -> str:
    """Why nothing can follow this known stop."""
    number = view.rules.order.following[card]
    if number < 0:
        eight = "8D" if ascii else "8♦"
        return f"{eight} is not in the pack" if card == _BELOW_REMOVED else "its suit ends there"
    above = Card(number)
    shown = card_text(above, ascii=ascii)
    if above == view.turn_up:
        return f"{shown} is the turn-up"
    return f"{shown} has been played" if above in view.played else f"{shown} is in the stock"


def may_lead(view: View, *, ascii: bool = False) -> str:
    """Which leads the rules allow now, and why these."""
    stops = [card for card in view.legal if card in view.stops]
    reasons = "; ".join(
        f"{card_text(card, ascii=ascii)}, as {stop_reason(view, card, ascii=ascii)}"
        for card in stops
    )
    if view.rules.lead is Lead.BOOK:
        if stops:
            return f"A stop that you know must be led first: {reasons}."
        if view.legal == POPE.alone:
            return "You know no stop in your hand, so Pope must be led."
        aces = any(card.rank is Rank.ACE for card in view.legal)
        return "The lowest card of your longest suit must be led" + (
            ", or any ace." if aces else "."
        )
    known = f" You know these stops: {reasons}." if stops else " You know no stop among them."
    if view.rules.lead is Lead.ANY:
        return f"You may lead any card.{known}"
    if view.rules.lead is Lead.LOWEST:
        return f"You may lead the lowest card of any suit.{known}"
    return f"You must lead the lowest rank that you hold.{known}"


def book_hint(view: View, *, ascii: bool = False) -> str:
    """What the book would lead, and why."""
    card = ByTheBook().choose(view)
    shown = card_text(card, ascii=ascii)
    if card in view.stops:
        why = (
            f"It is a stop, as {stop_reason(view, card, ascii=ascii)}: it costs you nothing, since "
            "you lead again."
        )
    elif card == POPE:
        why = "No run can come to Pope, so it must be led while you have the lead."
    elif card.rank is Rank.ACE:
        why = "No run can come to an ace, so it must be led to be got rid of."
    else:
        suit = card.suit.name.lower()
        many = len(view.hand.of_suit(card.suit))
        why = f"You hold {many} {suit}: from its lowest card a run may take more of them along."
    brings = earning(view.rules, view.trump).get(card)
    if brings is not None and brings.alone is not None:
        stake = view.board[brings.alone]
        if stake:
            why += f" It takes {brings.alone.value.title()}: {counters_text(stake)}."
    return f"The book leads {shown}. {why}"
