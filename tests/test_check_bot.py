"""Claims about check_bot: the project's own bots pass, and each kind of bad bot is caught."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable

import pytest

from popejoan import Card, CardSet, Round, Rules, View
from popejoan.advice import master, quick
from popejoan.bots import LADDER, Bot, bot
from popejoan.testing import BotFault, check_bot

ANY = {"CASSELL": Rules.CASSELL}


@pytest.mark.parametrize("name", ["newcomer", "book", "counter", "sharp"])
def test_every_bot_of_the_ladder_passes(name: str) -> None:
    report = check_bot(lambda seed: bot(name, seed), players=(2, 4, 7, 10), worlds=2)
    assert report.deals == 4 * len(Rules.presets())
    assert report.worlds >= report.deals


@pytest.mark.parametrize(("make", "players"), [(master, 4), (quick, 3), (quick, 6)])
def test_a_bot_that_searches_passes(make: Callable[[int], Bot], players: int) -> None:
    report = check_bot(make, players=(players,), worlds=1)
    assert report.deals == len(Rules.presets())


@pytest.mark.slow
@pytest.mark.parametrize("name", LADDER)
def test_every_bot_passes_with_any_number_of_players(name: str) -> None:
    check_bot(lambda seed: bot(name, seed), seeds=(1, 2), worlds=2, seconds=30)


class Peeking:
    """Looks for the truth in whoever called it, and leads a card that is a stop in secret."""

    def choose(self, view: View) -> Card:
        frame = sys._getframe(1)
        while frame.f_back is not None:
            for value in frame.f_locals.values():
                if isinstance(value, Round):
                    dead = CardSet(view.rules.order.below(value.dead.mask))
                    return next(iter(view.legal & dead), view.legal[0])
            frame = frame.f_back
        return view.legal[0]


def test_a_bot_that_looks_at_the_truth_behind_the_view_is_caught() -> None:
    with pytest.raises(BotFault, match="cannot see"):
        check_bot(lambda _: Peeking(), presets=ANY, seeds=range(5), players=(4,))


class Whispering:
    """Tells its partner in the next seats what it holds, behind the table's back."""

    told: dict[int, CardSet] = {}  # noqa: RUF012 - the whisper is shared on purpose

    def choose(self, view: View) -> Card:
        assert view.seat is not None
        self.told[view.seat] = view.hand
        known = CardSet()
        for seat, hand in self.told.items():
            known |= hand if seat != view.seat else CardSet()
        mine = [card for card in view.legal if view.rules.order.following[card] not in known]
        return mine[0] if mine else view.legal[-1]


def test_bots_that_tell_each_other_their_hands_are_caught() -> None:
    with pytest.raises(BotFault):
        check_bot(lambda _: Whispering(), presets=ANY, seeds=range(5), players=(4,), worlds=9)


class Refusing:
    """Leads a card that it does not hold."""

    def choose(self, view: View) -> Card:
        return next(card for card in view.unseen if card not in view.hand)


def test_a_bot_that_leads_an_illegal_card_is_caught_with_the_reason() -> None:
    with pytest.raises(BotFault, match="is not in your hand"):
        check_bot(lambda _: Refusing(), players=(4,))


def test_a_bot_that_changes_its_mind_is_caught() -> None:
    turn = itertools.count()

    class Fickle:
        def choose(self, view: View) -> Card:
            return view.legal[next(turn) % len(view.legal)]

    with pytest.raises(BotFault, match="the same seed and view give"):
        check_bot(lambda _: Fickle(), presets=ANY, players=(4,))


def test_a_bot_that_thinks_too_long_is_caught() -> None:
    class Slow:
        def choose(self, view: View) -> Card:
            time.sleep(0.02)
            return view.legal[0]

    with pytest.raises(BotFault, match="seconds"):
        check_bot(lambda _: Slow(), presets=ANY, players=(4,), seconds=0.01)


def test_what_is_no_card_is_caught() -> None:
    class Numbering:
        def choose(self, view: View) -> int:
            return int(view.legal[0])

    make: Callable[[int], Bot] = lambda _: Numbering()  # type: ignore[assignment,return-value]  # noqa: E731
    with pytest.raises(BotFault, match="is not a Card"):
        check_bot(make, players=(4,))


def test_a_claim_that_is_not_due_is_dropped() -> None:
    class Greedy:
        def choose(self, view: View) -> Card:
            return view.legal[0]

        def claims(self, view: View) -> tuple[object, ...]:
            return tuple(view.rules.compartments)

    check_bot(lambda _: Greedy(), presets={"HOYLE": Rules.HOYLE}, players=(4,), seeds=(1, 3))
