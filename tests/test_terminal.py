"""Claims about the command: what it prints, takes and refuses, over pipes and on a terminal."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from popejoan import PACK, Card, CardSet, Deal, Match, Round, Rules, Seat, View
from popejoan.__main__ import app, main
from popejoan.bots import ByTheBook, bot
from popejoan.notation import Record
from popejoan.terminal.bench import Bench
from popejoan.terminal.screen import Screen, fit, wants_ascii
from popejoan.terminal.sitting import Sitting, data_folder, new_file, unfinished
from popejoan.terminal.typed import Unclear, card_typed
from popejoan.terminal.words import hint, may_lead, stop_reason

ROOT = Path(__file__).parent.parent
PLAY = ("play", "--no-intro", "--seed", "5")
ON = "1\n" * 400
"""The first choice, whatever is asked."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder of the test's own, and a terminal of 80 columns."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path / "popejoan"


def call(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=typed, prog_name="popejoan")


def refused(*arguments: str, code: int, typed: str = "") -> str:
    """What a refusal says, on one line."""
    done = call(*arguments, typed=typed)
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return " ".join(done.stderr.split())


def shell(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A real run through pipes."""
    return subprocess.run(
        [sys.executable, "-m", "popejoan", *arguments],
        input=typed,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def kept(folder: Path) -> Record:
    """The one record in the folder."""
    (path,) = folder.glob("*.record")
    return Record.read(path.read_bytes())


def lines_of(folder: Path) -> list[str]:
    """The lines of the one record in the folder."""
    (path,) = folder.glob("*.record")
    return path.read_text(encoding="utf-8").splitlines()


# The command itself


def test_help_teaches_with_examples() -> None:
    assert "popejoan play --resume" in call("--help").output
    for command in ("play", "replay", "rules"):
        told = call(command, "--help").output
        assert "Examples:\n    popejoan " in told
        assert max(map(len, told.splitlines())) <= 80


def test_the_version_and_shell_completion_are_there() -> None:
    assert call("--version").output.startswith("popejoan")
    assert "--install-completion" in call("--help").output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frob"], "No such command 'frob'"),
        (["play", "--rules", "FOO"], "'FOO' is no preset: they are HOYLE, CASSELL"),
        (["play", "--rules", ""], "is no preset"),
        (["play", "--set", "lead=up"], "it takes book or any or lowest"),
        (["play", "--set", "lead"], "write a field as name=value"),
        (["play", "--set", "ace=high"], "it wants ace=low"),
        (["play", "--players", "11"], "10"),
        (["play", "--players", "1"], "2"),
        (["play", "--players", "ten"], "valid integer"),
        (["play", "--players", "2", "--names", "A,B,C"], "3 names are given for 2 players"),
        (["play", "--names", "A,,B"], "a name is empty"),
        (["play", "--names", "A,a"], "two players have one name"),
        (["play", "--names", "A\x1b[2J"], "cannot stand in a line"),
        (["play", "--bots", "shark"], "no bot is called 'shark': they are newcomer, book"),
        (["play", "--deals", "-1"], "0"),
        (["play", "--deals", "3", "--set", "equal_deals=true"], "play 4"),
        (["play", "--players", "2", "--set", "peek=dealer-sits-out"], "3 or more must play"),
        (["play", "--seed", "-1"], "0"),
        (["play", "--speed", "x"], "valid number"),
        (["play", "--resume", "--seed", "1"], "leave out --seed"),
        (["play", "--resume", "--set", "lead=any"], "leave out --set"),
        (["rules", "FOO"], "'FOO' is no preset"),
        (["rules", "--compare", "FOO"], "'FOO' is no preset"),
        (["rules", "--set", "frob=1"], "is no field of the rules"),
        (["replay", "x", "--json", "--json-lines"], "choose one"),
        (["replay"], "Missing argument"),
    ],
)
def test_wrong_usage_is_refused_with_2_and_what_would_do(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["replay", "nowhere.record"], "nowhere.record cannot be read: No such file"),
        (["replay", "-"], "write 'Pope Joan record 1'"),
        (["replay", ".", "--json-lines"], "cannot be read"),
        (["play", "--resume"], "begin one with 'popejoan play'"),
        (["play", "--resume", "--file", "nowhere.record"], "cannot be read: No such file"),
    ],
)
def test_wrong_input_is_refused_with_1_and_why(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments, code=1)


# Cards as people type them

LEGAL = tuple(CardSet.parse("3C 7C KS JD 9D AS 10H"))


@pytest.mark.parametrize("card", list(PACK), ids=repr)
def test_every_card_can_be_typed_in_every_way(card: Card) -> None:
    letter, rank = card.suit.letter, "10" if repr(card)[0] == "T" else repr(card)[0]
    name = card.rank.name.lower()
    ways = [
        repr(card), str(card), rank + letter, (rank + letter).lower(), letter + rank,
        (letter + rank).lower(), card.suit.pip + rank, f"{rank} {letter}", card.words,
        f"the {card.words.upper()}", f"{rank} of {card.suit.name}", f"{name} {card.suit.name[:2]}",
        f"{card.suit.name.lower()}, {name}", f"  {card!s}\ufe0e ",
    ]  # fmt: skip
    for text in ways:
        assert card_typed(text, ()) == card, text
    if name == "knave":
        assert card_typed(card.words.replace("knave", "jack"), ()) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("knave", "JD"), ("jack", "JD"), ("kn", "JD"), ("j", "JD"), ("k", "KS"), ("ki", "KS"),
        ("pope", "9D"), ("po", "9D"), ("pope joan", "9D"), ("a", "AS"), ("ace", "AS"),
        ("h", "10H"), ("hearts", "10H"), ("10", "10H"), ("t", "10H"), ("9", "9D"), ("1", "3C"),
        ("2", "7C"), ("#2", "7C"), ("# 7", "KS"), ("sev", "7C"),
    ],
)  # fmt: skip
def test_half_a_name_or_a_number_will_do_where_it_is_clear(text: str, card: str) -> None:
    assert card_typed(text, LEGAL, LEGAL) == Card.parse(card)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("7", "7 is both choice 7, K♠, and the rank of 7♣: write #7"),
        ("s", "fits more than one card: A♠ K♠"),
        ("d", "fits more than one card: 9♦ J♦"),
        ("queen", "no card in your hand fits 'queen'"),
        ("#9", "there is no choice 9: the choices are 1 to 7"),
        ("#0", "there is no choice 0"),
        ("99", "there is no choice 99"),
        ("8d", "the eight of diamonds is not in the pack"),
        ("frob", "is no card and no word of the game"),
        ("", "is no card"),
        ("seven of", "is no card"),
        ("seven clubs spades", "is no card"),
        ("clubs spades", "is no card"),
        ("²", "is no card"),
        ("x" * 99, "xxx~"),
        ("\ufffd", "is no card"),
    ],
)
def test_what_is_not_clear_is_refused_with_what_would_do(text: str, says: str) -> None:
    if text == "seven of":
        assert card_typed(text, LEGAL, LEGAL) == Card.parse("7C")
        return
    with pytest.raises(Unclear, match=re.escape(says)):
        card_typed(text, LEGAL, LEGAL)


def test_a_number_with_one_choice_or_none_is_refused_in_words() -> None:
    with pytest.raises(Unclear, match="the choices are 1 alone"):
        card_typed("#5", LEGAL[:1])
    with pytest.raises(Unclear, match="the choices are none"):
        card_typed("#1", ())


def test_a_card_in_hand_is_understood_though_it_may_not_be_led() -> None:
    assert card_typed("kna", LEGAL[:1], LEGAL) == Card.parse("JD")


# A match over a pipe


@pytest.mark.parametrize("preset", Rules.presets())
@pytest.mark.parametrize("players", ["2", "10"])
def test_a_whole_match_is_played_over_a_pipe(preset: str, players: str, folder: Path) -> None:
    done = call(*PLAY, "-r", preset, "-p", players, "--deals", "2", typed=ON)
    assert done.exit_code == 0, done.output
    assert "Deal 2 of 2" in done.output
    assert re.search(r"(wins?) the match\.", done.output)
    match = kept(folder).match()
    assert match.over
    assert len(match.past) == 2
    assert sum(match.purses) + match.board.total == 48 * int(players)
    assert max(map(len, done.output.splitlines())) <= 80 + len(str(folder))


def test_the_table_shows_all_that_a_player_may_know() -> None:
    told = call(*PLAY, "--names", "Jane,Tom").output
    for shown in (
        "The first knave dealt round face up", "dresses the board with 15 counters",
        "is turned up:", "│ Pope │", "Turn-up", "Stock: 6 cards", "You", "Tom", "counters",
        "Your hand:", "You may lead:", "must be led first",
    ):  # fmt: skip
        assert shown in told


def test_the_same_seed_is_the_same_match() -> None:
    first, second = (call(*PLAY, "--deals", "1", typed=ON).output for _ in range(2))
    assert (
        first.rpartition("The record is kept")[0].replace("", "")
        == second.rpartition("The record is kept")[0]
    )


def test_without_a_seed_the_cards_come_from_the_system(folder: Path) -> None:
    for _ in range(2):
        call("play", "--no-intro", "--deals", "1", typed=ON)
    one, two = (Record.read(path.read_bytes()).rounds[0].deal for path in folder.glob("*.record"))
    assert one != two


def test_the_introduction_fits_one_screen_and_is_shown_once() -> None:
    first = call("play").output
    again = call("play").output
    assert "Pope Joan is a game of runs and stops" in first
    assert "Pope Joan is a game of runs and stops" not in again
    assert "Pope Joan is a game of runs and stops" in call("play", "--intro").output
    lines = first.split("\n\nThe first knave")[0].splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


def test_in_a_c_locale_only_ascii_is_written() -> None:
    names = "Jöhn,עברית,🎩,Zoë"
    done = shell(*PLAY, "-p", "10", "--names", names, "--deals", "1", typed=ON, LANG="C")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "Zoe" in done.stdout
    assert "Player 1" in done.stdout
    assert shell("rules", LC_ALL="POSIX", LANG="C.UTF-8").stdout.isascii()


def test_signs_can_be_had_or_done_without_whatever_the_locale() -> None:
    assert not shell(*PLAY, "--unicode", LANG="C").stdout.isascii()
    assert shell(*PLAY, "--ascii").stdout.isascii()


@pytest.mark.parametrize(
    ("encoding", "environment", "ascii"),
    [
        ("utf-8", {}, False),
        ("utf-8", {"LANG": "C"}, True),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ("utf-8", {"LANG": "C", "LC_ALL": "en_GB.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, True),
        ("cp1252", {}, True),
        ("frob", {}, True),
        (None, {}, True),
    ],
)
def test_letters_are_written_where_the_terminal_has_no_signs(
    encoding: str | None, environment: dict[str, str], ascii: bool
) -> None:
    out = SimpleNamespace(encoding=encoding)
    assert wants_ascii(out, environment) is ascii  # type: ignore[arg-type]


def test_no_colour_is_written_over_a_pipe() -> None:
    assert "\x1b" not in shell(*PLAY, "--deals", "1", typed=ON, FORCE_COLOR="").stdout


def test_a_narrow_terminal_gets_narrow_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    for players in ("2", "4", "10"):
        told = call(*PLAY, "-p", players, "--deals", "1", typed=ON).output
        assert all(
            len(line) <= 44 or "popejoan" in line or "/" in line for line in told.splitlines()
        )


# Words at the table

WORDS = {
    "?": "what the book would lead",
    "help": "what the book would lead",
    "hint": "The book leads ",
    "board": "│ Pope │",
    "hand": "Your hand:",
    "stops": "Stops that you know",
    "stock": "Only the dealer may look at the stock",
    "log": "dresses the board",
    "claims": "Your claims are on",
    "claims off": "No claim is made for you any more",
    "claims on": "Your claims are on",
    "claim": "Claim what?",
    "claim frob": "Claim what?",
    "claim pope": "You have no claim on Pope: due to you is nothing.",
    "claim all": "Nothing is due to you.",
    "rules": "5.2  A player on lead leads",
    "hin": "The book leads ",
    "ru": "5.2  A player on lead",
    "q": "Write 'quit' to leave, or 'queen'",
    "frob": "'frob' is no card and no word of the game",
    "": "You may lead:",
    "8d": "The eight of diamonds is not in the pack",
    "quit": "You leave the table. Nothing is lost",
    "exit": "You leave the table. Nothing is lost",
}


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_answered(word: str) -> None:
    first = call(*PLAY).output
    done = call(*PLAY, typed=f"{word}\n")
    assert done.exit_code == 0
    answer = done.output[first.index("Lead> ") :]
    assert WORDS[word] in answer


def test_a_card_that_may_not_be_led_is_refused_with_the_reason() -> None:
    told = call(*PLAY, typed="2h\nkc\n").output
    assert "2♥ may not be led: a known stop must be led first: K♦ K♥." in told
    assert "K♣ is not in your hand." in told


def test_the_dealer_may_look_at_the_stock() -> None:
    for seed in range(20):
        told = call("play", "--no-intro", "--seed", str(seed), typed="stock\n").output
        if "You dress the board" in told:
            assert "The stock:  " in told
            return
    raise AssertionError("you never deal first")


def test_by_rules_that_hide_the_stock_nobody_looks() -> None:
    told = call(*PLAY, "-r", "PEEL", typed="stock\nclaims off\n").output
    assert "nobody may look at the stock" in told
    assert "there is nothing to claim" in told


def test_enter_leads_the_only_card_and_shows_the_choices_where_there_are_more() -> None:
    told = call(*PLAY, typed="kd\nkh\n\n").output
    assert "Your hand:" in told
    one = call(*PLAY, typed="1\n1\n\n\n").output
    assert re.search(r"Enter leads \S+> \nYou lead", one)


def test_a_stake_is_claimed_by_call_when_claims_are_off(folder: Path) -> None:
    told = call(*PLAY, typed="claims off\nkd\nclaim king\nboard\nclaim king\nclaims on\n").output
    assert "You earn King, 1 counter." in told
    assert "You take King, 1 counter." in told
    assert "You have no claim on King: due to you is nothing." in told
    assert "Claims are made for you from now on." in told


def test_a_stake_not_claimed_is_shown_due_and_can_be_claimed_until_the_match_is_over() -> None:
    told = call(
        *PLAY, "--deals", "1", typed="claims off\nkd\nboard\n" + "1\n" * 3 + "frob\n" + ON
    ).output
    assert "Due to you: King, 1 counter." in told


def test_between_deals_a_player_may_stop_and_the_stakes_are_divided() -> None:
    typed = "1\n" * 4 + "frob\nhint\n?\nlog\nstop\n"
    told = call(*PLAY, "--deals", "0", typed=typed).output
    assert "Press Enter for the next deal, 'stop' to end" in told
    assert "There is nothing to lead now." in told
    assert "go by a last deal" in told
    assert "All 51 cards are dealt face up" in told
    assert "won or lost" in told


def test_a_match_that_may_not_end_yet_goes_on() -> None:
    typed = "1\n" * 4 + "stop\n"
    told = call(*PLAY, "--set", "equal_deals=true", typed=typed).output
    assert "The match cannot end: not all have dealt equally often." in told


def test_stakes_that_stay_are_told() -> None:
    told = call(*PLAY, "--deals", "1", "--set", "ending=stays", typed=ON).output
    assert "stay on the board for another day" in told


def test_a_dealer_who_sits_out_is_told_so() -> None:
    for seed in range(20):
        done = call(
            "play", "--no-intro", "--seed", str(seed), "--set", "peek=dealer-sits-out",
            typed="1\n" * 40 + "hand\nstock\n",
        )  # fmt: skip
        if "each of the others" in done.output and "You deal " in done.output:
            return
    raise AssertionError("you never deal")


def test_bots_are_seated_by_turns(folder: Path) -> None:
    call(*PLAY, "--bots", "newcomer,book")
    (path,) = folder.glob("*.record")
    assert "bots: newcomer book newcomer\n" in path.read_text(encoding="utf-8")


# What a player is told about a choice


def test_the_hint_gives_the_books_reason_for_each_kind_of_lead() -> None:
    said = set()
    for seed in range(40):
        round_ = Round.start(Rules.HOYLE, Deal.shuffle(seed))
        while round_.to_act is not None:
            view = View.of(round_, round_.to_act)
            told = hint(view)
            card = bot("book").choose(view)
            assert told.startswith(f"The book leads {card}.")
            said.add(re.sub(r"[\d♣♦♥♠]|hearts|clubs|spades|diamonds", "", told)[-25:])
            assert may_lead(view).endswith(".")
            round_ = round_.lead(card)
    assert len(said) > 6


@pytest.mark.parametrize("lead", ["any", "lowest", "lowest-in-hand"])
def test_what_may_be_led_is_told_for_every_rule_of_leads(lead: str) -> None:
    told = call(*PLAY, "--set", f"lead={lead}").output
    assert re.search(r"You (may|must) lead (any card|the lowest)", told)


def test_why_a_stop_is_one_is_told_from_what_the_seat_knows() -> None:
    deal = Deal.read(
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC 2H 3H 4H 5H / "
        "AC KC AD 2D 3D 4D 5D 6D 7D 9D TD JD QD KD AH / "
        "6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S | KS | 8S 9S TS JS QS"
    )
    round_ = Round.start(Rules(hand_size=15), deal, dealer=Seat(2))
    view = View.of(round_, 2)
    assert stop_reason(view, Card.parse("7S")) == "8♠ is in the stock"
    assert stop_reason(view, Card.parse("QS"), ascii=True) == "KS is the turn-up"
    assert stop_reason(view, Card.parse("7D"), ascii=True) == "8D is not in the pack"
    assert stop_reason(view, Card.parse("KH")) == "its suit ends there"


# Leaving and going on


def finished(folder: Path) -> str:
    """The record of the finished match, without the lines that only tell where it stands."""
    (path,) = folder.glob("*.done.record")
    return path.read_text(encoding="utf-8")


def test_a_match_left_after_every_card_is_the_match_played_at_one_go(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(*PLAY, "-p", "3", "--deals", "2", typed=ON)
    whole = finished(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "again"))
    told = call(*PLAY, "-p", "3", "--deals", "2", typed="1\n").output
    times = 0
    while "the match." not in told:
        done = call("play", "--resume", typed="1\n")
        assert done.exit_code == 0
        told = done.output
        times += 1
    assert times > 5
    assert finished(tmp_path / "again" / "popejoan") == whole


def test_a_new_match_leaves_the_unfinished_one_alone(folder: Path) -> None:
    call(*PLAY)
    told = call("play", "--seed", "6", "--deals", "1", typed=ON).output
    assert "A match is left unfinished: popejoan play --resume" in told
    assert "Deal 1 of 4 goes on" in call("play", "--resume").output


def test_a_match_is_kept_in_a_file_of_ones_choice(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    assert "is there already" in refused(*PLAY, "--file", str(file), code=1)
    assert "goes on" in call("play", "--resume", "--file", str(file)).output


def test_a_damaged_record_is_not_gone_on_with_and_says_where(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("turn-up", "turnip"), "utf-8")
    assert re.search(r"cannot be gone on with: line \d+: ", refused(
        "play", "--resume", "--file", str(file), code=1
    ))  # fmt: skip


def test_a_match_whose_bot_is_gone_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_text(file.read_text("utf-8").replace("bots: book", "bots: shark"), "utf-8")
    says = refused("play", "--resume", "--file", str(file), code=1)
    assert "no bot is called 'shark'" in says


def test_a_bot_that_cheats_ends_the_command_without_showing_the_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ByTheBook, "choose", lambda self, view: Card.parse("2C"))
    monkeypatch.setattr(sys, "argv", ["popejoan", *PLAY, "--seed", "3"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    says = capsys.readouterr().err
    assert re.fullmatch("popejoan: 2C is not in the hand of seat [1-3]\n", says)


def test_ctrl_c_at_the_introduction_leaves_quietly(terminals: list[Terminal]) -> None:
    terminal = Terminal("play")
    terminals.append(terminal)
    terminal.until("Enter begins> ")
    time.sleep(0.3)
    terminal.type("\x03")
    assert terminal.end() == 0
    assert "Abort" not in terminal.seen


def test_a_record_from_elsewhere_can_be_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "other.record"
    match = Match.start(players=3, seed=3, deals=1).deal()
    file.write_text(Record.of(match, ["Jane"]).text, encoding="utf-8")
    told = call("play", "--resume", "--file", str(file), typed=ON).output
    assert "Player 1" in told
    assert "the match." in told


def test_a_match_with_comings_and_goings_is_replayed_and_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "other.record"
    match = Match.start(players=3, seed=3).leave(1)
    file.write_text(Record.of(match).text, encoding="utf-8")
    assert "it can be replayed" in refused("play", "--resume", "--file", str(file), code=1)


def test_a_record_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.record"
    sitting = Sitting(Match.start(players=2).deal(), ("A", "B"), ("book",), file)
    sitting.save()
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        sitting.save()
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_cut_off_in_its_last_line_loses_only_that_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    call(*PLAY, "--file", str(file))
    file.write_bytes(file.read_bytes() + b"lead 0: K")
    assert "K♦  2:K♥" in call("play", "--resume", "--file", str(file)).output


def test_a_record_taken_away_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    sitting = Sitting(Match.start(players=2, seed=1).deal(), ("A", "B"), ("book",), file)
    assert sitting.match.round is not None
    sitting.play(min(sitting.match.round.legal))
    assert Sitting.load(file).match.round is not None


def test_where_matches_are_kept_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert data_folder() == tmp_path / "popejoan"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "L"))
    ends = {"linux": ".local/share", "darwin": "Library/Application Support", "win32": "L"}
    for system, end in ends.items():
        monkeypatch.setattr("sys.platform", system)
        assert data_folder() == tmp_path / end / "popejoan"


def test_matches_that_begin_in_one_second_are_kept_apart(folder: Path) -> None:
    assert unfinished() is None
    folder.mkdir()
    first = new_file()
    first.touch()
    assert new_file() != first
    assert unfinished() == first


# On a terminal


ON_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("popejoan", run_name="__main__", alter_sys=True)
"""
"""Takes the terminal for its own, so that Ctrl-C reaches it, and runs the command."""


class Terminal:
    """The command on a terminal of its own, 80 by 24."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color"}
        env.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, *arguments],
            stdin=side, stdout=side, stderr=side, env={**env, **environment},
            start_new_session=True,
        )  # fmt: skip
        os.close(side)
        self.seen = ""

    def until(self, text: str, seconds: float = 30) -> str:
        """What is written from now until the text comes, the text included."""
        end = time.monotonic() + seconds
        start = len(self.seen)
        while text not in self.seen[start:]:
            assert time.monotonic() < end, f"no {text!r} in {self.seen[start:]!r}"
            if select.select([self.main], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.main, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self.main, text.encode())

    def press(self, key: str, text: str) -> str:
        """Press a key until the text comes: one pressed before it is waited for may be lost."""
        start = len(self.seen)
        for _ in range(30):
            time.sleep(0.2)
            with suppress(OSError):
                self.type(key)
            with suppress(AssertionError):
                self.until(text, 1)
            if text in self.seen[start:]:
                return self.seen[start:]
        raise AssertionError(self.seen[start:])

    def end(self) -> int:
        """The exit code."""
        code = self.process.wait(30)
        self.close()
        return code

    def close(self) -> None:
        if self.main >= 0:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            os.close(self.main)
            self.main = -1


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals, closed at the end."""
    pytest.importorskip("pty")
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_ctrl_c_and_ctrl_d_leave_the_table_and_nothing_is_lost(
    terminals: list[Terminal], folder: Path
) -> None:
    for key in ("\x03", "\x04"):
        more = ("--resume",) if terminals else PLAY[1:]
        terminal = Terminal("play", *more, "--speed", "0")
        terminals.append(terminal)
        terminal.until("Lead> ")
        assert "Nothing is lost" in terminal.press(key, "goes on.")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.seen
    assert not kept(folder).match().over


def test_ctrl_c_while_cards_fall_leaves_too_and_the_lead_is_kept(
    terminals: list[Terminal], folder: Path
) -> None:
    terminal = Terminal(*PLAY, "--speed", "0")
    terminals.append(terminal)
    terminal.until("Lead> ")
    for _ in range(3):
        terminal.type("1\r")
        terminal.until("> ")
    terminal.close()
    slow = Terminal("play", "--resume", "--speed", "2")
    terminals.append(slow)
    slow.until("> ")
    slow.type("1\r")
    slow.until("You lead")
    leads = len(kept(folder).rounds[0].leads)
    slow.press("\x03", "Nothing is lost")
    assert slow.end() == 0
    assert len(kept(folder).rounds[0].leads) == leads


def test_killed_outright_in_a_deal_it_goes_on_where_it_was(
    terminals: list[Terminal], folder: Path
) -> None:
    terminal = Terminal(*PLAY, "--speed", "0")
    terminals.append(terminal)
    terminal.until("Lead> ")
    terminal.type("1\r")
    terminal.until("Lead> ")
    os.kill(terminal.process.pid, signal.SIGKILL)
    terminal.process.wait()
    assert lines_of(folder)[-1] == "lead 0: KD"
    again = Terminal("play", "--resume", "--speed", "0")
    terminals.append(again)
    shown = again.until("Lead> ")
    assert "You lead K♦" in re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_a_terminal_gets_colour_unless_it_asks_for_none(terminals: list[Terminal]) -> None:
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal(*PLAY, "--speed", "0", **environment)
        terminals.append(terminal)
        shown = terminal.until("Lead> ")
        assert bool(re.search(r"\x1b\[[0-9;]*3[0-7]m", shown)) is coloured
        terminal.close()


def test_the_first_time_the_introduction_waits_to_be_read(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", "5", "--speed", "0")
    terminals.append(terminal)
    assert "Your hand" not in terminal.until("Enter begins> ")
    terminal.type("\r")
    terminal.until("Lead> ")


def test_a_replay_on_a_terminal_goes_a_run_at_a_time(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    file = tmp_path / "x.record"
    call(*PLAY, "--file", str(file), typed=ON)
    terminal = Terminal("replay", str(file))
    terminals.append(terminal)
    assert "leads" not in terminal.until("Enter shows more, q ends> ")
    terminal.type("\r")
    terminal.until("q ends> ")
    terminal.type("q\r")
    assert terminal.end() == 0


# Replay, rules, bench


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished match of two deals."""
    file = tmp_path / "match.record"
    done = call(*PLAY, "--deals", "2", "--names", "Jane,Tom", "--file", str(file), typed=ON)
    assert "the match." in done.output
    return file


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
    monkeypatch.setattr("popejoan.terminal.bench.bench", lambda: Bench(12_000, 24_000_000))
    monkeypatch.setattr("popejoan.testing.signature.digest", lambda: "abc")
    told = call("bench").output
    assert told.startswith("digest  abc\nrounds  12,000 a second")
    assert told.endswith("ratio   500 rounds a million spins\n")


# Outside things


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m popejoan rules | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout == "Rules: HOYLE\n"
    assert done.stderr == ""
    assert done.returncode == 0


def test_an_input_that_ends_at_once_leaves_the_table() -> None:
    done = shell(*PLAY)
    assert done.returncode == 0
    assert "Nothing is lost" in done.stdout


def test_a_folder_that_cannot_be_written_is_told_without_a_traceback(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    done = shell(*PLAY, XDG_DATA_HOME=str(blocked))
    assert done.returncode == 1
    assert done.stderr.startswith("popejoan: ")
    assert "Traceback" not in done.stderr


def test_input_that_is_no_text_is_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "popejoan", *PLAY],
        input=b"\xff\xfe\n\x00\x1b[A\n1\n",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_name_is_cut_to_its_place_by_cells() -> None:
    assert fit("Bartholomew", 6) == "Barth~"
    assert fit("Ben", 6) == "Ben   "
    assert fit("漢字漢字", 5) == "漢字~"


def test_a_screen_needs_somewhere_to_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="standard output is closed"):
        Screen()


def test_bench_fast_hands_over_to_the_kernels_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("popejoan.__main__.bench_fast", lambda console: console.print("measured"))
    assert call("bench", "--fast").output == "measured\n"


def test_bench_fast_is_for_people_and_says_so() -> None:
    assert "for people" in refused("bench", "--fast", "--json", code=2)
