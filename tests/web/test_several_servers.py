"""Several servers with one PostgreSQL: any client on any of them, and nothing lost or doubled."""

from __future__ import annotations

import concurrent.futures
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.servers import Client, Server, play_on
from tests.web.services import Redis, postgres


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    made = Redis(tmp_path_factory.mktemp("redis"))
    yield made
    made.stop()


def two(folder: Path, database: str, bus: str) -> tuple[Server, Server]:
    one = Server(folder, store=database, more=f"--bus {bus}").start()
    return one, Server(folder, store=database, more=f"--bus {bus}").start()


def match(one: Server, other: Server) -> tuple[Client, Client]:
    """Anna at one server and Ben at the other, at one table with a bot."""
    given = one.table("Anna", seats=3, deals=None, grace=3600)
    anna = one.client(given)
    ben = other.client(other.sit(given["code"], "Ben"))
    anna.until(lambda: [1, "here"] in anna.table["present"])
    anna.does("start")
    anna.until_playing()
    ben.until_playing()
    return anna, ben


def same_double_play_counts_once(anna: Client, ben: Client, other: Server) -> None:
    play_on([anna, ben], lambda: anna.my_lead)
    anna.drain()
    twin = Client(other, anna.code, anna.token)
    ask = {"deal": anna.table["deal"], "seen": anna.seen, "card": anna.choice()}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda client: client.ask("lead", **ask), (anna, twin)))
    assert sorted(answer["kind"] for answer in answers) == ["done", "refused"]
    twin.close()


def test_two_servers_by_notify_play_one_match(tmp_path: Path, database: str) -> None:
    one, other = two(tmp_path, database, database)
    try:
        anna, ben = match(one, other)
        same_double_play_counts_once(anna, ben, other)
        play_on([anna, ben], lambda: ben.table["deal"] == 3)
        anna.until(lambda: anna.seq >= ben.seq)
        # One server is killed: its client goes to the other, where all is.
        other.kill()
        moved = Client(one, ben.code, ben.token)
        assert moved.you == ben.you
        assert moved.seq >= ben.seq
        play_on([anna, moved], lambda: anna.table["deal"] == 5)
        assert sum(anna.table["purses"]) + sum(anna.table["board"].values()) == 3 * 48
    finally:
        one.kill()
        other.stop()


def test_a_broker_that_stops_for_seconds_loses_nothing(
    tmp_path: Path, database: str, redis: Redis
) -> None:
    one, other = two(tmp_path, database, redis.url)
    try:
        anna, ben = match(one, other)
        play_on([anna, ben], lambda: anna.table["deal"] == 2)
        redis.stop()
        deal = anna.table["deal"]
        play_on([anna, ben], lambda: ben.table["deal"] > deal, patience=120)
        redis.start()
        time.sleep(1)
        play_on([anna, ben], lambda: ben.table["deal"] > deal + 1, patience=120)
        anna.until(lambda: anna.seq >= ben.seq)
        ben.until(lambda: ben.seq >= anna.seq)
        assert sum(ben.table["purses"]) + sum(ben.table["board"].values()) == 3 * 48
    finally:
        one.kill()
        other.kill()
