"""How an environment shows the table: as text, printed, or as pixels drawn from the SVG."""

from __future__ import annotations

import io
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from popejoan import drawing
from popejoan.round import Round

__all__ = ["MODES", "check_mode", "rendered"]

MODES: Final = ("human", "ansi", "rgb_array")
"""The modes: printed to the terminal, as text, as an array of pixels."""


def check_mode(mode: str | None) -> str | None:
    """The mode itself; ValueError for one that is not among MODES."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode={mode!r} is not among {', '.join(MODES)}, or None")
    return mode


def rendered(round_: Round, mode: str | None, *, what: str) -> str | NDArray[np.uint8] | None:
    """The table as it truly is, in this mode.

    ``human`` prints it and gives None; ``rgb_array`` has shape (height, width, 3). Raises
    ValueError, naming ``what`` was made without one, where the mode is None.
    """
    if mode is None:
        raise ValueError(
            f"nothing can be shown: make {what} with render_mode={', '.join(map(repr, MODES))}"
        )
    if mode == "rgb_array":
        return pixels(drawing.round_svg(round_))
    text = drawing.round(round_)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None


def pixels(svg: str) -> NDArray[np.uint8]:
    """A drawing as pixels; shape (height, width, 3).

    Letters are drawn in the fonts that the system has; where it has none they are left out.
    """
    import resvg_py
    from PIL import Image

    fonts = _fonts()
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        skip_system_fonts=bool(fonts),
        font_files=list(fonts) or None,
        serif_family="DejaVu Serif" if fonts else None,
        sans_serif_family="DejaVu Sans" if fonts else None,
    )
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.array(image.convert("RGB"), np.uint8)


@lru_cache(maxsize=1)
def _fonts() -> tuple[str, ...]:
    """The few fonts that the drawing needs, where they lie; none where they are not found.

    To read all fonts of a system takes longer than to draw.
    """
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf")
    for folder in ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu"):
        found = tuple(str(path) for name in names if (path := Path(folder, name)).is_file())
        if len(found) == len(names):
            return found
    return ()
