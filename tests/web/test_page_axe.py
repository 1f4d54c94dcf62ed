"""axe finds nothing on any screen at any size: one page goes through all of them."""

from __future__ import annotations

from playwright.sync_api import Browser, Page
from tests.web.screens import screens
from tests.web.servers import Server
from tests.web.visitors import SIZES, Visitor, axe, drawn, sit, until_my_lead


def found_at_each_size(page: Page, name: str) -> list[str]:
    """What axe finds on this screen, and whatever is wider than the window."""
    before = page.viewport_size
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        found += [f"{name} {width}x{height}: {each}" for each in axe(page)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} {width}x{height} is too wide")
    if before:
        page.set_viewport_size(before)
    return found


def test_axe_finds_nothing_on_any_screen_at_any_size(chromium: Browser, own_server: Server) -> None:
    anna = Visitor(chromium, own_server)
    found: list[str] = []
    names = []
    for name in screens(anna):
        names.append(name)
        found += found_at_each_size(anna.page, name)
    given = own_server.table("Anna")
    invited = anna.open(f"#{given['code']}")
    invited.wait_for_selector("#name")
    found += found_at_each_size(invited, "invitation")
    invited.close()
    sit(anna)
    until_my_lead(anna)
    own_server.kill()
    anna.page.wait_for_selector(".lost")
    found += found_at_each_size(anna.page, "line lost")
    assert found == []
    assert len(names) == 12
    anna.close()
