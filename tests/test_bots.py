"""Claims about the simple bots: they play by the rules, from the view alone, and go by a name."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from itertools import product

import pytest

from popejoan import POPE, CardSet, Deal, Rank, Round, Rules, Seat, View, bots
from popejoan.bots import Bot, ByTheBook, Newcomer, bot, bot_names
from popejoan.rules import Lead

TABLES = list(product(Rules.presets().items(), (2, 4, 7, 10)))
NAMES = [f"{name}-{players}" for (name, _), players in TABLES]


def played(rules: Rules, players: int, seed: int, player: Bot) -> Round:
    round_ = Round.start(rules, Deal.shuffle(seed, players=players, rules=rules))
    while round_.to_act is not None:
        view = View.of(round_, round_.to_act)
        card = player.choose(view)
        assert card in view.legal
        round_ = round_.lead(card)
    return round_


@pytest.mark.parametrize("name", ["newcomer", "book"])
@pytest.mark.parametrize(("preset", "players"), TABLES, ids=NAMES)
def test_a_bot_plays_any_deal_out_with_legal_cards(
    name: str, preset: tuple[str, Rules], players: int
) -> None:
    for seed in range(5):
        assert played(preset[1], players, seed, bot(name, seed)).over


def test_a_newcomer_leads_the_same_card_from_the_same_view() -> None:
    for seed in range(20):
        assert played(Rules.CASSELL, 4, seed, Newcomer(3)) == played(
            Rules.CASSELL, 4, seed, Newcomer(3)
        )


def test_a_newcomer_leads_every_card_it_may_sooner_or_later() -> None:
    round_ = Round.start(Rules.CASSELL, Deal.shuffle(5, rules=Rules.CASSELL))
    view = View.of(round_, round_.eldest)
    assert {Newcomer(seed).choose(view) for seed in range(200)} == set(view.legal)


def test_the_book_leads_a_known_stop_then_pope_then_an_ace_then_the_longest_suit() -> None:
    seen = set()
    for seed in range(60):
        round_ = Round.start(Rules.CASSELL, Deal.shuffle(seed, rules=Rules.CASSELL))
        while round_.to_act is not None:
            view = View.of(round_, round_.to_act)
            card = ByTheBook().choose(view)
            aces = [each for each in view.hand if each.rank is Rank.ACE]
            if stops := list(view.hand & view.stops):
                assert card == stops[0]
                seen.add("stop")
            elif POPE in view.hand:
                assert card == POPE
                seen.add("pope")
            elif aces:
                assert card == aces[0]
                seen.add("ace")
            else:
                lengths = [len(view.hand.of_suit(suit)) for suit in type(card.suit)]
                assert lengths.index(max(lengths)) == card.suit
                assert card == min(view.hand.of_suit(card.suit))
                seen.add("longest")
            round_ = round_.lead(card)
    assert seen == {"stop", "pope", "ace", "longest"}


@pytest.mark.parametrize("lead", list(Lead))
def test_the_book_keeps_to_every_rule_of_leads(lead: Lead) -> None:
    rules = Rules(lead=lead)
    for seed in range(20):
        played(rules, 4, seed, ByTheBook())


def test_where_the_ace_is_high_the_book_leads_it_as_a_stop_and_never_as_the_lowest() -> None:
    rules = Rules.read({"preset": "PARLETT", "lead": "any"})
    aces = 0
    for seed in range(30):
        round_ = Round.start(rules, Deal.shuffle(seed, rules=rules))
        view = View.of(round_, round_.eldest)
        card = ByTheBook().choose(view)
        assert card.rank is not Rank.ACE or card in view.stops
        aces += card.rank is Rank.ACE
    assert aces


def test_the_dealers_book_uses_what_the_dealer_saw_in_the_stock() -> None:
    deal = Deal.read(
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC 2H 3H 4H 5H / "
        "AC KC AD 2D 3D 4D 5D 6D 7D 9D TD JD QD KD AH / "
        "6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S | KS | 8S 9S TS JS QS"
    )
    rules = Rules(hand_size=15)
    dealer = Round.start(rules, deal, dealer=Seat(2))
    assert CardSet.parse("7S") <= View.of(dealer, 2).stops
    other = Round.start(rules, deal, dealer=Seat(0))
    assert not CardSet.parse("7S") <= View.of(other, 2).stops


class Someone:
    """A bot of another package."""

    def choose(self, view: View) -> object:
        return next(iter(view.legal))


def test_a_bot_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = f"{__name__}:"
    added = [
        EntryPoint("stranger", f"{here}stranger", bots.GROUP),
        EntryPoint("rock", f"{here}rock", bots.GROUP),
    ]
    monkeypatch.setattr(bots, "_added", lambda: added)
    made = {"stranger": lambda seed: Someone(), "rock": lambda seed: object()}
    monkeypatch.setattr(EntryPoint, "load", lambda self: made[self.name])
    assert bot_names() == ("newcomer", "book", "counter", "sharp", "rock", "stranger")
    assert isinstance(bot("stranger"), Bot)
    with pytest.raises(ValueError, match="which is no bot"):
        bot("rock")


def test_a_name_that_no_bot_has_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match="no bot is called 'shark': they are newcomer, book"):
        bot("shark")
