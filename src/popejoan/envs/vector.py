"""Many rounds at once for Gymnasium, stepped in the compiled kernel.

>>> import gymnasium
>>> import popejoan.envs.gymnasium
>>> envs = gymnasium.make_vec("popejoan/Seat-v0", num_envs=64, rules="CASSELL")
>>> observations, infos = envs.reset(seed=7)
>>> actions = envs.action_space.sample()
>>> observations, rewards, terminated, truncated, infos = envs.step(actions)

Environment ``i`` of seed ``s`` plays the episodes of seed ``s + i``: episode ``k`` depends on
``(s, i, k)`` alone, whatever was played before and however many environments there are.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from popejoan.bots.weights import counter_weights, sharp_weights
from popejoan.cards import IllegalPlay
from popejoan.envs import missing
from popejoan.envs.encoding import CARDS, Encoding
from popejoan.envs.seeds import Seeding
from popejoan.envs.setting import Setting

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from popejoan.envs.gymnasium import names_of
    from popejoan.envs.spaces import observations
    from popejoan.fast import stepping
    from popejoan.fast.layout import BOOK, RANDOM
    from popejoan.fast.showing import BEYOND
    from popejoan.fast.tables import lane_of_card, tables
    from popejoan.fast.weighing import packed
except ImportError as error:
    raise missing("popejoan.envs.vector", error) from error

__all__ = ["OPPONENTS", "PopeVectorEnv"]

OPPONENTS: Final = ("newcomer", "book", "counter", "sharp")
"""The bots that the kernel plays."""


_MODES: Final = {
    AutoresetMode.NEXT_STEP: stepping.NEXT_STEP,
    AutoresetMode.SAME_STEP: stepping.SAME_STEP,
    AutoresetMode.DISABLED: stepping.DISABLED,
}


class _Outs(NamedTuple):
    """What a step writes into, in the order of the kernel; a row, or some numbers, a table."""

    seen: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    counters: NDArray[np.int64]
    ended: NDArray[np.bool_]
    deals: NDArray[np.int64]
    asked: NDArray[np.int64]
    finals: NDArray[Any]
    shown: NDArray[np.bool_]
    cut: NDArray[np.bool_]

    @classmethod
    def of(cls, many: int, encoding: Encoding) -> _Outs:
        """Arrays for so many tables."""
        return cls(
            np.empty(many * encoding.size + BEYOND, encoding.dtype),
            np.empty(many * CARDS + BEYOND, np.int8),
            np.empty(many, np.float64),
            np.empty((many, encoding.players), np.int64),
            np.empty(many, np.bool_),
            np.empty(many, np.int64),
            np.empty(many, np.int64),
            np.zeros(many * encoding.size + BEYOND, encoding.dtype),
            np.zeros(many, np.bool_),
            np.zeros(many, np.bool_),
        )


@final
class PopeVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many tables, at each of which one seat is asked, or every seat in turn.

    With a ``seat`` it is many of ``gymnasium.SeatEnv``. With ``seat=None`` every seat is asked:
    ``infos["seat"]`` says which, the observation is that seat's, ``rewards`` are what the seat that
    acted won by its lead, and ``infos["counters"]`` what every seat did; shape (num_envs, players).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium looks for it on the class
        "autoreset_mode": AutoresetMode.SAME_STEP
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        seat: int | None = 0,
        opponents: str | Sequence[str] = "newcomer",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set the tables; ``options`` are those of ``Setting`` that the kernel plays.

        Those are all but ``deals``, ``ask="cards"`` and ``claims="asked"``. Without ``copy`` a step
        writes into the arrays that the last one gave. Raises ValueError for what the kernel does
        not play, and what ``SeatEnv`` raises.
        """
        self.setting, unknown = Setting.taken(options)
        if unknown:
            raise TypeError(f"{', '.join(unknown)}: no such option of this environment")
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r} is no number of environments from 1 up")
        if render_mode is not None:
            raise ValueError("many tables are not rendered: use round(i), which gives a Round")
        for name, plain in (("deals", None), ("ask", "leads"), ("claims", "made")):
            if getattr(self.setting, name) != plain:
                raise ValueError(
                    f"the compiled kernel plays {name}={plain!r} alone: for "
                    f"{name}={getattr(self.setting, name)!r} make a SeatEnv"
                )
        players = self.setting.players
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat!r}: they are 0 to {players - 1}, or None")
        self.num_envs = num_envs
        self.seat = seat
        self.opponents = () if seat is None else names_of(opponents, players)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._policies = np.full(players, stepping.ASKED, np.int64)
        for step, name in enumerate(self.opponents, 1):
            if name not in OPPONENTS:
                raise ValueError(f"the kernel plays {', '.join(OPPONENTS)}, not {name!r}")
            policy = {"newcomer": RANDOM, "book": BOOK, "counter": 0, "sharp": 1}[name]
            self._policies[((seat or 0) + step) % players] = policy
        lead = self.setting.book.lead
        self._nets = packed([counter_weights(lead), sharp_weights(lead)])
        high = self.setting.book.order.ace_high
        lanes = [1 << lane_of_card(card, ace_high=high) if card != 20 else 0 for card in range(52)]
        self._lanes = np.array(lanes, np.int64)
        encoding = self.encoding
        self.single_observation_space = observations(encoding)
        self.single_action_space = spaces.Discrete(encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = _ManyLegalActions(self)
        self._state = np.zeros((num_envs, stepping.ROW), np.int64)
        self._state[:, stepping.WAITS] = 1
        self._state[:, stepping.EPISODE] = -1
        self._seeding: Seeding | None = None
        self._copies = copy
        self._outs: _Outs | None = None
        first = -1 if self.setting.dealer is None else self.setting.dealer
        self._table = (
            *tables(self.setting.book, players), self._nets, self._policies, 1, first,
            *stepping.scratch(),
        )  # fmt: skip
        """What the kernel must know of rules, policies and dealer, and what it works in; an episode
        is one deal."""
        self._pays = (
            self.setting.rewards == "event", float(self.setting.penalty),
            -1 if seat is None else seat, self.setting.book.purse,
        )  # fmt: skip
        """What it must know of a step besides: how it pays and shows."""

    @property
    def encoding(self) -> Encoding:
        """How observations and actions are numbered."""
        return self.setting.encoding

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin anew in every environment, or in those that ``options["reset_mask"]`` marks.

        With a seed ``s`` environment ``i`` begins the first episode of seed ``s + i``; a list gives
        each its own. Without one each goes on to its next episode. Raises ValueError for seeds
        below 0, and for lists and masks that have not one entry an environment.
        """
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"], np.bool_)
            if which.shape != (self.num_envs,):
                raise ValueError(
                    f"reset_mask has shape {which.shape}, not one entry for each of "
                    f"{self.num_envs} environments"
                )
        first = seed if seed is None or isinstance(seed, int | np.integer) else None
        if seed is not None and first is None:
            seeds = list(seed)  # type: ignore[arg-type]  # no whole number is left
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds were given for {self.num_envs} environments")
            many = [Seeding.next(None, each).seed for each in seeds]
        elif first is not None or self._seeding is None:
            self._seeding = Seeding.next(self._seeding, first)
            many = [self._seeding.seed + i for i in range(self.num_envs)]
        else:
            many = []
        if seed is None or first is not None:
            super().reset(seed=None if first is None else int(first))
        if many:
            signed = [(each % 2**64 + 2**63) % 2**64 - 2**63 for each in many]
            self._state[which, stepping.SEED] = np.array(signed, np.int64)[which]
            self._state[which, stepping.EPISODE] = -1
            self._seeding = self._seeding or Seeding(many[0], 0)
        elif not which.all() and (self._state[~which, stepping.EPISODE] < 0).any():
            raise ValueError("environments that were never reset cannot be left out of a reset")
        stepping.restart(*[*self._table, self._state, which])
        outs = self._made()
        _, _, own, purse = self._pays
        stepping.observe(
            self._table[0], self._state, own, purse, outs.seen, outs.masks, outs.deals, outs.asked
        )
        return self._shaped(outs.seen), self._infos(outs)

    def _made(self) -> _Outs:
        """What a step writes into; as the last one did, unless copies are wanted."""
        if self._outs is None or self._copies:
            self._outs = _Outs.of(self.num_envs, self.encoding)
        return self._outs

    def _shaped(self, seen: NDArray[Any]) -> NDArray[Any]:
        return seen[:-BEYOND].reshape(self.num_envs, self.encoding.size)

    def _infos(self, outs: _Outs) -> dict[str, Any]:
        masks = outs.masks[: self.num_envs * 52].reshape(self.num_envs, 52)
        found: dict[str, Any] = {"action_mask": masks, "deals": outs.deals}
        if self.seat is None:
            found["seat"] = outs.asked
        return found

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in each environment; others play on until a seat is asked again.

        Raises IllegalPlay, naming the environment, and changes nothing, for an action that may not
        be taken, unless the setting has it end the episode; ValueError for actions of another
        shape; RuntimeError where an environment waits for a reset that it does not make itself.
        """
        if self._seeding is None:
            raise RuntimeError("the environments have not been reset yet: call reset() first")
        taken = np.asarray(actions)
        if taken.shape != (self.num_envs,) or not np.issubdtype(taken.dtype, np.integer):
            raise ValueError(
                f"actions are {self.num_envs} whole numbers, not {taken.dtype} of shape "
                f"{taken.shape}"
            )
        taken = np.ascontiguousarray(taken, np.int64)
        mode, lenient = _MODES[self.autoreset_mode], self.setting.illegal == "end"
        at = stepping.find_refused(self._state, taken, self._lanes, mode, lenient)
        if at >= 0:
            if self._state[at, stepping.WAITS]:
                raise RuntimeError(f"environment {at} waits for a reset: call reset() first")
            raise IllegalPlay(self._refusal(at, int(taken[at])))
        outs = self._made()
        over = stepping.step(*[
            *self._table, mode, *self._pays, self._state, taken, self._lanes, *outs[:-1],
        ])  # fmt: skip
        infos = self._infos(outs)
        if self.seat is None:
            infos["counters"] = outs.counters
        if over and mode == stepping.SAME_STEP:
            infos["final_obs"] = self._shaped(outs.finals)
            infos["_final_obs"] = outs.shown
        return self._shaped(outs.seen), outs.rewards, outs.ended, outs.cut, infos

    def _refusal(self, at: int, action: int) -> str:
        legal = [card for card in range(52) if self._lanes[card] & self._state[at, stepping.LEGAL]]
        names = ", ".join(map(str, legal))
        return f"action {action} cannot be taken in environment {at}: legal there are {names}"

    def legal_actions(self, words: NDArray[np.uint32] | None = None) -> NDArray[np.int64]:
        """An action for each environment, each legal one equally likely.

        ``words`` are 32 random bits for each; unless given they come from the space's generator.
        """
        if words is None:
            # Whole blocks of PCG64, which Gymnasium makes, two words each: ``integers`` takes ten
            # times as long.
            blocks = self.action_space.np_random.bit_generator.random_raw(self.num_envs + 1 >> 1)
            words = blocks.view(np.uint32)
        found = np.empty(self.num_envs, np.int64)
        stepping.draw_actions(self._table[0], self._state, words, found)
        return found

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to release."""

    def clone(self) -> PopeVectorEnv:
        """Environments that go on from here by themselves, exactly as these would."""
        return copy.deepcopy(self)


class _ManyLegalActions(spaces.MultiDiscrete):
    """The numbers of all actions, one for each environment; a sample is legal now."""

    def __init__(self, envs: PopeVectorEnv) -> None:
        super().__init__(np.full(envs.num_envs, envs.encoding.actions))
        self._envs = envs

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[Any]:
        """Actions drawn from masks, from probabilities, or from those legal now."""
        if mask is None and probability is None:
            return self._envs.legal_actions()
        return super().sample(mask=mask, probability=probability)
