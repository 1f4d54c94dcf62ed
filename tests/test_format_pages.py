"""The pages on the record and on the JSON deal: their examples hold, and they leave nothing out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from popejoan import json_deal, lines
from popejoan.notation import Record

DOCS = Path(__file__).parent.parent / "docs"
RECORD = (DOCS / "record.md").read_text(encoding="utf-8")
JSON = (DOCS / "json-deal.md").read_text(encoding="utf-8")


def examples(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)


def test_the_long_example_of_a_record_is_written_as_the_program_writes_it() -> None:
    text, _ = examples(RECORD, "text")
    record = Record.read(text)
    assert record.text == text
    match = record.match
    assert match.sitting == (0, 1, 3)
    assert match.round is not None
    assert match.round.forced


def test_the_short_example_of_a_record_is_a_whole_one() -> None:
    _, text = examples(RECORD, "text")
    (round_,) = Record.read(text).rounds
    assert [repr(card) for card in round_.leads] == ["KD", "3S", "KH"]


@pytest.mark.parametrize("word", ["name", *lines.HEAD, *lines.BODY, *lines.CARDS])
def test_each_word_of_a_record_is_explained(word: str) -> None:
    assert re.search(rf"`{word}( \d+)?(:[^`]*)?`", RECORD)


def test_the_limits_of_a_record_are_told() -> None:
    assert f"{lines.LONGEST:,} characters" in RECORD
    assert f"{lines.MOST_CHANGES:,} lines" in RECORD
    assert f"`{lines.TITLE} {lines.VERSION}`" in RECORD


def test_the_example_of_a_deal_in_json_comes_to_what_is_printed() -> None:
    asked, answered, refusal = map(json.loads, examples(JSON, "json"))
    assert json_deal.outcome(asked) == answered
    assert json_deal.outcome({**asked, "leads": ["JS", "QS"]}) == refusal


def test_each_key_of_a_deal_in_json_is_explained() -> None:
    asked, answered, _ = map(json.loads, examples(JSON, "json"))
    for key in ("rules", "dealer", "board", "deal.hands", "deal.turn_up", "deal.stock", "leads"):
        assert f"| `{key}` |" in JSON
    for key in answered:
        assert f"| `{key}` |" in JSON
    assert set(asked) == {"rules", "dealer", "board", "deal", "leads"}
    assert f"{json_deal.LONGEST_LINE:,} bytes" in JSON
