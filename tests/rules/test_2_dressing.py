"""Chapter 2 of RULES.md: dressing the board."""

from __future__ import annotations

import pytest

from popejoan.board import Board, Compartment
from popejoan.cards import BadRules, Card
from popejoan.match import Match
from popejoan.rules import Rules

from .table import begin, dressed, dressing, led, payments, played_out

FIFTEEN = Board.of(ace=1, king=1, queen=1, knave=1, game=1, matrimony=2, intrigue=2, pope=6)
FIVE_POOL = Rules.read(
    {"stakes": {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1, "game": 1}, "lead": "any"}
)


def by(dressing: str) -> Rules:
    return Rules.read(
        {"dressing": dressing, "card_money": "board" if dressing == "single" else "winner"}
    )


def game_with(counters: int) -> Board:
    return Board.of({**FIFTEEN.as_dict(), "game": counters})


@pytest.mark.parametrize("preset", Rules.presets())
def test_2_1_fifteen_counters_dress_the_board(preset: str) -> None:
    assert Rules.presets()[preset].stakes == FIFTEEN
    assert FIFTEEN.total == 15


def test_2_1_the_five_pool_board_takes_twelve() -> None:
    gifts, board = dressed(FIVE_POOL, 3)
    assert gifts == (12, 0, 0)
    assert board == Board.of(pope=6, matrimony=2, intrigue=2, ace=1, game=1)


def test_2_1_a_card_without_a_compartment_earns_nothing_played() -> None:
    round = begin("JS QS KS 2H / 3C 4C 5C 6C", "2S", rules=FIVE_POOL).lead(Card.parse("JS"))
    assert payments(round) == ["intrigue 2 to 0", "matrimony 2 to 0"]


def test_2_1_a_board_of_pope_and_game_alone_is_enough() -> None:
    rules = Rules.read({"stakes": {"pope": 6, "game": 1}, "lead": "any"})
    round = led(begin("JS QS KS 9D / 3C 4C 5C 6C", "2S", rules=rules), "JS 9D")
    assert payments(round) == ["pope 6 to 0", "game 1 to 0", "1 4 to 0"]


@pytest.mark.parametrize("turn_up", ["KS", "QS", "JS"])
def test_2_1_a_card_without_a_compartment_earns_nothing_turned_up(turn_up: str) -> None:
    assert payments(begin("3C / 4C", turn_up, rules=FIVE_POOL)) == []
    assert payments(begin("3C / 4C", "AS", rules=FIVE_POOL)) == ["ace 1 to 1"]


@pytest.mark.parametrize("bare", ["pope", "game"])
def test_2_1_a_board_has_pope_and_game(bare: str) -> None:
    with pytest.raises(BadRules, match=f"a board without {bare} is no board for Pope"):
        Rules.read({"stakes": {**FIFTEEN.as_dict(), bare: 0}})


def test_2_1_counters_cannot_lie_in_a_compartment_that_the_board_has_not() -> None:
    with pytest.raises(ValueError, match="king holds 3, but these rules have no such compartment"):
        begin("3C / 4C", rules=FIVE_POOL, board=Board.of(king=3))


@pytest.mark.parametrize("players", range(2, 11))
def test_2_2_the_dealer_dresses_the_board_alone(players: int) -> None:
    gifts, board = dressed(by("dealer"), players)
    assert gifts == (15,) + (0,) * (players - 1)
    assert board == FIFTEEN


@pytest.mark.parametrize(
    ("players", "dealer", "game"),
    [
        (2, 13, 1),
        (3, 11, 1),
        (4, 9, 1),
        (5, 7, 1),
        (6, 5, 1),
        (7, 3, 1),
        (8, 2, 2),
        (9, 2, 4),
        (10, 2, 6),
    ],
)
def test_2_2_with_a_pool_each_gives_two_and_the_dealer_and_game_take_the_difference(
    players: int, dealer: int, game: int
) -> None:
    gifts, board = dressed(by("pool"), players)
    assert gifts == (dealer,) + (2,) * (players - 1)
    assert board == game_with(game)


@pytest.mark.parametrize(
    ("players", "share", "game"),
    [
        (2, 5, 1),
        (3, 4, 2),
        (4, 3, 1),
        (5, 3, 4),
        (6, 3, 7),
        (7, 2, 2),
        (8, 2, 4),
        (9, 2, 6),
        (10, 2, 8),
    ],
)
def test_2_2_with_a_raise_the_dealer_gives_double_and_the_remainder_goes_to_game(
    players: int, share: int, game: int
) -> None:
    gifts, board = dressed(by("raise"), players)
    assert gifts == (2 * share,) + (share,) * (players - 1)
    assert board == game_with(game)


@pytest.mark.parametrize("players", [2, 5, 10])
def test_2_2_each_may_lay_two_counters_in_every_compartment(players: int) -> None:
    gifts, board = dressed(by("each"), players)
    assert gifts == (16,) * players
    assert board.counters == (2 * players,) * 8


def test_2_2_each_lays_two_only_in_the_compartments_that_the_board_has() -> None:
    rules = Rules.read({"stakes": FIVE_POOL.stakes.as_dict(), "dressing": "each"})
    gifts, board = dressed(rules, 3)
    assert gifts == (10, 10, 10)
    assert board == Board.of(pope=6, matrimony=6, intrigue=6, ace=6, game=6)


def test_2_2_single_the_dealer_lays_one_counter_in_each_bare_compartment() -> None:
    assert dressed(by("single"), 4) == ((8, 0, 0, 0), Board((1,) * 8))
    held = Board.of(ace=2, king=1, queen=4, matrimony=3, pope=9)
    round = begin("3C / 4C", rules=by("single"), board=held)
    assert dressing(round) == ["1 1 to knave", "1 1 to game", "1 1 to intrigue"]


def test_2_2_single_or_one_in_game_when_none_is_bare() -> None:
    round = begin("3C / 4C", rules=by("single"), board=Board((1,) * 8))
    assert dressing(round) == ["1 1 to game"]
    assert round.board[Compartment.GAME] == 2


def test_2_2_single_goes_with_card_money_to_the_board_only() -> None:
    with pytest.raises(BadRules, match="card_money=board"):
        Rules.read({"dressing": "single"})


def test_2_2_each_gift_of_a_pool_stands_in_the_ledger() -> None:
    round = begin("3C / 4C / 5C", rules=by("pool"))
    assert dressing(round) == [
        "0 1 to ace",
        "0 1 to king",
        "1 1 to queen",
        "1 1 to knave",
        "2 1 to game",
        "2 2 to matrimony",
        "2 2 to intrigue",
        "2 6 to pope",
    ]


def test_2_3_the_dressing_is_laid_on_top_of_what_lies_there() -> None:
    before = Board.of(ace=3, matrimony=7, pope=12)
    round = begin("3C / 4C", board=before)
    assert round.board == Board.of(
        ace=4, king=1, queen=1, knave=1, game=1, matrimony=9, intrigue=2, pope=18
    )
    assert round.balances == (0, -15)


def test_2_3_from_one_deal_of_a_match_to_the_next() -> None:
    match = played_out(Match.start(players=4, seed=5).deal())
    left = match.board
    after = match.deal().round
    assert after is not None
    assert after.opening.board == left
    gifts = [t for t in after.ledger.transfers if t.reason == "dressing"]
    assert sum(gift.counters for gift in gifts) == 15


def test_2_3_carried_stakes_are_earned_with_the_dressing() -> None:
    round = led(begin("9D 3S / 4C 5C", "2S", board=Board.of(pope=20)), "9D")
    assert payments(round) == ["pope 26 to 0"]
