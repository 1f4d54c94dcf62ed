"""How fast the bots, the solver and reviews are on this machine, one process on one core.

    python benchmarks/bots.py

Run it twice: the first time may have to compile the kernel. ``docs/bots.md`` records what it says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean, median
from time import perf_counter

import numpy as np

from popejoan import Deal, Round, Rules, View
from popejoan.advice import master, playouts, quick
from popejoan.advice.arena import played
from popejoan.advice.review import review
from popejoan.bots import Bot, bot
from popejoan.bots.search import Master
from popejoan.bots.weights import counter_weights
from popejoan.fast.abreast import play_abreast
from popejoan.fast.evaluator import KernelPlayouts
from popejoan.fast.solver import solve
from popejoan.features import to_lanes


def timed(function: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    began = perf_counter()
    function()
    return perf_counter() - began


def first_decision() -> None:
    """How long the first choice takes, reading the kernel from its cache or compiling it."""
    round_ = started(Rules.CASSELL, 5)
    for _ in range(3):
        round_ = round_.lead(round_.legal[0])
    view = View.of(round_, round_.to_act)
    print(f"first decision of master: {timed(partial(master().choose, view)):.2f} s")


def started(rules: Rules, seed: int) -> Round:
    """A deal before its first lead."""
    return Round.start(rules, Deal.shuffle(seed, rules=rules))


def late(rules: Rules, seed: int, cards: int) -> Round:
    """A deal played by chance until so few cards are held."""
    chance = random.Random(seed)
    round_ = started(rules, seed)
    while not round_.over and sum(map(int.bit_count, round_.held)) > cards:
        round_ = round_.lead(chance.choice(list(round_.legal)))
    return round_


def thousand_playouts() -> None:
    """A thousand play-outs of each lead of an eldest hand of 11 (10 with CASSELL's stock)."""
    for rules in (Rules.CASSELL, Rules.PARLETT, Rules.HOYLE):
        view = next(
            view
            for seed in range(500)
            for view in [View.of(started(rules, seed), started(rules, seed).to_act)]
            if view.to_act is not None and len(view.legal) >= (10 if rules is Rules.CASSELL else 3)
        )
        worlds = KernelPlayouts(counter_weights).worlds(view, 1000, 1)
        drawn, high = worlds.drawn, rules.order.ace_high
        leads = np.array([to_lanes(card.bit, ace_high=high) for card in view.legal])
        gains = np.zeros((len(leads), 1000), dtype=np.int64)
        hands = np.ascontiguousarray(worlds.hands.T)
        seat = int(view.seat or 0)
        asked = (
            drawn.flags, seat, drawn.dealer, drawn.turn, drawn.played, hands, worlds.stocks,
            drawn.board, leads, gains,
        )  # fmt: skip
        play_abreast(*asked)
        times = sorted(timed(partial(play_abreast, *asked)) for _ in range(300))
        plans = [(card,) for card in view.legal]
        worlds.play_array(plans, 0, 1000)
        slow = min(timed(partial(worlds.play_array, plans, 0, 1000)) for _ in range(5))
        each = 1e6 / len(leads)
        print(
            f"{rules.text}: 1,000 play-outs of {len(leads)} leads: {1e3 * median(times):.2f} ms "
            f"(best {1e3 * times[0]:.2f}; {each * times[0]:.0f} ns each), as counter leads "
            f"{1e3 * slow:.0f} ms ({each * slow / 1000:.1f} us each)"
        )


def decisions(name: str, make: Callable[[], Bot]) -> None:
    """How long a bot takes over the choices of forty deals."""
    times = sorted(timed(partial(make().choose, view)) for view in choices(Rules.CASSELL, 40))
    print(
        f"{name}: {len(times)} decisions, mean {1e3 * mean(times):.1f} ms, median "
        f"{1e3 * median(times):.1f}, 99 % within {1e3 * times[len(times) * 99 // 100]:.1f}"
    )


def choices(rules: Rules, deals: int) -> Iterator[View]:
    """The views of all choices that *counter* meets."""
    for seed in range(deals):
        round_ = started(rules, seed)
        while round_.to_act is not None:
            view = View.of(round_, round_.to_act)
            if len(view.legal) > 1:
                yield view
            round_ = round_.lead(bot("counter").choose(view))


def solved(name: str, rules: Rules, cards: int, deals: int) -> None:
    """How long deals take to solve from so many cards on."""
    rounds = [late(rules, seed, cards) for seed in range(deals)]
    rounds = [each for each in rounds if not each.over]
    solve(rounds[0], most=50_000_000)
    times = [timed(partial(solve, each, most=50_000_000)) for each in rounds]
    print(f"solving {name}: median {1e3 * median(times):.2f} ms of {len(times)} deals")


def reviews() -> None:
    """How long a review of a whole deal takes."""
    for rules in (Rules.CASSELL, Rules.PARLETT, Rules.HOYLE):
        times = []
        for seed in range(6):
            whole = played(started(rules, 10 + seed), [bot("sharp")] * 4)
            times.append(timed(partial(review, whole)))
        print(f"{rules.text}: a review {median(times):.2f} s, the slowest {max(times):.2f}")


if __name__ == "__main__":
    first_decision()
    thousand_playouts()
    decisions("quick", quick)
    decisions("master", master)
    for seconds in (0.02, 0.1):
        hurried = partial(Master, playouts(), number=20_000, seconds=seconds)
        decisions(f"master with {1e3 * seconds:.0f} ms", hurried)
    solved("the book's order", Rules.HOYLE, 99, 40)
    solved("lowest of a suit", Rules.PARLETT, 99, 40)
    solved("any card, from 28 cards", Rules.CASSELL, 28, 60)
    solved("any card, from 20 cards", Rules.CASSELL, 20, 60)
    reviews()
    solved("any card, whole", Rules.CASSELL, 99, 5)
