"""The payments: what the dressing, the turn-up, a card played and going out move, by the rules.

Each function looks at the table and says what happens and which counters move; it changes
nothing. ``round`` makes the payments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from popejoan.board import Board, Compartment, Reason, Transfer
from popejoan.cards import POPE, Card, CardSet, Rank, Seat, Suit
from popejoan.deal import Deal
from popejoan.events import Claimed, Earned, Event, Excused, Paid
from popejoan.rules import CardMoney, Dressing, Pairs, PopePlayed, PopeTurned, Rules

__all__ = [
    "EARNERS",
    "Due",
    "Earning",
    "Stake",
    "division",
    "dressing",
    "earned",
    "earning",
    "going_out",
    "pope_money",
    "stake",
    "turned_up",
]


class Due(NamedTuple):
    """A stake earned."""

    seat: Seat
    """Whose it is."""
    compartment: Compartment
    """Where it lies."""
    counters: int
    """How many counters."""


class Stake(NamedTuple):
    """A stake earned, and what comes of it."""

    due: Due
    """What is due."""
    earned: Earned
    """The event of earning it, where it is to be claimed."""
    claimed: Claimed
    """The event of taking it from the board."""
    taken: Transfer
    """The payment that takes it."""


class Earning(NamedTuple):
    """What playing one card earns."""

    alone: Compartment | None
    """The compartment that the card earns by itself."""
    pairs: tuple[tuple[Compartment, int], ...]
    """Each compartment earned with another card, and that card's number."""


def dressing(rules: Rules, players: int, dealer: Seat, board: Board) -> tuple[Transfer, ...]:
    """What each seat lays where before a deal, on a board that holds ``board`` (clause 2.2)."""
    if rules.dressing is Dressing.SINGLE:
        bare = [place for place in rules.compartments if not board[place]]
        return tuple(
            Transfer(dealer, place, 1, Reason.DRESSING) for place in bare or [Compartment.GAME]
        )
    return _full_dressing(rules, players, dealer)


@lru_cache(maxsize=1024)
def _full_dressing(rules: Rules, players: int, dealer: Seat) -> tuple[Transfer, ...]:
    seats = [Seat((dealer + step) % players) for step in range(1, players + 1)]
    stakes = {place: rules.stakes[place] for place in rules.compartments}
    whole = sum(stakes.values())
    if rules.dressing is Dressing.EACH:
        return tuple(
            Transfer(seat, place, 2, Reason.DRESSING) for seat in seats for place in stakes
        )
    gifts = dict.fromkeys(seats, 0)
    if rules.dressing is Dressing.POOL:
        gifts = dict.fromkeys(seats, 2)
        gifts[dealer] += max(0, whole - 2 * players)
    elif rules.dressing is Dressing.RAISE:
        share = -(-whole // (players + 1))
        gifts = dict.fromkeys(seats, share)
        gifts[dealer] = 2 * share
    else:
        gifts[dealer] = whole
    stakes[Compartment.GAME] += sum(gifts.values()) - whole
    made = []
    for place, stake in stakes.items():
        for seat in seats:
            given = min(stake, gifts[seat])
            if given:
                made.append(Transfer(seat, place, given, Reason.DRESSING))
                gifts[seat] -= given
                stake -= given
    return tuple(made)


_HONOURS: Final = {
    Rank.ACE: Compartment.ACE,
    Rank.KING: Compartment.KING,
    Rank.QUEEN: Compartment.QUEEN,
    Rank.KNAVE: Compartment.KNAVE,
}
_POPE: Final = POPE.bit
# Python 3.11 takes long to look up a member of an enum.
_GAME, _CARDS, _TO_BOARD = Compartment.GAME, Reason.CARDS, CardMoney.BOARD
_SPLIT, _POPE_PAID = Pairs.SPLIT, PopePlayed.CARDS
_PAIRS: Final = {
    Compartment.MATRIMONY: (Rank.KING, Rank.QUEEN),
    Compartment.INTRIGUE: (Rank.QUEEN, Rank.KNAVE),
}


EARNERS: Final = tuple(
    sum(1 << 13 * (turn_up // 13) + rank - 1 for rank in _HONOURS) | _POPE for turn_up in range(52)
)
"""For each turn-up the mask of the cards that may earn something, whatever the rules."""


@lru_cache(maxsize=1024)
def earning(rules: Rules, trump: int) -> Mapping[int, Earning]:
    """Which cards earn what when this suit is trumps, by number (clauses 7.1 and 7.2)."""
    has = set(rules.compartments)
    found: dict[int, Earning] = {int(POPE): Earning(Compartment.POPE, ())}
    for rank, head in _HONOURS.items():
        pairs = tuple(
            (pair, int(Card.of(Suit(trump), other)))
            for pair, ranks in _PAIRS.items()
            if pair in has and rank in ranks
            for other in ranks
            if other is not rank
        )
        if head in has or pairs:
            found[int(Card.of(Suit(trump), rank))] = Earning(head if head in has else None, pairs)
    return found


# The same few payments come in every round, so each is made once and shared.


@lru_cache(maxsize=4096)
def stake(seat: Seat, compartment: Compartment, counters: int) -> Stake:
    """A stake that a seat has earned, and what comes of it."""
    due = Due(seat, compartment, counters)
    taken = Transfer(compartment, seat, counters, Reason.STAKE)
    return Stake(due, Earned(*due), Claimed(*due), taken)


@lru_cache(maxsize=4096)
def _paid(payer: Seat, payee: Seat | Compartment, counters: int, reason: Reason) -> Paid:
    return Paid(Transfer(payer, payee, counters, reason))


@lru_cache(maxsize=256)
def others(seat: int, players: int) -> tuple[Seat, ...]:
    """The other seats, from the left of this one."""
    return tuple(Seat((seat + step) % players) for step in range(1, players))


def turned_up(
    rules: Rules, turn_up: Card, dealer: Seat, board: Board, sizes: Sequence[int]
) -> tuple[list[Event], list[Transfer], bool]:
    """What the turn-up brings the dealer, and whether it ends the deal (clauses 4.1 to 4.3).

    ``sizes`` are the cards dealt to each seat.
    """
    brings = earning(rules, turn_up // 13).get(turn_up)
    if brings is None or brings.alone is None:
        return [], [], False
    pope = turn_up == POPE
    ends = pope and rules.pope_turned in (PopeTurned.ENDS, PopeTurned.THROWN_IN)
    events: list[Event] = []
    transfers = []
    for place in (brings.alone, _GAME) if ends else (brings.alone,):
        laid = stake(dealer, place, board[place])
        events.append(laid.claimed)
        transfers.append(laid.taken)
    if pope and rules.pope_turned in (PopeTurned.ENDS, PopeTurned.CARDS):
        for seat in others(dealer, len(sizes)):
            cards = sizes[seat] if rules.pope_cap is None else min(sizes[seat], rules.pope_cap)
            paid = _paid(seat, dealer, cards, Reason.POPE_TURNED)
            events.append(paid)
            transfers.append(paid.transfer)
    return events, transfers, ends


def earned(
    rules: Rules, deal: Deal, seat: Seat, card: int, board: Board, held: Sequence[int]
) -> list[Stake]:
    """What a card that a seat has just played earns, and for whom (clauses 7.1 and 7.2).

    ``held`` are the masks of what each seat now holds.
    """
    brings = earning(rules, deal.turn_up // 13).get(card)
    if brings is None:
        return []
    alone = brings.alone
    found = [] if alone is None else [stake(seat, alone, board[alone])]
    for pair, other in brings.pairs:
        if deal.hands[seat].mask >> other & 1:
            if not held[seat] >> other & 1:
                found.append(stake(seat, pair, board[pair]))
        elif rules.pairs is _SPLIT and board[pair] > 1:
            owner = next((s for s, hand in enumerate(deal.hands) if hand.mask >> other & 1), None)
            if owner is not None and not held[owner] >> other & 1:
                half = board[pair] // 2
                found += [stake(Seat(owner), pair, half), stake(seat, pair, half)]
    return found


def pope_money(rules: Rules, seat: Seat, held: Sequence[int]) -> list[Paid]:
    """What the others pay the player of Pope for the cards they hold (clause 7.5)."""
    if rules.pope_played is not _POPE_PAID:
        return []
    return [
        _paid(other, seat, cards, Reason.POPE_PLAYED)
        for other in others(seat, len(held))
        if (cards := held[other].bit_count())
    ]


def going_out(
    rules: Rules, seat: Seat, board: Board, held: Sequence[int]
) -> tuple[list[Event], list[Transfer]]:
    """What happens and is paid when a seat goes out (clauses 8.1 to 8.4)."""
    game = stake(seat, _GAME, board[_GAME])
    events: list[Event] = [game.claimed]
    transfers = [game.taken]
    stakes: dict[Compartment, int] = {}
    to_board = rules.card_money is _TO_BOARD
    if to_board:
        stakes = {place: board[place] for place in rules.compartments}
        stakes[_GAME] = 0
    for other in others(seat, len(held)):
        cards = held[other].bit_count()
        if not cards:
            continue
        if held[other] & _POPE and rules.pope_exempt:
            events.append(Excused(other, cards))
            continue
        if to_board:
            laid = _to_board(other, cards, stakes)
            transfers += laid
            events += map(Paid, laid)
        else:
            paid = _paid(other, seat, cards, _CARDS)
            transfers.append(paid.transfer)
            events.append(paid)
    return events, transfers


def _to_board(seat: Seat, cards: int, stakes: dict[Compartment, int]) -> list[Transfer]:
    """One counter a card, each to the compartment that then holds least; ``stakes`` keeps count."""
    laid = dict.fromkeys(stakes, 0)
    for _ in range(cards):
        place = min(stakes, key=stakes.__getitem__)
        stakes[place] += 1
        laid[place] += 1
    return [Transfer(seat, place, n, Reason.CARDS) for place, n in laid.items() if n]


_FINAL_HONOURS: Final = {
    Compartment.POPE: (POPE,),
    Compartment.GAME: (POPE,),
    Compartment.ACE: (Card.of(Suit.DIAMONDS, Rank.ACE),),
    Compartment.KING: (Card.of(Suit.DIAMONDS, Rank.KING),),
    Compartment.QUEEN: (Card.of(Suit.DIAMONDS, Rank.QUEEN),),
    Compartment.KNAVE: (Card.of(Suit.DIAMONDS, Rank.KNAVE),),
    Compartment.MATRIMONY: (
        Card.of(Suit.DIAMONDS, Rank.QUEEN),
        Card.of(Suit.DIAMONDS, Rank.KING),
    ),
    Compartment.INTRIGUE: (
        Card.of(Suit.DIAMONDS, Rank.QUEEN),
        Card.of(Suit.DIAMONDS, Rank.KNAVE),
    ),
}


def division(board: Board, hands: Sequence[CardSet]) -> tuple[Transfer, ...]:
    """Who takes what at a final deal; of an odd stake the queen has the odd counter (9.5)."""
    made = []
    for place, stake in board.items():
        cards = _FINAL_HONOURS[place]
        for nth, card in enumerate(cards):
            share = (stake + len(cards) - 1 - nth) // len(cards)
            seat = next(seat for seat, hand in enumerate(hands) if card in hand)
            if share:
                made.append(Transfer(place, Seat(seat), share, Reason.DIVISION))
    return tuple(made)
