"""Who plays the chunks: this thread, several threads or processes, a Dask cluster, a CUDA card.

Each gives the totals of chunks as they are done, in any order, and never has more than a few
chunks a worker handed out. A chunk whose worker is lost is played again.
"""

from __future__ import annotations

import multiprocessing
import re
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from logging import CRITICAL, getLogger
from typing import Any, Final

from popejoan.fast.plan import Chunk, Plan, play
from popejoan.fast.stopping import Lost, serve_parent, sheltered
from popejoan.fast.tables import Ints

__all__ = ["check", "workers"]

_AHEAD: Final = 3
"""Chunks handed out for each worker: one played, the others waiting so that it never idles."""
_TRIES: Final = 4
"""How often a chunk may be played in vain, its worker being lost, before that ends the whole."""
_PATIENCE: Final = 10
"""Seconds in which a scheduler answers, or is not there."""
_ADDRESS: Final = re.compile(
    r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}"
)


def workers(
    plan: Plan,
    chunk_size: int,
    *,
    threads: int = 1,
    processes: int = 0,
    cluster: str | None = None,
    device: str = "cpu",
) -> Generator[Ints]:
    """The totals of the plan's chunks, as they are done.

    Raises ValueError for what does not go together; while they are asked for, ImportError, with
    what to install, where the extra that is asked for lacks, and Lost when who plays is lost.
    """
    check(threads, processes, cluster, device)
    chunks = plan.chunks(chunk_size)
    return _or_lost(_players(plan, chunks, threads, processes, cluster, device))


def check(threads: int, processes: int, cluster: str | None, device: str) -> None:
    """Raise ValueError, with what to leave out, for what would be ignored."""
    if threads < 1 or processes < 0:
        raise ValueError("threads count from 1 up and processes from 0 up")
    if device not in {"cpu", "cuda"}:
        raise ValueError(f"{device!r} is no device: they are cpu and cuda")
    if device == "cuda" and (cluster is not None or processes or threads > 1):
        raise ValueError("a CUDA card plays alone: leave out cluster, processes and threads")
    if cluster is not None and threads > 1:
        raise ValueError("each worker of a cluster has one thread here: leave out threads")
    if threads > 1 and processes:
        raise ValueError("each process plays in one thread: choose processes or threads")
    if cluster is None or cluster == "local":
        return
    if not _ADDRESS.fullmatch(cluster):
        raise ValueError(
            "a cluster is 'local', or the address of a Dask scheduler such as "
            f"tcp://10.0.0.5:8786, not {cluster!r}"
        )
    if processes:
        raise ValueError(f"the cluster at {cluster} has its own workers: leave out processes")


def _or_lost(found: Iterator[Ints]) -> Generator[Ints]:
    """The same, but what the machine lacks and who is lost is told as Lost."""
    try:
        yield from found
    except Lost:
        raise
    except (OSError, RuntimeError, MemoryError, CancelledError) as error:
        raise Lost(f"{error}" or type(error).__name__) from error


def _players(
    plan: Plan,
    chunks: Iterator[Chunk],
    threads: int,
    processes: int,
    cluster: str | None,
    device: str,
) -> Iterator[Ints]:
    if device == "cuda":
        from popejoan.fast.cuda import play_on_card

        return play_on_card(plan)
    if cluster is not None:
        return _on_cluster(plan, chunks, cluster, processes)
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
    _warm(plan)
    left: deque[Chunk] = deque()
    tries: Counter[Chunk] = Counter()
    while True:
        waiting: dict[Future[Ints], Chunk] = {}
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, mp_context=context, initializer=serve_parent)
        try:
            while True:
                _hand_out(plan, pool, chunks, left, waiting, processes * _AHEAD)
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in [future for future in done if future.exception() is None]:
                    tries.pop(waiting.pop(future), None)
                    yield future.result()
                for future in done & waiting.keys():
                    future.result()
        except BrokenProcessPool as error:
            # They are begun in order, so the first ones are those that were being played.
            for chunk in list(waiting.values())[:processes]:
                tries[chunk] += 1
                if tries[chunk] == _TRIES:
                    last = chunk.first + chunk.matches - 1
                    says = f"the processes that played matches {chunk.first} to {last} ended, "
                    raise Lost(f"{says}{_TRIES} times in turn") from error
            left.extendleft(reversed(waiting.values()))
        finally:
            running = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running if waiting else ():
                process.kill()  # nobody waits for what they play


def _warm(plan: Plan) -> None:
    """Compile here, if need be, what each process would else compile for itself."""
    if plan.cold:
        play(plan, Chunk(0, 1))


def _hand_out(
    plan: Plan,
    pool: Executor,
    chunks: Iterator[Chunk],
    left: deque[Chunk],
    waiting: dict[Future[Ints], Chunk],
    ahead: int,
) -> None:
    """Submit chunks until so many wait; what the pool refuses is ``left``."""
    while len(waiting) < ahead:
        if not left:
            chunk = next(chunks, None)
            if chunk is None:
                return
            left.append(chunk)
        with sheltered():
            waiting[pool.submit(play, plan, left[0])] = left[0]
        left.popleft()


@contextmanager
def _silent() -> Iterator[None]:
    """Without Dask's own words on what is lost: what matters is told by us."""
    names = [name for name in getLogger().manager.loggerDict if name.startswith("distributed")]
    before = {logger: logger.level for logger in map(getLogger, names)}
    for logger in before:
        logger.setLevel(CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


def _on_cluster(plan: Plan, chunks: Iterator[Chunk], address: str, workers: int) -> Iterator[Ints]:
    """The totals from a Dask cluster; the scheduler runs again what a lost worker had."""
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError as error:
        raise ImportError(
            "a cluster needs Dask distributed: pip install 'popejoan[cluster]'"
        ) from error
    with ExitStack() as ends:
        ends.enter_context(_silent())
        where: Any = address
        if address == "local":
            _warm(plan)
        with sheltered():
            try:
                if address == "local":
                    where = ends.enter_context(
                        LocalCluster(
                            n_workers=workers or 2,
                            threads_per_worker=1,
                            dashboard_address=None,
                            silence_logs=CRITICAL,
                        )
                    )
                client = ends.enter_context(Client(where, timeout=_PATIENCE))
            except OSError as error:
                raise Lost(f"no Dask scheduler answers at {address}: {error}") from error
        try:
            yield from _from_client(plan, chunks, client, as_completed)
        except Exception as error:
            with suppress(Exception):
                client.close(timeout=1)  # it would wait long for one that is gone
            says = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise Lost(f"the cluster at {address} plays no more ({says})") from error


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
