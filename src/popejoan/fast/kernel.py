"""The round restated on bitboards: the deal, the leads, the runs; integers and arrays only.

A suit lies in a lane of sixteen bits (``tables``), so that a run is what a carry runs through: with
``held`` the cards in all hands and ``lead`` one of them, ``held + lead`` clears the run and sets
the bit above its last card. The payments of a deal are made once, at its end (``settle``): they
depend on who held what and on what was played, not on the order.

The source is the same for the CPU and for CUDA. Arrays: see ``layout`` and ``tables``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.fast.bits import deposit, lowest_place, popcount, select
from popejoan.fast.jit import device, small
from popejoan.fast.layout import (
    ACE_HIGH,
    CHOICES,
    FIXED,
    HANDS,
    LEAD,
    LEAD_ANY,
    LEAD_BOOK,
    LEAD_LOWEST,
    LEADS,
    LENGTHS,
    PEEK,
    PLAYERS,
    POPE_BIT,
    POPE_CARDS,
    RANDOM,
    ROW_CARD,
    ROW_DEALT,
    ROW_STOPPED,
    WORK,
)
from popejoan.fast.linear import linear_lead
from popejoan.fast.settle import (
    add_match,
    all_hands,
    dress,
    note_deal,
    pay_for_pope,
    put,
    settle,
    turned_up,
)
from popejoan.fast.stream import high_word, key_of, low_word, word_block
from popejoan.fast.tables import (
    BOTTOMS,
    LANE,
    LANE_BITS,
    PACK_LANES,
    REMOVED_HIGH,
    REMOVED_LOW,
    TOPS,
)

__all__ = ["chunk"]

_KEY: Final = np.uint64(0)


@small
def to_high(mask: Any) -> Any:
    """Lanes with the ace high from lanes with the ace low."""
    return ((mask & ~BOTTOMS) >> 1) | ((mask & BOTTOMS) << 12)


@small
def to_low(mask: Any) -> Any:
    """Lanes with the ace low, which are in card order, from lanes with the ace high."""
    return ((mask & ~TOPS) << 1) | ((mask & TOPS) >> 12)


@device
def deal_cards(
    flags: Any, draws: Any, subsets: Any, dealer: Any, of_deal: Any, work: Any, trace: Any
) -> Any:
    """Deal into HANDS of ``work``; give the turn-up as a mask of one card, and the stock."""
    for seat in range(flags[PLAYERS]):
        work[HANDS + seat] = 0
    key = key_of(of_deal, 0)
    left = PACK_LANES
    turn = 0
    stock = 0
    row = 0
    block = _KEY
    while True:
        count = draws[dealer, row, 0]
        part = draws[dealer, row, 2]
        if count == 0:
            cards = left
        else:
            if row & 1:
                word = high_word(block)
            else:
                block = word_block(key, (row >> 1) + 1)
                word = low_word(block)
            cards = deposit(subsets[draws[dealer, row, 1] + ((word * count) >> 32)], left)
            left ^= cards
        dealt = to_high(cards) if flags[ACE_HIGH] else cards
        if part >= 0:
            work[HANDS + part] |= dealt
        elif part == -1:
            stock |= dealt
        else:
            turn = dealt
        if count == 0:
            break
        row += 1
    if trace is not None:
        put(trace, ROW_DEALT, -2, turn, 0, 0, 0)
        put(trace, ROW_DEALT, -1, stock, 0, 0, 0)
        for seat in range(flags[PLAYERS]):
            put(trace, ROW_DEALT, seat, work[HANDS + seat], 0, 0, 0)
    return turn, stock


@small
def lowest_of_each(mask: Any) -> Any:
    """The lowest card of each suit of a mask."""
    lows = 0
    for suit in range(4):
        cards = mask & (LANE << (LANE_BITS * suit))
        lows |= cards & -cards
    return lows


@device
def legal_leads(flags: Any, hand: Any, gone: Any) -> Any:
    """The cards that may be led from a hand (clause 5.2); ``gone`` as in ``popejoan.leads``."""
    legal = hand
    rule = flags[LEAD]
    if rule == LEAD_BOOK:
        stops = hand & (flags[FIXED] | ((gone & ~BOTTOMS) >> 1))
        if stops:
            legal = stops
        elif hand & flags[POPE_BIT]:
            legal = hand & flags[POPE_BIT]
        else:
            most = 0
            legal = 0
            for suit in range(4):
                cards = hand & (LANE << (LANE_BITS * suit))
                length = popcount(cards)
                if length > most:
                    most = length
                    legal = 0
                if length == most:
                    legal |= cards & -cards
            legal |= hand & BOTTOMS
    elif rule != LEAD_ANY:
        legal = lowest_of_each(hand)
        if rule != LEAD_LOWEST:
            height = 0
            while not legal & (BOTTOMS << height):
                height += 1
            legal &= BOTTOMS << height
    return legal


@small
def first_card(flags: Any, mask: Any) -> Any:
    """The card of the lowest number in a mask, as a mask."""
    if flags[ACE_HIGH]:
        ordered = to_low(mask)
        low = to_high(ordered & -ordered)
    else:
        low = mask & -mask
    return low


@device
def book_lead(flags: Any, hand: Any, gone: Any, legal: Any) -> Any:
    """The lead by the book's order among the legal ones: as ``policy.book_choice`` has it."""
    stops = legal & (flags[FIXED] | ((gone & ~BOTTOMS) >> 1))
    aces = 0 if flags[ACE_HIGH] else legal & BOTTOMS
    if stops:
        lead = first_card(flags, stops)
    elif legal & flags[POPE_BIT]:
        lead = legal & flags[POPE_BIT]
    elif aces:
        lead = aces & -aces
    else:
        most = 0
        lead = 0
        for suit in range(4):
            lane = LANE << (LANE_BITS * suit)
            cards = legal & lane
            length = popcount(hand & lane)
            if cards and length > most:
                most = length
                lead = cards & -cards
    return lead


@small
def random_lead(flags: Any, legal: Any, number: Any, word: Any) -> Any:
    """Each legal card equally likely: card ``word * number >> 32`` in card order."""
    place = (word * number) >> 32
    return to_high(select(to_low(legal), place)) if flags[ACE_HIGH] else select(legal, place)


@small
def trace_run(flags: Any, work: Any, trace: Any, lead: Any, run: Any) -> None:
    """Write the cards of a run, each with the seat that held it."""
    bit = lead
    while bit & run:
        for seat in range(flags[PLAYERS]):
            if work[HANDS + seat] & bit:
                put(trace, ROW_CARD, seat, lowest_place(bit), 1 if bit == lead else 0, 0, 0)
        bit <<= 1


@small
def trace_stop(flags: Any, trace: Any, seat: Any, top: Any, turn: Any, stock: Any) -> None:
    """Write why nothing follows the run's last card."""
    follows = top << 1
    removed = REMOVED_HIGH if flags[ACE_HIGH] else REMOVED_LOW
    if follows == removed:
        why = 1
    elif top & TOPS:
        why = 0
    elif follows == turn:
        why = 2
    elif follows & stock:
        why = 4
    else:
        why = 3
    put(trace, ROW_STOPPED, seat, lowest_place(top), why, 0, 0)


@device
def play(
    flags: Any,
    dealer: Any,
    turn: Any,
    stock: Any,
    dealt: Any,
    of_deal: Any,
    policy: Any,
    weights: Any,
    work: Any,
    trace: Any,
) -> Any:
    """Play the deal out; give the cards left in hands, the seat first out and the leads made."""
    players = flags[PLAYERS]
    key = key_of(of_deal, 1)
    held = dealt
    leader = (dealer + 1) % players
    winner = -1
    leads = 0
    choices = 0
    block = _KEY
    while winner < 0:
        hand = work[HANDS + leader] & held
        gone = (dealt ^ held) | turn
        if flags[PEEK] and leader == dealer:
            gone |= stock
        legal = legal_leads(flags, hand, gone)
        number = popcount(legal)
        if weights is not None:
            lead = linear_lead(flags, leader, turn, hand, held, gone, legal, weights, work)
        elif policy == RANDOM:
            if leads & 1:
                word = high_word(block)
            else:
                block = word_block(key, (leads >> 1) + 1)
                word = low_word(block)
            lead = random_lead(flags, legal, number, word)
        else:
            lead = book_lead(flags, hand, gone, legal)
        leads += 1
        if number > 1:
            choices += 1
        carried = held + lead
        run = held & ~carried
        top = (carried & ~held) >> 1
        left = held & carried
        # The seat whose last card falls earliest in the run is out, and the run ends there.
        for seat in range(players):
            mine = work[HANDS + seat] & run
            if mine and not work[HANDS + seat] & left:
                while mine & (mine - 1):
                    mine &= mine - 1
                if winner < 0 or mine < top:
                    winner = seat
                    top = mine
        if winner >= 0:
            run &= (top << 1) - 1
            left = held & ~run
        if trace is not None:
            trace_run(flags, work, trace, lead, run)
        if flags[POPE_CARDS] and run & flags[POPE_BIT]:
            still = held & ~(run & ((flags[POPE_BIT] << 1) - 1))
            pay_for_pope(flags, still, work, trace)
        held = left
        if winner < 0:
            for seat in range(players):
                if work[HANDS + seat] & top:
                    leader = seat
            if trace is not None:
                trace_stop(flags, trace, leader, top, turn, stock)
    work[LEADS] += leads
    work[CHOICES] += choices
    return held, winner, leads


def chunk(
    flags: Any,
    draws: Any,
    dressing: Any,
    subsets: Any,
    seed: Any,
    first: Any,
    matches: Any,
    deals: Any,
    policy: Any,
    weights: Any,
    work: Any,
    totals: Any,
    trace: Any,
) -> None:
    """Play matches ``first`` to ``first + matches - 1`` from a bare board, adding to ``totals``.

    Match ``m`` is dealt first by seat ``m % players``, then the deal passes; stakes are carried
    over ``deals`` deals. With ``weights`` the policy is linear; without, ``policy`` says whether it
    is RANDOM or the book's order. ``trace``, unless None, is written to. What is None is not
    compiled in. ``work`` holds the board and the purses of the last match afterwards.
    """
    players = flags[PLAYERS]
    of_seed = key_of(_KEY, seed)
    for match in range(first, first + matches):
        of_match = key_of(of_seed, match)
        for entry in range(WORK):
            work[entry] = 0
        for number in range(deals):
            dealer = (match + number) % players
            of_deal = key_of(of_match, number)
            dress(flags, dressing, dealer, work, trace)
            turn, stock = deal_cards(flags, draws, subsets, dealer, of_deal, work, trace)
            winner = turned_up(flags, dealer, turn, work, trace)
            dealt = all_hands(flags, work)
            held = dealt
            if winner < 0:
                held, winner, leads = play(
                    flags, dealer, turn, stock, dealt, of_deal, policy, weights, work, trace
                )
                settle(flags, turn, dealt, held, winner, work, trace)
                totals[LENGTHS + leads] += 1
            else:
                totals[LENGTHS] += 1
            note_deal(flags, dealer, turn, winner, dealt ^ held, work)
        add_match(deals, work, totals)
