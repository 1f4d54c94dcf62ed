"""Claims about what people want from the bots: hints, reviews, duels, the league and my_bot."""

from __future__ import annotations

import importlib.util
import json
import pickle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from popejoan import Board, Deal, Round, Rules, View
from popejoan.__main__ import app
from popejoan.advice import arena
from popejoan.advice.arena import Duel, Estimate, duel, engine_gains, match_gains, sequential
from popejoan.advice.hints import hint, reasons
from popejoan.advice.league import put_into
from popejoan.advice.opponents import decide, pool
from popejoan.advice.review import review
from popejoan.advice.telling_review import review_json, review_svg, review_text
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


def test_a_bot_of_twenty_lines_passes_and_beats_a_newcomer() -> None:
    path = Path(__file__).parent.parent / "examples" / "my_bot.py"
    spec = importlib.util.spec_from_file_location("my_bot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    check_bot(module.MyBot, players=(2, 4, 10), worlds=1)


def test_the_ladder_is_made_by_name() -> None:
    for name in LADDER[:-1]:
        assert bot(name) == bot(name, 0)
    assert bot("0") == bot("newcomer")
    assert bot("3") == bot("sharp")


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
