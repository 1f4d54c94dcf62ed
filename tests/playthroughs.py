"""Golden playthroughs: a short match of each preset, kept as records under ``tests/records``.

``python -m tests.playthroughs`` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from popejoan.deal import Chance, Purpose
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import Claims, Rules

RECORDS: Final = Path(__file__).parent / "records"
PLAYERS: Final = (2, 4, 7, 10)
NAMES: Final = ("Anne", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jem", "Kit")
DEALS: Final = 3


def path_of(preset: str, players: int) -> Path:
    """Where the playthrough is kept."""
    return RECORDS / f"{preset}-{players}.txt"


def play(preset: str, players: int) -> Record:
    """A match of three deals by random leads; people claim for themselves, leave and join."""
    rules = Rules.presets()[preset]
    chance = Chance(players, purpose=Purpose.LEAD)
    match = Match.start(rules, players=players, seed=players, deals=DEALS)
    if rules.claims is Claims.CALLED:
        match = match.claim_for(1, on=False)
    while not match.over:
        if match.between:
            match = _between(match, players).deal()
        elif match.round is not None and match.round.due and chance.below(3) == 0:
            due = match.round.due[0]
            match = match.claim(due.seat, due.compartment)
        elif match.round is not None:
            match = match.lead(chance.pick(match.round.legal))
    if match.board.total:
        match = match.divide()
    return Record.of(match, NAMES[: len(match.members)])


def _between(match: Match, players: int) -> Match:
    """A newcomer joins four after the first deal; one of seven leaves, and comes back."""
    if (players, match.dealt) == (4, 1):
        return match.join()
    if (players, match.dealt) == (7, 1):
        return match.leave(3)
    if (players, match.dealt) == (7, 2):
        return match.join(3)
    return match


if __name__ == "__main__":
    for name in Rules.presets():
        for number in PLAYERS:
            path_of(name, number).write_text(play(name, number).text, encoding="utf-8")
