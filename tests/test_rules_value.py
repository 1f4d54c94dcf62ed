"""The rules as a value: read, written, and refused whole when they contradict themselves."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan.board import Board
from popejoan.cards import BadRules
from popejoan.clauses import WORDINGS, clauses
from popejoan.deal import fault_with, hand_sizes
from popejoan.rules import (
    Ace,
    CardMoney,
    Dressing,
    Lead,
    Peek,
    PopeTurned,
    Rules,
    Stock,
    TurnUp,
)
from popejoan.testing import strategies as some


@given(some.rules())
def test_rules_are_read_back_from_their_text_their_fields_and_json(rules: Rules) -> None:
    assert Rules.parse(rules.text) == rules
    assert Rules.read(rules.as_dict()) == rules
    assert Rules.read(json.loads(json.dumps(rules.as_dict()))) == rules
    assert Rules.read(rules) is rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(Rules.parse(rules.text)) == hash(rules)


@pytest.mark.parametrize("name", Rules.presets())
def test_a_preset_is_read_by_its_name_alone_and_goes_by_it(name: str) -> None:
    rules = Rules.presets()[name]
    assert getattr(Rules, name) is rules
    assert Rules.read(name.lower()) is rules
    assert rules.text == name
    assert Rules.read({"preset": name}) == rules
    assert rules.nearest == (name, rules)


def _contradictions(mix: dict[str, Any]) -> set[str]:
    """The fields at fault in a mix of values that are each of their kind, found the slow way."""
    at_fault = set()
    if 0 in (mix["stakes"].as_dict()["pope"], mix["stakes"].as_dict()["game"]):
        at_fault.add("stakes")
    if mix["stock"] is Stock.DEALT_ROUND:
        if mix["hand_size"] is not None:
            at_fault.add("hand_size")
        if mix["turn_up"] is TurnUp.IN_STOCK:
            at_fault.add("turn_up")
    if mix["lead"] is Lead.BOOK and mix["ace"] is Ace.HIGH:
        at_fault.add("lead")
    if mix["pope_cap"] is not None and mix["pope_turned"] in {
        PopeTurned.HEAD,
        PopeTurned.THROWN_IN,
    }:
        at_fault.add("pope_cap")
    if mix["dressing"] is Dressing.SINGLE and mix["card_money"] is CardMoney.WINNER:
        at_fault.add("dressing")
    return at_fault


@given(some.mixes(), st.sampled_from([None, Board.of(pope=6), Board.of(game=1), Board()]))
@settings(max_examples=300)
def test_a_mix_is_refused_with_every_contradiction_at_once_or_is_rules(
    mix: dict[str, Any], stakes: Board | None
) -> None:
    if stakes is not None:
        mix["stakes"] = stakes
    at_fault = _contradictions(mix)
    if at_fault:
        with pytest.raises(BadRules) as refused:
            Rules(**mix)
        assert {field for field, _ in refused.value.faults} == at_fault
        assert all(says in str(refused.value) for _, says in refused.value.faults)
    else:
        assert Rules(**mix).as_dict().keys() == mix.keys()


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("purse", -1, "a purse starts with 0 to 1000000 counters, not -1"),
        ("purse", 10**7, "not 10000000"),
        ("hand_size", 0, "a hand has 1 to 25 cards, not 0"),
        ("hand_size", 26, "not 26"),
        ("pope_cap", 0, "a cap is 1 to 25 counters, or none, not 0"),
        ("stakes", Board((1, 1, 1, 1, 1, 2, 2, 1001)), "pope is dressed with 0 to 1000, not 1001"),
        ("stakes", Board.of(pope=6), "a board without game is no board for Pope"),
        ("lead", "any", "'any' is not a value of this field: it takes book or any or lowest"),
        ("purse", True, "True is not a value of this field: it takes a whole number"),
        ("hand_size", "7", "it takes a whole number or none"),
        ("pope_exempt", 1, "it takes true or false"),
        ("stakes", {"pope": 6}, "it takes counters by compartment"),
    ],
)
def test_a_value_that_a_field_does_not_take_is_refused(field: str, value: Any, says: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules(**{field: value})
    assert refused.value.faults[0][0] == field
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("BRIDGE", "preset: 'BRIDGE' is no preset: they are HOYLE, CASSELL, PEEL"),
        ({"preset": 7}, "preset: 7 is no preset"),
        (None, "rules: None is neither a preset's name nor a set of fields"),
        ([], "rules: [] is neither a preset's name nor a set of fields"),
        ({"trumps": 1}, "trumps: is no field of the rules: they are ace, purse, stakes"),
        ({"HOYLE": True}, "HOYLE: is no field of the rules"),
        ({"lead": "all", "purse": "x"}, "lead: 'all' is not a value of this field"),
        ({"lead": "all", "purse": "x"}, "purse: 'x' is not a value of this field"),
        ({"stakes": {"pop": 1}}, "stakes: 'pop' is no compartment"),
        ({"stakes": 15}, "stakes: 15 is not a value of this field"),
        ({"pope_exempt": "true"}, "pope_exempt: 'true' is not a value of this field"),
        ({"ace": "high"}, "lead: the book's order leads aces"),
    ],
)
def test_rules_that_cannot_be_read_are_refused_with_the_field(source: object, says: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules.read(source)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "preset: '' is no preset"),
        ("HOYLE lead", "lead: write a field as name=value"),
        ("HOYLE lead=any lead=any", "lead: is given twice"),
        ("HOYLE preset=PEEL", "preset: is given twice"),
        ("HOYLE lead=all", "lead: 'all' is not a value of this field"),
        ("HOYLE purse=many", "purse: 'many' is not a value"),
        ("HOYLE purse=12345678901", "purse: '12345678901' is not a value"),
        ("HOYLE pope_exempt=maybe", "pope_exempt: 'maybe' is not a value"),
        ("HOYLE stakes=pope:x", "stakes: 'pope:x' is not a value"),
        ("HOYLE stakes=pope:" + "9" * 5000, "stakes: 'pope:999"),
        ("HOYLE purse=none", "purse: None is not a value"),
        ("HOYLE stakes=pope", "stakes: 'pope' is not a value"),
        ("HOYLE trumps=none", "trumps: is no field of the rules"),
    ],
)
def test_text_that_is_no_rules_is_refused_with_the_word(text: str, says: str) -> None:
    with pytest.raises(BadRules) as refused:
        Rules.parse(text)
    assert says in str(refused.value)


def test_rules_cannot_be_changed_but_others_can_be_made_from_them() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules.HOYLE.purse = 3  # type: ignore[misc]
    assert replace(Rules.HOYLE, purse=3).text == "HOYLE purse=3"


@given(some.rules())
def test_every_field_has_its_words(rules: Rules) -> None:
    assert list(WORDINGS) == [each.name for each in fields(Rules)]
    told = clauses(rules)
    assert [clause.field for clause in told] == list(WORDINGS)
    for clause in told:
        assert clause.value == getattr(rules, clause.field)
        assert clause.sentence.endswith(".")
        assert "{" not in clause.sentence
        assert clause.source


@pytest.mark.parametrize("lead", Lead)
def test_the_strategy_finds_every_value_of_every_choice(lead: Lead) -> None:
    found: dict[str, set[Any]] = {each.name: set() for each in fields(Rules)}

    @given(some.rules(lead=lead))
    @settings(max_examples=200)
    def look(rules: Rules) -> None:
        for name, values in found.items():
            values.add(getattr(rules, name))

    look()
    assert found["lead"] == {lead}
    for name, wording in WORDINGS.items():
        if name == "lead" or (name == "ace" and lead is Lead.BOOK):
            continue
        assert set(wording.values) - {"set"} <= found[name]


def test_rules_that_cannot_be_dealt_to_so_many_say_why() -> None:
    assert fault_with(Rules.HOYLE, 4) is None
    assert fault_with(Rules.HOYLE, 1) == "players: 2 to 10 can play, not 1"
    assert fault_with(Rules.HOYLE, 11) == "players: 2 to 10 can play, not 11"
    alone = fault_with(Rules(peek=Peek.SITS_OUT), 2)
    assert alone == "peek: a dealer who sits out leaves too few: 3 or more must play"
    assert fault_with(Rules(hand_size=13), 4) == (
        "hand_size: 4 hands of 13 are more than the 50 cards beside the turn-up"
    )


@given(some.rules(), st.data())
def test_hands_are_dealt_as_equally_as_the_rules_say(rules: Rules, data: st.DataObject) -> None:
    players = data.draw(some.players(rules))
    dealer = data.draw(st.integers(0, players - 1))
    for sizes in hand_sizes(rules, players, dealer):
        dealt = [size for seat, size in enumerate(sizes) if size or seat != dealer]
        assert sum(sizes) <= 50
        assert min(dealt) >= 1
        assert max(dealt) - min(dealt) <= (rules.stock is Stock.DEALT_ROUND)
        assert (sizes[dealer] == 0) is (rules.peek is Peek.SITS_OUT)
