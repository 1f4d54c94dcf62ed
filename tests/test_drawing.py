"""Claims about what is drawn and told: it is all there, in letters where asked, and well-formed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from popejoan import (
    POPE,
    Board,
    Card,
    CardSet,
    Compartment,
    Deal,
    Match,
    Reason,
    Round,
    Rules,
    Seat,
    Suit,
    Transfer,
    View,
    drawing,
    events,
)
from popejoan.cards import Order
from popejoan.rules import PopePlayed
from popejoan.sentences import Teller

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Anne", "Ben", "Clara", "Dan"]
BEGUN = Round.start(Rules.HOYLE, Deal.shuffle(1))


def played_out(rules: Rules, players: int = 4, seed: int = 1) -> Round:
    deal = Deal.shuffle(seed, players=players, rules=rules)
    return Round.start(rules, deal).playout(min)


# Text


def test_a_hand_is_drawn_by_suits_in_the_order_of_the_rules() -> None:
    cards = CardSet.parse("AS 2S KS 9D TC")
    assert drawing.hand(cards) == "♣ 10   ♦ 9   ♠ A 2 K"
    assert drawing.hand(cards, order=Order.of(ace_high=True)) == "♣ 10   ♦ 9   ♠ 2 K A"
    assert drawing.hand(cards, ascii=True) == "C 10   D 9   S A 2 K"


def test_an_empty_hand_is_drawn_as_a_dash() -> None:
    assert drawing.hand(CardSet()) == "–"
    assert drawing.hand(CardSet(), ascii=True) == "-"


def test_the_board_shows_every_stake_by_its_name() -> None:
    drawn = drawing.board(Board((1, 20, 3, 4, 5, 6, 7, 8)))
    assert len({len(line) for line in drawn.split("\n")}) == 1
    _, names, stakes, _ = drawn.split("\n")
    shown = dict(zip(re.findall(r"\w+", names), map(int, re.findall(r"\d+", stakes))))
    assert shown == {
        place.value.title(): stake for place, stake in zip(Compartment, (1, 20, 3, 4, 5, 6, 7, 8))
    }


@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_board_is_no_wider_than_it_may_be(width: int) -> None:
    drawn = drawing.board(Rules.HOYLE.stakes, width=width)
    assert max(map(len, drawn.split("\n"))) <= width
    assert len(re.findall(r"\w+", drawn)) == 16


def test_a_board_of_seven_compartments_in_two_rows_has_a_blank() -> None:
    places = [place for place in Compartment if place is not Compartment.ACE]
    drawn = drawing.board(Board(), compartments=places, width=50)
    assert "Ace" not in drawn
    assert len({len(line) for line in drawn.split("\n")}) == 1


def test_a_deal_shows_each_of_the_51_cards_once() -> None:
    deal = Deal.shuffle(3, players=5)
    drawn = str(deal)
    cards = []
    for line in drawn.split("\n")[1:]:
        for suit, ranks in re.findall(r"([♣♦♥♠])((?: (?:10|[2-9AJQK]))+)", line):
            cards += [Card.parse(rank + suit) for rank in ranks.split()]
    assert CardSet.of(cards) | deal.turn_up.alone == CardSet.of(range(52)[:20]) | CardSet.of(
        range(21, 52)
    )
    assert len(cards) == 50
    assert drawn.startswith(f"Turn-up {deal.turn_up}: {deal.turn_up.suit.name.lower()} are trumps")


def test_a_round_shows_the_table_and_who_is_to_play() -> None:
    drawn = str(BEGUN)
    assert drawn.startswith("╭")
    assert "> Seat 1" in drawn
    assert f"Leads: {BEGUN.legal}" in drawn
    assert "dealer" in drawn


def test_a_round_shows_the_run_that_is_going_on_and_how_the_deal_ended() -> None:
    round_ = BEGUN
    while not round_.forced:
        round_ = round_.play(min(round_.legal))
    run = " ".join(map(str, round_.run))
    assert f"\nRun: {run}" in drawing.round(round_)
    over = played_out(Rules.HOYLE)
    assert drawing.round(over, names=NAMES).endswith(f"{NAMES[over.winner or 0]} wins it.")


def test_a_view_shows_no_card_that_the_seat_has_not_seen() -> None:
    drawn = drawing.view(View.of(BEGUN, 2), names=NAMES)
    assert "> Ben            48     11 cards" in drawn
    assert drawing.hand(BEGUN.hand(2)) in drawn
    for other in (0, 1, 3):
        assert drawing.hand(BEGUN.hand(other)) not in drawn
    assert "Stock" not in drawn
    assert "Leads" not in drawn
    assert "1 card\n" in drawing.view(View.of(_with_one_card(), None)) + "\n"


def _with_one_card() -> Round:
    for seed in range(100):
        round_ = played_out(Rules.HOYLE, seed=seed)
        if 1 in map(int.bit_count, round_.held):
            return round_
    raise AssertionError("no deal ends so")


def test_the_dealers_view_shows_the_stock() -> None:
    assert f"Stock: {drawing.hand(BEGUN.deal.stock)}" in drawing.view(View.of(BEGUN, 0))


@pytest.mark.parametrize("preset", Rules.presets())
@pytest.mark.parametrize("players", [2, 3, 7, 10])
def test_in_ascii_everything_is_ascii(preset: str, players: int) -> None:
    round_ = played_out(Rules.presets()[preset], players)
    drawn = [
        drawing.round(round_, ascii=True),
        drawing.view(View.of(round_, 0), ascii=True),
        drawing.deal(round_.deal, ascii=True),
        drawing.board(round_.board, width=40, ascii=True),
        *drawing.events(round_.events, ascii=True),
        *(Teller(ascii=True).event(event) for event in round_.events),
    ]
    assert all(text.isascii() for text in drawn)


# Sentences


def test_every_kind_of_event_is_told_in_one_sentence() -> None:
    transfer = Transfer(Seat(1), Seat(0), 3, Reason.CARDS)
    told: list[events.Event | events.MatchEvent] = [
        *BEGUN.events,
        *played_out(Rules.HOYLE).events,
        events.Switched(Seat(1), on=True),
        events.Switched(Seat(1), on=False),
        events.Excused(Seat(1), 1),
        events.Excused(Seat(1), 4),
        events.Earned(Seat(2), Compartment.POPE, 6),
        events.Paid(transfer),
        events.DealerFound(2, (Card.parse("3C"), Card.parse("JD"))),
        events.Joined(3, 48),
        events.Joined(3, -1),
        events.RulesChanged(Rules.PEEL),
        events.ClaimsSwitched(3, on=True),
        events.ClaimsSwitched(3, on=False),
        events.Ended(),
        events.Left(3, 20),
        events.Left(3, -1),
        events.Lapsed(1, Compartment.POPE, 6),
        *_divided().events,
    ]
    for you in (None, 1):
        teller = Teller(NAMES, you=you)
        for event in told:
            sentence = teller.event(event)
            assert re.fullmatch(r"[A-Z0-9].*[^.]\.", sentence), sentence
            assert "Seat" not in sentence
    kinds = {type(event) for event in told}
    assert kinds == set(get_args(events.Event)) | set(get_args(events.MatchEvent))


def _divided() -> Match:
    match = Match.start(players=4, seed=7, deals=1).deal()
    while not match.over:
        match = match.lead(min(match.round.legal if match.round else ()))
    return match.divide()


def test_the_player_spoken_to_is_you() -> None:
    teller = Teller(NAMES, you=1)
    assert teller.event(events.WentOut(Seat(1))) == "You go out."
    assert teller.event(events.WentOut(Seat(0))) == "Anne goes out."
    assert teller.payment(Transfer(Seat(0), Seat(1), 1, Reason.CARDS)) == (
        "Anne pays you 1 counter for cards left in hand."
    )
    stopped = events.Stopped(Seat(1), Card.parse("7D"), events.Stop.REMOVED)
    assert teller.event(stopped) == "7♦ is a stop, as 8♦ is not in the pack: you lead."


def test_one_who_has_no_name_is_called_by_the_seat() -> None:
    assert Teller(["Anne"]).event(events.WentOut(Seat(3))) == "Seat 3 goes out."


@pytest.mark.parametrize(
    ("card", "stop", "why"),
    [
        ("KC", events.Stop.END, "its suit ends there"),
        ("7D", events.Stop.REMOVED, "8♦ is not in the pack"),
        ("9S", events.Stop.TURN_UP, "10♠ is the turn-up"),
        ("9S", events.Stop.PLAYED, "10♠ has been played"),
        ("9S", events.Stop.STOCK, "nobody holds 10♠"),
        ("KS", events.Stop.STOCK, "nobody holds A♠"),
    ],
)
def test_it_is_told_why_nothing_can_follow(card: str, stop: events.Stop, why: str) -> None:
    assert Teller().why(Card.parse(card), stop) == why


def test_a_removed_card_is_told_in_letters() -> None:
    assert Teller(ascii=True).why(Card.parse("7D"), events.Stop.REMOVED) == "8D is not in the pack"


@pytest.mark.parametrize("reason", list(Reason))
def test_every_payment_is_told_with_its_reason(reason: Reason) -> None:
    teller = Teller(NAMES)
    told = [
        teller.payment(Transfer(Seat(0), Seat(1), 2, reason)),
        teller.payment(Transfer(Seat(0), Compartment.GAME, 2, reason)),
        teller.payment(Transfer(Compartment.POPE, Seat(1), 2, reason)),
    ]
    assert all("2 counters" in sentence for sentence in told)
    assert len({sentence.rpartition("2 counters")[2] for sentence in told}) <= 3


def test_a_dressing_by_all_tells_what_each_gave() -> None:
    round_ = played_out(Rules.PEEL)
    sentence = Teller(NAMES).event(round_.events[0])
    assert sentence.startswith("The board is dressed: ")
    assert all(name in sentence for name in NAMES)


@pytest.mark.parametrize(
    ("sizes", "stock", "told"),
    [
        ((11, 11, 11), 6, "Anne deals 11 cards to each; 6 cards lie in the stock."),
        ((1, 1), 1, "Anne deals 1 card to each; 1 card lies in the stock."),
        ((0, 5, 5), 0, "Anne deals 5 cards to each of the others; no cards lie in the stock."),
        ((13, 12), 6, "Anne deals hands of 13, 12 cards; 6 cards lie in the stock."),
    ],
)
def test_a_deal_is_told_with_its_sizes(sizes: tuple[int, ...], stock: int, told: str) -> None:
    assert Teller(NAMES).event(events.Dealt(Seat(0), sizes, stock)) == told


def test_a_run_is_told_in_one_line_and_what_it_earned_after_it() -> None:
    pope = events.Claimed(Seat(1), Compartment.POPE, 6)
    told = drawing.events(
        [
            events.Led(Seat(1), POPE),
            events.Earned(Seat(1), Compartment.POPE, 6),
            pope,
            events.Followed(Seat(2), Card.parse("TD")),
            events.Stopped(Seat(2), Card.parse("TD"), events.Stop.STOCK),
        ],
        names=NAMES,
    )
    assert list(told) == [
        "Ben leads 9♦, Clara 10♦.",
        "Ben takes Pope, 6 counters.",
        "10♦ is a stop, as nobody holds J♦: Clara leads.",
    ]


def test_a_run_that_is_going_on_is_told_as_far_as_it_went() -> None:
    going: list[events.Event] = [
        events.Led(Seat(1), POPE),
        events.Earned(Seat(1), Compartment.POPE, 6),
    ]
    assert list(drawing.events(going, names=NAMES)) == [
        "Ben leads 9♦.",
        "Ben earns Pope, 6 counters.",
    ]


def test_a_pope_paid_by_the_cards_is_told() -> None:
    rules = Rules(pope_played=PopePlayed.CARDS)
    for seed in range(30):
        text = " ".join(drawing.events(played_out(rules, seed=seed).events))
        if "for Pope played" in text:
            return
    raise AssertionError("Pope was never played")


def test_a_value_that_is_printed_is_drawn() -> None:
    view = View.of(BEGUN, 1)
    assert str(BEGUN) == drawing.round(BEGUN)
    assert str(BEGUN.deal) == drawing.deal(BEGUN.deal)
    assert str(BEGUN.board) == drawing.board(BEGUN.board)
    assert str(view) == f"{view}" == drawing.view(view)
    assert repr(view).startswith("View(")
    match = Match.start(players=3, seed=2)
    assert str(match) == drawing.match(match)
    match = match.deal()
    assert match.round is not None
    named = ["Player 0", "Player 1", "Player 2"]
    table = drawing.round(match.round, names=named)
    assert str(match) == f"Deal 1, rules HOYLE\n{table}"


def test_a_match_is_drawn_with_how_far_it_is_and_every_members_counters() -> None:
    match = Match.start(players=4, seed=3, deals=8)
    drawn = drawing.match(match, names=["Anne"], ascii=True).splitlines()
    assert drawn[0] == "Before the first deal of 8, rules HOYLE"
    assert drawn[-4:] == ["Anne        48", "Player 1    48", "Player 2    48", "Player 3    48"]
    match = match.leave(2).deal()
    assert match.round is not None
    drawn = drawing.match(match, names=["Anne", "", "Clara"]).splitlines()
    assert drawn[0] == "Deal 1 of 8, rules HOYLE"
    assert "\n".join(drawn[1:-1]) == drawing.round(
        match.round, names=["Anne", "Player 1", "Player 3"]
    )
    assert drawn[-1] == "Clara  away  48"


def test_a_match_that_is_over_says_so_and_shows_the_last_counters() -> None:
    match = replace(Match.start(players=3, seed=3).deal(), round=played_out(Rules.HOYLE, 3))
    match = match.end().divide()
    drawn = str(match).splitlines()
    assert drawn[0] == "Deal 1, rules HOYLE: the match is over"
    assert drawn[-3:] == [f"Player {n}    {purse}" for n, purse in enumerate(match.purses)]


# Pictures


def texts(svg: str) -> str:
    return " ".join("".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text"))


def test_the_board_as_a_picture_names_each_compartment_and_its_stake() -> None:
    board = Board((1, 22, 333, 4444, 0, 6, 7, 8))
    picture = ET.fromstring(drawing.board_svg(board))
    labels = {group.get("aria-label") for group in picture.iter(f"{SVG}g")}
    for place, stake in board.items():
        assert f"{place.value.title()}: {stake}" in labels
        assert str(stake) in texts(drawing.board_svg(board)).split()


def test_the_picture_of_a_dressed_board_is_the_one_in_the_docs() -> None:
    kept = Path(__file__).parent.parent / "docs" / "board.svg"
    assert kept.read_text(encoding="utf-8") == drawing.board_svg(Rules.HOYLE.stakes)


def test_the_picture_of_a_board_shows_a_stake_as_fish_up_to_nine() -> None:
    for stake, fish in ((0, 0), (1, 1), (9, 9), (30, 9)):
        svg = drawing.board_svg(Board.of(pope=stake))
        assert svg.count('href="#pj-fish"') == fish


def test_a_compartment_that_the_board_has_not_is_left_blank() -> None:
    svg = drawing.board_svg(Board(), compartments=[Compartment.POPE, Compartment.GAME])
    assert "Matrimony" not in svg
    assert "Pope: 0" in svg


@pytest.mark.parametrize("players", [2, 4, 10])
def test_a_round_as_a_picture_shows_every_hand_and_purse(players: int) -> None:
    round_ = Round.start(Rules.HOYLE, Deal.shuffle(2, players=players))
    shown = texts(round_._repr_svg_())
    for seat in range(players):
        assert f"Seat {seat}" in shown
        for suit in Suit:
            ranks = " ".join(str(card)[:-1] for card in round_.hand(seat).of_suit(suit))
            assert not ranks or f"{suit.pip} {ranks}" in shown
        assert f"{round_.purses[seat]} counters" in shown
    assert "A lead is to be made" in shown


def test_a_picture_says_how_far_the_round_is() -> None:
    round_ = BEGUN
    while not round_.forced:
        round_ = round_.play(min(round_.legal))
    assert f"Run: {' '.join(map(str, round_.run))}" in texts(drawing.round_svg(round_))
    over = drawing.round_svg(played_out(Rules.HOYLE))
    assert "The deal is over" in texts(over)
    assert "no cards" in texts(over)
    assert "out first" in texts(over)


def test_a_picture_tells_what_happened_last_as_far_as_there_is_room() -> None:
    over = played_out(Rules.HOYLE)
    told = list(drawing.events(over.events))
    shown = texts(drawing.round_svg(over))
    assert told[-1] in shown
    assert told[0] not in shown
    assert "is turned up" not in texts(drawing.round_svg(played_out(Rules.HOYLE, 10)))


def test_a_board_and_a_match_are_pictures_in_a_notebook() -> None:
    match = Match.start(players=3, seed=2).leave(1).join(purse=20)
    board = Rules.HOYLE.stakes
    assert board._repr_svg_() == drawing.board_svg(board)
    assert match._repr_svg_() == drawing.board_svg(match.board)
    match = match.deal()
    assert match.round is not None
    named = ["Player 0", "Player 2", "Player 3"]
    assert match._repr_svg_() == drawing.round_svg(match.round, names=named)


def test_a_name_cannot_break_a_picture() -> None:
    svg = drawing.round_svg(BEGUN, names=['<b>&"', "Ben", "C", "D"])
    assert '<b>&"' in texts(svg)


def test_a_purse_below_nothing_is_drawn_as_it_is() -> None:
    poor = Round.start(Rules.HOYLE, BEGUN.deal, purses=(11, 48, 48, 48))
    assert poor.purses[0] == -3
    assert " -3 " in drawing.round(poor)
    assert "-3 counters" in texts(drawing.round_svg(poor))


def test_the_picture_in_the_docs_is_the_board_as_it_is_dressed() -> None:
    kept = Path(__file__).parent.parent / "docs" / "board.svg"
    assert kept.read_text(encoding="utf-8") == drawing.board_svg(Rules.HOYLE.stakes), (
        "write it anew with drawing.board_svg(Rules.HOYLE.stakes)"
    )
