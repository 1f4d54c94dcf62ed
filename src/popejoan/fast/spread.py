"""Who plays the chunks: this thread, several threads or processes, a Dask cluster, a CUDA card.

Each gives the totals of chunks as they are done, in any order, and never has more than a few
chunks a worker handed out. A chunk whose worker is lost is played again.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.tables import Ints

__all__ = ["workers"]

_AHEAD = 3
"""Chunks handed out for each worker: one played, the others waiting so that it never idles."""
_TRIES = 4
"""How often a chunk is handed out before the loss of its workers counts as an error."""


def workers(
    plan: Plan,
    chunk_size: int,
    *,
    threads: int = 1,
    processes: int = 0,
    cluster: str | None = None,
    device: str = "cpu",
) -> Iterator[Ints]:
    """The totals of the plan's chunks, as they are done.

    Raises ImportError, with what to install, where the extra that is asked for lacks.
    """
    if threads < 1 or processes < 0:
        raise ValueError("threads count from 1 up and processes from 0 up")
    chunks = plan.chunks(chunk_size)
    if device == "cuda":
        from popejoan.fast.cuda import play_on_card

        return play_on_card(plan)
    if device != "cpu":
        raise ValueError(f"{device!r} is no device: they are cpu and cuda")
    if cluster is not None:
        return _on_cluster(plan, chunks, cluster, max(threads, processes))
    if processes:
        return _in_processes(plan, chunks, processes)
    if threads > 1:
        return _in_pool(ThreadPoolExecutor(threads), plan, chunks, threads * _AHEAD)
    return (play(plan, chunk) for chunk in chunks)


def _in_pool(pool: Executor, plan: Plan, chunks: Iterator[Chunk], ahead: int) -> Iterator[Ints]:
    """The totals from a pool that loses nobody."""
    first = next(chunks, None)
    if first is not None:
        yield play(plan, first)  # compiles, if need be, once
    waiting: set[Future[Ints]] = set()
    try:
        while True:
            while len(waiting) < ahead and (chunk := next(chunks, None)) is not None:
                waiting.add(pool.submit(play, plan, chunk))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_processes(plan: Plan, chunks: Iterator[Chunk], processes: int) -> Iterator[Ints]:
    """The totals from processes; when one dies the pool is made anew and its chunks run again."""
    lost: deque[Chunk] = deque()
    tries = 0
    while True:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, mp_context=context)
        waiting: dict[Future[Ints], Chunk] = {}
        try:
            while True:
                while len(waiting) < processes * _AHEAD:
                    chunk = lost.popleft() if lost else next(chunks, None)
                    if chunk is None:
                        break
                    waiting[pool.submit(play, plan, chunk)] = chunk
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    totals = future.result()
                    del waiting[future]
                    yield totals
        except BrokenProcessPool:
            tries += 1
            if tries >= _TRIES:
                raise
            lost.extend(waiting.values())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_cluster(plan: Plan, chunks: Iterator[Chunk], address: str, workers: int) -> Iterator[Ints]:
    """The totals from a Dask cluster; the scheduler runs again what a lost worker had."""
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError as error:
        raise ImportError(
            "a cluster needs Dask distributed: pip install 'popejoan[cluster]'"
        ) from error
    local: Any = None
    if address == "local":
        local = LocalCluster(
            n_workers=max(workers, 2), threads_per_worker=1, dashboard_address=None
        )
    client = Client(local if local is not None else address)
    try:
        yield from _from_client(plan, chunks, client, as_completed)
    finally:
        client.close()
        if local is not None:
            local.close()


def _from_client(
    plan: Plan, chunks: Iterator[Chunk], client: Any, as_completed: Any
) -> Iterator[Ints]:
    slots = max(sum(client.nthreads().values()), 1) * _AHEAD

    def submit(chunk: Chunk) -> Any:
        return client.submit(play, plan, chunk, pure=False, retries=_TRIES)

    waiting = as_completed(with_results=False)
    open_ = 0
    while True:
        while open_ < slots and (chunk := next(chunks, None)) is not None:
            waiting.add(submit(chunk))
            open_ += 1
        if not open_:
            return
        future = next(waiting)
        open_ -= 1
        yield future.result()
