"""The signature: one digest of the payments of fixed matches, that only a change of rules alters.

It is kept in ``tests/signature.txt``; every interpreter and the browser must come to the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from popejoan.board import Compartment
from popejoan.bots.simple import ByTheBook
from popejoan.deal import Chance, Purpose, fault_with
from popejoan.events import ClaimsSwitched, DealerFound, Divided, Lapsed
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.view import View

__all__ = ["digest", "ledgers", "matches"]

_DEALS: Final = 12
"""How many deals each match has; the board and the purses are carried through them."""


def digest() -> str:
    """The digest of every ledger: SHA-256, in hexadecimal."""
    whole = sha256()
    for line in ledgers():
        whole.update(line.encode("ascii") + b"\n")
    return whole.hexdigest()


def ledgers() -> Iterator[str]:
    """The text that is digested: for each match a heading, its deals, and how it ended."""
    for match in matches():
        yield f"# {match.rules.text} players={match.players} number={match.number}"
        for _, round_ in match.past:
            yield _round_text(round_)
        for event in match.events:
            match event:
                case DealerFound(member, cards):
                    yield f"first dealer {member} {cards[-1]!r} {len(cards)}"
                case Lapsed(member, compartment, counters):
                    yield f"lapsed {member} {compartment} {counters}"
                case Divided(hands, transfers):
                    yield f"divided {' / '.join(hand.text for hand in hands)}"
                    yield from (" ".join(map(str, transfer)) for transfer in transfers)
                case ClaimsSwitched():
                    pass  # moves no counter
                case _:
                    raise AssertionError(f"{event!r} has no place in these matches")
        yield f"purses {' '.join(map(str, match.purses))}"


def matches() -> Iterator[Match]:
    """The matches, played out: every preset with every number of players that it can have.

    Leads are drawn by chance in one match and made by the book in the other; the first member's
    claims are never made.
    """
    for rules in Rules.presets().values():
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
            if fault_with(rules, players) is None:
                for number in range(2):
                    yield _played(rules, players, number)


def _played(rules: Rules, players: int, number: int) -> Match:
    match = Match.start(rules, players=players, seed=1818, number=number, deals=_DEALS)
    match = match.claim_for(0, on=False)
    book = ByTheBook()
    while not match.over:
        match = match.deal()
        chance = Chance(1818, number, match.dealt, Purpose.LEAD)
        round_ = match.round
        while round_ is not None and round_.to_act is not None:
            card = (
                book.choose(View.of(round_, round_.to_act)) if number else chance.pick(round_.legal)
            )
            match = match.lead(card)
            round_ = match.round
    return match.divide() if match.board.total else match


def _round_text(round_: Round) -> str:
    """One deal: what lay before, every card played, every payment, what lies now."""
    plays = " ".join(f"{play.seat}{play.card!r}" for play in round_.plays)
    paid = "; ".join(
        f"{_party(payer)} {_party(payee)} {counters} {reason}"
        for payer, payee, counters, reason in round_.ledger.transfers
    )
    board = " ".join(map(str, round_.board))
    purses = " ".join(map(str, round_.purses))
    return f"{round_.dealer} {round_.turn_up!r} | {plays} | {paid} | {board} | {purses}"


def _party(party: int | Compartment) -> str:
    return party.value if isinstance(party, Compartment) else str(int(party))
