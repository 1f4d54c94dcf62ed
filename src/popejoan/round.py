"""The round: one deal played out by the rules, from the dressing to the last payment; the truth.

It knows every card and does not know who is looking: what one seat may see is ``view``'s business.
A round is immutable; every play gives a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, final

from popejoan.board import Board, Compartment, Ledger, Transfer
from popejoan.cards import PACK, POPE, BadDeal, Card, CardSet, IllegalClaim, IllegalPlay, Seat
from popejoan.deal import Deal
from popejoan.events import (
    FOLLOWED,
    LED,
    ROUND_OVER,
    STOPPED,
    WENT_OUT,
    Claimed,
    Dealt,
    Dressed,
    Event,
    Led,
    Plays,
    Switched,
    TurnedUp,
)
from popejoan.leads import legal_leads, stop_of, why_not_led
from popejoan.payments import (
    EARNERS,
    Due,
    dressing,
    earned,
    going_out,
    pope_money,
    stake,
    turned_up,
)
from popejoan.rules import Claims, Lead, Peek, Rules
from popejoan.standing import Act, Standing

__all__ = ["Round", "Table"]

# Python 3.11 takes long to look up a member of an enum.
_ANY_LEAD: Final = Lead.ANY
_CALLED: Final = Claims.CALLED


@final
class Table:
    """What has been played since a round stood: the one thing here that changes."""

    __slots__ = ("due", "events", "held", "transfers")

    def __init__(self, held: Iterable[int]) -> None:
        self.held = list(held)
        """For each seat the mask of the cards it holds."""
        self.events: list[Event] = []
        """What has happened."""
        self.transfers: list[Transfer] = []
        """The payments, yet to be made."""
        self.due: tuple[Due, ...] = ()
        """Stakes earned and not claimed."""


@final
class Round(Standing):
    """One deal under the rules, at one moment; compare, copy and pickle it freely.

    >>> round = Round.start(Rules.HOYLE, Deal.shuffle(1), dealer=Seat(0))
    >>> round.to_act, round.legal
    (1, CardSet.parse('9D'))
    """

    __slots__ = ()

    @classmethod
    def start(
        cls,
        rules: Rules,
        deal: Deal,
        *,
        dealer: Seat = Seat(0),
        board: Board = Board(),
        purses: Iterable[int] | None = None,
        claiming: Iterable[bool] | None = None,
    ) -> Round:
        """Dress the board, turn the trump and pay what it brings; the eldest hand is to lead.

        ``board`` is what lay there before the dressing, ``purses`` what each seat then had
        (``rules.purse`` unless given), ``claiming`` the seats' switches 'claim for me' (all on
        unless given). Raises BadDeal when the rules do not deal so, BadRules when they cannot be
        dealt to so many, ValueError when a list has not one entry a seat or the board holds
        counters in a compartment that the rules do not have.
        """
        players = deal.players
        if not 0 <= dealer < players:
            raise ValueError(f"dealer {dealer!r} is no seat: they are 0 to {players - 1}")
        if faults := deal.faults_under(rules, dealer):
            raise BadDeal(faults)
        for place, counters in board.items() if any(board.counters) else ():
            if counters and not rules.stakes[place]:
                raise ValueError(
                    f"{place} holds {counters}, but these rules have no such compartment"
                )
        purses = (rules.purse,) * players if purses is None else tuple(purses)
        claiming = (True,) * players if claiming is None else tuple(claiming)
        if not len(purses) == len(claiming) == players:
            raise ValueError(
                f"purses has {len(purses)} and claiming {len(claiming)} entries for {players} seats"
            )
        opening = Ledger(purses, board)
        dressed, ledger = _dressed(rules, dealer, opening)
        sizes = deal.sizes
        dealt = Dealt(dealer, sizes, deal.stock.mask.bit_count())
        held = tuple([hand.mask for hand in deal.hands])
        eldest = Seat((dealer + 1) % players)
        happened, transfers, ends = turned_up(rules, deal.turn_up, dealer, ledger.board, sizes)
        if ends:
            happened.append(ROUND_OVER[dealer])
        return cls(
            rules,
            deal,
            dealer,
            opening,
            claiming,
            ledger.pay(transfers),
            (dressed, dealt, TurnedUp(deal.turn_up), *happened),
            None if ends else eldest,
            dealer if ends else None,
            held=held,
        )

    @classmethod
    def replay(
        cls,
        rules: Rules,
        deal: Deal,
        leads: str | Iterable[Card] = (),
        *,
        dealer: Seat = Seat(0),
        board: Board = Board(),
        purses: Iterable[int] | None = None,
        claiming: Iterable[bool] | None = None,
    ) -> Round:
        """Start a round and make these leads, each run on to its stop.

        Raises what ``start`` and ``play`` raise.
        """
        round_ = cls.start(
            rules, deal, dealer=dealer, board=board, purses=purses, claiming=claiming
        )
        if isinstance(leads, str):
            leads = map(Card.parse, leads.split())
        for lead in leads:
            round_ = round_.lead(lead)
        return round_

    # What may be played

    @property
    def legal(self) -> CardSet:
        """The cards that the seat to act may play; empty when the round is over."""
        return CardSet(self.legal_mask)

    @property
    def legal_mask(self) -> int:
        """The same, as the mask of the set; see ``CardSet``."""
        if self.to_act is None:
            return 0
        if self.pending >= 0:
            return 1 << self.pending
        return self.leads_of(self.to_act, self.held)

    def leads_of(self, seat: int, held: Sequence[int]) -> int:
        """Mask of the cards that a seat may lead while the seats hold these masks of cards."""
        hand = held[seat]
        if self.rules.lead is _ANY_LEAD:  # the commonest rule: no need to know what is gone
            return hand
        return legal_leads(self.rules, hand, self._gone_for(seat, sum(held)))

    def _gone_for(self, seat: int, in_hands: int) -> int:
        """Mask of the cards that a seat knows by sight to be in no hand (clause 5.3)."""
        gone = PACK.mask ^ in_hands
        if seat == self.dealer and self.rules.peek is not Peek.NOBODY:
            return gone
        return gone ^ self.deal.stock.mask

    def refusal(self, card: Card) -> str | None:
        """Why this card may not be played now, in words; None when it may."""
        if self.to_act is None:
            return f"{card!r} cannot be played: the round is over"
        if self.pending >= 0:
            follows = Card(self.pending)
            if card == follows:
                return None
            return f"{card!r} is not the run's next card, {follows!r}"
        hand = self.held[self.to_act]
        if not hand & card.bit:
            return f"{card!r} is not in the hand of seat {self.to_act}"
        gone = self._gone_for(self.to_act, sum(self.held))
        why = why_not_led(self.rules, hand, gone, card)
        return why and f"{card!r} may not be led: {why}"

    def play(self, card: Card) -> Round:
        """The round after the seat to act plays this card, whether it leads or follows.

        Raises IllegalPlay, with the reason and the round, for a card that may not be played.
        """
        return self.go_on(self._allowed(card), to_stop=False)

    def lead(self, card: Card) -> Round:
        """The round after this lead and every card that must follow it.

        Raises IllegalPlay, with the reason and the round, for a card that may not be led.
        """
        if self.pending >= 0:
            why = f"{card!r} cannot be led: the run goes on with {Card(self.pending)!r}"
            raise IllegalPlay(why, repr(self))
        return self.go_on(self._allowed(card), to_stop=True)

    def playout(self, choose: Callable[[CardSet], int]) -> Round:
        """The round played to its end, each lead chosen by ``choose`` from the legal ones.

        Raises IllegalPlay, with the reason and the round, when it chooses another card.
        """
        now = self.run_on()
        seat: int | None = now.to_act
        winner: int | None = now.winner
        table = Table(now.held)
        while seat is not None:
            legal = now.leads_of(seat, table.held)
            card = choose(CardSet(legal))
            if not (0 <= card < 52 and legal >> card & 1):
                now.gather(table, seat, -1, None)._allowed(Card(card))
            seat, _, winner = now.lay(seat, card, LED, table, True)
        return now.gather(table, None, -1, winner)

    def run_on(self) -> Round:
        """The round at its next choice: every card that must follow has been played."""
        return self if self.pending < 0 else self.go_on(self.pending, to_stop=True)

    def _allowed(self, card: Card) -> int:
        if not 0 <= card < 52 or not self.legal_mask >> card & 1:
            raise IllegalPlay(str(self.refusal(Card(card))), repr(self))
        return int(card)

    # How a card changes the table

    def go_on(self, card: int, *, to_stop: bool) -> Round:
        """The round after a legal card is played and, with ``to_stop``, all that must follow.

        For callers who have looked: nothing is checked.
        """
        seat = self.to_act
        assert seat is not None
        table = Table(self.held)
        plays = LED if self.pending < 0 else FOLLOWED
        to_act, pending, winner = self.lay(seat, card, plays, table, to_stop)
        return self.gather(table, to_act, pending, winner)

    def lay(
        self, seat: int, card: int, plays: Plays, table: Table, to_stop: bool
    ) -> tuple[int | None, int, int | None]:
        """Play a card on the table and, with ``to_stop``, those that must follow.

        Gives who is then to act, the card that must follow or -1, and who went out. The round is
        the one from which the table was laid, and stays as it was; ``gather`` makes the next.
        Nothing is checked.
        """
        rules, deal = self.rules, self.deal
        following, above = rules.order.following, rules.order.above
        earners = EARNERS[deal.turn_up]
        held, events = table.held, table.events
        in_hands = sum(held)
        bit = 1 << card
        while True:
            left = held[seat] ^ bit
            held[seat] = left
            events.append(plays[seat][card])
            if bit & earners:
                self._earn(Seat(seat), card, table)
            if not left:
                board = self.ledger.pay(table.transfers).board
                happened, transfers = going_out(rules, Seat(seat), board, held)
                events += WENT_OUT[seat], *happened, ROUND_OVER[seat]
                table.transfers += transfers
                return None, -1, seat
            bit = above[card]
            if not bit & in_hands:  # the cards of this run, still counted, all lie below
                stop = stop_of(rules.order, card, deal.turn_up, ~deal.stock.mask)  # held by nobody
                events.append(STOPPED[stop][seat][card])
                return seat, -1, None
            card, plays = following[card], FOLLOWED
            seat = 0
            while not held[seat] & bit:
                seat += 1
            if not to_stop:
                return seat, card, None

    def gather(self, table: Table, to_act: int | None, pending: int, winner: int | None) -> Round:
        """The round after what was played on the table."""
        rules, deal, dealer, opening, claiming, ledger, events, _, _, due, _, _ = self
        if table.transfers:
            ledger = ledger.pay(table.transfers)
        # Not by the class's own ``__new__``, which is a function in Python: every lead waits on it.
        return tuple.__new__(
            Round,
            (
                rules, deal, dealer, opening, claiming, ledger, events + tuple(table.events),
                to_act, winner, due + table.due, tuple(table.held), pending,
            ),
        )  # fmt: skip

    def _earn(self, seat: Seat, card: int, table: Table) -> None:
        """Note what a card earns when played: events, payments, and what is due (7.1 to 7.5).

        The stakes are those of the ledger, though payments may be pending: a compartment is
        earned once in a round.
        """
        rules = self.rules
        called = rules.claims is _CALLED
        for due, noted, claimed, taken in earned(
            rules, self.deal, seat, card, self.ledger.board, table.held
        ):
            if called:
                table.events.append(noted)
                if not self.claiming[due.seat]:
                    table.due += (due,)
                    continue
            table.events.append(claimed)
            table.transfers.append(taken)
        if card == POPE:
            money = pope_money(rules, seat, table.held)
            table.events += money
            table.transfers += [paid.transfer for paid in money]

    # Claims

    def claim_refusal(self, seat: int, compartment: Compartment) -> str | None:
        """Why this seat may not claim this stake now, in words; None when it may."""
        mine = [item.compartment.value for item in self.due if item.seat == seat]
        if compartment in mine:
            return None
        due = ", ".join(mine) or "nothing"
        return f"seat {seat} has no claim on {compartment}: due to it is {due}"

    def claim(self, seat: Seat, compartment: Compartment) -> Round:
        """The round after a seat claims a stake it has earned (clause 7.4).

        Claims may be made after the round is over, until the board is dressed again. Raises
        IllegalClaim when nothing is due to the seat from there.
        """
        if why := self.claim_refusal(seat, compartment):
            raise IllegalClaim(why, repr(self))
        return self._claim([item for item in self.due if item[:2] == (seat, compartment)])

    def claim_for(self, seat: Seat, *, on: bool) -> Round:
        """The round with a seat's switch 'claim for me' set; turned on, it claims what is due."""
        if self.claiming[seat] == on:
            return self
        claiming = (*self.claiming[:seat], on, *self.claiming[seat + 1 :])
        events = (*self.events, Switched(seat, on))
        changed = self._replace(claiming=claiming, events=events)
        return changed._claim([item for item in self.due if on and item.seat == seat])

    def _claim(self, items: list[Due]) -> Round:
        stakes = [stake(*item) for item in items]
        return self._replace(
            due=tuple(item for item in self.due if item not in items),
            ledger=self.ledger.pay([each.taken for each in stakes]),
            events=(*self.events, *[each.claimed for each in stakes]),
        )

    # How the round came here

    @property
    def begun(self) -> Round:
        """The round at its start, with the switches 'claim for me' as they then were."""
        return Round.start(
            self.rules,
            self.deal,
            dealer=self.dealer,
            board=self.opening.board,
            purses=self.opening.purses,
            claiming=self.claiming_at_first,
        )

    def states(self) -> Iterator[Round]:
        """The round from its start to where it stands, at each card, claim by call and switch."""
        now = self.begun
        yield now
        for act in self.acts:
            now = now._after(act)
            yield now

    def choices(self) -> Iterator[Round]:
        """The round as it stood before each of its leads, and at last as it stands, run on."""
        for now, act in zip(self.states(), self.acts):
            if isinstance(act, Led):
                yield now
        yield self.run_on()

    def _after(self, act: Act) -> Round:
        if isinstance(act, Claimed):
            return self.claim(act.seat, act.compartment)
        if isinstance(act, Switched):
            return self.claim_for(act.seat, on=act.on)
        return self.play(act.card)

    # How a round shows itself

    def __repr__(self) -> str:
        """An expression that rebuilds the round."""
        return self._text

    def __str__(self) -> str:
        """The table drawn: board, purses, hands, what happened last."""
        from popejoan import drawing

        return drawing.round(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks."""
        from popejoan import drawing

        return drawing.round_svg(self)


@lru_cache(maxsize=1024)
def _dressed(rules: Rules, dealer: Seat, opening: Ledger) -> tuple[Dressed, Ledger]:
    """The dressing, and the ledger after it: most deals of an afternoon begin from a bare board."""
    laid = dressing(rules, len(opening.purses), dealer, opening.board)
    return Dressed(laid), opening.pay(laid)
