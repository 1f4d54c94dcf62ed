"""The deal and the generator: the same everywhere, every deal as likely, and no card lost."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan.cards import PACK, BadDeal, Card, CardSet, Rank, Seat
from popejoan.deal import Chance, Deal, Purpose, first_knave, hand_sizes
from popejoan.rules import Rules
from popejoan.testing import strategies as some

_GOLDEN, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def _mix(z: int) -> int:
    """SplitMix64's mixing, as the file specifies it."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & _MASK
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


@given(some.seeds, st.integers(0, 2**64 - 1), st.integers(0, 99), st.sampled_from(Purpose))
def test_the_generator_is_the_one_specified(
    seed: int, match: int, deal: int, purpose: Purpose
) -> None:
    key = 0
    for number in (seed, match, deal, purpose):
        key = _mix(((key ^ number) + _GOLDEN) & _MASK)
    words = []
    for block in range(1, 5):
        mixed = _mix((key + block * _GOLDEN) & _MASK)
        words += [mixed & 0xFFFFFFFF, mixed >> 32]
    chance = Chance(seed, match, deal, purpose)
    assert [chance.word() for _ in words] == words


def test_the_streams_of_a_seed_are_apart() -> None:
    streams = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 4), (0, 0, 0)]
    firsts = {
        (Chance(*stream, purpose).word(), Chance(*stream, purpose).word())
        for stream in streams
        for purpose in Purpose
    }
    assert len(firsts) == len(streams) * len(Purpose)


@given(some.seeds, st.integers(1, 2**80))
def test_a_number_drawn_is_below_its_bound(seed: int, bound: int) -> None:
    chance = Chance(seed)
    assert all(0 <= chance.below(bound) < bound for _ in range(5))


@pytest.mark.parametrize("bound", [0, -1])
def test_no_number_is_drawn_below_nothing(bound: int) -> None:
    with pytest.raises(ValueError, match=f"there is no number below {bound} to draw"):
        Chance(1).below(bound)


@pytest.mark.parametrize("bound", [7, 70000])
def test_numbers_are_drawn_evenly(bound: int) -> None:
    chance = Chance(5)
    counts = Counter(chance.below(bound) * 7 // bound for _ in range(7000))
    assert sorted(counts) == list(range(7))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 22.458  # 1 in 1000


@given(some.card_sets(1), some.seeds)
def test_a_card_is_picked_from_its_set(cards: CardSet, seed: int) -> None:
    assert Chance(seed).pick(cards) in cards


@given(some.rules(), st.data(), some.seeds)
@settings(max_examples=100)
def test_a_shuffled_deal_has_every_card_once_in_hands_of_the_right_size(
    rules: Rules, data: st.DataObject, seed: int
) -> None:
    players = data.draw(some.players(rules))
    dealer = data.draw(st.integers(0, players - 1))
    deal = Deal.shuffle(seed, players=players, rules=rules, dealer=dealer)
    assert deal.sizes == hand_sizes(rules, players, dealer)[0]
    assert deal.faults_under(rules, Seat(dealer)) == ()
    assert deal == Deal.shuffle(seed, players=players, rules=rules, dealer=dealer)
    assert Deal.of(deal.hands, deal.turn_up, deal.stock) == deal


@given(st.data(), some.rules())
def test_a_deal_is_read_back_from_its_text(data: st.DataObject, rules: Rules) -> None:
    deal = data.draw(some.deals(rules, data.draw(some.players(rules))))
    assert Deal.read(deal.text) == deal == eval(repr(deal))
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert deal.players == len(deal.hands)


def test_each_card_falls_to_each_place_as_often() -> None:
    """Hands of 11, a stock of 6 and the turn-up: chi-square over where the Pope lies."""
    places: Counter[str] = Counter()
    for seed in range(5100):
        deal = Deal.shuffle(seed)
        card = Card(21)
        hands = [seat for seat, hand in enumerate(deal.hands) if card in hand]
        places[str(hands) if hands else "stock" if card in deal.stock else "turn-up"] += 1
    expected = {"[0]": 1100, "[1]": 1100, "[2]": 1100, "[3]": 1100, "stock": 600, "turn-up": 100}
    square = sum((places[place] - often) ** 2 / often for place, often in expected.items())
    assert square < 20.515  # 1 in 1000 at 5 degrees of freedom


_WHOLE = Deal.shuffle(1, players=2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("AS / KS", "deal: 'AS / KS' is not 'hand / hand / ... | turn-up | stock'"),
        ("AS XX / KS | QS | JS", "hands[0][1]: 'XX' is not a card"),
        ("AS / KS | 8D | JS", "turn_up[0]: 8D is not in the pack"),
        ("AS / KS | QS JS | TS", "turn_up: one card is turned up, not 2"),
        ("AS / KS | | TS", "turn_up: one card is turned up, not 0"),
        ("AS / AS | QS | AS", "hands[1]: AS stands here and in hands[0]; stock: AS stands here"),
        ("AS | QS | JS", "hands: 2 to 10 can play, not 1"),
        ("AS / KS | QS | JS", "missing: each of the 51 cards must be in one place"),
    ],
)
def test_a_deal_that_is_none_is_refused_with_every_fault(text: str, says: str) -> None:
    with pytest.raises(BadDeal) as refused:
        Deal.read(text)
    assert says in str(refused.value)
    assert all(at and what for at, what in refused.value.faults)


def test_a_deal_made_of_sets_is_checked_as_well() -> None:
    one, other = _WHOLE.hands
    for hands, stock in [
        ((one, other), CardSet()),
        ((one, one), _WHOLE.stock),
        ((one, other | _WHOLE.turn_up.alone), _WHOLE.stock),
        ((one | other,), _WHOLE.stock),
    ]:
        with pytest.raises(BadDeal):
            Deal(hands, _WHOLE.turn_up, stock)


def test_hands_of_a_size_that_the_rules_do_not_deal_are_refused_with_those_that_they_do() -> None:
    deal = Deal.shuffle(1, rules=Rules(hand_size=9))
    ((at, says),) = deal.faults_under(Rules.HOYLE, Seat(0))
    assert at == "hands"
    assert says == (
        "hands have 9, 9, 9, 9 cards, where 4 players are dealt 11, 11, 11, 11; "
        "to play hands of 9 set hand_size to 9"
    )
    uneven = Deal.shuffle(1, rules=Rules.HOFFMANN, players=5)
    ((_, says),) = uneven.faults_under(Rules.HOYLE, Seat(0))
    assert "set hand_size" not in says


@pytest.mark.parametrize("players", range(2, 11))
def test_a_final_deal_is_the_whole_pack_dealt_round(players: int) -> None:
    hands = Deal.final(3, players=players)
    assert sorted(card for hand in hands for card in hand) == list(PACK)
    assert max(map(len, hands)) - min(map(len, hands)) <= 1
    assert hands == Deal.final(3, players=players) != Deal.final(3, players=players, match=1)


@given(some.seeds, st.integers(0, 99))
def test_the_first_knave_is_the_last_card_turned(seed: int, match: int) -> None:
    cards = first_knave(seed, match=match)
    assert [card.rank is Rank.KNAVE for card in cards] == [False] * (len(cards) - 1) + [True]
    assert len(CardSet.of(cards)) == len(cards)


def test_no_card_is_picked_from_none() -> None:
    with pytest.raises(ValueError, match="no card can be picked from none"):
        Chance(1).pick(CardSet())
