"""The JSON deal holds to its laws on deals by the thousand, and to a naive account of HOYLE."""

from __future__ import annotations

import io
import json
import random
import time
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import naive
from tests.test_json_deal import E7, as_json, e7

from popejoan.board import Board
from popejoan.cards import BadRules, Seat
from popejoan.deal import Deal, fault_with
from popejoan.json_deal import answer, outcome
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.terminal.replay import answer_lines

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["9D", "HOYLE", "KS", "pope", "any"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.text(max_size=4)
        | st.sampled_from(["rules", "deal", "hands", "stock", "turn_up", "leads", "preset"]),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_JSON)
def test_no_value_does_more_than_be_refused(obj: Any) -> None:
    out = outcome(obj)
    assert set(out) == {"error", "at"}
    assert json.loads(json.dumps(out)) == out
    assert isinstance(answer(json.dumps(obj)), dict)


def _paths(obj: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path to everything in a JSON value."""
    items = (
        obj.items() if isinstance(obj, dict) else enumerate(obj) if isinstance(obj, list) else ()
    )
    return [here, *(path for key, value in items for path in _paths(value, (*here, key)))]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(_paths(E7)[1:]), _JSON)
def test_a_deal_changed_anywhere_is_answered(path: tuple[str | int, ...], value: Any) -> None:
    out = outcome(e7(*path, to=value))
    if "error" in out:
        assert out["error"]
        assert isinstance(out["at"], str)
    else:
        assert sum(out["balances"]) + sum(out["board"].values()) >= 0


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_answered_line_by_line(data: bytes) -> None:
    sink = io.StringIO()
    answer_lines(io.BytesIO(data), sink)
    expected = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    assert len(sink.getvalue().splitlines()) == expected
    assert isinstance(answer(data), dict | list)


# Deals by the thousand

AXES: Final[dict[str, tuple[Any, ...]]] = {
    "ace": ("low", "high"),
    "stakes": (
        {"ace": 1, "game": 1, "matrimony": 2, "intrigue": 2, "pope": 6},
        {"ace": 4, "king": 3, "queen": 5, "knave": 2, "game": 4, "matrimony": 7, "pope": 9},
        {"game": 1, "pope": 1},
    ),
    "dressing": ("dealer", "pool", "raise", "each", "single"),
    "stock": ("six-to-eight", "spare-hand", "dealt-round"),
    "hand_size": (None, 1, 2, 4, 5),
    "turn_up": ("apart", "in-stock"),
    "peek": ("dealer", "nobody", "dealer-sits-out"),
    "pope_turned": ("ends", "cards", "head", "thrown-in"),
    "pope_cap": (None, 1, 4),
    "lead": ("book", "any", "lowest", "lowest-in-hand"),
    "pairs": ("same-seat", "split"),
    "claims": ("called", "at-once"),
    "pope_played": ("head", "head-and-cards"),
    "pope_exempt": (True, False),
    "card_money": ("winner", "board"),
    "ending": ("final-deal", "stays"),
}
"""Every field that a deal can tell, with its values."""


def rules_of(chance: random.Random, players: int) -> dict[str, Any]:
    """A preset, or one with some fields changed, that so many can play."""
    while True:
        wanted: dict[str, Any] = {"preset": chance.choice(list(Rules.presets()))}
        for field in chance.sample(list(AXES), chance.choice((0, 0, 1, 2, 3, 6))):
            wanted[field] = chance.choice(AXES[field])
        if wanted.get("dressing") == "single":
            wanted["card_money"] = "board"
        try:
            rules = Rules.read(wanted)
        except BadRules:
            continue
        if fault_with(rules, players) is None:
            return wanted


def made(seed: int) -> tuple[dict[str, Any], Rules, Deal]:
    """The deal of a seed in JSON, played out by random leads; with its rules and its cards."""
    chance = random.Random(seed)
    players = 2 + seed % 9
    wanted: Any = "HOYLE" if seed % 4 == 0 else rules_of(chance, players)
    rules = Rules.read(wanted)
    dealer = chance.randrange(players)
    deal = Deal.shuffle(seed, players=players, rules=rules, dealer=dealer)
    board = {place.value: chance.randrange(20) for place in rules.compartments}
    round_ = Round.start(rules, deal, dealer=Seat(dealer), board=Board.of(board))
    leads = round_.playout(lambda legal: chance.choice(list(legal))).leads
    obj = {
        "rules": wanted,
        "dealer": dealer,
        "board": board,
        "deal": as_json(deal),
        "leads": list(map(repr, leads)),
    }
    return obj, rules, deal


def check(obj: dict[str, Any], out: dict[str, Any], rules: Rules) -> None:
    """The laws of an outcome, looked at from outside."""
    assert set(out) == {
        "balances", "board", "payments", "plays", "leader", "legal", "over", "winner"
    }  # fmt: skip
    assert sum(out["balances"]) + sum(out["board"].values()) == sum(obj["board"].values())
    assert min(out["board"].values()) >= 0
    hands = [set(hand) for hand in obj["deal"]["hands"]]
    following = rules.order.following
    leads, run_by, wanted = iter(obj["leads"]), None, None
    turned_out = out["over"] and not out["plays"]
    for seat, card in out["plays"]:
        if wanted is None:
            assert card == next(leads)
            assert run_by in (None, seat)
        else:
            assert card == wanted
        hands[seat].remove(card)
        run_by, wanted = seat, above(card, following)
        if not hands[seat] or not any(wanted in hand for hand in hands):
            wanted = None
    assert next(leads, None) is None
    assert wanted is None
    went_out = [seat for seat, _ in out["plays"] if not hands[seat]]
    assert out["over"] == (bool(went_out) or turned_out)
    if out["over"]:
        assert (out["leader"], out["legal"]) == (None, [])
        assert out["winner"] == (obj["dealer"] if turned_out else went_out[0])
        if turned_out:
            assert obj["deal"]["turn_up"] == "9D"
        assert out["board"]["game"] == 0 or rules.card_money == "board"
    else:
        assert out["winner"] is None
        eldest = (obj["dealer"] + 1) % len(hands)
        assert out["leader"] == (eldest if run_by is None else run_by)
        assert set(out["legal"]) <= hands[out["leader"]]
        assert out["legal"]
    for payment in out["payments"]:
        assert payment["counters"] > 0
        assert payment["compartment"] in {place.value for place in rules.compartments}
        assert 0 <= payment["seat"] < len(hands)
    left = [card for hand in hands for card in hand]
    places = [*left, *(c for _, c in out["plays"]), *obj["deal"]["stock"], obj["deal"]["turn_up"]]
    assert sorted(places) == sorted(naive.PACK)


def above(card: str, following: tuple[int, ...]) -> str | None:
    number = naive.SUITS.index(card[1]) * 13 + naive.RANKS.index(card[0])
    up = following[number]
    return None if up < 0 else naive.RANKS[up % 13] + naive.SUITS[up // 13]


def sweep(seeds: range) -> None:
    """Put the deals of these seeds through the stream: whole, cut short, and with a wrong lead."""
    chance = random.Random(seeds.start)
    asked: list[tuple[dict[str, Any], Rules]] = []
    for seed in seeds:
        obj, rules, _ = made(seed)
        asked.append((obj, rules))
        asked.append(({**obj, "leads": obj["leads"][: chance.randrange(30)]}, rules))
    answers = ask([obj for obj, _ in asked])
    wrong = []
    for (obj, rules), out in zip(asked, answers, strict=True):
        assert "error" not in out, (obj, out)
        check(obj, out, rules)
        if obj["rules"] == "HOYLE":
            parts = obj["deal"]
            assert out == naive.outcome(
                parts["hands"], parts["turn_up"], parts["stock"], obj["leads"],
                obj["dealer"], obj["board"],
            )  # fmt: skip
        played = {card for _, card in out["plays"]}
        hands = obj["deal"]["hands"]
        leader = obj["dealer"] if out["leader"] is None else out["leader"]
        barred = sorted({*hands[leader], "KS"} - played - set(out["legal"]))
        wrong += [{**obj, "leads": [*obj["leads"], card]} for card in barred[:1]]
    for obj, out in zip(wrong, ask(wrong), strict=True):
        assert set(out) == {"error", "at"}
        assert out["at"] == f"leads[{len(obj['leads']) - 1}]"
        assert out["error"].startswith(obj["leads"][-1])


def ask(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the stream answers."""
    sink = io.StringIO()
    answer_lines(io.BytesIO("".join(json.dumps(obj) + "\n" for obj in objects).encode()), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_random_deals_keep_every_law_and_agree_with_the_naive_account() -> None:
    sweep(range(300))


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(100))
def test_100_000_random_deals_keep_every_law_and_agree_with_the_naive_account(
    thousand: int,
) -> None:
    sweep(range(1000 * thousand, 1000 * thousand + 1000))


def test_every_axis_comes_in_the_sweep() -> None:
    fields = set(Rules.HOYLE.as_dict()) - {"purse", "equal_deals"}  # these matter to a match alone
    assert set(AXES) == fields


@pytest.mark.slow
def test_two_thousand_deals_a_second_are_answered() -> None:
    data = "".join(json.dumps(made(seed)[0]) + "\n" for seed in range(0, 8000, 4)).encode()
    best = 0.0
    for _ in range(5):
        began = time.process_time()
        assert answer_lines(io.BytesIO(data), io.StringIO())
        best = max(best, 2000 / (time.process_time() - began))
    assert best >= 2000
