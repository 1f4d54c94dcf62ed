"""The bots that search, with the fastest play-outs that are installed."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from popejoan.bots import LADDER, Bot, bot, level
from popejoan.bots.playouts import EnginePlayouts, Playouts
from popejoan.bots.search import Master, Quick
from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.cards import Card
from popejoan.deal import Deal
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

__all__ = [
    "compiled",
    "decide",
    "master",
    "on_the_engine",
    "playouts",
    "pool",
    "quick",
    "warm",
]


@lru_cache(maxsize=1)
def compiled() -> bool:
    """Whether the compiled kernel can be used: the extra ``fast`` is installed."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


@lru_cache(maxsize=1)
def playouts() -> Playouts:
    """The kernel's play-outs, or without Numba the engine's.

    In the kernel the seat itself leads as *sharp* and the others as *counter*, to whom most
    players are nearer; on the engine all lead as *counter*.
    """
    if not compiled():
        return EnginePlayouts()
    from popejoan.fast.evaluator import KernelPlayouts

    return KernelPlayouts(sharp_weights, counter_weights)


def master(seed: int = 0) -> Master:
    """The bot *master* at its usual strength."""
    return Master(playouts(), seed=seed)


def quick(seed: int = 0) -> Bot:
    """The bot *quick*: *sharp* with a second look at a thousand worlds, in about two milliseconds.

    Without the kernel it is *master* on the engine, in a few worlds.
    """
    if not compiled():
        return Master(playouts(), number=8, seed=seed)
    from popejoan.fast.evaluator import worth_at_a_glance

    return Quick(worth_at_a_glance, seed=seed)


def on_the_engine(*names: str) -> str | None:
    """What to tell of bots that search where Numba is not installed; None when all is as usual.

    With no names it is told of hints and reviews.
    """
    sharp = LADDER.index("sharp")
    searching = [
        name for name in names if name in ("master", "quick") or (level(name) or 0) > sharp
    ]
    if compiled() or (names and not searching):
        return None
    who = f"{searching[0]!r} looks at" if searching else "each lead is played out in"
    return (
        f"Numba is not installed, so {who} {EnginePlayouts().usual} worlds at most instead of "
        "hundreds: pip install 'popejoan[fast]'"
    )


def decide(name: str, seed: int, view: View) -> Card:
    """What the bot of this name chooses: a function that a pool of processes can be handed."""
    return bot(name, seed).choose(view)


def pool(processes: int) -> ProcessPoolExecutor:
    """A pool for a server, each process warm: ``pool(2).submit(decide, "master", 7, view)``."""
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(processes, initializer=warm)


def warm() -> None:
    """Make one choice, so that the kernel is compiled or read from its cache."""
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(1, rules=Rules.CASSELL))
    for _ in range(2):
        assert round_.to_act is not None
        card = Master(playouts(), number=8).choose(View.of(round_, round_.to_act))
        round_ = round_.lead(card)
