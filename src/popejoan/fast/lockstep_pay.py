"""The payments of the lockstep tier: ``settle`` for a row of matches at once, without a branch.

A condition is a mask here, all ones or nothing, and what it decides is taken with ``&``, so that
LLVM turns the loop over the matches into vector instructions. Everything lies in one array of rows
of ``PAY_STRIDE`` entries, an entry a match, as ``rows`` says. Seats are counted from the dealer.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.cards import POPE, Rank
from popejoan.fast import rows
from popejoan.fast.bits import lesser, popcount
from popejoan.fast.jit import device, small
from popejoan.fast.layout import (
    ACE_HELD,
    ALL,
    AT_ACE,
    AT_GAME,
    AT_INTRIGUE,
    AT_KING,
    AT_KNAVE,
    AT_MATRIMONY,
    AT_POPE,
    AT_QUEEN,
    CARD_MONEY,
    CARDS,
    CARRIED,
    CHOICES,
    CROSS,
    DEALS,
    EXCUSED,
    EXCUSED_CARDS,
    EXEMPT,
    FALLEN,
    HAS,
    HELD,
    HELD_WON,
    INTRIGUE_HELD,
    KING_HELD,
    KNAVE_HELD,
    LEADS,
    LENGTHS,
    MARRIAGE_HELD,
    MATCHES,
    POPE_CAP,
    POPE_HELD,
    POPE_TURNED,
    POPE_UP,
    QUANTITIES,
    QUEEN_HELD,
    SQUARES,
    STAKE,
    TURNED,
    TURNED_CARDS,
    TURNED_ENDS,
    TURNED_THROWN_IN,
    UNPLAYED,
    WON,
)
from popejoan.fast.rows import NOBODY, PAY_STRIDE, WIDTH
from popejoan.fast.settle import factors
from popejoan.fast.tables import BOTTOMS, lane_of_card

__all__ = ["add_block", "pay_block"]

_TURN, _LEFT, _MADE = rows.TURN * PAY_STRIDE, rows.HELD * PAY_STRIDE, rows.MADE * PAY_STRIDE
_LEAD, _TOP = rows.LEAD * PAY_STRIDE, rows.TOP * PAY_STRIDE
_LEAD2, _TOP2 = rows.LEAD2 * PAY_STRIDE, rows.TOP2 * PAY_STRIDE
_BOARD: Final = rows.BOARD * PAY_STRIDE
_SUMS: Final = rows.SUMS * PAY_STRIDE
_POPE: Final = 1 << lane_of_card(POPE, ace_high=False)
_KING, _QUEEN, _KNAVE = (rank - 1 for rank in (Rank.KING, Rank.QUEEN, Rank.KNAVE))
"""How far above the ace they lie."""
_NOBODY: Final = NOBODY << 2 | NOBODY << 3
_LARGE: Final = 1 << 61


@small
def if_so(condition: Any) -> Any:
    """All ones if so, else nothing."""
    return -np.int64(condition)


@small
def if_any(mask: Any) -> Any:
    """All ones if the mask has a card, else nothing."""
    return -np.int64(mask != 0)


@small
def highest(mask: Any) -> Any:
    """The highest card of a mask within one lane, or nothing."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return mask & ~(mask >> 1)


@device
def tally(pay: Any, m: Any, quantity: Any, value: Any, notes: Any) -> None:
    """Add to a quantity of a match, if notes are kept."""
    if notes is not None:
        pay[_SUMS + quantity * PAY_STRIDE + m] += value


@device
def takes(pay: Any, m: Any, place: Any, who: Any, turned: Any, balances: Any, notes: Any) -> Any:
    """Give the stake of a compartment to whom the masks ``who`` say; the balances after it."""
    stake = pay[_BOARD + place * PAY_STRIDE + m]
    falls = who[0] | who[1] | who[2] | who[3]
    tally(pay, m, STAKE + place, stake & falls, notes)
    tally(pay, m, FALLEN + place, -falls, notes)
    kept = stake & ~falls
    pay[_BOARD + place * PAY_STRIDE + m] = kept
    tally(pay, m, CARRIED + place, kept, notes)
    if place <= AT_GAME or place == AT_POPE:
        tally(pay, m, TURNED + place, -turned, notes)
    return (
        balances[0] + (stake & who[0]),
        balances[1] + (stake & who[1]),
        balances[2] + (stake & who[2]),
        balances[3] + (stake & who[3]),
    )


@device
def holders(cards: Any, hands: Any) -> Any:
    """For each seat all ones if it was dealt the card, else nothing."""
    return (
        if_any(hands[0] & cards),
        if_any(hands[1] & cards),
        if_any(hands[2] & cards),
        if_any(hands[3] & cards),
    )


@device
def both(one: Any, two: Any) -> Any:
    """The masks of two tuples that are in both."""
    return one[0] & two[0], one[1] & two[1], one[2] & two[2], one[3] & two[3]


@device
def card_takes(
    pay: Any,
    m: Any,
    place: Any,
    fell: Any,
    who: Any,
    turned: Any,
    has: Any,
    balances: Any,
    notes: Any,
) -> Any:
    """Give the stake to those of ``who`` if its cards ``fell``, or to the dealer if ``turned``."""
    there = if_so((has >> place) & 1)
    fell &= there
    turned &= there
    taken = (who[0] & fell) | turned, who[1] & fell, who[2] & fell, who[3] & fell
    return takes(pay, m, place, taken, turned, balances, notes)


@device
def note(pay: Any, m: Any, nth: Any, who: Any, balances: Any, notes: Any) -> None:
    """Note what the seat that was dealt one of ``result.HOLDINGS``, if one was, won or lost."""
    tally(pay, m, HELD + nth, -(who[0] + who[1] + who[2] + who[3]), notes)
    won = (balances[0] & who[0]) + (balances[1] & who[1])
    tally(pay, m, HELD_WON + nth, won + (balances[2] & who[2]) + (balances[3] & who[3]), notes)


@small
def is_out(left: Any, hands: Any) -> Any:
    """All ones if one of the hands has no card in ``left``, else nothing."""
    return (
        ((hands[0] & left) - 1)
        | ((hands[1] & left) - 1)
        | ((hands[2] & left) - 1)
        | ((hands[3] & left) - 1)
    ) >> 63


@device
def gone(hand: Any, run: Any, left: Any) -> Any:
    """The hand's last card, if the hand ran out in this run; else a card above all others."""
    last = highest(hand & run)
    out = if_any(last) & ~if_any(hand & left)
    return (last & out) | (_LARGE & ~out)


@device
def first_out(hands: Any, run: Any, left: Any) -> Any:
    """The masks of the seats of which one is out first, and the last card that is played."""
    last0, last1 = gone(hands[0], run, left), gone(hands[1], run, left)
    last2, last3 = gone(hands[2], run, left), gone(hands[3], run, left)
    cut = lesser(lesser(last0, last1), lesser(last2, last3))
    won = if_so(last0 == cut), if_so(last1 == cut), if_so(last2 == cut), if_so(last3 == cut)
    return won, cut


@device
def excuse(keeps: Any, exempt: Any) -> Any:
    """All ones if the cards kept hold Pope and that excuses, else nothing."""
    return if_any(keeps & _POPE) & exempt


@device
def lay_dressing(dressing: Any, pay: Any) -> None:
    """Dress the boards."""
    for row in range(dressing.shape[0]):
        base = np.uint64(_BOARD + dressing[row, 1] * PAY_STRIDE)
        counters = dressing[row, 2]
        for m in range(WIDTH):
            pay[base + np.uint64(m)] += counters


@device
def gifts(dressing: Any) -> Any:
    """What each of four seats, counted from the dealer, lays to dress the board."""
    one, two, three, four = 0, 0, 0, 0
    for row in range(dressing.shape[0]):
        role, counters = dressing[row, 0], dressing[row, 2]
        one += counters & if_so(role == 0)
        two += counters & if_so(role == 1)
        three += counters & if_so(role == 2)
        four += counters & if_so(role == 3)
    return one, two, three, four


@device
def pay_block(flags: Any, dressing: Any, pay: Any, notes: Any) -> None:
    """Pay one deal of each match on the boards as dressed, and note what it came to.

    With ``notes`` None only what each seat won is noted; what is None is not compiled in.
    """
    lay_dressing(dressing, pay)
    how = flags[POPE_TURNED]
    ends = if_so((how == TURNED_ENDS) | (how == TURNED_THROWN_IN))
    pays = if_so((how == TURNED_ENDS) | (how == TURNED_CARDS))
    exempt, has, cap = -flags[EXEMPT], flags[HAS], flags[POPE_CAP]
    gift0, gift1, gift2, gift3 = gifts(dressing)
    # Counted from the dealer, the hands of all matches have the same sizes.
    size1 = popcount(pay[PAY_STRIDE] & ~_NOBODY)
    size2, size3 = (
        popcount(pay[2 * PAY_STRIDE] & ~_NOBODY),
        popcount(pay[3 * PAY_STRIDE] & ~_NOBODY),
    )
    sizes = popcount(pay[0]) + size1 + size2 + size3
    due1, due2 = lesser(size1, cap) & pays, lesser(size2, cap) & pays
    due3 = lesser(size3, cap) & pays
    for m in range(WIDTH):
        hands = pay[m], pay[PAY_STRIDE + m], pay[2 * PAY_STRIDE + m], pay[3 * PAY_STRIDE + m]
        dealt = hands[0] | hands[1] | hands[2] | hands[3]
        turn = pay[_TURN + m]
        pope_up = if_so(turn == _POPE)
        over = pope_up & ends
        # The run in which a hand ran out: the last, unless one had run out before it.
        lead2, left2 = pay[_LEAD2 + m], pay[_LEFT + m]
        left1 = left2 | (2 * pay[_TOP2 + m] - lead2)
        early = is_out(left1, hands)
        lead = (pay[_LEAD + m] & early) | (lead2 & ~early)
        top = (pay[_TOP + m] & early) | (pay[_TOP2 + m] & ~early)
        left = left1 & (left2 | early)
        run = 2 * top - lead
        won, cut = first_out(hands, run, left)
        won = (won[0] & ~over) | over, won[1] & ~over, won[2] & ~over, won[3] & ~over
        held = left | (run & ~(2 * cut - 1)) | over
        played = dealt & ~held
        made = (pay[_MADE + m] + early) & ~over
        pay[_MADE + m] = made
        tally(pay, m, LEADS, made, notes)
        # The last lead was no choice if it was all that its hand still had.
        before = left | run
        forced = (
            if_so(hands[0] & before == lead) | if_so(hands[1] & before == lead)
            | if_so(hands[2] & before == lead) | if_so(hands[3] & before == lead)
        )  # fmt: skip
        tally(pay, m, CHOICES, made + (forced & ~over), notes)
        # A turned-up Pope.
        tally(pay, m, POPE_UP, -pope_up, notes)
        tally(pay, m, UNPLAYED, -over, notes)
        balances = (
            ((due1 + due2 + due3) & pope_up) - gift0,
            -(due1 & pope_up) - gift1,
            -(due2 & pope_up) - gift2,
            -(due3 & pope_up) - gift3,
        )
        # The honours: the bottom card of the lane of trumps, moved up.
        suit = turn | (turn >> 8)
        suit |= suit >> 4
        suit |= suit >> 2
        suit = (suit | (suit >> 1)) & BOTTOMS
        king, queen, knave = suit << _KING, suit << _QUEEN, suit << _KNAVE
        has_ace, has_king = holders(suit, hands), holders(king, hands)
        has_queen, has_knave = holders(queen, hands), holders(knave, hands)
        has_pope = holders(_POPE, hands)
        marriage, intrigue = both(has_king, has_queen), both(has_queen, has_knave)
        fell_king, fell_queen = if_any(played & king), if_any(played & queen)
        fell_knave = if_any(played & knave)
        balances = card_takes(
            pay,
            m,
            AT_ACE,
            if_any(played & suit),
            has_ace,
            if_so(turn == suit),
            has,
            balances,
            notes,
        )
        balances = card_takes(
            pay, m, AT_KING, fell_king, has_king, if_so(turn == king), has, balances, notes
        )
        balances = card_takes(
            pay, m, AT_QUEEN, fell_queen, has_queen, if_so(turn == queen), has, balances, notes
        )
        balances = card_takes(
            pay, m, AT_KNAVE, fell_knave, has_knave, if_so(turn == knave), has, balances, notes
        )
        balances = takes(pay, m, AT_GAME, won, over, balances, notes)
        balances = card_takes(
            pay, m, AT_MATRIMONY, fell_king & fell_queen, marriage, 0, has, balances, notes
        )
        balances = card_takes(
            pay, m, AT_INTRIGUE, fell_queen & fell_knave, intrigue, 0, has, balances, notes
        )
        balances = card_takes(
            pay, m, AT_POPE, if_any(played & _POPE), has_pope, pope_up, has, balances, notes
        )
        # The cards left in hand.
        playing = held & ~over & ~_NOBODY
        keeps0, keeps1 = hands[0] & playing, hands[1] & playing
        keeps2, keeps3 = hands[2] & playing, hands[3] & playing
        count0, count1 = popcount(keeps0), popcount(keeps1)
        count2, count3 = popcount(keeps2), popcount(keeps3)
        excuse0, excuse1 = excuse(keeps0, exempt), excuse(keeps1, exempt)
        excuse2, excuse3 = excuse(keeps2, exempt), excuse(keeps3, exempt)
        pay0, pay1, pay2, pay3 = (
            count0 & ~excuse0, count1 & ~excuse1, count2 & ~excuse2, count3 & ~excuse3,
        )  # fmt: skip
        money = pay0 + pay1 + pay2 + pay3
        balances = (
            balances[0] + (money & won[0]) - pay0,
            balances[1] + (money & won[1]) - pay1,
            balances[2] + (money & won[2]) - pay2,
            balances[3] + (money & won[3]) - pay3,
        )
        kept = count0 + count1 + count2 + count3
        tally(pay, m, CARDS, (sizes - kept) & ~over, notes)
        tally(pay, m, CARD_MONEY, money, notes)
        tally(pay, m, EXCUSED, -(excuse0 + excuse1 + excuse2 + excuse3), notes)
        tally(pay, m, EXCUSED_CARDS, kept - money, notes)
        for role in range(4):
            pay[_SUMS + role * PAY_STRIDE + m] += balances[role]
            tally(pay, m, WON + role, -won[role], notes)
        note(pay, m, POPE_HELD, has_pope, balances, notes)
        note(pay, m, ACE_HELD, has_ace, balances, notes)
        note(pay, m, KING_HELD, has_king, balances, notes)
        note(pay, m, QUEEN_HELD, has_queen, balances, notes)
        note(pay, m, KNAVE_HELD, has_knave, balances, notes)
        note(pay, m, MARRIAGE_HELD, marriage, balances, notes)
        note(pay, m, INTRIGUE_HELD, intrigue, balances, notes)


@device
def add_block(matches: Any, deals: Any, pay: Any, totals: Any, notes: Any) -> None:
    """Add the matches of a block to the totals: as ``settle.add_match``."""
    quantities = QUANTITIES
    if notes is None:
        quantities = 4
    else:
        for m in range(matches):
            pay[_SUMS + ALL * PAY_STRIDE + m] = (
                pay[_SUMS + m]
                + pay[_SUMS + PAY_STRIDE + m]
                + pay[_SUMS + 2 * PAY_STRIDE + m]
                + pay[_SUMS + 3 * PAY_STRIDE + m]
            )
    for quantity in range(quantities):
        base = _SUMS + quantity * PAY_STRIDE
        whole = 0
        square = 0
        for m in range(matches):
            value = pay[base + m]
            whole += value
            square += value * value
        totals[quantity] += whole
        totals[SQUARES + quantity] += square
    if notes is not None:
        for entry in range(CROSS, LENGTHS):
            one, other = factors(entry)
            above = np.uint64(_SUMS + one * PAY_STRIDE)
            below = np.uint64(_SUMS + other * PAY_STRIDE)
            product = 0
            for m in range(matches):
                product += pay[above + np.uint64(m)] * pay[below + np.uint64(m)]
            totals[entry] += product
    totals[DEALS] += deals * matches
    totals[MATCHES] += matches
