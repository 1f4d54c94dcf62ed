"""The 51 cards, sets of them, and their texts: every value of the small types is tried."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popejoan.cards import PACK, POPE, BadCard, Card, CardSet, Order, Rank, Suit
from popejoan.testing import strategies as some


def test_the_pack_is_every_card_but_the_eight_of_diamonds() -> None:
    numbers = [suit * 13 + rank - 1 for suit in Suit for rank in Rank]
    assert [int(card) for card in PACK] == [number for number in numbers if number != 20]
    assert len(PACK) == 51
    with pytest.raises(BadCard, match="the eight of diamonds is not in the pack"):
        Card.of(Suit.DIAMONDS, Rank.EIGHT)


@pytest.mark.parametrize("number", [-1, 52, 99, 2.5, "9D", None, []])
def test_a_number_of_no_card_is_refused(number: object) -> None:
    with pytest.raises(BadCard, match="no card has the number"):
        Card(number)  # type: ignore[arg-type]


@pytest.mark.parametrize("card", PACK, ids=repr)
def test_every_card_is_read_back_from_every_way_to_write_it(card: Card) -> None:
    rank = "10" if card.rank is Rank.TEN else card.rank.letter
    white = "♧♢♡♤"[card.suit]
    for text in (
        repr(card), str(card), repr(card).lower(), f" {rank}{card.suit.letter} ",
        rank + card.suit.pip + "\ufe0e", rank + white + "\ufe0f",
    ):  # fmt: skip
        assert Card.parse(text) is card
    assert f"{card:>4}" == str(card).rjust(4)
    assert Card.of(card.suit, card.rank) is card is Card(int(card))
    assert card.words == f"{card.rank.name.lower()} of {card.suit.name.lower()}"
    assert pickle.loads(pickle.dumps(card)) is card
    assert card.alone == CardSet.of([card])


@pytest.mark.parametrize(
    "text", ["", "9", "D9", "1D", "11D", "9X", "9D9D", "joker", "Ａ♠", "x" * 99]
)
def test_text_that_is_no_card_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(BadCard, match="is not a card: write a rank, A 2 to 10") as refused:
        Card.parse(text)
    assert len(str(refused.value)) < 140


@pytest.mark.parametrize("thing", [None, 9, b"9D", ["9D"]])
def test_what_is_no_text_is_no_card(thing: object) -> None:
    with pytest.raises(BadCard, match="is not a card: a card is text such as"):
        Card.parse(thing)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["8D", "8d", "8♦"])
def test_the_eight_of_diamonds_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(BadCard, match="taken out to make a stop"):
        Card.parse(text)


def test_with_the_ace_low_nothing_follows_the_kings_and_the_seven_of_diamonds() -> None:
    order = Order.ace_low()
    assert CardSet(order.fixed_stops) == CardSet.parse("KC KD KH KS 7D")
    for card in PACK:
        stop = card in CardSet(order.fixed_stops)
        above = -1 if stop else Card.of(card.suit, Rank(card.rank + 1))
        assert order.following[card] == above


@pytest.mark.parametrize("ace_high", [False, True])
def test_an_order_says_the_same_of_a_card_whichever_way_it_is_asked(*, ace_high: bool) -> None:
    order = Order.of(ace_high=ace_high)
    ranks = [*list(Rank)[1:], Rank.ACE] if ace_high else list(Rank)
    for card in PACK:
        height = ranks.index(card.rank)
        assert order.height(card) == height
        above = None
        if height < 12 and card != Card.parse("7D"):
            above = Card.of(card.suit, ranks[height + 1])
        assert order.following[card] == (-1 if above is None else above)
        assert bool(order.fixed_stops & card.bit) is (above is None)
        below = [other for other in PACK if order.following[other] == card]
        assert CardSet(order.below(card.bit)) == CardSet.of(below)
        assert order.upon(card.bit) == (0 if above is None else above.bit)


@given(some.card_sets(), st.booleans())
def test_the_cards_upon_some_are_the_next_of_each(cards: CardSet, high: bool) -> None:
    order = Order.of(ace_high=high)
    assert order.upon(cards.mask) == sum(order.above[card] for card in cards)


@given(some.card_sets(1), st.booleans())
def test_the_lowest_of_a_suit_is_the_card_that_stands_lowest(cards: CardSet, high: bool) -> None:
    order = Order.of(ace_high=high)
    for suit in Suit:
        if held := cards.of_suit(suit):
            assert order.lowest(held.mask) == min(held, key=order.height).bit


@given(some.card_sets(), some.card_sets())
def test_card_sets_do_what_sets_do(one: CardSet, other: CardSet) -> None:
    mine, theirs = set(one), set(other)
    assert set(one | other) == mine | theirs
    assert set(one & other) == mine & theirs
    assert set(one - other) == mine - theirs
    assert (one <= other) is (mine <= theirs)
    assert (one == other) is (mine == theirs)
    assert len(one) == len(mine)
    assert bool(one) is bool(mine)
    assert list(one) == sorted(mine) == [one[place] for place in range(len(one))]
    assert all((card in one) is (card in mine) for card in PACK)
    assert sum(len(one.of_suit(suit)) for suit in Suit) == len(one)


@given(some.card_sets())
def test_the_texts_of_a_card_set_are_read_back(cards: CardSet) -> None:
    assert CardSet.parse(cards.text) == CardSet.parse(str(cards).replace(" ", ", ")) == cards
    assert eval(repr(cards)) == cards


def test_a_card_set_of_no_cards_or_the_same_twice_is_refused() -> None:
    for mask in (1 << 20, 1 << 52, -1):
        with pytest.raises(BadCard, match="has a bit that is no card of the pack"):
            CardSet(mask)
    with pytest.raises(BadCard, match="9D stands twice in '9D 9d'"):
        CardSet.parse("9D 9d")
    for place in (-1, 1):
        with pytest.raises(IndexError, match=f"no card stands at place {place} of 1"):
            POPE.alone[place]
    assert "9D" not in POPE.alone
    assert 99 not in POPE.alone
