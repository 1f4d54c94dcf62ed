"""The round: one deal played out by the rules, from the dressing to the last payment; the truth.

It knows every card and does not know who is looking: what one seat may see is ``view``'s business.
A round is immutable; every play gives a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

from popejoan.board import Board, Compartment, Ledger, Reason, Transfer
from popejoan.cards import POPE, BadDeal, Card, CardSet, IllegalClaim, IllegalPlay, Order, Seat, Suit
from popejoan.deal import Deal
from popejoan.events import (
    FOLLOWED,
    LED,
    Claimed,
    Dealt,
    Dressed,
    Earned,
    Event,
    Excused,
    Followed,
    Led,
    Paid,
    RoundOver,
    Stop,
    Stopped,
    TurnedUp,
    WentOut,
)
from popejoan.rules import CardMoney, Claims, Lead, Pairs, Peek, PopePlayed, PopeTurned, Rules

__all__ = ["Due", "Round", "known_stops", "legal_leads", "why_not_led"]


class Due(NamedTuple):
    """A stake earned and not yet claimed."""

    seat: Seat
    compartment: Compartment
    counters: int


def known_stops(order: Order, gone: int) -> int:
    """Mask of the stops that follow from the cards known to be out of hand (clause 5.3).

    Those are the cards that end a suit, 7D, and each whose next card up is in ``gone``.
    """
    return order.fixed_stops | order.below(gone)


def legal_leads(rules: Rules, hand: int, gone: int) -> int:
    """Mask of the cards that may be led from a hand (clause 5.2).

    ``gone`` is the mask of the cards that the leader knows to be in no hand: those played, the
    turn-up, and for a dealer who may look, the stock.
    """
    if rules.lead is Lead.ANY:
        return hand
    order = rules.order
    suits = [cards for suit in Suit if (cards := hand & suit.mask)]
    if rules.lead is Lead.LOWEST:
        return sum(order.lowest(cards) for cards in suits)
    if rules.lead is Lead.LOWEST_IN_HAND:
        lows = [order.lowest(cards) for cards in suits]
        heights = [order.height(low.bit_length() - 1) for low in lows]
        least = min(heights, default=0)
        return sum(low for low, height in zip(lows, heights) if height == least)
    if stops := hand & known_stops(order, gone):
        return stops
    if pope := hand & POPE.bit:
        return pope
    longest = max((cards.bit_count() for cards in suits), default=0)
    leads = 0
    for cards in suits:
        ace = cards & _ACES
        leads |= (cards & -cards if cards.bit_count() == longest else 0) | ace
    return leads


_ACES = sum(1 << 13 * suit for suit in Suit)


def why_not_led(rules: Rules, hand: int, gone: int, card: Card) -> str | None:
    """Why a card that is held may not be led, in words; None when it may."""
    leads = legal_leads(rules, hand, gone)
    if leads & card.bit:
        return None
    may = CardSet(leads).text
    if rules.lead is Lead.LOWEST:
        return f"only the lowest card of a suit may be led: {may}"
    if rules.lead is Lead.LOWEST_IN_HAND:
        return f"only the lowest rank in the hand may be led: {may}"
    if leads & known_stops(rules.order, gone):
        return f"a known stop must be led first: {may}"
    if leads == POPE.bit:
        return f"with no known stop in hand Pope must be led: {may}"
    return f"the lowest card of the longest suit, or an ace, must be led: {may}"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Round:
    """One deal under the rules, at one moment; compare, copy and pickle it freely.

    >>> round = Round.start(Rules.HOYLE, Deal.shuffle(1), dealer=Seat(0))
    >>> round.to_act, round.legal
    (1, CardSet.parse('KH'))
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
    held: tuple[int, ...] = field(default=())
    """For each seat the mask of the cards it holds; ``hand`` gives them as a set."""
    pending: int = -1
    """The number of the card that must follow now, or -1 when a lead is to be made."""

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
        for place, counters in board.items():
            if counters and not rules.stakes[place]:
                raise ValueError(f"{place} holds {counters}, but these rules have no such compartment")
        purses = (rules.purse,) * players if purses is None else tuple(purses)
        claiming = (True,) * players if claiming is None else tuple(map(bool, claiming))
        for name, given in (("purses", purses), ("claiming", claiming)):
            if len(given) != players:
                raise ValueError(f"{name} has {len(given)} entries for {players} seats")
        opening = Ledger(purses, board)
        dressing = rules.dressing_of(players, dealer, board)
        sizes = tuple(len(hand) for hand in deal.hands)
        events: tuple[Event, ...] = (
            Dressed(dressing),
            Dealt(dealer, sizes, len(deal.stock)),
            TurnedUp(deal.turn_up),
        )
        held = tuple(hand.mask for hand in deal.hands)
        eldest = Seat((dealer + 1) % players)
        round_ = cls(
            rules, deal, dealer, opening, claiming, opening.pay(dressing), events, eldest, held=held
        )
        return round_._turn()

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

    # What is on the table

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
    def run(self) -> tuple[Card, ...]:
        """The cards of the run that is going on; empty between runs."""
        if self.pending < 0:
            return ()
        cards: list[Card] = []
        for play in reversed(self.plays):
            cards.append(play.card)
            if isinstance(play, Led):
                break
        return tuple(reversed(cards))

    @property
    def played(self) -> CardSet:
        """Every card played."""
        return CardSet(self._played)

    @property
    def _played(self) -> int:
        return sum(hand.mask for hand in self.deal.hands) ^ sum(self.held)

    @property
    def dead(self) -> CardSet:
        """The cards out of play in this deal: the stock and the turn-up."""
        return self.deal.stock | {self.deal.turn_up}

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

    # What may be played

    @property
    def forced(self) -> bool:
        """Whether a card must follow now, so that there is no choice."""
        return self.pending >= 0

    @property
    def legal(self) -> CardSet:
        """The cards that the seat to act may play; empty when the round is over."""
        return CardSet(self._legal)

    @property
    def _legal(self) -> int:
        if self.to_act is None:
            return 0
        if self.pending >= 0:
            return 1 << self.pending
        hand = self.held[self.to_act]
        return hand if self.rules.lead is Lead.ANY else legal_leads(
            self.rules, hand, self.gone_for(self.to_act)
        )

    def gone_for(self, seat: Seat) -> int:
        """Mask of the cards that a seat knows to be in no hand by sight (clause 5.3)."""
        gone = self._played | self.turn_up.bit
        if seat == self.dealer and self.rules.peek is not Peek.NOBODY:
            gone |= self.deal.stock.mask
        return gone

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
        why = why_not_led(self.rules, hand, self.gone_for(self.to_act), card)
        return why and f"{card!r} may not be led: {why}"

    def play(self, card: Card) -> Round:
        """The round after the seat to act plays this card, whether it leads or follows.

        Raises IllegalPlay, with the reason and the round, for a card that may not be played.
        """
        return self._play(self._allowed(card), to_stop=False)

    def lead(self, card: Card) -> Round:
        """The round after this lead and every card that must follow it.

        Raises IllegalPlay, with the reason and the round, for a card that may not be led.
        """
        if self.pending >= 0:
            raise IllegalPlay(
                f"{card!r} cannot be led: the run goes on with {Card(self.pending)!r}; in {self!r}"
            )
        return self._play(self._allowed(card), to_stop=True)

    def run_on(self) -> Round:
        """The round at its next choice: every card that must follow has been played."""
        return self if self.pending < 0 else self._play(self.pending, to_stop=True)

    def _allowed(self, card: Card) -> int:
        if not 0 <= card < 52 or not self._legal >> card & 1:
            raise IllegalPlay(f"{self.refusal(Card(card))}; in {self!r}")
        return int(card)

    # How a card changes the table

    def _play(self, card: int, *, to_stop: bool) -> Round:
        """Play a card that is allowed, and with ``to_stop`` each that follows."""
        assert self.to_act is not None
        seat = self.to_act
        held = list(self.held)
        following = self.rules.order.following
        earning = self.rules.earning(self.deal.turn_up.suit)
        in_hands = sum(held)
        events = list(self.events)
        ledger, due = self.ledger, self.due
        kind = LED if self.pending < 0 else FOLLOWED
        while True:
            held[seat] ^= 1 << card
            in_hands ^= 1 << card
            events.append(kind[seat][card])  # type: ignore[arg-type]
            if card in earning:
                ledger, due = self._earn(seat, card, held, events, ledger, due)
            if not held[seat]:
                ledger = self._settle(seat, held, events, ledger)
                return self._after(held, events, ledger, due, None, -1, seat)
            follows = following[card]
            if follows < 0 or not in_hands >> follows & 1:
                events.append(Stopped(seat, Card(card), self._stop(card, follows)))
                return self._after(held, events, ledger, due, seat, -1)
            bit = 1 << follows
            for seat, hand in enumerate(held):  # noqa: B007  the owner is kept
                if hand & bit:
                    break
            card = follows
            if not to_stop:
                return self._after(held, events, ledger, due, Seat(seat), card)
            kind = FOLLOWED

    def _after(
        self,
        held: list[int],
        events: list[Event],
        ledger: Ledger,
        due: tuple[Due, ...],
        to_act: Seat | None,
        pending: int,
        winner: Seat | None = None,
    ) -> Round:
        return Round(
            self.rules,
            self.deal,
            self.dealer,
            self.opening,
            self.claiming,
            ledger,
            tuple(events),
            to_act,
            winner,
            due,
            tuple(held),
            pending,
        )

    def _stop(self, card: int, follows: int) -> Stop:
        if follows < 0:
            return Stop.REMOVED if card == POPE - 2 else Stop.END
        if follows == self.turn_up:
            return Stop.TURN_UP
        return Stop.STOCK if self.deal.stock.mask >> follows & 1 else Stop.PLAYED

    def _turn(self) -> Round:
        """What the turn-up brings the dealer (clauses 4.1 to 4.3)."""
        turned = self.rules.earning(self.trump).get(int(self.turn_up))
        if turned is None or turned.alone is None:
            return self
        rules, dealer = self.rules, self.dealer
        events = list(self.events)
        ends = self.turn_up == POPE and rules.pope_turned in (PopeTurned.ENDS, PopeTurned.THROWN_IN)
        taken = [turned.alone, Compartment.GAME] if ends else [turned.alone]
        transfers = []
        for place in taken:
            events.append(Claimed(dealer, place, self.board[place]))
            transfers.append(Transfer(place, dealer, self.board[place], Reason.STAKE))
        if self.turn_up == POPE and rules.pope_turned in (PopeTurned.ENDS, PopeTurned.CARDS):
            for seat in self._others(dealer):
                cards = min(len(self.deal.hands[seat]), rules.pope_cap or 52)
                paid = Transfer(seat, dealer, cards, Reason.POPE_TURNED)
                events.append(Paid(paid))
                transfers.append(paid)
        if ends:
            events.append(RoundOver(dealer))
        return replace(
            self,
            ledger=self.ledger.pay(transfers),
            events=tuple(events),
            to_act=None if ends else self.to_act,
            winner=dealer if ends else None,
        )

    def _others(self, seat: int) -> Iterator[Seat]:
        """The other seats, from the left of this one."""
        players = len(self.held)
        return (Seat((seat + step) % players) for step in range(1, players))

    def _earn(
        self,
        seat: int,
        card: int,
        held: list[int],
        events: list[Event],
        ledger: Ledger,
        due: tuple[Due, ...],
    ) -> tuple[Ledger, tuple[Due, ...]]:
        """What a card earns when played (clauses 7.1 to 7.5)."""
        alone, pairs = self.rules.earning(self.trump)[card]
        board = ledger.board
        earned = [] if alone is None else [Due(Seat(seat), alone, board[alone])]
        for pair, other in pairs:
            owner = next((s for s, h in enumerate(self.deal.hands) if h.mask >> other & 1), None)
            if owner is None or held[owner] >> other & 1:
                continue
            if owner == seat:
                earned.append(Due(Seat(seat), pair, board[pair]))
            elif self.rules.pairs is Pairs.SPLIT and board[pair] > 1:
                half = board[pair] // 2
                earned += [Due(Seat(owner), pair, half), Due(Seat(seat), pair, half)]
        transfers = []
        for item in earned:
            if self.rules.claims is Claims.CALLED:
                events.append(Earned(*item))
                if not self.claiming[item.seat]:
                    due = (*due, item)
                    continue
            events.append(Claimed(*item))
            transfers.append(_taking(item))
        if card == POPE and self.rules.pope_played is PopePlayed.CARDS:
            for other_seat in self._others(seat):
                if cards := held[other_seat].bit_count():
                    paid = Transfer(other_seat, Seat(seat), cards, Reason.POPE_PLAYED)
                    events.append(Paid(paid))
                    transfers.append(paid)
        return ledger.pay(transfers), due

    def _settle(self, seat: int, held: list[int], events: list[Event], ledger: Ledger) -> Ledger:
        """What the first seat out gets (clauses 8.1 to 8.4)."""
        out = Seat(seat)
        game = ledger.board[Compartment.GAME]
        events += [WentOut(out), Claimed(out, Compartment.GAME, game)]
        stakes = ledger.board.as_dict() | {Compartment.GAME.value: 0}
        transfers = [Transfer(Compartment.GAME, out, game, Reason.STAKE)]
        for other in self._others(seat):
            cards = held[other].bit_count()
            if not cards:
                continue
            if self.rules.pope_exempt and held[other] & POPE.bit:
                events.append(Excused(other, cards))
                continue
            if self.rules.card_money is CardMoney.WINNER:
                paid = [Transfer(other, out, cards, Reason.CARDS)]
            else:
                paid = _to_board(other, cards, stakes, self.rules.compartments)
            transfers += paid
            events += map(Paid, paid)
        events.append(RoundOver(out))
        return ledger.pay(transfers)

    # Claims

    def claim_refusal(self, seat: int, compartment: Compartment) -> str | None:
        """Why this seat may not claim this stake now, in words; None when it may."""
        mine = [item.compartment.value for item in self.due if item.seat == seat]
        if compartment in mine:
            return None
        return f"seat {seat} has no claim on {compartment}: due to it is {', '.join(mine) or 'nothing'}"

    def claim(self, seat: Seat, compartment: Compartment) -> Round:
        """The round after a seat claims a stake it has earned (clause 7.4).

        Claims may be made after the round is over, until the board is dressed again. Raises
        IllegalClaim when nothing is due to the seat from there.
        """
        if why := self.claim_refusal(seat, compartment):
            raise IllegalClaim(f"{why}; in {self!r}")
        return self._claim([item for item in self.due if item[:2] == (seat, compartment)])

    def claim_for(self, seat: Seat, *, on: bool) -> Round:
        """The round with a seat's switch 'claim for me' set; turned on, it claims what is due."""
        claiming = (*self.claiming[:seat], on, *self.claiming[seat + 1 :])
        changed = replace(self, claiming=claiming)
        return changed._claim([item for item in self.due if on and item.seat == seat])

    def _claim(self, items: list[Due]) -> Round:
        return replace(
            self,
            due=tuple(item for item in self.due if item not in items),
            ledger=self.ledger.pay(map(_taking, items)),
            events=(*self.events, *(Claimed(*item) for item in items)),
        )

    # How a round shows itself

    def __repr__(self) -> str:
        """An expression that rebuilds the round as far as it was played by leads."""
        whole = self.leads[:-1] if self.forced else self.leads
        text = " ".join(map(repr, whole))
        rules = f"Rules.parse({self.rules.text!r})"
        more = f", dealer={self.dealer}, board={self.opening.board!r}, purses={self.opening.purses}"
        if not all(self.claiming):
            more += f", claiming={self.claiming}"
        made = f"Round.replay({rules}, {self.deal!r}, {text!r}{more})"
        return made + "".join(f".play({card!r})" for card in self.run)

    def __str__(self) -> str:
        """The table drawn: board, purses, hands, what happened last."""
        from popejoan import drawing

        return drawing.round(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks."""
        from popejoan import drawing

        return drawing.round_svg(self)


def _taking(item: Due) -> Transfer:
    return Transfer(item.compartment, item.seat, item.counters, Reason.STAKE)


def _to_board(
    seat: Seat, cards: int, stakes: dict[str, int], compartments: tuple[Compartment, ...]
) -> list[Transfer]:
    """One counter a card, each to the compartment that then holds least (clause 8.4)."""
    laid = dict.fromkeys(compartments, 0)
    for _ in range(cards):
        place = min(compartments, key=lambda each: stakes[each])
        stakes[place] += 1
        laid[place] += 1
    return [Transfer(seat, place, n, Reason.CARDS) for place, n in laid.items() if n]
