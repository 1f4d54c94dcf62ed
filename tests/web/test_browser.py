"""The page in a real browser, driven as people would."""

from __future__ import annotations

import json
import time

import pytest
from playwright.sync_api import Browser, expect
from tests.web.servers import Server
from tests.web.visitors import (
    LABELS,
    MY_LEAD,
    READY,
    SIZES,
    Visitor,
    axe,
    fits,
    play_deal,
    play_now,
    play_until,
    until_my_lead,
)


def test_two_people_and_two_bots_play_a_match_to_the_end(chromium: Browser, server: Server) -> None:
    anna, ben = Visitor(chromium, server), Visitor(chromium, server, (1280, 800))
    anna.page.fill("#name", "Anna")
    anna.page.click("text=Set a table for friends")
    anna.page.get_by_label("Deals").select_option("1")
    assert axe(anna.page) == []
    anna.page.get_by_role("button", name="Set the table").click()
    anna.page.wait_for_selector(".lobby")
    assert axe(anna.page) == []
    link = anna.page.get_by_label("Invitation link").input_value()
    ben.page.goto(link)
    ben.page.fill("#name", "Anna")
    assert axe(ben.page) == []
    ben.page.click("text=Sit down")
    expect(anna.page.locator(".waiting-list")).to_contain_text("Anna 2")
    anna.page.click("text=Begin")
    play_until(
        [anna, ben],
        lambda: ben.page.locator("text=Won and lost").count() > 0,
    )
    for visitor in (anna, ben):
        expect(visitor.page.locator("caption").first).to_have_text("Won and lost")
        assert axe(visitor.page) == []
    assert anna.page.inner_text(".settle table") == ben.page.inner_text(".settle table")
    anna.page.click("text=Play again")
    expect(ben.page.locator(".lobby")).to_be_visible()
    anna.close()
    ben.close()


def test_a_reload_a_second_tab_and_no_network_lose_nothing(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    play_now(anna, "Anna")
    until_my_lead(anna)
    hand = anna.page.locator(".hand button").evaluate_all(LABELS)
    anna.page.reload()
    expect(anna.page.locator(".turn.yours")).to_be_visible()
    assert anna.page.locator(".hand button").evaluate_all(LABELS) == hand
    tab = anna.context.new_page()
    tab.goto(anna.page.url)
    expect(tab.locator(".turn.yours")).to_be_visible()
    assert tab.locator(".hand button").evaluate_all(LABELS) == hand
    anna.page.evaluate("() => { window.probe = 1 }")
    anna.context.set_offline(True)
    anna.context.set_offline(False)
    # The page that was offline goes on by itself, and both tabs show the same.
    anna.move()
    expect(anna.page.locator(".hand button")).not_to_have_count(len(hand))
    left = anna.page.locator(".hand button").count()
    expect(tab.locator(".hand button")).to_have_count(left)
    anna.close()


def test_the_page_comes_back_by_itself_when_the_server_is_killed(
    chromium: Browser, own_server: Server
) -> None:
    anna = Visitor(chromium, own_server)
    play_now(anna, "Anna")
    until_my_lead(anna)
    hand = anna.page.locator(".hand button").evaluate_all(LABELS)
    own_server.kill()
    expect(anna.page.locator(".lost")).to_be_visible()
    own_server.start()
    expect(anna.page.locator(".lost")).to_have_count(0, timeout=20_000)
    assert anna.page.locator(".hand button").evaluate_all(LABELS) == hand
    anna.move()
    expect(anna.page.locator(".hand button")).not_to_have_count(len(hand))
    anna.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_wider_than_any_screen(
    chromium: Browser, server: Server, size: tuple[int, int]
) -> None:
    anna = Visitor(chromium, server, size)
    assert fits(anna.page)
    play_now(anna, "Anna")
    until_my_lead(anna)
    assert fits(anna.page)
    for panel in ("Talk", "Table"):
        anna.page.get_by_role("button", name=panel, exact=True).click()
        assert fits(anna.page)
        anna.page.keyboard.press("Escape")
    play_deal(anna)
    assert fits(anna.page)
    anna.close()


def test_a_deal_is_played_by_keyboard_alone(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    page = anna.page
    expect(page.locator("#name")).to_be_visible()
    # The first thing that Tab comes to is the name, and Enter in it begins the game.
    page.keyboard.press("Tab")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("Anna")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand button, .settle")

    def reach(selector: str) -> bool:
        """Press Tab until this has the focus."""
        for _ in range(60):
            if page.evaluate(f"document.activeElement.matches('{selector}')"):
                return True
            page.keyboard.press("Tab")
        return False

    until = time.monotonic() + 120
    while not page.locator(".settle").count():
        assert time.monotonic() < until, page.inner_text("body")
        # What may be led stays so until one leads.
        if page.locator(f"{MY_LEAD}").count():
            assert reach(".hand .legal")
            page.keyboard.press("Enter")
        page.wait_for_timeout(20)
    assert reach(".settle .actions .main")
    page.keyboard.press("Enter")
    expect(page.locator(".deal-number")).to_contain_text("Deal 2")
    anna.close()


def test_a_double_click_plays_once(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    play_now(anna, "Anna")
    until_my_lead(anna)
    many = anna.page.locator(".hand button").count()
    anna.page.evaluate(
        "() => { for (const n of [1, 2, 3]) document.querySelector('.hand .legal')?.click() }"
    )
    expect(anna.page.locator(READY)).to_have_count(1)
    expect(anna.page.locator(".hand button")).not_to_have_count(many)
    expect(anna.page.locator(".status .problem")).to_have_text("")
    anna.close()


def test_a_name_is_shown_and_never_run(chromium: Browser, server: Server) -> None:
    given = server.table("<img src=x onerror=alert(1)>", name="{{7*7}}<b>x</b>")
    anna = Visitor(chromium, server)
    anna.page.evaluate(
        f"localStorage.setItem('popejoan:{given['code']}', {json.dumps(given['token'])})"
    )
    anna.page.goto(f"{server.base}#{given['code']}")
    expect(anna.page.locator(".waiting-list")).to_contain_text("<img src=x onerror=aler")
    assert anna.page.locator("img").count() == 0
    anna.close()


def test_the_page_asks_no_other_host(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    play_now(anna, "Anna")
    assert asked
    assert [url for url in asked if not url.startswith(server.base)] == []
    anna.close()
