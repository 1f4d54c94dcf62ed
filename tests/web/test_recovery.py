"""Nothing accepted is ever lost, nothing is done twice: the server is killed in the middle."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from pathlib import Path

import pytest
from tests.web.servers import Client, Server, play_on
from websockets.exceptions import ConnectionClosed


def test_kill_at_any_moment_loses_no_play_and_doubles_none(tmp_path: Path) -> None:
    chance = random.Random(5)
    server = Server(tmp_path).start()
    try:
        given = server.table("Anna", seats=4, deals=None)
        anna = server.client(given)
        ben = server.client(server.sit(given["code"], "Ben"))
        anna.does("start")
        accepted: list[tuple[str, str]] = []
        counter = 0
        for _ in range(3):
            killing = threading.Timer(chance.uniform(0.2, 0.9), server.kill)
            killing.start()
            pending: tuple[str, str] | None = None
            with contextlib.suppress(ConnectionClosed, OSError):
                while True:
                    counter += 1
                    pending = (f"say-{counter}", f"word {counter}")
                    answer = anna.ask("say", name=pending[0], text=pending[1])
                    if answer["kind"] == "done":
                        accepted.append(pending)
                    pending = None
                    ben.move()
                    if anna.my_lead:
                        anna.move()
            killing.join()
            server.start()
            for client in (anna, ben):
                with contextlib.suppress(ConnectionClosed, OSError):
                    client.close()
                client.frames.clear()
                client.table = {}
                client.open()
            # The client asks again for what was not answered: it is done once.
            if pending and anna.ask("say", name=pending[0], text=pending[1])["kind"] == "done":
                accepted.append(pending)
            anna.drain()
            said = [line[1] for line in anna.lines]
            assert said == [text for _, text in accepted][-100:]
            assert sum(anna.table["purses"]) + sum(anna.table["board"].values()) == 4 * 48
        deal = anna.table["deal"]
        play_on([anna, ben], lambda: anna.table["deal"] > deal)
    finally:
        server.kill()


def test_every_client_comes_back_to_the_same_view_after_a_kill(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    try:
        given = server.table("Anna", seats=3, deals=None)
        anna = server.client(given)
        anna.does("start")
        play_on([anna], lambda: anna.table["deal"] >= 2 and anna.my_lead)
        anna.drain()
        before = (anna.view, {**anna.table, "present": None}, anna.says[-10:])
        server.kill()
        server.start()
        again = Client(server, anna.code, anna.token)
        again.drain()
        assert again.view == before[0]
        assert {**again.table, "present": None} == before[1]
        assert again.says[-10:] == before[2]
    finally:
        server.kill()


def test_a_clock_is_not_run_down_by_an_outage(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    try:
        given = server.table("Anna", seats=2, clock=5)
        anna = server.client(given)
        anna.does("start")
        play_on([anna], lambda: anna.my_lead)
        server.kill()
        time.sleep(4)
        server.start()
        again = Client(server, anna.code, anna.token)
        again.drain(1.5)
        assert again.my_lead
    finally:
        server.kill()


def test_a_server_told_to_stop_says_so_and_keeps_all(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    given = server.table("Anna", seats=3)
    anna = server.client(given)
    anna.does("start")
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 15
    with pytest.raises(ConnectionClosed):
        anna.hear_to_the_end()
    server.start()
    again = Client(server, anna.code, anna.token)
    assert again.table["deal"] >= anna.table["deal"]
    server.kill()
    log = server.log.read_text()
    assert anna.token not in log
    assert anna.code not in log
