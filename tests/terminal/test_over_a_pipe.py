"""Claims about a match over a pipe, and the words that are answered at the table."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.terminal.command import (
    ON,
    PLAY,
    call,
    kept,
    shell,
)

from popejoan import Deal, Round, Rules, View
from popejoan.bots import bot
from popejoan.notation import Record
from popejoan.terminal.screen import wants_ascii
from popejoan.terminal.words import book_hint, may_lead


@pytest.mark.parametrize("preset", Rules.presets())
@pytest.mark.parametrize("players", ["2", "10"])
def test_a_whole_match_is_played_over_a_pipe(preset: str, players: str, folder: Path) -> None:
    done = call(*PLAY, "-r", preset, "-p", players, "--deals", "2", typed=ON)
    assert done.exit_code == 0, done.output
    assert "Deal 2 of 2" in done.output
    assert re.search(r"(wins?) the match\.", done.output)
    match = kept(folder).match
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


def test_the_hint_gives_the_books_reason_for_each_kind_of_lead() -> None:
    said = set()
    for seed in range(40):
        round_ = Round.start(Rules.HOYLE, Deal.shuffle(seed))
        while round_.to_act is not None:
            view = View.of(round_, round_.to_act)
            told = book_hint(view)
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
