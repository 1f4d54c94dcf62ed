"""Claims about leaving a match and going on with it."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest
from tests.terminal.command import (
    ON,
    PLAY,
    Terminal,
    call,
    refused,
)

from popejoan import Card, Match
from popejoan.__main__ import main
from popejoan.bots import ByTheBook
from popejoan.notation import Record
from popejoan.terminal.sitting import Sitting, data_folder, new_file, unfinished


def finished(folder: Path) -> str:
    """The record of the finished match, without the lines that only tell where it stands."""
    (path,) = folder.glob("*.done.record")
    return path.read_text(encoding="utf-8")


def test_a_match_left_after_every_card_is_the_match_played_at_one_go(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(*PLAY, "-p", "3", "--deals", "2", typed=ON)
    whole = finished(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "again"))
    told = call(*PLAY, "-p", "3", "--deals", "2", typed="1\n").output
    times = 0
    while "the match." not in told:
        done = call("play", "--resume", typed="1\n")
        assert done.exit_code == 0
        told = done.output
        times += 1
    assert times > 5
    assert finished(tmp_path / "again" / "popejoan") == whole


def test_a_new_match_leaves_the_unfinished_one_alone(folder: Path) -> None:
    call(*PLAY)
    told = call("play", "--seed", "6", "--deals", "1", typed=ON).output
    assert "A match is left unfinished: popejoan play --resume" in told
    assert "Deal 1 of 4 goes on" in call("play", "--resume").output


def test_a_match_is_kept_in_a_file_of_ones_choice(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    assert "is there already" in refused(*PLAY, "--file", str(file), code=1)
    assert "goes on" in call("play", "--resume", "--file", str(file)).output


def test_a_damaged_record_is_not_gone_on_with_and_says_where(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("turn-up", "turnip"), "utf-8")
    assert re.search(r"cannot be gone on with: line \d+: ", refused(
        "play", "--resume", "--file", str(file), code=1
    ))  # fmt: skip


def test_a_match_whose_bot_is_gone_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_text(file.read_text("utf-8").replace("bots: book", "bots: shark"), "utf-8")
    says = refused("play", "--resume", "--file", str(file), code=1)
    assert "no bot is called 'shark'" in says


def test_a_bot_that_cheats_ends_the_command_without_showing_the_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ByTheBook, "choose", lambda self, view: Card.parse("2C"))
    monkeypatch.setattr(sys, "argv", ["popejoan", *PLAY, "--seed", "3"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    says = capsys.readouterr().err
    assert re.fullmatch("popejoan: 2C is not in the hand of seat [1-3]\n", says)


def test_ctrl_c_at_the_introduction_leaves_quietly(terminals: list[Terminal]) -> None:
    terminal = Terminal("play")
    terminals.append(terminal)
    terminal.until("Enter begins> ")
    time.sleep(0.3)
    terminal.type("\x03")
    assert terminal.end() == 0
    assert "Abort" not in terminal.seen


def test_a_record_from_elsewhere_can_be_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "other.record"
    match = Match.start(players=3, seed=3, deals=1).deal()
    file.write_text(Record.of(match, ["Jane"]).text, encoding="utf-8")
    told = call("play", "--resume", "--file", str(file), typed=ON).output
    assert "Player 1" in told
    assert "the match." in told


def test_a_match_with_comings_and_goings_is_replayed_and_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "other.record"
    match = Match.start(players=3, seed=3).leave(1)
    file.write_text(Record.of(match).text, encoding="utf-8")
    assert "it can be replayed" in refused("play", "--resume", "--file", str(file), code=1)


def test_a_record_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.record"
    sitting = Sitting(Match.start(players=2).deal(), ("A", "B"), ("book",), file)
    sitting.save()
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        sitting.save()
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_cut_off_in_its_last_line_loses_only_that_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_bytes(file.read_bytes() + b"lead 0: K")
    assert "K♦  2:K♥" in call("play", "--resume", "--file", str(file)).output


def test_a_record_taken_away_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    sitting = Sitting(Match.start(players=2, seed=1).deal(), ("A", "B"), ("book",), file)
    assert sitting.match.round is not None
    sitting.play(min(sitting.match.round.legal))
    assert Sitting.load(file).match.round is not None


def test_where_matches_are_kept_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert data_folder() == tmp_path / "popejoan"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "L"))
    ends = {"linux": ".local/share", "darwin": "Library/Application Support", "win32": "L"}
    for system, end in ends.items():
        monkeypatch.setattr("sys.platform", system)
        assert data_folder() == tmp_path / end / "popejoan"


def test_matches_that_begin_in_one_second_are_kept_apart(folder: Path) -> None:
    assert unfinished() is None
    folder.mkdir()
    first = new_file()
    first.touch()
    assert new_file() != first
    assert unfinished() == first
