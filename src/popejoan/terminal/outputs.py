"""The files that figures go to: tried before anything is played, and written when it is shown."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from popejoan.fast.result import SimulationResult

__all__ = ["Outputs", "fault_with_file", "fault_with_folder"]

_COLUMNS: Final = ("what", "of", "mean", "standard_error")
_PARQUET: Final = "Parquet needs pyarrow: pip install 'popejoan[parquet]'"


class Outputs(NamedTuple):
    """Where the figures of a simulation go, but for the screen."""

    csv: Path | None
    parquet: Path | None
    plot: Path | None

    @property
    def named(self) -> dict[str, Path]:
        """The files that are asked for, by their options."""
        return {f"--{name}": path for name, path in self._asdict().items() if path is not None}

    def refused(self) -> str:
        """Why these cannot be asked for together, or nothing."""
        taken: dict[str, str] = {}
        for option, path in self.named.items():
            other = taken.setdefault(os.path.realpath(path), option)
            if other != option:
                return f"{other} and {option} both name {path}: each needs a file of its own"
        if self.plot is not None and self.plot.suffix.lower() not in {"", ".svg"}:
            return f"--plot draws SVG: name a file that ends in .svg, not {self.plot}"
        return ""

    def faults(self) -> list[str]:
        """Why files cannot be written, as far as can be known before; they are left as they are."""
        found = [fault for path in self.named.values() if (fault := fault_with_file(path))]
        if self.parquet is not None:
            try:
                import_module("pyarrow.parquet")
            except ImportError:
                found.append(_PARQUET)
        return found

    def write(self, result: SimulationResult) -> list[str]:
        """Write every file that can be; why the others cannot."""
        kinds: tuple[tuple[Path | None, Callable[[SimulationResult, Path], None]], ...] = (
            (self.csv, _write_csv), (self.parquet, _write_parquet), (self.plot, _write_plot),
        )  # fmt: skip
        faults = []
        for path, write in kinds:
            if path is None:
                continue
            try:
                write(result, path)
            except OSError as error:
                faults.append(_fault(path, error))
        return faults


def fault_with_file(path: Path) -> str:
    """Why a file cannot be written, or nothing; it is opened to see, and left as it is."""
    whole = Path(os.path.realpath(path))
    try:
        if whole.is_fifo():  # opening it would wait for a reader
            return ""
        new = not whole.exists()
        with whole.open("ab"):
            pass
        if new:
            whole.unlink()
    except OSError as error:
        return _fault(path, error)
    return ""


def fault_with_folder(folder: Path) -> str:
    """Why files cannot be written into a folder, which may be still to be made, or nothing."""
    there = folder.absolute()
    try:
        while not there.exists():
            there = there.parent
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as error:
        return _fault(folder, error)


def _fault(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror or error}"


def _rows(result: SimulationResult) -> list[tuple[Any, ...]]:
    """Every figure, and before them, where not all was played, that this is a part."""
    rows: list[tuple[Any, ...]] = list(result.rows())
    if not result.complete:
        says = f"{result.deals} of {result.plan.deals} deals: {result.stopped}"
        rows.insert(0, ("partial", says, None, None))
    return rows


def _write_csv(result: SimulationResult, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        writer.writerows(_rows(result))


def _write_parquet(result: SimulationResult, path: Path) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    columns = [list(column) for column in zip(*_rows(result), strict=True)]
    parquet.write_table(arrow.table(dict(zip(_COLUMNS, columns, strict=True))), str(path))


def _write_plot(result: SimulationResult, path: Path) -> None:
    figures = import_module("popejoan.fast.figures")
    path.write_text(figures.seats_figure(result), encoding="utf-8")
