"""The linear policy: each legal lead is scored by a few features, and the best score leads.

The features are whole numbers, 1024 standing for one, computed from what the leader may know over
the run that the lead would start. A card that lies in no hand for certain ends the run; one that
the leader does not see is in another hand with the chance ``others / unseen``. ``layout.FEATURES``
says what each is; ``policy.linear_choice`` is the same in plain Python, for the engine.
"""

from __future__ import annotations

from typing import Any, Final

from popejoan.fast.bits import lowest_place, popcount
from popejoan.fast.jit import device, small
from popejoan.fast.layout import (
    ACE,
    ACE_HIGH,
    AT_INTRIGUE,
    AT_KING,
    AT_KNAVE,
    AT_MATRIMONY,
    AT_POPE,
    AT_QUEEN,
    BOARD,
    HANDS,
    HAS,
    ONE,
    PLAYERS,
    POPE_BIT,
)
from popejoan.fast.tables import LANE, LANE_BITS, PACK_HIGH, PACK_LANES, TOPS

__all__ = ["linear_lead"]

_SHIFT: Final = 10


@small
def worth(flags: Any, bit: Any, lane: Any, work: Any) -> Any:
    """The stake that a card earns by itself: an honour of trumps, or Pope; counters."""
    stake = 0
    if bit == flags[POPE_BIT]:
        stake = work[BOARD + AT_POPE]
    for place in range(4):
        if bit == 1 << (lane + flags[ACE + place]) and flags[HAS] >> place & 1:
            stake += work[BOARD + place]
    return stake


@device
def pair_worth(flags: Any, bit: Any, lead: Any, lane: Any, dealt: Any, hand: Any, work: Any) -> Any:
    """The stakes of pairs that an own card would complete; counters.

    The other card is the leader's, played before or just below in the same run.
    """
    king, queen = 1 << (lane + flags[ACE + AT_KING]), 1 << (lane + flags[ACE + AT_QUEEN])
    knave = 1 << (lane + flags[ACE + AT_KNAVE])
    mine = dealt & ~hand
    if bit != lead:
        mine |= (bit >> 1) & dealt
    stake = 0
    if flags[HAS] >> AT_MATRIMONY & 1 and (
        (bit == king and mine & queen) or (bit == queen and mine & king)
    ):
        stake += work[BOARD + AT_MATRIMONY]
    if flags[HAS] >> AT_INTRIGUE & 1 and (
        (bit == queen and mine & knave) or (bit == knave and mine & queen)
    ):
        stake += work[BOARD + AT_INTRIGUE]
    return stake


@device
def score_lead(
    flags: Any,
    lead: Any,
    lane: Any,
    dealt: Any,
    hand: Any,
    unseen: Any,
    chance: Any,
    short: Any,
    weights: Any,
    work: Any,
) -> Any:
    """The score of one lead: each feature times its weight, summed."""
    own = keeps = earns = gives = sheds = certain = pope = 0
    sure = 1
    weight = ONE
    bit = lead
    while weight > 0:
        mine = bit & hand
        if mine:
            own += weight
            stake = worth(flags, bit, lane, work)
            earns += weight * (stake + pair_worth(flags, bit, lead, lane, dealt, hand, work))
            if sure:
                certain += 1
                if bit == flags[POPE_BIT]:
                    pope = ONE
        else:
            sheds += weight
            gives += weight * worth(flags, bit, lane, work)
        above = bit << 1
        going = weight
        if above & unseen:
            going = (weight * chance) >> _SHIFT
            sure = 0
        elif not above & hand:
            going = 0
        if mine:
            keeps += weight - going
        weight = going
        bit = above
    enters = chance if (lead << 1) & unseen else 0
    reached = ONE if (lead >> 1) & (unseen | hand) else 0
    danger = ONE - keeps if short else 0
    out = ONE if certain == popcount(hand) else 0
    suit = LANE << (lowest_place(lead) // LANE_BITS * LANE_BITS)
    below = popcount(hand & suit & (lead - 1)) * ONE
    stops = ONE if keeps == ONE and sure else 0
    return (
        weights[0] * own + weights[1] * keeps + weights[2] * earns + weights[3] * gives
        + weights[4] * sheds + weights[5] * enters + weights[6] * reached + weights[7] * danger
        + weights[8] * out + weights[9] * below + weights[10] * certain * ONE
        + weights[11] * pope + weights[12] * stops
    )  # fmt: skip


@device
def linear_lead(
    flags: Any,
    leader: Any,
    turn: Any,
    hand: Any,
    held: Any,
    gone: Any,
    legal: Any,
    weights: Any,
    work: Any,
) -> Any:
    """The legal lead of the best score; of equals the one of the lowest number."""
    pack = PACK_HIGH if flags[ACE_HIGH] else PACK_LANES
    unseen = pack & ~hand & ~gone
    others = popcount(held & ~hand)
    number = popcount(unseen)
    chance = (others << _SHIFT) // number if number else 0
    short = 0
    for seat in range(flags[PLAYERS]):
        cards = popcount(work[HANDS + seat] & held)
        if seat != leader and cards and cards <= 2:
            short = 1
    lane = lowest_place(turn) // LANE_BITS * LANE_BITS
    best = 0
    found = 0
    rest = legal
    while rest:
        bit = rest & -rest
        rest ^= bit
        score = score_lead(
            flags, bit, lane, work[HANDS + leader], hand, unseen, chance, short, weights, work
        )
        better = found == 0 or score > best
        if score == best and found and flags[ACE_HIGH]:
            # An ace stands above its suit here, but has the suit's lowest number.
            ace = bit & TOPS
            better = ace != 0 and lowest_place(bit) // LANE_BITS == lowest_place(found) // LANE_BITS
        if better:
            best = score
            found = bit
    return found
