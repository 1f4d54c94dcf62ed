"""The table as a player sees it: drawn from the view of the seat, told from public events."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len

from popejoan.cards import Card
from popejoan.drawing import Teller, board, card_text, hand, suits
from popejoan.events import (
    Claimed,
    Earned,
    Event,
    Followed,
    Led,
    MatchEvent,
    RoundOver,
    Stopped,
    WentOut,
)
from popejoan.match import Match
from popejoan.terminal.screen import Screen, fit
from popejoan.view import View

__all__ = ["Table", "results"]

_LONGEST_NAME: Final = 12


class Table:
    """Shows one player the table; what it is given to show is a view, or public events."""

    def __init__(self, screen: Screen, names: Sequence[str], you: int | None) -> None:
        self.screen = screen
        self.names = tuple(_name(screen, name, seat) for seat, name in enumerate(names))
        self.you = you
        self.teller = Teller(self.names, you=you, ascii=screen.ascii)
        self._asides: list[str] = []

    # What happens

    def tell(self, events: Iterable[Event | MatchEvent]) -> None:
        """Tell events as they come: cards fall one by one, then what they earned and the stop."""
        told = list(events)
        for event, after in zip(told, [*told[1:], None]):
            match event:
                case Led(seat, card):
                    self.screen.end_line()
                    self._card(f"{self.teller.does(seat, 'lead')} {self.card(card)}", seat)
                case Followed(seat, card):
                    self.screen.add(",")
                    self._card(f" {self.teller.name(seat)} {self.card(card)}", seat)
                case Stopped():
                    self.screen.add(f". Stop: {self.teller.why(event.card, event.stop)}.", "dim")
                    self._end_run()
                    self.screen.pause(2)
                case WentOut():
                    self.screen.add(f". {self.teller.event(event)}", "bold")
                    self._end_run()
                case RoundOver():
                    self._end_run()
                    self.screen.say(self.teller.event(event), "bold", indent=2)
                case Earned(seat, place, counters) if after == Claimed(seat, place, counters):
                    pass
                case _:
                    self._asides.append(self.teller.event(event))
        if not self.screen.in_line:
            self._end_run()

    def card(self, card: Card) -> str:
        """The card in the characters of the screen."""
        return card_text(card, ascii=self.screen.ascii)

    def _card(self, text: str, seat: int) -> None:
        self.screen.add(text, "bold" if seat == self.you else "")
        self.screen.pause()

    def _end_run(self) -> None:
        self.screen.end_line()
        for aside in self._asides:
            self.screen.say(aside, "yellow", indent=2)
        self._asides = []

    # What stands

    def board(self, view: View) -> None:
        """The board, the turn-up and who has what."""
        screen = self.screen
        drawn = board(
            view.board,
            compartments=view.rules.compartments,
            width=screen.width,
            ascii=screen.ascii,
        )
        screen.show(drawn, "yellow")
        dealer = "You* deal" if view.dealer == self.you else f"{self.names[view.dealer]}* deals"
        screen.say(
            f"Turn-up {self.card(view.turn_up)}: {view.trump.name.lower()} are trumps. "
            f"{dealer}. Stock: {view.stock_size} cards."
        )
        self.players(view)

    def players(self, view: View) -> None:
        """Each player's cards and counters, the dealer marked; in as many rows as it takes."""
        screen = self.screen
        cells = []
        for seat, (cards, counters) in enumerate(zip(view.counts, view.purses)):
            name = "You" if seat == self.you else self.names[seat]
            cells.append((name + ("*" if seat == view.dealer else ""), str(cards), str(counters)))
        wide = max(cell_len(text) for cell in cells for text in cell)
        label = 10
        each = max(4, min(wide, (screen.width - label) // len(cells) - 2))
        if each < min(wide, 6):
            each = min(wide, 8)
        in_row = max(1, (screen.width - label) // (each + 2))
        for first in range(0, len(cells), in_row):
            some = cells[first : first + in_row]
            for nth, word in enumerate(("", "cards", "counters")):
                right = (fit(text[nth], each) if cell_len(text[nth]) > each else text[nth]
                         for text in some)  # fmt: skip
                line = "".join("  " + " " * (each - cell_len(text)) + text for text in right)
                screen.show(fit(word, label - 2) + line, "dim" if not nth else "")

    def hand(self, view: View) -> None:
        """The player's hand by suits."""
        if not view.dealt:
            self.screen.say("You sit out this deal, and may look at the stock.")
            return
        drawn = hand(view.hand, order=view.rules.order, ascii=self.screen.ascii)
        if cell_len(drawn) + 12 <= self.screen.width:
            self.screen.say(f"Your hand:  {drawn}")
            return
        self.screen.say("Your hand:")
        for _, of_suit in suits(view.hand, order=view.rules.order, ascii=self.screen.ascii):
            self.screen.say(of_suit, indent=2)

    def choices(self, legal: Sequence[Card]) -> None:
        """The legal cards, numbered."""
        listed = (f"{number}:{self.card(card)}" for number, card in enumerate(legal, 1))
        self.screen.say("You may lead:  " + "  ".join(listed), indent=0)


def _name(screen: Screen, name: str, seat: int) -> str:
    """The name in the characters of the screen, and not too long for it."""
    if screen.ascii:
        letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
        name = letters.strip() or f"Player {seat}"
    return fit(name, _LONGEST_NAME).rstrip()


def results(screen: Screen, match: Match, names: Sequence[str]) -> None:
    """Who won and who lost, the highest first."""
    start = match.rules.purse
    rows = sorted(zip(match.purses, names), key=lambda row: -row[0])
    screen.say()
    screen.columns(
        [
            ("", "counters", "won or lost"),
            *(
                (fit(name, _LONGEST_NAME).rstrip(), str(purse), f"{purse - start:+d}")
                for purse, name in rows
            ),
        ]
    )
