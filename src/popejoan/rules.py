"""The rules as data: one frozen field for each clause on which the books differ, and the presets.

``RULES.md`` states every clause in full; each field here names its clause, and each value says in
words what it means and which book has it. How a deal runs under the rules is said in ``round``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final, NamedTuple, final

from popejoan.board import Board, Compartment, Reason, Transfer
from popejoan.cards import POPE, BadRules, Card, Order, Rank, Seat, Suit

__all__ = [
    "FEWEST_PLAYERS",
    "MOST_PLAYERS",
    "Ace",
    "CardMoney",
    "Claims",
    "Clause",
    "Dressing",
    "Earning",
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
MOST_PLAYERS: Final = 10

_MOST_COUNTERS: Final = 1000


class Ace(StrEnum):
    """Where the ace stands in its suit."""

    LOW = "low"
    HIGH = "high"


class Dressing(StrEnum):
    """Who dresses the board, and with how much."""

    DEALER = "dealer"
    POOL = "pool"
    RAISE = "raise"
    EACH = "each"
    SINGLE = "single"


class Stock(StrEnum):
    """How many cards lie out of play."""

    SIX_TO_EIGHT = "six-to-eight"
    SPARE_HAND = "spare-hand"
    DEALT_ROUND = "dealt-round"


class TurnUp(StrEnum):
    """Where the turned-up card comes from."""

    APART = "apart"
    IN_STOCK = "in-stock"


class Peek(StrEnum):
    """Who may look at the stock."""

    DEALER = "dealer"
    NOBODY = "nobody"
    SITS_OUT = "dealer-sits-out"


class PopeTurned(StrEnum):
    """What a turned-up Pope does."""

    ENDS = "ends"
    CARDS = "cards"
    HEAD = "head"
    THROWN_IN = "thrown-in"


class Lead(StrEnum):
    """Which cards may be led."""

    BOOK = "book"
    ANY = "any"
    LOWEST = "lowest"
    LOWEST_IN_HAND = "lowest-in-hand"


class Claims(StrEnum):
    """When an earned stake is taken."""

    CALLED = "called"
    AT_ONCE = "at-once"


class Pairs(StrEnum):
    """Who earns matrimony and intrigue."""

    SAME_SEAT = "same-seat"
    SPLIT = "split"


class PopePlayed(StrEnum):
    """What the player of Pope gets."""

    HEAD = "head"
    CARDS = "head-and-cards"


class CardMoney(StrEnum):
    """Where the counters for cards left in hand go."""

    WINNER = "winner"
    BOARD = "board"


class Ending(StrEnum):
    """What becomes of the stakes left on the board when a match ends."""

    FINAL_DEAL = "final-deal"
    STAYS = "stays"


class Clause(NamedTuple):
    """One field of the rules in words: its clause of RULES.md, its value, and what that means."""

    number: str
    """The clause of RULES.md."""
    field: str
    """The name of the field."""
    value: Any
    """The field's value."""
    sentence: str
    """What the value means at the table."""
    source: str
    """The book that has it."""


class Earning(NamedTuple):
    """What playing one card earns."""

    alone: Compartment | None
    """The compartment that the card earns by itself."""
    pairs: tuple[tuple[Compartment, int], ...]
    """Each compartment earned with another card, and that card's number."""


_Words = Mapping[Any, tuple[str, str]]


def _clause(number: str, default: Any, question: str, words: _Words) -> Any:
    """A field that knows its clause, the question it answers, and each value's words and book."""
    metadata = {"clause": number, "question": question, "words": words}
    return field(default=default, metadata=metadata)


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
    CASSELL: ClassVar[Rules]
    PEEL: ClassVar[Rules]
    HOFFMANN: ClassVar[Rules]
    PARLETT: ClassVar[Rules]

    ace: Ace = _clause(
        "1.3",
        Ace.LOW,
        "Where does the ace stand?",
        {
            Ace.LOW: ("The ace is low: a suit runs from ace to king.", "Hoyle, Cassell, Peel"),
            Ace.HIGH: ("The ace is high: a suit runs from two to ace, and aces stop.", "Parlett"),
        },
    )
    purse: int = _clause(
        "1.4",
        48,
        "How many counters does a player start with?",
        {None: ("Each player starts with {value} counters.", "Hoffmann: 36 to 48")},
    )
    stakes: Board = _clause(
        "2.1",
        _DRESSED,
        "Which compartments has the board, and what dresses each?",
        {None: ("The board is dressed with {value}.", "Hoyle; Peel's five-pool board leaves three")},
    )
    dressing: Dressing = _clause(
        "2.2",
        Dressing.DEALER,
        "Who dresses the board?",
        {
            Dressing.DEALER: ("The dealer dresses the board alone.", "Hoyle, Cassell, Hoffmann"),
            Dressing.POOL: (
                "Each player gives two counters; the dealer makes up what is short, and anything "
                "over goes to Game.",
                "Hoyle: two stakes apiece",
            ),
            Dressing.RAISE: (
                "Each player gives alike and the dealer double, enough to dress the board; the "
                "remainder goes to Game.",
                "Peel",
            ),
            Dressing.EACH: (
                "Each player lays two counters in every compartment.",
                "boardgamesofold",
            ),
            Dressing.SINGLE: (
                "The dealer lays one counter in each bare compartment, or one in Game when none "
                "is bare.",
                "Peel's variation: card money to the board",
            ),
        },
    )
    stock: Stock = _clause(
        "3.2",
        Stock.SIX_TO_EIGHT,
        "How many cards lie out of play?",
        {
            Stock.SIX_TO_EIGHT: (
                "Hands are equal, and the stock is as near to six to eight as that allows.",
                "Hoyle",
            ),
            Stock.SPARE_HAND: (
                "Hands are equal, one spare hand is dealt, and the surplus is added to it.",
                "Cassell, Peel, Parlett",
            ),
            Stock.DEALT_ROUND: (
                "Cards are dealt one by one to the players and an extra hand to the end of the "
                "pack, so hands may differ by one.",
                "Hoffmann",
            ),
        },
    )
    hand_size: int | None = _clause(
        "3.3",
        None,
        "Is the size of a hand fixed?",
        {
            None: ("The size of a hand follows from the number of players.", "Hoyle"),
            "set": ("Each hand has {value} cards; the rest is the stock.", "a choice of the table"),
        },
    )
    turn_up: TurnUp = _clause(
        "3.4",
        TurnUp.APART,
        "Where does the turn-up come from?",
        {
            TurnUp.APART: ("The turn-up is set apart from hands and stock.", "Hoyle, Peel"),
            TurnUp.IN_STOCK: ("The turn-up is the last card of the stock, faced.", "Parlett"),
        },
    )
    peek: Peek = _clause(
        "3.5",
        Peek.DEALER,
        "Who may look at the stock?",
        {
            Peek.DEALER: ("The dealer alone may look at the stock.", "Hoyle, Cassell"),
            Peek.NOBODY: ("Nobody may look at the stock.", "Peel, Hoffmann, Parlett"),
            Peek.SITS_OUT: (
                "The dealer may look at the stock, and is dealt no hand.",
                "Peel's advice",
            ),
        },
    )
    pope_turned: PopeTurned = _clause(
        "4.2",
        PopeTurned.ENDS,
        "What does a turned-up Pope do?",
        {
            PopeTurned.ENDS: (
                "The dealer takes Pope and Game, each other player pays him one counter for each "
                "card dealt to that player, and the deal is over.",
                "Hoyle, Cassell",
            ),
            PopeTurned.CARDS: (
                "The dealer takes Pope, each other player pays him one counter for each card "
                "dealt to that player, and play goes on.",
                "Peel",
            ),
            PopeTurned.HEAD: ("The dealer takes Pope, and play goes on.", "Hoffmann, Parlett"),
            PopeTurned.THROWN_IN: (
                "The dealer takes Pope and Game, and the cards are thrown in.",
                "boardgamesofold, a variation",
            ),
        },
    )
    pope_cap: int | None = _clause(
        "4.3",
        None,
        "Is the payment for a turned-up Pope capped?",
        {
            None: ("The payment for a turned-up Pope is not capped.", "Hoyle, Peel"),
            "set": ("No player pays more than {value} for a turned-up Pope.", "Peel's advice: 4, 6"),
        },
    )
    lead: Lead = _clause(
        "5.2",
        Lead.BOOK,
        "Which cards may be led?",
        {
            Lead.BOOK: (
                "A player on lead leads a stop he knows, else Pope, else the lowest card of his "
                "longest suit or any ace.",
                "Hoyle",
            ),
            Lead.ANY: ("Any card may be led.", "Cassell, Peel, Hoffmann"),
            Lead.LOWEST: ("The lowest card of a suit of his choice is led.", "Parlett"),
            Lead.LOWEST_IN_HAND: (
                "The lowest rank in the whole hand is led, of any suit that has it.",
                "a modern reading",
            ),
        },
    )
    pairs: Pairs = _clause(
        "7.2",
        Pairs.SAME_SEAT,
        "Who earns matrimony and intrigue?",
        {
            Pairs.SAME_SEAT: (
                "Matrimony and intrigue are earned when one player has played both cards.",
                "Hoyle, Hoffmann, Parlett",
            ),
            Pairs.SPLIT: (
                "When two players play the cards of a pair they share its stake; an odd counter "
                "stays.",
                "Peel's option",
            ),
        },
    )
    claims: Claims = _clause(
        "7.4",
        Claims.CALLED,
        "When is an earned stake taken?",
        {
            Claims.CALLED: (
                "An earned stake must be claimed before the board is dressed again, or it stays; "
                "each seat may have its claims made for it.",
                "Hoyle, Cassell",
            ),
            Claims.AT_ONCE: (
                "An earned stake is taken as soon as it is earned.",
                "Peel, Hoffmann, Parlett",
            ),
        },
    )
    pope_played: PopePlayed = _clause(
        "7.5",
        PopePlayed.HEAD,
        "What does the player of Pope get?",
        {
            PopePlayed.HEAD: ("Whoever plays Pope earns its stake and no more.", "Hoyle, Hoffmann"),
            PopePlayed.CARDS: (
                "Whoever plays Pope earns its stake, and each other player pays him one counter "
                "for each card then in hand.",
                "Peel",
            ),
        },
    )
    pope_exempt: bool = _clause(
        "8.3",
        True,
        "Is an unplayed Pope an excuse from paying?",
        {
            True: ("A player still holding Pope pays nothing for his cards.", "Hoyle, Hoffmann"),
            False: ("A player still holding Pope pays like the rest.", "a family's score-sheet"),
        },
    )
    card_money: CardMoney = _clause(
        "8.4",
        CardMoney.WINNER,
        "Where does the card money go?",
        {
            CardMoney.WINNER: (
                "The first player out gets one counter for each card left in another's hand.",
                "Hoyle, Hoffmann",
            ),
            CardMoney.BOARD: (
                "One counter for each card left in hand goes to the board, each to the "
                "compartment that holds least.",
                "Peel's variation",
            ),
        },
    )
    equal_deals: bool = _clause(
        "9.4",
        False,
        "May a match end before all have dealt equally often?",
        {
            False: ("A match may end after any deal.", "Hoyle"),
            True: ("A match ends only when every player has dealt equally often.", "Peel"),
        },
    )
    ending: Ending = _clause(
        "9.5",
        Ending.FINAL_DEAL,
        "What becomes of stakes left when the match ends?",
        {
            Ending.FINAL_DEAL: (
                "Stakes left at the end go by a final deal, face up, without a stock, diamonds "
                "being trumps.",
                "Hoffmann",
            ),
            Ending.STAYS: ("Stakes left at the end stay for another day.", "Hoyle is silent"),
        },
    )

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
            raise BadRules([("rules", f"{source!r} is neither a preset's name nor a set of fields")])
        wanted = dict(source)
        rules = _preset(wanted.pop("preset", "HOYLE"))
        changes, faults = {}, []
        for name, value in wanted.items():
            try:
                changes[name] = _read_value(name, value)
            except ValueError as error:
                faults.append((str(name), str(error)))
        if faults:
            raise BadRules(faults)
        return replace(rules, **changes)

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
            return sum(getattr(self, each.name) != getattr(preset, each.name) for each in fields(self))

        presets = self.presets()
        return min(presets.items(), key=lambda item: distance(item[1]))

    @staticmethod
    def presets() -> dict[str, Rules]:
        """The presets by name, the source text first."""
        return dict(_PRESETS)

    def as_dict(self) -> dict[str, Any]:
        """All fields as JSON values; ``read`` takes them back."""
        return {each.name: _json_value(getattr(self, each.name)) for each in fields(self)}

    def clauses(self) -> tuple[Clause, ...]:
        """Every field in words, in the order of RULES.md."""
        return tuple(_clauses(self))

    @cached_property
    def order(self) -> Order:
        """The order in which runs go up."""
        return Order.of(ace_high=self.ace is Ace.HIGH)

    @cached_property
    def compartments(self) -> tuple[Compartment, ...]:
        """The compartments that the board has: those that something dresses."""
        return tuple(compartment for compartment, stake in self.stakes.items() if stake)

    def hand_sizes(self, players: int, dealer: int) -> tuple[tuple[int, ...], ...]:
        """The sizes in which hands may lie, by seat; the first is how the program deals.

        Raises BadRules when these rules cannot be dealt to so many players.
        """
        return _hand_sizes(self, players, dealer)

    def dressing_of(self, players: int, dealer: Seat, board: Board) -> tuple[Transfer, ...]:
        """What each seat lays where before a deal, on a board that holds ``board`` (clause 2.2)."""
        if self.dressing is Dressing.SINGLE:
            bare = [place for place in self.compartments if not board[place]]
            return tuple(
                Transfer(dealer, place, 1, Reason.DRESSING) for place in bare or [Compartment.GAME]
            )
        return _dressing(self, players, dealer)

    def earning(self, trump: Suit) -> Mapping[int, Earning]:
        """Which cards earn what when this suit is trumps (clauses 7.1 and 7.2)."""
        return _earning(self, trump)

    def fault_with(self, players: int) -> str | None:
        """Why these rules cannot be played by so many, or None."""
        try:
            self.hand_sizes(players, 0)
        except BadRules as error:
            return str(error)
        return None


def _faults(rules: Rules) -> Iterator[tuple[str, str]]:
    """Every contradiction in the rules: the field, and what is wrong in words."""
    wrong_kind = False
    for each in fields(rules):
        value = getattr(rules, each.name)
        if not _fits(each.name, value):
            wrong_kind = True
            yield each.name, f"{value!r} is not a value of this field: it takes {_takes(each.name)}"
    if wrong_kind:
        return
    for compartment, stake in rules.stakes.items():
        if not 0 <= stake <= _MOST_COUNTERS:
            yield "stakes", f"{compartment} is dressed with 0 to {_MOST_COUNTERS}, not {stake}"
    for compartment in (Compartment.POPE, Compartment.GAME):
        if rules.stakes[compartment] == 0:
            yield "stakes", f"a board without {compartment} is no board for Pope: dress it with 1 up"
    if not 0 <= rules.purse <= _MOST_COUNTERS * _MOST_COUNTERS:
        yield "purse", f"a purse starts with 0 to {_MOST_COUNTERS**2} counters, not {rules.purse}"
    if rules.hand_size is not None:
        if not 1 <= rules.hand_size <= 25:
            yield "hand_size", f"a hand has 1 to 25 cards, not {rules.hand_size}"
        if rules.stock is Stock.DEALT_ROUND:
            yield "hand_size", "cards dealt round to the end (stock=dealt-round) fix no hand's size"
    if rules.stock is Stock.DEALT_ROUND and rules.turn_up is TurnUp.IN_STOCK:
        yield "turn_up", "with stock=dealt-round the last card of the pack is turned up: turn_up=apart"
    if rules.lead is Lead.BOOK and rules.ace is Ace.HIGH:
        yield "lead", "the book's order leads aces because nothing leads to them: it wants ace=low"
    if rules.pope_cap is not None:
        if rules.pope_turned not in (PopeTurned.ENDS, PopeTurned.CARDS):
            yield "pope_cap", f"with pope_turned={rules.pope_turned} nobody pays, so nothing is capped"
        if not 1 <= rules.pope_cap <= 25:
            yield "pope_cap", f"a cap is 1 to 25 counters, or none, not {rules.pope_cap}"
    if rules.dressing is Dressing.SINGLE and rules.card_money is not CardMoney.BOARD:
        yield "dressing", "one counter dresses a board that card money fills: card_money=board"


_KINDS: Final[dict[str, type[StrEnum]]] = {
    "ace": Ace,
    "dressing": Dressing,
    "stock": Stock,
    "turn_up": TurnUp,
    "peek": Peek,
    "pope_turned": PopeTurned,
    "lead": Lead,
    "pairs": Pairs,
    "claims": Claims,
    "pope_played": PopePlayed,
    "card_money": CardMoney,
    "ending": Ending,
}
_NUMBERS: Final = {"purse": False, "hand_size": True, "pope_cap": True}  # name: may be None


def _takes(name: str) -> str:
    if name in _KINDS:
        return " or ".join(_KINDS[name])
    if name in _NUMBERS:
        return "a whole number" + (" or none" if _NUMBERS[name] else "")
    if name == "stakes":
        return "counters by compartment, such as {\"pope\": 6, \"game\": 1}"
    return "true or false"


def _fits(name: str, value: object) -> bool:
    """Whether the value is of the field's kind."""
    if name in _KINDS:
        return isinstance(value, _KINDS[name])
    if name in _NUMBERS:
        return (value is None and _NUMBERS[name]) or type(value) is int
    return isinstance(value, Board if name == "stakes" else bool)


def _read_value(name: str, value: object) -> object:
    """A field's value from JSON; ValueError, with what would be accepted, for another kind."""
    if name not in Rules.__dataclass_fields__:
        raise ValueError(f"is no field of the rules: they are {', '.join(Rules.__dataclass_fields__)}")
    if name in _KINDS and isinstance(value, str) and value in set(_KINDS[name]):
        return _KINDS[name](value)
    if name == "stakes" and isinstance(value, Mapping):
        return Board.of(value)
    if not _fits(name, value):
        raise ValueError(f"{value!r} is not a value of this field: it takes {_takes(name)}")
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
        if all(count.isdecimal() for _, _, count in pairs):
            return {key: int(count) for key, _, count in pairs}
    elif name in _NUMBERS:
        if text == "none":
            return None
        if text.isdecimal() and len(text) < 10:
            return int(text)
    elif name in Rules.__dataclass_fields__ and name not in _KINDS:
        return {"true": True, "false": False}.get(text, text)
    return text


def _preset(name: object) -> Rules:
    if not isinstance(name, str) or name.upper() not in _PRESETS:
        raise BadRules([("preset", f"{name!r} is no preset: they are {', '.join(_PRESETS)}")])
    return _PRESETS[name.upper()]


def _clauses(rules: Rules) -> Iterator[Clause]:
    for each in fields(rules):
        value = getattr(rules, each.name)
        words: _Words = each.metadata["words"]
        key = value if value in words else "set" if "set" in words else None
        sentence, source = words[key]
        shown = value
        if isinstance(value, Board):
            shown = ", ".join(f"{name} {counters}" for name, counters in value.items() if counters)
        yield Clause(
            each.metadata["clause"], each.name, value, sentence.format(value=shown), source
        )


@lru_cache(maxsize=1024)
def _hand_sizes(rules: Rules, players: int, dealer: int) -> tuple[tuple[int, ...], ...]:
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        says = f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {players}"
        raise BadRules([("players", says)])
    seats = [seat for seat in range(players) if seat != dealer or rules.peek is not Peek.SITS_OUT]
    hands = len(seats)
    if hands < FEWEST_PLAYERS:
        raise BadRules([("peek", "a dealer who sits out leaves too few: 3 or more must play")])

    def equal(size: int) -> tuple[int, ...]:
        return tuple(size if seat in seats else 0 for seat in range(players))

    if rules.hand_size is not None:
        if hands * rules.hand_size > 50:
            says = f"{hands} hands of {rules.hand_size} are more than the 50 cards beside the turn-up"
            raise BadRules([("hand_size", says)])
        return (equal(rules.hand_size),)
    if rules.stock is Stock.SIX_TO_EIGHT:
        inside = 1 if rules.turn_up is TurnUp.IN_STOCK else 0

        def misfit(size: int) -> tuple[int, int]:
            stock = 50 - hands * size + inside
            return max(6 - stock, stock - 8, 0), size

        return (equal(min(range(1, 50 // hands + 1), key=misfit)),)
    # A spare hand may count the turn-up as one of its cards or not; both are found in print.
    apart, in_stock = equal(50 // (hands + 1)), equal(51 // (hands + 1))
    if rules.stock is Stock.SPARE_HAND:
        ways = (in_stock, apart) if rules.turn_up is TurnUp.IN_STOCK else (apart, in_stock)
        return tuple(dict.fromkeys(ways))
    # Fifty cards go round, the extra hand last; the fifty-first is turned up.
    base, over = divmod(50, hands + 1)
    eldest_first = [seat for step in range(1, players + 1) if (seat := (dealer + step) % players) in seats]
    longer = set(eldest_first[:over])
    round_ = tuple(size + (seat in longer) for seat, size in enumerate(equal(base)))
    return tuple(dict.fromkeys((round_, apart)))


@lru_cache(maxsize=1024)
def _dressing(rules: Rules, players: int, dealer: Seat) -> tuple[Transfer, ...]:
    seats = [Seat((dealer + step) % players) for step in range(1, players + 1)]
    stakes = {place: rules.stakes[place] for place in rules.compartments}
    whole = sum(stakes.values())
    if rules.dressing is Dressing.EACH:
        return tuple(
            Transfer(seat, place, 2, Reason.DRESSING) for seat in seats for place in stakes
        )
    gifts = dict.fromkeys(seats, 0)
    if rules.dressing is Dressing.POOL:
        gifts = dict.fromkeys(seats, 2)
        gifts[dealer] += max(0, whole - 2 * players)
    elif rules.dressing is Dressing.RAISE:
        share = -(-whole // (players + 1))
        gifts = dict.fromkeys(seats, share)
        gifts[dealer] = 2 * share
    else:
        gifts[dealer] = whole
    stakes[Compartment.GAME] += sum(gifts.values()) - whole
    made = []
    for place, stake in stakes.items():
        for seat in seats:
            given = min(stake, gifts[seat])
            if given:
                made.append(Transfer(seat, place, given, Reason.DRESSING))
                gifts[seat] -= given
                stake -= given
    return tuple(made)


_HONOURS: Final = {
    Rank.ACE: Compartment.ACE,
    Rank.KING: Compartment.KING,
    Rank.QUEEN: Compartment.QUEEN,
    Rank.KNAVE: Compartment.KNAVE,
}
_PAIRS: Final = {
    Compartment.MATRIMONY: (Rank.KING, Rank.QUEEN),
    Compartment.INTRIGUE: (Rank.QUEEN, Rank.KNAVE),
}


@lru_cache(maxsize=1024)
def _earning(rules: Rules, trump: Suit) -> Mapping[int, Earning]:
    has = set(rules.compartments)
    earning: dict[int, Earning] = {int(POPE): Earning(Compartment.POPE, ())}
    for rank, head in _HONOURS.items():
        pairs = tuple(
            (pair, int(Card.of(trump, other)))
            for pair, ranks in _PAIRS.items()
            if pair in has and rank in ranks
            for other in ranks
            if other is not rank
        )
        if head in has or pairs:
            earning[int(Card.of(trump, rank))] = Earning(head if head in has else None, pairs)
    return earning


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

_PRESETS: Final[dict[str, Rules]] = {
    "HOYLE": Rules.HOYLE,
    "CASSELL": Rules.CASSELL,
    "PEEL": Rules.PEEL,
    "HOFFMANN": Rules.HOFFMANN,
    "PARLETT": Rules.PARLETT,
}
