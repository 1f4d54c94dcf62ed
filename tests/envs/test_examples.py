"""The examples run as they stand, and teach what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


AT_WORK = {
    "masked_ppo.py": "popejoan.envs.vector.PopeVectorEnv.reset",
    "masked_ppo_sb3.py": "gymnasium.make",
    "my_bot.py": "popejoan.testing.check_bot",
    "seat.py": "urllib.request.urlopen",
}
"""What each of the programs calls while somebody may stop it."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_ctrl_c_ends_an_example_in_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(AT_WORK[path.name], stopped)
    link = ["http://127.0.0.1:9/#table"] if path.name == "seat.py" else []
    monkeypatch.setattr(sys, "argv", [path.name, *link])
    with pytest.raises(SystemExit, match=r"^(Stopped|skipped)"):
        runpy.run_path(str(path), run_name="__main__")


def test_masked_ppo_starts() -> None:
    done = run("masked_ppo.py", "--leads", "8192", "--episodes", "200")
    assert done.returncode == 0, done.stderr
    assert re.search(r"better by [+-][\d.]+ ± [\d.]+", done.stdout)


@pytest.mark.slow
def test_masked_ppo_learns_to_beat_the_random_bot() -> None:
    done = run("masked_ppo.py", "--leads", "120000", "--episodes", "8000", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "The interval excludes zero." in done.stdout
    found = re.search(r"better by ([+-][\d.]+) ± ([\d.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) > float(found[2]) > 0


def test_sb3s_masked_ppo_starts_or_says_why_not() -> None:
    done = run("masked_ppo_sb3.py", "--leads", "2048", "--episodes", "10")
    if importlib.util.find_spec("sb3_contrib") is None:
        assert "skipped: sb3-contrib is not installed" in done.stderr
        pytest.skip("sb3-contrib is not installed")
    assert re.search(r"after 2,048 leads", done.stdout), done.stderr


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_notebook_runs_from_end_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    book: Any = nbformat.read(  # type: ignore[no-untyped-call]
        EXAMPLES / "one_game.ipynb", as_version=4
    )
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [
        kind
        for cell in book.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    ]
    assert shown.count("image/svg+xml") >= 2
