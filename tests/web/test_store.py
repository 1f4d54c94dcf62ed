"""The store: migrations, the log's order, and what ``popejoan admin`` does with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect
from tests.web.servers import Server, play_on
from typer.testing import CliRunner

from popejoan.__main__ import app
from popejoan.notation import Record
from popejoan.web import admin, entries
from popejoan.web.asks import next_entry
from popejoan.web.deals import Pack
from popejoan.web.hall import Hall, new_code
from popejoan.web.happening import happened
from popejoan.web.schema import METADATA
from popejoan.web.store import _MIGRATIONS, HEAD, Conflict, Store
from popejoan.web.telling import sections


def test_the_store_knows_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_migrations_make_the_schema_that_the_store_uses(tmp_path: Path) -> None:
    async def opened() -> None:
        store = Store(f"sqlite:///{tmp_path / 'new.db'}")
        for _ in range(2):
            await store.open()
            await store.close()

    asyncio.run(opened())
    engine = create_engine(f"sqlite:///{tmp_path / 'new.db'}")
    found = inspect(engine)
    for table in METADATA.sorted_tables:
        columns = {column["name"] for column in found.get_columns(table.name)}
        assert columns == {column.name for column in table.columns}
        key = found.get_pk_constraint(table.name)["constrained_columns"]
        assert key == [column.name for column in table.primary_key]
    engine.dispose()


def test_a_store_of_the_first_schema_is_brought_forward_with_all_that_is_in_it(
    tmp_path: Path,
) -> None:
    old = Path(__file__).with_name("store-0001.sql").read_text(encoding="utf-8")
    with contextlib.closing(sqlite3.connect(tmp_path / "old.db")) as made:
        made.executescript(old)
    url = f"sqlite:///{tmp_path / 'old.db'}"
    (line,) = admin.listed(url)
    code = line.split()[0]
    assert line.endswith("22  begun")
    match = Record.read(admin.exported(url, code)).match
    assert match.purses == (32, 59)

    async def come_back() -> None:
        hall = Hall(Store(url))
        await hall.store.open()
        actor = await hall.find(code)
        assert actor is not None
        assert hall.person_with(actor.table, "a token of Anna, kept") == 0
        await actor.put(lambda table: [next_entry(table, hall.limits, 7.0)])
        assert actor.table.phase == "over"
        await hall.store.share("name", "record", 8.0)
        assert await hall.store.shared("name") == "record"
        await actor.close()
        hall.thinker.close()
        await hall.store.close()

    asyncio.run(come_back())


def test_a_place_in_the_log_is_given_once(tmp_path: Path) -> None:
    async def race() -> None:
        one, two = (Store(f"sqlite:///{tmp_path / 'race.db'}") for _ in range(2))
        await one.open()
        await two.open()
        code = new_code()
        await one.append(code, 1, entries.Opened(entries.Settings(), at=1.0))
        tries = [
            store.append(code, 2, entries.Noted(name, at=2.0))
            for store, name in ((one, "one"), (two, "two"), (one, "three"))
        ]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(outcome is None for outcome in outcomes) == 1
        assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 2
        assert len(await two.log(code)) == 2
        await one.close()
        await two.close()

    asyncio.run(race())


def test_an_entry_for_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    async def put() -> None:
        store = Store(f"sqlite:///{tmp_path / 'none.db'}")
        await store.open()
        with pytest.raises(Conflict):
            await store.append("nothing", 5, entries.Noted("x", at=1.0))
        await store.close()

    asyncio.run(put())


def test_admin_lists_exports_imports_and_prunes(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    given = server.table("Anna", seats=3, deals=1)
    client = server.client(given)
    client.does("start")
    play_on([client], lambda: client.table["phase"] == "over")
    opening = client.table["opening"]
    client.close()
    server.stop()
    code = given["code"]
    (line,) = admin.listed(server.store)
    assert line.startswith(code)
    record = admin.exported(server.store, code)
    assert record.startswith("Pope Joan record")
    log = admin.exported(server.store, code, log=True).encode()
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    other = new_code()
    admin.imported(copy, other, log)
    assert admin.exported(copy, other) == record
    with pytest.raises(ValueError, match="already"):
        admin.imported(copy, other, log)
    with pytest.raises(ValueError, match="no log"):
        admin.imported(copy, new_code(), log.splitlines()[1])
    done = subprocess.run(
        [sys.executable, "-m", "popejoan", "admin", "prune", "--days", "0", "--store", copy],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1 tables are removed.\n"
    assert admin.listed(copy) == []
    assert opening["number"] in (0, 1)


@pytest.mark.parametrize("change", [None, "nonce", "cards", "deal", "seal"])
def test_verify_tells_a_fair_deal_from_a_changed_one(tmp_path: Path, change: str | None) -> None:
    async def deal() -> dict[str, object]:
        hall = Hall(Store(f"sqlite:///{tmp_path / 'deal.db'}"))
        await hall.store.open()
        seat = await hall.set_table(entries.Settings(seats=3, deals=None), "Anna")
        actor = await hall.find(seat.code)
        assert actor is not None
        now = entries.Started(Pack.drawn(), Pack.drawn(), at=1.0)
        table = happened(actor.table, now)
        table = happened(table, next_entry(table, hall.limits, 2.0))
        sealed = sections(table)
        assert sealed["opening"] is None
        while table.phase == "playing":
            assert table.round is not None
            assert table.to_act is not None
            card = repr(next(iter(table.round.legal)))
            table = happened(table, entries.Led(table.to_act.number, card, at=3.0))
        opened = dict(sections(table)["opening"])
        assert opened["seal"] == sealed["dealt_seal"]
        await actor.close()
        hall.thinker.close()
        await hall.store.close()
        return opened

    opening = asyncio.run(deal())
    if change == "nonce":
        opening["nonce"] = "0" * 64
    elif change == "cards":
        opening["cards"] = " ".join(reversed(str(opening["cards"]).split()))
    elif change == "deal":
        hands = str(opening["deal"]).split(" | ")[0].split(" / ")
        rest = str(opening["deal"]).split(" | ")[1:]
        opening["deal"] = " | ".join([" / ".join([hands[1], hands[0], hands[2]]), *rest])
    elif change == "seal":
        opening["seal"] = "0" * 64
    file = tmp_path / "opening.json"
    file.write_text(json.dumps(opening))
    told = CliRunner().invoke(app, ["verify", str(file)])
    assert (told.exit_code == 0) is (change is None), told.output
