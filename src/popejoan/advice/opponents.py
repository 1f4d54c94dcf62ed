"""The bots that search, with the fastest play-outs that are installed."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from popejoan.bots.playouts import EnginePlayouts, Playouts
from popejoan.bots.search import Master
from popejoan.bots.weights import counter_weights, sharp_weights

__all__ = ["compiled", "master", "playouts", "quick_master"]


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
