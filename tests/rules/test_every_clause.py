"""RULES.md as a whole: every clause is tested, every field and value stands in it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from popejoan.board import Board
from popejoan.cards import BadRules
from popejoan.clauses import WORDINGS, clauses
from popejoan.rules import Rules

from .tables import CONTRADICTIONS, PAGE, shown, written

ROOT = PAGE.parent
TEXT = PAGE.read_text(encoding="utf-8")
NUMBERS = re.findall(r"^### (\d+\.\d+) ", TEXT, re.MULTILINE)
BODIES = dict(re.findall(r"^### (\d+\.\d+) [^\n]*\n(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL))
TESTS = [
    name
    for path in Path(__file__).parent.glob("test_[0-9]*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def clause_of(test: str) -> str:
    """The clause in a test's name."""
    found = re.match(r"test_(\d+)_(\d+)_\w", test)
    assert found, f"{test} is not named by a clause"
    return ".".join(found.groups())


def test_the_clauses_are_numbered_in_order_within_their_chapters() -> None:
    chapters = re.findall(r"^## (\d+) ", TEXT, re.MULTILINE)
    assert chapters == [str(number) for number in range(1, len(chapters) + 1)]
    expected: dict[str, int] = {}
    for number in NUMBERS:
        chapter, _, nth = number.partition(".")
        expected[chapter] = expected.get(chapter, 0) + 1
        assert int(nth) == expected[chapter], number
    assert list(expected) == chapters


@pytest.mark.parametrize("number", NUMBERS)
def test_a_clause_is_cited_by_a_test(number: str) -> None:
    assert number in {clause_of(test) for test in TESTS}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_clause_names_its_books_or_its_ruling(number: str) -> None:
    assert re.search(r"^\*(Books:|Ruling[:.])", BODIES[number], re.MULTILINE)


def test_every_test_is_named_by_a_clause_of_the_page() -> None:
    assert {clause_of(test) for test in TESTS} <= set(NUMBERS)


def test_a_file_of_tests_holds_its_own_chapter() -> None:
    for path in Path(__file__).parent.glob("test_[0-9]*.py"):
        chapter = path.name.split("_")[1]
        found = re.findall(r"^def test_(\d+)_", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(found) == {chapter}


def test_the_clauses_that_the_sources_cite_are_on_the_page() -> None:
    for path in sorted((ROOT / "src" / "popejoan").rglob("*.py")):
        for cited in re.findall(r"[Cc]lauses? ((?:\d+\.\d+(?:, | and | to )?)+)", path.read_text()):
            missing = set(re.findall(r"\d+\.\d+", cited)) - set(NUMBERS)
            assert not missing, f"{path.name} cites {missing}"


def test_the_tables_are_up_to_date() -> None:
    assert written(TEXT) == TEXT, "run python -m tests.rules.tables"


@pytest.mark.parametrize("name", [each.name for each in fields(Rules)])
def test_a_field_stands_in_its_clause_and_in_the_table(name: str) -> None:
    wording = WORDINGS[name]
    assert f"`{name}`" in BODIES[wording.number].partition("*Field:*")[2]
    for value in wording.values:
        row = "| *" if value == "set" else f"| `{shown(value)}` |"
        assert f"| {wording.number} | `{name}` {row}" in TEXT


@pytest.mark.parametrize("name", [each.name for each in fields(Rules)])
def test_every_value_of_a_field_has_words(name: str) -> None:
    value = getattr(Rules.HOYLE, name)
    if isinstance(value, bool):
        assert set(WORDINGS[name].values) == {True, False}
    elif isinstance(value, StrEnum):
        assert set(WORDINGS[name].values) == set(type(value))
    elif isinstance(value, Board | int):
        assert set(WORDINGS[name].values) == {"set"}
    else:
        assert set(WORDINGS[name].values) == {None, "set"}


@pytest.mark.parametrize("name", [each.name for each in fields(Rules)])
def test_a_field_names_the_clause_of_its_words(name: str) -> None:
    source = (ROOT / "src" / "popejoan" / "rules.py").read_text(encoding="utf-8")
    said = re.search(rf'^    {name}: .*\n    """(.*) Clause (.*)\."""', source, re.MULTILINE)
    assert said is not None
    assert said.groups() == (WORDINGS[name].question, WORDINGS[name].number)


def test_the_fields_come_in_the_order_of_the_clauses() -> None:
    numbers = [WORDINGS[each.name].number for each in fields(Rules)]
    assert numbers == sorted(numbers)
    assert list(WORDINGS) == [each.name for each in fields(Rules)]


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_preset_stands_on_the_page_and_reads_in_words(preset: str) -> None:
    assert f" {preset} |" in TEXT
    for clause in clauses(Rules.presets()[preset]):
        assert clause.sentence.endswith(".")
        assert "{" not in clause.sentence
        assert clause.source


def test_a_number_and_a_board_read_in_words() -> None:
    rules = Rules.read({"hand_size": 6, "pope_cap": 4, "stakes": {"pope": 6, "game": 1}})
    words = {clause.field: clause.sentence for clause in clauses(rules)}
    assert words["hand_size"] == "Each hand has 6 cards; the rest is the stock."
    assert words["pope_cap"] == "No player pays more than 4 for a turned-up Pope."
    assert words["stakes"] == "The board is dressed with game 1, pope 6."


@pytest.mark.parametrize("mix", CONTRADICTIONS, ids=str)
def test_a_contradiction_is_refused_in_words(mix: dict[str, Any]) -> None:
    with pytest.raises(BadRules) as error:
        Rules.read(mix)
    assert len(error.value.faults) == 1
    field, says = error.value.faults[0]
    assert field in mix or field in {"lead", "dressing"}
    assert says in TEXT


def test_every_contradiction_is_told_at_once() -> None:
    with pytest.raises(BadRules) as error:
        Rules.read(
            {
                "ace": "high",
                "purse": -1,
                "hand_size": 30,
                "stock": "dealt-round",
                "turn_up": "in-stock",
                "pope_turned": "head",
                "pope_cap": 99,
                "dressing": "single",
                "stakes": {"ace": 1},
            }
        )
    found = Counter(field for field, _ in error.value.faults)
    assert found == Counter(
        stakes=2, purse=1, hand_size=2, turn_up=1, lead=1, pope_cap=2, dressing=1
    )


def test_a_value_of_the_wrong_kind_is_refused_before_anything_else() -> None:
    with pytest.raises(BadRules, match="it takes low or high"):
        replace(Rules.HOYLE, ace=True)  # type: ignore[arg-type]
