"""Play-outs, compiled: worlds that fit a view, how likely the leads seen are in them, and results.

A play-out goes from the middle of a deal to its last payment, every seat leading by a policy: a
scorer, or the book's order. What each seat may know in the play-out is all that its policy uses.
Python's side of it is ``evaluator``. Arrays hold lanes (see ``tables``), a row a world.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from popejoan import features
from popejoan.fast import layout
from popejoan.fast.bits import lowest_place, popcount, select
from popejoan.fast.jit import compiled, device, small
from popejoan.fast.kernel import deal_cards, legal_leads
from popejoan.fast.layout import BALANCES, BOARD, HANDS, PEEK, PLAYERS, POPE_BIT, POPE_CARDS, RANDOM
from popejoan.fast.settle import all_hands, dress, pay_for_pope, settle, turned_up
from popejoan.fast.stream import GOLDEN, key_of, low_word, mix, word_block
from popejoan.fast.weighing import (
    COUNT,
    SCRATCH,
    chance_of_lead,
    choose_lead,
    survey,
)

__all__ = ["contest", "lessons", "likelihoods", "play_worlds", "spread", "spread_within"]

_NOW = features.SIZE
_ZERO = np.uint64(0)


@device
def run_from(flags: Any, held: Any, lead: Any, work: Any) -> Any:
    """Play a run: the cards left in hands, who is out or -1, who leads next, the cards played."""
    players = flags[PLAYERS]
    carried = held + lead
    run = held & ~carried
    top = (carried & ~held) >> 1
    left = held & carried
    winner = -1
    leader = -1
    for seat in range(players):
        hand = work[HANDS + seat]
        mine = hand & run
        if mine and not hand & left:
            while mine & (mine - 1):
                mine &= mine - 1
            if winner < 0 or mine < top:
                winner = seat
                top = mine
        if hand & top:
            leader = seat
    if winner >= 0:
        run &= (top << 1) - 1
        left = held & ~run
        leader = winner
    return left, winner, leader, run


@small
def random_card(legal: Any, held: Any, seed: Any) -> Any:
    """Any legal card, drawn from what has been played and a seed."""
    word: Any = np.int64(mix(np.uint64(held) ^ seed) & np.uint64(0xFFFFFFFF))
    return select(legal, (word * popcount(legal)) >> 32)


@device
def play_on(
    flags: Any, dealer: Any, turn: Any, stock: Any, dealt: Any, held: Any, leader: Any, lead: Any,
    nets: Any, policies: Any, seed: Any, work: Any, now: Any, out: Any,
) -> Any:  # fmt: skip
    """Play to the end from a lead and settle into BALANCES of ``work``; give the cards left.

    A lead of 0 is chosen by the leader.
    """
    winner = -1
    while winner < 0:
        if not lead:
            policy = policies[leader]
            if policy == RANDOM:
                hand = work[HANDS + leader] & held
                gone = (dealt ^ held) | turn
                if flags[PEEK] and leader == dealer:
                    gone |= stock
                lead = random_card(legal_leads(flags, hand, gone), held, seed)
            else:
                lead = choose_lead(
                    flags, leader, dealer, turn, stock, dealt, held, nets, policy, work, now, out
                )
        left, winner, leader, run = run_from(flags, held, lead, work)
        if flags[POPE_CARDS] and run & flags[POPE_BIT]:
            still = held & ~(run & ((flags[POPE_BIT] << 1) - 1))
            pay_for_pope(flags, still, work, None)
        held = left
        lead = 0
    settle(flags, turn, dealt, held, winner, work, None)
    return held


@compiled
def play_worlds(
    flags: Any, dealer: Any, turn: Any, leader: Any, played: Any, hands: Any, stocks: Any,
    board: Any, plans: Any, nets: Any, policies: Any, results: Any,
) -> None:  # fmt: skip
    """Play each plan out in each world; ``results[plan, world, seat]`` are counters won from now.

    ``hands[world, seat]`` are the hands as dealt, ``played`` what has been played of them;
    ``plans[plan]`` are leads of the leader one after another, then zeros: each but the last is sure
    to keep the lead.
    """
    players = flags[PLAYERS]
    work = np.zeros(layout.WORK, dtype=np.int64)
    now = np.zeros(_NOW, dtype=np.int64)
    out = np.zeros(SCRATCH, dtype=np.float64)
    for world in range(hands.shape[0]):
        for seat in range(players):
            work[HANDS + seat] = hands[world, seat]
        dealt = all_hands(flags, work)
        for nth in range(plans.shape[0]):
            for place in range(8):
                work[BOARD + place] = board[place]
            for seat in range(players):
                work[BALANCES + seat] = 0
            held = dealt & ~played
            step = 0
            while step + 1 < plans.shape[1] and plans[nth, step + 1]:
                left, _, _, run = run_from(flags, held, plans[nth, step], work)
                if flags[POPE_CARDS] and run & flags[POPE_BIT]:
                    pay_for_pope(flags, held & ~flags[POPE_BIT], work, None)
                held = left
                step += 1
            play_on(
                flags, dealer, turn, stocks[world], dealt, held, leader, plans[nth, step],
                nets, policies, np.uint64(world), work, now, out,
            )  # fmt: skip
            for seat in range(players):
                results[nth, world, seat] = work[BALANCES + seat]


@compiled
def likelihoods(
    flags: Any, dealer: Any, turn: Any, hands: Any, stocks: Any, seats: Any, leads: Any,
    before: Any, boards: Any, nets: Any, policies: Any, heat: Any, slip: Any, odds: Any,
) -> None:  # fmt: skip
    """How likely the leads seen are in each world: ``odds[world]``.

    Lead ``n`` is card ``leads[n]`` of ``seats[n]`` when the cards ``before[n]`` had been played and
    ``boards[n]`` lay on the board.
    """
    work = np.zeros(layout.WORK, dtype=np.int64)
    now = np.zeros(_NOW, dtype=np.int64)
    out = np.zeros(SCRATCH, dtype=np.float64)
    for world in range(hands.shape[0]):
        for seat in range(flags[PLAYERS]):
            work[HANDS + seat] = hands[world, seat]
        dealt = all_hands(flags, work)
        chance = 1.0
        for nth in range(leads.shape[0]):
            for place in range(8):
                work[BOARD + place] = boards[nth, place]
            chance *= chance_of_lead(
                flags, seats[nth], dealer, turn, stocks[world], dealt, dealt & ~before[nth],
                nets, policies[seats[nth]], heat, slip, leads[nth], work, now, out,
            )  # fmt: skip
            if chance == 0.0:
                break
        odds[world] = chance


@small
def next_word(key: Any, number: Any) -> Any:
    """Word ``number`` of a stream, from 0."""
    return low_word(word_block(key, number + 1))


@compiled
def spread(seed: Any, cards: Any, room: Any, hands: Any) -> None:
    """Fill ``hands[world, holder]`` with a shuffle of the cards, ``room[holder]`` of them each."""
    key = key_of(_ZERO, seed)
    number = cards.shape[0]
    left = cards.copy()
    word = 0
    for world in range(hands.shape[0]):
        place = 0
        for holder in range(room.shape[0]):
            mask = 0
            for _ in range(room[holder]):
                other = place + ((next_word(key, word) * (number - place)) >> 32)
                word += 1
                mask |= left[other]
                left[other], left[place] = left[place], left[other]
                place += 1
            hands[world, holder] = mask


@compiled
def spread_within(seed: Any, cards: Any, holders: Any, barred: Any, moves: Any, hands: Any) -> None:
    """Fill ``hands`` by exchanges of two cards, none going to a holder from whom it is barred.

    ``holders[card]`` is where each card lies first; every world that can be reached is equally
    likely in the long run.
    """
    key = key_of(_ZERO, seed)
    number = cards.shape[0]
    place = holders.copy()
    word = 0
    for world in range(hands.shape[0]):
        for _ in range(moves if world else 4 * moves):
            one = (next_word(key, word) * number) >> 32
            two = (next_word(key, word + 1) * number) >> 32
            word += 2
            here, there = place[one], place[two]
            if not barred[there] & cards[one] and not barred[here] & cards[two]:
                place[one], place[two] = there, here
        for holder in range(hands.shape[1]):
            hands[world, holder] = 0
        for card in range(number):
            hands[world, place[card]] |= cards[card]


@compiled
def contest(
    flags: Any, draws: Any, dressing: Any, subsets: Any, seed: Any, match: Any, deals: Any,
    nets: Any, seatings: Any, results: Any, boards: Any,
) -> None:  # fmt: skip
    """Play the deals of a match, each once for every row of policies in ``seatings``.

    ``results[deal, seating, seat]`` are the counters won, dressing and turn-up included. The first
    seating's board is carried on; ``boards[deal]`` is what lay there after the dressing.
    """
    players = flags[PLAYERS]
    of_match = key_of(key_of(_ZERO, seed), match)
    work = np.zeros(layout.WORK, dtype=np.int64)
    now = np.zeros(_NOW, dtype=np.int64)
    out = np.zeros(SCRATCH, dtype=np.float64)
    kept = np.zeros(18, dtype=np.int64)
    carried = np.zeros(8, dtype=np.int64)
    for number in range(deals):
        dealer = (match + number) % players
        of_deal = key_of(of_match, number)
        for place in range(8):
            work[BOARD + place] = carried[place]
        for seat in range(players):
            work[BALANCES + seat] = 0
        dress(flags, dressing, dealer, work, None)
        turn, stock = deal_cards(flags, draws, subsets, dealer, of_deal, work, None)
        winner = turned_up(flags, dealer, turn, work, None)
        dealt = all_hands(flags, work)
        for entry in range(18):
            kept[entry] = work[BOARD + entry]
        for place in range(8):
            boards[number, place] = work[BOARD + place]
        for seating in range(seatings.shape[0]):
            for entry in range(18):
                work[BOARD + entry] = kept[entry]
            if winner < 0:
                leader = first_leader(flags, dealer)
                play_on(
                    flags, dealer, turn, stock, dealt, dealt, leader, 0, nets, seatings[seating],
                    of_deal ^ np.uint64(seating), work, now, out,
                )  # fmt: skip
            for seat in range(players):
                results[number, seating, seat] = work[BALANCES + seat]
            if seating == 0:
                for place in range(8):
                    carried[place] = work[BOARD + place]


@small
def first_leader(flags: Any, dealer: Any) -> Any:
    """The seat on the dealer's left."""
    return (dealer + 1) % flags[PLAYERS]


@compiled
def lessons(
    flags: Any, draws: Any, dressing: Any, subsets: Any, seed: Any, match: Any, deals: Any,
    nets: Any, policies: Any, stray: Any, rows: Any, values: Any, counts: Any,
) -> Any:  # fmt: skip
    """Play deals by the policies, and learn at each choice what every lead comes to in that deal.

    For choice ``n``: ``counts[n]`` legal leads, their features ``rows[n, lead]`` and the leader's
    counters ``values[n, lead]``. With the chance ``stray`` of 2**32 any legal card is led. Gives
    how many choices were met.
    """
    players = flags[PLAYERS]
    of_match = key_of(key_of(_ZERO, seed), match)
    work = np.zeros(layout.WORK, dtype=np.int64)
    now = np.zeros(_NOW, dtype=np.int64)
    out = np.zeros(SCRATCH, dtype=np.float64)
    board = np.zeros(8, dtype=np.int64)
    met = 0
    for number in range(deals):
        dealer = (match + number) % players
        of_deal = key_of(of_match, number)
        dress(flags, dressing, dealer, work, None)
        turn, stock = deal_cards(flags, draws, subsets, dealer, of_deal, work, None)
        winner = turned_up(flags, dealer, turn, work, None)
        dealt = all_hands(flags, work)
        held = dealt
        leader = first_leader(flags, dealer)
        key = key_of(of_deal, 9)
        for place in range(8):
            board[place] = work[BOARD + place]
        while winner < 0:
            hand = work[HANDS + leader] & held
            gone = (dealt ^ held) | turn
            if flags[PEEK] and leader == dealer:
                gone |= stock
            legal = legal_leads(flags, hand, gone)
            options = popcount(legal)
            best = legal
            if options > 1:
                full = met >= rows.shape[0] or options > rows.shape[1]
                nth = 0
                rest = legal
                while rest and not full:
                    bit = rest & -rest
                    rest ^= bit
                    for place in range(8):
                        work[BOARD + place] = board[place]
                    for seat in range(players):
                        work[BALANCES + seat] = 0
                    play_on(
                        flags, dealer, turn, stock, dealt, held, leader, bit, nets, policies, key,
                        work, now, out,
                    )  # fmt: skip
                    values[met, nth] = work[BALANCES + leader]
                    for place in range(8):
                        work[BOARD + place] = board[place]
                    survey(flags, leader, dealer, turn, stock, dealt, held, work, now, out)
                    features.measure(now, bit, out)
                    for at in range(COUNT):
                        rows[met, nth, at] = out[at]
                    nth += 1
                for place in range(8):
                    work[BOARD + place] = board[place]
                if not full:
                    counts[met] = options
                    met += 1
                word = np.int64(mix(key ^ np.uint64(held)) & np.uint64(0xFFFFFFFF))
                if word < stray or policies[leader] == RANDOM:
                    best = random_card(legal, held, key + GOLDEN)
                else:
                    best = choose_lead(
                        flags, leader, dealer, turn, stock, dealt, held, nets, policies[leader],
                        work, now, out,
                    )  # fmt: skip
            left, winner, leader, _ = run_from(flags, held, best, work)
            held = left
            if winner >= 0:
                settle(flags, turn, dealt, held, winner, work, None)
                for place in range(8):
                    board[place] = work[BOARD + place]
            else:
                earn(flags, turn, dealt, held, work, board)
        for place in range(8):
            work[BOARD + place] = board[place]
    return met


@device
def earn(flags: Any, turn: Any, dealt: Any, held: Any, work: Any, board: Any) -> None:
    """Take from ``board`` the stakes of honours and Pope that have been played, by one seat."""
    played = dealt ^ held
    lane = lowest_place(turn) // 16 * 16
    ace = 1 << (lane + flags[layout.ACE])
    king = 1 << (lane + flags[layout.KING])
    queen = 1 << (lane + flags[layout.QUEEN])
    knave = 1 << (lane + flags[layout.KNAVE])
    if played & ace:
        board[0] = 0
    if played & king:
        board[1] = 0
    if played & queen:
        board[2] = 0
    if played & knave:
        board[3] = 0
    if played & flags[POPE_BIT]:
        board[7] = 0
    for seat in range(flags[PLAYERS]):
        mine = work[HANDS + seat] & played
        if mine & king and mine & queen:
            board[5] = 0
        if mine & queen and mine & knave:
            board[6] = 0
