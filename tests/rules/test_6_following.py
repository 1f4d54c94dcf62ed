"""Chapter 6 of RULES.md: following, and stops."""

from __future__ import annotations

import pytest

from popejoan.cards import Card, CardSet, IllegalPlay
from popejoan.rules import Rules

from .table import begin, led, plays, stops

HIGH = Rules.read({"ace": "high", "lead": "any"})


def test_6_1_whoever_holds_the_next_card_plays_it_wherever_he_sits() -> None:
    round = begin("3C AH AS / 6C 5H 5S / 5C 3H 3S / 4C 2H TS").lead(Card.parse("3C"))
    assert plays(round) == "0:3C 3:4C 2:5C 1:6C"


def test_6_1_the_leader_follows_his_own_card() -> None:
    round = begin("3C 4C 6C 2H / 5C 3H 4H 5H").lead(Card.parse("3C"))
    assert plays(round) == "0:3C 0:4C 1:5C 0:6C"


def test_6_1_nobody_holds_back_and_no_other_card_is_played() -> None:
    round = begin("3C AH / 5C KH / 4C 3H").play(Card.parse("3C"))
    assert (round.to_act, round.forced, round.legal) == (2, True, CardSet.parse("4C"))
    assert round.refusal(Card.parse("3H")) == "3H is not the run's next card, 4C"
    with pytest.raises(IllegalPlay, match="AH is not the run's next card, 4C"):
        round.play(Card.parse("AH"))
    with pytest.raises(IllegalPlay, match="3H cannot be led: the run goes on with 4C"):
        round.lead(Card.parse("3H"))
    assert plays(round.play(Card.parse("4C"))) == "0:3C 2:4C"
    assert plays(round.run_on()) == "0:3C 2:4C 1:5C"


def test_6_1_with_the_ace_high_the_ace_of_clubs_must_follow_the_king() -> None:
    round = begin("KC 3H / AC KH / 4C 3S", rules=HIGH).play(Card.parse("KC"))
    assert (round.to_act, round.forced, round.legal) == (1, True, CardSet.parse("AC"))
    assert round.refusal(Card.parse("KH")) == "KH is not the run's next card, AC"
    with pytest.raises(IllegalPlay, match="KH cannot be led: the run goes on with AC"):
        round.lead(Card.parse("KH"))
    followed = round.play(Card.parse("AC"))
    assert plays(followed) == plays(round.run_on()) == "0:KC 1:AC"
    assert [type(play).__name__ for play in followed.plays] == ["Led", "Followed"]


def test_6_1_card_by_card_and_run_by_run_are_the_same_game() -> None:
    start = begin("3C 4C 6C 2H / 5C 3H 4H 5H")
    slow = start
    for card in ["3C", "4C", "5C", "6C"]:
        slow = slow.play(Card.parse(card))
    assert slow == led(start, "3C") == start.play(Card.parse("3C")).run_on()


@pytest.mark.parametrize(
    ("card", "turn_up", "stop"),
    [
        ("KC", "2D", "end"),
        ("KD", "2S", "end"),
        ("7D", "2S", "removed"),
        ("9S", "TS", "turn-up"),
        ("9D", "TD", "turn-up"),
        ("AS", "2S", "turn-up"),
        ("9S", "2D", "stock"),
        ("9D", "2S", "stock"),
    ],
)
def test_6_2_a_run_stops_for_its_reason(card: str, turn_up: str, stop: str) -> None:
    round = begin(f"{card} 3H / 4C 6H", turn_up).lead(Card.parse(card))
    assert stops(round) == [f"0:{card} {stop}"]


def test_6_2_a_card_is_a_stop_when_the_next_has_been_played() -> None:
    round = led(begin("8C 3H 5H / 6C 7H QH / 7C 9H TH"), "8C")
    assert stops(round) == ["0:8C stock"]
    round = led(begin("8C 6C 5H / 5S 7H QH / 7C 9H TH"), "8C 6C")
    assert plays(round) == "0:8C 0:6C 2:7C"
    assert stops(round) == ["0:8C stock", "2:7C played"]


def test_6_2_the_seven_of_diamonds_stops_before_pope_in_the_same_hand() -> None:
    round = led(begin("6D 9D 3H / 7D 4S 4C", "2S"), "6D")
    assert plays(round) == "0:6D 1:7D"
    assert stops(round) == ["1:7D removed"]


def test_6_2_the_ten_of_diamonds_follows_pope() -> None:
    assert plays(led(begin("9D 3H / TD 4S", "2S"), "9D")) == "0:9D 1:TD"


@pytest.mark.parametrize(
    ("rules", "reasons"),
    [(None, ["1:KC end"]), (HIGH, ["1:KC stock"])],
)
def test_6_2_a_king_ends_its_suit_unless_the_ace_is_high(
    rules: Rules | None, reasons: list[str]
) -> None:
    table = begin("QC 3H / KC 4S") if rules is None else begin("QC 3H / KC 4S", rules=rules)
    assert stops(led(table, "QC")) == reasons


@pytest.mark.parametrize(
    ("turn_up", "drawn", "leads", "reason"),
    [
        ("AC", "QC 3H / KC 4S", "QC", "1:KC turn-up"),
        ("2D", "AC QC 3H / KC 4S 6S", "AC QC", "1:KC played"),
        ("2D", "QC 3H / AC 4S", "QC", "0:QC stock"),
    ],
)
def test_6_2_with_the_ace_high_a_king_stops_when_the_ace_is_gone(
    turn_up: str, drawn: str, leads: str, reason: str
) -> None:
    assert stops(led(begin(drawn, turn_up, rules=HIGH), leads))[-1] == reason


def test_6_3_whoever_played_the_stop_leads_next() -> None:
    round = led(begin("3C AH 3S / 4C KH KS / 5C TH TS"), "3C")
    assert stops(round) == ["2:5C stock"]
    assert (round.to_act, round.leader, round.forced) == (2, 2, False)


def test_6_3_a_leader_of_a_stop_leads_again() -> None:
    round = led(begin("KC AH KS 4D / 4C KH 9S 3S"), "KC KS AH")
    assert plays(round) == "0:KC 0:KS 0:AH"
    assert round.to_act == 0
