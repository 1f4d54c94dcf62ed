"""Claims about every command at once: any screen will do, and no mistake ends in a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
import typer
from tests.terminal.command import call
from typer.testing import CliRunner

from popejoan.__main__ import app
from popejoan.bots import LADDER
from popejoan.cards import PopeJoanError
from popejoan.deal import Deal
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.terminal.bench import Bench

WORKS: dict[str, tuple[str, ...]] = {
    "play": ("--no-intro", "--seed", "5", "--deals", "1", "--players", "2"),
    "replay": ("RECORD",),
    "rules": ("PEEL",),
    "bench": (),
    "simulate": ("--deals", "8"),
    "odds": ("--deals", "1000"),
    "arena": ("--bots", "book", "--field", "newcomer", "--rounds", "8"),
    "solve": ("RECORD", "--after", "3"),
    "review": ("RECORD", "--worlds", "2"),
    "verify": ("OPENING",),
    "admin list": (),
    "admin export": ("MISSING",),
    "admin import": ("CODE", "RECORD"),
    "admin prune": (),
}
"""Arguments with which each command does something small."""
SERVES = {"serve"}
"""It stays and prints an address; what it says when asked wrongly is tried all the same."""

NAMES = ("Zoë", "Łukasz", "Ωmega")
RECORD = Record.of(
    Round.start(Rules.HOYLE, Deal.shuffle(5, players=3)).playout(lambda legal: next(iter(legal))),
    NAMES,
).text
"""A deal whose players have names that few screens can show."""

NARROW = ("cp1252", "ascii")


def commands(of: typer.Typer = app, words: str = "") -> Iterator[tuple[str, Any]]:
    """The function of each command by the words that call it."""
    for each in of.registered_commands:
        assert each.callback is not None
        yield words + (each.name or each.callback.__name__), each.callback
    for group in of.registered_groups:
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, f"{words}{group.name} ")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files that the arguments stand for, and a folder and a store of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POPEJOAN_STORE", f"sqlite:///{tmp_path / 'tables.db'}")
    monkeypatch.setattr("popejoan.terminal.bench.measured", lambda: Bench(12_000, 24_000_000))
    monkeypatch.setattr("popejoan.advice.signature.digest", lambda: "abc")
    record = tmp_path / "match.record"
    record.write_text(RECORD, encoding="utf-8")
    opening = tmp_path / "opening.json"
    opening.write_text(json.dumps({"number": 1}), encoding="utf-8")
    return {"RECORD": str(record), "OPENING": str(opening), "MISSING": "abcd", "CODE": "abcd"}


def run(name: str, *arguments: str, charset: str = "utf-8", typed: str = "") -> int:
    """The exit code; no fault but those that ``main`` puts into words may come up."""
    done = CliRunner(charset=charset).invoke(
        app, [*name.split(), *arguments], input=typed, prog_name="popejoan"
    )
    assert "No such option" not in done.output, done.output
    wanted = (SystemExit, PopeJoanError, OSError)
    assert done.exception is None or isinstance(done.exception, wanted), (name, arguments, done)
    assert b"Traceback" not in done.stdout_bytes + done.stderr_bytes
    return done.exit_code


def test_each_command_is_tried() -> None:
    assert {name for name, _ in commands()} == WORKS.keys() | SERVES


@pytest.mark.parametrize("charset", NARROW)
@pytest.mark.parametrize("name", WORKS)
def test_a_command_prints_on_a_screen_of_few_letters(
    name: str, charset: str, places: dict[str, str]
) -> None:
    code = run(name, *(places.get(word, word) for word in WORKS[name]), charset=charset, typed="")
    assert code in (0, 1)
    assert (code == 0) is (name not in ("verify", "admin export", "admin import"))


@pytest.mark.parametrize("charset", NARROW)
@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "RECORD", "--unicode"),
        ("replay", "RECORD", "--json"),
        ("solve", "RECORD", "--after", "3", "--unicode"),
        ("review", "RECORD", "--worlds", "2", "--json"),
        ("review", "RECORD", "--worlds", "2", "--unicode"),
        ("arena", "--bots", "book", "--field", "newcomer", "--rounds", "8", "--ascii"),
        ("rules", "PEEL", "--json"),
        ("rules", "PEEL", "--unicode"),
    ],
    ids=" ".join,
)
def test_signs_asked_for_that_a_screen_has_not_are_left_out(
    arguments: tuple[str, ...], charset: str, places: dict[str, str]
) -> None:
    name, *rest = arguments
    assert run(name, *(places.get(word, word) for word in rest), charset=charset) == 0


@pytest.mark.parametrize("command", ["solve", "review", "replay"])
def test_letters_are_printed_where_they_are_asked_for(command: str, places: dict[str, str]) -> None:
    more = {"solve": ("--after", "3"), "review": ("--worlds", "2"), "replay": ()}[command]
    done = call(command, places["RECORD"], *more, "--ascii")
    assert done.exit_code == 0, done.output
    assert done.stdout.isascii()
    assert not call(command, places["RECORD"], *more, "--unicode").stdout.isascii()


def test_json_is_whole_on_a_screen_of_few_letters(places: dict[str, str]) -> None:
    done = CliRunner(charset="cp1252").invoke(
        app, ["review", places["RECORD"], "--worlds", "2", "--json"]
    )
    names = [seat["name"] for seat in json.loads(done.stdout_bytes)["seats"]]
    assert tuple(names) == NAMES


# Mistakes

WORDS = (
    "", " ", "9", "-1", "4.01", "1.2.3", "nan", "1e999", "²", "9" * 400, "nobody", "a,,b", "=",
    "sqlite:////nowhere/x", "http://[",
)  # fmt: skip
NUMBERS = ("", "nine", "-1", "1e9", "2.5.5", "9" * 5000)
LONG = {("--deals", "1e9")}
"""What is no mistake, and takes some minutes."""


def wrong(kind: Any, folder: Path) -> tuple[str, ...]:
    """Values that a parameter of this type should not be given, or hardly."""
    if kind in (int, float):
        return NUMBERS
    if kind is Path:
        return (str(folder), str(folder / "nowhere" / "file"), "")
    assert kind in (str, list[str]), kind
    return WORDS


def asked_wrongly() -> Iterator[tuple[str, str, Any]]:
    """Each parameter that takes a value: its command, its option (empty for an argument), its
    type."""
    for name, function in commands():
        for parameter, hint in get_type_hints(function, include_extras=True).items():
            if get_origin(hint) is not Annotated:
                continue
            kind, told = get_args(hint)
            kind = next(iter(set(get_args(kind)) - {NoneType}), kind) if kind != list[str] else kind
            assert isinstance(told, typer.models.ParameterInfo)
            declared = [told.default, *(told.param_decls or ()), f"--{parameter}"]
            option = next(str(each) for each in declared if str(each).startswith("-"))
            if kind is not bool:
                is_option = isinstance(told, typer.models.OptionInfo)
                yield name, option.replace("_", "-") if is_option else "", kind


@pytest.mark.parametrize(("name", "option", "kind"), list(asked_wrongly()))
def test_a_mistake_is_answered_in_words(
    name: str, option: str, kind: Any, places: dict[str, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("popejoan.web.serve.run", lambda **_: None)
    usual = [places.get(word, word) for word in WORKS.get(name, ())]
    for value in wrong(kind, tmp_path):
        if (option, value) in LONG and name in ("simulate", "odds"):
            continue
        if option:
            code = run(name, *usual, f"{option}={value}")
        else:
            code = run(name, "--", *(value if word == usual[0] else word for word in usual))
        assert code in (0, 1, 2)


@pytest.mark.parametrize("level", ["9", "4.01", "-1", "nan", "1.2.3", "", "nobody"])
def test_what_is_no_bot_is_refused_by_name_wherever_bots_are_asked_for(level: str) -> None:
    for arguments in (("play", "--bots", level), ("arena", "--bots", level),
                      ("arena", "--field", level)):  # fmt: skip
        done = call(*arguments)
        assert done.exit_code == 2, done.output
        says = " ".join(done.stderr.replace("│", " ").split())
        assert f"no bot is called {level!r}" in says
        assert "a number from 0 to 4" in says


@pytest.mark.parametrize("command", ["play", "arena"])
def test_the_help_names_each_bot_of_the_project(command: str) -> None:
    told = call(command, "--help").output
    for name in (*LADDER, *(each.name for each in entry_points(group="popejoan.bots"))):
        assert name in told
