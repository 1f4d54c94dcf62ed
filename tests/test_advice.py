"""Claims about what people want from the bots: hints, reviews, duels, the league and my_bot."""

from __future__ import annotations

import importlib.util
import json
import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from popejoan import Board, Card, Deal, Round, Rules, View, bots
from popejoan.__main__ import app
from popejoan.advice import arena, opponents
from popejoan.advice.arena import Duel, Estimate, duel, engine_gains, match_gains, sequential
from popejoan.advice.hints import hint, reasons
from popejoan.advice.league import mixed_tables, put_into
from popejoan.advice.opponents import decide, pool
from popejoan.advice.review import review
from popejoan.advice.review_report import review_json, review_svg, review_text
from popejoan.board import Compartment
from popejoan.bots import LADDER, bot
from popejoan.bots.playouts import EnginePlayouts
from popejoan.notation import Record
from popejoan.testing import check_bot

FEW = EnginePlayouts(usual=6)


def played(rules: Rules, seed: int, name: str = "book", players: int = 4) -> Round:
    round_ = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    return arena.played(round_, [bot(name)] * players)


# Hints


def test_a_hint_names_a_legal_lead_and_a_runner_up() -> None:
    for name, rules in Rules.presets().items():
        for seed in range(3):
            round_ = Round.start(rules, Deal.shuffle(seed, rules=rules))
            if round_.over:
                continue
            view = View.of(round_, round_.to_act)
            found = hint(view, made_by=FEW)
            assert found.lead in view.legal, name
            assert found.runner_up != found.lead
            assert found.gain >= 0
            json.dumps(found.as_dict())


def test_a_hint_is_the_same_for_the_same_view() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(4, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    assert hint(view, made_by=FEW) == hint(view, made_by=FEW)


def test_there_is_no_hint_for_a_seat_that_has_no_lead() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(4, rules=Rules.CASSELL))
    assert round_.to_act is not None
    with pytest.raises(ValueError, match="no lead to make"):
        hint(View.of(round_, (round_.to_act + 1) % 4))


def test_reasons_are_true_of_the_view() -> None:
    seen = set()
    for seed in range(60):
        round_ = Round.start(Rules.CASSELL, Deal.shuffle(seed, rules=Rules.CASSELL))
        while round_.to_act is not None:
            view = View.of(round_, round_.to_act)
            for lead in view.legal:
                told = " ".join(reasons(view, lead, ascii=True))
                after = round_.lead(lead)
                if "you keep the lead" in told:
                    assert after.to_act == round_.to_act
                    seen.add("keep")
                if "puts you out" in told:
                    assert after.winner == round_.to_act
                    seen.add("out")
                if "It takes Pope" in told:
                    assert after.board[Compartment.POPE] == 0
                    seen.add("pope")
                if "Nobody can lead up to" in told:
                    seen.add("cut off")
            round_ = round_.lead(bot("sharp").choose(view))
    assert seen == {"keep", "out", "pope", "cut off"}


# Reviews


def test_a_review_tells_every_lead_and_is_the_same_again() -> None:
    round_ = played(Rules.CASSELL, 3)
    one, two = (review(round_, made_by=FEW, worlds=8, open_cards=False) for _ in range(2))
    assert one == two
    assert [each.lead for each in one.leads] == list(round_.leads)
    text = review_text(one, ["Anne", "Ben", "Clara", "Dan"], ascii=True)
    assert "Anne" in text
    assert "Turning points" in text


def test_luck_and_skill_add_up_to_the_result() -> None:
    for preset in (Rules.CASSELL, Rules.HOYLE):
        found = review(played(preset, 5), made_by=FEW, worlds=8, open_cards=False)
        for seat in found.seats:
            assert seat.expected + seat.skill + seat.luck == pytest.approx(seat.result)
            assert seat.skill <= 0


def test_a_cost_is_told_only_where_it_is_more_than_chance() -> None:
    found = review(played(Rules.CASSELL, 3, "newcomer"), made_by=FEW, worlds=24, open_cards=False)
    for each in found.leads:
        made = each.difference
        if each.cost:
            assert made is not None
            assert each.cost >= max(1.0, 3 * made.error)


def test_the_open_cards_stand_beside_and_never_lose_to_the_lead_made() -> None:
    pytest.importorskip("numba")
    found = review(played(Rules.HOYLE, 7), made_by=FEW, worlds=4)
    assert found.leads[0].open_cards is not None
    assert all(each.open_cards.loss >= 0 for each in found.leads if each.open_cards)


def test_a_stake_left_unclaimed_makes_no_lead_better_or_worse() -> None:
    deal = Deal.shuffle(2, players=3)
    claimed, left = (
        Round.start(Rules.HOYLE, deal, claiming=[on] * 3).playout(lambda legal: legal[0])
        for on in (True, False)
    )
    assert claimed.balances != left.balances
    one, other = (review(each, made_by=FEW, worlds=4, open_cards=False) for each in (claimed, left))
    assert [each.fortunes for each in one.leads] == [each.fortunes for each in other.leads]
    assert [each.swing for each in one.leads] == [each.swing for each in other.leads]
    assert [seat.result for seat in other.seats] == list(left.balances)


def test_a_review_is_json_and_a_picture() -> None:
    found = review(played(Rules.CASSELL, 3), made_by=FEW, worlds=4, open_cards=False)
    assert json.loads(json.dumps(review_json(found)))["worlds"] == 4
    assert ET.fromstring(review_svg(found, ["<A>", "B"])).tag.endswith("svg")


def test_a_deal_that_ended_with_the_turn_up_has_no_leads_to_review() -> None:
    seed = next(n for n in range(500) if Deal.shuffle(n).turn_up == 21)
    found = review(Round.start(Rules.HOYLE, Deal.shuffle(seed)), made_by=FEW)
    assert found.leads == ()
    assert [seat.luck for seat in found.seats] == [0.0] * 4


# The arena


@pytest.mark.parametrize("names", [("book", "counter"), ("sharp", "counter"), ("counter", "book")])
def test_the_kernel_plays_a_duel_as_the_engine_does(names: tuple[str, str]) -> None:
    pytest.importorskip("numba")
    for rules in (Rules.CASSELL, Rules.PARLETT, Rules.HOYLE):
        asked = Duel(*names, rules, 4, 3)
        for match in range(2):
            assert match_gains(asked, match, 4) == engine_gains(asked, match, 4)


def test_a_bot_gains_nothing_on_itself() -> None:
    assert duel(Duel("book", "book", Rules.CASSELL), range(5)).mean == 0


@pytest.mark.parametrize(
    ("upper", "lower"), [("book", "newcomer"), ("counter", "book"), ("sharp", "counter")]
)
def test_each_level_beats_the_one_below(upper: str, lower: str) -> None:
    pytest.importorskip("numba")
    found = duel(Duel(upper, lower, Rules.CASSELL), range(100))
    assert found.interval[0] > 0


@pytest.mark.slow
def test_master_beats_sharp() -> None:
    pytest.importorskip("numba")
    assert duel(Duel("master", "sharp", Rules.CASSELL), range(60)).interval[0] > 0


def test_an_estimate_is_the_mean_with_its_error() -> None:
    found = Estimate().add([1, 2]).add([3])
    assert (found.number, found.mean) == (3, 2)
    assert found.error == pytest.approx(1 / 3**0.5)


def test_the_sequential_test_stops_when_it_is_clear_either_way() -> None:
    stop = sequential(edge=0.5)
    assert not stop(Estimate().add([1, -1] * 40))
    assert stop(Estimate().add([1.5, 0.5] * 60))
    assert stop(Estimate().add([-1.5, 0.5] * 60))
    assert not stop(Estimate().add([100, -99] * 60))


def test_bots_take_turns_at_a_table() -> None:
    won, board = arena.table_deal(["book", "newcomer", "book"], Rules.CASSELL, 1, 0, Board())
    assert len(won) == 3
    assert sum(won) <= 0 < board.total


@pytest.mark.parametrize("players", range(2, 11))
def test_all_levels_meet_equally_often_at_the_tables_that_rate_them(players: int) -> None:
    met: Counter[str] = Counter()
    pairs: Counter[frozenset[str]] = Counter()
    for names in islice(mixed_tables(players), 50):
        assert len(names) == players
        met.update(names)
        pairs.update({frozenset(pair) for pair in combinations(names, 2) if len(set(pair)) == 2})
    assert set(met) == set(LADDER)
    assert len(set(met.values())) == 1
    assert len(pairs) == 10
    assert len(set(pairs.values())) == 1


def test_a_table_is_put_in_the_place_of_the_last() -> None:
    one = put_into("# Bots\n", "<!-- league: made by popejoan arena --league; do not edit -->\n1\n")
    assert one.endswith("1\n\n")


# The commands


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "deal.record"
    path.write_text(Record.of(played(Rules.HOYLE, 3), ["Anne"]).text, encoding="utf-8")
    return path


def run(*words: str) -> Any:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_arena_prints_the_gain_and_its_interval() -> None:
    told = run("arena", "--bots", "newcomer,book", "--field", "book", "--rounds", "16")
    assert "newcomer" in told
    assert "book       +0.00 counters a deal against book" in told
    shown = json.loads(run("arena", "--bots", "1.5", "--field", "book", "--rounds", "8", "--json"))
    assert shown["bots"][0]["deals"] == 8


def test_arena_refuses_a_bot_that_is_not_there() -> None:
    done = CliRunner().invoke(app, ["arena", "--bots", "frob"])
    assert done.exit_code == 2
    assert "no bot is called 'frob'" in done.output


def test_review_and_solve_read_a_record(record: Path, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    picture = tmp_path / "deal.svg"
    told = run("review", str(record), "--worlds", "16", "--ascii", "--svg", str(picture))
    assert "Anne" in told
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    shown = json.loads(run("solve", str(record), "--json"))
    assert len(shown["line"]) >= 1
    assert "Best line" in run("solve", str(record), "--after", "2")


def test_a_deal_that_is_not_in_the_record_is_refused(record: Path) -> None:
    done = CliRunner().invoke(app, ["review", str(record), "--deal", "9"])
    assert done.exit_code == 1


def test_a_bot_of_twenty_lines_passes_beats_a_newcomer_and_sits_at_a_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = Path(__file__).parent.parent / "examples" / "my_bot.py"
    spec = importlib.util.spec_from_file_location("my_bot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    check_bot(module.MyBot, players=(2, 4, 10), worlds=1)
    monkeypatch.setattr(bots, "_added", lambda: [EntryPoint("mine", "my_bot:MyBot", bots.GROUP)])
    monkeypatch.setitem(sys.modules, "my_bot", module)
    assert duel(Duel("mine", "newcomer", Rules.CASSELL), range(20)).interval[0] > 0
    told = run("arena", "--bots", "mine", "--field", "newcomer", "--rounds", "8")
    assert told.startswith("mine")
    played = CliRunner().invoke(
        app,
        ["play", "--bots", "mine", "--deals", "1", "--seed", "3", "--speed", "0", "--no-intro",
         "--file", str(tmp_path / "match.record"), "--ascii"],
        input="1\n" * 60,
    )  # fmt: skip
    assert played.exit_code == 0, played.output
    assert "mine" in (tmp_path / "match.record").read_text(encoding="utf-8")


def test_the_ladder_is_made_by_name() -> None:
    for name in LADDER[:-1]:
        assert bot(name) == bot(name, 0)
    assert bot("0") == bot("newcomer")
    assert bot("3") == bot("sharp")


@pytest.fixture
def without_numba() -> Iterator[None]:
    """As if it were not installed; what is remembered of that goes with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opponents, "compiled", lambda: False)
        opponents.playouts.cache_clear()
        yield
    opponents.playouts.cache_clear()


@pytest.mark.usefixtures("without_numba")
def test_without_the_kernel_the_same_bots_play_on_the_engine_and_it_is_said() -> None:
    assert isinstance(opponents.playouts(), EnginePlayouts)
    round_ = Round.start(Rules.PARLETT, Deal.shuffle(4, rules=Rules.PARLETT))
    view = View.of(round_, round_.to_act)
    assert opponents.quick().choose(view) in view.legal
    assert opponents.master().choose(view) in view.legal
    assert hint(view, worlds=4).lead in view.legal
    for names in (["master"], ["book", "3.5"], []):
        note = opponents.on_the_engine(*names)
        assert note is not None
        assert "Numba is not installed" in note
        assert "24 worlds" in note
    assert opponents.on_the_engine("sharp", "3") is None
    told = CliRunner().invoke(app, ["arena", "--bots", "3.01", "--rounds", "1"])
    assert "Numba is not installed" in told.stderr


def test_with_the_kernel_there_is_nothing_to_say() -> None:
    pytest.importorskip("numba")
    assert opponents.on_the_engine("master") is None


def test_a_strength_between_two_levels_leads_as_the_better_the_oftener_the_nearer() -> None:
    lower, upper = bot("counter"), bot("sharp")
    shares = (0.1, 0.25, 0.5, 0.75, 0.9)
    better: dict[float, set[int]] = {share: set() for share in shares}
    apart = 0
    for seed in range(150):
        round_ = Round.start(Rules.CASSELL, Deal.shuffle(seed, rules=Rules.CASSELL))
        if round_.over:
            continue
        view = View.of(round_, round_.to_act)
        low, high = lower.choose(view), upper.choose(view)
        if low == high:
            continue
        apart += 1
        for share in shares:
            chosen = bot(str(2 + share)).choose(view)
            assert chosen in (low, high)
            if chosen == high:
                better[share].add(seed)
    assert apart > 30
    for one, two in pairwise(shares):
        assert better[one] < better[two]
    for share in shares:
        assert len(better[share]) == pytest.approx(share * apart, abs=3 * apart**0.5)


@pytest.mark.slow
def test_a_strength_between_two_levels_wins_what_lies_between() -> None:
    for low, high in (("0", "1"), ("1", "2")):
        gains = [
            duel(Duel(str(int(low) + share), high, Rules.CASSELL), range(40)).mean
            for share in (0, 0.25, 0.5, 0.75, 1)
        ]
        assert gains == sorted(gains)


def test_the_memory_of_master_does_not_grow() -> None:
    resource = pytest.importorskip("resource")
    pytest.importorskip("numba")
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(2, rules=Rules.CASSELL))
    while round_.to_act is not None and len(round_.leads) < 4:
        round_ = round_.lead(bot("counter").choose(View.of(round_, round_.to_act)))
    view = View.of(round_, round_.to_act)

    def most_after(choices: int) -> int:
        for seed in range(choices):
            opponents.master(seed).choose(view)
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = most_after(5)
    assert most_after(15) - before < 4096


def test_a_pool_chooses_as_the_bot_does() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(2, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    assert decide("sharp", 1, view) == bot("sharp").choose(view)
    assert pickle.loads(pickle.dumps(view)) == view


@pytest.mark.slow
def test_a_pool_of_processes_is_warm() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(2, rules=Rules.CASSELL))
    view = View.of(round_, round_.to_act)
    with pool(1) as processes:
        assert processes.submit(decide, "master", 1, view).result() in view.legal

        class Pooled:
            """Has *master* choose in another process, as a server does."""

            def __init__(self, seed: int) -> None:
                self.seed = seed

            def choose(self, view: View) -> Card:
                return processes.submit(decide, "master", self.seed, view).result()

        report = check_bot(Pooled, players=(4,), worlds=1)
        assert report.choices
