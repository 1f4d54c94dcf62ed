"""Chapter 8 of RULES.md: going out."""

from __future__ import annotations

import pytest

from popejoan.board import Board
from popejoan.cards import POPE, Card, IllegalPlay, Seat
from popejoan.events import Excused, RoundOver, WentOut
from popejoan.round import Round
from popejoan.rules import Rules

from .table import FREE, begin, fill, led, payments, plays, stakes

NO_EXCUSE = Rules.read({"lead": "any", "pope_exempt": False})
TO_BOARD = Rules.read({"lead": "any", "card_money": "board"})


def test_8_1_the_first_to_play_his_last_card_takes_game() -> None:
    round = led(begin("3C 5H / 4C 9C / 6C 8S"), "3C 9C")
    assert (round.over, round.winner, round.to_act) == (True, 1, None)
    assert payments(round) == ["game 1 to 1", "2 2 to 1", "0 1 to 1"]
    assert round.events[-1] == RoundOver(Seat(1))
    assert WentOut(Seat(1)) in round.events


def test_8_1_the_deal_ends_in_the_middle_of_a_run() -> None:
    round = led(begin("3C 5C / 4C 6C"), "3C")
    assert plays(round) == "0:3C 1:4C 0:5C"
    assert (round.winner, round.hand(1).text) == (0, "6C")


def test_8_1_it_ends_in_the_middle_of_a_run_card_by_card_too() -> None:
    round = begin("3C / 4C").play(Card.parse("3C"))
    assert round.over
    with pytest.raises(IllegalPlay, match="4C cannot be played: the round is over"):
        round.play(Card.parse("4C"))


def test_8_1_a_player_may_go_out_on_anothers_lead() -> None:
    round = led(begin("3H 3C 9S / KH 2H 4C / 8S TS QS", dealer=0), "KH 2H 3C")
    assert plays(round) == "1:KH 1:2H 0:3H 0:3C 1:4C"
    assert round.winner == 1
    assert payments(round) == ["game 1 to 1", "2 3 to 1", "0 1 to 1"]


def test_8_1_first_what_the_last_card_earns_and_then_game() -> None:
    assert payments(led(begin("KS / 4C", "5S"), "KS")) == [
        "king 1 to 0",
        "game 1 to 0",
        "1 1 to 0",
    ]


def test_8_1_game_is_all_that_lies_in_that_compartment_and_no_other() -> None:
    round = led(begin("3C / 4C", board=Board.of(game=5, pope=9)), "3C")
    assert payments(round) == ["game 6 to 0", "1 1 to 0"]
    assert round.board.total == 15 + 14 - 6


def test_8_1_game_needs_no_claim() -> None:
    round = led(begin("3C / 4C", claiming="--"), "3C")
    assert payments(round) == ["game 1 to 0", "1 1 to 0"]
    assert round.due == ()


def test_8_2_each_other_player_pays_a_counter_for_each_card_left() -> None:
    round = led(begin("3C TC QC / 4C 6C 8C / 5C 7H 9H / 3H 5H 7S", dealer=3), "QC TC 3C")
    assert plays(round) == "0:QC 0:TC 0:3C"
    assert payments(round) == ["game 1 to 0", "1 3 to 0", "2 3 to 0", "3 3 to 0"]
    assert round.balances == (10, -3, -3, -18)


def test_8_2_and_none_for_those_played() -> None:
    round = led(begin("AC TC QC / 2C 6C 8C / 3C 4C 9H", dealer=2), "AC")
    assert (plays(round), round.to_act) == ("0:AC 1:2C 2:3C 2:4C", 2)
    round = led(round, "9H")
    assert payments(round) == ["game 1 to 2", "0 2 to 2", "1 2 to 2"]


def test_8_3_a_seat_still_holding_pope_pays_nothing() -> None:
    round = led(begin("3C TC / 9D 4H / 5H 6H"), "TC 3C")
    assert payments(round) == ["game 1 to 0", "2 2 to 0"]
    assert Excused(Seat(1), 2) in round.events
    assert round.balances == (3, 0, -17)


def test_8_3_a_seat_that_has_played_pope_pays_like_the_rest() -> None:
    round = led(begin("3C TC QC / 9D 4H 2C / 5H 6H 8H", dealer=0), "9D")
    assert round.to_act == 1
    round = led(round, "2C")
    assert (plays(round), round.to_act) == ("1:9D 1:2C 0:3C", 0)
    round = led(round, "QC TC")
    assert payments(round) == ["pope 6 to 1", "game 1 to 0", "1 1 to 0", "2 3 to 0"]
    assert not [event for event in round.events if isinstance(event, Excused)]


def test_8_3_nobody_is_excused_when_pope_is_in_the_stock() -> None:
    round = led(begin("3C / 4C / 5C"), "3C")
    assert POPE in round.dead
    assert payments(round) == ["game 1 to 0", "1 1 to 0", "2 1 to 0"]


def test_8_3_nobody_is_excused_when_pope_is_turned_up() -> None:
    rules = Rules.read({"lead": "any", "pope_turned": "head"})
    round = led(begin("3C / 4C / 5C", "9D", rules=rules), "3C")
    assert payments(round) == ["pope 6 to 2", "game 1 to 0", "1 1 to 0", "2 1 to 0"]


def test_8_3_without_the_excuse_the_holder_of_pope_pays() -> None:
    round = led(begin("3C TC / 9D 4H / 5H 6H", rules=NO_EXCUSE), "TC 3C")
    assert payments(round) == ["game 1 to 0", "1 2 to 0", "2 2 to 0"]


@pytest.mark.parametrize("preset", Rules.presets())
def test_8_3_every_preset_excuses_the_holder_of_pope(preset: str) -> None:
    rules = Rules.presets()[preset]
    round = led(begin("3C / 9D / 5H", rules=rules), "3C")
    assert payments(round)[1:] == ["2 1 to 0"]
    assert Excused(Seat(1), 1) in round.events


def test_8_4_card_money_goes_to_the_winner() -> None:
    assert payments(led(begin("3C / 4C / 5C", rules=FREE), "3C"))[1:] == ["1 1 to 0", "2 1 to 0"]


def test_8_4_to_the_board_each_counter_goes_where_least_lies() -> None:
    # Dressed 1 1 1 1 1 2 2 6; Game is taken, and each lays one counter after the other.
    round = led(begin("3C TC QC / 4C 6C 8C / 5C 7H 9H", rules=TO_BOARD), "QC TC 3C")
    assert payments(round) == [
        "game 1 to 0",
        "1 1 to ace",
        "1 1 to king",
        "1 1 to game",
        "2 1 to queen",
        "2 1 to knave",
        "2 1 to game",
    ]
    assert round.board == Board.of(
        ace=2, king=2, queen=2, knave=2, game=2, matrimony=2, intrigue=2, pope=6
    )
    assert round.balances == (1, -3, -18)


def test_8_4_to_the_board_the_bare_compartments_are_covered_first() -> None:
    round = led(begin("KS TC QC / 4C 6C 8C", "5S", rules=TO_BOARD), "KS QC TC")
    assert payments(round) == [
        "king 1 to 0",
        "game 1 to 0",
        "1 1 to ace",
        "1 1 to king",
        "1 1 to game",
    ]
    assert stakes(round.board, "ace king queen game") == [2, 1, 1, 1]


def test_8_4_to_the_board_the_holder_of_pope_pays_nothing() -> None:
    round = led(begin("3C TC / 9D 4H / 5H 6H", rules=TO_BOARD), "TC 3C")
    assert payments(round) == ["game 1 to 0", "2 1 to ace", "2 1 to game"]


def test_8_4_to_the_board_of_five_pools() -> None:
    five = {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1, "game": 1}
    rules = Rules.read({"lead": "any", "card_money": "board", "stakes": five})
    round = led(begin("3C TC QC / 4C 6C 8C", rules=rules), "QC TC 3C")
    assert payments(round)[1:] == ["1 1 to ace", "1 2 to game"]
    assert round.board == Board.of(pope=6, matrimony=2, intrigue=2, ace=2, game=2)


def test_8_4_the_money_for_pope_goes_to_its_player_even_so() -> None:
    rules = Rules.read({"lead": "any", "card_money": "board", "pope_played": "head-and-cards"})
    round = led(begin("9D 3H / 4C 6C", rules=rules), "9D")
    assert payments(round) == ["pope 6 to 0", "1 2 to 0"]


def test_8_4_in_a_full_deal_of_hoyle() -> None:
    round = Round.start(Rules.HOYLE, fill("///", rules=Rules.HOYLE))
    while not round.over:
        round = round.lead(min(round.legal))
    assert round.winner is not None
    for seat in range(4):
        money = [
            t.counters
            for t in round.ledger.transfers
            if t.payer == seat and t.reason == "cards" and t.payee == round.winner
        ]
        owes = 0 if POPE in round.hand(seat) else len(round.hand(seat))
        assert sum(money) == owes
