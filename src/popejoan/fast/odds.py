"""The book of odds: what players and historians ask, answered by playing, from fixed seeds.

``make`` plays every line of it and gives the page with its figures; ``docs/odds.md`` is what it
gives with ``DEALS`` deals a line. The words stand here, so that page and numbers cannot part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from popejoan.board import Compartment
from popejoan.deal import hand_sizes
from popejoan.fast.figures import Series, bars
from popejoan.fast.layout import DEALS as DEALS_PLAYED
from popejoan.fast.layout import MATCHES, ROLE
from popejoan.fast.paired import difference
from popejoan.fast.plan import Plan, no_totals
from popejoan.fast.policy import Policy
from popejoan.fast.result import HOLDINGS, Estimate, SimulationResult
from popejoan.fast.simulate import INTERRUPTED, plan_of, simulate
from popejoan.rules import Lead, Peek, Rules

__all__ = ["DEALS", "SEED", "Pages", "make"]

DEALS: Final = 400_000
"""Deals for each line of the published page."""
SEED: Final = 1810
"""The seed of the page."""

_PLAYERS: Final = range(2, 11)
_LEADS: Final = (Lead.BOOK, Lead.ANY, Lead.LOWEST)


@dataclass(frozen=True, slots=True)
class Pages:
    """The page and its figures."""

    text: str
    """The page, as Markdown."""
    figures: dict[str, str]
    """Each figure, SVG text, by the name of its file."""

    def write(self, folder: Path) -> list[Path]:
        """Write ``odds.md`` and the figures into a folder; the paths written."""
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for name, text in {"odds.md": self.text, **self.figures}.items():
            path = folder / name
            path.write_text(text, encoding="utf-8")
            written.append(path)
        return written


def make(
    deals: int = DEALS,
    *,
    seed: int = SEED,
    threads: int = 1,
    play: Callable[..., SimulationResult] = simulate,
    progress: Callable[[int, int], None] | None = None,
) -> Pages:
    """The book of odds from so many deals a line; ``play`` is ``simulate``, or stands in for it.

    ``progress`` is told how many deals are done, and of how many. Raises KeyboardInterrupt when
    interrupted, and RuntimeError, with the reason, when a line is not played to its end for another
    one: a book of fewer deals than it says is none.
    """
    blank = _Book(deals, seed, _nothing, lambda *_, **__: Estimate(0.0, 0.0))
    blank.pages()  # finds what lines there are
    done = 0

    def tell(now: int) -> None:
        if progress is not None:
            progress(done + now, blank.deals_played)

    def play_line(rules: Rules, *, players: int, policy: Policy) -> SimulationResult:
        nonlocal done
        result = play(
            rules, players=players, policy=policy, deals=deals, seed=seed, threads=threads,
            progress=tell,
        )  # fmt: skip
        done += blank.deals_a_line
        return result

    def compare(one: Plan, other: Plan, quantity: int) -> Estimate:
        nonlocal done
        found = difference(one, other, quantity, progress=tell)
        done += 2 * blank.deals_a_line
        return found

    return _Book(deals, seed, play_line, compare).pages()


def _nothing(rules: Rules, *, players: int, policy: Policy) -> SimulationResult:
    """The result of a match in which nothing was won."""
    totals = no_totals()
    totals[MATCHES] = totals[DEALS_PLAYED] = 1
    return SimulationResult(Plan(rules, players, policy), tuple(totals.tolist()))


def _table(head: list[str], rows: list[list[str]]) -> str:
    line = "|---" + "|---:" * (len(head) - 1) + "|"
    return "\n".join(
        ["| " + " | ".join(head) + " |", line, *("| " + " | ".join(r) + " |" for r in rows)]
    )


def _percent(estimate: Estimate) -> str:
    return f"{Estimate(100 * estimate.mean, 100 * estimate.error)} %"


class _Book:
    """Plays what the chapters ask for, each line once."""

    def __init__(
        self,
        deals: int,
        seed: int,
        play: Callable[..., SimulationResult],
        compare: Callable[[Plan, Plan, int], Estimate],
    ) -> None:
        self.deals = deals
        self.seed = seed
        self.simulate = play
        self.compare = compare
        self.played: dict[tuple[Rules, int, Policy], SimulationResult] = {}
        self.compared = 0
        self.figures: dict[str, str] = {}

    @property
    def deals_a_line(self) -> int:
        """How many deals a line takes: whole matches."""
        return plan_of(Rules.HOYLE, players=4, deals=self.deals, policy=Policy.BOOK).deals

    @property
    def deals_played(self) -> int:
        """How many deals have been played, those played side by side counted."""
        return self.deals_a_line * (len(self.played) + 2 * self.compared)

    def of(self, rules: Rules, players: int, policy: Policy = Policy.BOOK) -> SimulationResult:
        """The result of these rules, played once."""
        key = rules, players, policy
        if key not in self.played:
            result = self.simulate(rules, players=players, policy=policy)
            if result.stopped == INTERRUPTED:
                raise KeyboardInterrupt
            if not result.complete:
                raise RuntimeError(f"a line was not played to its end: {result.stopped}")
            self.played[key] = result
        return self.played[key]

    def gain(self, one: Rules, other: Rules, policy: Policy) -> Estimate:
        """What the dealer, of four, wins a deal by the one rules more than by the other."""
        self.compared += 1
        plan = plan_of(one, players=4, deals=self.deals, policy=policy, seed=self.seed)
        return self.compare(plan, replace(plan, rules=other), ROLE)

    def pages(self) -> Pages:
        """The whole page."""
        chapters = [
            _OPENING.format(deals=f"{self.deals:,}", seed=self.seed),
            self.seats(),
            self.presets(),
            self.compartments(),
            self.holdings(),
            self.stock(),
            self.lead_rules(),
            self.pope(),
            _CLOSING,
        ]
        return Pages("\n\n".join(chapters) + "\n", self.figures)

    def seats(self) -> str:
        """What each seat is worth, by the number of players."""
        results = {players: self.of(Rules.HOYLE, players) for players in _PLAYERS}
        self.figures["odds-seats.svg"] = bars(
            "What a seat wins a deal under HOYLE, by the book's order",
            [f"{players}" for players in _PLAYERS],
            [
                Series("dealer", [each.balance(0) for each in results.values()]),
                Series("eldest hand", [each.balance(1) for each in results.values()]),
                Series(
                    "last before the dealer",
                    [each.balance(n - 1) if n > 2 else None for n, each in results.items()],
                ),
            ],
            "counters a deal by number of players; the dealer has paid 15 for the dressing",
        )
        rows = []
        for players, result in results.items():
            wins = [str(result.balance(role)) for role in range(players)]
            shown = [*wins[:4], "", ""][:4]
            last = wins[-1] if players > 4 else ""
            rows.append([str(players), *shown, last, _percent(result.win_rate(1))])
        return (
            "## What is each seat worth?\n\n"
            "Counters a deal, everyone leading by the book. The dealer dresses the board alone "
            "with 15 counters, and every seat deals in its turn, so that this evens out; what "
            "stays on the board belongs to nobody yet, which is why a line sums to "
            "less than nothing.\n\n"
            "![What a seat wins a deal, by number of players](odds-seats.svg)\n\n"
            + _table(
                ["players", "dealer", "eldest", "second", "third", "last", "eldest out first"], rows
            )
        )

    def presets(self) -> str:
        """What each seat is worth under each book."""
        rows = []
        for name, rules in Rules.presets().items():
            for players in (3, 4, 6):
                result = self.of(rules, players)
                last = result.balance(players - 1)
                rows.append(
                    [f"{name}, {players} players", str(hand_sizes(rules, players, 0)[0][0])]
                    + [str(result.balance(role)) for role in (0, 1, 2)]
                    + [str(last), str(result.figures()["card money"])]
                )
        return (
            "## And under the other books?\n\n"
            "The same, leads in the book's order as far as each book lets. Under PEEL all share "
            "the dressing, the dealer giving double.\n\n"
            + _table(
                ["rules", "hand", "dealer", "eldest", "second", "last", "card money a deal"], rows
            )
        )

    def compartments(self) -> str:
        """How likely each compartment is to fall, and what is carried over."""
        parts = []
        series = []
        for name, rules, policy in (
            ("HOYLE, the book's order", Rules.HOYLE, Policy.BOOK),
            ("CASSELL, leads at random", Rules.CASSELL, Policy.RANDOM),
        ):
            result = self.of(rules, 4, policy)
            series.append(Series(name, [result.falls(place) for place in Compartment]))
            rows = [
                [
                    place.value.capitalize(),
                    _percent(result.falls(place)),
                    _percent(result.turned(place)),
                    str(result.stake(place)),
                    str(result.carried(place)),
                ]
                for place in Compartment
            ]
            parts.append(
                f"{name}, 4 players:\n\n"
                + _table(
                    ["compartment", "falls", "by the turn-up", "stake then", "left over"], rows
                )
            )
        self.figures["odds-board.svg"] = bars(
            "How often a compartment falls, 4 players",
            [place.value.capitalize() for place in Compartment],
            series,
            "share of deals",
            lowest=0.0,
        )
        rows = []
        for players in _PLAYERS:
            result = self.of(Rules.HOYLE, players)
            places = (Compartment.POPE, Compartment.MATRIMONY, Compartment.INTRIGUE)
            left = sum(result.carried(place).mean for place in Compartment)
            rows.append([str(players), *(_percent(result.falls(p)) for p in places), f"{left:.1f}"])
        return (
            "## How likely is each compartment to fall, and how much is left over?\n\n"
            "Stakes that nobody wins stay, and the next dressing is laid on top: rare ones grow. "
            "The figures are means over the first eight deals from a bare board.\n\n"
            "![How often a compartment falls](odds-board.svg)\n\n"
            + "\n\n".join(parts)
            + "\n\nBy number of players, HOYLE by the book, with all that is left over:\n\n"
            + _table(["players", "Pope", "Matrimony", "Intrigue", "left over in all"], rows)
        )

    def holdings(self) -> str:
        """What it is worth to be dealt Pope, the king of trumps, queen and king."""
        cases = {
            "HOYLE, book": self.of(Rules.HOYLE, 4),
            "CASSELL, random": self.of(Rules.CASSELL, 4, Policy.RANDOM),
            "CASSELL, linear": self.of(Rules.CASSELL, 4, Policy.LINEAR),
        }
        gains = {
            name: [result.above_the_mean(each) for each in HOLDINGS]
            for name, result in cases.items()
        }
        self.figures["odds-holdings.svg"] = bars(
            "What a holding adds to what its hand wins, 4 players",
            list(HOLDINGS),
            [Series(name, values) for name, values in gains.items()],
            "counters a deal above the average seat; honours are of trumps",
        )
        dealt = cases["HOYLE, book"]
        rows = [
            [each, _percent(dealt.dealt(each)), *(str(values[n]) for values in gains.values())]
            for n, each in enumerate(HOLDINGS)
        ]
        return (
            "## What is a hand worth that holds Pope or an honour?\n\n"
            "What the hand wins a deal above the average seat, the honours being of trumps. A hand "
            "with king and queen is after Matrimony, with queen and knave after Intrigue.\n\n"
            "![What a holding adds](odds-holdings.svg)\n\n"
            + _table(["dealt", "is dealt to a hand", *gains], rows)
        )

    def stock(self) -> str:
        """What the dealer's look at the stock is worth."""
        rows = []
        for name, rules, policy in (
            ("HOYLE, the book's order", Rules.HOYLE, Policy.BOOK),
            ("CASSELL, the book's order", Rules.CASSELL, Policy.BOOK),
            ("CASSELL, the linear policy", Rules.CASSELL, Policy.LINEAR),
            (
                "HOYLE, lowest of a suit, linear",
                replace(Rules.HOYLE, lead=Lead.LOWEST),
                Policy.LINEAR,
            ),
        ):
            looks, blind = (replace(rules, peek=peek) for peek in (Peek.DEALER, Peek.NOBODY))
            seen, unseen = (self.of(each, 4, policy).balance(0) for each in (looks, blind))
            worth = self.gain(looks, blind, policy)
            rows.append([name, str(seen), str(unseen), str(worth)])
        return (
            "## What is the dealer's look at the stock worth?\n\n"
            "The same deals with and without the look, compared match by match, so that its worth "
            "is known better than either mean. It tells the dealer which cards stop a run; "
            "whether that helps depends on what is made of it. The book's order must lead a stop "
            "that is known, which is often better kept.\n\n"
            + _table(["rules and leads", "dealer looks", "nobody looks", "the look is worth"], rows)
        )

    def lead_rules(self) -> str:
        """How the lead rules change the game."""
        rows = []
        for lead in _LEADS:
            for policy in Policy:
                result = self.of(replace(Rules.HOYLE, lead=lead), 4, policy)
                found = result.figures()
                rows.append(
                    [f"{lead.value}, {policy.name.lower()}"]
                    + [str(found[name]) for name in ("leads", "choices", "card money")]
                    + [
                        _percent(result.falls(place))
                        for place in (Compartment.POPE, Compartment.MATRIMONY)
                    ]
                    + [_percent(result.win_rate(1))]
                )
        result = self.of(Rules.HOYLE, 4)
        free = self.of(replace(Rules.HOYLE, lead=Lead.ANY), 4, Policy.RANDOM)
        longest = 28
        self.figures["odds-lengths.svg"] = bars(
            "How many leads a deal has, 4 players",
            [*(str(n) if n % 2 == 0 else "" for n in range(longest)), f"{longest}+"],
            [
                Series("book's order", _shares(result, longest)),
                Series("any card, at random", _shares(free, longest)),
            ],
            "share of deals by number of leads: 0 where a turned-up Pope ends the deal, and last "
            f"all with {longest} and more",
            lowest=0.0,
        )
        return (
            "## How do the lead rules change the game?\n\n"
            "HOYLE with 4 players and its lead rule changed: leads a deal, how many of them are "
            "real choices, counters paid for cards left in hand.\n\n"
            "![How many leads a deal has](odds-lengths.svg)\n\n"
            + _table(
                [
                    "lead rule, leads",
                    "leads",
                    "choices",
                    "card money",
                    "Pope falls",
                    "Matrimony falls",
                    "eldest out first",
                ],
                rows,
            )
        )

    def pope(self) -> str:
        """How likely a turned-up Pope is."""
        rows = []
        for players in _PLAYERS:
            result = self.of(Rules.HOYLE, players)
            found = result.figures()
            rows.append(
                [str(players), _percent(found["pope turned up"]),
                 _percent(result.dealt("pope")), _percent(found["excused"])]
            )  # fmt: skip
        return (
            "## How likely is a turned-up Pope?\n\n"
            f"One deal in 51, {100 / 51:.3f} %, with any number of players, in so far as the deal "
            "is fair; beside it how often Pope lies in a hand, and how often it excuses its holder "
            "from paying.\n\n" + _table(["players", "turned up", "in a hand", "excuses"], rows)
        )


def _shares(result: SimulationResult, longest: int) -> list[Estimate]:
    """The share of deals with 0, 1, ... leads, and last with ``longest`` or more."""
    lengths = [*result.lengths, *[0] * longest]
    shares = [count / result.deals for count in (*lengths[:longest], sum(lengths[longest:]))]
    return [Estimate(share, (share * (1 - share) / result.deals) ** 0.5) for share in shares]


_OPENING: Final = """\
# The book of odds

Every figure is from {deals} deals played by the compiled kernel, seed {seed}, in matches of eight
deals with the stakes carried over; `popejoan odds --out docs` makes this page anew. After ± stands
the standard error: the truth lies within twice that, nineteen times in twenty. Seats are counted
from the dealer: the *eldest* hand is on the dealer's left and leads."""

_CLOSING: Final = """\
## How the players lead

*Book*: a stop that is known, else Pope, else an ace, else the lowest card of the longest suit.
*Random*: each legal card alike. *Linear*: the card whose features, weighted, come to most; it knows
what a seat may know, and weighs what the run may earn, shed and lead to
(`popejoan.fast.layout.FEATURES`). All seats lead alike. Against other players the figures differ;
by how much the lead matters can be read from the differences between them."""
