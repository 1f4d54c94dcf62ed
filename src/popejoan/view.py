"""The view: what one seat may know of a round, built up from nothing.

A bot, a client or a spectator gets a ``View`` and never a ``Round``. A view holds no card that the
seat has not seen; nothing in it changes when only cards that the seat cannot know are changed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from popejoan.board import Board, Ledger
from popejoan.cards import PACK, Card, CardSet, Seat, Suit
from popejoan.deal import Chance, Deal, Purpose
from popejoan.events import Event, Followed, Led, RoundOver, Stop, Stopped
from popejoan.leads import known_stops, stop_of, why_not_led
from popejoan.payments import Due
from popejoan.round import Round
from popejoan.rules import Peek, Rules
from popejoan.worlds import STOCK, draw, limits

__all__ = ["View"]

_NONE: Final = CardSet()
_NOBODY: Final = Peek.NOBODY  # Python 3.11 takes long to look up a member of an enum


class View(NamedTuple):
    """What one seat, or a spectator, may know of a round at one moment.

    It is a tuple since a learning program makes one for every lead, and a tuple is made at once.
    """

    seat: Seat | None
    """Whose view it is; None for a spectator, who sees no hand."""
    rules: Rules
    """The rules."""
    dealer: Seat
    """Who dealt."""
    sizes: tuple[int, ...]
    """How many cards each seat was dealt."""
    turn_up: Card
    """The card turned up."""
    dealt: CardSet
    """What the seat itself was dealt."""
    stock: CardSet | None
    """The stock, for a dealer who may look at it; else None."""
    opening: Ledger
    """Purses and board before the dressing."""
    ledger: Ledger
    """Purses and board now, and every payment of the round."""
    claiming: tuple[bool, ...]
    """For each seat whether its claims are made for it."""
    due: tuple[Due, ...]
    """Stakes earned and not yet claimed."""
    events: tuple[Event, ...]
    """What has happened, in order."""
    to_act: Seat | None
    """The seat to play; None when the round is over, and while a run goes on in another hand."""
    legal: CardSet
    """The cards the seat may play now; empty unless it is its play."""

    @classmethod
    def of(cls, round: Round, seat: int | None) -> View:
        """What this seat may know of the round; ``seat`` None gives a spectator's view.

        Raises ValueError for a seat that is not at the table.
        """
        to_act = round.to_act
        if seat is None:
            mine = looks = False
        elif 0 <= seat < len(round.held):
            mine = to_act == seat
            looks = seat == round.dealer and round.rules.peek is not _NOBODY
        else:
            raise ValueError(f"there is no seat {seat!r}: they are 0 to {round.players - 1}")
        deal = round.deal
        return cls(
            None if seat is None else Seat(seat),
            round.rules,
            round.dealer,
            deal.sizes,
            deal.turn_up,
            _NONE if seat is None else deal.hands[seat],
            deal.stock if looks else None,
            round.opening,
            round.ledger,
            round.claiming,
            round.due,
            round.events,
            to_act if mine or round.pending < 0 else None,
            round.legal if mine else _NONE,
        )

    def __str__(self) -> str:
        """The table drawn as the seat sees it."""
        from popejoan import drawing

        return drawing.view(self)

    # What is on the table

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.sizes)

    @property
    def trump(self) -> Suit:
        """The suit of the turn-up."""
        return self.turn_up.suit

    @property
    def board(self) -> Board:
        """The counters on the board."""
        return self.ledger.board

    @property
    def purses(self) -> tuple[int, ...]:
        """The counters of each seat."""
        return self.ledger.purses

    @property
    def plays(self) -> tuple[Led | Followed, ...]:
        """The cards played, in order."""
        return tuple(event for event in self.events if isinstance(event, Led | Followed))

    @property
    def played(self) -> CardSet:
        """Every card played."""
        return CardSet.of(play.card for play in self.plays)

    def played_by(self, seat: int) -> CardSet:
        """The cards that a seat has played."""
        return CardSet.of(play.card for play in self.plays if play.seat == seat)

    @property
    def hand(self) -> CardSet:
        """The cards that the seat holds."""
        return self.dealt if self.seat is None else self.dealt - self.played_by(self.seat)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        left = list(self.sizes)
        for play in self.plays:
            left[play.seat] -= 1
        return tuple(left)

    @property
    def stock_size(self) -> int:
        """How many cards lie in the stock, the turn-up not counted."""
        return 50 - sum(self.sizes)

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return isinstance(self._last(RoundOver), RoundOver)

    @property
    def winner(self) -> Seat | None:
        """Who took Game; None while the round goes on."""
        last = self._last(RoundOver)
        return last.winner if isinstance(last, RoundOver) else None

    def _last(self, *kinds: type[Event]) -> Event | None:
        return next((event for event in reversed(self.events) if isinstance(event, kinds)), None)

    @property
    def follows(self) -> Card | None:
        """The card that must follow now; None when a lead is to be made or the round is over."""
        last = self._last(Led, Followed, Stopped, RoundOver)
        if not isinstance(last, Led | Followed):
            return None
        return Card(self.rules.order.following[last.card])

    @property
    def run(self) -> tuple[Card, ...]:
        """The cards of the run that is going on; empty between runs."""
        if self.follows is None:
            return ()
        plays = self.plays
        start = max(place for place, play in enumerate(plays) if isinstance(play, Led))
        return tuple(play.card for play in plays[start:])

    @property
    def leader(self) -> Seat | None:
        """The seat whose lead it is, or that led the run going on; None when the round is over."""
        if self.follows is None:
            return self.to_act
        return next(play.seat for play in reversed(self.plays) if isinstance(play, Led))

    # What the seat can tell

    @property
    def dead(self) -> CardSet:
        """The cards that the seat knows to be out of play: the turn-up, and those in the stock.

        The stock is known to a dealer who looks at it; to the others a stop shows one card of it.
        """
        order = self.rules.order
        shown = CardSet.of(
            order.following[event.card]
            for event in self.events
            if isinstance(event, Stopped) and event.stop is Stop.STOCK
        )
        return shown | self.turn_up.alone | (self.stock or CardSet())

    @property
    def stops(self) -> CardSet:
        """The cards that the seat knows to be stops, played ones left out."""
        gone = self.played.mask | self.dead.mask
        return CardSet(known_stops(self.rules.order, gone) & PACK.mask & ~gone)

    def stop(self, card: Card) -> Stop | None:
        """Why nothing can follow this card; None where something may, as far as the seat knows."""
        order, played = self.rules.order, self.played.mask
        if not known_stops(order, played | self.dead.mask) & card.bit:
            return None
        return stop_of(order, card, self.turn_up, played)

    @property
    def unseen(self) -> CardSet:
        """The cards whose place the seat has not seen; those shown dead by a stop among them."""
        seen = self.dealt | self.played | self.turn_up.alone | (self.stock or CardSet())
        return PACK - seen

    def refusal(self, card: Card) -> str | None:
        """Why the seat may not play this card now, in words; None when it may."""
        if card in self.legal:
            return None
        if self.seat is None:
            return f"{card!r} cannot be played: a spectator has no hand"
        if self.over:
            return f"{card!r} cannot be played: the round is over"
        if self.to_act != self.seat:
            return f"{card!r} cannot be played: it is not your play"
        if self.follows is not None:
            return f"{card!r} is not the run's next card, {self.follows!r}"
        if card not in self.hand:
            return f"{card!r} is not in your hand"
        gone = self.played | self.turn_up.alone | (self.stock or CardSet())
        why = why_not_led(self.rules, self.hand.mask, gone.mask, card)
        return f"{card!r} may not be led: {why}"

    def sample(self, seed: int) -> Round:
        """A round in which everything that the seat has seen could have happened.

        Every such round is equally likely: leads that the rules forced and stops count, what a
        player may have had in mind does not.
        """
        others = [seat for seat in range(self.players) if seat != self.seat]
        dealer_hidden = self.rules.peek is not Peek.NOBODY and self.seat != self.dealer
        found = limits(
            self.rules,
            self.events,
            players=self.players,
            turn_up=self.turn_up,
            viewer=self.seat,
            dealer=self.dealer,
            dealer_hidden=dealer_hidden,
        )
        counts = self.counts
        room = {seat: counts[seat] for seat in others if counts[seat]}
        stock = 0 if self.stock is None else self.stock.mask
        follows = self.follows
        if self.stock is None and self.stock_size:
            room[STOCK] = self.stock_size
        chance = Chance(seed, purpose=Purpose.SAMPLE)
        hands = draw(chance, self.rules, self.unseen.mask, room, found)
        held = [hands.get(seat, 0) for seat in range(self.players)]
        if self.seat is not None:
            held[self.seat] = self.hand.mask
        deal = Deal(
            tuple(CardSet(mask | self.played_by(seat).mask) for seat, mask in enumerate(held)),
            self.turn_up,
            CardSet(stock | hands.get(STOCK, 0)),
        )
        to_act, pending = self.to_act, -1
        if follows is not None:
            pending = int(follows)
            to_act = Seat(next(seat for seat, mask in enumerate(held) if mask >> pending & 1))
        return Round(
            self.rules,
            deal,
            self.dealer,
            self.opening,
            self.claiming,
            self.ledger,
            self.events,
            to_act,
            self.winner,
            self.due,
            tuple(held),
            pending,
        )
