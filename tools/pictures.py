"""Draws every screen of the page at five sizes into docs/pictures, as small WebP files.

    make pictures

The cards come from a seed, so that the same pictures are made again, but for times and codes.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from playwright.sync_api import Browser, Page  # noqa: E402
from tests.web.browsers import browser  # noqa: E402
from tests.web.servers import Server  # noqa: E402
from tests.web.visitors import SIZES, Visitor  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
WIDEST = 640
QUALITY = 62


def play(page: Page, selector: str) -> None:
    """Lead whatever may be led until this is on the screen."""
    for _ in range(2000):
        if page.locator(selector).count():
            break
        page.evaluate("document.querySelector('.hand .legal')?.click()")
        page.wait_for_timeout(25)
    page.wait_for_timeout(500)


def screens(anna: Visitor) -> Iterator[str]:
    """Go from screen to screen, giving the name of each."""
    page = anna.page
    page.wait_for_timeout(400)
    yield "entrance"
    page.fill("#name", "Anna")
    page.get_by_text("Set a table for friends").click()
    page.get_by_label("Deals").select_option("1")
    page.wait_for_timeout(300)
    yield "setting"
    page.get_by_role("button", name="Set the table").click()
    page.wait_for_selector(".lobby")
    yield "lobby"
    page.get_by_role("button", name="Begin").click()
    play(page, ".turn.yours")
    yield "lead"
    for _ in range(2):
        page.evaluate("document.querySelector('.hand .legal')?.click()")
        page.wait_for_timeout(400)
    play(page, ".turn.yours, .settle")
    yield "table"
    page.get_by_role("button", name="Table", exact=True).click()
    page.wait_for_timeout(300)
    yield "panel"
    page.keyboard.press("Escape")
    play(page, ".settle")
    yield "settlement"
    page.get_by_text("See the deal again").click()
    page.wait_for_selector(".replay")
    for _ in range(9):
        page.get_by_role("button", name="One card on").click()
    page.wait_for_timeout(600)
    yield "replay"
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="End the match").click()
    page.wait_for_selector("text=Won and lost")
    yield "reckoning"
    page.goto(anna.server.base)
    page.get_by_text("guided").click()
    page.wait_for_selector(".hand button")
    page.wait_for_timeout(600)
    yield "lesson"
    page.goto(f"{anna.server.base}#daily")
    page.reload()
    page.wait_for_selector(".daily section")
    yield "daily"


def shoot(anna: Visitor, size: tuple[int, int]) -> Callable[[str], None]:
    """What keeps the screen that is shown under a name."""
    line = anna.context.new_cdp_session(anna.page)
    scale = min(1.0, WIDEST / size[0])

    def keep(name: str) -> None:
        shot = line.send(
            "Page.captureScreenshot",
            {
                "format": "webp",
                "quality": QUALITY,
                "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale},
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
    with browser() as running:
        draw(running)
