"""Chapter 9 of RULES.md: the match."""

from __future__ import annotations

import pytest

from popejoan.board import Board, Compartment, Reason, Transfer
from popejoan.cards import PACK, BadDeal, BadRules, Card, CardSet, IllegalChange, Seat
from popejoan.events import Divided, Joined, Left
from popejoan.match import Match
from popejoan.rules import Rules

from .table import begin, fill, payments, played_out

EQUAL = Rules.read({"equal_deals": True})
STAYS = Rules.read({"ending": "stays"})
SHORT = Rules.read({"hand_size": 1})


def after(match: Match, deals: int) -> Match:
    """The match some deals later."""
    for _ in range(deals):
        match = played_out(match.deal())
    return match


def dealers(match: Match, deals: int) -> list[int]:
    """Who deals the next deals."""
    found = []
    for _ in range(deals):
        match = after(match, 1)
        found.append(match.dealer)
    return found


def final(diamonds: str) -> list[CardSet]:
    """A final deal in which the diamonds lie as drawn, and the rest in the last hand."""
    hands = [CardSet.parse(hand) for hand in diamonds.split("/")]
    left = PACK
    for hand in hands:
        left -= hand
    return [*hands[:-1], hands[-1] | left]


def ended(board: Board, purses: tuple[int, ...] = (48, 48, 48)) -> Match:
    """A match that the table has ended with these stakes on the board."""
    return Match.start(players=3, first_dealer=0, board=board, purses=purses).end()


def test_9_1_what_has_not_been_earned_stays_for_later_deals() -> None:
    match = Match.start(SHORT, players=2, first_dealer=1)
    match = match.deal(begin("3C / 4C", "5S").deal).lead(Card.parse("3C"))
    assert match.board == Board.of(ace=1, king=1, queen=1, knave=1, matrimony=2, intrigue=2, pope=6)
    match = match.deal(begin("9D / 4C", "5S", dealer=0).deal).lead(Card.parse("4C"))
    assert match.board[Compartment.POPE] == 12


@pytest.mark.parametrize("players", [2, 3, 7, 10])
def test_9_2_the_deal_passes_to_the_left(players: int) -> None:
    match = Match.start(players=players, first_dealer=1, seed=6)
    assert dealers(match, players + 1) == [(1 + deal) % players for deal in range(players + 1)]


def test_9_2_over_the_place_of_one_who_has_left() -> None:
    match = after(Match.start(players=4, first_dealer=0, seed=6), 1).leave(1)
    assert dealers(match, 3) == [2, 3, 0]


def test_9_2_when_the_dealer_himself_leaves_it_passes_to_his_left() -> None:
    match = after(Match.start(players=4, first_dealer=1, seed=6), 1).leave(1)
    assert dealers(match, 3) == [2, 3, 0]
    match = after(Match.start(players=4, first_dealer=3, seed=6), 1).leave(3)
    assert dealers(match, 1) == [0]


def test_9_2_when_the_first_dealer_leaves_before_dealing_it_passes_to_his_left() -> None:
    match = Match.start(players=4, first_dealer=2, seed=6).leave(2)
    assert match.next_dealer == 3
    assert dealers(match, 2) == [3, 0]


def test_9_2_to_a_newcomer_in_his_turn() -> None:
    match = after(Match.start(players=3, first_dealer=1, seed=6), 1).join()
    assert dealers(match, 4) == [2, 3, 0, 1]


def test_9_3_a_newcomer_sits_after_the_last_and_brings_his_purse() -> None:
    match = after(Match.start(players=2, seed=6), 1)
    total = match.total
    joined = match.join().join(purse=10)
    assert joined.sitting == (0, 1, 2, 3)
    assert joined.purses[2:] == (48, 10)
    assert joined.total == total + 58
    assert joined.events[-2:] == (Joined(2, 48), Joined(3, 10))
    dealt = joined.deal()
    assert dealt.round is not None
    assert dealt.round.players == 4


def test_9_3_who_leaves_takes_his_purse_or_debt_and_has_his_place_when_he_comes_back() -> None:
    match = Match.start(SHORT, players=3, first_dealer=1, purses=(48, 10, 48))
    match = match.deal(begin("3C / 4C / 5C", "5S", dealer=1).deal).lead(Card.parse("5C"))
    assert match.purses == (47, -6, 48 + 3)
    gone = match.leave(1)
    assert gone.events[-1] == Left(1, -6)
    assert (gone.sitting, gone.purses, gone.total) == ((0, 2), (47, -6, 51), match.total)
    later = after(gone, 2)
    assert later.purses[1] == -6
    back = later.join(1)
    assert (back.sitting, back.purses[1]) == ((0, 1, 2), -6)
    assert back.events[-1] == Joined(1, -6)


def test_9_3_nobody_joins_or_leaves_during_a_deal() -> None:
    match = Match.start(players=3).deal()
    with pytest.raises(IllegalChange, match="nobody can join during a deal"):
        match.join()
    with pytest.raises(IllegalChange, match="nobody can leave during a deal"):
        match.leave(0)


def test_9_3_eleven_cannot_sit_nor_one_sit_twice_nor_leave_twice() -> None:
    with pytest.raises(IllegalChange, match="nobody can join: 10 sit already"):
        Match.start(players=10).join()
    match = Match.start(players=3)
    with pytest.raises(IllegalChange, match="member 1 sits already"):
        match.join(1)
    with pytest.raises(IllegalChange, match="member 1 has left already"):
        match.leave(1).leave(1)
    with pytest.raises(IllegalChange, match="there is no member 3: they are 0 to 2"):
        match.join(3)


def test_9_3_one_who_is_alone_cannot_be_dealt_to() -> None:
    with pytest.raises(IllegalChange, match="1 cannot play: 2 or more must"):
        Match.start(players=2).leave(0).deal()


@pytest.mark.parametrize("rules", [Rules.HOYLE, EQUAL])
def test_9_3_the_last_player_cannot_leave(rules: Rules) -> None:
    match = Match.start(rules, players=2).leave(0)
    with pytest.raises(IllegalChange, match="member 1 is the last at the table"):
        match.leave(1)


def test_9_4_a_match_is_a_number_of_deals() -> None:
    match = after(Match.start(players=3, seed=2, deals=2), 1)
    assert not match.over
    match = after(match, 1)
    assert match.over
    with pytest.raises(IllegalChange, match="no cards can be dealt any more: the match is over"):
        match.deal()


def test_9_4_or_lasts_until_the_table_agrees_to_stop_after_a_deal() -> None:
    match = after(Match.start(players=3, seed=2), 7)
    assert not match.over
    with pytest.raises(IllegalChange, match="the match cannot end during a deal"):
        match.deal().end()
    assert match.end().over


def test_9_4_a_match_of_no_deals_is_none() -> None:
    with pytest.raises(IllegalChange, match="a match of 0 deals is none: play 1 or more"):
        Match.start(deals=0)


def test_9_4_with_equal_deals_it_ends_only_when_all_have_dealt_equally_often() -> None:
    match = after(Match.start(EQUAL, players=3, seed=2), 2)
    with pytest.raises(IllegalChange, match="not all have dealt equally often"):
        match.end()
    assert after(match, 1).end().over


def test_9_4_with_equal_deals_a_number_that_does_not_come_round_is_refused() -> None:
    with pytest.raises(IllegalChange, match=r"4 deals do not come round to all 3 .*: play 6"):
        Match.start(EQUAL, players=3, deals=4)
    assert after(Match.start(EQUAL, players=3, deals=6), 6).over


def test_9_4_with_equal_deals_the_count_starts_anew_when_the_table_changes() -> None:
    match = after(Match.start(EQUAL, players=3, deals=3, seed=2), 2).join()
    assert not after(match, 1).over
    assert not after(match, 3).over
    assert after(match, 4).over


def test_9_4_without_equal_deals_it_may_end_after_any() -> None:
    assert after(Match.start(players=3, seed=2), 1).end().over


def test_9_5_the_stakes_left_go_by_the_diamonds_of_a_final_deal() -> None:
    board = Board.of(ace=3, king=4, queen=5, knave=6, matrimony=8, intrigue=10, pope=12)
    match = ended(board).divide(final("9D AD / KD JD / QD"))
    assert match.purses == (48 + 12 + 3, 48 + 4 + 6 + 4 + 5, 48 + 5 + 4 + 5)
    assert match.board == Board()
    assert match.total == 3 * 48 + 48


def test_9_5_each_payment_by_itself_and_the_odd_counter_to_the_queen() -> None:
    hands = final("9D / KD / QD JD AD")
    match = ended(Board.of(matrimony=3, intrigue=1, game=2, pope=6)).divide(hands)
    divided = match.events[-1]
    assert isinstance(divided, Divided)
    assert divided.hands == tuple(hands)
    assert [(t.payer, t.payee, t.counters) for t in divided.transfers] == [
        ("game", 0, 2),
        ("matrimony", 2, 2),
        ("matrimony", 1, 1),
        ("intrigue", 2, 1),
        ("pope", 0, 6),
    ]


def test_9_5_the_final_deal_is_all_51_cards_dealt_round() -> None:
    match = ended(Board.of(pope=6)).divide()
    divided = match.events[-1]
    assert isinstance(divided, Divided)
    assert [len(hand) for hand in divided.hands] == [17, 17, 17]
    assert sum(hand.mask for hand in divided.hands) == PACK.mask
    holder = next(seat for seat, hand in enumerate(divided.hands) if Card.parse("9D") in hand)
    assert divided.transfers == (Transfer(Compartment.POPE, Seat(holder), 6, Reason.DIVISION),)


def test_9_5_those_who_have_left_have_no_part_in_it() -> None:
    match = Match.start(players=3, board=Board.of(pope=6)).leave(0).end()
    match = match.divide([PACK - CardSet.parse("9D"), CardSet.parse("9D")])
    assert match.purses == (48, 48, 54)


def test_9_5_after_a_match_played_out() -> None:
    match = after(Match.start(players=4, seed=8, deals=3), 3)
    assert match.board.total > 0
    divided = match.divide()
    assert (divided.board.total, divided.total) == (0, match.total)
    assert len(divided.past) == 3
    with pytest.raises(IllegalChange, match="the stakes cannot be divided: none are left"):
        divided.divide()


def test_9_5_not_before_the_end_nor_by_other_cards_than_the_pack() -> None:
    match = Match.start(players=2, board=Board.of(pope=6))
    with pytest.raises(IllegalChange, match="the match is not over"):
        match.divide()
    for hands in ([PACK], [PACK, PACK], [PACK - CardSet.parse("9D"), CardSet()]):
        with pytest.raises(BadDeal, match="a final deal is all 51 cards in 2 hands"):
            match.end().divide(hands)


@pytest.mark.parametrize("extra", ["2C / 2C", "2C / "])
def test_9_5_nor_by_cards_that_stand_twice(extra: str) -> None:
    hands = [PACK - CardSet.parse("3C"), *map(CardSet.parse, extra.split("/"))]
    with pytest.raises(BadDeal, match="a final deal is all 51 cards in 3 hands"):
        ended(Board.of(pope=6)).divide(hands)


def test_9_5_or_the_stakes_stay_for_another_day() -> None:
    match = after(Match.start(STAYS, players=3, seed=2, deals=1), 1)
    with pytest.raises(IllegalChange, match="these rules leave them for another day"):
        match.divide()
    another_day = Match.start(STAYS, players=3, board=match.board)
    assert another_day.board == match.board


def test_9_6_a_purse_may_fall_below_nothing() -> None:
    rules = Rules.read({"purse": 0, "hand_size": 1})
    match = Match.start(rules, players=2, first_dealer=1)
    match = match.deal(begin("3C / 4C", "5S").deal).lead(Card.parse("3C"))
    assert match.purses == (2, -16)
    assert match.deal().dealer == 0


def test_9_6_and_pay_all_the_same() -> None:
    rules = Rules.read({"purse": 1})
    round = Match.start(rules, players=2, first_dealer=0).deal(fill("/", "9D", rules=rules)).round
    assert round is not None
    assert payments(round)[-1] == "1 21 to 0"
    assert round.purses == (1 - 15 + 7 + 21, -20)


@pytest.mark.parametrize("preset", Rules.presets())
def test_9_6_purses_and_board_always_come_to_the_same(preset: str) -> None:
    match = Match.start(Rules.presets()[preset], players=5, seed=9)
    for _ in range(12):
        match = match.deal()
        while match.round is not None and not match.round.over:
            assert match.total == 5 * 48
            match = match.lead(min(match.round.legal))
    assert match.end().divide().total == 5 * 48


def test_9_7_between_deals_the_table_may_change_the_rules() -> None:
    match = after(Match.start(players=4, seed=3), 1)
    before = match.board
    match = match.change_rules(Rules.PEEL).deal()
    assert match.round is not None
    assert [len(hand) for hand in match.round.deal.hands] == [10] * 4
    assert match.round.opening.board == before
    with pytest.raises(IllegalChange, match="the rules cannot change during a deal"):
        match.change_rules(Rules.HOYLE)


def test_9_7_rules_that_do_not_fit_the_table_are_refused() -> None:
    match = Match.start(players=6)
    with pytest.raises(BadRules, match="6 hands of 9 are more than the 50 cards"):
        match.change_rules(Rules.read({"hand_size": 9}))
    held = Match.start(players=3, board=Board.of(king=2))
    with pytest.raises(
        BadRules, match="king holds 2 counters, but these rules have no such compartment"
    ):
        held.change_rules(Rules.read({"stakes": {"pope": 6, "game": 1}}))
    assert Match.start(players=3).change_rules(Rules.PARLETT).rules == Rules.PARLETT


def test_9_3_nobody_joins_whom_the_rules_cannot_deal_to() -> None:
    match = Match.start(Rules(hand_size=12), players=4)
    with pytest.raises(BadRules, match="5 hands of 12 are more than the 50 cards"):
        match.join()
    assert match.players == 4


def test_9_3_a_match_does_not_start_with_counters_that_the_rules_have_no_place_for() -> None:
    five_pool = Rules.read(
        {"stakes": {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1, "game": 1}}
    )
    with pytest.raises(BadRules, match="king holds 3 counters"):
        Match.start(five_pool, players=4, board=Board.of(king=3))


def test_9_4_once_a_match_is_over_nothing_changes_but_the_last_division() -> None:
    ended = after(Match.start(players=4, first_dealer=0), 1).end()
    for change in (
        ended.deal,
        ended.join,
        ended.end,
        lambda: ended.leave(0),
        lambda: ended.change_rules(STAYS),
    ):
        with pytest.raises(IllegalChange, match="any more: the match is over"):
            change()
