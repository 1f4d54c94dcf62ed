"""Hints: the lead that searching finds best, what it gains, and why in words made from facts.

A hint is made from a view, so it gives away nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from popejoan.advice.opponents import playouts
from popejoan.board import Compartment
from popejoan.bots.plans import certain_run
from popejoan.bots.playouts import Playouts
from popejoan.bots.search import Worth, weigh_leads
from popejoan.bots.weights import sharp_weights
from popejoan.cards import POPE, Card
from popejoan.drawing import Teller, card_text, counters_text
from popejoan.payments import earning
from popejoan.rules import Rules
from popejoan.view import View

__all__ = ["Hint", "hint", "reasons"]

TRUST = 8
"""How many worlds the word of *sharp* is worth, as for *master*."""


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """Advice on a lead."""

    lead: Card
    """The lead that is expected to bring most."""
    runner_up: Card | None
    """The next best; None when there is no choice."""
    gain: float
    """Counters that the lead is expected to bring more than the runner-up."""
    error: float
    """The standard error of that gain."""
    reasons: tuple[str, ...]
    """Why, in sentences that are facts of the view."""
    leads: tuple[Worth, ...]
    """What every legal lead is worth, the best first."""
    worlds: int
    """How many worlds were looked at; 0 when there was no choice."""

    @property
    def sure(self) -> bool:
        """Whether the gain is more than chance would show: two standard errors."""
        return self.runner_up is not None and self.gain > 2 * self.error

    def text(self, *, ascii: bool = False) -> str:
        """The hint in words."""
        shown = card_text(self.lead, ascii=ascii)
        if self.runner_up is None:
            return f"{shown} is the only card that you may lead."
        other = card_text(self.runner_up, ascii=ascii)
        if self.sure:
            says = f"Lead {shown}: worth {_counters(self.gain)} more than {other}"
            says += f" (give or take {2 * self.error:.1f})."
        else:
            says = f"Lead {shown}; {other} is as good, as far as {self.worlds} worlds show."
        return " ".join([says, *self.reasons])

    def as_dict(self) -> dict[str, Any]:
        """The hint as JSON values."""
        return {
            "lead": repr(self.lead),
            "runner_up": None if self.runner_up is None else repr(self.runner_up),
            "gain": round(self.gain, 2),
            "error": round(self.error, 2),
            "sure": self.sure,
            "reasons": list(self.reasons),
            "worlds": self.worlds,
            "leads": [
                {
                    "lead": repr(each.lead),
                    "worth": round(each.mean, 2),
                    "behind": round(each.behind, 2),
                }
                for each in self.leads
            ],
        }


def hint(
    view: View,
    *,
    worlds: int | None = None,
    seed: int = 0,
    made_by: Playouts | None = None,
    ascii: bool = False,
) -> Hint:
    """Advice for the seat that is to lead; ValueError when it has no lead to make."""
    if view.seat is None or not view.legal or view.follows is not None:
        raise ValueError("there is no lead to make, so there is nothing to hint at")
    if len(view.legal) == 1:
        only = view.legal[0]
        return Hint(only, None, 0.0, 0.0, reasons(view, only, ascii=ascii), (), 0)
    made = playouts() if made_by is None else made_by
    number = made.usual if worlds is None else worlds
    leads = weigh_leads(
        view, made, worlds=number, seed=seed, prior=sharp_weights, trust=TRUST, deep=made.deep
    )
    best, second = leads[0], leads[1]
    return Hint(
        best.lead,
        second.lead,
        max(second.behind, 0.0),
        second.error,
        reasons(view, best.lead, ascii=ascii),
        leads,
        number,
    )


def reasons(view: View, lead: Card, *, ascii: bool = False) -> tuple[str, ...]:
    """What is certain, and what matters, about a lead: sentences that the view makes true."""
    return tuple(_reasons(view, lead, ascii))


def _reasons(view: View, lead: Card, ascii: bool) -> Iterator[str]:
    def shown(card: Card) -> str:
        return card_text(card, ascii=ascii)

    own, rest = certain_run(view, lead)
    last = own[-1]
    if rest is None:
        if len(own) == len(view.hand):
            yield "It puts you out: the rest of your hand goes with it."
        else:
            stop = view.stop(last)
            assert stop is not None
            along = ", ".join(shown(card) for card in own[1:])
            yield (
                (f"It takes {along} along, and " if along else "")
                + f"{shown(last)} is a stop, as {Teller(ascii=ascii).why(last, stop)}: "
                + "you keep the lead."
            )
    else:
        if len(own) > 1:
            yield f"It takes {', '.join(shown(card) for card in own[1:])} along."
        high = _next_own(view, rest)
        if high is not None:
            yield f"Others may lead up through {shown(rest)} to your {shown(high)}."
        else:
            top = _top_of(view, rest)
            yield (
                f"Whoever holds {shown(rest)} must play it"
                + ("." if top == rest else f", and the run may go on to {shown(top)}.")
            )
    takes = [
        f"{place.value.title()} ({counters_text(view.board[place])})"
        for place in _earned(view, own)
    ]
    if takes:
        yield f"It takes {' and '.join(takes)}."
    if _cut_off(view, lead) and lead != POPE:
        yield f"Nobody can lead up to {shown(lead)}, so only you can lead it."
    elif lead == POPE:
        yield "No run can come to Pope, so it has to be led."
    short = [seat for seat, count in enumerate(view.counts) if seat != view.seat and 0 < count <= 2]
    if short and rest is not None:
        yield "Another player has two cards or fewer, so losing the lead is dangerous."


def _next_own(view: View, card: Card) -> Card | None:
    """The first own card above one that is not seen, if only cards not seen lie between."""
    live = view.unseen - view.dead
    number = int(card)
    while number >= 0:
        if Card(number) in view.hand:
            return Card(number)
        if Card(number) not in live:
            return None
        number = view.rules.order.following[number]
    return None


def _top_of(view: View, card: Card) -> Card:
    """The highest card not seen to which a run through this one may go."""
    live = view.unseen - view.dead
    top = card
    while (number := view.rules.order.following[top]) >= 0 and Card(number) in live:
        top = Card(number)
    return top


def _cut_off(view: View, card: Card) -> bool:
    """Whether no card that is still about can lead up to this one."""
    about = (view.hand | view.unseen) - view.dead
    return not view.rules.order.below(card.bit) & about.mask


def _earned(view: View, own: list[Card]) -> Iterator[Compartment]:
    """The compartments with a stake that these own cards earn, played in order."""
    rules: Rules = view.rules
    brings = earning(rules, view.trump)
    assert view.seat is not None
    played = view.played_by(view.seat)
    for card in own:
        played |= card.alone
        item = brings.get(card)
        if item is None:
            continue
        places = [] if item.alone is None else [item.alone]
        places += [place for place, other in item.pairs if other in played]
        yield from (place for place in places if view.board[place])


def _counters(number: float) -> str:
    return f"{number:.1f} counters"
