"""What may be chosen about an environment: the rules, the table, what is asked and what is paid.

Every door takes these as keyword arguments, with these defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, final

from popejoan.envs.encoding import Dtype, Encoding
from popejoan.match import Match
from popejoan.rules import Rules

__all__ = ["Setting"]


@final
@dataclass(frozen=True, kw_only=True)
class Setting:
    """What an environment plays.

    Raises BadRules or ValueError, saying what would be accepted, for what cannot be played.
    """

    rules: Rules | str = "HOYLE"
    """The rules: a ``Rules``, a preset's name, or a preset and the fields that differ, as
    ``"CASSELL peek=nobody"``."""
    players: int = 4
    """How many seats, 2 to 10."""
    deals: int | None = None
    """None: an episode is one round. A number: a match of so many deals, stakes carried over, with
    the last division where the rules have one. An episode goes on with the next deal as long as
    nothing was asked in it: a turned-up Pope may end a deal before any card is led."""
    rewards: Literal["event", "round"] = "event"
    """``event``: counters won or lost, as they move. ``round``: the same, when the round ends."""
    ask: Literal["leads", "cards"] = "leads"
    """``leads``: a seat is asked what to lead, and cards that must follow are played for it.
    ``cards``: it is asked for every card, though only one is legal when it must follow."""
    claims: Literal["made", "asked"] = "made"
    """``made``: stakes earned are claimed for the seat. ``asked``: where the rules call for claims,
    it has actions that claim; what is not claimed lapses."""
    illegal: Literal["raise", "end"] = "raise"
    """``raise``: an illegal action raises IllegalPlay and changes nothing. ``end``: it ends the
    episode, and the seat's reward is minus ``penalty``."""
    penalty: float = 100.0
    """What an illegal action costs where it ends the episode, counters."""
    dealer: int | None = None
    """Who deals first; None for seat ``k % players`` in episode ``k``."""
    dtype: Dtype = "float32"
    """The kind of numbers in observations: ``float32``, or ``int8`` with counters held to -128 to
    127."""
    encoding: Encoding = field(init=False, repr=False, compare=False)
    """How a view is laid out as numbers."""

    def __post_init__(self) -> None:
        """Read the rules and check the whole."""
        rules = Rules.parse(self.rules) if isinstance(self.rules, str) else Rules.read(self.rules)
        for name, accepted in _CHOICES.items():
            if getattr(self, name) not in accepted:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is not among {', '.join(map(repr, accepted))}"
                )
        for name, least in (("players", 2), ("deals", 1)):
            value = getattr(self, name)
            if name == "deals" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name}={value!r} is no whole number from {least} up")
        if self.penalty < 0:
            raise ValueError(f"penalty={self.penalty!r} would be a gift: it is 0 or more")
        # A match says best what is wrong with rules, players, dealer and deals together.
        Match.start(rules, players=self.players, deals=self.deals, first_dealer=self.dealer or 0)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(
            self,
            "encoding",
            Encoding(rules, self.players, claims=self.claims == "asked", dtype=self.dtype),
        )

    @classmethod
    def taken(cls, options: dict[str, Any]) -> tuple[Setting, dict[str, Any]]:
        """The setting that keyword arguments ask for, and those that are none of its own."""
        own = {each.name for each in fields(cls) if each.init}
        rest = {name: value for name, value in options.items() if name not in own}
        return cls(**{name: options[name] for name in options if name in own}), rest

    @property
    def book(self) -> Rules:
        """The rules as such."""
        assert isinstance(self.rules, Rules)
        return self.rules


_CHOICES = {
    "rewards": ("event", "round"),
    "ask": ("leads", "cards"),
    "claims": ("made", "asked"),
    "illegal": ("raise", "end"),
    "dtype": ("float32", "int8"),
}
