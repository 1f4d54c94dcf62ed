"""The command ``rules``: the rules in words, with clause and book, and how two sets differ."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer

from popejoan.cards import BadRules
from popejoan.clauses import WORDINGS, Clause, clauses
from popejoan.rules import Rules
from popejoan.terminal.screen import Screen

__all__ = ["difference", "rules_in_words", "rules_json", "rules_of"]


def rules_of(preset: str, changes: Sequence[str] = ()) -> Rules:
    """The rules of a preset with fields set; raise a usage error that says what would do."""
    try:
        return Rules.parse(" ".join([preset.strip() or "''", *changes]))
    except BadRules as error:
        raise typer.BadParameter(str(error)) from None


def rules_in_words(screen: Screen, rules: Rules) -> None:
    """Print every clause."""
    screen.say(f"Rules: {rules.text}", "bold")
    for clause in clauses(rules):
        screen.say(f"{clause.number:<5}{clause.sentence} [{clause.source}]", hang=5)


def _field(clause: Clause, rules: Rules) -> dict[str, object]:
    return {
        "clause": clause.number,
        "field": clause.field,
        "value": rules.as_dict()[clause.field],
        "question": WORDINGS[clause.field].question,
        "sentence": clause.sentence,
        "source": clause.source,
    }


def rules_json(rules: Rules, other: Rules | None = None) -> str:
    """The rules as JSON; compared with others, only the fields that differ, with both values."""
    named = clauses(rules)
    if other is None:
        shown = {"rules": rules.text, "fields": [_field(clause, rules) for clause in named]}
        return json.dumps(shown, ensure_ascii=False, indent=2)
    fields = [
        {"this": _field(mine, rules), "other": _field(its, other)}
        for mine, its in zip(named, clauses(other))
        if mine.value != its.value
    ]
    shown = {"rules": rules.text, "other": other.text, "fields": fields}
    return json.dumps(shown, ensure_ascii=False, indent=2)


def difference(screen: Screen, rules: Rules, other: Rules) -> None:
    """Print the clauses on which two sets of rules differ."""
    screen.say(f"{rules.text}, compared with {other.text}", "bold")
    differ = False
    for mine, its in zip(clauses(rules), clauses(other)):
        if mine.value != its.value:
            differ = True
            screen.say()
            screen.say(f"{mine.number:<5}{WORDINGS[mine.field].question}")
            for name, clause in ((rules.text, mine), (other.text, its)):
                screen.say(f"{name}: {clause.sentence} [{clause.source}]", indent=5)
    if not differ:
        screen.say("They are the same.")
