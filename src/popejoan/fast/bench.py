"""How fast the kernel is, beside plain C where there is a compiler; ``docs/speed.md`` records it.

Ratios are taken in one process, the kernels by turns, and the middle of many turns counts, since
a busy machine slows one turn and not the next.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.policy import Policy
from popejoan.fast.tables import Ints
from popejoan.rules import Lead, Rules

__all__ = ["HEADLINE", "Line", "headline", "plain_c", "rates"]

HEADLINE: Final = Rules(lead=Lead.ANY)
"""The rules of the ratios: HOYLE, any card led."""
_MATCHES: Final = 2048
_SOURCE: Final = Path(__file__).parents[3] / "benchmarks" / "popejoan_plain.c"


class Line(NamedTuple):
    """What one kernel takes."""

    name: str
    """Which kernel."""
    nanoseconds: float
    """Nanoseconds a deal."""
    rounds: float
    """Deals a second."""
    ratio: float | None
    """How many times as fast as plain C; None where that cannot be compiled."""


def plain_c(folder: Path, compiler: str = "gcc") -> Callable[[int], Ints] | None:
    """Plain C that plays so many matches, compiled into a folder; None where that cannot be.

    It gives for each match what the four seats won, and what lies in each compartment at the end:
    shape (matches, 12).
    """
    if shutil.which(compiler) is None or not _SOURCE.exists():
        return None
    target = folder / f"plain-{compiler}.so"
    command = [
        compiler,
        "-O3",
        "-march=native",
        "-shared",
        "-fPIC",
        "-o",
        str(target),
        str(_SOURCE),
    ]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        return None
    function = ctypes.CDLL(str(target)).plain_matches

    def run(matches: int) -> Ints:
        out = np.empty((matches, 12), dtype=np.int64)
        function(
            ctypes.c_uint64(1),
            ctypes.c_int64(0),
            ctypes.c_int64(matches),
            out.ctypes.data_as(ctypes.c_void_p),
        )
        return out

    return run


def headline(seconds: float = 10.0) -> list[Line]:
    """Plain C and the tiers of the kernel side by side: four players, random leads of any card."""
    cases: dict[str, Callable[[], object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = plain_c(Path(folder))
        if plain is not None:
            cases["plain C, gcc -O3 -march=native"] = lambda: plain(_MATCHES)
        clang = plain_c(Path(folder), "clang")
        if clang is not None:
            cases["plain C, clang"] = lambda: clang(_MATCHES)
        for tier in ("scalar", "lockstep"):
            plan = Plan(HEADLINE, 4, Policy.RANDOM, None, 1, _MATCHES, 8, tier)
            cases[f"{tier} kernel, all that is counted"] = partial(play, plan, Chunk(0, _MATCHES))
        plan = Plan(HEADLINE, 4, Policy.RANDOM, None, 1, _MATCHES)
        cases["lockstep kernel, payments alone"] = partial(
            play, plan, Chunk(0, _MATCHES), notes=False
        )
        for case in cases.values():
            case()
        times: dict[str, list[float]] = {name: [] for name in cases}
        begun = perf_counter()
        while len(next(iter(times.values()))) < 5 or perf_counter() - begun < seconds:
            for name, case in cases.items():
                start = perf_counter()
                case()
                times[name].append(perf_counter() - start)
    base = next(iter(times.values())) if plain is not None else None
    lines = []
    for name, taken in times.items():
        a_deal = median(taken) / (_MATCHES * 8)
        ratio = None
        if base is not None:
            ratio = median(one / other for one, other in zip(base, taken, strict=True))
        lines.append(Line(name, a_deal * 1e9, 1 / a_deal, ratio))
    return lines


def rates(seconds: float = 10.0) -> Sequence[tuple[str, int, str, float]]:
    """Rounds a second by rules, players, leads: the book's order, each preset, 2 to 10 players."""
    cases = [("HOYLE lead=any", HEADLINE, 4, Policy.RANDOM)]
    cases += [(name, rules, 4, Policy.BOOK) for name, rules in Rules.presets().items()]
    cases += [(name, rules, 4, Policy.RANDOM) for name, rules in Rules.presets().items()]
    cases += [("HOYLE", Rules.HOYLE, players, Policy.BOOK) for players in range(2, 11)]
    cases += [("CASSELL", Rules.CASSELL, 4, Policy.LINEAR)]
    found = []
    for name, rules, players, policy in cases:
        matches = 256
        plan = Plan(rules, players, policy, None, 1, matches, 8)
        play(plan, Chunk(0, 1))
        taken: list[float] = []
        begun = perf_counter()
        while len(taken) < 3 or perf_counter() - begun < seconds / len(cases):
            start = perf_counter()
            play(plan, Chunk(0, matches))
            taken.append(perf_counter() - start)
        found.append((name, players, policy.name.lower(), plan.deals / median(taken)))
    return found
