"""Draws docs/board.svg, and every screen of the page at five sizes into docs/pictures.

    make pictures

The screens are small WebP files. The cards come from a seed, so that the same pictures are made
again, but for times and codes.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser
from tests.web.browsers import browser
from tests.web.screens import screens
from tests.web.servers import Server
from tests.web.visitors import SIZES, Visitor

from popejoan.painting import board_svg
from popejoan.rules import Rules

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
WIDEST = 640
QUALITY = 62


def shoot(anna: Visitor, size: tuple[int, int]) -> Callable[[str], None]:
    """What keeps the screen that is shown under a name."""
    line = anna.context.new_cdp_session(anna.page)
    scale = min(1.0, WIDEST / size[0])

    def keep(name: str) -> None:
        # A clip is counted from the top of the page, and the page may be scrolled.
        down = anna.page.evaluate("scrollY")
        shot = line.send(
            "Page.captureScreenshot",
            {
                "format": "webp",
                "quality": QUALITY,
                "clip": {"x": 0, "y": down, "width": size[0], "height": size[1], "scale": scale},
            },
        )
        path = FOLDER / f"{name}-{size[0]}x{size[1]}.webp"
        path.write_bytes(base64.b64decode(shot["data"]))

    return keep


def table_of_pictures(names: list[str]) -> str:
    """The page of the docs that shows them."""
    lines = ["# The screens", "", "Made by `make pictures`, at the sizes that are tested.", ""]
    for name in names:
        lines += [f"## {name.capitalize()}", ""]
        lines += [
            f"![{name}, {width} by {height}](pictures/{name}-{width}x{height}.webp)"
            for width, height in SIZES
        ]
        lines.append("")
    return "\n".join(lines)


def draw(running: Browser) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder)).start()
            try:
                anna = Visitor(running, server, size)
                keep = shoot(anna, size)
                for name in screens(anna):
                    keep(name)
                    if name not in names:
                        names.append(name)
            finally:
                server.stop()
        print(f"{size[0]}x{size[1]}")
    (ROOT / "docs" / "pictures.md").write_text(table_of_pictures(names), encoding="utf-8")


if __name__ == "__main__":
    (ROOT / "docs" / "board.svg").write_text(board_svg(Rules.HOYLE.stakes), encoding="utf-8")
    with browser() as running:
        draw(running)
