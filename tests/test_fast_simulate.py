"""What is simulated does not hang on how it is split, and says how sure it is."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

from popejoan.board import Board, Compartment
from popejoan.cards import BadRules
from popejoan.fast.figures import seats_figure
from popejoan.fast.layout import (
    CARRIED,
    CROSS,
    DEALS,
    FALLEN,
    MATCHES,
    SQUARES,
    STAKE,
    SUMS,
    TOTALS,
)
from popejoan.fast.plan import Chunk, Plan, no_totals, play
from popejoan.fast.policy import Policy
from popejoan.fast.result import HOLDINGS, Estimate, SimulationResult, role_name
from popejoan.fast.simulate import plan_of, run, simulate
from popejoan.rules import (
    CardMoney,
    Dressing,
    Lead,
    Pairs,
    Peek,
    PopePlayed,
    PopeTurned,
    Rules,
    Stock,
)  # fmt: skip

ANY = Rules(lead=Lead.ANY)
LOCKSTEP = [
    (ANY, 4), (ANY, 3), (ANY, 2), (Rules.CASSELL, 4), (Rules.HOFFMANN, 4), (Rules.HOFFMANN, 2),
    (Rules(lead=Lead.ANY, pope_exempt=False, pope_cap=3), 4),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "players"), LOCKSTEP, ids=lambda each: getattr(each, "text", each)
)
def test_both_tiers_give_the_same_totals(rules: Rules, players: int) -> None:
    for matches, deals, first in ((300, 8, 0), (7, 1, 5), (3, 130, 1)):
        plans = [
            Plan(rules, players, Policy.RANDOM, None, 4, 400, deals, tier)
            for tier in ("scalar", "lockstep")
        ]
        assert plans[1].lockstep
        one, other = (play(plan, Chunk(first, matches)).tolist() for plan in plans)
        assert one == other


def test_the_lockstep_tier_takes_what_it_can_play_and_no_more() -> None:
    assert Plan(ANY).lockstep
    assert Plan(Rules.HOFFMANN).lockstep
    no = [
        Plan(ANY, 5), Plan(Rules.HOYLE), Plan(Rules.PEEL), Plan(Rules.PARLETT),
        Plan(ANY, 4, Policy.BOOK), Plan(Rules(lead=Lead.ANY, peek=Peek.SITS_OUT)),
        Plan(Rules(lead=Lead.ANY, pairs=Pairs.SPLIT)), Plan(Rules.HOFFMANN, 3),
        Plan(Rules(lead=Lead.ANY, pope_played=PopePlayed.CARDS)),
    ]  # fmt: skip
    assert not [plan for plan in no if plan.lockstep]
    with pytest.raises(ValueError, match="cannot play this"):
        Plan(Rules.HOYLE, tier="lockstep")


@pytest.mark.parametrize(
    ("rules", "policy"), [(ANY, Policy.RANDOM), (Rules.HOYLE, Policy.BOOK)], ids=["any", "book"]
)
def test_any_chunks_threads_and_processes_give_the_same_totals(
    rules: Rules, policy: Policy
) -> None:
    plan = plan_of(rules, players=4, deals=4000, policy=policy, seed=3)
    whole = run(plan)
    assert whole.complete
    assert whole.deals == 4000
    for size in (1, 7, 64, 499):
        assert run(plan, chunk_size=size).totals == whole.totals
    assert run(plan, threads=2, chunk_size=33).totals == whole.totals
    assert run(plan, processes=1, chunk_size=200).totals == whole.totals


def test_a_deal_is_the_same_in_whatever_chunk_it_stands() -> None:
    plan = Plan(Rules.PARLETT, 6, Policy.BOOK, None, 2**64 - 1, 9)
    single = [play(plan, Chunk(match, 1)) for match in range(9)]
    assert sum(single, no_totals()).tolist() == play(plan, Chunk(0, 9)).tolist()


def test_the_plan_refuses_what_cannot_be_simulated() -> None:
    with pytest.raises(BadRules, match="2 to 10"):
        simulate(players=11)
    with pytest.raises(ValueError, match="no device"):
        simulate(device="abacus")
    with pytest.raises(ValueError, match="1 to 1000"):
        Plan(deals_a_match=2000)
    with pytest.raises(ValueError, match="no tier"):
        Plan(tier="slow")
    with pytest.raises(ValueError, match="from 1 up"):
        run(Plan(), threads=0)
    equal = Rules(equal_deals=True)
    with pytest.raises(BadRules, match="equally"):
        Plan(equal, 5)
    assert plan_of(equal, players=5, deals=1, policy=Policy.BOOK).deals_a_match == 10


def test_errors_shrink_with_the_root_of_the_deals() -> None:
    small = simulate(ANY, deals=4_000, policy=Policy.RANDOM)
    large = simulate(ANY, deals=64_000, policy=Policy.RANDOM)
    assert 3 < small.balance(1).error / large.balance(1).error < 5.5
    one, other = small.balance(1), large.balance(1)
    assert abs(one.mean - other.mean) < 4 * math.hypot(one.error, other.error)


ESTIMATES: dict[str, Callable[[SimulationResult], Estimate]] = {
    "balance": lambda result: result.balance(1),
    "falls": lambda result: result.falls(Compartment.POPE),
    "played": lambda result: result.played(Compartment.KING),
    "carried": lambda result: result.carried(Compartment.POPE),
    "stake": lambda result: result.stake(Compartment.POPE),
    "holding": lambda result: result.holding("pope"),
    "above the mean": lambda result: result.above_the_mean("king"),
}


@pytest.fixture(scope="module")
def runs() -> list[SimulationResult]:
    """The same simulation under many seeds."""
    plan = Plan(ANY, 4, Policy.RANDOM, None, 0, 200)
    return [run(replace(plan, seed=seed)) for seed in range(400)]


@pytest.mark.parametrize("name", ESTIMATES)
def test_an_error_is_the_spread_over_many_seeds(runs: list[SimulationResult], name: str) -> None:
    found = [ESTIMATES[name](result) for result in runs]
    spread = stdev(estimate.mean for estimate in found)
    assert fmean(estimate.error for estimate in found) == pytest.approx(spread, rel=0.12)


def test_errors_by_deal_would_be_too_small(runs: list[SimulationResult]) -> None:
    # What lies on Pope after each deal of a match: that after so many, less that after one fewer.
    matches = 200
    summed = [
        [play(Plan(ANY, 4, Policy.RANDOM, None, 0, matches, deals), Chunk(match, 1))[CARRIED + 7]
         for match in range(matches)]
        for deals in range(1, 9)
    ]  # fmt: skip
    deals = np.diff(summed, axis=0, prepend=0)
    by_deal = deals.std(ddof=1) / math.sqrt(deals.size)
    carried = [result.carried(Compartment.POPE) for result in runs]
    assert carried[0].mean == pytest.approx(deals.mean())
    assert by_deal < 0.7 * stdev(estimate.mean for estimate in carried)


def test_the_result_agrees_with_what_was_measured_elsewhere() -> None:
    free = simulate(ANY, deals=200_000, policy=Policy.RANDOM, seed=1)
    assert abs(free.figures()["leads"].mean - 11.75) < 0.3  # 12.0 where Pope is not turned up
    book = simulate(deals=100_000, seed=1)
    assert abs(book.falls(Compartment.POPE).mean - 0.78) < 0.01
    assert 0.11 < book.falls(Compartment.MATRIMONY).mean < 0.15
    assert abs(book.figures()["pope turned up"].mean - 1 / 51) < 0.002


def test_a_result_is_consistent_with_itself() -> None:
    result = simulate(Rules.CASSELL, players=5, deals=8000, policy=Policy.RANDOM)
    assert sum(result.win_rate(role).mean for role in range(5)) == pytest.approx(1)
    assert sum(result.lengths) == result.deals
    laid = sum(result.balance(role).mean for role in range(5))
    assert laid == pytest.approx(5 * result.mean_seat)
    assert laid < 0, "what stays on the board is nobody's"
    for place in Compartment:
        assert result.falls(place).mean == pytest.approx(
            result.turned(place).mean + result.played(place).mean
        )
    rows = list(result.rows())
    assert len({(what, name) for what, name, *_ in rows}) == len(rows)
    told = json.loads(json.dumps(result.as_dict()))
    assert told["deals"] == 8000
    assert told["complete"]
    assert told["totals"][SUMS] == result.totals[0]
    assert result.holding("pope").mean > result.mean_seat
    assert len(HOLDINGS) == 7


def test_a_number_is_shown_with_the_places_its_error_warrants() -> None:
    assert str(Estimate(1.23456, 0.02)) == "1.23 ± 0.02"
    assert str(Estimate(-12.3456, 1.7)) == "-12 ± 2"
    assert str(Estimate(1.0, 0.0)) == "1.0000 ± 0.0000"


def test_seats_are_named_from_the_dealer() -> None:
    assert [role_name(role) for role in range(5)] == [
        "dealer",
        "eldest",
        "second",
        "third",
        "4th",
    ]


def test_interrupted_it_gives_what_is_done() -> None:
    def stop(done: int) -> None:
        if done >= 800:
            raise KeyboardInterrupt

    for threads in (1, 2):
        result = run(Plan(Rules.HOYLE, 4, Policy.BOOK, None, 1, 10_000), threads=threads,
                     chunk_size=50, progress=stop)  # fmt: skip
        assert not result.complete
        assert result.stopped == "interrupted"
        assert 800 <= result.deals < 10_000


def test_nothing_played_is_told_without_dividing_by_it() -> None:
    empty = SimulationResult(Plan(), tuple(no_totals().tolist()))
    assert str(empty.balance(0)) == str(empty.stake(Compartment.POPE)) == "?"
    assert str(empty.played(Compartment.POPE)) == "?"
    assert empty.mean_seat == 0


def test_what_is_not_known_is_not_told_as_certain() -> None:
    one = run(Plan(Rules.HOYLE, 4, Policy.BOOK, None, 1, 1, 1))
    assert all(error is None for *_, error in one.rows())
    assert str(one.balance(0)).endswith(" ± ?")
    never = next(place for place in Compartment if not one.falls(place).mean)
    assert one.stake(never).mean != one.stake(never).mean
    assert str(one.stake(never)) == "?"
    told = one.as_dict()["figures"]["stake when won"][never.value]
    assert told == {"mean": None, "error": None}
    json.dumps(one.as_dict(), allow_nan=False)
    assert seats_figure(one).count("<rect") == 5


def test_a_stake_that_fell_in_one_match_of_many_has_no_known_error() -> None:
    totals = [0] * TOTALS
    totals[MATCHES], totals[DEALS] = 100, 800
    totals[STAKE], totals[FALLEN] = 6, 1
    totals[SQUARES + STAKE], totals[SQUARES + FALLEN], totals[CROSS] = 36, 1, 6
    found = SimulationResult(Plan(matches=100), tuple(totals)).stake(Compartment.ACE)
    assert str(found) == "6.00 ± ?"


@pytest.mark.parametrize("players", [2, 10])
@pytest.mark.parametrize("dressing", Dressing)
def test_the_dearest_matches_are_summed_without_passing_64_bits(
    dressing: Dressing, players: int
) -> None:
    stakes = Board.of(dict.fromkeys((place.value for place in Compartment), 1000))
    single = dressing is Dressing.SINGLE
    rules = Rules(
        stakes=stakes, hand_size=1, dressing=dressing, card_money=CardMoney("board" if single else
        "winner"), pope_turned=PopeTurned.THROWN_IN,
    )  # fmt: skip
    plan = Plan(rules, players, Policy.BOOK, None, 0, 10**6, 1000)
    size = plan.most_matches
    assert size >= 1
    assert next(plan.chunks()).matches <= size
    found = play(plan, Chunk(0, 2)).tolist()
    most = max(found[SQUARES:CROSS]) / 2
    assert most * size < 2**63


@pytest.mark.slow
def test_a_million_of_the_dearest_deals_have_no_negative_square() -> None:
    stakes = Board.of(dict.fromkeys((place.value for place in Compartment), 1000))
    plan = Plan(Rules(stakes=stakes, hand_size=1), 10, Policy.BOOK, None, 0, 1000, 1000)
    result = run(plan)
    assert min(result.totals[SQUARES:CROSS]) >= 0
    whole = [0] * TOTALS
    for match in range(1000):
        part = play(plan, Chunk(match, 1)).tolist()
        whole = [one + other for one, other in zip(whole, part, strict=True)]
    assert result.totals == tuple(whole)
    assert max(whole) >= 2**63, "one array could not hold them"


def test_memory_does_not_grow_with_the_deals() -> None:
    def peak(matches: int) -> int:
        tracemalloc.start()
        run(Plan(ANY, 4, Policy.RANDOM, None, 0, matches), threads=2, chunk_size=16)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(200)
    assert peak(20_000) < 2 * peak(2_000) + 200_000


def test_of_a_billion_deals_no_more_is_made_than_is_played() -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    result = run(Plan(ANY, 4, Policy.RANDOM, None, 0, 125_000_000), chunk_size=512, progress=stop)
    assert result.deals == 4096
    assert not result.complete


def test_the_figure_is_svg_with_a_bar_a_seat() -> None:
    figure = seats_figure(simulate(players=3, deals=2000))
    assert figure.startswith("<svg")
    assert figure.count("<title>") == 4


def test_rules_dealt_round_deal_hands_that_differ_by_one() -> None:
    rules = Rules(lead=Lead.ANY, stock=Stock.DEALT_ROUND)
    result = simulate(rules, players=7, deals=800, policy=Policy.RANDOM)
    assert result.complete


_KILLED = """
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
from popejoan.fast.stopping import serve_parent

if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(2, spawn, initializer=serve_parent)
    pool.submit(os.getpid).result()
    os._exit(9)  # at once, as one that is killed: nothing is closed
"""


def test_nobody_outlives_the_process_that_started_them(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(_KILLED)
    # All of them hold its output, which ends with the last.
    done = subprocess.run(
        [sys.executable, script], check=False, stdout=subprocess.PIPE, timeout=120
    )
    assert done.returncode == 9
