"""What holds in every door: copies are exact, nothing illegal is done, seeds alone decide."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

from popejoan.cards import BadRules, IllegalPlay
from popejoan.deal import Chance
from popejoan.envs import VERSION
from popejoan.rules import Rules

from .doors import DOORS, play

ROOT = Path(__file__).parents[2]
FIXTURE = Path(__file__).with_name("trajectories.json")
WAYS: list[dict[str, Any]] = [
    {"rules": "HOYLE"},
    {"rules": "CASSELL", "players": 3},
    {"rules": "PARLETT", "players": 6},
    {"rules": "HOYLE", "players": 2, "claims": "asked"},
    {"rules": "PEEL", "ask": "cards"},
]


def games(number: int) -> list[tuple[dict[str, Any], int]]:
    return [(WAYS[seed % len(WAYS)], seed) for seed in range(number)]


def copies_are_exact(name: str, number: int) -> None:
    for options, seed in games(number):
        door = DOORS[name].begin(seed, **options)
        chance = Chance(seed, 1)
        step = 0
        while legal := door.legal():
            action = legal[chance.below(len(legal))]
            ways = door.copies()
            twins = {way: type(door)(made()) for way, made in ways.items()}
            before = door.shows()
            for twin in twins.values():
                assert twin.shows() == before
                twin.step(action)
            assert door.shows() == before, "the copy moved the original"
            door.step(action)
            for way, twin in twins.items():
                assert twin.shows() == door.shows(), way
            # One way a step is played to its end, beside the others.
            way = sorted(twins)[step % len(twins)]
            ended = play(twins[way], seed + 1)
            assert door.shows() == ended[0]
            step += 1


@pytest.mark.parametrize("name", DOORS)
def test_copies_go_on_exactly_and_by_themselves(name: str) -> None:
    copies_are_exact(name, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
def test_copies_are_exact_at_every_step_of_a_hundred_games(name: str) -> None:
    copies_are_exact(name, 100)


def nothing_illegal(name: str, states: int) -> None:
    met = 0
    seed = 0
    while met < states:
        for options, _ in games(len(WAYS)):
            seed += 1
            door = DOORS[name].begin(seed, **options)
            chance = Chance(seed, 1)
            while (legal := door.legal()) and met < states:
                before = door.shows()
                for action in {*range(-2, 63), 10**6} - set(legal):
                    with pytest.raises((IllegalPlay, pyspiel.SpielError)):
                        door.step(action)
                assert door.shows() == before
                assert door.legal() == legal
                met += 1
                door.step(legal[chance.below(len(legal))])


@pytest.mark.parametrize("name", DOORS)
def test_every_illegal_action_raises_and_changes_nothing(name: str) -> None:
    nothing_illegal(name, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
def test_every_illegal_action_raises_and_changes_nothing_at_ten_thousand_states(name: str) -> None:
    nothing_illegal(name, 10_000)


@pytest.mark.parametrize("name", ["aec", "parallel", "seat"])
@pytest.mark.parametrize("action", [None, "9D", 1.5, [3]])
def test_what_is_no_number_is_refused_in_words(name: str, action: Any) -> None:
    door = DOORS[name].begin(1)
    before = door.shows()
    with pytest.raises(IllegalPlay, match="whole number"):
        door.step(action)
    assert door.shows() == before


@pytest.mark.parametrize("name", DOORS)
def test_an_illegal_action_may_end_the_game_at_a_price(name: str) -> None:
    door = DOORS[name].begin(1, illegal="end", penalty=7.0)
    door.step(20)
    assert door.legal() == []
    if name == "openspiel":
        assert door.env.is_terminal()
        assert min(door.env.rewards()) == -7
    elif name == "aec":
        assert sorted(door.env.rewards.values()) == [-7, 0, 0, 0]
        assert all(door.env.terminations.values())


@pytest.mark.parametrize("name", DOORS)
def test_two_environments_interleaved_do_not_disturb_one_another(name: str) -> None:
    alone = [play(DOORS[name].begin(seed), seed) for seed in (3, 4)]
    doors = [DOORS[name].begin(seed) for seed in (3, 4)]
    chances = [Chance(seed, 1) for seed in (3, 4)]
    seen = [[door.shows()] for door in doors]
    while any(door.legal() for door in doors):
        for door, chance, mine in zip(doors, chances, seen):
            if legal := door.legal():
                door.step(legal[chance.below(len(legal))])
                mine.append(door.shows())
    assert seen == alone


@pytest.mark.parametrize("name", DOORS)
def test_no_global_random_state_is_read_or_moved(name: str) -> None:
    random.seed(1)
    np.random.seed(1)
    one = play(DOORS[name].begin(5), 5)
    here = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    random.seed(2)
    np.random.seed(2)
    other = play(DOORS[name].begin(5), 5)
    assert one == other
    random.seed(1)
    np.random.seed(1)
    assert here == (random.getstate(), np.random.get_state()[1].tolist())  # type: ignore[index]


def digests() -> dict[str, str]:
    """For each door and way a digest of what three games show from end to end."""
    found = {}
    for name, kind in DOORS.items():
        for options in [*WAYS, *({"rules": each} for each in Rules.presets())]:
            seen = [play(kind.begin(seed, **options), seed) for seed in range(3)]
            text = json.dumps(seen, default=str)
            key = f"{name} {' '.join(f'{k}={v}' for k, v in options.items())}"
            found[key] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return found


def test_the_trajectories_of_this_version_are_those_that_were_kept() -> None:
    kept = json.loads(FIXTURE.read_text(encoding="ascii"))
    assert str(VERSION) in kept, "keep the trajectories of a new version: tests/envs/keep.py"
    assert digests() == kept[str(VERSION)], (
        "the same seeds and actions come to something else: raise popejoan.envs.VERSION, say what "
        "changed in the pages' version history, and run python -m tests.envs.keep"
    )


def test_trajectories_do_not_hang_on_the_hash_seed() -> None:
    code = (
        "from tests.envs.doors import DOORS, play; import hashlib;"
        "seen = [play(kind.begin(3), 3) for kind in DOORS.values()];"
        "print(hashlib.sha256(repr(seen).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rules": "HOYLES"}, "is no preset"),
        ({"players": 11}, "2 to 10"),
        ({"players": 1}, "2"),
        ({"ask": "runs"}, "'leads', 'cards'"),
        ({"claims": "lost"}, "'made', 'asked'"),
        ({"illegal": "ignore"}, "'raise', 'end'"),
        ({"penalty": -1.0}, "0 or more"),
        ({"dealer": 4}, "0 to 3"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    name: str, options: dict[str, Any], says: str
) -> None:
    with pytest.raises((ValueError, BadRules), match=says):
        DOORS[name].begin(0, **options)


@pytest.mark.parametrize("name", ["aec", "parallel", "seat"])
def test_an_option_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="colour"):
        DOORS[name].begin(0, colour="red")
    with pytest.raises(ValueError, match="no whole number from 0 up"):
        DOORS[name].begin(-1)
