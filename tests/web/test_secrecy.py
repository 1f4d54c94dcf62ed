"""No frame of any seat or spectator holds a card that the seat may not know, whatever happens."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from popejoan.cards import PACK, Card
from popejoan.events import Stop, Stopped
from popejoan.rules import Peek, Rules
from popejoan.view import View
from popejoan.web import messages
from popejoan.web.actors import Actor
from popejoan.web.asks import next_entry
from popejoan.web.clients import Client, frame
from popejoan.web.entries import Settings
from popejoan.web.hall import Hall
from popejoan.web.limits import Limits
from popejoan.web.store import Store
from popejoan.web.thinking import Thinker

CARD = re.compile(r'"([A2-9TJQK][CDHS])"|\b(10|[A2-9JQK])([♣♦♥♠])')
PIPS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
NEVER = ("knave",)
"""Sections that show cards of another pack: those turned up to find the first dealer."""


class Watched(Client):
    """A client whose frames are looked at before they go."""

    def __init__(self, person: int | None, watch: Watch) -> None:
        super().__init__(person)
        self._watch = watch

    def put(self, text: bytes) -> None:
        self._watch.look(self.person, text.decode())
        self._watch.seats.add((self._watch.players, self.person))


class Watch:
    """Reads every frame, and knows what each seat may know."""

    def __init__(self) -> None:
        self.actor: Actor | None = None
        self.frames: Counter[str] = Counter()
        self.players = 0
        self.seats: set[tuple[int, int | None]] = set()
        self.shown: tuple[tuple[str, int], set[str]] = (("", 0), set())

    def known(self, person: int | None) -> set[str]:
        """The cards that this person may know now."""
        assert self.actor is not None
        table = self.actor.table
        round_ = table.round
        if round_ is None or round_.over or table.closed:
            return set(map(repr, PACK))
        seat = table.seat_of(person)
        if self.shown[0] != (self.actor.code, table.deal):
            self.shown = ((self.actor.code, table.deal), set())
        self.shown[1].update(map(repr, round_.played))  # what was taken back has been seen too
        cards = self.shown[1] | {repr(round_.turn_up)}
        order = round_.rules.order
        cards |= {
            repr(Card(order.following[event.card]))
            for event in round_.events
            if isinstance(event, Stopped) and event.stop is Stop.STOCK
        }
        if seat is not None:
            cards |= set(map(repr, round_.deal.hands[seat]))
            if seat == round_.dealer and round_.rules.peek is not Peek.NOBODY:
                cards |= set(map(repr, round_.deal.stock))
        return cards

    def check_stops(self, person: int | None, message: dict[str, Any]) -> None:
        """Take out the known stops, once each is seen to follow from what the seat knows."""
        assert self.actor is not None
        table, known = self.actor.table, self.known(person)
        for part in ("view", "more"):
            for text in (message.get(part) or {}).get("table", {}).pop("stops", ()):
                next_ = table.rules.order.following[Card.parse(text)]
                assert next_ < 0 or repr(Card(next_)) in known, (person, text)

    def look(self, person: int | None, text: str, more: frozenset[str] = frozenset()) -> None:
        message = json.loads(text)
        self.frames[message["kind"]] += 1
        assert self.actor is not None
        table = self.actor.table
        assert table.pack is None or table.closed or table.pack.nonce not in text
        if table.round is not None and not table.round.over and table.dealt is not None:
            assert table.dealt.nonce not in text
        for section in NEVER:
            message.get("table", {}).pop(section, None)
        if message["kind"] == "welcome":
            says = message["says"]
            last = max((n for n, said in enumerate(says) if said.startswith("Deal ")), default=0)
            message["says"] = says[last:]
            told = message["told"]
            last = max((n for n, fact in enumerate(told) if fact["what"] == "deal"), default=0)
            message["told"] = told[last:]
        if any(said.startswith("The first knave") for said in message.get("says", [])):
            message["says"], message["told"] = [], []
        self.check_stops(person, message)
        shown = {
            short or f"{'T' if rank == '10' else rank}{PIPS[pip]}"
            for short, rank, pip in CARD.findall(json.dumps(message, ensure_ascii=False))
        }
        # The card that is not in the pack is named in a stop below it.
        assert shown - self.known(person) - more - {"8D"} == set(), (person, text)


async def play(deals: int, seed: int, folder: Path) -> Counter[str]:
    """Play so many deals under changing rules, with drops, take-backs, bad asks and watchers."""
    chance = random.Random(seed)
    limits = Limits(pace=1e9, entries=10**7)
    hall = Hall(
        Store(f"sqlite:///{folder / 'secrets.db'}"), limits=limits, thinker=Thinker(longest=60)
    )
    await hall.store.open()
    watch = Watch()
    left = deals
    try:
        while left > 0:
            rules = chance.choice([*Rules.presets(), "HOYLE peek=nobody", "CASSELL peek=dealer"])
            players = chance.randint(2, 7)
            settings = Settings(rules=rules, seats=players, bots="book", grace=3600)
            host = await hall.set_table(settings, "Anna")
            await hall.come(host.code, "Ben", watching=False)
            actor = await hall.find(host.code)
            assert actor is not None
            watch.actor, watch.players = actor, players
            clients = [Watched(person, watch) for person in (0, 1, None)]
            for client in clients:
                actor.enter(client)
            await ask(actor, watch, 0, messages.AskStart(id="go"))
            # The seats of bots are watched as if someone sat there: all that such a seat is shown.
            for bot in actor.table.people[2:]:
                clients.append(Watched(bot.number, watch))
                actor.enter(clients[-1])
            for _ in range(min(left, 20)):
                await one_deal(actor, watch, clients, chance)
                left -= 1
            for client in clients:
                actor.exit(client)
            hall.actors.pop(host.code)
            await actor.close()
    finally:
        hall.thinker.close()
        await hall.store.close()
    for players in {players for players, _ in watch.seats}:
        assert {who for number, who in watch.seats if number == players} == {None, *range(players)}
    return watch.frames


async def answer_to(actor: Actor, person: int, asked: Any) -> messages.Done | messages.Refusal:
    answer: asyncio.Future[messages.Done | messages.Refusal] = asyncio.Future()
    actor.ask(person, asked, answer.set_result)
    return await answer


async def ask(actor: Actor, watch: Watch, person: int, asked: Any) -> bool:
    answer = await answer_to(actor, person, asked)
    named = frozenset({getattr(asked, "card", "")})
    watch.look(person, frame(answer).decode(), named)
    return isinstance(answer, messages.Done)


async def one_deal(actor: Actor, watch: Watch, clients: list[Watched], chance: Any) -> None:
    await actor.put(lambda table: [next_entry(table, actor.limits, 0.0)])
    number = 0
    while actor.table.phase == "playing":
        round_ = actor.table.round
        mover = actor.table.to_act
        assert round_ is not None
        assert mover is not None
        number += 1
        name = f"{actor.table.deal}-{number}"
        view = View.of(round_, actor.table.seat_of(mover.number))
        card = repr(chance.choice(list(view.legal)))
        dice = chance.random()
        if dice < 0.1:
            wrong = repr(chance.choice(list(PACK)))
            await ask(actor, watch, chance.choice((0, 1)), lead(actor, f"w{name}", wrong))
        elif dice < 0.15:
            client = chance.choice(clients)
            actor.exit(client)
            actor.enter(client)
        elif dice < 0.2:
            on = chance.random() < 0.7
            await ask(actor, watch, chance.choice((0, 1)), messages.AskSwitch(id=f"s{name}", on=on))
        elif dice < 0.25:
            asked = messages.AskClaim(id=f"c{name}", compartment=chance.choice(("pope", "king")))
            await ask(actor, watch, chance.choice((0, 1)), asked)
        await ask(actor, watch, mover.number, lead(actor, name, card))
        if chance.random() < 0.3:
            await ask(actor, watch, mover.number, messages.AskTakeBack(id=f"b{name}"))


def lead(actor: Actor, name: str, card: str) -> messages.AskLead:
    seen = len(actor.table.round.events) if actor.table.round else 0
    return messages.AskLead(id=name, deal=actor.table.deal, seen=seen, card=card)


def test_no_frame_shows_a_card_that_its_seat_may_not_know(tmp_path: Path) -> None:
    frames = asyncio.run(play(60, 1, tmp_path))
    assert frames["news"] > 1000
    assert min(frames["welcome"], frames["refused"], frames["done"]) > 20


@pytest.mark.slow
def test_no_frame_of_a_thousand_deals_shows_one(tmp_path: Path) -> None:
    frames = asyncio.run(play(1000, 2, tmp_path))
    assert frames["news"] > 20_000
    print(dict(frames))


def test_the_watch_would_see_a_card_that_leaks(tmp_path: Path) -> None:
    async def leak() -> None:
        hall = Hall(Store(f"sqlite:///{tmp_path / 'leak.db'}"), limits=Limits(pace=1e9))
        await hall.store.open()
        host = await hall.set_table(Settings(seats=2), "Anna")
        actor = await hall.find(host.code)
        assert actor is not None
        watch = Watch()
        watch.actor = actor
        await answer_to(actor, 0, messages.AskStart(id="go"))
        await actor.put(lambda table: [next_entry(table, actor.limits, 0.0)])
        assert actor.table.round is not None
        assert actor.table.dealt is not None
        theirs = repr(next(iter(actor.table.round.deal.hands[1])))
        try:
            for text in (f'{{"kind":"news","x":"{theirs}"}}', actor.table.dealt.nonce):
                leaked = text if text.startswith("{") else f'{{"kind":"news","x":"{text}"}}'
                with pytest.raises(AssertionError):
                    watch.look(0, leaked)
        finally:
            await actor.close()
            hall.thinker.close()
            await hall.store.close()

    asyncio.run(leak())
