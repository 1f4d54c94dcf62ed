"""The weights of *counter* and *sharp*, as kept in the files beside this one.

There is a file for each rule of leads; ``made`` in it is the command that made it, and ``rounds``
what the weights were measured at as they grew.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from popejoan.features import Scorer
from popejoan.rules import Lead

__all__ = ["counter_weights", "sharp_weights"]

_FILES = {
    Lead.ANY: "any",
    Lead.LOWEST: "lowest",
    Lead.LOWEST_IN_HAND: "lowest",
    Lead.BOOK: "book",
}


@cache
def _kept(name: str) -> dict[str, Any]:
    text = files("popejoan.bots").joinpath(f"weights-{name}.json").read_text(encoding="ascii")
    kept: dict[str, Any] = json.loads(text)
    return kept


@cache
def counter_weights(lead: Lead) -> Scorer:
    """The fixed weights of *counter* under this rule of leads."""
    return Scorer(tuple(_kept(_FILES[lead])["counter"]))


@cache
def sharp_weights(lead: Lead) -> Scorer:
    """The network of *sharp* under this rule of leads."""
    kept = _kept(_FILES[lead])
    return Scorer(
        tuple(kept["linear"]),
        tuple(map(tuple, kept["hidden"])),
        tuple(kept["bias"]),
        tuple(kept["out"]),
    )
