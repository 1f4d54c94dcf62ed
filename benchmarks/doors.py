"""How fast each door is beside the same library's own nearest games, in one run on one core.

    pip install 'popejoan[peers]'
    python benchmarks/doors.py

Every case plays random legal actions as a user of its library would, and takes turns with the
others; what is printed are the medians over the turns, and of ratios taken within a turn.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyspiel

import popejoan.envs.openspiel
from popejoan.envs import gymnasium as seat_door
from popejoan.envs import pettingzoo as table_door
from popejoan.envs.vector import PopeVectorEnv

warnings.simplefilter("ignore")

RNG = random.Random(1)
PEERS = ("pygame", "rlcard")
"""What the other libraries' games need besides."""
Case = Callable[[float], float]
"""Runs for about so many seconds; gives decisions a second."""


def rate(steps: Iterator[int], seconds: float) -> float:
    """Decisions a second of processor time; each item says how many decisions were made."""
    began = time.process_time()
    done = 0
    for made in steps:
        done += made
        spent = time.process_time() - began
        if spent > seconds:
            break
    return done / spent


def aec(make: Callable[[], Any], *, in_info: bool) -> Case:
    env = make()

    def steps() -> Iterator[int]:
        while True:
            env.reset()
            made = 0
            for _ in env.agent_iter():
                observation, _, ended, cut, info = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                mask = info["action_mask"] if in_info else observation["action_mask"]
                env.step(RNG.choice(np.flatnonzero(mask)))
                made += 1
            yield made

    return lambda seconds: rate(steps(), seconds)


def spiel(name: str) -> Case:
    game = pyspiel.load_game(name)

    def steps() -> Iterator[int]:
        while True:
            state = game.new_initial_state()
            made = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, odds = zip(*state.chance_outcomes())
                    action = RNG.choices(actions, odds)[0]
                else:
                    actions = state.legal_actions()
                    action = actions[int(RNG.random() * len(actions))]
                    made += 1
                state.apply_action(action)
            yield made

    return lambda seconds: rate(steps(), seconds)


def seat() -> Case:
    env = seat_door.SeatEnv(rules="CASSELL")

    def steps() -> Iterator[int]:
        while True:
            env.reset()
            made, over = 0, False
            while not over:
                _, _, over, _, _ = env.step(env.action_space.sample())
                made += 1
            yield made

    return lambda seconds: rate(steps(), seconds)


def vector(number: int, **options: Any) -> Case:
    envs = PopeVectorEnv(number, rules="CASSELL", copy=False, **options)
    envs.reset(seed=1)

    def steps() -> Iterator[int]:
        while True:
            for _ in range(10):
                envs.step(envs.action_space.sample())
            yield 10 * number

    for _ in range(20):
        envs.step(envs.action_space.sample())
    return lambda seconds: rate(steps(), seconds)


def rlcard_uno() -> Case:
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})

    def steps() -> Iterator[int]:
        while True:
            state, _ = env.reset()
            made = 0
            while not env.is_over():
                state, _ = env.step(RNG.choice(list(state["legal_actions"])))
                made += 1
            yield made

    return lambda seconds: rate(steps(), seconds)


def cases() -> dict[str, Case]:
    import pettingzoo

    def classic(name: str, **options: Any) -> Case:
        return aec(lambda: pettingzoo.make("aec", f"classic/{name}", **options), in_info=False)

    from open_spiel.python import games

    assert games
    return {
        "PettingZoo: Pope Joan, 4 players": aec(
            lambda: table_door.env(rules="CASSELL"), in_info=True
        ),
        "PettingZoo: texas_holdem_v4, 4 players": classic("texas_holdem_v4", num_players=4),
        "PettingZoo: leduc_holdem_v4": classic("leduc_holdem_v4"),
        "RLCard: uno": rlcard_uno(),
        "OpenSpiel: Pope Joan, 4 players": spiel("python_popejoan(rules=CASSELL)"),
        "OpenSpiel: Pope Joan, chance explicit": spiel(
            "python_popejoan(rules=CASSELL,chance=explicit)"
        ),
        "OpenSpiel: python_kuhn_poker": spiel("python_kuhn_poker"),
        "OpenSpiel: python_tic_tac_toe": spiel("python_tic_tac_toe"),
        "OpenSpiel: python_liars_poker": spiel("python_liars_poker"),
        "OpenSpiel: python_block_dominoes": spiel("python_block_dominoes"),
        "OpenSpiel: python_team_dominoes, 4 players": spiel("python_team_dominoes"),
        "OpenSpiel: crazy_eights (C++), 4 players": spiel("crazy_eights(players=4)"),
        "Gymnasium: one seat of 4, others newcomer": seat(),
        "Gymnasium: 1,024 at once, all seats asked, int8": vector(1024, seat=None, dtype="int8"),
        "Gymnasium: 1,024 at once, all seats asked, float32": vector(1024, seat=None),
        "Gymnasium: 1,024 at once, one seat, others newcomer, int8": vector(1024, dtype="int8"),
    }


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--turns", type=int, default=41)
    ask.add_argument("--seconds", type=float, default=0.06, help="for each case and turn")
    given = ask.parse_args()
    missing = [name for name in PEERS if find_spec(name) is None]
    if missing:
        ask.exit(2, f"Not installed: {', '.join(missing)}. Try: pip install 'popejoan[peers]'\n")
    made = cases()
    found: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(given.turns):
        for name, run in made.items():
            found[name].append(run(given.seconds))
    print("| case | decisions a second, median | best turn |\n|---|---:|---:|")
    for name, rates in found.items():
        print(f"| {name} | {statistics.median(rates):,.0f} | {max(rates):,.0f} |")

    def ratio(one: str, other: str) -> None:
        (mine,) = (rates for name, rates in found.items() if name.startswith(one))
        (theirs,) = (rates for name, rates in found.items() if name.startswith(other))
        middle = statistics.median(a / b for a, b in zip(mine, theirs))
        print(f"{one} against {other}: {middle:.2f} times as many")

    print()
    ratio("PettingZoo: Pope", "PettingZoo: texas")
    ratio("PettingZoo: Pope", "PettingZoo: leduc")
    for other in ("kuhn", "tic_tac", "liars", "block", "team"):
        ratio("OpenSpiel: Pope Joan, 4", f"OpenSpiel: python_{other}")
    ratio("OpenSpiel: Pope Joan, 4", "OpenSpiel: crazy")


assert popejoan.envs.openspiel

if __name__ == "__main__":
    main()
