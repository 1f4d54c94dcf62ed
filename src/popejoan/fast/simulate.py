"""Simulation: chunks of matches, played here or elsewhere, added up as they come.

Memory does not grow with the number of deals: chunks are handed out as workers ask for them, and
what comes back is one array of totals that is added and dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from time import perf_counter
from typing import Final

from popejoan.fast.layout import DEALS
from popejoan.fast.plan import MATCHES_A_CHUNK, Plan, no_totals
from popejoan.fast.policy import Policy, weights_of
from popejoan.fast.result import SimulationResult
from popejoan.fast.spread import workers
from popejoan.fast.stopping import Lost, one_interrupt
from popejoan.rules import Rules

__all__ = ["INTERRUPTED", "plan_of", "run", "simulate"]

INTERRUPTED: Final = "interrupted"
"""Why a result is ``stopped`` after Ctrl-C."""


def simulate(
    rules: Rules = Rules.HOYLE,
    *,
    players: int = 4,
    deals: int = 100_000,
    policy: Policy = Policy.BOOK,
    weights: Sequence[int] | None = None,
    seed: int = 0,
    deals_a_match: int | None = None,
    threads: int = 1,
    processes: int = 0,
    cluster: str | None = None,
    device: str = "cpu",
    progress: Callable[[int], None] | None = None,
) -> SimulationResult:
    """What so many deals come to, rounded up to whole matches.

    ``deals_a_match`` is 8 unless given, or the next number that comes round to all players where
    the rules ask for that. The totals depend on the plan alone, not on ``threads``, ``processes``,
    ``cluster`` (an address, or ``local``) or ``device`` (``cpu`` or ``cuda``). ``progress`` is told
    the deals done. Interrupted, or when who plays is lost on the way, it gives what is done so far:
    see ``complete`` and ``stopped``.

    Raises BadRules or ValueError for what cannot be simulated, ImportError where an extra lacks,
    Lost (a RuntimeError) when nobody can play.
    """
    plan = plan_of(
        rules,
        players=players,
        deals=deals,
        policy=policy,
        weights=weights,
        seed=seed,
        deals_a_match=deals_a_match,
    )
    return run(
        plan,
        threads=threads,
        processes=processes,
        cluster=cluster,
        device=device,
        progress=progress,
    )


def plan_of(
    rules: Rules,
    *,
    players: int,
    deals: int,
    policy: Policy,
    weights: Sequence[int] | None = None,
    seed: int = 0,
    deals_a_match: int | None = None,
) -> Plan:
    """What ``simulate`` plays; raises what it raises."""
    if weights is not None and policy is not Policy.LINEAR:
        raise ValueError(
            "weights are for the linear policy: leave them out, or ask for it (--leads linear)"
        )
    if deals_a_match is None:
        deals_a_match = 8 if not rules.equal_deals else -(-8 // max(players, 1)) * players
    return Plan(
        rules,
        players,
        policy,
        weights_of(weights) if policy is Policy.LINEAR else None,
        seed,
        max(1, -(-deals // max(deals_a_match, 1))),
        deals_a_match,
    )


def run(
    plan: Plan,
    *,
    threads: int = 1,
    processes: int = 0,
    cluster: str | None = None,
    device: str = "cpu",
    chunk_size: int = MATCHES_A_CHUNK,
    progress: Callable[[int], None] | None = None,
) -> SimulationResult:
    """What a plan comes to; see ``simulate``."""
    begun = perf_counter()
    totals: list[int] = no_totals().tolist()
    stopped = ""
    with one_interrupt():
        try:
            with closing(
                workers(
                    plan,
                    chunk_size,
                    threads=threads,
                    processes=processes,
                    cluster=cluster,
                    device=device,
                )
            ) as found:
                for part in found:
                    totals = [one + other for one, other in zip(totals, part.tolist())]
                    if progress is not None:
                        progress(totals[DEALS])
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        except Lost as lost:
            if not totals[DEALS]:
                raise
            stopped = str(lost)
    return SimulationResult(plan, tuple(totals), perf_counter() - begun, stopped)
