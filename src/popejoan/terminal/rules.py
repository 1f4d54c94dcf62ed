"""The command ``rules``: the rules in words, with clause and book, and how two sets differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from popejoan.clauses import WORDINGS, Clause, clauses
from popejoan.rules import Rules
from popejoan.terminal import manual
from popejoan.terminal.options import (
    AsciiOption,
    JsonOption,
    SetOption,
    presets,
    print_json,
    rules_of,
)

if TYPE_CHECKING:
    from popejoan.terminal.screen import Screen

__all__ = ["difference", "register", "rules_in_words", "rules_json"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(help=manual.RULES)(rules)


def rules(
    preset: Annotated[
        str,
        typer.Argument(
            metavar="PRESET",
            autocompletion=presets,
            help=f"One of {', '.join(Rules.presets())}.",
            show_default=False,
        ),
    ] = "HOYLE",
    compare: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            autocompletion=presets,
            show_default=False,
            help="Show only where these rules differ from that preset.",
        ),
    ] = "",
    changes: SetOption = None,
    as_json: JsonOption = False,
    ascii: AsciiOption = None,
) -> None:
    """Tell the rules in words, each with its clause of RULES.md and its book."""
    from popejoan.terminal.screen import Screen

    chosen = rules_of(preset, changes)
    other = rules_of(compare) if compare else None
    if as_json:
        print_json(rules_json(chosen, other), indent=2)
    elif other is not None:
        difference(Screen(ascii=ascii), chosen, other)
    else:
        rules_in_words(Screen(ascii=ascii), chosen)


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


def rules_json(rules: Rules, other: Rules | None = None) -> dict[str, Any]:
    """The rules as JSON values; beside others, only the fields that differ, with both values."""
    named = clauses(rules)
    if other is None:
        return {"rules": rules.text, "fields": [_field(clause, rules) for clause in named]}
    fields = [
        {"this": _field(mine, rules), "other": _field(its, other)}
        for mine, its in zip(named, clauses(other))
        if mine.value != its.value
    ]
    return {"rules": rules.text, "other": other.text, "fields": fields}


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
