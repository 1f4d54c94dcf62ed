"""Where others find the server: in its greeting, and in the links that invite to a table."""

from __future__ import annotations

import shutil
import socket
import time
import urllib.request
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
     "http://a/?b", "http://a/#b", "http://a:0/", "http://a:70000/", "http://0.0.0.0:8008/",
     "http://[::]/", "http://[0:0::0]:8008/", "http://user:secret@a/", "http://user@a/", "http://@a/"],
)  # fmt: skip
def test_what_is_no_address_of_a_server_is_refused_before_it_starts(address: str) -> None:
    assert fault_with_address(address)
    done = CliRunner().invoke(app, ["serve", "--address", address])
    assert done.exit_code == 2
    assert "--address" in done.output
    assert "http://192.168.1.5:8008/" in done.output


def told(server: Server) -> str:
    """All of the greeting."""
    end = time.monotonic() + 30
    while "Ctrl+C" not in (text := server.log.read_text()):
        assert time.monotonic() < end, text
        time.sleep(0.02)
    return text


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a browser that is only a pen writes: the address that it was to open."""
    if not shutil.which("sh"):
        pytest.skip("the browser of this test needs a shell")
    pen, paper = tmp_path / "pen", tmp_path / "opened"
    pen.write_text(f'#!/bin/sh\nprintf %s "$1" > {paper}\n')
    pen.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{pen} %s")
    return paper


@pytest.mark.parametrize(
    ("address", "words"), [("https://a.example/", "\nFor phones:\n"), ("http://localhost/", "")]
)
def test_the_greeting_promises_phones_no_network_but_the_one_it_knows(
    tmp_path: Path, opened: Path, address: str, words: str
) -> None:
    server = Server(
        tmp_path, more=f"--browser --address {address}", greets=f"Pope Joan is at {address}"
    ).start()
    try:
        greeting = told(server)
        assert words in greeting
        assert greeting.count("phones") == (1 if words else 0)
        assert written(opened) == server.base
    finally:
        server.stop()


def written(paper: Path) -> str:
    """What is written there, once it is."""
    end = time.monotonic() + 30
    while not (paper.exists() and paper.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return paper.read_text()


@pytest.mark.parametrize(("host", "here"), [("::1", "[::1]"), ("::", "127.0.0.1")])
def test_a_host_of_ipv6_is_told_in_an_address_that_a_browser_understands(
    tmp_path: Path, opened: Path, host: str, here: str
) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    if host == "::" and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no sockets of both kinds")
    server = Server(tmp_path, more=f"--browser --host {host}")
    page = f"http://{here}:{server.port}/"
    server.greets = ""
    server.start()
    try:
        greeting = told(server)
        assert written(opened) == page
        with urllib.request.urlopen(page, timeout=20) as answer:
            assert answer.status == 200
        if host == "::1":
            assert f"Pope Joan is at {page}" in greeting.splitlines()
            assert "phones" not in greeting
    finally:
        server.stop()
