"""What can be read: the introduction, the words that may be typed, the help of the commands."""

from __future__ import annotations

from typing import Final

__all__ = ["BETWEEN", "HELP", "INTRODUCTION", "PLAY", "REPLAY", "RULES", "WORDS"]

INTRODUCTION: Final = """\
Pope Joan is a game of runs and stops, for counters on a painted board.

The board has eight compartments. Before each deal it is dressed with counters.
The pack has 51 cards: the eight of diamonds is taken out. One card is turned up
and makes its suit trumps; some cards lie hidden in the stock.

Whoever has the lead plays a card, and whoever holds the next card of that suit
must play it, and so on up: 5, 6, 7 ... A run stops where nobody holds the next
card: at a king, at the seven of diamonds, below the turn-up, below a card that
is played or in the stock. Whoever played the last card of the run leads again.

Play the ace, king, queen or knave of trumps, and its compartment is yours.
King and queen of trumps also take Matrimony, queen and knave Intrigue. The
nine of diamonds is Pope, and takes most. The first to play his last card takes
Game, and a counter for each card the others still hold - but a player left with
Pope in hand pays nothing.

You only choose what to lead; cards that must follow are played for you. Type a
card (7c, or its number in the list), 'hint' for advice, ? for all the words,
'quit' to leave: 'popejoan play --resume' goes on from there."""

HELP: Final = """\
A card     as 7c, c7, 'seven of clubs', 'knave', 'pope', or its number in the list
hint       what the book would lead, and why
board      the board, the turn-up, and who has what
hand       your cards, and what you may lead and why
stops      the stops that you know
stock      the stock, if you deal and the rules let you look
log        what has happened in this deal
claims     claim for yourself (claims off), or have it done (claims on)
claim      claim a stake that is due to you: claim pope
rules      the rules of this match
quit       leave; popejoan play --resume goes on from here"""

BETWEEN: Final = """\
1, Enter   deal the next cards
2, stop    end the match here, and share out what is on the board"""

WORDS: Final = (
    "?", "help", "hint", "board", "hand", "stops", "stock", "log", "claims", "claim", "rules",
    "quit", "exit",
)  # fmt: skip

PLAY: Final = """\
Play Pope against bots.

\b
Examples:
  popejoan play
  popejoan play --players 6 --names Jane,Tom --deals 2
  popejoan play --rules CASSELL --set peek=nobody --bots newcomer,book
  popejoan play --resume

While you play, type a card (7c, 'ten of spades', its number in the list), or ? for help. The
match is kept after every card: leave as you like, --resume goes on.
"""

REPLAY: Final = """\
Step through a record, or answer deals in JSON.

\b
Examples:
  popejoan replay match.record
  popejoan replay match.record --view Anne
  popejoan replay match.record --json
  popejoan replay - --json < deal.json
  popejoan replay - --json-lines < deals.jsonl
"""

RULES: Final = """\
Tell the rules in words, each with its clause of RULES.md and its book.

\b
Examples:
  popejoan rules
  popejoan rules PEEL --compare HOYLE
  popejoan rules HOYLE --set lead=any --set purse=36 --json
"""
