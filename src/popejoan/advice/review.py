"""The review of a deal: what each lead was worth to someone who knew what its leader knew then.

For every choice each legal lead is played out in the same worlds, all that fit the leader's view.
What a lead cost is the difference to the best; it is told only where it is more than one counter
and three standard errors, since the best of several estimates always looks a little too good. The
open cards come in beside it, and never into a cost. How it is told is in ``review_report``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from popejoan.advice.hints import TRUST, reasons
from popejoan.advice.opponents import compiled, playouts
from popejoan.bots.playouts import Playouts, finished
from popejoan.bots.search import Worth, weigh_leads
from popejoan.bots.weights import sharp_weights
from popejoan.cards import Card, Seat
from popejoan.round import Round
from popejoan.rules import Lead
from popejoan.view import View

__all__ = ["OpenCards", "Review", "ReviewedLead", "SeatReview", "review"]

_TOLD: Final = 1.0
_ERRORS: Final = 3.0
_DEEPEST: Final = 60_000
_OPEN_CARDS: Final = 28
_POINTS: Final = 3


@final
@dataclass(frozen=True, slots=True)
class OpenCards:
    """What the leads were worth with all hands open, everyone playing for himself."""

    best: Card
    """The best lead."""
    loss: int
    """Counters that the lead made brought less than the best."""
    line: tuple[Card, ...]
    """The leads to the end when each seat takes its best."""


@final
@dataclass(frozen=True, slots=True)
class ReviewedLead:
    """One lead of the deal."""

    number: int
    """Its number in the deal, from 1."""
    seat: Seat
    """Who led."""
    lead: Card
    """What was led."""
    worths: tuple[Worth, ...]
    """What each legal lead was worth, the best first; empty when there was no choice."""
    reasons: tuple[str, ...]
    """What spoke for the best lead."""
    swing: int
    """How many counters the lead moved the leader's end, had all led as *sharp* from there on."""
    fortunes: tuple[int, ...]
    """What each seat would have won in the deal, had all led as *sharp* from before this lead.

    A stake earned counts as won, claimed or not: to forget a claim makes no lead worse.
    """
    open_cards: OpenCards | None
    """The same with open cards; None where there are too many positions to work out."""

    @property
    def best(self) -> Card:
        """The lead that was worth most."""
        return self.worths[0].lead if self.worths else self.lead

    @property
    def difference(self) -> Worth | None:
        """What the lead made was worth; None when there was no choice."""
        return next((each for each in self.worths if each.lead == self.lead), None)

    @property
    def cost(self) -> float:
        """The counters that the choice cost, as far as can be told; else 0."""
        made = self.difference
        if made is None or made.behind < max(_TOLD, _ERRORS * made.error):
            return 0.0
        return made.behind


@final
@dataclass(frozen=True, slots=True)
class SeatReview:
    """One seat over the whole deal."""

    result: int
    """What it won or lost, dressing included."""
    expected: float
    """What the seat could expect when the turn-up was seen and no card played, by its place."""
    skill: float
    """What its choices cost, as far as can be told: 0 or less."""

    @property
    def luck(self) -> float:
        """The rest: the cards, and what the others did."""
        return self.result - self.expected - self.skill


@final
@dataclass(frozen=True, slots=True)
class Review:
    """A deal looked back upon."""

    round: Round
    """The deal, as far as it was played."""
    leads: tuple[ReviewedLead, ...]
    """Its leads in order."""
    seats: tuple[SeatReview, ...]
    """Its seats."""
    worlds: int
    """In how many worlds each lead was played out."""

    @property
    def turning_points(self) -> tuple[ReviewedLead, ...]:
        """The leads after which the end was most changed for their leader, in order."""
        moved = sorted(self.leads, key=lambda each: (-abs(each.swing), each.number))[:_POINTS]
        return tuple(sorted((each for each in moved if each.swing), key=lambda each: each.number))


def review(
    round_: Round,
    *,
    worlds: int | None = None,
    seed: int = 0,
    made_by: Playouts | None = None,
    open_cards: bool = True,
    ascii: bool = False,
) -> Review:
    """The review of a deal; the same for the same seed."""
    made = playouts() if made_by is None else made_by
    number = made.usual if worlds is None else worlds
    states = list(round_.choices())
    fortunes = [_fortune(state) for state in states]
    leads = []
    for nth, (before, card) in enumerate(zip(states, round_.leads)):
        assert before.to_act is not None
        view = View.of(before, before.to_act)
        worths: tuple[Worth, ...] = ()
        why: tuple[str, ...] = ()
        if len(view.legal) > 1:
            worths = weigh_leads(
                view, made, worlds=number, seed=seed, prior=sharp_weights, trust=TRUST,
                deep=made.deep,
            )  # fmt: skip
            why = reasons(view, worths[0].lead, ascii=ascii)
        seat = before.to_act
        leads.append(
            ReviewedLead(
                nth + 1, seat, card, worths, why, fortunes[nth + 1][seat] - fortunes[nth][seat],
                fortunes[nth], _open(before, card) if open_cards else None,
            )
        )  # fmt: skip
    expected = _expected(states[0], made, number, seed)
    seats = tuple(
        SeatReview(
            round_.balances[seat],
            expected[seat],
            0.0 - sum(each.cost for each in leads if each.seat == seat),
        )
        for seat in range(round_.players)
    )
    return Review(round_, tuple(leads), seats, number)


def _fortune(state: Round) -> tuple[int, ...]:
    """What each seat wins in the whole deal when all lead as *sharp* from here, and all claim."""
    for item in state.due:
        state = state.claim(item.seat, item.compartment)
    if state.over:
        return state.balances
    if compiled():
        from popejoan.fast.evaluator import KernelWorlds

        scorer = sharp_weights(state.rules.lead)
        won = KernelWorlds.of_rounds([state], scorer).play([()], 0, 1)[0][0]
    else:
        won = list(finished(state, (), sharp_weights(state.rules.lead)))
    return tuple(before + more for before, more in zip(state.balances, won))


def _expected(first: Round, made: Playouts, number: int, seed: int) -> list[float]:
    """What each seat may expect by its place, before it looks at its cards."""
    if first.over:
        return [float(each) for each in first.balances]
    found = made.worlds(View.of(first, None), number, seed)
    rows = found.play([()], 0, len(found))[0]
    return [
        before + sum(row[seat] for row in rows) / len(rows)
        for seat, before in enumerate(first.balances)
    ]


def _open(before: Round, card: Card) -> OpenCards | None:
    cards = sum(map(int.bit_count, before.held))
    if not compiled() or (before.rules.lead is Lead.ANY and cards > _OPEN_CARDS):
        return None
    from popejoan.fast.solver import MOST_COUNTERS, TooDeep, solve

    if before.board.total > MOST_COUNTERS:
        return None
    try:
        found = solve(before, most=_DEEPEST)
    except TooDeep:
        return None
    assert before.to_act is not None
    worth = dict(found.leads)
    loss = worth[found.best][before.to_act] - worth[card][before.to_act]
    return OpenCards(found.best, loss, found.line)
