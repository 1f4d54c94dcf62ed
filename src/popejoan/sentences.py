"""What happens at the table, told in words: one sentence an event, with the players' names.

It knows no cards but those in the events; tables and pictures are drawn in ``drawing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, assert_never, final

from popejoan.board import Compartment, Reason, Transfer
from popejoan.cards import Card, CardSet, Order, Rank, Seat
from popejoan.events import (
    Claimed,
    ClaimsSwitched,
    DealerFound,
    Dealt,
    Divided,
    Dressed,
    Earned,
    Ended,
    Event,
    Excused,
    Followed,
    Joined,
    Lapsed,
    Led,
    Left,
    MatchEvent,
    Paid,
    RoundOver,
    RulesChanged,
    Stop,
    Stopped,
    Switched,
    TurnedUp,
    WentOut,
)

__all__ = [
    "Teller",
    "card_text",
    "cards_text",
    "counters_text",
    "events",
    "following",
    "seat_name",
]


def card_text(card: Card, *, ascii: bool = False) -> str:
    """The card as ``10♥``, or as ``10H``."""
    return str(card)[:-1] + card.suit.letter if ascii else str(card)


def cards_text(cards: Iterable[Card], *, ascii: bool = False) -> str:
    """The cards, parted by spaces."""
    return " ".join(card_text(card, ascii=ascii) for card in cards)


def counters_text(number: int) -> str:
    """So many counters, in words: ``1 counter``, ``3 counters``."""
    return f"{number} counter" + ("" if number == 1 else "s")


def following(card: Card, stop: Stop) -> Card | None:
    """The card that comes next above a stop; None at the end of a suit and below 8D."""
    if stop in (Stop.END, Stop.REMOVED):
        return None
    # A king that does not end its suit stands below its ace.
    return Card(Order.of(ace_high=card.rank is Rank.KING).following[card])


_REASONS: Final = {
    Reason.DRESSING: "to dress the board",
    Reason.STAKE: "from the board",
    Reason.CARDS: "for cards left in hand",
    Reason.POPE_TURNED: "for Pope turned up",
    Reason.POPE_PLAYED: "for Pope played",
    Reason.DIVISION: "at the last division",
}


@cache
def _why(card: Card, stop: Stop, *, ascii: bool) -> str:
    follows = following(card, stop)
    shown = "" if follows is None else card_text(follows, ascii=ascii)
    match stop:
        case Stop.END:
            return "its suit ends there"
        case Stop.REMOVED:
            return f"{'8D' if ascii else '8♦'} is not in the pack"
        case Stop.TURN_UP:
            return f"{shown} is the turn-up"
        case Stop.PLAYED:
            return f"{shown} has been played"
        case Stop.STOCK:
            return f"nobody holds {shown}"
        case _:
            assert_never(stop)


def seat_name(names: Sequence[str], seat: int) -> str:
    """What a seat is called: its name, or its number where it has none."""
    return (names[seat] if seat < len(names) else "") or f"Seat {seat}"


@final
class Teller:
    """Tells events in sentences; ``you`` is the seat that is spoken to, if one is.

    >>> Teller(["Anne", "Ben"]).event(Led(Seat(1), Card.parse("3C")))
    'Ben leads 3♣.'
    >>> Teller(["Anne", "Ben"], you=1, ascii=True).event(Led(Seat(1), Card.parse("3C")))
    'You lead 3C.'
    """

    def __init__(
        self, names: Sequence[str] = (), *, you: int | None = None, ascii: bool = False
    ) -> None:
        self._names = names
        self._you = you
        self._ascii = ascii
        self._does: dict[tuple[int, str, bool], str] = {}

    def name(self, seat: int) -> str:
        """What the seat is called: its name, or its number where it has none; ``you``."""
        if seat == self._you:
            return "you"
        return seat_name(self._names, seat)

    def does(self, seat: int, verb: str, *, first: bool = True) -> str:
        """The seat as the subject of a verb: ``Anne leads``, ``You lead``, ``you lead``."""
        does = self._does.get((seat, verb, first))
        if does is None:
            ending = "es" if verb.endswith(("o", "s")) else "s"
            does = f"{self.name(seat)} {verb}{ending}"
            if seat == self._you:
                does = f"You {verb}" if first else f"you {verb}"
            self._does[seat, verb, first] = does
        return does

    def card(self, card: Card) -> str:
        """The card as it is printed."""
        return card_text(card, ascii=True) if self._ascii else str(card)

    def event(self, event: Event | MatchEvent) -> str:
        """One sentence that tells the event."""
        match event:  # the commonest first
            case Followed(seat, card):
                return f"{self.does(seat, 'follow')} with {self.card(card)}."
            case Led(seat, card):
                return f"{self.does(seat, 'lead')} {self.card(card)}."
            case Stopped(seat, card, stop):
                leads = self.does(seat, "lead", first=False)
                return f"{self.card(card)} is a stop, as {self.why(card, stop)}: {leads}."
            case Dressed(transfers):
                return self._dressed(transfers)
            case Dealt(dealer, sizes, stock):
                return f"{self.does(dealer, 'deal')} {_sizes(sizes)}; {_lie(stock)} in the stock."
            case TurnedUp(card):
                return f"{self.card(card)} is turned up: {card.suit.name.lower()} are trumps."
            case Earned(seat, compartment, counters):
                return f"{self.does(seat, 'earn')} {_stake(compartment, counters)}."
            case Claimed(seat, compartment, counters):
                return f"{self.does(seat, 'take')} {_stake(compartment, counters)}."
            case Switched(seat, on):
                return self._switched(seat, on=on)
            case Paid(transfer):
                return self.payment(transfer)
            case Excused(seat, cards):
                left = f"{cards} card" + ("" if cards == 1 else "s")
                holds = self.does(seat, "hold")
                return f"{holds} Pope, unplayed, and so nothing is paid for the {left} left."
            case WentOut(seat):
                return f"{self.does(seat, 'go')} out."
            case RoundOver(winner):
                return f"The deal is over: {self.does(winner, 'win', first=False)} it."
            case DealerFound(member, cards):
                deals = self.does(member, "deal", first=False)
                return (
                    f"The first knave dealt round face up is {self.card(cards[-1])}: {deals} first."
                )
            case Joined(member, purse):
                return f"{self.does(member, 'sit')} down, {_with(purse)}."
            case Left(member, purse):
                return f"{self.does(member, 'leave')} the table, {_with(purse)}."
            case Lapsed(member, compartment, counters):
                return (
                    f"{self.does(member, 'leave')} {_stake(compartment, counters)} unclaimed, and "
                    "it stays on the board."
                )
            case RulesChanged(rules):
                return f"The next deal is played by other rules: {rules.text}."
            case ClaimsSwitched(member, on):
                return self._switched(member, on=on)
            case Ended():
                return "The table agrees to stop."
            case Divided(hands, transfers):
                return self._divided(hands, transfers)
            case _:
                assert_never(event)

    def why(self, card: Card, stop: Stop) -> str:
        """Why nothing can follow the card: a clause that goes after ``as``."""
        return _why(card, stop, ascii=self._ascii)

    def _switched(self, who: int, *, on: bool) -> str:
        if on:
            return f"Claims are made for {self.name(who)} from now on."
        return f"No claim is made for {self.name(who)} any more; each must be called."

    def payment(self, transfer: Transfer) -> str:
        """One payment, told."""
        payer, payee, counters, reason = transfer
        why = _REASONS[reason]
        if isinstance(payer, Compartment):
            assert not isinstance(payee, Compartment)
            return f"{self.does(payee, 'take')} {_stake(payer, counters)}, {why}."
        if isinstance(payee, Compartment):
            return (
                f"{self.does(payer, 'lay')} {counters_text(counters)} in {payee.value.title()} "
                f"{why}."
            )
        return f"{self.does(payer, 'pay')} {self.name(payee)} {counters_text(counters)} {why}."

    def _dressed(self, transfers: tuple[Transfer, ...]) -> str:
        gifts: dict[int, int] = {}
        stakes: dict[str, int] = {}
        for payer, payee, counters, _ in transfers:
            assert not isinstance(payer, Compartment)
            assert isinstance(payee, Compartment)
            gifts[payer] = gifts.get(payer, 0) + counters
            stakes[payee.value.title()] = stakes.get(payee.value.title(), 0) + counters
        laid = ", ".join(f"{place} {counters}" for place, counters in stakes.items())
        if len(gifts) == 1:
            ((seat, given),) = gifts.items()
            return f"{self.does(seat, 'dress')} the board with {counters_text(given)}: {laid}."
        by = ", ".join(f"{self.name(seat)} {given}" for seat, given in gifts.items())
        return f"The board is dressed: {laid} (by {by})."

    def _divided(self, hands: tuple[CardSet, ...], transfers: tuple[Transfer, ...]) -> str:
        takes = "; ".join(
            f"{self.does(_seat(payee), 'take', first=False)} {counters} from {payer.value.title()}"
            for payer, payee, counters, _ in transfers
            if isinstance(payer, Compartment)
        )
        return (
            f"All {sum(map(len, hands))} cards are dealt face up, diamonds being trumps: {takes}."
        )


def _with(purse: int) -> str:
    return f"owing {counters_text(-purse)}" if purse < 0 else f"with {counters_text(purse)}"


def _seat(party: Seat | Compartment) -> Seat:
    assert not isinstance(party, Compartment)
    return party


def _stake(compartment: Compartment, counters: int) -> str:
    return f"{compartment.value.title()}, {counters_text(counters)}"


def _sizes(sizes: tuple[int, ...]) -> str:
    hands = [size for size in sizes if size]
    if len(set(hands)) == 1:
        each = "each" if len(hands) == len(sizes) else "each of the others"
        return f"{hands[0]} card{'s' if hands[0] > 1 else ''} to {each}"
    return f"hands of {', '.join(map(str, hands))} cards"


def _lie(stock: int) -> str:
    return "1 card lies" if stock == 1 else f"{stock or 'no'} cards lie"


def events(
    events: Iterable[Event | MatchEvent],
    *,
    names: Sequence[str] = (),
    you: int | None = None,
    ascii: bool = False,
) -> Iterator[str]:
    """One sentence an event, a run in one line: ``Anne leads 3♣, Ben 4♣``.

    What a run earns is told after it; a stake that is taken as soon as it is earned is told once.
    """
    teller = Teller(names, you=you, ascii=ascii)
    told = list(events)
    run, asides = "", list[str]()
    for event, after in zip(told, [*told[1:], None]):
        match event:
            case Led(seat, card):
                run = f"{teller.does(seat, 'lead')} {teller.card(card)}"
            case Followed(seat, card):
                run += f", {teller.name(seat)} {teller.card(card)}"
            case Stopped() | WentOut() | RoundOver():
                if run:
                    yield f"{run}."
                yield from asides
                run, asides = "", []
                yield teller.event(event)
            case Earned(seat, place, counters) if after == Claimed(seat, place, counters):
                pass
            case _ if run:
                asides.append(teller.event(event))
            case _:
                yield teller.event(event)
    if run:
        yield f"{run}."
    yield from asides
