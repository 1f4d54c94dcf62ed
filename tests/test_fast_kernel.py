"""The kernel is the engine, faster: every card and every payment."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan.board import Board
from popejoan.cards import PACK, BadRules, CardSet, Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.fast import bits
from popejoan.fast.jit import compiled
from popejoan.fast.layout import (
    AT_GAME,
    CARD_MONEY,
    DEALS,
    FALLEN,
    FEATURES,
    LEADS,
    LENGTHS,
    ROLE,
    STAKE,
    WON,
)
from popejoan.fast.plan import CHUNK, LOCKSTEP, Chunk, Plan, play
from popejoan.fast.policy import DEFAULT_WEIGHTS, Policy, chooser, features_of, weights_of
from popejoan.fast.tables import (
    PLAYED,
    card_of_lane,
    cards_of_lanes,
    lane_of_card,
    tables,
    unsupported,
)
from popejoan.fast.trace import TracedDeal, trace_match
from popejoan.match import Match
from popejoan.round import Round
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
    TurnUp,
)

MIXES = {
    "lowest-in-hand": Rules(lead=Lead.LOWEST_IN_HAND),
    "split": Rules(pairs=Pairs.SPLIT, lead=Lead.ANY),
    "to-board": Rules(card_money=CardMoney.BOARD, dressing=Dressing.SINGLE),
    "to-board-full": Rules(card_money=CardMoney.BOARD, lead=Lead.LOWEST),
    "sits-out": Rules(peek=Peek.SITS_OUT),
    "thrown-in": Rules(pope_turned=PopeTurned.THROWN_IN, dressing=Dressing.EACH),
    "pool": Rules(dressing=Dressing.POOL, pope_exempt=False, pope_cap=4),
    "raise": replace(Rules.PARLETT, dressing=Dressing.RAISE, lead=Lead.LOWEST_IN_HAND),
    "five-pools": Rules(stakes=Board.of(pope=4, game=2, king=1, matrimony=2, ace=1)),
    "small-hands": Rules(hand_size=3, stock=Stock.SPARE_HAND, pope_played=PopePlayed.CARDS),
    "high-any": replace(Rules.PARLETT, lead=Lead.ANY, turn_up=TurnUp.APART),
    "dealt-round": Rules(stock=Stock.DEALT_ROUND, peek=Peek.SITS_OUT, lead=Lead.ANY),
}
"""Rules that no preset has, so that every value of every field is played."""


def fits(rules: Rules, players: int) -> bool:
    """Whether so many can play these rules."""
    try:
        Deal.shuffle(0, players=players, rules=rules)
    except ValueError:
        return False
    return True


def played_by_engine(
    rules: Rules, players: int, seed: int, match: int, deals: int, policy: Policy
) -> list[Round]:
    """The rounds of a match as the engine plays it."""
    table = Match.start(
        rules, players=players, seed=seed, number=match, first_dealer=match % players
    )
    rounds = []
    for number in range(deals):
        table = table.deal()
        choose = chooser(policy, seed, match, number)
        round_ = table.round
        assert round_ is not None
        while not round_.over:
            round_ = round_.lead(choose(round_))
        table = replace(table, round=round_)
        rounds.append(round_)
    return rounds


def difference(round_: Round, traced: TracedDeal) -> str | None:
    """The first difference between engine and kernel, or None."""
    pairs = (
        ("events", round_.events, traced.events),
        ("transfers", round_.ledger.transfers, traced.transfers),
        ("balances", round_.balances, traced.balances),
        ("board", tuple(round_.board), tuple(traced.board)),
    )
    for what, engine, told in pairs:
        for place, (one, other) in enumerate(zip_longest(engine, told)):
            if one != other:
                return f"{what}[{place}]: engine {one!r}, kernel {other!r}\n{round_!r}\n{round_}"
    return None


def first_difference(
    rules: Rules, players: int, seed: int, match: int, policy: Policy, deals: int = 8
) -> str | None:
    """The first difference in a match, with the deal it stands in, or None."""
    traced = trace_match(rules, players=players, seed=seed, match=match, deals=deals, policy=policy)
    rounds = played_by_engine(rules, players, seed, match, deals, policy)
    for number, (round_, told) in enumerate(zip(rounds, traced, strict=True)):
        assert told.dealer == Seat((match + number) % players)
        if says := difference(round_, told):
            where = f"{rules.text}, {players} players, {policy.name}, seed {seed}"
            return f"{where}, match {match}, deal {number}: {says}"
    return None


RULES = {**Rules.presets(), **MIXES}
EVERYONE = [
    (name, players)
    for name, rules in RULES.items()
    for players in range(2, 11)
    if fits(rules, players)
]


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name.lower())
@pytest.mark.parametrize("name", RULES)
def test_a_match_of_the_kernel_is_the_match_of_the_engine(name: str, policy: Policy) -> None:
    players = [count for rules, count in EVERYONE if rules == name]
    count = players[len(name) % len(players)]
    for seats in {min(players), count}:
        says = first_difference(RULES[name], seats, 5, 1, policy, deals=3)
        assert says is None, says


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(EVERYONE),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**40),
    st.sampled_from(Policy),
)
def test_any_match_of_any_seed_is_the_same_in_kernel_and_engine(
    who: tuple[str, int], seed: int, match: int, policy: Policy
) -> None:
    says = first_difference(RULES[who[0]], who[1], seed, match, policy, deals=2)
    assert says is None, says


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_sweep_over_players_and_policies_finds_no_difference(name: str) -> None:
    for _, players in (who for who in EVERYONE if who[0] == name):
        for policy in Policy:
            for match in range(4 if policy is Policy.LINEAR else 40):
                says = first_difference(RULES[name], players, 11, match, policy)
                assert says is None, says


@pytest.mark.slow
def test_a_turned_up_pope_is_paid_as_the_engine_pays_it() -> None:
    for name, rules in RULES.items():
        players = 5 if fits(rules, 5) else 4
        seeds = (seed for seed in range(10**6) if Deal.shuffle(seed, players=players, rules=rules,
                 dealer=0).turn_up.words == "nine of diamonds")  # fmt: skip
        for _ in range(3):
            says = first_difference(rules, players, next(seeds), 0, Policy.RANDOM, deals=2)
            assert says is None, f"{name}: {says}"


def test_numbers_of_numpy_are_taken_and_numbers_beyond_64_bits_refused() -> None:
    plan = Plan(matches=5)
    assert (play(plan, Chunk(*np.array([0, 5]))) == play(plan, Chunk(0, 5))).all()
    with pytest.raises(OverflowError, match="64 bits"):
        play(plan, Chunk(2**64, 5))


def test_no_float_appears_in_a_kernel() -> None:
    play(Plan(Rules.HOYLE, 4, Policy.BOOK, None, 0, 1), Chunk(0, 1))
    play(Plan(Rules(lead=Lead.ANY), 4, Policy.RANDOM, None, 0, 1), Chunk(0, 1))
    trace_match(policy=Policy.LINEAR, deals=1)
    for kernel in (CHUNK, LOCKSTEP):
        assert kernel.kinds
        assert "float" not in str(kernel.kinds)


@pytest.mark.slow
def test_no_float_appears_in_a_kernel_compiled_anew(tmp_path: Path) -> None:
    code = (
        "from popejoan.fast.jit import assembled\n"
        "from popejoan.fast.plan import CHUNK, LOCKSTEP, Chunk, Plan, play\n"
        "from popejoan.fast.policy import Policy\n"
        "from popejoan.rules import Lead, Rules\n"
        "play(Plan(Rules.HOYLE, 4, Policy.LINEAR), Chunk(0, 1))\n"
        "play(Plan(Rules(lead=Lead.ANY), 4, Policy.RANDOM), Chunk(0, 1))\n"
        "for each in (CHUNK, LOCKSTEP):\n"
        "    for kinds in each.kinds:\n"
        "        found = assembled(each.function, kinds).library.get_llvm_str()\n"
        "        lines = [line for line in found.splitlines() if not line.startswith('declare')]\n"
        "        print(sum(' double ' in line or ' float ' in line for line in lines))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parent.parent / "src"),
            "NUMBA_CACHE_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["0", "0"]


def test_the_kernel_supports_every_rule_and_says_so() -> None:
    assert {unsupported(rules) for rules in RULES.values()} == {()}
    assert set(PLAYED) == {field.name for field in fields(Rules)}
    with pytest.raises(BadRules, match="2 to 10"):
        tables(Rules.HOYLE, 11)
    with pytest.raises(BadRules, match="sits out"):
        tables(Rules(peek=Peek.SITS_OUT), 2)


def test_a_field_or_a_value_that_the_kernel_does_not_know_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(PLAYED, "peek")
    monkeypatch.setitem(PLAYED, "lead", (Lead.BOOK,))
    assert unsupported(Rules()) == ("peek",)
    assert unsupported(Rules(lead=Lead.ANY)) == ("peek", "lead")
    with pytest.raises(BadRules, match="compiled kernel cannot play this"):
        tables.__wrapped__(Rules(), 4)


def test_the_tables_are_shared_and_cannot_be_written_to() -> None:
    arrays = tables(Rules.HOYLE, 4)
    assert arrays is tables(Rules.HOYLE, 4)
    assert {array.dtype for array in arrays} == {np.dtype(np.int64)}
    assert not any(array.flags.writeable for array in arrays)


@pytest.mark.parametrize("ace_high", [False, True])
def test_a_card_lies_on_one_bit_of_a_lane(ace_high: bool) -> None:
    lanes = [lane_of_card(card, ace_high=ace_high) for card in PACK]
    assert len(set(lanes)) == 51
    assert [card_of_lane(bit, ace_high=ace_high) for bit in lanes] == list(PACK)
    whole = sum(1 << bit for bit in lanes)
    assert cards_of_lanes(whole, ace_high=ace_high) == PACK


@given(st.integers(0, 2**63 - 1))
def test_lanes_close_up_as_by_the_plain_twin(lanes: int) -> None:
    cards = [16 * suit + height for suit in range(4) for height in range(13)]
    assert _close_up(lanes) == bits._plain_close_up(lanes)
    assert _close_up(lanes) == sum((lanes >> bit & 1) << card for card, bit in enumerate(cards))


@given(st.integers(1, 2**61 - 1), st.data())
def test_deposit_and_select_are_their_plain_twins(mask: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, mask.bit_count() - 1))
    count = data.draw(st.integers(1, 3))
    source = sum(
        1 << n for n in data.draw(st.sets(st.integers(0, mask.bit_count() - 1), max_size=count))
    )
    assert _select(mask, place) == bits._plain_select(mask, place)
    assert _deposit(source, mask) == bits._plain_deposit(source, mask)
    assert _count(mask) == (mask.bit_count(), (mask & -mask).bit_length() - 1)


@compiled
def _select(mask: int, place: int) -> int:
    return bits.select(mask, place)


@compiled
def _deposit(source: int, mask: int) -> int:
    return bits.deposit(source, mask)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_the_lesser_of_two_numbers_is_their_min(one: int, other: int) -> None:
    assert _lesser(one, other) == min(one, other)


@compiled
def _lesser(one: int, other: int) -> int:
    return bits.lesser(one, other)


@compiled
def _close_up(lanes: int) -> int:
    return bits.close_up(lanes)


@compiled
def _count(mask: int) -> tuple[int, int]:
    return bits.popcount(mask), bits.lowest_place(mask)


def test_the_features_are_named_and_weighed_one_by_one() -> None:
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(3), dealer=Seat(0))
    assert len(features_of(round_, next(iter(round_.legal)))) == len(FEATURES)
    assert weights_of(None) == DEFAULT_WEIGHTS
    with pytest.raises(ValueError, match="2 weights for 13 features"):
        weights_of((1, 2))
    with pytest.raises(ValueError, match="'own' is a whole number"):
        weights_of((10**9, *DEFAULT_WEIGHTS[1:]))


def test_the_random_policy_draws_one_number_a_lead_from_the_stream_of_leads() -> None:
    traced = trace_match(Rules(lead=Lead.ANY), seed=9, match=3, deals=1)[0]
    assert traced.deal == Deal.shuffle(9, match=3, dealer=3, rules=Rules(lead=Lead.ANY))
    first = next(event for event in traced.events if type(event).__name__ == "Led")
    hand = traced.deal.hands[0]
    assert first.card == Chance(9, 3, 0, Purpose.LEAD).pick(CardSet(hand.mask))  # type: ignore[union-attr]


def _laws(rules: Rules, players: int, policy: Policy, matches: int, seed: int = 2) -> int:
    """Hold the totals of a chunk to the laws of conservation; how many deals they are of."""
    totals = play(Plan(rules, players, policy, None, seed, matches), Chunk(0, matches)).tolist()
    deals = int(totals[DEALS])
    assert deals == 8 * matches
    won = sum(totals[ROLE : ROLE + players])
    taken = sum(totals[STAKE : STAKE + 8])
    if rules.dressing is not Dressing.SINGLE:
        laid = int(tables(rules, players).dressing[:, 2].sum()) * deals
        to_board = totals[CARD_MONEY] if rules.card_money is CardMoney.BOARD else 0
        assert won == taken - laid - to_board, "what seats win is what they take less what they lay"
    assert sum(totals[WON : WON + players]) == deals, "one seat is first out"
    assert sum(totals[LENGTHS:DEALS]) == deals
    assert sum(n * count for n, count in enumerate(totals[LENGTHS:DEALS])) == totals[LEADS]
    assert totals[FALLEN + AT_GAME] == deals, "Game falls in every deal"
    return deals


@pytest.mark.parametrize("name", RULES)
def test_counters_are_conserved(name: str) -> None:
    players = [count for rules, count in EVERYONE if rules == name]
    for policy in (Policy.RANDOM, Policy.BOOK):
        assert _laws(RULES[name], players[len(name) % len(players)], policy, 200)


@pytest.mark.slow
def test_counters_are_conserved_over_ten_million_deals_of_all_presets_and_players() -> None:
    deals = 0
    for name in Rules.presets():
        for players in range(2, 11):
            for policy in (Policy.RANDOM, Policy.BOOK):
                deals += _laws(RULES[name], players, policy, 14_000)
    assert deals >= 10_000_000


@pytest.mark.slow
def test_the_kernel_in_plain_python_plays_the_same() -> None:
    code = (
        "import numpy as np\n"
        "from popejoan.fast.plan import Chunk, Plan, play\n"
        "from popejoan.fast.policy import Policy\n"
        "from popejoan.rules import Lead, Rules\n"
        "with np.errstate(over='ignore'):\n"
        "    for tier in ('scalar', 'lockstep'):\n"
        "        plan = Plan(Rules(lead=Lead.ANY), 4, Policy.RANDOM, None, 7, 6, 8, tier)\n"
        "        print(*play(plan, Chunk(0, 6)))\n"
        "    print(*play(Plan(Rules.PARLETT, 5, Policy.LINEAR, None, 7, 2), Chunk(0, 2)))\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parent.parent / "src"),
                "NUMBA_DISABLE_JIT": disabled,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for disabled in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert printed[0][0] == printed[0][1]
