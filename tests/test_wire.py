"""What is sent to a seat: it comes back whole, holds no hidden card, and damage is named."""

from __future__ import annotations

import copy
import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popejoan import wire
from popejoan.board import Compartment, Reason, Transfer
from popejoan.cards import BadWire, Card, CardSet
from popejoan.deal import Deal
from popejoan.events import Event, MatchEvent
from popejoan.match import Match
from popejoan.payments import Due
from popejoan.round import Round
from popejoan.rules import Lead, Rules
from popejoan.testing import strategies as some
from popejoan.view import View
from popejoan.wire import (
    MOST,
    event_from_wire,
    event_to_wire,
    from_wire,
    to_wire,
)

PAGE = Path(__file__).parent.parent / "docs" / "wire.md"

_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["led", "9D", "view", "pope", "stake", "HOYLE", 1, 2**70]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _sent(value: dict[str, Any]) -> Any:
    """What arrives at the other end."""
    return json.loads(json.dumps(value))


# What is sent comes back


@given(some.rounds())
@settings(max_examples=40)
def test_a_view_comes_back_as_it_was_sent(round: Round) -> None:
    for seat in (None, *range(round.players)):
        view = View.of(round, seat)
        assert from_wire(_sent(to_wire(view))) == view


@given(some.rounds())
def test_an_event_comes_back_as_it_was_sent(round: Round) -> None:
    for event in round.events:
        assert event_from_wire(_sent(event_to_wire(event))) == event


@given(some.matches())
def test_an_event_between_deals_comes_back_as_it_was_sent(match: Match) -> None:
    for event in match.events:
        assert event_from_wire(_sent(event_to_wire(event))) == event


# What is sent holds no secret


def _cards_in(value: object) -> Iterator[Card]:
    """Every card that stands anywhere in a JSON value."""
    if isinstance(value, str) and re.fullmatch("[A2-9TJQK][CDHS]", value):
        yield Card.parse(value)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _cards_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cards_in(inner)


@given(some.rounds())
@settings(max_examples=40)
def test_no_card_that_the_seat_has_not_seen_is_sent(round: Round) -> None:
    for seat in (None, *range(round.players)):
        view = View.of(round, seat)
        message = to_wire(view)
        del message["table"]["stops"], message["table"]["dead"], message["table"]["follows"]
        if not view.legal:
            assert message["table"]["legal"] == []
        assert not CardSet.of(_cards_in(message)) & view.unseen


def test_no_function_of_the_wire_takes_a_round() -> None:
    assert not hasattr(wire, "Round")
    for _, function in inspect.getmembers(wire, inspect.isfunction):
        assert not re.search(r"\b(Round|Deal|Match)\b", str(inspect.signature(function)))
    with pytest.raises(AttributeError):
        to_wire(Round.start(Rules.HOYLE, Deal.shuffle(1)))  # type: ignore[arg-type]


# What is damaged is refused


def _refused(read: Callable[[object], object], value: object) -> str | None:
    """What is said to be wrong with the value; None when nothing is."""
    try:
        read(value)
    except BadWire as refused:
        return str(refused)
    return None


@given(_json)
@settings(max_examples=100)
def test_any_json_is_a_message_or_is_refused(value: Any) -> None:
    for read in (from_wire, event_from_wire):
        says = _refused(read, value)
        assert says is None or (": " in says and len(says) < 400)


def _places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, each in inner or (enumerate(value) if isinstance(value, list) else ()):
        yield from _places(each, (*path, key))


def _with(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """The value with what stands at a place changed."""
    if not path:
        return change(value)
    copied = value.copy()
    copied[path[0]] = _with(copied[path[0]], path[1:], change)
    return copied


@given(st.data(), some.rounds())
@settings(max_examples=100)
def test_a_view_damaged_anywhere_is_refused_or_hangs_together(
    data: st.DataObject, round: Round
) -> None:
    seat = data.draw(st.sampled_from([None, *range(round.players)]))
    message = _sent(to_wire(View.of(round, seat)))
    path = data.draw(st.sampled_from(list(_places(message))))
    kept = data.draw(st.booleans())
    if kept and path[:1] == ("events",) and len(path) == 2:
        damaged = _with(message, path[:1], lambda events: events[: path[1]])
    else:
        damaged = _with(message, path, lambda _: data.draw(_json))
    if (says := _refused(from_wire, damaged)) is not None:
        assert ": " in says
    else:
        view = from_wire(damaged)
        assert to_wire(view)["events"] == damaged["events"]
        assert to_wire(view)["table"] == damaged["table"]


def _played_view(seat: int | None = 1, plays: int = 6) -> dict[str, Any]:
    round = Round.start(Rules.HOYLE, Deal.shuffle(1))
    while len(round.plays) < plays and not round.over:
        round = round.play(min(round.legal))
    return dict(_sent(to_wire(View.of(round, seat))))


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ((), None, "message: null stands where an object is wanted"),
        ((), [1], "message: a list of 1 stands where an object is wanted"),
        (("wire",), 2, "wire: 2 is not the version this program reads, 1"),
        (("wire",), True, "wire: true is not the version this program reads, 1"),
        (("kind",), "vue", "kind: 'vue' is not 'view'"),
        (("seat",), 4, "seat: 4 is no seat: they are 0 to 3"),
        (("seat",), 11, "seat: 11 is no seat: they are 0 to 9"),
        (("seat",), "1", "seat: '1' is not a whole number"),
        (("rules",), "BRIDGE", "rules: preset: 'BRIDGE' is no preset"),
        (("opening", "purses", 2), 1.5, "opening.purses[2]: 1.5 is not a whole number"),
        (("opening", "purses", 0), 2**80, "opening.purses[0]: a number of 81 bits is not a whole"),
        (("opening", "purses"), [48], "seat: 1 is no seat"),
        (("opening", "board", "pope"), -1, "opening.board.pope: -1 is less than 0"),
        (("claiming",), [True], "claiming: has 1 entries for 4 seats"),
        (("claiming", 0), 1, "claiming[0]: 1 is neither true nor false"),
        (("claiming",), "on", "claiming: 'on' stands where a list is wanted"),
        (("dealt", 0), "8D", "dealt[0]: 8D is not in the pack"),
        (("dealt", 0), None, "dealt[0]: null is not a card such as '9D'"),
        (("dealt",), ["9D", "9D"], "dealt[1]: 9D stands twice"),
        (("dealt",), ["9D"], "dealt: 1 cards are not as many as the seat was dealt"),
        (("stock",), ["9D"], "stock: is shown to a dealer who may look at it, and to nobody else"),
        (("events",), [], "events: do not begin with dressed, dealt and turned-up"),
        (("events", 0, "event"), "undressed", "events[0]: event 'undressed' is none of dressed,"),
        (("events", 0, "transfers", 0, "payer"), "bank", "payer: 'bank' is none of ace, king"),
        (("events", 0, "transfers", 0, "payer"), 9, "events[0]: seat 9 is not at the table"),
        (("events", 0, "transfers", 0, "counters"), 0, "events[0]: a payment is of one counter"),
        (("events", 0, "transfers", 0, "reason"), None, "reason: null is none of dressing, stake"),
        (("events", 1, "dealer"), 7, "events[1].dealer: 7 is not at the table"),
        (("events", 1, "sizes"), [1, 1, 1, 1], "events[1]: these rules do not deal so many cards"),
        (("events", 1, "stock"), 9, "events[1]: these rules do not deal so many cards"),
        (("events", 3), {"event": "excused", "seat": 9, "cards": 1}, "events[3]: seat 9 is not"),
        (("events", 3), {"event": "turned-up", "card": "KH"}, "events[3]: a round begins with"),
        (("events", 3), {"event": "led", "seat": 0, "card": "2C"}, "events[3]: it is not for seat"),
        (("events", 3), {"event": "followed", "seat": 1, "card": "KH"}, "not the run's next card"),
        (("events", 3), {"event": "stopped", "seat": 1, "card": "KH", "stop": "end"}, "is not the"),
        (("events", 3), {"event": "went-out", "seat": 1}, "has not just played its last card"),
        (("events", 3), {"event": "round-over", "winner": 1}, "seat 1 has not won the round"),
        (("events", 4, "card"), "KS", "events[4]: KS cannot have been in the hand of seat 1"),
        (("events", 11, "stop"), "stock", "events[11].stop: is end, not stock"),
        (("table", "hand"), [], "table.hand: does not follow from the rest, which makes it ["),
        (("table", "over"), 0, "table.over: does not follow from the rest, which makes it False"),
    ],
)
def test_what_is_wrong_with_a_view_is_said_with_its_place(
    path: tuple[Any, ...], value: Any, says: str
) -> None:
    with pytest.raises(BadWire) as refused:
        from_wire(_with(_played_view(), path, lambda _: value))
    assert says in str(refused.value)


def test_an_entry_too_few_or_too_many_is_named() -> None:
    whole = _played_view()
    with pytest.raises(BadWire, match="message: has no entry 'stock'"):
        from_wire({name: value for name, value in whole.items() if name != "stock"})
    with pytest.raises(BadWire, match="message: has an entry 'secret', which this kind"):
        from_wire({**whole, "secret": 1})


def _one_card_each() -> dict[str, Any]:
    rules = Rules(hand_size=1, lead=Lead.ANY)
    return dict(_sent(to_wire(View.of(Round.start(rules, Deal.shuffle(1, rules=rules)), 2))))


_HOLDS_NONE = [{"event": "led", "seat": 1, "card": "2C"}]
_TELLINGS: list[tuple[dict[str, Any], Callable[[dict[str, Any]], object], str]] = [
    (
        _played_view(),
        lambda m: m.update(rules={"hand_size": 25}),
        "rules: hand_size: 4 hands of 25 are more than the 50 cards beside the turn-up",
    ),
    (
        _played_view(0),
        lambda m: m.update(stock=m["stock"][1:]),
        "stock: 5 cards are not as many as lie there",
    ),
    (
        _played_view(),
        lambda m: m.update(dealt=["QS", *m["dealt"][1:]]),
        "dealt: a card stands in two of dealt, stock and turn-up",
    ),
    (
        _played_view(),
        lambda m: m["events"].append({"event": "switched", "seat": 2, "on": False}),
        "claiming: is not what the seats last switched to",
    ),
    (
        _played_view(1, 60),
        lambda m: m["events"].append({"event": "led", "seat": 1, "card": "2C"}),
        "stands after the round was over",
    ),
    (
        _played_view(1, 60),
        lambda m: m["events"].pop(),
        "out and the round not over",
    ),
    (
        _played_view(),
        lambda m: m.update(events=m["events"][:11]),
        "events: end before the stop of KD",
    ),
    (
        _played_view(),
        lambda m: m.update(
            events=[
                *m["events"][:5],
                {"event": "stopped", "seat": 1, "card": "9D", "stop": "stock"},
            ]
        ),
        "events[5]: TD is not in the stock",
    ),
    (
        _one_card_each(),
        lambda m: m["events"].extend(
            [*_HOLDS_NONE, {"event": "followed", "seat": 1, "card": "3C"}]
        ),
        "seat 1 has no card left",
    ),
    (
        _one_card_each(),
        lambda m: m["events"].extend(
            [*_HOLDS_NONE, {"event": "stopped", "seat": 1, "card": "2C", "stop": "stock"}]
        ),
        "seat 1 has no card left to lead",
    ),
]


@pytest.mark.parametrize(("message", "change", "says"), _TELLINGS, ids=[c[2] for c in _TELLINGS])
def test_what_could_not_have_happened_at_a_table_is_refused(
    message: dict[str, Any], change: Callable[[dict[str, Any]], object], says: str
) -> None:
    damaged = copy.deepcopy(message)
    change(damaged)
    with pytest.raises(BadWire) as refused:
        from_wire(damaged)
    assert says in str(refused.value)


# The page that explains it


def _records() -> list[type]:
    return [*get_args(Event), *get_args(MatchEvent), Transfer, Due]


@pytest.mark.parametrize("kind", _records(), ids=lambda kind: kind.__name__)
def test_the_page_explains_every_record_and_each_of_its_fields(kind: type) -> None:
    page = PAGE.read_text(encoding="utf-8")
    name = re.sub(r"(?<!^)([A-Z])", r"-\1", kind.__name__).lower()
    row = re.findall(rf"^\| `{name}` \|.*$", page, re.MULTILINE)[-1]
    parts = kind._fields if hasattr(kind, "_fields") else [each.name for each in fields(kind)]
    assert [part for part in parts if f"`{part}`" not in row] == []


def test_the_page_explains_every_entry_of_a_view() -> None:
    page = PAGE.read_text(encoding="utf-8")
    message = _played_view()
    for name in (*message, *message["table"]):
        assert re.search(rf"^\| `{name}` \|", page, re.MULTILINE), name
    for reason in (*Reason, *Compartment):
        assert f"`{reason}`" in page


def test_the_events_that_the_page_shows_are_events() -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    for each in shown:
        assert event_to_wire(event_from_wire(each)) == each
    assert len(shown) == 2


def test_the_wire_carries_numbers_that_every_reader_keeps() -> None:
    deal = Deal.shuffle(1)
    view = View.of(Round.start(Rules.HOYLE, deal, purses=(MOST, -MOST + 60, 0, 0)), 1)
    assert from_wire(_sent(to_wire(view))) == view
    view = View.of(Round.start(Rules.HOYLE, deal, purses=(MOST + 1, 0, 0, 0)), 1)
    with pytest.raises(BadWire, match="purses: a number of 54 bits is more than the wire"):
        to_wire(view)
