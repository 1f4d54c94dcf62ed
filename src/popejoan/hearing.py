"""A round as one seat has heard it: whether what it heard hangs together, and the view it gives.

Only what could not stand together at a table is refused; whether the plays and payments were right
by the rules is for the round to say, which knows every card. How it travels to a seat is
said in ``wire``.
"""

from __future__ import annotations

from typing import NoReturn

from popejoan.board import Ledger, Transfer
from popejoan.cards import POPE, BadRules, BadWire, Card, CardSet, Seat
from popejoan.deal import hand_sizes
from popejoan.events import (
    Claimed,
    Dealt,
    Dressed,
    Earned,
    Event,
    Followed,
    Led,
    Paid,
    RoundOver,
    Stop,
    Stopped,
    Switched,
    TurnedUp,
    WentOut,
)
from popejoan.leads import legal_leads, stop_of
from popejoan.payments import Due, stake
from popejoan.rules import Peek, Rules
from popejoan.view import View

__all__ = ["told"]


def told(
    *,
    seat: Seat | None,
    rules: Rules,
    opening: Ledger,
    claiming: tuple[bool, ...],
    dealt: CardSet,
    stock: CardSet | None,
    events: tuple[Event, ...],
) -> View:
    """The view of a seat that was dealt these cards and has seen these events.

    Raises BadWire, with what is wrong and where, when they could not stand together at a table.
    """
    heard = _Hearing(seat, rules, opening, claiming, dealt, stock, events)
    to_act, legal = heard.turn()
    return View(
        seat=seat,
        rules=rules,
        dealer=heard.dealing.dealer,
        sizes=heard.dealing.sizes,
        turn_up=heard.turn_up,
        dealt=dealt,
        stock=stock,
        opening=opening,
        ledger=heard.ledger,
        claiming=claiming,
        due=tuple(heard.due),
        events=events,
        to_act=to_act,
        legal=legal,
    )


def _refuse(at: str, says: str) -> NoReturn:
    raise BadWire(f"{at}: {says}")


class _Hearing:
    """The table as it changes from event to event."""

    def __init__(
        self,
        seat: Seat | None,
        rules: Rules,
        opening: Ledger,
        claiming: tuple[bool, ...],
        dealt: CardSet,
        stock: CardSet | None,
        events: tuple[Event, ...],
    ) -> None:
        self.seat, self.rules, self.dealt, self.stock = seat, rules, dealt, stock
        self.players = len(opening.purses)
        if seat is not None and seat >= self.players:
            _refuse("seat", f"{seat} is no seat: they are 0 to {self.players - 1}")
        if len(claiming) != self.players:
            _refuse("claiming", f"has {len(claiming)} entries for {self.players} seats")
        match events:
            case (Dressed(), Dealt() as dealing, TurnedUp(turn_up), *_):
                self.dealing, self.turn_up = dealing, turn_up
            case _:
                _refuse("events", "do not begin with dressed, dealt and turned-up")
        self._check_cards()
        self.counts = list(dealing.sizes)
        self.ledger = opening
        self.due: list[Due] = []
        self.played = self.dead = 0
        self.leader: Seat | None = Seat((dealing.dealer + 1) % self.players)
        self.last: Led | Followed | None = None
        self.out: Seat | None = None
        self.over = False
        self.switches = dict(enumerate(claiming))
        for number, event in enumerate(events):
            self._happen(event, f"events[{number}]", first=number < 3)
        if tuple(self.switches.values()) != claiming:
            _refuse("claiming", "is not what the seats last switched to")

    def _check_cards(self) -> None:
        """Check that the cards shown are as many as were dealt, each in one place."""
        dealing, stock = self.dealing, self.stock or CardSet()
        if dealing.dealer >= self.players:
            _refuse("events[1].dealer", f"{dealing.dealer} is not at the table")
        try:
            ways = hand_sizes(self.rules, self.players, dealing.dealer)
        except BadRules as error:
            _refuse("rules", str(error))
        if dealing.sizes not in ways or dealing.stock != 50 - sum(dealing.sizes):
            _refuse("events[1]", "these rules do not deal so many cards")
        if len(self.dealt) != (0 if self.seat is None else dealing.sizes[self.seat]):
            _refuse("dealt", f"{len(self.dealt)} cards are not as many as the seat was dealt")
        looks = self.seat == dealing.dealer and self.rules.peek is not Peek.NOBODY
        if looks is (self.stock is None):
            _refuse("stock", "is shown to a dealer who may look at it, and to nobody else")
        if self.stock is not None and len(stock) != dealing.stock:
            _refuse("stock", f"{len(stock)} cards are not as many as lie there")
        if self.dealt & stock or self.turn_up in self.dealt | stock:
            _refuse("dealt", "a card stands in two of dealt, stock and turn-up")

    def _happen(self, event: Event, at: str, *, first: bool) -> None:
        if isinstance(event, Dressed | Dealt | TurnedUp) is not first:
            _refuse(at, "a round begins with dressed, dealt and turned-up, each once")
        if self.over and not isinstance(event, Claimed | Switched):
            _refuse(at, "stands after the round was over")
        match event:
            case Dressed(transfers):
                for transfer in transfers:
                    self._pay(transfer, at)
            case Paid(transfer):
                self._pay(transfer, at)
            case Earned(seat, compartment, counters):
                self._at_table(seat, at)
                self.due.append(Due(seat, compartment, counters))
            case Claimed(seat, compartment, counters):
                due, _, _, taken = stake(seat, compartment, counters)
                self.due = [each for each in self.due if each != due]
                self._pay(taken, at)
            case Switched(seat, on):
                self._at_table(seat, at)
                self.switches[seat] = on
            case Led() | Followed():
                self._play(event, at)
            case Stopped():
                self._stop(event, at)
            case WentOut(seat):
                if self.last is None or self.last.seat != seat or self.counts[seat]:
                    _refuse(at, f"seat {seat} has not just played its last card")
                self.out, self.leader, self.last = seat, None, None
            case RoundOver(winner):
                thrown_in = self.turn_up == POPE and not self.played
                if winner != (self.dealing.dealer if thrown_in else self.out):
                    _refuse(at, f"seat {winner} has not won the round")
                self.over, self.leader = True, None
            case _:
                self._at_table(getattr(event, "seat", 0), at)

    def _at_table(self, seat: int, at: str) -> None:
        if seat >= self.players:
            _refuse(at, f"seat {seat} is not at the table: they are 0 to {self.players - 1}")

    def _pay(self, transfer: Transfer, at: str) -> None:
        for party in (transfer.payer, transfer.payee):
            if isinstance(party, int):
                self._at_table(party, at)
        try:
            self.ledger = self.ledger.pay([transfer])
        except ValueError as error:
            _refuse(at, str(error))

    def _play(self, play: Led | Followed, at: str) -> None:
        seat, card = play.seat, play.card
        if isinstance(play, Led) and (self.last is not None or seat != self.leader):
            _refuse(at, f"it is not for seat {seat} to lead")
        if isinstance(play, Followed) and (self.last is None or card != self._next()):
            _refuse(at, f"{card!r} is not the run's next card")
        self._at_table(seat, at)
        if not self.counts[seat]:
            _refuse(at, f"seat {seat} has no card left")
        if (
            card in self._gone
            or self.dead & card.bit
            or (card in self.dealt) is (seat != self.seat)
        ):
            _refuse(at, f"{card!r} cannot have been in the hand of seat {seat}")
        self.counts[seat] -= 1
        self.played |= card.bit
        self.last, self.leader = play, None

    def _stop(self, stopped: Stopped, at: str) -> None:
        if self.last is None or (stopped.seat, stopped.card) != (self.last.seat, self.last.card):
            _refuse(at, "is not the stop of the card played last")
        if not self.counts[stopped.seat]:
            _refuse(at, f"seat {stopped.seat} has no card left to lead")
        why = stop_of(self.rules.order, stopped.card, self.turn_up, self.played)
        follows = self._next() if why is Stop.STOCK else None
        if follows is not None and not self._may_be_dead(follows):
            _refuse(at, f"{follows!r} is not in the stock")
        if stopped.stop is not why:
            _refuse(f"{at}.stop", f"is {why}, not {stopped.stop}")
        if follows is not None:
            self.dead |= follows.bit
        self.leader, self.last = stopped.seat, None

    def _may_be_dead(self, card: Card) -> bool:
        if self.stock is not None:
            return card in self.stock
        return card not in self.dealt and self.dead.bit_count() < self.dealing.stock

    @property
    def _gone(self) -> CardSet:
        """The cards that the seat has seen to be in no hand."""
        return CardSet(self.played | self.turn_up.bit) | (self.stock or CardSet())

    def _next(self) -> Card | None:
        """The card that goes on from the card played last; None where its suit ends."""
        assert self.last is not None
        number = self.rules.order.following[self.last.card]
        return None if number < 0 else Card(number)

    def turn(self) -> tuple[Seat | None, CardSet]:
        """Whose play it is at the end, as far as the seat knows, and what it may play.

        Raises BadWire when it ends where no table stops to be looked at.
        """
        if self.over:
            return None, CardSet()
        if self.out is not None:
            _refuse("events", f"end with seat {self.out} out and the round not over")
        hand = self.dealt - CardSet(self.played)
        if self.last is None:
            if self.leader != self.seat or self.leader is None:
                return self.leader, CardSet()
            return self.seat, CardSet(legal_leads(self.rules, hand.mask, self._gone.mask))
        follows = self._next()
        if follows is None or follows in self._gone or self.dead & follows.bit:
            _refuse("events", f"end before the stop of {self.last.card!r}")
        return (self.seat, follows.alone) if follows in hand else (None, CardSet())
