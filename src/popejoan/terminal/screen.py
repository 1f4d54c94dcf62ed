"""The screen: what is printed, in which characters and colours, and what is asked.

Colour only repeats what the words say. Letters replace the signs of suits and frames where the
terminal has no others.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, TextIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["Screen", "fit", "wants_ascii"]

_LETTERS: Final = str.maketrans(
    {"–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "·": "-", "×": "x",
     "♣": "C", "♦": "D", "♥": "H", "♠": "S", "é": "e", "±": "+-"}
)  # fmt: skip
_RED: Final = re.compile(
    r"(?<![\w♥♦])(?:10|[2-9AJQK])(?:[♥♦]|[HD](?!\w))|[♥♦](?: (?:10|[2-9AJQK]))+"
)
_BLACK: Final = re.compile(r"(?<![\w♣♠])(?:10|[2-9AJQK])(?:[♣♠]|[CS](?!\w))")
_NARROWEST: Final = 30


def wants_ascii(out: TextIO, environment: dict[str, str] | None = None) -> bool:
    """Whether letters only should be written: the locale is C, or the encoding has no suits."""
    env = os.environ if environment is None else environment
    # Python itself sets LC_CTYPE=C.UTF-8 in a C locale, so that variable alone says nothing.
    said = env.get("LC_ALL") or env.get("LANG", "")
    if said in ("C", "POSIX"):
        return True
    try:
        "♣╭".encode(out.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False


def fit(text: str, cells: int) -> str:
    """The text in exactly so many cells: cut short, or filled up with spaces."""
    if cell_len(text) > cells:
        text = set_cell_size(text, max(0, cells - 1)).rstrip() + "~"
    return set_cell_size(text, cells)


class Screen:
    """Where a command prints and asks; ``speed`` is the pause after a card, in seconds."""

    def __init__(self, *, ascii: bool | None = None, speed: float = 0.0) -> None:
        out = sys.stdout
        if out is None:
            raise OSError("there is nowhere to print: standard output is closed")
        self.ascii = wants_ascii(out) if ascii is None else ascii
        self.interactive = out.isatty() and sys.stdin is not None and sys.stdin.isatty()
        if self.interactive:
            with suppress(ImportError):  # lets a line be edited where the system can
                import_module("readline")
        self._speed = speed if self.interactive else 0.0
        self._console = Quiet(
            self.ascii,
            file=out,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
            stderr=False,
        )
        self._column = 0
        self.hurried = False
        """Whether cards fall at once, as they do when what is known already is told again."""

    @property
    def width(self) -> int:
        """How many cells a line has."""
        return max(_NARROWEST, self._console.size.width)

    @property
    def height(self) -> int:
        """How many lines the screen has."""
        return self._console.size.height

    def plain(self, text: str) -> str:
        """The text in the characters that the screen has."""
        if not self.ascii:
            return text
        return text.translate(_LETTERS).encode("ascii", "replace").decode("ascii")

    def _print(self, text: str, style: str = "", end: str = "\n") -> None:
        drawn = Text(self.plain(text), style=style, end="")
        drawn.highlight_regex(_RED, "red")
        drawn.highlight_regex(_BLACK, "bold")
        self._console.print(drawn, end=end, soft_wrap=True)

    def say(self, text: str = "", style: str = "", *, indent: int = 0, hang: int = 0) -> None:
        """Print a paragraph, broken between words; later lines are indented more by ``hang``."""
        self.end_line()
        width = self.width
        for line in text.split("\n"):
            words, shown = line.split(" "), " " * indent
            for nth, word in enumerate(words):
                if nth and cell_len(shown) + 1 + cell_len(word) > width:
                    self._print(shown.rstrip(), style)
                    shown = " " * (indent + hang) + word
                else:
                    shown += (" " if nth else "") + word
            self._print(shown.rstrip(), style)

    def show(self, drawn: str, style: str = "") -> None:
        """Print lines that are drawn to fit already."""
        self.end_line()
        for line in drawn.split("\n"):
            self._print(line, style)

    def add(self, text: str, style: str = "") -> None:
        """Go on with the line that is being written, on a new line between words where it is full.

        One more cell is kept free, for a comma.
        """
        piece, width = "", self.width
        for nth, word in enumerate(text.split(" ")):
            cells = cell_len(self.plain(word))
            space = " " if nth and self._column else ""
            if nth and self._column > 3 and self._column + len(space) + cells >= width:
                self._print(piece, style)
                self._print("   ", end="")
                self._column, space, piece = 3, "", ""
            piece += space + word
            self._column += len(space) + cells
        self._print(piece, style, end="")

    @property
    def in_line(self) -> bool:
        """Whether a line is being written."""
        return self._column > 0

    def end_line(self) -> None:
        """End the line that is being written, if one is."""
        if self._column:
            self._print("")
            self._column = 0

    def columns(self, rows: Iterable[Iterable[str]]) -> None:
        """Print rows of cells, the first column to the left and the others to the right."""
        table = [[self.plain(cell) for cell in row] for row in rows]
        widths = [max(map(cell_len, column)) for column in zip(*table)]
        for row in table:
            first, *others = (
                fit(cell, wide) if not nth else " " * (wide - cell_len(cell)) + cell
                for nth, (cell, wide) in enumerate(zip(row, widths))
            )
            self._print("  ".join([first, *others]).rstrip())

    def table(
        self,
        title: str,
        names: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        left: Sequence[str] = (),
    ) -> Table:
        """A framed table, its first column and those of ``left`` to the left."""
        table = Table(title=self.plain(title), title_justify="left")
        for name in names:
            aside = name in (names[0], *left)
            table.add_column(self.plain(name), justify="left" if aside else "right")
        for row in rows:
            table.add_row(*map(self.plain, row))
        return table

    def draw(self, drawn: RenderableType) -> None:
        """Print a table, or whatever else Rich draws."""
        self.end_line()
        self._console.print(drawn)

    def pause(self, cards: float = 1.0) -> None:
        """Let a card be seen before the next falls; not where nobody watches."""
        if self._speed and not self.hurried:
            time.sleep(self._speed * cards)

    def ask(self, prompt: str) -> str | None:
        """What is typed after the prompt, one line; None at the end of the input and for Ctrl-C."""
        self.end_line()
        shown = self.plain(prompt)
        try:
            if self.interactive:
                return _cleaned(input(shown))
            self._print(shown, end="")
            sys.stdout.flush()
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except (EOFError, KeyboardInterrupt):
            line = ""
        except UnicodeDecodeError:
            line = "\ufffd\n"
        self._print("")
        return _cleaned(line) if line else None


def _cleaned(line: str) -> str:
    """A typed line without its ends and without what cannot be printed."""
    return "".join(sign if sign.isprintable() else " " for sign in line).strip()


class Quiet(Console):
    """A console whose frames are letters where these are wanted.

    It leaves a broken pipe to the command, which ends without a word.
    """

    def __init__(self, letters: bool, **rest: Any) -> None:
        super().__init__(**rest)
        self._letters = letters

    @property
    def encoding(self) -> str:
        """The encoding by which Rich chooses its frames."""
        return "ascii" if self._letters else super().encoding

    def on_broken_pipe(self) -> None:
        """Tell the command."""
        raise BrokenPipeError
