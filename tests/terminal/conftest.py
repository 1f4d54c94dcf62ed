"""What the tests of the command stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.terminal.command import (
    ON,
    PLAY,
    Terminal,
    call,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder of the test's own, and a terminal of 80 columns."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path / "popejoan"


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals, closed at the end."""
    pytest.importorskip("pty")
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished match of two deals."""
    file = tmp_path / "match.record"
    done = call(*PLAY, "--deals", "2", "--names", "Jane,Tom", "--file", str(file), typed=ON)
    assert "the match." in done.output
    return file
