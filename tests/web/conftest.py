"""The same packs every time, and a server for each file of tests, in a folder of its own."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.web.browsers import browser
from tests.web.seeded import packs
from tests.web.servers import Server

from popejoan.web.deals import Pack

LONGEST = (
    "test_the_page_plays_on_when_the_server_is_gone_for_good",
    "test_axe_finds_nothing_on_any_screen_at_any_size",
    "test_a_whole_evening_by_keyboard_and_accessibility_tree_alone",
    "test_two_people_and_two_bots_play_a_match_to_the_end",
)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Whatever needs Chromium has a verb of its own, where each worker begins with a long test."""
    for item in items:
        if isinstance(item, pytest.Function) and "chromium" in item.fixturenames:
            item.add_marker("browser")
    yield
    long = [item for item in items if item.name in LONGEST]
    if long and all(item.get_closest_marker("browser") for item in items):
        rest = [item for item in items if item not in long]
        share = -(-len(rest) // len(long))
        items[:] = [
            item
            for at, first in enumerate(long)
            for item in (first, *rest[at * share : (at + 1) * share])
        ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What a long evening counted is told at the end."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "soak" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {value}")


@pytest.fixture(autouse=True)
def same_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packs that a test draws by itself are the same every time, and each is played."""
    monkeypatch.setattr(Pack, "drawn", staticmethod(packs(1)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server"), limits="idle=5").start()
    yield made
    made.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test alone, which may kill it."""
    made = Server(tmp_path).start()
    yield made
    made.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all; each visitor has a profile of their own."""
    with browser() as running:
        yield running
