"""The first lesson: whatever the learner leads, it shows what it says it shows."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, expect
from tests.web.servers import Server
from tests.web.visitors import Visitor, axe

from popejoan.board import Compartment
from popejoan.bots import ByTheBook
from popejoan.events import Claimed, Stop, Stopped
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.view import View
from popejoan.web.lesson import SEAT, lesson_record


def every_end() -> list[Round]:
    """The deal played out by every choice that the learner has."""
    begun = Record.read(lesson_record()).match.round
    assert begun is not None
    book, ends, open_ = ByTheBook(), [], [begun]
    while open_:
        now = open_.pop()
        if now.over:
            ends.append(now)
        elif now.to_act == SEAT:
            open_ += [now.lead(card) for card in now.legal]
        else:
            assert now.to_act is not None
            open_.append(now.lead(book.choose(View.of(now, now.to_act))))
    return ends


def test_every_way_to_play_it_shows_all_stops_takes_matrimony_and_pope_and_goes_out() -> None:
    ends = every_end()
    assert len(ends) > 1
    for end in ends:
        stops = {event.stop for event in end.events if isinstance(event, Stopped)}
        assert stops == set(Stop)
        taken = {
            event.compartment
            for event in end.events
            if isinstance(event, Claimed) and event.seat == SEAT
        }
        assert {Compartment.MATRIMONY, Compartment.POPE} <= taken
        assert end.winner == SEAT


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (1280, 800)], ids=str)
def test_the_lesson_is_played_beside_its_words(
    chromium: Browser, server: Server, size: tuple[int, int]
) -> None:
    anna = Visitor(chromium, server, size)
    page = anna.page
    page.get_by_role("button", name="Learn it").click()
    guide = page.get_by_role("region", name="The first deal")
    for word in ("This is the board", "hearts are trumps", "This is your hand"):
        expect(guide).to_contain_text(word)
        guide.get_by_role("button").click()
    expect(guide).to_contain_text("A stop is a card that nothing can follow")
    assert axe(page) == []
    # The page itself notes all that is said, so that nothing is passed over between two looks.
    page.evaluate(
        """() => {
            window.said = [];
            const note = () => window.said.push(document.querySelector('.guide')?.innerText ?? '');
            const watch = { subtree: true, childList: true, characterData: true };
            new MutationObserver(note).observe(document.body, watch);
            note();
        }"""
    )
    end = time.monotonic() + 120
    while not page.locator(".settle").count():
        assert time.monotonic() < end, page.evaluate("window.said")
        page.evaluate("document.querySelector('.guide button')?.click()")
        anna.move(on=False)
        time.sleep(0.03)
    expect(guide).to_contain_text("You are out!")
    said = " ".join(page.evaluate("window.said"))
    assert "you take Matrimony" in said
    assert "the eight of diamonds is not in the pack" in said
    anna.close()
