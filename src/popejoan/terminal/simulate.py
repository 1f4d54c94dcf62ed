"""The commands ``simulate`` and ``odds``, and the measure behind ``bench --fast``.

What is simulated, and how, is said in ``popejoan.fast``, which needs the extra ``fast``; it is
imported only when one of these is called.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from popejoan.cards import BadRules
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.terminal.opening import fail, usage
from popejoan.terminal.rules import rules_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress
    from rich.table import Table

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult

__all__ = ["bench_fast", "register"]

_LEADS: Final = ("random", "book", "linear")

_ERRORS: Final = (
    "After ± stands the standard error: the truth lies within twice that, nineteen times in twenty."
)
_SIMULATE: Final = """\
Play very many deals by the compiled kernel, and tell what they come to.

\b
Examples:
  popejoan simulate
  popejoan simulate --players 6 --rules CASSELL --leads linear
  popejoan simulate --deals 100000000 --threads 2 --json > result.json
  popejoan simulate --set lead=lowest --plot seats.svg

The result depends on the rules, players, leads, seed and deals alone, not on where it is played.
Ctrl-C prints what is done so far.
"""


def _fast(module: str) -> Any:
    """A module of ``popejoan.fast``; end with what to install where the extra lacks."""
    try:
        return import_module(f"popejoan.fast.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"numba", "numpy", "llvmlite"}:
            raise
        fail(f"this needs {error.name}: pip install 'popejoan[fast]'")


def register(app: typer.Typer) -> None:
    """Add the commands ``simulate`` and ``odds`` to the application."""
    app.command(help=_SIMULATE)(simulate)
    app.command(help="Print the book of odds, or write it as Markdown with its figures.")(odds)


def simulate(
    players: Annotated[
        int, typer.Option("--players", "-p", min=FEWEST_PLAYERS, max=MOST_PLAYERS)
    ] = 4,
    rules: Annotated[
        str,
        typer.Option("--rules", "-r", metavar="PRESET", help=f"{', '.join(Rules.presets())}."),
    ] = "HOYLE",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Set a field of the rules."),
    ] = None,
    deals: Annotated[
        int, typer.Option(min=1, help="How many deals, rounded up to whole matches.")
    ] = 200_000,
    match: Annotated[
        int | None,
        typer.Option("--match", min=1, max=1000, help="Deals in a match; 8 unless given."),
    ] = None,
    leads: Annotated[
        str, typer.Option(metavar="|".join(_LEADS), help="How every seat leads.")
    ] = "book",
    weights: Annotated[
        str, typer.Option(metavar="N,N,...", help="Weights for --leads linear.")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1)] = 0,
    threads: Annotated[int, typer.Option(min=1, max=1024)] = 1,
    processes: Annotated[int, typer.Option(min=0, max=1024)] = 0,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS|local", help="Play on a Dask cluster.")
    ] = None,
    device: Annotated[str, typer.Option(metavar="cpu|cuda")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every figure as CSV.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every figure as Parquet.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw what each seat wins.")
    ] = None,
) -> None:
    """Play very many deals by the compiled kernel, and tell what they come to."""
    if leads not in _LEADS:
        usage(f"{leads!r} is no way to lead: they are {', '.join(_LEADS)}")
    chosen = rules_of(rules, changes or [])
    policy = _fast("policy").Policy[leads.upper()]
    try:
        given = [int(word) for word in weights.split(",")] if weights else None
        plan = _fast("simulate").plan_of(
            chosen,
            players=players,
            deals=deals,
            policy=policy,
            weights=given,
            seed=seed,
            deals_a_match=match,
        )
        result = _run(plan, threads, processes, cluster, device)
    except (BadRules, ValueError) as error:
        usage(str(error))
    except (ImportError, RuntimeError) as error:
        fail(str(error))
    _write(result, as_csv, parquet, plot)
    if as_json:
        typer.echo(json.dumps(result.as_dict()))
    else:
        _show(result)


def _run(
    plan: Plan, threads: int, processes: int, cluster: str | None, device: str
) -> SimulationResult:
    """Play the plan, with a bar on a terminal, and a word when the kernel is compiled first.

    While it compiles, a terminal shows what the first deals come to.
    """
    from rich.console import Console, Group
    from rich.live import Live

    console = Console(stderr=True)
    bar = _deals_bar(console)
    task = bar.add_task("deals", total=plan.deals)
    compiling = plan.cold and device == "cpu"
    if compiling:
        console.print("Compiling the kernel, this once: some five seconds.", style="dim")
    with Live(bar, console=console, transient=True) as live, ExitStack() as meanwhile:
        if compiling and console.is_terminal:
            meanwhile.enter_context(
                _fast("plain").first_answer(
                    plan, lambda first: live.update(Group(*_first(first), bar), refresh=True)
                )
            )
        result: SimulationResult = _fast("simulate").run(
            plan,
            threads=threads,
            processes=processes,
            cluster=cluster,
            device=device,
            progress=lambda done: bar.update(task, completed=done),
        )
    if not result.complete:
        console.print(f"Stopped after {result.deals:,} of {plan.deals:,} deals.", style="yellow")
    return result


def _deals_bar(console: Console) -> Progress:
    """A bar that tells how many deals are played, of how many, and the time that is left."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def _first(result: SimulationResult) -> tuple[RenderableType, ...]:
    """What is shown of the first deals while the rest wait for the compiler."""
    return (
        f"Meanwhile, from the first {result.deals:,} deals, without the compiler:",
        _seats(result),
        f"{_ERRORS} All the deals make it far smaller.",
    )


def _write(
    result: SimulationResult, as_csv: Path | None, parquet: Path | None, plot: Path | None
) -> None:
    """Write the files that are asked for."""
    columns = ("what", "of", "mean", "standard_error")
    if as_csv is not None:
        with as_csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(result.rows())
    if parquet is not None:
        try:
            table, writer_ = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ImportError:
            fail("Parquet needs pyarrow: pip install 'popejoan[parquet]'")
        values = [list(column) for column in zip(*result.rows(), strict=True)]
        writer_.write_table(table.table(dict(zip(columns, values, strict=True))), str(parquet))
    if plot is not None:
        plot.write_text(_fast("figures").seats_figure(result), encoding="utf-8")


def _seats(result: SimulationResult) -> Table:
    """What each seat wins, as a table."""
    from rich.table import Table

    seats = Table(title="What a seat wins, in counters a deal", title_justify="left")
    for name in ("seat", "wins", "goes out first"):
        seats.add_column(name, justify="left" if name == "seat" else "right")
    role_name = _fast("result").role_name
    for role in range(result.players):
        rate = result.win_rate(role)
        name = role_name(role)
        seats.add_row(name, str(result.balance(role)), f"{100 * rate.mean:.2f} %")
    return seats


def _show(result: SimulationResult) -> None:
    """Print the result as tables for people."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not result.deals:
        console.print("No deal was played.")
        return
    plan = result.plan
    console.print(
        f"[bold]{result.deals:,} deals[/] in matches of {plan.deals_a_match}: {plan.rules.text}, "
        f"{result.players} players, {plan.policy.name.lower()} leads, seed {plan.seed}; "
        f"{result.seconds:.1f} s"
    )
    console.print(_seats(result))
    board = Table(title="The board", title_justify="left")
    for name in ("compartment", "falls in", "by the turn-up", "by play", "stake then", "left over"):
        board.add_column(name, justify="left" if name == "compartment" else "right")
    for place in plan.rules.compartments:
        board.add_row(
            place.value.capitalize(),
            f"{100 * result.falls(place).mean:.2f} %",
            f"{100 * result.turned(place).mean:.2f} %",
            f"{100 * result.played(place).mean:.2f} %",
            str(result.stake(place)),
            str(result.carried(place)),
        )
    console.print(board)
    console.print(_sentences(result), highlight=False)


def _sentences(result: SimulationResult) -> str:
    found = result.figures()
    return (
        f"A deal has {found['leads']} leads, {found['choices']} of them real choices, and "
        f"{found['cards played']} cards are played.\n"
        f"{found['card money']} counters are paid for cards left in hand; a seat is excused for "
        f"holding Pope in {100 * found['excused'].mean:.2f} % of deals.\n"
        f"Pope is turned up in {100 * found['pope turned up'].mean:.2f} % of deals.\n"
        f"{_ERRORS} The dealer pays for the dressing, and what stays on the board is nobody's yet."
    )


def odds(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write odds.md and its figures into this folder."),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(min=1000, help="Deals for each line; fewer are quicker and coarser."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=1024)] = 1,
) -> None:
    """Print the book of odds, or write it as Markdown with its figures."""
    from rich.console import Console
    from rich.markdown import Markdown

    book = _fast("odds")
    console = Console(stderr=True)
    count = deals or (book.DEALS if out is not None else book.DEALS // 50)
    with _deals_bar(console) as bar:
        task = bar.add_task("deals of the book of odds", total=None)
        pages = book.make(
            count,
            threads=threads,
            progress=lambda done, of: bar.update(task, completed=done, total=of),
        )
    if out is None:
        Console().print(Markdown(pages.text))
        return
    for path in pages.write(out):
        typer.echo(str(path))


def bench_fast(console: Console, seconds: float = 20.0) -> None:
    """Print how fast the kernel is: beside plain C, and rounds a second by preset and players."""
    from rich.table import Table

    bench = _fast("bench")
    console.print("Compiling what is not compiled yet.", style="dim")
    found = bench.headline(seconds / 2)
    table = Table(title="Four players, any card led at random, matches of 8 deals, one core")
    for name in ("kernel", "ns a deal", "rounds a second", "times plain C"):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    for line in found:
        ratio = "-" if line.ratio is None else f"{line.ratio:.2f}"
        table.add_row(line.name, f"{line.nanoseconds:.1f}", f"{line.rounds:,.0f}", ratio)
    console.print(table)
    if all(line.ratio is None for line in found):
        console.print("Plain C is not measured: it needs gcc and a checkout of the project.")
    _print_rates(console, bench.rates(seconds / 2))


def _print_rates(console: Console, rates: Sequence[tuple[str, int, str, float]]) -> None:
    from rich.table import Table

    table = Table(title="Rounds a second, one core")
    for name in ("rules", "players", "leads", "rounds a second"):
        table.add_column(name, justify="left" if name in {"rules", "leads"} else "right")
    for rules, players, leads, rounds in rates:
        table.add_row(rules, str(players), leads, f"{rounds:,.0f}")
    console.print(table)
