"""Claims about replays, the rules in words, and the bench."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.terminal.command import (
    ROOT,
    call,
    refused,
)

from popejoan import Deal, Match, Round, Rules
from popejoan.notation import Record
from popejoan.terminal.bench import Bench


def test_a_record_is_replayed_whole(record: Path) -> None:
    told = call("replay", str(record)).output
    assert told.startswith("2 deals, rules HOYLE")
    for shown in ("Deal 2", "Stock: ", "Jane", "goes out", "All 51 cards", "Board         0"):
        assert shown in told
    assert call("replay", "-", typed=record.read_text(encoding="utf-8")).output == told


@pytest.mark.parametrize("seat", ["Tom", "tom", "1"])
def test_a_view_of_a_record_shows_one_hand(record: Path, seat: str) -> None:
    told = call("replay", str(record), "--view", seat).output
    rounds = Record.read(record.read_bytes()).rounds
    first = told.split("Deal 2")[0]
    from popejoan import drawing

    for other in range(4):
        assert (drawing.hand(rounds[0].deal.hands[other]) in first) is (other == 1)
    assert f"Stock: {drawing.hand(rounds[0].deal.stock)}" not in first


def test_a_view_of_nobody_at_the_table_is_refused_with_who_there_is(record: Path) -> None:
    says = refused("replay", str(record), "--view", "Zed", code=2)
    assert "there are 0 Jane, 1 Tom, 2 Anne, 3 Ben" in says
    assert "nobody" in refused("replay", str(record), "--view", "9", code=2)


def test_a_view_of_one_who_sat_out_a_deal_is_a_spectators(tmp_path: Path) -> None:
    match = Match.start(players=3, seed=3).leave(1).deal()
    file = tmp_path / "x.record"
    file.write_text(Record.of(match).text, encoding="utf-8")
    told = call("replay", str(file), "--view", "1").output
    assert "Player 1 does not sit in this deal" in told


def test_a_damaged_record_is_replayed_as_far_as_it_goes(record: Path) -> None:
    text = record.read_text(encoding="utf-8").replace("\ndeal 2\n", "\ndeal 3\n")
    done = call("replay", "-", typed=text)
    assert done.exit_code == 1
    assert "Deal 1" in done.output
    assert re.search(r"-: line \d+: deal 2 comes next, not deal 3", done.stderr)


def test_a_record_and_a_json_deal_come_to_json(record: Path) -> None:
    outcomes = json.loads(call("replay", str(record), "--json").output)
    assert [outcome["over"] for outcome in outcomes] == [True, True]
    deal = Deal.shuffle(1)
    asked = {
        "rules": "HOYLE", "dealer": 0, "board": {}, "leads": [],
        "deal": {
            "hands": [hand.text.split() for hand in deal.hands],
            "turn_up": repr(deal.turn_up), "stock": deal.stock.text.split(),
        },
    }  # fmt: skip
    done = call("replay", "-", "--json", typed=json.dumps(asked))
    assert json.loads(done.output)["legal"] == Round.start(Rules.HOYLE, deal).legal.text.split()
    lines = json.dumps(asked) + "\n"
    done = call("replay", "-", "--json-lines", typed=lines * 2)
    assert [json.loads(line)["leader"] for line in done.output.splitlines()] == [1, 1]


def test_a_wrong_deal_in_json_is_answered_in_json_with_1(tmp_path: Path) -> None:
    done = call("replay", "-", "--json", typed='{"rules": "HOYLE"}')
    assert done.exit_code == 1
    assert set(json.loads(done.output)) == {"error", "at"}
    file = tmp_path / "deals.jsonl"
    file.write_text("{}\n[]\n", encoding="utf-8")
    done = call("replay", str(file), "--json-lines")
    assert done.exit_code == 1
    assert len(done.output.splitlines()) == 2


def test_the_rules_are_told_with_clause_and_book_in_words_and_in_json() -> None:
    told = call("rules", "peel", "--set", "purse=36").output
    assert told.startswith("Rules: PEEL purse=36")
    assert re.search(r"\n5\.2  .* \[", told)
    fields = json.loads(call("rules", "--json").output)["fields"]
    assert {field["field"] for field in fields} == set(Rules.HOYLE.as_dict())


def test_two_sets_of_rules_are_compared() -> None:
    told = call("rules", "CASSELL", "--compare", "HOYLE").output
    assert "Which cards may be led?" in told
    assert "CASSELL: Any card may be led." in told
    assert "Where does the ace stand?" not in told
    assert "They are the same." in call("rules", "HOYLE", "--compare", "hoyle").output
    compared = json.loads(call("rules", "CASSELL", "--compare", "HOYLE", "--json").output)
    assert {field["this"]["field"] for field in compared["fields"]} == {"lead", "stock"}


def test_bench_prints_the_digest_on_file_and_rounds_a_second() -> None:
    digest = (ROOT / "tests" / "signature.txt").read_text(encoding="ascii").strip()
    found = json.loads(call("bench", "--json").output)
    assert found["digest"] == digest
    assert found["rounds"] > 100
    assert found["ratio"] == pytest.approx(found["rounds"] / found["spins"] * 1_000_000)


def test_bench_prints_a_line_for_each_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("popejoan.terminal.bench.measured", lambda: Bench(12_000, 24_000_000))
    monkeypatch.setattr("popejoan.advice.signature.digest", lambda: "abc")
    told = call("bench").output
    assert told.startswith("digest  abc\nrounds  12,000 a second")
    assert told.endswith("ratio   500 rounds a million spins\n")
