"""What the page looks like: measured, since a test has no eye."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.servers import Server
from tests.web.visitors import SIZES, UI, Visitor, axe, drawn, fits, sit, until_my_lead

THEMES = ["light", "dark", "contrast"]
DEFICIENCIES = ["achromatopsia", "deuteranopia", "protanopia", "tritanopia"]
NEAR = """async ([one, other]) => {
    const grey = async (png) => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + png;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const {data} = context.getImageData(0, 0, image.width, image.height);
        return Array.from({length: data.length / 4}, (_, n) =>
            0.299 * data[4 * n] + 0.587 * data[4 * n + 1] + 0.114 * data[4 * n + 2]);
    };
    const [a, b] = [await grey(one), await grey(other)];
    return a.filter((light, n) => Math.abs(light - b[n]) > 40).length;
}"""


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_ink_of_the_cards_stands_out_seven_to_one() -> None:
    drawn = (UI / "build" / "cards.ts").read_text(encoding="utf-8")
    inks = dict(re.findall(r"\b(red|blue|green|black|white): '(#\w{6})'", drawn))
    theme = (UI / "src" / "style" / "theme.css").read_text(encoding="utf-8")
    written = re.findall(r"--ink-[CDHS]: (#\w{6})", theme)
    assert len(inks) == 5
    assert len(written) >= 4
    for ink in [*written, *(ink for name, ink in inks.items() if name != "white")]:
        assert contrast(ink, inks["white"]) >= 7, ink


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_any_theme(chromium: Browser, server: Server, theme: str) -> None:
    anna = Visitor(chromium, server)
    anna.page.evaluate(f"localStorage.setItem('popejoan:theme', '{theme}')")
    anna.page.goto(server.base)
    expect(anna.page.locator(f"html[data-theme={theme}]")).to_be_attached()
    assert axe(anna.page) == []
    sit(anna)
    until_my_lead(anna)
    for width, height in (SIZES[0], SIZES[-1]):
        anna.page.set_viewport_size({"width": width, "height": height})
        assert fits(anna.page)
        assert axe(anna.page) == [], (width, height)
    anna.close()


def test_the_letters_of_numbers_stand_out_seven_to_one(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    for theme in THEMES:
        anna.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        drawn(anna.page)
        rules = {
            "runOnly": ["color-contrast-enhanced"],
            "rules": {"color-contrast-enhanced": {"enabled": True}},
        }
        anna.page.evaluate((UI / "node_modules/axe-core/axe.min.js").read_text("utf-8"))
        for part in (".players", ".run-wrap", ".hand", ".board"):
            found = anna.page.evaluate(f"axe.run('{part}', {json.dumps(rules)})")
            assert found["violations"] == [], (theme, part)
        shown = anna.page.locator(".well:not(.bare) .stake").first
        ink = shown.evaluate("each => getComputedStyle(each).color")
        assert ink in ("rgb(20, 17, 11)", "rgb(0, 0, 0)"), theme
    anna.close()


def changed(page: Page, where: Locator, change: str) -> int:
    """How many points of a place differ in lightness, once the change is made to it."""
    box = where.bounding_box()
    assert box is not None
    clip: Any = {
        "x": box["x"] - 12,
        "y": box["y"] - 24,
        "width": box["width"] + 24,
        "height": box["height"] + 36,
    }
    clip["x"], clip["y"] = max(0, clip["x"]), max(0, clip["y"])
    before = page.screenshot(clip=clip)
    where.evaluate(f"each => each.{change}")
    drawn(page)
    after = page.screenshot(clip=clip)
    pictures = [base64.b64encode(each).decode() for each in (before, after)]
    return int(page.evaluate(NEAR, pictures))


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_no_state_is_told_by_colour_alone(
    chromium: Browser, server: Server, deficiency: str
) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    page = anna.page
    anna.context.new_cdp_session(page).send(
        "Emulation.setEmulatedVisionDeficiency", {"type": deficiency}
    )
    legal = page.locator(".hand .legal").last
    acts = page.locator(".players .acts")
    well = page.locator(".well").first
    assert changed(page, legal, "classList.remove('legal')") > 150
    assert changed(page, acts, "classList.remove('acts')") > 150
    assert changed(page, well, "classList.add('meant')") > 80
    page.get_by_role("button", name="Cards", exact=True).click()
    cells = page.locator(".known .cell.open:not(.mine)")
    for state in ("played", "stop", "dead"):
        assert changed(page, cells.nth(3), f"classList.replace('open', '{state}')") > 20, state
        cells = page.locator(".known .cell.open:not(.mine)")
    anna.close()


@pytest.mark.parametrize("size", [(640, 400), (384, 512), (422, 195)], ids=str)
def test_at_twice_the_size_everything_is_still_reached(
    chromium: Browser, server: Server, size: tuple[int, int]
) -> None:
    anna = Visitor(chromium, server, size)
    assert fits(anna.page)
    sit(anna)
    until_my_lead(anna)
    assert fits(anna.page)
    anna.page.locator(".hand .legal").last.click()
    # What is asked of a well goes away when a card falls.
    until_my_lead(anna)
    for place in ("pope", "intrigue"):
        anna.page.locator(f".well[data-place={place}]").click()
        expect(anna.page.locator(".note")).to_be_visible()
    anna.page.get_by_role("button", name="Table", exact=True).click()
    expect(anna.page.get_by_role("button", name="Close")).to_be_visible()
    anna.close()


def small_targets(page: Page) -> list[str]:
    """What can be pressed and is less than 44 by 44, the cards of the hand not counted."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, summary, select, input, a')]
            .filter(each => !each.closest('.hand') && each.checkVisibility())
            .map(each => [each.closest('label.tick') ?? each, each])
            .map(([place, each]) => [place.getBoundingClientRect(), each])
            .filter(([box]) => box.width && (box.width < 43.5 || box.height < 43.5))
            .map(([box, each]) => `${each.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
    )
    return found


def covered(page: Page) -> list[str]:
    """The cards that may be led of which a strip 44 wide and 40 high cannot be hit."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('.hand .legal')].filter(button => {
            // The points lie on the card as it is turned about its middle.
            const box = button.getBoundingClientRect();
            const turn = /rotate\\((.*)deg/.exec(button.closest('li').style.transform)[1];
            const [sin, cos] = [Math.sin(turn * Math.PI / 180), Math.cos(turn * Math.PI / 180)];
            return ![[4, 14], [42, 14], [24, 24], [5, 38], [41, 38]].every(([x, y]) => {
                const [dx, dy] = [x - button.offsetWidth / 2, y - button.offsetHeight / 2];
                const hit = document.elementFromPoint(
                    box.left + box.width / 2 + dx * cos - dy * sin,
                    box.top + box.height / 2 + dx * sin + dy * cos,
                );
                return hit && button.contains(hit);
            });
        }).map(button => button.dataset.card)"""
    )
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_whatever_can_be_pressed_is_large_enough_for_a_finger(
    chromium: Browser, server: Server, size: tuple[int, int]
) -> None:
    anna = Visitor(chromium, server, size)
    assert small_targets(anna.page) == []
    sit(anna)
    until_my_lead(anna)
    assert small_targets(anna.page) == []
    for name in ("Cards", "Talk", "Table"):
        button = anna.page.get_by_role("button", name=name, exact=True)
        if button.count():
            button.click()
            assert small_targets(anna.page) == [], name
            anna.page.keyboard.press("Escape")
    wells = anna.page.locator(".well")
    middles = [box for well in wells.all() if (box := well.bounding_box())]
    for place, one in enumerate(middles):
        for other in middles[:place]:
            apart = max(abs(one["x"] - other["x"]), abs(one["y"] - other["y"]))
            assert apart > 24
    anna.close()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 10])
def test_every_hand_fits_the_narrowest_screen_and_each_card_can_be_hit(
    chromium: Browser, server: Server, players: int
) -> None:
    anna = Visitor(chromium, server, (320, 568))
    sit(anna, seats=players, rules="HOYLE lead=any")
    page = anna.page
    held = {2: 21, 3: 14, 4: 11, 5: 9, 10: 4}[players]
    until_my_lead(anna)
    now = page.locator(".hand button").count()
    assert 0 < now <= held
    drawn(page)
    boxes = [box for card in page.locator(".hand button").all() if (box := card.bounding_box())]
    assert len(boxes) == now
    assert min(box["x"] for box in boxes) >= -1
    assert max(box["x"] + box["width"] for box in boxes) <= 321
    assert min(box["y"] for box in boxes) >= 0
    assert covered(page) == []
    anna.close()


def test_21_cards_are_seen_at_once_on_the_narrowest_screen(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server, (320, 568))
    for _ in range(30):
        sit(anna, seats=2, rules="HOYLE lead=any")
        until_my_lead(anna)
        # Another may have led before, and a card of mine have followed.
        if anna.page.locator(".hand .legal").count() == 21:
            break
    assert anna.page.locator(".hand .legal").count() == 21
    tops = anna.page.locator(".hand button").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    assert max(tops) + 44 <= 568
    assert min(tops) > 0
    assert covered(anna.page) == []
    assert fits(anna.page)
    # Nothing has to be scrolled to, and the hand lies over nothing.
    assert anna.page.evaluate("document.documentElement.scrollHeight") <= 568
    said = anna.page.locator(".status").bounding_box()
    hand = anna.page.locator(".hand-area").bounding_box()
    assert said
    assert hand
    assert said["y"] + said["height"] <= hand["y"] + 1
    board = anna.page.locator(".board").bounding_box()
    assert board
    assert board["width"] >= 150
    anna.close()


def test_with_reduced_motion_nothing_moves_and_the_board_stands_still(
    chromium: Browser, server: Server
) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    for _ in range(6):
        until_my_lead(anna)
        anna.move()
        assert anna.page.evaluate("document.getAnimations().length") == 0
        assert turned(anna.page) == 0
        if anna.page.locator(".settle").count():
            break
    anna.page.get_by_role("button", name="Turn the board").click()
    assert turned(anna.page) == -45
    anna.close()


def turned(page: Page) -> float:
    way: str = page.locator(".wheel").evaluate("each => each.style.transform")
    return float(way.removeprefix("rotate(").removesuffix("deg)"))


def test_the_board_is_turned_by_hand_and_by_keys(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server)
    sit(anna)
    until_my_lead(anna)
    page = anna.page
    box = page.locator(".board").bounding_box()
    assert box
    x, y, far = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] * 0.28
    page.mouse.move(x, y - far)
    page.mouse.down()
    page.mouse.move(x + far * 0.8, y - far * 0.8, steps=3)
    assert turned(page) == pytest.approx(45, abs=2)
    page.mouse.move(x + far, y, steps=3)
    page.mouse.up()
    assert turned(page) == 90
    # To turn it is not to press the well that the pointer was on; to press one still is.
    expect(page.locator(".note")).to_have_count(0)
    page.mouse.click(x, y - far)
    expect(page.locator(".note")).to_be_visible()
    page.locator(".well").first.focus()
    page.keyboard.press("ArrowRight")
    assert turned(page) == 45
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert turned(page) == 135
    anna.close()


def test_the_pictures_are_the_ones_that_the_deck_gave() -> None:
    """The deck is public domain, and says so where it comes from."""
    deck = UI / "node_modules" / "@heruka_urgyen" / "react-playing-cards"
    assert "CC0" in (deck / "README.md").read_text(encoding="utf-8")
    assert len(list((deck / "src" / "images" / "2color").glob("*.svg"))) >= 51
    assert Path(UI / "build" / "cards.ts").is_file()
