"""Every screen of the page, one after another, as someone comes to them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.web.visitors import MY_LEAD, Visitor, advance, drawn


def play(anna: Visitor, selector: str) -> None:
    """Lead whatever may be led until this is on the screen."""
    advance(anna, selector, on=False)
    drawn(anna.page)


def screens(anna: Visitor) -> Iterator[str]:
    """Go from screen to screen, giving the name of each."""
    page = anna.page

    def press(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    drawn(page)
    yield "entrance"
    page.fill("#name", "Anna")
    page.get_by_text("Set a table for friends").click()
    page.get_by_label("Deals").select_option("1")
    page.wait_for_selector(".setting form button.main:enabled")
    drawn(page)
    page.get_by_label("Name of the table").scroll_into_view_if_needed()
    yield "setting"
    press("Set the table")
    page.wait_for_selector(".lobby")
    yield "lobby"
    press("Begin")
    play(anna, MY_LEAD)
    yield "lead"
    if page.get_by_role("button", name="Cards", exact=True).count():
        press("Cards")
        yield "cards"
        page.keyboard.press("Escape")
    press("Talk")
    drawn(page)
    yield "talk"
    page.keyboard.press("Escape")
    press("Table")
    drawn(page)
    yield "panel"
    page.keyboard.press("Escape")
    play(anna, ".settle")
    yield "settlement"
    page.get_by_text("See the deal again").click()
    page.wait_for_selector(".replay")
    for _ in range(9):
        page.get_by_role("button", name="One card on").click()
    drawn(page)
    yield "replay"
    press("Close")
    press("End the match")
    page.wait_for_selector("text=Won and lost")
    yield "reckoning"
    page.goto(anna.server.base)
    page.get_by_text("guided").click()
    page.wait_for_selector(".hand button")
    drawn(page)
    yield "lesson"
    page.goto(f"{anna.server.base}#daily")
    page.reload()
    page.wait_for_selector(".daily section")
    yield "daily"
