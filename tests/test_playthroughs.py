"""The golden playthroughs: none is missing, and each replays to what is written in it."""

from __future__ import annotations

import pytest
from tests.playthroughs import DEALS, PLAYERS, RECORDS, path_of, play

from popejoan.notation import Record
from popejoan.rules import Rules

GOLDEN = [(preset, players) for preset in Rules.presets() for players in PLAYERS]


@pytest.mark.parametrize(("preset", "players"), GOLDEN)
def test_a_playthrough_replays_to_the_purses_written_in_it(preset: str, players: int) -> None:
    text = path_of(preset, players).read_text(encoding="utf-8")
    record = Record.read(text)
    purses = [record.match.purses[member] for member in record.match.sitting]
    assert f"purses after: {' '.join(map(str, purses))}\n" in text
    assert record.text == text
    assert len(record.rounds) == DEALS
    assert record.match.total == sum(record.rounds[0].opening.purses) + (
        48 if players == 4 else 0  # the newcomer's
    )


@pytest.mark.parametrize(("preset", "players"), GOLDEN)
def test_the_same_seed_plays_the_same_match(preset: str, players: int) -> None:
    """When the rules change, ``python -m tests.playthroughs`` writes the records anew."""
    assert play(preset, players) == Record.read(path_of(preset, players).read_bytes())


def test_every_record_is_an_example_or_a_playthrough() -> None:
    kept = {path.stem for path in RECORDS.glob("*.txt") if not path.stem.startswith("E")}
    assert kept == {f"{preset}-{players}" for preset, players in GOLDEN}
