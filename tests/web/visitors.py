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
READY = ".room:not([data-busy])"
"""The table, when all that was asked for is answered and all that happened is shown."""
MY_LEAD = f"{READY} .turn.yours"
MOVE = f"""on => {{
    const room = document.querySelector('{READY}');
    const card = room?.querySelector('.hand .legal');
    const next = room?.querySelector('.settle .actions .main');
    if (card && on !== 'wait') card.click();
    else if (on && /Next deal|End the match/.test(next?.textContent)) next.click();
}}"""
ADVANCE = f"""([until, on, patience]) => new Promise((done, fail) => {{
    const move = {MOVE};
    const end = performance.now() + 1000 * patience;
    const look = () => {{
        if (document.querySelector(until)) return done();
        if (performance.now() > end) return fail(new Error(document.body.innerText));
        move(on);
        setTimeout(look, 20);
    }};
    look();
}})"""
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
        keeping: bool = False,
    ):
        """``keeping`` lets the browser keep the page, so that it opens without a network."""
        self.server = server
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="no-preference" if moving else "reduce",
            service_workers="allow" if keeping else "block",
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
        """Do what there is to do, if anything; when a deal is over, go ``on`` to the next."""
        (page or self.page).evaluate(MOVE, on)

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


def play_until(visitors: list[Visitor], true: Callable[[], bool], patience: float = 120) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, visitors[0].page.inner_text("body")
        for visitor in visitors:
            visitor.move()
        time.sleep(0.03)


def advance(visitor: Visitor, until: str, *, on: bool | str = True, patience: float = 90) -> None:
    """Play until there is what a selector says; ``on='wait'`` to the next deal, without a lead."""
    visitor.page.evaluate(ADVANCE, [until, on, patience])


def play_deal(visitor: Visitor, patience: float = 90) -> None:
    """Play the deal out, and stay where it is settled."""
    advance(visitor, ".settle", on=False, patience=patience)


def play_now(visitor: Visitor, name: str) -> None:
    visitor.page.fill("#name", name)
    visitor.page.click("text=Play now against bots")
    until_dealt(visitor)


def until_dealt(visitor: Visitor) -> None:
    """Wait for a hand; a deal may be over before a slow page has shown it. Nothing is led."""
    visitor.page.wait_for_selector(".hand button, .settle .main")
    advance(visitor, ".hand button", on="wait")


def drawn(page: Page) -> None:
    """Wait until what the page has made of all that it knows is on the screen."""
    page.evaluate(
        "document.fonts.ready.then(() => new Promise(done =>"
        " requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))"
    )


def until(page: Page, script: str, patience: float = 30) -> None:
    """Wait until a script finds something true."""
    end = time.monotonic() + patience
    while not page.evaluate(script):
        assert time.monotonic() < end, (script, page.inner_text("body"))
        page.wait_for_timeout(30)


def until_all_is_fetched(page: Page) -> None:
    """Wait until the page has what it fetches once it is shown."""
    until(page, "performance.getEntriesByName('all is fetched').length")
    drawn(page)


def axe(page: Page) -> list[str]:
    """What axe finds on this screen."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((UI / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], preload: false})"
    )
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    drawn(page)
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


def until_my_lead(visitor: Visitor, patience: float = 90) -> None:
    """Play on until one is to lead, and nothing more is on its way."""
    advance(visitor, MY_LEAD, patience=patience)
