"""The commands ``simulate`` and ``odds``: very many deals, and what they come to.

What is simulated, and how, is said in ``popejoan.fast``, which needs the extra ``fast``; it is
imported only when one of these is called.
"""

from __future__ import annotations

import csv
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from popejoan.cards import BadRules
from popejoan.terminal.options import (
    AsciiOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    compiled_module,
    fail,
    in_a_folder,
    print_json,
    rules_of,
    usage,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult
    from popejoan.terminal.screen import Screen

__all__ = ["register"]

_LEADS: Final = ("random", "book", "linear")

_ERRORS: Final = (
    "After ± stands the standard error: the truth lies within twice that, nineteen times in twenty."
)
ThreadsOption = Annotated[
    int, typer.Option("--threads", min=1, max=1024, help="In how many threads.")
]

_out_file = partial(typer.Option, dir_okay=False, callback=in_a_folder, show_default=False)

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


def register(app: typer.Typer) -> None:
    """Add the commands ``simulate`` and ``odds`` to the application."""
    app.command(help=_SIMULATE)(simulate)
    app.command(help="Print the book of odds, or write it as Markdown with its figures.")(odds)


def simulate(
    players: PlayersOption = 4,
    rules: RulesOption = "HOYLE",
    changes: SetOption = None,
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
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    processes: Annotated[
        int, typer.Option(min=0, max=1024, help="In how many processes; 0 for this one alone.")
    ] = 0,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS|local", help="Play on a Dask cluster.")
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="cpu|cuda", help="Play on the processor or on a card of NVIDIA.")
    ] = "cpu",
    as_json: JsonOption = False,
    as_csv: Annotated[
        Path | None, _out_file("--csv", metavar="FILE", help="Write every figure as CSV.")
    ] = None,
    parquet: Annotated[
        Path | None, _out_file("--parquet", metavar="FILE", help="Write every figure as Parquet.")
    ] = None,
    plot: Annotated[
        Path | None, _out_file("--plot", metavar="FILE.svg", help="Draw what each seat wins.")
    ] = None,
    ascii: AsciiOption = None,
) -> None:
    """Play very many deals by the compiled kernel, and tell what they come to."""
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    if leads not in _LEADS:
        usage(f"{leads!r} is no way to lead: they are {', '.join(_LEADS)}")
    chosen = rules_of(rules, changes)
    policy = compiled_module("policy").Policy[leads.upper()]
    try:
        given = [int(word) for word in weights.split(",")] if weights else None
        plan = compiled_module("simulate").plan_of(
            chosen,
            players=players,
            deals=deals,
            policy=policy,
            weights=given,
            seed=seed,
            deals_a_match=match,
        )
        result = _run(screen, plan, threads, processes, cluster, device)
    except (BadRules, ValueError) as error:
        usage(str(error))
    except (ImportError, RuntimeError) as error:
        fail(str(error))
    _write(result, as_csv, parquet, plot)
    if as_json:
        print_json(result.as_dict())
    else:
        _show(screen, result)


def _run(
    screen: Screen, plan: Plan, threads: int, processes: int, cluster: str | None, device: str
) -> SimulationResult:
    """Play the plan, with a bar on a terminal, and a word when the kernel is compiled first.

    While it compiles, a terminal shows what the first deals come to.
    """
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
    )
    task = bar.add_task("deals", total=plan.deals)
    compiling = plan.cold and device == "cpu"
    if compiling:
        console.print("Compiling the kernel, this once: some five seconds.", style="dim")
    with Live(bar, console=console, transient=True) as live, ExitStack() as meanwhile:
        if compiling and console.is_terminal:
            meanwhile.enter_context(
                compiled_module("plain").first_answer(
                    plan,
                    lambda first: live.update(Group(*_first(screen, first), bar), refresh=True),
                )
            )
        result: SimulationResult = compiled_module("simulate").run(
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


def _first(screen: Screen, result: SimulationResult) -> tuple[RenderableType, ...]:
    """What is shown of the first deals while the rest wait for the compiler."""
    return (
        f"Meanwhile, from the first {result.deals:,} deals, without the compiler:",
        _seats(screen, result),
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
        plot.write_text(compiled_module("figures").seats_figure(result), encoding="utf-8")


def _seats(screen: Screen, result: SimulationResult) -> Table:
    """What each seat wins, as a table."""
    role_name = compiled_module("result").role_name
    rows = (
        (
            role_name(role, result.players),
            str(result.balance(role)),
            f"{100 * result.win_rate(role).mean:.2f} %",
        )
        for role in range(result.players)
    )
    title = "What a seat wins, in counters a deal"
    return screen.table(title, ("seat", "wins", "goes out first"), rows)


def _show(screen: Screen, result: SimulationResult) -> None:
    """Print the result as tables for people."""
    if not result.deals:
        screen.say("No deal was played.")
        return
    plan = result.plan
    screen.say(
        f"{result.deals:,} deals in matches of {plan.deals_a_match}: {plan.rules.text}, "
        f"{result.players} players, {plan.policy.name.lower()} leads, seed {plan.seed}; "
        f"{result.seconds:.1f} s",
        "bold",
    )
    screen.draw(_seats(screen, result))
    rows = (
        (
            place.value.capitalize(),
            f"{100 * result.falls(place).mean:.2f} %",
            f"{100 * result.turned(place).mean:.2f} %",
            f"{100 * result.played(place).mean:.2f} %",
            str(result.stake(place)),
            str(result.carried(place)),
        )
        for place in plan.rules.compartments
    )
    names = ("compartment", "falls in", "by the turn-up", "by play", "stake then", "left over")
    screen.draw(screen.table("The board", names, rows))
    screen.say(_sentences(result))


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
    threads: ThreadsOption = 1,
    ascii: AsciiOption = None,
) -> None:
    """Print the book of odds, or write it as Markdown with its figures."""
    from rich.console import Console
    from rich.markdown import Markdown

    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    book = compiled_module("odds")
    count = deals or (book.DEALS if out is not None else book.DEALS // 50)
    with Console(stderr=True).status("Playing the deals of the book of odds"):
        pages = book.make(count, threads=threads)
    if out is not None:
        for path in pages.write(out):
            typer.echo(str(path))
    elif screen.ascii:
        screen.show(pages.text)
    else:
        screen.draw(Markdown(pages.text))
