"""Every screen of the page, one after another, as someone comes to them."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page
from tests.web.visitors import Visitor


def play(page: Page, selector: str) -> None:
    """Lead whatever may be led until this is on the screen."""
    for _ in range(2000):
        if page.locator(selector).count():
            break
        page.evaluate("document.querySelector('.hand .legal')?.click()")
        page.wait_for_timeout(25)
    page.wait_for_selector(selector)
    page.wait_for_timeout(300)


def screens(anna: Visitor) -> Iterator[str]:
    """Go from screen to screen, giving the name of each."""
    page = anna.page

    def press(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    page.wait_for_timeout(400)
    yield "entrance"
    page.fill("#name", "Anna")
    page.get_by_text("Set a table for friends").click()
    page.get_by_label("Deals").select_option("1")
    page.wait_for_timeout(300)
    page.get_by_label("Name of the table").scroll_into_view_if_needed()
    yield "setting"
    press("Set the table")
    page.wait_for_selector(".lobby")
    yield "lobby"
    press("Begin")
    play(page, ".turn.yours")
    yield "lead"
    if page.get_by_role("button", name="Cards", exact=True).count():
        press("Cards")
        yield "cards"
        page.keyboard.press("Escape")
    press("Talk")
    page.wait_for_timeout(200)
    yield "talk"
    page.keyboard.press("Escape")
    press("Table")
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
    press("Close")
    press("End the match")
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
