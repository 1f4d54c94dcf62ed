"""People at the page in a real browser, and what is looked for on every screen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from tests.web.servers import Server

UI = Path(__file__).parent.parent.parent / "src" / "popejoan" / "web" / "ui"
LABELS = "cards => cards.map(card => card.ariaLabel)"
SIZES = [(390, 844), (844, 390), (320, 568), (768, 1024), (1280, 800)]


class Visitor:
    """Someone with a browser of their own."""

    def __init__(
        self,
        chromium: Browser,
        server: Server,
        size: tuple[int, int] = (390, 844),
        *,
        moving: bool = False,
        speed: str = "at once",
    ):
        self.server = server
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="no-preference" if moving else "reduce",
        )
        self.page = self.open()
        self.page.evaluate(f"localStorage.setItem('popejoan:speed', '{speed}')")

    def open(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console",
            lambda said: (
                self.faults.append(said.text)
                if said.type == "error" and "WebSocket" not in said.text and "ERR_" not in said.text
                else None
            ),
        )
        page.goto(self.server.base + path)
        return page

    def move(self, page: Page | None = None, *, on: bool = True) -> None:
        """Do what there is to do, at once; when a deal is over, go ``on`` to the next."""
        page = page or self.page
        page.evaluate(
            """on => {
                const card = document.querySelector('.hand .legal');
                const next = document.querySelector('.settle .actions .main');
                if (card) card.click();
                else if (on && /Next deal|End the match/.test(next?.textContent)) next.click();
            }""",
            on,
        )

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


def play_until(visitors: list[Visitor], true: Callable[[], bool], patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, visitors[0].page.inner_text("main")
        for visitor in visitors:
            visitor.move()
        time.sleep(0.03)


def play_deal(visitor: Visitor, patience: float = 60) -> None:
    """Play the deal out, and stay where it is settled."""
    end = time.monotonic() + patience
    while not visitor.page.locator(".settle").count():
        assert time.monotonic() < end, visitor.page.inner_text("main")
        visitor.move(on=False)
        time.sleep(0.03)


def play_now(visitor: Visitor, name: str) -> None:
    visitor.page.goto(visitor.server.base)
    visitor.page.fill("#name", name)
    visitor.page.click("text=Play now against bots")
    until_dealt(visitor)


def until_dealt(visitor: Visitor) -> None:
    """Wait for a hand; a deal may be over before a slow page has shown it."""
    while not visitor.page.locator(".hand button").count():
        visitor.page.wait_for_selector(".hand button, .settle .main")
        visitor.move()


def axe(page: Page) -> list[str]:
    """What axe finds on this screen."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((UI / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    page.wait_for_timeout(300)
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def sit(visitor: Visitor, **settings: Any) -> None:
    """Set a table, begin, and wait for one's first lead."""
    given = visitor.server.table("Anna", **settings)
    kept = json.dumps({f"popejoan:{given['code']}": given["token"]})
    visitor.page.evaluate(f"Object.assign(localStorage, {kept})")
    visitor.page.goto(f"{visitor.server.base}#{given['code']}")
    visitor.page.click(".lobby .main")
    until_dealt(visitor)


def until_my_lead(visitor: Visitor, patience: float = 60) -> None:
    """Play on until one is to lead, and nothing more is on its way."""
    yours = visitor.page.locator(".turn.yours")
    shown = "[...document.querySelectorAll('.turn.yours, .hand button, .run li')].length"
    before = -1
    while not yours.count() or before != (now := visitor.page.evaluate(shown)):
        if not yours.count():
            play_until([visitor], lambda: yours.count() > 0, patience)
            now = visitor.page.evaluate(shown)
        before = now
        # The last lead may still be on its way.
        visitor.page.wait_for_timeout(200)
