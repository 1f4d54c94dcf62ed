"""Tables that come and go leave nothing behind: not in memory, not in the store."""

from __future__ import annotations

import re
import time
from pathlib import Path

from tests.web.servers import PATIENCE, Server

from popejoan.web import admin


def come_and_go(server: Server, tables: int) -> None:
    """Let so many tables be set, begun and left."""
    for _ in range(tables):
        given = server.table("Anna", seats=3)
        clients = [server.client(given), server.client(server.sit(given["code"], "Ben"))]
        clients[0].send({"kind": "start", "id": "go"})
        for client in clients:
            client.close()


def gauge(server: Server, name: str) -> int:
    found = re.search(rf"^popejoan_{name} (\d+)$", server.http("metrics")[1], re.MULTILINE)
    assert found is not None
    return int(found[1])


def settled(server: Server) -> int:
    """Wait until no table is in memory, and say how many KB the server has."""
    until = time.monotonic() + PATIENCE
    while gauge(server, "tables_in_memory") or gauge(server, "sockets"):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_memory_and_disk_stay_as_they_are_while_tables_come_and_go(tmp_path: Path) -> None:
    server = Server(tmp_path, limits="idle=0.3 kept=3 lobby=3").start()
    try:
        come_and_go(server, 30)
        before = settled(server)
        come_and_go(server, 60)
        assert settled(server) < before + 60 * 40, "a table leaves 40 KB or more behind"
        until = time.monotonic() + PATIENCE
        while admin.listed(server.store):
            assert time.monotonic() < until
            time.sleep(0.2)
    finally:
        server.stop()
