"""A sitting: a match between one person and bots, and the record in which it is kept.

The record is written whole when cards are dealt, and added to at every choice, so that nothing is
lost however the game is left. What follows a lead is forced, and so is in the record already.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from popejoan.board import Compartment
from popejoan.bots import Bot, bot
from popejoan.cards import PACK, BadRecord, Card, CardSet, Seat
from popejoan.deal import Deal, hand_sizes
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.view import View

__all__ = ["YOU", "Sitting", "data_folder", "new_file", "unfinished"]

YOU: Final = 0
"""The person's number in the match, and so the seat."""

_MARK: Final = "# popejoan play, bots:"
_DONE: Final = ".done"
_SUFFIX: Final = ".record"


def data_folder() -> Path:
    """The folder in which a user's matches are kept, by the custom of the system."""
    env = os.environ
    if kept := env.get("XDG_DATA_HOME"):
        return Path(kept) / "popejoan"
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "popejoan"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "popejoan"
    return Path.home() / ".local" / "share" / "popejoan"


def new_file() -> Path:
    """A file, not there yet, for the record of a match that begins now."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    folder = data_folder()
    number, path = 1, folder / f"{stamp}{_SUFFIX}"
    while path.exists() or path.with_suffix(f"{_DONE}{_SUFFIX}").exists():
        number += 1
        path = folder / f"{stamp}-{number}{_SUFFIX}"
    return path


def unfinished() -> Path | None:
    """The record of the match left last and not played to its end; None when there is none."""
    with suppress(OSError):
        left = [
            path
            for path in data_folder().glob(f"*{_SUFFIX}")
            if not path.name.endswith(_DONE + _SUFFIX)
        ]
        return max(left, key=lambda path: (path.stat().st_mtime_ns, path.name), default=None)
    return None


@dataclass
class Sitting:
    """A match at one moment, who plays in it, and the file that keeps it."""

    match: Match
    """The match."""
    names: tuple[str, ...]
    """The members' names."""
    bots: tuple[str, ...]
    """The names of the bots of members 1 up."""
    path: Path
    """Where the record is kept."""
    drawn: bool = False
    """Whether the cards are drawn from the system, and not from the seed of the match."""
    players: dict[int, Bot] = field(default_factory=dict)
    """The bots that have been made, by member."""

    # What is kept

    def save(self) -> None:
        """Write the record, whole or not at all; raise OSError when that cannot be done."""
        title, _, rest = Record.of(self.match, self.names).text.partition("\n")
        drawn = " (cards drawn by the system)" if self.drawn else ""
        text = f"{title}\n{_MARK} {' '.join(self.bots)}{drawn}\n{rest}"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        finally:
            with suppress(OSError):
                beside.unlink()

    def _add(self, line: str) -> None:
        """Add a line to the record: a torn one is dropped by ``load``."""
        try:
            with self.path.open("r+b") as file:
                file.seek(0, os.SEEK_END)
                file.write(f"{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except FileNotFoundError:
            self.save()

    def finish(self) -> None:
        """Keep the record of a finished match under a name that tells so."""
        self.save()
        if self.path.parent == data_folder():
            done = self.path.with_suffix(f"{_DONE}{_SUFFIX}")
            self.path.replace(done)
            self.path = done

    @classmethod
    def load(cls, path: Path) -> Sitting:
        """The sitting that a file keeps; raise OSError, or BadRecord with the line at fault."""
        text = path.read_bytes()
        # A record that is added to may have been cut off in its last line.
        text = text[: text.rfind(b"\n") + 1] or text
        record = Record.read(text)
        match = record.match
        found = re.search(rf"^{_MARK} ([^()\r\n]*)(\(.*)?$", text.decode(), re.MULTILINE)
        bots = found[1].split() if found else []
        others = len(match.members) - 1
        if match.sitting != tuple(range(others + 1)):
            raise BadRecord("players came and went in this match: it can be replayed, not resumed")
        bots = [*bots, *["book"] * others][:others]
        for name in bots:
            try:
                bot(name)
            except ValueError as error:
                raise BadRecord(str(error)) from None
        names = tuple(record.called(member) for member in range(others + 1))
        return cls(match, names, tuple(bots), path, drawn=bool(found and found[2]))

    # What happens

    def deal(self) -> None:
        """Deal the next cards."""
        self.match = self.match.deal(self._shuffled() if self.drawn else None)
        self.save()

    def _shuffled(self) -> Deal:
        """A deal drawn from the system: every deal can come, which no seed could promise."""
        match = self.match
        dealer = match.sitting.index(match.next_dealer)
        sizes = hand_sizes(match.rules, match.players, dealer)[0]
        turn_up, *cards = _system_order()
        hands = []
        for size in sizes:
            hands.append(CardSet.of(cards[:size]))
            cards = cards[size:]
        return Deal(tuple(hands), turn_up, CardSet.of(cards))

    def play(self, card: Card) -> None:
        """Play a card for the seat to act, and keep a lead."""
        round_ = self.match.round
        self.match = self.match.play(card)
        if round_ is not None and not round_.forced:
            self._add(f"lead {round_.to_act}: {card!r}")

    def claim(self, compartment: Compartment) -> None:
        """Claim a stake for the person."""
        self.match = self.match.claim(Seat(YOU), compartment)
        self._add(f"claim {YOU}: {compartment}")

    def claim_for_you(self, *, on: bool) -> None:
        """Set the person's switch 'claim for me'."""
        self.match = self.match.claim_for(YOU, on=on)
        self._add(f"switch {YOU}: {'on' if on else 'off'}")

    def end(self) -> None:
        """Agree to stop."""
        self.match = self.match.end()
        self.save()

    def bots_card(self, seat: Seat) -> Card:
        """The card that the bot in this seat leads."""
        match = self.match
        assert match.round is not None
        if seat not in self.players:
            self.players[seat] = bot(self.bots[seat - 1], match.seed + seat)
        return self.players[seat].choose(View.of(match.round, seat))

    def divide(self) -> None:
        """Share out the stakes left at the end."""
        hands = None
        if self.drawn:
            cards = _system_order()
            players = self.match.players
            hands = [CardSet.of(cards[seat::players]) for seat in range(players)]
        self.match = self.match.divide(hands)
        self.save()


def _system_order() -> Sequence[Card]:
    cards = list(PACK)
    secrets.SystemRandom().shuffle(cards)
    return cards
