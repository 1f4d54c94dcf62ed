"""An episode at one moment: a round, or a match, from choice to choice; the same in every door.

Nothing here knows of any library. An episode is immutable: a copy is the same, and a play gives
another.
"""

from __future__ import annotations

from dataclasses import replace
from operator import index
from typing import Any, NamedTuple

from popejoan.board import Compartment
from popejoan.cards import BadCard, Card, IllegalPlay, Seat
from popejoan.envs.encoding import CARDS, LAPSE, bits_of
from popejoan.envs.setting import Setting
from popejoan.match import Match
from popejoan.round import Round
from popejoan.rules import Ending
from popejoan.view import View

__all__ = ["Episode"]

_PLACES = tuple(Compartment)


class Episode(NamedTuple):
    """Where an episode stands, always at a choice or at its end."""

    setting: Setting
    """What is played."""
    own: int | None
    """The seat for whose choices the episode is; None for all."""
    match: Match
    """The match as it was before the present deal; at the end as it ended, unless ``single``."""
    round: Round
    """The deal being played, or the last one."""
    chosen: bool = False
    """Whether a choice has been made."""
    lapsed: int = 0
    """Mask of the seats that let their claims lapse after this deal."""
    over: bool = False
    """Whether the episode has ended."""
    single: bool = False
    """Whether it is the one deal, though nothing be asked in it."""
    bits: int = 0
    """What the seat that is asked may do, as a mask of bits; 0 at the end."""

    @classmethod
    def begin(cls, setting: Setting, seed: int, number: int, *, own: int | None = None) -> Episode:
        """Episode ``number`` of a seed, at its first choice.

        With ``own`` it lasts until that seat has made a choice, and the others' claims are made.
        """
        players = setting.players
        dealer = number % players if setting.dealer is None else setting.dealer
        match = Match.start(
            setting.book, players=players, seed=seed, number=number, first_dealer=dealer
        )
        if setting.encoding.called:
            claiming = tuple(own not in (None, seat) for seat in range(players))
            match = replace(match, claiming=claiming)
        return cls(setting, own, match, match.next_round())._onward()

    @classmethod
    def of_round(cls, setting: Setting, match: Match, round_: Round) -> Episode:
        """The next round of a match and no other, at its first choice or already over."""
        return cls(setting, None, match, round_, single=True)._onward()

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        """Itself: nothing in it can change."""
        return self

    # What stands

    @property
    def to_act(self) -> Seat | None:
        """The seat that is asked; None at the end."""
        if self.over:
            return None
        if self.round.to_act is not None:
            return self.round.to_act
        return self._claimant()

    def _claimant(self) -> Seat | None:
        """The seat that is asked for its claims after the round, from the winner's left."""
        round_ = self.round
        if not round_.due:
            return None
        first = (round_.winner or 0) + 1
        due = {item.seat for item in round_.due}
        for step in range(round_.players):
            seat = Seat((first + step) % round_.players)
            if seat in due and not self.lapsed >> seat & 1:
                return seat
        return None

    def view(self, seat: int) -> View:
        """What a seat may know."""
        return View.of(self.round, seat)

    def _bits(self) -> int:
        seat = self.to_act
        if seat is None:
            return 0
        if not self.round.due:
            return self.round.legal_mask
        return bits_of(self.view(seat), claims=self.own in (None, seat))

    @property
    def balances(self) -> tuple[int, ...]:
        """The counters that each seat has won or lost since the episode began."""
        purse = self.setting.book.purse
        if self.over and self.setting.deals is not None:
            return tuple([now - purse for now in self.match.purses])
        return tuple([now - purse for now in self.round.ledger.purses])

    @property
    def settled(self) -> tuple[int, ...]:
        """The same, as it was when the last round ended."""
        if self.over or self.round.over:
            return self.balances
        purse = self.setting.book.purse
        return tuple([now - purse for now in self.match.purses])

    @property
    def dealt(self) -> int:
        """How many deals have been dealt."""
        ended = self.over and not self.single
        return self.match.dealt if ended else self.match.dealt + 1

    def refusal(self, action: object) -> str | None:
        """Why an action may not be taken now, in words; None when it may."""
        try:
            number = index(action)  # type: ignore[arg-type]  # anything may come
        except TypeError:
            return f"{action!r} is no action: an action is a whole number"
        actions = self.setting.encoding.actions
        if self.over:
            return f"action {number} cannot be taken: the episode is over"
        if not 0 <= number < actions:
            return f"no action has the number {number}: they run from 0 to {actions - 1}"
        if self.bits >> number & 1:
            return None
        seat = self.to_act
        if number >= CARDS:
            if number == LAPSE:
                return (
                    f"action {number} lets claims of seat {seat} lapse: that is for after a round"
                )
            why = self.round.claim_refusal(int(seat or 0), _PLACES[number - CARDS])
            return f"action {number} claims: {why}"
        try:
            card = Card(number)
        except BadCard as error:
            return f"action {number} cannot be taken: {error}"
        return f"action {number}: {self.round.refusal(card)}"

    # What may be done

    def play(self, action: int) -> Episode:
        """The episode at its next choice, after the seat that is asked takes this action.

        Raises IllegalPlay, with the reason, for an action that may not be taken.
        """
        try:
            number = index(action)
        except TypeError:
            number = -1
        setting, own, match, round_, chosen, lapsed, _, single, bits = self
        if number < 0 or not bits >> number & 1:
            raise IllegalPlay(str(self.refusal(action)), repr(round_))
        chosen = chosen or own is None or own == self.to_act
        if number < CARDS:
            round_ = round_.go_on(number, to_stop=setting.ask == "leads")
            if round_.to_act is not None and not round_.due:
                bits = round_.legal_mask
                # As a round makes its next: this is the way of nearly every play.
                return tuple.__new__(
                    Episode, (setting, own, match, round_, chosen, lapsed, False, single, bits)
                )
        else:
            seat = self.to_act
            assert seat is not None
            if number == LAPSE:
                lapsed |= 1 << seat
            else:
                round_ = round_.claim(seat, _PLACES[number - CARDS])
        return self._replace(round=round_, chosen=chosen, lapsed=lapsed)._onward()

    def _onward(self) -> Episode:
        """On to the next choice: over deals in which nothing is asked, or to the end."""
        now = self
        while now.round.to_act is None and now._claimant() is None:
            if now.single:
                return now._replace(over=True, bits=0)
            match = now.match.after(now.round)
            if now.chosen and match.dealt >= (now.setting.deals or 1) and not match.unequal:
                return now._replace(match=now._divided(match), over=True, bits=0)
            now = now._replace(match=match, round=match.next_round(), lapsed=0)
        setting, own, match, round_, chosen, lapsed, _, single, _ = now
        return Episode(setting, own, match, round_, chosen, lapsed, False, single, now._bits())

    def _divided(self, match: Match) -> Match:
        """The match with the stakes left shared out, where the rules of a match have it so."""
        rules = self.setting.book
        if self.setting.deals is None or rules.ending is not Ending.FINAL_DEAL:
            return match
        return match.end().divide() if match.board.total else match.end()
