"""The command ``bench``: a digest of fixed deals, and rounds a second beside a spinning loop.

The loop does nothing but arithmetic, so that the ratio of the two says how fast the game is and
not how fast, or how busy, the machine is.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from popejoan.cards import Seat
from popejoan.deal import Chance, Deal, Purpose
from popejoan.round import Round
from popejoan.rules import Lead, Rules
from popejoan.terminal.options import AsciiOption, JsonOption, compiled_module, print_json, usage

if TYPE_CHECKING:
    from popejoan.terminal.screen import Screen

__all__ = ["Bench", "measured", "measured_fast", "register"]

_SPINS: Final = 200_000
_RULES: Final = Rules(lead=Lead.ANY)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(bench)


def bench(
    as_json: JsonOption = False,
    fast: Annotated[
        bool, typer.Option("--fast", help="Measure the compiled kernel beside plain C instead.")
    ] = False,
    ascii: AsciiOption = None,
) -> None:
    """Play fixed deals: their digest, and rounds a second.

    The digest is of every payment under every preset with 2 to 10 players; only a change of rules
    may change it. Rounds a second stand beside a loop of plain Python, run in turns with them.
    With --fast it takes some two minutes, and needs the extra 'fast' and, for plain C, gcc.
    """
    from popejoan.advice.signature import digest
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    if fast:
        if as_json:
            usage("the figures of --fast are for people: leave one of the two")
        measured_fast(screen)
        return
    whole, found = digest(), measured()
    if as_json:
        print_json({"digest": whole, **found._asdict(), "ratio": found.ratio})
        return
    screen.show(f"digest  {whole}")
    screen.show(f"rounds  {found.rounds:,.0f} a second (4 players, any card led, at random)")
    screen.show(f"spins   {found.spins:,.0f} a second (a loop of plain Python)")
    screen.show(f"ratio   {found.ratio:,.0f} rounds a million spins")


class Bench(NamedTuple):
    """What a bench found."""

    rounds: float
    """Rounds a second: 4 players, any card led at random, dealt beforehand."""
    spins: float
    """Turns of the spinning loop a second."""

    @property
    def ratio(self) -> float:
        """Rounds for each million turns of the loop."""
        return self.rounds / self.spins * 1_000_000


def measured(seconds: float = 2.0) -> Bench:
    """Play and spin in turns for about so long, and take the middle of each."""
    deals = [Deal.shuffle(seed) for seed in range(500)]
    _play(deals[:50])
    rounds: list[float] = []
    spins: list[float] = []
    start = perf_counter()
    while len(rounds) < 3 or perf_counter() - start < seconds:
        spins.append(_SPINS / _spin())
        rounds.append(len(deals) / _play(deals))
    return Bench(median(rounds), median(spins))


def _play(deals: list[Deal]) -> float:
    """Seconds taken to play these deals out by random leads."""
    chance = Chance(1, purpose=Purpose.LEAD)
    start = perf_counter()
    for deal in deals:
        round_ = Round.start(_RULES, deal, dealer=Seat(0)).playout(chance.pick)
        assert round_.over
    return perf_counter() - start


def _spin() -> float:
    """Seconds taken by a fixed amount of plain Python."""
    start = perf_counter()
    number = 1
    for _ in range(_SPINS):
        number = number * 1103515245 + 12345 & 0x7FFFFFFF
    assert number
    return perf_counter() - start


def measured_fast(screen: Screen, seconds: float = 20.0) -> None:
    """Print how fast the kernel is: beside plain C, and rounds a second by preset and players."""
    kernel = compiled_module("bench")
    screen.say("Compiling what is not compiled yet.", "dim")
    found = kernel.headline(seconds / 2)
    rows = [
        (
            line.name,
            f"{line.nanoseconds:.1f}",
            f"{line.rounds:,.0f}",
            "-" if line.ratio is None else f"{line.ratio:.2f}",
        )
        for line in found
    ]
    title = "Four players, any card led at random, matches of 8 deals, one core"
    screen.draw(
        screen.table(title, ("kernel", "ns a deal", "rounds a second", "times plain C"), rows)
    )
    if all(line.ratio is None for line in found):
        screen.say("Plain C is not measured: it needs gcc and a checkout of the project.")
    rows = [
        (rules, str(players), leads, f"{rounds:,.0f}")
        for rules, players, leads, rounds in kernel.rates(seconds / 2)
    ]
    names = ("rules", "players", "leads", "rounds a second")
    screen.draw(screen.table("Rounds a second, one core", names, rows, left=("rules", "leads")))
