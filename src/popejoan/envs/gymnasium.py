"""Pope Joan for Gymnasium: one seat is yours, bots play the others.

>>> import gymnasium
>>> import popejoan.envs.gymnasium
>>> env = gymnasium.make("popejoan/Seat-v0", rules="CASSELL", opponents="book")
>>> observation, info = env.reset(seed=7)
>>> terminated = False
>>> while not terminated:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)

``gymnasium.make_vec("popejoan/Seat-v0", num_envs=1024)`` plays many rounds at once in a compiled
kernel: see ``vector``.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from popejoan.bots import Bot, bot
from popejoan.cards import IllegalPlay
from popejoan.envs import VERSION, missing
from popejoan.envs.encoding import Encoding, mask_of
from popejoan.envs.episode import Episode
from popejoan.envs.seeds import Seeding
from popejoan.envs.setting import Setting

try:
    import gymnasium as library

    from popejoan.envs.rendering import MODES, check_mode, rendered
    from popejoan.envs.spaces import LegalActions, observations
except ImportError as error:
    raise missing("popejoan.envs.gymnasium", error) from error

__all__ = ["ID", "SeatEnv"]

ID: Final = f"popejoan/Seat-v{VERSION}"
"""The name in Gymnasium's registry."""


@final
class SeatEnv(library.Env[NDArray[Any], Any]):
    """One seat at a table of bots.

    An observation is the flat array that ``encoding`` describes; what may be done is
    ``info["action_mask"]``. The rewards of an episode sum to the seat's change of purse. An episode
    lasts until the seat has been asked: a round in which it never had the lead is paid, and the
    next deal belongs to the same episode.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium looks for it on the class
        "render_modes": list(MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        seat: int = 0,
        opponents: str | Sequence[str] = "newcomer",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Sit down; ``options`` are those of ``Setting``.

        ``opponents`` is the name of a bot, or one for each other seat from the left of yours on.
        Raises ValueError for a seat that is not at the table and for names that no bots have,
        TypeError for an option that is none, and what ``Setting`` raises.
        """
        self.setting, unknown = Setting.taken(options)
        if unknown:
            raise TypeError(f"{', '.join(unknown)}: no such option of this environment")
        players = self.setting.players
        if not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat!r}: they are 0 to {players - 1}")
        self.seat = seat
        self.opponents = names_of(opponents, players)
        for name in set(self.opponents):
            bot(name)
        self.render_mode = check_mode(render_mode)
        self.observation_space = observations(self.encoding)
        self.action_space = LegalActions(self.encoding, _Legal(self))
        self._seeding: Seeding | None = None
        self._now: Episode | None = None
        self._bots: dict[int, Bot] = {}
        self._paid = 0
        self._fined = False

    @property
    def encoding(self) -> Encoding:
        """How observations and actions are numbered."""
        return self.setting.encoding

    @property
    def episode(self) -> Episode:
        """Where the episode stands; it knows every card."""
        if self._now is None:
            raise RuntimeError(f"{ID} has not been reset yet: call reset() first")
        return self._now

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the first episode of a seed, or the next one where no seed is given.

        Nothing is read from ``options``. Raises ValueError for a seed below 0.
        """
        before = self._seeding
        seeding = Seeding.next(before, seed)
        super().reset(seed=seed, options=options)
        if before is None or before.seed != seeding.seed or not self._bots:
            self._bots = {
                (self.seat + step) % self.setting.players: bot(name, seeding.seed)
                for step, name in enumerate(self.opponents, 1)
            }
        self._seeding = seeding
        self._paid = 0
        self._fined = False
        self._now = self._wait(Episode.begin(self.setting, *seeding, own=self.seat))
        return self._observe(), self._info()

    def _wait(self, now: Episode) -> Episode:
        """The episode when the seat is asked next, or at its end; the bots play on to there."""
        while (seat := now.to_act) is not None and seat != self.seat:
            now = now.play(self._bots[seat].choose(now.view(seat)))
        return now

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action; the bots play on until the seat is asked again, or to the end.

        Raises IllegalPlay, and changes nothing, for an action that may not be taken, unless the
        setting has it end the episode; RuntimeError after the end of an episode.
        """
        now = self.episode
        if now.over or self._fined:
            raise RuntimeError(f"the episode is over: call reset() on {ID}")
        try:
            now = now.play(action)
        except IllegalPlay:
            if self.setting.illegal == "raise":
                raise
            self._fined = True
            return self._observe(), -float(self.setting.penalty), True, False, self._info()
        self._now = now = self._wait(now)
        balances = now.balances if self.setting.rewards == "event" else now.settled
        reward = balances[self.seat] - self._paid
        self._paid = balances[self.seat]
        return self._observe(), float(reward), now.over, False, self._info()

    def _observe(self) -> NDArray[Any]:
        return self.encoding.encode_at(self.episode.round, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "deals": self.episode.dealt}

    def action_masks(self) -> NDArray[np.int8]:
        """Ones for what the seat may do now, as ``info["action_mask"]``; for sb3-contrib."""
        bits = 0 if self._now is None or self._fined else self._now.bits
        return mask_of(bits, self.encoding.actions)

    def render(self) -> Any:
        """The table as it truly is, in the ``render_mode`` that was chosen."""
        return rendered(self.episode.round, self.render_mode, what="the environment")

    def close(self) -> None:
        """Nothing to release."""

    def clone(self) -> SeatEnv:
        """An environment that goes on from here by itself, exactly as this one would."""
        return copy.deepcopy(self)


class _Legal:
    """What is legal now; it goes with the environment when that is copied."""

    __slots__ = ("env",)

    def __init__(self, env: SeatEnv) -> None:
        self.env = env

    def __call__(self) -> NDArray[np.int8]:
        return self.env.action_masks()


def names_of(opponents: str | Sequence[str], players: int) -> tuple[str, ...]:
    """The bots of the other seats by name, from the left on; ValueError for a wrong number."""
    names = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(names) != players - 1:
        raise ValueError(
            f"opponents names {len(names)} bots for {players - 1} other seats: name one, or each"
        )
    return names


if ID not in library.registry:
    library.register(
        ID,
        entry_point=f"{__name__}:SeatEnv",
        vector_entry_point="popejoan.envs.vector:PopeVectorEnv",
        disable_env_checker=False,
    )
