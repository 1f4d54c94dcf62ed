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
from logging import getLogger
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import IO, TYPE_CHECKING, Final

from popejoan.fast.stopping import sheltered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from popejoan.fast.plan import Plan
    from popejoan.fast.result import SimulationResult

__all__ = ["answer", "first_answer"]

_SECONDS: Final = 1.0
"""How long the process plays."""
_MATCHES: Final = 20
"""Matches between two looks at the clock."""
_CODE: Final = f"""\
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
spec = PathFinder.find_spec("popejoan", [{str(Path(__file__).parents[2])!r}])
sys.modules["popejoan"] = package = module_from_spec(spec)
spec.loader.exec_module(package)
from popejoan.fast.plain import answer
sys.stdout.write(answer(sys.stdin.buffer))
"""
"""What the process runs: this very package, and with ``-P`` nothing of the folder that the user
happens to be in."""
_log: Final = getLogger(__name__)


@contextlib.contextmanager
def first_answer(plan: Plan, tell: Callable[[SimulationResult], None]) -> Iterator[None]:
    """Meanwhile, hand to ``tell`` what the first matches of a plan come to, from another thread.

    It is told once, after some two seconds, or never: where the body is done before, or no process
    can be had, or it fails, which is logged at the level DEBUG.
    """
    try:
        with sheltered():
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            )
    except OSError as error:
        _log.debug("no process can be had for a first answer: %s", error)
        yield
        return
    done = False

    def wait() -> None:
        from popejoan.fast.result import SimulationResult

        found, errors = process.communicate(pickle.dumps(plan))
        if done:
            return
        if process.returncode:
            says = errors.decode(errors="replace")
            _log.debug("the first answer failed, exit code %d: %s", process.returncode, says)
        else:
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


def answer(asked: IO[bytes]) -> str:
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
