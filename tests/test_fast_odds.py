"""The book of odds: what its deals come to, told whole or not at all, and drawn honestly."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

import pytest

from popejoan.fast import odds
from popejoan.fast.figures import Series, bars
from popejoan.fast.layout import ROLE
from popejoan.fast.paired import difference
from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.policy import Policy
from popejoan.fast.result import Estimate, SimulationResult
from popejoan.fast.simulate import run, simulate
from popejoan.rules import Lead, Peek, Rules

ANY = Rules(lead=Lead.ANY)


def test_every_line_of_the_book_of_odds_is_what_its_deals_come_to() -> None:
    page = (Path(__file__).parent.parent / "docs" / "odds.md").read_text(encoding="utf-8")
    fresh = odds.make(20_000, seed=odds.SEED + 1).text
    lines = list(zip(page.splitlines()[6:], fresh.splitlines()[6:], strict=True))
    compared = 0
    for printed, found in lines:
        assert _words(printed) == _words(found), printed
        for (mean, error), (other, more) in zip(_numbers(printed), _numbers(found), strict=True):
            assert abs(mean - other) <= 5 * math.hypot(error, more), f"{printed}\n{found}"
            compared += 1
    assert compared > 300


def _numbers(text: str) -> list[tuple[float, float]]:
    return [
        (float(mean), float(error)) for mean, error in re.findall(rf"{_NUMBER} ± {_NUMBER}", text)
    ]


def _words(text: str) -> str:
    return re.sub(rf"{_NUMBER}( ± {_NUMBER})?", "#", text)


_NUMBER = r"(-?\d+(?:\.\d+)?)"


def test_the_book_of_odds_can_be_made_anew_and_answers_every_question(tmp_path: Path) -> None:
    plays: list[tuple[str, int, Policy]] = []

    def play_little(rules: Rules, *, players: int, policy: Policy, **_: object) -> SimulationResult:
        plays.append((rules.text, players, policy))
        return simulate(rules, players=players, policy=policy, deals=80, seed=1)

    pages = odds.make(1000, play=play_little)
    written = pages.write(tmp_path)
    assert len(plays) == len(set(plays)), "each line is played once"
    assert {path.suffix for path in written} == {".md", ".svg"}
    assert pages.text.count("## ") == 8
    for name in pages.figures:
        assert f"]({name})" in pages.text


def test_the_book_of_odds_tells_how_many_deals_are_done_and_of_how_many() -> None:
    told: list[tuple[int, int]] = []
    odds.make(1000, progress=lambda done, of: told.append((done, of)))
    assert told == sorted(told)
    assert len({of for _, of in told}) == 1
    assert told[-1][0] == told[-1][1] > 40_000


def test_what_a_look_is_worth_has_the_error_of_matches_played_side_by_side() -> None:
    looks, blind = (
        Plan(Rules(peek=peek), 4, Policy.BOOK, None, 1, 400) for peek in (Peek.DEALER, Peek.NOBODY)
    )
    gains = [
        (play(looks, Chunk(match, 1))[ROLE] - play(blind, Chunk(match, 1))[ROLE]) / 8
        for match in range(400)
    ]
    found = difference(looks, blind, ROLE)
    assert found.mean == pytest.approx(fmean(gains))
    assert found.error == pytest.approx(stdev(gains) / 20)
    means = run(looks).balance(0), run(blind).balance(0)
    assert found.mean == pytest.approx(means[0].mean - means[1].mean)
    assert found.error < 0.9 * math.hypot(*(mean.error for mean in means))
    with pytest.raises(ValueError, match="same matches"):
        difference(looks, replace(blind, seed=2), ROLE)


@pytest.mark.slow
def test_the_error_side_by_side_is_the_spread_over_many_seeds() -> None:
    found = []
    for seed in range(100):
        looks = Plan(Rules(peek=Peek.DEALER), 4, Policy.BOOK, None, seed, 1500)
        found.append(difference(looks, replace(looks, rules=Rules(peek=Peek.NOBODY)), ROLE))
    spread = stdev(each.mean for each in found)
    assert fmean(each.error for each in found) == pytest.approx(spread, rel=0.2)


def test_a_share_is_not_drawn_below_nothing_and_the_longest_deals_are_drawn_together() -> None:
    value = Estimate(0.001, 0.01)
    free = bars("title", ["one"], [Series("", [value])], "unit")
    held = bars("title", ["one"], [Series("", [value])], "unit", lowest=0.0)
    assert ">-0.01<" in free
    assert ">-" not in held
    lengths = odds.make(1000).figures["odds-lengths.svg"]
    assert ">28+<" in lengths
    assert "28 and more" in lengths
    assert ">-" not in lengths
    shares = re.findall(r"<title>book&#x27;s order: (\S+)", lengths)
    assert sum(map(float, shares)) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("stopped", "error"), [("interrupted", KeyboardInterrupt), ("a worker is lost", RuntimeError)]
)
def test_a_book_of_odds_is_whole_or_none(stopped: str, error: type[BaseException]) -> None:
    plays: list[int] = []

    def play_some(rules: Rules, *, players: int, policy: Policy, **_: object) -> SimulationResult:
        plays.append(players)
        plan = Plan(rules, players, policy, None, 1, 10)
        if len(plays) < 3:
            return run(plan)
        return SimulationResult(plan, tuple(play(plan, Chunk(0, 4)).tolist()), 0.1, stopped)

    with pytest.raises(error):
        odds.make(80, play=play_some)
    assert len(plays) == 3, "nothing is played after"
