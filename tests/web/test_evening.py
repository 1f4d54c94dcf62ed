"""A whole evening, known only by the accessibility tree and steered only by the keyboard."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession
from tests.web.servers import Server
from tests.web.visitors import Visitor

PATIENCE = 120.0


class Listener:
    """Someone who sees no screen: what is there is read from the tree, and keys are pressed."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.line: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self.line.send("Accessibility.enable")

    def tree(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Everything that is told: role, name and states."""
        found = self.line.send("Accessibility.getFullAXTree")["nodes"]
        return [
            (
                str(node.get("role", {}).get("value", "")),
                str(node.get("name", {}).get("value", "")),
                {each["name"]: each["value"].get("value") for each in node.get("properties", [])},
            )
            for node in found
            if not node.get("ignored")
        ]

    def hears(self, words: str) -> bool:
        return any(re.search(words, name) for _, name, _ in self.tree())

    def focused(self) -> tuple[str, str]:
        """What has the focus, as it is told: its role and its name."""
        at = self.line.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        wish = {"objectId": at["objectId"], "fetchRelatives": False}
        node = self.line.send("Accessibility.getPartialAXTree", wish)["nodes"][0]
        return (
            str(node.get("role", {}).get("value", "")),
            str(node.get("name", {}).get("value", "")),
        )

    def reach(self, role: str, name: str, *, most: int = 90) -> None:
        """Press Tab until this has the focus."""
        passed = []
        for _ in range(most):
            at = self.focused()
            if at[0] == role and re.search(name, at[1]):
                return
            passed.append(at)
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no {role} {name!r} can be reached: {passed[-40:]}")

    def press(self, role: str, name: str) -> None:
        self.reach(role, name)
        self.page.keyboard.press("Enter")

    def until(self, true: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, (what, [node[:2] for node in self.tree()][-40:])
            self.page.wait_for_timeout(80)

    def turn(self) -> bool:
        """Lead if it is this person's turn; the names of the cards say which may be led."""
        mine = [name for role, name, _ in self.tree() if role == "button" and "may be led" in name]
        if not mine:
            return False
        self.press("button", f"^{re.escape(mine[0])}$")
        card = mine[0].partition(",")[0]
        self.until(lambda: not self.holds(card), f"{card} is led")
        return True

    def holds(self, card: str) -> bool:
        return any(role == "button" and name.startswith(card) for role, name, _ in self.tree())


def play(people: list[Listener], words: str) -> None:
    """Play until everyone hears this."""
    end = time.monotonic() + 2 * PATIENCE
    while not all(person.hears(words) for person in people):
        assert time.monotonic() < end, [node[:2] for node in people[0].tree()][-60:]
        moved = [person.turn() for person in people]
        if not any(moved):
            people[0].page.wait_for_timeout(80)


def test_a_whole_evening_by_keyboard_and_accessibility_tree_alone(
    chromium: Browser, server: Server
) -> None:
    visitors = [Visitor(chromium, server, (1280, 800)), Visitor(chromium, server)]
    anna, ben = map(Listener, visitors)

    # Anna sets a table for two deals.
    anna.reach("textbox", "Your name")
    anna.page.keyboard.type("Anna")
    anna.press("DisclosureTriangle", "Set a table for friends")
    anna.reach("combobox", "^Deals")
    anna.page.keyboard.type("2")
    anna.press("button", "^Set the table$")
    anna.until(lambda: anna.hears("^Around the table$"), "the lobby")
    anna.reach("textbox", "Invitation link")
    link = anna.page.evaluate("getSelection().toString() || document.activeElement.value")

    # Ben comes by the link.
    ben.page.goto(link)
    ben.until(lambda: ben.hears("^Sit down$"), "a seat")
    ben.reach("textbox", "Your name")
    ben.page.keyboard.type("Ben")
    ben.press("button", "^Sit down$")
    ben.until(lambda: ben.hears("Anna begins the match"), "the lobby")
    anna.until(lambda: anna.hears("^Ben"), "Ben")
    anna.press("button", "^Begin$")

    # Two deals, and the reckoning.
    for last in ("Next deal", "End the match"):
        play([anna, ben], f"^{last}$")
        for person in (anna, ben):
            assert person.hears("goes? out|The deal is over")
            assert any(role == "table" for role, _, _ in person.tree())
            person.press("button", f"^{last}$")
    for person in (anna, ben):
        person.until(lambda person=person: person.hears("^Who owes whom|^Won and lost"), "the end")  # type: ignore[misc]
    anna.reach("button", "^Play again$")

    # The first deal is seen again, a card at a time.
    anna.press("DisclosureTriangle", "See a deal again")
    anna.press("button", "^Deal 1:")
    anna.until(lambda: anna.hears("^Deal 1 again$"), "the replay")
    assert anna.focused() == ("heading", "Deal 1 again")
    heard = set()
    for _ in range(6):
        anna.page.keyboard.press("ArrowRight")
        anna.page.wait_for_timeout(60)
        heard |= {
            name
            for role, name, _ in anna.tree()
            if role == "StaticText" and re.search(r" leads? ", name)
        }
    assert any(re.search(r"^\S+ leads? ", words) for words in heard)
    anna.press("button", "^Close$")
    anna.until(lambda: anna.hears("^Play again$"), "the reckoning")
    for visitor in visitors:
        visitor.close()
