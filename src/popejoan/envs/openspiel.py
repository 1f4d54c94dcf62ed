"""Pope Joan for OpenSpiel; importing this module registers it.

>>> import pyspiel
>>> import popejoan.envs.openspiel
>>> game = pyspiel.load_game("python_popejoan(players=4,rules=HOYLE)")
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> len(state.returns())
4

A game is one round. Its parameters are those of ``Setting`` that bear on a round, and ``chance``
and ``seed``. OpenSpiel's text of a game knows neither ``=`` nor ``,`` within a value, so rules that
differ from a preset are written with ``~`` and ``+``: ``rules=CASSELL hand_size~3``; ``spelled``
writes any rules so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, final

from popejoan.board import Board
from popejoan.cards import PACK, Card, CardSet, IllegalPlay, Seat
from popejoan.deal import Deal, hand_sizes
from popejoan.envs import VERSION, missing
from popejoan.envs.course import Course
from popejoan.envs.encoding import CARDS, action_text
from popejoan.envs.episode import Episode
from popejoan.envs.setting import Setting
from popejoan.match import Match
from popejoan.payments import dressing
from popejoan.round import Round
from popejoan.rules import Rules

try:
    import pyspiel

    from popejoan.envs.openspiel_observer import TableObserver
except ImportError as error:
    raise missing("popejoan.envs.openspiel", error) from error

__all__ = ["NAME", "PopeJoanGame", "PopeJoanState", "spelled"]

NAME: Final = "python_popejoan"
"""The name under which OpenSpiel loads the game."""
DIGITS: Final = 4
"""How many chance nodes draw the number of a deal."""
BASE: Final = 64
"""How many outcomes each of them has."""

_PARAMETERS: Final[dict[str, Any]] = {
    "players": 4,
    "rules": "HOYLE",
    "chance": "sampled",
    "seed": 0,
    "dealer": 0,
    "ask": "leads",
    "claims": "made",
    "illegal": "raise",
    "penalty": 100.0,
}
CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_OUTCOMES: Final = [(digit, 1 / BASE) for digit in range(BASE)]

_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name=f"Pope Joan v{VERSION}",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_PARAMETERS,
)


def spelled(rules: Rules | str) -> str:
    """Rules as OpenSpiel's text of a game takes them; raises BadRules for what are none.

    >>> spelled(Rules(hand_size=3))
    'HOYLE hand_size~3'
    """
    return _read(rules).text.replace("=", "~").replace(",", "+")


def _read(rules: Rules | str) -> Rules:
    if isinstance(rules, Rules):
        return rules
    return Rules.parse(rules.replace("~", "=").replace("+", ","))


@final
class PopeJoanGame(pyspiel.Game):  # type: ignore[misc]  # untyped base
    """One round of Pope Joan, dealt by seat ``dealer``; a player's number is a seat."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises BadRules or ValueError, saying what would be accepted, for other parameters."""
        given = {**_PARAMETERS, **(params or {})}
        rules = _read(given["rules"])
        chance, seed = given["chance"], given["seed"]
        if chance not in ("sampled", "explicit"):
            raise ValueError(f"chance={chance!r} is neither sampled nor explicit")
        if seed < 0:
            raise ValueError(f"seed={seed!r} is no whole number from 0 up")
        own = ("players", "dealer", "ask", "claims", "illegal", "penalty")
        self.setting = Setting(rules=rules, **{name: given[name] for name in own})
        self.explicit = chance == "explicit"
        self.seed = seed
        self.dealer = Seat(given["dealer"])
        players = self.setting.players
        self.sizes = hand_sizes(rules, players, self.dealer)[0]
        self.draws = 1 + sum(self.sizes) if self.explicit else DIGITS
        match = Match.start(rules, players=players, seed=seed, first_dealer=self.dealer)
        if self.setting.encoding.called:
            match = replace(match, claiming=(False,) * players)
        self._match = match
        worst, best = _bounds(rules, players, self.dealer)
        if self.setting.illegal == "end":
            worst -= self.setting.penalty
        encoding = self.setting.encoding
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=encoding.actions,
                max_chance_outcomes=52 if self.explicit else BASE,
                num_players=players,
                min_utility=worst,
                max_utility=best,
                utility_sum=None,
                # A claim for each compartment, and a seat may let the rest lapse.
                max_game_length=sum(self.sizes) + (8 + players if encoding.called else 0),
            ),
            {**(params or {}), "rules": spelled(rules)} if params else {},
        )

    def new_initial_state(self) -> PopeJoanState:
        """The state before the deal."""
        return PopeJoanState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How many chance nodes come before the first lead."""
        return self.draws

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> TableObserver:
        """An observer; without a type, of what a player sees now."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return TableObserver(self.setting.encoding, kind, params)

    def dealt(self, deal: Deal) -> Episode:
        """The episode that a deal begins."""
        round_ = Round.start(
            self.setting.book, deal, dealer=self.dealer, claiming=self._match.claiming
        )
        return Episode.of_round(self.setting, self._match, round_)

    def numbered(self, number: int) -> Episode:
        """The episode that begins with the deal of this number."""
        setting = self.setting
        return self.dealt(
            Deal.shuffle(
                self.seed,
                players=setting.players,
                rules=setting.book,
                dealer=self.dealer,
                match=number,
            )
        )


def _bounds(rules: Rules, players: int, dealer: Seat) -> tuple[float, float]:
    """No seat can lose more, and none can win more, in one round from a bare board."""
    laid = dressing(rules, players, dealer, Board())
    board = sum(item.counters for item in laid)
    hand = max(hand_sizes(rules, players, dealer)[0])
    # A seat may pay for its cards when Pope is turned up, when it is played, and at the end.
    return -float(board + 3 * hand * (players - 1)), float(board + 3 * hand * (players - 1))


@final
class PopeJoanState(pyspiel.State):  # type: ignore[misc]  # untyped base
    """Where a round stands: before and during the deal a chance node, then at a choice."""

    def __init__(self, game: PopeJoanGame) -> None:
        """Made by ``PopeJoanGame.new_initial_state`` alone."""
        super().__init__(game)
        self.explicit = game.explicit
        """Whether chance nodes deal card by card."""
        self.course: Course | None = None
        """The round, played on in place; None before the cards are dealt."""
        self.asked = CHANCE
        """The seat that is asked, chance, or TERMINAL."""
        self.drawn: tuple[int, ...] = ()
        """The outcomes of the chance nodes so far."""
        self.given: Deal | None = None
        """What is dealt whatever the chance nodes draw, in a world that was made up."""
        self.fined: int | None = None
        """The seat whose illegal action ended the round."""

    @property
    def episode(self) -> Episode | None:
        """The round at its present choice; None before the cards are dealt."""
        return None if self.course is None else self.course.episode

    def current_player(self) -> int:
        """The seat that is asked, chance, or TERMINAL."""
        return self.asked

    def is_terminal(self) -> bool:
        """Whether the round is over and paid."""
        return self.asked == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether the cards are being dealt."""
        return self.asked == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What may be done now, the lowest first; nothing for a player who is not asked."""
        if player is not None or self.asked < 0:
            found: list[int] = super().legal_actions(*() if player is None else (player,))
            return found
        assert self.course is not None
        return numbers_of(self.course.bits)  # as OpenSpiel's own method, by a shorter way

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - asked of who is to act
        assert self.course is not None
        return [] if self.asked == TERMINAL else numbers_of(self.course.bits)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with its probability: all are equally likely."""
        if not self.explicit:
            return _OUTCOMES
        left = numbers_of(PACK.mask & ~sum(map((1).__lshift__, self.drawn)))
        chance = 1 / len(left)
        return [(card, chance) for card in left]

    def _apply_action(self, action: int) -> None:
        course = self.course
        if course is None:
            self._draw(action)
            return
        if self.asked == TERMINAL:
            now = course.episode
            raise IllegalPlay(now.refusal(action) or "the round is over", repr(now.round))
        try:
            course.play(action)
        except IllegalPlay:
            if course.episode.setting.illegal == "raise":
                raise
            self.fined = course.seat
            self.asked = TERMINAL
            return
        seat = course.seat
        self.asked = TERMINAL if seat is None else seat

    def _draw(self, outcome: int) -> None:
        if self.explicit:
            fits = outcome in PACK and outcome not in self.drawn
        else:
            fits = 0 <= outcome < BASE
        if not fits:
            raise IllegalPlay(f"{outcome!r} is no outcome of this chance node")
        drawn = (*self.drawn, outcome)
        if not self.explicit and len(drawn) < DIGITS:
            self.drawn = drawn  # without the game, which takes OpenSpiel a while to give
            return
        game = self.get_game()
        if len(drawn) == game.draws:
            if self.given is not None:
                episode = game.dealt(self.given)
            elif game.explicit:
                episode = game.dealt(_deal_of(drawn, game.sizes))
            else:
                number = 0
                for digit in reversed(drawn):
                    number = number * BASE + digit
                episode = game.numbered(number)
            self.course = course = Course(episode)
            self.asked = TERMINAL if course.seat is None else course.seat
        self.drawn = drawn

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return action_text(action)
        if not self.explicit:
            return f"digit {action}"
        return f"deal {Card(action)!r}"

    def returns(self) -> list[float]:
        """The counters that each seat has won or lost since before the dressing."""
        now = self.episode
        if now is None:
            return [0.0] * self.num_players()
        won = [float(each) for each in now.balances]
        if self.fined is not None:
            won[self.fined] -= now.setting.penalty
        return won

    def rewards(self) -> list[float]:
        """What each seat has won or lost since the choice before."""
        won = self.returns()
        if self.course is None:
            return won
        before = self.course.before if self.fined is None else self.course.episode.balances
        if before is None:
            return won
        return [now - then for now, then in zip(won, before)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> PopeJoanState:
        """A state that the player cannot tell from this one, each equally likely.

        ``sampler`` gives numbers from 0 up to 1. Leads that the rules forced, and stops, count;
        what a player may have had in mind does not.
        """
        game = self.get_game()
        state: PopeJoanState = game.new_initial_state()
        now = self.episode
        if now is None:
            return state
        world = now.view(player).sample(int(sampler() * 2**53))
        state.given = world.deal
        history = _history_of(world.deal) if game.explicit else (0,) * DIGITS
        for outcome in history:
            state.apply_action(outcome)
        for item in self.full_history()[len(history) :]:
            state.apply_action(item.action)
        return state

    def __str__(self) -> str:
        """The table as it truly is."""
        now = self.episode
        if now is None:
            return f"dealing {' '.join(map(str, self.drawn))}".strip()
        fined = "" if self.fined is None else f"\nSeat {self.fined} made an illegal play"
        return f"{now.round}{fined}"


def _places(first: int) -> tuple[tuple[int, ...], ...]:
    """For each thirteen bits the places of those that are set, counted from ``first``."""
    found: list[tuple[int, ...]] = [()]
    for place in range(first, first + 13):
        found += [(*lower, place) for lower in found]
    return tuple(found)


_CLUBS, _DIAMONDS, _HEARTS, _SPADES, _CLAIMS = map(_places, range(0, 65, 13))


def numbers_of(bits: int) -> list[int]:
    """The places of the bits that are set, the lowest first."""
    found = [
        *_CLUBS[bits & 0x1FFF],
        *_DIAMONDS[bits >> 13 & 0x1FFF],
        *_HEARTS[bits >> 26 & 0x1FFF],
        *_SPADES[bits >> 39 & 0x1FFF],
    ]
    if bits >> CARDS:
        found += _CLAIMS[bits >> CARDS]
    return found


def _deal_of(drawn: tuple[int, ...], sizes: tuple[int, ...]) -> Deal:
    """The deal in which these cards were drawn: the turn-up, then the hands from seat 0."""
    at, hands = 1, []
    for size in sizes:
        hands.append(CardSet.of(drawn[at : at + size]))
        at += size
    return Deal(tuple(hands), Card(drawn[0]), PACK - CardSet.of(drawn))


def _history_of(deal: Deal) -> tuple[int, ...]:
    """Cards drawn in an order that gives this deal."""
    return (int(deal.turn_up), *(int(card) for hand in deal.hands for card in hand))


pyspiel.register_game(_TYPE, PopeJoanGame)
