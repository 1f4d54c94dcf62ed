"""Hypothesis strategies for cards, rules, deals, rounds and matches, for anyone's tests.

Rounds and matches are played by a seed for so many steps, so that they shrink to short ones.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from popejoan.board import Board, Compartment
from popejoan.cards import PACK, Card, CardSet, Seat
from popejoan.deal import Chance, Deal, Purpose, fault_with, hand_sizes
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Ace,
    CardMoney,
    Claims,
    Dressing,
    Ending,
    Lead,
    Pairs,
    Peek,
    PopePlayed,
    PopeTurned,
    Rules,
    Stock,
    TurnUp,
)

__all__ = [
    "boards",
    "card_sets",
    "cards",
    "deals",
    "matches",
    "mixes",
    "players",
    "presets",
    "rounds",
    "rules",
    "seeds",
]

seeds = st.integers(0, 2**64 - 1)
"""Seeds of deals and of choices."""


def cards() -> st.SearchStrategy[Card]:
    """Any of the 51 cards."""
    return st.sampled_from(tuple(PACK))


def card_sets(min_size: int = 0, max_size: int = 51) -> st.SearchStrategy[CardSet]:
    """Some cards of the pack."""
    return st.sets(cards(), min_size=min_size, max_size=max_size).map(CardSet.of)


def presets() -> st.SearchStrategy[Rules]:
    """The rules of one of the books."""
    return st.sampled_from(tuple(Rules.presets().values()))


_AXES: dict[str, st.SearchStrategy[Any]] = {
    "ace": st.sampled_from(Ace),
    "purse": st.integers(0, 100),
    "stakes": st.just(Rules.HOYLE.stakes)
    | st.just(Board.of(ace=1, game=1, matrimony=2, intrigue=2, pope=6))
    | st.builds(
        lambda pope, game, rest: Board.of(dict(zip(Compartment, rest)), pope=pope, game=game),
        st.integers(1, 9),
        st.integers(1, 9),
        st.lists(st.integers(0, 5), max_size=8),
    ),
    "dressing": st.sampled_from(Dressing),
    "stock": st.sampled_from(Stock),
    "hand_size": st.none() | st.integers(1, 25),
    "turn_up": st.sampled_from(TurnUp),
    "peek": st.sampled_from(Peek),
    "pope_turned": st.sampled_from(PopeTurned),
    "pope_cap": st.none() | st.integers(1, 25),
    "lead": st.sampled_from(Lead),
    "pairs": st.sampled_from(Pairs),
    "claims": st.sampled_from(Claims),
    "pope_played": st.sampled_from(PopePlayed),
    "pope_exempt": st.booleans(),
    "card_money": st.sampled_from(CardMoney),
    "equal_deals": st.booleans(),
    "ending": st.sampled_from(Ending),
}


def mixes() -> st.SearchStrategy[dict[str, Any]]:
    """A value for each field of the rules, each of its kind; together they may make no sense."""
    return st.fixed_dictionaries(_AXES)


@st.composite
def rules(draw: st.DrawFn, /, **fixed: Any) -> Rules:
    """Rules over all axes, those in ``fixed`` held; every mix that makes sense may come."""
    mix = draw(mixes()) | fixed
    # What makes no sense together is put right in the field that is not held.
    if mix["stock"] is Stock.DEALT_ROUND:
        mix |= {"turn_up": TurnUp.APART, "hand_size": None}
    if mix["lead"] is Lead.BOOK:
        mix["ace"] = Ace.LOW
    if mix["pope_turned"] not in {PopeTurned.ENDS, PopeTurned.CARDS}:
        mix["pope_cap"] = None
    if mix["dressing"] is Dressing.SINGLE:
        mix["card_money"] = CardMoney.BOARD
    return Rules(**(mix | fixed))


def _any_rules() -> st.SearchStrategy[Rules]:
    return presets() | rules()


def players(under: Rules) -> st.SearchStrategy[int]:
    """How many may play by these rules."""
    numbers = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    return st.sampled_from([number for number in numbers if fault_with(under, number) is None])


@st.composite
def deals(
    draw: st.DrawFn,
    under: Rules = Rules.HOYLE,
    players: int = 4,
    dealer: int = 0,
) -> Deal:
    """A deal of the whole pack as the rules deal to so many."""
    pack = draw(st.permutations(tuple(PACK)))
    hands, at = [], 1
    for size in draw(st.sampled_from(hand_sizes(under, players, dealer))):
        hands.append(pack[at : at + size])
        at += size
    return Deal.of(hands, pack[0], pack[at:])


def boards(under: Rules, most: int = 40) -> st.SearchStrategy[Board]:
    """What may lie on the board before it is dressed."""
    stakes = {place.value: st.integers(0, most) for place in under.compartments}
    return st.fixed_dictionaries(stakes).map(Board.of)


@st.composite
def rounds(
    draw: st.DrawFn,
    by: st.SearchStrategy[Rules] | None = None,
    *,
    over: bool | None = None,
) -> Round:
    """A round in any state: at a lead, within a run, over, with claims made, due and switched.

    ``over`` True gives rounds played out, False rounds in which somebody is to act.
    """
    under = draw(_any_rules() if by is None else by)
    number = draw(players(under))
    dealer = draw(st.integers(0, number - 1))
    start = Round.start(
        under,
        Deal.shuffle(draw(seeds), players=number, rules=under, dealer=dealer),
        dealer=Seat(dealer),
        board=draw(boards(under)),
        purses=draw(st.lists(st.integers(-50, 90), min_size=number, max_size=number)),
        claiming=draw(st.lists(st.booleans(), min_size=number, max_size=number)),
    )
    chance = Chance(draw(seeds), purpose=Purpose.LEAD)
    steps = 200 if over else draw(st.integers(0, 60))
    return _played(start, chance, steps, stop_before_end=over is False)


def _played(round_: Round, chance: Chance, steps: int, *, stop_before_end: bool) -> Round:
    for _ in range(steps):
        what = chance.below(12)
        if what == 0:
            seat = Seat(chance.below(round_.players))
            after = round_.claim_for(seat, on=not round_.claiming[seat])
        elif what == 1 and round_.due:
            item = round_.due[chance.below(len(round_.due))]
            after = round_.claim(item.seat, item.compartment)
        elif round_.over:
            after = round_
        elif what < 4 and not round_.forced:
            after = round_.lead(chance.pick(round_.legal))
        else:
            after = round_.play(chance.pick(round_.legal))
        if stop_before_end and after.over:
            break
        round_ = after
    return round_


@st.composite
def matches(draw: st.DrawFn, by: st.SearchStrategy[Rules] | None = None) -> Match:
    """A match in any state, with players joining, leaving and coming back, ended and divided."""
    under = draw(_any_rules() if by is None else by)
    number = draw(players(under))
    match = Match.start(under, players=number, seed=draw(seeds), number=draw(st.integers(0, 9)))
    chance = Chance(draw(seeds), purpose=Purpose.LEAD)
    for _ in range(draw(st.integers(0, 40))):
        match = _step(match, chance)
    return match


def _step(match: Match, chance: Chance) -> Match:
    """The match after something that the table may do now."""
    what = chance.below(20)
    if what == 0:
        member = chance.below(len(match.members))
        return match.claim_for(member, on=not match.claiming[member])
    if match.round is not None and match.round.due and what < 4:
        item = match.round.due[chance.below(len(match.round.due))]
        return match.claim(item.seat, item.compartment)
    if match.round is not None and not match.round.over:
        if what < 5:
            return match.play(chance.pick(match.round.legal))
        return match.run_on() if match.round.forced else _play_out(match, chance)
    if match.over:
        may_divide = match.rules.ending is Ending.FINAL_DEAL and match.board.total
        return match.divide() if may_divide else match
    if what < 3 and fault_with(match.rules, match.players + 1) is None:
        away = [member for member in range(len(match.members)) if member not in match.sitting]
        back = away[chance.below(len(away))] if away and chance.below(2) else None
        return match.join(back)
    if what < 5 and fault_with(match.rules, match.players - 1) is None:
        return match.leave(match.sitting[chance.below(match.players)])
    if what == 5 and not (match.rules.equal_deals and match.since_change % match.players):
        return match.end()
    return match.deal()


def _play_out(match: Match, chance: Chance) -> Match:
    """The match some leads on, mostly to the end of the deal."""
    more = 1
    while more and match.round is not None and not match.round.over:
        match = match.lead(chance.pick(match.round.legal))
        more = chance.below(16)
    return match
