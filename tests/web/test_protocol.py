"""The protocol's pages say what the program does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
from tests.web.servers import Server

from popejoan.web import messages
from popejoan.web.openapi import openapi, protocol_schema

ROOT = Path(__file__).parent.parent.parent


def test_the_schema_in_docs_is_that_of_the_messages() -> None:
    kept = json.loads((ROOT / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))
    assert kept == json.loads(msgspec.json.encode(protocol_schema())), "run `make schema`"


def test_the_page_on_the_protocol_names_every_message() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    kinds = {
        kind.__struct_config__.tag
        for union in (messages.Asked, messages.Sent)
        for kind in union.__args__
    }
    assert {kind for kind in kinds if f"`{kind}`" not in page} == set()


def test_openapi_describes_every_answer(server: Server) -> None:
    described = openapi()
    status, served = server.http("openapi.json")
    assert status == 200
    assert served == json.loads(msgspec.json.encode(described))
    refs = json.dumps(served).count('"$ref"')
    assert refs > 5
    for name in served["components"]["schemas"]:
        assert f"/schemas/{name}" in json.dumps(served)


def test_the_example_client_plays_a_match_by_its_link(server: Server) -> None:
    given = server.table("Anna", seats=2, deals=1)
    anna = server.client(given)
    robot = subprocess.Popen(
        [sys.executable, str(ROOT / "examples" / "seat.py"), f"{server.base}#{given['code']}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "no_proxy": "127.0.0.1"},
    )
    anna.until(lambda: len(anna.table["people"]) == 2, patience=60)
    anna.does("start")
    while anna.table["phase"] != "over":
        anna.move()
        anna.hear(0.02)
    out, err = robot.communicate(timeout=60)
    assert robot.returncode == 0, err
    assert "won" in out
    assert len((ROOT / "examples" / "seat.py").read_text().splitlines()) < 150
    anna.close()


def test_rules_are_told_in_words_or_refused_with_every_fault(server: Server) -> None:
    status, told = server.http("api/rules", {"rules": {"preset": "PEEL", "purse": 60}})
    assert status == 200
    assert told["text"] == "PEEL purse=60"
    assert any("60" in clause[2] for clause in told["clauses"])
    status, told = server.http("api/rules", {"rules": {"ace": "high", "lead": "book"}})
    assert status == 422
    assert told["faults"][0][0] == "lead"
    status, told = server.http("api/rules", {"rules": {"hand_size": 20}, "players": 5})
    assert (status, told["faults"][0][0]) == (422, "players")
    many: tuple[object, ...] = (5, None, [], "X" * 5000, {"preset": 1}, {"x": "y"})
    for bad in many:
        status, told = server.http("api/rules", {"rules": bad})
        assert status in (400, 422)
        assert told["says"]


def test_health_and_metrics_name_nobody(server: Server) -> None:
    given = server.table("Melusine")
    client = server.client(given)
    assert server.http("healthz") == (200, {"ok": True})
    status, text = server.http("metrics")
    assert status == 200
    assert "popejoan_sockets" in text
    assert given["code"] not in text
    assert "Melusine" not in text
    client.close()
