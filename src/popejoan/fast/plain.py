"""A first answer while the kernel compiles: its source as plain Python, in a process of its own.

The kernel is Python that the compiler may be left out of. So run, it plays the first matches of the
same plan, card for card, some thousands of times slower.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from threading import Thread
from time import perf_counter
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult

__all__ = ["first_answer"]

_SECONDS: Final = 1.0
"""How long the process plays."""
_MATCHES: Final = 20
"""Matches between two looks at the clock."""


@contextlib.contextmanager
def first_answer(plan: Plan, tell: Callable[[SimulationResult], None]) -> Iterator[None]:
    """Meanwhile, hand to ``tell`` what the first matches of a plan come to, from another thread.

    It is told once, after some two seconds, or never: where the body is done before, or no process
    can be had.
    """
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "popejoan.fast.plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )
    except OSError:
        yield
        return
    done = False

    def wait() -> None:
        from popejoan.fast.result import SimulationResult

        found = process.communicate(pickle.dumps(plan))[0]
        if process.returncode == 0 and not done:
            played, totals, seconds = json.loads(found)
            tell(SimulationResult(replace(plan, matches=played), tuple(totals), seconds))

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        done = True
        process.kill()
        waiting.join()


def _answer(asked: IO[bytes]) -> str:
    """The matches played of a plan, their totals and the seconds that it took, as JSON."""
    import numpy as np

    from popejoan.fast.plan import no_totals, play

    plan: Plan = replace(pickle.load(asked), tier="scalar")
    begun = perf_counter()
    totals, played = no_totals(), 0
    with np.errstate(over="ignore"):
        for chunk in plan.chunks(_MATCHES):
            totals += play(plan, chunk)
            played += chunk.matches
            if perf_counter() - begun > _SECONDS:
                break
    return json.dumps([played, totals.tolist(), perf_counter() - begun])


if __name__ == "__main__":
    sys.stdout.write(_answer(sys.stdin.buffer))
