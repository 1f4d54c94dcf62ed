"""A deal as JSON, for programs: what lay, what was dealt and what was led, and what it comes to.

The objects are described in ``docs/json-deal.md``. The outcome shows all the cards played, and no
hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from popejoan.board import Board, Compartment
from popejoan.cards import (
    PACK,
    BadCard,
    BadDeal,
    BadRecord,
    BadRules,
    Card,
    CardSet,
    IllegalPlay,
    Seat,
)
from popejoan.deal import Deal
from popejoan.events import Claimed, Followed, Led
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules

__all__ = ["LONGEST_LINE", "answer", "answer_json", "outcome", "outcome_of", "refused"]

LONGEST_LINE: Final = 100_000
"""The most bytes a deal may take in JSON; a whole one takes about 700."""
_MOST_COUNTERS: Final = 1_000_000_000

_KEYS: Final = ("rules", "dealer", "board", "deal", "leads")
_DEAL_KEYS: Final = ("hands", "turn_up", "stock")
_PLACES: Final = tuple(compartment.value for compartment in Compartment)
_PLAYS: Final = (Led, Followed)
_NAMES: Final = {int(card): repr(card) for card in PACK}
_CARDS: Final = {repr(card): card for card in PACK}


class _RefusedError(Exception):
    """What is wrong, and where."""

    def __init__(self, error: str, at: str) -> None:
        super().__init__(error)
        self.at = at

    @property
    def answer(self) -> dict[str, Any]:
        return {"error": _plain(str(self), 500), "at": _plain(self.at, 80)}


def _plain(text: str, most: int) -> str:
    """The text, not too long, and without halves of characters, which no stream can carry."""
    text = text if len(text) <= most else text[: most - 3] + "..."
    return text.encode("utf-8", "backslashreplace").decode()


def _refuse(error: str, at: str) -> NoReturn:
    raise _RefusedError(error, at)


def outcome(obj: object) -> dict[str, Any]:
    """What a deal comes to, given as the JSON object of a program.

    Instead of raising it gives ``{"error": ..., "at": ...}`` for an object that is no deal, for
    cards that are not dealt so, and for a lead that may not be made.
    """
    try:
        return outcome_of(_round(obj))
    except _RefusedError as refusal:
        return refusal.answer


def outcome_of(round_: Round) -> dict[str, Any]:
    """What a round has come to at its next choice: cards that must follow are played."""
    round_ = round_.run_on()
    payments = []
    plays = []
    for event in round_.events:
        if isinstance(event, _PLAYS):
            plays.append([event.seat, _NAMES[event.card]])
        elif isinstance(event, Claimed):
            payments.append(
                {
                    "compartment": event.compartment.value,
                    "seat": event.seat,
                    "counters": event.counters,
                }
            )
    return {
        "balances": list(round_.balances),
        "board": dict(zip(_PLACES, round_.board)),
        "payments": payments,
        "plays": plays,
        "leader": round_.leader,
        "legal": [_NAMES[card] for card in round_.legal],
        "over": round_.over,
        "winner": round_.winner,
    }


def answer(text: str | bytes) -> dict[str, Any] | list[dict[str, Any]]:
    """What a text comes to that is a JSON deal or a record; which, its first letter tells.

    A record of one deal gives one outcome, any other a list with one for each deal. A text that
    is neither gives ``{"error": ..., "at": ...}``.
    """
    start = text[:1000].lstrip()
    if isinstance(start, bytes):
        start = start.removeprefix(b"\xef\xbb\xbf").lstrip().decode("ascii", "replace")
    if start.removeprefix("\ufeff").lstrip().startswith(("{", "[")):
        return answer_json(text)
    try:
        rounds = Record.read(text).rounds
    except BadRecord as fault:
        return _RefusedError(fault.reason, f"line {fault.line}" if fault.line else "").answer
    outcomes = [outcome_of(round_) for round_ in rounds]
    return outcomes[0] if len(outcomes) == 1 else outcomes


def refused(answered: dict[str, Any] | list[dict[str, Any]]) -> bool:
    """Whether an answer is a refusal."""
    return isinstance(answered, dict) and "error" in answered


def answer_json(text: str | bytes) -> dict[str, Any]:
    """What a text comes to that is a JSON deal; bytes are UTF-8.

    A text that is none, or is longer than ``LONGEST_LINE`` without its end of line, gives
    ``{"error": ..., "at": ...}``.
    """
    text = text.rstrip("\r\n") if isinstance(text, str) else text.rstrip(b"\r\n")
    if len(text) > LONGEST_LINE:
        return _RefusedError(f"a deal takes up to {LONGEST_LINE} bytes of JSON", "").answer
    try:
        if isinstance(text, bytes):
            text = text.decode()
        return outcome_of(_round(_DECODE(text.removeprefix("\ufeff"))))
    except _RefusedError as refusal:
        return refusal.answer
    except UnicodeDecodeError as fault:
        error, at = "this is not UTF-8", f"byte {fault.start + 1}"
    except json.JSONDecodeError as fault:
        error, at = f"this is not JSON: {fault.msg}", f"character {fault.pos + 1}"
    except RecursionError:
        error, at = "this is nested too deep for a deal", ""
    except ValueError:  # Python reads no whole number of more than some thousands of digits
        error, at = "a number in this has too many digits", ""
    return _RefusedError(error, at).answer


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; refuses a key that stands in it twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        _refuse(f"the key {_cut(twice)} stands twice in one object", twice)
    return found


def _no_constant(name: str) -> NoReturn:
    _refuse(f"{name} is no number of JSON", "")


_DECODE: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant).decode


def _round(obj: object) -> Round:
    """The round that the object tells, with its leads made."""
    wanted = _object(obj, _KEYS, "")
    rules = _rules(wanted.get("rules", "HOYLE"))
    if "deal" not in wanted:
        _refuse("the deal is missing: hands, turn_up and stock", "deal")
    deal = _deal(wanted["deal"])
    dealer = _whole(wanted.get("dealer", 0), "dealer", "a dealer", deal.players - 1)
    board = _board(wanted.get("board", {}), rules)
    try:
        round_ = Round.start(rules, deal, dealer=Seat(dealer), board=board)
    except BadDeal as fault:
        _refuse(fault.faults[0][1], "deal.hands")
    except BadRules as fault:
        field, says = fault.faults[0]
        _refuse(says, "deal.hands" if field == "players" else f"rules.{field}")
    leads = wanted.get("leads", [])
    if not isinstance(leads, list):
        _refuse(f"the leads are a list of cards, not {_kind(leads)}", "leads")
    return _played_out(round_, leads) or _played(round_, leads)


def _played(round_: Round, leads: list[object]) -> Round:
    for place, word in enumerate(leads):
        card = _card(word, f"leads[{place}]")
        try:
            round_ = round_.lead(card)
        except IllegalPlay as error:
            _refuse(error.reason, f"leads[{place}]")
    return round_


def _played_out(round_: Round, leads: list[object]) -> Round | None:
    """The round with these leads when they play it to its end, else None: the short way."""
    words = iter(leads)
    try:
        over = round_.playout(lambda _: _CARDS[next(words)])  # type: ignore[index]  # caught below
    except (KeyError, TypeError, StopIteration, IllegalPlay):
        return None
    return None if any(True for _ in words) else over


def _object(obj: object, keys: Iterable[str], at: str) -> dict[str, Any]:
    if not isinstance(obj, dict):
        where = at or "a deal for the game"
        _refuse(f"{where} is an object with {', '.join(keys)}, not {_kind(obj)}", at)
    for key in obj:
        if key not in keys:
            where = f"{at}.{key}" if at else str(key)
            _refuse(f"{_cut(key)} is none of the keys here: {', '.join(keys)}", where)
    return obj


def _rules(source: object) -> Rules:
    if isinstance(source, dict):
        for field, value in source.items():
            if isinstance(value, list | dict) and field != "stakes":
                _refuse(
                    f"a field of the rules is a word or a number, not {_kind(value)}",
                    f"rules.{field}",
                )
        stakes = source.get("stakes")
        if isinstance(stakes, dict):
            _object(stakes, _PLACES, "rules.stakes")
            for place, counters in stakes.items():
                _whole(counters, f"rules.stakes.{place}", "a stake")
    elif not isinstance(source, str):
        _refuse(f"rules are a preset's name or an object, not {_kind(source)}", "rules")
    try:
        return Rules.read(source)
    except BadRules as fault:
        field = fault.faults[0][0]
        named = isinstance(source, dict)
        says = fault.faults[0][1] if len(fault.faults) == 1 else str(fault)
        _refuse(says, f"rules.{field}" if named else "rules")


def _deal(obj: object) -> Deal:
    parts = _object(obj, _DEAL_KEYS, "deal")
    for key in _DEAL_KEYS:
        if key not in parts:
            _refuse(f"{key} is missing from the deal", f"deal.{key}")
    hands = parts["hands"]
    if not isinstance(hands, list):
        _refuse(
            f"the hands are a list with a list of cards a seat, not {_kind(hands)}", "deal.hands"
        )
    if not FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS:
        _refuse(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {len(hands)}", "deal.hands")
    try:
        return Deal(tuple(map(_set, hands)), _CARDS[parts["turn_up"]], _set(parts["stock"]))
    except (KeyError, TypeError, BadDeal):
        pass  # written in another way, or at fault: go through it card by card
    seen: dict[Card, str] = {}
    held = [_cards(hand, f"deal.hands[{seat}]", seen) for seat, hand in enumerate(hands)]
    turn_up = _card(parts["turn_up"], "deal.turn_up")
    if turn_up in seen:
        _refuse(f"{turn_up!r} stands here and in {seen[turn_up]}", "deal.turn_up")
    seen[turn_up] = "deal.turn_up"
    stock = _cards(parts["stock"], "deal.stock", seen)
    if len(seen) < 51:
        missing = (PACK - CardSet.of(seen)).text
        _refuse(f"{missing} missing: each of the 51 cards must be in one place", "deal")
    return Deal(tuple(held), turn_up, stock)


def _set(words: object) -> CardSet:
    """The cards of a list in their usual letters; raises KeyError or TypeError for others."""
    if type(words) is not list:
        raise TypeError
    mask = 0
    for word in words:
        mask |= 1 << _CARDS[word]
    return CardSet(mask)


def _cards(words: object, at: str, seen: dict[Card, str]) -> CardSet:
    if not isinstance(words, list):
        _refuse(f"{at} is a list of cards, not {_kind(words)}", at)
    mask = 0
    for place, word in enumerate(words):
        card = _card(word, at, place)
        if card in seen:
            _refuse(f"{card!r} stands here and in {seen[card]}", f"{at}[{place}]")
        seen[card] = at
        mask |= 1 << card
    return CardSet(mask)


def _card(word: object, at: str, place: int = -1) -> Card:
    if isinstance(word, str):
        try:
            return Card.parse(word)
        except BadCard as fault:
            error = str(fault)
    else:
        error = f"a card is text such as '9D' or '10H', not {_kind(word)}"
    _refuse(error, at if place < 0 else f"{at}[{place}]")


def _board(obj: object, rules: Rules) -> Board:
    laid = _object(obj, _PLACES, "board")
    for place, counters in laid.items():
        _whole(counters, f"board.{place}", "a stake")
        if counters and not rules.stakes[Compartment(place)]:
            _refuse(f"these rules have no compartment {place}", f"board.{place}")
    return Board.of(laid)


def _whole(value: object, at: str, what: str, most: int = _MOST_COUNTERS) -> int:
    """The value, when it is a whole number from 0 to ``most``."""
    if type(value) is not int:
        _refuse(f"{what} is a whole number from 0 to {most}, not {_kind(value)}", at)
    if not 0 <= value <= most:
        shown = value if abs(value) <= 10**30 else "a number of many digits"
        _refuse(f"{what} is a whole number from 0 to {most}, not {shown}", at)
    return value


def _kind(value: object) -> str:
    """The kind of a JSON value, in words."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return _cut(value)
    kinds = {int: "a whole number", float: "a fraction", list: "a list", dict: "an object"}
    return kinds.get(type(value), "something that JSON does not have")


def _cut(text: object) -> str:
    plain = str(text)
    return repr(plain if len(plain) <= 40 else plain[:37] + "...")
