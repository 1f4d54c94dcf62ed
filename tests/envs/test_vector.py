"""Many rounds at once: what the kernel shows, allows and pays is what the engine does."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import popejoan
from popejoan.bots import bot
from popejoan.cards import IllegalPlay
from popejoan.envs.episode import Episode
from popejoan.envs.setting import Setting
from popejoan.envs.vector import PopeVectorEnv
from popejoan.rules import CardMoney, Dressing, Lead, Pairs, Peek, PopeTurned, Rules

MIXES = {
    "lowest-in-hand": Rules(lead=Lead.LOWEST_IN_HAND),
    "split": Rules(pairs=Pairs.SPLIT, lead=Lead.ANY),
    "to-board": Rules(card_money=CardMoney.BOARD, dressing=Dressing.SINGLE),
    "sits-out": Rules(peek=Peek.SITS_OUT),
    "thrown-in": Rules(pope_turned=PopeTurned.THROWN_IN, dressing=Dressing.EACH),
}
BOOKS = {**Rules.presets(), **MIXES}


class Twin:
    """The same environments, played by the engine."""

    def __init__(self, setting: Setting, many: int, seed: int, seat: int | None) -> None:
        self.setting = setting
        self.seat = seat
        self.seeds = [seed + i for i in range(many)]
        self.numbers = [0] * many
        self.paid = [(0,) * setting.players] * many
        self.now = [self.begin(i) for i in range(many)]

    def begin(self, i: int) -> Episode:
        return self.wait(Episode.begin(self.setting, self.seeds[i], self.numbers[i], own=self.seat))

    def wait(self, now: Episode) -> Episode:
        while self.seat is not None and now.to_act not in (None, self.seat):
            assert now.to_act is not None
            now = now.play(bot("book").choose(now.view(now.to_act)))
        return now

    def step(self, i: int, action: int) -> tuple[tuple[int, ...], bool]:
        now = self.wait(self.now[i].play(action))
        balances = now.balances if self.setting.rewards == "event" else now.settled
        won = tuple(after - before for after, before in zip(balances, self.paid[i]))
        self.paid[i] = balances
        self.now[i] = now
        return won, now.over

    def reset(self, i: int) -> None:
        self.numbers[i] += 1
        self.paid[i] = (0,) * self.setting.players
        self.now[i] = self.begin(i)

    def seen(self, i: int, seat: int) -> NDArray[Any]:
        return self.setting.encoding.encode(self.now[i].view(seat))


def compare(states: int, *, seat: int | None, **options: Any) -> int:
    """Step both until so many states have been compared; give how many were."""
    many = 16
    envs = PopeVectorEnv(many, seat=seat, opponents="book", **options)
    envs.action_space.seed(5)
    twin = Twin(envs.setting, many, 11, seat)
    seen, infos = envs.reset(seed=11)
    compared = 0
    while True:
        for i, now in enumerate(twin.now):
            asked = now.to_act
            assert asked is not None
            view = now.view(asked)
            assert (infos["action_mask"][i] == envs.encoding.mask(view)).all()
            assert (seen[i] == twin.seen(i, asked)).all(), now.round
            assert infos["deals"][i] == now.dealt
            if seat is None:
                assert infos["seat"][i] == asked
            compared += 1
        if compared >= states:
            return compared
        actions = envs.action_space.sample()
        before = [now.to_act for now in twin.now]
        seen, rewards, ended, cut, infos = envs.step(actions)
        assert not cut.any()
        for i, action in enumerate(actions):
            won, over = twin.step(i, int(action))
            acted = before[i]
            assert acted is not None
            assert rewards[i] == won[acted if seat is None else seat]
            assert ended[i] == over
            if seat is None:
                assert tuple(infos["counters"][i]) == won
            if over:
                assert (infos["final_obs"][i] == twin.seen(i, acted)).all()
                twin.reset(i)


@pytest.mark.parametrize("name", BOOKS)
def test_a_step_is_what_the_engine_does(name: str) -> None:
    for players in (3, 5) if name == "sits-out" else (2, 4, 7):
        compare(400, seat=None, rules=BOOKS[name], players=players)


@pytest.mark.parametrize("options", [{"rewards": "round"}, {"dtype": "int8"}, {"dealer": 2}, {}])
def test_one_seat_against_the_book_is_what_the_engine_does(options: dict[str, Any]) -> None:
    compare(300, seat=1, rules="CASSELL", players=4, **options)


@pytest.mark.slow
@pytest.mark.parametrize("name", Rules.presets())
@pytest.mark.parametrize("players", range(2, 11))
def test_masks_are_the_engines_on_a_million_states(name: str, players: int) -> None:
    assert compare(22_400, seat=None, rules=name, players=players) >= 1_000_000 // 45


def test_an_episode_depends_on_its_seed_and_number_alone() -> None:
    def firsts(many: int, steps: int) -> list[NDArray[Any]]:
        """The first observations of environment 2, reset twice, however it was played."""
        envs = PopeVectorEnv(many, autoreset_mode=AutoresetMode.DISABLED, illegal="end")
        found = [envs.reset(seed=4)[0][2]]
        for _ in range(2):
            for _ in range(steps):
                *_, ended, _, _ = envs.step(envs.action_space.sample())
                if ended.any():
                    break
            found.append(envs.reset()[0][2])
        return found

    for one, other in zip(firsts(3, 1), firsts(50, 0), strict=True):
        assert (one == other).all()


def test_the_modes_of_autoreset_differ_in_when_alone() -> None:
    modes = {mode: PopeVectorEnv(8, autoreset_mode=mode) for mode in AutoresetMode}
    for mode, envs in modes.items():
        assert envs.metadata["autoreset_mode"] is mode
        envs.reset(seed=3)
    same, next_, off = (modes[mode] for mode in (
        AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
    ))  # fmt: skip
    for _ in range(30):
        actions = same.legal_actions(np.zeros(8, np.uint32))
        seen, rewards, ended, _, infos = same.step(actions)
        waited, paid, stopped, _, told = next_.step(actions)
        off_seen, off_paid, off_ended, _, _ = off.step(actions)
        assert (ended == stopped).all()
        assert (ended == off_ended).all()
        assert (rewards == paid).all()
        assert (rewards == off_paid).all()
        assert (waited == off_seen).all()
        assert not told["action_mask"][ended].any()
        if ended.any():
            assert (infos["_final_obs"] == ended).all()
            assert (infos["final_obs"][ended] == waited[ended]).all()
            with pytest.raises(RuntimeError, match="waits for a reset"):
                off.step(actions)
            # What stands still elsewhere must not move while those that ended begin anew.
            begun, _ = off.reset(options={"reset_mask": ended})
            assert (begun == seen).all()
            next_ = copy.deepcopy(off)
            next_.autoreset_mode = AutoresetMode.NEXT_STEP


def test_after_the_end_next_step_begins_anew_whatever_the_action() -> None:
    envs = PopeVectorEnv(4, autoreset_mode="NextStep")
    same = PopeVectorEnv(4)
    envs.reset(seed=1)
    begun, _ = same.reset(seed=1)
    ended = np.zeros(4, np.bool_)
    while not ended.all():
        _, _, stop, _, infos = envs.step(envs.legal_actions(np.zeros(4, np.uint32)))
        ended = stop
        if stop.any() and not stop.all():
            return_ = np.where(stop, -99, envs.legal_actions(np.zeros(4, np.uint32)))
            seen, rewards, again, _, infos = envs.step(return_)
            assert (rewards[stop] == 0).all()
            assert not again[stop].any()
            assert infos["action_mask"][stop].any(axis=1).all()
            assert (seen[stop] != begun[stop]).any()
            return


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    envs = PopeVectorEnv(5, rules="PARLETT")
    envs.reset(seed=9)
    for _ in range(12):
        actions = envs.action_space.sample()
        for at in range(5):
            for wrong in (-1, 20, 52, 10**9):
                bad = actions.copy()
                bad[at] = wrong
                before = envs._state.copy()
                with pytest.raises(IllegalPlay, match=f"environment {at}"):
                    envs.step(bad)
                assert (envs._state == before).all()
        envs.step(actions)


def test_an_illegal_action_ends_the_episode_at_a_price_where_asked_to() -> None:
    envs = PopeVectorEnv(3, illegal="end", penalty=7)
    envs.reset(seed=9)
    actions = envs.action_space.sample()
    actions[1] = 20
    _, rewards, ended, _, _ = envs.step(actions)
    assert ended[1]
    assert rewards[1] == -7


@pytest.mark.parametrize("how", ["deepcopy", "pickle", "clone"])
def test_a_copy_goes_on_as_the_original_and_by_itself(how: str) -> None:
    envs = PopeVectorEnv(20, seat=None)
    envs.action_space.seed(1)
    envs.reset(seed=2)
    for _ in range(40):
        twin: PopeVectorEnv = {
            "deepcopy": lambda: copy.deepcopy(envs),
            "pickle": lambda: pickle.loads(pickle.dumps(envs)),
            "clone": envs.clone,
        }[how]()
        actions = envs.action_space.sample()
        assert (actions == twin.action_space.sample()).all()
        found, expected = twin.step(actions), envs.step(actions)
        for one, other in zip(found[:4], expected[:4]):
            assert (one == other).all()


@pytest.mark.slow
def test_without_the_compiler_and_on_a_plain_processor_the_same_is_played(tmp_path: Path) -> None:
    code = (
        "import numpy as np\n"
        "from popejoan.envs.vector import PopeVectorEnv\n"
        "np.seterr(over='ignore')\n"
        "for rules, players, dtype in ('CASSELL', 4, 'int8'), ('PARLETT', 3, 'float32'):\n"
        "    envs = PopeVectorEnv(3, rules=rules, players=players, seat=None, dtype=dtype)\n"
        "    envs.reset(seed=4)\n"
        "    envs.action_space.seed(2)\n"
        "    for _ in range(25):\n"
        "        seen, rewards, ended, _, infos = envs.step(envs.action_space.sample())\n"
        "        print(*(a.tolist() for a in (seen, rewards, ended, *infos.values())))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONPATH": str(Path(popejoan.__file__).parents[1]),
                "NUMBA_CACHE_DIR": str(tmp_path),
                **kind,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for kind in ({}, {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_CPU_NAME": "generic"})
    }
    assert len(printed) == 1
    assert printed.pop().count("\n") == 50


def test_arrays_given_stay_as_they_were_unless_told_otherwise() -> None:
    envs = PopeVectorEnv(4)
    seen, infos = envs.reset(seed=1)
    kept, mask = seen.copy(), infos["action_mask"].copy()
    envs.step(envs.action_space.sample())
    assert (seen == kept).all()
    assert (infos["action_mask"] == mask).all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"deals": 3}, "make a SeatEnv"),
        ({"ask": "cards"}, "make a SeatEnv"),
        ({"claims": "asked"}, "make a SeatEnv"),
        ({"num_envs": 0}, "from 1 up"),
        ({"opponents": "master"}, "not 'master'"),
        ({"opponents": ["book"]}, "names 1 bots for 3 other seats"),
        ({"seat": 4}, "they are 0 to 3"),
        ({"render_mode": "ansi"}, "not rendered"),
    ],
)
def test_what_the_kernel_does_not_play_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        PopeVectorEnv(**options)


def test_what_is_no_list_of_actions_is_refused() -> None:
    envs = PopeVectorEnv(3)
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.zeros(3, np.int64))
    envs.reset(seed=0)
    for wrong in ([0, 1], [0.5, 1.0, 2.0], 3, None):
        with pytest.raises(ValueError, match="3 whole numbers"):
            envs.step(wrong)
