"""Compiled code is kept, and what is kept is never trusted further than it can be checked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from popejoan.fast import jit, kept
from popejoan.fast.kept import Kernel
from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.policy import Policy
from popejoan.rules import Rules

SOURCE = Path(__file__).parent.parent / "src"


class Adder(Kernel):
    """A kernel of the tests' own: each number plus what is given."""

    def __init__(self) -> None:
        super().__init__("tests", "add")

    @property
    def function(self) -> Callable[..., None]:
        def add(numbers, more, found):  # type: ignore[no-untyped-def]
            for row in range(numbers.shape[0]):
                for at in range(numbers.shape[1]):
                    found[row, at] = numbers[row, at] + more

        return add


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What was compiled, in a folder of its own."""
    made: list[str] = []
    real = jit.object_code

    def noted(function: Callable[..., None], kinds: tuple[str, ...], words: int) -> bytes:
        made.append(" ".join(kinds))
        return real(function, kinds, words)

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(jit, "object_code", noted)
    return made


def added(kernel: Kernel, more: int = 5) -> list[int]:
    numbers = np.arange(6, dtype=np.int64).reshape(2, 3)
    found = np.zeros((2, 3), dtype=np.int64)
    kernel(numbers, more, found)
    return [int(each) for each in found.ravel()]


SUM = [5, 6, 7, 8, 9, 10]


def file_in(folder: Path) -> Path:
    (file,) = folder.glob("tests.add-*.object")
    return file


def test_it_is_compiled_once_and_then_loaded(compiled: list[str]) -> None:
    array = np.zeros((2, 3), dtype=np.int64)
    assert Adder().is_cold(array, 1, array)
    assert added(Adder()) == SUM
    assert not Adder().is_cold(array, 1, array)
    assert added(Adder()) == added(Adder()) == SUM
    assert len(compiled) == 1


@pytest.mark.parametrize("damage", ["emptied", "cut short", "a bit", "another's"])
def test_a_damaged_file_is_compiled_again(compiled: list[str], tmp_path: Path, damage: str) -> None:
    added(Adder())
    file = file_in(tmp_path / "kept")
    whole = file.read_bytes()
    bad = {
        "emptied": b"",
        "cut short": whole[: len(whole) // 2],
        "a bit": whole[:-1] + bytes([whole[-1] ^ 1]),
        "another's": b"x" * 5000,
    }
    file.write_bytes(bad[damage])
    assert added(Adder()) == SUM
    assert len(compiled) == 2
    assert len(file.read_bytes()) == len(whole)
    assert added(Adder()) == SUM
    assert len(compiled) == 2


@pytest.mark.parametrize("changed", ["get_host_cpu_name", "settings", "arguments"])
def test_othercircumstances_have_a_file_of_their_own(
    compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    kept.circumstances.cache_clear()
    added(Adder())
    if changed == "settings":
        monkeypatch.setenv("NUMBA_OPT", "1")
    elif changed != "arguments":
        monkeypatch.setattr(f"llvmlite.binding.{changed}", lambda: "another")
    kept.circumstances.cache_clear()
    try:
        if changed == "arguments":
            small = np.ones((1, 1), dtype=np.int32)
            Adder()(small, 3, small)
            assert small[0, 0] == 4
        else:
            assert added(Adder()) == SUM
    finally:
        kept.circumstances.cache_clear()
    assert len(compiled) == 2
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_every_source_and_version_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    kept.circumstances.cache_clear()
    before = kept.circumstances()
    real = Path.read_bytes
    for name in ("settle.py", "features.py", "_version.py"):

        def read(path: Path, name: str = name) -> bytes:
            return real(path) + (b"#" if path.name == name else b"")

        monkeypatch.setattr(Path, "read_bytes", read)
        kept.circumstances.cache_clear()
        assert kept.circumstances() != before
    monkeypatch.setattr(Path, "read_bytes", real)
    kept.circumstances.cache_clear()
    assert kept.circumstances() == before


def test_where_nothing_can_be_written_it_works_all_the_same(
    compiled: list[str], tmp_path: Path
) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be", encoding="utf-8")
    kernel = Adder()
    assert added(kernel) == added(kernel) == SUM
    assert len(compiled) == 1
    assert added(Adder()) == SUM
    assert len(compiled) == 2


def test_many_may_write_at_once_and_leave_one_whole_file(
    compiled: list[str], tmp_path: Path
) -> None:
    found: list[list[int]] = []
    kernels = [Adder() for _ in range(4)]
    threads = [threading.Thread(target=lambda k=k: found.append(added(k))) for k in kernels]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [SUM] * 4
    assert len(list((tmp_path / "kept").iterdir())) == 1
    again = len(compiled)
    assert added(Adder()) == SUM
    assert len(compiled) == again


def test_old_files_go(compiled: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for number in range(50):
        old = folder / f"tests.add-{number}.object"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    (folder / "other.add-1.object").write_bytes(b"")
    assert added(Adder()) == SUM
    left = {path.name for path in folder.iterdir()}
    assert len(left) == 33
    assert {"tests.add-49.object", "other.add-1.object"} <= left
    assert compiled


def test_what_a_kernel_cannot_take_is_refused() -> None:
    array = np.zeros((4, 4), dtype=np.int64)
    with pytest.raises(TypeError, match="row by row"):
        Adder()(array.T[:2], 1, array)
    with pytest.raises(TypeError, match=r"not 1\.5"):
        Adder()(array, 1.5, array)  # type: ignore[arg-type]


def test_code_that_is_kept_runs_without_the_compiler(tmp_path: Path) -> None:
    totals = play(Plan(Rules.HOYLE, 4, Policy.BOOK, None, 3, 20), Chunk(0, 20))
    code = (
        "import sys\n"
        "from popejoan.fast.plan import Chunk, Plan, play\n"
        "from popejoan.fast.policy import Policy\n"
        "from popejoan.rules import Rules\n"
        "print(*play(Plan(Rules.HOYLE, 4, Policy.BOOK, None, 3, 20), Chunk(0, 20)))\n"
        "print('numba' in sys.modules)\n"
    )
    for compiles in (True, False):
        printed = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(SOURCE), "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        assert list(map(int, printed[0].split())) == totals.tolist()
        assert printed[1] == str(compiles)
