"""What a player is told about a choice: what may be led and why, and what the book would lead.

Everything here is said from a view, so it gives away nothing.
"""

from __future__ import annotations

from popejoan.bots.simple import ByTheBook
from popejoan.cards import POPE, Rank
from popejoan.drawing import Teller, card_text, counters_text
from popejoan.payments import earning
from popejoan.rules import Lead
from popejoan.view import View

__all__ = ["book_hint", "may_lead"]


def may_lead(view: View, *, ascii: bool = False) -> str:
    """Which leads the rules allow now, and why these."""
    teller = Teller(ascii=ascii)
    stops = [(card, stop) for card in view.legal if (stop := view.stop(card)) is not None]
    reasons = "; ".join(f"{teller.card(card)}, as {teller.why(card, stop)}" for card, stop in stops)
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
    if (stop := view.stop(card)) is not None:
        reason = Teller(ascii=ascii).why(card, stop)
        why = f"It is a stop, as {reason}: it costs you nothing, since you lead again."
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
