"""The commands ``simulate`` and ``odds``: very many deals, and what they come to.

What is simulated, and how, is said in ``popejoan.fast``, which needs the extra ``fast``; it is
imported only when one of these is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Final

import typer

from popejoan.cards import BadRules
from popejoan.fast.layout import DEFAULT_WEIGHTS, FEATURES
from popejoan.terminal.options import (
    AsciiOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    compiled_module,
    fail,
    print_json,
    rules_of,
    usage,
)
from popejoan.terminal.outputs import Outputs, fault_with_file, fault_with_folder

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult
    from popejoan.terminal.screen import Screen

__all__ = ["register"]

_LEADS: Final = ("random", "book", "linear")
_MOST_DEALS: Final = 10**12
_INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as a shell gives it."""
ThreadsOption = Annotated[
    int, typer.Option("--threads", min=1, max=1024, help="In how many threads.")
]

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


def register(app: typer.Typer) -> None:
    """Add the commands ``simulate`` and ``odds`` to the application."""
    app.command(help=_SIMULATE)(simulate)
    app.command(help="Print the book of odds, or write it as Markdown with its figures.")(odds)


def simulate(
    players: PlayersOption = 4,
    rules: RulesOption = "HOYLE",
    changes: SetOption = None,
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
        str, typer.Option(metavar="N,N,...", help="Weights for --leads linear, as listed above.")
    ] = "",
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    processes: Annotated[
        int, typer.Option(min=0, max=1024, help="In how many processes; 0 for this one alone.")
    ] = 0,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS|local",
            help="Play on a Dask cluster, at an address as tcp://host:8786, or a local one.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="cpu|cuda", help="Play on the processor or on a card of NVIDIA.")
    ] = "cpu",
    as_json: JsonOption = False,
    as_csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every figure as CSV.")
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="FILE", help="Write every figure as Parquet."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw what each seat wins.")
    ] = None,
    ascii: AsciiOption = None,
) -> None:
    """Play very many deals by the compiled kernel, and tell what they come to."""
    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)
    if leads not in _LEADS:
        usage(f"{leads!r} is no way to lead: they are {', '.join(_LEADS)}")
    outputs = Outputs(as_csv, parquet, plot)
    if refused := outputs.refused():
        usage(refused)
    chosen = rules_of(rules, changes)
    policy = compiled_module("policy").Policy[leads.upper()]
    try:
        plan = compiled_module("simulate").plan_of(
            chosen,
            players=players,
            deals=deals,
            policy=policy,
            weights=_numbers(weights),
            seed=seed,
            deals_a_match=match,
        )
        compiled_module("spread").check(threads, processes, cluster, device)
    except (BadRules, ValueError) as error:
        usage(str(error))
    _end_with(outputs.faults())
    with compiled_module("stopping").one_interrupt():
        try:
            result = _run(screen, plan, threads, processes, cluster, device)
        except (ImportError, RuntimeError) as error:
            fail(str(error))
        if as_json:
            print_json(result.as_dict())
        else:
            _show(screen, result)
        faults = outputs.write(result)
    if result.stopped == compiled_module("simulate").INTERRUPTED:
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
    screen: Screen, plan: Plan, threads: int, processes: int, cluster: str | None, device: str
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
    if cluster not in {None, "local"}:
        console.print(f"Connecting to {cluster}.", style="dim", highlight=False)
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
        console.print(
            f"Stopped after {result.deals:,} of {plan.deals:,} deals: {result.stopped}.",
            style="yellow",
            highlight=False,
        )
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


def _first(screen: Screen, result: SimulationResult) -> tuple[RenderableType, ...]:
    """What is shown of the first deals while the rest wait for the compiler."""
    from popejoan.terminal.found import ERRORS, seats

    return (
        f"Meanwhile, from the first {result.deals:,} deals, without the compiler:",
        seats(result, screen.plain),
        screen.plain(f"{ERRORS} All the deals make it far smaller."),
    )


def _show(screen: Screen, result: SimulationResult) -> None:
    """Print the result as tables for people."""
    from popejoan.terminal.found import BOARD, board, in_words, seats

    if not result.deals:
        screen.say("No deal was played.")
        return
    plan = result.plan
    screen.say(
        f"{result.deals:,} deal{'s' * (result.deals > 1)} in matches of {plan.deals_a_match}: "
        f"{plan.rules.text}, {result.players} players, {plan.policy.name.lower()} leads, "
        f"seed {plan.seed}; {result.seconds:.1f} s",
        "bold",
    )
    screen.draw(seats(result, screen.plain))
    screen.draw(board(result, screen.plain))
    screen.say(BOARD)
    screen.say(in_words(result))


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
    threads: ThreadsOption = 1,
    ascii: AsciiOption = None,
) -> None:
    """Print the book of odds, or write it as Markdown with its figures."""
    from rich.console import Console
    from rich.markdown import Markdown

    from popejoan.terminal.screen import Screen

    screen = Screen(ascii=ascii)

    def show(text: str) -> None:
        if screen.ascii:
            screen.show(text)
        else:
            screen.draw(Markdown(text))

    if deals is not None and deals < 1000:
        usage(f"--deals is 1000 or more for a line of the book of odds, not {deals}")
    if out is not None:
        there = fault_with_folder(out) or (fault_with_file(out / "odds.md") if out.exists() else "")
        _end_with([there] if there else [])
    book = compiled_module("odds")
    console = Console(stderr=True)
    count = deals or (book.DEALS if out is not None else book.DEALS // 50)
    try:
        with compiled_module("stopping").one_interrupt(), _deals_bar(console) as bar:
            task = bar.add_task("deals of the book of odds", total=None)
            pages = book.make(
                count,
                threads=threads,
                progress=lambda done, of: bar.update(task, completed=done, total=of),
            )
    except KeyboardInterrupt:
        console.print("Stopped: nothing is written.", style="yellow")
        raise typer.Exit(130) from None
    except RuntimeError as error:
        fail(f"{error}; nothing is written")
    if out is None:
        show(pages.text)
        return
    try:
        for path in pages.write(out):
            typer.echo(str(path))
    except OSError as error:
        show(pages.text)
        fail(f"{out} cannot be written, the page is above: {error.strerror or error}")
