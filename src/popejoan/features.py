"""The features of a lead: what is weighed before a card is led, as whole numbers.

Everything here comes from what the leader may know. ``describe`` fills in the features of the
situation, ``measure`` those of one lead, and ``Scorer`` weighs them. What is worth how much is not
decided here: weights come with the bots.

Cards lie in *lanes*: a card of height ``h`` in suit ``s`` is bit ``16 * s + h`` of a mask, so the
next card up is one bit up in either order of the ace. ``describe`` and ``measure`` are plain
arithmetic on integers, so that the compiled kernel is made from this very source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

from popejoan.board import Board
from popejoan.cards import PACK, POPE, Card, CardSet, Rank
from popejoan.round import Round
from popejoan.rules import Peek, Rules
from popejoan.view import View

__all__ = [
    "FEATURES",
    "ONE",
    "Scorer",
    "Situation",
    "card_at",
    "describe",
    "from_lanes",
    "measure",
    "to_lanes",
]

ONE: Final = 1024
"""What stands for one in a feature."""

FEATURES: Final = {
    "own": "own cards that the run is expected to shed",
    "keeps": "the chance that the leader's card ends the run, so that the leader leads again",
    "earns": "counters that the run is expected to earn the leader",
    "gives": "counters that it is expected to earn the others",
    "sheds": "cards that the others are expected to shed",
    "next own": "one if the leader holds the next card up",
    "next other": "the chance that another seat holds the next card up",
    "stop reached": "one if the card is a known stop that another seat may lead up to",
    "stop cut off": "one if the card is a known stop that nobody can lead up to",
    "cut off": "one if no card can lead up to this one, so that only its holder can lead it",
    "below own": "one if the leader holds the next card down",
    "pope": "one if Pope is in the certain part of the run",
    "out": "one if the certain part of the run is the whole hand",
    "share": "the share of the suit in the hand",
    "danger": "the chance of losing the lead, when another seat has two cards or fewer",
    "certain": "own cards at the start of the run before any that is not seen",
    "lower": "own cards of the suit below this one",
    "stops given up": "own known stops left in the hand, times the chance of losing the lead",
    "cards stranded": "own cards left that nobody can lead up to, times that chance",
    "honours kept": "counters that own cards left in the hand may earn, times that chance",
    "hand": "cards in the hand",
    "shortest": "cards in the shortest other hand",
    "dealt": "the share of the unseen cards that lies in other hands",
    "at stake": "counters on Game, and one for each card in other hands",
    "stops": "known stops in the hand",
    "stranded": "cards in the hand that nobody can lead up to",
    "excused": "one if the hand holds Pope",
    "seats": "seats with cards",
}
"""The features by name, in their order; the last eight are those of the situation."""

# Where each feature stands.
(
    F_OWN, F_KEEPS, F_EARNS, F_GIVES, F_SHEDS, F_NEXT_OWN, F_NEXT_OTHER, F_STOP_REACHED,
    F_STOP_CUT_OFF, F_CUT_OFF, F_BELOW_OWN, F_POPE, F_OUT, F_SHARE, F_DANGER, F_CERTAIN, F_LOWER,
    F_STOPS_GIVEN_UP, F_CARDS_STRANDED, F_HONOURS_KEPT, F_HAND, F_SHORTEST, F_DEALT, F_AT_STAKE,
    F_STOPS, F_STRANDED, F_EXCUSED, F_SEATS,
) = range(28)  # fmt: skip

OF_SITUATION: Final = F_HAND
"""Where the features of the situation begin."""

# Where things stand in the integers of a situation; the eight stakes begin at STAKES.
HAND, MINE, LIVE, CHANCE, SHORTEST, STOPS, CUTS, HONOURS = range(8)
ACE, KING, QUEEN, KNAVE, POPE_AT, STAKES = range(8, 14)
(
    ON_ACE, ON_KING, ON_QUEEN, ON_KNAVE, ON_GAME, ON_MATRIMONY, ON_INTRIGUE, ON_POPE, OTHERS, SEATS,
    SIZE,
) = range(STAKES, 24)  # fmt: skip
_LANE: Final = 0x1FFF


def describe(now: Any, out: Any) -> None:
    """Complete a situation, and fill in the features that are the same for every lead.

    Given are HAND, MINE (own cards played), LIVE (cards that another seat may hold), OTHERS (how
    many cards the others hold), SHORTEST, SEATS, the trump honours and Pope as masks (0 where
    nothing is to be earned) and the STAKES.
    """
    hand = now[HAND]
    live = now[LIVE]
    others = now[OTHERS]
    unseen = live.bit_count()
    chance = others * ONE // unseen if unseen else 0
    about = hand | live
    stops = hand & ~(about >> 1)
    cuts = hand & ~(about << 1)
    now[CHANCE] = chance
    now[STOPS] = stops
    now[CUTS] = cuts
    now[HONOURS] = now[ACE] | now[KING] | now[QUEEN] | now[KNAVE] | now[POPE_AT]
    out[F_HAND] = hand.bit_count() * ONE
    out[F_SHORTEST] = now[SHORTEST] * ONE
    out[F_DEALT] = chance
    out[F_AT_STAKE] = (now[ON_GAME] + others) * ONE
    out[F_STOPS] = stops.bit_count() * ONE
    out[F_STRANDED] = cuts.bit_count() * ONE
    out[F_EXCUSED] = ONE if hand & now[POPE_AT] else 0
    out[F_SEATS] = now[SEATS] * ONE


def measure(now: Any, lead: Any, out: Any) -> None:
    """Fill in the features of one lead, a mask of one card, in a situation made by ``describe``."""
    hand = now[HAND]
    live = now[LIVE]
    chance = now[CHANCE]
    honours = now[HONOURS]
    own = 0
    keeps = 0
    earns = 0
    gives = 0
    sheds = 0
    certain = 0
    pope = 0
    run = 0
    sure = True
    weight = ONE
    bit = lead
    while weight > 15:
        mine = bit & hand
        if bit & honours:
            stake = 0
            if bit == now[POPE_AT]:
                stake += now[ON_POPE]
                pope = ONE  # no run reaches Pope, so it is the leader's own lead
            else:
                with_me = now[MINE] | run
                if bit == now[ACE]:
                    stake += now[ON_ACE]
                elif bit == now[KING]:
                    stake += now[ON_KING]
                    if mine and with_me & now[QUEEN]:
                        stake += now[ON_MATRIMONY]
                elif bit == now[QUEEN]:
                    stake += now[ON_QUEEN]
                    if mine and with_me & now[KING]:
                        stake += now[ON_MATRIMONY]
                    if mine and with_me & now[KNAVE]:
                        stake += now[ON_INTRIGUE]
                else:
                    stake += now[ON_KNAVE]
                    if mine and with_me & now[QUEEN]:
                        stake += now[ON_INTRIGUE]
            if mine:
                earns += weight * stake
            else:
                gives += weight * stake
        above = bit << 1
        going = 0
        if above & hand:
            going = weight
        elif above & live:
            going = (weight * chance) >> 10
        if mine:
            own += weight
            keeps += weight - going
            run |= bit
            if sure:
                certain += 1
        else:
            sheds += weight
        if above & live:
            sure = False
        weight = going
        bit = above
    lost = ONE - keeps
    left = hand & ~run
    below = lead >> 1
    above = lead << 1
    stop = not above & (hand | live)
    suit = _LANE
    while not suit & lead:
        suit <<= 16
    suit &= hand
    cards = hand.bit_count()
    out[F_OWN] = own
    out[F_KEEPS] = keeps
    out[F_EARNS] = earns
    out[F_GIVES] = gives
    out[F_SHEDS] = sheds
    out[F_NEXT_OWN] = ONE if above & hand else 0
    out[F_NEXT_OTHER] = chance if above & live else 0
    out[F_STOP_REACHED] = ONE if stop and below & live else 0
    out[F_STOP_CUT_OFF] = ONE if stop and not below & (hand | live) else 0
    out[F_CUT_OFF] = ONE if lead & now[CUTS] else 0
    out[F_BELOW_OWN] = ONE if below & hand else 0
    out[F_POPE] = pope
    out[F_OUT] = ONE if certain == cards else 0
    out[F_SHARE] = suit.bit_count() * ONE // cards
    out[F_DANGER] = lost if now[SHORTEST] <= 2 else 0
    out[F_CERTAIN] = certain * ONE
    out[F_LOWER] = (suit & (lead - 1)).bit_count() * ONE
    out[F_STOPS_GIVEN_UP] = (now[STOPS] & left).bit_count() * lost
    out[F_CARDS_STRANDED] = (now[CUTS] & left).bit_count() * lost
    kept = 0
    if left & honours and lost:
        if left & now[POPE_AT]:
            kept += now[ON_POPE]
        if left & now[ACE]:
            kept += now[ON_ACE]
        if left & now[KING]:
            kept += now[ON_KING]
        if left & now[QUEEN]:
            kept += now[ON_QUEEN]
        if left & now[KNAVE]:
            kept += now[ON_KNAVE]
    out[F_HONOURS_KEPT] = kept * lost


# The same from Python objects


def to_lanes(mask: int, *, ace_high: bool) -> int:
    """A mask of cards as lanes."""
    lanes = sum((mask >> 13 * suit & _LANE) << 16 * suit for suit in range(4))
    if ace_high:
        aces = 0x0001_0001_0001_0001
        lanes = (lanes & ~aces) >> 1 | (lanes & aces) << 12
    return lanes


def from_lanes(lanes: int, *, ace_high: bool) -> int:
    """Lanes as a mask of cards."""
    if ace_high:
        tops = 0x1000_1000_1000_1000
        lanes = (lanes & ~tops) << 1 | (lanes & tops) >> 12
    return sum((lanes >> 16 * suit & _LANE) << 13 * suit for suit in range(4))


def card_at(lead: int, *, ace_high: bool) -> Card:
    """The card that is one bit of lanes."""
    return Card(from_lanes(lead, ace_high=ace_high).bit_length() - 1)


@final
@dataclass(frozen=True, slots=True)
class Situation:
    """What a leader knows, as the integers that ``describe`` takes."""

    rules: Rules
    """The rules."""
    now: list[int]
    """The integers."""
    legal: tuple[Card, ...]
    """The cards that may be led, in card order."""

    @classmethod
    def of_view(cls, view: View) -> Situation:
        """The situation of a seat that is to lead; ValueError for a view of any other."""
        if view.seat is None or view.to_act != view.seat or view.follows is not None:
            raise ValueError(f"seat {view.seat!r} has no lead to make")
        counts = view.counts
        return cls._made(
            view.rules,
            view.hand.mask,
            view.dealt.mask,
            view.played.mask,
            view.turn_up,
            (view.stock or CardSet()).mask,
            [count for seat, count in enumerate(counts) if seat != view.seat],
            view.board,
            tuple(view.legal),
        )

    @classmethod
    def of_round(cls, round: Round) -> Situation:
        """The situation of the seat that is to lead in a round; ValueError when none is."""
        seat = round.to_act
        if seat is None or round.forced:
            raise ValueError("no lead is to be made")
        looks = seat == round.dealer and round.rules.peek is not Peek.NOBODY
        return cls._made(
            round.rules,
            round.held[seat],
            round.deal.hands[seat].mask,
            round.played.mask,
            round.turn_up,
            round.deal.stock.mask if looks else 0,
            [mask.bit_count() for other, mask in enumerate(round.held) if other != seat],
            round.board,
            tuple(round.legal),
        )

    @classmethod
    def _made(
        cls,
        rules: Rules,
        hand: int,
        dealt: int,
        played: int,
        turn_up: Card,
        stock: int,
        others: list[int],
        board: Board,
        legal: tuple[Card, ...],
    ) -> Situation:
        high = rules.order.ace_high
        now = [0] * SIZE
        now[HAND] = to_lanes(hand, ace_high=high)
        now[MINE] = to_lanes(dealt & ~hand, ace_high=high)
        gone = played | turn_up.bit | stock
        unseen = to_lanes(PACK.mask & ~hand & ~gone, ace_high=high)
        # Had anyone held the card above one that was played, it would have followed.
        now[LIVE] = unseen & ~(to_lanes(played, ace_high=high) << 1)
        now[OTHERS] = sum(others)
        now[SHORTEST] = min((count for count in others if count), default=0)
        now[SEATS] = 1 + sum(count > 0 for count in others)
        for rank, at in _HONOURS:
            now[at] = to_lanes(Card.of(turn_up.suit, rank).bit, ace_high=high)
        now[POPE_AT] = to_lanes(POPE.bit, ace_high=high)
        now[STAKES : STAKES + 8] = board.counters
        return cls(rules, now, legal)

    def features(self) -> list[tuple[int, ...]]:
        """The features of each legal lead, as FEATURES names them; 1024 stands for one."""
        high = self.rules.order.ace_high
        out = [0] * len(FEATURES)
        describe(self.now, out)
        found = []
        for card in self.legal:
            measure(self.now, to_lanes(card.bit, ace_high=high), out)
            found.append(tuple(out))
        return found


_HONOURS: Final = ((Rank.ACE, ACE), (Rank.KING, KING), (Rank.QUEEN, QUEEN), (Rank.KNAVE, KNAVE))


@final
@dataclass(frozen=True, slots=True)
class Scorer:
    """Weights over the features: a straight sum, and hidden units of it that count above zero.

    All are whole numbers, so that every machine comes to the same choice to the last bit:
    ``linear`` is in counters times 2**20, ``hidden`` and ``bias`` times 2**10 and 2**20, and
    ``out`` in counters times 2**10; a score is in counters times 2**30.
    """

    linear: tuple[int, ...]
    """The weight of each feature in the sum."""
    hidden: tuple[tuple[int, ...], ...] = ()
    """For each hidden unit the weight of each feature."""
    bias: tuple[int, ...] = ()
    """What each hidden unit starts from."""
    out: tuple[int, ...] = ()
    """The weight of each hidden unit."""
    columns: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """For each feature its weight in every hidden unit."""

    def __post_init__(self) -> None:
        """Turn the weights of the hidden units round."""
        object.__setattr__(self, "columns", tuple(zip(*self.hidden)))

    def score(self, features: Sequence[int]) -> int:
        """The score of a lead with these features."""
        total = sum(w * f for w, f in zip(self.linear, features))
        units: Sequence[int] = self.bias
        for value, column in zip(features, self.columns):
            if value:
                units = [unit + value * weight for unit, weight in zip(units, column)]
        return total + sum(out * unit for out, unit in zip(self.out, units) if unit > 0)

    def scores(self, situation: Situation) -> list[int]:
        """The score of each legal lead, in card order."""
        return list(map(self.score, situation.features()))

    def best(self, situation: Situation) -> Card:
        """The legal lead of the best score; of equals the one of the lowest number."""
        if len(situation.legal) == 1:
            return situation.legal[0]
        scores = self.scores(situation)
        return situation.legal[scores.index(max(scores))]
