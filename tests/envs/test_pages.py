"""The pages on the doors say what the code does; their examples run with the other doctests."""

from __future__ import annotations

from pathlib import Path

import pytest

from popejoan.envs import VERSION
from popejoan.envs import gymnasium as seat_door
from popejoan.envs import pettingzoo as table_door

from .pages import DOCS, MADE, PAGES, filled


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_made_from_the_code(page: str) -> None:
    kept = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert kept == filled(page), "write it anew: make tables"
    assert ">>> " in kept


def test_every_part_that_is_made_stands_on_a_page() -> None:
    whole = "".join((DOCS / f"{page}.md").read_text(encoding="utf-8") for page in PAGES)
    for name in MADE:
        assert f"<!-- made: {name} -->" in whole
    assert table_door.ID in whole
    assert seat_door.ID in whole
    assert f"- v{VERSION}: " in whole


def test_the_readme_leads_to_each_page() -> None:
    readme = (Path(DOCS).parent / "README.md").read_text(encoding="utf-8")
    assert "docs/envs.md" in readme
    start = (DOCS / "envs.md").read_text(encoding="utf-8")
    for page in PAGES[1:]:
        assert f"({page}.md)" in start
