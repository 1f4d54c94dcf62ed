"""The same chunks elsewhere: the same totals though workers are lost, or what is done, and why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from popejoan.fast import spread
from popejoan.fast.plan import Chunk, Plan
from popejoan.fast.policy import Policy
from popejoan.fast.simulate import run
from popejoan.fast.spread import workers
from popejoan.fast.stopping import Lost
from popejoan.rules import Lead, Rules

PLAN = Plan(Rules(lead=Lead.ANY), 4, Policy.RANDOM, None, 8, 6_000)


class Mortal(Executor):
    """A pool that plays here, and is lost with all that it has not played when it is told so."""

    dies: Callable[[Chunk], bool]

    def __init__(self, *_: Any, **__: Any) -> None:
        self._processes: dict[int, Any] = {}
        self.waiting: list[tuple[Future[Any], Any]] = []
        self.lost = False

    def submit(self, play: Any, /, plan: Plan, chunk: Chunk) -> Future[Any]:  # type: ignore[override]
        if self.lost:
            raise BrokenProcessPool
        future: Future[Any] = Future()
        if type(self).dies(chunk):
            self.lost = True
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(play(plan, chunk))
        return future


def test_each_chunk_has_its_own_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    deaths: list[Chunk] = []

    class Often(Mortal):
        @staticmethod
        def dies(chunk: Chunk) -> bool:
            if chunk.first % 1000 or deaths.count(chunk) == 3:
                return False
            deaths.append(chunk)
            return True

    monkeypatch.setattr(spread, "ProcessPoolExecutor", Often)
    assert run(PLAN, processes=2, chunk_size=100).totals == run(PLAN).totals
    assert len(deaths) == 18


def test_a_chunk_that_ends_its_process_each_time_ends_the_whole_with_what_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Never(Mortal):
        @staticmethod
        def dies(chunk: Chunk) -> bool:
            return chunk.first == 3000

    monkeypatch.setattr(spread, "ProcessPoolExecutor", Never)
    result = run(PLAN, processes=2, chunk_size=100)
    assert not result.complete
    assert result.matches >= 3000
    assert "the processes that played matches 3000 to 3099 ended, 4 times" in result.stopped
    monkeypatch.setattr(Never, "dies", staticmethod(lambda _: True))
    with pytest.raises(Lost, match="matches 0 to 99"):
        run(PLAN, processes=2, chunk_size=100)


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ({"cluster": "foo"}, "'local', or the address of a Dask scheduler such as tcp://"),
        ({"cluster": ""}, "'local', or the address"),
        ({"cluster": "tcp://10.0.0.5:8786", "processes": 2}, "has its own workers"),
        ({"cluster": "local", "threads": 2}, "leave out threads"),
        ({"device": "cuda", "threads": 2}, "plays alone"),
        ({"device": "cuda", "cluster": "local"}, "plays alone"),
        ({"threads": 2, "processes": 2}, "choose processes or threads"),
    ],
)
def test_what_would_be_ignored_is_refused(where: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        run(PLAN, **where)


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr(spread, "_PATIENCE", 1)
    with pytest.raises(Lost, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        run(PLAN, cluster="tcp://127.0.0.1:9")


_SCHEDULER = """
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, processes=False, protocol="tcp", host="127.0.0.1",
                      dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        input()
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_lost_leaves_what_is_done_and_says_so() -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with subprocess.Popen(
        [sys.executable, "-c", _SCHEDULER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as scheduler:
        assert scheduler.stdout is not None
        address = scheduler.stdout.readline().strip()
        done: list[int] = []

        def lose(deals: int) -> None:
            done.append(deals)
            if len(done) == 10:
                scheduler.kill()

        result = run(PLAN, cluster=address, chunk_size=20, progress=lose)
    assert 10 * 20 <= result.matches < PLAN.matches
    assert address in result.stopped


_INTERRUPTED = """
import sys
from popejoan.fast.plan import Plan
from popejoan.fast.simulate import run
if __name__ == "__main__":
    plan = Plan(matches=10**9)
    result = run(plan, {where}, chunk_size=50,
                 progress=lambda done: print("plays", flush=True) if done < 5000 else None)
    print("shows", result.stopped, 0 < result.deals < plan.deals, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a process group is interrupted otherwise there")
@pytest.mark.parametrize("where", ["threads=1", "threads=2", "processes=2", "cluster='local'"])
def test_ctrl_c_thrice_on_all_its_processes_shows_what_is_done_and_no_traceback(
    where: str,
) -> None:
    if "cluster" in where:
        pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with subprocess.Popen(
        [sys.executable, "-c", _INTERRUPTED.format(where=where)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline() == "plays\n"
        for _ in range(3):
            os.killpg(playing.pid, signal.SIGINT)
            time.sleep(0.05)
        try:
            told, errors = playing.communicate(timeout=60)
        finally:
            if playing.poll() is None:
                os.killpg(playing.pid, signal.SIGKILL)
    assert errors == ""
    assert told.splitlines()[-1] == "shows interrupted True"
    assert playing.returncode in {0, -signal.SIGINT}, "the last one may come when all is shown"


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
