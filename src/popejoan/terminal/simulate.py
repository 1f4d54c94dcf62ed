"""The commands ``simulate`` and ``odds``, and the measure behind ``bench --fast``.

What is simulated, and how, is said in ``popejoan.fast``, which needs the extra ``fast``; it is
imported only when one of these is called.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from popejoan.cards import BadRules
from popejoan.fast.layout import DEFAULT_WEIGHTS, FEATURES
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from popejoan.terminal.opening import fail, usage
from popejoan.terminal.outputs import Outputs, fault_with_file, fault_with_folder
from popejoan.terminal.rules import rules_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult

__all__ = ["bench_fast", "register"]

_LEADS: Final = ("random", "book", "linear")

_MOST_DEALS: Final = 10**12
_INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as a shell gives it."""

_SIMULATE: Final = """\
Play very many deals by the compiled kernel, and tell what they come to.

\b
Examples:
  popejoan simulate
  popejoan simulate --players 6 --rules CASSELL --leads linear
  popejoan simulate --deals 1e8 --threads 2 --json > result.json
  popejoan simulate --set lead=lowest --plot seats.svg

\b
Every seat leads in one way, --leads:
  book    a stop that is known, else Pope, else an ace, else the lowest card
          of the longest suit
  random  each legal card alike
  linear  the card of the highest score: what the lead would do, measured in
          {features} ways, each times its weight

\b
The weights of linear, unless --weights gives others in this order:
{weights}

The result depends on the rules, players, leads, seed and deals alone, not on where it is played.
Ctrl-C shows what is done so far, and writes the files; the exit code is then 130.
""".format(
    features=len(FEATURES),
    weights="\n".join(
        fill(f"{name:<8}{weight:>5}  {says}", 78, initial_indent="  ", subsequent_indent=" " * 17)
        for (name, says), weight in zip(FEATURES.items(), DEFAULT_WEIGHTS, strict=True)
    ),
)


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
        int,
        typer.Option(
            "--players", "-p", min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="How many players."
        ),
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
        int,
        typer.Option(
            parser=_deals,
            metavar="N",
            help="How many deals, rounded up to whole matches; 1e6 is a million.",
        ),
    ] = 200_000,
    match: Annotated[
        int | None,
        typer.Option("--match", min=1, max=1000, help="Deals in a match; 8 unless given."),
    ] = None,
    leads: Annotated[
        str, typer.Option(metavar="|".join(_LEADS), help="How every seat leads; see above.")
    ] = "book",
    weights: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Weights for --leads linear, parted by commas, as listed above.",
        ),
    ] = "",
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="The same number deals the same cards.")
    ] = 0,
    threads: Annotated[
        int, typer.Option(min=1, max=1024, help="In how many threads; one a core is fastest.")
    ] = 1,
    processes: Annotated[
        int, typer.Option(min=0, max=1024, help="In how many processes instead; 0 for none.")
    ] = 0,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS|local",
            help="Play on a Dask cluster, at an address as tcp://host:8786, or a local one.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="cpu|cuda", help="On the processor, or on an NVIDIA card.")
    ] = "cpu",
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
    outputs = Outputs(as_csv, parquet, plot)
    if refused := outputs.refused():
        usage(refused)
    chosen = rules_of(rules, changes or [])
    policy = _fast("policy").Policy[leads.upper()]
    try:
        plan = _fast("simulate").plan_of(
            chosen,
            players=players,
            deals=deals,
            policy=policy,
            weights=_numbers(weights),
            seed=seed,
            deals_a_match=match,
        )
        _fast("spread").check(threads, processes, cluster, device)
    except (BadRules, ValueError) as error:
        usage(str(error))
    _end_with(outputs.faults())
    with _fast("stopping").one_interrupt():
        try:
            result = _run(plan, threads, processes, cluster, device)
        except (ImportError, RuntimeError) as error:
            fail(str(error))
        if as_json:
            typer.echo(json.dumps(result.as_dict()))
        else:
            _show(result)
        faults = outputs.write(result)
    if result.stopped == _fast("simulate").INTERRUPTED:
        _end_with(faults, _INTERRUPTED)
        raise typer.Exit(_INTERRUPTED)
    _end_with(faults)
    if result.stopped:
        raise typer.Exit(1)


def _deals(given: object) -> int:
    """A number of deals as people write it: 200000, 200_000, 1e6."""
    text = str(given).replace("_", "")
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if number.is_finite() and 1 <= number <= _MOST_DEALS and number == number.to_integral_value():
        return int(number)
    says = f"{text[:40]!r}{' and so on' if len(text) > 40 else ''}"
    raise typer.BadParameter(
        f"{says} is no number of deals: it is whole, from 1 to {_MOST_DEALS:,}, as 200000 or 1e6"
    )


def _numbers(weights: str) -> list[int] | None:
    """The weights that are given; a usage error for what is no number."""
    if not weights:
        return None
    given = []
    for word in weights.split(","):
        try:
            given.append(int(word))
        except ValueError:
            usage(f"--weights are whole numbers parted by commas, as 32,110,-14: {word!r} is none")
    return given


def _end_with(faults: Sequence[str], code: int = 1) -> None:
    """End with the exit code if there are faults, after telling each."""
    for fault in faults:
        typer.echo(f"popejoan: {fault}", err=True)
    if faults:
        raise typer.Exit(code)


def _run(
    plan: Plan, threads: int, processes: int, cluster: str | None, device: str
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
    if cluster not in {None, "local"}:
        console.print(f"Connecting to {cluster}.", style="dim", highlight=False)
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
        console.print(
            f"Stopped after {result.deals:,} of {plan.deals:,} deals: {result.stopped}.",
            style="yellow",
            highlight=False,
        )
    return result


def _first(result: SimulationResult) -> tuple[RenderableType, ...]:
    """What is shown of the first deals while the rest wait for the compiler."""
    from popejoan.terminal.found import ERRORS, seats

    return (
        f"Meanwhile, from the first {result.deals:,} deals, without the compiler:",
        seats(result),
        f"{ERRORS} All the deals make it far smaller.",
    )


def _show(result: SimulationResult) -> None:
    """Print the result as tables for people."""
    from rich.console import Console

    from popejoan.terminal.found import board, in_words, seats

    console = Console()
    if not result.deals:
        console.print("No deal was played.")
        return
    plan = result.plan
    console.print(
        f"[bold]{result.deals:,} deal{'s' * (result.deals > 1)}[/] in matches of "
        f"{plan.deals_a_match}: {plan.rules.text}, "
        f"{result.players} players, {plan.policy.name.lower()} leads, seed {plan.seed}; "
        f"{result.seconds:.1f} s"
    )
    console.print(seats(result))
    console.print(board(result))
    console.print(in_words(result), highlight=False)


def odds(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write odds.md and its figures into this folder."),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            parser=_deals,
            metavar="N",
            help="Deals for each line, 1000 or more; fewer are quicker and coarser.",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, max=1024, help="In how many threads; one a core is fastest.")
    ] = 1,
) -> None:
    """Print the book of odds, or write it as Markdown with its figures."""
    from rich.console import Console
    from rich.markdown import Markdown

    if deals is not None and deals < 1000:
        usage(f"--deals is 1000 or more for a line of the book of odds, not {deals}")
    if out is not None:
        there = fault_with_folder(out) or (fault_with_file(out / "odds.md") if out.exists() else "")
        _end_with([there] if there else [])
    book = _fast("odds")
    console = Console(stderr=True)
    count = deals or (book.DEALS if out is not None else book.DEALS // 50)
    try:
        with (
            _fast("stopping").one_interrupt(),
            console.status("Playing the deals of the book of odds"),
        ):
            pages = book.make(count, threads=threads)
    except KeyboardInterrupt:
        console.print("Stopped: nothing is written.", style="yellow")
        raise typer.Exit(130) from None
    except RuntimeError as error:
        fail(f"{error}; nothing is written")
    if out is None:
        Console().print(Markdown(pages.text))
        return
    try:
        for path in pages.write(out):
            typer.echo(str(path))
    except OSError as error:
        Console().print(Markdown(pages.text))
        fail(f"{out} cannot be written, the page is above: {error.strerror or error}")


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
