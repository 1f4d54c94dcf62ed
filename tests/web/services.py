"""PostgreSQL and Redis for the tests, started in a folder of their own; skipped loudly without."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.web.servers import free_port


def _needed(program: str | None, name: str) -> str:
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed, and CI must test with it")
        pytest.skip(f"{name} IS NOT INSTALLED: servers that share a store are not tested")
    return program


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL server; its URL."""
    found = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))
    path = os.pathsep.join([os.environ.get("PATH", ""), *found])
    initdb = _needed(shutil.which("initdb", path=path), "PostgreSQL")
    server = _needed(shutil.which("postgres", path=path), "PostgreSQL")
    # PostgreSQL will not run as root: it runs as the system's own user for it.
    user = None
    if os.geteuid() == 0:
        user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
        shutil.chown(folder, user)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and str(parent).startswith("/tmp/"):
                parent.chmod(parent.stat().st_mode | 0o011)
    data, port = folder / "data", free_port()
    common: dict[str, Any] = {"cwd": folder, "user": user, "env": {"PATH": path, "LC_ALL": "C"}}
    subprocess.run(
        [initdb, "-D", str(data), "-A", "trust", "-U", "pope", "--no-sync"],
        check=True,
        capture_output=True,
        **common,
    )
    running = subprocess.Popen(
        [
            server, "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder),
            "-c", "fsync=off",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **common,
    )  # fmt: skip
    try:
        psql = _needed(shutil.which("psql", path=path), "psql")
        until = time.monotonic() + 60
        query = [
            psql,
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-U",
            "pope",
            "-c",
            "select 1",
            "postgres",
        ]
        while subprocess.run(query, check=False, capture_output=True).returncode:
            assert time.monotonic() < until
            time.sleep(0.2)
        yield f"postgresql://pope@127.0.0.1:{port}/postgres"
    finally:
        running.terminate()
        running.wait(30)


class Redis:
    """A Redis server that can be stopped for a while."""

    def __init__(self, folder: Path) -> None:
        self.program = _needed(
            shutil.which("redis-server") or shutil.which("valkey-server"), "Redis"
        )
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while True:
            assert self.process.poll() is None, "Redis has ended by itself"
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert time.monotonic() < until, "Redis does not answer"
                time.sleep(0.1)
            else:
                return

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(20)
