"""What is proposed to a table in one moment is decided together: kept first, told after, once."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import msgspec
import pytest
from starlette.websockets import WebSocket

from popejoan.match import Match
from popejoan.notation import Record
from popejoan.rules import Rules
from popejoan.view import View
from popejoan.web import actors, entries, messages
from popejoan.web.actors import Actor, _won
from popejoan.web.backing import Conflict, Keeper, Mind, Thought, instead
from popejoan.web.clients import Client
from popejoan.web.deals import Pack
from popejoan.web.entries import Entry
from popejoan.web.happening import happened, table_of
from popejoan.web.limits import Limits
from popejoan.web.metrics import Metrics
from popejoan.web.people import Refused
from popejoan.web.replay import pack_order
from popejoan.web.sockets import _Talk
from popejoan.web.table import Table as State

Answer = messages.Done | messages.Refusal


class Kept:
    """A log that lets itself be held up, and in which another process may be first."""

    def __init__(self, *log: Entry) -> None:
        self.log_, self.commits = list(log), list[int]()
        self.may = asyncio.Event()
        self.may.set()
        self.first: Sequence[Entry] = ()
        self.fails = 0
        """How often nothing is kept, which is said."""
        self.fails_late = False
        """Whether what is kept is said not to be."""

    async def append(self, code: str, seq: int, *added: Entry, won: int | None = None) -> None:
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
        if self.fails_late:
            raise OSError("the line broke")

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
            limits=Limits(**{"pace": 1e9, **limits}),
            bots=("book",),
        )
        self.frames: list[list[dict[str, Any]]] = [[], [], []]
        self.writes = [0, 0, 0]
        self.answers: list[Answer] = []
        self.sending: list[asyncio.Task[None]] = []
        self.clients = [Client(person, self._writer(person)) for person in range(3)]
        for person, client in enumerate(self.clients):
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

    async def rest(self, steps: int = 20) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)

    def said(self, person: int) -> list[str]:
        """The lines of chat that this person heard."""
        return [each["line"][1] for each in self.frames[person] if each.get("line")]

    def shown(self, person: int, *, of: int) -> list[str]:
        """How this person was told another to be: here, dropped or away."""
        told = [each.get("table", {}) for each in self.frames[person]]
        return [dict(map(tuple, each["present"]))[of] for each in told if "present" in each]


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
        for client in table.clients:
            client.end()
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


def test_a_client_that_takes_all_is_never_behind_however_much_happens_at_once() -> None:
    async def test(table: Table) -> None:
        for number in range(400):
            table.ask(number % 3, say(f"{number}", f"word {number}"))
        table.kept.first = [entries.Noted(f"note {number}", at=2.0) for number in range(400)]
        await table.rest(200)
        assert sum(table.kept.commits) == 400
        assert max(table.kept.commits) <= 64
        for person in range(3):
            assert table.said(person) == [f"word {number}" for number in range(400)]
            assert [each["seq"] for each in table.frames[person]] == [*range(5, 805)]

    at_a_table(test)


class Slow:
    """A bot that fails, each time when it may."""

    def __init__(self) -> None:
        self.may, self.thoughts = asyncio.Event(), 0

    async def lead(self, name: str, seed: int, view: View) -> Thought:
        self.thoughts += 1
        await self.may.wait()
        self.may.clear()
        return instead(view, "failed")


async def thinking(table: Table, **settings: Any) -> Slow:
    """A bot that has to lead at this table, which is a match now, and thinks."""
    bot = Slow()
    table.actor._thinker = cast("Mind", bot)
    asked = messages.AskPlan(id="plan", settings=entries.Settings(seats=5, **settings))
    table.ask(0, asked)
    table.ask(0, messages.AskStart(id="start"))
    await table.rest()
    while not bot.thoughts:
        await lead_or_go_on(table)
    return bot


def test_what_a_bot_does_is_kept_whole_though_someone_speaks_meanwhile() -> None:
    async def test(table: Table) -> None:
        bot = await thinking(table)
        table.ask(1, say("talk", "while it thinks"))
        await table.rest()
        known = len(table.kept.log_)
        bot.may.set()
        await table.rest()
        said, noted, led = table.kept.log_[known - 1 : known + 2]
        assert isinstance(said, entries.Said)
        assert isinstance(noted, entries.Noted)
        assert isinstance(led, entries.Led)
        assert led.by == "bot"

    at_a_table(test, pace=0.0)


def test_what_a_bot_thought_of_is_dropped_when_it_is_due_no_more() -> None:
    async def test(table: Table) -> None:
        bot = await thinking(table)
        table.ask(0, messages.AskPause(id="stop", on=True))
        await table.rest()
        bot.may.set()
        await table.rest()
        assert isinstance(table.kept.log_[-1], entries.Paused)
        table.ask(0, messages.AskPause(id="go", on=False))
        await table.rest()
        assert bot.thoughts == 2

    at_a_table(test, pace=0.0)


def test_all_hear_that_the_grace_of_someone_ended_while_a_bot_thought() -> None:
    async def test(table: Table) -> None:
        bot = await thinking(table, grace=1)
        table.actor.exit(table.clients[2])
        table.ask(0, messages.AskPause(id="stop", on=True))
        await asyncio.sleep(1.1)
        bot.may.set()
        await table.rest()
        assert table.shown(1, of=2)[-1] == "away"

    at_a_table(test, pace=0.0)


async def lead_or_go_on(table: Table) -> None:
    """Play whatever a person has to play, until a bot has to lead."""
    now = table.actor.table
    mover = now.to_act
    if mover is not None and mover.human and now.round is not None:
        seen, card = len(now.round.events), repr(next(iter(now.round.legal)))
        name = f"{now.deal}-{seen}"
        asked = messages.AskLead(id=name, deal=now.deal, seen=seen, card=card)
        table.ask(mover.number, asked)
    elif now.phase == "between" and now.deal:
        for person in range(3):
            table.ask(person, messages.AskReady(id=f"r{now.deal}", deal=now.deal))
    await table.rest()


def test_an_answer_that_fails_takes_no_other_with_it(caplog: pytest.LogCaptureFixture) -> None:
    async def test(table: Table) -> None:
        def fails(_: Answer) -> None:
            raise OSError("gone")

        table.actor.ask(0, say("a", "first"), fails)
        table.ask(1, say("a", "second"))
        await table.rest()
        assert table.answers == [messages.Done("a", 6)]
        assert table.said(2) == ["first", "second"]

    at_a_table(test)
    assert "an answer was not heard" in caplog.text


def test_what_was_kept_is_done_though_the_store_says_that_it_failed() -> None:
    async def test(table: Table) -> None:
        table.kept.fails_late = True
        table.ask(0, say("a", "kept"))
        table.ask(1, messages.AskPause(id="b", on=True))
        await table.rest()
        assert [type(answer).__name__ for answer in table.answers] == ["Done", "Refusal"]
        assert table.said(2) == ["kept"]

    at_a_table(test)


def test_nothing_holds_a_client_that_has_gone() -> None:
    class Watched(Client):
        """A client whose end can be seen."""

    async def test(table: Table) -> None:
        gc.collect()
        gc.disable()
        try:
            client = Watched(0)
            table.actor.enter(client)

            def answered(answer: Answer, client: Client = client) -> None:
                assert isinstance(answer, messages.Refusal)
                client.flush()

            wrong = entries.Settings(rules="HOYLE lead=nothing")
            asks: list[messages.Asked] = [
                messages.AskPlan(id="a", settings=wrong),
                messages.AskHand(id="b", person=99),
                messages.AskRemove(id="c", person=0),
                messages.AskReady(id="d", deal=7),
            ]
            for asked in asks:
                table.actor.ask(0, asked, answered)
                await table.rest()
            await thinking(table)
            mover, round_ = table.actor.table.to_act, table.actor.table.round
            assert mover is not None
            assert round_ is not None
            for card in ("8D", "9D of 9D"):
                deal, seen = table.actor.table.deal, len(round_.events)
                asked = messages.AskLead(id=card, deal=deal, seen=seen, card=card)
                table.actor.ask(mover.number, asked, answered)
                await table.rest()
            del asked
            table.actor.exit(client)
            gone = weakref.ref(client)
            del client, answered
            await table.rest()
            assert gone() is None
        finally:
            gc.enable()

    at_a_table(test, pace=0.0)


def test_all_hear_when_the_seats_of_the_dropped_wait_no_more() -> None:
    async def test(table: Table) -> None:
        table.actor.exit(table.clients[2])
        table.ask(0, messages.AskPlan(id="a", settings=entries.Settings(grace=0)))
        await table.rest()
        assert table.shown(1, of=2) == ["dropped", "away"]

    at_a_table(test)


def test_all_hear_of_a_grace_that_ended_just_before_something_else_was_decided() -> None:
    async def test(table: Table) -> None:
        table.ask(0, messages.AskPlan(id="a", settings=entries.Settings(grace=1)))
        await table.rest()
        table.actor.exit(table.clients[2])
        time.sleep(1.1)  # the loop is busy
        table.actor._attend()  # as after every entry
        await asyncio.sleep(0.1)
        assert table.shown(1, of=2) == ["dropped", "away"]

    at_a_table(test)


def test_a_table_that_closes_answers_what_it_keeps_and_takes_no_more() -> None:
    async def test(table: Table) -> None:
        table.kept.may.clear()
        table.ask(0, say("a", "in time"))
        await table.rest()
        closes = asyncio.create_task(table.actor.close())
        await table.rest()
        table.ask(1, say("a", "too late"))
        assert [answer.why for answer in table.answers if isinstance(answer, messages.Refusal)] == [
            {"what": "busy"}
        ]
        assert not closes.done()
        table.kept.may.set()
        await closes
        await table.rest()
        assert messages.Done("a", 5) in table.answers
        assert table.said(2) == ["in time"]
        assert table.frames[2][-1]["kind"] == "goodbye"

    at_a_table(test)


def test_a_table_closes_though_its_store_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actors, "_PATIENCE", 0.05)

    async def test(table: Table) -> None:
        table.kept.may.clear()
        table.ask(0, say("a", "never"))
        await table.rest()
        await table.actor.close()
        await table.rest()
        assert table.frames[2][-1]["kind"] == "goodbye"
        assert table.answers == []
        table.kept.may.set()
        await table.rest()

    at_a_table(test)


def test_what_the_deal_of_the_day_brought_is_found_whatever_came_after_it() -> None:
    match = Match.start(Rules.HOYLE, players=3, first_dealer=0, seed=3).deal()
    assert match.round is not None
    pack = Pack(pack_order(match.round.deal), "0" * 64)
    laid = entries.Laid(Record.of(match).text, 1, "book", pack, pack, day="2026-05-31")
    before = table_of([entries.Opened(entries.Settings()), entries.Came("Anna", "a"), laid])
    steps: list[tuple[Entry, State]] = []
    table = before
    while table.phase == "playing":
        assert table.round is not None
        assert table.to_act is not None
        led = entries.Led(table.to_act.number, repr(next(iter(table.round.legal))))
        table = happened(table, led)
        steps.append((led, table))
    won = table.won(0)
    assert won != 0
    assert _won(before, steps[:-1]) is None
    for entry in (entries.Closed(), entries.Rematched()):
        table = happened(table, entry)
        steps.append((entry, table))
    assert _won(before, steps) == won


def test_what_the_server_put_was_kept_though_the_store_says_that_it_failed() -> None:
    async def test(table: Table) -> None:
        table.kept.fails_late = True
        await table.actor.put(lambda _: [entries.Came("Dora", "d" * 64, at=2.0)])
        assert [person.name for person in table.actor.table.people][3:] == ["Dora"]
        with pytest.raises(Refused):
            await table.actor.put(lambda _: [entries.Started(Pack.drawn(), Pack.drawn())] * 2)

    at_a_table(test)


def test_a_socket_that_goes_is_let_go_though_its_ask_is_not_answered() -> None:
    class Line:
        """A socket over which something is asked, and which is gone then."""

        def __init__(self) -> None:
            self.comes: list[dict[str, Any]] = [
                {"type": "websocket.receive", "text": '{"kind":"say","id":"a","text":"never"}'},
                {"type": "websocket.disconnect", "code": 1006},
            ]

        async def receive(self) -> dict[str, Any]:
            return self.comes.pop(0)

    async def test(table: Table) -> None:
        table.kept.may.clear()
        talk = _Talk(table.actor, table.clients[0], Limits(), Metrics())
        await asyncio.wait_for(talk.converse(cast("WebSocket", Line())), 5)
        assert table.clients[0].closing
        table.kept.may.set()
        await table.rest()
        assert table.said(1) == ["never"]

    at_a_table(test)
