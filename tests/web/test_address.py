"""Where others find the server: in its greeting, and in the links that invite to a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.servers import Server
from typer.testing import CliRunner

from popejoan.__main__ import app
from popejoan.web.serve import fault_with_address


@pytest.mark.parametrize(
    ("more", "greets", "link"),
    [
        ("--address http://192.0.2.7:80", "http://192.0.2.7:80/", "http://192.0.2.7:80/"),
        ("--root-path /p --address https://a.example/p/", *["https://a.example/p/"] * 2),
        ("--address http://localhost:8008/", "http://localhost:8008/", None),
        ("--address http://[::1]/", "http://[::1]/", None),
        ("", "", None),
    ],
)
def test_invitations_lead_to_the_address_told_unless_it_leads_each_machine_to_itself(
    tmp_path: Path, more: str, greets: str, link: str | None
) -> None:
    server = Server(tmp_path, more=more, greets=greets).start()
    try:
        status, choices = server.http("api/choices")
    finally:
        server.stop()
    assert (status, choices["share"]) == (200, link)


@pytest.mark.parametrize(
    "address",
    ["pope.example", "ftp://pope.example/", "http://", "http://a b/", "http://a:b/", "http://[/",
     "http://a/?b", "http://a/#b", "http://a:0/", "http://a:70000/"],
)  # fmt: skip
def test_what_is_no_address_of_a_server_is_refused_before_it_starts(address: str) -> None:
    assert fault_with_address(address)
    done = CliRunner().invoke(app, ["serve", "--address", address])
    assert done.exit_code == 2
    assert "--address" in done.output
    assert "http://192.168.1.5:8008/" in done.output
