"""The tables of RULES.md, written from the fields of the rules and their words.

``python -m tests.rules.tables`` writes them into the page; a test holds the page to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from popejoan.board import Board
from popejoan.cards import BadRules
from popejoan.clauses import WORDINGS
from popejoan.rules import Rules

PAGE: Final = Path(__file__).parents[2] / "RULES.md"

CONTRADICTIONS: Final[tuple[dict[str, Any], ...]] = (
    {"stakes": {"pope": 6}},
    {"stakes": {"game": 1}},
    {"stakes": {"pope": 1001, "game": 1}},
    {"purse": -1},
    {"hand_size": 0},
    {"hand_size": 26},
    {"hand_size": 9, "stock": "dealt-round"},
    {"turn_up": "in-stock", "stock": "dealt-round"},
    {"lead": "book", "ace": "high"},
    {"pope_cap": 4, "pope_turned": "head"},
    {"pope_cap": 4, "pope_turned": "thrown-in"},
    {"pope_cap": 0},
    {"pope_cap": 26},
    {"dressing": "single"},
)
"""Mixes that make no sense, each with one fault."""


def shown(value: object) -> str:
    """A field's value as it stands in a table."""
    if isinstance(value, Board):
        return "as in 2.1" if value == Rules.HOYLE.stakes else str(value.as_dict())
    return str(value).lower()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def presets() -> str:
    """Each field's value in each preset; what differs from HOYLE in bold."""
    rows = []
    for each in fields(Rules):
        usual = getattr(Rules.HOYLE, each.name)
        row = [WORDINGS[each.name].number, f"`{each.name}`"]
        for rules in Rules.presets().values():
            value = getattr(rules, each.name)
            row.append(shown(value) if value == usual else f"**{shown(value)}**")
        rows.append(row)
    return table(["clause", "field", *Rules.presets()], rows)


def all_fields() -> str:
    """Each value of each field: its clause, what it means, and the books that have it."""
    rows = []
    for name, wording in WORDINGS.items():
        for value, (sentence, source) in wording.values.items():
            any_ = "*counters in each compartment*" if name == "stakes" else "*a number*"
            words = any_ if value == "set" else f"`{shown(value)}`"
            said = sentence.format(value="*so many*")
            row = [wording.number, f"`{name}`", words, said, source]
            rows.append(row)
    return table(["clause", "field", "value", "what it means", "books"], rows)


def refused() -> str:
    """Each mix that makes no sense, and what the refusal says."""
    rows = []
    for mix in CONTRADICTIONS:
        try:
            Rules.read(mix)
        except BadRules as error:
            rows.append([f"`{mix_text(mix)}`", "; ".join(says for _, says in error.faults)])
    return table(["a mix", "why it is refused"], rows)


def mix_text(mix: dict[str, Any]) -> str:
    """A mix as it is written on one line."""
    return " ".join(
        f"{name}={','.join(f'{k}:{v}' for k, v in value.items())}"
        if isinstance(value, dict)
        else f"{name}={value}"
        for name, value in mix.items()
    )


def written(page: str) -> str:
    """The page with its tables written anew between their marks."""
    for name, make in {"presets": presets, "fields": all_fields, "refused": refused}.items():
        start, end = f"<!-- {name}: written by tests/rules/tables.py -->\n", "<!-- end -->"
        before, found, rest = page.partition(start)
        assert found, f"RULES.md has no place for the table of {name}"
        page = f"{before}{start}\n{make()}\n\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
