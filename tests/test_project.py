"""Claims about the project itself: what imports what, what is public, what the files may say."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import popejoan

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "popejoan"
MODULES = sorted(SOURCE.rglob("*.py"))
GAME = [path for path in sorted(SOURCE.glob("*.py")) if path.name != "__main__.py"]


def python(*arguments: str, **environment: str) -> str:
    """What another interpreter prints, one that sees the sources and the standard library."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tracked() -> list[Path]:
    """The files under version control; none in an unpacked archive, where nobody can tell."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def imported(path: Path) -> set[str]:
    """The top of each module that a file imports, at once or lazily."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_importing_the_game_imports_the_standard_library_only() -> None:
    names = ["popejoan", *(f"popejoan.{path.stem}" for path in GAME if path.stem != "__init__")]
    code = f"import sys, {', '.join(names)}; print(*sys.modules)"
    tops = {name.partition(".")[0] for name in python("-S", "-c", code).split()}
    assert tops - sys.stdlib_module_names - {"popejoan", "__main__"} == set()


@pytest.mark.parametrize("path", GAME, ids=lambda path: path.name)
def test_a_game_file_does_no_io_reads_no_clock_and_draws_from_no_other_generator(
    path: Path,
) -> None:
    outside = {
        "asyncio", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "socket",
        "subprocess", "tempfile", "threading", "time", "urllib", "uuid", "warnings",
    }  # fmt: skip
    names = imported(path)
    assert names & outside == set()
    assert names - sys.stdlib_module_names - {"popejoan"} == set()


def test_each_file_imports_only_what_is_below_it() -> None:
    contract = python(
        "-c", "from importlinter.cli import lint_imports_command as f; f()", "--no-cache"
    )
    assert "0 broken" in contract


def test_the_order_of_play_does_not_hang_on_the_hash_seed() -> None:
    code = "from popejoan.advice.signature import digest; print(digest())"
    assert python("-c", code, PYTHONHASHSEED="1") == python("-c", code, PYTHONHASHSEED="2")


def test_the_public_names_are_those_that_can_be_imported() -> None:
    found = {
        name
        for name, value in vars(popejoan).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations"
    }
    assert set(popejoan.__all__) - {"__version__"} == found
    assert len(popejoan.__all__) == len(set(popejoan.__all__))


@pytest.mark.parametrize("name", popejoan.__all__)
def test_what_is_public_has_a_docstring(name: str) -> None:
    value = getattr(popejoan, name)
    silent = [name] if not getattr(value, "__doc__", None) else []
    if inspect.isclass(value):
        assert not (value.__doc__ or "").startswith(f"{name}("), "a docstring made by dataclass"
        silent += [
            f"{name}.{part}"
            for part, member in vars(value).items()
            if not part.startswith("_")
            and (inspect.isroutine(member) or isinstance(member, property))
            and not inspect.getdoc(getattr(value, part))
        ]
    assert silent == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_source_file_is_short_and_named_for_what_it_holds(path: Path) -> None:
    lines = len(path.read_bytes().splitlines())
    assert lines <= 450, "two ideas in one file"
    assert {path.stem, path.parent.name} & {"utils", "common", "core", "helpers"} == set()


def test_no_file_names_a_registry_or_a_place_on_one_machine() -> None:
    hosts = [("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com")]
    hosts += [("yarnpkg", "com"), ("debian", "org")]
    places = ["work", "root", "home", "Users"]
    telltale = re.compile(
        "|".join(rf"{name}\.{end}\b" for name, end in hosts)
        + rf"|(?<![\w.~/])/({'|'.join(places)})/"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in tracked()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if telltale.search(line)
    ]
    assert found == []


def test_no_lock_file_of_one_tool_is_tracked() -> None:
    assert {path.name for path in tracked()} & {"uv.lock", ".python-version"} == set()


def test_the_commands_the_pages_give_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    verbs = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = re.compile(r"^\s*(?:\$ )?make ([a-z]+)|`make ([a-z]+)`", re.MULTILINE)
    in_readme = ["".join(found) for found in told.findall(readme)]
    assert in_readme[:2] == ["play", "test"]
    assert {*in_readme, *map("".join, told.findall(contributing))} - verbs == set()


def test_contributing_tells_each_verb_of_make_once() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    verbs = re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)
    rows = re.findall(r"^\| `make ([a-z]+)` \|", contributing, re.MULTILINE)
    assert sorted(rows) == sorted(verbs)


def outside_fences(page: str) -> list[str]:
    """The lines of a page in Markdown that stand in no block of code."""
    fenced, found = False, []
    for line in page.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            found.append(line)
    return found


def test_no_page_shows_python_outside_a_block_of_code() -> None:
    pages = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in tracked()
             if path.suffix == ".md"}  # fmt: skip
    bare = {name: [line for line in outside_fences(page) if line.startswith((">>>", "... "))]
            for name, page in pages.items()}  # fmt: skip
    assert {name: lines for name, lines in bare.items() if lines} == {}


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"popejoan/{path.relative_to(SOURCE).as_posix()}" for path in MODULES} <= names
    assert "popejoan/py.typed" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"popejoan"}
