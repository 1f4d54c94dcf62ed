"""The rules in words: each field's clause of RULES.md, its question, and what each value means.

Screens, the command ``popejoan rules`` and RULES.md all take their words from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from popejoan.board import Board
from popejoan.rules import (
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

__all__ = ["WORDINGS", "Clause", "Wording", "clauses"]


class Wording(NamedTuple):
    """The words of one field of the rules."""

    number: str
    """The clause of RULES.md."""
    question: str
    """What the field decides, as a question."""
    values: Mapping[Any, tuple[str, str]]
    """For each value what it means at the table, and the books that have it.

    Where a field holds a number or a board, ``"set"`` stands for any, written ``{value}``.
    """


class Clause(NamedTuple):
    """One field of the rules in words: its clause of RULES.md, its value, and what that means."""

    number: str
    """The clause of RULES.md."""
    field: str
    """The name of the field."""
    value: Any
    """The field's value."""
    sentence: str
    """What the value means at the table."""
    source: str
    """The book that has it."""


WORDINGS: Final[Mapping[str, Wording]] = {
    "ace": Wording(
        "1.3",
        "Where does the ace stand?",
        {
            Ace.LOW: (
                "The ace is low: a suit runs from ace to king.",
                "Hoyle, Cassell, Peel, Hoffmann",
            ),
            Ace.HIGH: ("The ace is high: a suit runs from two to ace, and aces stop.", "Parlett"),
        },
    ),
    "purse": Wording(
        "1.4",
        "How many counters does a player start with?",
        {"set": ("Each player starts with {value} counters.", "Hoffmann: 36 to 48")},
    ),
    "stakes": Wording(
        "2.1",
        "Which compartments has the board, and what dresses each?",
        {
            "set": (
                "The board is dressed with {value}.",
                "every book; Peel's five-pool board has no king, queen or knave",
            )
        },
    ),
    "dressing": Wording(
        "2.2",
        "Who dresses the board?",
        {
            Dressing.DEALER: (
                "The dealer dresses the board alone.",
                "Hoyle, Cassell, Hoffmann, Parlett",
            ),
            Dressing.POOL: (
                "Each player gives two counters; the dealer makes up what is short, and anything "
                "over goes to Game.",
                "Hoyle, in some companies",
            ),
            Dressing.RAISE: (
                "Each player gives alike and the dealer double, enough to dress the board; the "
                "remainder goes to Game.",
                "Peel",
            ),
            Dressing.EACH: (
                "Each player lays two counters in every compartment.",
                "Board Games of Old",
            ),
            Dressing.SINGLE: (
                "The dealer lays one counter in each bare compartment, or one in Game when none "
                "is bare.",
                "Peel's variation: card money to the board",
            ),
        },
    ),
    "stock": Wording(
        "3.2",
        "How many cards lie out of play?",
        {
            Stock.SIX_TO_EIGHT: (
                "Hands are equal, and the stock is as near to six to eight as that allows.",
                "Hoyle",
            ),
            Stock.SPARE_HAND: (
                "Hands are equal, one spare hand is dealt, and the surplus is added to it.",
                "Cassell, Peel, Parlett",
            ),
            Stock.DEALT_ROUND: (
                "Cards are dealt one by one to the players and an extra hand to the end of the "
                "pack, so hands may differ by one.",
                "Hoffmann, Board Games of Old",
            ),
        },
    ),
    "hand_size": Wording(
        "3.3",
        "Is the size of a hand fixed?",
        {
            None: ("The size of a hand follows from the number of players.", "Hoyle"),
            "set": ("Each hand has {value} cards; the rest is the stock.", "a choice of the table"),
        },
    ),
    "turn_up": Wording(
        "3.4",
        "Where does the turn-up come from?",
        {
            TurnUp.APART: (
                "The turn-up is set apart from hands and stock.",
                "Hoyle, Peel, Hoffmann",
            ),
            TurnUp.IN_STOCK: ("The turn-up is the last card of the stock, faced.", "Parlett"),
        },
    ),
    "peek": Wording(
        "3.5",
        "Who may look at the stock?",
        {
            Peek.DEALER: ("The dealer alone may look at the stock.", "Hoyle, Cassell"),
            Peek.NOBODY: ("Nobody may look at the stock.", "Peel, Hoffmann, Parlett"),
            Peek.SITS_OUT: (
                "The dealer may look at the stock, and is dealt no hand.",
                "Peel's advice",
            ),
        },
    ),
    "pope_turned": Wording(
        "4.2",
        "What does a turned-up Pope do?",
        {
            PopeTurned.ENDS: (
                "The dealer takes Pope and Game, each other player pays him one counter for each "
                "card dealt to that player, and the deal is over.",
                "Hoyle, Cassell",
            ),
            PopeTurned.CARDS: (
                "The dealer takes Pope, each other player pays him one counter for each card "
                "dealt to that player, and play goes on.",
                "Peel",
            ),
            PopeTurned.HEAD: ("The dealer takes Pope, and play goes on.", "Hoffmann, Parlett"),
            PopeTurned.THROWN_IN: (
                "The dealer takes Pope and Game, nobody pays for cards, and the deal is over.",
                "Board Games of Old, a variation",
            ),
        },
    ),
    "pope_cap": Wording(
        "4.3",
        "Is the payment for a turned-up Pope capped?",
        {
            None: ("The payment for a turned-up Pope is not capped.", "Hoyle, Peel"),
            "set": (
                "No player pays more than {value} for a turned-up Pope.",
                "Peel's advice: 4 or 6",
            ),
        },
    ),
    "lead": Wording(
        "5.2",
        "Which cards may be led?",
        {
            Lead.BOOK: (
                "A player on lead leads a stop he knows, else Pope, else the lowest card of his "
                "longest suit or any ace.",
                "Hoyle",
            ),
            Lead.ANY: ("Any card may be led.", "Cassell, Peel, Hoffmann"),
            Lead.LOWEST: (
                "The lowest card of a suit of his choice is led.",
                "Parlett, Board Games of Old",
            ),
            Lead.LOWEST_IN_HAND: (
                "The lowest rank in the whole hand is led, of any suit that has it.",
                "modern programs",
            ),
        },
    ),
    "pairs": Wording(
        "7.2",
        "Who earns matrimony and intrigue?",
        {
            Pairs.SAME_SEAT: (
                "Matrimony and intrigue are earned when one player has played both cards.",
                "Hoyle, Hoffmann, Parlett",
            ),
            Pairs.SPLIT: (
                "When two players play the cards of a pair they share its stake; an odd counter "
                "stays.",
                "Peel's option",
            ),
        },
    ),
    "claims": Wording(
        "7.4",
        "When is an earned stake taken?",
        {
            Claims.CALLED: (
                "An earned stake must be claimed before the board is dressed again, or it stays; "
                "each seat may have its claims made for it.",
                "Hoyle, Cassell",
            ),
            Claims.AT_ONCE: (
                "An earned stake is taken as soon as it is earned.",
                "Peel, Hoffmann, Parlett",
            ),
        },
    ),
    "pope_played": Wording(
        "7.5",
        "What does the player of Pope get?",
        {
            PopePlayed.HEAD: (
                "Whoever plays Pope earns its stake and no more.",
                "Hoyle, Hoffmann, Parlett",
            ),
            PopePlayed.CARDS: (
                "Whoever plays Pope earns its stake, and each other player pays him one counter "
                "for each card then in hand.",
                "Peel",
            ),
        },
    ),
    "pope_exempt": Wording(
        "8.3",
        "Is an unplayed Pope an excuse from paying?",
        {
            True: (
                "A player still holding Pope pays nothing for his cards.",
                "Hoyle, Peel, Hoffmann",
            ),
            False: ("A player still holding Pope pays like the rest.", "a family's score-sheet"),
        },
    ),
    "card_money": Wording(
        "8.4",
        "Where does the card money go?",
        {
            CardMoney.WINNER: (
                "The first player out gets one counter for each card left in another's hand.",
                "Hoyle, Peel, Hoffmann",
            ),
            CardMoney.BOARD: (
                "One counter for each card left in hand goes to the board, each to the "
                "compartment that then holds least.",
                "Peel's variation",
            ),
        },
    ),
    "equal_deals": Wording(
        "9.4",
        "May a match end before all have dealt equally often?",
        {
            False: ("A match may end after any deal.", "Hoyle is silent"),
            True: ("A match ends only when every player has dealt equally often.", "Peel"),
        },
    ),
    "ending": Wording(
        "9.5",
        "What becomes of stakes left when the match ends?",
        {
            Ending.FINAL_DEAL: (
                "Stakes left at the end go by a final deal, face up, without a stock, diamonds "
                "being trumps.",
                "Hoffmann",
            ),
            Ending.STAYS: (
                "Stakes left at the end stay for another day.",
                "every other book is silent",
            ),
        },
    ),
}
"""The words of every field, by its name, in the order of RULES.md."""


def clauses(rules: Rules) -> tuple[Clause, ...]:
    """Every field of these rules in words, in the order of RULES.md."""
    found = []
    for each in fields(rules):
        value = getattr(rules, each.name)
        wording = WORDINGS[each.name]
        sentence, source = wording.values[value if value in wording.values else "set"]
        shown = value
        if isinstance(value, Board):
            shown = ", ".join(f"{name} {counters}" for name, counters in value.items() if counters)
        sentence = sentence.format(value=shown)
        found.append(Clause(wording.number, each.name, value, sentence, source))
    return tuple(found)
