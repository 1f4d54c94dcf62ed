"""Claims about play-outs: the kernel's are the engine's, and its worlds are those that fit."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from popejoan import Card, CardSet, Compartment, Deal, Round, Rules, View, features
from popejoan.bots import bot
from popejoan.bots.plans import plans_of
from popejoan.bots.playouts import EnginePlayouts, finished
from popejoan.bots.search import Master, weigh_leads
from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.features import FEATURES, Scorer, Situation, card_at, from_lanes, to_lanes
from popejoan.rules import Ace, Lead, Pairs, PopePlayed

pytest.importorskip("numba")

from popejoan.fast.evaluator import KernelPlayouts, KernelWorlds

MIXES = {
    **Rules.presets(),
    "ace high": Rules(lead=Lead.ANY, ace=Ace.HIGH),
    "split": Rules(lead=Lead.LOWEST_IN_HAND, pairs=Pairs.SPLIT, pope_played=PopePlayed.CARDS),
}


def at_a_lead(rules: Rules, players: int, seed: int) -> Round | None:
    """A round after some leads, or None when it is over."""
    chance = random.Random(seed)
    round_ = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    for _ in range(chance.randrange(7)):
        if not round_.over:
            round_ = round_.lead(chance.choice(list(round_.legal)))
    return None if round_.over else round_


@pytest.mark.parametrize("name", MIXES)
@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
def test_play_outs_of_the_kernel_come_to_what_the_engine_comes_to(name: str, players: int) -> None:
    rules = MIXES[name]
    for seed in range(3):
        round_ = at_a_lead(rules, players, seed)
        if round_ is None:
            continue
        view = View.of(round_, round_.to_act)
        rounds = [view.sample(nth) for nth in range(2)]
        plans = [(), *plans_of(view)]
        for weights in (counter_weights(rules.lead), sharp_weights(rules.lead)):
            fast = KernelWorlds.of_rounds(rounds, weights).play(plans, 0, len(rounds))
            plain = [[list(finished(each, plan, weights)) for each in rounds] for plan in plans]
            assert fast == plain


@pytest.mark.parametrize("name", MIXES)
def test_worlds_hold_what_the_view_has_seen(name: str) -> None:
    rules = MIXES[name]
    high = rules.order.ace_high
    for players in (2, 4, 7):
        for seed in range(4):
            round_ = at_a_lead(rules, players, seed)
            if round_ is None:
                continue
            view = View.of(round_, round_.to_act)
            worlds = KernelPlayouts(counter_weights).worlds(view, 8, seed)
            for hands, stock in zip(worlds.hands.tolist(), worlds.stocks.tolist()):
                cards = [CardSet(from_lanes(hand, ace_high=high)) for hand in hands]
                deal = Deal.of(cards, view.turn_up, CardSet(from_lanes(stock, ace_high=high)))
                again = Round.replay(
                    rules, deal, round_.leads, dealer=view.dealer, board=view.opening.board
                )
                assert View.of(again, view.seat) == view


def test_a_lead_that_was_made_is_likelier_in_the_worlds_that_are_kept() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(8, rules=Rules.CASSELL))
    while round_.to_act is not None and len(round_.leads) < 3:
        round_ = round_.lead(bot("counter").choose(View.of(round_, round_.to_act)))
    view = View.of(round_, round_.to_act)
    read, unread = (
        KernelPlayouts(counter_weights, slip=slip).worlds(view, 300, 1) for slip in (0.1, 0.9999)
    )
    nets = read.nets
    odds = []
    for worlds in (read, unread):
        drawn = replace(worlds.drawn, hands=worlds.hands, stocks=worlds.stocks)
        chances = drawn.odds(nets, 0.6, 0.1)
        assert chances is not None
        odds.append(float(chances.mean()))
    assert odds[0] > odds[1]


def test_lanes_turn_back_into_the_cards() -> None:
    for high in (False, True):
        for card in CardSet((1 << 52) - 1 ^ 1 << 20):
            assert from_lanes(to_lanes(card.bit, ace_high=high), ace_high=high) == card.bit
        order = Rules(lead=Lead.ANY, ace=Ace.HIGH if high else Ace.LOW).order
        for card in CardSet((1 << 52) - 1 ^ 1 << 20):
            above = order.following[card]
            if above >= 0:
                lane = to_lanes(card.bit, ace_high=high)
                assert to_lanes(1 << above, ace_high=high) == lane << 1


def test_a_feature_and_a_stake_stand_where_their_names_say() -> None:
    for at, name in enumerate(FEATURES):
        assert getattr(features, "F_" + name.upper().replace(" ", "_")) == at
    for at, place in enumerate(Compartment):
        assert getattr(features, f"ON_{place.name}") == features.STAKES + at
    assert len(FEATURES) - features.OF_SITUATION == 8


def test_features_are_named_and_whole() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(2, rules=Rules.CASSELL))
    found = Situation.of_view(View.of(round_, round_.to_act)).features()
    assert len(found) == len(round_.legal)
    assert {len(each) for each in found} == {len(FEATURES)}
    assert all(isinstance(value, int) for each in found for value in each)


def test_the_view_and_the_round_describe_a_lead_alike() -> None:
    for name, rules in MIXES.items():
        for seed in range(4):
            round_ = at_a_lead(rules, 4, seed)
            if round_ is not None:
                view = View.of(round_, round_.to_act)
                seen = Situation.of_view(view)
                assert seen == Situation.of_round(round_), name


@pytest.mark.parametrize(("held", "gone"), [("JC", "QC"), ("QC", "JC KC"), ("KC", "QC")])
def test_a_card_earns_the_pair_whose_other_card_is_played(held: str, gone: str) -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, rules=Rules.CASSELL))
    now = list(Situation.of_view(View.of(round_, round_.to_act)).now)
    lead = Card.parse(held).bit
    now[features.HAND] = to_lanes(lead, ace_high=False)
    now[features.MINE] = to_lanes(CardSet.parse(gone).mask, ace_high=False)
    for at, rank in zip((features.KING, features.QUEEN, features.KNAVE), "KQJ"):
        now[at] = to_lanes(Card.parse(f"{rank}C").bit, ace_high=False)
    now[features.STAKES : features.STAKES + 8] = [1, 1, 1, 1, 1, 2, 2, 6]
    out = [0] * len(FEATURES)
    features.describe(now, out)
    features.measure(now, to_lanes(lead, ace_high=False), out)
    assert out[list(FEATURES).index("earns")] == (1 + 2 * len(gone.split())) * features.ONE


def test_there_is_no_situation_without_a_lead_to_make() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, rules=Rules.CASSELL))
    assert round_.to_act is not None
    with pytest.raises(ValueError, match="has no lead to make"):
        Situation.of_view(View.of(round_, (round_.to_act + 1) % 4))
    while not round_.over:
        round_ = round_.lead(round_.legal[0])
    with pytest.raises(ValueError, match="no lead is to be made"):
        Situation.of_round(round_)


def test_a_single_lead_needs_no_scores() -> None:
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(1))
    situation = Situation.of_view(View.of(round_, round_.to_act))
    assert len(situation.legal) == 1
    assert Scorer(()).best(situation) == situation.legal[0]
    assert (
        card_at(to_lanes(situation.legal[0].bit, ace_high=False), ace_high=False)
        == (situation.legal[0])
    )


def test_a_scorer_without_hidden_units_is_a_weighted_sum() -> None:
    assert Scorer((2, 3)).score((10, 100)) == 320
    assert Scorer((2, 3), ((1, -1),), (5,), (7,)).score((10, 3)) == 29 + 7 * 12
    assert Scorer((2, 3), ((-1, 0),), (5,), (7,)).score((10, 3)) == 29


def test_the_leads_are_weighed_in_the_same_worlds_and_the_best_comes_first() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    found = weigh_leads(view, KernelPlayouts(sharp_weights), worlds=200)
    assert {each.lead for each in found} == set(view.legal)
    assert all(one.behind <= two.behind for one, two in pairwise(found))
    assert found[0].behind == 0.0
    assert {each.worlds for each in found} == {200}


def test_in_no_time_one_block_of_worlds_is_played_and_in_much_time_all_are() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    playouts = KernelPlayouts(sharp_weights, usual=100)
    hurried = weigh_leads(view, playouts, worlds=10**6, seconds=0.0)
    assert {each.worlds for each in hurried} == {32}
    patient = weigh_leads(view, playouts, worlds=330, seconds=1e9)
    assert {each.worlds for each in patient} == {330}
    assert patient[0].error == 0.0 < min(each.error for each in patient[1:])


def test_master_chooses_alike_for_the_same_seed_and_number() -> None:
    for playouts in (EnginePlayouts(usual=6), KernelPlayouts(sharp_weights, usual=64)):
        for seed in range(3):
            round_ = at_a_lead(Rules.CASSELL, 4, seed)
            if round_ is not None:
                view = View.of(round_, round_.to_act)
                one, two = (Master(playouts, seed=5).choose(view) for _ in range(2))
                assert one == two


@pytest.mark.parametrize("name", MIXES)
def test_a_plan_of_two_leads_keeps_the_lead_in_every_world(name: str) -> None:
    two = 0
    for seed in range(12):
        round_ = at_a_lead(MIXES[name], 4, seed)
        if round_ is None:
            continue
        view = View.of(round_, round_.to_act)
        plans = plans_of(view)
        assert [plan for plan in plans if len(plan) == 1] == [(card,) for card in view.legal]
        for nth in range(3):
            world = view.sample(nth)
            for plan in plans[len(view.legal) :]:
                after = world.lead(plan[0])
                assert after.to_act == view.seat
                assert plan[1] in after.legal
                two += 1
            for lead in {plan[0] for plan in plans[len(view.legal) :]}:
                may = {plan[1] for plan in plans if len(plan) == 2 and plan[0] == lead}
                assert may == set(world.lead(lead).legal)
    assert two


def test_a_lead_that_keeps_the_lead_is_worth_what_the_best_after_it_is() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(3, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    stops = {plan[0] for plan in plans_of(view) if len(plan) == 2}
    assert stops
    playouts = KernelPlayouts(sharp_weights)
    plain = {each.lead: each.mean for each in weigh_leads(view, playouts, worlds=64)}
    deep = {each.lead: each.mean for each in weigh_leads(view, playouts, worlds=64, deep=True)}
    assert plain.keys() == deep.keys()
    for lead, worth in plain.items():
        assert deep[lead] >= worth if lead in stops else deep[lead] == worth
