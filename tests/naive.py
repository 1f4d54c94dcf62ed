"""HOYLE once more, plainly and slowly: a deal and its leads, and what each is paid.

Written from the rulings, not from the engine: cards are text such as ``TH``, hands are sets of
text, the board is a dictionary. It knows no option, makes every claim, and refuses nothing.
"""

from __future__ import annotations

from typing import Any

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PLACES = ("ace", "king", "queen", "knave", "game", "matrimony", "intrigue", "pope")
DRESSING = (1, 1, 1, 1, 1, 2, 2, 6)
HEADS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
POPE = "9D"
PACK = [rank + suit for suit in SUITS for rank in RANKS if rank + suit != "8D"]


def above(card: str) -> str | None:
    """The next card up in the suit; None above a king, and above 7D, as 8D is not in the pack."""
    rank, suit = card[0], card[1]
    if rank == "K" or card == "7D":
        return None
    return RANKS[RANKS.index(rank) + 1] + suit


def may_lead(hand: set[str], known_gone: set[str]) -> set[str]:
    """Ruling 4: a stop he knows; else Pope; else the lowest of a longest suit, or any ace."""
    stops = {card for card in hand if above(card) is None or above(card) in known_gone}
    if stops:
        return stops
    if POPE in hand:
        return {POPE}
    suits = [sorted((c for c in hand if c[1] == suit), key=PACK.index) for suit in SUITS]
    longest = max(map(len, suits))
    return {cards[0] for cards in suits if len(cards) == longest} | {
        card for card in hand if card[0] == "A"
    }


def outcome(
    hands: list[list[str]],
    turn_up: str,
    stock: list[str],
    leads: list[str],
    dealer: int = 0,
    board: dict[str, int] | None = None,
) -> dict[str, Any]:
    """What the deal comes to after these leads, in the shape of the JSON answer."""
    players = range(len(hands))
    lies = {place: (board or {}).get(place, 0) for place in PLACES}
    won = [0 for _ in players]
    payments: list[dict[str, Any]] = []
    plays: list[list[Any]] = []

    def take(seat: int, place: str) -> None:
        payments.append({"compartment": place, "seat": seat, "counters": lies[place]})
        won[seat] += lies[place]
        lies[place] = 0

    # Ruling 2: the dealer lays fifteen.
    for place, stake in zip(PLACES, DRESSING, strict=True):
        lies[place] += stake
        won[dealer] -= stake

    # Ruling 3: the turn-up.
    trump = turn_up[1]
    leader: int | None = (dealer + 1) % len(hands)
    winner: int | None = None
    if turn_up == POPE:
        take(dealer, "pope")
        take(dealer, "game")
        for seat in players:
            if seat != dealer:
                won[seat] -= len(hands[seat])
                won[dealer] += len(hands[seat])
        leader, winner = None, dealer
    elif turn_up[0] in HEADS:
        take(dealer, HEADS[turn_up[0]])

    # The play: each lead runs up its suit through whoever holds the next card.
    held = [set(hand) for hand in hands]
    played: dict[str, int] = {}
    for lead in leads:
        card: str | None = lead
        while card is not None and winner is None:
            holders = [seat for seat in players if card in held[seat]]
            if not holders:
                break
            seat = leader = holders[0]
            held[seat].remove(card)
            played[card] = seat
            plays.append([seat, card])

            # Ruling 7: what the card earns.
            if card == POPE:
                take(seat, "pope")
            if card[1] == trump and card[0] in HEADS:
                take(seat, HEADS[card[0]])
                for pair, ranks in (("matrimony", "KQ"), ("intrigue", "QJ")):
                    if card[0] in ranks and all(played.get(r + trump) == seat for r in ranks):
                        take(seat, pair)

            # Ruling 9: out.
            if not held[seat]:
                winner = seat
                take(seat, "game")
                for other in players:
                    if other != seat and POPE not in held[other]:
                        won[other] -= len(held[other])
                        won[seat] += len(held[other])
            card = above(card)

    legal: set[str] = set()
    if winner is not None:
        leader = None
    elif leader is not None:
        known_gone = {*played, turn_up} | (set(stock) if leader == dealer else set())
        legal = may_lead(held[leader], known_gone)
    return {
        "balances": won,
        "board": lies,
        "payments": payments,
        "plays": plays,
        "leader": leader,
        "legal": sorted(legal, key=PACK.index),
        "over": winner is not None,
        "winner": winner,
    }
