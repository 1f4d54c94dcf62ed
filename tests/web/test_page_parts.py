"""The parts of the page that come after its entrance, when they come late, or not at all."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Route, expect
from tests.web.servers import Server
from tests.web.visitors import Visitor, play_now, until_all_is_fetched

ROOM = re.compile(r"/assets/RoomPage-[^/]*\.js$")
PARTS = re.compile(r"/assets/(RoomPage|Replay|SettingsForm|Daily|DealPage)-[^/]*\.js$")


def fresh(chromium: Browser, server: Server) -> Visitor:
    """Someone whose browser keeps nothing of the page yet."""
    anna = Visitor(chromium, server)
    anna.context.close()
    anna.context = chromium.new_context(service_workers="block")
    anna.page = anna.context.new_page()
    return anna


def test_a_page_older_than_its_server_goes_on_with_the_new_one(
    chromium: Browser, server: Server
) -> None:
    anna = fresh(chromium, server)
    gone: list[str] = []

    def older(route: Route) -> None:
        """The file of the older version is there no more; the page opened anew names another."""
        if gone:
            route.continue_()
        else:
            gone.append(route.request.url)
            route.fulfill(status=404, body="")

    anna.context.route(ROOM, older)
    given = server.table("Anna")
    anna.page.goto(f"{server.base}#{given['code']}")
    anna.page.fill("#name", "Ben")
    anna.page.get_by_role("button", name="Sit down").click()
    expect(anna.page.locator(".lobby")).to_be_visible(timeout=20_000)
    assert len(gone) == 1
    anna.context.close()


def test_when_a_part_cannot_be_had_it_is_said_and_can_be_tried_again(
    chromium: Browser, server: Server
) -> None:
    anna = fresh(chromium, server)
    page = anna.page
    anna.context.route(PARTS, lambda route: route.abort())
    page.goto(server.base)
    page.fill("#name", "Anna")
    page.get_by_role("button", name="Play now").click()
    # It is opened anew once, and then it says what is wrong.
    expect(page.get_by_role("alert")).to_have_text(
        "The server cannot be reached just now.", timeout=20_000
    )
    anna.context.unroute(PARTS)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".hand button, .settle")
    anna.context.close()


def test_an_open_page_needs_no_file_that_an_update_takes_away(
    chromium: Browser, server: Server
) -> None:
    anna = fresh(chromium, server)
    page = anna.page
    page.goto(server.base)
    until_all_is_fetched(page)
    anna.context.route(re.compile("/assets/.*js$"), lambda route: route.fulfill(status=404))
    page.get_by_text("Set a table for friends").click()
    expect(page.get_by_label("Name of the table")).to_be_visible()
    page.get_by_role("link", name="deal of the day").click()
    expect(page.locator(".daily section").first).to_be_visible()
    anna.context.close()


def test_nothing_is_lost_of_what_was_written_when_the_form_is_closed(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    page = anna.page
    summary = page.get_by_text("Set a table for friends")
    summary.click()
    page.get_by_label("Name of the table").fill("At home")
    summary.click()
    summary.click()
    expect(page.get_by_label("Name of the table")).to_have_value("At home")
    play_now(anna, "Anna")
    anna.close()
