"""``popejoan simulate`` answers a newcomer, and programs, and says what it lacks."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from popejoan.fast.layout import DEFAULT_WEIGHTS, FEATURES
from popejoan.fast.plain import first_answer
from popejoan.fast.plan import Chunk, play
from popejoan.fast.policy import Policy
from popejoan.fast.result import SimulationResult
from popejoan.fast.simulate import plan_of, run
from popejoan.rules import Rules
from popejoan.terminal import outputs
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
        assert (float(row["mean"]) if row["mean"] else None) == figure["mean"]
    assert files["svg"].read_text().startswith("<svg")
    told_of = parquet.read_table(files["parquet"]).to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in told_of] == rows


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name.lower())
def test_the_first_answer_is_what_the_kernel_finds_in_the_same_matches(
    policy: Policy, caplog: pytest.LogCaptureFixture
) -> None:
    plan = plan_of(Rules.CASSELL, players=3, deals=10**6, policy=policy, seed=4)
    told: list[SimulationResult] = []
    heard = Event()

    def tell(result: SimulationResult) -> None:
        told.append(result)
        heard.set()

    with caplog.at_level("DEBUG", "popejoan"), first_answer(plan, tell):
        assert heard.wait(60), caplog.text
    assert 0 < told[0].matches < plan.matches
    assert told[0].totals == run(replace(plan, matches=told[0].matches)).totals


def test_a_first_answer_that_fails_is_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("popejoan.fast.plain._CODE", "raise ArithmeticError('wrong')")
    told: list[SimulationResult] = []
    plan = plan_of(Rules.HOYLE, players=4, deals=8, policy=Policy.BOOK)
    with caplog.at_level("DEBUG", "popejoan"), first_answer(plan, told.append):
        for _ in range(600):
            if caplog.text:
                break
            sleep(0.1)
    assert "ArithmeticError: wrong" in caplog.text
    assert not told


def test_a_first_answer_runs_nothing_of_the_folder_that_the_user_is_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "json.py").write_text("open('ran', 'w').close()", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.chdir(tmp_path)
    heard = Event()
    plan = plan_of(Rules.HOYLE, players=4, deals=10**6, policy=Policy.BOOK)
    with caplog.at_level("DEBUG", "popejoan"), first_answer(plan, lambda _: heard.set()):
        assert heard.wait(60), caplog.text
    assert not (tmp_path / "ran").exists()


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
        (["--leads", "linear", "--weights", "1,a"], "'a' is none"),
        (["--weights", ",".join("1" * 13)], "--leads linear"),
        (["--deals", "9" * 400], "from 1 to 1,000,000,000,000"),
        (["--deals", "0"], "from 1 to"),
        (["--deals", "1.5"], "it is whole"),
        (["--deals", "nan"], "it is whole"),
        (["--deals", "1e999999999"], "it is whole"),
        (["--plot", "a.png"], "ends in .svg"),
        (["--csv", "a", "--parquet", "./a"], "--csv and --parquet both name"),
        (["--cluster", "foo"], "'local', or the address of a Dask scheduler"),
        (["--device", "cuda", "--threads", "2"], "leave out cluster, processes and threads"),
        (["--set", "stakes=pope"], "such as pope:6,game:1"),
        (["--match", "3", "--set", "equal_deals=true"], "equally"),
        (["--device", "abacus"], "cpu and cuda"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(arguments: list[str], says: str) -> None:
    done = RUN.invoke(app, ["simulate", *arguments], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert says in done.output.replace("\n", " ")


def test_help_tells_what_the_ways_to_lead_are_and_every_weight() -> None:
    told = " ".join(RUN.invoke(app, ["simulate", "--help"], env={"COLUMNS": "100"}).output.split())
    for words in ("a stop that is known, else Pope", "each legal card alike", "in 13 ways"):
        assert words in told
    for (name, says), weight in zip(FEATURES.items(), DEFAULT_WEIGHTS, strict=True):
        assert f"{name} {weight} {says}" in told


def test_without_numba_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> None:
        raise ModuleNotFoundError(name, name="numba")

    monkeypatch.setattr("popejoan.terminal.options.import_module", lacking)
    done = RUN.invoke(app, ["simulate"])
    assert done.exit_code == 1
    assert "pip install 'popejoan[fast]'" in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--csv", "/nonexistent/a.csv"], "/nonexistent/a.csv cannot be written: No such file"),
        (["--csv", "."], "cannot be written: Is a directory"),
        (["--plot", "/nonexistent/x.svg"], "/nonexistent/x.svg cannot be written"),
        (["--parquet", "/proc/x.parquet"], "/proc/x.parquet cannot be written"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_played(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_run", _not_played)
    done = RUN.invoke(app, ["simulate", *arguments, "--json"])
    assert done.exit_code == 1
    assert says in done.stderr
    assert not done.stdout


def _not_played(*_: object) -> None:
    raise AssertionError("it was played")


def test_all_faults_of_files_are_told_and_parquet_wants_its_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def lacking(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(outputs, "import_module", lacking)
    kept = tmp_path / "kept.csv"
    kept.write_text("as it is", encoding="utf-8")
    asked = outputs.Outputs(kept, tmp_path / "new", tmp_path / "no" / "a.svg")
    faults = asked.faults()
    assert len(faults) == 2
    assert "a.svg" in faults[0]
    assert "popejoan[parquet]" in faults[1]
    assert [path.name for path in tmp_path.iterdir()] == ["kept.csv"]
    assert kept.read_text(encoding="utf-8") == "as it is"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_file_that_fails_at_last_loses_neither_the_result_nor_the_other_files(
    tmp_path: Path,
) -> None:
    figure = tmp_path / "a.svg"
    done = RUN.invoke(
        app, ["simulate", "--deals", "80", "--json", "--csv", "/dev/full", "--plot", str(figure)]
    )
    assert done.exit_code == 1
    assert json.loads(done.stdout)["deals"] == 80
    assert figure.read_text(encoding="utf-8").startswith("<svg")
    assert "/dev/full cannot be written: No space left" in done.stderr


def test_a_book_of_odds_that_cannot_be_written_is_not_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from popejoan.fast import odds

    monkeypatch.setattr(odds, "make", _not_played)
    (tmp_path / "file").touch()
    for out in ("/proc/nope", tmp_path / "file", tmp_path / "file" / "below"):
        done = RUN.invoke(app, ["odds", "--out", str(out)])
        assert done.exit_code == 1
        assert f"{out} cannot be written" in done.stderr


@pytest.mark.parametrize(("deals", "says"), [("10", "1000 or more"), ("9" * 400, "from 1 to")])
def test_a_book_of_too_few_or_too_many_deals_is_refused(deals: str, says: str) -> None:
    done = RUN.invoke(app, ["odds", "--deals", deals], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert says in done.stderr


@pytest.mark.parametrize(("stopped", "code"), [("interrupted", 130), ("a worker is lost", 1)])
def test_a_part_of_a_result_says_that_it_is_one(
    stopped: str, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = plan_of(Rules.HOYLE, players=4, deals=160, policy=Policy.BOOK)
    totals = tuple(play(plan, Chunk(0, 5)).tolist())
    monkeypatch.setattr(command, "_run", lambda *_: SimulationResult(plan, totals, 0.1, stopped))
    table, figure = tmp_path / "a.csv", tmp_path / "a.svg"
    arguments = ["simulate", "--deals", "160", "--csv", str(table), "--plot", str(figure)]
    done = RUN.invoke(app, [*arguments, "--json"])
    assert done.exit_code == code
    told = json.loads(done.stdout)
    assert (told["complete"], told["stopped"], told["deals"]) == (False, stopped, 40)
    with table.open(newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["what"], first["of"]) == ("partial", f"40 of 160 deals: {stopped}")
    assert f"40 deals of 160: {stopped}" in figure.read_text(encoding="utf-8")
    assert RUN.invoke(app, arguments).exit_code == code


@pytest.mark.parametrize("given", ["4e2", "4_00", "400", "400.0"])
def test_deals_are_written_as_people_write_them(given: str) -> None:
    done = RUN.invoke(app, ["simulate", "--deals", given, "--json"])
    assert json.loads(done.stdout)["deals"] == 400


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_tables_fit_the_screen_with_a_line_a_row(width: int) -> None:
    done = RUN.invoke(app, ["simulate", "--deals", "8000"], env={"COLUMNS": str(width)})
    lines = done.output.splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in done.output
    assert sum("Matrimony" in line for line in lines) == 1
    if width >= 80:
        row = next(line.split() for line in lines if "Matrimony" in line)
        assert len(row) == 10, "a name, never, two shares with their %, two numbers with errors"
    assert "always" in next(line for line in done.output.split("Game", 1)[1].splitlines() if line)


def test_without_numba_cuda_the_card_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("popejoan.fast.cuda.find_spec", lambda _: None)
    done = RUN.invoke(app, ["simulate", "--device", "cuda", "--deals", "8"])
    assert done.exit_code == 1
    assert "pip install 'popejoan[cuda]'" in done.stderr


def test_one_match_is_no_certainty(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    arguments = ["simulate", "--deals", "1", "--csv", str(table), "--plot", str(tmp_path / "a.svg")]
    done = RUN.invoke(app, arguments, env={"COLUMNS": "100"})
    assert done.exit_code == 0
    assert "± 0.0000" not in done.stdout
    assert "One match tells nothing" in done.stdout
    figures = json.loads(RUN.invoke(app, [*arguments, "--json"]).stdout)["figures"]
    assert {figure["error"] for kind in figures.values() for figure in kind.values()} == {None}
    with table.open(newline="") as file:
        assert {row["standard_error"] for row in csv.DictReader(file)} == {""}


def test_an_interrupted_book_of_odds_is_neither_printed_nor_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from popejoan.fast import simulate, spread

    real = spread.workers

    def interrupted(*arguments: Any, **named: Any) -> Iterator[Any]:
        yield from islice(real(*arguments, **named), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "workers", interrupted)
    for more in ([], ["--out", str(tmp_path / "docs")]):
        done = RUN.invoke(app, ["odds", "--deals", "1000", *more])
        assert done.exit_code == 130
        assert done.stdout == ""
        assert "nothing is written" in done.stderr
        assert not list(tmp_path.rglob("*.md"))


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
