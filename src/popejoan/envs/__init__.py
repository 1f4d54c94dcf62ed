"""Doors for researchers: Pope Joan for PettingZoo, Gymnasium and OpenSpiel.

Each door is a module of its own and wants the extra ``envs``; importing one registers its games:

- ``popejoan.envs.pettingzoo``: every seat an agent, in turn (AEC) or in parallel;
- ``popejoan.envs.gymnasium``: one seat, the others bots; and many rounds at once, compiled;
- ``popejoan.envs.openspiel``: ``pyspiel.load_game("python_popejoan(players=4,rules=HOYLE)")``.

What a seat is shown and how its plays are numbered is the same in all of them: ``encoding``.
"""

from __future__ import annotations

from typing import Final

__all__ = ["VERSION", "missing"]

VERSION: Final = 0
"""The version of all doors: another whenever the same seed and actions come to something else."""


def missing(door: str, error: ImportError) -> ImportError:
    """The error to raise where a door's library is not installed, with what would help."""
    return ImportError(
        f"{door} needs {error.name or 'a library'}, which is not installed or does not load "
        f"({error}): pip install 'popejoan[envs]'",
        name=error.name,
    )
