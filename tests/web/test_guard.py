"""What a table keeps out: wrong tokens, other pages, malformed frames, too much of anything."""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.web.servers import Client, Server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect


@pytest.fixture(scope="module")
def anna(server: Server) -> Client:
    client = server.client(server.table("Anna", seats=3))
    client.does("start")
    return client


@pytest.mark.parametrize(
    "token", ["x", "A" * 22, "null", "'; drop table log; --"], ids=["short", "guess", "null", "sql"]
)
def test_a_wrong_token_is_refused(server: Server, anna: Client, token: str) -> None:
    other = Client(server, anna.code, token)
    assert "not a token" in other.bye
    assert other.closed_with() == 4403


def test_the_token_of_another_table_is_refused(server: Server, anna: Client) -> None:
    elsewhere = server.table("Eve")
    assert "not a token" in Client(server, anna.code, elsewhere["token"]).bye


@pytest.mark.parametrize("code", ["a" * 16, "nothing", "..%2f..%2fetc", "A" * 16])
def test_a_table_that_is_not_there_is_said_so(server: Server, code: str) -> None:
    assert server.http(f"api/tables/{code}")[0] == 404
    status, _ = server.http(f"api/tables/{code}/seats", {"name": "Eve"})
    assert status == 404


def test_codes_and_tokens_are_long_and_differ(server: Server) -> None:
    given = [server.table("Eve") for _ in range(5)]
    assert len({each["code"] for each in given}) == 5
    assert all(len(each["code"]) == 16 and len(each["token"]) == 22 for each in given)


def test_a_page_of_another_origin_opens_no_socket(server: Server, anna: Client) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Client(server, anna.code, anna.token, Origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    own = Client(server, anna.code, anna.token, Origin=f"http://127.0.0.1:{server.port}")
    assert own.you == 0
    own.close()


def test_the_cookie_holds_the_seat_only_for_a_page(server: Server, anna: Client) -> None:
    cookie = f"popejoan-{anna.code}={anna.token}"
    page = Client(server, anna.code, "", Origin=server.base[:-1], Cookie=cookie)
    assert page.you == 0
    program = Client(server, anna.code, "", Cookie=cookie)
    assert program.you is None
    page.close()
    program.close()


BAD: dict[str, Any] = {
    "null": "null",
    "list": "[]",
    "number": "1",
    "no kind": "{}",
    "unknown kind": '{"kind":"deal","id":"1"}',
    "no id": '{"kind":"ready","deal":1}',
    "huge number": '{"kind":"ready","id":"1","deal":1' + "0" * 3000 + "}",
    "negative": '{"kind":"ready","id":"1","deal":-1}',
    "float": '{"kind":"lead","id":"1","deal":1,"seen":1.5,"card":"KH"}',
    "infinite": '{"kind":"ready","id":"1","deal":1e999}',
    "deep": "[" * 3000,
    "deep within": '{"kind":"say","id":"1","text":' + "[" * 1500 + "]" * 1500 + "}",
    "surplus": '{"kind":"ping","more":1}',
    "long name": json.dumps({"kind": "say", "id": "x" * 41, "text": "hi"}),
    "half": '{"kind":"pi',
    "surrogate": '{"kind":"say","id":"1","text":"\\ud800"}',
    "binary": b"\x00\x01",
    "empty": "",
}


@pytest.mark.parametrize("name", BAD)
def test_a_malformed_frame_closes_that_socket_alone(
    server: Server, anna: Client, name: str
) -> None:
    other = Client(server, anna.code, anna.token)
    other.send(BAD[name])
    assert other.closed_with() in (1003, 1007, 1008, 1012)
    assert anna.ask("take-back")["kind"] in ("done", "refused")


@pytest.mark.parametrize("name", BAD)
def test_an_ask_is_answered_before_the_malformed_frame_behind_it_closes(
    server: Server, anna: Client, name: str
) -> None:
    other = Client(server, anna.code, anna.token)
    for number in range(3):
        other.send({"kind": "say", "id": f"word {number}", "text": f"word {number}"})
    other.send(BAD[name])
    assert other.closed_with() in (1003, 1007, 1008, 1012)
    assert list(other.answers) == [f"word {number}" for number in range(3)]


def test_a_frame_that_is_no_utf8_or_too_long_closes_that_socket_alone(
    server: Server, anna: Client
) -> None:
    other = Client(server, anna.code, anna.token)
    other.send(json.dumps({"kind": "say", "id": "1", "text": "x" * 5000}))
    assert other.closed_with() == 1009
    assert anna.ask("take-back")["kind"] == "refused"


def test_a_socket_must_say_hello_in_the_version_spoken(server: Server, anna: Client) -> None:
    address = f"ws{server.base[4:]}api/tables/{anna.code}/socket"
    for first in ({"kind": "ping"}, {"kind": "hello", "protocol": 2, "token": anna.token}):
        with connect(address, proxy=None) as socket:
            socket.send(json.dumps(first))
            assert json.loads(socket.recv(5))["kind"] == "goodbye"
            with pytest.raises(ConnectionClosed):
                socket.recv(5)


def test_too_much_at_once_closes_the_socket_and_honest_play_does_not(
    server: Server, anna: Client
) -> None:
    other = Client(server, anna.code, anna.token)
    with contextlib.suppress(ConnectionClosed):
        for _ in range(2000):
            other.send('{"kind":"ping"}')
    with contextlib.suppress(ConnectionClosed):
        other.hear_to_the_end()
    assert "too much" in other.bye
    words = [anna.ask("say", text=f"word {n}")["kind"] for n in range(12)]
    assert "refused" in words


def test_too_many_tables_from_one_address_are_refused(tmp_path: Path) -> None:
    server = Server(tmp_path, limits="tables_an_hour=3").start()
    try:
        status = [server.http("api/tables", {"name": "Eve"})[0] for _ in range(4)]
        assert status == [201, 201, 201, 429]
    finally:
        server.kill()


def test_a_table_whose_time_is_up_is_removed_with_its_traces(tmp_path: Path) -> None:
    server = Server(tmp_path, limits="idle=0.2 lobby=0.5 kept=0.5").start()
    try:
        given = server.table("Evangeline")
        client = server.client(given)
        client.does("start")
        client.close()
        server.until_gone(given["code"])
        server.stop()
        assert b"Evangeline" not in (tmp_path / "tables.db").read_bytes()
    finally:
        server.stop()


def test_every_answer_keeps_the_page_to_itself(server: Server) -> None:
    for path in ("", "api/choices", "healthz", "openapi.json"):
        with urllib.request.urlopen(server.base + path) as answer:
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "body",
    [
        "null", "[]", "{}", '{"name":""}', '{"name":5}', '{"name":"\\u202e\\u0000"}',
        '{"name":"A","settings":{"seats":1}}', '{"name":"A","settings":{"seats":11}}',
        '{"name":"A","settings":{"rules":"NONE"}}', '{"name":"A","settings":{"bots":"nobody"}}',
        '{"name":"A","settings":{"deals":0}}', '{"name":"A","surplus":1}', "[" * 4000, "{" * 9,
        '{"name":"A","settings":{"rules":"HOYLE ace=high"}}',
    ],
)  # fmt: skip
def test_a_body_that_makes_no_sense_is_refused_with_words(server: Server, body: str) -> None:
    request = urllib.request.Request(server.base + "api/tables", body.encode())
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as answer:
        assert answer.code in (400, 422)
        assert json.loads(answer.read())["says"]
