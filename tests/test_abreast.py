"""Claims about play-outs abreast: they are those of the engine when all lead at a glance."""

from __future__ import annotations

import random
from typing import cast

import pytest

from popejoan import PACK, Card, Deal, Round, Rules, View
from popejoan.board import Compartment
from popejoan.bots import bot
from popejoan.bots.search import Quick
from popejoan.cards import POPE, Rank
from popejoan.deal import fault_with
from popejoan.features import card_at, to_lanes
from popejoan.rules import Ace, CardMoney, Lead, Pairs, Peek, PopePlayed

pytest.importorskip("numba")

import numpy as np

from popejoan.fast.abreast import play_abreast
from popejoan.fast.evaluator import worth_at_a_glance
from popejoan.fast.tables import tables

MIXES = {
    **Rules.presets(),
    "ace high": Rules(lead=Lead.ANY, ace=Ace.HIGH),
    "split": Rules(lead=Lead.LOWEST_IN_HAND, pairs=Pairs.SPLIT, pope_played=PopePlayed.CARDS),
    "to the board": Rules(lead=Lead.ANY, card_money=CardMoney.BOARD, pope_exempt=False),
    "dealer sits out": Rules(lead=Lead.ANY, peek=Peek.SITS_OUT),
}


def at_a_glance(round_: Round, earning: int) -> Card:
    """The lead of ``glance`` from what the leader knows, by the engine."""
    seat = round_.to_act
    assert seat is not None
    high = round_.rules.order.ace_high

    def lanes(mask: int) -> int:
        return to_lanes(mask, ace_high=high)

    hand = lanes(round_.hand(seat).mask)
    played = lanes(round_.played.mask)
    gone = lanes(round_.turn_up.bit) | played | played << 1
    if seat == round_.dealer and round_.rules.peek is not Peek.NOBODY:
        gone |= lanes(round_.deal.stock.mask)
    legal = lanes(round_.legal.mask)
    live = lanes(PACK.mask) & ~hand & ~gone
    lead = glance_plain(hand, live, lanes(earning), legal)
    return card_at(lead, ace_high=high)


def earning_cards(round_: Round) -> int:
    """The cards to which a stake falls."""
    honours = {
        Rank.ACE: Compartment.ACE, Rank.KING: Compartment.KING,
        Rank.QUEEN: Compartment.QUEEN, Rank.KNAVE: Compartment.KNAVE,
    }  # fmt: skip
    places = {Card.of(round_.trump, rank): place for rank, place in honours.items()}
    places[POPE] = Compartment.POPE
    return sum(card.bit for card, place in places.items() if round_.board[place])


def glance_plain(hand: int, live: int, earning: int, legal: int) -> int:
    """What ``glance`` says, told of one card at a time."""

    def run_of(card: int) -> list[int]:
        run = [card]
        while hand & run[-1] << 1:
            run.append(run[-1] << 1)
        return run

    def unsure(card: int) -> bool:
        run = run_of(card)
        return len(run) <= 8 and bool(run[-1] << 1 & live)

    def gains(card: int) -> bool:
        return any(each & earning for each in run_of(card)[:8])

    cards = [1 << bit for bit in range(64) if legal >> bit & 1]
    if hand.bit_count() > 4:
        cards = [card for card in cards if not card & live << 1] or cards
    return next((card for card in cards if gains(card) or not unsure(card)), cards[0])


def at_a_lead(rules: Rules, players: int, seed: int) -> Round | None:
    """A round after some leads, or None when it is over."""
    chance = random.Random(seed)
    round_ = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    for _ in range(chance.randrange(7)):
        if not round_.over:
            round_ = round_.lead(chance.choice(list(round_.legal)))
    return None if round_.over else round_


def finished(round_: Round, lead: Card) -> int:
    """What the leader wins from now on when all lead at a glance afterwards."""
    seat = round_.to_act
    assert seat is not None
    now = round_.lead(lead)
    while not now.over:
        now = now.lead(at_a_glance(now, earning_cards(round_)))
    due = sum(item.counters for item in now.due if item.seat == seat)
    return now.purses[seat] - round_.purses[seat] + due


TABLES = [
    (name, players)
    for name, rules in MIXES.items()
    for players in (2, 3, 4, 7, 10)
    if not fault_with(rules, players)
]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_worlds_played_abreast_come_to_what_the_engine_comes_to(name: str, players: int) -> None:
    rules = MIXES[name]
    high = rules.order.ace_high
    for seed in range(4):
        round_ = at_a_lead(rules, players, seed)
        if round_ is None:
            continue
        seat = cast("int", round_.to_act)
        view = View.of(round_, seat)
        rounds = [view.sample(nth) for nth in range(5)]
        hands = [
            [to_lanes(each.deal.hands[other].mask, ace_high=high) for each in rounds]
            for other in range(players)
        ]
        leads = [to_lanes(card.bit, ace_high=high) for card in view.legal]
        gains = np.zeros((len(leads), len(rounds)), dtype=np.int64)
        play_abreast(
            tables(rules, players).flags, seat, int(round_.dealer),
            to_lanes(round_.turn_up.bit, ace_high=high),
            to_lanes(round_.played.mask, ace_high=high), np.array(hands),
            np.array([to_lanes(each.deal.stock.mask, ace_high=high) for each in rounds]),
            np.array(round_.board.counters), np.array(leads), gains,
        )  # fmt: skip
        assert gains.tolist() == [[finished(each, lead) for each in rounds] for lead in view.legal]


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_quick_bot_leads_the_card_that_worlds_abreast_and_sharp_speak_for(preset: str) -> None:
    rules = Rules.presets()[preset]
    for seed in range(3):
        round_ = at_a_lead(rules, 4, seed)
        if round_ is None:
            continue
        view = View.of(round_, round_.to_act)
        means = worth_at_a_glance(view, 300, 7)
        assert len(means) == len(view.legal)
        assert means == worth_at_a_glance(view, 300, 7)
        last = list(view.legal)[-1]
        sure = Quick(
            lambda view, *_: [99.0 * (nth + 1 == len(view.legal)) for nth in range(len(view.legal))]
        )
        assert sure.choose(view) == last
        indifferent = Quick(lambda view, *_: [0.0] * len(view.legal))
        assert indifferent.choose(view) == bot("sharp").choose(view)
