"""A deal that is over has a link: whoever has it sees the deal, and learns nothing of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.servers import Client, Server, play_on

from popejoan.notation import Record


@pytest.fixture
def anna(server: Server) -> Client:
    """Anna in the second deal of a match, having to lead."""
    client = server.client(server.table("Anna", seats=3, deals=None))
    client.does("start")
    play_on([client], lambda: client.table["deal"] > 1 and client.my_lead)
    return client


def share(client: Client, number: object, token: str | None = None) -> tuple[int, dict[str, Any]]:
    bearer = f"Bearer {client.token if token is None else token}"
    path = f"api/tables/{client.code}/deals/{number}"
    return client.server.http(path, {}, authorization=bearer)


def test_a_deal_that_is_over_can_be_shown_to_others(server: Server, anna: Client) -> None:
    status, link = share(anna, 1)
    assert status == 201
    assert share(anna, 1) == (201, link), "the link is the same each time"
    status, record = server.http(f"api/deals/{link['deal']}")
    assert (status, record) == (200, link["record"])
    assert link["days"] == 365
    (round_,) = Record.read(record).rounds
    assert round_.over
    opening = anna.table["results"][0]
    assert anna.table["people"][opening[2]][1] == Record.read(record).names[round_.winner or 0]
    for secret in (anna.code, anna.token):
        assert secret not in record
    anna.close()


def test_a_deal_that_goes_on_has_no_link(anna: Client) -> None:
    number = anna.table["deal"]
    status, answer = share(anna, number)
    assert status == 409
    assert "is being played" in answer["says"]
    for wrong in (0, number + 1, 10**30):
        assert share(anna, wrong)[0] == 409
    assert share(anna, "x")[0] == share(anna, -1)[0] == 404
    assert share(anna, 1, "A" * 22)[0] == 403
    anna.close()


def test_a_link_to_no_deal_is_said_so(server: Server, anna: Client) -> None:
    for name in ("a" * 16, anna.code, "x", "%00", "'; drop table deals; --"):
        assert server.http(f"api/deals/{name.replace(' ', '%20')}")[0] == 404


def test_a_link_leads_to_the_deal_when_the_table_is_no_more(tmp_path: Path) -> None:
    server = Server(tmp_path, limits="idle=0.2 kept=1 lobby=1").start()
    try:
        client = server.client(server.table("Anna", seats=2, deals=1))
        client.does("start")
        play_on([client], lambda: client.table["phase"] == "over")
        _, link = share(client, 1)
        client.close()
        server.until_gone(client.code)
        assert server.http(f"api/deals/{link['deal']}") == (200, link["record"])
    finally:
        server.stop()
