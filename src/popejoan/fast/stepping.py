"""Many rounds stepped at once: where each stands as a row of integers, and how it goes on.

A row begins as the workspace of a match (``layout``). Every lead is made and paid when it happens,
so that board and purses are right at each; the deals, and the words by which a seat leads at
random, are those of ``kernel``. Seats either are asked, or lead by a policy of ``weighing``.

Episode ``k`` of a seed is match ``k``; an episode goes on with the next deal until a seat that is
asked has made a lead.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from popejoan import features
from popejoan.fast.bits import lowest_place, popcount, select
from popejoan.fast.jit import compiled, device, small
from popejoan.fast.kernel import deal_cards, legal_leads, random_lead
from popejoan.fast.layout import (
    ACE,
    BALANCES,
    BOARD,
    HANDS,
    KING,
    KNAVE,
    PEEK,
    PLAYERS,
    POPE_BIT,
    POPE_CARDS,
    PURSES,
    QUEEN,
    RANDOM,
    WORK,
)
from popejoan.fast.playouts import run_from
from popejoan.fast.settle import all_hands, dress, earn, going_out, pay_for_pope, turned_up
from popejoan.fast.showing import BEYOND, blank, card_order, put_mask, show
from popejoan.fast.stream import high_word, key_of, low_word, word_block
from popejoan.fast.weighing import SCRATCH, choose_lead

__all__ = [
    "ASKED", "DISABLED", "EPISODE", "LEGAL", "NEXT_STEP", "ROW", "SAME_STEP", "SEED", "WAITS",
    "draw_actions", "find_refused", "observe", "restart", "step",
]  # fmt: skip

ASKED: Final = -3
"""The policy of a seat that is asked."""

HELD: Final = WORK
"""The cards in all hands."""
DEALT: Final = WORK + 1
"""The cards dealt to all hands."""
TURN: Final = WORK + 2
STOCK: Final = WORK + 3
SHOWN: Final = WORK + 4
"""The cards that stops have shown to lie in the stock."""
DEALER: Final = WORK + 5
LEADER: Final = WORK + 6
"""The seat to lead; -1 when the deal is over."""
LEGAL: Final = WORK + 7
"""The cards that the seat that is asked may lead; nothing at the end of the episode."""
EPISODE: Final = WORK + 8
"""The number of the episode."""
DEALS: Final = WORK + 9
"""Deals dealt in the episode."""
LEADS: Final = WORK + 10
"""Leads made in the deal."""
SEED: Final = WORK + 11
KEY: Final = WORK + 12
"""The key of the deal's stream of leads, as a signed number."""
CHOSEN: Final = WORK + 13
"""Whether a seat that is asked has made a lead."""
WAITS: Final = WORK + 14
"""Whether the episode is over and the next one not begun."""
ACTED: Final = WORK + 15
"""The seat that was asked last."""
PAID: Final = WORK + 16
"""What each seat has been told of: 10 entries, counters."""
ROW: Final = WORK + 26

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
"""When the episode after one that ended begins: with the next step, at once, or by a reset."""

_ZERO: Final = np.uint64(0)

rows_kernel = partial(compiled, counts=False)


def scratch() -> tuple[Any, Any]:
    """What the work on a lead takes: features, and floats."""
    return np.zeros(features.SIZE, np.int64), np.zeros(SCRATCH, np.float64)


@device
def begin_deal(flags: Any, draws: Any, dressing: Any, subsets: Any, dealer: Any, row: Any) -> None:
    """Dress, deal and turn up the next deal of the episode."""
    key = key_of(key_of(_ZERO, row[SEED]), row[EPISODE])
    of_deal = key_of(key, row[DEALS])
    dress(flags, dressing, dealer, row, None)
    turn, stock = deal_cards(flags, draws, subsets, dealer, of_deal, row, None)
    winner = turned_up(flags, dealer, turn, row, None)
    dealt = all_hands(flags, row)
    row[DEALER] = dealer
    row[TURN] = turn
    row[STOCK] = stock
    row[DEALT] = dealt
    row[HELD] = dealt
    row[SHOWN] = 0
    row[LEADS] = 0
    row[KEY] = np.int64(key_of(of_deal, 1))
    row[DEALS] += 1
    row[LEADER] = (dealer + 1) % flags[PLAYERS]
    if winner >= 0:
        end_deal(flags, row)


@small
def end_deal(flags: Any, row: Any) -> None:
    """Put what the deal brought into the purses."""
    row[LEADER] = -1
    for seat in range(flags[PLAYERS]):
        row[PURSES + seat] += row[BALANCES + seat]
        row[BALANCES + seat] = 0


@device
def make_lead(flags: Any, lead: Any, row: Any) -> None:
    """Play a lead and what follows, and pay what it earns."""
    held = row[HELD]
    left, winner, leader, run = run_from(flags, held, lead, row)
    if flags[POPE_CARDS] and run & flags[POPE_BIT]:
        still = held & ~(run & ((flags[POPE_BIT] << 1) - 1))
        pay_for_pope(flags, still, row, None)
    turn = row[TURN]
    lane = lowest_place(turn) >> 4 << 4
    honours = 1 << flags[ACE] | 1 << flags[KING] | 1 << flags[QUEEN] | 1 << flags[KNAVE]
    if run & (flags[POPE_BIT] | honours << lane):
        earn(flags, turn, row[DEALT] ^ left, run, row, None)
    row[HELD] = left
    row[LEADS] += 1
    row[LEADER] = leader
    if winner >= 0:
        going_out(flags, left, winner, row, None)
        end_deal(flags, row)
    else:
        row[SHOWN] |= (held + lead) & ~held & row[STOCK]


@device
def random_word(row: Any) -> Any:
    """The word that the generator has for the lead to be made."""
    leads = row[LEADS]
    block = word_block(np.uint64(row[KEY]), (leads >> 1) + 1)
    return high_word(block) if leads & 1 else low_word(block)


@device
def go_on(
    flags: Any, draws: Any, dressing: Any, subsets: Any, nets: Any, policies: Any, deals: Any,
    row: Any, now: Any, out: Any,
) -> None:  # fmt: skip
    """Go on until a seat is asked, or to the end of the episode."""
    while True:
        leader = row[LEADER]
        if leader < 0:
            if row[CHOSEN] and row[DEALS] >= deals:
                row[LEGAL] = 0
                row[WAITS] = 1
                return
            dealer = (row[DEALER] + 1) % flags[PLAYERS]
            begin_deal(flags, draws, dressing, subsets, dealer, row)
            continue
        policy = policies[leader]
        if policy in (ASKED, RANDOM):
            hand = row[HANDS + leader] & row[HELD]
            gone = (row[DEALT] ^ row[HELD]) | row[TURN]
            if flags[PEEK] and leader == row[DEALER]:
                gone |= row[STOCK]
            legal = legal_leads(flags, hand, gone)
            if policy == ASKED:
                row[LEGAL] = legal
                row[ACTED] = leader
                return
            lead = random_lead(flags, legal, popcount(legal), random_word(row))
        else:
            lead = choose_lead(
                flags, leader, row[DEALER], row[TURN], row[STOCK], row[DEALT], row[HELD], nets,
                policy, row, now, out,
            )  # fmt: skip
        make_lead(flags, lead, row)


@device
def begin_episode(
    flags: Any, draws: Any, dressing: Any, subsets: Any, nets: Any, policies: Any, deals: Any,
    first: Any, row: Any, now: Any, out: Any,
) -> None:  # fmt: skip
    """Begin the next episode of a row.

    Seat ``first`` deals, or where that is -1 each in turn from episode to episode.
    """
    for entry in range(BOARD, WORK):
        row[entry] = 0
    for seat in range(flags[PLAYERS]):
        row[PAID + seat] = 0
    row[DEALS] = 0
    row[CHOSEN] = 0
    row[WAITS] = 0
    row[EPISODE] += 1
    # As if the deal before had just ended, so that the next one is this dealer's.
    row[DEALER] = (row[EPISODE] if first < 0 else first) - 1
    row[LEADER] = -1
    go_on(flags, draws, dressing, subsets, nets, policies, deals, row, now, out)


@rows_kernel
def restart(
    flags: Any, draws: Any, dressing: Any, subsets: Any, nets: Any, policies: Any, deals: Any,
    first: Any, now: Any, out: Any, state: Any, which: Any,
) -> None:  # fmt: skip
    """Begin the next episode of each row that ``which`` marks; ``first`` as for a row."""
    for i in range(state.shape[0]):
        if which[i]:
            begin_episode(
                flags, draws, dressing, subsets, nets, policies, deals, first, state[i], now, out
            )


@rows_kernel
def find_refused(state: Any, actions: Any, lanes: Any, mode: Any, lenient: Any) -> Any:
    """The first row that waits or, where none does, whose action may not be taken; or -1.

    A row that waits is none of these, whatever its action, where the step begins its next episode;
    nor is an action that may not be taken, where the step is ``lenient``.
    """
    found = -1
    for i in range(state.shape[0]):
        if state[i, WAITS]:
            if mode != NEXT_STEP:
                return i
        elif not lenient and found < 0:
            action = actions[i]
            if action < 0 or action >= 52 or not lanes[action] & state[i, LEGAL]:
                found = i
    return found


@rows_kernel
def step(
    flags: Any, draws: Any, dressing: Any, subsets: Any, nets: Any, policies: Any, deals: Any,
    first: Any, now: Any, out: Any, mode: Any, by_event: Any, penalty: Any, own: Any, purse: Any,
    state: Any, actions: Any, lanes: Any, seen: Any, masks: Any, rewards: Any, counters: Any,
    ended: Any, dealt: Any, asked: Any, finals: Any, shown: Any,
) -> Any:  # fmt: skip
    """Take an action in each row, and show where it then stands; give how many episodes ended.

    An action that may not be taken ends its episode at the price of ``penalty``. A row that waits
    begins its next episode instead. In mode SAME_STEP an episode that ends is followed by the next
    at once, and its last observation stands in ``finals``, all zeros elsewhere; ``shown`` marks the
    rows in which the last step wrote there. ``own`` is the seat whose rewards and observations
    these are, -1 for the seat that acts; ``counters`` are what every seat won or lost, ``dealt``
    the deals of the episode, ``asked`` the seat asked.
    """
    players = flags[PLAYERS]
    size = (seen.size - BEYOND) // state.shape[0]
    over = 0
    for i in range(state.shape[0]):
        row = state[i]
        acted = row[ACTED]
        rewards[i] = 0.0
        ended[i] = False
        if shown[i]:
            blank(finals, i, size)
            shown[i] = False
        if row[WAITS]:
            for seat in range(players):
                counters[i, seat] = 0
            begin_episode(
                flags, draws, dressing, subsets, nets, policies, deals, first, row, now, out
            )
        else:
            action = actions[i]
            lead = 0
            if 0 <= action < 52:
                lead = lanes[action] & row[LEGAL]
            if lead:
                make_lead(flags, lead, row)
                row[CHOSEN] = 1
                go_on(flags, draws, dressing, subsets, nets, policies, deals, row, now, out)
                for seat in range(players):
                    won = row[PURSES + seat] - row[PAID + seat]
                    if by_event:
                        won += row[BALANCES + seat]
                    row[PAID + seat] += won
                    counters[i, seat] = won
                rewards[i] = counters[i, acted if own < 0 else own]
            else:
                for seat in range(players):
                    counters[i, seat] = 0
                row[LEGAL] = 0
                row[WAITS] = 1
                rewards[i] = -penalty
            if row[WAITS]:
                over += 1
                ended[i] = True
                row[ACTED] = acted
                if mode == SAME_STEP:
                    show(flags, row, acted if own < 0 else own, purse, finals, i)
                    shown[i] = True
                    begin_episode(
                        flags, draws, dressing, subsets, nets, policies, deals, first, row, now, out
                    )
        show(flags, row, row[ACTED] if own < 0 else own, purse, seen, i)
        put_mask(masks, i * 52, card_order(flags, row[LEGAL]))
        dealt[i] = row[DEALS]
        asked[i] = row[ACTED]
    return over


@rows_kernel
def observe(
    flags: Any, state: Any, own: Any, purse: Any, seen: Any, masks: Any, dealt: Any, asked: Any
) -> None:
    """Show where each row stands, as ``step`` does."""
    for i in range(state.shape[0]):
        row = state[i]
        show(flags, row, row[ACTED] if own < 0 else own, purse, seen, i)
        put_mask(masks, i * 52, card_order(flags, row[LEGAL]))
        dealt[i] = row[DEALS]
        asked[i] = row[ACTED]


@rows_kernel
def draw_actions(flags: Any, state: Any, words: Any, actions: Any) -> None:
    """An action for each row, each legal one equally likely; 0 where none is legal."""
    for i in range(state.shape[0]):
        legal = card_order(flags, state[i, LEGAL])
        actions[i] = 0
        if legal:
            word: Any = np.int64(words[i])
            nth = (word * popcount(legal)) >> 32
            actions[i] = lowest_place(select(legal, nth))
