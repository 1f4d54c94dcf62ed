"""``popejoan simulate`` answers a newcomer, and programs, and says what it lacks."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import typer
from typer.testing import CliRunner

from popejoan.fast.plain import first_answer
from popejoan.fast.policy import Policy
from popejoan.fast.result import SimulationResult
from popejoan.fast.simulate import plan_of, run
from popejoan.rules import Rules
from popejoan.terminal import simulate as command

app = typer.Typer()
command.register(app)
RUN = CliRunner()


def test_it_answers_with_tables_that_explain_themselves() -> None:
    done = RUN.invoke(app, ["simulate", "--deals", "4000"], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    for words in ("4,000 deals in matches of 8", "dealer", "Matrimony", "standard error", "Pope"):
        assert words in done.output


def test_json_csv_parquet_and_the_figure_tell_the_same(tmp_path: Path) -> None:
    from pyarrow import parquet

    files = {kind: tmp_path / f"result.{kind}" for kind in ("csv", "svg", "parquet")}
    arguments = ["simulate", "--deals", "800", "--json", "--rules", "PEEL", "--players", "5"]
    arguments += ["--leads", "random", "--csv", str(files["csv"]), "--plot", str(files["svg"])]
    arguments += ["--parquet", str(files["parquet"])]
    done = RUN.invoke(app, arguments)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["rules"], told["players"], told["leads"]) == ("PEEL", 5, "random")
    with files["csv"].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["what"] for row in rows} == set(told["figures"])
    for row in rows:
        figure = told["figures"][row["what"]][row["of"]]
        assert float(row["mean"]) == figure["mean"]
    assert files["svg"].read_text().startswith("<svg")
    told_of = parquet.read_table(files["parquet"]).to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in told_of] == rows


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name.lower())
def test_the_first_answer_is_what_the_kernel_finds_in_the_same_matches(policy: Policy) -> None:
    plan = plan_of(Rules.CASSELL, players=3, deals=10**6, policy=policy, seed=4)
    told: list[SimulationResult] = []
    heard = Event()

    def tell(result: SimulationResult) -> None:
        told.append(result)
        heard.set()

    with first_answer(plan, tell):
        assert heard.wait(60)
    assert 0 < told[0].matches < plan.matches
    assert told[0].totals == run(replace(plan, matches=told[0].matches)).totals


def test_an_answer_that_comes_too_late_is_not_told() -> None:
    told: list[SimulationResult] = []
    plan = plan_of(Rules.HOYLE, players=4, deals=10**6, policy=Policy.BOOK)
    with first_answer(plan, told.append):
        pass
    assert not told


def test_without_a_second_process_there_is_no_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    told: list[SimulationResult] = []
    plan = plan_of(Rules.HOYLE, players=4, deals=8, policy=Policy.BOOK)
    with first_answer(plan, told.append):
        assert run(plan).complete
    assert not told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--leads", "wild"], "random, book, linear"),
        (["--rules", "NOBODY"], "is no preset"),
        (["--players", "2", "--set", "peek=dealer-sits-out"], "too few"),
        (["--leads", "linear", "--weights", "1,2"], "2 weights for 13 features"),
        (["--leads", "linear", "--weights", "a"], "invalid literal"),
        (["--match", "3", "--set", "equal_deals=true"], "equally"),
        (["--device", "abacus"], "cpu and cuda"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(arguments: list[str], says: str) -> None:
    done = RUN.invoke(app, ["simulate", *arguments], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert says in done.output.replace("\n", " ")


def test_without_numba_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> None:
        raise ModuleNotFoundError(name, name="numba")

    monkeypatch.setattr(command, "import_module", lacking)
    done = RUN.invoke(app, ["simulate"])
    assert done.exit_code == 1
    assert "pip install 'popejoan[fast]'" in done.output


def test_without_a_card_cuda_is_refused_with_what_to_install() -> None:
    done = RUN.invoke(app, ["simulate", "--device", "cuda", "--deals", "8"])
    assert done.exit_code == 1
    assert "popejoan[cuda]" in done.output or "no CUDA card" in done.output


def test_the_book_of_odds_is_printed_and_written(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["odds", "--deals", "1000"], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    for words in (
        "The book of odds",
        "from 1,000 deals",
        "What is each seat worth?",
        "eldest",
        "±",
    ):
        assert words in done.stdout
    folder = tmp_path / "docs"
    done = RUN.invoke(app, ["odds", "--deals", "1000", "--out", str(folder)])
    assert done.exit_code == 0, done.output
    written = set(folder.iterdir())
    assert {Path(line) for line in done.stdout.splitlines()} == written
    assert folder / "odds.md" in written
    assert len(written) == 5
