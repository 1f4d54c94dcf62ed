"""The page in other languages: nothing on any screen stands outside the catalogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.servers import Server
from tests.web.visitors import MY_LEAD, Visitor, advance, play_deal, until_dealt

from popejoan.bots import bot_names

LANG = Path(__file__).parent.parent.parent / "src" / "popejoan" / "web" / "ui" / "src" / "lang"
PSEUDO = "en-XA"
RAW = """() => {
    // What is within the brackets of a message is said; names, codes and languages are not.
    const outside = text => {
        let depth = 0, left = '';
        for (const sign of text) {
            if (sign === '⟦') depth += 1;
            else if (sign === '⟧') depth -= 1;
            else if (!depth) left += sign;
        }
        return left;
    };
    const own = 'bdi, time, .who, option[lang], input[readonly], .presets button, script, noscript';
    const found = [];
    const ATTRIBUTES = [
        'aria-label', 'title', 'placeholder', 'alt', 'data-text', 'aria-valuetext',
    ];
    const look = (text, where) => {
        if (/\\p{L}{2,}/u.test(outside(text ?? ''))) found.push(`${where}: ${text.slice(0, 80)}`);
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement, textContent } = walk.currentNode;
        if (!parentElement.closest(own)) look(textContent, parentElement.tagName);
    }
    for (const each of document.querySelectorAll('body *')) {
        if (each.closest(own)) continue;
        for (const name of ATTRIBUTES)
            if (each.hasAttribute(name)) look(each.getAttribute(name), `${each.tagName} ${name}`);
    }
    return found;
}"""


def said(key: str, tag: str = "en") -> str:
    text: str = json.loads((LANG / f"{tag}.json").read_text(encoding="utf-8"))[key]
    return text


def speak(visitor: Visitor, tag: str) -> Page:
    visitor.page.evaluate(f"localStorage.setItem('popejoan:language', '{tag}')")
    visitor.page.reload()
    return visitor.page


def button(page: Page, key: str) -> Any:
    return page.get_by_role("button", name=f"⟦{said(key)}⟧")


def check(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
    assert page.evaluate(RAW) == []


def test_no_raw_string_is_on_any_screen(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, (1280, 800))
    page = speak(anna, PSEUDO)
    page.wait_for_selector(".home")
    page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
    page.wait_for_selector(".setting form, .setting input[type=range]")
    page.wait_for_selector(".setting form button.main:enabled")
    check(page)
    page.fill("#name", "Anna")
    page.get_by_label(f"⟦{said('settings.deals')}⟧").select_option("1")
    button(page, "home.set").click()
    page.wait_for_selector(".lobby")
    check(page)
    ben = Visitor(chromium, server)
    link = page.locator("input[readonly]").first.input_value()
    other = speak(ben, PSEUDO)
    other.goto(link)
    other.wait_for_selector("#name")
    check(other)
    button(page, "lobby.begin").click()
    until_dealt(anna)
    advance(anna, MY_LEAD, on=False)
    check(page)
    for key in ("room.talk", "room.table"):
        button(page, key).click()
        check(page)
        page.keyboard.press("Escape")
    play_deal(anna)
    check(page)
    button(page, "settle.replay").click()
    page.wait_for_selector(".replay")
    check(page)
    for _ in range(6):
        button(page, "replay.forward").click()
        check(page)
    button(page, "close").click()
    button(page, "settle.end").click()
    expect(page.locator("caption").first).to_have_text(f"⟦{said('over.won')}⟧")
    check(page)
    page.goto(f"{server.base}#daily")
    page.wait_for_selector(".daily section")
    check(page)
    anna.close()
    ben.close()


def test_every_bot_has_a_name_and_is_described_the_strongest_last(
    chromium: Browser, server: Server
) -> None:
    ladder = ["newcomer", "book", "counter", "sharp", "quick", "master"]
    for catalogue in LANG.glob("*.json"):
        for bot in ladder:
            assert said(f"bot.{bot}", catalogue.stem)
            assert said(f"bot.{bot}.what", catalogue.stem)
    anna = Visitor(chromium, server)
    page = anna.page
    page.get_by_text(said("home.friends")).click()
    choice = page.get_by_role("combobox", name=said("settings.bots"))
    expect(choice.locator("option[value=sharp]")).to_be_attached()
    offered = choice.locator("option").evaluate_all("all => all.map(each => each.value)")
    # Without an installed package its entry points, *quick* and *master*, are not there.
    assert offered == [*(bot for bot in ladder if bot in bot_names()), ""]
    assert choice.input_value() == "book"
    for bot in offered[:-1]:
        choice.select_option(bot)
        expect(page.locator(".says")).to_have_text(said(f"bot.{bot}.what"))
    anna.close()


@pytest.mark.parametrize(
    ("locale", "tag"),
    [("de-AT", "de"), ("fr-CA", "fr"), ("es-MX", "es"), ("it-IT", "it"), ("pt-BR", "en")],
)
def test_the_page_speaks_as_the_browser_does(
    chromium: Browser, server: Server, locale: str, tag: str
) -> None:
    context = chromium.new_context(locale=locale, viewport={"width": 320, "height": 568})
    page = context.new_page()
    page.goto(server.base)
    expect(page.get_by_role("button", name=said("home.play", tag))).to_be_visible()
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [
        tag,
        "ltr",
    ]
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)
    page.get_by_role("button", name=said("home.play", tag)).click()
    page.wait_for_selector(".hand button")
    assert not page.evaluate(wide)
    context.close()


def test_a_chosen_language_is_kept_and_shown_at_once(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    anna.page.get_by_label("Language").select_option("fr")
    expect(anna.page.get_by_role("button", name=said("home.play", "fr"))).to_be_visible()
    anna.page.reload()
    expect(anna.page.get_by_role("button", name=said("home.play", "fr"))).to_be_visible()
    assert anna.page.evaluate("document.documentElement.lang") == "fr"
    anna.close()


def test_a_counter_and_two_are_said_rightly_in_each_language(
    chromium: Browser, server: Server
) -> None:
    says = {
        "de": ["1 Marke", "2 Marken"], "fr": ["1 jeton", "2 jetons"],
        "es": ["1 ficha", "2 fichas"], "it": ["1 gettone", "2 gettoni"],
    }  # fmt: skip
    anna = Visitor(chromium, server)
    anna.page.click("text=Play now against bots")
    anna.page.wait_for_selector(".well")
    for tag, (one, two) in says.items():
        speak(anna, tag)
        anna.page.wait_for_selector(".well")
        wells = anna.page.locator(".well").evaluate_all("each => each.map(well => well.ariaLabel)")
        assert any(one in words for words in wells), wells
        assert any(two in words for words in wells), wells
    anna.close()
