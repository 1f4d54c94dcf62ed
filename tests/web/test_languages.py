"""The catalogues of the page: what every language must have, so that a volunteer is told."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from popejoan.clauses import WORDINGS

UI = Path(__file__).parent.parent.parent / "src" / "popejoan" / "web" / "ui"
LANGUAGES = sorted((UI / "src" / "lang").glob("*.json"))
ENGLISH: dict[str, str] = json.loads((UI / "src" / "lang" / "en.json").read_text(encoding="utf-8"))
PLURALS = {
    # The categories of CLDR that a number of counters can fall into.
    "de": {"one", "other"}, "en": {"one", "other"},
    "es": {"one", "many", "other"}, "fr": {"one", "many", "other"},
    "it": {"one", "many", "other"},
}  # fmt: skip


def catalogue(path: Path) -> dict[str, str]:
    def once(pairs: list[tuple[str, str]]) -> dict[str, str]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), sorted({k for k in keys if keys.count(k) > 1})
        return dict(pairs)

    return dict(json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once))


def arguments(message: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each argument of a message in ICU form: its name, its kind, and its choices."""
    at = 0
    while (at := message.find("{", at)) >= 0:
        end, depth = at, 0
        for end in range(at, len(message)):
            depth += {"{": 1, "}": -1}.get(message[end], 0)
            if not depth:
                break
        assert not depth, f"a brace is not closed: {message}"
        inside = message[at + 1 : end]
        at = end + 1
        name, _, more = inside.partition(",")
        kind, _, choices = more.partition(",")
        found: list[str] = []
        while kind.strip() in ("plural", "select") and choices.strip():
            match = re.match(r"\s*(=\d+|\w+)\s*\{", choices)
            assert match, f"no choice can be read at {choices!r}"
            start, depth = match.end() - 1, 0
            for stop in range(start, len(choices)):
                depth += {"{": 1, "}": -1}.get(choices[stop], 0)
                if not depth:
                    break
            assert not depth, f"a brace is not closed: {message}"
            found.append(match[1])
            yield from arguments(choices[start + 1 : stop])
            choices = choices[stop + 1 :]
        yield name.strip(), kind.strip(), tuple(found)


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
class TestEachLanguage:
    def test_has_every_message_and_no_other(self, path: Path) -> None:
        assert list(catalogue(path)) == list(ENGLISH)
        assert all(text.strip() for text in catalogue(path).values())

    def test_puts_the_same_values_into_each_message(self, path: Path) -> None:
        for key, text in catalogue(path).items():
            mine = {name for name, _, _ in arguments(text)}
            assert mine == {name for name, _, _ in arguments(ENGLISH[key])}, key

    def test_has_a_choice_for_every_number_and_every_case(self, path: Path) -> None:
        for key, text in catalogue(path).items():
            english = {name: set(found) for name, _, found in arguments(ENGLISH[key]) if found}
            for name, kind, choices in arguments(text):
                if kind == "plural":
                    missing = (english[name] & {"one", "other"}) - set(choices)
                    assert not missing, (key, name, missing)
                    mine = {choice for choice in choices if choice[0] != "="}
                    assert mine <= PLURALS.get(path.stem, mine), key
                if kind == "select":
                    assert set(choices) == english[name], key

    def test_says_which_way_it_runs(self, path: Path) -> None:
        assert catalogue(path)["language.dir"] in ("ltr", "rtl")


def test_the_rules_are_in_the_words_of_the_game() -> None:
    named = {None: "none", True: "yes", False: "no"}
    for field, wording in WORDINGS.items():
        assert ENGLISH[f"rule.{field}"] == wording.question
        for value, (sentence, book) in wording.values.items():
            name = named.get(value, value)
            assert ENGLISH[f"rule.{field}.{name}"] == sentence
            assert ENGLISH[f"rule.{field}.{name}.book"] == book


def test_no_message_is_there_for_nobody() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in (UI / "src").rglob("*")
        if path.suffix in (".ts", ".svelte")
    )
    # A key made in part, `stop.${...}`, stands for all that begin with it.
    begun = tuple(set(re.findall(r"`([a-z.-]+\.)\$\{", sources)))
    unused = [key for key in ENGLISH if f"'{key}'" not in sources and not key.startswith(begun)]
    assert unused == []


def test_every_reason_that_the_server_names_has_words() -> None:
    named: set[str] = set()
    for path in (UI.parent).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                named |= set(reasons(node))
    words = {key.removeprefix("refused.") for key in ENGLISH if key.startswith("refused.")}
    assert words == named


def reasons(call: ast.Call) -> Iterator[str]:
    """The reasons that a call names: ``Refused(says, what)``, or ``why=``."""
    called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    place = {"Refused": 1, "goodbye": 1, "_close": 3}.get(called)
    if place is not None and len(call.args) > place:
        yield from texts(call.args[place])
    for word in call.keywords:
        if word.arg == "why" and isinstance(word.value, ast.Dict):
            yield from texts(word.value.values[0])


def texts(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
