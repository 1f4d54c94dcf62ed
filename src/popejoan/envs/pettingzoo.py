"""Pope Joan for PettingZoo: every seat an agent, asked in turn (AEC) or all at once (parallel).

>>> from popejoan.envs import pettingzoo as popejoan_v0
>>> env = popejoan_v0.env(rules="CASSELL", players=4)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))

Both are registered under one name: ``pettingzoo.make("aec", "popejoan/popejoan_v0")``.
"""

from __future__ import annotations

import copy
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from popejoan.cards import IllegalPlay
from popejoan.envs import VERSION, missing
from popejoan.envs.encoding import Encoding, mask_of
from popejoan.envs.episode import Episode
from popejoan.envs.seeds import Seeding
from popejoan.envs.setting import Setting

try:
    import pettingzoo as library
    from gymnasium import spaces
    from pettingzoo.utils.env import AECEnv, ParallelEnv

    from popejoan.envs.rendering import MODES, check_mode, rendered
    from popejoan.envs.spaces import LegalActions, observations
except ImportError as error:
    raise missing("popejoan.envs.pettingzoo", error) from error

__all__ = ["ID", "AecTable", "ParallelTable", "env", "parallel_env", "raw_env"]

NAME: Final = f"popejoan_v{VERSION}"
ID: Final = f"popejoan/{NAME}"
"""The name in PettingZoo's registry."""


@final
class AecTable(AECEnv[str, NDArray[Any], Any]):  # type: ignore[misc]  # untyped base
    """A table at which the agents ``player_0``, ``player_1`` ... are asked in the order of play.

    An agent's observation is the flat array that ``encoding`` describes; what it may do is
    ``info["action_mask"]``, all zeros unless it is asked.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo looks for it on the class
        "name": NAME,
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        """Set the table; ``options`` are those of ``Setting``.

        Raises TypeError for an option that is none, and what ``Setting`` raises.
        """
        super().__init__()
        self.setting, unknown = Setting.taken(options)
        if unknown:
            raise TypeError(f"{', '.join(unknown)}: no such option of this environment")
        self.render_mode = check_mode(render_mode)
        players = self.setting.players
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeding: Seeding | None = None
        self._now: Episode | None = None
        self._paid = (0,) * players
        self._begun = False
        self._paying = False
        self._by_event = self.setting.rewards == "event"
        encoding = self.encoding
        seen = observations(encoding)
        self._seen = {agent: copy.deepcopy(seen) for agent in self.possible_agents}
        self._acts = {
            agent: LegalActions(encoding, _Legal(self, agent)) for agent in self.possible_agents
        }
        self._waits = np.zeros(encoding.actions, np.int8)

    @property
    def encoding(self) -> Encoding:
        """How observations and actions are numbered."""
        return self.setting.encoding

    @property
    def episode(self) -> Episode:
        """Where the episode stands; it knows every card, so no agent should."""
        if self._now is None:
            raise RuntimeError(f"{NAME} has not been reset yet: call reset() first")
        return self._now

    def observation_space(self, agent: str) -> spaces.Box:
        """The space of an agent's observations."""
        return self._seen[agent]

    def action_space(self, agent: str) -> LegalActions:
        """The space of an agent's actions; its samples are legal."""
        return self._acts[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of ``state``."""
        players = self.setting.players
        one = self._seen[self.possible_agents[0]]
        return spaces.Box(
            np.tile(one.low, players), np.tile(one.high, players), dtype=one.dtype.type
        )

    def state(self) -> NDArray[Any]:
        """What all agents see, end to end from ``player_0``: for critics that may know it."""
        return np.concatenate([self.observe(agent) for agent in self.possible_agents])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first episode of a seed, or the next one where no seed is given.

        Nothing is read from ``options``. Raises ValueError for a seed below 0.
        """
        del options
        seeding = Seeding.next(self._seeding, seed)
        self._now = Episode.begin(self.setting, *seeding)
        self._seeding = seeding
        self._paid = (0,) * self.setting.players
        self._begun = False  # the first step pays what dressing and turn-up brought as well
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0)
        self._cumulative_rewards = dict.fromkeys(agents, 0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {"action_mask": self._waits.copy()} for agent in agents}
        self._skip_agent_selection = None
        self._ask(self._now)

    def _ask(self, now: Episode) -> None:
        """Turn to the agent that is asked."""
        seat = now.to_act
        assert seat is not None
        agent = self.agent_selection = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": mask_of(now.bits, self._waits.size)}

    def step(self, action: Any) -> None:
        """Take the action of the agent that is asked; None for one that is done.

        Raises IllegalPlay, and changes nothing, for an action that may not be taken, unless the
        setting has it end the episode.
        """
        agent = self.agent_selection
        if self.agents and self.terminations[agent]:
            self._was_dead_step(action)
            return
        now = self.episode
        if not self.agents:
            raise RuntimeError(f"the episode is over: call reset() on {NAME}")
        try:
            after = now.play(action)
        except IllegalPlay:
            if self.setting.illegal == "raise":
                raise
            self._fine(agent)
            return
        self._now = after
        rewards, sums = self.rewards, self._cumulative_rewards
        sums[agent] = 0
        if not self._by_event:
            balances = after.settled
        elif self._begun and after.round.ledger is now.round.ledger and not after.over:
            balances = self._paid  # no counter has moved
        else:
            balances = after.balances
        self._begun = True
        if balances != self._paid:
            for each, won, before in zip(self.possible_agents, balances, self._paid):
                rewards[each] = won - before
                sums[each] += won - before
            self._paid = balances
            self._paying = True
        elif self._paying:
            self._clear_rewards()
            self._paying = False
        self.infos[agent] = {"action_mask": self._waits.copy()}
        if after.over:
            self._end()
        else:
            self._ask(after)

    def _fine(self, agent: str) -> None:
        """End the episode for an illegal action."""
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0
        self.rewards[agent] = -self.setting.penalty
        self._accumulate_rewards()
        self.infos[agent] = {"action_mask": self._waits.copy()}
        self._end()

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> NDArray[Any]:
        """What an agent sees now, as numbers; shape (encoding.size,)."""
        return self.setting.encoding.encode_at(self.episode.round, self._seat_of[agent])

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as it truly is, in the ``render_mode`` that was chosen."""
        return rendered(self.episode.round, self.render_mode, what="the environment")

    def close(self) -> None:
        """Nothing to release."""

    def clone(self) -> AecTable:
        """A table that goes on from here by itself, exactly as this one would."""
        return copy.deepcopy(self)


@final
class _Legal:
    """What is legal for an agent, whenever asked; it goes with the table when that is copied."""

    __slots__ = ("agent", "table")

    def __init__(self, table: AecTable, agent: str) -> None:
        self.table = table
        self.agent = agent

    def __call__(self) -> NDArray[np.int8]:
        info = self.table.infos.get(self.agent)
        mask: NDArray[np.int8] = self.table._waits if info is None else info["action_mask"]
        return mask


@final
class ParallelTable(ParallelEnv[str, NDArray[Any], Any]):  # type: ignore[misc]  # untyped base
    """The same table for those who step all agents at once.

    Pope Joan has no simultaneous plays: the one agent whose ``info["action_mask"]`` is not all
    zeros is asked, and the others' actions stand for nothing.
    """

    metadata = AecTable.metadata

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        """Set the table; see ``AecTable``."""
        self.table = AecTable(render_mode=render_mode, **options)
        self.render_mode = render_mode
        self.possible_agents = self.table.possible_agents[:]
        self.agents: list[str] = []

    @property
    def encoding(self) -> Encoding:
        """How observations and actions are numbered."""
        return self.table.encoding

    def observation_space(self, agent: str) -> spaces.Box:
        """The space of an agent's observations."""
        return self.table.observation_space(agent)

    def action_space(self, agent: str) -> LegalActions:
        """The space of an agent's actions; its samples are legal."""
        return self.table.action_space(agent)

    @property
    def state_space(self) -> spaces.Box:
        """The space of ``state``."""
        return self.table.state_space

    def state(self) -> NDArray[Any]:
        """What all agents see, end to end; see ``AecTable.state``."""
        return self.table.state()

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, dict[str, Any]]]:
        """Begin an episode as ``AecTable.reset`` does; give observations and infos."""
        self.table.reset(seed, options)
        self.agents = self.table.agents[:]
        return self._seen(), dict(self.table.infos)

    def _seen(self) -> dict[str, NDArray[Any]]:
        return {agent: self.table.observe(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, NDArray[Any]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the action of the agent that is asked.

        Raises IllegalPlay, and changes nothing, where that agent has no action or an illegal one,
        unless the setting has it end the episode.
        """
        table = self.table
        if not self.agents:
            raise RuntimeError(f"the episode is over or not begun: call reset() on {NAME}")
        table.step(actions.get(table.agent_selection))
        rewards = dict(table.rewards)
        ended, cut, infos = dict(table.terminations), dict(table.truncations), dict(table.infos)
        seen = self._seen()
        if any(ended.values()):
            self.agents = []
        return seen, rewards, ended, cut, infos

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as it truly is, in the ``render_mode`` that was chosen."""
        return self.table.render()

    def close(self) -> None:
        """Nothing to release."""

    def clone(self) -> ParallelTable:
        """A table that goes on from here by itself, exactly as this one would."""
        return copy.deepcopy(self)


def env(**options: Any) -> AecTable:
    """A table whose agents are asked in turn; ``options`` are those of ``Setting``."""
    return AecTable(**options)


raw_env = env
"""The same: the table checks its actions itself and needs no wrapper."""


def parallel_env(**options: Any) -> ParallelTable:
    """A table whose agents are stepped all at once; ``options`` are those of ``Setting``."""
    return ParallelTable(**options)


def _register() -> None:
    """Enter both tables in PettingZoo's registry, once, where the release has one."""
    known = getattr(library, "aec_registry", None)
    if known is not None and ID.replace("_v", "-v") not in known:
        library.register("aec", ID, entry_point=f"{__name__}:env")
        library.register("parallel", ID, entry_point=f"{__name__}:parallel_env")


_register()
