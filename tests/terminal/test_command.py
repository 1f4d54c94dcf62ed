"""Claims about the command itself: its help, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.terminal.command import (
    PLAY,
    ROOT,
    call,
    refused,
    shell,
)

from popejoan.terminal.screen import Screen, fit


def test_help_teaches_with_examples() -> None:
    assert "popejoan play --resume" in call("--help").output
    for command in ("play", "replay", "rules", "simulate"):
        told = call(command, "--help").output
        assert "Examples:\n    popejoan " in told
        assert max(map(len, told.splitlines())) <= 80


def test_the_version_and_shell_completion_are_there() -> None:
    assert call("--version").output.startswith("popejoan")
    assert "--install-completion" in call("--help").output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frob"], "No such command 'frob'"),
        (["play", "--rules", "FOO"], "'FOO' is no preset: they are HOYLE, CASSELL"),
        (["play", "--rules", ""], "is no preset"),
        (["play", "--set", "lead=up"], "it takes book or any or lowest"),
        (["play", "--set", "lead"], "write a field as name=value"),
        (["play", "--set", "ace=high"], "it wants ace=low"),
        (["play", "--players", "11"], "10"),
        (["play", "--players", "1"], "2"),
        (["play", "--players", "ten"], "valid integer"),
        (["play", "--players", "2", "--names", "A,B,C"], "3 names are given for 2 players"),
        (["play", "--names", "A,,B"], "a name is empty"),
        (["play", "--names", "A,a"], "two players have one name"),
        (["play", "--names", "A\x1b[2J"], "cannot stand in a line"),
        (["play", "--bots", "shark"], "no bot is called 'shark': they are newcomer, book"),
        (["play", "--deals", "-1"], "0"),
        (["play", "--deals", "3", "--set", "equal_deals=true"], "play 4"),
        (["play", "--players", "2", "--set", "peek=dealer-sits-out"], "3 or more must play"),
        (["play", "--seed", "-1"], "0"),
        (["play", "--speed", "x"], "valid number"),
        (["play", "--resume", "--seed", "1"], "leave out --seed"),
        (["play", "--resume", "--set", "lead=any"], "leave out --set"),
        (["rules", "FOO"], "'FOO' is no preset"),
        (["rules", "--compare", "FOO"], "'FOO' is no preset"),
        (["rules", "--set", "frob=1"], "is no field of the rules"),
        (["replay", "x", "--json", "--json-lines"], "choose one"),
        (["replay"], "Missing argument"),
    ],
)
def test_wrong_usage_is_refused_with_2_and_what_would_do(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["replay", "nowhere.record"], "nowhere.record cannot be read: No such file"),
        (["replay", "-"], "write 'Pope Joan record 1'"),
        (["replay", ".", "--json-lines"], "cannot be read"),
        (["play", "--resume"], "begin one with 'popejoan play'"),
        (["play", "--resume", "--file", "nowhere.record"], "cannot be read: No such file"),
    ],
)
def test_wrong_input_is_refused_with_1_and_why(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments, code=1)


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m popejoan rules | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout == "Rules: HOYLE\n"
    assert done.stderr == ""
    assert done.returncode == 0


def test_an_input_that_ends_at_once_leaves_the_table() -> None:
    done = shell(*PLAY)
    assert done.returncode == 0
    assert "Nothing is lost" in done.stdout


def test_a_folder_that_cannot_be_written_is_told_without_a_traceback(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    done = shell(*PLAY, XDG_DATA_HOME=str(blocked))
    assert done.returncode == 1
    assert done.stderr.startswith("popejoan: ")
    assert "Traceback" not in done.stderr


def test_input_that_is_no_text_is_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "popejoan", *PLAY],
        input=b"\xff\xfe\n\x00\x1b[A\n1\n",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_name_is_cut_to_its_place_by_cells() -> None:
    assert fit("Bartholomew", 6) == "Barth~"
    assert fit("Ben", 6) == "Ben   "
    assert fit("漢字漢字", 5) == "漢字~"


def test_a_screen_needs_somewhere_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="standard output is closed"):
        Screen()


def test_bench_fast_hands_over_to_the_kernels_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "popejoan.terminal.bench.measured_fast", lambda screen: screen.say("measured")
    )
    assert call("bench", "--fast").output == "measured\n"


def test_bench_fast_is_for_people_and_says_so() -> None:
    assert "for people" in refused("bench", "--fast", "--json", code=2)


_LOADED = """
import os, signal, sys

class Presses:
    @staticmethod
    def find_spec(name, *_):
        if name == "typer" and {pressed}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses)
from popejoan.__main__ import main
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
sys.argv = ["popejoan", "--version"]
try:
    main()
finally:
    print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no program there is ended by a signal")
@pytest.mark.parametrize("pressed", [False, True])
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word(pressed: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED.format(pressed=pressed)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == (-signal.SIGINT if pressed else 0)
    told = done.stdout.split()
    assert (told[0], told[-1]) == ("True", "True") if not pressed else told == []
