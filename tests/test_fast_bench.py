"""The measure plays what it says: plain C the game of the kernel, and every line something."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from popejoan.fast import bench
from popejoan.fast.layout import CARRIED, ROLE
from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.policy import Policy
from popejoan.rules import Rules

MATCHES = 40_000
NEEDS_GCC = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="gcc is not installed: plain C is held to nothing"
)


@NEEDS_GCC
def test_plain_c_plays_the_game_of_the_kernel(tmp_path: Path) -> None:
    """What each seat wins in a match, from its first dealer, and what is left on the board."""
    plain = bench.plain_c(tmp_path)
    assert plain is not None
    rows = plain(MATCHES)
    assert (rows.sum(axis=1) == 0).all(), "what the seats lost lies on the board"
    for match in range(4):
        rows[match::4, :4] = np.roll(rows[match::4, :4], -match, axis=1)
    means = rows.mean(axis=0)
    errors = rows.std(axis=0, ddof=1) / MATCHES**0.5

    # What the n-th deal of every match came to: all of n deals, less all of one fewer.
    summed = [
        play(Plan(bench.HEADLINE, 4, Policy.RANDOM, None, 1, MATCHES, deals), Chunk(0, MATCHES))
        for deals in range(1, 9)
    ]
    deals = np.diff(summed, axis=0, prepend=0) / MATCHES
    seats = [sum(deals[deal, ROLE + (seat - deal) % 4] for deal in range(8)) for seat in range(4)]
    found = np.array([*seats, *deals[7, CARRIED : CARRIED + 8]])
    assert (abs(found - means) <= 4.5 * 2**0.5 * errors).all(), (found, means, errors)


@NEEDS_GCC
def test_the_ratios_are_taken_beside_plain_c() -> None:
    lines = {line.name: line for line in bench.headline(0)}
    assert lines["plain C, gcc -O3 -march=native"].ratio == 1
    assert {name.split()[0] for name in lines} == {"plain", "scalar", "lockstep"}
    for line in lines.values():
        assert line.ratio is not None
        assert line.ratio > 0
        assert line.rounds * line.nanoseconds == pytest.approx(1e9)


def test_without_a_compiler_there_are_no_ratios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    lines = bench.headline(0)
    assert len(lines) == 3
    assert {line.ratio for line in lines} == {None}


def test_rates_tell_of_every_preset_and_number_of_players() -> None:
    found = bench.rates(0)
    for name in Rules.presets():
        assert {leads for rules, _, leads, _ in found if rules == name} >= {"book", "random"}
    assert {players for _, players, _, _ in found} == set(range(2, 11))
    assert min(rounds for *_, rounds in found) > 0
