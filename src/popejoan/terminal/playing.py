"""One person at a screen against bots, until the match is over or left."""

from __future__ import annotations

import re

from popejoan.advice.hints import hint
from popejoan.board import Compartment
from popejoan.cards import Card, PopeJoanError
from popejoan.drawing import counters_text, events, hand
from popejoan.events import Divided
from popejoan.rules import Claims, Ending, Peek
from popejoan.terminal.manual import BETWEEN, HELP, WORDS
from popejoan.terminal.rules import rules_in_words
from popejoan.terminal.screen import Screen
from popejoan.terminal.sitting import YOU, Sitting
from popejoan.terminal.table import Table, results
from popejoan.terminal.typed import Unclear, card_typed
from popejoan.terminal.words import book_hint, may_lead
from popejoan.view import View

__all__ = ["Playing"]


class _Left(Exception):
    """The player has left the table."""


class Playing:
    """One sitting at a screen."""

    def __init__(self, screen: Screen, sitting: Sitting) -> None:
        self.screen = screen
        self.sitting = sitting
        self.table = Table(screen, sitting.names, YOU)
        self._shown = -1

    @property
    def _view(self) -> View:
        assert self.sitting.match.round is not None
        return View.of(self.sitting.match.round, YOU)

    def run(self, *, resumed: bool = False) -> None:
        """Play until the match is over or left; everything is kept on the way."""
        try:
            if resumed and self.sitting.match.round is not None:
                self._resume()
            while not self.sitting.match.over:
                match = self.sitting.match
                if match.between:
                    if match.round is not None and not self._between():
                        break
                    self._deal()
                self._play()
            self._finish()
        except (_Left, KeyboardInterrupt):
            self.screen.end_line()
            if self.sitting.match.dealt:
                self.sitting.save()
            self.screen.say("You leave the table. Nothing is lost: popejoan play --resume goes on.")

    # The deal

    def _resume(self) -> None:
        self._heading("goes on")
        self.screen.hurried = True
        self.table.tell(self._view.events)
        self.screen.hurried = False

    def _heading(self, more: str = "") -> None:
        match = self.sitting.match
        of = f" of {match.deals}" if match.deals else ""
        self.screen.say()
        self.screen.say(f"Deal {match.dealt}{of} {more}".rstrip(), "bold")

    def _deal(self) -> None:
        self._news(0 if not self.sitting.match.dealt else len(self.sitting.match.events))
        known = len(self.sitting.match.events)
        self.sitting.deal()
        self._heading()
        self._news(known)
        self.table.tell(self._view.events)
        self.screen.pause(3)
        self._shown = -1

    def _news(self, known: int) -> None:
        """Tell what has happened between deals since ``known`` of its events."""
        for event in self.sitting.match.events[known:]:
            self.screen.say()
            self.screen.say(self.table.teller.event(event), "yellow")

    def _play(self) -> None:
        """Play the deal out."""
        while True:
            round_ = self.sitting.match.round
            assert round_ is not None
            if round_.to_act is None:
                return
            if round_.forced:
                self._card(next(iter(round_.legal)))
            elif round_.to_act == YOU:
                self._turn()
            else:
                self._card(self.sitting.bots_card(round_.to_act))

    def _card(self, card: Card) -> None:
        known = len(self._view.events)
        self.sitting.play(card)
        self.table.tell(self._view.events[known:])

    # Your lead

    def _turn(self) -> None:
        """Ask until a card is led."""
        view = self._view
        others = any(
            getattr(event, "seat", YOU) != YOU for event in view.events[max(0, self._shown) :]
        )
        if self._shown < 0 or others:
            self.screen.say()
            self.table.board(view)
        self._shown = len(view.events)
        self._your_hand()
        while True:
            only = f"Enter leads {self.table.card(self._legal[0])}> "
            text = self._ask(only if len(self._legal) == 1 else "Lead> ")
            if not text and len(self._legal) == 1:
                card: Card | None = self._legal[0]
            else:
                card = self._word_or_card(text)
            if card is not None:
                if why := self._view.refusal(card):
                    self.screen.say(f"{self._with_signs(why)}.", "red")
                    continue
                self._card(card)
                return

    def _with_signs(self, why: str) -> str:
        """The game's words, with cards written as the screen has them."""
        return re.sub(r"\b[A2-9TJQK][CDHS]\b", lambda it: self.table.card(Card.parse(it[0])), why)

    @property
    def _legal(self) -> list[Card]:
        """The choices in the order in which they are shown."""
        view = self._view
        return sorted(view.legal, key=lambda card: (card.suit, view.rules.order.height(card)))

    def _your_hand(self) -> None:
        view = self._view
        self.table.hand(view)
        if view.legal:
            self.table.choices(self._legal)
            self.screen.say(may_lead(view, ascii=self.screen.ascii), "dim", indent=2)

    def _word_or_card(self, text: str) -> Card | None:
        """Do what the text asks for; a card that it names is given back."""
        if not text:
            self._your_hand()
            return None
        word, _, rest = text.casefold().partition(" ")
        if word == "q":
            self.screen.say("Write 'quit' to leave, or 'queen' for the card.", "red")
            return None
        if word in WORDS:
            self._do(word, rest.strip())
            return None
        view = self._view
        try:
            return card_typed(text, self._legal, view.hand)
        except Unclear as error:
            meant = [each for each in WORDS if len(word) > 1 and each.startswith(word)]
            if len(meant) == 1:
                self._do(meant[0], rest.strip())
            else:
                self.screen.say(f"{str(error)[:1].upper()}{str(error)[1:]}.", "red")
        return None

    def _ask(self, prompt: str) -> str:
        text = self.screen.ask(prompt)
        if text is None:
            raise _Left
        return text

    # The words

    def _do(self, word: str, rest: str) -> None:
        view = self._view
        match word:
            case "quit" | "exit":
                raise _Left
            case "?" | "help":
                self.screen.show(HELP)
                if self.sitting.match.between:
                    self.screen.show(BETWEEN)
            case "hint":
                self._hint(view)
            case "board":
                self.table.board(view)
                self._due(view)
            case "hand":
                self._your_hand()
            case "stops":
                self._stops(view)
            case "stock":
                self._stock(view)
            case "log":
                for line in events(
                    view.events, names=self.table.names, you=YOU, ascii=self.screen.ascii
                ):
                    self.screen.say(line)
            case "rules":
                rules_in_words(self.screen, view.rules)
            case "claims":
                self._claims(rest)
            case _:
                self._claim(rest)

    def _hint(self, view: View) -> None:
        if view.legal:
            self.screen.say(hint(view, ascii=self.screen.ascii).text(ascii=self.screen.ascii))
            self.screen.say(book_hint(view, ascii=self.screen.ascii), "dim")
        else:
            self.screen.say("There is nothing to lead now.")

    def _due(self, view: View) -> None:
        due = [item for item in view.due if item.seat == YOU]
        for item in due:
            self.screen.say(
                f"Due to you: {item.compartment.value.title()}, {counters_text(item.counters)}."
            )

    def _stops(self, view: View) -> None:
        self.screen.say("Stops that you know, and are not played:")
        for card in view.stops:
            held = " (yours)" if card in view.hand else ""
            stop = view.stop(card)
            assert stop is not None
            why = self.table.teller.why(card, stop)
            self.screen.say(f"{self.table.card(card)}{held}: {why}", indent=2)
        if not view.stops:
            self.screen.say("none", indent=2)

    def _stock(self, view: View) -> None:
        if view.stock is not None:
            drawn = hand(view.stock, order=view.rules.order, ascii=self.screen.ascii)
            self.screen.say(f"The stock:  {drawn}")
        elif view.rules.peek is Peek.NOBODY:
            self.screen.say("By these rules nobody may look at the stock.", "red")
        else:
            dealer = self.table.names[view.dealer]
            self.screen.say(f"Only the dealer may look at the stock, and {dealer} deals.", "red")

    def _claims(self, rest: str) -> None:
        if rest not in ("on", "off") or self._view.claiming[YOU] is (rest == "on"):
            on = "on: they are made for you" if self._view.claiming[YOU] else "off: you call them"
            self.screen.say(f"Your claims are {on}. Write 'claims on' or 'claims off'.")
            return
        if self._view.rules.claims is not Claims.CALLED:
            self.screen.say("By these rules stakes are taken at once: there is nothing to claim.")
            return
        known = len(self._view.events)
        self.sitting.claim_for_you(on=rest == "on")
        self.table.tell(self._view.events[known:])

    def _claim(self, rest: str) -> None:
        due = [item.compartment for item in self._view.due if item.seat == YOU]
        places = due if rest == "all" else [
            place for place in Compartment if rest and place.value.startswith(rest)
        ]  # fmt: skip
        if len(places) != 1 and rest != "all":
            names = ", ".join(Compartment)
            self.screen.say(
                f"Claim what? Write 'claim pope': one of {names}; or 'claim all'.", "red"
            )
            return
        known = len(self._view.events)
        try:
            for place in dict.fromkeys(places):
                self.sitting.claim(place)
        except PopeJoanError:
            shown = ", ".join(place.value.title() for place in due) or "nothing"
            self.screen.say(
                f"You have no claim on {places[0].value.title()}: due to you is {shown}.", "red"
            )
            return
        if not places:
            self.screen.say("Nothing is due to you.")
        self.table.tell(self._view.events[known:])

    # Between deals, and the end

    def _between(self) -> bool:
        """Whether the match goes on with another deal."""
        self.screen.say()
        self.table.players(self._view)
        while True:
            text = self._ask("Enter deals the next, 'stop' ends the match> ").casefold()
            if text in ("", "1", "next", "deal"):
                return True
            if text in ("2", "stop", "end"):
                try:
                    self.sitting.end()
                except PopeJoanError as error:
                    self.screen.say(f"{str(error)[:1].upper()}{str(error)[1:]}.", "red")
                    continue
                return False
            self._between_word(text)

    def _between_word(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        meant = [each for each in WORDS if each == word] or [
            each for each in WORDS if len(word) > 1 and each.startswith(word)
        ]
        if len(meant) == 1:
            self._do(meant[0], rest.strip())
        else:
            self.screen.say("Press Enter for the next deal, 'stop' to end, or ? for help.", "red")

    def _last_claims(self) -> None:
        """Let a player who calls his own claims make the last ones."""
        while any(item.seat == YOU for item in self._view.due):
            text = self._ask("The match is over. Enter ends it> ").casefold()
            if not text or text == "1":
                return
            self._between_word(text)

    def _finish(self) -> None:
        sitting, screen = self.sitting, self.screen
        if sitting.match.round is not None:
            self._last_claims()
        known = len(sitting.match.events)
        left = sitting.match.board.total
        if left and sitting.match.rules.ending is Ending.FINAL_DEAL:
            screen.say()
            screen.say(f"{counters_text(left)} left on the board go by a last deal.", "bold")
            sitting.divide()
            for event in sitting.match.events[known:]:
                if isinstance(event, Divided):
                    for seat, cards in enumerate(event.hands):
                        name = "You" if seat == YOU else self.table.names[seat]
                        screen.say(f"{name}:  {hand(cards, ascii=screen.ascii)}", indent=2)
            self._news(known)
        elif left:
            screen.say(f"{counters_text(left)} stay on the board for another day.")
        results(screen, sitting.match, ["You", *self.table.names[1:]])
        best = max(sitting.match.purses)
        winners = [
            "You" if member == YOU else self.table.names[member]
            for member, purse in enumerate(sitting.match.purses)
            if purse == best
        ]
        verb = "wins" if len(winners) == 1 and winners != ["You"] else "win"
        screen.say(f"{' and '.join(winners)} {verb} the match.", "bold")
        sitting.finish()
        screen.say(f"The record is kept: popejoan replay {sitting.path}", "dim")
