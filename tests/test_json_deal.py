"""The JSON deal: what goes in, what it comes to, and what is refused, where and why."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from tests.playthroughs import RECORDS

from popejoan.board import Compartment
from popejoan.deal import Deal
from popejoan.json_deal import LONGEST_LINE, answer, outcome, outcome_of, refused
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.terminal.replay import answer_lines

E7: dict[str, Any] = {
    "rules": "PEEL",
    "dealer": 0,
    "board": {"pope": 3},
    "deal": {
        "hands": [
            ["6C", "TC", "TD", "AH", "2H", "6H", "5S", "8S"],
            ["AC", "QC", "5D", "7D", "4H", "JH", "JS", "KS"],
            ["2C", "JC", "6D", "JD", "KD", "5H", "TH", "6S"],
            ["3C", "8C", "9C", "8H", "QH", "KH", "7S", "TS"],
            ["7C", "AD", "9D", "AS", "2S", "3S", "9S", "QS"],
        ],
        "turn_up": "7H",
        "stock": ["4C", "5C", "KC", "2D", "3D", "4D", "QD", "3H", "9H", "4S"],
    },
    "leads": ["JS", "5D", "AC", "QH"],
}
"""Peel's deal of five, up to matrimony."""


def e7(*path: str | int, to: Any = None, more: dict[str, Any] | None = None) -> dict[str, Any]:
    """The deal with what lies at a path put in its place, and these keys too."""
    deal: Any = copy.deepcopy(E7)
    deal |= more or {}
    here = deal
    for key in path[:-1]:
        here = here[key]
    if path:
        here[path[-1]] = to
    whole: dict[str, Any] = deal
    return whole


def without(*path: str) -> dict[str, Any]:
    deal: Any = copy.deepcopy(E7)
    here = deal
    for key in path[:-1]:
        here = here[key]
    del here[path[-1]]
    whole: dict[str, Any] = deal
    return whole


def lines(*texts: str | bytes) -> tuple[bool, list[dict[str, Any]]]:
    """What the stream answers to these lines, and whether all were deals."""
    source = io.BytesIO(b"\n".join(t if isinstance(t, bytes) else t.encode() for t in texts))
    sink = io.StringIO()
    whole = answer_lines(source, sink)
    return whole, [json.loads(line) for line in sink.getvalue().splitlines()]


# What a deal comes to


def test_a_deal_going_on_comes_to_what_is_paid_and_who_leads_what() -> None:
    assert outcome(E7) == {
        "balances": [-6, -3, -3, 1, -3],
        "board": {
            "ace": 1,
            "king": 0,
            "queen": 0,
            "knave": 1,
            "game": 4,
            "matrimony": 0,
            "intrigue": 2,
            "pope": 9,
        },
        "payments": [
            {"compartment": "queen", "seat": 3, "counters": 1},
            {"compartment": "king", "seat": 3, "counters": 1},
            {"compartment": "matrimony", "seat": 3, "counters": 2},
        ],
        "plays": [
            [1, "JS"], [4, "QS"], [1, "KS"], [1, "5D"], [2, "6D"], [1, "7D"],
            [1, "AC"], [2, "2C"], [3, "3C"], [3, "QH"], [3, "KH"],
        ],
        "leader": 3,
        "legal": ["8C", "9C", "8H", "7S", "TS"],
        "over": False,
        "winner": None,
    }  # fmt: skip


def test_a_deal_played_out_has_a_winner_and_no_leader() -> None:
    out = outcome(e7("leads", to=["JS", "5D", "AC", "QH", "7S", "9C", "JH", "4H"]))
    assert out["balances"] == [-12, 15, -8, -1, -3]
    assert (out["over"], out["winner"], out["leader"], out["legal"]) == (True, 1, None, [])
    assert out["payments"][-1] == {"compartment": "game", "seat": 1, "counters": 4}
    assert list(out) == [
        "balances", "board", "payments", "plays", "leader", "legal", "over", "winner"
    ]  # fmt: skip
    assert list(out["board"]) == list(Compartment)


def test_a_turned_up_pope_ends_the_deal_for_the_dealer() -> None:
    deal = next(d for s in range(500) if repr((d := Deal.shuffle(s)).turn_up) == "9D")
    out = outcome({"deal": as_json(deal), "dealer": 3})
    assert out["payments"] == [
        {"compartment": "pope", "seat": 3, "counters": 6},
        {"compartment": "game", "seat": 3, "counters": 1},
    ]
    assert out["balances"] == [-11, -11, -11, 33 - 15 + 7]
    assert (out["over"], out["winner"], out["plays"]) == (True, 3, [])
    late = outcome({"deal": as_json(deal), "leads": [repr(min(deal.hands[0]))]})
    assert late["at"] == "leads[0]"
    assert "the round is over" in late["error"]


def as_json(deal: Deal) -> dict[str, Any]:
    return {
        "hands": [hand.text.split() for hand in deal.hands],
        "turn_up": repr(deal.turn_up),
        "stock": deal.stock.text.split(),
    }


def test_only_the_deal_must_be_given() -> None:
    deal = as_json(Deal.shuffle(1))
    whole = {"rules": "HOYLE", "dealer": 0, "board": {}, "deal": deal, "leads": []}
    assert outcome({"deal": deal}) == outcome(whole)
    assert outcome({"deal": deal})["leader"] == 1


def test_cards_may_be_written_as_people_do() -> None:
    changed = e7("leads", to=["j♠", " 5d ", "A♣", "qh"])
    changed["deal"]["hands"][0][1] = "10♣"
    changed["deal"]["turn_up"] = "7♥"
    changed["deal"]["stock"].reverse()
    assert outcome(changed) == outcome(E7)


def test_rules_may_be_a_preset_with_fields_changed() -> None:
    rules = {"preset": "peel", "pope_cap": 4, "stakes": {"pope": 6, "game": 1}}
    out = outcome(e7("rules", to=rules))
    assert [payment["compartment"] for payment in out["payments"]] == []
    assert outcome(e7("rules", to=Rules.PEEL.as_dict())) == outcome(E7)


def test_a_first_lead_that_is_not_allowed_is_refused_with_the_rule() -> None:
    deal = as_json(Deal.shuffle(1))
    assert outcome({"deal": deal})["legal"] == ["9D"]
    barred = next(card for card in deal["hands"][1] if card != "9D")
    assert outcome({"deal": deal, "leads": [barred]}) == {
        "error": f"{barred} may not be led: with no known stop in hand Pope must be led: 9D",
        "at": "leads[0]",
    }


# What is refused

REFUSED: list[tuple[Any, str, str]] = [
    (None, "", "a deal for the game is an object with rules, dealer, board, deal, leads, not null"),
    ([], "", "not a list"),
    ("HOYLE", "", "not 'HOYLE'"),
    (5, "", "not a whole number"),
    (object(), "", "not something that JSON does not have"),
    ({}, "deal", "the deal is missing: hands, turn_up and stock"),
    (e7(more={"players": 5}), "players", "'players' is none of the keys here: rules, dealer"),
    (e7(more={"x" * 99: 5}), "x" * 77 + "...", "is none of the keys here"),
    (e7("deal", "talon", to=[]), "deal.talon", "'talon' is none of the keys here: hands"),
    (e7("deal", to=[]), "deal", "deal is an object with hands, turn_up, stock, not a list"),
    (without("deal", "hands"), "deal.hands", "hands is missing from the deal"),
    (without("deal", "turn_up"), "deal.turn_up", "turn_up is missing from the deal"),
    (without("deal", "stock"), "deal.stock", "stock is missing from the deal"),
    # rules
    (e7("rules", to="HOYL"), "rules", "'HOYL' is no preset: they are HOYLE, CASSELL"),
    (e7("rules", to="x" * 9999), "rules", "'xxx"),
    (e7("rules", to=None), "rules", "a preset's name or an object, not null"),
    (e7("rules", to=7), "rules", "a preset's name or an object, not a whole number"),
    (e7("rules", to=["HOYLE"]), "rules", "a preset's name or an object, not a list"),
    (e7("rules", to={"preset": 7}), "rules.preset", "7 is no preset"),
    (e7("rules", to={"lead": "some"}), "rules.lead", "'some' is not a value of this field"),
    (e7("rules", to={"lead": []}), "rules.lead", "a word or a number, not a list"),
    (e7("rules", to={"lead": {}}), "rules.lead", "a word or a number, not an object"),
    (e7("rules", to={"leads": "any"}), "rules.leads", "is no field of the rules"),
    (e7("rules", to={"purse": -1}), "rules.purse", "a purse starts with 0 to 1000000 counters"),
    (e7("rules", to={"purse": 4.5}), "rules.purse", "4.5 is not a value of this field"),
    (e7("rules", to={"purse": True}), "rules.purse", "True is not a value of this field"),
    (e7("rules", to={"ace": "high"}), "rules.lead", "it wants ace=low"),
    (e7("rules", to={"hand_size": 40}), "rules.hand_size", "a hand has 1 to 25 cards, not 40"),
    (e7("rules", to={"hand_size": 25}), "rules.hand_size", "are more than the 50 cards"),
    (e7("rules", to={"stakes": {"pope": 0}}), "rules.stakes", "a board without pope is no board"),
    (e7("rules", to={"stakes": {"hope": 1}}), "rules.stakes.hope", "none of the keys here: ace"),
    (e7("rules", to={"stakes": {"pope": "6"}}), "rules.stakes.pope", "a whole number from 0"),
    (e7("rules", to={"stakes": 6}), "rules.stakes", "is not a value of this field"),
    # dealer
    (e7("dealer", to=5), "dealer", "a dealer is a whole number from 0 to 4, not 5"),
    (e7("dealer", to=-1), "dealer", "not -1"),
    (e7("dealer", to=True), "dealer", "not true"),
    (e7("dealer", to=1.0), "dealer", "not a fraction"),
    (e7("dealer", to="0"), "dealer", "not '0'"),
    (e7("dealer", to=None), "dealer", "not null"),
    (e7("dealer", to=10**4000), "dealer", "not a number of many digits"),
    # board
    (e7("board", to=[]), "board", "board is an object with ace, king"),
    (e7("board", to={"hope": 1}), "board.hope", "'hope' is none of the keys here: ace, king"),
    (e7("board", to={"POPE": 1}), "board.POPE", "'POPE' is none of the keys here"),
    (e7("board", to={"pope": -1}), "board.pope", "a stake is a whole number from 0 to 1000000000"),
    (e7("board", to={"pope": 10**9 + 1}), "board.pope", "not 1000000001"),
    (e7("board", to={"pope": 1.5}), "board.pope", "not a fraction"),
    (e7("board", to={"pope": False}), "board.pope", "not false"),
    (
        e7("board", to={"ace": 1}, more={"rules": {"stakes": {"pope": 6, "game": 1}}}),
        "board.ace",
        "these rules have no compartment ace",
    ),
    # cards
    (e7("deal", "hands", to={}), "deal.hands", "a list with a list of cards a seat"),
    (e7("deal", "hands", to=[[]]), "deal.hands", "2 to 10 can play, not 1"),
    (e7("deal", "hands", to=[[]] * 11), "deal.hands", "2 to 10 can play, not 11"),
    (e7("deal", "hands", 1, to="AC QC"), "deal.hands[1]", "is a list of cards, not 'AC QC'"),
    (e7("deal", "hands", 1, to={"AC": 1}), "deal.hands[1]", "is a list of cards, not an object"),
    (e7("deal", "hands", 1, to=None), "deal.hands[1]", "is a list of cards, not null"),
    (e7("deal", "hands", 1, 3, to="8D"), "deal.hands[1][3]", "8D is not in the pack"),
    (e7("deal", "hands", 1, 3, to="1D"), "deal.hands[1][3]", "'1D' is not a card: write a rank"),
    (e7("deal", "hands", 1, 3, to=""), "deal.hands[1][3]", "'' is not a card"),
    (e7("deal", "hands", 1, 3, to=33), "deal.hands[1][3]", "a card is text such as '9D'"),
    (e7("deal", "hands", 1, 3, to=["7D"]), "deal.hands[1][3]", "not a list"),
    (e7("deal", "hands", 1, 3, to=None), "deal.hands[1][3]", "not null"),
    (e7("deal", "hands", 1, 3, to="AC"), "deal.hands[1][3]", "AC stands here and in deal.hands[1]"),
    (e7("deal", "hands", 1, 3, to="6C"), "deal.hands[1][3]", "6C stands here and in deal.hands[0]"),
    (e7("deal", "stock", 0, to="6C"), "deal.stock[0]", "6C stands here and in deal.hands[0]"),
    (e7("deal", "stock", 9, to="7H"), "deal.stock[9]", "7H stands here and in deal.turn_up"),
    (e7("deal", "turn_up", to="QS"), "deal.turn_up", "QS stands here and in deal.hands[4]"),
    (e7("deal", "turn_up", to=["7H"]), "deal.turn_up", "not a list"),
    (e7("deal", "turn_up", to="joker"), "deal.turn_up", "'joker' is not a card"),
    (e7("deal", "stock", to=[]), "deal", "4C 5C KC 2D 3D 4D QD 3H 9H 4S missing: each of the 51"),
    (e7("deal", "stock", to="4C"), "deal.stock", "is a list of cards, not '4C'"),
    (
        e7("deal", "hands", to=[[*E7["deal"]["hands"][0], *E7["deal"]["hands"][1]],
                                *E7["deal"]["hands"][2:]]),
        "deal.hands",
        "hands have 16, 8, 8, 8 cards, where 4 players are dealt 10, 10, 10, 10",
    ),
    # leads
    (e7("leads", to="JS"), "leads", "the leads are a list of cards, not 'JS'"),
    (e7("leads", to={"JS": 1}), "leads", "the leads are a list of cards, not an object"),
    (e7("leads", to=None), "leads", "not null"),
    (e7("leads", to=["JS", "5D", None]), "leads[2]", "a card is text such as '9D'"),
    (e7("leads", to=["JS", "5D", ["AC"]]), "leads[2]", "not a list"),
    (e7("leads", to=["JS", "5D", "ZC"]), "leads[2]", "'ZC' is not a card"),
    (e7("leads", to=["JS", "QS"]), "leads[1]", "QS is not in the hand of seat 1"),
    (e7("leads", to=["6C"]), "leads[0]", "6C is not in the hand of seat 1"),
    (e7("leads", to=["7H"]), "leads[0]", "7H is not in the hand of seat 1"),
    (e7("leads", to=["JS", "JS"]), "leads[1]", "JS is not in the hand of seat 1"),
    (
        e7("leads", to=["JS", "5D", "AC", "QH", "7S", "9C", "JH", "4H", None]),
        "leads[8]",
        "a card is text",
    ),
    (
        e7("leads", to=["JS", "5D", "AC", "QH", "7S", "9C", "JH", "4H", "8H"]),
        "leads[8]",
        "8H cannot be played: the round is over",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("obj", "at", "says"), REFUSED)
def test_what_is_no_deal_is_refused_with_its_place(obj: Any, at: str, says: str) -> None:
    before = copy.deepcopy(obj) if isinstance(obj, dict) else obj
    out = outcome(obj)
    assert set(out) == {"error", "at"}
    assert out["at"] == at
    assert says in out["error"]
    assert 0 < len(out["error"]) <= 500
    assert obj == before
    assert refused(out)
    assert not refused(outcome(E7))


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("", "character 1", "this is not JSON"),
        ("   ", "character 4", "this is not JSON"),
        ("Pope", "character 1", "this is not JSON"),
        ('{"deal": ', "character 10", "this is not JSON"),
        ('{"deal": 1} {"deal": 2}', "character 13", "this is not JSON: Extra data"),
        ("{'deal': 1}", "character 2", "this is not JSON"),
        ('{"deal": "\x01"}', "character 11", "this is not JSON"),
        ('{"dealer": 0, "dealer": 1}', "dealer", "the key 'dealer' stands twice in one object"),
        ('{"board": {"pope": 1, "pope": 1}}', "pope", "the key 'pope' stands twice"),
        ('{"dealer": NaN}', "", "NaN is no number of JSON"),
        ('{"dealer": -Infinity}', "", "-Infinity is no number of JSON"),
        ('{"deal": {"hands": 1e999, "turn_up": 1, "stock": 1}}', "deal.hands", "not a fraction"),
        ('{"dealer": ' + "9" * 5000 + "}", "", "a number in this has too many digits"),
        ("[" * 50_000 + "]" * 50_000, "", "this is nested too deep for a deal"),
        ('{"rules":' * 9_000 + "1" + "}" * 9_000, "", "nested too deep"),
        ("[1]" + " " * LONGEST_LINE, "", f"a deal takes up to {LONGEST_LINE} bytes of JSON"),
        ("1", "", "a deal for the game is an object"),
        ("null", "", "not null"),
        (b'{"deal": "\xff"}', "byte 11", "this is not UTF-8"),
        (b"\x00", "character 1", "this is not JSON"),
        ('{"dealer": "\\ud800", "deal": 1}', "deal", "not a whole number"),
        ('{"\\ud800": 1}', "\\ud800", "is none of the keys here"),
    ],
)
def test_a_line_that_is_no_deal_is_answered_and_the_next_is_read(
    text: str | bytes, at: str, says: str
) -> None:
    good = json.dumps(E7)
    whole, answers = lines(good, text, good)
    assert not whole
    assert answers[0] == answers[2] == outcome(E7)
    assert answers[1]["at"] == at
    assert says in answers[1]["error"]


def test_each_line_is_answered_at_once_by_one_line() -> None:
    assert lines() == (True, [])
    whole, answers = lines(json.dumps(E7), "\ufeff" + json.dumps(E7), json.dumps(E7))
    assert whole
    assert answers == [outcome(E7)] * 3

    class Watched(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            Watched.flushed += 1

    sink = Watched()
    answer_lines(io.BytesIO(b"1\r\n\r\n2\n" + b"x" * (3 * LONGEST_LINE)), sink)
    assert Watched.flushed == 4
    assert sink.getvalue().count("\n") == 4


@pytest.mark.parametrize("prefix", ["", " \n", "\ufeff", "\ufeff\r\n "])
def test_a_text_may_be_a_deal_or_a_record(prefix: str) -> None:
    text = prefix + json.dumps(E7, indent=2)
    assert answer(text) == answer(text.encode()) == outcome(E7)


def test_a_record_of_one_deal_comes_to_the_same_as_its_json() -> None:
    text = (RECORDS / "E7.txt").read_text(encoding="utf-8")
    (round_,) = Record.read(text).rounds
    out = answer(text)
    assert out == answer(text.encode()) == outcome_of(round_)
    assert out == outcome(
        {"rules": "PEEL", "deal": as_json(round_.deal), "leads": list(map(repr, round_.leads))}
    )


def test_a_record_of_several_deals_comes_to_a_list() -> None:
    text = (RECORDS / "HOYLE-4.txt").read_text(encoding="utf-8")
    out = answer(text)
    assert isinstance(out, list)
    assert [len(each["balances"]) for each in out] == [4, 5, 5]
    assert not refused(out)
    assert answer("Pope Joan record 1\nplayers: 4") == []


def test_a_record_within_a_run_is_run_on_to_the_next_choice() -> None:
    text = (RECORDS / "E7.txt").read_text(encoding="utf-8")
    within = text[: text.index("lead 1: 5D")] + "lead 1: 5D 6D ...\n"
    out = answer(within)
    assert isinstance(out, dict)
    assert out["plays"][-1] == [1, "7D"]
    assert out["leader"] == 1


def test_a_damaged_record_is_refused_at_its_line() -> None:
    assert answer("Pope Joan record 1\nplayers: 99") == {
        "error": "2 to 10 can play, not '99'",
        "at": "line 2",
    }
    assert answer(b"\xff\xfe") == {
        "error": "byte 0xff is not UTF-8: save the record as UTF-8",
        "at": "line 1",
    }
    assert "up to" in str(answer("x" * 3_000_000))
    assert refused(answer(""))
    assert "a deal takes up to" in str(answer("{" + " " * 200_000))


def test_an_outcome_needs_no_deal_in_json() -> None:
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(3))
    assert outcome_of(round_) == outcome({"deal": as_json(Deal.shuffle(3))})
