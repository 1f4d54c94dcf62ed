"""The worlds that fit what a seat has seen, and how one of them is drawn.

Beside the cards themselves play reveals two things: a stop shows that nobody holds the next card,
and a lead that the rules forced says what its leader did not hold (clause 5.2). Both are kept as
``Limits``; ``draw`` spreads the unseen cards over hands and stock so that every world within the
limits is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from popejoan.cards import POPE, Card, Seat, Suit
from popejoan.deal import Chance
from popejoan.events import Event, Excused, Followed, Led, Stop, Stopped, WentOut
from popejoan.leads import known_stops
from popejoan.rules import Lead, Rules

__all__ = ["STOCK", "Limits", "draw", "limits"]

STOCK: Final = -1
"""The holder of the cards that nobody holds; other holders are seats."""

_TRIES: Final = 64
_SWEEPS: Final = 40


@final
@dataclass(slots=True)
class Limits:
    """What the seen leads and stops say of the cards not seen."""

    dead: int = 0
    """Mask of the cards that stops have shown to lie in the stock."""
    barred: dict[int, int] = field(default_factory=dict)
    """For each holder the mask of the cards it cannot have."""
    longest: list[tuple[int, Suit, int]] = field(default_factory=list)
    """Leads from a longest suit: the seat, the suit, and the mask of what it has played since."""
    guarded: int | None = None
    """A dealer who knew the stock and led no stop: he holds no card just below one in it."""

    def bar(self, holder: int, cards: int) -> None:
        """Note that a holder cannot have any of these cards."""
        self.barred[holder] = self.barred.get(holder, 0) | cards

    @property
    def none(self) -> bool:
        """Whether every spread of the cards that are not dead fits."""
        return not any(self.barred.values()) and not self.longest and self.guarded is None


def limits(
    rules: Rules,
    events: Sequence[Event],
    *,
    players: int,
    turn_up: Card,
    viewer: int | None,
    dealer: Seat,
    dealer_hidden: bool,
) -> Limits:
    """What the events say of hands that ``viewer`` has not seen.

    ``dealer_hidden`` tells that the dealer may look at the stock and the viewer is not the dealer.
    """
    found = Limits()
    order = rules.order
    gone = turn_up.bit
    last: Card | None = None
    moves = [event for event in events if isinstance(event, Led | Followed | Stopped | WentOut)]
    for index, event in enumerate(moves):
        if isinstance(event, Led) and event.seat != viewer:
            knows_stock = dealer_hidden and event.seat == dealer and rules.lead is Lead.BOOK
            # A last card is no choice, and a stop that only the stock explains is one he knew.
            after = moves[index + 1 : index + 2]
            plain = [WentOut(event.seat)], [Stopped(event.seat, event.card, Stop.STOCK)]
            if not (knows_stock and after in plain):
                since = _played_by(event.seat, moves[index:])
                _note_lead(found, rules, event, gone, since, knows_stock)
        if isinstance(event, Led | Followed):
            gone |= event.card.bit
            last = event.card
        else:
            last = None
            if isinstance(event, Stopped) and event.stop is Stop.STOCK:
                found.dead |= 1 << order.following[event.card]
    if isinstance(moves[-1] if moves else None, WentOut) and rules.pope_exempt:
        # Who held Pope was excused before all; when nobody was, nobody held it.
        excused: set[int] = {event.seat for event in events if isinstance(event, Excused)}
        for holder in range(STOCK, players):
            if holder not in (excused or {STOCK}):
                found.bar(holder, POPE.bit)
    if last is not None:
        # The run has not stopped, so somebody holds its next card.
        found.bar(STOCK, 1 << order.following[last])
    return found


def _played_by(seat: Seat, moves: Iterable[Event]) -> int:
    return sum(m.card.bit for m in moves if isinstance(m, Led | Followed) and m.seat == seat)


def _note_lead(
    found: Limits, rules: Rules, led: Led, gone: int, since: int, knows_stock: bool
) -> None:
    """Keep what one lead says of its leader's hand; ``since`` is what he has played from it on."""
    seat, card = led.seat, led.card
    order = rules.order
    suit = card.suit.mask
    height = order.height(card)
    lower = sum(1 << each for each in range(52) if order.height(each) < height)
    if rules.lead is Lead.LOWEST:
        found.bar(seat, lower & suit)
    elif rules.lead is Lead.LOWEST_IN_HAND:
        found.bar(seat, lower)
    elif rules.lead is Lead.BOOK:
        stops = known_stops(order, gone)
        if stops & card.bit:
            return
        found.bar(seat, stops)
        if knows_stock:
            found.guarded = seat
            for held in range(52):
                if since >> held & 1 and order.following[held] >= 0:
                    found.bar(STOCK, 1 << order.following[held])
        if card == POPE:
            return
        found.bar(seat, POPE.bit)
        if card.rank != 1:
            found.bar(seat, lower & suit)
            found.longest.append((seat, card.suit, since))


def draw(
    chance: Chance,
    rules: Rules,
    unseen: int,
    room: Mapping[int, int],
    found: Limits,
) -> dict[int, int]:
    """Spread the unseen cards over the holders so that they fit; a mask for each holder.

    ``room`` says how many cards each holder takes; they sum to the unseen cards. Every fitting
    spread is equally likely: a shuffle is taken as it falls when it fits, and when few do, a chain
    of exchanges that also visits spreads that do not fit is looked at at fixed times until it
    stands on one that does.
    """
    room = dict(room)
    dead = found.dead & unseen
    if dead:
        room[STOCK] -= dead.bit_count()
    cards = [number for number in range(52) if (unseen & ~dead) >> number & 1]
    for _ in range(_TRIES):
        hands = _spread(chance, cards, room)
        if found.none or not _misfit(rules, found, hands):
            break
    else:
        hands = _exchange(chance, rules, found, cards, hands)
    if dead:
        hands[STOCK] |= dead
    return hands


def _spread(chance: Chance, cards: list[int], room: Mapping[int, int]) -> dict[int, int]:
    left = list(cards)
    hands = {}
    for holder, size in room.items():
        mask = 0
        for _ in range(size):
            place = chance.below(len(left))
            mask |= 1 << left[place]
            left[place] = left[-1]
            left.pop()
        hands[holder] = mask
    return hands


def _misfit(rules: Rules, found: Limits, hands: Mapping[int, int]) -> int:
    """By how many cards a spread breaks the limits; 0 when it fits."""
    stock = hands.get(STOCK, 0) | found.dead
    return sum(_strain(rules, found, holder, hand, stock) for holder, hand in hands.items())


def _strain(rules: Rules, found: Limits, holder: int, hand: int, stock: int) -> int:
    strain = (hand & found.barred.get(holder, 0)).bit_count()
    if holder == found.guarded:
        strain += (hand & rules.order.below(stock)).bit_count()
    for seat, suit, since in found.longest:
        if seat == holder:
            whole = hand | since
            length = (whole & suit.mask).bit_count()
            most = max((whole & other.mask).bit_count() for other in Suit)
            strain += most - length
    return strain


def _exchange(
    chance: Chance, rules: Rules, found: Limits, cards: list[int], hands: dict[int, int]
) -> dict[int, int]:
    """A fitting spread from a chain of exchanges of two cards.

    The chain stays on spreads that do not fit with a chance that falls with the strain, so it
    reaches every spread; among those that fit all are equally likely. It is looked at only at
    fixed times, since the first fitting spread met would favour those at the border.
    """
    holder_of = {
        card: holder for holder, hand in hands.items() for card in cards if hand >> card & 1
    }
    hands = dict(hands)
    strains = {
        holder: _strain(rules, found, holder, hand, hands.get(STOCK, 0) | found.dead)
        for holder, hand in hands.items()
    }
    n = len(cards)
    moves, looks, patience = _SWEEPS * n, 0, 0.2
    while True:
        for _ in range(moves):
            word = chance.word()
            one, two = cards[(word & 0xFFFF) * n >> 16], cards[(word >> 16) * n >> 16]
            here, there = holder_of[one], holder_of[two]
            if here == there:
                continue
            swap = 1 << one | 1 << two
            changed = {here: hands[here] ^ swap, there: hands[there] ^ swap}
            stock = changed.get(STOCK, hands.get(STOCK, 0)) | found.dead
            if STOCK in changed and found.guarded in hands:
                changed.setdefault(found.guarded, hands[found.guarded])
            new = {
                holder: _strain(rules, found, holder, hand, stock)
                for holder, hand in changed.items()
            }
            worse = sum(new.values()) - sum(strains[holder] for holder in new)
            if worse > 0 and chance.word() >= patience**worse * 2**32:
                continue
            hands.update(changed)
            strains.update(new)
            holder_of[one], holder_of[two] = there, here
        if not any(strains.values()):
            return hands
        looks += 1
        moves = _SWEEPS * n // 4
        if looks % 8 == 0:
            patience *= 0.7
