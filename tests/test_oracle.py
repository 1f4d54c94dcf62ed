"""The round once more, over all axes, plainly and slowly, written from the clauses in words.

Cards are text such as ``TH``, hands are sets of text, the board is a dictionary. The engine must
agree after every card: on who is to play, on what may be led, on every purse and every stake.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan.board import Board, Compartment
from popejoan.cards import Card, CardSet, Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.testing import strategies as some

_BOARD = ["ace", "king", "queen", "knave", "game", "matrimony", "intrigue", "pope"]
_HEAD = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
_PAIR = {"matrimony": "KQ", "intrigue": "QJ"}


class _Table:
    """A table at which the rules are followed as they are said."""

    def __init__(self, rules: Rules, deal: Deal, dealer: int, board: dict[str, int]) -> None:
        self.say = rules.as_dict()
        self.ranks = "23456789TJQKA" if self.say["ace"] == "high" else "A23456789TJQK"
        self.dealer = dealer
        self.hands = [set(hand.text.split()) for hand in deal.hands]
        self.first = [len(hand) for hand in self.hands]
        self.by: dict[str, int] = {}
        self.turn_up, self.stock = repr(deal.turn_up), set(deal.stock.text.split())
        self.purses, self.board = [0] * len(self.hands), dict(board)
        self.has = [place for place in _BOARD if self.say["stakes"][place]]
        self.next: str | None = None
        self.seat: int | None = (dealer + 1) % len(self.hands)
        self.dress()
        self.turn()

    def others(self, seat: int) -> list[int]:
        return [other for other in range(len(self.hands)) if other != seat]

    def take(self, seat: int, place: str, counters: int) -> None:
        self.board[place] -= counters
        self.purses[seat] += counters

    def dress(self) -> None:
        stakes, players = self.say["stakes"], len(self.hands)
        whole = sum(stakes.values())
        how = self.say["dressing"]
        if how == "single":
            bare = [place for place in self.has if self.board[place] == 0] or ["game"]
            for place in bare:
                self.take(self.dealer, place, -1)
            return
        if how == "each":
            for place in self.has:
                for seat in range(players):
                    self.take(seat, place, -2)
            return
        if how == "dealer":
            gifts = [0] * players
        elif how == "pool":
            gifts = [2] * players
        else:
            share = 1
            while share * (players + 1) < whole:
                share += 1
            gifts = [share] * players
            gifts[self.dealer] *= 2
        gifts[self.dealer] += max(0, whole - sum(gifts))
        for place in self.has:
            self.board[place] += stakes[place]
        self.board["game"] += sum(gifts) - whole
        self.purses = [purse - gift for purse, gift in zip(self.purses, gifts)]

    def turn(self) -> None:
        rank, does = self.turn_up[0], self.say["pope_turned"]
        if self.turn_up != "9D":
            if _HEAD.get(rank) in self.has:
                self.take(self.dealer, _HEAD[rank], self.board[_HEAD[rank]])
            return
        self.take(self.dealer, "pope", self.board["pope"])
        if does in {"ends", "cards"}:
            for seat in self.others(self.dealer):
                most = self.say["pope_cap"] or 99
                self.pay(seat, self.dealer, min(most, self.first[seat]))
        if does in {"ends", "thrown-in"}:
            self.take(self.dealer, "game", self.board["game"])
            self.seat = None

    def pay(self, payer: int, payee: int, counters: int) -> None:
        self.purses[payer] -= counters
        self.purses[payee] += counters

    def above(self, card: str) -> str | None:
        at = self.ranks.index(card[0]) + 1
        if at == 13 or self.ranks[at] + card[1] == "8D":
            return None
        return self.ranks[at] + card[1]

    def may_lead(self) -> set[str]:
        assert self.seat is not None
        hand, lead = self.hands[self.seat], self.say["lead"]
        suits = [[c for c in hand if c[1] == suit] for suit in "CDHS"]
        lows = [min(cards, key=self.height) for cards in suits if cards]
        if lead == "any":
            return hand
        if lead == "lowest":
            return set(lows)
        if lead == "lowest-in-hand":
            lowest = min(map(self.height, hand))
            return {card for card in hand if self.height(card) == lowest}
        gone = {*self.by, self.turn_up}
        if self.seat == self.dealer and self.say["peek"] != "nobody":
            gone |= self.stock
        stops = {card for card in hand if self.above(card) is None or self.above(card) in gone}
        if stops:
            return stops
        if "9D" in hand:
            return {"9D"}
        longest = max(map(len, suits))
        of_longest = {low for low in lows if len([c for c in hand if c[1] == low[1]]) == longest}
        return of_longest | {card for card in hand if card[0] == "A"}

    def height(self, card: str) -> int:
        return self.ranks.index(card[0])

    def play(self, card: str) -> None:
        seat = self.seat
        assert seat is not None
        self.hands[seat].remove(card)
        self.by[card] = seat
        self.earn(seat, card)
        if not self.hands[seat]:
            self.go_out(seat)
            return
        above = self.above(card)
        holders = [other for other, hand in enumerate(self.hands) if above in hand]
        self.next = above if holders else None
        self.seat = holders[0] if holders else seat

    def earn(self, seat: int, card: str) -> None:
        if card == "9D":
            self.take(seat, "pope", self.board["pope"])
            if self.say["pope_played"] == "head-and-cards":
                for other in self.others(seat):
                    self.pay(other, seat, len(self.hands[other]))
        if card[1] != self.turn_up[1]:
            return
        if _HEAD.get(card[0]) in self.has:
            self.take(seat, _HEAD[card[0]], self.board[_HEAD[card[0]]])
        for pair, ranks in _PAIR.items():
            both = [self.by.get(rank + card[1]) for rank in ranks]
            if pair not in self.has or card[0] not in ranks or None in both:
                continue
            if both[0] == both[1]:
                self.take(seat, pair, self.board[pair])
            elif self.say["pairs"] == "split":
                half = self.board[pair] // 2
                for each in both:
                    assert each is not None
                    self.take(each, pair, half)

    def go_out(self, seat: int) -> None:
        self.seat = self.next = None
        self.take(seat, "game", self.board["game"])
        players = len(self.hands)
        for step in range(1, players):
            other = (seat + step) % players
            if "9D" in self.hands[other] and self.say["pope_exempt"]:
                continue
            for _ in self.hands[other]:
                if self.say["card_money"] == "winner":
                    self.pay(other, seat, 1)
                else:
                    self.take(other, min(self.has, key=self.board.__getitem__), -1)


def _agree(table: _Table, round: Round) -> None:
    assert round.to_act == table.seat
    assert round.balances == tuple(table.purses)
    assert round.board.as_dict() == table.board
    if table.seat is not None:
        may = {table.next} if table.next else table.may_lead()
        assert round.legal == CardSet.of(Card.parse(card) for card in may if card)


def _plays_alike(
    rules: Rules, players: int, dealer: int, seed: int, board: dict[str, int]
) -> Round:
    deal = Deal.shuffle(seed, rules=rules, players=players, dealer=dealer)
    laid = Board.of(board)
    round = Round.start(rules, deal, dealer=Seat(dealer), board=laid)
    table = _Table(rules, deal, dealer, board)
    chance = Chance(seed, purpose=Purpose.LEAD)
    _agree(table, round)
    while not round.over:
        card = chance.pick(round.legal)
        round = round.play(card)
        table.play(repr(card))
        _agree(table, round)
    return round


@pytest.mark.parametrize("name", Rules.presets())
@pytest.mark.parametrize("players", range(2, 11))
def test_the_engine_agrees_with_the_plain_table_by_every_book(name: str, players: int) -> None:
    bare = dict.fromkeys(_BOARD, 0)
    for seed in range(4):
        _plays_alike(Rules.presets()[name], players, seed % players, seed, bare)


@given(st.data(), some.rules(), some.seeds)
@settings(max_examples=80)
def test_the_engine_agrees_with_the_plain_table_under_any_rules(
    data: st.DataObject, rules: Rules, seed: int
) -> None:
    players = data.draw(some.players(rules))
    board = data.draw(some.boards(rules)).as_dict()
    _plays_alike(rules, players, data.draw(st.integers(0, players - 1)), seed, board)


@pytest.mark.parametrize(
    ("does", "cap"),
    [
        ("ends", None),
        ("ends", 4),
        ("cards", None),
        ("cards", 4),
        ("head", None),
        ("thrown-in", None),
    ],
)
def test_the_engine_agrees_with_the_plain_table_when_pope_is_turned_up(
    does: str, cap: int | None
) -> None:
    rules = Rules.read({"pope_turned": does, "pope_cap": cap, "lead": "any"})
    turned = [seed for seed in range(400) if repr(Deal.shuffle(seed).turn_up) == "9D"]
    assert len(turned) > 2
    for seed in turned:
        round = _plays_alike(rules, 4, seed % 4, seed, {**dict.fromkeys(_BOARD, 0), "pope": 9})
        assert round.board[Compartment.POPE] == 0


@pytest.mark.slow
@given(st.data(), some.rules(), some.seeds)
@settings(max_examples=10000)
def test_the_engine_agrees_with_the_plain_table_under_many_rules(
    data: st.DataObject, rules: Rules, seed: int
) -> None:
    players = data.draw(some.players(rules))
    board = data.draw(some.boards(rules)).as_dict()
    _plays_alike(rules, players, data.draw(st.integers(0, players - 1)), seed, board)
