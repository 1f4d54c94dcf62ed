"""What a seat is shown as numbers: from its view alone, piece by piece, and in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from popejoan.cards import CardSet
from popejoan.deal import Chance
from popejoan.envs.encoding import CARDS, Encoding, bits_of, mask_of
from popejoan.envs.episode import Episode
from popejoan.envs.setting import Setting
from popejoan.rules import Claims, Rules
from popejoan.view import View


def positions(**options: Any) -> Any:
    """Every choice of some episodes."""
    setting = Setting(**options)
    for number in range(4):
        chance = Chance(number, 3)
        now = Episode.begin(setting, 8, number)
        while not now.over:
            yield now
            legal = [action for action in range(64) if now.bits >> action & 1]
            now = now.play(legal[chance.below(len(legal))])
        yield now


def cards(row: Any) -> CardSet:
    return CardSet.of(int(card) for card in np.flatnonzero(row))


@pytest.mark.parametrize("rules", Rules.presets())
@pytest.mark.parametrize("options", [{}, {"ask": "cards"}, {"claims": "asked"}, {"deals": 2}])
def test_each_piece_says_what_the_view_says(rules: str, options: dict[str, Any]) -> None:
    for now in positions(rules=rules, players=4, **options):
        encoding = now.setting.encoding
        for seat in range(4):
            view = now.view(seat)
            pieces = encoding.split(encoding.encode(view))
            assert cards(pieces["hand"]) == view.hand
            for step in range(4):
                other = (seat + step) % 4
                assert cards(pieces["played"][step]) == view.played_by(other)
                assert pieces["purses"][step] == view.purses[other]
                assert pieces["left"][step] == view.counts[other]
                assert pieces["dealer"][step] == (other == view.dealer)
                assert pieces["leader"][step] == (other == view.leader), (now.round, seat)
            assert cards(pieces["run"]) == CardSet.of(view.run)
            assert cards(pieces["dead"]) == view.dead
            assert cards(pieces["turn_up"]) == view.turn_up.alone
            assert tuple(pieces["board"]) == view.board.counters
            if encoding.called:
                due = {item.compartment for item in view.due if item.seat == seat}
                assert pieces["due"].sum() == len(due)


@pytest.mark.parametrize("rules", Rules.presets())
@pytest.mark.parametrize("options", [{}, {"ask": "cards"}, {"claims": "asked"}])
def test_the_mask_is_never_all_zeros_for_who_is_asked_and_is_for_all_others(
    rules: str, options: dict[str, Any]
) -> None:
    for now in positions(rules=rules, players=3, **options):
        for seat in range(3):
            asked = now.to_act == seat
            mask = now.setting.encoding.mask(now.view(seat), asked=asked)
            assert mask.any() == asked
            assert not mask[20]
            if asked and now.round.to_act is not None:
                assert cards(mask[:CARDS]) == now.round.legal


def test_nothing_changes_when_only_unseen_cards_do() -> None:
    for now in positions(rules="HOYLE", players=4):
        if now.over:
            continue
        for seat in range(4):
            view = now.view(seat)
            encoding = now.setting.encoding
            sampled = view.sample(7)
            world = View.of(sampled, seat)
            assert (encoding.encode(view) == encoding.encode(world)).all()
            assert (encoding.encode(view) == encoding.encode_at(sampled, seat)).all()
            assert (encoding.mask(view) == encoding.mask(world)).all()


@pytest.mark.parametrize("rules", Rules.presets())
@pytest.mark.parametrize("options", [{}, {"ask": "cards"}, {"claims": "asked"}, {"dtype": "int8"}])
@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_what_is_read_off_a_round_is_what_is_read_off_a_view(
    rules: str, players: int, options: dict[str, Any]
) -> None:
    for now in positions(rules=rules, players=players, **options):
        encoding = now.setting.encoding
        for seat in range(players):
            found = encoding.encode_at(now.round, seat)
            assert found.tobytes() == encoding.encode(now.view(seat)).tobytes(), (now.round, seat)


@pytest.mark.parametrize("players", range(2, 11))
def test_pieces_lie_end_to_end_and_every_observation_is_within_bounds(players: int) -> None:
    for dtype in ("float32", "int8"):
        encoding = Encoding(Rules.PEEL, players, dtype=dtype)
        for now in positions(rules="PEEL", players=players, dtype=dtype):
            found = encoding.encode(now.view(0))
            assert found.shape == (encoding.size,)
            assert found.dtype == dtype
            assert (found >= encoding.low).all()
            assert (found <= encoding.high).all()
            assert encoding.scale.shape == found.shape
        places = [
            place for each in encoding.slices.values() for place in range(encoding.size)[each]
        ]
        assert places == list(range(encoding.size))
        assert all(f"`{piece.name}`" in encoding.table() for piece in encoding.pieces)


def test_bytes_hold_counters_to_what_a_byte_can_hold() -> None:
    rules = Rules(purse=1000)
    now = Episode.begin(Setting(rules=rules, dtype="int8"), 1, 0)
    pieces = now.setting.encoding.split(now.setting.encoding.encode(now.view(0)))
    assert set(pieces["purses"].tolist()) == {127}


def test_there_are_actions_that_claim_only_where_rules_call_for_claims_and_seats_are_asked() -> (
    None
):
    for name, rules in Rules.presets().items():
        called = rules.claims is Claims.CALLED
        assert Encoding(rules, 4).actions == 52, name
        assert Encoding(rules, 4, claims=True).actions == (61 if called else 52)


def test_a_claim_not_made_lapses_and_one_made_is_paid() -> None:
    setting = Setting(rules="CASSELL", claims="asked", players=2)
    met = 0
    for number in range(60):
        now = Episode.begin(setting, 3, number)
        chance = Chance(number, 9)
        while not now.over:
            seat = now.to_act
            assert seat is not None
            claims = [action for action in range(52, 60) if now.bits >> action & 1]
            if claims and number % 2:
                purse = now.round.purses[seat]
                after = now.play(claims[0])
                assert after.round.purses[seat] > purse
                now, met = after, met + 1
            elif now.bits >> 60 & 1:
                before = now.round.purses
                now = now.play(60)
                assert now.round.purses == before
                met += 1
            else:
                legal = [card for card in range(52) if now.bits >> card & 1]
                now = now.play(legal[chance.below(len(legal))])
    assert met > 20


def test_a_spectators_view_and_another_table_are_refused() -> None:
    now = Episode.begin(Setting(), 1, 0)
    encoding = now.setting.encoding
    with pytest.raises(ValueError, match="spectator"):
        encoding.encode(View.of(now.round, None))
    with pytest.raises(ValueError, match="one of 4"):
        Encoding(Rules.HOYLE, 3).encode(now.view(0))
    with pytest.raises(ValueError, match="neither float32 nor int8"):
        Encoding(Rules.HOYLE, 3, dtype="float16")  # type: ignore[arg-type]


def test_a_mask_of_bits_is_as_many_ones() -> None:
    assert mask_of(0b101, 52).tolist() == [1, 0, 1] + [0] * 49
    assert mask_of(1 << 60, 61)[60] == 1
    assert bits_of(Episode.begin(Setting(), 1, 0).view(0), claims=True) == 0


@pytest.mark.parametrize("rewards", ["event", "round"])
@pytest.mark.parametrize("deals", [None, 1, 3])
def test_balances_sum_to_what_left_the_purses(rewards: str, deals: int | None) -> None:
    for now in positions(rules="PEEL", players=3, deals=deals, rewards=rewards):
        if now.over:
            board = now.match.board if deals else now.round.board
            assert sum(now.balances) == -board.total
            assert now.settled == now.balances
            assert now.dealt >= (deals or 1)
