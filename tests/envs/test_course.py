"""An episode played on in place is, lead by lead, the one that ``Episode.play`` gives."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from popejoan.cards import IllegalPlay
from popejoan.deal import Chance, Deal
from popejoan.envs.course import Course
from popejoan.envs.episode import Episode
from popejoan.envs.setting import Setting
from popejoan.match import Match
from popejoan.round import Round

WAYS: list[dict[str, Any]] = [
    {"rules": "HOYLE"},
    {"rules": "CASSELL", "players": 2},
    {"rules": "PEEL", "players": 7},
    {"rules": "HOFFMANN", "players": 3},
    {"rules": "PARLETT", "players": 5},
    {"rules": "HOYLE card_money=board dressing=single pairs=split"},
    {"rules": "HOYLE", "claims": "asked"},
    {"rules": "PEEL", "ask": "cards"},
]
ways = pytest.mark.parametrize("options", WAYS, ids=str)


def begun(number: int, options: dict[str, Any]) -> Episode:
    """A round's episode; by some deals it is over at once."""
    setting = Setting(**options)
    match = Match.start(setting.book, players=setting.players, first_dealer=0)
    round_ = Round.start(
        setting.book,
        Deal.shuffle(number, players=setting.players, rules=setting.book),
        claiming=[not setting.encoding.called] * setting.players,
    )
    return Episode.of_round(setting, match, round_)


def choices(episode: Episode, seed: int) -> list[int]:
    """Random legal actions to the end."""
    chance, made = Chance(seed, 5), []
    while not episode.over:
        legal = [action for action in range(61) if episode.bits >> action & 1]
        made.append(legal[chance.below(len(legal))])
        episode = episode.play(made[-1])
    return made


def stands(course: Course) -> tuple[Any, ...]:
    return course.episode, course.before, course.bits, course.seat


@ways
@pytest.mark.parametrize("every", [1, 3, 99])
def test_it_is_the_episode_however_seldom_it_is_looked_at(
    options: dict[str, Any], every: int
) -> None:
    for number in range(12):
        episode = begun(number, options)
        course, before = Course(episode), None
        for step, action in enumerate(choices(episode, number), 1):
            before, episode = episode.balances, episode.play(action)
            course.play(action)
            assert (course.bits, course.seat) == (episode.bits, episode.to_act)
            if step % every == 0:
                assert course.before == before
                assert course.episode == episode
        assert stands(course) == (episode, before, 0, None)


@ways
def test_a_copy_goes_on_by_itself(options: dict[str, Any]) -> None:
    for number in range(4):
        course = Course(begun(number, options))
        for action in choices(course.episode, number):
            copies = [copy.deepcopy(course), pickle.loads(pickle.dumps(course))]
            stood = stands(course)
            for each in copies:
                assert stands(each) == stood
                each.play(action)
                assert stands(course) == stood
            course.play(action)
            for each in copies:
                assert stands(each) == stands(course)


@ways
def test_what_may_not_be_done_raises_and_changes_nothing(options: dict[str, Any]) -> None:
    course = Course(begun(3, options))
    for action in [*choices(course.episode, 3), None]:
        stood = stands(course)
        for wrong in range(-2, 70):
            if wrong < 0 or not course.bits >> wrong & 1:
                with pytest.raises(IllegalPlay):
                    course.play(wrong)
        assert stands(course) == stood
        if action is not None:
            course.play(action)
