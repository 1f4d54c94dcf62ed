"""The same chunks on a Dask cluster: the same totals, though a worker is killed half-way."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from popejoan.fast.plan import Plan
from popejoan.fast.policy import Policy
from popejoan.fast.simulate import run
from popejoan.fast.spread import workers
from popejoan.rules import Lead, Rules

PLAN = Plan(Rules(lead=Lead.ANY), 4, Policy.RANDOM, None, 8, 6_000)


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    plain = builtins.__import__

    def lacking(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "distributed":
            raise ImportError(name)
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(ImportError, match=r"popejoan\[cluster\]"):
        run(PLAN, cluster="local")


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_totals_though_a_worker_is_killed_half_way() -> None:
    import distributed

    alone = run(PLAN)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )
    try:
        chunks = 0
        totals = None
        address = cluster.scheduler_address
        victim = next(iter(cluster.workers.values())).pid
        for part in workers(PLAN, 100, cluster=address):
            totals = part if totals is None else totals + part
            chunks += 1
            if chunks == 20:
                os.kill(victim, signal.SIGKILL)
        assert chunks == 60
        assert totals is not None
        assert tuple(totals.tolist()) == alone.totals
    finally:
        cluster.close()


@pytest.mark.filterwarnings("ignore")
def test_local_starts_a_cluster_of_its_own() -> None:
    assert run(PLAN, cluster="local", chunk_size=1000).totals == run(PLAN).totals


def test_a_process_that_dies_has_its_chunks_played_again(tmp_path: Any) -> None:
    import multiprocessing
    import threading
    import time

    def kill_one() -> None:
        for _ in range(600):
            children = multiprocessing.active_children()
            if children and not killed and started.is_set():
                killed.append(children[0].pid)
                os.kill(children[0].pid or 0, signal.SIGKILL)
                return
            time.sleep(0.05)

    killed: list[int | None] = []
    started = threading.Event()
    thread = threading.Thread(target=kill_one)
    thread.start()
    result = run(PLAN, processes=2, chunk_size=20, progress=lambda _: started.set())
    thread.join()
    assert killed
    assert result.totals == run(PLAN).totals
