"""Damaged records: what is said, at which line, and what can still be played."""

from __future__ import annotations

import pickle
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.test_notation import SHORT, SLOW, TEXTS, short

from popejoan.board import Compartment
from popejoan.cards import BadRecord, Card, CardSet
from popejoan.deal import Deal
from popejoan.lines import LONGEST, MOST_CHANGES
from popejoan.match import Match
from popejoan.notation import Record
from popejoan.round import Round
from popejoan.rules import Lead, Rules


def refused(text: str | bytes) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        Record.read(text)
    return caught.value


def lead_line(text: str, nth: int) -> str:
    """The nth line of the leads."""
    return [line for line in text.splitlines() if line.startswith("lead")][nth]


# Laws


@settings(max_examples=100, deadline=None)
@given(st.text() | st.text().map(lambda text: f"Pope Joan record 1\n{text}"))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with suppress(BadRecord):
        Record.read(text)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good record in which some lines or characters are lost, doubled, moved or changed."""
    text = draw(st.sampled_from(sorted(TEXTS.values())))
    for _ in range(draw(st.integers(1, 3))):
        lines = text.split("\n")
        line = draw(st.integers(0, len(lines) - 1))
        what = draw(st.integers(0, 5))
        other = draw(st.integers(0, len(lines) - 1))
        if what == 0:
            del lines[line]
        elif what == 1:
            lines.insert(other, lines[line])
        elif what == 2:
            lines[line], lines[other] = lines[other], lines[line]
        elif what == 3:
            at = draw(st.integers(0, len(lines[line])))
            lines[line] = lines[line][:at] + draw(st.text(max_size=3)) + lines[line][at + 1 :]
        elif what == 4:
            lines = lines[: line + 1]
            lines[-1] = lines[-1][: draw(st.integers(0, len(lines[-1])))]
        else:
            lines[line] = lines[line].replace(*draw(st.sampled_from(_CHANGES)))
        text = "\n".join(lines)
    return text


_CHANGES = [
    ("lead", "follow"), (":", ""), ("0", "1"), ("3", "9"), ("C", "D"), ("on", "off"),
    ("lead", "join"), ("deal", "end"), ("hand", "leave"), (" ", " ... "), ("48", "1" * 5000),
]  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(damaged())
def test_a_damaged_record_is_read_or_refused_at_a_line_with_what_can_be_played(text: str) -> None:
    fault = None
    try:
        record: Record | None = Record.read(text)
    except BadRecord as caught:
        fault, record = caught, caught.playable
    if fault is not None:
        assert 1 <= fault.line <= text.count("\n") + text.count("\r") + 1
        assert str(fault) == f"line {fault.line}: {fault.reason}"
    if record is not None:
        assert Record.read(record.text) == record


# What is refused, where and why

DAMAGE = [
    # what is changed, to what, in which line, and what is said
    ("pope joan RECORD 1", "pope joan record 2", 1, "of version 2; version 1 can be read"),
    ("pope joan RECORD 1", "", 1, "'' does not begin a record: write 'Pope Joan record 1'"),
    ("pope joan RECORD 1", "{}", 1, "'{}' does not begin a record"),
    ("players: 3", "", 7, "the head does not say how many play: 'players: 4'"),
    ("players: 3", "players: three", 4, "the number of players is a whole number, not 'three'"),
    ("players: 3", "players: 11", 4, "2 to 10 can play, not '11'"),
    ("players: 3", "players", 4, "'players' is followed by a colon"),
    ("players: 3", "players 2: 3", 4, "'players' takes no number before the colon"),
    ("players: 3", "players: 3\nplayers: 3", 5, "'players' is given twice"),
    ("players: 3", "players: 3\npurses: 48 48", 8, "2 purses are given for 3 players"),
    ("players: 3", "players: 3\npurses: 48 4x 48", 5, "a purse is a whole number, not '4x'"),
    ("players: 3", "players: 3\nboard: pope six", 5, "the stake of pope is a whole number"),
    ("players: 3", "players: 3\nboard: pope -6", 5, "pope holds -6"),
    ("players: 3", "players: 3\nboard: pope 1, pope 2", 5, "pope is given twice"),
    ("players: 3", "players: 3\nboard: hope 1", 5, "'hope' is no compartment: they are ace, king"),
    ("players: 3", "players: 3\nboard: 6", 5, "'6' is no stake: write 'board: pope 6, game 1'"),
    ("players: 3", "players: 3\ndeals: 0", 5, "'deals' is 1 or more, or 'open', not '0'"),
    ("players: 3", "players: 3\ndeals: many", 5, "'deals' is a whole number, not 'many'"),
    ("players: 3", "players: 3\nseed: x", 5, "'seed' is a whole number, not 'x'"),
    ("players: 3", "players: 3\nfirst dealer: 3", 8, "is 0 to 2, or 'knave', not '3'"),
    ("players: 3", "players: 3\nfirst dealer: Ann", 5, "'first dealer' is a whole number"),
    ("CASSELL", "CASTLE", 6, "'CASTLE' is no preset: they are HOYLE"),
    ("CASSELL", "HOYLE ace=high", 6, "it wants ace=low"),
    ("CASSELL", "HOYLE a=1 b=2 c=3 d=4 e=5", 6, "a: is no field of the rules"),
    ("CASSELL", "HOYLE stakes=pope:" + "1" * 5000, 6, "is not a value of this field"),
    ("CASSELL", "x" * 2000, 6, "preset: 'xxx"),
    ("name 1: Ben", "name: Ben", 5, "'name' is followed by a player's number: 'name 0: ...'"),
    ("name 1: Ben", "name 1: Ben\nname 1: Bob", 6, "player 1 has a name already: 'Ben'"),
    ("name 1: Ben", "name 1: B\x07", 5, r"holds '\x07', which cannot stand"),
    ("deal\n", "deal 2\n", 7, "deal 1 comes next, not deal 2"),
    ("deal\n", "deal: 1\n", 7, "nothing is written after 'deal': '1'"),
    ("deal\n", "", 7, "'hand' stands after a line 'deal'"),
    ("deal\n", "purses after: 1\ndeal\n", 7, "the purses of those who sit are 48 48 48 here"),
    ("deal\n", "seats: 0 1\ndeal\n", 7, "'seats' stands before the first deal or in the heading"),
    ("deal\n", "lead: 3C\ndeal\n", 7, "a card is played before anything is dealt"),
    ("deal\n", "end\ndeal\n", 8, "no cards can be dealt any more: the match is over"),
    ("deal\n", "leave 0\nleave 1\ndeal\n", 9, "1 cannot play: 2 or more must"),
    ("hand 0", "hand 3", 8, "player 3 does not sit: 0, 1, 2 do"),
    ("hand 0", "hand 1", 9, "hand 1 is given twice"),
    ("hand 0", "hand", 8, "'hand' is followed by a player's number"),
    ("hand 2", "# hand 2", 7, "hand 2 is missing from this deal"),
    ("10♣", "5♣", 9, "5C stands here and in hand 0 (line 8)"),
    ("10♣", "10♣ 10♣", 9, "TC stands here and in hand 1 (line 9)"),
    ("10♣", "11♣", 9, "'11♣' is not a card: write a rank"),
    ("10♣", "8♦", 9, "8D is not in the pack"),
    ("10♣", "", 7, "hands have 12, 11, 12 cards, where 3 players are dealt 12, 12, 12"),
    ("turn-up: 4h", "", 7, "the turn-up is missing from this deal"),
    ("turn-up: 4h", "turn-up: 4h 5h", 11, "one card is turned up, not 2"),
    ("turn-up: 4h", "turn-up: 4h\nturn-up: 5h", 12, "the turn-up is given twice"),
    ("turn-up: 4h", "turn-up: 5♣", 11, "5C stands here and in hand 0 (line 8)"),
    ("turn-up: 4h", "turn-up: 4h\nstock: AC", 7, "missing: each of the 51 cards"),
    ("turn-up: 4h", "turn-up: 4h\nstock: AC\nstock: 6C", 13, "the stock is given twice"),
    ("turn-up: 4h", "turn-up: 4h\nhand 0: -", 12, "hand 0 is given twice"),
    ("turn-up: 4h", "turn-up: 4h\nseats: 0 1", 12, "those who sit are 0 1 2 here, not '0 1'"),
    ("turn-up: 4h", "turn-up: 4h\ndealer: 1", 12, "the dealer is 0 here, not '1'"),
    ("turn-up: 4h", "turn-up: 4h\npurses: 1", 12, "the purses of those who sit are 48 48 48"),
    ("turn-up: 4h", "turn-up: 4h\nboard: pope 6", 12, "the board holds bare here, not 'pope 6'"),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), DAMAGE)
def test_a_fault_before_the_leads_is_named_with_its_line(
    old: str, new: str, line: int, says: str
) -> None:
    fault = refused(SHORT.replace(old, new, 1))
    assert says in fault.reason
    assert fault.line == line
    assert len(str(fault)) < 600
    assert fault.playable is None or fault.playable.rounds == ()


PLAY_DAMAGE = [
    ("let: 3C", 1, "'let: 3C' begins with no card and no word of a record: name, rules", ""),
    (":", 1, "begins with no card and no word of a record", ""),
    ("lead " * 20, 1, "begins with no card and no word of a record", ""),
    ("lead 0: 10C", 1, "player 1 is to lead, not player 0", ""),
    ("lead: 5C", 1, "5C is not in the hand of player 1", ""),
    ("lead: 11C", 1, "'11C' is not a card", ""),
    ("lead:", 1, "a lead names its card: 'lead: 3C'", ""),
    ("lead: 10C QC", 1, "QC is not the run's next card, JC", "TC ..."),
    ("lead: 10C JC QC", 1, "QC cannot follow: the run has stopped", "TC JC"),
    ("lead: 10C JC ...", 1, "the run has stopped, so the line cannot end with '...'", "TC JC"),
    ("lead: 10C ...\nlead: JC", 2, "the run goes on with JC: write 'follow: JC'", "TC ..."),
    ("follow: 10C", 1, "no run goes on here: write 'lead: ...'", ""),
    ("10C\nKC\nKC", 3, "KC is not in the hand of player 1", "TC JC\nlead 1: KC"),
    ("deal 2", 1, "the deal before is not played out", ""),
    ("claim 1: pope", 1, "seat 1 has no claim on pope: due to it is nothing", ""),
    ("claim 1: hope", 1, "'hope' is no compartment", ""),
    ("claim: pope", 1, "'claim' is followed by a player's number", ""),
    ("claim 5: pope", 1, "there is no player 5: they are 0 to 2", ""),
    ("switch 1: up", 1, "a switch is on or off, not 'up'", ""),
    ("switch 1", 1, "'switch' is followed by a colon and what it is", ""),
    ("join 3", 1, "nobody can join during a deal", ""),
    ("leave 0", 1, "nobody can leave during a deal", ""),
    ("leave 0: now", 1, "nothing is written after 'leave': 'now'", ""),
    ("end", 1, "the match cannot end during a deal", ""),
    ("new rules: HOYLE", 1, "the rules cannot change during a deal", ""),
    ("rules: HOYLE", 1, "'rules' stands before the first deal; later write 'new rules: ...'", ""),
    ("players: 3", 1, "'players' stands before the first deal", ""),
    ("board: bare", 0, "", ""),
    ("TC\nboard: bare", 2, "'board' stands before the first deal or in the heading", "TC JC"),
    ("TC\nboard after: bare", 2, "the board holds ace 1, king 1, queen 1", "TC JC"),
    ("TC\nstock: 3C", 2, "'stock' stands after a line 'deal'", "TC JC"),
    ("final deal\nhand 0: -", 1, "hand 1 is missing from this deal", ""),
    ("final deal\nhand 0: -\nhand 1: -\nhand 2: -", 1, "the match is not over", ""),
    ("final deal\nstock: 3C", 2, "a final deal has no stock", ""),
    ("final deal\nturn-up: 3C", 2, "a final deal has no turn-up", ""),
]


@pytest.mark.parametrize(("leads", "nth", "says", "plays"), PLAY_DAMAGE)
def test_a_fault_in_the_play_leaves_what_was_played_before_it(
    leads: str, nth: int, says: str, plays: str
) -> None:
    if not says:
        assert short(leads) == short()
        return
    fault = refused(SHORT + leads)
    assert says in fault.reason
    assert fault.line == 11 + nth
    assert fault.playable == short(f"lead: {plays}" if plays else "")


def over() -> str:
    """The short record played out."""
    record = short()
    match = record.match
    while not match.over and not match._round().over:
        match = match.lead(min(match._round().legal))
    return Record.of(match, record.names).text


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("lead: 3C", "3C cannot be led: the deal is over"),
        ("join 4", "the next player to join is 3"),
        ("join 3: much", "a purse is a whole number, not 'much'"),
        ("join 0", "member 0 sits already"),
        ("leave 0\njoin 0: 5000", "player 0 comes back to a purse of "),
        ("leave 0\nclaim 2: pope", "has no claim on pope"),
        ("join\nclaim 3: pope", "player 3 has no seat in this deal"),
        ("leave 0\nleave 0", "member 0 has left already"),
        ("end\nfinal deal\nhand 0: 3C\nhand 1: -\nhand 2: -", "a final deal is all 51 cards"),
        ("deal 3", "deal 2 comes next, not deal 3"),
        ("deal 2\nhand 0: -\n", "hand 1 is missing from this deal"),
    ],
)
def test_between_deals_what_the_table_does_not_allow_is_refused(more: str, says: str) -> None:
    fault = refused(over() + more)
    assert says in fault.reason
    assert fault.playable.rounds[0].over


def test_after_a_deal_people_come_and_go_and_the_next_is_dealt() -> None:
    text = over() + "leave 0\njoin 0\njoin: 30\nname 3: Zoe\nleave 2\nswitch 3: off\nend\n"
    record = Record.read(text)
    assert record.match.sitting == (0, 1, 3)
    assert record.match.purses[3] == 30
    assert record.names == ("", "Ben   # this belongs to the name", "", "Zoe")
    assert Record.read(record.text) == record


def test_a_follow_after_the_end_of_the_deal_is_refused() -> None:
    text = over()
    last = lead_line(text, -1)
    fault = refused(text.replace(last, last + " KS"))
    assert fault.reason == "KS cannot follow: the deal is over"
    assert fault.playable == Record.read(over())


def test_a_card_that_may_not_be_led_is_refused_with_the_rule() -> None:
    round_ = Round.start(Rules(lead=Lead.LOWEST), Deal.shuffle(4))
    highest = max(round_.hand(1))
    fault = refused(Record.of(round_).text + f"lead: {highest!r}")
    assert "may not be led: only the lowest card of a suit may be led" in fault.reason


def test_a_claim_refused_says_why_without_the_whole_round() -> None:
    assert "Round.replay" not in refused(SHORT + "claim 1: pope").reason


def test_a_name_of_nobody_is_refused_and_the_play_stands() -> None:
    fault = refused(SHORT.replace("name 1", "name 7"))
    assert (fault.line, fault.reason) == (5, "nobody has the number 7: 3 have sat down")
    assert fault.playable == short(text=SHORT.replace("name 1", "# name 1"))


def test_bytes_that_are_not_utf_8_are_refused_at_their_line() -> None:
    fault = refused(SHORT.encode() + b"TC\nKC\xff\n")
    assert fault.line == 13
    assert fault.reason == "byte 0xff is not UTF-8: save the record as UTF-8"
    assert fault.playable == short("TC\n")
    assert refused(b"\xff").playable is None
    earlier = refused(SHORT.encode() + b"TC\nAC\nKC\n\xff")
    assert (earlier.line, earlier.playable) == (15, short("TC\n"))


def test_a_text_beyond_all_measure_is_refused_at_once() -> None:
    fault = refused("x" * (LONGEST + 1))
    assert fault.reason == f"a record has up to {LONGEST} characters, not {LONGEST + 1}"
    assert fault.line == 0


@pytest.mark.parametrize(
    "changes", ["switch 0: off\nswitch 0: on\n", "leave 1\njoin 1\n", "join\n"]
)
def test_a_record_of_changes_beyond_all_measure_is_refused_soon(changes: str) -> None:
    text = "Pope Joan record 1\nplayers: 3\n" + changes * 100_000
    fault = refused(text)
    assert fault.line <= MOST_CHANGES + 3


def test_a_match_beyond_all_measure_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.start(players=2)
    for _ in range(MOST_CHANGES // 2):
        match = match.join().leave(match.sitting[0])
    record = Record.of(match)
    assert Record.read(record.text) == record
    with pytest.raises(BadRecord, match=r"up to 1000 changes, not 1001"):
        _ = Record.of(match.join()).text
    monkeypatch.setattr("popejoan.notation.LONGEST", 50)
    with pytest.raises(BadRecord, match=r"up to 50 characters, not "):
        _ = Record.of(Match.start()).text


@pytest.mark.parametrize("filler", ["a", " ", "#", "lead ", "3C ", "\t:", "name 1: ", "\n", "9"])
def test_a_long_line_is_read_in_little_time(filler: str) -> None:
    text = "Pope Joan record 1\nplayers: 2\n" + filler * (200_000 // len(filler)) + "!"
    reason = ""
    try:
        Record.read(text)
    except BadRecord as fault:
        reason = fault.reason
    assert len(reason) <= 500


def test_a_fault_crosses_to_another_process_whole() -> None:
    fault = refused(SHORT + "lead: 10C QC")
    twin = pickle.loads(pickle.dumps(fault))
    assert (twin.reason, twin.line, twin.playable) == (fault.reason, fault.line, fault.playable)
    assert str(twin) == str(fault)


def test_a_claim_made_by_call_is_told_where_it_was_made() -> None:
    text = TEXTS["HOYLE-2"]
    claims = [line for line in text.splitlines() if line.startswith("claim 1: ")]
    assert claims
    assert "switch 1: off" in text
    lost = Record.read(text.replace(claims[-1] + "\n", "", 1).split("\npurses after")[0])
    assert lost.match != Record.read(text).match


def test_a_compartment_without_a_stake_in_these_rules_is_refused() -> None:
    rules = "rules: CASSELL stakes=pope:6,game:1"
    text = SHORT.replace("Rules: CASSELL", rules).replace("players", "board: ace 1\nplayers")
    fault = refused(text)
    assert "but these rules have no such compartment" in fault.reason
    assert fault.playable is None


def test_every_card_can_be_written_in_each_way() -> None:
    for card in CardSet.parse("TC 9D AH KS"):
        for text in (repr(card), str(card), repr(card).lower(), str(card).replace("10", "T")):
            assert Card.parse(text) == card
    assert Compartment("pope") in list(Compartment)
