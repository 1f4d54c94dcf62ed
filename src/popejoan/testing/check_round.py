"""The laws of a round, asserted in every state that a round passes through.

They are true of all rules, so whoever makes new rules may hand them to ``check_round``.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator

from popejoan.board import Board, Ledger, Transfer
from popejoan.cards import PACK, CardSet, Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.events import Claimed, Dressed, Event, Led, Paid, RoundOver, Switched
from popejoan.payments import stake
from popejoan.round import Round
from popejoan.rules import Claims, Rules
from popejoan.view import View

__all__ = ["LawBroken", "check_round", "check_state", "retell"]


class LawBroken(AssertionError):
    """A round breaks a law; the message says which, and gives the round."""


def check_round(
    rules: Rules,
    seed: int,
    in_every_state: Callable[[Round], None] | None = None,
    *,
    players: int = 4,
    dealer: int = 0,
    board: Board = Board(),
) -> Round:
    """Play the round of this seed card by card, check every state, and give the round played out.

    The seed also chooses the leads, and where claims are called, who claims for himself and when.
    ``in_every_state`` is called with each state after it has been checked. Raises LawBroken, and
    BadRules when the rules cannot be dealt to so many.
    """
    deal = Deal.shuffle(seed, players=players, rules=rules, dealer=dealer)
    chance = Chance(seed, purpose=Purpose.LEAD)
    claiming = [rules.claims is Claims.AT_ONCE or chance.below(3) > 0 for _ in range(players)]
    round_ = Round.start(rules, deal, dealer=Seat(dealer), board=board, claiming=claiming)
    while True:
        check_state(round_)
        if in_every_state is not None:
            in_every_state(round_)
        if round_.due and chance.below(4) == 0:
            item = round_.due[chance.below(len(round_.due))]
            round_ = round_.claim(item.seat, item.compartment)
        elif not round_.over:
            round_ = round_.play(chance.pick(round_.legal))
        else:
            break
    *_, again = retell(round_)
    if again != round_:
        raise LawBroken(f"a round told again is the same: broken in {round_!r}")
    return round_


def check_state(round_: Round) -> None:
    """Assert every law that can be seen in one state of a round; raise LawBroken."""
    laws = (*_counters(round_), *_cards(round_), *_turn(round_), *_copies(round_))
    for seat in (None, *range(round_.players)):
        laws += tuple(_view(round_, View.of(round_, seat)))
    for law, holds in laws:
        if not holds:
            raise LawBroken(f"{law}: broken in {round_!r}")


_Laws = Iterator[tuple[str, bool]]


def _counters(round_: Round) -> _Laws:
    opening = Ledger(round_.opening.purses, round_.opening.board)
    yield "counters are conserved", round_.ledger.total == opening.total
    yield "no compartment owes", min(round_.board) >= 0
    yield "the payments explain the counters", opening.pay(round_.ledger.transfers) == round_.ledger
    yield "the events tell every payment", tuple(_paid(round_.events)) == round_.ledger.transfers
    yield (
        "a balance is what was won",
        sum(round_.balances) == opening.board.total - sum(round_.board),
    )
    for item in round_.due:
        yield "what is due lies on the board", 0 < item.counters <= round_.board[item.compartment]
    called = round_.rules.claims is Claims.CALLED
    on = {seat for seat, claims in enumerate(round_.claiming) if claims}
    yield "only what is called for is due", called or not round_.due
    yield "nothing is due to a seat that is claimed for", not any(d.seat in on for d in round_.due)


def _paid(events: tuple[Event, ...]) -> Iterator[Transfer]:
    for event in events:
        if isinstance(event, Dressed):
            yield from event.transfers
        elif isinstance(event, Paid):
            yield event.transfer
        elif isinstance(event, Claimed):
            yield stake(event.seat, event.compartment, event.counters).taken


def _cards(round_: Round) -> _Laws:
    played = CardSet.of(play.card for play in round_.plays)
    hands = [round_.hand(seat) for seat in range(round_.players)]
    places = [*hands, played, round_.deal.stock, round_.turn_up.alone]
    yield "each card is in one place", sum(map(len, places)) == 51
    yield "no card is lost", sum(place.mask for place in places) == PACK.mask
    yield "a play is an event", played == round_.played and len(played) == len(round_.plays)
    for seat, (dealt, held) in enumerate(zip(round_.deal.hands, hands)):
        mine = CardSet.of(play.card for play in round_.plays if play.seat == seat)
        yield "a seat plays its own cards", dealt == mine | held and not mine & held
    yield (
        "leads are the choices",
        round_.leads == tuple(event.card for event in round_.events if isinstance(event, Led)),
    )


def _turn(round_: Round) -> _Laws:
    last = isinstance(round_.events[-1], RoundOver | Claimed | Switched) if round_.over else False
    yield "somebody is to act, or the round is over", (round_.to_act is None) == round_.over
    yield "a round that is over says so", last == round_.over
    yield "a round that is over has a winner", (round_.winner is not None) == round_.over
    yield "somebody can always play", bool(round_.legal) is not round_.over
    allowed = CardSet.of(card for card in PACK if round_.refusal(card) is None)
    yield "what is legal is what is not refused", allowed == round_.legal
    if round_.to_act is not None:
        yield "a seat plays from its hand", round_.legal <= round_.hand(round_.to_act)
        yield "the seat to act holds a card", bool(round_.hand(round_.to_act))
    yield "a follow is the run's next card", bool(round_.run) is round_.forced
    if round_.forced:
        following = round_.rules.order.following[round_.run[-1]]
        yield "a run goes up by one", round_.legal == CardSet.of([following])


def _copies(round_: Round) -> _Laws:
    twins = [copy.copy(round_), pickle.loads(pickle.dumps(round_))]
    if not round_.forced:  # the slowest by far
        twins.append(copy.deepcopy(round_))
    for twin in twins:
        yield "a copy is equal", twin == round_ and hash(twin) == hash(round_)
        if not round_.over:
            card = min(round_.legal)
            yield "a copy goes on alike", twin.play(card) == round_.play(card)


def _view(round_: Round, view: View) -> _Laws:
    mine = view.seat is not None and view.seat == round_.to_act
    yield "a seat sees what it may play", view.legal == (round_.legal if mine else CardSet())
    tried = PACK if mine else view.hand | round_.legal
    refused = CardSet.of(card for card in tried if view.refusal(card) is not None)
    yield "a view refuses what is not legal", refused == tried - view.legal
    hand = CardSet() if view.seat is None else round_.hand(view.seat)
    yield "a seat sees its own hand", view.hand == hand
    yield "a view counts hands", view.counts == tuple(map(int.bit_count, round_.held))
    yield (
        "a view shows what is on the table",
        (
            (view.run, view.played, view.plays, view.over, view.winner, view.board, view.purses)
            == (
                round_.run,
                round_.played,
                round_.plays,
                round_.over,
                round_.winner,
                round_.board,
                round_.purses,
            )
        ),
    )
    yield "what a view knows to be dead is so", view.dead <= round_.dead
    out = set(PACK - round_.played - round_.dead)
    order = round_.rules.order.following
    stops = (card for card in view.stops if order[card] in out)
    yield "what a view knows to be a stop is so", not any(stops)
    yield "who leads is plain to all", view.leader == round_.leader or round_.forced


def retell(round_: Round, deal: Deal | None = None) -> Iterator[Round]:
    """Each state of a round played from the start by its events, in its deal or in another.

    Plays, claims made by a seat and switches are made again; what follows from them is left to the
    rules. Raises IllegalPlay or IllegalClaim where another deal does not allow them, and LawBroken
    where it answers them with other events.
    """
    now = round_
    for now in round_._replace(deal=deal or round_.deal).states():
        if now.events != round_.events[: len(now.events)]:
            raise LawBroken(f"what was told happens again: broken in {now!r}, told {round_!r}")
        yield now
    if now.events != round_.events:
        raise LawBroken(f"all that was told happens again: broken in {now!r}, told {round_!r}")
