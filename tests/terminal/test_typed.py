"""Claims about cards as people type them."""

from __future__ import annotations

import re

import pytest

from popejoan import PACK, Card, CardSet
from popejoan.terminal.typed import Unclear, card_typed

LEGAL = tuple(CardSet.parse("3C 7C KS JD 9D AS 10H"))


@pytest.mark.parametrize("card", list(PACK), ids=repr)
def test_every_card_can_be_typed_in_every_way(card: Card) -> None:
    letter, rank = card.suit.letter, "10" if repr(card)[0] == "T" else repr(card)[0]
    name = card.rank.name.lower()
    ways = [
        repr(card), str(card), rank + letter, (rank + letter).lower(), letter + rank,
        (letter + rank).lower(), card.suit.pip + rank, f"{rank} {letter}", card.words,
        f"the {card.words.upper()}", f"{rank} of {card.suit.name}", f"{name} {card.suit.name[:2]}",
        f"{card.suit.name.lower()}, {name}", f"  {card!s}\ufe0e ",
    ]  # fmt: skip
    for text in ways:
        assert card_typed(text, ()) == card, text
    if name == "knave":
        assert card_typed(card.words.replace("knave", "jack"), ()) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("knave", "JD"), ("jack", "JD"), ("kn", "JD"), ("j", "JD"), ("k", "KS"), ("ki", "KS"),
        ("pope", "9D"), ("po", "9D"), ("pope joan", "9D"), ("a", "AS"), ("ace", "AS"),
        ("h", "10H"), ("hearts", "10H"), ("10", "10H"), ("t", "10H"), ("9", "9D"), ("1", "3C"),
        ("2", "7C"), ("#2", "7C"), ("# 7", "KS"), ("sev", "7C"),
    ],
)  # fmt: skip
def test_half_a_name_or_a_number_will_do_where_it_is_clear(text: str, card: str) -> None:
    assert card_typed(text, LEGAL, LEGAL) == Card.parse(card)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("7", "7 is both choice 7, K♠, and the rank of 7♣: write #7"),
        ("s", "fits more than one card: A♠ K♠"),
        ("d", "fits more than one card: 9♦ J♦"),
        ("queen", "no card in your hand fits 'queen'"),
        ("#9", "there is no choice 9: the choices are 1 to 7"),
        ("#0", "there is no choice 0"),
        ("99", "there is no choice 99"),
        ("8d", "the eight of diamonds is not in the pack"),
        ("frob", "is no card and no word of the game"),
        ("", "is no card"),
        ("seven of", "is no card"),
        ("seven clubs spades", "is no card"),
        ("clubs spades", "is no card"),
        ("²", "is no card"),
        ("x" * 99, "xxx~"),
        ("\ufffd", "is no card"),
    ],
)
def test_what_is_not_clear_is_refused_with_what_would_do(text: str, says: str) -> None:
    if text == "seven of":
        assert card_typed(text, LEGAL, LEGAL) == Card.parse("7C")
        return
    with pytest.raises(Unclear, match=re.escape(says)):
        card_typed(text, LEGAL, LEGAL)


def test_a_number_with_one_choice_or_none_is_refused_in_words() -> None:
    with pytest.raises(Unclear, match="the choices are 1 alone"):
        card_typed("#5", LEGAL[:1])
    with pytest.raises(Unclear, match="the choices are none"):
        card_typed("#1", ())


def test_a_card_in_hand_is_understood_though_it_may_not_be_led() -> None:
    assert card_typed("kna", LEGAL[:1], LEGAL) == Card.parse("JD")
