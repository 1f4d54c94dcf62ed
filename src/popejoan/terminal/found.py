"""What a simulation found, as tables for people, at any width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from popejoan.fast.result import Estimate, SimulationResult, role_name

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BOARD", "ERRORS", "board", "in_words", "seats"]

BOARD: Final = (
    "Falls: in how many deals its stake is taken, by the turn-up or by play; then the stake when "
    "it is taken, and what is left over after a deal."
)
"""How the table of the board is read."""

ERRORS: Final = (
    "After ± stands the standard error: the truth lies within twice that, nineteen times in twenty."
)
_ONE_MATCH: Final = (
    "One match tells nothing of how far matches differ, so the errors are not known: play more."
)


class _Rows:
    """A table, or where that is too wide, each of its rows as a paragraph."""

    def __init__(
        self,
        plain: Callable[[str], str],
        title: str,
        names: Sequence[str],
        rows: Iterable[Sequence[str]],
    ) -> None:
        self.title, self.names = plain(title), [plain(name) for name in names]
        self.rows = [[plain(cell) for cell in row] for row in rows]
        self.error = plain("±")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.title, style="italic")
        table = Table(box=SIMPLE, padding=(0, 1, 0, 0))
        for nth, name in enumerate(self.names):
            table.add_column(name, justify="right" if nth else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        whole = table.__rich_measure__(console, options.update(max_width=999)).maximum
        if whole <= options.max_width:
            yield table
            return
        for first, *values in self.rows:
            yield Text(first, style="bold")
            line = ""
            for name, value in zip(self.names[1:], values, strict=True):
                if name == self.error:
                    line += f" {name} {value}"
                    continue
                if line:
                    yield Text(line)
                line = f"  {name} {value}"
            yield Text(line)
        yield Text()


def _two(estimate: Estimate) -> tuple[str, str]:
    """The number and its error, for two columns."""
    if estimate.error == 0:
        return f"{estimate.mean:g}", "0"
    number, _, error = str(estimate).partition(" ± ")
    return number, error


def _share(estimate: Estimate) -> str:
    """A share in per cent, with the places that its error warrants."""
    if estimate.error == 0 and estimate.mean in {0, 1}:
        return "always" if estimate.mean else "never"
    if isnan(estimate.mean):
        return str(estimate)
    number = str(Estimate(100 * estimate.mean, 100 * estimate.error)).partition(" ± ")[0]
    return f"{number} %"


def seats(result: SimulationResult, plain: Callable[[str], str]) -> RenderableType:
    """What each seat wins, in signs that the screen has: ``plain`` makes them so."""
    rows = [
        (
            role_name(role),
            *_two(result.balance(role)),
            _share(result.win_rate(role)),
        )
        for role in range(result.players)
    ]
    return _Rows(
        plain, "What a seat wins, in counters a deal", ("seat", "wins", "±", "out first"), rows
    )


def board(result: SimulationResult, plain: Callable[[str], str]) -> RenderableType:
    """How often each compartment falls, and what lies there; ``plain`` as in ``seats``."""
    rows = [
        (
            place.value.capitalize(),
            _share(result.falls(place)),
            _share(result.turned(place)),
            _share(result.played(place)),
            *_two(result.stake(place)),
            *_two(result.carried(place)),
        )
        for place in result.plan.rules.compartments
    ]
    names = ("compartment", "falls", "turn-up", "by play", "stake", "±", "left", "±")
    return _Rows(plain, "The board", names, rows)


def in_words(result: SimulationResult) -> str:
    """The rest, in sentences, and how to read it all."""
    found = result.figures()
    says = [
        f"A deal has {found['leads']} leads, {found['choices']} of them real choices, and "
        f"{found['cards played']} cards are played.",
        f"{found['card money']} counters are paid for cards left in hand; a seat is excused for "
        f"holding Pope in {_share(found['excused'])} of deals.",
        f"Pope is turned up in {_share(found['pope turned up'])} of deals.",
        "The dealer pays for the dressing, and what stays on the board is nobody's yet.",
        _ONE_MATCH if result.matches == 1 else ERRORS,
    ]
    return "\n".join(says)
