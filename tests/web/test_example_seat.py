"""The program of the examples that sits down at a table plays, whatever happens to the line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.servers import Server, play_on

SEAT = Path(__file__).parents[2] / "examples" / "seat.py"


def seat(link: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SEAT), link, "--name", "Robot"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_it_comes_back_when_the_server_does_and_plays_to_the_end(tmp_path: Path, end: str) -> None:
    server = Server(tmp_path).start()
    robot = None
    try:
        given = server.table(seats=2, deals=2)
        anna = server.client(given)
        robot = seat(f"{server.base}#{given['code']}")
        anna.until(lambda: "Robot" in [person[1] for person in anna.table["people"]])
        anna.does("start")
        anna.until_playing()
        anna.close()
        getattr(server, end)()
        server.start()
        anna = server.client(given)
        play_on([anna], lambda: anna.table["phase"] == "over")
        anna.close()
        told = robot.communicate(timeout=30)[0].splitlines()
        assert "The line is lost." in told
        assert "'won'" in told[-1]
        assert robot.returncode == 0
    finally:
        if robot is not None:
            robot.kill()
            robot.wait()
        server.stop()


def test_it_says_in_a_word_why_it_has_no_seat(server: Server) -> None:
    robot = seat(f"{server.base}#nosuchtable")
    assert robot.communicate(timeout=30)[0].startswith("No seat: ")
    assert robot.returncode == 1
