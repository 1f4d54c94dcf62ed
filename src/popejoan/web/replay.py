"""A record played again: every deal of it with all hands open, and any lead of it made anew."""

from __future__ import annotations

from typing import Any

from popejoan.cards import CardSet
from popejoan.deal import Deal
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.steps import Play, of_round, steps_to
from popejoan.web.people import Refused
from popejoan.wire import event_to_wire

__all__ = ["pack_order", "replay_of", "up_to_lead"]


def replay_of(text: str) -> list[dict[str, Any]]:
    """Every deal of a record that is over, for a page that shows it card by card.

    Each has ``names`` by seat, ``rules`` (text and fields), ``dealer``, ``hands``, ``turn_up``,
    ``stock``, ``opening`` (purses and board before the dressing), ``events`` in the form of
    docs/wire.md, ``won``, and ``record``, the deal as a record of its own. Raises BadRecord, and
    Refused when no deal in it is over.
    """
    record = Record.read(text)
    names = dict(enumerate(record.names))
    found = [
        _deal(round_, [names.get(member, "") for member in members])
        for members, round_ in record.match.history
        if round_.over
    ]
    if not found:
        raise Refused("no deal of this record is over", "playing")
    return found


def _deal(round_: Round, names: list[str]) -> dict[str, Any]:
    return {
        "names": names,
        "rules": {"text": round_.rules.text, "fields": round_.rules.as_dict()},
        "dealer": round_.dealer,
        "hands": [_cards(hand) for hand in round_.deal.hands],
        "turn_up": repr(round_.turn_up),
        "stock": _cards(round_.deal.stock),
        "opening": {
            "purses": list(round_.opening.purses),
            "board": round_.opening.board.as_dict(),
        },
        "won": [now - had for now, had in zip(round_.purses, round_.opening.purses)],
        "events": [event_to_wire(event) for event in round_.events],
        "record": Record.of(round_, names).text,
    }


def _cards(cards: CardSet) -> list[str]:
    return [repr(card) for card in cards]


def up_to_lead(text: str, leads: int) -> str:
    """The record of the one deal in this record, up to where so many leads have been made.

    Raises BadRecord, and Refused for a record of another number of deals, or of fewer leads.
    """
    record = Record.read(text)
    if len(record.rounds) != 1:
        raise Refused(f"this record has {len(record.rounds)} deals, and not one")
    match = of_round(record.rounds[0])
    now, steps = steps_to(match)
    made = 0
    for step in steps:
        if isinstance(step, Play) and step.leads:
            if made == leads:
                break
            made += 1
        now = step.make(now)
    if now.between or made < leads:
        raise Refused(f"nothing is to be led after {leads} leads of this deal")
    return Record(now, record.names).text


def pack_order(deal: Deal) -> str:
    """The cards in the order in which a pack would have been dealt so, parted by spaces."""
    cards = [card for hand in deal.hands for card in hand]
    return " ".join(map(repr, [*cards, deal.turn_up, *deal.stock]))
