"""The rules as data: one frozen field for each clause on which the books differ, and the presets.

Each field answers one question and names its clause of RULES.md; what every value means at the
table, and which book has it, stands in ``clauses``. How a deal runs is said in ``round``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from reprlib import repr as shown
from typing import Any, ClassVar, Final, final, get_type_hints

from popejoan.board import Board, Compartment
from popejoan.cards import BadRules, Order
from popejoan.options import (
    Ace,
    CardMoney,
    Claims,
    Dressing,
    Ending,
    Lead,
    Pairs,
    Peek,
    PopePlayed,
    PopeTurned,
    Stock,
    TurnUp,
)

__all__ = [
    "FEWEST_PLAYERS",
    "MOST_PLAYERS",
    "Ace",
    "CardMoney",
    "Claims",
    "Dressing",
    "Ending",
    "Lead",
    "Pairs",
    "Peek",
    "PopePlayed",
    "PopeTurned",
    "Rules",
    "Stock",
    "TurnUp",
]

FEWEST_PLAYERS: Final = 2
"""The fewest who can play (clause 1.1)."""
MOST_PLAYERS: Final = 10
"""The most who can play (clause 1.1)."""

_MOST_COUNTERS: Final = 1000


_DRESSED: Final = Board.of(ace=1, king=1, queen=1, knave=1, game=1, matrimony=2, intrigue=2, pope=6)


@final
@dataclass(frozen=True)
class Rules:
    """The rules of a match; the defaults are HOYLE, the source text.

    Raises BadRules, with every contradiction at once, for a mix that makes no sense.

    >>> Rules.HOYLE.text, Rules(lead=Lead.ANY).text
    ('HOYLE', 'HOYLE lead=any')
    """

    HOYLE: ClassVar[Rules]
    """*Hoyle's Games, Improved and Enlarged*, year not shown: the source text."""
    CASSELL: ClassVar[Rules]
    """*Cassell's Book of In-Door Amusements, Card Games and Fireside Fun*, 1881."""
    PEEL: ClassVar[Rules]
    """W. H. Peel, *Round Games with Cards*, 1891."""
    HOFFMANN: ClassVar[Rules]
    """Professor Hoffmann, *Hoyle's Games Modernized*, revised by E. Bergholt, 1909."""
    PARLETT: ClassVar[Rules]
    """David Parlett, *The Penguin Book of Card Games*."""

    ace: Ace = Ace.LOW
    """Where does the ace stand? Clause 1.3."""
    purse: int = 48
    """How many counters does a player start with? Clause 1.4."""
    stakes: Board = _DRESSED
    """Which compartments has the board, and what dresses each? Clause 2.1."""
    dressing: Dressing = Dressing.DEALER
    """Who dresses the board? Clause 2.2."""
    stock: Stock = Stock.SIX_TO_EIGHT
    """How many cards lie out of play? Clause 3.2."""
    hand_size: int | None = None
    """Is the size of a hand fixed? Clause 3.3."""
    turn_up: TurnUp = TurnUp.APART
    """Where does the turn-up come from? Clause 3.4."""
    peek: Peek = Peek.DEALER
    """Who may look at the stock? Clause 3.5."""
    pope_turned: PopeTurned = PopeTurned.ENDS
    """What does a turned-up Pope do? Clause 4.2."""
    pope_cap: int | None = None
    """Is the payment for a turned-up Pope capped? Clause 4.3."""
    lead: Lead = Lead.BOOK
    """Which cards may be led? Clause 5.2."""
    pairs: Pairs = Pairs.SAME_SEAT
    """Who earns matrimony and intrigue? Clause 7.2."""
    claims: Claims = Claims.CALLED
    """When is an earned stake taken? Clause 7.4."""
    pope_played: PopePlayed = PopePlayed.HEAD
    """What does the player of Pope get? Clause 7.5."""
    pope_exempt: bool = True
    """Is an unplayed Pope an excuse from paying? Clause 8.3."""
    card_money: CardMoney = CardMoney.WINNER
    """Where does the card money go? Clause 8.4."""
    equal_deals: bool = False
    """May a match end before all have dealt equally often? Clause 9.4."""
    ending: Ending = Ending.FINAL_DEAL
    """What becomes of stakes left when the match ends? Clause 9.5."""

    def __post_init__(self) -> None:
        """Check the whole, and raise BadRules with every contradiction."""
        faults = tuple(_faults(self))
        if faults:
            raise BadRules(faults)

    def __hash__(self) -> int:
        """The hash of the fields, computed once: rules key every table made from them."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self)))

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what is cached belongs to one process."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def read(cls, source: object) -> Rules:
        """Rules from a preset's name, or from a mapping ``{"preset": ..., field: value}``.

        Raises BadRules for unknown names, values of the wrong kind, and contradictions.
        """
        if isinstance(source, Rules):
            return source
        if isinstance(source, str):
            return _preset(source)
        if not isinstance(source, Mapping):
            raise BadRules(
                [("rules", f"{shown(source)} is neither a preset's name nor a set of fields")]
            )
        wanted: dict[str, object] = dict(source)
        rules = _preset(wanted.pop("preset", "HOYLE"))
        changes: dict[str, Any] = {}
        faults = []
        for name, value in wanted.items():
            try:
                changes[name] = _read_value(name, value)
            except ValueError as error:
                faults.append((str(name), str(error)))
        if faults:
            raise BadRules(faults)
        return replace(rules, **changes) if changes else rules

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Rules from one line: a preset and the fields that differ, ``CASSELL peek=nobody``.

        Raises BadRules for what it cannot read.
        """
        name, *words = text.split() or [""]
        wanted: dict[str, object] = {"preset": name}
        faults = []
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                faults.append((word, "write a field as name=value"))
            elif key in wanted:
                faults.append((key, "is given twice"))
            else:
                wanted[key] = _from_text(key, value)
        if faults:
            raise BadRules(faults)
        return cls.read(wanted)

    @property
    def text(self) -> str:
        """The nearest preset and the fields that differ from it; ``parse`` reads it back."""
        name, preset = self.nearest
        changed = [
            f"{each.name}={_to_text(getattr(self, each.name))}"
            for each in fields(self)
            if getattr(self, each.name) != getattr(preset, each.name)
        ]
        return " ".join([name, *changed])

    @property
    def nearest(self) -> tuple[str, Rules]:
        """The preset with fewest differing fields, with its name; HOYLE first among equals."""

        def distance(preset: Rules) -> int:
            return sum(
                getattr(self, each.name) != getattr(preset, each.name) for each in fields(self)
            )

        presets = self.presets()
        return min(presets.items(), key=lambda item: distance(item[1]))

    @staticmethod
    def presets() -> dict[str, Rules]:
        """The presets by name, the source text first."""
        return dict(_PRESETS)

    def as_dict(self) -> dict[str, Any]:
        """All fields as JSON values; ``read`` takes them back."""
        return {each.name: _json_value(getattr(self, each.name)) for each in fields(self)}

    @cached_property
    def order(self) -> Order:
        """The order in which runs go up."""
        return Order.of(ace_high=self.ace is Ace.HIGH)

    @cached_property
    def compartments(self) -> tuple[Compartment, ...]:
        """The compartments that the board has: those that something dresses."""
        return tuple(compartment for compartment, stake in self.stakes.items() if stake)


def _faults(rules: Rules) -> Iterator[tuple[str, str]]:
    """Every contradiction in the rules: the field, and what is wrong in words."""
    wrong_kind = False
    for each in fields(rules):
        value = getattr(rules, each.name)
        if not _fits(each.name, value):
            wrong_kind = True
            yield each.name, _not_a_value(each.name, value)
    if wrong_kind:
        return
    for compartment, stake in rules.stakes.items():
        if not 0 <= stake <= _MOST_COUNTERS:
            yield "stakes", f"{compartment} is dressed with 0 to {_MOST_COUNTERS}, not {stake}"
    for compartment in (Compartment.POPE, Compartment.GAME):
        if rules.stakes[compartment] == 0:
            yield (
                "stakes",
                f"a board without {compartment} is no board for Pope: dress it with 1 up",
            )
    if not 0 <= rules.purse <= _MOST_COUNTERS * _MOST_COUNTERS:
        yield "purse", f"a purse starts with 0 to {_MOST_COUNTERS**2} counters, not {rules.purse}"
    if rules.hand_size is not None:
        if not 1 <= rules.hand_size <= 25:
            yield "hand_size", f"a hand has 1 to 25 cards, not {rules.hand_size}"
        if rules.stock is Stock.DEALT_ROUND:
            yield "hand_size", "cards dealt round to the end (stock=dealt-round) fix no hand's size"
    if rules.stock is Stock.DEALT_ROUND and rules.turn_up is TurnUp.IN_STOCK:
        yield (
            "turn_up",
            "with stock=dealt-round the last card of the pack is turned up: turn_up=apart",
        )
    if rules.lead is Lead.BOOK and rules.ace is Ace.HIGH:
        yield "lead", "the book's order leads aces because nothing leads to them: it wants ace=low"
    if rules.pope_cap is not None:
        if rules.pope_turned not in (PopeTurned.ENDS, PopeTurned.CARDS):
            yield (
                "pope_cap",
                f"with pope_turned={rules.pope_turned} nobody pays, so nothing is capped",
            )
        if not 1 <= rules.pope_cap <= 25:
            yield "pope_cap", f"a cap is 1 to 25 counters, or none, not {rules.pope_cap}"
    if rules.dressing is Dressing.SINGLE and rules.card_money is not CardMoney.BOARD:
        yield "dressing", "one counter dresses a board that card money fills: card_money=board"


_ASKED: Final = get_type_hints(Rules)
_KINDS: Final[dict[str, type[StrEnum]]] = {
    name: kind
    for name, kind in _ASKED.items()
    if isinstance(kind, type) and issubclass(kind, StrEnum)
}
_NUMBERS: Final = {  # name: may be None
    name: kind is not int for name, kind in _ASKED.items() if kind in (int, int | None)
}


def _names() -> tuple[str, ...]:
    """The fields' names, the presets not among them."""
    return tuple(each.name for each in fields(Rules))


def _takes(name: str) -> str:
    if name in _KINDS:
        return " or ".join(_KINDS[name])
    if name in _NUMBERS:
        return "a whole number" + (" or none" if _NUMBERS[name] else "")
    if name == "stakes":
        return 'counters by compartment, such as pope:6,game:1, or {"pope": 6, "game": 1} in JSON'
    return "true or false"


def _not_a_value(name: str, value: object) -> str:
    return f"{shown(value)} is not a value of this field: it takes {_takes(name)}"


def _fits(name: str, value: object) -> bool:
    """Whether the value is of the field's kind."""
    if name in _KINDS:
        return isinstance(value, _KINDS[name])
    if name in _NUMBERS:
        return (value is None and _NUMBERS[name]) or type(value) is int
    return isinstance(value, Board if name == "stakes" else bool)


def _read_value(name: str, value: object) -> object:
    """A field's value from JSON; ValueError, with what would be accepted, for another kind."""
    if name not in _names():
        raise ValueError(f"is no field of the rules: they are {', '.join(_names())}")
    if name in _KINDS and isinstance(value, str) and value in set(_KINDS[name]):
        return _KINDS[name](value)
    if name == "stakes" and isinstance(value, Mapping):
        return Board.of(value)
    if not _fits(name, value):
        raise ValueError(_not_a_value(name, value))
    return value


def _json_value(value: Any) -> Any:
    if isinstance(value, Board):
        return value.as_dict()
    return value.value if isinstance(value, StrEnum) else value


def _to_text(value: Any) -> str:
    if isinstance(value, Board):
        return ",".join(f"{name}:{counters}" for name, counters in value.items())
    return "none" if value is None else str(value).lower()


def _from_text(name: str, text: str) -> object:
    """The JSON value that a field's text stands for; text that stands for none is left as it is."""
    if name == "stakes":
        pairs = [pair.partition(":") for pair in text.split(",")]
        if all(count.isdecimal() and len(count) < 10 for _, _, count in pairs):
            return {key: int(count) for key, _, count in pairs}
    elif name in _NUMBERS:
        if text == "none":
            return None
        if text.isdecimal() and len(text) < 10:
            return int(text)
    elif name in _names() and name not in _KINDS:
        return {"true": True, "false": False}.get(text, text)
    return text


def _preset(name: object) -> Rules:
    if not isinstance(name, str) or name.upper() not in _PRESETS:
        raise BadRules([("preset", f"{shown(name)} is no preset: they are {', '.join(_PRESETS)}")])
    return _PRESETS[name.upper()]


Rules.HOYLE = Rules()
Rules.CASSELL = Rules(lead=Lead.ANY, stock=Stock.SPARE_HAND)
Rules.PEEL = Rules(
    lead=Lead.ANY,
    stock=Stock.SPARE_HAND,
    dressing=Dressing.RAISE,
    peek=Peek.NOBODY,
    claims=Claims.AT_ONCE,
    pope_turned=PopeTurned.CARDS,
    pope_played=PopePlayed.CARDS,
)
Rules.HOFFMANN = Rules(
    lead=Lead.ANY,
    stock=Stock.DEALT_ROUND,
    peek=Peek.NOBODY,
    claims=Claims.AT_ONCE,
    pope_turned=PopeTurned.HEAD,
)
Rules.PARLETT = Rules(
    ace=Ace.HIGH,
    lead=Lead.LOWEST,
    stock=Stock.SPARE_HAND,
    turn_up=TurnUp.IN_STOCK,
    peek=Peek.NOBODY,
    claims=Claims.AT_ONCE,
    pope_turned=PopeTurned.HEAD,
)

_PRESETS: Final = {name: rules for name, rules in vars(Rules).items() if isinstance(rules, Rules)}
