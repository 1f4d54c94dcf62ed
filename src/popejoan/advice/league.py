"""The league table of the ladder, as the page ``docs/bots.md`` shows it; made by one command.

Each level is measured against the one below and against *counter*, by the same deals; a rating of
all levels at mixed tables comes beside it where the package ``openskill`` is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, count
from typing import Any, Final

from popejoan.advice.arena import MATCH, Duel, Estimate, duel, table_deal
from popejoan.board import Board
from popejoan.bots import LADDER
from popejoan.rules import Lead, Rules

__all__ = ["BEGIN", "END", "league", "mixed_tables", "put_into"]

BEGIN: Final = "<!-- league: made by popejoan arena --league; do not edit -->"
END: Final = "<!-- /league -->"

_TABLES: Final = (
    *(("CASSELL", players) for players in (4, 2, 3, 5, 6, 8, 10)),
    ("PEEL", 4),
    ("HOFFMANN", 4),
    *(("PARLETT", players) for players in (4, 3, 6)),
    *(("HOYLE", players) for players in (4, 3, 6)),
)
_LEADS: Final = {
    Lead.ANY: "any card", Lead.LOWEST: "lowest of a suit", Lead.BOOK: "book's order",
}  # fmt: skip


def league(
    rounds: int,
    *,
    slow_rounds: int,
    jobs: int = 1,
    seed: int = 0,
    told: Callable[[str], None] = lambda _line: None,
) -> str:
    """The table as Markdown.

    ``rounds`` deals are played in a duel, ``slow_rounds`` where *master* is in it, and for the
    ratings.
    """
    lines = [
        BEGIN,
        "",
        "Counters a deal won more than the field in the same seat, with the 95 % interval.",
        "",
        "| rules | players | level | against the one below | against counter | deals | rating |",
        "|---|---|---|---|---|---|---|",
    ]
    for preset, players in _TABLES:
        ratings = _ratings(preset, players, slow_rounds, seed)
        leads = _LEADS[Rules.presets()[preset].lead]
        for level, name in enumerate(LADDER):
            number = slow_rounds if name == "master" else rounds
            below = LADDER[level - 1] if level else None
            cells = [
                _cell(_played(name, field, preset, players, number, jobs, seed))
                if field not in (None, name)
                else "—"
                for field in (below, "counter")
            ]
            rating = ratings.get(name, "—")
            line = (
                f"| {preset}: {leads} | {players} | {name} | {cells[0]} | {cells[1]} "
                f"| {number:,} | {rating} |"
            )
            told(line)
            lines.append(line)
    return "\n".join([*lines, "", END])


def _played(
    one: str, field: str | None, preset: str, players: int, rounds: int, jobs: int, seed: int
) -> Estimate:
    asked = Duel(one, field or "", Rules.presets()[preset], players, seed)
    return duel(asked, range(-(-rounds // MATCH)), jobs=jobs)


def _cell(found: Estimate) -> str:
    return f"{found.mean:+.2f} ± {1.96 * found.error:.2f}"


def _ratings(preset: str, players: int, deals: int, seed: int) -> dict[str, str]:
    """Ratings by openskill from mixed tables; empty where it is not installed."""
    if find_spec("openskill") is None:
        return {}
    model: Any = import_module("openskill.models").PlackettLuce()
    rated = {name: model.rating(name=name) for name in LADDER}
    board = Board()
    for match, names in zip(range(deals), mixed_tables(players)):
        won, board = table_deal(names, Rules.presets()[preset], seed, match, board)
        teams = model.rate([[rated[name]] for name in names], scores=won)
        for name, (rating,) in zip(names, teams):
            rated[name] = rating
    return {name: f"{each.mu:.1f} ± {each.sigma:.1f}" for name, each in rated.items()}


def mixed_tables(players: int) -> Iterator[Sequence[str]]:
    """Which levels sit at one table after another: every choice of so many, or all, turn about."""
    choices = list(combinations(LADDER, min(players, len(LADDER))))
    for turn in count():
        shift, chosen = divmod(turn, len(choices))
        names = choices[chosen]
        yield [names[(nth + shift) % len(names)] for nth in range(players)]


def put_into(page: str, table: str) -> str:
    """A page with the table in the place of the one that it has, or at its end."""
    if BEGIN in page and END in page:
        before, _, rest = page.partition(BEGIN)
        return before + table + rest.partition(END)[2]
    return f"{page.rstrip()}\n\n{table}\n"
