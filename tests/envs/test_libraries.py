"""The libraries' own tests, as they ship them, and what their users are used to."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env

from popejoan.cards import IllegalPlay
from popejoan.deal import Chance
from popejoan.envs import gymnasium as seat_door
from popejoan.envs import pettingzoo as table_door
from popejoan.envs.openspiel import spelled
from popejoan.rules import Rules

with warnings.catch_warnings():
    # PettingZoo's own tests import a game by a way that PettingZoo itself calls old.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

EVERYWHERE = [(rules, players) for rules in Rules.presets() for players in range(2, 11)]
SOME = [("HOYLE", 4), ("CASSELL", 2), ("PEEL", 10), ("HOFFMANN", 7), ("PARLETT", 3)]
tables = pytest.mark.parametrize(
    ("rules", "players"),
    [pytest.param(*each, marks=[] if each in SOME else [pytest.mark.slow]) for each in EVERYWHERE],
)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with contextlib.redirect_stdout(io.StringIO()):
        yield


@tables
@pytest.mark.parametrize("more", [{}, {"claims": "asked"}, {"deals": 2, "rewards": "round"}])
def test_pettingzoo(rules: str, players: int, more: dict[str, Any]) -> None:
    options = {"rules": rules, "players": players, **more}
    api_test(table_door.env(**options), num_cycles=60)
    parallel_api_test(table_door.parallel_env(**options), num_cycles=60)
    seed_test(lambda: table_door.env(**options), num_cycles=60)
    parallel_seed_test(lambda: table_door.parallel_env(**options), num_cycles=60)


@pytest.mark.parametrize("rules", ["HOYLE", "PARLETT"])
def test_pettingzoo_renders(rules: str) -> None:
    render_test(lambda render_mode: table_door.env(rules=rules, render_mode=render_mode))


@tables
@pytest.mark.parametrize("more", [{}, {"claims": "asked"}, {"deals": 2, "rewards": "round"}])
def test_gymnasium(rules: str, players: int, more: dict[str, Any]) -> None:
    env = gymnasium.make(
        seat_door.ID, rules=rules, players=players, opponents="book", illegal="end", **more
    )
    check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_renders() -> None:
    check_env(gymnasium.make(seat_door.ID, illegal="end").unwrapped)


@tables
@pytest.mark.parametrize(
    "more", [{}, {"chance": "explicit"}, {"claims": "asked", "ask": "cards"}], ids=str
)
def test_pyspiel_random_simulation(rules: str, players: int, more: dict[str, Any]) -> None:
    game = pyspiel.load_game("python_popejoan", {"players": players, "rules": rules, **more})
    pyspiel.random_sim_test(game, 1, True, False)


def test_pyspiels_api_tests() -> None:
    code = (
        "import sys, popejoan.envs.openspiel; from absl.testing import absltest;"
        "from open_spiel.integration_tests import api_test;"
        "from absl import flags; flags.FLAGS(['t', '--test_only_games=^python_popejoan$']);"
        "import unittest; suite = api_test.load_tests(unittest.defaultTestLoader, [], None);"
        "assert suite.countTestCases() >= 5, suite;"
        "done = unittest.TextTestRunner().run(unittest.TestSuite(suite));"
        "sys.exit(not done.wasSuccessful())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_pyspiels_simulation_tests() -> None:
    code = (
        "import sys, unittest, popejoan.envs.openspiel;"
        "from open_spiel.python.tests.games_sim_test import GamesSimTest as Tests;"
        "found = [t for t in unittest.defaultTestLoader.loadTestsFromTestCase(Tests)"
        " if 'python_popejoan' in t.id()]; assert len(found) == 6, found;"
        "done = unittest.TextTestRunner().run(unittest.TestSuite(found));"
        "sys.exit(not done.wasSuccessful())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_doors_are_registered_under_names_with_a_version() -> None:
    assert isinstance(pettingzoo.make("aec", table_door.ID), table_door.AecTable)
    assert isinstance(pettingzoo.make("parallel", table_door.ID), table_door.ParallelTable)
    assert isinstance(gymnasium.make(seat_door.ID).unwrapped, seat_door.SeatEnv)
    assert gymnasium.make_vec(seat_door.ID, num_envs=3).num_envs == 3
    assert "python_popejoan" in pyspiel.registered_names()
    assert pyspiel.load_game("python_popejoan(players=4,rules=HOYLE)").num_players() == 4


def test_any_rules_can_be_spelled_for_openspiel() -> None:
    for rules in [*Rules.presets().values(), Rules(hand_size=3), Rules.read({"stakes": {
        "pope": 6, "game": 1}})]:  # fmt: skip
        game = pyspiel.load_game(f"python_popejoan(rules={spelled(rules)},players=3)")
        assert game.setting.book == rules
        assert pyspiel.load_game(str(game)).setting.book == rules


@pytest.mark.parametrize("more", ["chance=explicit,players=3", "claims=asked", "illegal=end"])
def test_what_openspiel_would_find_by_itself_is_what_a_state_says(more: str) -> None:
    state = pyspiel.load_game(f"python_popejoan({more})").new_initial_state()
    chance = Chance(3)
    own = pyspiel.State
    while True:
        assert state.is_chance_node() == own.is_chance_node(state)
        legal = state.legal_actions()
        assert legal == own.legal_actions(state)
        for player in range(state.num_players()):
            assert state.legal_actions(player) == own.legal_actions(state, player)
        if state.is_terminal():
            break
        state.apply_action(legal[chance.below(len(legal))])
    assert legal == []
    with pytest.raises(IllegalPlay, match="over"):
        state.apply_action(0)


def test_the_sum_of_a_seats_rewards_is_its_change_of_purse() -> None:
    for rewards in ("event", "round"):
        env = seat_door.SeatEnv(rules="HOYLE", opponents="book", rewards=rewards, seat=2)
        env.action_space.seed(1)
        for number in range(20):
            _, info = env.reset(seed=5 if number == 0 else None)
            total, over = 0.0, False
            while not over:
                assert info["action_mask"].any()
                _, reward, over, _, info = env.step(env.action_space.sample())
                total += reward
            assert total == env.episode.balances[2]
            assert not info["action_mask"].any()


def test_a_rounds_rewards_come_when_it_ends() -> None:
    env = table_door.env(rewards="round")
    env.reset(seed=1)
    while env.agents and not env.terminations[env.agent_selection]:
        assert not any(env.rewards.values())
        env.step(env.action_space(env.agent_selection).sample())
    assert any(env.rewards.values())


def test_a_seed_begins_anew_and_none_goes_on() -> None:
    env = seat_door.SeatEnv()
    one = env.reset(seed=4)[0]
    other = env.reset()[0]
    assert (one != other).any()
    assert (env.reset(seed=4)[0] == one).all()
    assert (env.reset()[0] == other).all()
    assert (env.reset(seed=5)[0] != one).any()
    loose = [seat_door.SeatEnv().reset()[0] for _ in range(3)]
    assert any((loose[0] != each).any() for each in loose[1:])


def test_what_is_done_before_a_reset_or_after_the_end_is_told() -> None:
    env = seat_door.SeatEnv()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    table = table_door.env()
    with pytest.raises(RuntimeError, match="reset"):
        table.step(0)
    with pytest.raises(RuntimeError, match="reset"):
        table_door.parallel_env().step({})
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(env.action_space.sample())
    with pytest.raises(RuntimeError, match="over"):
        env.step(0)
    with pytest.raises(ValueError, match="render_mode"):
        env.render()
    with pytest.raises(ValueError, match="render_mode"):
        seat_door.SeatEnv(render_mode="hologram")


def test_pixels_are_the_drawing() -> None:
    env = table_door.env(render_mode="rgb_array")
    env.reset(seed=1)
    shown = env.render()
    assert isinstance(shown, np.ndarray)
    assert shown.shape[2] == 3
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) > 50


SMALL = "python_popejoan(players=2,rules=CASSELL hand_size~3)"


def test_external_sampling_mccfr_runs_on_a_small_game() -> None:
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver

    np.random.seed(1)
    for chance in ("sampled", "explicit"):
        game = pyspiel.load_game(f"{SMALL[:-1]},chance={chance})")
        solver = ExternalSamplingSolver(game)
        for _ in range(20):
            solver.iteration()
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        policy = solver.average_policy().action_probabilities(state)
        assert sum(policy.values()) == pytest.approx(1)


def test_ismcts_plays_a_game_of_full_size() -> None:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    random_state = np.random.RandomState(1)
    game = pyspiel.load_game("python_popejoan(rules=CASSELL)")
    bot = ISMCTSBot(
        game, RandomRolloutEvaluator(1, random_state), 10.0, 20, random_state=random_state
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random_state.choice(state.legal_actions()))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("more", [{}, {"ask": "cards"}, {"claims": "asked"}], ids=str)
def test_a_resampled_state_looks_the_same_to_the_player(chance: str, more: dict[str, Any]) -> None:
    game = pyspiel.load_game("python_popejoan", {"players": 3, "chance": chance, **more})
    random_state = np.random.RandomState(3)
    state = game.new_initial_state()
    differ = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            for player in range(3):
                other = state.resample_from_infostate(player, random_state.uniform)
                text = state.information_state_string(player)
                assert other.information_state_string(player) == text
                assert other.information_state_tensor(player) == state.information_state_tensor(
                    player
                )
                assert other.current_player() == state.current_player() or more
                differ += str(other) != str(state)
        state.apply_action(random_state.choice(state.legal_actions()))
    assert differ > 10


def test_the_playthrough_is_as_it_was() -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    found = playthrough(SMALL, None, seed=1)
    kept = Path(__file__).with_name("playthrough.txt")
    if not kept.exists():  # delete it to make it anew
        kept.write_text(found, encoding="utf-8")
    assert kept.read_text(encoding="utf-8").splitlines() == found.splitlines()
