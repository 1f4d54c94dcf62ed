"""Claims about a real terminal: keys, signals, colour."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from tests.terminal.command import (
    ON,
    PLAY,
    Terminal,
    call,
    kept,
    lines_of,
)


def test_ctrl_c_and_ctrl_d_leave_the_table_and_nothing_is_lost(
    terminals: list[Terminal], folder: Path
) -> None:
    for key in ("\x03", "\x04"):
        more = ("--resume",) if terminals else PLAY[1:]
        terminal = Terminal("play", *more, "--speed", "0")
        terminals.append(terminal)
        terminal.until("Lead> ")
        assert "Nothing is lost" in terminal.press(key, "goes on.")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.seen
    assert not kept(folder).match.over


def test_ctrl_c_while_cards_fall_leaves_too_and_the_lead_is_kept(
    terminals: list[Terminal], folder: Path
) -> None:
    terminal = Terminal(*PLAY, "--speed", "0")
    terminals.append(terminal)
    terminal.until("Lead> ")
    for _ in range(3):
        terminal.type("1\r")
        terminal.until("> ")
    terminal.close()
    slow = Terminal("play", "--resume", "--speed", "2")
    terminals.append(slow)
    slow.until("> ")
    slow.type("1\r")
    slow.until("You lead")
    leads = len(kept(folder).rounds[0].leads)
    slow.press("\x03", "Nothing is lost")
    assert slow.end() == 0
    assert len(kept(folder).rounds[0].leads) == leads


def test_killed_outright_in_a_deal_it_goes_on_where_it_was(
    terminals: list[Terminal], folder: Path
) -> None:
    terminal = Terminal(*PLAY, "--speed", "0")
    terminals.append(terminal)
    terminal.until("Lead> ")
    terminal.type("1\r")
    terminal.until("Lead> ")
    os.kill(terminal.process.pid, signal.SIGKILL)
    terminal.process.wait()
    assert lines_of(folder)[-1] == "lead 0: KD"
    again = Terminal("play", "--resume", "--speed", "0")
    terminals.append(again)
    shown = again.until("Lead> ")
    assert "You lead K♦" in re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_a_terminal_gets_colour_unless_it_asks_for_none(terminals: list[Terminal]) -> None:
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal(*PLAY, "--speed", "0", **environment)
        terminals.append(terminal)
        shown = terminal.until("Lead> ")
        assert bool(re.search(r"\x1b\[[0-9;]*3[0-7]m", shown)) is coloured
        terminal.close()


@pytest.mark.slow
def test_the_first_simulation_answers_before_its_kernel_is_compiled(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    terminal = Terminal("simulate", NUMBA_CACHE_DIR=str(tmp_path))
    terminals.append(terminal)
    for text in ("Compiling the kernel", "Meanwhile, from the first", "dealer", "The board"):
        terminal.until(text, 60)
    assert terminal.end() == 0


def test_the_first_time_the_introduction_waits_to_be_read(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "5", "--speed", "0")
    terminals.append(terminal)
    assert "Your hand" not in terminal.until("Enter begins> ")
    terminal.type("\r")
    terminal.until("Lead> ")


def test_a_replay_on_a_terminal_goes_a_run_at_a_time(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    file = tmp_path / "x.record"
    call(*PLAY, "--file", str(file), typed=ON)
    terminal = Terminal("replay", str(file))
    terminals.append(terminal)
    assert "leads" not in terminal.until("Enter shows more, q ends> ")
    terminal.type("\r")
    terminal.until("q ends> ")
    terminal.type("q\r")
    assert terminal.end() == 0
