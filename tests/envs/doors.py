"""The doors seen alike: something to reset, to step by a legal action, and to look at."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from popejoan.deal import Chance
from popejoan.envs.gymnasium import SeatEnv
from popejoan.envs.openspiel import NAME
from popejoan.envs.pettingzoo import AecTable, ParallelTable


class Door:
    """One environment of a library, whichever it is."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def legal(self) -> list[int]:
        """The legal actions; none at the end."""
        raise NotImplementedError

    def step(self, action: Any) -> None:
        raise NotImplementedError

    def shows(self) -> Any:
        """All that can be seen of it, as a value that can be compared."""
        raise NotImplementedError

    def copies(self) -> dict[str, Callable[[], Any]]:
        return {
            "deepcopy": lambda: copy.deepcopy(self.env),
            "pickle": lambda: pickle.loads(pickle.dumps(self.env)),
            "clone": self.env.clone,
        }


class Aec(Door):
    @classmethod
    def begin(cls, seed: int, **options: Any) -> Aec:
        env = AecTable(**options)
        env.reset(seed=seed)
        return cls(env)

    def legal(self) -> list[int]:
        env = self.env
        if not env.agents or env.terminations[env.agent_selection]:
            return []
        return [int(each) for each in np.flatnonzero(env.infos[env.agent_selection]["action_mask"])]

    def step(self, action: Any) -> None:
        self.env.step(action)

    def shows(self) -> Any:
        env = self.env
        return (
            list(env.agents),
            env.agent_selection,
            dict(env.rewards),
            dict(env._cumulative_rewards),
            dict(env.terminations),
            {agent: info["action_mask"].tolist() for agent, info in env.infos.items()},
            env.state().tolist(),
        )


class Parallel(Door):
    @classmethod
    def begin(cls, seed: int, **options: Any) -> Parallel:
        env = ParallelTable(**options)
        env.reset(seed=seed)
        return cls(env)

    def legal(self) -> list[int]:
        env = self.env
        if not env.agents:
            return []
        return Aec(env.table).legal()

    def step(self, action: Any) -> None:
        self.env.step({self.env.table.agent_selection: action})

    def shows(self) -> Any:
        return list(self.env.agents), Aec(self.env.table).shows()


class Seat(Door):
    @classmethod
    def begin(cls, seed: int, **options: Any) -> Seat:
        env = SeatEnv(**options)
        env.reset(seed=seed)
        return cls(env)

    def legal(self) -> list[int]:
        return [int(each) for each in np.flatnonzero(self.env.action_masks())]

    def step(self, action: Any) -> None:
        self.env.step(action)

    def shows(self) -> Any:
        env = self.env
        info = env._info()
        return env._observe().tolist(), info["action_mask"].tolist(), env._paid, env.episode.over


class Spiel(Door):
    @classmethod
    def begin(cls, seed: int, **options: Any) -> Spiel:
        game = pyspiel.load_game(NAME, options)
        state = game.new_initial_state()
        chance = Chance(seed)
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[chance.below(len(outcomes))][0])
        return cls(state)

    def legal(self) -> list[int]:
        return list(self.env.legal_actions())

    def step(self, action: Any) -> None:
        self.env.apply_action(action)

    def shows(self) -> Any:
        state = self.env
        return (
            str(state),
            state.history(),
            state.current_player(),
            state.returns(),
            state.rewards(),
            state.legal_actions(),
            [state.information_state_string(seat) for seat in range(state.num_players())],
            [state.observation_tensor(seat) for seat in range(state.num_players())],
        )

    def copies(self) -> dict[str, Callable[[], Any]]:
        def serialised() -> Any:
            text = pyspiel.serialize_game_and_state(self.env.get_game(), self.env)
            return pyspiel.deserialize_game_and_state(text)[1]

        return {**super().copies(), "serialise": serialised}


DOORS: dict[str, type[Any]] = {"aec": Aec, "parallel": Parallel, "seat": Seat, "openspiel": Spiel}


def play(door: Any, seed: int) -> list[Any]:
    """Play a game out by chance; give all that was seen on the way."""
    chance = Chance(seed, 1)
    seen = [door.shows()]
    while legal := door.legal():
        door.step(legal[chance.below(len(legal))])
        seen.append(door.shows())
    return seen
