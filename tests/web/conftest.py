"""A server for each file of tests, with its store in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.web.servers import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server"), limits="idle=5").start()
    yield made
    made.stop()
