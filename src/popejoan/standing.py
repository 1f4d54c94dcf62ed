"""Where a round stands: what it is made of, and what can be read off it; the truth, at one moment.

What may happen next, and what it changes, is said in ``round``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from popejoan.board import Board, Compartment, Ledger
from popejoan.cards import PACK, Card, CardSet, Seat, Suit
from popejoan.deal import Deal
from popejoan.events import Claimed, Earned, Event, Followed, Led, Switched
from popejoan.payments import Due
from popejoan.rules import Rules

__all__ = ["Act", "Standing"]

Act: TypeAlias = Led | Followed | Claimed | Switched
"""What a seat does in a round: it plays, claims by call or turns its switch."""


class Standing(NamedTuple):
    """A deal, what has happened in it, and what that leaves; ``Round`` adds the rules of play.

    It is a tuple since a round makes one for every lead, and a tuple is made at once.
    """

    rules: Rules
    """The rules."""
    deal: Deal
    """Where the cards lay."""
    dealer: Seat
    """Who dealt."""
    opening: Ledger
    """Purses and board before the dressing."""
    claiming: tuple[bool, ...]
    """For each seat whether its claims are made for it."""
    ledger: Ledger
    """Purses and board now, and every payment of the round."""
    events: tuple[Event, ...]
    """What has happened, in order."""
    to_act: Seat | None
    """The seat to play; None when the round is over."""
    winner: Seat | None = None
    """Who took Game; None while the round goes on."""
    due: tuple[Due, ...] = ()
    """Stakes earned and not yet claimed."""
    held: tuple[int, ...] = ()
    """For each seat the mask of the cards it holds; ``hand`` gives them as a set."""
    pending: int = -1
    """The number of the card that must follow now, or -1 when a lead is to be made."""

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.held)

    @property
    def eldest(self) -> Seat:
        """The seat on the dealer's left, which leads first."""
        return Seat((self.dealer + 1) % self.players)

    @property
    def turn_up(self) -> Card:
        """The card turned up."""
        return self.deal.turn_up

    @property
    def trump(self) -> Suit:
        """The suit of the turn-up."""
        return self.deal.turn_up.suit

    @property
    def board(self) -> Board:
        """The counters on the board."""
        return self.ledger.board

    @property
    def purses(self) -> tuple[int, ...]:
        """The counters of each seat; below nothing is what it owes."""
        return self.ledger.purses

    @property
    def balances(self) -> tuple[int, ...]:
        """What each seat has won or lost since before the dressing."""
        return tuple(now - then for now, then in zip(self.ledger.purses, self.opening.purses))

    def hand(self, seat: int) -> CardSet:
        """The cards a seat holds."""
        return CardSet(self.held[seat])

    @property
    def plays(self) -> tuple[Led | Followed, ...]:
        """The cards played, in order."""
        return tuple(event for event in self.events if isinstance(event, Led | Followed))

    @property
    def leads(self) -> tuple[Card, ...]:
        """The cards led, in order: all the choices of the round."""
        return tuple(event.card for event in self.events if isinstance(event, Led))

    @property
    def claiming_at_first(self) -> tuple[bool, ...]:
        """For each seat whether its claims were made for it when the round began."""
        then = list(self.claiming)
        for event in reversed(self.events):
            if isinstance(event, Switched):
                then[event.seat] = not event.on
        return tuple(then)

    @property
    def acts(self) -> Iterator[Act]:
        """What the seats did, in order; all else that happened came of it."""
        on = list(self.claiming_at_first)
        due: set[tuple[Seat, Compartment]] = set()
        for event in self.events:
            match event:
                case Led() | Followed():
                    yield event
                case Switched(seat, turned_on):
                    on[seat] = turned_on
                    due = {each for each in due if not on[each[0]]}
                    yield event
                case Earned(seat, place) if not on[seat]:
                    due.add((seat, place))
                case Claimed(seat, place) if (seat, place) in due:
                    yield event
                case _:
                    pass  # it followed of itself

    @property
    def run(self) -> tuple[Card, ...]:
        """The cards of the run that is going on; empty between runs."""
        if self.pending < 0:
            return ()
        plays = self.plays
        start = max(place for place, play in enumerate(plays) if isinstance(play, Led))
        return tuple(play.card for play in plays[start:])

    @property
    def played(self) -> CardSet:
        """Every card played."""
        return CardSet(PACK.mask ^ self.deal.stock.mask ^ self.turn_up.bit ^ sum(self.held))

    @property
    def dead(self) -> CardSet:
        """The cards out of play in this deal: the stock and the turn-up."""
        return self.deal.stock | self.turn_up.alone

    @property
    def over(self) -> bool:
        """Whether the deal has been played out and paid."""
        return self.to_act is None

    @property
    def leader(self) -> Seat | None:
        """The seat whose lead it is, or that led the run going on; None when the round is over."""
        if self.pending < 0:
            return self.to_act
        return next(event.seat for event in reversed(self.events) if isinstance(event, Led))

    @property
    def forced(self) -> bool:
        """Whether a card must follow now, so that there is no choice."""
        return self.pending >= 0

    @property
    def _text(self) -> str:
        """The expression that rebuilds the round."""
        leads, calls = self._calls()
        opening, claiming = self.opening, self.claiming_at_first
        text = " ".join(map(repr, leads))
        made = f"Round.replay(Rules.parse({self.rules.text!r}), {self.deal!r}, {text!r}"
        made += f", dealer={self.dealer}, board={opening.board!r}, purses={opening.purses}"
        if not all(claiming):
            made += f", claiming={claiming}"
        return f"{made}){calls}"

    def _calls(self) -> tuple[list[Card], str]:
        """The leads that can be made one after the other, and the calls that do the rest."""
        runs: list[list[Act]] = [[]]
        for act in self.acts:
            if isinstance(act, Led):
                runs.append([])
            runs[-1].append(act)
        leads: list[Card] = []
        calls: list[str] = []
        for nth, acts in enumerate(runs):
            plays = [act for act in acts if isinstance(act, Led | Followed)]
            played_on = acts[: len(plays)] == plays and not (self.forced and nth == len(runs) - 1)
            if plays and played_on:
                acts = acts[len(plays) :]
                if calls:
                    calls.append(f".lead(Card.parse('{plays[0].card!r}'))")
                else:
                    leads.append(plays[0].card)
            calls += map(_call, acts)
        return leads, "".join(calls)


def _call(act: Act) -> str:
    if isinstance(act, Claimed):
        return f".claim({act.seat}, Compartment.{act.compartment.name})"
    if isinstance(act, Switched):
        return f".claim_for({act.seat}, on={act.on})"
    return f".play(Card.parse('{act.card!r}'))"
