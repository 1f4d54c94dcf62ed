"""The bots that search, with the fastest play-outs that are installed."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from popejoan.bots import bot
from popejoan.bots.playouts import EnginePlayouts, Playouts
from popejoan.bots.search import Master
from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.cards import Card
from popejoan.deal import Deal
from popejoan.round import Round
from popejoan.rules import Rules
from popejoan.view import View

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

__all__ = ["compiled", "decide", "master", "playouts", "pool", "quick_master", "warm"]


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


def quick_master(seed: int = 0, *, worlds: int) -> Master:
    """The bot *master* looking at so many worlds."""
    return Master(playouts(), number=worlds, seed=seed)


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
        card = quick_master(worlds=8).choose(View.of(round_, round_.to_act))
        round_ = round_.lead(card)
