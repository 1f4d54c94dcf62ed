"""An episode played on in place, for a library whose states change and are seldom looked at.

Lead by lead it is what ``Episode.play`` gives; the rounds in between are made when asked for.
"""

from __future__ import annotations

from typing import Any, final

from popejoan.envs.episode import Episode
from popejoan.events import LED
from popejoan.round import Table

__all__ = ["Course"]


@final
class Course:
    """Where an episode stands, always at a choice or at its end."""

    __slots__ = (
        "_before",
        "_begun",
        "_now",
        "_paid",
        "_plain",
        "_table",
        "_winner",
        "bits",
        "seat",
    )

    def __init__(self, episode: Episode, before: tuple[int, ...] | None = None) -> None:
        """Go on from an episode; ``before`` are the balances at the choice before, if any was."""
        self._stand(episode, before)

    def _stand(self, episode: Episode, before: tuple[int, ...] | None) -> None:
        round_ = episode.round
        self._begun = episode
        self._now: Episode | None = episode
        self._before = before
        self._table = Table(round_.held)
        self._paid = -1  # payments before the last lead; -1 where none was made from here
        self._winner: int | None = None
        self._plain = (
            episode.single and episode.setting.ask == "leads" and all(round_.claiming)
        )  # a round of leads, of which nothing is ever due
        self.bits = episode.bits
        """What the seat that is asked may do, as a mask of bits; 0 at the end."""
        self.seat: int | None = episode.to_act
        """The seat that is asked; None at the end."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Course:
        """One that goes on from here by itself; a search makes many."""
        return Course(self.episode, self.before)

    def __reduce__(self) -> tuple[type[Course], tuple[Episode, tuple[int, ...] | None]]:
        """The same, through a pickle."""
        return Course, (self.episode, self.before)

    def play(self, action: int) -> None:
        """Go on to the next choice, after the seat that is asked takes this action.

        Raises IllegalPlay, with the reason, for an action that may not be taken; nothing is
        changed then.
        """
        seat = self.seat
        if not self._plain or seat is None or action < 0 or not self.bits >> action & 1:
            now = self.episode
            self._stand(now.play(action), now.balances)
            return
        round_, table = self._begun.round, self._table
        self._now = None
        self._paid = len(table.transfers)
        seat, _, self._winner = round_.lay(seat, action, LED, table, True)
        self.seat = seat
        self.bits = 0 if seat is None else round_.leads_of(seat, table.held)

    @property
    def episode(self) -> Episode:
        """The episode as it stands."""
        if self._now is None:
            begun, seat = self._begun, self.seat
            round_ = begun.round.gather(self._table, seat, -1, self._winner)
            self._now = begun._replace(round=round_, chosen=True, bits=self.bits, over=seat is None)
        return self._now

    @property
    def before(self) -> tuple[int, ...] | None:
        """What each seat had won or lost at the choice before; None where none was made."""
        if self._paid < 0:
            return self._before
        begun = self._begun
        ledger = begun.round.ledger.pay(self._table.transfers[: self._paid])
        purse = begun.setting.book.purse
        return tuple([now - purse for now in ledger.purses])
