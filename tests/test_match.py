"""A round and a match begin with what fits together, and say what does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from popejoan.board import Board, Compartment
from popejoan.cards import BadDeal, Card, IllegalChange, PopeJoanError, Seat
from popejoan.deal import Deal
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Rules

DEAL = Deal.shuffle(1)
NO_ACE = Rules.read({"stakes": {**Rules.HOYLE.stakes.as_dict(), "ace": 0}})


@pytest.mark.parametrize(
    ("begin", "says"),
    [
        (
            lambda: Round.start(Rules.HOYLE, DEAL, dealer=Seat(4)),
            "dealer 4 is no seat: they are 0 to 3",
        ),
        (
            lambda: Round.start(Rules.HOYLE, DEAL, purses=[1, 2, 3]),
            "purses has 3 and claiming 4 entries for 4 seats",
        ),
        (
            lambda: Round.start(Rules.HOYLE, DEAL, claiming=[True]),
            "purses has 4 and claiming 1 entries for 4 seats",
        ),
        (
            lambda: Round.start(NO_ACE, DEAL, board=Board.of(ace=1)),
            "ace holds 1, but these rules have no such compartment",
        ),
        (
            lambda: Round.start(Rules.PEEL, DEAL),
            "hands have 11, 11, 11, 11 cards, where 4 players are dealt 10, 10, 10, 10",
        ),
        (lambda: Match.start(players=11), "2 to 10 can play, not 11"),
        (lambda: Match.start(first_dealer=4), "dealer 4 is no seat: they are 0 to 3"),
        (lambda: Match.start(purses=[1, 2]), "purses has 2 entries for 4 players"),
        (lambda: Match.start(deals=0), "a match of 0 deals is none: play 1 or more"),
    ],
)
def test_what_does_not_fit_together_does_not_begin(begin: Callable[[], object], says: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        begin()
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "ask",
    [
        lambda match: match.play(Card.parse("9D")),
        lambda match: match.lead(Card.parse("9D")),
        lambda match: match.run_on(),
        lambda match: match.claim(Seat(0), Compartment.POPE),
    ],
)
def test_nothing_can_be_played_or_claimed_before_the_first_deal(
    ask: Callable[[Match], Match],
) -> None:
    with pytest.raises(IllegalChange, match="nothing has been dealt yet"):
        ask(Match.start())


def test_a_deal_to_another_number_of_players_is_refused() -> None:
    with pytest.raises(BadDeal, match="hands: 4 hands were dealt to 5 players"):
        Match.start(players=5).deal(DEAL)


def test_a_refused_change_leaves_the_match_as_it_was() -> None:
    match = Match.start(seed=3).deal()
    for ask in (match.end, match.divide, match.join, match.deal, lambda: match.leave(0)):
        with pytest.raises(PopeJoanError):
            ask()
    assert match == Match.start(seed=3).deal()


def test_a_card_changes_nothing_of_the_match_but_its_deal() -> None:
    match = Match.start(Rules.HOYLE, players=4, seed=5, number=3, deals=8).claim_for(2, on=False)
    match = match.deal()
    while not match.between:
        assert match.round is not None
        match = match.lead(match.round.legal[0])
    # Nothing is as it is at first, so that whatever is lost on the way is seen.
    before = match.leave(1).deal()
    assert before.round is not None
    card = before.round.legal[0]
    for after in (before.play(card), before.lead(card)):
        assert after == replace(before, round=after.round)
        assert after.round != before.round
