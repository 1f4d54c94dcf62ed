"""How the page feels: quick, light, heard when wanted, and played by hand, by key and by ear."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.servers import Server
from tests.web.visitors import (
    MY_LEAD,
    READY,
    Visitor,
    advance,
    drawn,
    play_deal,
    play_until,
    sit,
    until_all_is_fetched,
    until_my_lead,
)

from popejoan.web.assets import STATIC

SOUNDS = """() => {
    window.heard = [];
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
        window.heard.push(this.frequency.value);
        return begin.apply(this, given);
    };
}"""
FRAMES = """(long) => new Promise(done => {
    const taken = [];
    let before = performance.now();
    const end = before + long;
    const next = now => {
        taken.push(now - before);
        before = now;
        now < end ? requestAnimationFrame(next) : done(taken.slice(1));
    };
    requestAnimationFrame(next);
})"""


def first_load(visitor: Visitor, path: str = "") -> dict[str, tuple[str, int]]:
    """Every address asked for by a fresh page, with its kind and its bytes on the line."""
    page = visitor.context.new_page()
    session = visitor.context.new_cdp_session(page)
    asked: dict[str, tuple[str, str]] = {}
    sizes: dict[str, tuple[str, int]] = {}
    session.send("Network.enable")
    session.on(
        "Network.responseReceived",
        lambda got: asked.update({got["requestId"]: (got["response"]["url"], got["type"])}),
    )

    def finished(got: dict[str, Any]) -> None:
        url, kind = asked.get(got["requestId"], ("", ""))
        sizes[url] = (kind, int(got["encodedDataLength"]))

    session.on("Network.loadingFinished", finished)
    page.goto(visitor.server.base + path)
    page.wait_for_selector("#name")
    until_all_is_fetched(page)
    page.close()
    sizes.pop("", None)
    return sizes


def test_the_first_load_is_light_and_everything_named_is_kept_for_good(
    chromium: Browser, server: Server, record_property: Any
) -> None:
    anna = Visitor(chromium, server)
    fresh = chromium.new_context()
    anna.context.close()
    anna.context = fresh
    loaded = first_load(anna)
    light = {url: size for url, (kind, size) in loaded.items() if kind != "Font"}
    record_property("first load in bytes", sum(light.values()))
    assert any(url.endswith(".js") for url in light)
    assert sum(light.values()) < 150 * 1024, light
    for url in loaded:
        if "/assets/" in url:
            status, headers = _headers(server, url)
            assert status == 200
            assert headers["cache-control"] == "public, max-age=31536000, immutable"
            assert re.search(r"-[\w-]{8}\.\w+$", url), url
    again = first_load(anna)
    assert [url for url, (_, size) in again.items() if "/assets/" in url and size > 0] == []
    fresh.close()


def test_each_file_of_the_page_is_sent_as_what_it_is(server: Server) -> None:
    kinds = {}
    for path in sorted((STATIC / "assets").iterdir()):
        if path.suffix and path.is_file() and path.suffix not in {".br", ".gz"}:
            status, headers = _headers(server, f"{server.base}assets/{path.name}")
            assert status == 200
            kinds[path.suffix] = headers["content-type"].partition(";")[0]
    assert kinds.pop(".webp") == "image/webp"
    assert kinds.pop(".svg") == "image/svg+xml"
    assert "application/octet-stream" not in kinds.values()


def _headers(server: Server, url: str) -> tuple[int, dict[str, str]]:
    import urllib.request

    assert url.startswith(server.base)
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}


def test_nothing_jumps_while_the_page_comes(chromium: Browser, server: Server) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => { for (const each of list.getEntries())"
        " if (!each.hadRecentInput) window.shift += each.value; })"
        ".observe({type: 'layout-shift', buffered: true});"
    )
    page.goto(server.base)
    page.wait_for_selector("#name")
    until_all_is_fetched(page)
    assert page.evaluate("window.shift") < 0.01
    context.close()


def test_frames_with_a_processor_four_times_slower(
    chromium: Browser, server: Server, record_property: Any
) -> None:
    anna = Visitor(chromium, server, moving=True, speed="fast")
    sit(anna)
    until_my_lead(anna)
    anna.context.new_cdp_session(anna.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    anna.move()
    taken = sorted(anna.page.evaluate(FRAMES, 2000))
    assert taken
    middle, slow = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    record_property("milliseconds a frame, middle and 95 of 100", f"{middle:.1f} {slow:.1f}")
    print(f"frames {len(taken)} in 2 s, {middle:.1f} ms in the middle, 95 of 100 {slow:.1f} ms")
    anna.context.close()


FLIGHTS = """() => {
    window.flights = {};
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        const flight = animate.apply(this, how);
        if (this.matches('.run li')) {
            const frames = flight.effect.getKeyframes();
            const moved = frames.flatMap(frame => Object.keys(frame));
            window.flights[this.querySelector('.card').ariaLabel] = [frames[0].transform, moved];
        }
        return flight;
    };
}"""


def test_a_card_flies_by_what_a_browser_moves_without_painting(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server, moving=True, speed="fast")
    sit(anna)
    until_my_lead(anna)
    anna.page.evaluate(FLIGHTS)
    button = anna.page.locator(".hand .legal").first
    card = (button.get_attribute("aria-label") or "").partition(",")[0]
    button.click()
    anna.page.wait_for_function("() => Object.keys(window.flights).length")
    flights: dict[str, tuple[str, list[str]]] = anna.page.evaluate("window.flights")
    # The one that is led flies from the hand, which is below.
    led = next(flight for name, flight in flights.items() if name.startswith(card))
    start = re.match(r"translate\((\S+)px, (\S+)px\)", led[0])
    assert start
    assert float(start[2]) > 50
    still = {"offset", "computedOffset", "easing", "composite"}
    assert {name for _, moved in flights.values() for name in moved} - still == {
        "transform",
        "opacity",
    }
    anna.close()


# The board takes its size from the room that is left, a frame after the hand has taken its own:
# looked at until two frames are alike.
PLACES = """() => new Promise(done => {
    let before = '';
    const look = () => {
        const hand = document.querySelector('.hand-wrap');
        if (!hand) return done(null);
        const [board, turn] = [document.querySelector('.board'), document.querySelector('.turn')];
        const now = [hand.offsetHeight, board.offsetWidth, turn.textContent];
        if (String(now) === before) return done(now);
        before = String(now);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""


def test_the_board_keeps_its_size_while_words_come_and_go_beneath_it(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    sides: dict[float, list[float]] = {}
    words: set[str] = set()
    for _ in range(12):
        advance(anna, f"{READY} .hand-wrap", on="wait")
        if places := anna.page.evaluate(PLACES):
            hand, board, said = places
            sides.setdefault(hand, []).append(board)
            words.add(said)
        anna.move()
    assert len(words) > 1
    assert max(map(len, sides.values())) > 1, sides
    # Only a hand that needs less room gives some to the board.
    assert all(max(each) - min(each) < 1.5 for each in sides.values()), sides
    anna.close()


def test_it_is_silent_until_touched_and_when_muted(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    anna.context.add_init_script(f"({SOUNDS})()")
    sit(anna)
    anna.page.reload()
    anna.page.wait_for_selector(".hand button")
    until_my_lead(anna)
    anna.move()
    advance(anna, f"{READY}", on=False)
    drawn(anna.page)
    assert anna.page.evaluate("window.heard") == []
    anna.page.locator("h1").click()
    until_my_lead(anna)
    anna.move()
    play_until([anna], lambda: bool(anna.page.evaluate("window.heard.length")))
    anna.page.get_by_role("button", name="Table", exact=True).click()
    anna.page.get_by_text("Look and sound").click()
    anna.page.get_by_label("Sounds").uncheck()
    anna.page.reload()
    anna.page.wait_for_selector(".hand, .settle")
    anna.page.locator("h1").click()
    until_my_lead(anna)
    anna.move()
    advance(anna, f"{READY}", on=False)
    drawn(anna.page)
    assert anna.page.evaluate("window.heard") == []
    anna.close()


def test_the_tab_shows_whose_turn_it_is(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    icon = "document.querySelector('link[rel=icon]').href"
    before = anna.page.evaluate(icon)
    until_my_lead(anna)
    expect(anna.page).to_have_title(re.compile("Your lead"))
    turn = anna.page.evaluate(icon)
    assert "turn" in turn
    play_deal(anna)
    assert anna.page.title() == "Pope Joan"
    assert anna.page.evaluate(icon) != turn
    assert before
    anna.close()


def test_a_card_is_dragged_to_its_run_and_back(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    page = anna.page
    card = page.locator(".hand .legal").last
    name, many = card.get_attribute("data-card"), page.locator(".hand button").count()
    box = card.bounding_box()
    assert box is not None
    x, y = box["x"] + 15, box["y"] + 20
    for down, stays in ((30, True), (-150, False)):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 20, y + down / 2)
        page.mouse.move(x + 30, y + down)
        page.mouse.up()
        if stays:
            drawn(page)
            assert page.locator(".hand button").count() == many
    expect(page.locator(f".hand [data-card='{name}']")).to_have_count(0)
    anna.close()


def test_arrows_go_through_the_hand_and_the_focus_is_never_lost(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    page = anna.page
    focused = "document.activeElement.dataset.card ?? document.activeElement.className"
    page.locator(".hand [tabindex='0']").focus()
    cards = page.locator(".hand button").evaluate_all("all => all.map(each => each.dataset.card)")
    page.keyboard.press("Home")
    seen = []
    for _ in cards:
        seen.append(page.evaluate(focused))
        page.keyboard.press("ArrowRight")
    assert seen == cards
    end = time.monotonic() + 120
    while not page.locator(".settle").count():
        assert time.monotonic() < end
        if page.locator(MY_LEAD).count():
            if not page.evaluate("document.activeElement.matches('.hand button')"):
                page.locator(".hand [tabindex='0']").focus()
            page.keyboard.press("Enter")
            page.wait_for_selector(f"{READY}")
            page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
    expect(page.locator(".settle button:focus")).to_have_count(1)
    anna.close()


def test_everything_is_told_once_and_in_order_and_keys_read_the_table(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    page = anna.page
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { window.spoken = [];"
        " new MutationObserver(all => { for (const each of all) for (const node of each.addedNodes)"
        " if (node.nodeType === 1) for (const p of node.matches?.('.voice p') ? [node]"
        " : node.querySelectorAll?.('.voice p') ?? []) window.spoken.push(p.textContent); })"
        ".observe(document.body, {childList: true, subtree: true}); })"
    )
    page.reload()
    sit(anna)
    play_deal(anna)
    drawn(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    log = page.locator("[aria-label='What has happened'] p").all_inner_texts()
    spoken = [each for each in page.evaluate("window.spoken") if not each.startswith("Your lead")]
    begun = log.index(spoken[0])
    assert spoken == log[begun:]
    assert begun < 8
    page.keyboard.press("Escape")
    page.locator("h1").click()
    # Who went out has no cards left to be read.
    hand = r"cards?: |hand is empty"
    for key, words in (("b", "The board: "), ("p", "You: "), ("h", hand), ("r", " by ")):
        page.keyboard.press(key)
        expect(page.locator(".voice p").last).to_have_text(re.compile(words))
    anna.close()


def test_no_card_that_is_hidden_is_anywhere_in_the_page(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, (1280, 800))
    sit(anna)
    until_my_lead(anna)
    named = re.compile(r"\b(\w+) of (clubs|diamonds|hearts|spades)")
    whole = anna.page.evaluate(
        "[...document.querySelectorAll('.table *')].filter(each => !each.closest('.known, .stock'))"
        ".map(each => `${each.ariaLabel ?? ''} ${each.dataset?.card ?? ''}`).join(' ')"
    )
    known = anna.page.evaluate(
        "[...document.querySelectorAll('.hand button, .run .card, .piles .card')]"
        ".map(each => each.ariaLabel).join(' ')"
    )
    board = anna.page.locator(".board").get_attribute("aria-label") or ""
    trump = board.rpartition(" are trumps")[0].rpartition(" ")[2]
    earning = {(rank, trump) for rank in ("ace", "king", "queen", "knave")} | {("nine", "diamonds")}
    turned = set(named.findall(board))
    assert set(named.findall(whole)) <= set(named.findall(known)) | earning | turned
    anna.close()


def test_a_run_is_seen_again_and_nothing_is_told_twice(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    page = anna.page

    advance(anna, f"{READY}:has(.turn.yours):has(.run li:nth-child(3))")
    many = page.locator(".run li").count()
    page.get_by_role("button", name="Talk", exact=True).click()
    log = page.locator("[aria-label='What has happened'] p").count()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_label("Cards that must follow fall").select_option("slow")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="See the run again").click()
    expect(page.locator(".run li")).to_have_count(1)
    page.get_by_role("button", name="Skip to the end").click()
    expect(page.locator(".run li")).to_have_count(many)
    page.get_by_role("button", name="Talk", exact=True).click()
    assert page.locator("[aria-label='What has happened'] p").count() == log
    expect(page.locator(".turn.yours")).to_be_visible()
    anna.close()


def test_a_table_from_memory_shows_no_known_stop(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, (1280, 800))
    sit(anna, aids=False)
    until_my_lead(anna)
    assert anna.page.locator(".known, .hand .halt").count() == 0
    sit(anna)
    until_my_lead(anna)
    expect(anna.page.locator(".known")).to_be_visible()
    anna.close()


def test_a_hint_names_a_card_that_may_be_led_and_says_why(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    anna.page.get_by_role("button", name="Hint").click()
    # The first thought of a server may have to compile.
    expect(anna.page.locator(".advice")).to_contain_text(
        re.compile("Lead the|the only card that you may lead"), timeout=120_000
    )
    expect(anna.page.locator(".hand .advised.legal")).to_have_count(1)
    anna.close()


@pytest.mark.parametrize("first", [(390, 844), (844, 390)], ids=str)
def test_turning_the_phone_loses_nothing(
    chromium: Browser, server: Server, first: tuple[int, int]
) -> None:
    anna = Visitor(chromium, server, first)
    sit(anna)
    until_my_lead(anna)
    page: Page = anna.page
    page.locator(".hand [tabindex='0']").focus()
    state = "[...document.querySelectorAll('.hand button, .run .card')].map(e => e.ariaLabel)"
    before = page.evaluate(state), page.evaluate("document.activeElement.dataset.card")
    page.set_viewport_size({"width": first[1], "height": first[0]})
    drawn(page)
    assert (page.evaluate(state), page.evaluate("document.activeElement.dataset.card")) == before
    anna.close()
