"""What is proposed to a table in one moment is decided together: kept first, told after, once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import msgspec
import pytest

from popejoan.web import entries, messages
from popejoan.web.actors import Actor
from popejoan.web.backing import Conflict, Keeper, Mind
from popejoan.web.clients import Client
from popejoan.web.entries import Entry
from popejoan.web.limits import Limits

Answer = messages.Done | messages.Refusal


class Kept:
    """A log that lets itself be held up, and in which another process may be first."""

    def __init__(self, *log: Entry) -> None:
        self.log_, self.commits = list(log), list[int]()
        self.may = asyncio.Event()
        self.may.set()
        self.first: Sequence[Entry] = ()
        self.fails = 0

    async def append(self, code: str, seq: int, *added: Entry) -> None:
        await self.may.wait()
        if self.fails:
            self.fails -= 1
            raise OSError("no room")
        self.log_ += self.first
        self.first = ()
        if seq != len(self.log_) + 1:
            raise Conflict(code)
        self.log_ += added
        self.commits.append(len(added))

    async def log(self, code: str, after: int = 0) -> list[Entry]:
        return self.log_[after:]


class Table:
    """A table of three, with what each of its clients and asks heard."""

    def __init__(self, **limits: Any) -> None:
        came = [entries.Came(name, name * 64, at=1.0) for name in ("Anna", "Ben", "Cleo")]
        self.kept = Kept(entries.Opened(entries.Settings(), at=1.0), *came)
        self.actor = Actor(
            "code",
            list(self.kept.log_),
            store=cast("Keeper", self.kept),
            thinker=cast("Mind", None),
            limits=Limits(pace=1e9, **limits),
            bots=("book",),
        )
        self.frames: list[list[dict[str, Any]]] = [[], [], []]
        self.writes = [0, 0, 0]
        self.answers: list[Answer] = []
        self.sending: list[asyncio.Task[None]] = []
        for person in range(3):
            client = Client(person, self._writer(person))
            self.sending.append(asyncio.create_task(self._send(person, client)))
            self.actor.enter(client)

    def _writer(self, person: int) -> Callable[[Sequence[bytes]], bool]:
        def write(texts: Sequence[bytes]) -> bool:
            self.writes[person] += 1
            self.frames[person] += map(msgspec.json.decode, texts)
            return True

        return write

    async def _send(self, person: int, client: Client) -> None:
        """What a socket does, which lets frames go at once when none waits."""
        while frames := await client.next():
            self._writer(person)(frames)

    def ask(self, person: int, asked: messages.Asked) -> None:
        self.actor.ask(person, asked, self.answers.append)

    async def rest(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    def said(self, person: int) -> list[str]:
        """The lines of chat that this person heard."""
        return [each["line"][1] for each in self.frames[person] if each.get("line")]


def say(ask: str, text: str) -> messages.AskSay:
    return messages.AskSay(id=ask, text=text)


def at_a_table(test: Callable[[Table], Awaitable[None]], **limits: Any) -> None:
    async def main() -> None:
        table = Table(**limits)
        await table.rest()
        for frames in table.frames:
            frames.clear()
        table.writes = [0, 0, 0]
        await test(table)
        await table.actor.close()
        await asyncio.gather(*table.sending, return_exceptions=True)

    asyncio.run(main())


def test_asks_of_one_moment_are_committed_and_told_together() -> None:
    async def test(table: Table) -> None:
        for person in range(3):
            table.ask(person, say("a", f"word {person}"))
        await table.rest()
        assert table.kept.commits == [3]
        for person in range(3):
            assert table.said(person) == ["word 0", "word 1", "word 2"]
            assert [each["seq"] for each in table.frames[person]] == [5, 6, 7]
            assert table.writes[person] == 1
        assert table.answers == [messages.Done("a", 7)] * 3

    at_a_table(test)


def test_nobody_hears_of_anything_before_it_is_committed() -> None:
    async def test(table: Table) -> None:
        table.kept.may.clear()
        table.ask(0, say("a", "first"))
        await table.rest()
        table.ask(1, say("a", "second"))
        # Refused, but only what stands before it can be the reason.
        table.ask(1, messages.AskStart(id="b"))
        await table.rest()
        assert table.frames == [[], [], []]
        assert table.answers == []
        table.kept.may.set()
        await table.rest()
        assert table.kept.commits == [1, 1]
        assert [type(answer).__name__ for answer in table.answers] == ["Done", "Done", "Refusal"]
        assert table.said(2) == ["first", "second"]

    at_a_table(test)


def test_the_same_ask_twice_in_one_moment_counts_once() -> None:
    async def test(table: Table) -> None:
        table.ask(0, say("a", "once"))
        table.ask(0, say("a", "once"))
        await table.rest()
        table.ask(0, say("a", "once"))
        await table.rest()
        assert table.kept.commits == [1]
        assert table.said(1) == ["once"]
        assert table.answers == [messages.Done("a", 5)] * 3

    at_a_table(test)


def test_what_no_longer_goes_after_another_ask_of_the_moment_is_refused_alone() -> None:
    async def test(table: Table) -> None:
        table.ask(0, messages.AskHand(id="a", person=1))
        table.ask(0, messages.AskPause(id="b", on=True))
        table.ask(1, messages.AskPause(id="a", on=True))
        await table.rest()
        assert [type(answer).__name__ for answer in table.answers] == ["Done", "Refusal", "Done"]
        assert table.kept.commits == [2]
        assert (table.actor.table.host, table.actor.table.paused) == (1, True)

    at_a_table(test)


def test_when_another_process_was_first_all_are_decided_anew() -> None:
    async def test(table: Table) -> None:
        table.kept.first = [entries.Handed(1, at=2.0)]
        table.ask(0, messages.AskPause(id="a", on=True))
        table.ask(0, say("b", "late"))
        table.ask(1, messages.AskPause(id="a", on=True))
        await table.rest()
        assert [type(answer).__name__ for answer in table.answers] == ["Refusal", "Done", "Done"]
        assert table.kept.commits == [2]
        assert [each["seq"] for each in table.frames[2]] == [5, 6, 7]

    at_a_table(test)


def test_what_cannot_be_kept_is_told_and_nothing_is_lost() -> None:
    async def test(table: Table) -> None:
        table.kept.fails = 1
        table.ask(0, say("a", "first"))
        table.ask(1, say("a", "second"))
        await table.rest()
        assert [answer.why for answer in table.answers if isinstance(answer, messages.Refusal)] == [
            {"what": "busy"}
        ] * 2
        assert table.frames == [[], [], []]
        table.ask(0, say("a", "first"))
        await table.rest()
        assert table.said(2) == ["first"]

    at_a_table(test)


def test_one_faulty_proposal_does_not_touch_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def test(table: Table) -> None:
        table.ask(99, say("a", "there is no such person"))
        table.ask(1, say("a", "but I am here"))
        await table.rest()
        assert [type(answer).__name__ for answer in table.answers] == ["Refusal", "Done"]
        assert table.said(0) == ["but I am here"]

    at_a_table(test)
    assert "an entry could not be made" in caplog.text


def test_a_log_is_never_longer_than_its_limit_though_all_ask_at_once() -> None:
    async def test(table: Table) -> None:
        for number in range(5):
            table.ask(number % 3, say(f"{number}", f"word {number}"))
        await table.rest()
        assert len(table.kept.log_) == 6
        refused = [each for each in table.answers if isinstance(each, messages.Refusal)]
        assert [answer.why["what"] for answer in refused] == ["full-log"] * 3

    at_a_table(test, entries=6)
