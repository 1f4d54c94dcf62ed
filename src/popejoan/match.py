"""The match: deals in succession, the deal passing, members joining and leaving, the last division.

A *member* is whoever has sat down in the match, numbered in the order of the table; a *seat* is a
place in one round, 0 up, and the members sitting take the seats in their order. What happens
within one deal is ``round``'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from popejoan.board import Board, Compartment, Ledger
from popejoan.cards import PACK, BadDeal, BadRules, Card, CardSet, IllegalChange, Seat
from popejoan.deal import Deal, fault_with, first_knave
from popejoan.events import (
    ClaimsSwitched,
    DealerFound,
    Divided,
    Ended,
    Joined,
    Lapsed,
    Left,
    MatchEvent,
    RulesChanged,
)
from popejoan.payments import division
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Ending, Rules

__all__ = ["Match", "Moment", "Opening"]


class Opening(NamedTuple):
    """How a match began."""

    rules: Rules
    """The rules of the first deal, unless they were changed before it."""
    purses: tuple[int, ...]
    """The purse of each player who sat then."""
    board: Board
    """What lay on the board."""
    first_dealer: int | None
    """Who was to deal first; None when the first knave found the dealer."""


class Moment(NamedTuple):
    """When something happened beside the rounds."""

    dealt: int
    """How many deals had been dealt."""
    happened: int
    """How many events the last of them had."""


@final
@dataclass(frozen=True, slots=True)
class Match:
    """A sitting of Pope at one moment; immutable.

    >>> match = Match.start(Rules.HOYLE, players=4, seed=7, deals=1).deal()
    >>> while not match.over:
    ...     match = match.lead(min(match.round.legal))
    >>> sum(match.purses) + match.board.total
    192
    """

    rules: Rules
    """The rules; they may change between deals."""
    seed: int
    """What the deals are drawn from, unless they are given."""
    number: int
    """The number of the match under its seed."""
    deals: int | None
    """How many deals are to be played; None until the table agrees to stop."""
    members: tuple[int, ...]
    """The purse of each member at the last dressing."""
    sitting: tuple[int, ...]
    """The members who are in the next deal, in the order of their seats."""
    carried: Board
    """The board at the last dressing, before it."""
    opening: Opening
    """How the match began."""
    dealer: int
    """The member who dealt last; before the first deal, who will."""
    dealt: int = 0
    """How many deals have been dealt."""
    since_change: int = 0
    """How many of them since the table last changed."""
    round: Round | None = None
    """The deal being played, or the last one; None before the first and after a division."""
    seats: tuple[int, ...] = ()
    """The members in the seats of that deal; none where there is no deal."""
    past: tuple[tuple[tuple[int, ...], Round], ...] = ()
    """The deals before that one, or all of them where it is None, with the members in the seats."""
    claiming: tuple[bool, ...] = ()
    """For each member whether claims are made for them."""
    ended: bool = False
    """Whether the table has agreed to stop."""
    events: tuple[MatchEvent, ...] = ()
    """What has happened beside the rounds, in order."""
    moments: tuple[Moment, ...] = ()
    """When each of these events happened."""

    @classmethod
    def start(
        cls,
        rules: Rules = Rules.HOYLE,
        *,
        players: int = 4,
        seed: int = 0,
        number: int = 0,
        deals: int | None = None,
        first_dealer: int | None = None,
        board: Board = Board(),
        purses: Iterable[int] | None = None,
    ) -> Match:
        """Seat the players; unless ``first_dealer`` is given, the first knave finds the dealer.

        Raises BadRules when the rules cannot be played by so many or have no place for counters
        on the board, IllegalChange for a number of deals that the rules do not allow, ValueError
        for a dealer or purses that do not fit.
        """
        _check_fit(rules, players, board)
        if deals is not None and deals < 1:
            raise IllegalChange(f"a match of {deals} deals is none: play 1 or more")
        if deals is not None and rules.equal_deals and deals % players:
            raise IllegalChange(
                f"{deals} deals do not come round to all {players} players equally often, as "
                f"equal_deals asks: play {deals - deals % players + players}"
            )
        found: DealerFound | None = None
        dealer = first_dealer
        if dealer is None:
            cards = first_knave(seed, match=number)
            dealer = (len(cards) - 1) % players
            found = DealerFound(dealer, cards)
        elif not 0 <= dealer < players:
            raise ValueError(f"dealer {dealer!r} is no seat: they are 0 to {players - 1}")
        members = (rules.purse,) * players if purses is None else tuple(purses)
        if len(members) != players:
            raise ValueError(f"purses has {len(members)} entries for {players} players")
        match = cls(
            rules,
            seed,
            number,
            deals,
            members,
            tuple(range(players)),
            board,
            Opening(rules, members, board, first_dealer),
            dealer,
            claiming=(True,) * players,
        )
        return match._noting(found) if found else match

    # What stands

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.sitting)

    @property
    def board(self) -> Board:
        """The counters on the board now."""
        return self.carried if self.round is None else self.round.board

    @property
    def purses(self) -> tuple[int, ...]:
        """The counters of each member now, those who left included."""
        if self.round is None:
            return self.members
        now = list(self.members)
        for member, purse in zip(self.seats, self.round.purses):
            now[member] = purse
        return tuple(now)

    @property
    def total(self) -> int:
        """All counters: a purse for each member, wherever they now lie."""
        return sum(self.purses) + self.board.total

    @property
    def between(self) -> bool:
        """Whether no deal is being played."""
        return self.round is None or self.round.over

    @property
    def next_dealer(self) -> int:
        """The member who deals next: the first to the left of the last dealer (clause 9.2)."""
        if not self.dealt and self.dealer in self.sitting:
            return self.dealer
        return min(self.sitting, key=lambda member: (member <= self.dealer, member))

    @property
    def over(self) -> bool:
        """Whether the match has ended: by agreement, or with its last deal (clause 9.4)."""
        dealt = self.deals is not None and self.dealt >= self.deals and not self.unequal
        return self.ended or (dealt and self.between)

    @property
    def unequal(self) -> bool:
        """Whether some have dealt more often than others, though the rules ask that none does."""
        return self.rules.equal_deals and self.since_change % len(self.sitting) != 0

    def seat_of(self, member: int) -> Seat | None:
        """The seat of a member in the deal being played; None for one who has none."""
        return Seat(self.seats.index(member)) if member in self.seats else None

    def __str__(self) -> str:
        """The match drawn: how far it is, the table, and the counters of those who have no seat."""
        from popejoan import drawing

        return drawing.match(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks; the board alone where no deal lies on it."""
        from popejoan import drawing

        return drawing.match_svg(self)

    # What the table does

    def deal(self, deal: Deal | None = None) -> Match:
        """Dress the board and begin the next deal: the one given, or the next of the seed.

        Stakes still unclaimed lapse and stay on the board (clause 7.4). Raises IllegalChange when
        a deal is being played, the match is over, or too few sit; BadRules when the rules cannot
        be dealt to those who still sit; BadDeal when they do not deal so.
        """
        return self.after(self.next_round(deal))

    def next_round(self, deal: Deal | None = None) -> Round:
        """The round that ``deal`` would begin; it raises the same."""
        self._only_between("no cards can be dealt")
        sitting = self.sitting
        players = len(sitting)
        if players < FEWEST_PLAYERS:
            raise IllegalChange(f"{players} cannot play: {FEWEST_PLAYERS} or more must")
        seat = Seat(sitting.index(self.next_dealer))
        if deal is None:
            deal = Deal.shuffle(
                self.seed,
                players=players,
                rules=self.rules,
                dealer=seat,
                match=self.number,
                deal=self.dealt,
            )
        if deal.players != players:
            raise BadDeal([("hands", f"{deal.players} hands were dealt to {players} players")])
        purses, claiming = self.purses, self.claiming
        return Round.start(
            self.rules,
            deal,
            dealer=seat,
            board=self.board,
            purses=[purses[member] for member in sitting],
            claiming=[claiming[member] for member in sitting],
        )

    def after(self, round_: Round) -> Match:
        """The match whose present deal is this round: one that ``next_round`` gave, played on."""
        return replace(
            self._noting(*self._lapses()),
            members=self.purses,
            carried=self.board,
            dealer=self.next_dealer,
            dealt=self.dealt + 1,
            since_change=self.since_change + 1,
            round=round_,
            seats=self.sitting,
            past=self.history,
        )

    @property
    def history(self) -> tuple[tuple[tuple[int, ...], Round], ...]:
        """Every deal so far, each with the members in its seats; the last may be going on."""
        return self.past if self.round is None else (*self.past, (self.seats, self.round))

    def _lapses(self) -> Iterator[Lapsed]:
        for item in self.round.due if self.round else ():
            yield Lapsed(self.seats[item.seat], item.compartment, item.counters)

    def play(self, card: Card) -> Match:
        """The match after the seat to act plays this card; raises what ``Round.play`` raises."""
        return replace(self, round=self._round().play(card))

    def lead(self, card: Card) -> Match:
        """The match after this lead and all that follow it; raises what ``Round.lead`` raises."""
        return replace(self, round=self._round().lead(card))

    def run_on(self) -> Match:
        """The match at its next choice: every card that must follow has been played."""
        return replace(self, round=self._round().run_on())

    def claim(self, seat: Seat, compartment: Compartment) -> Match:
        """The match after a seat claims what it has earned; raises what ``Round.claim`` raises."""
        return replace(self, round=self._round().claim(seat, compartment))

    def claim_for(self, member: int, *, on: bool) -> Match:
        """Set a member's switch 'claim for me', in the deal being played and from then on."""
        if self.claiming[self._known(member)] == on:
            return self
        claiming = tuple(on if each == member else now for each, now in enumerate(self.claiming))
        seat = self.seat_of(member)
        if self.round is None or seat is None:
            return replace(self._noting(ClaimsSwitched(member, on)), claiming=claiming)
        return replace(self, claiming=claiming, round=self.round.claim_for(seat, on=on))

    def change_rules(self, rules: Rules) -> Match:
        """Play the next deal by other rules.

        Raises IllegalChange as ``deal`` does, BadRules when they do not fit the table.
        """
        self._only_between("the rules cannot change")
        _check_fit(rules, self.players, self.board)
        if rules == self.rules:
            return self
        return replace(self._noting(RulesChanged(rules)), rules=rules)

    def join(self, member: int | None = None, *, purse: int | None = None) -> Match:
        """Seat a newcomer after the last member, or one who left in the place left (clause 9.3).

        A newcomer brings ``purse`` counters, the rules' purse unless given. Raises IllegalChange
        as ``deal`` does, when the table is full, or when the member sits already; BadRules when the
        rules cannot be dealt to one more.
        """
        self._only_between("nobody can join")
        if len(self.sitting) >= MOST_PLAYERS:
            raise IllegalChange(f"nobody can join: {MOST_PLAYERS} sit already")
        match = self
        if member is None:
            member = len(self.members)
            brought = self.rules.purse if purse is None else purse
            match = replace(self, members=(*self.members, brought), claiming=(*self.claiming, True))
        if match._known(member) in self.sitting:
            raise IllegalChange(f"member {member} sits already")
        _check_fit(self.rules, self.players + 1, self.board)
        joined = Joined(member, match.purses[member])
        return match._seat(sorted((*self.sitting, member)), joined)

    def leave(self, member: int) -> Match:
        """Let a member go; the purse is kept with the match (clause 9.3).

        Raises IllegalChange as ``deal`` does, when the member does not sit, or sits alone.
        """
        self._only_between("nobody can leave")
        if self._known(member) not in self.sitting:
            raise IllegalChange(f"member {member} has left already")
        if len(self.sitting) == 1:
            raise IllegalChange(f"member {member} is the last at the table: end the match")
        left = Left(member, self.purses[member])
        return self._seat([each for each in self.sitting if each != member], left)

    def _seat(self, sitting: Iterable[int], event: MatchEvent) -> Match:
        return replace(self._noting(event), sitting=tuple(sitting), since_change=0)

    def end(self) -> Match:
        """Agree to stop (clause 9.4).

        Raises IllegalChange as ``deal`` does, and before all have dealt equally often when the
        rules ask for that.
        """
        self._only_between("the match cannot end")
        if self.unequal:
            raise IllegalChange("the match cannot end: not all have dealt equally often")
        return replace(self._noting(Ended()), ended=True)

    def divide(self, hands: Iterable[CardSet] | None = None) -> Match:
        """Share out the stakes left by a final deal, face up (clause 9.5).

        All 51 cards are dealt round; diamonds are trumps. Raises IllegalChange before the end,
        when nothing is left, or when the rules leave the stakes for another day; BadDeal when the
        hands given are not the pack.
        """
        if not self.over:
            raise IllegalChange("the stakes cannot be divided: the match is not over")
        if self.rules.ending is not Ending.FINAL_DEAL:
            raise IllegalChange(
                "the stakes are not divided: these rules leave them for another day"
            )
        if not self.board.total:
            raise IllegalChange("the stakes cannot be divided: none are left")
        if hands is None:
            hands = Deal.final(self.seed, players=self.players, match=self.number)
        hands = tuple(hands)
        whole = sum(hand.mask for hand in hands) == PACK.mask and sum(map(len, hands)) == 51
        if len(hands) != self.players or not whole:
            raise BadDeal([("hands", f"a final deal is all 51 cards in {self.players} hands")])
        transfers = division(self.board, hands)
        members = list(self.purses)
        ledger = Ledger(tuple(members[each] for each in self.sitting), self.board).pay(transfers)
        for member, purse in zip(self.sitting, ledger.purses):
            members[member] = purse
        return replace(
            self._noting(*self._lapses(), Divided(hands, transfers)),
            members=tuple(members),
            carried=ledger.board,
            ended=True,
            round=None,
            seats=(),
            past=self.history,
        )

    @property
    def moment(self) -> Moment:
        """Where the match stands, for what happens beside the rounds."""
        return Moment(self.dealt, len(self.round.events) if self.round else 0)

    def _noting(self, *events: MatchEvent) -> Match:
        """The match with these events added, which happen now."""
        if not events:
            return self
        moments = (*self.moments, *[self.moment] * len(events))
        return replace(self, events=(*self.events, *events), moments=moments)

    def _round(self) -> Round:
        if self.round is None:
            raise IllegalChange("nothing has been dealt yet")
        return self.round

    def _only_between(self, what: str) -> None:
        """Raise IllegalChange during a deal and after the end; ``what`` says what cannot be."""
        if not self.between:
            raise IllegalChange(f"{what} during a deal: play it out first")
        if self.over:
            raise IllegalChange(f"{what} any more: the match is over")

    def _known(self, member: int) -> int:
        last = len(self.members) - 1
        if not 0 <= member <= last:
            raise IllegalChange(f"there is no member {member!r}: they are 0 to {last}")
        return member


def _check_fit(rules: Rules, players: int, board: Board) -> None:
    """Raise BadRules unless so many can play by the rules on a board that holds this."""
    faults = []
    if fault := fault_with(rules, players):
        faults.append(("players", fault))
    for place, counters in board.items() if any(board.counters) else ():
        if counters and not rules.stakes[place]:
            says = f"{place} holds {counters} counters, but these rules have no such compartment"
            faults.append(("stakes", says))
    if faults:
        raise BadRules(faults)
